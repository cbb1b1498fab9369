"""The record of a game: readable, read back to the same table, and never a crash."""

from __future__ import annotations

import contextlib
import json
import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.cards.card import Card
from coatl_tools.errors import OptionError, RecordError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee.game_record import (
    MAX_RECORD_LENGTH,
    MAX_RECORD_LINES,
    format_record,
    parse_record,
)
from coatl_tools.referee.journal import Journal, JournalContents, TableHeader, replay_journal
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import Event
from coatl_tools.rules.history import DoEvent, History, build_history
from coatl_tools.rules.setup import deal_draw, new_game
from coatl_tools.rules.state import Stage
from coatl_tools.rules.table_options import TableOptions
from tests.rules.random_games import (
    MOST_EVENTS,
    choose_anything,
    choose_builder,
    solo_tables,
    tables,
)
from tests.test_docs import ROOT

SEEDS = st.integers(0, 2**32)
ODD = st.text(alphabet="{}[]()\"\\#:;.,<>| 1N'`“»łé漢", min_size=1, max_size=30)


def reading(header: TableHeader, history: History) -> JournalContents:
    return JournalContents(header, history, 0, b"", True, ())


def a_game(
    options: TableOptions, seed: int, most: int = MOST_EVENTS, cards: tuple[Card, ...] = ()
) -> JournalContents:
    """A game, or its beginning."""
    header = TableHeader(
        options, cards or load_cards().deck(options.promo), None if options.hidden_hands else seed
    )
    rng, state = random.Random(seed), new_game(header.options, header.cards)
    choice = choose_anything if options.hidden_hands else choose_builder
    happened: list[Event] = []
    while state.stage is not Stage.OVER and len(happened) < most:
        event = (
            deal_draw(state, seed) if state.draws else choice(rng, state, list_legal_actions(state))
        )
        happened.append(event)
        state = apply_event(state, event)
    return reading(
        header, build_history(new_game(header.options, header.cards), map(DoEvent, happened))
    )


GAME = a_game(TableOptions(players=("Zoë", "Łucja"), golden_feathers=True), 3)
TEXT = format_record("evening", GAME, "en")


@settings(max_examples=10)
@example(
    options=TableOptions(),
    names=[""] * 4,
    table="a_table_whose_name_has_no_room_in_its_line",
    seed=0,
    most=0,
    language="en",
    width=40,
)
@given(
    options=tables() | solo_tables() | tables(hidden=True) | solo_tables(hidden=True),
    names=st.lists(ODD, min_size=4, max_size=4),
    table=st.text(max_size=20),
    seed=SEEDS,
    most=st.integers(0, 400),
    language=st.sampled_from(LANGUAGE_CODES),
    width=st.integers(40, 200),
)
def test_a_record_is_read_back_to_the_same_table(
    options: TableOptions,
    names: list[str],
    table: str,
    seed: int,
    most: int,
    language: str,
    width: int,
) -> None:
    names = [re.sub(r"\s+", " ", name).strip() for name in names]
    with contextlib.suppress(OptionError):  # two are alike, or one is empty: plain ones will do
        options = replace(options, players=tuple(names[: len(options.players)]))
    game = a_game(options, seed, most)
    text = format_record(table, game, language)
    for posted in (text, as_mail(text, width)):
        name, header, happened = parse_record(posted)
        assert name == table or posted is not text  # its spaces may be gone
        assert set(header.cards) == set(game.header.cards)
        assert (header.options, header.seed) == (game.header.options, game.header.seed)
        assert tuple(happened) == game.history.events


def as_mail(text: str, width: int) -> str:
    """Every line broken anew at spaces and quoted, with text before and after, and CRLF."""
    lines = [
        broken
        for line in text.splitlines()
        for broken in textwrap.wrap(
            line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=False
        )
        or [""]
    ]
    quoted = [f"> {line.removesuffix(' ')}" for line in lines]
    return "\r\n".join(["Look at this [game]:", "", *quoted, "", "What would you have done?"])


@pytest.mark.parametrize(
    "posted",
    [
        f"```\n{TEXT}```\nthat was it",
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        textwrap.indent(TEXT, "> "),
        textwrap.indent(TEXT, ">> ", lambda line: True),
        textwrap.indent(TEXT, "    "),
        TEXT.replace("; ", ";\n\n"),
        TEXT.rstrip(),
        re.sub(r"\{[^{}\"][^{}\"]*\}", "", TEXT),
        re.sub(r"\[(?!Table).*\]\n", "", TEXT),
        re.sub(r"(?m)^(\{\"coatl-table\".{60})", r"\1\n", TEXT),
    ],
    ids=[
        "fence",
        "crlf",
        "cr",
        "quote",
        "double-quote",
        "indent",
        "blank-lines",
        "no-newline",
        "no-remarks",
        "no-tags",
        "broken-anywhere",
    ],
)
def test_what_a_forum_makes_of_a_record_is_read(posted: str) -> None:
    assert posted != TEXT
    assert parse_record(posted) == ("evening", GAME.header, list(GAME.history.events))


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_golden_record(language: str, golden: Callable[[str, str], None]) -> None:
    golden(f"record.{language}.txt", format_record("evening", GAME, language))
    solo = a_game(TableOptions(players=("Ana",), levels=(1, 3), edition="pl"), 5)
    golden(f"record.solo.{language}.txt", format_record("alone", solo, language))


def test_a_record_tells_who_played_how_and_how_it_ended() -> None:
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', TEXT, re.MULTILINE))
    assert tags["Table"] == "evening"
    assert tags["Players"] == "Zoë, Łucja"
    assert tags["golden_feathers"] == "true"
    assert "edition" not in tags  # it is the usual one
    assert re.fullmatch(r"Zoë \d+, Łucja \d+", tags["Result"])
    unfinished = format_record("evening", a_game(GAME.header.options, 3, most=60), "en")
    assert "[Result" not in unfinished
    assert "The game is not over." in unfinished


def test_the_cards_that_are_not_of_the_base_game_travel_along() -> None:
    cards = load_cards(ROOT / "docs" / "example-cards.json").deck(promo=True)
    game = a_game(TableOptions(promo=True), 4, cards=cards)
    _, header, happened = parse_record(format_record("jungle", game, "fr"))
    assert set(header.cards) == set(cards)
    assert tuple(happened) == game.history.events


def test_what_was_undone_or_corrected_is_worked_in(table: Journal, tmp_path: Path) -> None:
    told = replay_journal(table.path)
    _, header, happened = parse_record(format_record("x", told, "pl"))
    again = Journal.create(tmp_path / "again.jsonl", header)
    assert again.append(*map(DoEvent, happened)).state == told.history.state


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_an_event_that_cannot_be_is_refused_with_its_line_and_the_rule() -> None:
    first = re.search(r"take (\d+)", TEXT)
    assert first
    changed = TEXT.replace(first[0], "take 11", 1)
    with pytest.raises(RecordError) as refused:
        parse_record(changed)
    assert refused.value.details["line"] == line_of(changed, "take 11")
    for language in LANGUAGE_CODES:
        text = refused.value.text(language)
        assert "take 11" in text
        assert "1.4" in text  # the rule
        assert str(refused.value.details["line"]) in text


def test_what_is_no_event_is_refused_with_its_line() -> None:
    changed = TEXT.replace("2. Łucja: ", "2. Lucja: ", 1)
    with pytest.raises(RecordError, match=r"Line \d+ of the record: “Lucja:") as refused:
        parse_record(changed)
    assert refused.value.details["line"] == line_of(changed, "2. Lucja")


HEADER = TEXT.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"no line begins with \[Table"),
        ("[Table x]", r"no line begins with \[Table"),
        ('[Table "x"]\n1. A: take 3', "last line"),
        ('[Table "\\q"]\n' + HEADER, "name of the table"),
        (TEXT.replace("{Setup}", "{Setup"), "no end"),
        (TEXT.replace('"seed": 3', '"seed": 4'), "changed by hand"),
        (TEXT.replace('"seed": 3', '"seed": -4'), "line"),
        (TEXT.replace('{"coatl-table": 1', '{"coatl-table": 2'), "format 2"),
        (TEXT.replace(HEADER, HEADER[:200]), "not JSON"),
        (TEXT.replace(HEADER, '{"coatl-table": ' + "[" * 100_000), "nested too deeply|not JSON"),
        (TEXT.replace(HEADER, '{"coatl-table": ' + "9" * 10_000 + "}"), "not JSON|format"),
        ("x" * (MAX_RECORD_LENGTH + 1), "too long"),
        ("\n" * (MAX_RECORD_LINES + 1), "too long"),
        ('[Table "x"]\n' + "{" * 1_000_000 + "\n" + HEADER, "no end"),
        ('[Table "x"]\n' + "1. Zoë " * 200_000 + "\n" + HEADER, "Line 2"),
        ('[Table "x"]\n' + "1" * 1_000_000 + "\n" + HEADER, "Line 2"),
        ('[Table "x"]\n' + "end;" * 500_000 + "\n" + HEADER, "draw"),
        ('[Table "x"]\n' + "\x1b[31mtake\x07 3\n" + HEADER, "Line 2"),
    ],
    ids=range(18),
)
def test_what_is_no_record_is_refused(text: str, said: str) -> None:
    with pytest.raises(RecordError, match=said) as refused:
        parse_record(text)
    for language in LANGUAGE_CODES:
        assert refused.value.text(language).isprintable()


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_record_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(TEXT)))
    gone = data.draw(st.integers(0, 40))
    text = TEXT[:place] + data.draw(st.text(max_size=10)) + TEXT[place + gone :]
    with contextlib.suppress(RecordError):
        _, header, happened = parse_record(text)
        build_history(new_game(header.options, header.cards), map(DoEvent, happened))


def test_the_last_line_is_the_header_of_the_tables_file(table: Journal) -> None:
    text = format_record("x", replay_journal(table.path), "en")
    first = table.path.read_text("utf-8").splitlines()[0]
    assert text.splitlines()[-1] == first
    assert json.loads(first)["coatl-table"] == 1
