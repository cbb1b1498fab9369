"""A player who takes what brings most now, and drafts for the cards in hand."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.errors import Phrase
from coatl_tools.players.move import Move
from coatl_tools.players.planning.goal import LAST, POINT, Goal
from coatl_tools.players.planning.plan import Plan
from coatl_tools.players.planning.planner import best_assembly
from coatl_tools.players.planning.situation import Situation, situation_of
from coatl_tools.players.random_bot import RandomBot
from coatl_tools.players.wishes import Wishes
from coatl_tools.rules.box import BOARD_SPACES, HEAD, KIND, TAIL, Pieces
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import (
    UNKNOWN,
    ChooseCard,
    Discard,
    DrawCard,
    EndTurn,
    Event,
    Keep,
    TakePieces,
)
from coatl_tools.rules.state import (
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    MUST_CHOOSE,
    READY,
)
from coatl_tools.rules.views import View

# A Cóatl is completed with two cards or more: the game has to come to an end some day.
BUILDING = Goal(closed=(0, -2 * POINT, POINT, 3 * POINT, 5 * POINT))
# The board is full: as many pieces as possible are built in, but no Cóatl is closed for that.
MAKING_ROOM = Goal(piece=POINT // 4, end=-POINT // 2, closed=BUILDING.closed)
WORTH_A_TURN = 3  # points of an assembly
FEW_CARDS = 2


class GreedyBot:
    """Assembles when that pays, chooses cards when few are left, else takes what is lacking."""

    def choose(self, seen: View, number: int) -> Move:
        """The move that looks best now."""
        stage = seen.awaited.stage if isinstance(seen.awaited, Decision) else READY
        if seen.player is None or seen.turn != seen.player:  # A.D.A.M.'s pieces
            return Move(seen.legal[:1], (("bot.only", {}),))
        situation = situation_of(seen)
        if stage in (ASSEMBLING, CLOSING):
            return _going_on(situation, stage is CLOSING)
        if stage in (CHOOSING, MUST_CHOOSE):
            return _next_card(seen, situation)
        if stage in (READY, BETWEEN):
            return _action(seen, situation, number)
        return _picked(seen, situation, number)


def _action(seen: View, situation: Situation, number: int) -> Move:
    """Which action to begin."""
    full = len(seen.seats[seen.turn].board) > BOARD_SPACES - 2
    plan = best_assembly(situation, LAST if situation.last else BUILDING)
    pays = plan.points >= WORTH_A_TURN
    if plan.steps and (pays or full or situation.last or _completes(plan, situation)):
        return _assembly(plan)
    kinds = {type(event) for event in seen.legal}
    few = len(situation.hand) <= FEW_CARDS
    if (few or full or TakePieces not in kinds) and kinds & {ChooseCard, DrawCard}:
        return _next_card(seen, situation)
    if TakePieces in kinds:
        return _best_take(seen, situation)
    room = best_assembly(situation, MAKING_ROOM)
    if room.steps:
        return Move(tuple(step.event for step in room.steps), (("bot.makes_room", {}),))
    return _nothing_more() if EndTurn() in seen.legal else RandomBot().choose(seen, number)


def _completes(plan: Plan, situation: Situation) -> bool:
    """Whether a Cóatl is completed."""
    return sum(c.complete for c in plan.coatls) > sum(c.complete for c in situation.coatls)


def _assembly(plan: Plan) -> Move:
    why: Phrase = ("bot.assembles", {"n": plan.points})
    return Move(tuple(step.event for step in plan.steps), (why,))


def _nothing_more() -> Move:
    return Move((EndTurn(),), (("bot.nothing_more", {}),))


def _going_on(situation: Situation, closing: bool) -> Move:
    """More steps of an assembly that was begun, or its end."""
    plan = best_assembly(situation, LAST if situation.last else BUILDING)
    if plan.steps and (closing or plan.points > 0 or _completes(plan, situation)):
        return _assembly(plan)
    return _nothing_more()


def _best_take(seen: View, situation: Situation) -> Move:
    wishes = Wishes(situation)
    takes = [event for event in seen.legal if isinstance(event, TakePieces)]
    best = max(takes, key=lambda take: (wishes.pieces(seen.spaces[take.space - 1]), -take.space))
    return Move((best,), (why_take(best.space, seen.spaces[best.space - 1]),))


def why_take(space: int, pieces: Pieces) -> Phrase:
    """Why these pieces are taken."""
    ends = any(KIND[piece] in (HEAD, TAIL) for piece in pieces)
    return "bot.takes_end" if ends else "bot.takes", {"space": space}


def _next_card(seen: View, situation: Situation) -> Move:
    """The most useful card of the supply, or the end of choosing."""
    wishes = Wishes(situation)
    cards = [event for event in seen.legal if isinstance(event, ChooseCard)]
    if cards:
        best = max(cards, key=lambda event: (wishes.card(event.card), event.card, -event.copy))
        if wishes.card(best.card) > 0.5 or EndTurn() not in seen.legal:
            return Move((best,), (("bot.chooses", {"card": best.card}),))
    if EndTurn() in seen.legal:
        return _nothing_more()
    return Move((DrawCard(),), (("bot.draws", {}),))


def _picked(seen: View, situation: Situation, number: int) -> Move:
    """Which cards to keep, or to discard."""
    choices: Sequence[Event] = [
        event
        for event in seen.legal
        if isinstance(event, Keep | Discard) and UNKNOWN not in event.cards
    ]
    if not choices:
        return RandomBot().choose(seen, number)
    wishes = Wishes(situation)

    def liking(event: Event) -> tuple[float, str]:
        assert isinstance(event, Keep | Discard)
        total = sum(wishes.card(card) + 2.0 for card in event.cards)
        return total if isinstance(event, Keep) else -total, str(event)

    best = max(choices, key=liking)
    return Move((best,), (("bot.keeps", {}),))
