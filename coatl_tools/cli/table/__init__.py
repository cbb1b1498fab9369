"""`coatl table`: a table from start to winner."""

from __future__ import annotations

import click

from coatl_tools.cli.table.do import do, undo
from coatl_tools.cli.table.files import (
    delete,
    export,
    import_,
    list_,
    replay,
    verify,
)
from coatl_tools.cli.table.new import new
from coatl_tools.cli.table.play import play
from coatl_tools.cli.table.show import log, score, show, why
from coatl_tools.cli.table.tally import tally


class _TableGroup(click.Group):
    """Lists its commands in the order of an evening."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names as they were added."""
        return list(self.commands)


@click.group(cls=_TableGroup)
def table() -> None:
    """Referee a game, at a real table or a virtual one.

    “new” begins a table, “play” sits down at it. A table is one file, NAME.jsonl, in your data
    directory; nothing is ever lost from it.
    """


for _command in (
    *(new, play, do, show, undo, log, score, why, list_),
    *(export, import_, replay, verify, delete, tally),
):
    table.add_command(_command)
