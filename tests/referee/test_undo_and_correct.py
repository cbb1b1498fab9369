"""Repairs at a table: undo and what it asks for, corrections and what they leave."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.errors import (
    CoatlError,
    CommandError,
    ConsentError,
    HistoryError,
)
from coatl_tools.referee.journal import replay_journal
from coatl_tools.referee.table import Table, UndoConsent
from coatl_tools.rules.state import OVER, digest_state
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import (
    REAL,
    SEEDS,
    VIRTUAL,
    begin_table,
    list_events,
    make_real_table,
    make_virtual_table,
    play_evening,
    real_tables,
    temporary_table,
    virtual_tables,
)

KEPT = "keep 1 2; keep 1 2"


# Undo.

GRADES = [
    # what happened, how many steps back, how many events are left after the setup, the grade
    ("cards 1", 1, 2, UndoConsent.FREE),
    ("cards 1 2", 2, 2, UndoConsent.FREE),
    ("cards 1 2", 1, 3, UndoConsent.FREE),
    ("draw", 1, 2, UndoConsent.SEEN),
    ("cards 1; draw", 1, 3, UndoConsent.SEEN),
    ("cards 1; draw; cards 2", 1, 5, UndoConsent.FREE),
    ("cards 1; draw; cards 2", 2, 3, UndoConsent.SEEN),
    ("take 3", 1, 2, UndoConsent.TURN),
    ("take 3; take 7", 2, 2, UndoConsent.TURN),
    ("cards 1; end", 1, 3, UndoConsent.SEEN),  # the supply was refilled
    ("take 3; cards 1", 1, 3, UndoConsent.FREE),
    ("take 3; cards 1", 2, 2, UndoConsent.TURN),
    ("", 1, 1, UndoConsent.TURN),  # South has kept cards
    ("", 2, 0, UndoConsent.TURN),  # and North: it is North's turn again
    ("priest 1", 1, 2, UndoConsent.SEEN),
    ("future", 1, 2, UndoConsent.SEEN),
]


@pytest.mark.parametrize(("commands", "steps", "left", "grade"), GRADES)
def test_undo_is_graded_by_what_was_seen(
    tmp_path: Path, commands: str, steps: int, left: int, grade: UndoConsent
) -> None:
    table = make_virtual_table(tmp_path)
    setup = len(table.history.events)
    table.do(KEPT, *([commands] if commands else []))
    wanted = table.history.states[setup + left]
    assert table.find_undo_consent(steps) is grade
    before = table.journal.path.read_bytes()
    if grade is not UndoConsent.FREE:
        with pytest.raises(ConsentError):
            table.do(f"undo {steps}")
        assert table.journal.path.read_bytes() == before
    done = table.do(f"undo {steps}", force=True)
    assert done[0].event is None
    assert len(table.history.events) == setup + left
    assert digest_state(table.state) == digest_state(wanted)
    after = table.journal.path.read_bytes()
    assert after.startswith(before)  # the trace remains
    assert b'"back"' in after[len(before) :]


def test_a_whole_setup_cannot_be_undone_at_a_virtual_table(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path)
    with pytest.raises(CommandError, match="nothing to undo"):
        table.do("undo", force=True)


def test_what_people_have_reported_is_taken_back_freely_one_by_one(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", REAL, None)
    table.do("RG BB YK")
    table.do("undo")
    assert list_events(table) == ["fill 1 R G", "fill 2 B B"]
    table.do("undo 2")
    assert list_events(table) == []
    table.do("RG BB YK RG BB YK R G B Y")  # two secret deals follow by themselves
    assert len(table.history.events) == 12
    table.do("undo")
    assert len(table.history.events) == 9  # they went with the last space


def test_undo_goes_back_over_the_moves_of_bots(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", VIRTUAL, 7, ("", "random"))
    table.do("keep 1 2")
    before = len(table.history.events)
    table.do("take 3")
    assert len(table.history.events) > before + 1
    table.do("undo", force=True)
    assert len(table.history.events) == before
    assert table.state.current_player == 0


def test_the_same_draw_comes_again_after_an_undo(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT, "draw")
    drawn = list_events(table)[-1]
    table.do("undo", "draw", force=True)
    assert list_events(table)[-1] == drawn


def test_undo_of_a_finished_game(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl")
    for _ in play_evening(table, random.Random(1)):
        pass
    with pytest.raises(CoatlError):
        table.do("end")
    with pytest.raises(ConsentError):
        table.do("undo")
    table.do("undo", force=True)
    assert table.state.stage is not OVER


def any_undo_leads_to_a_moment_that_was(options: TableOptions, seed: int, at_table: bool) -> None:
    chance = random.Random(seed)
    with temporary_table(options, None if at_table else seed) as table:
        for number, _ in enumerate(play_evening(table, chance)):
            if number > 60:
                break
            if chance.random() < 0.2:
                past = {digest_state(state) for state in table.history.states}
                try:
                    table.do(f"undo {chance.randint(1, 4)}", force=True)
                except CommandError:  # there was nothing yet
                    continue
                assert digest_state(table.state) in past
                assert (
                    table.choose_automatic_events(table.history) is None
                )  # people are asked, nobody else
        assert digest_state(replay_journal(table.journal.path).history.state) == digest_state(
            table.state
        )


test_any_undo_leads_to_a_moment_that_was = settings(max_examples=6)(
    given(virtual_tables | real_tables, SEEDS, st.booleans())(any_undo_leads_to_a_moment_that_was)
)


# Corrections.


def test_a_mistyped_draw_is_corrected_and_what_came_after_stays(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2", "take 3", "take 7")
    events = len(table.history.events)
    steps = table.do("correct 3 GG")
    assert (steps[0].corrects, str(steps[0].event)) == (3, "fill 3 G G")
    assert len(table.history.events) == events
    assert table.state.players[0].board == ("G", "G")
    table.do("correct space 4 KK", "correct 14 T03")
    assert table.state.spaces[3] == ("K", "K")
    assert "T03" in {pile.top for pile in table.state.piles}
    assert Table.open(table.journal.path).history.events == table.history.events


def test_a_space_that_was_filled_twice_is_corrected_where_it_was_last(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2", *(f"take {n}" for n in (1, 2, 3, 4)))
    for number in (5, 6, 7):
        table.do(f"take {number}") if table.state.spaces[number - 1] else None
        if table.state.draws:
            break
    assert table.state.draws, "the board has to be filled again"
    table.do("RR GG BB YY")
    fills = [n for n, text in enumerate(list_events(table), 1) if text.startswith("fill 2 ")]
    table.do("correct space 2 KK")
    assert list_events(table)[fills[-1] - 1] == "fill 2 K K"
    assert list_events(table)[fills[0] - 1] == "fill 2 B B"


def test_a_correction_that_breaks_the_game_says_from_where_on(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2", "take 3", "take 7", "begin Y; end")
    began = list_events(table).index("begin Y") + 1
    before = table.journal.path.read_bytes()
    with pytest.raises(HistoryError) as caught:
        table.do("correct 3 GG")  # then there was no yellow piece to begin with
    assert f"event {began} (begin Y)" in str(caught.value)
    assert "Rule 3.6" in str(caught.value)
    assert table.journal.path.read_bytes() == before
    assert f"zdarzenie {began} (begin Y)" in caught.value.text("pl")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("correct 12", "correct 41 RG"),
        ("correct", "correct 41 RG"),
        ("correct RG", "correct 41 RG"),
        ("correct 0 RG", "no event 0"),
        ("correct 999 RG", "no event 999"),
        ("correct 28 RG", "is a decision"),
        ("correct 3 RGB", "more than was asked"),
        ("correct 3 P05", "more than was asked|cannot be understood"),
        ("correct 14 RG", "more than was asked|cannot be understood"),
        ("correct space 11 RG", "Space 11 has not been filled"),
        ("correct 3 purple", "correct 41 RG"),
        ("undo many", "undo 2"),
    ],
)
def test_a_wrong_repair_is_explained(tmp_path: Path, command: str, said: str) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2")
    before = table.journal.path.read_bytes()
    with pytest.raises(CoatlError, match=said):
        table.do(command)
    assert table.journal.path.read_bytes() == before


def test_a_secret_deal_may_be_told_later(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2")
    number = list_events(table).index("deal-temple 1 ?") + 1
    table.do(f"correct {number} T05")
    assert table.state.players[0].temples == ("T05",)
