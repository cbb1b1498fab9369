"""A Cóatl that is edited on a page: the pieces so far, and every possible change as a link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from coatl_tools.errors import RequestError
from coatl_tools.notation import format_piece, parse_coatl
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, PieceKind


@dataclass(frozen=True, slots=True)
class EditedCoatl:
    """Colours from head to tail, and whether the ends are a head and a tail."""

    colours: tuple[Colour, ...] = ()
    head: bool = False
    tail: bool = False

    @classmethod
    def parse(cls, text: str) -> EditedCoatl:
        """Parse the notation, which may be empty; NotationError if it is no Cóatl.

        >>> str(EditedCoatl.parse("<rbb")), str(EditedCoatl.parse(""))
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

    def kind_at(self, place: int) -> PieceKind:
        """Return the kind of the piece at a place, counted from 0."""
        if self.head and place == 0:
            return PieceKind.HEAD
        return PieceKind.TAIL if self.tail and place == len(self.colours) - 1 else PieceKind.BODY

    @property
    def pieces(self) -> tuple[str, ...]:
        """Each piece in its notation."""
        return tuple(
            format_piece(colour, self.kind_at(place)) for place, colour in enumerate(self.colours)
        )

    def with_piece(
        self, colour: Colour, kind: PieceKind = PieceKind.BODY, place: int | None = None
    ) -> EditedCoatl:
        """Return the Cóatl with a piece added before `place` (from 0), or at the tail end.

        A head always goes to the head end, a tail to the tail end.
        """
        if kind is PieceKind.HEAD:
            return replace(self, colours=(colour, *self.colours), head=True)
        if place is None:
            place = len(self.colours) - (self.tail and kind is PieceKind.BODY)
        elif self.head:
            place = max(1, place)
        colours = (*self.colours[:place], colour, *self.colours[place:])
        return replace(self, colours=colours, tail=self.tail or kind is PieceKind.TAIL)

    def without_piece(self, place: int) -> EditedCoatl:
        """Return the Cóatl without the piece at a place."""
        colours = self.colours[:place] + self.colours[place + 1 :]
        last = len(self.colours) - 1
        return EditedCoatl(colours, self.head and place != 0, self.tail and place != last)

    def with_colour(self, place: int, colour: Colour) -> EditedCoatl:
        """Return the Cóatl with another colour at a place."""
        return replace(self, colours=(*self.colours[:place], colour, *self.colours[place + 1 :]))

    def reversed(self) -> EditedCoatl:
        """Return the Cóatl reversed."""
        return EditedCoatl(self.colours[::-1], self.tail, self.head)

    @property
    def is_valid(self) -> bool:
        """Whether it is empty, or a Cóatl."""
        return not self.colours or self.coatl is not None

    @property
    def is_full(self) -> bool:
        """Whether it has as many pieces as a Cóatl can have."""
        return len(self.colours) >= MAX_PIECES


@dataclass(frozen=True, slots=True)
class EditLink:
    """A link that makes a change: the piece that it shows, in the notation, and its address."""

    piece: str
    url: str


@dataclass(frozen=True, slots=True)
class EditablePiece:
    """A piece, and the links that change it."""

    number: int  # from 1
    piece: str
    colours: tuple[EditLink, ...]  # other colours
    before: tuple[EditLink, ...]  # a piece more on its head side
    after: tuple[EditLink, ...]  # on its tail side
    kind_changes: tuple[EditLink, ...]  # a head or tail instead of a body, or the other way
    remove_url: str


@dataclass(frozen=True, slots=True)
class CoatlEditLinks:
    """The links for all changes to a Cóatl."""

    pieces: tuple[EditablePiece, ...]
    heads: tuple[EditLink, ...]
    bodies: tuple[EditLink, ...]
    tails: tuple[EditLink, ...]
    reverse_url: str
    clear_url: str


def build_edit_links(coatl: EditedCoatl, url: Callable[[EditedCoatl], str]) -> CoatlEditLinks:
    """Build the links for all changes; `url` makes the address of the changed Cóatl."""

    def change(piece: str, changed: EditedCoatl) -> tuple[EditLink, ...]:
        return (EditLink(piece, url(changed)),) if changed.is_valid else ()

    def more(kind: PieceKind, place: int | None = None) -> tuple[EditLink, ...]:
        if coatl.is_full:
            return ()
        found: tuple[EditLink, ...] = ()
        for colour in Colour:
            found += change(format_piece(colour, kind), coatl.with_piece(colour, kind, place))
        return found

    pieces = tuple(
        EditablePiece(
            place + 1,
            piece,
            tuple(
                EditLink(
                    format_piece(colour, coatl.kind_at(place)),
                    url(coatl.with_colour(place, colour)),
                )
                for colour in Colour
                if colour != coatl.colours[place]
            ),
            () if piece[0] == "<" else more(PieceKind.BODY, place),
            () if piece[-1] == ">" else more(PieceKind.BODY, place + 1),
            _kind_links(coatl, place, change),
            url(coatl.without_piece(place)),
        )
        for place, piece in enumerate(coatl.pieces)
    )
    return CoatlEditLinks(
        pieces,
        () if coatl.head else more(PieceKind.HEAD),
        more(PieceKind.BODY),
        () if coatl.tail or not coatl.colours else more(PieceKind.TAIL),
        url(coatl.reversed()),
        url(EditedCoatl()),
    )


def _kind_links(
    coatl: EditedCoatl, place: int, change: Callable[[str, EditedCoatl], tuple[EditLink, ...]]
) -> tuple[EditLink, ...]:
    """List the links that change the kind of a piece at an end."""
    colours, last = coatl.colours, len(coatl.colours) - 1
    found: tuple[EditLink, ...] = ()
    if place == 0:
        kind = PieceKind.BODY if coatl.head else PieceKind.HEAD
        found += change(
            format_piece(colours[0], kind), EditedCoatl(colours, not coatl.head, coatl.tail)
        )
    if place == last and not (last == 0 and coatl.head):
        kind = PieceKind.BODY if coatl.tail else PieceKind.TAIL
        found += change(
            format_piece(colours[last], kind), EditedCoatl(colours, coatl.head, not coatl.tail)
        )
    return found
