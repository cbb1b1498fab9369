"""What one Cóatl can be made worth in a turn, for every use of pieces and cards that wastes none.

Also the order in which it grows, so that a card can be placed that it no longer satisfies in the
end: such a card scores nothing, but counts (rule 3.9, ruling 9.12).

An example: the Cóatl `<RB`, the board `B Y Y>`, the cards P29 and P10 in hand. The arrangements are
`<RB`, `<RBB`, `<RBY`, `<RBBY`, `<RBYB`, `<RBY>`, `<RBBY>`, … For each of them, and for each set of
cards ({}, {P29}, {P10}, {P29, P10}), numpy works out the points in one table. Then only the best
arrangement for each use of the board and the hand is kept, and of these only what is worth more
than everything that uses less. The planner combines what is left with the options of the other
Cóatls: since pieces and cards are used once, it only has to know what an option takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card
from coatl_tools.cards.requirement import (
    NoProphecy,
    PieceSequence,
    Several,
    SingleRequirement,
    depends_on_cards,
    split_requirement,
)
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.arrangements import (
    ArrangementFinder,
    Arrangements,
    CountArray,
    Inventory,
    count_by_colours,
    list_sequences,
)
from coatl_tools.players.planning.plan import AssemblyGoal, Situation
from coatl_tools.players.planning.requirement_tables import (
    SequenceTables,
    get_placeability_tracker,
    is_breakable,
)
from coatl_tools.rules.constants import Pieces
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Built
from coatl_tools.scoring.batch import IntArray
from coatl_tools.scoring.score import collect_prophecy_colours

EarlyPlacement = tuple[int, int, str]  # pieces added before and behind by then, and the card


@dataclass(frozen=True, slots=True)
class CoatlGrowth:
    """Pieces put before and behind a Cóatl, both from head to tail; a new one begins with `first`.

    `early` are cards to be placed on the way, in order.
    """

    first: str
    before: Pieces
    behind: Pieces
    early: tuple[EarlyPlacement, ...] = ()


def plan_growth(
    game: Game, text: str, before: Pieces, behind: Pieces, cards: Sequence[str]
) -> CoatlGrowth | None:
    """Plan a growth in which each of these cards can be placed at some moment, or return None."""
    if text:
        found = _plan_early_placements(game, text, before, behind, frozenset(cards))
        return None if found is None else CoatlGrowth("", before, behind, found)
    for first in range(len(behind)):  # a new Cóatl may begin with any of its pieces
        growth = CoatlGrowth(behind[first], behind[:first], behind[first + 1 :])
        found = _plan_early_placements(
            game, growth.first, growth.before, growth.behind, frozenset(cards)
        )
        if found is not None:
            return CoatlGrowth(growth.first, growth.before, growth.behind, found)
    return None


def _plan_early_placements(
    game: Game, text: str, before: Pieces, behind: Pieces, wanted: frozenset[str]
) -> tuple[EarlyPlacement, ...] | None:
    """Plan when each card is placed; None if there is no way.

    For every stretch, all sets of cards are kept that can have been placed by then.
    """
    if not wanted:
        return ()
    ways: dict[tuple[int, int], dict[frozenset[str], tuple[EarlyPlacement, ...]]] = {}
    for left in range(len(before) + 1):
        for right in range(len(behind) + 1):
            grown = "".join(before[len(before) - left :]) + text + "".join(behind[:right])
            sets: dict[frozenset[str], tuple[EarlyPlacement, ...]] = {}
            for place in ((left - 1, right), (left, right - 1)):
                for placed, way in ways.get(place, {}).items():
                    sets.setdefault(placed, way)
            sets = sets or {frozenset(): ()}
            fits = [card for card in sorted(wanted) if game.satisfies(grown, card, ())]
            for placed, way in [*sets.items()]:
                now = [card for card in fits if card not in placed]
                # what can be placed is placed: later it may be too late
                sets[placed.union(now)] = (*way, *((left, right, card) for card in now))
            ways[left, right] = sets
            if wanted in sets:
                return sets[wanted]
    return None


BoolArray = NDArray[np.bool_]
IMPOSSIBLE = np.iinfo(np.int64).min // 4  # the worth of what cannot be


@dataclass(frozen=True, slots=True)
class UsableCards:
    """The cards that a plan may use: each place is one card in the hand, or one Temple card."""

    hand: tuple[str, ...]
    temples: tuple[str, ...]  # those of the hand, then the tops of the piles


@dataclass(frozen=True, slots=True)
class CoatlOptions:
    """Ways to deal with one Cóatl: a row each, with what it takes and what it is worth.

    `takes` has a column for each different piece, each card of the hand and each Temple card.
    `unless` has bits of Temple cards that fit, of which the option places none: they must all be
    used by other Cóatls (ruling 9.3).
    """

    coatl: CoatlOptionFinder
    closed: bool
    takes: IntArray
    worth: IntArray
    unless: IntArray

    def __len__(self) -> int:
        return len(self.worth)


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """One way to deal with a Cóatl, in full."""

    growth: CoatlGrowth
    cards: tuple[str, ...]  # Prophecy cards placed in the end
    temple: int | None  # the place of the Temple card
    closed: bool


class CoatlOptionFinder:
    """One Cóatl, and everything that can become of it in this turn."""

    def __init__(
        self,
        situation: Situation,
        coatl: Built,
        reach: UsableCards,
        stock: Inventory,
        must: bool = False,
    ) -> None:
        self.situation, self.coatl, self.reach = situation, coatl, reach
        self.stock, self._must_close = stock, must
        game = self._game = situation.game
        closed_ends = game.options.closed_ends
        self._placed = [game.by_id[card] for card in coatl.prophecies]
        self._hand = [game.by_id[card] for card in reach.hand]
        self._temples = [game.by_id[card] for card in reach.temples]
        self._sets = self._legal_sets()
        cards = {card.id: card for card in (*self._placed, *self._hand, *self._temples)}
        self._sequence_tables = SequenceTables(
            wanted for card in cards.values() for wanted in list_sequences(card)
        )
        self._columns = {wanted: n for n, wanted in enumerate(self._sequence_tables.wanted)}
        lacking = len(coatl.prophecies) < game.least_prophecies
        self._early = [
            place for place, card in enumerate(self._hand) if lacking and is_breakable(card)
        ]
        placeability = tuple(
            get_placeability_tracker(self._hand[place], closed_ends) for place in self._early
        )
        # where several cards may have to be placed early, their moments must fit together
        merge = game.least_prophecies == 1 or len(placeability) < 2
        self._placeability = placeability
        self._finder = ArrangementFinder(
            coatl.text, stock, self._sequence_tables, placeability, closed_ends, merge
        )
        self._found: Arrangements = self._finder.find()
        self._counts = self._colour_counts()

    # The sets of cards from the hand

    def _legal_sets(self) -> BoolArray:
        """Return the sets of cards of the hand that may join those placed (rules 3.9, 7.10)."""
        room = MAX_PROPHECIES_PER_COATL - len(self.coatl.prophecies)
        found = []
        for number in range(min(room, len(self._hand)) + 1):
            for places in combinations(range(len(self._hand)), number):
                cards = [*self._placed, *(self._hand[place] for place in places)]
                if len({card.id for card in cards}) < len(cards):
                    continue
                colours = {card.colour for card in cards}
                # the cards placed already differ in colour too, so all are checked together
                if self._game.different_colours and len(colours) < len(cards):
                    continue
                found.append([place in places for place in range(len(self._hand))])
        return np.array(found, dtype=bool).reshape(len(found), len(self._hand))

    # What each arrangement is worth

    def _colour_counts(self) -> IntArray:
        base = [self.coatl.text.count(colour.name) for colour in Colour]
        return self.stock.colour_counts[self._found.used] + np.array(base, dtype=np.int64)

    def _count_met(self, part: SingleRequirement, most: int) -> CountArray:
        """Count how often each arrangement meets a requirement; 0 for one about cards."""
        match part:
            case PieceSequence():
                closed = self._found.tail | (not self._game.options.closed_ends)
                return self._sequence_tables.count(
                    self._columns[part, most], self._found.codes, closed
                )
            case NoProphecy():
                return np.zeros(len(self._counts), dtype=np.int64)
            case _:
                return count_by_colours(part, self._counts)

    def _count(self, card: Card) -> CountArray:
        """Count how often each arrangement meets a card, except what it asks of other cards."""
        requirement = card.requirement
        if isinstance(requirement, Several):
            met = [self._count_met(part, 1) > 0 for part in requirement.parts]
            total: CountArray = np.sum(met, axis=0)
            return total
        return self._count_met(requirement, card.levels[-1].count)

    def _levels(self, card: Card) -> IntArray:
        """Find the level of a card by arrangement and set, in one column if no set matters."""
        count = self._count(card)[:, None]
        if depends_on_cards(card.requirement):
            count = (
                count
                + np.array([self._count_absent_colours(card, chosen) for chosen in self._sets])[
                    None
                ]
            )
        bounds = np.array([level.count for level in card.levels])
        levels: IntArray = np.searchsorted(bounds, count, side="right")
        return levels

    def _count_absent_colours(self, card: Card, chosen: BoolArray) -> int:
        """Count the parts of a card that are met because a card colour is absent."""
        taken = [card for card, used in zip(self._hand, chosen, strict=True) if used]
        beside = collect_prophecy_colours((card, *self._placed, *taken))
        parts = [
            part for part in split_requirement(card.requirement) if isinstance(part, NoProphecy)
        ]
        return sum(part.colour not in beside for part in parts)

    def _points(self, card: Card, levels: IntArray) -> IntArray:
        worth = np.array([0, *(level.points for level in card.levels)], dtype=np.int64)
        return worth[levels]

    @cached_property
    def _prophecies(self) -> tuple[IntArray, BoolArray, BoolArray]:
        """By arrangement and set: the points of all Prophecy cards; is it legal open, or closed?"""
        shape = (len(self._found.used), len(self._sets))
        points = np.zeros(shape, dtype=np.int64)
        for card in self._placed:
            points += self._points(card, self._levels(card))
        fits = np.ones(shape, dtype=bool)
        fits_closed = np.ones(shape, dtype=bool)
        split = len(self._sequence_tables.each)
        for place, card in enumerate(self._hand):
            levels, chosen = self._levels(card), self._sets[:, place]
            points += np.where(chosen, self._points(card, levels), 0)
            reached = (levels > 0) | ~chosen
            fits &= reached
            if place in self._early:
                column = split + self._early.index(place)
                tracker = self._placeability[self._early.index(place)]
                met = tracker.was_ever_met(self._found.codes[:, column])
                fits_closed &= reached | met[:, None]
            else:
                fits_closed &= reached
        enough = self._sets.sum(axis=1) + len(self._placed) >= self._game.least_prophecies
        return points, fits, fits_closed & enough

    def find_options(self, goal: AssemblyGoal) -> list[CoatlOptions]:
        """Find all options that waste nothing, open ones and closed ones."""
        points, fits, fits_closed = self._prophecies
        found = self._found
        closed = found.head & found.tail
        made = []
        if not self._must_close:
            made.append(self._find_open_options(goal, points, fits & ~closed[:, None]))
        if closed.any():
            fits_closed = fits_closed & closed[:, None]
            if self._game.least_prophecies > 1:
                fits_closed = self._drop_impossible_orders(fits_closed)
            made.append(self._find_closed_options(goal, points, fits_closed))
        return [offers for offers in made if len(offers)]

    def _price_pieces(self, goal: AssemblyGoal) -> IntArray:
        """Return what the pieces of each arrangement add to its worth; costs are below 0."""
        used = self._found.used
        return goal.piece * self.stock.lengths[used] + goal.end * self.stock.ends[used]

    def _find_open_options(
        self, goal: AssemblyGoal, points: IntArray, fits: BoolArray
    ) -> CoatlOptions:
        if self.situation.last:  # rules 5.1, 8.1
            points = points // 2 if self._game.options.half_points else np.zeros_like(points)
        size = self._sets.sum(axis=1)
        worth = goal.point * points + self._price_pieces(goal)[:, None] + goal.card * size[None]
        return self._select_best(np.where(fits, worth, IMPOSSIBLE)[:, :, None], None, closed=False)

    def _find_closed_options(
        self, goal: AssemblyGoal, points: IntArray, fits: BoolArray
    ) -> CoatlOptions:
        size = self._sets.sum(axis=1)
        cards = size + len(self._placed)
        bonus = np.array(goal.closed)[cards] + goal.card * size
        worth = goal.point * points + self._price_pieces(goal)[:, None] + bonus[None]
        worth = np.where(fits, worth, IMPOSSIBLE)
        with_temple, satisfied = [worth], np.zeros(worth.shape, dtype=np.int64)
        for place, card in enumerate(self._temples):
            levels = self._levels(card)
            gain = goal.point * self._points(card, levels) + goal.card
            with_temple.append(np.where(levels > 0, worth + gain, IMPOSSIBLE))
            satisfied |= np.where(levels > 0, 1 << place, 0)
        every = np.stack(with_temple, axis=2)
        needs = satisfied if self._game.options.temple_required else None
        return self._select_best(every, needs, closed=True)

    # The best arrangements for each use of pieces and cards

    def _select_best(self, worth: IntArray, needs: IntArray | None, closed: bool) -> CoatlOptions:
        """Select the best arrangements that use the same; of these, those that waste nothing."""
        if needs is None:
            return self._select_unwasteful(worth, 0, closed)
        parts = []
        # by the option of ruling 9.3, a Temple card that fits has to be placed
        for unless in np.union1d(needs, [0]):
            mine = worth.copy()
            mine[:, :, 0] = np.where(needs == unless, mine[:, :, 0], IMPOSSIBLE)
            if unless:
                mine[:, :, 1:] = IMPOSSIBLE
            parts.append(self._select_unwasteful(mine, int(unless), closed))
        return CoatlOptions(
            self,
            closed,
            np.concatenate([part.takes for part in parts]),
            np.concatenate([part.worth for part in parts]),
            np.concatenate([part.unless for part in parts]),
        )

    def _select_unwasteful(self, worth: IntArray, unless: int, closed: bool) -> CoatlOptions:
        """Select the best arrangement for each use of pieces and cards; drop what wastes some."""
        possible = worth > IMPOSSIBLE // 2
        hand = [n for n, used in enumerate(self._sets.T) if possible[:, used].any()]
        temples = [n for n in range(worth.shape[2] - 1) if possible[:, :, n + 1].any()]
        sets = np.flatnonzero(possible.any(axis=(0, 2)))
        rows = np.flatnonzero(possible.any(axis=(1, 2)))
        order = rows[np.argsort(self._found.used[rows], kind="stable")]
        used = self._found.used[order]
        starts = np.flatnonzero(np.r_[True, used[1:] != used[:-1]][: len(used)])
        layers = [0, *(n + 1 for n in temples)]
        best = worth[order][:, sets][:, :, layers]
        if len(starts):
            best = np.maximum.reduceat(best, starts, axis=0)
        table = np.full(
            (self.stock.size, 1 << len(hand), 1 << len(temples)), IMPOSSIBLE, dtype=np.int64
        )
        bits = (self._sets[sets][:, hand] << np.arange(len(hand))).sum(axis=1).astype(np.int64)
        tops = np.array([0, *(1 << place for place in range(len(temples)))])
        table[used[starts][:, None, None], bits[None, :, None], tops[None, None, :]] = best
        choice, cards, temple = np.nonzero(self._mark_unwasteful(table, len(hand) + len(temples)))
        takes = np.zeros((len(choice), len(self._hand) + len(self._temples)), dtype=np.int64)
        takes[:, hand] = cards[:, None] >> np.arange(len(hand)) & 1
        behind = [len(self._hand) + n for n in temples]
        takes[:, behind] = temple[:, None] >> np.arange(len(temples)) & 1
        takes = np.hstack([self.stock.numbers[choice], takes])
        values = table[choice, cards, temple]
        return CoatlOptions(self, closed, takes, values, np.full(len(values), unless))

    def _mark_unwasteful(self, table: IntArray, cards: int) -> BoolArray:
        """Mark what is worth more than all that uses less of something and no more of anything."""
        # `table` has an entry for each choice of pieces and cards. As a grid with one axis for each
        # kind of piece and each card, "uses less" means "smaller along some axis": the running
        # maximum along all axes is the best that can be had with no more of anything.
        # The digits of a choice count up from the first piece, the axes from the last.
        grid = table.reshape((*reversed(self.stock.shape), *[2] * cards))
        most, keep = grid.copy(), grid > IMPOSSIBLE // 2
        for axis, size in enumerate(grid.shape):
            by_axis = np.moveaxis(most, axis, 0)
            for place in range(1, size):
                here = by_axis[place : place + 1]
                np.maximum(here, by_axis[place - 1 : place], out=here)
        for axis in range(grid.ndim):
            less, here = np.moveaxis(most, axis, 0)[:-1], np.moveaxis(grid, axis, 0)[1:]
            np.moveaxis(keep, axis, 0)[1:] &= here > less
        return keep.reshape(table.shape)

    def reconstruct_option(self, takes: IntArray, closed: bool) -> ChosenOption:
        """Reconstruct the arrangement and the cards that an option stands for."""
        split = len(self.stock.pieces)
        choice = int((takes[:split] * np.array(self.stock.strides, dtype=np.int64)).sum())
        hand = takes[split : split + len(self._hand)].astype(bool)
        temple = np.flatnonzero(takes[split + len(self._hand) :])
        points, fits, fits_closed = self._prophecies
        column = int(np.flatnonzero((self._sets == hand[None]).all(axis=1))[0])
        rows = self._found.used == choice
        ends = self._found.head & self._found.tail
        good = (
            rows & ((fits_closed & ends[:, None]) if closed else fits & ~ends[:, None])[:, column]
        )
        value = points[:, column]
        if len(temple):
            levels = self._levels(self._temples[temple[0]])
            level = levels[:, column if levels.shape[1] > 1 else 0]
            good &= level > 0
            value = value + self._points(self._temples[temple[0]], level)
        for row in sorted(map(int, np.flatnonzero(good)), key=lambda row: (-int(value[row]), row)):
            cards = [card.id for card, used in zip(self._hand, hand, strict=True) if used]
            before, behind = self._list_attached(row)
            broken = [
                card.id
                for place, card in enumerate(self._hand)
                if hand[place] and not self._level_at(card, row, column)
            ]
            growth = plan_growth(self._game, self.coatl.text, before, behind, broken)
            if growth is not None:
                kept = tuple(card for card in cards if card not in broken)
                return ChosenOption(growth, kept, int(temple[0]) if len(temple) else None, closed)
        raise AssertionError("an option has no arrangement")

    def _list_attached(self, row: int) -> tuple[Pieces, Pieces]:
        """List the pieces before and behind the Cóatl; those of a new one are all behind."""
        before, behind = self._finder.list_attached(int(self._found.node[row]))
        return (before, behind) if self.coatl.text else ((), before + behind)

    def _level_at(self, card: Card, row: int, column: int) -> int:
        levels = self._levels(card)
        return int(levels[row, column if levels.shape[1] > 1 else 0])

    def _drop_impossible_orders(self, fits: BoolArray) -> BoolArray:
        """Drop sets with several cards that must be placed early, where no order allows it."""
        if len(self._early) < 2:
            return fits
        good = fits.copy()
        early = self._sets[:, self._early]
        reached = np.stack(
            [np.broadcast_to(self._levels(self._hand[p]) > 0, fits.shape) for p in self._early],
            axis=2,
        )
        broken = fits[:, :, None] & early[None] & ~reached
        for row, column in zip(*np.nonzero(broken.sum(axis=2) > 1), strict=True):
            before, behind = self._list_attached(int(row))
            cards = [
                self._hand[place].id
                for place, late in zip(self._early, broken[row, column], strict=True)
                if late
            ]
            good[row, column] = bool(
                plan_growth(self._game, self.coatl.text, before, behind, cards)
            )
        return good
