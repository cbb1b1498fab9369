"""Find how two photos of one table lie to each other, from what both show.

Seen from above, two photos of a table differ by a turn and a shift only. One card or Cóatl that
both show tells them; of all such guesses, the one by which the most things come to lie on their
likes wins, and is then fitted to all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from coatl_tools.vision.homography import Points, fit_homography, invert_homography, map_points
from coatl_tools.vision.reading import PhotoReading, SeenCard, SeenCoatl
from coatl_tools.vision.table_plane import estimate_table_plane

NEAR_PITCHES = 2.5  # within which two things may be the same, before the map is fitted to all
SAME_PITCHES = 1.0  # and afterwards
MIN_ALIKE_SHARE = 0.6  # of the pieces, from which two Cóatls may be the same
MIN_SURE_LENGTH = 4  # pieces of a Cóatl that is enough to match two photos
MIN_WEIGHT = 0.8  # of what speaks for a match: one thing that both photos show clearly
UNLIKE_COST = 0.5  # of two different things at the same place
MIN_FITTED_POINTS = 12  # from which a map is fitted freely


@dataclass(frozen=True, eq=False)
class PhotoAlignment:
    """The map from a photo to another, and which Cóatls and cards are the same (indices)."""

    to_other: Points
    coatls: dict[int, int]
    cards: dict[int, int]


@dataclass(frozen=True, eq=False)
class _Thing:
    """A Cóatl or a card in the photo, and its points on the table."""

    index: int
    seen: SeenCoatl | SeenCard
    photo: Points
    table: Points

    @property
    def middle(self) -> Points:
        """Its middle on the table."""
        return np.asarray(self.table.mean(axis=0))


def align_photos(reading: PhotoReading, other: PhotoReading) -> PhotoAlignment | None:
    """Find how a photo lies to another one of the same table; None if nothing tells."""
    own_plane = estimate_table_plane(reading.coatls, reading.cards, reading.size)
    plane = estimate_table_plane(other.coatls, other.cards, other.size)
    own, there = _list_things(reading, own_plane.to_table), _list_things(other, plane.to_table)
    best, move = list[tuple[_Thing, _Thing]](), np.eye(3)
    for guess in _guess_moves(own, there):
        matched = _match_things(own, there, guess, NEAR_PITCHES)
        if _weigh(matched) > _weigh(best):
            best, move = matched, guess
    if _weigh(best) < MIN_WEIGHT:
        return None
    fitting = [(one, two) for one, two in best if len(one.photo) == len(two.photo)]
    move = _fit_rigid(*_pair_points(fitting, move))
    to_other = invert_homography(plane.to_table) @ move @ own_plane.to_table
    matched = _match_things(own, there, move, NEAR_PITCHES)
    points, others = _pair_points(fitting, move, in_photo=True)
    if len(points) >= MIN_FITTED_POINTS and len(fitting) > 1:
        fitted = fit_homography(points, others)
        if fitted is not None:
            to_other = fitted
            over = plane.to_table @ fitted @ invert_homography(own_plane.to_table)
            matched = _match_things(own, there, over, SAME_PITCHES)
    coatls = {a.index: b.index for a, b in matched if isinstance(a.seen, SeenCoatl)}
    cards = {a.index: b.index for a, b in matched if isinstance(a.seen, SeenCard)}
    return PhotoAlignment(to_other, coatls, cards)


def _list_things(reading: PhotoReading, to_table: Points) -> list[_Thing]:
    """List the Cóatls and cards of a reading that were seen."""
    found = []
    for index, seen in enumerate(reading.coatls):
        if all(piece.outline for piece in seen.pieces):
            photo = np.array([piece.centre for piece in seen.pieces])
            found.append(_Thing(index, seen, photo, map_points(photo, to_table)))
    for index, card in enumerate(reading.cards):
        if len(card.outline) == 4:
            photo = np.array(card.outline)
            found.append(_Thing(index, card, photo, map_points(photo, to_table)))
    return found


def _guess_moves(own: Sequence[_Thing], there: Sequence[_Thing]) -> Iterator[Points]:
    """Yield a turn and shift for each two things that look the same."""
    for one in own:
        for other in there:
            if _rate_likeness(one, other) > 0 and len(one.table) == len(other.table):
                yield _fit_rigid(one.table, other.table)
                if isinstance(one.seen, SeenCoatl) and not one.seen.is_orientation_known:
                    yield _fit_rigid(one.table[::-1], other.table)


def _rate_likeness(one: _Thing, other: _Thing) -> float:
    """Rate how much two things look the same, from 0 to 1."""
    if isinstance(one.seen, SeenCard) and isinstance(other.seen, SeenCard):
        return float(one.seen.id is not None and one.seen.id == other.seen.id)
    if isinstance(one.seen, SeenCoatl) and isinstance(other.seen, SeenCoatl):
        return rate_alike_pieces(one.seen, other.seen)
    return 0.0


def rate_alike_pieces(one: SeenCoatl, other: SeenCoatl) -> float:
    """Rate how alike two Cóatls are, from either end; 0 if they hardly are the same."""
    count = len(one.pieces)
    if count != len(other.pieces) or count < MIN_SURE_LENGTH:
        return 0.0
    colours = [piece.colour for piece in one.pieces]
    theirs = [piece.colour for piece in other.pieces]
    ways = (colours,) if one.is_orientation_known else (colours, colours[::-1])
    share = max(sum(a is b for a, b in zip(way, theirs, strict=True)) / count for way in ways)
    return share if share >= MIN_ALIKE_SHARE else 0.0


def _match_things(
    own: Sequence[_Thing], there: Sequence[_Thing], move: Points, reach: float
) -> list[tuple[_Thing, _Thing]]:
    """Match the things that lie at the same place after a move, each with the nearest."""
    found: list[tuple[float, int, int]] = []
    for i, one in enumerate(own):
        moved = map_points(one.table, move)
        for j, other in enumerate(there):
            if type(one.seen) is type(other.seen):
                away = float(np.hypot(*(moved.mean(axis=0) - other.middle)))
                if isinstance(one.seen, SeenCoatl):  # half of one may be seen
                    gaps = np.hypot(*np.moveaxis(moved[:, None] - other.table, 2, 0))
                    away = min(away, float(np.median(gaps.min(axis=1))))
                if away < reach:
                    found.append((away, i, j))
    taken: set[tuple[str, int]] = set()
    matched = []
    for _, i, j in sorted(found):
        if ("own", i) not in taken and ("other", j) not in taken:
            taken |= {("own", i), ("other", j)}
            matched.append((own[i], there[j]))
    return matched


def _weigh(matched: Sequence[tuple[_Thing, _Thing]]) -> float:
    """Weigh how much speaks for a match: things that look the same, and not surely otherwise."""
    total = 0.0
    for one, other in matched:
        likeness = _rate_likeness(one, other)
        unlike = not likeness and one.seen.sure and other.seen.sure
        total += likeness - UNLIKE_COST * unlike
    return total


def _pair_points(
    matched: Sequence[tuple[_Thing, _Thing]], move: Points, in_photo: bool = False
) -> tuple[Points, Points]:
    """Pair the points of things that are the same, on the table or in the photos.

    Cóatls may have been read from different ends.
    """
    points, others = [], []
    for one, other in matched:
        moved = map_points(one.table, move)
        there = np.hypot(*(moved - other.table).T).sum()
        back = np.hypot(*(moved[::-1] - other.table).T).sum()
        own = one.photo if in_photo else one.table
        points.append(own[::-1] if isinstance(one.seen, SeenCoatl) and back < there else own)
        others.append(other.photo if in_photo else other.table)
    return np.vstack(points), np.vstack(others)


def _fit_rigid(points: Points, others: Points) -> Points:
    """Fit a turn and shift that moves points onto others."""
    middle, there = points.mean(axis=0), others.mean(axis=0)
    product = (points - middle).T @ (others - there)
    angle = np.arctan2(product[0, 1] - product[1, 0], product[0, 0] + product[1, 1])
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    move = np.eye(3)
    move[:2, :2] = turn
    move[:2, 2] = there - turn @ middle
    return move
