"""Colours, kinds of pieces and the Cóatl: the values that everything else speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, overload

from coatl_tools.components.counts import get_component_count

MAX_PIECES = get_component_count("totals", "pieces")  # rule 1.2: there are no more in the box
MIN_COMPLETE_PIECES = 3  # rule 3.10: a head, a body segment and a tail


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
    def from_english_name(cls, word: str) -> Colour:
        """Return the colour of an English word; raises ValueError for any other."""
        return cls(_ENGLISH_NAMES.index(word))


class PieceKind(Enum):
    """What a piece is."""

    HEAD = "head"
    BODY = "body"
    TAIL = "tail"


_ENGLISH_NAMES = ("red", "green", "blue", "yellow", "black")


class AttachmentFault(Enum):
    """Why a piece may not be attached to an end of a Cóatl."""

    HEAD_ELSEWHERE = "a head goes to the head end (rule 3.7)"
    TAIL_ELSEWHERE = "a tail goes to the tail end (rule 3.7)"
    BEYOND_HEAD = "nothing is attached beyond the head (rule 3.7)"
    BEYOND_TAIL = "nothing is attached beyond the tail (rule 3.7)"
    HEAD_ON_TAIL = "a head and a tail are never joined directly (rule 3.10)"


@overload
def joins_head_to_tail(pieces: int, head: bool, tail: bool) -> bool: ...
@overload
def joins_head_to_tail(pieces: Any, head: Any, tail: Any) -> Any: ...
def joins_head_to_tail(pieces: Any, head: Any, tail: Any) -> Any:
    """Tell whether a Cóatl of so many pieces has its head joined directly to its tail (rule 3.10).

    Takes numbers and truth values, or numpy arrays of them for many Cóatls at once.
    """
    return head & tail & (pieces < MIN_COMPLETE_PIECES)


def find_attachment_fault(coatl: str, piece: str, end: str) -> AttachmentFault | None:
    """Find why a piece may not be attached to an end, or None if it may (rules 3.7, 3.10).

    This is the one place that knows where pieces may be attached. The Cóatl and the piece are in
    canonical notation, `<RB` and `G>`; the end is "head" or "tail".

    >>> find_attachment_fault("<RB", "G>", "tail") is None
    True
    >>> find_attachment_fault("<R", "G>", "tail").name
    'HEAD_ON_TAIL'
    """
    is_head, is_tail = piece[0] == "<", piece[-1] == ">"
    has_head, has_tail = coatl[0] == "<", coatl[-1] == ">"
    if is_head and end != "head":
        return AttachmentFault.HEAD_ELSEWHERE
    if is_tail and end != "tail":
        return AttachmentFault.TAIL_ELSEWHERE
    if has_head and end == "head":
        return AttachmentFault.BEYOND_HEAD
    if has_tail and end == "tail":
        return AttachmentFault.BEYOND_TAIL
    pieces = len(coatl) - has_head - has_tail + 1
    if joins_head_to_tail(pieces, has_head or is_head, has_tail or is_tail):
        return AttachmentFault.HEAD_ON_TAIL
    return None


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
        if joins_head_to_tail(len(self.colours), self.head, self.tail):
            raise ValueError(AttachmentFault.HEAD_ON_TAIL.value)

    def __len__(self) -> int:
        return len(self.colours)

    def __str__(self) -> str:
        letters = "".join(colour.name for colour in self.colours)
        return f"{'<' if self.head else ''}{letters}{'>' if self.tail else ''}"

    @property
    def kinds(self) -> tuple[PieceKind, ...]:
        """The kind of each piece."""
        kinds = [PieceKind.BODY] * len(self)
        if self.head:
            kinds[0] = PieceKind.HEAD
        if self.tail:
            kinds[-1] = PieceKind.TAIL
        return tuple(kinds)

    @property
    def complete(self) -> bool:
        """Whether it has a head and a tail, so that nothing can be attached any more."""
        return self.head and self.tail
