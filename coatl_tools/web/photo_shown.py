"""A reading as its page shows it: each Cóatl with its doubts, changes, cards and score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour, PieceKind
from coatl_tools.vision.corrections.correction import AddCoatl, Confirm, RemoveCard, SetCard
from coatl_tools.vision.reading import (
    PhotoReading,
    ReadingProblem,
    SeenCard,
    describe_piece,
    format_percent,
)
from coatl_tools.web.editing import Change
from coatl_tools.web.photo_editing import CoatlChanges, coatl_changes
from coatl_tools.web.photo_fixing import Fixing
from coatl_tools.web.scored import Scored, scored

# Advice that speaks of command lines, and what helps at a page instead.
_FOR_TERMINALS: Mapping[str, str] = {
    "photo.advice_white": "photo.advice_even_light",
    "photo.check_by_hand": "",
    "photo.give_card_file": "",
    "photo.install_tesseract": "",
}
_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is not sure, and what would help."""

    said: str
    advice: str
    grave: bool


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card of the photo, and what can be said of it."""

    number: int
    id: str | None
    doubts: tuple[Doubt, ...]
    right: str
    gone: str
    candidates: tuple[tuple[str, str], ...]  # ids and addresses
    beside: tuple[tuple[int, str], ...]  # Cóatls that it may lie beside, and addresses


@dataclass(frozen=True, slots=True)
class CoatlShown:
    """A Cóatl of the photo. `toggle` gives the page with a card more beside it, or less."""

    number: int
    notation: str
    sure: bool
    how_sure: str
    doubts: tuple[Doubt, ...]
    piece_doubts: Mapping[int, tuple[Doubt, ...]]
    changes: CoatlChanges
    cards: tuple[CardShown, ...]
    beside: tuple[str, ...]
    scored: Scored | None
    settled: bool  # nothing that its score depends on is in doubt
    best: str
    toggle: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ReadingShown:
    """All that was seen."""

    sure: bool
    doubts: tuple[Doubt, ...]  # about nothing in particular
    coatls: tuple[CoatlShown, ...]
    loose: tuple[CardShown, ...]
    strays: str
    right: str  # the address on which all of it is right, if it was not sure
    missed: tuple[Change, ...]
    total: int
    shared: str

    @property
    def tallied(self) -> tuple[str, ...]:
        """The Cóatls with their cards, as a tally takes them."""
        found = [coatl for coatl in self.coatls if coatl.scored is not None]
        return tuple(".".join((coatl.notation, *coatl.beside)) for coatl in found)


def shown(fixing: Fixing, language: Language) -> ReadingShown:
    """What the page says of a reading."""
    reading = fixing.reading
    coatls = tuple(_coatl(fixing, index, language) for index in range(len(reading.coatls)))
    scores = [coatl.scored for coatl in coatls if coatl.scored is not None]
    total = sum(one.total for one in scores)
    strays = [describe_piece(piece.colour, piece.kind, language) for piece in reading.strays]
    lines = [*(one.shared for one in scores), language.label("total", total=total)]
    return ReadingShown(
        reading.sure,
        _doubts((p for p in reading.problems if p.coatl is None and p.card is None), language),
        coatls,
        tuple(_seen_cards(fixing, None, language)),
        language.label("read_strays", pieces=", ".join(strays)) if strays else "",
        "" if reading.sure or not reading.coatls else fixing.link(Confirm()),
        tuple(_begun(fixing)),
        total,
        "\n\n".join(lines),
    )


def _coatl(fixing: Fixing, index: int, language: Language) -> CoatlShown:
    reading, number = fixing.reading, index + 1
    seen = reading.coatls[index]
    beside = fixing.beside(number)
    found = None
    if seen.coatl is not None:
        cards = [fixing.catalog[card] for card in beside]
        found = scored(seen.coatl, cards, fixing.catalog, language)
    said = all(piece.corrected for piece in seen.pieces)
    how = "read_sure" if seen.sure else "read_unsure"
    return CoatlShown(
        number,
        seen.notation,
        seen.sure,
        language.label("read_corrected")
        if said and seen.sure
        else language.label(how, percent=format_percent(seen.confidence, language)),
        _doubts((p for p in reading.problems if (p.coatl, p.piece) == (index, None)), language),
        {
            place + 1: doubts
            for place in range(len(seen.pieces))
            if (doubts := _doubts(_of_piece(reading, index, place), language))
        },
        coatl_changes(fixing, number),
        tuple(_seen_cards(fixing, index, language)),
        beside,
        found,
        _settled(reading, index),
        fixing.with_cards(number, found.best) if found is not None else "",
        partial(fixing.toggled, number),
    )


def _of_piece(reading: PhotoReading, coatl: int, piece: int) -> Iterable[ReadingProblem]:
    return (p for p in reading.problems if (p.coatl, p.piece) == (coatl, piece))


def _settled(reading: PhotoReading, index: int) -> bool:
    """Whether a Cóatl and the cards beside it are as they were read for sure, or said."""
    cards = all(card.sure for card in reading.cards if card.coatl == index)
    general = any(p.grave and p.coatl is None and p.card is None for p in reading.problems)
    return reading.coatls[index].sure and cards and not general


def _doubts(problems: Iterable[ReadingProblem], language: Language) -> tuple[Doubt, ...]:
    return tuple(
        Doubt(language.sentence(*problem.spoken), _advice(problem, language), problem.grave)
        for problem in problems
    )


def _advice(problem: ReadingProblem, language: Language) -> str:
    if problem.advice is None:
        return ""
    key, details = problem.advice
    key = _FOR_TERMINALS.get(key, key)
    return language.sentence(key, details) if key else ""


def _seen_cards(fixing: Fixing, coatl: int | None, language: Language) -> Iterable[CardShown]:
    """The cards that the photo shows beside a Cóatl, or beside none."""
    for index, card in enumerate(fixing.reading.cards):
        if card.outline and card.coatl == coatl:
            yield _card(fixing, index, card, language)


def _card(fixing: Fixing, index: int, card: SeenCard, language: Language) -> CardShown:
    number, problems = index + 1, fixing.reading.problems
    candidates = [one for one in card.candidates[:_CANDIDATES] if one != card.id]
    places = [
        place
        for place in range(1, len(fixing.reading.coatls) + 1)
        if place - 1 != card.coatl or card.coatl is None
    ]
    likely = [(one, fixing.link(SetCard(number, one))) for one in candidates]
    near = [(place, fixing.link(SetCard(number, None, place))) for place in places]
    return CardShown(
        number,
        card.id,
        _doubts((problem for problem in problems if problem.card == index), language),
        "" if card.sure else fixing.link(Confirm(card=number)),
        fixing.url(RemoveCard(number)),
        tuple((one, url) for one, url in likely if url),
        tuple((place, url) for place, url in near if url),
    )


def _begun(fixing: Fixing) -> Iterable[Change]:
    """A Cóatl that was not seen, of one piece so far."""
    for kind in (PieceKind.HEAD, PieceKind.BODY):
        for colour in Colour:
            shape = Coatl((colour,), head=kind is PieceKind.HEAD)
            if url := fixing.link(AddCoatl(shape)):
                yield Change(str(shape), url)
