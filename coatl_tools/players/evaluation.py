"""The value of a seat's position: points made, and the best that its Cóatls can still become."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL
from coatl_tools.pieces import Colour
from coatl_tools.players.growth_projection import (
    MAX_ADDED_PIECES,
    ROWS_KEPT,
    CardPointTables,
    FloatArray,
    ProjectedArrangements,
    concatenate_projections,
    extend_at_tail,
    start_projection,
)
from coatl_tools.rules.constants import COATLS_TO_END, COLOURS, MAX_OPEN_COATLS, Pieces
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import compute_coatl_result
from coatl_tools.rules.state import Built

NEW_COATL = Built("")
IMPOSSIBLE_VALUE = np.float32(-1000)
ROWS_EVALUATED = 250  # arrangements of each length that are judged


@dataclass(frozen=True, slots=True)
class EvaluationWeights:
    """The numbers behind the expert's judgement, found by playing many games.

    All are in points of the final score, unless a comment says turns or pieces: a position is
    worth the points that it promises, less `turn_cost` for each turn that they still cost.
    """

    # The price of time. Without it, the largest Cóatl would always look best.
    turn_cost: float = 2.5  # points that a turn could bring elsewhere

    # Turns that a missing piece costs. Less than one turn for a body segment, because a space holds
    # two of them; a head or a tail comes alone (rule 3.1), and there are only two spaces of each.
    # What does not lie on the Supply board has to be waited for.
    seen_body_turns: float = 0.7  # a body segment whose colour lies on the Supply board
    unseen_body_turns: float = 0.9
    seen_end_turns: float = 1.0  # a head or a tail that lies there
    unseen_end_turns: float = 1.6

    # What is less than sure counts less.
    second_coatl_factor: float = 0.8  # for a second Cóatl: the game may end before it is complete
    pile_temple_factor: float = 0.7  # for a Temple card on a pile: somebody may be faster
    supply_plan_cost: float = 1.5  # for a plan with cards of the supply: others may take them

    # The board has 8 spaces, and pieces without a use block them. A few do little harm; from the
    # fourth on they soon leave no room to take anything, so their number counts squared.
    useless_piece_cost: float = 0.3  # taken off for each useless piece
    crowding_cost: float = 0.3  # taken off for the square of their number beyond three

    # Small amounts that decide between moves which look alike.
    unused_card_points: float = 0.2  # for a Prophecy card in hand that no plan uses
    extra_card_cost: float = 0.3  # what one more card in hand has to bring: it fills the hand
    token_cost: float = 1.0  # what a use of a token has to bring: each can be used only once

    # Against A.D.A.M., whose points have to be exceeded (rule 7.8).
    adam_point_cost: float = 1.0  # taken off for each point of A.D.A.M.'s
    win_points: float = 20.0  # to win or lose at once: more than any plan promises

    # Bringing the end with the third Cóatl: good when ahead even after the others' final turns.
    ending_points_limit: float = 8.0  # the most that this counts, for or against it
    final_turn_points: float = 6.0  # points that another player makes in a final turn

    # Pieces once placed never move (rule 3.8): an assembly that completes nothing gives away
    # choices. It has to bring more, and is only looked for when the board is nearly full, unless
    # the planner finds points in it.
    unfinished_assembly_cost: float = 2.0  # what such an assembly has to bring
    full_board_pieces: int = 6  # from which on steps towards a target are looked for

    # How long the game lasts: the turns until an opponent has completed the missing Cóatls.
    turns_per_coatl: float = 6.0  # for each of them
    turns_saved_per_piece: float = 0.35  # for each piece that the opponent has already


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """All of a seat that changes from move to move."""

    coatls: tuple[Built, ...]
    board: Pieces
    hand: tuple[str, ...]
    temples: tuple[str, ...]
    tops: tuple[str, ...]
    spaces: tuple[Pieces, ...]
    turns: float  # of this player that are still to come, more or less

    def add_pieces(self, pieces: Iterable[str], space: int = 0) -> SeatPosition:
        """Return the position with more pieces on the board, out of a space or not."""
        spaces = tuple(
            () if number == space else lying for number, lying in enumerate(self.spaces, start=1)
        )
        return replace(self, board=(*self.board, *pieces), spaces=spaces)


@dataclass(frozen=True, slots=True)
class BuildTarget:
    """The best arrangement that a Cóatl can become: what it is worth, and what it takes."""

    coatl: Built
    value: float
    points: float
    turns: float
    cards: tuple[str, ...]
    temple: str
    bodies: tuple[int, ...]
    added_colours: tuple[str, str]  # before the Cóatl, and behind it


@dataclass(frozen=True, slots=True)
class ArrangementValues:
    """The arrangements of one Cóatl that may be the best, whatever is taken or chosen now."""

    arrangements: ProjectedArrangements
    inner: FloatArray  # body segments of each colour that are added
    first: NDArray[np.intp]  # the colours of head and tail, where one is added
    last: NDArray[np.intp]
    points: dict[str, FloatArray]

    def get_added_colours(self, row: int) -> tuple[str, str]:
        """Return the colours added before the Cóatl, and behind it."""
        before, behind = (
            "".join(Colour(letter).name for letter in side[row] if letter >= 0)
            for side in (self.arrangements.before, self.arrangements.behind)
        )
        return before, behind


class Evaluator:
    """Judges positions of one seat at one moment."""

    def __init__(
        self, game: Game, now: SeatPosition, supply: Iterable[str], weights: EvaluationWeights
    ) -> None:
        self.game, self.weights = game, weights
        self._now, self._supply = now, tuple(supply)
        self._cards = tuple(dict.fromkeys([*now.hand, *self._supply]))
        self._fields: dict[Built, ArrangementValues] = {}
        pieces = [piece.strip("<>") for piece in (*now.board, *sum(now.spaces, ()))]
        self._near = np.array([pieces.count(colour) for colour in COLOURS], dtype=np.float32)

    def has_in_reach(self, card: str) -> bool:
        """Tell whether a Prophecy card was in reach when this evaluator was made."""
        return card in self._cards

    def value(self, position: SeatPosition) -> float:
        """Return the points that a position promises."""
        made = sum(
            compute_coatl_result(self.game, coatl).points
            for coatl in position.coatls
            if coatl.complete
        )
        return made + self._value_targets(position)

    def find_targets(self, position: SeatPosition) -> list[BuildTarget]:
        """Find the targets of all open Cóatls, and of a new one if allowed, the best first."""
        complete = sum(coatl.complete for coatl in position.coatls)
        wanted = [coatl for coatl in position.coatls if not coatl.complete]
        if len(wanted) < MAX_OPEN_COATLS and complete + len(wanted) < COATLS_TO_END:
            wanted.append(NEW_COATL)
        found = [self.find_target(position, coatl) for coatl in wanted]
        return sorted(found, key=lambda aim: -aim.value)

    def _value_targets(self, position: SeatPosition) -> float:
        """Value the best target, and the best of another Cóatl with what is left."""
        aims = self.find_targets(position)
        if not aims:
            return 0.0
        first, others = aims[0], [aim.coatl for aim in aims[1:]]
        if not others and len(position.coatls) < COATLS_TO_END - (first.coatl == NEW_COATL):
            others = [NEW_COATL]
        rest = _reach_target(position, first)
        useless = _count_useless_pieces(position.board, first)
        total = (
            _soften_loss(first.value)
            - self.weights.useless_piece_cost * useless
            - self._price_crowding(useless)
        )
        if others:
            more = max(self.find_target(rest, other).value for other in others)
            total += self.weights.second_coatl_factor * _soften_loss(more)
        return total + self.weights.unused_card_points * len(rest.hand)

    def _price_crowding(self, useless: int) -> float:
        """Return what it costs that useless pieces leave little room on the board."""
        return self.weights.crowding_cost * max(0, useless - 3) ** 2

    def find_target(self, position: SeatPosition, coatl: Built) -> BuildTarget:
        """Find the best that a Cóatl, or a new one, can become."""
        field = self._get_values(coatl)
        temple, best_temples = self._temples(field, position)
        turns = self._estimate_turns(field, position, coatl.text)
        points, cards = self._prophecies(field, position.hand, coatl)
        points = points + temple
        value = self._value(points, turns, position.turns)
        row = int(np.argmax(value))
        if len(position.hand) < self.game.hand_limit:  # cards of the supply may be chosen first
            hopes, more = self._prophecies(field, (*position.hand, *self._supply), coatl)
            hopes = hopes + temple
            promise = self._value(hopes, turns + 1, position.turns) - self.weights.supply_plan_cost
            best = int(np.argmax(promise))
            if promise[best] > value[row]:
                points, value, row = hopes, promise, best
                cards = [card for card in more if card in position.hand]
        room = MAX_PROPHECIES_PER_COATL - len(coatl.prophecies)
        paying = [card for card in cards if field.points[card][row] > 0]
        paying.sort(key=lambda card: -field.points[card][row])
        return BuildTarget(
            coatl,
            float(value[row]),
            float(points[row]),
            float(turns[row]),
            tuple(paying[:room]),
            next((card for card in best_temples if field.points[card][row] > 0), ""),
            tuple(int(number) for number in field.inner[row]),
            field.get_added_colours(row),
        )

    def _value(self, points: FloatArray, turns: FloatArray, left: float) -> FloatArray:
        """Value points less the price of turns; points that come too late count little."""
        late = np.maximum(turns - np.float32(left), 0)
        value: FloatArray = points / (1 + late * late) - np.float32(self.weights.turn_cost) * turns
        return value

    def _get_values(self, coatl: Built) -> ArrangementValues:
        key = coatl._replace(temple="", complete=False)
        if key not in self._fields:
            self._fields[key] = self._build_values(key)
        return self._fields[key]

    def _build_values(self, coatl: Built) -> ArrangementValues:
        """Find the arrangements that would be best with all cards and pieces in reach."""
        now, text, game = self._now, coatl.text, self.game
        ids = dict.fromkeys([*coatl.prophecies, *self._cards, *now.temples, *now.tops])
        cards = CardPointTables([game.by_id[card] for card in ids])
        arrangements = start_projection(cards, text)
        found = [arrangements] if text.endswith(">") else []
        least = 3 if not text else 1
        for length in range(0 if text.endswith(">") else MAX_ADDED_PIECES):
            arrangements = extend_at_tail(cards, arrangements, length)
            hopes = self._estimate_hopes(cards, arrangements, coatl)
            if length + 1 >= least:
                found.append(arrangements.select_rows(_select_best_rows(hopes, ROWS_EVALUATED)))
            arrangements = arrangements.select_rows(_select_best_rows(hopes, ROWS_KEPT))
        every = concatenate_projections(found)
        return self._value_arrangements(cards, every, text)

    def _value_arrangements(
        self, cards: CardPointTables, arrangements: ProjectedArrangements, text: str
    ) -> ArrangementValues:
        lengths = (arrangements.before >= 0).sum(axis=1), (arrangements.behind >= 0).sum(axis=1)
        rows = np.arange(len(arrangements))
        base = np.array([text.count(colour) for colour in COLOURS], dtype=np.int16)
        inner = (arrangements.counts - base).astype(np.float32)
        first = last = np.zeros(len(arrangements), dtype=np.intp)
        if not text.startswith("<"):
            first = (arrangements.before if text else arrangements.behind)[:, 0].astype(np.intp)
            inner[rows, first] -= 1
        if not text.endswith(">"):
            last = arrangements.behind[rows, lengths[1] - 1].astype(np.intp)
            inner[rows, last] -= 1
        points = {card.id: cards.points(card, arrangements) for card in cards.cards}
        return ArrangementValues(arrangements, inner, first, last, points)

    def _estimate_hopes(
        self, cards: CardPointTables, arrangements: ProjectedArrangements, coatl: Built
    ) -> FloatArray:
        """Estimate what each arrangement promises, as far as it has come."""
        now, game = self._now, self.game
        own = [card for card in self._cards if card not in coatl.prophecies]
        room = MAX_PROPHECIES_PER_COATL - len(coatl.prophecies)
        rows = [cards.estimate_points(game.by_id[card], arrangements) for card in own]
        total = (
            _sum_best_cards(rows, room)
            if rows and room
            else np.zeros(len(arrangements), dtype=np.float32)
        )
        for card in coatl.prophecies:
            total = total + cards.estimate_points(game.by_id[card], arrangements)
        temples = [
            cards.points(game.by_id[card], arrangements) for card in (*now.temples, *now.tops)
        ]
        if temples:
            total = total + np.float32(0.7) * np.max(np.stack(temples), axis=0)
        base = np.array([coatl.text.count(colour) for colour in COLOURS], dtype=np.int16)
        lacking = np.maximum((arrangements.counts - base).astype(np.float32) - self._near, 0)
        price = np.float32(self.weights.turn_cost * self.weights.seen_body_turns)
        hopes: FloatArray = total - price * lacking.sum(axis=1)
        return hopes

    def _prophecies(
        self, field: ArrangementValues, hand: Sequence[str], coatl: Built
    ) -> tuple[FloatArray, list[str]]:
        """Sum for each arrangement the points of the cards placed and the best ones of a hand.

        Also return the cards of the hand that may be placed.
        """
        game = self.game
        total = np.zeros(len(field.arrangements), dtype=np.float32)
        for card in coatl.prophecies:
            total = total + field.points[card]
        room = MAX_PROPHECIES_PER_COATL - len(coatl.prophecies)
        taken = game.colours_taken(coatl.prophecies)
        cards = [
            card
            for card in dict.fromkeys(hand)
            if card not in coatl.prophecies and game.by_id[card].colour not in taken
        ]
        rows = [field.points[card] for card in cards]
        if game.different_colours:
            by_colour: dict[object, list[FloatArray]] = {}
            for card in cards:
                by_colour.setdefault(game.by_id[card].colour, []).append(field.points[card])
            rows = [np.max(same, axis=0) for same in by_colour.values()]
        lacking = game.least_prophecies - len(coatl.prophecies)
        if not rows or not room:
            return total + (IMPOSSIBLE_VALUE if lacking > 0 else np.float32(0)), []
        best = _sum_best_cards(rows, room)
        if lacking > 0:
            enough = np.sum([row > 0 for row in rows], axis=0) >= lacking
            best = np.where(enough, best, IMPOSSIBLE_VALUE)
        return best + total, cards

    def _temples(
        self, field: ArrangementValues, position: SeatPosition
    ) -> tuple[FloatArray, list[str]]:
        """Find for each arrangement the points of the best Temple card; tops of piles count less.

        Also return all Temple cards in reach.
        """
        rows = [field.points[card] for card in position.temples]
        rows += [
            field.points[card] * np.float32(self.weights.pile_temple_factor)
            for card in position.tops
        ]
        if not rows:
            return np.zeros(len(field.arrangements), dtype=np.float32), []
        best: FloatArray = np.max(np.stack(rows), axis=0)
        return best, [*position.temples, *position.tops]

    def _estimate_turns(
        self, field: ArrangementValues, position: SeatPosition, text: str
    ) -> FloatArray:
        """Estimate the turns to each arrangement: to take what is lacking, and to assemble."""
        weights, board = self.weights, position.board
        lying = {piece for space in position.spaces for piece in space}
        bodies = np.array([board.count(c) for c in COLOURS], dtype=np.float32)
        prices = [
            weights.seen_body_turns if colour in lying else weights.unseen_body_turns
            for colour in COLOURS
        ]
        lacking = np.maximum(field.inner - bodies, 0)
        with np.errstate(invalid="ignore"):  # on some machines matmul warns of finite numbers
            turns: FloatArray = 1 + lacking @ np.array(prices, dtype=np.float32)
        if not text.startswith("<"):
            turns = turns + self._price_ends("<{}", board, lying)[field.first]
        if not text.endswith(">"):
            turns = turns + self._price_ends("{}>", board, lying)[field.last]
        return turns

    def _price_ends(self, form: str, board: Pieces, lying: set[str]) -> FloatArray:
        """Return the price of a head or tail of each colour."""
        weights, prices = self.weights, []
        for colour in Colour:
            piece = form.format(colour.name)
            price = weights.seen_end_turns if piece in lying else weights.unseen_end_turns
            prices.append(0.0 if piece in board else price)
        return np.array(prices, dtype=np.float32)


def _select_best_rows(hopes: FloatArray, number: int) -> NDArray[np.intp]:
    """Select the rows of the highest hopes."""
    if len(hopes) <= number:
        return np.arange(len(hopes))
    return np.sort(np.argpartition(-hopes, number)[:number])


def _sum_best_cards(rows: Sequence[FloatArray], room: int) -> FloatArray:
    """Sum for each arrangement its best cards, as many as there is room for."""
    total = rows[0]
    for row in rows[1:]:
        total = total + row
    if len(rows) <= room:
        return total
    every = np.stack(rows)
    best: FloatArray
    if len(rows) == room + 1:
        best = total - every.min(axis=0)
        return best
    best = np.partition(every, len(rows) - room, axis=0)[len(rows) - room :].sum(axis=0)
    return best


def _soften_loss(value: float) -> float:
    """Reduce a loss: a target that costs more than it brings need not be followed."""
    return value if value > 0 else 0.15 * value


def _count_useless_pieces(board: Pieces, best: BuildTarget) -> int:
    """Count the pieces that a target has no use for; one more head and tail may serve later."""
    before, behind = best.added_colours
    text = best.coatl.text
    used = [] if text.startswith("<") else [f"<{(before or behind)[0]}"]
    used += [] if text.endswith(">") else [f"{behind[-1]}>"]
    heads = sum("<" in piece for piece in board if piece not in used)
    tails = sum(">" in piece for piece in board if piece not in used)
    bodies = sum(max(0, board.count(c) - n) for c, n in zip(COLOURS, best.bodies, strict=True))
    return bodies + max(0, heads - 1) + max(0, tails - 1)


def _reach_target(position: SeatPosition, done: BuildTarget) -> SeatPosition:
    """Return the position that is left once a target is reached, without heads and tails."""
    hand = list(position.hand)
    for card in done.cards:
        hand.remove(card)
    left: list[str] = []
    for colour, used in zip(COLOURS, done.bodies, strict=True):
        left += [colour] * max(0, position.board.count(colour) - used)
    return replace(
        position,
        board=tuple(left),
        hand=tuple(hand),
        temples=tuple(card for card in position.temples if card != done.temple),
        tops=tuple(card for card in position.tops if card != done.temple),
        turns=position.turns - done.turns,
    )
