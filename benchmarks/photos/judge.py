"""Comparing what was read with what is there: which Cóatl is which, and what is wrong with it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import NamedTuple, TypeVar

from benchmarks.photos.labels import LabelledCoatl, LabelledPhoto
from benchmarks.photos.readers import ReadCoatl, ReadPhoto
from coatl_tools.vision.reading import Point

# Without centres, the share of equal pieces from which a Cóatl may be another.
MIN_ALIKE_SHARE = 1 / 3

T = TypeVar("T")


class JudgedCoatl(NamedTuple):
    """A Cóatl that is there, was read, or both."""

    expected: LabelledCoatl | None  # nothing: found where there is none
    read: ReadCoatl | None  # nothing: missed
    exact: bool = False
    either_way: bool = False  # exact, but from which end was said to be unknown
    pieces_right: int = 0
    silent: bool = False  # wrong, and nobody was told
    at_its_player: bool | None = None  # nothing: nobody labelled it, or it was missed
    codes: tuple[str, ...] = ()  # of the problems that were reported about it

    @property
    def unsure(self) -> bool:
        """Whether the reader said that it does not know."""
        if self.read is None:
            return not self.silent  # missed, and reported
        return not self.read.sure


def judge_coatls(photo: LabelledPhoto, read: ReadPhoto) -> tuple[JudgedCoatl, ...]:
    """Every Cóatl that is there, from top to bottom, then those found where there is none."""
    found = match_coatls(photo.coatls, read.coatls)
    of_photo = list_photo_codes(read)
    players = match_players(photo.coatls, [i if i is None else read.coatls[i] for i in found])
    judged = []
    for expected, i in zip(photo.coatls, found, strict=True):
        if i is None:
            judged.append(JudgedCoatl(expected, None, silent=not of_photo, codes=of_photo))
            continue
        one = _compare_coatl(expected, read.coatls[i], _list_coatl_codes(read, i))
        if expected.player is not None:
            player = read.coatls[i].player
            right = player is not None and players.get(player) == expected.player
            one = one._replace(at_its_player=right)
        judged.append(one)
    for i, extra in enumerate(read.coatls):
        if i not in found:
            judged.append(
                JudgedCoatl(None, extra, silent=extra.sure, codes=_list_coatl_codes(read, i))
            )
    return tuple(judged)


def list_photo_codes(read: ReadPhoto) -> tuple[str, ...]:
    """Problems that tell of something missed: they are about nothing that was found."""
    return tuple(p.code for p in read.problems if p.serious and p.coatl is None is p.card)


def _list_coatl_codes(read: ReadPhoto, coatl: int) -> tuple[str, ...]:
    return tuple(problem.code for problem in read.problems if problem.coatl == coatl)


def _compare_coatl(expected: LabelledCoatl, read: ReadCoatl, codes: tuple[str, ...]) -> JudgedCoatl:
    """Without head and tail, a reading of unknown direction may run from either end."""
    exact = read.pieces == expected.pieces
    right = count_aligned(expected.pieces, read.pieces)
    either_way = False
    if not read.orientation_known and not expected.orientation_known:
        backwards = read.pieces[::-1]
        either_way = exact or backwards == expected.pieces
        right = max(right, count_aligned(expected.pieces, backwards))
    exact = exact or either_way
    # One that leaves the picture may go on, whatever was read of it.
    silent = read.sure and (expected.cut or not exact)
    return JudgedCoatl(expected, read, exact, either_way, right, silent, codes=codes)


def count_aligned(expected: Sequence[T], read: Sequence[T]) -> int:
    """How many of the expected are read, when as little as possible is changed.

    >>> count_aligned("head red blue tail".split(), "head blue tail".split())
    3
    """
    # (changes, -equal ones) of the beginnings so far; the least is the best
    row = [(i, 0) for i in range(len(read) + 1)]
    for i, one in enumerate(expected):
        above, row = row, [(i + 1, 0)]
        for j, other in enumerate(read):
            same = one == other
            row.append(
                min(
                    (above[j][0] + (not same), above[j][1] - same),
                    (above[j + 1][0] + 1, above[j + 1][1]),
                    (row[j][0] + 1, row[j][1]),
                )
            )
    return -row[-1][1]


def match_coatls(
    expected: Sequence[LabelledCoatl], read: Sequence[ReadCoatl]
) -> tuple[int | None, ...]:
    """For each Cóatl that is there, the index of the one that was read, with the best total."""

    @cache
    def best(i: int, used: frozenset[int]) -> tuple[float, tuple[int | None, ...]]:
        if i == len(expected):
            return 0.0, ()
        total, rest = best(i + 1, used)
        answer: tuple[float, tuple[int | None, ...]] = (total, (None, *rest))
        for j in fitting[i]:
            if j not in used:
                total, rest = best(i + 1, used | {j})
                if total + fits[i][j] > answer[0]:
                    answer = (total + fits[i][j], (j, *rest))
        return answer

    fits = [[_rate_match(one, other) for other in read] for one in expected]
    fitting = [[j for j, fit in enumerate(row) if fit > 0] for row in fits]
    return best(0, frozenset())[1]


def match_players(
    expected: Sequence[LabelledCoatl], read: Sequence[ReadCoatl | None]
) -> dict[int, int]:
    """Return which labelled player each player of a reading is, with the most Cóatls right."""
    both = Counter(
        (other.player, one.player)
        for one, other in zip(expected, read, strict=True)
        if one.player is not None and other is not None and other.player is not None
    )
    ours = sorted({player for player, _ in both})
    theirs = sorted({player for _, player in both})
    theirs += [-1] * len(ours)  # one of them may be nobody
    ways = (dict(zip(ours, way, strict=True)) for way in permutations(theirs, len(ours)))
    return max(ways, key=lambda way: sum(both[pair] for pair in way.items()))


def _rate_match(expected: LabelledCoatl, read: ReadCoatl) -> float:
    """How well a reading fits a Cóatl; 0 if it is of another one."""
    longest = max(len(expected.pieces), len(read.pieces))
    ways = (read.pieces, read.pieces[::-1])
    equal = max(count_aligned(expected.pieces, pieces) for pieces in ways) / longest
    if not expected.centres or not read.centres:
        return equal if equal >= MIN_ALIKE_SHARE else 0.0
    # A reading belongs here if most of its pieces lie on the Cóatl, whatever they are said to be.
    reach = 0.75 * _median_pitch(expected.centres)
    on = sum(
        min(math.dist(centre, other) for other in expected.centres) <= reach
        for centre in read.centres
    )
    share = on / len(read.centres)
    return 2 * share + equal if 2 * on >= len(read.centres) else 0.0


def _median_pitch(centres: Sequence[Point]) -> float:
    """From one piece to the next, at most."""
    steps = [math.dist(a, b) for a, b in pairwise(centres)]
    return max(steps, default=100.0)
