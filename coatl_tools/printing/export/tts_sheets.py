"""Card sheets: the faces of up to seventy cards in one picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from coatl_tools.printing.component import Item
from coatl_tools.printing.drawing.units import INCH
from coatl_tools.printing.export.decks import Deck
from coatl_tools.printing.export.raster import Pixels, Shot, pictures

COLUMNS, ROWS = 10, 7  # the game takes no more cells
MOST = 4096  # pixels across and down


@dataclass(frozen=True)
class Sheet:
    """Cards that share a picture and a back; the key tells sheets of one table apart."""

    name: str
    key: int
    items: tuple[Item, ...]

    @property
    def columns(self) -> int:
        """How many cells a row has."""
        return min(COLUMNS, len(self.items))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return math.ceil(len(self.items) / self.columns)

    def cells(self) -> list[Shot]:
        """A shot of every card, as large as a sheet full of them allows."""
        return [cell(item.name, item) for item in self.items]

    def picture(self) -> Pixels:
        """The sheet; cells without a card are white."""
        shots = self.cells()
        wide, tall = shots[0].width, shots[0].height
        sheet = np.full((self.rows * tall, self.columns * wide, 3), 255, np.uint8)
        for index, found in enumerate(pictures(shots)):
            row, column = divmod(index, self.columns)
            sheet[row * tall : (row + 1) * tall, column * wide : (column + 1) * wide] = found
        return sheet


def cell(name: str, item: Item, back: bool = False) -> Shot:
    """A side of a card as it is on a sheet: cut at its edge, not stretched."""
    face = item.back if back and item.back is not None else item.front
    most_wide, most_tall = MOST // COLUMNS, MOST // ROWS
    dots = min(most_wide / face.width, most_tall / face.height)
    width = min(most_wide, round(face.width * dots))
    height = min(most_tall, round(face.height * dots))
    return Shot(name, face, width, height, dots * INCH)


def sheets_of(deck: Deck, first_key: int) -> list[Sheet]:
    """A deck as sheets: one, or more if there are more cards than cells."""
    most = COLUMNS * ROWS
    return [
        Sheet(f"{deck.kind.value}-{index + 1}", first_key + index, deck.items[begin : begin + most])
        for index, begin in enumerate(range(0, len(deck.items), most))
    ]
