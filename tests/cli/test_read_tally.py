"""`run_coatl read --tally`, and photos as answers at a table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.cli.table.photo_answers import parse_photo_answer
from coatl_tools.vision.cards.card_assignment import assign_cards
from tests.cli.command_runner import run_coatl
from tests.cli.fake_photo_reader import fake_reader, make_doubtful_reading, write_blank_photo
from tests.vision.sample_readings import make_reading, make_seen_card
from tests.vision.table_layouts import lay_table

ANA = make_reading(
    "<BBRBBKRBBYY>", "YBGY", cards=[make_seen_card("P29", 0), make_seen_card("T03", 0)]
)
BO = make_reading("<RKKRRR>", cards=[make_seen_card("P02", 0), make_seen_card("P05", None)])
BOTH = make_reading(
    "<BBRBBKRBBYY>", "<RKKRRR>", "YBGY", cards=[make_seen_card("P29", 0), make_seen_card("P02", 1)]
)


@pytest.fixture(autouse=True)
def _photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen = {"ana.png": ANA, "bo.png": BO, "both.png": BOTH, "dim.png": make_doubtful_reading()}
    for name in seen:
        write_blank_photo(Path(name))
    fake_reader(monkeypatch, seen)


def tally(*arguments: str, typed: str = "") -> dict[str, list[str]]:
    """Whose Cóatls they are, by the tally that is written."""
    done = run_coatl("read", "--tally", "-", *arguments, typed=typed)
    assert done.code == 0, done.err
    data = json.loads(done.out)
    return {seat["name"]: [one["coatl"] for one in seat["coatls"]] for seat in data["players"]}


def test_a_photo_for_each_player() -> None:
    found = tally("--players", "Ana,Bo", "ana.png", "bo.png")
    assert found == {"Ana": ["<BBRBBKRBBYY>", "YBGY"], "Bo": ["<RKKRRR>"]}


def test_a_photo_of_the_whole_table() -> None:
    whole = {"Ana": ["<BBRBBKRBBYY>", "YBGY"], "Bo": ["<RKKRRR>"]}
    assert tally("--players", "Ana=1 3, Bo=2", "both.png") == whole
    assert tally("--players", "Ana,Bo", "both.png", typed="ana\nx\nb\n1\n") == whole
    assert tally("--players", "Ana,Bo", "--set", "1@1; 2@2; 3@1", "both.png") == whole
    assert tally("both.png", typed="Ana, Bo\n1\n2\n1\n") == whole


def read_laid(monkeypatch: pytest.MonkeyPatch, seed: int, players: int) -> list[list[str]]:
    """Lay a table for a photo; the Cóatls of each player, clockwise from the near side."""
    table = lay_table(seed, players)
    cards, _ = assign_cards(table.reading.cards, table.reading.coatls, (), load_cards())
    fake_reader(monkeypatch, {"both.png": replace(table.reading, cards=cards)})
    # they sit at the near side and then against the clock
    order = [0, *range(players - 1, 0, -1)]
    both = list(zip(table.players, table.reading.coatls, strict=True))
    return [[str(one.coatl) for player, one in both if player == seat] for seat in order]


def test_whose_coatls_they_are_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = read_laid(monkeypatch, 2, 2)
    assert tally("--players", "Ana,Bo", "both.png") == {"Ana": near, "Bo": far}
    assert tally("--players", "Ana=far,Bo=near", "both.png") == {"Ana": far, "Bo": near}
    assert tally("--players", "Ana=hinten,Bo=devant", "both.png") == {"Ana": far, "Bo": near}
    near, left, far, right = read_laid(monkeypatch, 3, 4)
    found = tally("--players", "A,B,C,D", "both.png")
    assert found == {"A": near, "B": left, "C": far, "D": right}
    done = run_coatl("read", "--tally", "x.json", "--players", "A,B,C,D", "both.png")
    assert "B (left): Cóatls " in done.err


def test_without_a_terminal_it_is_said_which_coatls_are_not_clear() -> None:
    done = run_coatl("read", "--tally", "-", "--players", "Ana,Bo", "both.png")
    assert (done.code, done.out) == (2, "")
    assert "It is not clear whose these Cóatls are: 1, 2, 3. Say it with --players" in done.err


def test_it_is_ready_to_be_tallied() -> None:
    done = run_coatl("read", "--tally", "end.json", "--players", "Ana,Bo", "ana.png", "bo.png")
    assert (done.code, done.out) == (
        0,
        "The tally is saved. To score it: coatl table tally end.json\n",
    )
    assert "these cards lie beside no Cóatl and are left out: P05" in done.err
    result = run_coatl("table", "tally", "end.json")
    assert "Ana wins." in result.out
    done = run_coatl("read", "--tally", "the end.json", "--players", "Ana,Bo", "ana.png", "bo.png")
    assert done.out.endswith(": coatl table tally 'the end.json'\n")  # as a shell takes it


@pytest.mark.parametrize(("language", "edition"), [("de", "en"), ("fr", "fr"), ("pl", "pl")])
def test_it_is_played_by_the_edition_of_the_language(language: str, edition: str) -> None:
    done = run_coatl(
        *("read", "--lang", language, "--tally", "-", "--players", "Ana,Bo", "ana.png", "bo.png")
    )
    assert json.loads(done.out)["edition"] == edition


def test_alone_against_adam() -> None:
    done = run_coatl("read", "--tally", "-", "--players", "Ana", "bo.png", typed="P10 P11\n")
    assert json.loads(done.out)["adam"] == {"fulfilled": ["P10", "P11"]}


def test_cards_that_adam_cannot_have_are_asked_for_again() -> None:
    typed = "P99\nP29 P29\nT03\nP10\n"  # the second and third are cards, but not such ones
    done = run_coatl("read", "--tally", "-", "--players", "Ana", "bo.png", typed=typed)
    assert (done.code, done.err.count("A.D.A.M.’s fulfilled cards:")) == (0, 4)
    assert json.loads(done.out)["adam"] == {"fulfilled": ["P10"]}
    assert "--fix" not in done.err
    assert (
        run_coatl("read", "--tally", "-", "--players", "Ana", "bo.png", typed="P99\n").code == 130
    )


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    target = tmp_path / "none" / "end.json"
    done = run_coatl("read", "--tally", target, "--players", "Ana,Bo", "ana.png", "bo.png")
    assert (done.code, done.out) == (3, "")
    assert f"There is no folder “{target.parent}”." in done.err


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("Ana=1 3,Bo", "These Cóatls belong to nobody: 2."),
        ("Ana=1 2 3,Bo=2", "Cóatl 2 is given twice"),
        ("Ana=9,Bo=2", "There is no Cóatl 9 in the photos; Cóatls that were read: 3."),
        ("Ana=one,Bo", "“Ana=one” is not a player"),
        ("Ana=near,Bo", "Say for each player another side"),
        ("Ana=near,Bo=near", "Say for each player another side"),
        (",", "“” is not a player"),
        ("Ana,Ana", "Two players have the same name"),
        ("Ana,Bo,Cid,Dan,Eva", "1 to 4 players"),
    ],
)
def test_who_cannot_be_is_said(players: str, said: str) -> None:
    done = run_coatl("read", "--tally", "-", "--players", players, "both.png")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_who_cannot_be_is_said_before_anybody_corrects_or_answers() -> None:
    done = run_coatl("read", "--tally", "-", "--fix", "--players", "A,B,C,D,E", "dim.png")
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_what_is_not_sure_makes_no_tally() -> None:
    done = run_coatl("read", "--tally", "end.json", "--players", "Ana,Bo", "dim.png", "bo.png")
    assert done.code == 3
    assert "“dim.png” could not be read with certainty" in done.err
    assert not Path("end.json").exists()


def test_what_no_game_ends_with_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_reader(monkeypatch, {"ana.png": make_reading("RR", "GG", "BB")})
    done = run_coatl("read", "--tally", "end.json", "--players", "Ana=1 2 3,Bo", "ana.png")
    assert (done.code, "Rule 3.6" in done.err, "--fix" in done.err) == (1, True, True)
    assert not Path("end.json").exists()


def test_photos_of_one_table_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = read_laid(monkeypatch, 2, 2)
    assert tally("--join", "--players", "Ana,Bo", "both.png", "both.png") == {
        "Ana": near,
        "Bo": far,
    }
    done = run_coatl("read", "--join", "--json", "both.png", "both.png")
    assert done.code == 0
    data = json.loads(done.out)
    assert len(data["coatls"]) == len(near) + len(far)
    assert data["file"].endswith("both.png + both.png")
    done = run_coatl("read", "--join", "both.png", "both.png", "--set", "1=<RBBG>")
    assert (done.code, "<RBBG>" in done.out) == (0, True)


def test_options_that_do_not_go_together() -> None:
    for options in (
        ("--join", "ana.png"),
        ("--join", "--learn", "ana.png", "bo.png"),
        ("--set", "1~", "ana.png", "bo.png"),
        ("--players", "Ana", "ana.png"),
        ("--name", "x", "ana.png"),
        ("--tally", "-", "--json", "ana.png"),
        ("--learn", "ana.png", "bo.png"),
        ("--learn", "--fix", "ana.png"),
    ):
        assert run_coatl("read", *options).code == 2, options


# At a table.


def test_a_photo_answers_the_questions_of_a_tally() -> None:
    typed = "Ana, Bo\nana.png\n\n@bo.png\n\n"
    done = run_coatl("table", "tally", "--json", typed=typed)
    run_coatl("read", "--tally", "end.json", "--players", "Ana,Bo", "ana.png", "bo.png")
    assert done.out == run_coatl("table", "tally", "end.json", "--json").out
    assert "<BBRBBKRBBYY> P29 T03" in done.err


def test_a_photo_that_is_not_sure_is_corrected_or_typed() -> None:
    lines = [
        "dim.png",
        "dim.png 9-",
        "bo.png 1-",
        "dim.png 1.4=B; 2=<BBYYKR>; c2=P30",
        "",
        "no.png",
        "",
        "",
    ]
    done = run_coatl("table", "tally", "--plain", typed="\n".join(["Ana, Bo", *lines]))
    assert done.code == 0
    for said in (
        "“dim.png” could not be read with certainty:\n“doubt 0 3 None”",
        "Read: 1: <RBBKYG>  2: BBYYGKR  c1: P29  c2: ?  c3: T03",
        "There is no Cóatl 9",
        "No Cóatl was found in the photo.",
        "<BBYYKR> P30",
        "no.png",
    ):
        assert said in done.err, said


def test_a_photo_answers_when_a_game_is_joined(tmp_path: Path) -> None:
    typed = ["", "bo.png", "", "3", "", "1"]
    done = run_coatl(
        "table", "new", "x", "--join", "--players", "Ana,Bo", typed="\n".join(typed),
        COATL_TABLES=str(tmp_path),
    )  # fmt: skip
    assert "<RKKRRR> P02" in done.err
    assert "Ana, Cóatl 2:" in done.err


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.jpg", ("a.jpg", "")),
        ("@a.JPG 1.4=B; 2~", ("a.JPG", "1.4=B; 2~")),
        ("my photos/a b.heic ok", ("my photos/a b.heic", "ok")),
        ('"a b.png" 1-', ("a b.png", "1-")),
        ("@scan", ("scan", "")),
        ("<RBB> P29", None),
        ("red, blue", None),
        ("", None),
        ("@", None),
    ],
)
def test_what_names_a_photo(line: str, expected: tuple[str, str] | None) -> None:
    assert parse_photo_answer(line) == (
        None if expected is None else (Path(expected[0]), expected[1])
    )
