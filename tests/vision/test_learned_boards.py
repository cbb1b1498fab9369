"""Boards that nobody has a drawing of: learned from one photo and ten taps, found in others."""

from __future__ import annotations

import base64
import json
from collections import Counter
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from coatl_tools.errors import CardDataError, CommandLineError, FileError
from coatl_tools.rules.constants import SPACE_KINDS, Pieces
from coatl_tools.vision.boards.board_learning import learn_board
from coatl_tools.vision.boards.board_location import find_board
from coatl_tools.vision.boards.board_pictures import (
    load_boards,
    make_learned_picture,
    render_printed_boards,
)
from coatl_tools.vision.boards.board_reader import read_board
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading, list_written_pieces
from coatl_tools.vision.boards.learned_boards import (
    MAX_BOARDS,
    MAX_PICTURE_BYTES,
    LearnedBoard,
    add_learned_board,
    find_learned_board,
    load_learned_boards,
    parse_places,
    save_learned_boards,
)
from coatl_tools.vision.boards.piece_answers import answer_spaces
from coatl_tools.vision.picture import Picture
from tests.vision.board_photos import BoardLook, draw_board_photo
from tests.vision.unknown_boards import (
    BoardPhoto,
    UnknownBoard,
    draw_unknown_board,
    photograph_board,
)

NOTHING: tuple[Pieces, ...] = ((),) * 10
FILLED: tuple[Pieces, ...] = (
    *(("R", "G"), ("B", "B"), ("Y", "K"), ("G", "Y"), ("R", "R"), ("K", "B")),
    *(("<R",), ("<G",), ("B>",), ("Y>",)),
)
OTHERS: tuple[Pieces, ...] = (
    *(("K", "K"), (), ("G", "R"), ("B", "Y"), (), ("G", "G")),
    *(("<Y",), (), ("R>",), ("K>",)),
)


def tap(photo: BoardPhoto, off: float = 3.0) -> list[tuple[float, float]]:
    """The places as fingers tap them."""
    random = np.random.default_rng(5)
    return [(x, y) for x, y in (photo.places + random.normal(0, off, (10, 2))).tolist()]


@cache
def learn(seed: int, contents: tuple[Pieces, ...] = NOTHING) -> LearnedBoard:
    photo = photograph_board(draw_unknown_board(seed), contents, 100 + seed)
    return learn_board(Picture(Path(), photo.pixels), tap(photo))


def read(board: LearnedBoard, photo: BoardPhoto) -> LooseReading:
    """Read a photo as at a table: the printed boards are looked for too."""
    boards = [*render_printed_boards(BoardKind.SUPPLY, "en"), make_learned_picture(board)]
    return read_board(Picture(Path(), photo.pixels), boards)


def on_places(reading: LooseReading) -> list[Counter[str]]:
    return [Counter(list_written_pieces(place.pieces)) for place in reading.places]


@pytest.mark.parametrize(
    ("seed", "taught", "turn"),
    [
        pytest.param(1, NOTHING, 15.0, marks=pytest.mark.soak),
        (2, FILLED, -30.0),
        (3, NOTHING, 170.0),
    ],
    ids=["learned bare", "learned with other pieces on it", "seen from the other side"],
)
def test_a_board_shown_once_is_read_in_other_photos(
    seed: int, taught: tuple[Pieces, ...], turn: float
) -> None:
    photo = photograph_board(draw_unknown_board(seed), OTHERS, 200 + seed, turn=turn)
    reading = read(learn(seed, taught), photo)
    assert reading.board is BoardKind.SUPPLY
    apart = np.hypot(*(np.array([place.centre for place in reading.places]) - photo.places).T)
    assert apart.max() < 15  # pixels: as far as fingers were off
    answer = answer_spaces(reading, SPACE_KINDS)
    doubtful = {doubt.space for doubt in answer.doubts}
    wrong = [
        space
        for space, (seen, laid) in enumerate(zip(on_places(reading), OTHERS, strict=True), 1)
        if seen != Counter(laid)
    ]
    assert {*wrong} <= doubtful  # nothing is wrong in silence
    if taught == NOTHING:
        assert not doubtful
        assert [place.empty for place in reading.places] == [not pieces for pieces in OTHERS]
    else:
        assert doubtful <= {2, 5, 8}  # which are empty, but nobody knows how they look then


def test_another_board_and_no_board_are_not_taken_for_a_learned_one() -> None:
    board = make_learned_picture(learn(1))
    for seed in (2, 3):
        photo = photograph_board(draw_unknown_board(seed), FILLED, 300 + seed)
        assert find_board(photo.pixels, [board]) is None
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    assert find_board(noise, [board]) is None


def test_the_printed_board_is_still_found_beside_learned_ones() -> None:
    boards = [make_learned_picture(learn(1)), *render_printed_boards(BoardKind.SUPPLY, "en")]
    seen = find_board(draw_board_photo(FILLED, BoardLook()), boards)
    assert seen is not None
    assert seen.board is not boards[0]


def test_what_a_board_is_learned_from_is_small_and_grey() -> None:
    board = learn(2, FILLED)
    assert len(board.jpeg) < MAX_PICTURE_BYTES
    picture = cv2.imdecode(np.frombuffer(board.jpeg, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert picture.ndim == 2
    assert max(picture.shape) <= 720
    assert board.bare == (False,) * 10
    assert learn(1).bare == (True,) * 10


def blank_board() -> UnknownBoard:
    board = draw_unknown_board(1)
    return UnknownBoard(np.full_like(board.picture, 180), board.places)


def test_a_board_that_could_not_be_found_again_is_refused() -> None:
    photo = photograph_board(blank_board(), NOTHING, 1)
    with pytest.raises(FileError, match="could not be found again"):
        learn_board(Picture(Path(), photo.pixels), tap(photo))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({3: (5000.0, 10.0)}, "Space 4 is outside the photo, which is 1200 × 900 pixels large"),
        ({3: (-1.0, 10.0)}, "Space 4 is outside"),
        ({1: (100.0, 100.0), 6: (104.0, 101.0)}, "Spaces 2 and 7 are in nearly the same place"),
    ],
)
def test_places_that_cannot_be_are_refused(
    change: dict[int, tuple[float, float]], said: str
) -> None:
    photo = photograph_board(draw_unknown_board(1), NOTHING, 101)
    places = [change.get(index, place) for index, place in enumerate(tap(photo))]
    with pytest.raises(CommandLineError, match=said):
        learn_board(Picture(Path(), photo.pixels), places)


def test_a_board_far_away_or_places_in_a_line_are_refused() -> None:
    photo = photograph_board(draw_unknown_board(1), NOTHING, 101)
    line = [(100.0 + 40 * place, 450.0) for place in range(10)]
    with pytest.raises(FileError, match="too small in the photo, or its spaces lie in one"):
        learn_board(Picture(Path(), photo.pixels), line)


def test_places_are_typed_as_pixels() -> None:
    typed = "10,20 30.5, 40; " + " ".join(f"{place},9" for place in range(8))
    assert parse_places(typed)[:2] == ((10.0, 20.0), (30.5, 40.0))
    with pytest.raises(CommandLineError, match="“x” is no place"):
        parse_places(typed + " x")
    with pytest.raises(CommandLineError, match="Given: 1"):
        parse_places("10,20")
    with pytest.raises(CommandLineError, match="is no place"):
        parse_places("1,2 " * 1000)


def test_boards_are_stored_by_name_and_replaced(tmp_path: Path) -> None:
    path, board = tmp_path / "deep" / "boards.json", learn(1)
    assert load_learned_boards(path) == {}
    assert not add_learned_board(path, "bought", board)
    assert add_learned_board(path, "bought", board)
    assert find_learned_board(path, "bought") == board
    printed = len(render_printed_boards(BoardKind.SUPPLY, "en"))
    assert len(load_boards(BoardKind.SUPPLY, "en", path)) == printed + 1
    assert len(load_boards(BoardKind.PLAYER, "en", path)) == printed
    for number in range(1, MAX_BOARDS):
        add_learned_board(path, f"board {number}", board)
    with pytest.raises(CommandLineError, match="There are already 8 boards"):
        add_learned_board(path, "one more", board)
    assert path.stat().st_size < 4_000_000
    largest = LearnedBoard(b"\xff\xd8\xff" + bytes(MAX_PICTURE_BYTES - 3), board.places, board.bare)
    save_learned_boards(path, {f"{'x' * 39}{number}": largest for number in range(MAX_BOARDS)})
    assert len(load_learned_boards(path)) == MAX_BOARDS


def spoil(**changes: object) -> str:
    places = [[50.0 * number, 40.0] for number in range(10)]
    picture = base64.b64encode(b"\xff\xd8\xff no picture").decode()
    board = {"picture": picture, "places": places, "bare": [True] * 10} | changes
    return json.dumps({"boards": {"x": board}})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "the file must be an object"),
        ('{"boards": NaN}', "NaN is not allowed"),
        (spoil(bare=[True]), '"boards.x.bare" needs at least 10 entries'),
        (spoil(places=[[1.0, 1.0]] * 10), "two places lie on each other"),
        (spoil(places=[[9e9, 1.0]] * 10), "must be at most 720"),
        (spoil(picture="?"), "the picture is not Base64"),
        (spoil(picture="AAAA"), "the picture is not a JPEG"),
        (spoil(picture="A" * 400_000), "picture"),
        (spoil(more=1), "unknown field"),
    ],
)
def test_a_broken_file_of_boards_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "boards.json"
    path.write_text(text)
    with pytest.raises(CardDataError, match="The file of boards has errors") as told:
        load_learned_boards(path)
    assert said in str(told.value)


def test_a_picture_that_cannot_be_decoded_or_is_too_large_is_told(tmp_path: Path) -> None:
    path = tmp_path / "boards.json"
    large = cv2.imencode(".jpg", np.full((900, 900), 90, np.uint8))[1].tobytes()
    for picture in (b"\xff\xd8\xff no picture", large):
        path.write_text(spoil(picture=base64.b64encode(picture).decode()))
        with pytest.raises(CardDataError, match=r"picture of the board “x” in .* is broken"):
            load_boards(BoardKind.SUPPLY, "en", path)
    assert [*load_learned_boards(path)] == ["x"]  # it can still be listed, and deleted
