"""What can be said against a Cóatl of a photo, as links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.corrections.correction import (
    AddPiece,
    Confirm,
    Correction,
    JoinCoatls,
    RemoveCoatl,
    RemovePiece,
    ReverseCoatl,
    SetPiece,
    SplitCoatl,
)
from coatl_tools.vision.reading import SeenPiece
from coatl_tools.web.editing import Change, EditedPiece, Editing, notation
from coatl_tools.web.photo_fixing import Fixing


@dataclass(frozen=True, slots=True)
class CoatlChanges:
    """The pieces to change, and what else a person may say; addresses by the pieces' numbers."""

    editing: Editing
    right: str
    pieces_right: Mapping[int, str]
    splits: Mapping[int, str]
    joins: Mapping[int, str]  # by the number of the Cóatl that goes on here


def coatl_changes(fixing: Fixing, number: int) -> CoatlChanges:
    """The changes to a Cóatl, counted from 1."""
    pieces = fixing.reading.coatls[number - 1].pieces
    places = range(1, len(pieces) + 1)
    others = range(1, len(fixing.reading.coatls) + 1)
    return CoatlChanges(
        _editing(fixing, number),
        fixing.link(Confirm(number)),
        {place: fixing.url(Confirm(number, place)) for place in places},
        _links(fixing, {place: SplitCoatl(number, place) for place in places}),
        _links(fixing, {other: JoinCoatls(number, other) for other in others}),
    )


def _links(fixing: Fixing, changes: Mapping[int, Correction]) -> dict[int, str]:
    """Those that make sense."""
    return {key: link for key, change in changes.items() if (link := fixing.link(change))}


def _editing(fixing: Fixing, number: int) -> Editing:
    pieces = fixing.reading.coatls[number - 1].pieces
    last = len(pieces)
    tail = pieces[-1].kind is PieceKind.TAIL
    alone = fixing.url(RemoveCoatl(number))
    return Editing(
        tuple(
            EditedPiece(
                place,
                notation(piece.colour, piece.kind),
                _colours(fixing, number, place, piece),
                (
                    *_missed(fixing, number, place - 1, PieceKind.BODY),
                    *(_missed(fixing, number, 0, PieceKind.HEAD) if place == 1 else ()),
                ),
                (
                    *_missed(fixing, number, place, PieceKind.BODY),
                    *(_missed(fixing, number, last, PieceKind.TAIL) if place == last else ()),
                ),
                _kinds(fixing, number, place, piece) if place in (1, last) else (),
                fixing.link(RemovePiece(number, place)) or alone,
            )
            for place, piece in enumerate(pieces, start=1)
        ),
        _missed(fixing, number, 0, PieceKind.HEAD),
        _missed(fixing, number, last - tail, PieceKind.BODY),
        _missed(fixing, number, last, PieceKind.TAIL),
        fixing.url(ReverseCoatl(number)),
        alone,
    )


def _colours(fixing: Fixing, coatl: int, place: int, piece: SeenPiece) -> tuple[Change, ...]:
    """The other colours, likeliest first."""
    others = [colour for colour in Colour if colour is not piece.colour]
    others.sort(key=lambda colour: -piece.colours.get(colour, 0.0))
    return tuple(
        Change(notation(colour, piece.kind), fixing.url(SetPiece(coatl, place, colour)))
        for colour in others
    )


def _kinds(fixing: Fixing, coatl: int, place: int, piece: SeenPiece) -> tuple[Change, ...]:
    """What else a piece at an end may be; a head at the tail end turns the Cóatl round."""
    changes = [
        (kind, fixing.link(SetPiece(coatl, place, None, kind)))
        for kind in PieceKind
        if kind is not piece.kind
    ]
    return tuple(Change(notation(piece.colour, kind), url) for kind, url in changes if url)


def _missed(fixing: Fixing, coatl: int, behind: int, kind: PieceKind) -> tuple[Change, ...]:
    """A piece of each colour that was missed there, if there can be one."""
    if not fixing.can(AddPiece(coatl, behind, Colour.R, kind)):  # which is so for every colour
        return ()
    return tuple(
        Change(notation(colour, kind), fixing.url(AddPiece(coatl, behind, colour, kind)))
        for colour in Colour
    )
