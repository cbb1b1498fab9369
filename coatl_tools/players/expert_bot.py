"""A player who knows what to build, and looks a turn ahead in games that might be."""

from __future__ import annotations

from random import Random

from coatl_tools.players.candidates import WEIGHTS, Candidate, Thinking
from coatl_tools.players.greedy_bot import GreedyBot
from coatl_tools.players.move import Move
from coatl_tools.players.random_bot import RandomBot
from coatl_tools.players.worlds import possible_state
from coatl_tools.rules.dealer import deal
from coatl_tools.rules.ending import result
from coatl_tools.rules.engine import Decision, apply
from coatl_tools.rules.events import Event
from coatl_tools.rules.state import (
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    MUST_CHOOSE,
    OVER,
    READY,
    State,
)
from coatl_tools.rules.views import View, view

NODES = 6  # positions that are looked at in games that might be, for each move
WIDTH = 3  # candidates that are compared
CLOSE_CALL = 1.5  # points: what promises so much less than the best is not compared


class ExpertBot:
    """Compares the most promising moves in determinised games, up to its own next turn.

    Hidden cards are dealt at random, the others play like the greedy bot, and where that leads is
    judged by its outlook. The budget is the number of positions judged so: the same seed and budget
    give the same move, however fast the machine.
    """

    def __init__(self, nodes: int = NODES) -> None:
        self._nodes = nodes

    def choose(self, seen: View, number: int) -> Move:
        """The move that promises most."""
        if seen.player is None or seen.turn != seen.player:  # A.D.A.M.'s pieces
            return Move(seen.legal[:1], (("bot.only", {}),))
        found = sorted(_candidates(seen), key=_best_first)
        if not found:
            return RandomBot().choose(seen, number)
        rivals = [one for one in found[:WIDTH] if one.value > found[0].value - CLOSE_CALL]
        best = found[0]
        if len(rivals) > 1 and seen.ending is None and _begins_action(seen):
            best = self._compared(seen, rivals, number)
        return Move(best.events, (best.why,))

    def _compared(self, seen: View, rivals: list[Candidate], number: int) -> Candidate:
        """The candidate that leads furthest on average, over the same games that might be."""
        totals = [0.0] * len(rivals)
        for world in range(max(1, self._nodes // len(rivals))):
            chance = Random(number + world)
            state, seed = possible_state(seen, chance), chance.getrandbits(32)
            for place, rival in enumerate(rivals):
                totals[place] += _leads_to(state, rival.events, seen.turn, seed)
        return max(zip(totals, rivals, strict=True), key=lambda found: found[0])[1]


def _candidates(seen: View) -> list[Candidate]:
    thinking = Thinking(seen, WEIGHTS)
    stage = seen.awaited.stage if isinstance(seen.awaited, Decision) else READY
    if stage in (READY, BETWEEN):
        return thinking.actions()
    if stage in (ASSEMBLING, CLOSING):
        return [*thinking.assemblies(), *thinking.ending()]
    if stage in (CHOOSING, MUST_CHOOSE):
        return [*thinking.cards(), *thinking.ending(WEIGHTS.choice)]
    return [*thinking.picks()]


def _best_first(candidate: Candidate) -> tuple[float, list[str]]:
    return -candidate.value, [str(event) for event in candidate.events]


def _begins_action(seen: View) -> bool:
    return isinstance(seen.awaited, Decision) and seen.awaited.stage in (READY, BETWEEN)


def _leads_to(state: State, events: tuple[Event, ...], me: int, seed: int) -> float:
    """The outlook at one's next turn, after these events and greedy moves of all others."""
    state = _played(state, events, seed)
    greedy, turn = GreedyBot(), state.turns
    while state.stage is not OVER:
        if state.draws:
            state = apply(state, deal(state, seed))
        elif state.turn == me and state.turns > turn and state.stage is READY:
            thinking = Thinking(view(state, me), WEIGHTS)
            return max((found.value for found in thinking.takes()), default=thinking.now())
        else:
            seat = 0 if state.adam else state.turn
            bot = ExpertBot(1) if seat == me and not state.adam else greedy
            state = _played(state, bot.choose(view(state, seat), seed).events, seed)
    return float(result(state).players[me].points)


def _played(state: State, events: tuple[Event, ...], seed: int) -> State:
    """The state after a move, as far as chance lets it happen."""
    for event in events:
        state = apply(state, event)
        if state.draws:
            return state
    return state
