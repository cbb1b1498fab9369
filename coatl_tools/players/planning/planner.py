"""The planner: the best assembly of a turn, exactly, over all ways to build and to allocate.

Each Cóatl is looked at alone first: all its arrangements (`arrangements`), and what each use of
pieces and cards is worth at best (`coatl_options`). Then one option is chosen for each Cóatl, so
that nothing is used twice, and written as steps in an order that the rules allow. At most two
Cóatls are incomplete at any time (rule 3.6): a new one may begin if there are fewer, or once one
is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coatl_tools.players.planning.arrangements import Inventory
from coatl_tools.players.planning.coatl_options import (
    IMPOSSIBLE,
    ChosenOption,
    CoatlOptionFinder,
    CoatlOptions,
    UsableCards,
)
from coatl_tools.players.planning.plan import (
    LAST_TURN_GOAL,
    POINTS_NOW_GOAL,
    AssemblyGoal,
    AssemblyPlan,
    AssemblyStep,
    Situation,
)
from coatl_tools.rules.constants import MAX_OPEN_COATLS, Pieces
from coatl_tools.rules.events import (
    FROM_HAND,
    Action,
    AttachPiece,
    BeginCoatl,
    CompleteCoatl,
    PlaceProphecy,
    PlaceTemple,
)
from coatl_tools.rules.result import compute_coatl_result
from coatl_tools.rules.state import Built, remove_item
from coatl_tools.scoring.batch import IntArray


def build_plan(
    situation: Situation, reach: UsableCards, chosen: Sequence[ChosenOption]
) -> AssemblyPlan:
    """Build the steps: complete Cóatls first, since they make room for new ones."""
    numbers = [n for n, coatl in enumerate(situation.coatls, start=1) if not coatl.complete]
    tasks = [
        (numbers[place] if place < len(numbers) else 0, made) for place, made in enumerate(chosen)
    ]
    # A Cóatl that was closed comes before all; one without a Temple card after those that have one.
    tasks.sort(
        key=lambda task: (
            task[0] != situation.closing or not task[0],
            not task[1].closed,
            task[0] == 0,
            task[1].temple is None,
        )
    )
    builder = _PlanBuilder(situation, reach)
    for number, made in tasks:
        builder.build(number, made)
    return builder.plan()


class _PlanBuilder:
    """Plays steps on a copy of what the player has, and notes what each brings."""

    def __init__(self, situation: Situation, reach: UsableCards) -> None:
        self._situation, self._reach = situation, reach
        self._coatls = list(situation.coatls)
        self._board, self._hand = situation.board, situation.hand
        self._steps: list[AssemblyStep] = []

    def plan(self) -> AssemblyPlan:
        """Return the plan of all steps so far."""
        points = sum(step.points for step in self._steps)
        return AssemblyPlan(
            tuple(self._steps), points, tuple(self._coatls), self._board, self._hand
        )

    def build(self, number: int, made: ChosenOption) -> None:
        """Add the steps of what was chosen for one Cóatl; its number is 0 for a new one."""
        growth = made.growth
        if not number:
            number = len(self._coatls) + 1
            self._board = remove_item(self._board, growth.first)
            self._coatls.append(Built(""))
            self._do(BeginCoatl(growth.first), number, Built(growth.first))
        self._number = number
        left = right = 0
        for before, behind, card in growth.early:
            self._attach(growth.before, growth.behind, (left, right), (before, behind))
            left, right = before, behind
            self._place(card)
        self._attach(
            growth.before, growth.behind, (left, right), (len(growth.before), len(growth.behind))
        )
        for card in made.cards:
            self._place(card)
        if made.closed:
            self._complete(made.temple)

    def _attach(
        self, before: Pieces, behind: Pieces, start: tuple[int, int], end: tuple[int, int]
    ) -> None:
        """Attach pieces from the Cóatl outwards, at the head end first."""
        for place in range(start[0], end[0]):
            self._add(before[len(before) - 1 - place], "head")
        for place in range(start[1], end[1]):
            self._add(behind[place], "tail")

    def _add(self, piece: str, end: str) -> None:
        coatl = self._coatls[self._number - 1]
        text = piece + coatl.text if end == "head" else coatl.text + piece
        self._board = remove_item(self._board, piece)
        self._do(AttachPiece(piece, self._number, end), self._number, coatl._replace(text=text))

    def _place(self, card: str) -> None:
        coatl = self._coatls[self._number - 1]
        self._hand = remove_item(self._hand, card)
        placed = coatl._replace(prophecies=(*coatl.prophecies, card))
        self._do(PlaceProphecy(card, self._number), self._number, placed)

    def _complete(self, temple: int | None) -> None:
        coatl = self._coatls[self._number - 1]._replace(complete=True)
        if temple is None:
            self._do(CompleteCoatl(), self._number, coatl)
            return
        card = self._reach.temples[temple]
        place = temple - len(self._situation.temples)
        piles = [pile for pile, top in enumerate(self._situation.tops, start=1) if top]
        source = FROM_HAND if place < 0 else piles[place]
        done = coatl._replace(temple=card)
        self._do(PlaceTemple(card, self._number, source), self._number, done)

    def _do(self, event: Action, number: int, coatl: Built) -> None:
        before, self._coatls[number - 1] = self._coatls[number - 1], coatl
        points = self._sum_points(coatl) - (self._sum_points(before) if before.text else 0)
        self._steps.append(AssemblyStep(event, points))

    def _sum_points(self, coatl: Built) -> int:
        """Return the points of its cards; in a last turn, as they count in the end."""
        counted = coatl if self._situation.last else coatl._replace(complete=True)
        return compute_coatl_result(self._situation.game, counted).points


# What an option takes is packed: 12 counts of 5 bits in one number. A count is up to 8 pieces,
# and its highest bit tells that a sum was too large.
_FIELD_BITS = 5
_FIELDS_PER_NUMBER = 12
_PAIRS_PER_CHUNK = 4_000_000  # pairs that are looked at together


@dataclass(frozen=True, slots=True)
class Allocations:
    """Sets of options that go together: a row each. `chosen` numbers the offer of each list."""

    lists: tuple[CoatlOptions, ...]
    chosen: IntArray
    takes: IntArray
    worth: IntArray
    unless: IntArray

    def __len__(self) -> int:
        return len(self.worth)

    def best(self) -> tuple[int, int]:
        """Return the most that a set is worth, and its row, of equal ones the first."""
        good = self.worth
        if self.unless.any():
            good = np.where(self._are_temples_placed(), good, IMPOSSIBLE)
        row = int(np.argmax(good))
        return int(good[row]), row

    def _are_temples_placed(self) -> NDArray[np.bool_]:
        """Tell for each set whether all Temple cards that must be placed are used (ruling 9.3)."""
        temples = len(self.lists[0].coatl.reach.temples)
        bits = (self.takes[:, self.takes.shape[1] - temples :] << np.arange(temples)).sum(axis=1)
        settled: NDArray[np.bool_] = (self.unless & ~bits) == 0
        return settled

    def reconstruct_options(self, row: int) -> list[ChosenOption]:
        """Reconstruct the option of each Cóatl in a set."""
        return [
            offers.coatl.reconstruct_option(offers.takes[number], offers.closed)
            for offers, number in zip(self.lists, self.chosen[row], strict=True)
        ]


class Allocator:
    """Puts options together, within what there is of each piece and card."""

    def __init__(self, limits: IntArray) -> None:
        self._limits = limits
        columns = range(0, len(limits), _FIELDS_PER_NUMBER)
        self._parts = [slice(begin, begin + _FIELDS_PER_NUMBER) for begin in columns]
        shifts = np.arange(min(len(limits), _FIELDS_PER_NUMBER), dtype=np.int64) * _FIELD_BITS
        self._shifts = shifts
        self._guards = [int((16 << shifts[: len(limits[part])]).sum()) for part in self._parts]
        self._room = self._pack(limits[None])

    def make_empty(self) -> Allocations:
        """Make the set of no Cóatls, which takes nothing."""
        return Allocations(
            (),
            np.zeros((1, 0), dtype=np.int64),
            np.zeros((1, len(self._limits)), dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
        )

    def combine(self, one: Allocations, offers: CoatlOptions) -> Allocations:
        """Combine every set with every option that there is enough left for."""
        mine, theirs = self._pack(one.takes), self._pack(offers.takes)
        rows: list[IntArray] = []
        columns: list[IntArray] = []
        step = max(1, _PAIRS_PER_CHUNK // max(1, len(offers)))
        for begin in range(0, len(one), step):
            good = np.ones((len(one.worth[begin : begin + step]), len(offers)), dtype=bool)
            for part, guard in enumerate(self._guards):
                left = (self._room[part] | guard) - mine[part][begin : begin + step, None]
                good &= ((left - theirs[part][None]) & guard) == guard
            row, column = np.nonzero(good)
            rows.append(row + begin)
            columns.append(column)
        first, second = np.concatenate(rows), np.concatenate(columns)
        return Allocations(
            (*one.lists, offers),
            np.hstack([one.chosen[first], second[:, None]]),
            one.takes[first] + offers.takes[second],
            one.worth[first] + offers.worth[second],
            one.unless[first] | offers.unless[second],
        )

    def _pack(self, takes: IntArray) -> list[IntArray]:
        return [
            (takes[:, part] << self._shifts[: takes[:, part].shape[1]]).sum(axis=1)
            for part in self._parts
        ]


def list_allocations(
    sharing: Allocator, existing: list[list[CoatlOptions]], new: list[CoatlOptions], most: int
) -> Iterator[Allocations]:
    """Yield all sets of options: one for each existing Cóatl, and at most `most` new ones.

    `existing` has the options of each incomplete Cóatl.
    """
    sets = [sharing.make_empty()]
    for choices in existing:
        sets = [sharing.combine(one, offers) for one in sets for offers in choices]
    finished = [offers for offers in new if offers.closed]
    unfinished = [offers for offers in new if not offers.closed]
    for one in sets:
        if not len(one):
            continue
        yield one
        left = sum(not offers.closed for offers in one.lists)
        if len(existing) - left or len(existing) < MAX_OPEN_COATLS:
            yield from _add_new_coatls(
                sharing, one, finished, unfinished, MAX_OPEN_COATLS - left, most
            )


def _add_new_coatls(
    sharing: Allocator,
    one: Allocations,
    finished: list[CoatlOptions],
    unfinished: list[CoatlOptions],
    places: int,
    most: int,
) -> Iterator[Allocations]:
    """Yield these sets with new Cóatls: some complete ones, then up to `places` incomplete ones."""
    if not most or not places:
        return
    for offers in finished:
        more = sharing.combine(one, offers)
        if len(more):
            yield more
            yield from _add_new_coatls(sharing, more, finished, unfinished, places, most - 1)
    for offers in unfinished:
        more = sharing.combine(one, offers)
        if len(more):
            yield more
            yield from _add_new_coatls(sharing, more, [], unfinished, places - 1, most - 1)


def find_best_assembly(situation: Situation, goal: AssemblyGoal | None = None) -> AssemblyPlan:
    """Find the assembly that gains most points now; of equal ones, the one that keeps most open.

    Only cards that are known count: whatever a Temple pile turns up next is not planned with.
    """
    if goal is None:
        goal = LAST_TURN_GOAL if situation.last else POINTS_NOW_GOAL
    return find_best_assemblies(situation, (goal,))[0]


def find_best_assemblies(situation: Situation, goals: Iterable[AssemblyGoal]) -> list[AssemblyPlan]:
    """Find the best assembly for each of several goals."""
    stock = Inventory(situation.board)
    reach = UsableCards(
        tuple(sorted(situation.hand)),
        (*sorted(situation.temples), *filter(None, situation.tops)),
    )
    existing = [
        CoatlOptionFinder(situation, coatl, reach, stock, must=number == situation.closing)
        for number, coatl in enumerate(situation.coatls, start=1)
        if not coatl.complete
    ]
    room = situation.game.coatl_limit - len(situation.coatls)
    new = (
        CoatlOptionFinder(situation, Built(""), reach, stock)
        if reach.hand and stock.pieces and room
        else None
    )
    limits = np.array([*stock.counts, *(1 for _ in reach.hand + reach.temples)], dtype=np.int64)
    sharing = Allocator(limits)
    return [
        build_plan(situation, reach, _choose_options(sharing, existing, new, room, goal))
        for goal in goals
    ]


def _choose_options(
    sharing: Allocator,
    existing: list[CoatlOptionFinder],
    new: CoatlOptionFinder | None,
    room: int,
    goal: AssemblyGoal,
) -> list[ChosenOption]:
    """Choose what is best to do with each Cóatl."""
    best, most = None, IMPOSSIBLE
    offers = [finder.find_options(goal) for finder in existing]
    begun = _select_with_cards(new.find_options(goal)) if new else []
    for found in list_allocations(sharing, offers, begun, room):
        worth, row = found.best()
        if worth > most:
            best, most = (found, row), worth
    assert best is not None, "a Cóatl that was closed can be completed"
    found, row = best
    return found.reconstruct_options(row)


def _select_with_cards(new: list[CoatlOptions]) -> list[CoatlOptions]:
    """Select the options of a new Cóatl that place cards beside it; others gain nothing."""
    found = []
    for offers in new:
        placed = offers.takes[:, len(offers.coatl.stock.pieces) :].any(axis=1)
        if placed.any():
            takes, worth, unless = (
                rows[placed] for rows in (offers.takes, offers.worth, offers.unless)
            )
            found.append(CoatlOptions(offers.coatl, offers.closed, takes, worth, unless))
    return found
