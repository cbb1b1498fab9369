"""The boards as items to cut out: the Supply board with the scoreboard behind it, and player
boards.
"""

from __future__ import annotations

from collections.abc import Callable

from coatl_tools.cards.components import ComponentsFile
from coatl_tools.pieces import Colour
from coatl_tools.printing.boards.board_layout import (
    BoardsLayout,
    PlayerBoardLayout,
    SupplyBoardLayout,
)
from coatl_tools.printing.boards.player_board import draw_player_board
from coatl_tools.printing.boards.scoreboard import draw_scoreboard
from coatl_tools.printing.boards.supply_board import draw_supply_board
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Design, Face, Item


def make_board_items(design: Design, components: ComponentsFile) -> list[Item]:
    """Make the Supply board with the scoreboard as its back, and the player boards (1.4, 1.5)."""
    return [_make_supply_board(design, components), *_make_player_boards(design, components)]


def _make_board_face(
    design: Design,
    name: str,
    size: SupplyBoardLayout | PlayerBoardLayout,
    draw: Callable[[Surface], None],
) -> Face:
    key = f"{name}-{design.language.code}-{design.theme_name}"
    return Face(key, size.width, size.height, draw, size.safe)


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
