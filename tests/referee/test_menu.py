"""Menus: every choice leads to something possible, and everything possible is a choice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.referee.commands.command_parser import EventCommand, parse_command
from coatl_tools.referee.commands.vocabulary import COMMAND_OF_EVENT, get_command_word
from coatl_tools.referee.menu import (
    COMMAND_LABELS,
    Menu,
    MenuQuestion,
    MenuStep,
    build_menu,
)
from coatl_tools.referee.table import Table
from coatl_tools.rules import apply_event, parse_event
from coatl_tools.rules.constants import PROPHECIES_KEPT
from coatl_tools.rules.events import Event, PlaceProphecy
from coatl_tools.rules.history import DoEvent
from coatl_tools.rules.state import KEEPING, OVER, Built
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_view
from tests.referee.typed_tables import (
    LANGUAGES,
    SEEDS,
    current_view,
    list_possible,
    play_evening,
    real_tables,
    temporary_table,
    virtual_tables,
)
from tests.rules.positions import scene, seat
from tests.rules.random_games import many_games

ASKED = ("keep", "discard", "play")  # too many to list: these are asked for


def menu_now(table: Table, language: str) -> Menu | MenuQuestion:
    return build_menu(current_view(table), table.state.game, language)


def leaves(at: MenuStep) -> Iterator[str | MenuQuestion]:
    """Where a menu's choices lead in the end."""
    if isinstance(at, Menu):
        for choice in at.choices:
            yield from leaves(choice.next_step)
    else:
        yield at


def menus(at: MenuStep) -> Iterator[Menu]:
    if isinstance(at, Menu):
        yield at
        for choice in at.choices:
            yield from menus(choice.next_step)


def meant(table: Table, command: str, language: str) -> tuple[Event, ...]:
    """The events of a command, which the rules allow."""
    found = parse_command(command, table.history, language)
    assert isinstance(found, EventCommand), command
    history = table.history
    for event in found.events:
        history = history.after(DoEvent(event))
    return found.events


def answers_to(asked: MenuQuestion, table: Table, chance: random.Random) -> list[str]:
    """Some of what a question may be answered with."""
    state = table.state
    legal = [event for event in list_possible(table) if isinstance(event, PlaceProphecy)]
    if legal:
        event = chance.choice(legal)
        return [f"{event.card} {event.coatl}"]
    hand = state.players[state.current_player].hand
    if not hand:  # See the Future with an empty hand
        return [get_command_word("none", "en")]
    number = (
        min(PROPHECIES_KEPT, len(hand)) if state.stage is KEEPING else chance.randint(1, len(hand))
    )
    found = [str(number)]  # where hands are hidden, only how many
    if asked.options:
        assert len(asked.options) == len(hand)
        found = [" ".join(map(str, chance.sample(range(1, len(hand) + 1), number)))]
    return found if state.stage is KEEPING else [*found, get_command_word("none", "en")]


def followed(options: TableOptions, seed: int, at_table: bool, language: str) -> None:
    """Every menu of a game."""
    chance = random.Random(seed)
    with temporary_table(options, None if at_table else seed) as table:
        for _ in play_evening(table, chance, language):
            if table.state.draws or chance.random() > 0.2:
                continue
            found = menu_now(table, language)
            events: set[Event] = set()
            asked: set[str] = set()
            for leaf in leaves(found):
                if isinstance(leaf, str):
                    (event,) = meant(table, leaf, language)
                    events.add(event)
                    continue
                asked.add(leaf.command)
                for answer in answers_to(leaf, table, chance):
                    assert meant(table, f"{leaf.command} {answer}", language)
            words = {get_command_word(key, language): key for key in ASKED}
            kinds = {words[command] for command in asked}
            assert events == {
                e for e in list_possible(table) if COMMAND_OF_EVENT[type(e)] not in kinds
            }
            for each in menus(found):
                labels = [choice.label for choice in each.choices]
                assert len(set(labels)) == len(labels)
                assert all(label.strip() and label.isprintable() for label in labels)
                assert len(each.choices) < 100


FOLLOWED = (virtual_tables | real_tables, SEEDS, st.booleans(), st.sampled_from(LANGUAGES))
test_what_a_menu_offers_is_what_is_possible = settings(max_examples=3)(given(*FOLLOWED)(followed))
test_what_menus_offer_is_possible_in_many_games = many_games(followed, *FOLLOWED)


@settings(max_examples=3)
@given(virtual_tables | real_tables, SEEDS, st.booleans())
def test_menus_are_the_same_in_all_languages(
    options: TableOptions, seed: int, at_table: bool
) -> None:
    chance = random.Random(seed)
    with temporary_table(options, None if at_table else seed) as table:
        for _ in play_evening(table, chance):
            if table.state.draws or chance.random() > 0.15:
                continue
            shown = [menu_now(table, code) for code in LANGUAGES]
            shapes = [[len(m.choices) for m in menus(m)] for m in shown]
            assert all(shape == shapes[0] for shape in shapes)
            events = [
                [meant(table, leaf, code) for leaf in leaves(found) if isinstance(leaf, str)]
                for code, found in zip(LANGUAGES, shown, strict=True)
            ]
            assert all(found == events[0] for found in events)


@settings(max_examples=4)
@given(virtual_tables | real_tables, SEEDS, st.booleans())
def test_a_whole_game_can_be_played_by_choices_alone(
    options: TableOptions, seed: int, at_table: bool
) -> None:
    chance = random.Random(seed)
    with temporary_table(options, None if at_table else seed) as table:
        for number, _ in enumerate(play_evening(table, chance)):
            if table.state.draws:
                continue
            if number > 150:
                return
            at: MenuStep = menu_now(table, "en")
            while isinstance(at, Menu):
                at = chance.choice(at.choices).next_step
            if isinstance(at, MenuQuestion):
                at = f"{at.command} {answers_to(at, table, chance)[0]}"
            events = len(table.history.events)
            table.do(at)
            assert len(table.history.events) > events
            if table.state.stage is OVER:
                return


def test_nobody_else_is_offered_anything() -> None:
    with temporary_table(TableOptions()) as table:
        assert build_menu(table.make_view(1), table.state.game, "en") == Menu(())
        assert build_menu(table.make_view(None), table.state.game, "en") == Menu(())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_is_explained(language: str) -> None:
    from coatl_tools.language import load_language

    words = load_language(language)
    assert len({words.label(key) for key in COMMAND_LABELS.values()}) == len(COMMAND_LABELS)


CLOSING = apply_event(
    scene(
        seat(
            board="R B Y>",
            coatls=[Built("<BBRBB", ("P10",))],
            hand="P29 P05",
            temples="T02",
        ),
        seat(),
        piles=("T03", "T07"),
    ),
    parse_event("add Y> to 1 tail"),
)


def test_a_label_says_all_that_will_happen() -> None:
    found = build_menu(make_view(CLOSING, 0), CLOSING.game, "en")
    assert isinstance(found, Menu)
    play, temple, complete = found.choices
    # the only card that fits is named: nobody chooses it unseen
    assert play.label == (
        "Place a Prophecy card beside a Cóatl – P05: Each blue piece, wherever it lies. – "
        "beside Cóatl 1 (<BBRBBY>)"
    )
    assert play.next_step == "play P05 on 1"
    assert (complete.label, complete.next_step) == (
        "Complete the Cóatl without a Temple card",
        "complete",
    )
    assert isinstance(temple.next_step, Menu)
    assert [(choice.label[:18], choice.next_step) for choice in temple.next_step.choices] == [
        ("T02: No black piec", "temple T02 on 1"),
        ("from pile 1: T03: ", "temple T03 on 1 from pile 1"),
        ("from pile 2: T07: ", "temple T07 on 1 from pile 2"),
    ]
