"""What each player has typed and been told this evening: nobody else's business."""

from __future__ import annotations

from itertools import islice

from coatl_tools.referee.spelling import spelled
from coatl_tools.referee.table import By, Step, Table

NOBODY = -1  # who types where everything lies open
_GOES_ON = 40  # lines of history that a prompt remembers from the journal


class Memory:
    """Lines typed, by seat, and how much of the table's history each seat has heard of."""

    def __init__(self, table: Table, language: str) -> None:
        self._table, self._language = table, language
        self._begun = len(table.history.events)
        self._heard = dict.fromkeys(table.people, self._begun)
        self._typed: dict[int, list[str]] = {}

    def typed(self, seat: int, line: str) -> None:
        """This player has typed a line."""
        self._typed.setdefault(seat, []).append(line)

    def past(self, seat: int) -> list[str]:
        """What this player decided on earlier evenings, and has typed on this one."""
        history, begun = self._table.history, min(self._begun, len(self._table.history.events))
        states, events = history.states[:begun], history.events[:begun]
        own = (
            spelled(event, self._language)
            for state, event in zip(reversed(states), reversed(events), strict=True)
            if not self._table.is_nobodys(state) and seat in (NOBODY, state.turn)
        )
        return [*islice(own, _GOES_ON)][::-1] + self._typed.get(seat, [])

    def news(self, seat: int | None) -> list[Step]:
        """What has happened since this player last looked."""
        history = self._table.history
        begin = self._heard.get(NOBODY if seat is None else seat, len(history.events))
        moments = zip(history.states[begin:], history.events[begin:], strict=False)
        return [Step(state, event, By.PERSON) for state, event in moments]

    def heard(self, seat: int | None) -> None:
        """This player knows all that has happened; what was taken back, nobody has heard of."""
        now = len(self._table.history.events)
        self._heard = {who: now if who == seat else min(n, now) for who, n in self._heard.items()}
