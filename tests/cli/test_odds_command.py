"""`run_coatl cards odds`, as a user runs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from coatl_tools import load_cards
from coatl_tools.cli.cards.odds import BAR_WIDTH, render_curve, render_level_bar
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.scoring.odds import (
    DrawModel,
    LengthOdds,
    compute_odds,
    format_percent,
    pick_evenly_spaced,
)
from tests.cli.command_runner import run_coatl
from tests.conftest import Run

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE_CARDS = DOCS / "example-cards.json"
HOSTILE = {
    "cards": [
        {
            "id": "H01",
            "kind": "temple",
            "requires": {"several": [{"sequence": f"{c} * * * * * {c}"} for c in "RGBYK"]},
            "points": {"1": 1, "5": 9},
        }
    ]
}


@pytest.mark.parametrize("lang", LANGUAGE_CODES)
def test_golden_odds(lang: str, golden: Callable[[str, str], None]) -> None:
    commands = [
        ("P05",),
        ("T16", "--pieces", "8-11", "--draw", "even"),
        ("P16", "p33,T03", "T17"),
    ]
    shown = [run_coatl("cards", "odds", *words, "--lang", lang) for words in commands]
    assert all(result.code == 0 and not result.err for result in shown)
    assert max(len(line) for result in shown for line in result.out.splitlines()) <= 80
    golden(f"odds.{lang}.txt", "\n".join(result.out for result in shown))


def test_json_has_what_the_library_counts() -> None:
    result = run_coatl("cards", "odds", "P36", "--pieces", "9-10", "--json")
    data = json.loads(result.out)
    expected = compute_odds(load_cards()["P36"], [9, 10])
    assert data["draw"] == "box"
    assert data["levels"] == [
        {"count": 1, "points": 2, "shortest": 3},
        {"count": 2, "points": 6, "shortest": 6},
    ]
    assert data["text"].startswith("In a row")
    assert not data["as_if_alone"]
    for shown, length in zip(data["lengths"], expected.lengths, strict=True):
        assert shown["pieces"] == length.pieces
        assert [shown["none"], *shown["exactly"]] == list(map(float, length.exactly))
        assert shown["at_least"] == [float(length.at_least(1)), float(length.at_least(2))]
        assert shown["points"] == float(length.points)


def test_json_of_several_cards_is_a_list_with_each_card_once() -> None:
    result = run_coatl(
        "cards", "odds", "T18", "p5", "P05", "--draw", "even", "--json", "--pieces", "7"
    )
    data = json.loads(result.out)
    assert [card["id"] for card in data] == ["T18", "P05"]
    assert [card["as_if_alone"] for card in data] == [True, False]
    assert {card["draw"] for card in data} == {"even"}


def test_a_card_of_ones_own() -> None:
    result = run_coatl("cards", "odds", "J01", "--cards", EXAMPLE_CARDS, "--pieces", "8")
    assert result.code == 0
    assert re.search(r"^ +8 +\d\.\d% +<?\d\.\d%", result.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["P99"], 1, "There is no card “P99”"),
        (["P05", "--pieces", "many"], 2, "“many” is not a number of pieces: write 7, or 4-12"),
        (["P05", "--pieces", "12-4"], 2, "“12-4” is not a number of pieces"),
        (["P05", "--pieces", ""], 2, "“” is not a number of pieces"),
        (["P05", "--pieces", "-4"], 2, "“-4” is not a number of pieces"),
        (["P05", "--pieces", "2"], 2, "has 3 to 122 pieces: the box has 120 body segments"),
        (["P05", "--pieces", "4-123"], 2, "“4-123” does not fit"),
        (["P05", "--pieces", "9" * 500], 2, "does not fit"),
        (["P05", "--draw", "fair"], 2, "'fair' is not one of"),
        ([], 2, "Missing argument"),
        (["P05", "--plot", "odds.pdf"], 2, "“odds.pdf” must end in .png or .svg"),
        (["P05", "--plot", ""], 2, "The name of a file or folder is empty"),
        (["P05", "--plot", "nowhere/odds.png"], 3, "There is no folder “nowhere”"),
        (["P05", "--plot", "/dev/null/odds.svg"], 3, "“/dev/null/odds.svg” cannot be written"),
    ],
)
def test_mistakes(words: list[str], code: int, message: str) -> None:
    result = run_coatl("cards", "odds", *words)
    assert result.code == code
    assert message in " ".join(result.err.split())


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    folder = tmp_path / "folder.png"
    folder.mkdir()
    result = run_coatl("cards", "odds", "P05", "--pieces", "5", "--plot", folder)
    assert result.code == 3
    assert "is a folder, not a file" in result.err
    assert list(tmp_path.iterdir()) == [folder]


def test_a_card_that_is_too_intricate_is_refused_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coatl_tools.scoring.odds.MAX_COUNTING_WORK", 1_000_000)
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(HOSTILE))
    result = run_coatl("cards", "odds", "H01", "--pieces", "40", "--cards", path)
    assert result.code == 1
    assert "“H01” is too complex to count: it takes more than 1 million steps" in result.err


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_plot_is_the_same_every_time(kind: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.{kind}" for number in range(2)]
    for path in paths:
        result = run_coatl("cards", "odds", "P05", "T16", "P33", "--plot", path, "--lang", "pl")
        assert result.code == 0
        assert f"Zapisano „{path}”" in result.out.replace("\n", "")
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    if kind == "png":
        with Image.open(paths[0]) as picture:
            assert min(picture.size) > 400
            assert len(np.unique(np.asarray(picture.convert("L")))) > 20
    else:
        root = ET.fromstring(first)
        assert root.tag.endswith("svg")
        assert b"<dc:date>" not in first


def test_a_plot_with_json_leaves_only_json_on_the_output(tmp_path: Path) -> None:
    path = tmp_path / "ODDS.PNG"
    result = run_coatl("cards", "odds", "P05", "--pieces", "7", "--json", "--plot", path)
    assert json.loads(result.out)["id"] == "P05"
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_picture_has_room_for_some_cards_and_says_so(tmp_path: Path) -> None:
    cards = [
        {"id": f"X{n}", "kind": "temple", "requires": {"length": 3 + n % 9}, "points": {"1": 1}}
        for n in range(25)
    ]
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"cards": cards}))
    ids = [str(card["id"]) for card in cards]
    words = ("--cards", own, "--pieces", "4", "--plot", tmp_path / "odds.png")
    result = run_coatl("cards", "odds", *ids, *words)
    assert result.code == 2
    assert "room for 24 cards, not 25" in result.err


def test_without_matplotlib_it_is_said_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "odds.png"
    with patch("importlib.util.find_spec", return_value=None):
        result = run_coatl("cards", "odds", "P05", "--plot", path)
        assert run_coatl("cards", "odds", "P05").code == 0
    assert result.code == 2
    assert 'pip install "coatl-tools[simulate]"' in result.err
    assert not path.exists()


def test_the_table_alone_loads_no_matplotlib() -> None:
    code = (
        "import sys; sys.argv = ['coatl', 'cards', 'odds', 'P05']\n"
        "from coatl_tools.cli import run\n"
        "assert run() == 0\n"
        "assert not {'matplotlib', 'numpy', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


def test_many_levels_are_shown_in_several_tables(tmp_path: Path) -> None:
    points = {str(n): n for n in range(1, 16)}
    card = {"id": "M01", "kind": "temple", "requires": {"count": "R"}, "points": points}
    path = tmp_path / "many.json"
    path.write_text(json.dumps({"cards": [card]}))
    words = ("cards", "odds", "M01", "--cards", path, "--pieces", "20-21")
    shown = run_coatl(*words).out
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    for n in range(1, 16):
        assert f"{n}× = {n}" in shown
    narrow = run_coatl(*words, COLUMNS="40").out
    assert max(map(len, narrow.splitlines())) <= 40
    assert run_coatl(*words, "--plot", tmp_path / "many.svg").code == 0


def test_a_terminal_without_these_letters_gets_others(program: Run) -> None:
    result = program("cards", "odds", "P16", "P05", PYTHONIOENCODING="ascii")
    assert result.code == 0
    assert result.out.isascii()
    assert "?" not in result.out


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (Fraction(0), "–"),
        (Fraction(1, 10**9), "<0.1%"),
        (Fraction(1, 1000), "0.1%"),
        (Fraction(1, 3), "33.3%"),
        (Fraction(999, 1000), "99.9%"),
        (1 - Fraction(1, 10**20), ">99.9%"),
        (Fraction(1), "100%"),
    ],
)
def test_what_is_hardly_ever_is_not_never(share: Fraction, shown: str) -> None:
    assert format_percent(share, load_language("en")) == shown


def test_a_bar_has_always_the_same_length() -> None:
    thirds = LengthOdds(5, (Fraction(1, 3),) * 3, Fraction())
    assert render_level_bar(thirds) == "·" * 7 + "1" * 6 + "2" * 7
    for length in compute_odds(load_cards()["P05"], draw=DrawModel.EVEN).lengths:
        assert len(render_level_bar(length)) == BAR_WIDTH
    many = LengthOdds(5, (Fraction(0),) * 40 + (Fraction(1),), Fraction())
    assert render_level_bar(many) == "+" * BAR_WIDTH


def test_a_curve_shows_what_is_possible() -> None:
    assert render_curve([Fraction(0), Fraction(1, 10**9), Fraction(1, 2), Fraction(1)]) in (
        "·▁▄█",
        ".159",
    )
    assert pick_evenly_spaced(range(3, 16), 3) == [3, 9, 15]
    assert pick_evenly_spaced([7], 3) == [7]
    assert pick_evenly_spaced(range(3, 5), 3) == [3, 4]


def test_the_docs_show_what_is_printed() -> None:
    page = (DOCS / "cards.md").read_text("utf-8")
    (shown,) = re.findall(r"```\n\$ coatl cards (odds .*)\n((?:.*\n)*?)```", page)
    printed = run_coatl("cards", *shown[0].split()).out
    assert [line.rstrip() for line in printed.splitlines()] == shown[1].splitlines()
    cards = load_cards()
    for card_id, one_of in (("P33", 263), ("P26", 308)):
        (found,) = compute_odds(cards[card_id], [15]).lengths
        assert round(1 / found.at_least(1)) == one_of
        assert f"1 of {one_of}" in page
