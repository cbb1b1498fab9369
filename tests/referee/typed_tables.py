"""Tables that are played by typing: of every kind, by people who do what is possible."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.journal import Journal, TableHeader
from coatl_tools.referee.table import Table
from coatl_tools.rules.events import Event, Reveal
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import OVER
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View
from tests.rules.random_games import choose_builder, solo_tables, tables

VIRTUAL = TableOptions(players=("North", "South"))
REAL = TableOptions(players=("North", "South"), hidden_hands=True)
LANGUAGES = LANGUAGE_CODES
SEEDS = st.integers(0, 10**6)
# What real people report of a whole setup, from the first space to the last card of the supply.
SETUP = "RG BB YK RG BB YK R G B Y T01 T02 P01 P02 P03 P04 P05 P06"

virtual_tables = tables() | solo_tables()
# With hands that the referee is told of too: the table decides.
real_tables = tables(hidden=True) | solo_tables(hidden=True) | tables(hidden=False) | solo_tables()


def begin_table(
    path: Path,
    options: TableOptions = VIRTUAL,
    seed: int | None = 7,
    bots: tuple[str, ...] = (),
) -> Table:
    """A table whose first draws are made, as far as that needs nobody."""
    cards = load_cards().deck(options.promo)
    table = Table(Journal.create(path, TableHeader(options, cards, seed, bots)))
    table.advance_automatically()
    return table


def make_virtual_table(folder: Path, *commands: str) -> Table:
    """A virtual table of two after these commands."""
    table = begin_table(folder / "evening.jsonl")
    if commands:
        table.do(*commands)
    return table


def make_real_table(folder: Path, *commands: str) -> Table:
    """A real table with hidden hands, its setup reported, after these commands."""
    table = begin_table(folder / "evening.jsonl", REAL, seed=None)
    table.do(SETUP, *commands)
    return table


def list_events(table: Table) -> list[str]:
    return [str(event) for event in table.history.events]


def seat_to_look(table: Table) -> int | None:
    """Who sits before the screen: nobody in particular where everything lies open."""
    if not table.is_virtual:
        return None
    return table.state.current_player if table.state.current_player < len(table.bots) else 0


def current_view(table: Table) -> View:
    return table.make_view(seat_to_look(table))


def list_possible(table: Table) -> list[Event]:
    """What whoever is asked may decide."""
    return [event for event in current_view(table).legal if not isinstance(event, Reveal)]


def random_command(table: Table, chance: random.Random, language: str = "en") -> str:
    """A command that is possible now."""
    if table.state.draws:
        return format_command(deal_draw(table.state, chance.randrange(10**6)), language)
    return format_command(choose_builder(chance, table.state, list_possible(table)), language)


def play_evening(table: Table, chance: random.Random, language: str = "en") -> Iterator[Table]:
    """The table at every moment at which somebody is asked, to the end of the game."""
    while table.state.stage is not OVER:
        yield table
        table.do(random_command(table, chance, language), lang=language)


@contextmanager
def temporary_table(options: TableOptions, seed: int | None = 7) -> Iterator[Table]:
    """A table in a folder of its own, for properties; where hands are hidden, a real one."""
    seed = None if options.hidden_hands else seed
    with tempfile.TemporaryDirectory() as folder:
        yield begin_table(Path(folder) / "evening.jsonl", options, seed)
