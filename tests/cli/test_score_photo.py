"""`run_coatl score --photo`: as typed input, or not at all."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli.command_runner import run_coatl
from tests.cli.fake_photo_reader import (
    fake_reader,
    make_doubtful_reading,
    make_problem,
    write_blank_photo,
)
from tests.vision.sample_readings import make_reading, make_seen_card

score = partial(run_coatl, "score", "--photo")


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_blank_photo(Path("table.png"))


def sees(monkeypatch: pytest.MonkeyPatch, *found: object, **more: object) -> None:
    fake_reader(monkeypatch, {"table.png": make_reading(*found, **more)})  # type: ignore[arg-type]


def test_a_photo_is_scored_as_typed_input(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch, "<BBRBBKRBBYY>")
    assert score(photo) == run_coatl("score", "<BBRBBKRBBYY>")
    assert score(photo, "P29", "T03") == run_coatl("score", "<BBRBBKRBBYY>", "P29", "T03")
    assert score(photo, "--level3") == run_coatl("score", "<BBRBBKRBBYY>", "--level3")


def test_cards_of_the_photo_count_if_none_are_given(
    photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = [make_seen_card("P29", 0), make_seen_card("T03", 0), make_seen_card("P05", None)]
    sees(monkeypatch, "<BBRBBKRBBYY>", cards=cards)
    assert score(photo).out == run_coatl("score", "<BBRBBKRBBYY>", "P29", "T03").out
    assert score(photo, "P10").out == run_coatl("score", "<BBRBBKRBBYY>", "P10").out


def test_json_holds_the_reading(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch, "<BBRBBKRBBYY>", "RR")
    data = json.loads(score(photo, "--json").out)
    typed = json.loads(run_coatl("score", "<BBRBBKRBBYY>", "--json").out)
    assert [one["number"] for one in data["scores"]] == [1, 2]
    assert data["scores"][0] == {"number": 1, **typed}
    assert [one["coatl"] for one in data["reading"]["coatls"]] == ["<BBRBBKRBBYY>", "RR"]


def test_several_coatls_are_scored_each(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch, "<BBRBBKRBBYY>", "<RRRR>")
    said = score(photo).out
    assert "Cóatl 1" in said
    assert "Cóatl 2" in said
    assert score(photo, "--coatl", "2", "P02").out.count("Total") == 1
    assert "Total: 3" in score(photo, "--coatl", "2", "P02").out
    wrong = score(photo, "P02")
    assert (wrong.code, "--coatl N" in wrong.err) == (2, True)
    wrong = score(photo, "--coatl", "3")
    assert (wrong.code, "There is no Cóatl 3" in wrong.err) == (2, True)


def test_what_is_not_sure_is_not_scored(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_reader(monkeypatch, {"table.png": make_doubtful_reading()})
    done = score(photo)
    assert (done.code, done.out) == (3, "")
    for said in ("could not be read with certainty", "doubt 0 3", "--fix", "--set 1.4=B"):
        assert said in done.err
    data = json.loads(score(photo, "--json").out)
    assert data["scores"] == []
    assert len(data["reading"]["problems"]) == 3


def test_only_what_is_in_the_way_keeps_from_scoring(
    photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_reader(monkeypatch, {"table.png": make_doubtful_reading()})
    fixed = ("--set", "1.4=B")
    assert score(photo, "--coatl", "1").code == 3
    assert score(photo, "--coatl", "1", *fixed).code == 0  # the other Cóatl is not asked for
    assert score(photo, "--coatl", "2", "--set", "2~").code == 3  # its card is not known
    assert score(photo, "--coatl", "2", "--set", "2~", "P30").code == 0
    assert score(photo, *fixed, "--set", "2~; c2=P30").code == 0


def test_a_card_that_lies_apart_may_belong_to_the_coatl_that_is_scored(
    photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, doubt = make_seen_card(None, None, "P29", "P30"), make_problem(None, card=0)
    sees(monkeypatch, "<BBRBBKRBBYY>", cards=[card], problems=[doubt])
    assert score(photo).code == 3
    assert score(photo, "P10").code == 0  # the cards of the photo are not asked for
    assert score(photo, "--set", "c1-").code == 0


def test_corrections_score_like_the_truth(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch, "<RBBY", problems=[make_problem(0, 1)])
    assert score(photo, "--set", "1=<BBRBBKRBBYY>").out == run_coatl("score", "<BBRBBKRBBYY>").out
    wrong = score(photo, "--set", "7.1=B")
    assert (wrong.code, "There is no Cóatl 7" in wrong.err) == (1, True)


def test_nothing_found_is_not_sure(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch)
    assert score(photo).code == 3
    sees(monkeypatch, problems=[make_problem(None)])
    assert score(photo).code == 3
    assert score(photo, "--set", "+<RBBG>").code == 0


@pytest.mark.parametrize("correction", ["ok", "1-"])
def test_without_a_coatl_there_is_nothing_to_score(
    photo: Path, monkeypatch: pytest.MonkeyPatch, correction: str
) -> None:
    seen = ("<RBB",) if correction == "1-" else ()
    sees(monkeypatch, *seen, problems=[] if seen else [make_problem(None)])
    done = score(photo, "--set", correction, "--json")
    assert (done.code, json.loads(done.out)["scores"]) == (3, [])
    assert "There is no Cóatl in “table.png”" in done.err
    assert "with certainty" not in done.err
    assert run_coatl("read", photo, "--set", correction, "--tally", "-").err == done.err
    for options in ((), ("--fix",)):
        read = run_coatl("read", photo, "--set", correction, *options)
        assert read.code == 0
        assert read.out.splitlines()[-1] == "Nothing is in doubt: there is no Cóatl."


def test_options_of_a_photo_need_one() -> None:
    for options in (("--set", "1~"), ("--fix",), ("--coatl", "1"), ("--colours", "x")):
        assert run_coatl("score", "<RBB", *options).code == 2
    assert run_coatl("score", "--photo", "x.jpg", "--batch", "y").code == 2


def test_a_photo_that_is_none_is_named(tmp_path: Path) -> None:
    done = score(tmp_path / "missing.jpg")
    assert (done.code, "missing.jpg" in done.err) == (3, True)
