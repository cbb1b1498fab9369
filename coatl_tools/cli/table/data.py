"""What happened at a table, for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coatl_tools.referee.table import Step, Table
from coatl_tools.referee.view_data import view_data
from coatl_tools.rules.state import OVER
from coatl_tools.rules.views import seen_event


def steps_data(table: Table, steps: Iterable[Step], seat: int | None) -> dict[str, Any]:
    """What happened, in the notation, and the table after it, as this player may know them.

    `event` is null for going back; `corrects` is the number of an event that really was this one.
    """
    open_to_all = not table.virtual or table.state.stage is OVER
    return {
        "happened": [
            {
                "event": None
                if step.event is None
                else str(step.event if open_to_all else seen_event(step.before, step.event, seat)),
                "by": step.by.value,
                "corrects": step.corrects or None,
            }
            for step in steps
        ],
        "table": view_data(table.view(seat), table.state.game),
    }
