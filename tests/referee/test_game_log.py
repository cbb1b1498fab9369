"""The log of a table: all that happened, with numbers, and a trace of what was taken back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from coatl_tools.referee.presentation.game_log import LogEntry, build_game_log
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import (
    LANGUAGES,
    REAL,
    VIRTUAL,
    begin_table,
    list_events,
    make_real_table,
    make_virtual_table,
    play_evening,
)

KEPT = "keep 1 2; keep 1 2"


def test_numbers_are_those_that_a_correction_takes(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2", "take 3")
    lines = build_game_log(table, None, "en")
    assert [line.number for line in lines] == list(range(1, len(table.history.events) + 1))
    assert [line.event for line in lines] == list_events(table)
    third = lines[2]
    assert third == LogEntry(
        3, "do", "fill 3 Y K", "Space 3 gets: yellow body segment, black body segment."
    )
    assert third.to_data() == {"number": 3, "do": "fill 3 Y K", "text": third.text}


def test_numbers_go_on_where_an_undo_went_back_to(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT, "cards 1 2", "undo", "cards 3")
    *_, first, taken, undone, again = build_game_log(table, None, "en")
    assert (first.number, taken.number, undone.number, again.number) == (30, 31, 0, 31)
    assert undone.kind == "back"
    assert undone.event == "30"  # so many events are left
    assert undone.text == "Taken back: 1 event."


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ("cards 1; undo", "Taken back: 1 event."),
        ("take 3; undo", "Taken back by consent, though a turn had ended: 1 event."),
        ("draw; undo", "Taken back by consent, though something hidden had been seen: 2 events."),
    ],
)
def test_what_was_taken_back_leaves_its_grade(tmp_path: Path, commands: str, said: str) -> None:
    table = make_virtual_table(tmp_path, KEPT)
    table.do(commands, force=True)
    assert build_game_log(table, None, "en")[-1].text == said


def test_an_undo_of_an_undone_game_is_told_too(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT)
    table.do("cards 1; undo; cards 2; undo; cards 1; end", force=True)
    kinds = [line.kind for line in build_game_log(table, 0, "en")[29:]]
    assert kinds == ["do", "back", "do", "back", "do", "do", "do"]


def test_a_correction_is_told(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2", "take 3", "correct 3 GG")
    line = build_game_log(table, None, "en")[-1]
    assert line == LogEntry(
        0, "correct", "fill 3 G G", "Event 3, corrected: Space 3 gets: green body segment ×2.", 3
    )


def test_everybody_hears_of_their_own_cards_only(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT)
    mine, theirs, nobodys = (build_game_log(table, viewer, "en") for viewer in (0, 1, None))
    assert mine[27].event.startswith("keep P")
    assert theirs[27].event == nobodys[27].event == "keep ? ?"
    assert theirs[27].text == "North keeps 2 of the Prophecy cards dealt."


def test_a_real_table_tells_everybody_what_it_was_told(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2", "reveal North P29")
    for viewer in (None, 0, 1):
        assert build_game_log(table, viewer, "en")[-1].event == "reveal 1 P29"


@pytest.mark.parametrize(("options", "seed"), [(VIRTUAL, 7), (REAL, None)])
def test_a_whole_game_is_told_in_every_language(
    tmp_path: Path, options: TableOptions, seed: int | None
) -> None:
    table = begin_table(tmp_path / "t.jsonl", options, seed)
    for _ in play_evening(table, random.Random(4)):
        pass
    for language in LANGUAGES:
        lines = build_game_log(table, None, language)
        assert len(lines) == len(table.journal.entries)
        assert all(line.text.isprintable() and line.text.endswith(".") for line in lines)
