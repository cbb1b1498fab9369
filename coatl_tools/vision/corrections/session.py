"""A session in which a reading is corrected, for the terminal and for the pages.

A session is a value: every step gives a new session. It imports no OpenCV, so the web server can
use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, CorrectionError
from coatl_tools.pieces import MAX_PIECES, Colour, PieceKind
from coatl_tools.vision.corrections.corrected_reading import apply_corrections
from coatl_tools.vision.corrections.correction import (
    AddCard,
    AddPiece,
    Confirm,
    Correction,
    RemoveCard,
    SetCard,
    SetPiece,
    parse_correction,
)
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenPiece

MIN_GUESS_CONFIDENCE = 0.05  # a guess less likely than this is not offered
MAX_GUESSES = 3
Corrections: TypeAlias = tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class CorrectionLimits:
    """How much may be corrected where anybody can send corrections, as in an address."""

    cards: int  # beside one Cóatl
    corrections: int = 60
    characters: int = 200  # of one correction
    coatls: int = 12

    def check(self, before: PhotoReading, after: PhotoReading) -> None:
        """Raise CorrectionError if a correction adds more than is allowed.

        What the photo itself shows is always allowed.
        """
        most = max(self.coatls, len(before.coatls))
        most_pieces = max(MAX_PIECES, _count_pieces(before))
        if len(after.coatls) > most or _count_pieces(after) > most_pieces:
            raise CorrectionError("fix.many_coatls", most=most, pieces=most_pieces)
        for index in range(len(after.coatls)):
            if _count_cards(after, index) > max(self.cards, _count_cards(before, index)):
                raise CorrectionError("cards.many_beside", most=self.cards)


@dataclass(frozen=True, slots=True)
class CorrectionSession:
    """The reading as corrected so far, and the steps that led to it."""

    original: PhotoReading
    catalog: Catalog
    reading: PhotoReading
    steps: tuple[Corrections, ...] = ()
    limits: CorrectionLimits | None = None

    @classmethod
    def start(
        cls, reading: PhotoReading, catalog: Catalog, limits: CorrectionLimits | None = None
    ) -> CorrectionSession:
        """Start with nothing corrected."""
        return cls(reading, catalog, reading, limits=limits)

    @property
    def corrections(self) -> Corrections:
        """All corrections, in their order."""
        return tuple(chain.from_iterable(self.steps))

    def apply(self, *corrections: Correction) -> CorrectionSession:
        """Correct the reading, as one step; CorrectionError if that is not possible."""
        after = apply_corrections(self.reading, self.catalog, *corrections)
        if self.limits is not None:
            self.limits.check(self.reading, after)
        return replace(self, reading=after, steps=(*self.steps, corrections))

    def can_apply(self, *corrections: Correction) -> bool:
        """Tell whether `apply` would succeed."""
        try:
            self.apply(*corrections)
        except CoatlError:
            return False
        return True

    def undo(self) -> CorrectionSession | None:
        """Undo the last step; None if there is none."""
        if not self.steps:
            return None
        steps = self.steps[:-1]
        before = apply_corrections(self.original, self.catalog, *chain.from_iterable(steps))
        return replace(self, reading=before, steps=steps)

    def list_open_problems(self) -> list[ReadingProblem]:
        """List what is not sure: pieces, then Cóatls, then cards, then the rest."""
        return sorted(self.reading.serious_problems, key=_problem_order)

    def make_confirmation(self, problem: ReadingProblem) -> Correction:
        """Make the correction that confirms the likeliest reading of a problem's subject."""
        if problem.card is not None:
            card = self.reading.cards[problem.card]
            if card.id is None and card.candidates:
                return SetCard(problem.card + 1, card.candidates[0])
            return Confirm(card=problem.card + 1)
        if problem.coatl is not None:
            return Confirm(problem.coatl + 1, None if problem.piece is None else problem.piece + 1)
        return Confirm()

    # Lists of all corrections, such as an address holds. Cóatls are counted from 1.

    def list_corrections_with(self, *more: Correction) -> Corrections:
        """List the corrections so far and these.

        A new colour for the piece that was recoloured last replaces that correction.
        """
        before = self.corrections
        if len(more) == 1 and before and _recolours_same_piece(before[-1], more[0]):
            before = before[:-1]
        return (*before, *more)

    def list_corrections_toggling(self, coatl: int, card: str) -> Corrections:
        """List the corrections after which a card lies beside a Cóatl, or no longer does."""
        for number, seen in self._cards_beside(coatl):
            if seen == card:
                return self._list_corrections_without_card(number, card)
        return self.list_corrections_with(self._lay_card(coatl, card))

    def make_cards_corrections(self, coatl: int, cards: Sequence[str]) -> Corrections:
        """Make the corrections after which these cards and no others lie beside a Cóatl."""
        beside = list(self._cards_beside(coatl))
        wrong = [RemoveCard(number) for number, card in beside if card not in cards]
        there = {card for _, card in beside}
        missed = [AddCard(card, coatl) for card in cards if card not in there]
        return (*reversed(wrong), *missed)  # from the last number, so that the others stay

    def _cards_beside(self, coatl: int) -> Iterator[tuple[int, str]]:
        """Yield the number and id of each card that was read beside a Cóatl."""
        for number, card in enumerate(self.reading.cards, start=1):
            if card.id and card.coatl == coatl - 1:
                yield number, card.id

    def _lay_card(self, coatl: int, card: str) -> Correction:
        """Make the correction that adds a card, or moves one if all copies were seen."""
        missed = AddCard(card, coatl)
        for number, seen in enumerate(self.reading.cards, start=1):
            if seen.id == card and not self.can_apply(missed):
                return SetCard(number, None, coatl)
        return missed

    def _list_corrections_without_card(self, number: int, card: str) -> Corrections:
        """List the corrections without the one that added a card, or with its removal."""
        corrections = self.corrections
        for place in reversed(range(len(corrections))):
            correction = corrections[place]
            if isinstance(correction, AddCard) and correction.id == card:
                return corrections[:place] + corrections[place + 1 :]
            if _names_card_by_number(correction):
                break  # without an earlier correction, its number would be another card's
        return self.list_corrections_with(RemoveCard(number))


def replay_corrections(
    reading: PhotoReading, catalog: Catalog, texts: Sequence[str], limits: CorrectionLimits
) -> tuple[CorrectionSession, tuple[CoatlError, ...]]:
    """Apply corrections given as text; also return the errors.

    A wrong correction is skipped, and the others are still applied.
    """
    errors: list[CoatlError] = []
    if len(texts) > limits.corrections:
        errors.append(CorrectionError("fix.many_corrections", most=limits.corrections))
    session = CorrectionSession.start(reading, catalog, limits)
    for text in texts[: limits.corrections]:
        try:
            if len(text) > limits.characters:
                raise CorrectionError("fix.long", most=limits.characters)
            session = session.apply(parse_correction(text, catalog))
        except CoatlError as error:
            errors.append(error)
    return session, tuple(errors)


# What a piece may be instead. Cóatls and pieces are counted from 1.


def list_likely_guesses(piece: SeenPiece) -> list[tuple[Colour, PieceKind]]:
    """List what a piece may be, likeliest first: at least one guess, and only likely ones."""
    first, *others = piece.guesses(MAX_GUESSES)
    return [
        first,
        *(
            (colour, kind)
            for colour, kind in others
            if piece.colours[colour] * piece.kinds[kind] >= MIN_GUESS_CONFIDENCE
        ),
    ]


def suggest_colours(session: CorrectionSession, coatl: int, number: int) -> dict[Colour, SetPiece]:
    """Suggest every other colour for a piece, likeliest first."""
    piece = session.reading.coatls[coatl - 1].pieces[number - 1]
    others = [colour for colour in Colour if colour is not piece.colour]
    others.sort(key=lambda colour: -piece.colours.get(colour, 0.0))
    return {colour: SetPiece(coatl, number, colour) for colour in others}


def suggest_kinds(session: CorrectionSession, coatl: int, number: int) -> dict[PieceKind, SetPiece]:
    """Suggest what else a piece at an end may be; a head at the tail end reverses the Cóatl."""
    pieces = session.reading.coatls[coatl - 1].pieces
    if number not in (1, len(pieces)):
        return {}
    kinds = [kind for kind in PieceKind if kind is not pieces[number - 1].kind]
    changes = {kind: SetPiece(coatl, number, None, kind) for kind in kinds}
    return {kind: change for kind, change in changes.items() if session.can_apply(change)}


def suggest_missed_pieces(
    session: CorrectionSession, coatl: int, behind: int, kind: PieceKind
) -> dict[Colour, AddPiece]:
    """Suggest a missed piece of every colour behind a piece (0: before the first), if possible."""
    changes = {colour: AddPiece(coatl, behind, colour, kind) for colour in Colour}
    return changes if session.can_apply(changes[Colour.R]) else {}  # it is so for every colour


def _problem_order(problem: ReadingProblem) -> tuple[int, int, int, int]:
    if problem.coatl is not None:
        whole = problem.piece is None
        return int(whole), problem.coatl, 0 if problem.piece is None else problem.piece, 0
    return (2, 0, 0, problem.card) if problem.card is not None else (3, 0, 0, 0)


def _recolours_same_piece(last: Correction, new: Correction) -> bool:
    if not (isinstance(last, SetPiece) and isinstance(new, SetPiece)):
        return False
    only_colours = last.kind is None and new.kind is None
    return only_colours and (last.coatl, last.piece) == (new.coatl, new.piece)


def _names_card_by_number(correction: Correction) -> bool:
    return isinstance(correction, SetCard | RemoveCard) or (
        isinstance(correction, Confirm) and correction.card is not None
    )


def _count_pieces(reading: PhotoReading) -> int:
    return sum(len(seen.pieces) for seen in reading.coatls)


def _count_cards(reading: PhotoReading, index: int) -> int:
    """Count the cards beside a Cóatl, also those whose id is not known."""
    return sum(card.coatl == index for card in reading.cards)
