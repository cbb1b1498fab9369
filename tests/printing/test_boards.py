"""The boards: every space has its number, its place and room for its pieces."""

from __future__ import annotations

import math
from itertools import pairwise, product

import pytest

from coatl_tools.components.components_file import load_components
from coatl_tools.errors import CardDataError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.board_layout import BoardsLayout, TokensLayout
from coatl_tools.printing.boards.scoreboard import list_track_cells
from coatl_tools.printing.boards.supply_board import list_spaces, outline_ghost_pieces
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, Layouts, ThemeName
from coatl_tools.printing.pieces.piece_shapes import PiecesLayout
from tests.parameters import sample
from tests.printing.face_measurements import extract_text, find_foregrounds, find_words, measure_ink

COMPONENTS = load_components()
LAYOUT = Layouts().load("boards", BoardsLayout)
SHAPE = Layouts().load("pieces", PiecesLayout).shape
LOOKS = sample(product(LANGUAGE_CODES, THEME_NAMES), ("fr", "full"), ("pl", "low-ink"))


def faces(code: str = "en", theme: ThemeName = "full") -> list[Face]:
    """Supply board, scoreboard, player boards."""
    items = make_board_items(Design(load_language(code), theme), COMPONENTS)
    assert items[0].back is not None
    return [items[0].front, items[0].back, *(item.front for item in items[1:])]


def test_the_spaces_are_numbered_clockwise_from_the_chin() -> None:
    """Ruling 9.6: bodies from the chin at the bottom clockwise, heads, tails, left before right."""
    board = faces()[0]
    places = {word.text: word.box.centre for word in find_words(board) if word.text.isdigit()}
    assert sorted(map(int, places)) == list(range(1, 11))
    x, y = board.width / 2, board.height / 2
    angles = [math.degrees(math.atan2(x - places[n][0], places[n][1] - y)) % 360 for n in "123456"]
    assert angles == sorted(angles)
    assert angles[0] < 90
    assert angles[-1] > 270
    for left, right in (("7", "8"), ("9", "10")):
        assert places[left][0] < x < places[right][0]
        assert places[left][1] == pytest.approx(places[right][1], abs=0.5)


def test_the_pieces_of_a_space_fit_into_it() -> None:
    board = COMPONENTS.supply_board
    spaces = list(list_spaces(LAYOUT.supply, board))
    assert len(spaces) == 10  # rule 1.4
    for kind, group, _ in spaces:
        count = board.bodies_per_space if kind is PieceKind.BODY else 1
        for ghost in outline_ghost_pieces(SHAPE, kind, count):
            left, top, right, bottom = ghost.bounds
            assert max(-left, right) <= group.width / 2 - 1
            assert max(-top, bottom) <= group.height / 2 - 1


def test_no_number_is_covered_by_pieces() -> None:
    board = COMPONENTS.supply_board
    for kind, group, place in list_spaces(LAYOUT.supply, board):
        for ghost in outline_ghost_pieces(SHAPE, kind, 2 if kind is PieceKind.BODY else 1):
            _, top, _, _ = ghost.place_at(place.x, place.y, turn=place.turn).bounds
            assert place.disc_y + LAYOUT.supply.disc <= top + 1.6, group


def test_any_piece_fits_into_a_field_of_a_player_board() -> None:
    fields = LAYOUT.player.list_fields(COMPONENTS.player_boards.spaces)
    assert len(fields) == 8  # rule 1.5
    for kind in PieceKind:
        left, top, right, bottom = SHAPE.outline(kind).bounds
        assert all(f.width >= right - left + 2 for f in fields)
        assert all(f.height >= bottom - top + 2 for f in fields)
    boxes = [(f.x, f.y, f.right, f.bottom) for f in fields]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = one[0] >= other[2] or other[0] >= one[2]
            assert apart or one[1] >= other[3] or other[1] >= one[3]


def test_two_player_boards_fit_on_a_sheet_and_the_supply_board_on_another() -> None:
    assert LAYOUT.player.width <= 190
    assert 2 * LAYOUT.player.height <= 250
    assert LAYOUT.supply.width <= 186
    assert LAYOUT.supply.height <= 240


def test_the_scoreboard_has_every_position_once() -> None:
    track = [word for word in find_words(faces()[1]) if word.box.y > LAYOUT.score.y]
    found = sorted(int(word.text) for word in track if word.text.isdigit())
    assert found == list(range(1, 51))


def test_the_track_goes_on_from_cell_to_cell_with_room_for_a_marker() -> None:
    track = list_track_cells(LAYOUT.score, 50)
    marker = Layouts().load("tokens", TokensLayout).score_marker.size
    for one, other in pairwise(track):
        aside = abs(one.box.x - other.box.x)
        above = one.box.y - other.box.y
        step = one.box.width if not above else LAYOUT.score.row + LAYOUT.score.gap
        assert aside + above == pytest.approx(step)
        assert min(aside, above) == pytest.approx(0)
        assert one.box.width >= marker + 2
        assert one.box.height >= marker + LAYOUT.score.number_y + 3


@pytest.mark.parametrize(("code", "theme"), LOOKS)
def test_only_backgrounds_come_near_the_edge(code: str, theme: ThemeName) -> None:
    for face in faces(code, theme)[:3]:
        for box in find_foregrounds(face):
            assert box.x >= face.safe_margin - 0.01, (face.key, box)
            assert box.y >= face.safe_margin - 0.01, (face.key, box)
            assert box.right <= face.width - face.safe_margin + 0.01, (face.key, box)
            assert box.bottom <= face.height - face.safe_margin + 0.01, (face.key, box)


def test_the_words_are_those_of_the_language() -> None:
    assert "Take pieces" in extract_text(faces("en")[2])
    assert "Prendre des pièces" in extract_text(faces("fr")[2])
    assert "Użyj żetonu Ofiary" in extract_text(faces("pl")[2])
    assert "Plansza Zasobów" in extract_text(faces("pl")[0])
    assert "Piste de score" in extract_text(faces("fr")[1])


def test_the_light_look_takes_a_quarter_of_the_ink_at_most() -> None:
    for full, light in zip(faces(), faces(theme="low-ink"), strict=True):
        assert 0 < measure_ink(light) <= measure_ink(full) / 4, full.key


def test_counts_follow_the_components() -> None:
    boards = COMPONENTS.player_boards.model_copy(update={"count": 6, "spaces": 4})
    score = COMPONENTS.scoreboard.model_copy(update={"last_position": 40})
    supply = COMPONENTS.supply_board.model_copy(update={"body_spaces": 4})
    changed = COMPONENTS.model_copy(
        update={"player_boards": boards, "scoreboard": score, "supply_board": supply}
    )
    items = make_board_items(Design(load_language("en")), changed)
    assert len(items) == 1 + 6
    assert len({item.name for item in items}) == 7
    numbers = [word.text for word in find_words(items[0].front) if word.text.isdigit()]
    assert sorted(map(int, numbers)) == list(range(1, 9))
    assert items[0].back is not None
    track = {word.text for word in find_words(items[0].back)}
    assert "40" in track
    assert "41" not in track


def test_more_spaces_than_the_layout_has_are_refused() -> None:
    supply = COMPONENTS.supply_board.model_copy(update={"head_spaces": 3})
    crowded = COMPONENTS.supply_board.model_copy(update={"bodies_per_space": 3})
    boards = COMPONENTS.player_boards.model_copy(update={"spaces": 12})
    for update in ({"supply_board": supply}, {"supply_board": crowded}, {"player_boards": boards}):
        changed = COMPONENTS.model_copy(update=update)
        with pytest.raises(CardDataError, match=r"cannot be drawn: .*boards\.json"):
            make_board_items(Design(load_language("en")), changed)
