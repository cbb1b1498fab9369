"""A player who knows what to build, and looks a turn ahead in games that might be."""

from __future__ import annotations

from random import Random

from coatl_tools.players.candidates import WEIGHTS, Candidate, Thinking
from coatl_tools.players.greedy_bot import GreedyBot
from coatl_tools.players.move import Move
from coatl_tools.players.random_bot import RandomBot
from coatl_tools.players.worlds import possible_state
from coatl_tools.rules.dealer import deal
from coatl_tools.rules.engine import Decision, apply, legal_actions
from coatl_tools.rules.events import AdamTurn, EndTurn, Event
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    MUST_CHOOSE,
    OVER,
    READY,
    Adam,
    State,
)
from coatl_tools.rules.views import View, view

NODES = 6  # positions that are looked at in games that might be, for each move
WIDTH = 6  # candidates that are compared
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
        thinking = Thinking(seen, WEIGHTS)
        found = sorted(_candidates(thinking), key=_best_first)
        if not found:
            return RandomBot().choose(seen, number)
        best, rivals = found[0], found[: min(WIDTH, self._nodes)]
        rivals = [one for one in rivals if one.value > best.value - CLOSE_CALL]
        if len(rivals) > 1 and seen.ending is None and _begins_action(seen):
            best = self._compared(thinking, rivals, number)
        return Move(best.events, (best.why,))

    def _compared(self, thinking: Thinking, rivals: list[Candidate], number: int) -> Candidate:
        """The candidate that leads furthest on average, over the same games that might be."""
        totals = [0.0] * len(rivals)
        for world in range(max(1, self._nodes // len(rivals))):
            chance = Random(number + world)
            state, seed = possible_state(thinking.seen, chance), chance.getrandbits(32)
            for place, rival in enumerate(rivals):
                totals[place] += _leads_to(thinking, state, rival.events, seed)
        return max(zip(totals, rivals, strict=True), key=lambda found: found[0])[1]


def _candidates(thinking: Thinking) -> list[Candidate]:
    seen = thinking.seen
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


def _leads_to(thinking: Thinking, state: State, events: tuple[Event, ...], seed: int) -> float:
    """The outlook at one's next turn, after these events and greedy moves of all others."""
    me, turn, planned = state.turn, state.turns, [*events]
    while state.stage is not OVER:
        if state.draws:
            state = apply(state, deal(state, seed))
        elif state.turn == me and state.turns > turn:
            break
        elif planned:
            state = apply(state, planned.pop(0))
        elif state.turn == me:
            legal = legal_actions(state)
            state = apply(state, EndTurn() if EndTurn() in legal else legal[-1])
        elif state.stage is ADAMS_TURN:
            state = apply(state, AdamTurn())
        else:
            planned = [*GreedyBot().choose(view(state, state.turn), seed).events]
    value = thinking.then(state.players[me], state.spaces)
    return value - WEIGHTS.adam * _promise_of(state.adam, state.game) if state.adam else value


def _promise_of(adam: Adam, game: Game) -> float:
    """The points of A.D.A.M., and some of those that its row is on the way to."""
    begun = [
        game.top_points(wanted.card) * len(wanted.pieces) / sum(game.needs[wanted.card])
        for wanted in adam.row
    ]
    return sum(map(game.top_points, adam.fulfilled)) + 0.8 * sum(begun)
