"""The engine: what a state awaits, and what comes of an event.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules.table_options import TableOptions
>>> from coatl_tools.rules.setup import new_game
>>> state = new_game(TableOptions(), load_cards().deck())
>>> get_awaited(state)
FillDraw(space=1)
>>> state = apply_event(state, events.FillSpace(1, ("R", "B")))
>>> state.spaces[0], get_awaited(state)
(('R', 'B'), FillDraw(space=2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules import events
from coatl_tools.rules.actions.assembly import (
    attach_piece,
    begin_coatl,
    complete_coatl,
    place_prophecy,
    place_temple,
)
from coatl_tools.rules.actions.golden_feathers import lay_golden_segment
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.actions.prophecies import (
    answer_deal_draw,
    answer_deck_draw,
    answer_prophecy_supply_draw,
    choose_prophecy,
    discard_prophecies,
    draw_prophecy,
    keep_prophecies,
    reveal_card,
)
from coatl_tools.rules.actions.supply_board import answer_fill_draw, take_pieces
from coatl_tools.rules.actions.temples import answer_pile_draw, answer_temple_draw
from coatl_tools.rules.actions.tokens import (
    use_perfect_pick,
    use_priest_commitment,
    use_see_the_future,
)
from coatl_tools.rules.actions.turns import (
    end_turn,
    get_draw_rule,
    make_not_now_error,
    make_wrong_draw_error,
)
from coatl_tools.rules.events import Event
from coatl_tools.rules.solo.adam import answer_adam_draw, play_adam_turn
from coatl_tools.rules.state import (
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    OVER,
    READY,
    AdamDraw,
    DealDraw,
    DeckDraw,
    Draw,
    FillDraw,
    GameState,
    PileDraw,
    Stage,
    SupplyDraw,
    TempleDraw,
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's decision is awaited; `stage` says of what kind."""

    player: int
    stage: Stage


Awaited: TypeAlias = Decision | Draw | None


def get_awaited(state: GameState) -> Awaited:
    """Return what must come next: a draw, a player's decision, or None when the game is over."""
    if state.draws:
        return state.draws[0]
    return None if state.stage is OVER else Decision(state.current_player, state.stage)


def apply_event(state: GameState, event: Event) -> GameState:
    """Apply an event and return the new state.

    IllegalActionError, with the rule and a legal alternative, if it is not allowed.
    """
    kind = type(event)
    try:
        if state.draws:
            if kind not in _ANSWER_HANDLERS:
                raise IllegalActionError("rules.draw_first", get_draw_rule(state))
            answer = _ANSWER_HANDLERS[kind]
            if type(state.draws[0]) is not answer.draw:
                raise make_wrong_draw_error(state)
            return answer.apply(state, state.draws[0], event)
        if state.stage is OVER:
            raise make_not_now_error(state)
        if kind not in _ACTION_HANDLERS:
            raise IllegalActionError("rules.no_draw_now", _ANSWER_HANDLERS[kind].rule)
        return _ACTION_HANDLERS[kind](state, event)
    except IllegalActionError as error:
        error.alternative = _find_nearest_legal(state, event)
        raise


def pass_turn(state: GameState, _: events.Pass) -> GameState:
    """Do nothing, because nothing can be done (ruling 9.2)."""
    if state.stage is not READY:
        raise make_not_now_error(state)
    if events.Pass() not in list_legal_actions(state):
        raise IllegalActionError("rules.must_act", "9.2")
    return end_turn(state, passes=state.passes + 1)


def finish_turn(state: GameState, _: events.EndTurn) -> GameState:
    """End the turn, after at least one action."""
    if state.stage is READY:
        raise IllegalActionError("rules.act_first", "3")
    if state.stage not in (CHOOSING, ASSEMBLING, BETWEEN):
        raise make_not_now_error(state)
    return end_turn(state)


_ACTION_HANDLERS: dict[type, Callable[[GameState, Any], GameState]] = {
    events.Keep: keep_prophecies,
    events.TakePieces: take_pieces,
    events.ChooseCard: choose_prophecy,
    events.DrawCard: draw_prophecy,
    events.BeginCoatl: begin_coatl,
    events.AttachPiece: attach_piece,
    events.PlaceProphecy: place_prophecy,
    events.PlaceTemple: place_temple,
    events.CompleteCoatl: complete_coatl,
    events.PerfectPick: use_perfect_pick,
    events.SeeTheFuture: use_see_the_future,
    events.Discard: discard_prophecies,
    events.PriestCommitment: use_priest_commitment,
    events.LayGolden: lay_golden_segment,
    events.Pass: pass_turn,
    events.EndTurn: finish_turn,
    events.Reveal: reveal_card,
    events.AdamTurn: play_adam_turn,
}


class _AnswerHandler(NamedTuple):
    """What an answer to a draw does, the draw that it answers, and the rule behind that."""

    apply: Callable[[GameState, Any, Any], GameState]
    draw: type
    rule: str


_ANSWER_HANDLERS: dict[type, _AnswerHandler] = {
    events.FillSpace: _AnswerHandler(answer_fill_draw, FillDraw, "3.2"),
    events.DealTemple: _AnswerHandler(answer_temple_draw, TempleDraw, "2.3"),
    events.TurnUpTemple: _AnswerHandler(answer_pile_draw, PileDraw, "2.3"),
    events.TurnUpProphecy: _AnswerHandler(answer_prophecy_supply_draw, SupplyDraw, "3.5"),
    events.DealAdam: _AnswerHandler(answer_adam_draw, AdamDraw, "7.1"),
    events.DealProphecy: _AnswerHandler(answer_deal_draw, DealDraw, "2.4"),
    events.DrawnCard: _AnswerHandler(answer_deck_draw, DeckDraw, "3.4"),
}


def _find_nearest_legal(state: GameState, event: Event) -> str:
    """Find the legal event most like a refused one, in the notation; empty if there is none."""

    def likeness(other: Event) -> float:
        if type(other) is not type(event):
            return 0
        names = [field.name for field in fields(event)]
        return 1 + sum(
            _measure_likeness(getattr(other, name), getattr(event, name)) for name in names
        )

    options = [other for other in list_legal_actions(state) if not isinstance(other, events.Reveal)]
    best = max(options, key=likeness, default=None)
    return "" if best is None else str(best)


def _measure_likeness(one: object, other: object) -> float:
    """Measure how much two fields have in common: 1 for all, 0 for nothing."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        common = (Counter(one) & Counter(other)).total()
        return (common + (len(one) == len(other))) / (max(len(one), len(other)) + 1)
    return float(one == other)
