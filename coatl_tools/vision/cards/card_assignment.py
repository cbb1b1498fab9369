"""Decide at which Cóatl each card lies, from how they lie on the table.

People lay cards in a row beside a Cóatl, half under it, in a fan, or at its end, so the nearest
Cóatl may be a neighbour's. Each card prefers a near Cóatl, and cards that lie side by side prefer
to be at the same one. Of all ways that the rules allow, the one with the lowest cost wins. Where
another way costs hardly more, nobody can tell, and that is said.

All distances are in widths of the card, so they mean the same near the camera and far from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, CardKind
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.vision.homography import Points
from coatl_tools.vision.mat import SeenMat
from coatl_tools.vision.reading import ReadingProblem, SeenCard, SeenCoatl

CARD_SHAPE = 88 / 63  # its height by its width
NEAREST = 3  # Cóatls that a card may lie at
MAX_WAYS = 200  # that are compared for one group of cards
UNDER_GAIN = 0.5  # for a card that lies under a Cóatl
AXIS_WEIGHT = 0.25  # of how far the middle of a card lies from the pieces of a Cóatl
NEAR_GAP, FAR_WEIGHT = 0.8, 0.2  # beyond it, how far away a Cóatl is counts less
APART_COST = 1.6  # to lie at no Cóatl
ROW_GAP = 0.25  # from one card to the next in a row, at most
ROW_FALL = 0.2  # of the cost to part them, where they lie so far apart
ROW_COST, FAN_COST = 1.8, 2.0  # to lie elsewhere than the next card, or than one that it covers
MIN_FAN_OVERLAP = 0.1  # of a card, that the next one covers
MAX_ROW_TURN = 25.0  # degrees between cards of a row
AGAINST_RULES_COST = 1.5  # for each card that no rule allows there
SURE_MARGIN = 0.3  # by which the next best way must cost more
MOST_TEMPLES = 1  # at one Cóatl (rule 3.11)
NOWHERE = -1  # the place of a card that lies at no Cóatl


def _cross(one: Points, other: Points) -> Points:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


@dataclass(frozen=True, eq=False)
class _LyingCard:
    """A card on the table: its corners, middle and width, and how its long side is turned."""

    corners: Points
    middle: Points
    width: float
    turn: float  # degrees, 0 to 180

    def contains(self, point: Points) -> bool:
        """Tell whether a point lies on the card."""
        at = float(point[0]), float(point[1])
        return cv2.pointPolygonTest(self.corners.astype(np.float32), at, False) >= 0

    def measure_gap(self, points: Points) -> float:
        """Measure how far the nearest of some points is, in widths; 0 if one lies on the card."""
        begin = self.corners
        along = np.roll(begin, -1, axis=0) - begin
        away = points[:, None] - begin
        length = np.maximum((along**2).sum(axis=1), 1e-9)
        share = ((away * along).sum(axis=2) / length).clip(0, 1)
        nearest = np.hypot(*np.moveaxis(away - share[..., None] * along, 2, 0)).min(axis=1)
        inside = _cross(along, away) >= 0
        on = (inside == inside[:, :1]).all(axis=1)
        return 0.0 if on.any() else float(nearest.min()) / self.width

    @classmethod
    def locate(cls, card: SeenCard) -> _LyingCard:
        corners = np.asarray(cv2.convexHull(np.array(card.outline, np.float32)), float)
        corners = corners.reshape(-1, 2)
        area = max(float(cv2.contourArea(corners.astype(np.float32))), 1.0)
        _, (one, other), angle = cv2.minAreaRect(corners.astype(np.float32))
        turn = (angle + 90 * (other > one)) % 180
        return cls(corners, corners.mean(axis=0), (area / CARD_SHAPE) ** 0.5, turn)


def assign_cards(
    cards: Sequence[SeenCard],
    coatls: Sequence[SeenCoatl],
    mats: Sequence[SeenMat] = (),
    catalog: Catalog | None = None,
) -> tuple[tuple[SeenCard, ...], tuple[ReadingProblem, ...]]:
    """Assign each card to a Cóatl (index), with a problem where it may lie at another one.

    On a mat, a card belongs to the Cóatl in the lane of that mat, if there is one. A card far from
    all of several Cóatls belongs to none.
    """
    if not coatls:
        return tuple(cards), ()
    lying = [_LyingCard.locate(card) for card in cards]
    costs = _measure_costs(lying, coatls, mats)
    rows = _find_rows(lying)
    taken: dict[int, list[SeenCard]] = {place: [] for place in range(len(coatls))}
    found: dict[int, tuple[int, int | None]] = {}
    for group in sorted(_group_cards(rows), key=lambda g: min(min(costs[i].values()) for i in g)):
        ways = _find_best_ways(group, cards, costs, rows, _Rules(taken, catalog))
        least, best = ways[0]
        for number, index in enumerate(group):
            rivals = [way[number] for cost, way in ways if cost < least + SURE_MARGIN]
            rival = next((place for place in rivals if place != best[number]), None)
            found[index] = best[number], rival
            if best[number] != NOWHERE:
                taken[best[number]].append(cards[index])
    assigned, problems = [], []
    for index, card in enumerate(cards):
        place, rival = found[index]
        assigned.append(replace(card, coatl=None if place == NOWHERE else place))
        if place == NOWHERE or rival is not None:
            problems.append(_make_problem(index, place, rival))
    return tuple(assigned), tuple(problems)


def _make_problem(index: int, place: int, rival: int | None) -> ReadingProblem:
    """Make the problem of a card that may lie at two Cóatls, or at none."""
    places = sorted(one for one in (place, rival) if one is not None and one != NOWHERE)
    if not places:  # nobody would count it, so it is only told
        return ReadingProblem("card_apart", ("photo.card_apart", {}), card=index, serious=False)
    phrase: Phrase = ("photo.card_far", {"coatl": places[0] + 1})
    if len(places) > 1:
        phrase = ("photo.card_between", {"first": places[0] + 1, "second": places[1] + 1})
    return ReadingProblem("card_between", phrase, "photo.move_card", card=index)


def _measure_costs(
    lying: Sequence[_LyingCard], coatls: Sequence[SeenCoatl], mats: Sequence[SeenMat]
) -> list[dict[int, float]]:
    """Measure what it costs each card to lie at the Cóatls near it, or at none."""
    points = [np.array([p for piece in one.pieces for p in piece.outline]) for one in coatls]
    centres = [np.array([piece.centre for piece in one.pieces]) for one in coatls]
    lanes = [_find_mat_at(one.mean(axis=0), mats) for one in centres]
    costs = []
    for card in lying:
        mat = _find_mat_at(card.middle, mats)
        here = [i for i, lane in enumerate(lanes) if mat is not None and lane == mat]
        own = {i: _measure_cost(card, points[i], centres[i]) for i in here or range(len(coatls))}
        nearest = sorted(own, key=lambda i: own[i])[:NEAREST]
        alone = len(coatls) == 1 or bool(here)  # nothing else is there that it could lie at
        costs.append({i: own[i] for i in nearest} | ({} if alone else {NOWHERE: APART_COST}))
    return costs


def _measure_cost(card: _LyingCard, outlines: Points, centres: Points) -> float:
    """Measure what it costs a card to lie at a Cóatl with these pieces."""
    under = sum(card.contains(point) for point in centres)
    axis = float(np.hypot(*(centres - card.middle).T).min()) / card.width
    gap = 0.0 if under else card.measure_gap(outlines)
    near = min(gap, NEAR_GAP) + FAR_WEIGHT * max(gap - NEAR_GAP, 0)  # a row may reach far
    return near + AXIS_WEIGHT * axis - UNDER_GAIN * min(under, 2) / 2


def _find_mat_at(point: Points, mats: Sequence[SeenMat]) -> int | None:
    """Find the mat that a point lies on, or close enough beside for a card."""
    return next((index for index, mat in enumerate(mats) if mat.covers(point[None])[0]), None)


Rows = dict[int, dict[int, float]]


def _find_rows(lying: Sequence[_LyingCard]) -> Rows:
    """Find for each card the others beside it in a row or fan, and the cost of parting them."""
    rows: Rows = {index: {} for index in range(len(lying))}
    for (i, one), (j, other) in combinations(enumerate(lying), 2):
        if np.hypot(*(one.middle - other.middle)) > 3 * max(one.width, other.width):
            continue
        between = abs((one.turn - other.turn + 90) % 180 - 90)
        if between > MAX_ROW_TURN:
            continue
        gap = min(one.measure_gap(other.corners), other.measure_gap(one.corners))
        if gap < ROW_GAP:
            shared = _measure_shared(one, other)
            part = (
                FAN_COST if shared > MIN_FAN_OVERLAP else ROW_COST * (1 - ROW_FALL * gap / ROW_GAP)
            )
            rows[i][j] = rows[j][i] = part
    return rows


def _measure_shared(one: _LyingCard, other: _LyingCard) -> float:
    """Measure the share of a card that another one covers."""
    first, second = one.corners.astype(np.float32), other.corners.astype(np.float32)
    return float(cv2.intersectConvexConvex(first, second)[0]) / cv2.contourArea(first)


def _group_cards(rows: Rows) -> list[list[int]]:
    """Group the cards that touch one another's rows; each after one that it lies beside."""
    groups, left = [], dict.fromkeys(rows)
    while left:
        group = [next(iter(left))]
        for index in group:
            left.pop(index, None)
            group += [other for other in rows[index] if other in left and other not in group]
        groups.append(group)
    return groups


@dataclass(frozen=True)
class _Rules:
    """What may lie at a Cóatl together, besides the cards that are there already."""

    taken: Mapping[int, Sequence[SeenCard]]
    catalog: Catalog | None

    def count_against(self, card: SeenCard, place: int, besides: Sequence[SeenCard]) -> int:
        """Count the rules against one more card (rules 3.9, 3.11)."""
        there = [*self.taken[place], *besides]
        temples = sum(self._is_temple(other) for other in there)
        own = self._is_temple(card)
        most = MOST_TEMPLES if own else MAX_PROPHECIES_PER_COATL
        same = card.id is not None and any(other.id == card.id for other in there)
        return same + ((temples if own else len(there) - temples) >= most)

    def _is_temple(self, card: SeenCard) -> bool:
        if self.catalog is None or card.id is None or not card.sure:
            return False
        return self.catalog[card.id].kind is CardKind.TEMPLE


def _find_best_ways(
    group: Sequence[int],
    cards: Sequence[SeenCard],
    costs: Sequence[Mapping[int, float]],
    rows: Rows,
    rules: _Rules,
) -> list[tuple[float, tuple[int, ...]]]:
    """Find the best ways to lay a group of cards: what each costs, and the place of each card."""
    ways: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for number, index in enumerate(group):
        before = {k: rows[index].get(other, 0.0) for k, other in enumerate(group[:number])}
        longer = []
        for cost, way in ways:
            for place, own in costs[index].items():
                parted = sum(part for k, part in before.items() if way[k] != place)
                against = 0
                if place != NOWHERE:
                    same = [cards[group[k]] for k, there in enumerate(way) if there == place]
                    against = rules.count_against(cards[index], place, same)
                longer.append((cost + own + parted + AGAINST_RULES_COST * against, (*way, place)))
        ways = sorted(longer)[:MAX_WAYS]
    return ways
