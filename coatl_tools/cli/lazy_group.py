"""A click group that imports its commands only when they are run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyCommand(click.Command):
    """The name and the summary of a command that is not imported yet."""

    def __init__(self, name: str, home: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self._home = home

    def load(self) -> click.Command:
        """Import the command."""
        module, _, function = self._home.partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command), self._home
        return command


class LazyGroup(click.Group):
    """A group that lists its commands, in the given order, without importing them.

    `lazy` maps each name to the command's home, "module:function" in `package`, and to the summary
    that help and shell completion show: the first sentence of the command's own help.
    """

    def __init__(
        self, *args: Any, package: str, lazy: Mapping[str, tuple[str, str]], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        for name, (home, summary) in lazy.items():
            self.add_command(LazyCommand(name, f"{package}.{home}", summary))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which the commands were added."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, and import it if that is not done yet."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, LazyCommand) else command, rest
