"""`coatl table`: a table from start to winner."""

from __future__ import annotations

import click

from coatl_tools.cli.lazy_group import LazyGroup

_COMMANDS = {
    "new": ("new:new", "Begin a table, and show all its options and rulings."),
    "play": ("play:play", "Sit down at a table and play."),
    "do": ("do:do", "Do COMMANDS at a table, all of them or none."),
    "show": ("show:show", "Show a table: boards, cards, players, what is awaited."),
    "undo": ("do:undo", "Take back the last N things that people decided or reported."),
    "log": ("show:log", "Tell all that happened, what was taken back too."),
    "score": ("show:score", "Show the points so far, or the result, card by card."),
    "why": ("show:why", "Tell why the bots, or A.D.A.M., did what they did last."),
    "list": ("files:list_", "List all tables: who plays, and how far they are."),
    "export": ("files:export", "Write a readable record of a game; “import” reads it back."),
    "import": ("files:import_", "Make a table of a record, or of a table's file."),
    "replay": ("files:replay", "Play a table's FILE again, turn by turn."),
    "verify": (
        "files:verify",
        "Check a table's FILE: every line, every rule, every fingerprint.",
    ),
    "delete": ("files:delete", "Delete a table, after asking."),
    "tally": ("tally:tally", "Score a finished game, and tell who has won."),
}


@click.group(cls=LazyGroup, package=__name__, lazy=_COMMANDS)
def table() -> None:
    """Referee a game, at a real table or a virtual one.

    “new” begins a table, “play” sits down at it. A table is one file, NAME.jsonl, in your data
    directory; nothing is ever lost from it.
    """
