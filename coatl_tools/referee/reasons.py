"""Why the bots of a table, and A.D.A.M., did what they did last: worked out anew when asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from coatl_tools.language import load_language
from coatl_tools.players import move
from coatl_tools.referee.table import Table
from coatl_tools.rules.adam import adam_turn
from coatl_tools.rules.adam_text import explained
from coatl_tools.rules.event_words import Viewer, told
from coatl_tools.rules.events import Event
from coatl_tools.rules.state import ADAMS_TURN, OVER, State
from coatl_tools.rules.views import seen_event


@dataclass(frozen=True, slots=True)
class Reason:
    """A step of a bot or of A.D.A.M.: the event in the notation, in words, and why.

    The reason of a move of several steps stands at its first one.
    """

    number: int  # of the event
    player: str
    event: str
    text: str
    why: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """The move, for programs."""
        return {
            "number": self.number,
            "player": self.player,
            "event": self.event,
            "text": self.text,
            "why": list(self.why),
        }


def reasons(table: Table, seat: int | None, language: str) -> list[Reason]:
    """The moves since a person last decided something, as this player may know them, with reasons.

    Where nobody but bots plays, those of the last turn.
    """
    history, found = table.history, list[Reason]()
    everything = table.state.stage is OVER
    viewer: Viewer = "all" if everything else seat
    for number in range(len(history.events), 0, -1):
        before, event = history.states[number - 1], history.events[number - 1]
        if before.draws:
            continue
        if before.turn in table.people or (found and _older(before, table)):
            break
        seen = event if everything else seen_event(before, event, seat)
        found.append(
            Reason(
                number,
                before.game.names[before.turn],
                str(seen),
                told(before, event, viewer, language),
                (),
            )
        )
    return [*_explained(table, found[::-1], language)]


def _explained(table: Table, found: list[Reason], language: str) -> Iterator[Reason]:
    """The steps with their reasons: those that belong to a move before them have none."""
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
        events, why = _why(table, before, language)
        rest = events[1:]
        yield replace(step, why=why)


def _older(before: State, table: Table) -> bool:
    """Whether this is of an earlier turn, at a table where bots play alone."""
    return not table.people and before.turns + 1 < table.state.turns


def _why(table: Table, before: State, language: str) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """The whole move that is made at a moment, and its reasons in words."""
    if before.stage is ADAMS_TURN:
        return (), tuple(explained(adam_turn(before), language))
    bot, seed = table.bots[before.turn], table.journal.header.seed
    if bot is None or seed is None:
        return (), ()
    words = load_language(language)
    made = move(before, before.turn, bot, seed)
    return made.events, tuple(words.sentence(*phrase) for phrase in made.why)
