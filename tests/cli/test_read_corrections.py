"""`run_coatl read --fix`: by lines where there is no terminal, by keys where there is one."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from coatl_tools import load_cards
from coatl_tools.cli.photo import key_editor as k
from coatl_tools.cli.photo.interactive_corrections import render_screen
from coatl_tools.cli.photo.key_editor import KeyEditor
from coatl_tools.cli.photo.reading_screen import print_scores, render_reading
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.vision.corrections.session import CorrectionSession
from coatl_tools.vision.output import photo_report
from coatl_tools.vision.reading import PhotoReading, ReadingProblem
from coatl_tools.vision.scores_and_tally import PhotoScoringOptions
from tests.cli.command_runner import run_coatl
from tests.cli.fake_photo_reader import (
    fake_reader,
    make_doubtful_reading,
    make_problem,
    write_blank_photo,
)
from tests.conftest import Result
from tests.vision.sample_readings import list_notations, make_reading, make_seen_card


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        photo_report, "render_overlay", lambda picture, *_: picture.pixels
    )  # drawn elsewhere
    fake_reader(monkeypatch, {"table.png": make_doubtful_reading()})
    return write_blank_photo(Path("table.png"))


def fix(photo: Path, typed: str, *options: str) -> Result:
    return run_coatl("read", "--fix", photo, *options, typed=typed)


# By lines.


def test_doubts_are_asked_first_and_the_score_follows(photo: Path) -> None:
    done = fix(photo, "b\n\nP30\n\n")
    assert done.code == 0
    asked = done.err
    assert "Cóatl 1, piece 4: ◆K black or ■B blue? (K/B; Enter: ◆K black)" in asked
    assert "doubt 1 None None” Cóatl 2: is it right as shown?" in asked
    assert "Card c2: is it P30?" in asked
    assert asked.index("piece 4:") < asked.index("Cóatl 2: is it") < asked.index("Card c2:")
    assert "The same as arguments: --set 1.4=B --set '2 ok' --set c2=P30" in asked
    assert "Cóatl 1  0 points: P29 0, T03 0" in asked  # after each correction
    assert "<▲R  ■B  ■B  ■B  ★Y  ●G>" in done.out
    assert done.out.count("Total: ") == 2
    assert (photo.parent / "output" / "table-overlay.png").is_file()
    assert "output/table-overlay.png" in asked


def test_the_tenth_card_stands_in_line_with_the_others() -> None:
    cards = [make_seen_card(f"P{number:02}", 0) for number in range(1, 11)]
    session = CorrectionSession.start(make_reading("<RBB", cards=cards), load_cards())
    screen = Screen(load_language("en"), Console(width=100))
    shown = [line.plain for line in render_reading(session.reading, session.catalog, screen)][-10:]
    assert [line[:8] for line in shown[::9]] == ["  c1  P0", " c10  P1"]


def test_enter_takes_what_is_likeliest(photo: Path) -> None:
    done = fix(photo, "\n\n\n\n", "--json")
    data = json.loads(done.out)
    assert done.code == 0
    assert [one["coatl"] for one in data["coatls"]] == ["<RBBKYG>", "BBYYGKR"]
    assert [card["id"] for card in data["cards"]] == ["P29", "P30", "T03"]
    assert data["sure"]


def test_mistakes_are_explained_and_nothing_is_lost(photo: Path) -> None:
    done = fix(photo, "q9\nb\nzzz\n1.9=B\n2~\nnix\nr\nrrbb\nu\nu\ns\nP32\n1=<RQ\n\n", "--json")
    for said in (
        "“q9” is not a piece",
        "“zzz” is not a correction",
        "has no piece 9",
        "No card fits “nix”",
        "“r” fits",
        "1=<RQ\n      ^",
    ):
        assert said in done.err, said
    assert json.loads(done.out)["cards"][1]["id"] == "P32" or done.code == 3


def test_the_end_of_the_input_ends_it(photo: Path) -> None:
    done = fix(photo, "b\n")
    assert done.code == 3  # two doubts are left, and are said
    assert "doubt 1 None None" in done.err
    assert fix(photo, "q\n").code == 3
    assert "Say the rest with --set" in done.err
    assert "Correct it with --fix" not in done.err


def test_where_no_overlay_can_be_written_another_folder_is_advised(photo: Path) -> None:
    Path("output").write_text("mine")
    done = fix(photo, "")
    assert done.code == 3
    assert "“output” is a file" in done.err
    assert "--overlay FOLDER" in done.err


def test_the_other_photos_are_offered_when_one_cannot_be_opened(photo: Path) -> None:
    answers = "b\n\nP30\n\n"
    done = run_coatl("read", "--fix", photo, "none.png", photo, "--json", typed=answers * 2)
    assert done.code == 3
    assert "There is no file “none.png”" in done.err
    first, missing, last = map(json.loads, done.out.splitlines())
    assert [first["sure"], missing["sure"], last["sure"]] == [True, False, True]
    assert missing["problems"][0]["code"] == "missing"


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_in_every_language(photo: Path, language: str) -> None:
    done = fix(photo, "b\n\n\n\n", "--lang", language)
    assert done.code == 0
    assert all(len(line) <= 160 for line in done.err.splitlines())


def test_corrections_as_arguments_come_before(photo: Path) -> None:
    done = fix(photo, "\n\n\n", "--set", "1.4=Y", "--json")
    assert json.loads(done.out)["coatls"][0]["coatl"] == "<RBBYYG>"


def test_help_and_the_whole_score_between_answers(photo: Path) -> None:
    done = fix(photo, "?\ns\n4\n:\n:1.4=Q\n:1.4=B\n", "--json")
    assert "s: the whole score." in " ".join(done.err.split())
    assert done.err.count("Total: ") == 2
    assert "“4” is not a piece" in done.err
    assert "“Q” is not a piece" in done.err
    assert json.loads(done.out)["coatls"][0]["coatl"] == "<RBBBYG>"


NOT_SURE_YET = "(as far as it was read, not sure yet)"


def test_a_score_that_is_not_sure_yet_says_so(photo: Path) -> None:
    said = " ".join(fix(photo, "b\n\nP30\n\n").err.split())  # however the lines are broken
    first, *later = said.split("Cóatl 1 0 points: P29 0, T03 0")
    assert NOT_SURE_YET not in first
    assert [part.count(NOT_SURE_YET) for part in later] == [1, 1, 0]  # of Cóatl 2 and its card


@pytest.mark.parametrize(("problems", "marks"), [([make_problem(0, 1)], 1), ([], 0)])
def test_a_sheet_that_is_not_sure_yet_says_so(problems: list[ReadingProblem], marks: int) -> None:
    screen = Screen(load_language("en"), Console(record=True, file=io.StringIO()))
    print_scores(
        make_reading("<RBB", problems=problems), load_cards(), PhotoScoringOptions(), screen
    )
    assert screen.console.export_text().count(NOT_SURE_YET) == marks


# By keys.


def keys(found: PhotoReading | None = None) -> KeyEditor:
    return KeyEditor(CorrectionSession.start(found or make_doubtful_reading(), load_cards()))


def press(screen: KeyEditor, *pressed: str) -> list[str]:
    for key in pressed:
        screen.handle_key(key)
    return list_notations(screen.session.reading)


def test_one_key_settles_a_doubt_and_leads_to_the_next() -> None:
    screen = keys()
    assert screen.selection == ("piece", 0, 3)
    assert press(screen, "b") == ["<RBBBYG>", "BBYYGKR"]
    assert screen.selection == ("piece", 1, 0)
    assert press(screen, "v")[1] == "RKGYYBB"
    assert screen.selection == ("card", 1, 0)
    press(screen, k.ENTER)
    assert screen.session.reading.cards[1].id == "P30"
    assert screen.session.reading.sure
    press(screen, k.ENTER)
    assert screen.done


def test_pieces_are_chosen_by_number_and_arrows() -> None:
    screen = keys(make_reading("RGBYKRGBYKRG", "BB"))
    assert press(screen, "3", "k")[0] == "RGKYKRGBYKRG"
    assert press(screen, "1", "2", "y")[0] == "RGKYKRGBYKRY"
    assert press(screen, k.LEFT, "b")[0] == "RGKYKRGBYKBY"
    assert press(screen, k.DOWN, k.RIGHT, "r")[1] == "BR"
    assert press(screen, k.DOWN, k.UP, k.UP, k.UP, "k")[0].startswith("K")


def test_a_digit_after_a_pause_begins_another_number() -> None:
    screen = keys(make_reading("RGBYKRGBYKRGBY"))
    for at, digit, chosen in ((10.0, "1", 0), (10.4, "4", 13), (13.4, "1", 0), (16.4, "4", 3)):
        screen.handle_key(digit, at)
        assert screen.selection == ("piece", 0, chosen)


def test_a_number_that_no_piece_has_is_said() -> None:
    screen = keys(make_reading("RGB"))
    press(screen, "2", "9")
    assert (screen.selection, "has no piece 9" in str(screen.message)) == (("piece", 0, 1), True)


def test_the_same_piece_stays_chosen_when_its_coatl_is_turned_round() -> None:
    screen = keys(make_reading("RGBY"))
    assert press(screen, "t") == ["YBGR>"]
    assert screen.selection == ("piece", 0, 3)
    assert press(screen, "t", "h") == ["<RGBY"]
    assert screen.selection == ("piece", 0, 0)
    assert press(screen, "2", "v") == ["YBGR>"]
    assert screen.selection == ("piece", 0, 2)


def test_heads_tails_removing_inserting_turning() -> None:
    screen = keys(make_reading("RGBY"))
    assert press(screen, "h") == ["<RGBY"]
    assert press(screen, "h") == ["RGBY"]
    assert press(screen, "4", "t") == ["RGBY>"]
    assert press(screen, "2", "x") == ["RBY>"]
    assert press(screen, "1", "+", "k", "+", "g") == ["RKGBY>"]
    assert press(screen, "v") == ["<YBGKR"]
    assert press(screen, "u", "u", "u") == ["RBY>"]
    assert press(screen, "2", "h") == ["RBY>"]
    assert "not at its end" in str(screen.message)
    assert press(screen, *"uuuuuuuuu") == ["RGBY"]
    assert str(screen.message) == "There is nothing to undo."
    assert press(screen, ":", *"1=<RBB>", k.ENTER) == ["<RBB>"]
    assert press(screen, ":", *"what", k.ENTER, k.ESCAPE, "1", "k") == ["<KBB>"]


def test_a_card_is_picked_by_a_few_characters() -> None:
    screen = keys(
        make_reading("RGB", cards=[make_seen_card(None)], problems=[make_problem(None, card=0)])
    )
    assert screen.mode == k.CARD_MODE
    press(screen, *"yellow 7", k.DOWN, k.ENTER)
    assert screen.session.reading.cards[0].id == "P34"
    press(screen, "u", "c", *"xx", k.ENTER)
    assert "No card fits “xx”" in str(screen.message)
    press(screen, k.ESCAPE, k.DELETE)
    assert not screen.session.reading.cards
    press(screen, "a", *"bbyy", k.ENTER)
    (added,) = screen.session.reading.cards
    assert (added.id, added.coatl) == ("P29", 0)


def test_escape_leaves_the_cards_and_closes_the_help() -> None:
    screen = keys(
        make_reading("RGB", "BB", cards=[make_seen_card("P01"), make_seen_card("P29", 1)])
    )
    press(screen, "c", k.DOWN, "p", k.ESCAPE)
    assert (screen.selection, screen.typed) == (("card", 1, 0), "")
    press(screen, k.ESCAPE)
    assert (screen.selection, screen.mode) == (("piece", 1, 0), k.PIECES_MODE)
    press(screen, "c", "?", k.ESCAPE)
    assert (screen.selection, screen.help) == (("card", 0, 0), False)


def test_help_is_about_what_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    screen, words = keys(make_reading("RGB", cards=[make_seen_card("P01")])), load_language("en")
    press(screen, "?")
    assert "the colour of the chosen piece" in render_screen(screen, words, PhotoScoringOptions())
    press(screen, "c")
    assert "Esc: empty the field" in render_screen(screen, words, PhotoScoringOptions())


def test_any_keys_whatsoever() -> None:
    import random

    names = [*"rgbykhtxiv+-~uscaq?:=1234567890 pq", k.ENTER, k.ESCAPE, k.BACKSPACE, k.DELETE]
    names += [k.TAB, k.LEFT, k.RIGHT, k.UP, k.DOWN]
    chosen = random.Random(7)
    for found in (
        make_doubtful_reading(),
        make_reading(),
        make_reading("R"),
        make_reading(problems=[make_problem(None)]),
    ):
        screen = keys(found)
        for _ in range(400):
            screen.handle_key(chosen.choice(names))
            assert screen.selection is None or screen.find_cards() is not None
            for seen in screen.session.reading.coatls:
                assert seen.pieces


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_the_screen_shows_it_all(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    screen = keys()
    how, words = PhotoScoringOptions(), load_language(language)
    for key in ("", "b", k.ENTER, "p", k.BACKSPACE, k.ENTER, ":", "x", k.ESCAPE, "+", "?", "?"):
        screen.handle_key(key)
        text = render_screen(screen, words, how)
        assert "P29" in text
        assert "<R" in text
    whole = render_screen(screen, words, how).splitlines()
    monkeypatch.setenv("LINES", "8")
    cut = render_screen(screen, words, how).splitlines()
    assert len(cut) < len(whole)  # the part around the selection
    assert any("▶" in line for line in cut)
