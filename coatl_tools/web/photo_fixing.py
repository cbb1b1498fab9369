"""A reading and all that was said against it: every change is an address that says one thing more.

Each page corrects the reading anew, from the corrections that stand in its address.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, CorrectionError
from coatl_tools.language import Language
from coatl_tools.pieces import MAX_PIECES
from coatl_tools.vision.corrections.apply import apply_corrections
from coatl_tools.vision.corrections.correction import (
    AddCard,
    Confirm,
    Correction,
    RemoveCard,
    SetCard,
    SetPiece,
)
from coatl_tools.vision.corrections.syntax import parse_correction
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.web.scored import MOST_CARDS

MOST = 60  # corrections
MOST_CHARACTERS = 200  # of one
MOST_COATLS = 12
Corrections: TypeAlias = tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class Fixing:
    """A corrected reading; `address` gives the page on which these corrections were made."""

    reading: PhotoReading
    catalog: Catalog
    corrections: Corrections
    address: Callable[[Corrections], str]

    def can(self, *more: Correction) -> bool:
        """Whether these corrections make sense."""
        try:
            _limited(self.reading, apply_corrections(self.reading, self.catalog, *more))
        except CoatlError:
            return False
        return True

    def url(self, *more: Correction) -> str:
        """The page with these corrections too."""
        said = self.corrections
        if len(more) == 1 and said and _says_the_same_anew(said[-1], more[0]):
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
            if _counts_cards(said):
                break
        return self.url(RemoveCard(number))


@dataclass(frozen=True, slots=True)
class Fixed:
    """A reading after what an address says, and what of that makes no sense."""

    reading: PhotoReading
    corrections: Corrections
    wrong: tuple[str, ...]


def fixed(
    reading: PhotoReading, catalog: Catalog, said: Sequence[str], language: Language
) -> Fixed:
    """Correct a reading; whatever makes no sense is left out, and said."""
    wrong: list[str] = []
    if len(said) > MOST:
        wrong.append(language.sentence("web.many_fixes", {"most": MOST}))
    corrections: list[Correction] = []
    for text in said[:MOST]:
        try:
            correction = _read(text, catalog)
            reading = _limited(reading, apply_corrections(reading, catalog, correction))
        except CoatlError as error:
            wrong.append(error.text(language.code))
        else:
            corrections.append(correction)
    return Fixed(reading, tuple(corrections), tuple(dict.fromkeys(wrong)))


def _read(text: str, catalog: Catalog) -> Correction:
    if len(text) > MOST_CHARACTERS:
        raise CorrectionError("fix.long", most=MOST_CHARACTERS)
    return parse_correction(text, catalog)


def _limited(before: PhotoReading, after: PhotoReading) -> PhotoReading:
    """No more than a page can show; CorrectionError for what goes beyond that."""
    count = sum(len(seen.pieces) for seen in after.coatls)
    most = max(MOST_COATLS, len(before.coatls))
    most_pieces = max(MAX_PIECES, sum(len(seen.pieces) for seen in before.coatls))
    if len(after.coatls) > most or count > most_pieces:
        raise CorrectionError("web.many_coatls", most=most, pieces=most_pieces)
    for index in range(len(after.coatls)):
        if _cards(after, index) > max(MOST_CARDS, _cards(before, index)):
            raise CorrectionError("web.many_cards", most=MOST_CARDS)
    return after


def _cards(reading: PhotoReading, index: int) -> int:
    return sum(card.coatl == index for card in reading.cards)


def _says_the_same_anew(last: Correction, new: Correction) -> bool:
    """Whether a colour is said of the piece of which one was said just now."""
    if not (isinstance(last, SetPiece) and isinstance(new, SetPiece)):
        return False
    plain = last.kind is None and new.kind is None
    return plain and (last.coatl, last.piece) == (new.coatl, new.piece)


def _counts_cards(said: Correction) -> bool:
    """Whether a correction calls a card by its number."""
    return isinstance(said, SetCard | RemoveCard) or (
        isinstance(said, Confirm) and said.card is not None
    )
