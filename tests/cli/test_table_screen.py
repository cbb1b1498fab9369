"""A table and its result on the screen: whole, aligned and readable wherever it is shown."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import pytest
from rich.cells import cell_len
from rich.console import Console

from coatl_tools import load_cards
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import use_ascii_output
from coatl_tools.cli.terminal.table_screen import print_result, print_table
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.referee.presentation.result_text import serialize_result
from coatl_tools.referee.tally import parse_tally, score_tally
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import GameResult
from coatl_tools.rules.state import GameState
from coatl_tools.rules.views import View, make_open_view, make_view
from tests.rules.positions import first_turn, scene, seat, start_game
from tests.sample_tables import (
    list_random_moments,
    list_sample_tables,
    make_finished_game,
    make_last_turn,
    make_midgame,
    make_own_cards_table,
    make_physical_table,
    make_solo_table,
)

LANGUAGES = LANGUAGE_CODES


def drawn(view: View, game: Game, lang: str = "en", width: int = 80, colours: bool = False) -> str:
    out = io.StringIO()
    system: Literal["truecolor"] | None = "truecolor" if colours else None
    console = Console(file=out, width=width, color_system=system, force_terminal=colours)
    print_table("Evening", view, game, Screen(load_language(lang), console))
    return out.getvalue()


def seen(state: GameState, viewer: int | None = 0) -> str:
    return drawn(make_view(state, viewer), state.game)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_golden_tables(lang: str, golden: Callable[[str, str], None]) -> None:
    found = [drawn(shown, game, lang) for shown, game in list_sample_tables().values()]
    golden(f"tables.{lang}.txt", "\n".join(found))


@pytest.mark.parametrize("number", [1, pytest.param(4, marks=pytest.mark.soak)])
def test_nothing_is_cut_and_nothing_is_wider_than_the_screen(number: int) -> None:
    for lang, (shown, game) in zip(cycle(LANGUAGES), list_random_moments(number)):
        wide = drawn(shown, game, lang, 400)
        for width in (40, 60, 80, 120):
            text = drawn(shown, game, lang, width)
            assert max(map(cell_len, text.splitlines())) <= width
            # but for the dots between things in a line
            assert sorted(text.replace("·", "").split()) == sorted(wide.replace("·", "").split())
            assert not re.search(r" $", text, re.MULTILINE)


@pytest.mark.parametrize("width", [1, 5, 20])
def test_the_narrowest_screen_is_no_mistake(width: int) -> None:
    for shown, game in list_sample_tables().values():
        assert max(map(cell_len, drawn(shown, game, "pl", width).splitlines())) <= width


def test_a_table_of_two_fits_a_terminal_of_40_lines() -> None:
    for lang in LANGUAGES:
        assert len(drawn(make_view(make_midgame(), 0), make_midgame().game, lang).splitlines()) < 40


class TestAscii:
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_each_character_has_a_stand_in_of_one_character(
        self, lang: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for shown, game in list_sample_tables().values():
            out = io.TextIOWrapper(io.BytesIO(), "utf-8")
            with monkeypatch.context() as patch:
                patch.setattr(sys, "stdout", out)
                use_ascii_output()
                screen = Screen(load_language(lang), Console(width=80))
                print_table("Evening", shown, game, screen)
            out.seek(0)
            text = out.read()
            assert out.encoding == "ascii"
            assert max(map(len, text.splitlines())) <= 80
            assert "?" not in text
            spaces, held = text.splitlines()[text.splitlines().index("") + 1 :][:2]
            for number in range(1, 11):
                column = re.search(rf"\b{number}\b", spaces)
                assert column
                assert held[column.start() - 1] == " "
                assert held[column.start()] != " "

    def test_a_card_colour_is_not_taken_for_a_piece(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
        assert "1 P30/Y R R B B " in seen(make_midgame())


def test_colours_come_with_symbols_and_text_keeps_the_terminals_own_colours() -> None:
    shown, game = make_view(make_midgame(), 0), make_midgame().game
    coloured = drawn(shown, game, colours=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == drawn(shown, game)
    for style in re.findall(r"\x1b\[([\d;]*)m", coloured):
        # a colour of letters only together with one behind them; nothing is faint
        assert ("38;2" in style) == ("48;2" in style)
        assert "2" not in style.split(";")[:1]


def test_the_supply_board_shows_kinds_and_empty_spaces() -> None:
    assert "▲R ▲R  ●G ●G  ■B ■B  ★Y F   ◆K ◆K  ▲R ●G    <▲R  <–     ▲R>  –>" in seen(make_midgame())


def test_a_hidden_hand_is_counted_and_a_known_card_is_shown() -> None:
    mine, theirs = seen(make_midgame(), 0), seen(make_midgame(), 1)
    assert "Hand Prophecy ×3, Temple ×1, 3 of them hidden" in mine
    assert "P40 ● ▲R ◆K+ ■B" in mine
    assert "P11 ◆ ★Y ★Y ★Y" not in mine
    assert "P11 ◆ ★Y ★Y ★Y" in theirs
    assert mine.index("North (you)") < mine.index("East ·")
    assert theirs.index("East (you)") < theirs.index("North ·")


def test_each_coatl_says_what_its_cards_and_itself_are_worth() -> None:
    text = seen(make_midgame())
    assert "1 <■B ■B ▲R ■B ■B ◆K ▲R ■B ■B ★Y ★Y>  ✓ complete: 14 points" in text
    assert re.search(r"P10 ◆ .* 1:2 2:5 = 5\n", text)
    assert "2 <▲R ●G ●G ▲R ▲R  incomplete: 0 points now, 4 if complete" in text
    assert "P34 ★ 7  P17 ■ 1  ✓ complete: 8 points" in text


def test_in_the_polish_edition_an_incomplete_coatl_is_worth_half_now() -> None:
    state = scene(seat(coatls=["K", *make_midgame().players[1].coatls[1:]]), edition="pl")
    assert "incomplete: 3 points now, 6 if complete" in seen(state)


def test_the_turn_is_marked_and_the_end_is_announced() -> None:
    text = drawn(make_open_view(make_last_turn()), make_last_turn().game)
    assert "Evening · Turn 1: East · 2 actions left\n" in text
    assert "The end is near: North has 3 complete Cóatls (rule 6.1)." in text
    assert "This is the last turn." in text
    assert "▶ East" in text
    assert "▶ North" not in text
    assert "wins." in drawn(make_open_view(make_finished_game()), make_finished_game().game)
    assert "▶" not in drawn(make_open_view(make_finished_game()), make_finished_game().game)


def test_adams_cards_show_their_pieces_and_what_they_lack() -> None:
    text = seen(make_solo_table())
    assert "▶ A.D.A.M. · 10 points · cards fulfilled: 2 · pieces out of the game: 2" in text
    assert "1 P11 ◆ ★Y <★Y · lacks 4×★Y · 7 points" in text
    assert "3 P45 ● ◆K · lacks 2×★Y 1×◆K 1×* · 4 points" in text
    assert "✓ P17 ■ 5  P22 ■ 5" in text


def test_the_setup_and_what_is_awaited_in_it() -> None:
    assert "Evening · Setup\nNext: what is drawn from the bag for space 1" in seen(start_game())
    keeps = "Next: North chooses which Prophecy cards to keep, at most 3."
    assert keeps in drawn(
        make_open_view(make_own_cards_table()), make_own_cards_table().game
    ).replace("\n", " ")
    assert "Evening · Turn 1: North\n" in seen(first_turn())


def test_told_cards_of_a_real_table_are_open_to_all() -> None:
    text = drawn(make_open_view(make_physical_table()), make_physical_table().game)
    assert "P40 ● ▲R ◆K+ ■B" in text
    assert "of them hidden" in text


def test_a_name_cannot_steer_the_terminal() -> None:
    out = io.StringIO()
    screen = Screen(load_language("en"), Console(file=out, width=80))
    print_table("a\x1b[2Jb[bold]", make_view(make_midgame(), 0), make_midgame().game, screen)
    assert out.getvalue().startswith("a\\x1b[2Jb[bold] · ")


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


@pytest.mark.parametrize("language", LANGUAGE_CODES)
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
