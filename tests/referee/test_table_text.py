"""A table in plain sentences: complete, in order, and nothing that a screen reader stumbles on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee.presentation.table_text import describe_table
from coatl_tools.rules.views import make_open_view, make_view
from tests.sample_tables import (
    list_random_moments,
    list_sample_tables,
    make_finished_game,
    make_last_turn,
    make_midgame,
    make_solo_table,
)

LANGUAGES = LANGUAGE_CODES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_golden_sentences(lang: str, golden: Callable[[str, str], None]) -> None:
    found = [
        "\n".join(describe_table(name, *table, lang))
        for name, table in list_sample_tables().items()
    ]
    golden(f"sentences.{lang}.txt", "\n\n".join(found) + "\n")


def test_every_line_is_a_sentence_of_words_and_numbers() -> None:
    for shown, game in list_random_moments():
        told = [describe_table("Evening", shown, game, lang) for lang in LANGUAGES]
        assert len({len(lines) for lines in told}) == 1
        for line in (line for lines in told for line in lines):
            assert line.endswith(".")
            assert not line.endswith("..")
            assert "  " not in line
            assert all(char.isalnum() or char in " .,:;()’-" for char in line), line


def test_the_most_important_comes_first() -> None:
    lines = describe_table("Evening", make_view(make_midgame(), 1), make_midgame().game, "en")
    assert lines[:4] == [
        "Table: Evening.",
        "Turn 23: North.",
        "Next: an action by North.",
        "Board of East: 1 golden segment, 1 green body segment, 2 black body segments. "
        "Free spaces: 4.",
    ]
    order = ["Board of East", "Cóatl 1 of East", "Space 1", "Prophecy supply", "Board of North"]
    places = [next(i for i, line in enumerate(lines) if line.startswith(o)) for o in order]
    assert places == sorted(places)


def test_where_all_is_open_the_one_to_move_comes_first() -> None:
    lines = describe_table("Evening", make_open_view(make_last_turn()), make_last_turn().game, "en")
    assert lines[2] == "2 actions left."
    assert lines[3].startswith("The end is near: North has 3 complete Cóatls")
    boards = [line for line in lines if line.startswith("Board of")]
    assert [line.split(":")[0] for line in boards] == ["Board of East", "Board of North"]


def test_hidden_cards_are_counted_and_never_named() -> None:
    text = "\n".join(
        describe_table("Evening", make_view(make_midgame(), 0), make_midgame().game, "en")
    )
    assert "Prophecy cards in the hand of East: 3, hidden: 2." in text
    assert "P40, green Prophecy card." in text
    assert "P11" not in text
    assert "T01" not in text


def test_adam_is_told_with_what_it_lacks() -> None:
    text = "\n".join(
        describe_table("Alone", make_view(make_solo_table(), 0), make_solo_table().game, "en")
    )
    assert "Turn 9: A.D.A.M.\n" in text
    assert (
        "A.D.A.M.’s card 1: P11, for 7 points. Pieces on it: 1 yellow body segment, "
        "1 yellow head. It still lacks 4 yellow." in text
    )


def test_the_winner_of_a_finished_game_is_told_at_once() -> None:
    lines = describe_table(
        "Done", make_view(make_finished_game(), 0), make_finished_game().game, "en"
    )
    assert lines[1:4] == [
        "The game is over after 122 turns.",
        "Łucja wins.",
        "The game ended because nobody can do anything any more (rule 9.2).",
    ]
