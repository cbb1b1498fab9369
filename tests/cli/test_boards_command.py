"""`coatl boards`: a board learned from typed places, listed, used at a table, deleted."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from coatl_tools.vision.boards.learned_boards import MAX_BOARDS, get_boards_path
from tests.cli.command_runner import TableCommands, run_coatl
from tests.conftest import Result
from tests.vision.board_photos import write_photo
from tests.vision.test_learned_boards import FILLED, NOTHING, spoil
from tests.vision.unknown_boards import BoardPhoto, draw_unknown_board, photograph_board

TYPED = "RG BB YK GY RR KB <R <G B> Y>"


@pytest.fixture(scope="module")
def bare() -> BoardPhoto:
    """A photo of a board that nobody has a drawing of, with nothing on it."""
    return photograph_board(draw_unknown_board(4), NOTHING, 104)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory, bare: BoardPhoto) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    write_photo(folder / "bare.jpg", bare.pixels)
    filled = photograph_board(draw_unknown_board(4), FILLED, 204, turn=-20.0)
    write_photo(folder / "filled.jpg", filled.pixels)
    return folder


@pytest.fixture
def places(bare: BoardPhoto) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in bare.places)


def boards(home: Path, *arguments: str | Path) -> Result:
    return run_coatl("boards", *arguments, XDG_CONFIG_HOME=str(home))


def test_a_board_is_learned_used_at_a_table_and_deleted(
    tmp_path: Path, photos: Path, places: str
) -> None:
    config = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    home = tmp_path / "config"
    table = TableCommands(tmp_path)
    assert table("new", "evening", "--physical", "--players", "Ana,Bo").code == 0
    typed = f"{photos / 'filled.jpg'}\nquit\n"
    assert "shown no board of your own yet" in boards(home).out
    learned = boards(home, "bought", "--learn", photos / "bare.jpg", "--places", places)
    assert (learned.code, learned.err) == (0, "")
    assert "The board “bought” is saved in" in learned.out
    assert "pieces lay" not in learned.out
    assert table("play", "evening", "--plain", typed=typed, **config).code == 0
    spaces = table.told("show", "evening")["supply_board"]
    assert [sorted(space["pieces"]) for space in spaces] == [sorted(one) for one in FILLED]
    assert boards(home).out == "bought\n"
    told = json.loads(boards(home, "bought", "--json").out)["bought"]
    assert (len(told["places"]), told["bare"]) == (10, [True] * 10)
    picture = tmp_path / "spaces.jpg"
    assert f"The picture is saved: {picture}" in boards(home, "bought", "--picture", picture).out
    assert cv2.imread(str(picture)) is not None
    assert "is deleted" in boards(home, "bought", "--delete").out
    assert boards(home, "--json").out.strip() == "{}"


def test_what_is_wrong_is_said(
    tmp_path: Path, photos: Path, places: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, photo = tmp_path / "config", photos / "bare.jpg"
    for arguments, code, said in (
        (("x",), 2, "There is no board “x”. You have shown none yet"),
        (("--delete",), 2, "Which board is meant?"),
        (("--picture", tmp_path / "a.jpg"), 2, "Which board is meant?"),
        (("--learn", photo), 2, "--learn and --places need each other"),
        (("--learn", photo, "--places", "1,2"), 2, "Given: 1."),
        (("--learn", photo, "--places", "here"), 2, "“here” is no place"),
        (("--learn", tmp_path / "none.jpg", "--places", places), 3, "There is no file"),
        (("x" * 41, "--learn", photo, "--places", places), 2, "cannot be the name of a board"),
        (("--learn", photo, "--places", places, "--delete"), 2, "cannot be combined"),
    ):
        done = boards(home, *arguments)
        assert (done.code, said in " ".join(done.err.split())) == (code, True), (arguments, done)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    path = get_boards_path()
    path.parent.mkdir(parents=True)
    path.write_text('{"boards": {"x": 3}}')
    done = boards(home)
    assert (done.code, "The file of boards has errors" in done.err) == (1, True)
    many = {f"b{number}": json.loads(spoil())["boards"]["x"] for number in range(MAX_BOARDS)}
    path.write_text(json.dumps({"boards": many}))
    done = boards(home, "--learn", photo, "--places", places)
    assert (done.code, "There are already 8 boards" in done.err) == (2, True)
    done = boards(home, "b1", "--picture", tmp_path / "a.jpg")
    assert (done.code, "picture of the board “b1” in" in done.err) == (1, True), done
    assert boards(home, "b1", "--delete").code == 0
