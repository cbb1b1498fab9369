"""The boards as items to cut out: the Supply board with the scoreboard behind it, and player
boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coatl_tools.components.components_file import ComponentsFile
from coatl_tools.errors import CardDataError
from coatl_tools.files.json_files import JsonPath
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.boards.board_layout import (
    BoardsLayout,
    PlayerBoardLayout,
    SupplyBoardLayout,
)
from coatl_tools.printing.boards.player_board import draw_player_board
from coatl_tools.printing.boards.scoreboard import draw_scoreboard
from coatl_tools.printing.boards.supply_board import (
    draw_supply_board,
    outline_ghost_pieces,
)
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Design, Face, Item
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.pieces.piece_shapes import PiecesLayout


def make_board_items(design: Design, components: ComponentsFile) -> list[Item]:
    """Make the Supply board with the scoreboard as its back, and the player boards (1.4, 1.5).

    Raises CardDataError if the layout has no room for what the box has.
    """
    wanting = find_undrawable_numbers(design.layouts, components)
    if problems := tuple(f"{'.'.join(map(str, place))}: {why}" for place, why in wanting):
        raise CardDataError("print.layout_problems", problems=problems)
    return [_make_supply_board(design, components), *_make_player_boards(design, components)]


def find_undrawable_numbers(
    layouts: Layouts, components: ComponentsFile
) -> Iterator[tuple[JsonPath, str]]:
    """Yield each number of `components.json` that the layout has no room for, and why."""
    layout, board = layouts.load("boards", BoardsLayout), components.supply_board
    for kind, count, places in (
        ("body", board.body_spaces, layout.supply.body.places),
        ("head", board.head_spaces, layout.supply.head.places),
        ("tail", board.tail_spaces, layout.supply.tail.places),
    ):
        if count > len(places):
            why = f"layouts/boards.json has {len(places)} places for them (supply.{kind}.places)"
            yield ("supply_board", f"{kind}_spaces"), f"{count} cannot be drawn: {why}"
    shape, bodies = layouts.load("pieces", PiecesLayout).shape, board.bodies_per_space
    *_, last = outline_ghost_pieces(shape, PieceKind.BODY, bodies)
    if 2 * last.bounds[2] > layout.supply.body.width:
        why = "they do not fit into a space of layouts/boards.json (supply.body.width)"
        yield ("supply_board", "bodies_per_space"), f"{bodies} cannot be drawn: {why}"
    spaces = components.player_boards.spaces
    if layout.player.list_fields(spaces)[-1].bottom > layout.player.summary_y:
        why = "layouts/boards.json has no room for them (player.summary_y)"
        yield ("player_boards", "spaces"), f"{spaces} cannot be drawn: {why}"


def _make_board_face(
    design: Design,
    name: str,
    size: SupplyBoardLayout | PlayerBoardLayout,
    draw: Callable[[Surface], None],
) -> Face:
    return Face(design.face_key(name), size.width, size.height, draw, size.safe)


def _make_supply_board(design: Design, components: ComponentsFile) -> Item:
    layout = design.layouts.load("boards", BoardsLayout).supply

    board = components.supply_board
    front = _make_board_face(
        design, "supply-board", layout, lambda s: draw_supply_board(s, design, board)
    )
    back = _make_board_face(
        design, "scoreboard", layout, lambda s: draw_scoreboard(s, design, components)
    )
    return Item("supply-board", front, back, design.language.label("board_supply"))


def _make_player_boards(design: Design, components: ComponentsFile) -> list[Item]:
    layout = design.layouts.load("boards", BoardsLayout).player
    boards = components.player_boards

    def face(colour: Colour) -> Face:
        return _make_board_face(
            design,
            f"player-board-{colour.word}",
            layout,
            lambda s: draw_player_board(s, design, colour, boards.spaces),
        )

    colours = [layout.colours[i % len(layout.colours)] for i in range(boards.count)]
    title = design.language.label("board_player")
    return [
        Item(f"player-board-{number}", face(Colour[letter]), title=f"{title} {number}")
        for number, letter in enumerate(colours, 1)
    ]
