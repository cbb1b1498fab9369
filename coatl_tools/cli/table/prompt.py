"""The prompt of a session: completion, the history of each player, and watching the file."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from coatl_tools.cli.terminal.stdio import is_dumb_terminal, is_interactive
from coatl_tools.errors import escape_unprintable
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.table import Actor, Table, TableStep

WATCH_SECONDS = 0.5  # seconds


class TableChanged(Exception):  # noqa: N818 (it is no error)
    """The table changed while somebody was typing; `typed` is the unfinished line."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What the user is asked to type.

    Without completions, it is a simple question without a hint.
    """

    message: str
    completions: Callable[[str], list[str]] | None = None
    past_lines: Iterable[str] = ()  # earlier lines of whoever types
    initial_text: str = ""  # stands there already
    seat: int = 0


class Prompt(Protocol):
    """Asks for a line; raises EOFError at the end of the input, KeyboardInterrupt for Ctrl-C."""

    def read_line(self, asking: PromptRequest) -> str:
        """Read the next line."""
        ...


def make_prompt(plain: bool, hint: str, moved_on: Callable[[], bool]) -> Prompt:
    """Make the best prompt that this terminal supports."""
    if plain or is_dumb_terminal() or not (is_interactive() and sys.stdout.isatty()):
        return PlainPrompt()
    return TerminalPrompt(hint, moved_on)


class PlainPrompt:
    """Reads lines from standard input; undecodable bytes are replaced."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):  # somebody has read from it before
                sys.stdin.reconfigure(errors="replace")

    def read_line(self, asking: PromptRequest) -> str:
        """Read the next line; echo it if it is piped in."""
        line = input(asking.message) if is_interactive() else self._piped(asking.message)
        return line.strip()

    def _piped(self, message: str) -> str:
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        print(f"{message}{escape_unprintable(line.rstrip())}", flush=True)
        return line


class TerminalPrompt:
    """A prompt with completion and history that also watches the table's file."""

    def __init__(self, hint: str, moved_on: Callable[[], bool]) -> None:
        self._hint, self._moved_on = hint, moved_on
        self._sessions: dict[tuple[bool, int], PromptSession[str]] = {}

    def read_line(self, asking: PromptRequest) -> str:
        """Read the next line; raises TableChanged if the table changes meanwhile."""
        completions = asking.completions
        session = self._session(completions is not None, asking.seat)
        session.message = _make_printable(asking.message)
        session.completer = _make_prompt_completer(completions) if completions else None
        session.history = session.default_buffer.history = InMemoryHistory(list(asking.past_lines))
        return session.prompt(
            default=asking.initial_text, pre_run=lambda: self._watch(session)
        ).strip()

    def _session(self, with_hint: bool, who: int) -> PromptSession[str]:
        """Return a player's own prompt session: nobody else sees what was typed or cut."""
        if (with_hint, who) not in self._sessions:
            toolbar = (_make_printable(self._hint) or None) if with_hint else None
            self._sessions[with_hint, who] = PromptSession(
                bottom_toolbar=toolbar, complete_while_typing=False, enable_suspend=True
            )
        return self._sessions[with_hint, who]

    def _watch(self, session: PromptSession[str]) -> None:
        """Look at the table's file now and then, and leave the prompt when it has changed."""
        app = session.app

        async def watching() -> None:
            while True:
                await asyncio.sleep(WATCH_SECONDS)
                if self._moved_on():
                    app.exit(exception=TableChanged(app.current_buffer.text))
                    return

        app.create_background_task(watching())


def _make_printable(text: str) -> str:
    """Return a text without the characters that standard output lacks."""
    encoding, errors = sys.stdout.encoding, sys.stdout.errors or "replace"
    return text.encode(encoding, errors).decode(encoding)


def _make_prompt_completer(completions: Callable[[str], list[str]]) -> Completer:
    class Words(Completer):
        """Completes the words that may stand here."""

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            line = document.text_before_cursor
            last = line.rsplit(";", 1)[-1].split(" ")[-1]
            for word in completions(line):
                yield Completion(
                    f"{word} ", start_position=-len(last), display=_make_printable(word)
                )

    return Words()


NO_SEAT = -1  # who types where everything lies open
_MAX_PAST_COMMANDS = 40  # lines of history that a prompt remembers from the journal


class PlayHistory:
    """Lines typed, by seat, and how much of the table's history each seat has heard of."""

    def __init__(self, table: Table, lang: str) -> None:
        self._table, self._language = table, lang
        self._begun = len(table.history.events)
        self._seen_counts = dict.fromkeys(table.human_seats, self._begun)
        self._typed_lines: dict[int, list[str]] = {}

    def add_line(self, seat: int, line: str) -> None:
        """Record a line that this player has typed."""
        self._typed_lines.setdefault(seat, []).append(line)

    def list_past_lines(self, seat: int) -> list[str]:
        """List what this player decided on earlier evenings, and has typed on this one."""
        history, begun = self._table.history, min(self._begun, len(self._table.history.events))
        states, events = history.states[:begun], history.events[:begun]
        own = (
            format_command(event, self._language)
            for state, event in zip(reversed(states), reversed(events), strict=True)
            if not self._table.is_automatic(state) and seat in (NO_SEAT, state.current_player)
        )
        return [*islice(own, _MAX_PAST_COMMANDS)][::-1] + self._typed_lines.get(seat, [])

    def list_new_steps(self, seat: int | None) -> list[TableStep]:
        """List what has happened since this player last looked."""
        history = self._table.history
        begin = self._seen_counts.get(NO_SEAT if seat is None else seat, len(history.events))
        states = history.states[begin:]
        moments = zip(states, history.events[begin:], states[1:], strict=False)
        return [TableStep(*moment, Actor.PERSON) for moment in moments]

    def mark_seen(self, seat: int | None) -> None:
        """Record that this player has seen every event; forget events that were undone."""
        now = len(self._table.history.events)
        self._seen_counts = {
            who: now if who == seat else min(n, now) for who, n in self._seen_counts.items()
        }
