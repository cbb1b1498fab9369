"""Colours, kinds of pieces and the Cóatl: the values that everything else speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from coatl_tools.component_counts import get_component_count

MAX_PIECES = get_component_count("totals", "pieces")  # rule 1.2: there are no more in the box


class Colour(IntEnum):
    """The five colours (rule 1.1). The number indexes tables; the name is the letter."""

    R = 0
    G = 1
    B = 2
    Y = 3
    K = 4

    @property
    def word(self) -> str:
        """The English word, used for card colours in the data files."""
        return _ENGLISH_NAMES[self]

    @property
    def symbol(self) -> str:
        """The shape that stands for it everywhere, so that no colour is told by colour alone."""
        return "▲●■★◆"[self]

    @classmethod
    def from_word(cls, word: str) -> Colour:
        """The colour of an English word; raises ValueError for any other."""
        return cls(_ENGLISH_NAMES.index(word))


class PieceKind(Enum):
    """What a piece is."""

    HEAD = "head"
    BODY = "body"
    TAIL = "tail"


_ENGLISH_NAMES = ("red", "green", "blue", "yellow", "black")


@dataclass(frozen=True, slots=True)
class Coatl:
    """A Cóatl, read from the head end to the tail end (rule 3.7).

    >>> str(Coatl((Colour.R, Colour.B, Colour.B, Colour.G), head=True, tail=True))
    '<RBBG>'

    Raises ValueError for what no Cóatl can be: no piece at all, more pieces than the
    game has, or a head joined directly to a tail (rule 3.10).
    """

    colours: tuple[Colour, ...]
    head: bool = False
    tail: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.colours) <= MAX_PIECES:
            raise ValueError(f"a Cóatl has 1 to {MAX_PIECES} pieces, not {len(self.colours)}")
        if self.head and self.tail and len(self.colours) < 3:
            raise ValueError("a head and a tail are never joined directly (rule 3.10)")

    def __len__(self) -> int:
        return len(self.colours)

    def __str__(self) -> str:
        letters = "".join(colour.name for colour in self.colours)
        return f"{'<' if self.head else ''}{letters}{'>' if self.tail else ''}"

    @property
    def complete(self) -> bool:
        """Whether it has a head and a tail, so that nothing can be attached any more."""
        return self.head and self.tail
