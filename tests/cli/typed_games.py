"""Whole games as people type them: what is said on each line, and what it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES, Edition
from coatl_tools.players import choose_event, get_bot
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.rules.actions.turns import is_secret_draw
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    AdamTurn,
    DealProphecy,
    DealTemple,
    DrawnCard,
    Event,
    Keep,
)
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from tests.rules.random_games import known_table, start_state


def in_every_language(first: Edition) -> pytest.MarkDecorator:
    """A game takes seconds to type: in one language each time, in the others in the soak."""
    others = [code for code in LANGUAGE_CODES if code != first]
    soaked = [pytest.param(code, marks=pytest.mark.soak) for code in others]
    return pytest.mark.parametrize("language", [first, *soaked])


@dataclass(frozen=True)
class TypedLine:
    """A line, whose turn it was (None for what chance brings), and all events since the last."""

    line: str
    turn: int | None
    events: tuple[Event, ...]
    after: GameState


def play_typed_game(options: TableOptions, seed: int, language: str) -> Iterator[TypedLine]:
    """A virtual game that chance plays, a line for each turn; Enter for A.D.A.M."""
    state, bot = start_state(options), get_bot("random")
    state, events = _deal_draws(state, seed)
    while state.stage is not Stage.OVER:
        moment, said = _moment(state), list[str]()
        while _moment(state) == moment:
            event = choose_event(state, 0 if state.adam else state.current_player, bot, seed)
            said.append("" if isinstance(event, AdamTurn) else format_command(event, language))
            state, dealt = _deal_draws(apply_event(state, event), seed)
            events += [event, *dealt]
        yield TypedLine("; ".join(said), moment[1], tuple(events), state)
        events = []


def play_reported_game(options: TableOptions, seed: int, language: str) -> Iterator[TypedLine]:
    """A game with real pieces and hidden hands: lines for decisions, bare ones for draws."""
    real, told, bot = start_state(known_table(options)), start_state(options), get_bot("random")
    while real.stage is not Stage.OVER:
        said: list[str] = []
        events: list[Event] = []
        chance, moment = bool(real.draws), _moment(real)
        while bool(real.draws) == chance and (chance or _moment(real) == moment):
            event = (
                deal_draw(real, seed)
                if chance
                else choose_event(real, real.current_player, bot, seed)
            )
            secret = chance and is_secret_draw(told.draws[0], told)
            if not secret:
                said.append(format_command(_hidden(event), language))
            real, told = apply_event(real, event), apply_event(told, _hidden(event))
            events.append(_hidden(event))
            if not chance and real.draws and is_secret_draw(told.draws[0], told):
                drawn = deal_draw(real, seed)
                real, told = apply_event(real, drawn), apply_event(told, _hidden(drawn))
                events.append(_hidden(drawn))
        line = (" " if chance else "; ").join(said)
        yield TypedLine(line, None if chance else moment[1], tuple(events), told)


def _hidden(event: Event) -> Event:
    """An event as the table hears of it."""
    match event:
        case DealTemple(player, _):
            return DealTemple(player, UNKNOWN_CARD)
        case DealProphecy(player, _):
            return DealProphecy(player, UNKNOWN_CARD)
        case DrawnCard():
            return DrawnCard(UNKNOWN_CARD)
        case Keep(cards):
            return Keep((UNKNOWN_CARD,) * len(cards))
    return event


def _moment(state: GameState) -> tuple[int, int, bool]:
    return state.turns_ended, state.current_player, state.stage is Stage.KEEPING


def _deal_draws(state: GameState, seed: int) -> tuple[GameState, list[Event]]:
    events: list[Event] = []
    while state.draws:
        events.append(deal_draw(state, seed))
        state = apply_event(state, events[-1])
    return state, events


def prompt_name(turn: int, options: TableOptions) -> str:
    """Whose prompt it is."""
    return "A.D.A.M." if turn == ADAM_INDEX else options.players[turn]
