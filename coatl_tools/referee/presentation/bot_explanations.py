"""Why bots and A.D.A.M. made their last moves, worked out anew when asked for.

A bot chooses again from the same view and chance, and the reasons of its move (`Move.why`) are put
into words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from coatl_tools.language import load_language
from coatl_tools.players import choose_move
from coatl_tools.referee.table import Table
from coatl_tools.rules.event_messages import Viewer, describe_event
from coatl_tools.rules.events import Event
from coatl_tools.rules.solo.adam import explain_adam_turn, plan_adam_turn
from coatl_tools.rules.state import ADAMS_TURN, OVER, GameState
from coatl_tools.rules.views import mask_event


@dataclass(frozen=True, slots=True)
class MoveExplanation:
    """A step of a bot or of A.D.A.M.: the event in the notation, in words, and why.

    The reason of a move of several steps stands at its first one.
    """

    number: int  # of the event
    player: str
    event: str
    text: str
    reasons: tuple[str, ...]

    def to_data(self) -> dict[str, Any]:
        """Return the step as JSON data."""
        return {
            "number": self.number,
            "player": self.player,
            "event": self.event,
            "text": self.text,
            "why": list(self.reasons),
        }


def explain_last_moves(table: Table, seat: int | None, lang: str) -> list[MoveExplanation]:
    """Explain the moves since a person last decided something, as this player may know them.

    Where only bots play, explain those of the last turn.
    """
    history, found = table.history, list[MoveExplanation]()
    everything = table.state.stage is OVER
    viewer: Viewer = "all" if everything else seat
    for number in range(len(history.events), 0, -1):
        before, event = history.states[number - 1], history.events[number - 1]
        if before.draws:
            continue
        if before.current_player in table.human_seats or (
            found and _is_earlier_turn(before, table)
        ):
            break
        seen = event if everything else mask_event(before, event, seat)
        found.append(
            MoveExplanation(
                number,
                before.game.names[before.current_player],
                str(seen),
                describe_event(before, event, viewer, lang, history.states[number]),
                (),
            )
        )
    return [*_add_reasons(table, found[::-1], lang)]


def _add_reasons(
    table: Table, found: list[MoveExplanation], lang: str
) -> Iterator[MoveExplanation]:
    """Yield the steps with their reasons; a step that continues a move has none."""
    rest: tuple[Event, ...] = ()
    last = 0
    for step in found:
        before, event = table.history.states[step.number - 1], table.history.events[step.number - 1]
        goes_on = step.number == last + 1 and rest[:1] == (event,)
        last = step.number
        if goes_on:
            rest = rest[1:]
            yield step
            continue
        events, why = _explain_move(table, before, lang)
        rest = events[1:]
        yield replace(step, reasons=why)


def _is_earlier_turn(before: GameState, table: Table) -> bool:
    """Tell whether this is of an earlier turn, at a table where bots play alone."""
    return not table.human_seats and before.turns_ended + 1 < table.state.turns_ended


def _explain_move(
    table: Table, before: GameState, lang: str
) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Work out the move that was made in this state: its events, and its reasons in words."""
    if before.stage is ADAMS_TURN:
        return (), tuple(explain_adam_turn(plan_adam_turn(before), lang))
    bot, seed = table.bots[before.current_player], table.journal.header.seed
    if bot is None or seed is None:
        return (), ()
    language = load_language(lang)
    made = choose_move(before, before.current_player, bot, seed)
    return made.events, tuple(language.sentence(*phrase) for phrase in made.why)
