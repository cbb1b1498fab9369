"""What lies where: Cóatls along curves, single pieces, what lies under, beside and over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour, PieceKind
from training.boards import RenderedBoard, render_boards
from training.clutter import ClutterItem, random_clutter
from training.conditions import Conditions
from training.covers import random_cover
from training.flat_things import random_flat_thing
from training.table_cards import CardDrawer, lay_cards_beside

Points = NDArray[np.float64]
APART, SINGLE_APART = 9.0, 6.0  # millimetres between Cóatls, and around single pieces
TOUCHING_APART = 2.5  # millimetres between outlines
TOUCHING_TRIES = 25
CARDS_SHARE, ONLY_CARDS_SHARE, ALL_CARDS_SHARE = 0.6, 0.1, 0.75  # with cards; no Cóatl; all in view
LOOSE_ROW_SHARE = 0.15  # shares of photos with single pieces in a row
MIN_ROW_PITCHES, MAX_ROW_PITCHES = 1.5, 2.2  # pitches from one such piece to the next
EMPTY_BOARD_SHARE = 0.3  # of the boards lie in a photo without any Cóatl


@dataclass(frozen=True)
class ScenePlan:
    """What shall lie where, and the points that the camera should have in its picture.

    Things of `under` lie below the pieces, `clutter` beside them, `covers` over them.
    """

    chains: list[tuple[PlannedCoatl, float, float]]
    under: list[ClutterItem]
    clutter: list[ClutterItem]
    covers: list[ClutterItem]
    points: Points
    bounds: tuple[float, float, float, float]


def random_plan(
    rng: np.random.Generator,
    pitch: float,
    high: float,
    conditions: Conditions,
    draw_card: CardDrawer,
) -> ScenePlan:
    """Cóatls, perhaps single pieces, and perhaps more below, beside and over them.

    `pitch` and `high` are millimetres: from a piece to the next, and the height of a piece.
    """
    pile = _Pile(rng, pitch, conditions.touching)
    under: list[ClutterItem] = []
    on_board = conditions.on_board
    only_cards = not on_board and rng.random() < ONLY_CARDS_SHARE
    cards: list[ClutterItem] = []
    if only_cards:
        cards = _lay_published_cards(rng, pile, draw_card)
        pile.outlines += [card.outline for card in cards]
    elif not (on_board and rng.random() < EMPTY_BOARD_SHARE):
        count = int(rng.choice([1, 1, 1, 2, 2, 3, 4]))
        for _ in range(count):
            pile.place(int(rng.integers(2, 15 if count == 1 else 9)), 60, APART)
        if conditions.on_cards:
            under += _lay_flat_things(rng, pile)
    if on_board:
        under.append(pile.place_board(render_boards()))
    if not only_cards and rng.random() < CARDS_SHARE:
        cards = _lay_published_cards(rng, pile, draw_card)
    main = np.concatenate(pile.outlines)
    if cards and rng.random() < ALL_CARDS_SHARE:
        main = np.concatenate([main, *(card.outline for card in cards)])
    under += cards
    for _ in range(int(rng.choice([0, 0, 1, 2, 4]))):
        pile.place(1, 110, SINGLE_APART)
    if rng.random() < LOOSE_ROW_SHARE:
        pile.place_row()
    covers = []
    if conditions.covered:
        covers = [_cover_some(rng, pile, high) for _ in range(int(rng.choice([1, 1, 1, 2])))]
    clutter = random_clutter(rng, pile.outlines) if conditions.clutter else []
    everything = np.concatenate([*pile.outlines, *(c.outline for c in (*clutter, *under))])
    left, low = np.maximum(everything.min(axis=0) - 20, main.min(axis=0) - 130)
    right, top = np.minimum(everything.max(axis=0) + 20, main.max(axis=0) + 130)
    points = np.concatenate([main, main])
    heights = np.repeat([0.0, high], len(main))
    return ScenePlan(
        pile.chains,
        under,
        clutter,
        covers,
        np.column_stack([points, heights]),
        (left, low, right, top),
    )


class _Pile:
    """The Cóatls and single pieces that were placed so far."""

    def __init__(self, rng: np.random.Generator, pitch: float, touching: bool) -> None:
        self.rng, self.pitch, self.touching = rng, pitch, touching
        self.chains: list[tuple[PlannedCoatl, float, float]] = []
        self.outlines: list[Points] = []

    def place(self, length: int, reach: float, apart: float) -> None:
        """Place a Cóatl where there is room; if they shall touch, where it is nearest."""
        rng, best = self.rng, float("inf")
        chosen = None
        side = 10.5 if self.touching else 13.0
        for attempt in range(30):
            chain = random_coatl(rng, length, self.pitch)
            spread = reach + 6 * attempt
            x, y = (0.0, 0.0) if not self.chains else rng.normal(0, spread, 2)
            outline = _outline_coatl(chain, self.pitch, x, y, side)
            near = self._measure_distance(outline)
            if near > (TOUCHING_APART if self.touching else apart) and near < best:
                best, chosen = near, (chain, x, y, outline)
                if not self.touching or not self.chains or attempt > TOUCHING_TRIES:
                    break
        if chosen:
            self.chains.append(chosen[:3])
            self.outlines.append(chosen[3])

    def place_row(self) -> None:
        """Place single pieces in a row, as if they were joined; but they are not."""
        rng, count = self.rng, int(self.rng.integers(2, 6))
        turn = rng.uniform(0, 2 * np.pi)
        ahead = np.array([np.cos(turn), np.sin(turn)])
        start = rng.normal(0, 110, 2)
        for _ in range(count):
            angle = turn + rng.normal(0, 0.1) + rng.choice([0, 0, np.pi])
            self._place_single(start[0], start[1], angle, SINGLE_APART / 2)
            start = start + ahead * self.pitch * rng.uniform(MIN_ROW_PITCHES, MAX_ROW_PITCHES)

    def place_board(self, boards: tuple[RenderedBoard, ...]) -> ClutterItem:
        """Place a board with loose pieces on its fields."""
        rng = self.rng
        board = boards[int(rng.integers(len(boards)))]
        reach = np.array([0.0, 0.0])
        if self.outlines:
            around = np.concatenate(self.outlines)
            away = rng.uniform(0, 2 * np.pi)
            extent = float(np.hypot(*np.ptp(around, axis=0))) / 2
            reach = around.mean(axis=0) + (extent * rng.uniform(0.4, 1) + 60) * np.array(
                [np.cos(away), np.sin(away)]
            )
        turn = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.3))
        cos, sin = np.cos(turn), np.sin(turn)
        filled = rng.uniform(0.3, 1)
        for field in board.fields:
            if rng.random() > filled:
                continue
            spots: tuple[float, ...] = (0.0,)
            if field.pieces == 2 and rng.random() < 0.6:
                half = self.pitch * rng.uniform(MIN_ROW_PITCHES, 1.8) / 2
                spots = (-half, half)
            for along in spots:
                x = field.x + along * np.cos(field.turn) + rng.normal(0, 1.5)
                y = field.y + along * np.sin(field.turn) + rng.normal(0, 1.5)
                angle = turn + field.turn + rng.normal(0, 0.12) + rng.choice([0, np.pi])
                if rng.random() < 0.15:
                    angle = rng.uniform(0, 2 * np.pi)
                self._place_single(
                    reach[0] + x * cos - y * sin, reach[1] + x * sin + y * cos, angle, 2.0
                )
        if not self.outlines:  # an empty board: the camera looks at it all the same
            self.outlines.append(
                ClutterItem(
                    board.heights, board.colours, board.scale, reach[0], reach[1], turn
                ).outline
            )
        return ClutterItem(board.heights, board.colours, board.scale, reach[0], reach[1], turn)

    def _place_single(self, x: float, y: float, angle: float, apart: float) -> None:
        chain = random_coatl(self.rng, 1, self.pitch)
        curve = chain.way
        chain = PlannedCoatl(
            chain.kinds, chain.colours, CoatlCurve.make_straight(angle, len(curve.points))
        )
        outline = _outline_coatl(chain, self.pitch, x, y, 10.5, 13.5)
        if self._measure_distance(outline) > apart:
            self.chains.append((chain, x, y))
            self.outlines.append(outline)

    def _measure_distance(self, outline: Points) -> float:
        return min(
            (
                float(np.hypot(*(outline[:, None] - other[None]).transpose(2, 0, 1)).min())
                for other in self.outlines
            ),
            default=1e9,
        )


def _outline_coatl(
    chain: PlannedCoatl, pitch: float, x: float, y: float, side: float = 13.0, end: float = 26.0
) -> Points:
    along = np.arange(-end, (len(chain.kinds) - 1) * pitch + end + 1, 4)
    places = [chain.way.at(s, across) for s in along for across in (-side, 0, side)]
    return np.asarray(np.array(places) + np.array([x, y]))


def _pick_place(rng: np.random.Generator, pile: _Pile, side: float) -> tuple[float, float, float]:
    """Pick a place near a line of pieces, and the angle of the line there."""
    chain, x, y = pile.chains[int(rng.integers(len(pile.chains)))]
    last = (len(chain.kinds) - 1) * pile.pitch
    along = float(rng.uniform(-0.5 * pile.pitch, last + 0.5 * pile.pitch))
    if rng.random() < 0.4:  # an end
        along = float(rng.choice([0, last]) + rng.normal(0, 0.5) * pile.pitch)
    dx, dy = chain.way.at(along, side)
    ahead = chain.way.at(along + 4), chain.way.at(along - 4)
    angle = np.arctan2(ahead[0][1] - ahead[1][1], ahead[0][0] - ahead[1][0])
    return x + dx, y + dy, float(angle)


def _lay_flat_things(rng: np.random.Generator, pile: _Pile) -> list[ClutterItem]:
    """Lay cards and sheets under the pieces, or half under them."""
    things = []
    for _ in range(int(rng.integers(1, 5))):
        heights, colours, scale = random_flat_thing(rng)
        half = heights.shape[0] / scale / 2
        x, y, angle = _pick_place(rng, pile, float(rng.uniform(-1.1, 1.1)) * half)
        turn = angle + float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.25))
        if rng.random() < 0.2:
            turn = float(rng.uniform(0, 2 * np.pi))
        things.append(ClutterItem(heights, colours, scale, x, y, turn))
    return things


def _lay_published_cards(
    rng: np.random.Generator, pile: _Pile, draw_card: CardDrawer
) -> list[ClutterItem]:
    """Lay published cards beside the Cóatls and under them, or where none is."""
    cards: list[ClutterItem] = []
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        x, y, angle = *rng.normal(0, 60, 2), rng.uniform(0, 2 * np.pi)
        if pile.chains:
            x, y, angle = _pick_place(rng, pile, 0.0)
        cards += lay_cards_beside(rng, float(x), float(y), float(angle), len(cards), draw_card)
    return cards


def _cover_some(rng: np.random.Generator, pile: _Pile, high: float) -> ClutterItem:
    """Cover some pieces with a hand, a sleeve, or something else."""
    if not pile.chains:
        x, y, angle = 0.0, 0.0, 0.0
    else:
        x, y, angle = _pick_place(rng, pile, float(rng.normal(0, 7)))
    heights, colours, scale = random_cover(rng, high)
    turn = angle + float(rng.choice([-1, 1])) * np.pi / 2 + float(rng.normal(0, 0.6))
    if rng.random() < 0.3:
        turn = float(rng.uniform(0, 2 * np.pi))
    return ClutterItem(heights, colours, scale, x, y, turn)


@dataclass(frozen=True)
class CoatlCurve:
    """The centre line of a Cóatl: a point and an angle for each half millimetre."""

    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    begin: float

    @classmethod
    def make_straight(cls, angle: float, count: int) -> CoatlCurve:
        """Make the line of a single piece."""
        steps = (np.arange(count) - count // 2)[:, None] * 0.5
        points = steps * np.array([np.cos(angle), np.sin(angle)])
        return cls(points, np.full(count, angle), -36.0)

    def at(self, along: float, across: float = 0) -> tuple[float, float]:
        """Return a place beside the line."""
        i = min(max(round((along - self.begin) * 2), 0), len(self.points) - 1)
        (x, y), angle = self.points[i], self.angles[i]
        return float(x - across * np.sin(angle)), float(y + across * np.cos(angle))


def random_curve(rng: np.random.Generator, count: int, pitch: float) -> CoatlCurve:
    """Straight, an arc, or winding."""
    begin, end = -36.0, (count - 1) * pitch + 36.0
    along = np.arange(begin, end, 0.5)
    style, turn = rng.random(), np.radians(rng.uniform(1, 13))
    if style < 0.3:
        bend = np.zeros_like(along)
    elif style < 0.65:
        bend = np.full_like(along, min(turn, np.radians(130) / count) * rng.choice([-1, 1]))
    else:
        length, phase = rng.uniform(4, 10) * pitch, rng.uniform(0, 2 * np.pi)
        bend = turn * np.sin(2 * np.pi * along / length + phase)
    angles = np.cumsum(bend / pitch) * 0.5
    angles += rng.uniform(0, 2 * np.pi) - angles[len(angles) // 2]
    points = np.cumsum(np.stack([np.cos(angles), np.sin(angles)], axis=1), axis=0) * 0.5
    return CoatlCurve(points - points[len(points) // 2], angles, begin)


@dataclass(frozen=True)
class PlannedCoatl:
    """A Cóatl, or a single piece, before it is laid."""

    kinds: list[PieceKind]
    colours: list[Colour]
    way: CoatlCurve


def random_coatl(rng: np.random.Generator, count: int, pitch: float) -> PlannedCoatl:
    """Kinds and colours at random, neighbours often alike."""
    if count == 1:
        kinds = [PieceKind(str(rng.choice(["body", "body", "head", "tail"])))]
    else:
        kinds = [PieceKind.BODY] * count
        if rng.random() < 0.75:
            kinds[0] = PieceKind.HEAD
        if rng.random() < 0.75 and (count > 2 or kinds[0] is PieceKind.BODY):
            kinds[-1] = PieceKind.TAIL
    palette = rng.permutation(5)[: int(rng.integers(1, 6))]
    colours = [Colour(int(rng.choice(palette)))]
    alike = rng.choice([0.1, 0.4, 0.7])
    while len(colours) < count:
        colours.append(colours[-1] if rng.random() < alike else Colour(int(rng.choice(palette))))
    return PlannedCoatl(kinds, colours, random_curve(rng, count, pitch))
