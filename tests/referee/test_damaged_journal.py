"""A file that was cut or changed: nothing finished is lost, and nothing wrong is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from coatl_tools.errors import (
    JournalError,
)
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee.journal import Journal, replay_journal
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.events import Event
from coatl_tools.rules.history import DoEvent
from tests.referee.journal_samples import (
    OPTIONS,
    begin_journal,
    play_some_turns,
    read_lines,
    rewrite_journal,
)
from tests.rules.random_games import choose_builder, play_random_game


def test_nothing_is_lost_wherever_the_file_is_cut(tmp_path: Path) -> None:
    cut_everywhere(tmp_path, 12)


@pytest.mark.soak
def test_nothing_is_lost_wherever_a_long_file_is_cut(tmp_path: Path) -> None:
    cut_everywhere(tmp_path, 200)


def test_what_was_appended_together_counts_together(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "whole.jsonl")
    events = [event for _, event in play_random_game(OPTIONS, 3, choose_builder)]
    journal.append(*map(DoEvent, events[:4]))
    before = len(journal.path.read_bytes())
    journal.append(*map(DoEvent, events[4:9]))
    data = journal.path.read_bytes()
    path = tmp_path / "cut.jsonl"
    for cut in range(before, len(data) - 1):
        path.write_bytes(data[:cut])
        reading = replay_journal(path)
        assert len(reading.history.events) == 4
        assert reading.torn_tail == data[before:cut]
    path.write_bytes(data[:-1])
    assert len(replay_journal(path).history.events) == 9
    path.write_bytes(data[: before + 60])
    opened = Journal.open(path)
    assert opened.warning
    assert path.read_bytes() == data[:before]
    opened.append(*map(DoEvent, events[4:9]))
    assert path.read_bytes() == data


def cut_everywhere(tmp_path: Path, events: int) -> None:
    """Cut at every byte: what was finished is there, the torn rest is set aside, play goes on."""
    journal = play_some_turns(tmp_path / "whole.jsonl", events)
    data = journal.path.read_bytes()
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    counts = [len(replay_of(tmp_path, data[: end + 1])) for end in ends]
    path = tmp_path / "cut.jsonl"
    for cut in range(ends[0], len(data)):
        path.write_bytes(data[:cut])
        finished = sum(end <= cut for end in ends)  # a line lacks nothing but its newline
        reading = replay_journal(path)
        assert len(reading.history.events) == counts[finished - 1]
        torn = cut not in ends and cut - 1 not in ends
        assert bool(reading.warning) == bool(reading.torn_tail) == torn
        if cut % 11 == 0:
            goes_on(path, data[:cut], reading.torn_tail)


def replay_of(folder: Path, data: bytes) -> tuple[Event, ...]:
    path = folder / "part.jsonl"
    path.write_bytes(data)
    return replay_journal(path).history.events


def goes_on(path: Path, data: bytes, torn: bytes) -> None:
    aside = path.with_name("cut.jsonl.torn")
    aside.unlink(missing_ok=True)
    journal = Journal.open(path)
    assert bool(journal.warning) == bool(torn)
    assert aside.exists() == bool(torn)
    if torn:
        assert aside.read_bytes() == torn + b"\n"
        for code in LANGUAGE_CODES:
            assert "cut.jsonl.torn" in str(journal.warning and journal.warning.text(code))
    journal.append(DoEvent(list_legal_actions(journal.history.state)[0]))
    assert replay_journal(path).history.events == journal.history.events
    assert path.read_bytes().startswith(data[: len(data) - len(torn)])


def test_a_file_cut_in_its_header_is_no_table(table: Journal) -> None:
    data = table.path.read_bytes()
    header = data.index(b"\n")
    for cut in range(0, header - 1, 7):
        table.path.write_bytes(data[:cut])
        with pytest.raises(JournalError, match=r"evening\.jsonl"):
            replay_journal(table.path)


def test_a_line_changed_by_hand_is_noticed(table: Journal) -> None:
    place = next(n for n, line in enumerate(read_lines(table)) if '"fill 5' in line)
    pieces = json.loads(read_lines(table)[place])["do"].split()[2:]

    def change(text: list[str]) -> None:
        other = "R" if pieces[0] != "R" else "G"
        text[place] = text[place].replace(f"fill 5 {pieces[0]}", f"fill 5 {other}")

    with pytest.raises(JournalError, match="changed by hand"):
        replay_journal(rewrite_journal(table, change))


def test_a_turn_that_ends_without_a_fingerprint_is_refused(table: Journal) -> None:
    events = (n for n, line in enumerate(read_lines(table)) if '"do"' in line and '"check"' in line)
    place = next(events)

    def remove_fingerprint(text: list[str]) -> None:
        fields = json.loads(text[place])
        del fields["check"]
        text[place] = json.dumps(fields)

    with pytest.raises(JournalError, match="changed by hand"):
        replay_journal(rewrite_journal(table, remove_fingerprint))


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
            "“n” appears twice",
        ),
        (lambda text: text.__setitem__(0, text[0].replace('"seed": 7', '"seed": 8')), "by hand"),
        (lambda text: text.__setitem__(0, "[1]"), "not a JSON object"),
        (lambda text: text.__setitem__(0, "{}"), "coatl-table"),
        (lambda text: text.__setitem__(0, '{"coatl-table": 1}'), "options"),
        (lambda text: text.__setitem__(0, text[0].replace("Zoë", "")), "cannot be the name"),
        (lambda text: text.__setitem__(0, text[0].replace("closed_ends", "closed")), "closed"),
        (lambda text: text.__setitem__(0, text[0].replace('"en"', '"de"')), "edition"),
        (lambda text: text.__setitem__(0, text[0].replace('"tokens": true', '"tokens": 1')), "tok"),
    ],
)
def test_a_damaged_file_is_refused_with_what_and_where(
    table: Journal, change: Callable[[list[str]], None], said: str
) -> None:
    path = rewrite_journal(table, change)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=said) as caught:
        replay_journal(path)
    for code in LANGUAGE_CODES:
        text = caught.value.text(code)
        assert "evening.jsonl" in text
        assert text.replace("\n", "").isprintable()
        assert len(text) < 700
    with pytest.raises(JournalError):
        Journal.open(path)
    assert path.read_bytes() == before, "a damaged file is left as it is"


@pytest.mark.parametrize("version", ["2", "0", '"1"', "true", "null", "1.5", '{"a": 1}'])
def test_a_version_that_is_not_known_is_refused(table: Journal, version: str) -> None:
    path = rewrite_journal(
        table,
        lambda text: text.__setitem__(
            0, text[0].replace('"coatl-table": 1', f'"coatl-table": {version}')
        ),
    )
    with pytest.raises(JournalError, match="format"):
        replay_journal(path)


def test_other_base_cards_are_refused(table: Journal) -> None:
    key = json.loads(read_lines(table)[0])["base_cards"]
    path = rewrite_journal(
        table, lambda text: text.__setitem__(0, text[0].replace(key, "0123456789abcdef"))
    )
    with pytest.raises(JournalError, match="other base cards"):
        replay_journal(path)


def test_another_box_is_refused(table: Journal) -> None:
    header = json.loads(read_lines(table)[0])
    for field, number in header["box"].items():
        other = json.dumps(header | {"box": header["box"] | {field: number + 2}})
        path = rewrite_journal(table, partial(replace_header, other))
        with pytest.raises(JournalError, match="another box") as caught:
            replay_journal(path)
        assert f"“{field}” was {number + 2} there, and is {number}" in str(caught.value)


def replace_header(header: str, lines: list[str]) -> None:
    lines[0] = header


def test_a_box_is_told_before_the_options_that_it_makes_impossible(table: Journal) -> None:
    header = json.loads(read_lines(table)[0])
    header["box"]["supply_board.head_spaces"] += 1
    header["options"]["space_kinds"] += "h"
    path = rewrite_journal(table, lambda text: text.__setitem__(0, json.dumps(header)))
    with pytest.raises(JournalError, match=r"supply_board\.head_spaces"):
        replay_journal(path)
