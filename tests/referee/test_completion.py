"""What a half-typed line may go on with: it leads to what is possible."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.referee.commands.command_parser import EventCommand, parse_command
from coatl_tools.referee.commands.vocabulary import (
    MAX_COMPLETIONS,
    QUERY_COMMANDS,
    REPAIR_COMMANDS,
    complete_commands,
    complete_last_word,
    get_command_word,
)
from coatl_tools.rules import parse_event
from coatl_tools.rules.events import Event, Reveal
from coatl_tools.rules.history import DoEvent
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import (
    LANGUAGES,
    SEEDS,
    current_view,
    play_evening,
    real_tables,
    temporary_table,
    virtual_tables,
)
from tests.rules.random_games import many_games

TAKE_OR_ADD = [
    parse_event("take 1"),
    parse_event("take 10"),
    parse_event("add B to 1 tail"),
    parse_event("add R to 2 head"),
]


def test_the_next_word_is_offered() -> None:
    assert complete_last_word("ta", TAKE_OR_ADD, "en") == ["take"]
    assert complete_last_word("take ", TAKE_OR_ADD, "en") == ["1", "10"]
    assert complete_last_word("add B to 1 t", TAKE_OR_ADD, "en") == ["tail"]
    assert complete_last_word("add ", TAKE_OR_ADD, "en") == ["B", "R"]
    assert complete_last_word("take 3; add B ", TAKE_OR_ADD, "en") == ["to"]
    assert complete_last_word("t ", TAKE_OR_ADD, "en") == ["1", "10"]  # whichever word was typed
    assert complete_last_word("xyzzy ", TAKE_OR_ADD, "en") == []


def test_words_are_offered_in_the_language_of_the_table_with_or_without_accents() -> None:
    assert complete_last_word("ajouter B a", TAKE_OR_ADD, "fr") == ["à"]
    assert complete_last_word("wez ", TAKE_OR_ADD, "pl") == ["1", "10"]
    assert complete_last_word("we", TAKE_OR_ADD, "pl") == ["weź"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_offered_where_they_are_answered(language: str) -> None:
    offered = complete_last_word("", [], language)
    assert offered == [
        get_command_word(key, language) for key in (*REPAIR_COMMANDS, *QUERY_COMMANDS)
    ]
    assert complete_commands("", [], language) == [
        get_command_word(key, language) for key in REPAIR_COMMANDS
    ]


def test_no_more_is_offered_than_fits_on_a_screen() -> None:
    many: list[Event] = [Reveal(0, f"X{number}") for number in range(1000)]
    assert len(complete_commands("", many, "en")) <= MAX_COMPLETIONS
    assert len(complete_last_word("reveal 1 ", many, "en")) <= MAX_COMPLETIONS


@pytest.mark.parametrize("line", ["", " ", ";", "  ;  ", "\x00", "take\t", "é" * 5000, "; " * 900])
def test_any_line_can_be_completed(line: str) -> None:
    for language in LANGUAGES:
        complete_last_word(line, TAKE_OR_ADD, language)
        complete_commands(line, TAKE_OR_ADD, language)


def typed_by_completion(legal: tuple[Event, ...], chance: random.Random, language: str) -> str:
    """A command of which every word was offered."""
    line = ""
    while offered := complete_last_word(line, legal, language):
        if (
            line.rstrip() in complete_commands(line.rstrip(), legal, language)
            and chance.random() < 0.5
        ):
            break  # it may go on, and need not
        line += f"{chance.choice(offered)} "
    return line.strip()


def completed(options: TableOptions, seed: int, at_table: bool, language: str) -> None:
    chance = random.Random(seed)
    questions = {get_command_word(key, language) for key in (*REPAIR_COMMANDS, *QUERY_COMMANDS)}
    with temporary_table(options, None if at_table else seed) as table:
        for _ in play_evening(table, chance, language):
            if table.state.draws or chance.random() > 0.2:
                continue
            legal = current_view(table).legal
            line = typed_by_completion(legal, chance, language)
            if line in questions:
                continue
            found = parse_command(line, table.history, language)
            assert isinstance(found, EventCommand), line
            for event in found.events:
                assert event in legal, line
                table.history.after(DoEvent(event))


COMPLETED = (virtual_tables | real_tables, SEEDS, st.booleans(), st.sampled_from(LANGUAGES))
test_completed_lines_are_possible = settings(max_examples=3)(given(*COMPLETED)(completed))
test_completed_lines_are_possible_in_many_games = many_games(completed, *COMPLETED)
