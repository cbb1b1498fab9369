"""Whole tables as people lay them, as geometry only: players, their Cóatls, and the cards beside.

Everything is drawn from a seed: who lays cards in a row below or above a Cóatl, tucked under it,
in a fan or at its end. What a camera sees of it is a reading without doubts, but with outlines
that are a little off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.homography import map_points, to_outline
from coatl_tools.vision.reading import PhotoReading, SeenCard, SeenCoatl, SeenPiece

Points: TypeAlias = NDArray[np.float64]
Habit: TypeAlias = Literal["below", "above", "both", "tucked", "fan", "end"]
HABITS: tuple[Habit, ...] = get_args(Habit)
CARD = (63.0, 88.0)  # millimetres
PITCH, PIECE_WIDTH = 17.6, 21.0
PLAYERS_APART = 25.0  # millimetres around all that lies before one player
OUTLINE_ERROR = 0.8  # millimetres by which a corner of a card is off, as a rule
Seats: TypeAlias = Literal["sides", "round", "pairs"]
# Quarters from the near side of the table, against the clock, at which players sit.
SEATS: dict[Seats, dict[int, tuple[float, ...]]] = {
    "sides": {1: (0,), 2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)},
    "round": {1: (0,), 2: (0, 1.5), 3: (0, 4 / 3, 8 / 3), 4: (0.5, 1.5, 2.5, 3.5)},
    "pairs": {1: (0,), 2: (0, 0), 3: (0, 0, 2), 4: (0, 0, 2, 2)},
}
ELBOW_ROOM = 150.0  # millimetres between two players at the same side


@dataclass(frozen=True)
class LaidTable:
    """What was seen of a table, and the truth: the Cóatl of each card, the player of each Cóatl."""

    reading: PhotoReading
    owners: tuple[int | None, ...]  # of cards: Cóatls
    players: tuple[int, ...]  # of Cóatls
    habits: tuple[Habit, ...]  # of Cóatls: how their cards lie


@dataclass(frozen=True)
class _Lying:
    pieces: list[tuple[Points, Points]]  # centre and outline
    cards: list[Points]  # corners
    habit: Habit
    player: int


def lay_table(
    seed: int,
    players: int | None = None,
    habits: tuple[Habit, ...] = HABITS,
    tilts: tuple[float, float] = (0, 40),
    supply: bool = False,
    seats: Seats = "sides",
    careless: float = 0.0,
    turns: float = 12.0,
) -> LaidTable:
    """Lay a table and look at it; Cóatls from top to bottom, as a reader numbers them.

    With `supply`, six cards that nobody owns lie in the middle. Of the cards, the share `careless`
    is turned round, and as many are not read. The camera is turned by some degrees.
    """
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 5)) if players is None else players
    lying: list[_Lying] = []
    places = SEATS[seats][count]
    for player, side in enumerate(places):
        area = _lay_area(rng, player, habits)
        turn, away = _turn(90.0 * side), rng.uniform(120, 180)  # the Supply board is in the middle
        away += 130.0 * supply
        beside = 0.0
        if places.count(side) > 1:  # two players share this side
            left = side in places[:player]
            points = _list_points(area)[:, 0]
            beside = ELBOW_ROOM / 2 - points.min() if left else -ELBOW_ROOM / 2 - points.max()
        while _overlaps(
            moved := [_move(one, np.array([beside, away]), turn) for one in area], lying
        ):
            away += 30.0
        lying += moved
    if supply:
        spots = [((i % 3 - 1) * 68.0, (i // 3 - 0.5) * 94.0) for i in range(6)]
        lying.append(_Lying([], [_lay_card(rng, x, y) for x, y in spots], "both", -1))
    homography, size = _look(rng, lying, tilts, turns)
    return _see(rng, lying, homography, size, careless)


def _move(one: _Lying, shift: Points, turn: Points | None = None) -> _Lying:
    turn = np.eye(2) if turn is None else turn
    pieces = [((centre + shift) @ turn, (outline + shift) @ turn) for centre, outline in one.pieces]
    return replace(one, pieces=pieces, cards=[(corners + shift) @ turn for corners in one.cards])


def _list_points(lying: Sequence[_Lying]) -> Points:
    outlines = [outline for one in lying for _, outline in one.pieces]
    return np.vstack(outlines + [corners for one in lying for corners in one.cards])


def _overlaps(area: Sequence[_Lying], others: Sequence[_Lying]) -> bool:
    """Tell whether something before one player lies among what is before another."""
    hulls = [
        _hull(area),
        *(_hull([o for o in others if o.player == p]) for p in {o.player for o in others}),
    ]
    return any(cv2.intersectConvexConvex(hulls[0], other)[0] > 0 for other in hulls[1:])


def _hull(lying: Sequence[_Lying]) -> NDArray[np.float32]:
    points = _list_points(lying)
    middle = points.mean(axis=0)
    away = points - middle
    grown = middle + away * (1 + PLAYERS_APART / np.maximum(np.hypot(*away.T), 1))[:, None]
    return np.asarray(cv2.convexHull(grown.astype(np.float32)))


def _turn(degrees: float) -> Points:
    """Turn the near side of the table to the right one, the far one, the left one."""
    angle = math.radians(degrees)
    return np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])


def _lay_area(rng: Generator, player: int, habits: tuple[Habit, ...]) -> list[_Lying]:
    """Lay what is before one player, who sits below: y grows towards them."""
    habit = habits[int(rng.integers(len(habits)))]
    in_line = rng.random() < 0.35
    found: list[_Lying] = []
    left = top = 0.0
    for _ in range(int(rng.integers(2, 4))):
        own = habits[int(rng.integers(len(habits)))] if rng.random() < 0.15 else habit
        one = _lay_coatl(rng, own, player)
        points = _list_points([one])
        low, high = points.min(axis=0), points.max(axis=0)
        free = rng.uniform(18, 70)
        move = np.array([left - low[0], top - low[1]])
        if in_line:
            left += high[0] - low[0] + free
        else:
            top += high[1] - low[1] + free
            move[0] = -(low[0] + high[0]) / 2 + rng.uniform(-60, 60)
        found.append(_move(one, move))
    low, high = (_list_points(found)).min(axis=0), _list_points(found).max(axis=0)
    middle = np.array([(low[0] + high[0]) / 2, low[1]])
    return [_move(one, -middle) for one in found]


def _lay_coatl(rng: Generator, habit: Habit, player: int) -> _Lying:
    """Lay one Cóatl along x from 0, a little bent and turned, and its cards."""
    n, bend = int(rng.integers(3, 13)), rng.uniform(-0.05, 0.05)
    places, heading, at = [], rng.normal(0, 0.08), np.zeros(2)
    for _ in range(n):
        along = np.array([math.cos(heading), math.sin(heading)])
        across = np.array([-along[1], along[0]])
        box = [
            at + x * along + y * across
            for x, y in (
                (-PITCH * 0.55, -PIECE_WIDTH / 2),
                (PITCH * 0.55, -PIECE_WIDTH / 2),
                (PITCH * 0.55, PIECE_WIDTH / 2),
                (-PITCH * 0.55, PIECE_WIDTH / 2),
            )
        ]
        places.append((at, np.array(box)))
        at, heading = at + PITCH * along, heading + bend
    cards = _lay_cards(rng, habit, np.array([centre for centre, _ in places]))
    return _Lying(places, cards, habit, player)


def _lay_cards(rng: Generator, habit: Habit, centres: Points) -> list[Points]:
    count = int(rng.integers(1, 4 if habit == "end" else 6))
    wide, high = CARD
    low_edge = centres[:, 1].max() + PIECE_WIDTH / 2
    high_edge = centres[:, 1].min() - PIECE_WIDTH / 2
    middle = (centres[0, 0] + centres[-1, 0]) / 2 + rng.uniform(-25, 25)
    away, step = rng.uniform(4, 18), wide + rng.uniform(1, 12)
    fan = wide * rng.uniform(0.2, 0.55)
    spots = []
    for i in range(count):
        in_row = (i - (count - 1) / 2) * step
        if habit == "below":
            spots.append((middle + in_row, low_edge + away + high / 2))
        elif habit == "above":
            spots.append((middle + in_row, high_edge - away - high / 2))
        elif habit == "both":
            row = (i // 2 - (count - 1) / 4) * step
            y = low_edge + away + high / 2 if i % 2 else high_edge - away - high / 2
            spots.append((middle + row, y))
        elif habit == "tucked":
            x = np.clip(middle + in_row, centres[0, 0] - 80, centres[-1, 0] + 80)
            x = middle + in_row * min(1.0, (np.ptp(centres[:, 0]) + wide) / (count * step))
            near = centres[np.abs(centres[:, 0] - x).argmin(), 1]
            spots.append((x, near + high * rng.uniform(0.1, 0.45)))
        elif habit == "fan":
            spots.append((middle + (i - (count - 1) / 2) * fan, low_edge + away + high / 2))
        else:
            spots.append((centres[-1, 0] + PITCH + away + wide / 2 + i * step, centres[-1, 1]))
    return [_lay_card(rng, x, y) for x, y in spots]


def _lay_card(rng: Generator, x: float, y: float) -> Points:
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(CARD) / 2
    return np.asarray(half @ _turn(rng.normal(0, 3)) + (x, y) + rng.normal(0, 2, 2))


def _look(
    rng: Generator, lying: Sequence[_Lying], tilts: tuple[float, float], turns: float
) -> tuple[Points, tuple[int, int]]:
    """Choose a camera that sees the whole table: a homography to its pixels, and their size."""
    points = _list_points(lying)
    low, high = points.min(axis=0), points.max(axis=0)
    size = (4000, 3000) if high[0] - low[0] > high[1] - low[1] else (3000, 4000)
    centre, span = (low + high) / 2, float(np.hypot(*(high - low)))
    tilt, about = math.radians(rng.uniform(*tilts)), math.radians(rng.uniform(-turns, turns))
    turned = np.array(
        [(math.cos(about), -math.sin(about), 0), (math.sin(about), math.cos(about), 0), (0, 0, 1)]
    )
    lean = np.array(
        [(1, 0, 0), (0, math.cos(tilt), -math.sin(tilt)), (0, math.sin(tilt), math.cos(tilt))]
    )
    pose = lean @ turned
    move = np.eye(3)
    move[:2, 2] = -centre
    view = np.column_stack([pose[:, 0], pose[:, 1], (0.0, 0.0, 1.3 * span)]) @ move
    seen = map_points(points, view)
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = 0.94 * min(size[0] / (high[0] - low[0]), size[1] / (high[1] - low[1]))
    fit = np.diag([scale, scale, 1.0])
    fit[:2, 2] = np.array(size) / 2 - scale * (low + high) / 2
    return np.asarray(fit @ view), size


def _see(
    rng: Generator,
    lying: Sequence[_Lying],
    homography: Points,
    size: tuple[int, int],
    careless: float,
) -> LaidTable:
    mapped = []
    cards, owners = list[SeenCard](), list[int | None]()
    for one in lying:
        coatl = _see_coatl(rng, one, homography)
        outlines = [
            map_points(corners + rng.normal(0, OUTLINE_ERROR, (4, 2)), homography)
            for corners in one.cards
        ]
        mapped.append((coatl, outlines, one))
    mapped.sort(
        key=lambda entry: sum(p.centre[1] for p in entry[0].pieces) / max(1, len(entry[0].pieces))
    )
    mapped.sort(key=lambda entry: entry[2].player < 0)  # what nobody owns comes last
    for index, (_, outlines, one) in enumerate(mapped):
        for number, outline in enumerate(outlines, start=1):
            kind = "T" if number > MAX_PROPHECIES_PER_COATL else "P"
            card_id = f"{kind}{len(cards) % (49 if kind == 'P' else 15) + 1:02d}"
            turned, unread = rng.random(2) < careless if careless else (False, False)
            corners = to_outline(np.roll(outline, 2 * int(turned), axis=0))
            cards.append(SeenCard(None if unread else card_id, 0.99, corners, sure=not unread))
            owners.append(index if one.pieces else None)
    order = sorted(range(len(cards)), key=lambda i: sum(y for _, y in cards[i].outline))
    return LaidTable(
        PhotoReading(
            "table.jpg",
            size,
            tuple(coatl for coatl, _, one in mapped if one.pieces),
            cards=tuple(cards[i] for i in order),
        ),
        tuple(owners[i] for i in order),
        tuple(one.player for _, _, one in mapped if one.pieces),
        tuple(one.habit for _, _, one in mapped if one.pieces),
    )


def _mean_height(seen: SeenCoatl) -> float:
    """How far down a Cóatl lies; what nobody owns has no pieces, and comes last."""
    return float(np.mean([piece.centre[1] for piece in seen.pieces])) if seen.pieces else math.inf


def _see_coatl(rng: Generator, one: _Lying, homography: Points) -> SeenCoatl:
    pieces = []
    for place, (centre, outline) in enumerate(one.pieces):
        kind = PieceKind.HEAD if place == 0 else PieceKind.BODY
        kind = PieceKind.TAIL if place == len(one.pieces) - 1 else kind
        ((x, y),) = map_points(centre[None], homography)
        colour = Colour(int(rng.integers(5)))
        corners = to_outline(map_points(outline, homography))
        pieces.append(SeenPiece({colour: 1.0}, {kind: 1.0}, corners, (float(x), float(y))))
    return SeenCoatl(tuple(pieces), 1.0, 1.0, sure=True)
