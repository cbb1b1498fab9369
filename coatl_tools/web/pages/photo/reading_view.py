"""What the page shows of a reading: each Cóatl with its problems, corrections, cards and score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from coatl_tools.language import Language, describe_piece
from coatl_tools.pieces import Coatl, Colour, PieceKind
from coatl_tools.vision.corrections.correction import AddCoatl, Confirm, RemoveCard, SetCard
from coatl_tools.vision.reading import (
    ReadingProblem,
    SeenCard,
    format_confidence,
)
from coatl_tools.vision.scores_and_tally import is_score_settled
from coatl_tools.web.pages.coatl_edit_links import EditLink
from coatl_tools.web.pages.photo.correction_links import (
    CoatlCorrectionLinks,
    PhotoLinks,
    build_correction_links,
)
from coatl_tools.web.pages.score import ScoreView, build_score_view

# Advice that speaks of command lines, and what helps at a page instead.
_TERMINAL_ADVICE: Mapping[str, str] = {
    "photo.advice_white": "photo.advice_even_light",
    "photo.check_by_hand": "",
    "photo.give_card_file": "",
    "photo.install_tesseract": "",
}
_MAX_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """What is not sure, and what would help."""

    said: str
    advice: str
    grave: bool


@dataclass(frozen=True, slots=True)
class PhotoCardView:
    """A card of the photo, and what can be said of it."""

    number: int
    id: str | None
    doubts: tuple[ShownProblem, ...]
    right: str
    gone: str
    candidates: tuple[tuple[str, str], ...]  # ids and addresses
    beside: tuple[tuple[int, str], ...]  # Cóatls that it may lie beside, and addresses


@dataclass(frozen=True, slots=True)
class PhotoCoatlView:
    """A Cóatl of the photo. `toggle` gives the address with a card added beside it, or removed."""

    number: int
    notation: str
    sure: bool
    how_sure: str
    doubts: tuple[ShownProblem, ...]
    piece_doubts: Mapping[int, tuple[ShownProblem, ...]]
    changes: CoatlCorrectionLinks
    cards: tuple[PhotoCardView, ...]
    beside: tuple[str, ...]
    scored: ScoreView | None
    settled: bool  # nothing that its score depends on is in doubt
    best: str
    toggle: Callable[[str], str]

    @property
    def tallied(self) -> str:
        """The Cóatl with its cards, as a tally takes it; empty if it is none."""
        return ".".join((self.notation, *self.beside)) if self.scored is not None else ""


@dataclass(frozen=True, slots=True)
class ReadingView:
    """All that was seen."""

    sure: bool
    doubts: tuple[ShownProblem, ...]  # about nothing in particular
    coatls: tuple[PhotoCoatlView, ...]
    loose: tuple[PhotoCardView, ...]
    strays: str
    right: str  # the address on which all of it is right, if it was not sure
    missed: tuple[EditLink, ...]
    total: int
    shared: str

    @property
    def has_points(self) -> bool:
        """Whether a card was read or chosen, so that there is something to score."""
        return any(coatl.scored is not None and coatl.scored.rows for coatl in self.coatls)

    @property
    def settled(self) -> bool:
        """Whether nothing that a score depends on is in doubt."""
        return all(coatl.settled for coatl in self.coatls)

    @property
    def tallied(self) -> tuple[str, ...]:
        """The Cóatls with their cards, as a tally takes them."""
        return tuple(coatl.tallied for coatl in self.coatls if coatl.tallied)


def build_reading_view(links: PhotoLinks, language: Language) -> ReadingView:
    """Build what the page shows of a reading."""
    reading = links.session.reading
    coatls = tuple(
        _build_coatl_view(links, index, language) for index in range(len(reading.coatls))
    )
    scores = [coatl.scored for coatl in coatls if coatl.scored is not None]
    total = sum(one.total for one in scores)
    strays = [describe_piece(piece.colour, piece.kind, language) for piece in reading.loose_pieces]
    lines = [*(one.shared_text for one in scores), language.label("total", total=total)]
    return ReadingView(
        reading.sure,
        _describe_problems(
            (p for p in reading.problems if p.coatl is None and p.card is None), language
        ),
        coatls,
        tuple(_list_card_views(links, None, language)),
        language.label("read_strays", pieces=", ".join(strays)) if strays else "",
        "" if reading.sure or not reading.coatls else links.link(Confirm()),
        tuple(_list_missed_coatls(links)),
        total,
        "\n\n".join(lines),
    )


def _build_coatl_view(links: PhotoLinks, index: int, language: Language) -> PhotoCoatlView:
    reading, number = links.session.reading, index + 1

    def doubts_at(piece: int | None) -> tuple[ShownProblem, ...]:
        found = (p for p in reading.problems if (p.coatl, p.piece) == (index, piece))
        return _describe_problems(found, language)

    seen = reading.coatls[index]
    beside = reading.cards_beside(index)
    found = None
    if seen.coatl is not None:
        cards = [links.session.catalog[card] for card in beside]
        found = build_score_view(seen.coatl, cards, links.session.catalog, language)
    said = all(piece.corrected for piece in seen.pieces)
    how = "read_sure" if seen.sure else "read_unsure"
    return PhotoCoatlView(
        number,
        seen.notation,
        seen.sure,
        language.label("read_corrected")
        if said and seen.sure
        else language.label(how, percent=format_confidence(seen.confidence, language)),
        doubts_at(None),
        {place + 1: doubts for place in range(len(seen.pieces)) if (doubts := doubts_at(place))},
        build_correction_links(links, number),
        tuple(_list_card_views(links, index, language)),
        beside,
        found,
        is_score_settled(reading, index),
        links.set_cards(number, found.best) if found is not None else "",
        partial(links.toggle_card, number),
    )


def _describe_problems(
    problems: Iterable[ReadingProblem], language: Language
) -> tuple[ShownProblem, ...]:
    return tuple(
        ShownProblem(
            language.sentence(*problem.message),
            _describe_advice(problem, language),
            problem.serious,
        )
        for problem in problems
    )


def _describe_advice(problem: ReadingProblem, language: Language) -> str:
    key = _TERMINAL_ADVICE.get(problem.advice, problem.advice) if problem.advice else ""
    return language.sentence(key, {}) if key else ""


def _list_card_views(
    links: PhotoLinks, coatl: int | None, language: Language
) -> Iterable[PhotoCardView]:
    """List the cards that the photo shows beside a Cóatl, or beside none."""
    for index, card in enumerate(links.session.reading.cards):
        if card.outline and card.coatl == coatl:
            yield _build_photo_card(links, index, card, language)


def _build_photo_card(
    links: PhotoLinks, index: int, card: SeenCard, language: Language
) -> PhotoCardView:
    number, problems = index + 1, links.session.reading.problems
    candidates = [one for one in card.candidates[:_MAX_CANDIDATES] if one != card.id]
    places = [
        place
        for place in range(1, len(links.session.reading.coatls) + 1)
        if place - 1 != card.coatl or card.coatl is None
    ]
    likely = [(one, links.link(SetCard(number, one))) for one in candidates]
    near = [(place, links.link(SetCard(number, None, place))) for place in places]
    return PhotoCardView(
        number,
        card.id,
        _describe_problems((problem for problem in problems if problem.card == index), language),
        "" if card.sure else links.link(Confirm(card=number)),
        links.url(RemoveCard(number)),
        tuple((one, url) for one, url in likely if url),
        tuple((place, url) for place, url in near if url),
    )


def _list_missed_coatls(links: PhotoLinks) -> Iterable[EditLink]:
    """List links that add a Cóatl that was not seen, beginning with one piece."""
    for kind in (PieceKind.HEAD, PieceKind.BODY):
        for colour in Colour:
            shape = Coatl((colour,), head=kind is PieceKind.HEAD)
            if url := links.link(AddCoatl(shape)):
                yield EditLink(str(shape), url)
