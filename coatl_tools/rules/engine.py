"""The engine: what is awaited, what may come, and what comes of it.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules.options import TableOptions
>>> state = new_game(TableOptions(), load_cards().deck())
>>> awaiting(state)
FillDraw(space=1)
>>> state = apply(state, events.Fill(1, ("R", "B")))
>>> state.spaces[0], awaiting(state)
(('R', 'B'), FillDraw(space=2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules import events
from coatl_tools.rules.adam import answer_adam, play_adam
from coatl_tools.rules.assembly import (
    attach,
    begin,
    complete,
    place_prophecy,
    place_temple,
)
from coatl_tools.rules.events import Event
from coatl_tools.rules.flow import draw_rule, end_turn, not_now
from coatl_tools.rules.golden import lay_golden
from coatl_tools.rules.legal import legal_actions
from coatl_tools.rules.prophecies import (
    answer_deal,
    answer_deck,
    answer_supply,
    choose_card,
    discard,
    draw_card,
    keep,
    reveal,
    see_the_future,
)
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import (
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    OVER,
    READY,
    Draw,
    Stage,
    State,
)
from coatl_tools.rules.supply_board import answer_fill, perfect_pick, take_pieces
from coatl_tools.rules.temples import answer_pile, answer_temple
from coatl_tools.rules.tokens import priest_commitment

__all__ = ["Decision", "apply", "awaiting", "legal_actions", "new_game"]


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's decision is awaited; `stage` says of what kind."""

    player: int
    stage: Stage


Awaited: TypeAlias = Decision | Draw | None


def awaiting(state: State) -> Awaited:
    """What must come next: a draw, a player's decision, or None when the game is over."""
    if state.draws:
        return state.draws[0]
    return None if state.stage is OVER else Decision(state.turn, state.stage)


def apply(state: State, event: Event) -> State:
    """The state after an event; IllegalActionError, with rule and alternative, if it may not be."""
    kind = type(event)
    try:
        if state.draws:
            if kind not in _ANSWERS:
                raise IllegalActionError("rules.draw_first", draw_rule(state))
            return _ANSWERS[kind](state, state.draws[0], event)
        if state.stage is OVER:
            raise not_now(state)
        if kind not in _ACTIONS:
            raise IllegalActionError("rules.no_draw_now", _RULE_OF[kind])
        return _ACTIONS[kind](state, event)
    except IllegalActionError as error:
        error.alternative = _nearest(state, event)
        raise


def pass_turn(state: State, _: events.Pass) -> State:
    """Do nothing, because nothing can be done (ruling 9.2)."""
    if state.stage is not READY:
        raise not_now(state)
    if events.Pass() not in legal_actions(state):
        raise IllegalActionError("rules.must_act", "9.2")
    return end_turn(state, passes=state.passes + 1)


def finish_turn(state: State, _: events.EndTurn) -> State:
    """Be done with the turn: after one action at least."""
    if state.stage is READY:
        raise IllegalActionError("rules.act_first", "3")
    if state.stage not in (CHOOSING, ASSEMBLING, BETWEEN):
        raise not_now(state)
    return end_turn(state)


_ACTIONS: dict[type, Callable[[State, Any], State]] = {
    events.Keep: keep,
    events.TakePieces: take_pieces,
    events.ChooseCard: choose_card,
    events.DrawCard: draw_card,
    events.Begin: begin,
    events.Attach: attach,
    events.PlaceProphecy: place_prophecy,
    events.PlaceTemple: place_temple,
    events.Complete: complete,
    events.PerfectPick: perfect_pick,
    events.SeeTheFuture: see_the_future,
    events.Discard: discard,
    events.PriestCommitment: priest_commitment,
    events.LayGolden: lay_golden,
    events.Pass: pass_turn,
    events.EndTurn: finish_turn,
    events.Reveal: reveal,
    events.AdamTurn: play_adam,
}
_ANSWERS: dict[type, Callable[[State, Draw, Any], State]] = {
    events.Fill: answer_fill,
    events.DealTemple: answer_temple,
    events.TurnUpTemple: answer_pile,
    events.TurnUpProphecy: answer_supply,
    events.DealAdam: answer_adam,
    events.DealProphecy: answer_deal,
    events.Drawn: answer_deck,
}

# Which rule an answer belongs to.
_RULE_OF: dict[type, str] = {
    events.Fill: "3.2",
    events.DealTemple: "2.3",
    events.TurnUpTemple: "2.3",
    events.TurnUpProphecy: "3.5",
    events.DealAdam: "7.1",
    events.DealProphecy: "2.4",
    events.Drawn: "3.4",
}


def _nearest(state: State, event: Event) -> str:
    """The legal event most like a refused one, in the notation; empty if there is none."""

    def likeness(other: Event) -> float:
        if type(other) is not type(event):
            return 0
        names = [field.name for field in fields(event)]
        return 1 + sum(_alike(getattr(other, name), getattr(event, name)) for name in names)

    options = [other for other in legal_actions(state) if not isinstance(other, events.Reveal)]
    best = max(options, key=likeness, default=None)
    return "" if best is None else str(best)


def _alike(one: object, other: object) -> float:
    """How much two fields have in common: 1 for all, 0 for nothing."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        common = (Counter(one) & Counter(other)).total()
        return (common + (len(one) == len(other))) / (max(len(one), len(other)) + 1)
    return float(one == other)
