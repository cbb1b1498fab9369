"""A table's file: nothing that was finished is lost, and nothing wrong is believed."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import (
    CoatlError,
    EventError,
    FileError,
    HistoryError,
    IllegalActionError,
    JournalError,
    OptionError,
)
from coatl_tools.referee import journal as journal_module
from coatl_tools.referee.journal import Journal, replay
from coatl_tools.referee.lines import Header
from coatl_tools.resources import CODES
from coatl_tools.rules.engine import legal_actions
from coatl_tools.rules.event_text import read
from coatl_tools.rules.events import EndTurn, Event, Fill, TakePieces
from coatl_tools.rules.fingerprint import digest
from coatl_tools.rules.history import Back, Correct, Do, Entry
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import Stage
from tests.rules.games import builder, played

OPTIONS = TableOptions(players=("Zoë", "Łucja"), golden_feathers=True)


def begun(path: Path, options: TableOptions = OPTIONS, seed: int | None = 7) -> Journal:
    return Journal.create(path, Header(options, load_cards().deck(options.promo), seed))


def some_turns(path: Path, events: int = 60) -> Journal:
    """A table with a real beginning, an undo and a correction."""
    journal = begun(path)
    for _, event in list(played(OPTIONS, 3, builder))[:events]:
        journal.append(Do(event))
    journal.append(Back(len(journal.history.events) - 2))
    first = journal.history.events[0]
    assert isinstance(first, Fill)
    journal.append(Correct(1, Fill(1, first.pieces[::-1])))
    return journal


@pytest.fixture
def table(tmp_path: Path) -> Journal:
    return some_turns(tmp_path / "evening.jsonl")


def lines(journal: Journal) -> list[str]:
    return journal.path.read_text("utf-8").splitlines()


def rewritten(journal: Journal, change: Callable[[list[str]], None]) -> Path:
    """The file as somebody's editor left it."""
    text = lines(journal)
    change(text)
    journal.path.write_text("\n".join(text) + "\n", "utf-8")
    return journal.path


def test_a_replayed_table_is_the_table(table: Journal) -> None:
    reading = replay(table.path)
    assert reading.history.events == table.history.events
    assert digest(reading.history.state) == digest(table.history.state)
    assert reading.header == table.header
    assert reading.warning is None


def test_lines_are_only_ever_appended(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl")
    before = journal.path.read_bytes()
    for step in (Do(read("fill 1 R B")), Correct(1, read("fill 1 B R")), Back(0)):
        journal.append(step)
        after = journal.path.read_bytes()
        assert after.startswith(before)
        assert after.count(b"\n") == before.count(b"\n") + 1
        before = after


def test_the_dealer_of_a_table_always_deals_the_same(tmp_path: Path) -> None:
    one, other = begun(tmp_path / "a.jsonl"), begun(tmp_path / "b.jsonl")
    assert one.deal().events == other.deal().events
    again = Journal.open(one.path)
    again.append(Back(12))
    assert again.deal().events == other.history.events
    assert len(one.history.events) > 20


def test_promo_and_own_cards_travel_with_the_table(tmp_path: Path) -> None:
    own = Path(__file__).parents[2] / "docs" / "example-cards.json"
    cards = load_cards(own).deck(promo=True)
    options = TableOptions(promo=True)
    path = tmp_path / "t.jsonl"
    Journal.create(path, Header(options, cards, None))
    header = json.loads(path.read_bytes().splitlines()[0])
    kept = {card["id"] for file in header["more_cards"] for card in file["cards"]}
    assert {"P50", "T20"} <= kept
    assert "P01" not in kept
    assert set(replay(path).header.cards) == set(cards)


def test_nothing_is_lost_wherever_the_file_is_cut(tmp_path: Path) -> None:
    cut_everywhere(tmp_path, 30)


@pytest.mark.soak
def test_nothing_is_lost_wherever_a_long_file_is_cut(tmp_path: Path) -> None:
    cut_everywhere(tmp_path, 200)


def test_what_was_appended_together_counts_together(tmp_path: Path) -> None:
    journal = begun(tmp_path / "whole.jsonl")
    events = [event for _, event in played(OPTIONS, 3, builder)]
    journal.append(*map(Do, events[:4]))
    before = len(journal.path.read_bytes())
    journal.append(*map(Do, events[4:9]))
    data = journal.path.read_bytes()
    path = tmp_path / "cut.jsonl"
    for cut in range(before, len(data) - 1):
        path.write_bytes(data[:cut])
        reading = replay(path)
        assert len(reading.history.events) == 4
        assert reading.torn == data[before:cut]
    path.write_bytes(data[:-1])
    assert len(replay(path).history.events) == 9
    path.write_bytes(data[: before + 60])
    opened = Journal.open(path)
    assert opened.warning
    assert path.read_bytes() == data[:before]
    opened.append(*map(Do, events[4:9]))
    assert path.read_bytes() == data


def cut_everywhere(tmp_path: Path, events: int) -> None:
    """Cut at every byte: what was finished is there, the torn rest is set aside, play goes on."""
    journal = some_turns(tmp_path / "whole.jsonl", events)
    data = journal.path.read_bytes()
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    counts = [len(replay_of(tmp_path, data[: end + 1])) for end in ends]
    path = tmp_path / "cut.jsonl"
    for cut in range(ends[0], len(data)):
        path.write_bytes(data[:cut])
        finished = sum(end <= cut for end in ends)  # a line lacks nothing but its newline
        reading = replay(path)
        assert len(reading.history.events) == counts[finished - 1]
        torn = cut not in ends and cut - 1 not in ends
        assert bool(reading.warning) == bool(reading.torn) == torn
        if cut % 11 == 0:
            goes_on(path, data[:cut], reading.torn)


def replay_of(folder: Path, data: bytes) -> tuple[Event, ...]:
    path = folder / "part.jsonl"
    path.write_bytes(data)
    return replay(path).history.events


def goes_on(path: Path, data: bytes, torn: bytes) -> None:
    aside = path.with_name("cut.jsonl.torn")
    aside.unlink(missing_ok=True)
    journal = Journal.open(path)
    assert bool(journal.warning) == bool(torn)
    assert aside.exists() == bool(torn)
    if torn:
        assert aside.read_bytes() == torn + b"\n"
        for code in CODES:
            assert "cut.jsonl.torn" in str(journal.warning and journal.warning.text(code))
    journal.append(Do(legal_actions(journal.history.state)[0]))
    assert replay(path).history.events == journal.history.events
    assert path.read_bytes().startswith(data[: len(data) - len(torn)])


def test_a_file_cut_in_its_header_is_no_table(table: Journal) -> None:
    data = table.path.read_bytes()
    header = data.index(b"\n")
    for cut in range(0, header - 1, 7):
        table.path.write_bytes(data[:cut])
        with pytest.raises(JournalError, match=r"evening\.jsonl"):
            replay(table.path)


def test_a_line_changed_by_hand_is_noticed(table: Journal) -> None:
    place = next(n for n, line in enumerate(lines(table)) if '"fill 5' in line)
    pieces = json.loads(lines(table)[place])["do"].split()[2:]

    def change(text: list[str]) -> None:
        other = "R" if pieces[0] != "R" else "G"
        text[place] = text[place].replace(f"fill 5 {pieces[0]}", f"fill 5 {other}")

    with pytest.raises(JournalError, match="changed by hand"):
        replay(rewritten(table, change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.pop(9), "line is missing or was moved"),
        (lambda text: text.insert(9, text[9]), "line is missing or was moved"),
        (lambda text: text.__setitem__(9, "{}"), "line 10"),
        (lambda text: text.__setitem__(9, '{"n": 9}'), "“do”, “back” or “correct”"),
        (lambda text: text.__setitem__(9, '{"n": 9, "do": "take 3", "back": 1}'), "“back”"),
        (lambda text: text.__setitem__(9, '{"n": 9, "do": "take 3"}'), "Rule 2.1"),
        (lambda text: text.__setitem__(9, '{"n": 9, "do": "dance"}'), "dance"),
        (lambda text: text.__setitem__(9, '{"n": 9, "do": 3}'), "do"),
        (lambda text: text.__setitem__(9, '{"n": 9, "jump": 3}'), "jump"),
        (lambda text: text.__setitem__(9, '{"n": 9, "back": 99999}'), "99999"),
        (lambda text: text.__setitem__(9, "[" * 100_000), "line 10"),
        (lambda text: text.__setitem__(9, '{"n": ' + "9" * 5000 + "}"), "line 10"),
        (lambda text: text.__setitem__(9, "\x00\x01"), "line 10"),
        (lambda text: text.__setitem__(9, "x" * 3_000_000), "longer than"),
        (
            lambda text: text.__setitem__(9, text[9].replace("{", '{"n": 9, ')),
            "“n” stands there twice",
        ),
        (lambda text: text.__setitem__(0, text[0].replace('"seed": 7', '"seed": 8')), "by hand"),
        (lambda text: text.__setitem__(0, "[1]"), "not a JSON object"),
        (lambda text: text.__setitem__(0, "{}"), "coatl-table"),
        (lambda text: text.__setitem__(0, '{"coatl-table": 1}'), "options"),
        (lambda text: text.__setitem__(0, text[0].replace("Zoë", "")), "no name"),
        (lambda text: text.__setitem__(0, text[0].replace("closed_ends", "closed")), "closed"),
        (lambda text: text.__setitem__(0, text[0].replace('"en"', '"de"')), "edition"),
        (lambda text: text.__setitem__(0, text[0].replace('"tokens": true', '"tokens": 1')), "tok"),
    ],
)
def test_a_damaged_file_is_refused_with_what_and_where(
    table: Journal, change: Callable[[list[str]], None], said: str
) -> None:
    path = rewritten(table, change)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=said) as caught:
        replay(path)
    for code in CODES:
        text = caught.value.text(code)
        assert "evening.jsonl" in text
        assert text.replace("\n", "").isprintable()
        assert len(text) < 700
    with pytest.raises(JournalError):
        Journal.open(path)
    assert path.read_bytes() == before, "a damaged file is left as it is"


@pytest.mark.parametrize("version", ["2", "0", '"1"', "true", "null", "1.5", '{"a": 1}'])
def test_a_version_that_is_not_known_is_refused(table: Journal, version: str) -> None:
    path = rewritten(
        table,
        lambda text: text.__setitem__(
            0, text[0].replace('"coatl-table": 1', f'"coatl-table": {version}')
        ),
    )
    with pytest.raises(JournalError, match="format"):
        replay(path)


def test_other_base_cards_are_refused(table: Journal) -> None:
    key = json.loads(lines(table)[0])["base_cards"]
    path = rewritten(
        table, lambda text: text.__setitem__(0, text[0].replace(key, "0123456789abcdef"))
    )
    with pytest.raises(JournalError, match="other base cards"):
        replay(path)


def test_an_illegal_action_writes_nothing(table: Journal) -> None:
    before, events = table.path.read_bytes(), table.history.events
    illegal: list[Entry] = [Do(EndTurn()), Do(TakePieces(77)), Back(999), Correct(0, EndTurn())]
    for entry in illegal:
        with pytest.raises(CoatlError) as caught:
            table.append(entry)
        assert isinstance(caught.value, IllegalActionError | HistoryError)
    good = Do(legal_actions(table.history.state)[0])
    with pytest.raises(IllegalActionError):
        table.append(good, Do(TakePieces(77)))  # all or none
    assert table.path.read_bytes() == before
    assert table.history.events == events


def test_a_correction_that_breaks_what_came_after_says_where(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl")
    journal.deal()
    number = next(n for n, e in enumerate(journal.history.events, 1) if str(e).startswith("supply"))
    later = journal.history.events[number]
    card = str(later).split()[-1]
    assert load_cards()[card].copies == 1
    with pytest.raises(HistoryError, match=f"event {number + 1} ") as caught:
        journal.append(Correct(number, read(f"supply {card}")))
    assert card in str(caught.value)
    journal.append(Do(legal_actions(journal.history.state)[0]))
    with pytest.raises(HistoryError, match="is a decision"):
        journal.append(Correct(len(journal.history.events), EndTurn()))


def test_a_reveal_is_corrected_into_a_reveal_only(tmp_path: Path) -> None:
    options = TableOptions(hidden_hands=True)
    journal = begun(tmp_path / "t.jsonl", options, seed=None)
    setup = [str(event) for _, event in played(options, 3)][:27]
    untold = [t.rsplit(" ", 1)[0] + " ?" if t.startswith("deal") else t for t in setup]
    journal.append(*(Do(read(text)) for text in [*untold, "keep ? ? ?", "keep ? ? ?"]))
    texts = map(str, legal_actions(journal.history.state))
    hidden = [text.split()[-1] for text in texts if text.startswith("reveal 1 P")]
    journal.append(Do(read(f"reveal 1 {hidden[0]}")))
    number = len(journal.history.events)
    with pytest.raises(HistoryError, match="is a reveal"):
        journal.append(Correct(number, read("take 1")))
    journal.append(Correct(number, read(f"reveal 1 {hidden[1]}")))
    assert hidden[1] in journal.history.state.players[0].hand
    assert hidden[0] not in journal.history.state.players[0].hand


def test_two_who_write_at_once_do_not_mix(table: Journal) -> None:
    other = Journal.open(table.path)
    move = Do(legal_actions(table.history.state)[0])
    table.append(move)
    before = table.path.read_bytes()
    with pytest.raises(JournalError, match="somebody else"):
        other.append(move)
    assert table.path.read_bytes() == before
    Journal.open(table.path).append(Do(legal_actions(table.history.state)[0]))


def test_a_table_is_never_written_over(table: Journal) -> None:
    before = table.path.read_bytes()
    with pytest.raises(FileError, match="already"):
        begun(table.path)
    assert table.path.read_bytes() == before
    assert sorted(path.name for path in table.path.parent.iterdir()) == ["evening.jsonl"]


def test_files_that_cannot_be_used_say_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no file"):
        Journal.open(tmp_path / "none.jsonl")
    with pytest.raises(FileError, match="folder"):
        Journal.open(tmp_path)
    with pytest.raises(FileError, match="no folder"):
        begun(tmp_path / "nowhere" / "t.jsonl")
    with pytest.raises(FileError):
        begun(tmp_path / ("x" * 300 + ".jsonl"))
    with pytest.raises(FileError, match="cannot be read"):
        replay(tmp_path / "nul\0.jsonl")
    big = tmp_path / "big.jsonl"
    with big.open("wb") as file:
        file.truncate(journal_module.MAX_FILE + 2)
    with pytest.raises(JournalError, match="larger"):
        replay(big)


def test_a_full_disk_leaves_the_table_whole(
    table: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    move = Do(legal_actions(table.history.state)[0])
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(FileError, match="No space left"):
            table.append(move)
    assert table.path.read_bytes() == before
    table.append(move)
    assert replay(table.path).history.events == table.history.events


def test_what_is_played_is_what_will_be_read_back(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl")
    pieces: Any = ["R", "B"]
    journal.append(Do(Fill(1, pieces)))
    pieces.clear()
    assert journal.history.state.spaces[0] == ("R", "B")
    for odd in (Do(Fill(True, ("R", "B"))), Back(True), Correct(True, Fill(1, ("R", "R")))):
        with contextlib.suppress(CoatlError):
            journal.append(odd)
        assert replay(journal.path).history.events == journal.history.events


def test_a_table_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    for seed in (-1, 2**64, True, 1.5, "7"):
        with pytest.raises(OptionError, match="seed"):
            begun(path, seed=cast(int, seed))
    with pytest.raises(JournalError, match="all cards of the base game"):
        Journal.create(path, Header(OPTIONS, tuple(load_cards())[20:], None))
    odd = replace(load_cards()["P01"], id="a b")
    with pytest.raises(JournalError, match="id"):
        Journal.create(path, Header(OPTIONS, (*load_cards(), odd), None))
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_exchanged_is_noticed(tmp_path: Path) -> None:
    one, other = begun(tmp_path / "a.jsonl", seed=7), begun(tmp_path / "b.jsonl", seed=8)
    before = one.path.read_bytes()
    one.path.write_bytes(other.path.read_bytes())  # of the same size
    with pytest.raises(JournalError, match="somebody else"):
        one.append(Do(read("fill 1 R B")))
    assert len(one.path.read_bytes()) == len(before)


def test_a_file_does_not_grow_beyond_what_can_be_read(
    table: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.path.read_bytes()
    monkeypatch.setattr(journal_module, "MAX_FILE", len(before) + 10)
    with pytest.raises(JournalError, match="larger"):
        table.append(Do(legal_actions(table.history.state)[0]))
    assert table.path.read_bytes() == before


def test_a_disk_that_takes_only_half_a_line_leaves_the_table_whole(table: Journal) -> None:
    before = table.path.read_bytes()
    move = Do(legal_actions(table.history.state)[0])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, limits[1]))
    try:
        with pytest.raises(FileError, match="too large"):
            table.append(move)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert table.path.read_bytes() == before
    table.append(move)
    assert Journal.open(table.path).history.events == table.history.events


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_says_so(table: Journal) -> None:
    table.path.chmod(stat.S_IRUSR)
    with pytest.raises(FileError, match=r"evening\.jsonl"):
        table.append(Do(legal_actions(table.history.state)[0]))


def test_the_seed_and_names_are_kept(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl", seed=2**64 - 1)
    reading = replay(journal.path)
    assert reading.header.seed == 2**64 - 1
    assert reading.header.options.players == ("Zoë", "Łucja")
    physical = begun(tmp_path / "p.jsonl", seed=None)
    with pytest.raises(JournalError, match="reported"):
        physical.deal()


def test_a_whole_game_is_kept_to_its_end(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl")
    journal.append(*(Do(event) for _, event in played(OPTIONS, 8, builder)))
    assert replay(journal.path).history.state.stage is Stage.OVER
    checks = [json.loads(line).get("check") for line in lines(journal)[1:]]
    assert sum(check is not None for check in checks) == journal.history.state.turns


@pytest.mark.parametrize(
    "text",
    ["", " ", "take", "take 3 4", "take x", "take ١", "take 1234567", "add B 1 tail", "begin Q",
     "fill 1 R x", "temple T1 on 1 from pile", "temple T1 on 1 from pile 0", "take 0003",
     "deal x P01", "take 3\x00", "x" * 9999],
)  # fmt: skip
def test_an_event_that_cannot_be_read_says_how_it_is_written(text: str) -> None:
    with pytest.raises(EventError) as caught:
        read(text)
    for code in CODES:
        assert caught.value.text(code).isprintable()
        assert len(caught.value.text(code)) < 500
