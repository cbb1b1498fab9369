"""All that a page of a table shows, for one who looks at it, in one language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from coatl_tools.errors import CoatlError, Phrase
from coatl_tools.language import Language
from coatl_tools.referee.presentation.result_text import (
    RankedSeat,
    describe_result,
    phrase_verdict,
    rank_all_seats,
)
from coatl_tools.referee.presentation.table_data import serialize_view
from coatl_tools.referee.presentation.table_text import phrase_headline, phrase_status
from coatl_tools.referee.table import Table
from coatl_tools.referee.undo import UndoGrade, find_undo_target
from coatl_tools.rules.components import ADAM_NAME, BOARD_SPACES
from coatl_tools.rules.engine import CorrectEvent, Decision, UndoTo
from coatl_tools.rules.event_messages import Viewer, describe_event
from coatl_tools.rules.events import PlaceTemple
from coatl_tools.rules.result import compute_standing
from coatl_tools.rules.solo.adam import plan_adam_turn
from coatl_tools.rules.state import ADAMS_TURN, OVER
from coatl_tools.rules.views import View
from coatl_tools.web.table.adams_steps import AdamsStep, adams_steps
from coatl_tools.web.table.choices import Choice, OwnCards, choices, own_cards
from coatl_tools.web.table.draws import Report, report
from coatl_tools.web.table.seats import Sitting

RECENT = 8  # events that are told on the page itself
_FEW = 2  # players who have the width of a screen for themselves


@dataclass(frozen=True, slots=True)
class Final:
    """The result of a game that is over."""

    places: tuple[RankedSeat, ...]  # A.D.A.M. too
    verdict: tuple[str, ...]
    text: str  # all of it, to share

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why they rank so, where points alone do not tell; the last of the verdict is who won."""
        return self.verdict[:-1]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as one visitor sees it. `data` is the view as JSON has it."""

    name: str
    virtual: bool
    data: dict[str, Any]
    own: int | None  # the index of the player whose things come first
    others: tuple[int, ...]
    headline: str
    news: tuple[str, ...]
    my_turn: bool
    things: dict[str, list[Choice]]
    own_cards: OwnCards | None
    report: Report | None
    recent: tuple[str, ...]
    undo: UndoGrade | None  # what going back asks for; None if there is nothing to take back
    undoes: str  # what would be taken back, as the viewer may know it
    temple_fits: bool  # a Temple card can be placed on what is being completed
    adam: tuple[AdamsStep, ...]
    final: Final | None
    adams_name: str = ADAM_NAME
    board_spaces: int = BOARD_SPACES

    @property
    def crowd(self) -> int:
        """How much lies on the table: the most Cóatls of anybody, one more if many sit there."""
        players = self.data["players"]
        return max(len(player["coatls"]) for player in players) + (len(players) > _FEW)


def sheet(table: Table, place: Sitting, words: Language) -> Sheet:
    """What a visitor sees, made from the view of their seat."""
    shown = table.view(place.seat)
    data = serialize_view(shown, shown.game)
    own = _own(shown, place)
    size = len(shown.seats)
    first = 0 if own is None else own
    order = [index % size for index in range(first, first + size)]
    mine = place.plays and not isinstance(shown.awaited, Decision)  # whoever is there reports
    return Sheet(
        name=table.name,
        virtual=table.virtual,
        data=data,
        own=own,
        others=tuple(index for index in order if index != own),
        headline=" · ".join(_said(phrase_headline(shown, shown.game), words)),
        news=tuple(_said(phrase_status(shown, shown.game), words)),
        my_turn=place.plays and (bool(shown.legal) or mine) and shown.awaited is not None,
        things=choices(shown, words) if place.plays else {},
        own_cards=own_cards(shown, words) if place.plays else None,
        report=report(shown) if place.plays and not table.virtual else None,
        recent=recent(table, place.seat, words, RECENT),
        undo=_undo(table) if place.plays else None,
        undoes=_undoes(table, place.seat, words),
        temple_fits=any(isinstance(event, PlaceTemple) for event in shown.legal),
        adam=_adam(table, words),
        final=_final(shown, words),
    )


def _own(shown: View, place: Sitting) -> int | None:
    """The player whose things are shown in full: where one speaks for all, whose turn it is."""
    if not place.whole:
        return place.seat
    return shown.turn if shown.turn < len(shown.seats) else 0


def _said(phrases: Iterable[Phrase], words: Language) -> list[str]:
    return [words.sentence(*phrase) for phrase in phrases]


def viewer_of(table: Table, seat: int | None) -> Viewer:
    """Whose knowledge is told: at a real table, and after the game, everybody's."""
    return "all" if not table.virtual or table.state.stage is OVER else seat


def recent(table: Table, seat: int | None, words: Language, most: int) -> tuple[str, ...]:
    """The last events as a viewer may know them, the newest first."""
    history, viewer = table.history, viewer_of(table, seat)
    said = []
    last = table.journal.log[-1] if table.journal.log else None
    if isinstance(last, UndoTo | CorrectEvent):
        said.append(words.label("gone_back" if isinstance(last, UndoTo) else "web_table_corrected"))
    happened = [*zip(history.states, history.events, strict=False)][-most:]
    said += [
        describe_event(before, event, viewer, words.code) for before, event in reversed(happened)
    ]
    return tuple(said[:most])


def _undo(table: Table) -> UndoGrade | None:
    try:
        return table.undo_grade(1)
    except CoatlError:  # there is nothing
        return None


def _undoes(table: Table, seat: int | None, words: Language) -> str:
    """The decision that going back would take back."""
    history = table.history
    try:
        last = find_undo_target(history, 1, table.is_nobodys)
    except CoatlError:  # there is nothing
        return ""
    return describe_event(
        history.states[last], history.events[last], viewer_of(table, seat), words.code
    )


def _adam(table: Table, words: Language) -> tuple[AdamsStep, ...]:
    """A.D.A.M.'s turn, if it is to play: all of it follows from what lies open."""
    state = table.state
    if state.stage is not ADAMS_TURN or state.draws:
        return ()
    return adams_steps(plan_adam_turn(state), words.code)


def _final(shown: View, words: Language) -> Final | None:
    if shown.awaited is not None:
        return None
    result = compute_standing(shown.game, shown.seats, shown.adam)
    return Final(
        tuple(rank_all_seats(result)),
        tuple(_said(phrase_verdict(result), words)),
        "\n".join(describe_result(result, words.code)),
    )
