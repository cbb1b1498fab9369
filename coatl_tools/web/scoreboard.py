"""The scoreboard as a drawing: a winding track from 0 to 50, and a marker for everyone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from coatl_tools.pieces import Colour
from coatl_tools.scoring.score import LAST_SCOREBOARD_POSITION, locate_on_scoreboard

COLUMNS = 10
CELL = 40  # units of the drawing
START = 34  # height of the place where everybody begins
# so that every marker is told by its shape too; the shape of a colour is the same everywhere
MARKERS = (Colour.R, Colour.B, Colour.G, Colour.Y)
OF_ADAM = Colour.K
_SHIFTS = {
    1: ((0.0, 0.0),),
    2: ((-7.0, -7.0), (7.0, 7.0)),
    3: ((-9.0, -8.0), (9.0, -8.0), (0.0, 9.0)),
    4: ((-9.0, -9.0), (9.0, -9.0), (-9.0, 9.0), (9.0, 9.0)),
}
_SIZES = {1: 1.0, 2: 0.8, 3: 0.6, 4: 0.6}


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of the track."""

    number: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Marker:
    """Where somebody stands: the middle of the marker, and how large it is."""

    name: str
    colour: Colour
    points: int
    tokens: int
    position: int
    x: float
    y: float
    size: float

    @property
    def initial(self) -> str:
        """The letter on it."""
        return self.name[:1].upper()[:1]


@dataclass(frozen=True, slots=True)
class Board:
    """The whole drawing."""

    cells: tuple[Cell, ...]
    markers: tuple[Marker, ...]
    width: int = COLUMNS * CELL
    height: int = START + LAST_SCOREBOARD_POSITION // COLUMNS * CELL


def marker_colour(seat: int, adam: bool = False) -> Colour:
    """The colour and shape of a player's marker."""
    return OF_ADAM if adam else MARKERS[seat % len(MARKERS)]


def board(scores: Sequence[tuple[str, Colour, int]]) -> Board:
    """Everybody's marker (rule 5.3); those who share a place stand side by side."""
    found = [
        (name, colour, points, *locate_on_scoreboard(points)) for name, colour, points in scores
    ]
    together = Counter(position for *_, position in found)
    placed: Counter[int] = Counter()
    markers = []
    for name, colour, points, tokens, position in found:
        x, y, size = _middle(position, placed[position], together[position])
        placed[position] += 1
        markers.append(Marker(name, colour, points, tokens, position, x, y, size))
    cells = tuple(
        Cell(number, *_corner(number)) for number in range(1, LAST_SCOREBOARD_POSITION + 1)
    )
    return Board(cells, tuple(markers))


def _corner(number: int) -> tuple[int, int]:
    """The track winds: to the right in one row, back to the left in the next."""
    row, column = divmod(number - 1, COLUMNS)
    return CELL * (COLUMNS - 1 - column if row % 2 else column), START + CELL * row


def _middle(position: int, number: int, together: int) -> tuple[float, float, float]:
    """Where a marker stands, and its size: the start has room for all beside each other."""
    if position == 0:
        return CELL * (number + 0.5), START / 2, 1.0
    x, y = _corner(position)
    dx, dy = _SHIFTS[together][number]
    return x + CELL / 2 + dx, y + CELL / 2 + dy, _SIZES[together]
