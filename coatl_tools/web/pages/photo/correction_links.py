"""Corrections of a reading as links: the address of the page holds all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from coatl_tools.notation import format_piece
from coatl_tools.pieces import PieceKind
from coatl_tools.vision.corrections.correction import (
    Confirm,
    Correction,
    JoinCoatls,
    RemoveCoatl,
    RemovePiece,
    ReverseCoatl,
    SplitCoatl,
)
from coatl_tools.vision.corrections.session import (
    CorrectionLimits,
    Corrections,
    CorrectionSession,
    suggest_colours,
    suggest_kinds,
    suggest_missed_pieces,
)
from coatl_tools.web.pages.coatl_edit_links import CoatlEditLinks, EditablePiece, EditLink
from coatl_tools.web.pages.score import MAX_CARDS

PAGE_LIMITS = CorrectionLimits(cards=MAX_CARDS)


@dataclass(frozen=True, slots=True)
class PhotoLinks:
    """The links of a page on which a reading is corrected.

    `address` gives the address of the page with these corrections.
    """

    session: CorrectionSession
    address: Callable[[Corrections], str]

    def url(self, *more: Correction) -> str:
        """Return the address of the page with these corrections added."""
        return self.address(self.session.list_corrections_with(*more))

    def link(self, *more: Correction) -> str:
        """Return that address, or "" if these corrections are not possible."""
        return self.url(*more) if self.session.can_apply(*more) else ""

    def toggle_card(self, coatl: int, card: str) -> str:
        """Return the address with a card added beside a Cóatl (from 1), or removed."""
        return self.address(self.session.list_corrections_toggling(coatl, card))

    def set_cards(self, coatl: int, cards: Iterable[str]) -> str:
        """Return the address with only these cards beside a Cóatl (from 1), or "" if they are."""
        changes = self.session.make_cards_corrections(coatl, tuple(cards))
        return self.link(*changes) if changes else ""


@dataclass(frozen=True, slots=True)
class CoatlCorrectionLinks:
    """The links that change the pieces of a Cóatl, by their numbers, and the Cóatl itself."""

    editing: CoatlEditLinks
    right: str
    pieces_right: Mapping[int, str]
    splits: Mapping[int, str]
    joins: Mapping[int, str]  # by the number of the Cóatl that goes on here


def build_correction_links(links: PhotoLinks, coatl: int) -> CoatlCorrectionLinks:
    """Build the links that change a Cóatl, counted from 1."""
    reading = links.session.reading
    places = range(1, len(reading.coatls[coatl - 1].pieces) + 1)
    others = range(1, len(reading.coatls) + 1)
    return CoatlCorrectionLinks(
        _build_edit_links(links, coatl),
        links.link(Confirm(coatl)),
        {place: links.url(Confirm(coatl, place)) for place in places},
        _possible_links(links, {place: SplitCoatl(coatl, place) for place in places}),
        _possible_links(links, {other: JoinCoatls(coatl, other) for other in others}),
    )


def _possible_links(links: PhotoLinks, changes: Mapping[int, Correction]) -> dict[int, str]:
    return {key: link for key, change in changes.items() if (link := links.link(change))}


def _build_edit_links(links: PhotoLinks, coatl: int) -> CoatlEditLinks:
    pieces = links.session.reading.coatls[coatl - 1].pieces
    last = len(pieces)
    has_tail = pieces[-1].kind is PieceKind.TAIL
    without_coatl = links.url(RemoveCoatl(coatl))
    heads = _missed_piece_links(links, coatl, 0, PieceKind.HEAD)
    tails = _missed_piece_links(links, coatl, last, PieceKind.TAIL)
    between = {
        behind: _missed_piece_links(links, coatl, behind, PieceKind.BODY)
        for behind in range(last + 1)
    }
    return CoatlEditLinks(
        tuple(
            EditablePiece(
                place,
                format_piece(piece.colour, piece.kind),
                tuple(
                    EditLink(format_piece(colour, piece.kind), links.url(change))
                    for colour, change in suggest_colours(links.session, coatl, place).items()
                ),
                between[place - 1] + (heads if place == 1 else ()),
                between[place] + (tails if place == last else ()),
                tuple(
                    EditLink(format_piece(piece.colour, kind), links.url(change))
                    for kind, change in suggest_kinds(links.session, coatl, place).items()
                ),
                links.link(RemovePiece(coatl, place)) or without_coatl,
            )
            for place, piece in enumerate(pieces, start=1)
        ),
        heads,
        between[last - has_tail],
        tails,
        links.url(ReverseCoatl(coatl)),
        without_coatl,
    )


def _missed_piece_links(
    links: PhotoLinks, coatl: int, behind: int, kind: PieceKind
) -> tuple[EditLink, ...]:
    changes = suggest_missed_pieces(links.session, coatl, behind, kind)
    return tuple(
        EditLink(format_piece(colour, kind), links.url(change))
        for colour, change in changes.items()
    )
