"""The greedy bot: it takes what brings most now, and drafts for the cards in hand.

A card that lacks few pieces and then pays much is worth drafting for: every colour that it lacks
counts accordingly (`DraftTargets`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card
from coatl_tools.errors import Phrase, RequirementTooComplexError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import MAX_PIECES
from coatl_tools.players.bot import Move
from coatl_tools.players.planning.plan import (
    LAST_TURN_GOAL,
    POINT_WEIGHT,
    AssemblyGoal,
    AssemblyPlan,
    Situation,
    make_situation,
)
from coatl_tools.players.planning.planner import find_best_assembly
from coatl_tools.players.random_bot import RandomBot
from coatl_tools.rules.constants import (
    BOARD_SPACES,
    COLOURS,
    FEATHER,
    HEAD,
    KIND_OF_PIECE,
    TAIL,
    Pieces,
)
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    ChooseCard,
    Discard,
    DrawCard,
    EndTurn,
    Event,
    Keep,
    TakePieces,
)
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import (
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    MUST_CHOOSE,
    READY,
    Built,
)
from coatl_tools.rules.views import View
from coatl_tools.scoring.missing_pieces import (
    MAX_ADDED_PIECES,
    find_missing_pieces,
    find_shortest_row,
)

GAP_CACHE_SIZE = 1 << 14
_NEW_COATL = Built("")


@dataclass(frozen=True, slots=True)
class ColourGap:
    """What a card lacks on a Cóatl for its next level, and how many points more that pays."""

    colours: str
    points: int


@lru_cache(maxsize=GAP_CACHE_SIZE)
def find_colour_gap(text: str, card: Card, level: int, closed_ends: bool) -> ColourGap | None:
    """Find the fewest pieces from a level (0: none) to the next one; None if there is no way."""
    following = card.levels[level]
    paid = card.levels[level - 1].points if level else 0
    try:
        if text:
            found = find_missing_pieces(parse_coatl(text), card, following.count, (), closed_ends)
            pieces = None if found is None else (*found.head_end, *found.tail_end)
        else:
            pieces = find_shortest_row(card, following.count, MAX_ADDED_PIECES, MAX_PIECES)
    except RequirementTooComplexError:
        return None
    if pieces is None:
        return None
    return ColourGap("".join(colour.name for colour in pieces), following.points - paid)


class DraftTargets:
    """How much pieces and cards would help one seat."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._open = [coatl for coatl in situation.coatls if not coatl.complete]
        self._coatls = [*self._open, *([_NEW_COATL] if len(self._open) < 2 else [])]
        self._board = Counter(piece.strip("<>") for piece in situation.board)
        self.colours = self._value_colours()

    def _value_colours(self) -> dict[str, float]:
        """Value how much one more piece of each colour would help."""
        game, wished = self._situation.game, dict.fromkeys(COLOURS, 0.05)
        for card in dict.fromkeys(self._situation.hand):
            gaps = [self._find_gap(game, card, coatl) for coatl in self._coatls]
            self._add_wish(wished, [found for found in gaps if found])
        for coatl in self._open:
            for card in coatl.prophecies:
                level = game.score(coatl.text, card, coatl.prophecies).level
                if level < len(game.by_id[card].levels):
                    found = find_colour_gap(
                        coatl.text, game.by_id[card], level, game.options.closed_ends
                    )
                    self._add_wish(wished, [found] if found else [])
        return wished

    def _find_gap(self, game: Game, card: str, coatl: Built) -> ColourGap | None:
        if card in coatl.prophecies or len(coatl.prophecies) >= MAX_PROPHECIES_PER_COATL:
            return None
        return find_colour_gap(coatl.text, game.by_id[card], 0, game.options.closed_ends)

    def _add_wish(self, wished: dict[str, float], gaps: Iterable[ColourGap]) -> None:
        """Wish for what the most promising of these gaps lacks."""
        best, lacks = 0.0, Counter[str]()
        for found in gaps:
            lacking = Counter(found.colours) - self._board
            worth = found.points / (1 + lacking.total())
            if worth > best:
                best, lacks = worth, lacking
        for colour, number in lacks.items():
            wished[colour] += best * min(number, 2) / 2

    def pieces(self, pieces: Pieces) -> float:
        """Value how much these pieces together would help."""
        total = 0.0
        for place, piece in enumerate(pieces):
            if piece == FEATHER:  # rule 10.3: it brings others points, and takes up a space
                continue
            colour = piece.strip("<>")
            before = [other.strip("<>") for other in pieces[:place]]
            total += self.colours[colour] * 0.7 ** before.count(colour)
            if piece[0] == "<":
                total += self._value_end("<")
            elif piece[-1] == ">":
                total += self._value_end(">")
        return total

    def _value_end(self, mark: str) -> float:
        """Value how much a head or a tail would help to close a Cóatl."""
        there = sum(mark in piece for piece in self._situation.board)
        without = sorted((len(c.text) for c in self._open if mark not in c.text), reverse=True)
        if there < len(without):
            return 0.3 + 0.25 * without[there]
        return 0.5 if there == len(without) and len(self._open) < 2 else -0.5

    def card(self, card: str) -> float:
        """Value how much a Prophecy card in hand would help."""
        game = self._situation.game
        best = 0.0
        for coatl in self._coatls:
            found = self._find_gap(game, card, coatl)
            if found:
                lacking = (Counter(found.colours) - self._board).total()
                best = max(best, found.points / (1 + lacking))
        asked = game.by_id[card]
        top = asked.levels[-1].points / 10
        return best + top - 2.0 * (card in self._situation.hand)


# A Cóatl is completed with two cards or more: the game has to come to an end some day.
BUILDING_GOAL = AssemblyGoal(
    closed=(0, -2 * POINT_WEIGHT, POINT_WEIGHT, 3 * POINT_WEIGHT, 5 * POINT_WEIGHT)
)
# The board is full: as many pieces as possible are built in, but no Cóatl is closed for that.
MAKING_ROOM_GOAL = AssemblyGoal(
    piece=POINT_WEIGHT // 4, end=-POINT_WEIGHT // 2, closed=BUILDING_GOAL.closed
)
MIN_ASSEMBLY_POINTS = 3  # points from which on an assembly is made
FEW_HAND_CARDS = 2


class GreedyBot:
    """Assembles when that pays, chooses cards when few are left, else takes what is lacking."""

    def choose(self, view: View, number: int) -> Move:
        """Choose the move that looks best now."""
        stage = view.awaited.stage if isinstance(view.awaited, Decision) else READY
        if view.player is None or view.current_player != view.player:  # A.D.A.M.'s turn
            return Move(view.legal[:1], (("bot.only", {}),))
        situation = make_situation(view)
        if stage in (ASSEMBLING, CLOSING):
            return _continue_assembly(situation, stage is CLOSING)
        if stage in (CHOOSING, MUST_CHOOSE):
            return _choose_next_card(view, situation)
        if stage in (READY, BETWEEN):
            return _choose_action(view, situation, number)
        return _choose_cards_to_keep(view, situation, number)


def _choose_action(view: View, situation: Situation, number: int) -> Move:
    """Choose which action to begin."""
    full = len(view.seats[view.current_player].board) > BOARD_SPACES - 2
    plan = find_best_assembly(situation, LAST_TURN_GOAL if situation.last else BUILDING_GOAL)
    pays = plan.points >= MIN_ASSEMBLY_POINTS
    if plan.steps and (pays or full or situation.last or _completes_coatl(plan, situation)):
        return _make_assembly_move(plan)
    kinds = {type(event) for event in view.legal}
    few = len(situation.hand) <= FEW_HAND_CARDS
    if (few or full or TakePieces not in kinds) and kinds & {ChooseCard, DrawCard}:
        return _choose_next_card(view, situation)
    if TakePieces in kinds:
        return _choose_take(view, situation)
    room = find_best_assembly(situation, MAKING_ROOM_GOAL)
    if room.steps:
        return Move(tuple(step.event for step in room.steps), (("bot.makes_room", {}),))
    return _make_end_move() if EndTurn() in view.legal else RandomBot().choose(view, number)


def _completes_coatl(plan: AssemblyPlan, situation: Situation) -> bool:
    """Tell whether a plan completes a Cóatl."""
    return sum(c.complete for c in plan.coatls) > sum(c.complete for c in situation.coatls)


def _make_assembly_move(plan: AssemblyPlan) -> Move:
    why: Phrase = ("bot.assembles", {"n": plan.points})
    return Move(tuple(step.event for step in plan.steps), (why,))


def _make_end_move() -> Move:
    return Move((EndTurn(),), (("bot.nothing_more", {}),))


def _continue_assembly(situation: Situation, closing: bool) -> Move:
    """Choose more steps of an assembly that was begun, or its end."""
    plan = find_best_assembly(situation, LAST_TURN_GOAL if situation.last else BUILDING_GOAL)
    if plan.steps and (closing or plan.points > 0 or _completes_coatl(plan, situation)):
        return _make_assembly_move(plan)
    return _make_end_move()


def _choose_take(view: View, situation: Situation) -> Move:
    wishes = DraftTargets(situation)
    takes = [event for event in view.legal if isinstance(event, TakePieces)]
    best = max(takes, key=lambda take: (wishes.pieces(view.spaces[take.space - 1]), -take.space))
    return Move((best,), (explain_take(best.space, view.spaces[best.space - 1]),))


def explain_take(space: int, pieces: Pieces) -> Phrase:
    """Explain why these pieces are taken."""
    ends = any(KIND_OF_PIECE[piece] in (HEAD, TAIL) for piece in pieces)
    return "bot.takes_end" if ends else "bot.takes", {"space": space}


def _choose_next_card(view: View, situation: Situation) -> Move:
    """Choose the most useful card of the supply, or the end of choosing."""
    wishes = DraftTargets(situation)
    cards = [event for event in view.legal if isinstance(event, ChooseCard)]
    if cards:
        best = max(cards, key=lambda event: (wishes.card(event.card), event.card, -event.copy))
        if wishes.card(best.card) > 0.5 or EndTurn() not in view.legal:
            return Move((best,), (("bot.chooses", {"card": best.card}),))
    if EndTurn() in view.legal:
        return _make_end_move()
    return Move((DrawCard(),), (("bot.draws", {}),))


def _choose_cards_to_keep(view: View, situation: Situation, number: int) -> Move:
    """Choose which cards to keep, or to discard."""
    choices: Sequence[Event] = [
        event
        for event in view.legal
        if isinstance(event, Keep | Discard) and UNKNOWN_CARD not in event.cards
    ]
    if not choices:
        return RandomBot().choose(view, number)
    wishes = DraftTargets(situation)

    def rate_choice(event: Event) -> tuple[float, str]:
        assert isinstance(event, Keep | Discard)
        total = sum(wishes.card(card) + 2.0 for card in event.cards)
        return total if isinstance(event, Keep) else -total, str(event)

    best = max(choices, key=rate_choice)
    return Move((best,), (("bot.keeps", {}),))
