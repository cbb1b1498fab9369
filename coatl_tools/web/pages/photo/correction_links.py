"""Corrections of a reading as links: the address of the page holds all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, CorrectionError
from coatl_tools.language import Language
from coatl_tools.pieces import MAX_PIECES, Colour, PieceKind
from coatl_tools.vision.corrections.apply import apply_corrections
from coatl_tools.vision.corrections.correction import (
    AddCard,
    AddPiece,
    Confirm,
    Correction,
    JoinCoatls,
    RemoveCard,
    RemoveCoatl,
    RemovePiece,
    ReverseCoatl,
    SetCard,
    SetPiece,
    SplitCoatl,
)
from coatl_tools.vision.corrections.syntax import parse_correction
from coatl_tools.vision.reading import PhotoReading, SeenPiece
from coatl_tools.web.pages.coatl_editor import CoatlEditLinks, EditablePiece, EditLink, format_piece
from coatl_tools.web.pages.score import MAX_CARDS

MAX_CORRECTIONS = 60  # corrections
MAX_CORRECTION_LENGTH = 200  # of one
MAX_PHOTO_COATLS = 12
Corrections: TypeAlias = tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class PhotoLinks:
    """A corrected reading; `address` gives the page on which these corrections were made."""

    reading: PhotoReading
    catalog: Catalog
    corrections: Corrections
    address: Callable[[Corrections], str]

    def can(self, *more: Correction) -> bool:
        """Whether these corrections make sense."""
        try:
            _check_limits(self.reading, apply_corrections(self.reading, self.catalog, *more))
        except CoatlError:
            return False
        return True

    def url(self, *more: Correction) -> str:
        """The page with these corrections too."""
        said = self.corrections
        if len(more) == 1 and said and _repeats_colour(said[-1], more[0]):
            said = said[:-1]
        return self.address((*said, *more))

    def link(self, *more: Correction) -> str:
        """The same, or nothing where these corrections make no sense."""
        return self.url(*more) if self.can(*more) else ""

    def beside(self, coatl: int) -> tuple[str, ...]:
        """The cards that lie beside a Cóatl, counted from 1."""
        return tuple(card.id for card in self.reading.cards if card.id and card.coatl == coatl - 1)

    def toggled(self, coatl: int, card: str) -> str:
        """The page with a card more beside a Cóatl, or less."""
        for number, one in enumerate(self.reading.cards, start=1):
            if one.id == card and one.coatl == coatl - 1:
                return self._without_card(number, card)
        return self.url(self._laid(coatl, card))

    def with_cards(self, coatl: int, cards: Sequence[str]) -> str:
        """The page with these cards beside a Cóatl and no others, or nothing if that is not so."""
        gone = [
            RemoveCard(number)
            for number, one in enumerate(self.reading.cards, start=1)
            if one.id and one.coatl == coatl - 1 and one.id not in cards
        ]
        there = self.beside(coatl)
        more = [AddCard(card, coatl) for card in cards if card not in there]
        changes: Corrections = (*reversed(gone), *more)
        return self.link(*changes) if changes else ""

    def _laid(self, coatl: int, card: str) -> Correction:
        """A card beside a Cóatl; one that the game has but once comes from where it lies."""
        missed = AddCard(card, coatl)
        for number, one in enumerate(self.reading.cards, start=1):
            if one.id == card and not self.can(missed):
                return SetCard(number, None, coatl)
        return missed

    def _without_card(self, number: int, card: str) -> str:
        """Take away what was laid there; only of what was read it must be said that it is wrong."""
        for place in reversed(range(len(self.corrections))):
            said = self.corrections[place]
            if isinstance(said, AddCard) and said.id == card:
                return self.address(self.corrections[:place] + self.corrections[place + 1 :])
            if _refers_to_card_number(said):
                break
        return self.url(RemoveCard(number))


@dataclass(frozen=True, slots=True)
class CorrectedReading:
    """A reading after what an address says, and what of that makes no sense."""

    reading: PhotoReading
    corrections: Corrections
    wrong: tuple[str, ...]


def correct_from_address(
    reading: PhotoReading, catalog: Catalog, said: Sequence[str], language: Language
) -> CorrectedReading:
    """Correct a reading; whatever makes no sense is left out, and said."""
    wrong: list[str] = []
    if len(said) > MAX_CORRECTIONS:
        wrong.append(language.sentence("web.many_fixes", {"most": MAX_CORRECTIONS}))
    corrections: list[Correction] = []
    for text in said[:MAX_CORRECTIONS]:
        try:
            correction = _parse_limited_correction(text, catalog)
            reading = _check_limits(reading, apply_corrections(reading, catalog, correction))
        except CoatlError as error:
            wrong.append(error.text(language.code))
        else:
            corrections.append(correction)
    return CorrectedReading(reading, tuple(corrections), tuple(dict.fromkeys(wrong)))


def _parse_limited_correction(text: str, catalog: Catalog) -> Correction:
    if len(text) > MAX_CORRECTION_LENGTH:
        raise CorrectionError("fix.long", most=MAX_CORRECTION_LENGTH)
    return parse_correction(text, catalog)


def _check_limits(before: PhotoReading, after: PhotoReading) -> PhotoReading:
    """No more than a page can show; CorrectionError for what goes beyond that."""
    count = sum(len(seen.pieces) for seen in after.coatls)
    most = max(MAX_PHOTO_COATLS, len(before.coatls))
    most_pieces = max(MAX_PIECES, sum(len(seen.pieces) for seen in before.coatls))
    if len(after.coatls) > most or count > most_pieces:
        raise CorrectionError("web.many_coatls", most=most, pieces=most_pieces)
    for index in range(len(after.coatls)):
        if _count_cards(after, index) > max(MAX_CARDS, _count_cards(before, index)):
            raise CorrectionError("web.many_cards", most=MAX_CARDS)
    return after


def _count_cards(reading: PhotoReading, index: int) -> int:
    return sum(card.coatl == index for card in reading.cards)


def _repeats_colour(last: Correction, new: Correction) -> bool:
    """Whether a colour is said of the piece of which one was said just now."""
    if not (isinstance(last, SetPiece) and isinstance(new, SetPiece)):
        return False
    plain = last.kind is None and new.kind is None
    return plain and (last.coatl, last.piece) == (new.coatl, new.piece)


def _refers_to_card_number(said: Correction) -> bool:
    """Whether a correction calls a card by its number."""
    return isinstance(said, SetCard | RemoveCard) or (
        isinstance(said, Confirm) and said.card is not None
    )


@dataclass(frozen=True, slots=True)
class CoatlCorrectionLinks:
    """The pieces to change, and what else a person may say; addresses by the pieces' numbers."""

    editing: CoatlEditLinks
    right: str
    pieces_right: Mapping[int, str]
    splits: Mapping[int, str]
    joins: Mapping[int, str]  # by the number of the Cóatl that goes on here


def build_correction_links(fixing: PhotoLinks, number: int) -> CoatlCorrectionLinks:
    """The changes to a Cóatl, counted from 1."""
    pieces = fixing.reading.coatls[number - 1].pieces
    places = range(1, len(pieces) + 1)
    others = range(1, len(fixing.reading.coatls) + 1)
    return CoatlCorrectionLinks(
        _build_coatl_edits(fixing, number),
        fixing.link(Confirm(number)),
        {place: fixing.url(Confirm(number, place)) for place in places},
        _possible_links(fixing, {place: SplitCoatl(number, place) for place in places}),
        _possible_links(fixing, {other: JoinCoatls(number, other) for other in others}),
    )


def _possible_links(fixing: PhotoLinks, changes: Mapping[int, Correction]) -> dict[int, str]:
    """Those that make sense."""
    return {key: link for key, change in changes.items() if (link := fixing.link(change))}


def _build_coatl_edits(fixing: PhotoLinks, number: int) -> CoatlEditLinks:
    pieces = fixing.reading.coatls[number - 1].pieces
    last = len(pieces)
    tail = pieces[-1].kind is PieceKind.TAIL
    alone = fixing.url(RemoveCoatl(number))
    return CoatlEditLinks(
        tuple(
            EditablePiece(
                place,
                format_piece(piece.colour, piece.kind),
                _colour_links(fixing, number, place, piece),
                (
                    *_missed_piece_links(fixing, number, place - 1, PieceKind.BODY),
                    *(_missed_piece_links(fixing, number, 0, PieceKind.HEAD) if place == 1 else ()),
                ),
                (
                    *_missed_piece_links(fixing, number, place, PieceKind.BODY),
                    *(
                        _missed_piece_links(fixing, number, last, PieceKind.TAIL)
                        if place == last
                        else ()
                    ),
                ),
                _kind_correction_links(fixing, number, place, piece) if place in (1, last) else (),
                fixing.link(RemovePiece(number, place)) or alone,
            )
            for place, piece in enumerate(pieces, start=1)
        ),
        _missed_piece_links(fixing, number, 0, PieceKind.HEAD),
        _missed_piece_links(fixing, number, last - tail, PieceKind.BODY),
        _missed_piece_links(fixing, number, last, PieceKind.TAIL),
        fixing.url(ReverseCoatl(number)),
        alone,
    )


def _colour_links(
    fixing: PhotoLinks, coatl: int, place: int, piece: SeenPiece
) -> tuple[EditLink, ...]:
    """The other colours, likeliest first."""
    others = [colour for colour in Colour if colour is not piece.colour]
    others.sort(key=lambda colour: -piece.colours.get(colour, 0.0))
    return tuple(
        EditLink(format_piece(colour, piece.kind), fixing.url(SetPiece(coatl, place, colour)))
        for colour in others
    )


def _kind_correction_links(
    fixing: PhotoLinks, coatl: int, place: int, piece: SeenPiece
) -> tuple[EditLink, ...]:
    """What else a piece at an end may be; a head at the tail end turns the Cóatl round."""
    changes = [
        (kind, fixing.link(SetPiece(coatl, place, None, kind)))
        for kind in PieceKind
        if kind is not piece.kind
    ]
    return tuple(EditLink(format_piece(piece.colour, kind), url) for kind, url in changes if url)


def _missed_piece_links(
    fixing: PhotoLinks, coatl: int, behind: int, kind: PieceKind
) -> tuple[EditLink, ...]:
    """A piece of each colour that was missed there, if there can be one."""
    if not fixing.can(AddPiece(coatl, behind, Colour.R, kind)):  # which is so for every colour
        return ()
    return tuple(
        EditLink(format_piece(colour, kind), fixing.url(AddPiece(coatl, behind, colour, kind)))
        for colour in Colour
    )
