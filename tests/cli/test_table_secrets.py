"""At a virtual table nobody hears of another's hand: in no text, no data, no suggestion."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.cli.table.prompt import PlayHistory
from coatl_tools.referee.commands.vocabulary import complete_commands, complete_last_word
from coatl_tools.referee.menu import Menu, MenuQuestion, MenuStep, build_menu
from coatl_tools.referee.presentation.game_log import build_game_log
from coatl_tools.referee.presentation.table_data import serialize_steps, serialize_view
from coatl_tools.referee.presentation.table_text import describe_table
from coatl_tools.referee.table import Table
from coatl_tools.rules.event_messages import describe_event
from coatl_tools.rules.state import OVER
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_view
from tests.referee.typed_tables import (
    LANGUAGES,
    SEEDS,
    play_evening,
    random_command,
    temporary_table,
    virtual_tables,
)
from tests.rules.random_games import many_games


def labels(at: MenuStep) -> list[str]:
    """All that a menu says, and all that its choices say."""
    if isinstance(at, Menu):
        found = [choice.label for choice in at.choices]
        return found + [text for choice in at.choices for text in labels(choice.next_step)]
    return [at.question, at.command, *at.options] if isinstance(at, MenuQuestion) else [at]


def ids(table: Table, *texts: str) -> set[str]:
    """The cards that these texts name."""
    words = {word for text in texts for word in re.findall(r"[A-Z]+\d+", text)}
    return words & set(table.state.game.by_id)


def lying_open(view: View) -> set[str]:
    """The cards that somebody sees, and where they are."""
    found = [*view.supply, *view.discards, *(pile.top for pile in view.piles)]
    for seat in view.seats:
        found += [*seat.hand, *seat.temples, *seat.discarded]
        found += [card for coatl in seat.coatls for card in (*coatl.prophecies, coatl.temple)]
    if view.adam:
        found += [*view.adam.fulfilled, *(wanted.card for wanted in view.adam.row)]
    return set(found)


def told_now(table: Table, viewer: int | None, language: str) -> Iterator[str]:
    """Texts about this moment."""
    seen, game = table.make_view(viewer), table.state.game
    yield from describe_table("evening", seen, game, language)
    yield from labels(build_menu(seen, game, language))
    yield from complete_last_word("", seen.legal, language)
    yield from complete_commands("", seen.legal, language)
    data = serialize_view(seen, game)
    del data["unseen"]  # all that is hidden from the viewer, and nobody knows where
    yield json.dumps(data)


def told_of_the_past(table: Table, viewer: int | None, language: str) -> Iterator[str]:
    """Texts about all that has happened."""
    for line in build_game_log(table, viewer, language):
        yield json.dumps(line.to_data())
    for state, event in zip(table.history.states, table.history.events, strict=False):
        yield describe_event(state, event, viewer, language)
    if viewer is not None:
        yield from PlayHistory(table, language).list_past_lines(viewer)


def nobody_hears_of_another_hand(options: TableOptions, seed: int, language: str) -> None:
    """No text names a card that its reader does not see, or has not seen."""
    chance = random.Random(seed)
    viewers: list[int | None] = [None, *range(len(options.players))]
    ever = {viewer: set[str]() for viewer in viewers}
    with temporary_table(options, seed) as table:
        events = 0
        for _ in play_evening(table, chance, language):
            for state in table.history.states[events:]:
                for viewer in viewers:
                    ever[viewer] |= lying_open(make_view(state, viewer))
            events = len(table.history.events)
            if chance.random() > 0.06:
                continue
            for viewer in viewers:
                now = ids(table, *told_now(table, viewer, language))
                assert now <= lying_open(table.make_view(viewer))
                assert ids(table, *told_of_the_past(table, viewer, language)) <= ever[viewer]


SECRET = (virtual_tables, SEEDS, st.sampled_from(LANGUAGES))
test_nobody_hears_of_another_hand = settings(max_examples=2)(
    given(*SECRET)(nobody_hears_of_another_hand)
)
test_nobody_hears_of_another_hand_in_many_games = many_games(nobody_hears_of_another_hand, *SECRET)


def test_what_a_program_is_told_of_others_is_masked() -> None:
    with temporary_table(TableOptions(), 3) as table:
        steps = table.do("keep 1 2; keep 1 2; draw; end")
        for viewer, known in ((0, "keep P"), (None, "keep ?")):
            happened = [step["event"] for step in serialize_steps(table, steps, viewer)["happened"]]
            assert str(happened[0]).startswith(known)
            assert happened[1] == "keep ? ?"  # South's
            assert ("drawn ?" in happened) is (viewer is None)


def test_what_is_offered_to_everybody_names_no_card_of_a_hand() -> None:
    """Somebody may be about to place a card, but what is offered does not say which."""
    about_to_place = set()
    with temporary_table(TableOptions(), 3) as table:
        for _ in play_evening(table, random.Random(2)):
            seen = make_view(table.state, None)
            known = lying_open(seen)
            offered = [str(event) for event in table.list_known_actions(None)]
            assert ids(table, *offered) <= known
            turn = table.make_view(table.state.current_player)
            for event in map(str, turn.legal):
                if not ids(table, event) <= known:
                    about_to_place.add(event.split()[0])
    assert {"keep", "play", "temple"} <= about_to_place


def test_a_taken_back_draw_is_told_to_nobody_else() -> None:
    with temporary_table(TableOptions(), 3) as table:
        table.do("keep 1 2; keep 1 2; draw")
        drawn = str(table.history.events[-1])
        table.do("undo; take 3", force=True)
        for viewer, wanted in ((0, drawn), (1, "drawn ?"), (None, "drawn ?")):
            told_events = [line.event for line in build_game_log(table, viewer, "en")]
            assert wanted in told_events


def test_after_the_game_everything_may_be_told() -> None:
    with temporary_table(TableOptions()) as table:
        chance = random.Random(2)
        while table.state.stage is not OVER:
            assert any("?" in line.event for line in build_game_log(table, None, "en"))
            for _ in range(20):
                if table.state.stage is not OVER:
                    table.do(random_command(table, chance))
        assert not any("?" in line.event for line in build_game_log(table, None, "en"))
