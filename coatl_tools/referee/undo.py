"""Undo, graded by what was seen: free within a turn, else with the consent of the table."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from coatl_tools.errors import CommandError
from coatl_tools.rules import events
from coatl_tools.rules.engine import History
from coatl_tools.rules.events import UNKNOWN_CARD, Event
from coatl_tools.rules.state import GameState


class UndoConsent(Enum):
    """The consent that an undo needs."""

    FREE = "free"
    TURN = "turn"  # a turn has ended since
    SEEN = "seen"  # something hidden has been seen since


def find_undo_target(history: History, steps: int, is_nobodys: Callable[[GameState], bool]) -> int:
    """Return how many events are left when people's last `steps` events are taken back.

    `is_nobodys` tells of a state whether nobody at the table decides or reports in it: what
    happens then goes with the event before it. CommandError if there is nothing to take back.
    """
    left = len(history.events)
    for step in range(steps):
        left -= 1
        while left >= 0 and is_nobodys(history.states[left]):
            left -= 1
        if left < 0:
            raise CommandError("table.undo_most", n=step) if step else _make_nothing_to_undo_error()
    return left


def _make_nothing_to_undo_error() -> CommandError:
    return CommandError("table.nothing_to_undo")


def find_needed_consent(history: History, target: int) -> UndoConsent:
    """Grade what is needed to go back to the moment when so many events had happened."""
    decided = False
    seen = False
    for before, event in zip(history.states[target:-1], history.events[target:], strict=True):
        decided = decided or not before.draws
        seen = seen or (decided and _reveals_hidden(event))
    if seen:
        return UndoConsent.SEEN
    turns = {(state.turns_ended, state.current_player) for state in history.states[target:]}
    if decided and len(turns) > 1:  # also where the setup comes round to the first player
        return UndoConsent.TURN
    return UndoConsent.FREE


def _reveals_hidden(event: Event) -> bool:
    """Tell whether this shows somebody what was hidden."""
    match event:
        case events.DealTemple(card=card) | events.DealProphecy(card=card) | events.DrawnCard(card):
            return card != UNKNOWN_CARD
        case (
            events.FillSpace() | events.TurnUpTemple() | events.TurnUpProphecy() | events.DealAdam()
        ):
            return True
        case events.Reveal():
            return True
        case _:
            return False
