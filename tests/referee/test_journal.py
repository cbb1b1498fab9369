"""A table's file holds its game: what is played is what is read back."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card import parse_card
from coatl_tools.errors import (
    CoatlError,
    HistoryError,
    IllegalActionError,
    JournalError,
    OptionError,
)
from coatl_tools.referee.journal import Journal, TableHeader, replay_journal
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.events import AdamTurn, EndTurn, FillSpace, TakePieces, parse_event
from coatl_tools.rules.history import CorrectEvent, DoEvent, HistoryEntry, UndoTo
from coatl_tools.rules.solo.adam import plan_adam_turn
from coatl_tools.rules.state import Stage, digest_state
from coatl_tools.rules.table_options import TableOptions
from tests.referee.journal_samples import OPTIONS, begin_journal, read_lines
from tests.rules.random_games import choose_builder, play_random_game


def test_a_replayed_table_is_the_table(table: Journal) -> None:
    reading = replay_journal(table.path)
    assert reading.history.events == table.history.events
    assert digest_state(reading.history.state) == digest_state(table.history.state)
    assert reading.header == table.header
    assert reading.warning is None


def test_lines_are_only_ever_appended(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "t.jsonl")
    before = journal.path.read_bytes()
    for step in (
        DoEvent(parse_event("fill 1 R B")),
        CorrectEvent(1, parse_event("fill 1 B R")),
        UndoTo(0),
    ):
        journal.append(step)
        after = journal.path.read_bytes()
        assert after.startswith(before)
        assert after.count(b"\n") == before.count(b"\n") + 1
        before = after


def test_an_undo_and_a_correction_are_checked_at_once(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "t.jsonl")
    journal.append(*(DoEvent(parse_event(line)) for line in ("fill 1 R B", "fill 2 R B")))
    journal.append(CorrectEvent(1, parse_event("fill 1 B R")))
    journal.append(UndoTo(1))
    checked = ["check" in json.loads(line) for line in read_lines(journal)[1:]]
    assert checked == [False, False, True, True]


def test_the_dealer_of_a_table_always_deals_the_same(tmp_path: Path) -> None:
    one, other = begin_journal(tmp_path / "a.jsonl"), begin_journal(tmp_path / "b.jsonl")
    assert one.append_dealt_events().events == other.append_dealt_events().events
    again = Journal.open(one.path)
    again.append(UndoTo(12))
    assert again.append_dealt_events().events == other.history.events
    assert len(one.history.events) > 20


def test_promo_and_own_cards_travel_with_the_table(tmp_path: Path) -> None:
    own = Path(__file__).parents[2] / "docs" / "example-cards.json"
    cards = load_cards(own).deck(promo=True)
    options = TableOptions(promo=True)
    path = tmp_path / "t.jsonl"
    Journal.create(path, TableHeader(options, cards, None))
    header = json.loads(path.read_bytes().splitlines()[0])
    kept = {card["id"] for file in header["more_cards"] for card in file["cards"]}
    assert {"P50", "T20"} <= kept
    assert "P01" not in kept
    assert set(replay_journal(path).header.cards) == set(cards)


def test_an_illegal_action_writes_nothing(table: Journal) -> None:
    before, events = table.path.read_bytes(), table.history.events
    illegal: list[HistoryEntry] = [
        DoEvent(EndTurn()),
        DoEvent(TakePieces(77)),
        UndoTo(999),
        CorrectEvent(0, EndTurn()),
    ]
    for entry in illegal:
        with pytest.raises(CoatlError) as caught:
            table.append(entry)
        assert isinstance(caught.value, IllegalActionError | HistoryError)
    good = DoEvent(list_legal_actions(table.history.state)[0])
    with pytest.raises(IllegalActionError):
        table.append(good, DoEvent(TakePieces(77)))  # all or none
    assert table.path.read_bytes() == before
    assert table.history.events == events


def test_a_correction_that_breaks_what_came_after_says_where(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "t.jsonl")
    journal.append_dealt_events()
    number = next(n for n, e in enumerate(journal.history.events, 1) if str(e).startswith("supply"))
    later = journal.history.events[number]
    card = str(later).split()[-1]
    assert load_cards()[card].copies == 1
    with pytest.raises(HistoryError, match=f"event {number + 1} ") as caught:
        journal.append(CorrectEvent(number, parse_event(f"supply {card}")))
    assert card in str(caught.value)
    journal.append(DoEvent(list_legal_actions(journal.history.state)[0]))
    with pytest.raises(HistoryError, match="is a decision"):
        journal.append(CorrectEvent(len(journal.history.events), EndTurn()))


def test_a_reveal_is_corrected_into_a_reveal_only(tmp_path: Path) -> None:
    options = TableOptions(hidden_hands=True)
    journal = begin_journal(tmp_path / "t.jsonl", options, seed=None)
    setup = [str(event) for _, event in play_random_game(options, 3)][:27]
    untold = [t.rsplit(" ", 1)[0] + " ?" if t.startswith("deal") else t for t in setup]
    journal.append(*(DoEvent(parse_event(text)) for text in [*untold, "keep ? ? ?", "keep ? ? ?"]))
    texts = map(str, list_legal_actions(journal.history.state))
    hidden = [text.split()[-1] for text in texts if text.startswith("reveal 1 P")]
    journal.append(DoEvent(parse_event(f"reveal 1 {hidden[0]}")))
    number = len(journal.history.events)
    with pytest.raises(HistoryError, match="is a reveal"):
        journal.append(CorrectEvent(number, parse_event("take 1")))
    journal.append(CorrectEvent(number, parse_event(f"reveal 1 {hidden[1]}")))
    assert hidden[1] in journal.history.state.players[0].hand
    assert hidden[0] not in journal.history.state.players[0].hand


def test_what_is_played_is_what_will_be_read_back(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "t.jsonl")
    pieces: Any = ["R", "B"]
    journal.append(DoEvent(FillSpace(1, pieces)))
    pieces.clear()
    assert journal.history.state.spaces[0] == ("R", "B")
    for odd in (
        DoEvent(FillSpace(True, ("R", "B"))),
        UndoTo(True),
        CorrectEvent(True, FillSpace(1, ("R", "R"))),
    ):
        with contextlib.suppress(CoatlError):
            journal.append(odd)
        assert replay_journal(journal.path).history.events == journal.history.events


def test_the_seed_and_names_are_kept(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "t.jsonl", seed=2**128 - 1)
    reading = replay_journal(journal.path)
    assert reading.header.seed == 2**128 - 1
    assert reading.header.options.players == ("Zoë", "Łucja")
    physical = begin_journal(tmp_path / "p.jsonl", seed=None)
    with pytest.raises(JournalError, match="reported"):
        physical.append_dealt_events()


def test_a_whole_game_is_kept_to_its_end(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "t.jsonl")
    journal.append(*(DoEvent(event) for _, event in play_random_game(OPTIONS, 8, choose_builder)))
    assert replay_journal(journal.path).history.state.stage is Stage.OVER
    checks = [json.loads(line).get("check") for line in read_lines(journal)[1:]]
    assert sum(check is not None for check in checks) == journal.history.state.turns_ended


SOLO = TableOptions(players=("Zoë",), levels=(2, 5), solo_temple_in_hand=True)


def solo_table(path: Path, adams_turns: int) -> Journal:
    """A solo table after so many turns of A.D.A.M., its draws reported."""
    journal = begin_journal(path, SOLO, seed=None)
    for _, event in play_random_game(SOLO, 5, choose_builder):
        journal.append(DoEvent(event))
        adams_turns -= isinstance(event, AdamTurn)
        if not adams_turns:
            break
    return journal


def test_a_solo_table_is_kept_like_any_other(tmp_path: Path) -> None:
    journal = solo_table(tmp_path / "t.jsonl", 6)
    reading = replay_journal(journal.path)
    assert reading.header.options == SOLO
    assert reading.history.state == journal.history.state
    assert sum('"adam"' in line for line in read_lines(journal)) == 6


def test_a_corrected_draw_changes_what_adam_did(tmp_path: Path) -> None:
    journal = solo_table(tmp_path / "t.jsonl", 1)
    before = journal.history.state.adam
    taken = plan_adam_turn(journal.history.states[-2]).space
    number, fill = next(
        (n, event)
        for n, event in enumerate(journal.history.events, start=1)
        if isinstance(event, FillSpace) and event.space == taken
    )
    other = next(piece for piece in "RGBYK" if piece != fill.pieces[0])
    after = journal.append(CorrectEvent(number, FillSpace(taken, (other, other)))).state.adam
    assert after != before
    assert replay_journal(journal.path).history.state.adam == after


def test_undo_gives_adam_its_turn_back(tmp_path: Path) -> None:
    journal = solo_table(tmp_path / "t.jsonl", 3)
    number = len(journal.history.events)
    after = journal.history.state
    with pytest.raises(HistoryError, match="follows from what came before"):
        journal.append(CorrectEvent(number, AdamTurn()))
    assert journal.append(UndoTo(number - 1)).state.stage is Stage.ADAMS_TURN
    assert journal.append(DoEvent(AdamTurn())).state == after


def test_a_card_that_adam_cannot_play_is_refused_when_a_table_is_begun(tmp_path: Path) -> None:
    data = {"id": "X9", "kind": "prophecy", "colour": "red", "points": {"1": 4}}
    card = parse_card(data | {"requires": {"length": 9}}, "own")
    cards = (*load_cards().deck(), card)
    with pytest.raises(OptionError, match=r"X9.*rule 7\.3"):
        Journal.create(tmp_path / "t.jsonl", TableHeader(TableOptions(players=("Zoë",)), cards, 1))
    assert list(tmp_path.iterdir()) == []
    Journal.create(tmp_path / "t.jsonl", TableHeader(TableOptions(), cards, 1))
