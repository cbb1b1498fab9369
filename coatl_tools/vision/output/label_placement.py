"""Place labels on a photo: beside what they name, on nothing that matters, never on each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.reading import Outline, Point

_MARGIN = 4  # pixels between a label and whatever else there is
_MIN_DISTANCE = 8  # pixels from a thing to its label, at least
_TURNS = (0, 18, -18, 36, -36, 60, -60, 90, -90)  # degrees off the side that was wished for
_STEPS = (0, 0.4, 0.8, 1.3, 1.9, 2.6, 3.5, 4.6, 6.0, 8.0)  # heights of a label further away
# What it costs to lead a line across something else, and to lie on a card; in heights of a label.
_CROSSING_COST, _ON_CARD_COST = 12.0, 4.0
_NOWHERE_COST = 50.0
# Where to look, the best first: what it costs, the turn from the side wished for, heights away.
_OPTIONS = sorted(
    (abs(turn) / 50 + (behind > 0) + step, behind + turn, step)
    for behind in (0, 180)
    for turn in _TURNS
    for step in _STEPS
)


class LabelledThing(NamedTuple):
    """Something to label: its outline, its label's size and preferred direction."""

    outline: Outline
    centre: Point
    towards: Point  # a unit vector
    size: tuple[int, int]


class LabelPlace(NamedTuple):
    """The box of a label, and the line to it, if it is not right beside what it names."""

    left: int
    top: int
    width: int
    height: int
    leader: tuple[Point, Point] | None
    cost: float = 0.0

    def overlaps(self, other: LabelPlace, margin: int = _MARGIN) -> bool:
        """Tell whether two boxes are closer than the margin."""
        return (
            self.left < other.left + other.width + margin
            and other.left < self.left + self.width + margin
            and self.top < other.top + other.height + margin
            and other.top < self.top + self.height + margin
        )


class LabelArea:
    """A picture with pieces, which no label may cover, cards, which it should not, and labels."""

    def __init__(
        self, size: tuple[int, int], pieces: Sequence[Outline], cards: Sequence[Outline] = ()
    ) -> None:
        self.width, self.height = size
        self._pieces, self._cards = self._paint_owners(pieces), self._paint_owners(cards)
        self._on_pieces, self._on_cards = (
            _integrate_mask(self._pieces),
            _integrate_mask(self._cards),
        )
        self.placed: list[LabelPlace] = []

    def _paint_owners(self, outlines: Sequence[Outline]) -> NDArray[np.int32]:
        """Map each pixel to the outline that it lies in, counted from 1; 0 for none."""
        owner: NDArray[np.int32] = np.zeros((self.height, self.width), np.int32)
        for number, outline in enumerate(outlines, 1):
            polygon = np.clip(np.array(outline, np.float64).reshape(-1, 2), -1e4, 1e4)
            cv2.fillPoly(owner, [polygon.round().astype(np.int32)], number)
        return owner

    def place(self, things: Sequence[LabelledThing]) -> list[LabelPlace | None]:
        """Find a place for each label of a row, all on the better side; None without room."""
        best: list[LabelPlace | None] = []
        least = math.inf
        for side in (1, -1):
            before = len(self.placed)
            found = [self._find_place(thing, side) for thing in things]
            cost = sum(place.cost if place else _NOWHERE_COST for place in found)
            del self.placed[before:]
            if cost < least:
                best, least = found, cost
        self.placed += [place for place in best if place]
        return best

    def _find_place(self, thing: LabelledThing, side: int) -> LabelPlace | None:
        """Find the best free place, preferably one whose leader crosses nothing."""
        edges = {turn: self._find_edge(thing, side, turn) for _, turn, _ in _OPTIONS}
        best: LabelPlace | None = None
        for cost, turn, step in _OPTIONS:
            if best and best.cost <= cost:
                break
            place = _place_beside(thing, *edges[turn], step, cost)
            if self._is_free(place):
                worth = cost + self._rate_place(place, thing)
                if best is None or worth < best.cost:
                    best = place._replace(cost=worth)
        best = best or next(self._list_free_places(thing), None)
        if best:
            self.placed.append(best)
        return best

    def _find_edge(self, thing: LabelledThing, side: int, turn: int) -> tuple[Point, Point]:
        """Return a direction from a thing, and the point where its outline ends there."""
        angle = math.radians(turn + (0 if side > 0 else 180))
        cos, sin = math.cos(angle), math.sin(angle)
        (x, y), (left, top) = thing.towards, thing.centre
        way = x * cos - y * sin, x * sin + y * cos
        far = max(
            ((px - left) * way[0] + (py - top) * way[1] for px, py in thing.outline), default=0
        )
        return way, (left + way[0] * far, top + way[1] * far)

    def _rate_place(self, place: LabelPlace, thing: LabelledThing) -> float:
        """Return the cost of a leader that crosses a piece or a label, or of lying on a card."""
        hidden = any(_is_crossed_by_leader(other, place) for other in self.placed)
        if hidden or self._crosses(place, thing, self._pieces):
            return _CROSSING_COST
        on_card = self._count_covered_pixels(place, self._on_cards) or self._crosses(
            place, thing, self._cards
        )
        return _ON_CARD_COST if on_card else 0.0

    def _crosses(self, place: LabelPlace, thing: LabelledThing, owner: NDArray[np.int32]) -> bool:
        """Tell whether the leader crosses an outline other than that of its own thing."""
        if place.leader is None:
            return False
        start, end = place.leader
        count = max(2, int(math.dist(start, end) / 4))
        own = self._owner_at(thing.centre, owner)
        for part in range(count + 1):
            x, y = (a + (b - a) * part / count for a, b in zip(start, end, strict=True))
            if self._owner_at((x, y), owner) not in (0, own):
                return True
        return False

    def _owner_at(self, point: Point, owner: NDArray[np.int32]) -> int:
        x = min(max(round(point[0]), 0), self.width - 1)
        y = min(max(round(point[1]), 0), self.height - 1)
        return int(owner[y, x])

    def _is_free(self, place: LabelPlace) -> bool:
        return (
            self._is_inside(place)
            and not self._count_covered_pixels(place, self._on_pieces)
            and not any(place.overlaps(other) for other in self.placed)
            and not any(_is_crossed_by_leader(place, other) for other in self.placed)
        )

    def _is_inside(self, place: LabelPlace) -> bool:
        return (
            place.left >= _MARGIN
            and place.top >= _MARGIN
            and place.left + place.width <= self.width - _MARGIN
            and place.top + place.height <= self.height - _MARGIN
        )

    def _count_covered_pixels(self, place: LabelPlace, sums: NDArray[np.int32]) -> int:
        """Count the marked pixels under a place."""
        left, top = max(0, place.left - 2), max(0, place.top - 2)
        right = min(self.width, place.left + place.width + 2)
        bottom = min(self.height, place.top + place.height + 2)
        return int(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])

    def _list_free_places(self, thing: LabelledThing) -> Iterator[LabelPlace]:
        """Yield all free places, nearest first; over pieces only if nothing else is left."""
        width, height = thing.size
        x, y = thing.centre
        grid = [
            LabelPlace(left, top, width, height, None)
            for left in range(_MARGIN, self.width - width - _MARGIN, max(8, width // 3))
            for top in range(_MARGIN, self.height - height - _MARGIN, max(8, height // 2))
        ]
        grid.sort(key=lambda at: math.dist((at.left + width / 2, at.top + height / 2), (x, y)))
        for covering in (False, True):
            for place in grid:
                if (covering or not self._count_covered_pixels(place, self._on_pieces)) and not any(
                    place.overlaps(other) for other in self.placed
                ):
                    middle = place.left + width / 2, place.top + height / 2
                    yield place._replace(leader=((x, y), middle), cost=2 * _CROSSING_COST)


def _integrate_mask(owner: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.asarray(cv2.integral((owner > 0).astype(np.uint8)), np.int32)


def _place_beside(
    thing: LabelledThing, way: Point, edge: Point, step: float, cost: float
) -> LabelPlace:
    """Make a place in some direction from the edge of a thing, `step` label heights away."""
    width, height = thing.size
    half = abs(way[0]) * width / 2 + abs(way[1]) * height / 2
    away = _MIN_DISTANCE + step * height + half
    x, y = edge[0] + way[0] * away, edge[1] + way[1] * away
    near = min(  # the leader ends where the line to the middle meets the box
        width / 2 / abs(way[0]) if way[0] else math.inf,
        height / 2 / abs(way[1]) if way[1] else math.inf,
    )
    end = x - way[0] * near, y - way[1] * near
    start = edge[0] - way[0] * 3, edge[1] - way[1] * 3
    return LabelPlace(
        round(x - width / 2), round(y - height / 2), width, height, (start, end), cost
    )


def _is_crossed_by_leader(place: LabelPlace, other: LabelPlace) -> bool:
    """Tell whether the leader of another label runs through this place."""
    if other.leader is None:
        return False
    box = (place.left - 2, place.top - 2, place.width + 4, place.height + 4)
    (ax, ay), (bx, by) = other.leader
    crossed, _, _ = cv2.clipLine(box, (round(ax), round(ay)), (round(bx), round(by)))
    return bool(crossed)
