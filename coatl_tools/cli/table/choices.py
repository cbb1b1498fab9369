"""Numbered choices on the screen: which are shown now, and where a line leads from there."""

from __future__ import annotations

from coatl_tools.cli.table.teller import Teller
from coatl_tools.errors import CommandError
from coatl_tools.referee.menu import Ask, Menu, menu
from coatl_tools.referee.table import Table
from coatl_tools.referee.vocabulary import verb

BACK = "0"


class Choices:
    """The menu or question that stands on the screen, if one does."""

    def __init__(self, table: Table, teller: Teller) -> None:
        self._table, self._teller = table, teller
        self._shown: Menu | Ask | None = None

    @property
    def none_shown(self) -> bool:
        """Whether there is nothing to choose from on the screen."""
        return self._shown is None

    @property
    def question(self) -> str:
        """What is asked, if a question stands on the screen."""
        return self._shown.question if isinstance(self._shown, Ask) else ""

    def forget(self) -> None:
        """What was shown no longer counts."""
        self._shown = None

    def offer(self, viewer: int | None) -> None:
        """Show all that this player may decide now."""
        self._show(self._first(viewer))

    def command(self, line: str, viewer: int | None) -> str | None:
        """The command that a line means here; None if it only led to other choices.

        CommandError for a number that is no choice.
        """
        if line.isascii() and line.isdigit() and self._shown is not None:
            first = self._first(viewer)
            is_answer = isinstance(self._shown, Ask) and self._shown == first  # 0 may be one
            if line == BACK and not is_answer:
                self._show(first)
                return None
            if isinstance(self._shown, Menu):
                return self._chosen(self._shown, line)
        if isinstance(self._shown, Ask):
            return self._completed(self._shown, line)
        return line

    def _chosen(self, shown: Menu, line: str) -> str | None:
        choices = {str(choice.number): choice.then for choice in shown.choices}
        then = choices.get(line.lstrip("0"))
        if then is None:
            raise CommandError("menu.no_choice", number=line[:10], choices=", ".join(choices))
        if isinstance(then, str):
            return then
        self._show(then)
        return None

    def _completed(self, asked: Ask, line: str) -> str:
        """The command that an answer makes; a command typed instead stays what it is."""
        self.forget()
        try:
            verb(line.split(maxsplit=1)[0], self._teller.language.code)
        except CommandError:
            return f"{asked.command} {line}"
        return line

    def _first(self, viewer: int | None) -> Menu | Ask:
        return menu(self._table.view(viewer), self._table.state.game, self._teller.language.code)

    def _show(self, found: Menu | Ask) -> None:
        self._shown = found
        if isinstance(found, Ask):
            lines = list(enumerate(found.listed, start=1))
        else:
            lines = [(choice.number, choice.label) for choice in found.choices]
        for number, label in lines:
            self._teller.item(f"{number}", label)
