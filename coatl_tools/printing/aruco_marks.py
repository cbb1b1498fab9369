"""The ArUco marks on cards and on the photo mat (4x4 bits), each with its number.

Photos are read back by these numbers, so `layouts/marks.json` is the one place that defines them. A
mark is drawn from its bits, without OpenCV.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from coatl_tools.cards.card import Card
from coatl_tools.files.json_models import StrictModel
from coatl_tools.printing.drawing.geometry import Path, rectangle
from coatl_tools.printing.layouts import LayoutModel, Layouts, Size

MODULES_PER_SIDE = 6  # a mark has 4 modules in each direction and a black one around them

MarkNumber = Annotated[int, Field(ge=0, le=249)]
MarkBits = Annotated[str, Field(pattern=r"^[0-9a-f]{4}$")]


class FreeNumbers(StrictModel):
    """The numbers that cards of one's own get."""

    first: MarkNumber
    last: MarkNumber


class MarksLayout(LayoutModel):
    """The shape of `marks.json`."""

    dictionary: Literal["DICT_4X4_250"] = Field(description="OpenCV's name for these marks")
    size: Annotated[Size, Field(ge=12)] = Field(description="The side of a mark on a card")
    quiet: Size = Field(description="The white margin around it")
    mat: dict[str, MarkNumber] = Field(description="The marks of the photo mat")
    cards: dict[str, MarkNumber] = Field(description="The mark of each card of the game")
    free: FreeNumbers = Field(description="Numbers for cards of one's own")
    never: list[MarkNumber] = Field(
        description="Numbers that other things on cards are mistaken for, such as the letter P"
    )
    bits: list[MarkBits] = Field(
        min_length=250, max_length=250, description="Four rows of four modules each, 1 is white"
    )

    @model_validator(mode="after")
    def _each_number_once(self) -> MarksLayout:
        numbers = [*self.mat.values(), *self.cards.values()]
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        taken = [n for n in numbers if self.free.first <= n <= self.free.last]
        never = [n for n in numbers if n in self.never]
        if twice:
            raise ValueError(f"the number {twice[0]} is used twice")
        if never:
            raise ValueError(f"the number {never[0]} is used, but is listed as never to be used")
        if taken:
            raise ValueError(f"the number {taken[0]} is used, but is listed as free")
        return self

    def assign_numbers(self, cards: Iterable[Card]) -> Mapping[str, int]:
        """Map the id of each card to its mark number.

        A player's own card gets a number computed from its id, so that it stays the same from run
        to run. If two ids want the same number, the alphabetically later one gets the next free
        number. When no number is left, a card gets none and is missing from the result.
        """
        found: dict[str, int] = {}
        free = [n for n in range(self.free.first, self.free.last + 1) if n not in self.never]
        span = len(free)
        own: dict[int, str] = {}
        for card_id in sorted(card.id for card in cards):
            if card_id in self.cards:
                found[card_id] = self.cards[card_id]
            elif len(own) < span:
                place = zlib.crc32(card_id.encode()) % span
                while place in own:
                    place = (place + 1) % span
                own[place] = card_id
                found[card_id] = free[place]
        return found

    def mark_path(self, number: int, x: float, y: float, size: float) -> Path:
        """Return the black area of a mark whose top left corner is at (x, y), in mm."""
        module = size / MODULES_PER_SIDE
        white = f"{int(self.bits[number], 16):016b}"
        black = {(i % 4 + 1, i // 4 + 1) for i, bit in enumerate(white) if bit == "0"}
        path = Path()
        for row in range(MODULES_PER_SIDE):
            start = None
            for column in range(MODULES_PER_SIDE + 1):
                rim = row in (0, MODULES_PER_SIDE - 1) or column in (0, MODULES_PER_SIDE - 1)
                dark = column < MODULES_PER_SIDE and (rim or (column, row) in black)
                if dark and start is None:
                    start = column
                elif not dark and start is not None:
                    width = (column - start) * module
                    # rows overlap by a hair, so that no light shows between them
                    tall = module + (0.02 if row < MODULES_PER_SIDE - 1 else 0)
                    path += rectangle(x + start * module, y + row * module, width, tall)
                    start = None
        return path


def load_marks_layout(layouts: Layouts) -> MarksLayout:
    """Load the numbers and measures of the marks."""
    return layouts.load("marks", MarksLayout)
