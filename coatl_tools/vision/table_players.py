"""Decide whose each Cóatl is, from how the Cóatls and their cards lie on the table.

A player's Cóatls lie near each other, and the cards beside them face their player. So two Cóatls
are probably one player's if they, or others between them, lie near and face the same way. Of all
ways to share out the Cóatls, the likeliest wins (no more than three are a player's, rule 8.2).
Where another way is hardly less likely, nobody can tell, and it is asked.

Players are numbered clockwise, from the one at the near side of the photo. All distances are in
pitches on the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.homography import Points
from coatl_tools.vision.reading import PhotoReading, TableSide
from coatl_tools.vision.table_plane import TablePlane, estimate_table_plane

MAX_PLAYERS, MAX_COATLS = 4, 3  # at a table (rule 2); of a player (rule 8.2)
OPPOSITE_COST = 16.0  # pitches that it counts to face the opposite way
CARD_WEIGHT = 0.25  # of the facing of one card: now and then one is turned round
CARDS_ACROSS_COST, COATLS_ACROSS_COST = 10.0, 4.0  # pitches, for lying across each other
MIN_AXIS_LENGTH = 3.0  # pitches from end to end from which a Cóatl has a direction
SAME_ODDS, ODDS_FALL = 4.2, 0.5  # log-odds of one player at no distance, and less for each pitch
MAX_APART_ODDS = 6.0
TOO_MANY_COST = 5.0  # for each Cóatl of a player beyond the rule
NO_COATL_COST = 4.0  # for each player who has none
MAX_WAYS = 200  # that are compared
SURE_MARGIN = 2.2  # in log-odds, by which the next way must be less likely
MIN_SIDE_LEAD = 25.0  # degrees by which two players must sit apart to be told by their sides


@dataclass(frozen=True)
class Seating:
    """The likeliest player of each Cóatl (an index), and those who may own it too."""

    owners: tuple[int, ...]
    others: tuple[frozenset[int], ...]  # for each Cóatl
    turns: tuple[float, ...] = ()  # where each player sits: degrees clockwise from the near side
    order_known: bool = True  # it is clear who is the first, and who follows whom

    @property
    def sure_owners(self) -> tuple[int | None, ...]:
        """The player of each Cóatl where nobody else may own it."""
        both = zip(self.owners, self.others, strict=True)
        return tuple(None if others else owner for owner, others in both)

    def side(self, player: int) -> TableSide:
        """Return the side at which a player sits."""
        return TableSide(round(self.turns[player] / 90) % 4)


@dataclass(frozen=True, eq=False)
class _Lying:
    """A Cóatl with its cards on the table."""

    hull: NDArray[np.float32]
    middle: Points
    facing: Points  # the sum of the ways down its cards, each of the length 1
    axis: Points  # from head to tail, of the length 1; nothing if it is too short
    cards_axis: Points  # along the long sides of its cards, of the length 1; nothing without


def assign_players(reading: PhotoReading) -> PhotoReading:
    """Return a reading with the player of each Cóatl, where that is clear or a person said it."""
    owners = find_seating(reading).sure_owners
    coatls = (
        seen if seen.player_corrected else replace(seen, player=player)
        for seen, player in zip(reading.coatls, owners, strict=True)
    )
    return replace(reading, coatls=tuple(coatls))


def find_seating(
    reading: PhotoReading, count: int | None = None, sides: Sequence[TableSide] = ()
) -> Seating:
    """Find whose each Cóatl is; `count` players, if that is known, and where they sit.

    With sides, the players are numbered as these are.
    """
    there = _list_located(reading)
    everybody = frozenset(range(len(sides) or count or 1))
    if not there:
        unknown = (everybody,) * len(reading.coatls)
        return Seating((0,) * len(unknown), unknown, order_known=False)
    plane = estimate_table_plane(reading.coatls, reading.cards, reading.size)
    lying = [_locate_coatl(reading, plane, index) for index in there]
    ways = _find_likely_ways(_measure_odds(lying), len(sides) or count)
    best = ways[0][1]
    turns = [_find_turn(lying, best, player) for player in range(max(best) + 1)]
    order, known = _order_by_sides(turns, sides) if sides else _order_clockwise(turns)
    number = {player: place for place, player in enumerate(order)}
    everybody |= set(order)
    owners = [0] * len(reading.coatls)  # the others may be anybody's
    others = [everybody] * len(reading.coatls)
    likely = [_rename_like(way, best) for odds, way in ways if odds >= ways[0][0] - SURE_MARGIN]
    for place, coatl in enumerate(there):
        maybe = {number.get(way[place], len(number)) for way in likely}
        owners[coatl] = number[best[place]]
        if len(order) == len(everybody):  # otherwise somebody would have no Cóatl: hardly so
            others[coatl] = frozenset(maybe - {owners[coatl]})
    by_number = tuple(turns[player] for player in order)
    return Seating(tuple(owners), tuple(others), by_number, known)


def _list_located(reading: PhotoReading) -> list[int]:
    """List the Cóatls whose place tells whose they are: not what may be loose pieces."""
    with_cards = {card.coatl for card in reading.cards}
    return [
        index
        for index, seen in enumerate(reading.coatls)
        if any(piece.outline for piece in seen.pieces) and (seen.sure or index in with_cards)
    ]


def _locate_coatl(reading: PhotoReading, plane: TablePlane, index: int) -> _Lying:
    """Locate a Cóatl and its cards on the table."""
    pieces = [piece for piece in reading.coatls[index].pieces if piece.outline]
    centres = plane.map(np.array([piece.centre for piece in pieces]))
    points, facing, ways = [centres], np.zeros(2), []
    for card in reading.cards:
        if card.coatl != index or len(card.outline) < 3:
            continue
        corners = plane.map_outline(card.outline)
        points.append(corners)
        if len(corners) == 4:
            down = _find_long_side(corners)
            ways.append(down)
            if card.sure:  # then it is known which corner is its top left
                facing = facing + down
    along = centres[-1] - centres[0]
    length = float(np.hypot(*along))
    axis = along / length if length >= MIN_AXIS_LENGTH else np.zeros(2)
    hull = np.asarray(cv2.convexHull(np.vstack(points).astype(np.float32)), np.float32)
    middle = centres.mean(axis=0)
    return _Lying(hull.reshape(-1, 2), middle, facing, axis, _find_common_axis(ways))


def _find_long_side(corners: Points) -> Points:
    """Find the way along the long side of a card, down if its first corner is its top left."""
    down = corners[2] + corners[3] - corners[0] - corners[1]
    across = corners[1] + corners[2] - corners[0] - corners[3]
    longer = down if np.hypot(*down) >= np.hypot(*across) else across
    return np.asarray(longer / max(float(np.hypot(*longer)), 1e-6))


def _find_common_axis(ways: Sequence[Points]) -> Points:
    """Find the axis along which most of some ways run, to or fro, of the length 1."""
    doubled = sum(complex(*way) ** 2 for way in ways)
    if not abs(doubled):
        return np.zeros(2)
    half = doubled**0.5 / abs(doubled) ** 0.5
    return np.array([half.real, half.imag])


def _measure_odds(lying: Sequence[_Lying]) -> Points:
    """Measure for each two Cóatls how likely they are one player's, as log-odds."""
    count = len(lying)
    apart = np.zeros((count, count))
    for one, other in combinations(range(count), 2):
        apart[one, other] = apart[other, one] = _measure_distance(lying[one], lying[other])
    for middle in range(count):  # the widest step of the easiest way from one to the other
        over = np.maximum(apart[:, middle, None], apart[None, middle])
        apart = np.minimum(apart, over)
    return np.maximum(SAME_ODDS - ODDS_FALL * apart, -MAX_APART_ODDS)


def _measure_distance(one: _Lying, other: _Lying) -> float:
    """Measure how far apart two Cóatls lie, and how differently they face."""
    distance = _measure_gap(one.hull, other.hull)
    if one.cards_axis.any() and other.cards_axis.any():
        distance += CARDS_ACROSS_COST * _measure_sine(one.cards_axis, other.cards_axis)
    else:
        distance += COATLS_ACROSS_COST * _measure_sine(one.axis, other.axis)
    lengths = float(np.hypot(*one.facing)), float(np.hypot(*other.facing))
    if min(lengths) > 0:
        cosine = float(one.facing @ other.facing) / (lengths[0] * lengths[1])
        weight = min(1.0, CARD_WEIGHT * min(lengths))
        distance += weight * OPPOSITE_COST * max(-cosine, 0.0)
    return distance


def _measure_sine(one: Points, other: Points) -> float:
    return abs(float(one[0] * other[1] - one[1] * other[0]))


def _measure_gap(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Measure how far apart two hulls are; 0 if they overlap."""
    if len(one) > 2 and len(other) > 2 and cv2.intersectConvexConvex(one, other)[0] > 0:
        return 0.0
    gaps = []
    for points, hull in ((one, other), (other, one)):
        along = np.roll(hull, -1, axis=0) - hull
        away = points[:, None] - hull
        share = (away * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-9)
        rest = away - share.clip(0, 1)[..., None] * along
        gaps.append(float(np.hypot(*np.moveaxis(rest, 2, 0)).min()))
    return min(gaps)


def _find_likely_ways(odds: Points, count: int | None) -> list[tuple[float, tuple[int, ...]]]:
    """Find the likeliest ways to share out the Cóatls: their log-odds, the owner of each."""
    most = MAX_PLAYERS if count is None else count
    ways: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for coatl in range(len(odds)):
        longer = []
        for so_far, way in ways:
            for owner in range(min(max(way, default=-1) + 2, most)):
                own = [other for other, player in enumerate(way) if player == owner]
                gain = float(sum(odds[coatl, other] for other in own))
                cost = TOO_MANY_COST if len(own) >= MAX_COATLS else 0.0
                longer.append((so_far + gain - cost, (*way, owner)))
        ways = sorted(longer, reverse=True)[:MAX_WAYS]
    if count is not None:
        ways = [(sum_ - NO_COATL_COST * (count - 1 - max(way)), way) for sum_, way in ways]
    return sorted(ways, reverse=True)


def _rename_like(way: tuple[int, ...], best: tuple[int, ...]) -> tuple[int, ...]:
    """Rename the players of a way so that most Cóatls have the same owner as in the best one."""
    here, there = max(way) + 1, max(best) + 1
    names = range(max(here, there))
    shared = [[0] * len(names) for _ in names]
    for one, other in zip(way, best, strict=True):
        shared[one][other] += 1
    renamed = max(
        permutations(names), key=lambda order: sum(shared[i][name] for i, name in enumerate(order))
    )
    return tuple(renamed[owner] for owner in way)


def _find_turn(lying: Sequence[_Lying], owners: Sequence[int], player: int) -> float:
    """Find where a player sits: degrees clockwise from the near side.

    Cards tell it, and without them, where the Cóatls lie from the middle of the table.
    """
    centre = np.mean([one.middle for one in lying], axis=0)
    own = [one for one, owner in zip(lying, owners, strict=True) if owner == player]
    facing = np.sum([one.facing for one in own], axis=0)
    outward = np.mean([one.middle for one in own], axis=0) - centre
    distance = float(np.hypot(*outward))
    if distance > 0:
        facing = facing + outward / distance * min(1.0, distance / 4)
    return math.degrees(math.atan2(-facing[0], facing[1])) % 360 if facing.any() else 0.0


def _measure_turn_between(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


def _order_clockwise(turns: Sequence[float]) -> tuple[list[int], bool]:
    """Order players clockwise from the near side, and tell whether that order is clear."""
    order = sorted(range(len(turns)), key=lambda player: (turns[player] + 45) % 360)
    away = [_measure_turn_between(turn, 0) for turn in turns]
    first = min(range(len(turns)), key=away.__getitem__)
    start = order.index(first)
    order = order[start:] + order[:start]
    apart = [
        min(_measure_turn_between(turns[one], turns[other]), abs(away[one] - away[other]))
        if first in (one, other)
        else _measure_turn_between(turns[one], turns[other])
        for one, other in combinations(range(len(turns)), 2)
    ]
    return order, min(apart, default=180.0) >= MIN_SIDE_LEAD


def _order_by_sides(turns: Sequence[float], sides: Sequence[TableSide]) -> tuple[list[int], bool]:
    """Order players so that they sit at these sides, and tell whether they clearly do."""

    def measure_worst(order: Sequence[int]) -> float:
        places = zip(order, sides, strict=False)
        return max(_measure_turn_between(turns[one], 90.0 * side.value) for one, side in places)

    ways = sorted((measure_worst(order), order) for order in permutations(range(len(turns))))
    clear = len(ways) < 2 or ways[1][0] - ways[0][0] >= MIN_SIDE_LEAD
    return list(ways[0][1]), clear and len(turns) == len(sides) and ways[0][0] < 45
