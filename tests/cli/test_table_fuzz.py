"""Whatever is typed at a table: it happens or is explained, and the file still holds."""

from __future__ import annotations

import random
import tempfile
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.referee import Table, replay_journal
from coatl_tools.referee.commands.vocabulary import (
    ALL_COMMANDS,
    KEYWORDS,
    complete_commands,
    get_command_word,
)
from coatl_tools.rules.state import OVER
from coatl_tools.rules.table_options import TableOptions
from tests.cli.command_runner import TableCommands
from tests.referee.typed_tables import LANGUAGES, begin_table, current_view, random_command
from tests.strategies import example_count

TWO, SOLO = ("North", "Zoë Ł"), ("North",)
# Each kind of table: its options, the dealer's seed if it has one, its bots.
KINDS: dict[str, tuple[TableOptions, int | None, tuple[str, ...]]] = {
    "virtual": (TableOptions(players=TWO, golden_feathers=True), 7, ()),
    "with a bot": (TableOptions(players=TWO, edition="fr"), 8, ("", "random")),
    "real": (TableOptions(players=TWO, hidden_hands=True), None, ()),
    "real and open": (TableOptions(players=TWO, edition="pl", promo=True), None, ()),
    "solo": (TableOptions(players=SOLO, levels=(2, 5)), 9, ()),
    "real solo": (TableOptions(players=SOLO, hidden_hands=True), None, ()),
}
LENGTHS = (0, 3, 14, 40)  # commands that were typed before


@lru_cache
def played(kind: str, length: int) -> tuple[bytes, dict[str, tuple[str, ...]]]:
    """The file of a table after so many commands, and what may be typed then, by language."""
    chance = random.Random(length)
    with tempfile.TemporaryDirectory() as folder:
        table = begin_table(Path(folder) / "t.jsonl", *KINDS[kind])
        for _ in range(length):
            if table.state.stage is not OVER:
                table.do(random_command(table, chance))
        return table.journal.path.read_bytes(), {code: right(table, code) for code in LANGUAGES}


def right(table: Table, language: str) -> tuple[str, ...]:
    if table.state.draws:
        return tuple(random_command(table, random.Random(n), language) for n in range(3))
    return tuple(complete_commands("", current_view(table).legal, language))


ODD = [
    *("R", "<G", "K>", "RG", "<RBBY>", "F", "P05", "P29", "T03", "?", "p05", "red", "tête", "ogon"),
    *("1", "2", "3", "0", "007", "999", "99999", "-1", "٣", "North", "Zoë", "Ł", "tail", "--force"),
    *(";", ";;", ",", "“3”", "\x1b[2J", "\0", "\u202e", "é", "’", "|", "x" * 300),
    *("fill", "deal", "drawn", "supply", "pile"),  # the notation of the journal
]


def words(language: str) -> st.SearchStrategy[str]:
    known = [get_command_word(key, language) for key in (*ALL_COMMANDS, *KEYWORDS)]
    return st.lists(st.sampled_from([*known, *ODD]), max_size=6).map(" ".join)


@st.composite
def almost_right(draw: st.DrawFn, lines: tuple[str, ...]) -> str:
    """A command that is possible, with a slip of the finger or two."""
    text = list(draw(st.sampled_from(lines)))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        slip = draw(st.sampled_from(["", "", "1", "9", "R", " ", "P", ";", "x", "é", "<", ">"]))
        text[place : place + draw(st.integers(0, 2))] = slip
    return "".join(text)


@st.composite
def evenings(draw: st.DrawFn) -> tuple[bytes, str, st.SearchStrategy[str]]:
    """A table's file, a language, and lines that somebody might type there."""
    kind, length = draw(st.sampled_from(list(KINDS))), draw(st.sampled_from(LENGTHS))
    language = draw(st.sampled_from(LANGUAGES))
    data, lines = played(kind, length)
    return data, language, almost_right(lines[language]) | words(language) | st.text(max_size=40)


def whatever_is_done(given_: st.DataObject) -> None:
    data, language, typing = given_.draw(evenings())
    texts = given_.draw(st.lists(typing, min_size=1, max_size=3))
    options = given_.draw(st.lists(st.sampled_from(["--json", "--plain", "--force", "--ascii"])))
    seat = given_.draw(st.sampled_from([[], ["--as", "1"], ["--as", "zoë ł"]]))
    with tempfile.TemporaryDirectory() as folder:
        table = TableCommands(Path(folder))
        table.file("t").write_bytes(data)
        done = table("do", "--lang", language, *options, *seat, "t", "--", *texts)
        after = table.file("t").read_bytes()
        assert after.startswith(data)
        assert (done.code == 0) is (done.err == "")
        if done.code:
            assert after == data  # all or none
            assert done.out == ""
        assert replay_journal(table.file("t")).warning is None
        assert "\x1b" not in done.out + done.err


def whatever_is_played(given_: st.DataObject) -> None:
    data, language, typing = given_.draw(evenings())
    numbers = st.integers(0, 12).map(str)
    lines = given_.draw(st.lists(typing | numbers | numbers | st.just(""), max_size=10))
    options = given_.draw(st.lists(st.sampled_from(["--guided", "--plain", "--ascii"])))
    seat = given_.draw(st.sampled_from([[], [], ["--as", "1"]]))
    typed = "\n".join(lines).encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        table = TableCommands(Path(folder))
        table.file("t").write_bytes(data)
        done = table("play", "--lang", language, *options, *seat, "t", typed=typed)
        assert (done.code, done.err) == (0, "")
        assert "\x1b" not in done.out
        assert table.file("t").read_bytes().startswith(data)
        assert replay_journal(table.file("t")).warning is None


test_whatever_is_done_happens_or_is_explained = settings(max_examples=40)(
    given(st.data())(whatever_is_done)
)
test_whatever_is_played_happens_or_is_explained = settings(max_examples=18)(
    given(st.data())(whatever_is_played)
)
test_very_much_is_done = pytest.mark.soak(
    settings(max_examples=example_count(20_000))(given(st.data())(whatever_is_done))
)
test_very_much_is_played = pytest.mark.soak(
    settings(max_examples=example_count(20_000) // 4)(given(st.data())(whatever_is_played))
)
