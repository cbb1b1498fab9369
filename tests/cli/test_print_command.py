"""`run_coatl print` as a user runs it: files in a folder, told in words, whole or not at all."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pikepdf
import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.cli.printing import print_game
from coatl_tools.errors import CommandLineError, UnknownCardError
from coatl_tools.files.data_paths import LAYOUTS
from coatl_tools.printing.layouts import ThemeName
from coatl_tools.printing.paper.papers import BACK_PRINTING_CHOICES
from coatl_tools.printing.print_spec import PRINT_PARTS, select_cards, select_parts
from tests.cli.command_runner import run_coatl
from tests.conftest import Result


def ok(*arguments: str | Path, **environment: str) -> str:
    done = run_coatl("print", *arguments, **environment)
    assert (done.code, done.err) == (0, ""), done
    return done.out


def failed(done: Result, code: int, message: str) -> None:
    assert (done.code, done.out) == (code, ""), done
    assert re.search(message, done.err), done.err


# what is printed


def test_some_cards_become_a_file_with_their_sheets(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    told = json.loads(ok("--only", "p1-p10, T03", "--out", out, "--json"))
    assert told["folder"] == str(out)
    (file,) = told["files"]
    assert file["file"] == "coatl-cards-en-a4.pdf"
    assert (file["part"], file["sheets"], file["pages"]) == ("cards", 2, 4)
    assert [path.name for path in out.iterdir()] == ["coatl-cards-en-a4.pdf"]
    assert file["bytes"] == (out / file["file"]).stat().st_size
    with pikepdf.open(out / file["file"]) as pdf, pdf.open_outline() as outline:
        assert len(pdf.pages) == 4
        assert str(pdf.Root.Lang) == "en"
        first, last = (entry.title for entry in outline.root)
        assert first.startswith("P01–P0")
        assert last.endswith("–T03")


def test_it_says_what_is_there_and_how_to_print_it(tmp_path: Path) -> None:
    said = ok("--only", "P01", "--paper", "letter", "--out", tmp_path, "--lang", "fr")
    assert f"Dans le dossier {tmp_path}" in said
    assert re.search(r"coatl-cards-fr-letter\.pdf +\d+ kB  1 feuille\n", said)
    for words in ("sur Letter (", "100 %", "100 mm", "bord long", "g/m²", "calibrate"):
        assert words in said
    folded = ok("--only", "P01", "--backs", "fold", "--out", tmp_path)
    assert "Fold at the dashed line" in folded
    assert "calibrate" not in folded


def test_a_printers_profile_moves_the_backs(tmp_path: Path) -> None:
    config = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    ok("profile", "office", "--dx", "1", **config)
    ok("--only", "P01", "--out", tmp_path / "a", **config)
    ok("--only", "P01", "--out", tmp_path / "b", "--printer", "office", **config)
    a, b = (tmp_path / name / "coatl-cards-en-a4.pdf" for name in "ab")
    assert a.read_bytes() != b.read_bytes()


def test_cards_of_ones_own_are_printed_like_the_others(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "docs" / "example-cards.json"
    own = json.loads(example.read_text("utf-8"))["cards"][0]["id"]
    told = json.loads(ok("--only", own, "--cards", example, "--out", tmp_path, "--json"))
    assert told["files"][0]["sheets"] == 1


def test_cards_beyond_the_marks_are_printed_and_told(tmp_path: Path) -> None:
    own = [
        {"id": f"J{n:03}", "kind": "prophecy", "colour": "red", "points": {"1": 1}}
        | {"requires": {"sequence": f"R {' '.join('RGBYK'[int(d)] for d in f'{n:04}')}"}}
        for n in range(152)
        if not set(f"{n:04}") & set("56789")
    ]
    many = [card | {"id": f"{card['id']}-{i}"} for card in own for i in range(4)]
    file = tmp_path / "many.json"
    file.write_text(json.dumps({"set": "many", "cards": many}))
    told = json.loads(ok("--only", "P01", "--cards", file, "--out", tmp_path, "--json"))
    assert told["unmarked"] == []  # those that are printed
    last = many[-1]["id"]
    said = ok("--only", f"P01,{last}", "--cards", file, "--out", tmp_path)
    assert "1 card has no mark for the camera" in said


def test_a_paper_of_ones_own_passes_the_preflight(tmp_path: Path) -> None:
    sheets = json.loads((LAYOUTS / "sheets.json").read_text("utf-8"))
    sheets["papers"]["b4"] = {"width": 250, "height": 353}
    (tmp_path / "sheets.json").write_text(json.dumps(sheets))
    own = ["--layouts", str(tmp_path)]
    ok("--what", "tokens", "--paper", "b4", "--out", tmp_path, *own)
    file = tmp_path / "coatl-tokens-en-b4.pdf"
    assert run_coatl("print", "check", file).code == 1
    assert run_coatl("print", "check", file, *own).code == 0


def test_the_whole_game_is_a_file_for_each_part(tmp_path: Path) -> None:
    told = json.loads(ok("--theme", "low-ink", "--backs", "fold", "--out", tmp_path, "--json"))
    assert [file["part"] for file in told["files"]] == list(PRINT_PARTS)
    names = [f"coatl-{part}-en-a4-low-ink.pdf" for part in PRINT_PARTS]
    assert [file["file"] for file in told["files"]] == names
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_all_is_every_part_in_the_order_of_the_box() -> None:
    assert select_parts("all") == list(PRINT_PARTS)
    assert list(PRINT_PARTS) == ["cards", "boards", "pieces", "tokens", "rules", "mat"]
    for name in PRINT_PARTS:
        assert select_parts(f" {name.upper()} ,") == [name]


def test_the_options_offer_what_there_is() -> None:
    choices = {
        option.name: tuple(getattr(option.type, "choices", ())) for option in print_game.params
    }
    assert choices["backs"] == BACK_PRINTING_CHOICES
    assert choices["theme"] == get_args(ThemeName)


# which cards


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("P01", "P01"),
        ("p3-p5,T03", "P03 P04 P05 T03"),
        ("P03–5 p5", "P03 P04 P05"),
        ("T01..T02;P09", "T01 T02 P09"),
        ("P53-P55", "P53 P54 P55"),
    ],
)
def test_cards_are_listed_as_people_list_them(text: str, ids: str) -> None:
    assert " ".join(card.id for card in select_cards(load_cards(), text)) == ids


@pytest.mark.parametrize("text", ["P99", "P01-P99", "Q01-P05", "P01,X"])
def test_an_unknown_card_is_told_with_a_hint(text: str) -> None:
    with pytest.raises(UnknownCardError):
        select_cards(load_cards(), text)


@pytest.mark.parametrize("text", ["P10-P01", "P01-T03", " , "])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(CommandLineError, match=r"write for example P01-P10,T03"):
        select_cards(load_cards(), text)


# mistakes


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--what", "card"], 2, "nothing called “card”.*all"),
        (["--what", ""], 2, "nothing called “”"),
        (["--what", "tokens", "--bleed", "-1"], 2, "bleed of -1 mm .* 0 to 3 mm"),
        (["--what", "pieces", "--bleed", "nan"], 2, "bleed of nan mm"),
        (["--only", ""], 2, "not a range of cards"),
        (["profile", "x", "--delete", "--dx", "1"], 2, "leave out the numbers"),
        (["--card-size", "a7"], 2, "poker"),
        (["--paper", "b7"], 2, "no paper “b7”; there are: a4, letter"),
        (["--only", "P99"], 1, "no card “P99”"),
        (["--printer", "none"], 2, "no printer profile “none”"),
        (["--layouts", "nowhere"], 3, "nowhere"),
        (["--cards", "nowhere.json"], 3, "nowhere.json"),
        (["calibrate", "--paper", "b7"], 2, "no paper “b7”"),
        (["profile", "--dx", "1"], 2, "Which printer"),
        (["profile", "x", "--dx", "100"], 2, "--dx is 100, but must be from -10 to 10 mm"),
        (["profile", "x", "--delete"], 2, "no printer profile “x”"),
        (["profile", " ", "--dx", "1"], 2, "cannot be the name"),
        (["layouts", "nowhere"], 3, "no folder “nowhere”"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    arguments: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed(run_coatl("print", *arguments, XDG_CONFIG_HOME=str(tmp_path / "config")), code, message)
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_is_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    failed(run_coatl("print", "calibrate", "--out", path), 3, "file” is a file, not a folder")
    failed(run_coatl("print", "calibrate", "--out", path / "deeper"), 3, "cannot be written")
    assert path.read_text() == "mine"


def by_itself(prepare: str, out: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, that has made a sheet before and is then hindered."""
    code = (
        "import os, resource, signal, sys; from coatl_tools.cli import run;"
        f"sys.argv = ['coatl', 'print', 'calibrate', '--out', {str(out.parent / 'before')!r}];"
        f"assert run() == 0; sys.argv[-1] = {str(out)!r};"
        f"{prepare};"
        "sys.exit(run())"
    )
    environment = os.environ | {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    out = tmp_path / "shut"
    out.mkdir(mode=0o500)
    done = by_itself("os.geteuid() or os.setuid(65534)", out)  # root may write everywhere
    assert done.returncode == 3, done.stderr
    assert f"“{out}” cannot be written: Permission denied" in done.stderr
    assert list(out.iterdir()) == []


def test_a_full_disk_leaves_the_old_file_and_no_half_of_a_new_one(tmp_path: Path) -> None:
    out = tmp_path / "full"
    out.mkdir()
    old = out / "coatl-calibrate-en-a4.pdf"
    old.write_bytes(b"old")
    done = by_itself(
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))",
        out,
    )
    assert done.returncode == 3, done.stderr
    assert "cannot be written: File too large" in done.stderr
    assert [path.name for path in out.iterdir()] == [old.name]
    assert old.read_bytes() == b"old"


def test_a_layout_with_a_negative_size_is_told_with_its_place(tmp_path: Path) -> None:
    text = (LAYOUTS / "sheets.json").read_text("utf-8")
    (tmp_path / "sheets.json").write_text(text.replace('"width": 210', '"width": -210'))
    place = r"sheets.json:\d+:\d+: \"papers.a4.width\""
    out = tmp_path / "out"
    failed(run_coatl("print", "calibrate", "--layouts", tmp_path, "--out", out), 1, place)
    assert not out.exists()
    done = run_coatl("print", "layouts", tmp_path)
    assert done.code == 1
    assert re.search(place, done.out)
    told = json.loads(run_coatl("print", "layouts", tmp_path, "--json").out)
    assert told[0]["line"] > 1


# profiles and calibration


def test_profiles_are_made_changed_listed_and_deleted(tmp_path: Path) -> None:
    config = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert "There are no printer profiles" in ok("profile", **config)
    said = ok("profile", "office", "--dx", "0.5", "--scale", "1.002", **config)
    assert said == "office: 0.5 mm to the right, 0 mm down, turned 0°, 100.2%\n"
    ok("profile", "office", "--rotate", "-0.1", **config)
    ok("profile", "home", "--dy", "-1", **config)
    told = json.loads(ok("profile", "--json", **config))
    assert told["office"] == {"dx": 0.5, "dy": 0.0, "rotate": -0.1, "scale": 100.2}
    assert json.loads((tmp_path / "coatl" / "printers.json").read_text()) == {"printers": told}
    assert ok("profile", "office", "--delete", **config).startswith("Deleted: office\nhome")
    assert "home" in ok("profile", "home", **config)


@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short"])
def test_the_calibration_sheet_has_two_sides(tmp_path: Path, backs: str) -> None:
    said = ok("calibrate", "--backs", backs, "--lang", "pl", "--paper", "LETTER", "--out", tmp_path)
    (file,) = tmp_path.iterdir()
    assert file.name == "coatl-calibrate-pl-letter.pdf"
    assert str(file) in said
    with pikepdf.open(file) as pdf:
        assert len(pdf.pages) == 2
        edge = "Long" if backs == "duplex-long" else "Short"
        assert str(pdf.Root.ViewerPreferences.Duplex) == f"/DuplexFlip{edge}Edge"


def test_the_layouts_of_the_program_are_without_problems() -> None:
    assert re.fullmatch(r"\d+ files: no problems\.\n", ok("layouts"))
