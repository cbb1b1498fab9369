"""`coatl table`: a table from start to winner."""

from __future__ import annotations

import click

from coatl_tools.cli.lazy_group import LazyGroup

_COMMANDS = {
    "new": ("new:new", "Create a table, and show all its options and rulings."),
    "play": ("table_commands:play", "Sit down at a table and play."),
    "do": ("table_commands:do", "Carry out COMMANDS at a table, all of them or none."),
    "show": ("table_commands:show", "Show a table: boards, cards, players, and what comes next."),
    "undo": ("table_commands:undo", "Take back the last N decisions or reports."),
    "log": ("table_commands:log", "Show everything that happened, including what was taken back."),
    "score": ("table_commands:score", "Show the points so far, or the result, card by card."),
    "why": ("table_commands:why", "Show why the bots, or A.D.A.M., did what they did last."),
    "list": ("saved_tables:list_", "List all tables: who plays, and how far the game has got."),
    "export": ("saved_tables:export", "Write a readable record of a game; “import” reads it back."),
    "import": ("saved_tables:import_", "Make a table from a record, or from a table's file."),
    "replay": ("saved_tables:replay", "Play a table's FILE again, turn by turn."),
    "verify": (
        "saved_tables:verify",
        "Check a table's FILE: every line, every rule, every checksum.",
    ),
    "delete": ("saved_tables:delete", "Delete a table, after asking."),
    "tally": ("tally:tally", "Score a finished game, and show who has won."),
}


@click.group(cls=LazyGroup, package=__name__, lazy=_COMMANDS)
def table() -> None:
    """Referee a game, at a real table or a virtual one.

    “new” creates a table, “play” plays at it. A table is one file, NAME.jsonl, in your data
    directory; nothing in it is ever lost.
    """
