"""The result of a tally as its page shows it: points, errors, ranking, and the scoreboard as a
drawing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError
from coatl_tools.files.data_paths import Edition
from coatl_tools.language import Language
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour
from coatl_tools.referee.presentation.result_text import (
    RankedSeat,
    describe_result,
    phrase_verdict,
    rank_all_seats,
)
from coatl_tools.referee.tally import find_players_in_error, score_tally
from coatl_tools.rules.constants import ADAM_NAME, FEATHER_POINTS
from coatl_tools.rules.game import Game
from coatl_tools.rules.position.position_checks import check_coatls
from coatl_tools.rules.result import CoatlResult, GameResult, compute_coatl_result
from coatl_tools.rules.setup import new_game
from coatl_tools.scoring.score import LAST_SCOREBOARD_POSITION, locate_on_scoreboard
from coatl_tools.web.pages.score import ScoredCardView, build_card_view
from coatl_tools.web.pages.tally.tally_url import (
    DraftSeat,
    TallyDraft,
    WrittenCoatl,
    build_seat_coatls,
)

BOARD_COLUMNS = 10
CELL_SIZE = 40  # units of the drawing
START_HEIGHT = 34  # height of the place where everybody begins
# so that every marker is told by its shape too; the shape of a colour is the same everywhere
MARKER_COLOURS = (Colour.R, Colour.B, Colour.G, Colour.Y)
ADAM_COLOUR = Colour.K
_MARKER_SHIFTS = {
    1: ((0.0, 0.0),),
    2: ((-7.0, -7.0), (7.0, 7.0)),
    3: ((-9.0, -8.0), (9.0, -8.0), (0.0, 9.0)),
    4: ((-9.0, -9.0), (9.0, -9.0), (-9.0, 9.0), (9.0, 9.0)),
}
_MARKER_SIZES = {1: 1.0, 2: 0.8, 3: 0.6, 4: 0.6}


@dataclass(frozen=True, slots=True)
class DrawnTrackCell:
    """A cell of the track, by its upper left corner."""

    number: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ScoreMarker:
    """A player's marker: its centre, and its size."""

    name: str
    colour: Colour
    points: int
    tokens: int
    position: int
    x: float
    y: float
    size: float

    @property
    def initial(self) -> str:
        """The letter on the marker."""
        return self.name[:1].upper()[:1]


@dataclass(frozen=True, slots=True)
class ScoreboardDrawing:
    """The scoreboard with all markers."""

    cells: tuple[DrawnTrackCell, ...]
    markers: tuple[ScoreMarker, ...]
    width: int = BOARD_COLUMNS * CELL_SIZE
    height: int = START_HEIGHT + LAST_SCOREBOARD_POSITION // BOARD_COLUMNS * CELL_SIZE


def choose_marker_colour(seat: int) -> Colour:
    """Choose the colour, and so the shape, of a player's marker."""
    return MARKER_COLOURS[seat % len(MARKER_COLOURS)]


def build_scoreboard_drawing(scores: Sequence[tuple[str, Colour, int]]) -> ScoreboardDrawing:
    """Draw the scoreboard with all markers (rule 5.3), side by side where they share a cell."""
    found = [
        (name, colour, points, *locate_on_scoreboard(points)) for name, colour, points in scores
    ]
    together = Counter(position for *_, position in found)
    placed: Counter[int] = Counter()
    markers = []
    for name, colour, points, tokens, position in found:
        x, y, size = _marker_centre(position, placed[position], together[position])
        placed[position] += 1
        markers.append(ScoreMarker(name, colour, points, tokens, position, x, y, size))
    cells = tuple(
        DrawnTrackCell(number, *_cell_corner(number))
        for number in range(1, LAST_SCOREBOARD_POSITION + 1)
    )
    return ScoreboardDrawing(cells, tuple(markers))


def _cell_corner(number: int) -> tuple[int, int]:
    """Return the corner of a cell; rows run right and left alternately."""
    row, column = divmod(number - 1, BOARD_COLUMNS)
    return CELL_SIZE * (
        BOARD_COLUMNS - 1 - column if row % 2 else column
    ), START_HEIGHT + CELL_SIZE * row


def _marker_centre(position: int, number: int, together: int) -> tuple[float, float, float]:
    """Return the centre and size of a marker; at the start all fit side by side."""
    if position == 0:
        return CELL_SIZE * (number + 0.5), START_HEIGHT / 2, 1.0
    x, y = _cell_corner(position)
    dx, dy = _MARKER_SHIFTS[together][number]
    return x + CELL_SIZE / 2 + dx, y + CELL_SIZE / 2 + dy, _MARKER_SIZES[together]


@dataclass(frozen=True, slots=True)
class TallyCoatlView:
    """A Cóatl of a player; `points` is None where it cannot be read."""

    number: int  # from 1
    written: WrittenCoatl
    complete: bool = False
    points: int | None = None
    full: int = 0  # what its cards are worth, were it complete
    rows: tuple[ScoredCardView, ...] = ()


@dataclass(frozen=True, slots=True)
class TallySeatView:
    """A player with their Cóatls, and the errors in them."""

    seat: int  # from 0
    name: str
    colour: Colour
    coatls: tuple[TallyCoatlView, ...]
    golden: int
    errors: tuple[str, ...] = ()
    points: int = 0

    @property
    def golden_points(self) -> int:
        """What the golden segments are worth (rule 10.3)."""
        return FEATHER_POINTS * self.golden


@dataclass(frozen=True, slots=True)
class TallyView:
    """The whole tally. Unless it `is_complete`, somebody's Cóatls are still missing."""

    seats: tuple[TallySeatView, ...]
    errors: tuple[str, ...] = ()  # about nobody in particular
    result: GameResult | None = None
    is_complete: bool = False
    board: ScoreboardDrawing | None = None
    reasons: tuple[str, ...] = ()  # why the players rank as they do
    winner_text: str = ""  # who has won
    shared_text: str = ""  # the result as text, to send to others

    @property
    def ranking(self) -> tuple[RankedSeat, ...]:
        """Everybody, A.D.A.M. too, the best first."""
        return tuple(rank_all_seats(self.result)) if self.result else ()


def build_tally_view(draft: TallyDraft, catalog: Catalog, language: Language) -> TallyView:
    """Build all that the page shows about a draft; errors are shown, never raised."""
    game, wrong = None, ""
    try:
        game = new_game(draft.make_options(), catalog).game
    except CoatlError as error:
        wrong = error.text(language.code)
    seats = tuple(
        _build_seat_view(index, seat, game, language, catalog)
        for index, seat in enumerate(draft.seats)
    )
    if game is None:
        return TallyView(seats, (wrong,) if seats else ())
    begun = [any(coatl.written != WrittenCoatl() for coatl in seat.coatls) for seat in seats]
    if any(seat.errors for seat in seats):
        return TallyView(seats)
    try:
        found = score_tally(draft.make_tally(catalog), catalog)
    except CoatlError as error:
        return _view_with_error(error, seats, language)
    if not any(begun):
        return TallyView(seats)
    return _view_with_ranking(found, seats, all(begun), game.options.edition, language)


def _build_seat_view(
    index: int, seat: DraftSeat, game: Game | None, language: Language, catalog: Catalog
) -> TallySeatView:
    """Build the view of one player, whatever the others have."""
    coatls = tuple(
        _build_coatl_view(number, coatl, game, language, catalog)
        for number, coatl in enumerate(seat.coatls, start=1)
    )
    golden = seat.golden if game and game.options.golden_feathers else 0
    found = TallySeatView(index, seat.name, choose_marker_colour(index), coatls, golden)
    if game is None:
        return found
    try:
        check_coatls(game, seat.name, build_seat_coatls(seat, catalog))
    except CoatlError as error:
        return replace(found, errors=(error.text(language.code),))
    return found


def _build_coatl_view(
    number: int, written: WrittenCoatl, game: Game | None, language: Language, catalog: Catalog
) -> TallyCoatlView:
    """Build the view of a Cóatl with its points, even if the rules forbid it."""
    try:
        built = written.build(catalog)
    except CoatlError:
        return TallyCoatlView(number, written)
    if game is None or not all(card in game.by_id for card in written.cards):
        return TallyCoatlView(number, written, built.complete)
    found: CoatlResult = compute_coatl_result(game, built)
    shape = parse_coatl(found.coatl)
    rows = tuple(build_card_view(score, shape, language) for score in found.cards)
    full = sum(score.points for score in found.cards)
    return TallyCoatlView(number, written, found.complete, found.points, full, rows)


def _view_with_error(
    error: CoatlError, seats: tuple[TallySeatView, ...], language: Language
) -> TallyView:
    """Make the view with an error beside the players it is about, else above all."""
    names = find_players_in_error(error)
    text = error.text(language.code)
    told = tuple(replace(seat, errors=(text,)) if seat.name in names else seat for seat in seats)
    return TallyView(told, () if names else (text,))


def _view_with_ranking(
    found: GameResult,
    seats: tuple[TallySeatView, ...],
    over: bool,
    edition: Edition,
    language: Language,
) -> TallyView:
    told = tuple(
        replace(seat, points=player.points)
        for seat, player in zip(seats, found.players, strict=True)
    )
    scores = [(seat.name, seat.colour, seat.points) for seat in told]
    if found.adam:
        scores.append((ADAM_NAME, ADAM_COLOUR, found.adam.points))
    *reasons, last = (language.sentence(*phrase) for phrase in phrase_verdict(found, over))
    played = language.label("edition_played", edition=edition)
    shared = "\n".join([played, *describe_result(found, language.code, over)])
    return TallyView(
        told, (), found, over, build_scoreboard_drawing(scores), tuple(reasons), last, shared
    )


def find_used_up_cards(
    draft: TallyDraft, catalog: Catalog, besides: Iterable[str] = ()
) -> frozenset[str]:
    """Find the cards of which no copy is left (rule 1.3), not counting those in `besides`."""
    used = Counter(card for seat in draft.seats for coatl in seat.coatls for card in coatl.cards)
    used += Counter(draft.adam if draft.solo else ())
    used.subtract(besides)
    return frozenset(card.id for card in catalog if used[card.id] >= card.copies)
