"""The result on the screen: every point, the ranking with its reasons, the winner."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from coatl_tools import load_cards
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.table_screen import print_result
from coatl_tools.language import load_language
from coatl_tools.referee.presentation.result_text import serialize_result
from coatl_tools.referee.tally import parse_tally, score_tally
from coatl_tools.rules.result import GameResult

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = json.loads((DOCS / "example-tally.json").read_text("utf-8"))
SOLO = {
    "players": [{"name": "Ana", "coatls": ["<YYYYB> P11 P01"]}],
    "adam": {"fulfilled": "P10"},
    "levels": [1],
}


def result_of(data: dict[str, Any]) -> GameResult:
    cards = tuple(load_cards())
    return score_tally(parse_tally(data, cards), cards)


def shown(data: dict[str, Any], width: int = 80, language: str = "en", over: bool = True) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_result(result_of(data), Screen(load_language(language), console), over)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [30, 50, 80, 120])
def test_every_point_is_shown_at_every_width(width: int) -> None:
    text = shown(EXAMPLE, width)
    assert max(map(len, text.splitlines())) <= width
    for part in ("Cóatl 1", "P29", "T03", "17", "(6)", "incomplete", "position 21", "Ana wins."):
        assert part in text


def test_a_game_that_goes_on_has_no_winner_yet() -> None:
    assert "Ana is ahead." in shown(EXAMPLE, over=False)
    assert "wins" not in shown(EXAMPLE, over=False)


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_a_solo_game_says_why_it_is_lost(language: str) -> None:
    text = " ".join(shown(SOLO, language=language).split())
    assert "A.D.A.M." in text
    assert "6" in text
    assert "7.10" in text


def test_json_holds_every_point() -> None:
    data = serialize_result(result_of(EXAMPLE))
    ana = data["players"][0]
    assert data["winners"] == ["Ana"]
    assert [entry["name"] for entry in data["ranking"]] == ["Ana", "Bo"]
    assert ana["coatls"][2] == {
        "coatl": "YBGYBBG",
        "complete": False,
        "cards": [{"id": "P38", "level": 2, "points": 6}],
        "points": 3,
    }
    assert (ana["points"], ana["scoreboard"]) == (21, {"tokens": 0, "position": 21})
    solo = serialize_result(result_of(SOLO))
    assert solo["winners"] == ["A.D.A.M."]
    assert solo["adam"]["temple_missing"] is True
    assert json.dumps(solo)
