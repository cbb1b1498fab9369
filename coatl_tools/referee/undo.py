"""Undo, graded by what was seen: free within a turn, else with the consent of the table."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from coatl_tools.errors import CommandError
from coatl_tools.rules import events
from coatl_tools.rules.events import UNKNOWN, Event
from coatl_tools.rules.history import History
from coatl_tools.rules.state import State


class Grade(Enum):
    """What going back asks for."""

    FREE = "free"
    TURN = "turn"  # a turn has ended since
    SEEN = "seen"  # something hidden has been seen since


def undo_target(history: History, steps: int, is_nobodys: Callable[[State], bool]) -> int:
    """How many events are left when people's last `steps` events are taken back.

    `is_nobodys` tells of a moment at which nobody at the table decides or reports: what happens
    then goes with the event before it. CommandError if there is nothing to take back.
    """
    left = len(history.events)
    for step in range(steps):
        left -= 1
        while left >= 0 and is_nobodys(history.states[left]):
            left -= 1
        if left < 0:
            raise CommandError("table.undo_most", n=step) if step else _nothing()
    return left


def _nothing() -> CommandError:
    return CommandError("table.nothing_to_undo")


def grade(history: History, target: int) -> Grade:
    """What it asks for to go back to the moment when so many events had happened."""
    decided = False
    seen = False
    for before, event in zip(history.states[target:-1], history.events[target:], strict=True):
        decided = decided or not before.draws
        seen = seen or (decided and _shows(event))
    if seen:
        return Grade.SEEN
    turns = {(state.turns, state.turn) for state in history.states[target:]}
    if decided and len(turns) > 1:  # also where the setup comes round to the first player
        return Grade.TURN
    return Grade.FREE


def _shows(event: Event) -> bool:
    """Whether this shows somebody what was hidden."""
    match event:
        case events.DealTemple(card=card) | events.DealProphecy(card=card) | events.Drawn(card):
            return card != UNKNOWN
        case events.Fill() | events.TurnUpTemple() | events.TurnUpProphecy() | events.DealAdam():
            return True
        case events.Reveal():
            return True
        case _:
            return False
