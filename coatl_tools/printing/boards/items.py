"""The boards as things to cut out."""

from __future__ import annotations

from collections.abc import Callable

from coatl_tools.cards.components import ComponentsFile
from coatl_tools.pieces import Colour
from coatl_tools.printing.boards.layout import BoardsLayout, PlayerLayout, SupplyLayout
from coatl_tools.printing.boards.player_board import draw_player_board
from coatl_tools.printing.boards.scoreboard import draw_scoreboard
from coatl_tools.printing.boards.supply_board import draw_supply_board
from coatl_tools.printing.component import Design, Face, Item
from coatl_tools.printing.drawing.surface import Surface


def board_items(design: Design, components: ComponentsFile) -> list[Item]:
    """The Supply board with the scoreboard as its back, and the player boards (1.4, 1.5)."""
    return [_supply(design, components), *_players(design, components)]


def _face(
    design: Design, name: str, size: SupplyLayout | PlayerLayout, draw: Callable[[Surface], None]
) -> Face:
    key = f"{name}-{design.language.code}-{design.theme_name}"
    return Face(key, size.width, size.height, draw, size.safe)


def _supply(design: Design, components: ComponentsFile) -> Item:
    layout = design.layouts.read("boards", BoardsLayout).supply

    board = components.supply_board
    front = _face(design, "supply-board", layout, lambda s: draw_supply_board(s, design, board))
    back = _face(design, "scoreboard", layout, lambda s: draw_scoreboard(s, design, components))
    return Item("supply-board", front, back, design.language.label("board_supply"))


def _players(design: Design, components: ComponentsFile) -> list[Item]:
    layout = design.layouts.read("boards", BoardsLayout).player
    boards = components.player_boards

    def face(colour: Colour) -> Face:
        return _face(
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
