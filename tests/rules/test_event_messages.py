"""What is told of a game: every event in every language, and no card that must stay hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import get_args

import pytest
from hypothesis import strategies as st

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules import events
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.event_messages import (
    Viewer,
    describe_decision,
    describe_draw,
    describe_event,
)
from coatl_tools.rules.events import UNKNOWN_CARD, Event, Reveal, parse_event
from coatl_tools.rules.state import Draw, FillDraw, GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_view
from tests.rules.playthrough_text import parse_playthrough
from tests.rules.random_games import (
    Choice,
    choose_anything,
    choose_builder,
    games,
    many_games,
    play_random_game,
    solo_tables,
    start_state,
    tables,
)
from tests.rules.test_playthroughs import file

# Together these games show every event, and whatever else is told.
SHOWN = (
    "golden-two",
    "two-en",
    "solo",
    "half-hidden-three",
    "nobody-can-move",
    "bodies-run-out",
    "four-pl",
    "golden-three-fr",
)


def moments(name: str) -> Iterator[tuple[GameState, Event]]:
    options, happened = parse_playthrough(file(name).read_text("utf-8"))
    state = start_state(options)
    for event in happened:
        yield state, event
        state = apply_event(state, event)


def every_kind() -> Iterator[tuple[GameState, Event]]:
    """The first of everything that is told in its own words."""
    known: set[object] = set()
    for name in SHOWN:
        for before, event in moments(name):
            after = apply_event(before, event)
            kind = (
                type(event),
                getattr(event, "end", ""),
                getattr(event, "source", 0) > 0,
                UNKNOWN_CARD in str(event),
                bool(getattr(event, "cards", ())),
                after.ending != before.ending and after.ending,
                after.stage is Stage.OVER,
                before.adam is not None
                and after.adam is not None
                and len(after.adam.fulfilled) - len(before.adam.fulfilled),
            )
            if kind not in known:
                known.add(kind)
                yield before, event
    yield from reveals()


def reveals() -> Iterator[tuple[GameState, Event]]:
    """The first hidden card that may be revealed."""
    for state, _ in moments("half-hidden-three"):
        found = [] if state.draws else list_legal_actions(state)
        revealed = [event for event in found if isinstance(event, Reveal)]
        if revealed:
            yield state, revealed[0]
            return


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_golden_words(language: str, golden: Callable[[str, str], None]) -> None:
    lines: list[str] = []
    for before, event in every_kind():
        everything = describe_event(before, event, "all", language)
        lines += [str(event), f"    {everything}"]
        if (seen := describe_event(before, event, None, language)) != everything:
            lines.append(f"    ({seen})")
    lines += ["", *dict.fromkeys(questions(language))]
    golden(f"words.{language}.txt", "\n".join(lines) + "\n")


def questions(language: str) -> Iterator[str]:
    known: set[object] = set()
    for name in SHOWN:
        for state, _ in moments(name):
            match get_awaited(state):
                case Decision(_, stage) as decision:
                    kind: object = stage, state.actions_left, state.game.solo
                    if kind not in known:
                        yield describe_decision(decision, state, language)
                case None:
                    raise AssertionError("the game is over")
                case draw:
                    kinds = state.game.options.space_kinds
                    held = kinds[draw.space - 1] if isinstance(draw, FillDraw) else ""
                    kind = type(draw), held, state.game.hidden_hands
                    if kind not in known:
                        yield describe_draw(draw, state, language)
            known.add(kind)


def test_every_event_and_every_question_is_shown() -> None:
    shown = {type(event) for _, event in every_kind()}
    assert shown == set(get_args(events.Event))
    kinds = {
        awaited.stage if isinstance(awaited, Decision) else type(awaited)
        for name in SHOWN
        for state, _ in moments(name)
        if (awaited := get_awaited(state))
    }
    assert kinds == {*get_args(Draw), *Stage} - {Stage.TURN_ENDED, Stage.OVER}


def open_to(view: View) -> set[str]:
    """Every card whose place somebody knows."""
    found = {*view.supply, *view.discards, *(pile.top for pile in view.piles)}
    for seat in view.seats:
        found |= {*seat.hand, *seat.temples, *seat.discarded}
        found |= {card for coatl in seat.coatls for card in (*coatl.prophecies, coatl.temple)}
    if view.adam:
        found |= {*view.adam.fulfilled, *(wanted.card for wanted in view.adam.row)}
    return found


def nobody_hears_of_a_card_that_they_may_not_know(
    options: TableOptions, seed: int, choice: Choice
) -> None:
    viewers: list[int | None] = [None, *range(len(options.players))]
    for before, event in play_random_game(options, seed, choice):
        after = apply_event(before, event)
        language = LANGUAGE_CODES[seed % len(LANGUAGE_CODES)]
        for viewer in viewers:
            text = describe_event(before, event, viewer, language)
            named = set(re.findall(r"\b[PT]\d\d\b", text))
            if not isinstance(event, Reveal):  # everybody is shown the card
                assert named <= open_to(make_view(before, viewer)) | open_to(
                    make_view(after, viewer)
                )
            assert text == text.strip()
            assert "{" not in text


def everybody_hears_what_they_may_know(options: TableOptions, seed: int) -> None:
    """All that an event names is told where every card lies open, and own cards to their owner."""
    for before, event in play_random_game(options, seed, choose_builder):
        named = set(re.findall(r"\b[PT]\d\d\b", str(event)))
        everything = describe_event(before, event, "all", "en")
        assert named <= set(re.findall(r"\b[PT]\d\d\b", everything))
        owner: Viewer = getattr(event, "player", before.current_player)
        if not before.adam:
            assert describe_event(before, event, owner, "en") == everything


SEEDS = st.integers(0, 2**32)
CHOICES = st.sampled_from([choose_anything, choose_builder])
test_nobody_hears_of_a_card_that_they_may_not_know = games(
    3, nobody_hears_of_a_card_that_they_may_not_know, tables(), SEEDS, CHOICES
)
test_nobody_hears_of_a_hidden_card = games(
    2, nobody_hears_of_a_card_that_they_may_not_know, tables(hidden=True), SEEDS, CHOICES
)
test_solo_nobody_hears_of_a_card_that_they_may_not_know = games(
    2, nobody_hears_of_a_card_that_they_may_not_know, solo_tables(), SEEDS, CHOICES
)
test_in_many_games_nobody_hears_of_a_card_that_they_may_not_know = many_games(
    nobody_hears_of_a_card_that_they_may_not_know,
    tables() | tables(hidden=True) | solo_tables(),
    SEEDS,
    CHOICES,
)
test_everybody_hears_what_they_may_know = games(
    6, everybody_hears_what_they_may_know, tables(), SEEDS
)


def test_a_dealt_card_is_told_to_its_owner_alone() -> None:
    state, event = next((s, e) for s, e in moments("two-en") if isinstance(e, events.DealProphecy))
    card = str(event).split()[-1]
    assert card in describe_event(state, event, 0, "en")
    assert card in describe_event(state, event, "all", "en")
    assert card not in describe_event(state, event, 1, "en")
    assert card not in describe_event(state, event, None, "en")


@pytest.mark.rule("3.12")
def test_the_value_of_a_completed_coatl_is_announced() -> None:
    state, event = next(
        (s, e)
        for s, e in moments("two-en")
        if isinstance(e, events.PlaceTemple | events.CompleteCoatl)
    )
    done = apply_event(state, event).players[state.current_player].coatls[state.closing - 1]
    text = describe_event(state, event, 1 - state.current_player, "en")
    assert done.text in text
    assert re.search(r"it is worth \d+ points?\.", text)


def test_names_are_told_as_they_are() -> None:
    options = TableOptions(players=("{Ana}", "%s #1"))
    state = next(s for s, _ in play_random_game(options, 1) if not s.draws)
    assert describe_event(state, parse_event("keep"), None, "fr").startswith("{Ana} ne garde")


@pytest.mark.rule("6.1")
@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_a_second_action_is_offered_where_there_is_one(language: str) -> None:
    state = next(s for s, _ in moments("two-en") if s.stage is Stage.CHOOSING and not s.draws)
    two = state._replace(actions_left=1)
    decision = Decision(state.current_player, state.stage)
    assert describe_decision(decision, two, language) != describe_decision(
        decision, state, language
    )
