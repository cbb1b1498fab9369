"""A tally judged: every Cóatl with its points, what cannot be and whom it concerns, who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, Phrase, PositionError
from coatl_tools.language import Language
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour
from coatl_tools.referee.presentation.result_text import (
    RankedSeat,
    describe_result,
    phrase_verdict,
    rank_all_seats,
)
from coatl_tools.referee.tally import score_tally
from coatl_tools.rules.components import ADAM_NAME, FEATHER_POINTS
from coatl_tools.rules.game import Game
from coatl_tools.rules.position_checks import check_coatls
from coatl_tools.rules.result import CoatlResult, GameResult, compute_coatl_result
from coatl_tools.rules.setup import new_game
from coatl_tools.web.scoreboard import Board, board, marker_colour
from coatl_tools.web.scored import Row, row
from coatl_tools.web.tallied import Draft, Seat, Written, built_by


@dataclass(frozen=True, slots=True)
class CoatlRow:
    """A Cóatl as it lies there; without `points` where something about it cannot be read."""

    number: int  # from 1
    written: Written
    complete: bool = False
    points: int | None = None
    full: int = 0  # what its cards are worth, were it complete
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A player: Cóatls, and why something cannot be."""

    seat: int  # from 0
    name: str
    colour: Colour
    coatls: tuple[CoatlRow, ...]
    golden: int
    wrong: tuple[str, ...] = ()
    points: int = 0

    @property
    def golden_points(self) -> int:
        """What the golden segments are worth (rule 10.3)."""
        return FEATHER_POINTS * self.golden


@dataclass(frozen=True, slots=True)
class Judged:
    """The whole tally. Unless it is `over`, somebody's Cóatls are still missing."""

    seats: tuple[Judgement, ...]
    wrong: tuple[str, ...] = ()  # about nobody in particular
    result: GameResult | None = None
    over: bool = False
    board: Board | None = None
    reasons: tuple[str, ...] = ()  # why the players rank as they do
    last: str = ""  # who has won
    shared: str = ""  # as text, for others

    @property
    def places(self) -> tuple[RankedSeat, ...]:
        """Everybody, A.D.A.M. too, the best first."""
        return tuple(rank_all_seats(self.result)) if self.result else ()


def judged(draft: Draft, catalog: Catalog, words: Language) -> Judged:
    """Everything that can be said of a draft; what is wrong is said, and raises nothing."""
    try:
        game = new_game(draft.options(), catalog).game
    except CoatlError as error:
        seats = tuple(_judgement(index, seat, None, words, catalog) for index, seat in _of(draft))
        return Judged(seats, (error.text(words.code),) if draft.seats else ())
    seats = tuple(_judgement(index, seat, game, words, catalog) for index, seat in _of(draft))
    begun = [any(coatl.written != Written() for coatl in seat.coatls) for seat in seats]
    if any(seat.wrong for seat in seats):
        return Judged(seats)
    try:
        found = score_tally(draft.table(catalog), catalog)
    except CoatlError as error:
        return _refused(error, seats, words)
    return _ranked(found, seats, all(begun), words) if any(begun) else Judged(seats)


def _of(draft: Draft) -> Iterator[tuple[int, Seat]]:
    return iter(enumerate(draft.seats))


def _judgement(
    index: int, seat: Seat, game: Game | None, words: Language, catalog: Catalog
) -> Judgement:
    """A player by himself: his Cóatls, whatever the others have."""
    coatls = tuple(
        _coatl(number, coatl, game, words, catalog)
        for number, coatl in enumerate(seat.coatls, start=1)
    )
    golden = seat.golden if game and game.options.golden_feathers else 0
    found = Judgement(index, seat.name, marker_colour(index), coatls, golden)
    if game is None:
        return found
    try:
        check_coatls(game, seat.name, built_by(seat, catalog))
    except CoatlError as error:
        return replace(found, wrong=(error.text(words.code),))
    return found


def _coatl(
    number: int, written: Written, game: Game | None, words: Language, catalog: Catalog
) -> CoatlRow:
    """A Cóatl with its points, though the rules may be against it."""
    try:
        built = written.built(catalog)
    except CoatlError:
        return CoatlRow(number, written)
    if game is None or not all(card in game.by_id for card in written.cards):
        return CoatlRow(number, written, built.complete)
    found: CoatlResult = compute_coatl_result(game, built)
    shape = parse_coatl(found.coatl)
    rows = tuple(row(score, shape, words) for score in found.cards)
    full = sum(score.points for score in found.cards)
    return CoatlRow(number, written, found.complete, found.points, full, rows)


def _refused(error: CoatlError, seats: tuple[Judgement, ...], words: Language) -> Judged:
    """What the box does not hold is said beside those who have it."""
    names = {str(name) for name in _named(error)} if isinstance(error, PositionError) else set()
    text = error.text(words.code)
    told = tuple(replace(seat, wrong=(text,)) if seat.name in names else seat for seat in seats)
    return Judged(told, () if names else (text,))


def _named(error: PositionError) -> Iterator[object]:
    """The players that an error speaks of."""
    seen = error.details.get("seen")
    phrases: list[Phrase] = [*seen] if isinstance(seen, list) else []
    if error.where:
        phrases.append(error.where)
    for _, details in phrases:
        inner = details.get("piece")
        place = inner[1] if isinstance(inner, tuple) else details  # “2× in Cóatl 1 of Ana”
        if "player" in place:
            yield place["player"]


def _ranked(found: GameResult, seats: tuple[Judgement, ...], over: bool, words: Language) -> Judged:
    told = tuple(
        replace(seat, points=player.points)
        for seat, player in zip(seats, found.players, strict=True)
    )
    scores = [(seat.name, seat.colour, seat.points) for seat in told]
    if found.adam:
        scores.append((ADAM_NAME, marker_colour(0, adam=True), found.adam.points))
    *reasons, last = (words.sentence(*phrase) for phrase in phrase_verdict(found, over))
    shared = "\n".join(describe_result(found, words.code, over))
    return Judged(told, (), found, over, board(scores), tuple(reasons), last, shared)


def gone(draft: Draft, catalog: Catalog, besides: Iterable[str] = ()) -> frozenset[str]:
    """The cards of which no copy is left, not counting those that lie here (rule 1.3)."""
    used = Counter(card for seat in draft.seats for coatl in seat.coatls for card in coatl.cards)
    used += Counter(draft.adam if draft.solo else ())
    used.subtract(besides)
    return frozenset(card.id for card in catalog if used[card.id] >= card.copies)


def fulfillable(draft: Draft, catalog: Catalog) -> tuple[Card, ...]:
    """The Prophecy cards that A.D.A.M. may have fulfilled."""
    return tuple(card for card in catalog.deck(draft.promo) if card.kind is CardKind.PROPHECY)
