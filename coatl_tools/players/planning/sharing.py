"""Pieces and cards are shared out among Cóatls: the best choice of one offer for each.

At most two Cóatls are incomplete at any time (rule 3.6). So a new one may be begun if there are
fewer, or as soon as one has been completed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coatl_tools.players.planning.offers import NONE, Forge, Offers
from coatl_tools.players.planning.trackers import Ints
from coatl_tools.rules.box import OPEN_COATLS

_FIELD = 5  # bits of a number that is added up: up to 8 pieces, and one bit that tells too many
_FIELDS = 12  # in one number
_CHUNK = 4_000_000  # pairs that are looked at together


@dataclass(frozen=True, slots=True)
class Share:
    """What one Cóatl gets."""

    forge: Forge
    closed: bool
    takes: Ints


@dataclass(frozen=True, slots=True)
class Shared:
    """Sets of offers that go together: a row each. `chosen` numbers the offer of each list."""

    lists: tuple[Offers, ...]
    chosen: Ints
    takes: Ints
    worth: Ints
    unless: Ints

    def __len__(self) -> int:
        return len(self.worth)

    def best(self) -> tuple[int, int]:
        """The most that a set is worth, and its row, of equal ones the first."""
        good = self.worth
        if self.unless.any():
            good = np.where(self._settled(), good, NONE)
        row = int(np.argmax(good))
        return int(good[row]), row

    def _settled(self) -> NDArray[np.bool_]:
        """Whether each Temple card that would have to be placed is used somewhere (ruling 9.3)."""
        temples = len(self.lists[0].coatl.reach.temples)
        bits = (self.takes[:, self.takes.shape[1] - temples :] << np.arange(temples)).sum(axis=1)
        settled: NDArray[np.bool_] = (self.unless & ~bits) == 0
        return settled

    def shares(self, row: int) -> list[Share]:
        """What each Cóatl gets in a set."""
        return [
            Share(offers.coatl, offers.closed, offers.takes[number])
            for offers, number in zip(self.lists, self.chosen[row], strict=True)
        ]


class Sharing:
    """Puts offers together, within what there is of each piece and card."""

    def __init__(self, limits: Ints) -> None:
        self._limits = limits
        columns = range(0, len(limits), _FIELDS)
        self._parts = [slice(begin, begin + _FIELDS) for begin in columns]
        shifts = np.arange(min(len(limits), _FIELDS), dtype=np.int64) * _FIELD
        self._shifts = shifts
        self._guards = [int((16 << shifts[: len(limits[part])]).sum()) for part in self._parts]
        self._room = self._packed(limits[None])

    def nothing(self) -> Shared:
        """No Cóatl, nothing taken."""
        return Shared(
            (),
            np.zeros((1, 0), dtype=np.int64),
            np.zeros((1, len(self._limits)), dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
        )

    def joined(self, one: Shared, offers: Offers) -> Shared:
        """Every set with every offer that there is enough for."""
        mine, theirs = self._packed(one.takes), self._packed(offers.takes)
        rows: list[Ints] = []
        columns: list[Ints] = []
        step = max(1, _CHUNK // max(1, len(offers)))
        for begin in range(0, len(one), step):
            good = np.ones((len(one.worth[begin : begin + step]), len(offers)), dtype=bool)
            for part, guard in enumerate(self._guards):
                left = (self._room[part] | guard) - mine[part][begin : begin + step, None]
                good &= ((left - theirs[part][None]) & guard) == guard
            row, column = np.nonzero(good)
            rows.append(row + begin)
            columns.append(column)
        first, second = np.concatenate(rows), np.concatenate(columns)
        return Shared(
            (*one.lists, offers),
            np.hstack([one.chosen[first], second[:, None]]),
            one.takes[first] + offers.takes[second],
            one.worth[first] + offers.worth[second],
            one.unless[first] | offers.unless[second],
        )

    def _packed(self, takes: Ints) -> list[Ints]:
        return [
            (takes[:, part] << self._shifts[: takes[:, part].shape[1]]).sum(axis=1)
            for part in self._parts
        ]


def arrangements(
    sharing: Sharing, existing: list[list[Offers]], new: list[Offers], most: int
) -> Iterator[Shared]:
    """All sets of offers: one for each existing Cóatl, and so many new ones at most.

    `existing` has the offers of each incomplete Cóatl.
    """
    sets = [sharing.nothing()]
    for choices in existing:
        sets = [sharing.joined(one, offers) for one in sets for offers in choices]
    finished = [offers for offers in new if offers.closed]
    unfinished = [offers for offers in new if not offers.closed]
    for one in sets:
        if not len(one):
            continue
        yield one
        left = sum(not offers.closed for offers in one.lists)
        if len(existing) - left or len(existing) < OPEN_COATLS:
            yield from _with_new(sharing, one, finished, unfinished, OPEN_COATLS - left, most)


def _with_new(
    sharing: Sharing,
    one: Shared,
    finished: list[Offers],
    unfinished: list[Offers],
    places: int,
    most: int,
) -> Iterator[Shared]:
    """These sets with new Cóatls: some complete ones, then as many incomplete ones as may be."""
    if not most or not places:
        return
    for offers in finished:
        more = sharing.joined(one, offers)
        if len(more):
            yield more
            yield from _with_new(sharing, more, finished, unfinished, places, most - 1)
    for offers in unfinished:
        more = sharing.joined(one, offers)
        if len(more):
            yield more
            yield from _with_new(sharing, more, [], unfinished, places - 1, most - 1)
