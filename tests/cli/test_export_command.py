"""`run_coatl export`, as a user runs it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from coatl_tools.cli.printing import export
from tests.cli.command_runner import run_coatl
from tests.conftest import Run
from tests.programs import needs_posix

EXAMPLE_CARDS = Path(__file__).parents[2] / "docs" / "example-cards.json"


def written(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def pixels(path: Path) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


def test_single_pictures(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run_coatl(
        "export", "png", "--only", "p1-P3,T03", "--dpi", "40", "--out", out, "--bleed", "1"
    )
    assert (done.code, done.err) == (0, "")
    assert "files written to" in done.out
    cards = {"P01.png", "P02.png", "P03.png", "T03.png", "back-prophecy.png", "back-temple.png"}
    assert cards == written(out)
    assert pixels(out / "P01.png") == (round(65.5 / 25.4 * 40), round(90.9 / 25.4 * 40))


@pytest.mark.parametrize(
    ("what", "first"), [("pieces", "piece-body-B.png"), ("tokens,boards", "back-tokens.png")]
)
def test_what_is_wanted(tmp_path: Path, what: str, first: str) -> None:
    done = run_coatl(
        "export", "png", "--what", what, "--dpi", "20", "--out", tmp_path / "o", "--json"
    )
    told = json.loads(done.out)
    assert told["folder"] == str(tmp_path / "o")
    names = [Path(file).name for file in told["files"]]
    assert sorted(names)[0] == first
    assert set(names) == written(tmp_path / "o")


def test_a_card_of_ones_own_is_exported(tmp_path: Path) -> None:
    own = json.loads(EXAMPLE_CARDS.read_text("utf-8"))["cards"][0]["id"]
    arguments = ("--cards", EXAMPLE_CARDS, "--only", own, "--what", "cards", "--dpi", "20")
    assert run_coatl("export", "png", *arguments, "--out", tmp_path / "o").code == 0
    assert f"{own}.png" in written(tmp_path / "o")


def test_promo_and_golden(tmp_path: Path) -> None:
    arguments = ("--what", "cards,pieces", "--dpi", "20", "--promo", "--golden")
    assert run_coatl("export", "png", *arguments, "--out", tmp_path).code == 0
    assert {"T16.png", "P49.png", "piece-body-golden.png"} < written(tmp_path)


@pytest.mark.parametrize(("target", "size"), [("mpc", (822, 1122)), ("gamecrafter", (825, 1125))])
def test_decks_for_companies(tmp_path: Path, target: str, size: tuple[int, int]) -> None:
    done = run_coatl("export", target, "--only", "P01,T01", "--out", tmp_path, "--lang", "pl")
    assert done.code == 0
    assert "README.txt" in done.out
    assert pixels(tmp_path / "prophecy" / "02-P01.png") == size
    assert "2 karty" in (tmp_path / "README.txt").read_text("utf-8")


def test_a_table_that_can_be_played_on_this_computer(tmp_path: Path) -> None:
    out = tmp_path / "my table"
    done = run_coatl("export", "tts", "--only", "P01,T01", "--out", out)
    assert done.code == 0
    assert out.as_uri() in done.out
    saved = json.loads((out / "coatl.json").read_text("utf-8"))
    address = saved["ObjectStates"][0]["CustomImage"]["ImageURL"]
    assert address.startswith(out.as_uri() + "/")
    assert (out / address.rpartition("/")[2]).is_file()


def test_cut_files(tmp_path: Path) -> None:
    assert run_coatl("export", "svg", "--out", tmp_path).code == 0
    assert "piece-outlines.svg" in written(tmp_path)
    assert "pieces-01.svg" in written(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["png", "--dpi", "0"], 2, "0 pixels per inch are not possible: choose 20 to 1200"),
        (["png", "--dpi", "-300"], 2, "choose 20 to 1200"),
        (["png", "--dpi", "100000"], 2, "choose 20 to 1200"),
        (["png", "--dpi", "nan"], 2, "choose 20 to 1200"),
        (["png", "--dpi", "inf"], 2, "choose 20 to 1200"),
        (["png", "--dpi", "many"], 2, "not a valid float"),
        (["png", "--bleed", "-1"], 2, "choose 0 to 3 mm"),
        (["png", "--bleed", "nan"], 2, "choose 0 to 3 mm"),
        (["png", "--bleed", "50"], 2, "choose 0 to 3 mm"),
        (["png", "--what", "cats"], 2, "cats"),
        (["png", "--what", ""], 2, "cards, boards, tokens, pieces, all"),
        (["png", "--only", ""], 2, "“”"),
        (["png", "--only", "P99"], 1, "P99"),
        (["png", "--only", "P01-X9"], 1, "X9"),
        (["png", "--only", "P10-P01"], 2, "P10-P01"),
        (["png", "--layouts", "nowhere"], 3, "nowhere"),
        (["png", "--card-size", "huge"], 2, "huge"),
        (["svg", "--paper", "stamp"], 2, "stamp"),
        (["png", "--cards", "nowhere.json"], 3, "nowhere.json"),
        (["tts", "--prefix", "coatl"], 2, "“coatl” is not an address"),
        (["mpc", "--theme", "loud"], 2, "'loud' is not one of"),
        (["tiff"], 2, "No such command"),
    ],
)
def test_bad_input(
    arguments: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_coatl("export", *arguments)
    assert done.code == code
    assert message in done.err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for out in (file, file / "below"):
        done = run_coatl("export", "png", "--what", "pieces", "--dpi", "20", "--out", out)
        assert done.code == 3
        assert str(out) in done.err
    assert file.read_text() == "mine"
    (tmp_path / "circle").symlink_to("circle")
    assert run_coatl("export", "tts", "--only", "P01", "--out", tmp_path / "circle").code == 3


def test_another_process_writes_the_same_bytes(program: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    arguments = ("export", "png", "--what", "pieces", "--dpi", "30", "--lang", "fr", "--out")
    for done in (run_coatl(*arguments, first), program(*arguments, second, PYTHONHASHSEED="1")):
        assert done.code == 0
        assert "15 fichiers écrits" in done.out
    assert written(first) == written(second)
    for name in written(first):
        assert (first / name).read_bytes() == (second / name).read_bytes()


PAGES = sorted((Path(__file__).parents[2] / "docs").glob("export-*.md"))


def test_every_target_has_a_page_whose_commands_exist() -> None:
    assert [page.stem.removeprefix("export-") for page in PAGES] == sorted(export.commands)
    for page in PAGES:
        blocks = re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        lines = [line.split("  #")[0] for block in blocks for line in block.splitlines()]
        assert lines
        for line in lines:
            assert run_coatl(*shlex.split(line)[1:], "--help").code == 0, line


@needs_posix
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    import resource

    arguments = ["export", "png", "--what", "boards,pieces", "--dpi", "100", "--out", "out"]
    done = subprocess.run(
        [sys.executable, "-m", "coatl_tools", *arguments],
        cwd=tmp_path,
        env={**os.environ, "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        # a board is larger than a file may be here: writing it fails in the middle
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.returncode == 3
    assert "“out” cannot be written: File too large" in done.stderr
    assert not list(tmp_path.iterdir())
