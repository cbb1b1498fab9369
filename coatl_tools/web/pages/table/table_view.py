"""What the page of a table shows to one visitor, with the steps of A.D.A.M.'s turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from coatl_tools.referee.table import Table, UndoConsent, find_undo_target
from coatl_tools.rules.constants import ADAM_NAME, BOARD_SPACES
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.event_messages import describe_event
from coatl_tools.rules.events import PlaceTemple
from coatl_tools.rules.history import CorrectEvent, UndoTo
from coatl_tools.rules.result import compute_standing
from coatl_tools.rules.solo.adam import (
    AdamPlan,
    AdamStep,
    DiscardPiece,
    FulfilCard,
    MoveToPile,
    PutPiece,
    RefillRow,
    SearchSpaces,
    TakeLowest,
    explain_adam_turn,
    group_steps,
    plan_adam_turn,
)
from coatl_tools.rules.state import ADAMS_TURN
from coatl_tools.rules.views import View
from coatl_tools.web.pages.table.choices import (
    DrawReport,
    HandSelection,
    TableChoice,
    build_draw_report,
    find_hand_selection,
    list_choices,
)
from coatl_tools.web.pages.table.seats import VisitorSeat


@dataclass(frozen=True, slots=True)
class AdamStepView:
    """The text of a step, and the items of the page to highlight for it."""

    text: str
    lights: tuple[str, ...]


def list_adam_steps(plan: AdamPlan, lang: str) -> tuple[AdamStepView, ...]:
    """List all steps of A.D.A.M.'s turn."""
    found = zip(explain_adam_turn(plan, lang), group_steps(plan.steps), strict=True)
    cards = len(plan.supply)
    made = []
    for text, steps in found:
        lights = [light for step in steps for light in _list_highlights(step)]
        if isinstance(steps[-1], RefillRow):  # from the right end of the Prophecy row
            refilled = sum(isinstance(step, RefillRow) for step in plan.steps)
            lights = [f"supply-{cards + refilled - _find_refill_number(steps[-1], plan)}"]
        made.append(AdamStepView(text, tuple(dict.fromkeys(lights))))
    return tuple(made)


def _find_refill_number(step: AdamStep, plan: AdamPlan) -> int:
    """Return how many cards joined the row before this one."""
    refills = [one for one in plan.steps if isinstance(one, RefillRow)]
    return next(place for place, one in enumerate(refills) if one is step)


def _list_highlights(step: AdamStep) -> Iterator[str]:
    match step:
        case SearchSpaces(on, _, space) if space:
            yield f"adam-{on.place}"
            yield f"space-{space}"
        case SearchSpaces(on) | FulfilCard(on):
            yield f"adam-{on.place}"
        case TakeLowest(space):
            yield f"space-{space}"
        case PutPiece(_, on, _, _, source):
            yield f"adam-{on.place}"
            if source:
                yield f"adam-{source.place}"
        case DiscardPiece(_, source) if source:
            yield f"adam-{source.place}"
        case MoveToPile(spots):
            yield from (f"adam-{spot.place}" for spot in spots)


RECENT_EVENTS = 8  # events that are told on the page itself
_WIDE_PLAYERS = 2  # players who have the width of a screen for themselves


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a game that is over."""

    places: tuple[RankedSeat, ...]  # A.D.A.M. too
    verdict: tuple[str, ...]
    text: str  # all of it, to share

    @property
    def reasons(self) -> tuple[str, ...]:
        """The tie-breaks; the last sentence of the verdict, who won, is not among them."""
        return self.verdict[:-1]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as one visitor sees it. `data` is the serialized view."""

    name: str
    virtual: bool
    data: dict[str, Any]
    own_player: int | None  # the index of the player whose things come first
    others: tuple[int, ...]
    headline: str
    news: tuple[str, ...]
    my_turn: bool
    choices_by_item: dict[str, list[TableChoice]]
    hand_selection: HandSelection | None
    draw_report: DrawReport | None
    recent: tuple[str, ...]
    undo: UndoConsent | None  # what going back asks for; None if there is nothing to take back
    undo_description: str  # what would be taken back, as the viewer may know it
    temple_fits: bool  # a Temple card can be placed on what is being completed
    adam_steps: tuple[AdamStepView, ...]
    result: FinalResult | None
    adams_name: str = ADAM_NAME
    board_spaces: int = BOARD_SPACES

    @property
    def crowdedness(self) -> int:
        """How much lies on the table: the most Cóatls of a player, plus one for many players."""
        players = self.data["players"]
        return max(len(player["coatls"]) for player in players) + (len(players) > _WIDE_PLAYERS)


def build_table_view(table: Table, place: VisitorSeat, language: Language) -> TableView:
    """Build what a visitor sees, from the view of their seat alone."""
    shown = table.make_view(place.seat)
    data = serialize_view(shown, shown.game)
    own = _find_own_player(shown, place)
    size = len(shown.seats)
    first = 0 if own is None else own
    order = [index % size for index in range(first, first + size)]
    mine = place.has_seat and not isinstance(shown.awaited, Decision)  # whoever is there reports
    return TableView(
        name=table.name,
        virtual=table.is_virtual,
        data=data,
        own_player=own,
        others=tuple(index for index in order if index != own),
        headline=" · ".join(_translate_phrases(phrase_headline(shown, shown.game), language)),
        news=tuple(_translate_phrases(phrase_status(shown, shown.game), language)),
        my_turn=place.has_seat and (bool(shown.legal) or mine) and shown.awaited is not None,
        choices_by_item=list_choices(shown, language) if place.has_seat else {},
        hand_selection=find_hand_selection(shown, language) if place.has_seat else None,
        draw_report=build_draw_report(shown) if place.has_seat and not table.is_virtual else None,
        recent=list_recent_events(table, place.seat, language, RECENT_EVENTS),
        undo=_find_undo_consent(table) if place.has_seat else None,
        undo_description=_describe_undone(table, place.seat, language),
        temple_fits=any(isinstance(event, PlaceTemple) for event in shown.legal),
        adam_steps=_list_adam_turn(table, language),
        result=_build_final_result(shown, language),
    )


def _find_own_player(view: View, place: VisitorSeat) -> int | None:
    """Find the player shown in full; for the whole table, the one whose turn it is."""
    if not place.is_whole_table:
        return place.seat
    return view.current_player if view.current_player < len(view.seats) else 0


def _translate_phrases(phrases: Iterable[Phrase], language: Language) -> list[str]:
    return [language.sentence(*phrase) for phrase in phrases]


def list_recent_events(
    table: Table, seat: int | None, language: Language, most: int
) -> tuple[str, ...]:
    """List the last events, newest first, with only what the viewer may know."""
    history, viewer = table.history, table.get_viewer(seat)
    said = []
    last = table.journal.entries[-1] if table.journal.entries else None
    if isinstance(last, UndoTo | CorrectEvent):
        said.append(
            language.label("gone_back" if isinstance(last, UndoTo) else "web_table_corrected")
        )
    happened = [*zip(history.states, history.events, history.states[1:], strict=False)][-most:]
    said += [
        describe_event(before, event, viewer, language.code, after)
        for before, event, after in reversed(happened)
    ]
    return tuple(said[:most])


def _find_undo_consent(table: Table) -> UndoConsent | None:
    try:
        return table.find_undo_consent(1)
    except CoatlError:  # there is nothing
        return None


def _describe_undone(table: Table, seat: int | None, language: Language) -> str:
    """Describe the action that an undo would take back."""
    history = table.history
    try:
        last = find_undo_target(history, 1, table.is_automatic)
    except CoatlError:  # there is nothing
        return ""
    before, after = history.states[last : last + 2]
    viewer = table.get_viewer(seat)
    return describe_event(before, history.events[last], viewer, language.code, after)


def _list_adam_turn(table: Table, language: Language) -> tuple[AdamStepView, ...]:
    """List the steps of A.D.A.M.'s turn, computed from open information; empty otherwise."""
    state = table.state
    if state.stage is not ADAMS_TURN or state.draws:
        return ()
    return list_adam_steps(plan_adam_turn(state), language.code)


def _build_final_result(view: View, language: Language) -> FinalResult | None:
    if view.awaited is not None:
        return None
    result = compute_standing(view.game, view.seats, view.adam)
    return FinalResult(
        tuple(rank_all_seats(result)),
        tuple(_translate_phrases(phrase_verdict(result), language)),
        "\n".join(describe_result(result, language.code)),
    )
