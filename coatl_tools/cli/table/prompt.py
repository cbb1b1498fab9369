"""The line that people type on: with completion and history on a terminal, plain elsewhere."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from coatl_tools.cli.streams import somebody_types
from coatl_tools.errors import visible

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

WATCH_EVERY = 0.5  # seconds


class MovedOn(Exception):  # noqa: N818 (it is no error)
    """The table has moved on while somebody was typing; `typed` is what stands there already."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


@dataclass(frozen=True, slots=True)
class Asking:
    """What somebody is asked to type.

    Where nothing is completed, it is a simple question, without a hint.
    """

    message: str
    completions: Callable[[str], list[str]] | None = None
    past: Iterable[str] = ()  # earlier lines of whoever types
    typed: str = ""  # stands there already
    who: int = 0


class Prompt(Protocol):
    """Asks for a line. EOFError at the end of the input, KeyboardInterrupt for Ctrl-C."""

    def ask(self, asking: Asking) -> str:
        """The next line."""
        ...


def prompt_for(plain: bool, hint: str, moved_on: Callable[[], bool]) -> Prompt:
    """The best prompt that there is here."""
    if plain or is_dumb() or not (somebody_types() and sys.stdout.isatty()):
        return PlainPrompt()
    return TerminalPrompt(hint, moved_on)


def is_dumb() -> bool:
    """Whether the terminal understands nothing but text."""
    return os.environ.get("TERM", "dumb") in ("dumb", "unknown")


class PlainPrompt:
    """Lines from standard input; bytes that are no letters stand there as such."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):  # somebody has read from it before
                sys.stdin.reconfigure(errors="replace")

    def ask(self, asking: Asking) -> str:
        """The next line; it is repeated where nobody sees it being typed."""
        line = input(asking.message) if somebody_types() else self._piped(asking.message)
        return line.strip()

    def _piped(self, message: str) -> str:
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        print(f"{message}{visible(line.rstrip())}", flush=True)
        return line


class TerminalPrompt:
    """A line with completion, history, and an eye on what others do."""

    def __init__(self, hint: str, moved_on: Callable[[], bool]) -> None:
        self._hint, self._moved_on = hint, moved_on
        self._sessions: dict[tuple[bool, int], PromptSession[str]] = {}

    def ask(self, asking: Asking) -> str:
        """The next line; MovedOn if the table has, meanwhile."""
        from prompt_toolkit.history import InMemoryHistory

        completions = asking.completions
        session = self._session(completions is not None, asking.who)
        session.message = _writable(asking.message)
        session.completer = _completer(completions) if completions else None
        session.history = session.default_buffer.history = InMemoryHistory(list(asking.past))
        return session.prompt(default=asking.typed, pre_run=lambda: self._watch(session)).strip()

    def _session(self, with_hint: bool, who: int) -> PromptSession[str]:
        """Each player's own: what one has typed or cut out is nobody else's business."""
        if (with_hint, who) not in self._sessions:
            from prompt_toolkit import PromptSession

            toolbar = (_writable(self._hint) or None) if with_hint else None
            self._sessions[with_hint, who] = PromptSession(
                bottom_toolbar=toolbar, complete_while_typing=False, enable_suspend=True
            )
        return self._sessions[with_hint, who]

    def _watch(self, session: PromptSession[str]) -> None:
        """Look at the table's file now and then, and leave the prompt when it has changed."""
        import asyncio

        app = session.app

        async def watching() -> None:
            while True:
                await asyncio.sleep(WATCH_EVERY)
                if self._moved_on():
                    app.exit(exception=MovedOn(app.current_buffer.text))
                    return

        app.create_background_task(watching())


def _writable(text: str) -> str:
    """A text as standard output writes it, without the letters that it lacks."""
    encoding, errors = sys.stdout.encoding, sys.stdout.errors or "replace"
    return text.encode(encoding, errors).decode(encoding)


def _completer(completions: Callable[[str], list[str]]) -> Completer:
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        """The words that may stand here."""

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            line = document.text_before_cursor
            last = line.rsplit(";", 1)[-1].split(" ")[-1]
            for word in completions(line):
                yield Completion(f"{word} ", start_position=-len(last), display=_writable(word))

    return Words()
