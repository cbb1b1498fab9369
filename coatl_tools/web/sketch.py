"""A Cóatl that somebody is putting together: pieces one by one, perhaps none yet.

It stands in the address of a page, so that every change is a link and nothing is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from coatl_tools.errors import RequestError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, PieceKind


@dataclass(frozen=True, slots=True)
class Sketch:
    """Colours from head to tail, and whether the ends are a head and a tail."""

    colours: tuple[Colour, ...] = ()
    head: bool = False
    tail: bool = False

    @classmethod
    def read(cls, text: str) -> Sketch:
        """A sketch as it is written, which may be nothing; NotationError for what is none.

        >>> str(Sketch.read("<rbb")), str(Sketch.read(""))
        ('<RBB', '')
        """
        if not text.strip():
            return cls()
        if len(text) > 500:
            raise RequestError("web.long_coatl", most=MAX_PIECES)
        found = parse_coatl(text)
        return cls(found.colours, found.head, found.tail)

    def __str__(self) -> str:
        letters = "".join(colour.name for colour in self.colours)
        return f"{'<' * self.head}{letters}{'>' * self.tail}"

    @property
    def coatl(self) -> Coatl | None:
        """The Cóatl, if the pieces make one."""
        try:
            return Coatl(self.colours, self.head, self.tail)
        except ValueError:
            return None

    @property
    def pieces(self) -> tuple[str, ...]:
        """Each piece in its notation."""
        last = len(self.colours) - 1
        return tuple(
            f"{'<' * (self.head and place == 0)}{colour.name}{'>' * (self.tail and place == last)}"
            for place, colour in enumerate(self.colours)
        )

    def added(
        self, colour: Colour, kind: PieceKind = PieceKind.BODY, place: int | None = None
    ) -> Sketch:
        """One piece more, before the piece at this place (from 0), or at the tail end.

        A head goes to the head end, a tail to the tail end, wherever one wants them.
        """
        if kind is PieceKind.HEAD:
            return replace(self, colours=(colour, *self.colours), head=True)
        if place is None:
            place = len(self.colours) - (self.tail and kind is PieceKind.BODY)
        elif self.head:
            place = max(1, place)
        colours = (*self.colours[:place], colour, *self.colours[place:])
        return replace(self, colours=colours, tail=self.tail or kind is PieceKind.TAIL)

    def without(self, place: int) -> Sketch:
        """One piece less."""
        colours = self.colours[:place] + self.colours[place + 1 :]
        last = len(self.colours) - 1
        return Sketch(colours, self.head and place != 0, self.tail and place != last)

    def with_colour(self, place: int, colour: Colour) -> Sketch:
        """Another colour at a place."""
        return replace(self, colours=(*self.colours[:place], colour, *self.colours[place + 1 :]))

    def turned(self) -> Sketch:
        """The other way round."""
        return Sketch(self.colours[::-1], self.tail, self.head)

    @property
    def fits(self) -> bool:
        """Whether it is nothing yet, or a Cóatl."""
        return not self.colours or self.coatl is not None

    @property
    def full(self) -> bool:
        """Whether no Cóatl has more pieces."""
        return len(self.colours) >= MAX_PIECES
