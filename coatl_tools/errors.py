"""Every error that a user can cause: what is wrong, where, what to do, and its exit code.

| exit code | meaning |
|---|---|
| 0 | all went well |
| 1 | something in the input is wrong: a Cóatl, a card id, a file of data, a line of a batch |
| 2 | the command line itself is wrong: an unknown option, a missing argument |
| 3 | a file cannot be read or written, or a photo not be read for sure |
| 70 | a mistake in Cóatl Tools itself |
| 130 | stopped with Ctrl-C, or by the end of the input at a question |
| 141 | the program that read the output has ended (a closed pipe) |

The sentences are in `carddata/lang/*.json` under `sentences`, by key.
"""

from __future__ import annotations

import errno
import os
import unicodedata
from pathlib import Path
from typing import ClassVar, TypeAlias

# A sentence or part of one: its key in the language files, and values for its placeholders.
Phrase: TypeAlias = tuple[str, dict[str, object]]


def escape_unprintable(text: str) -> str:
    """Replace control characters, which could steer a terminal, with visible escapes.

    >>> escape_unprintable("R\\x1b[31mG")
    'R\\\\x1b[31mG'
    """
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char) in _UNPRINTABLE_CATEGORIES
        else char
        for char in text
    )


MAX_DETAIL_LENGTH = 300
_UNPRINTABLE_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")


# The usual reasons that a system gives, which it says in English alone.
_SYSTEM_REASONS = {
    os.strerror(errno.ENOENT): "system.missing",
    os.strerror(errno.EACCES): "system.denied",
    os.strerror(errno.EPERM): "system.forbidden",
    os.strerror(errno.ENOTDIR): "system.not_folder",
    os.strerror(errno.EISDIR): "system.folder",
    os.strerror(errno.EEXIST): "system.exists",
    os.strerror(errno.ENOSPC): "system.full",
    os.strerror(errno.EROFS): "system.read_only",
    os.strerror(errno.ENAMETOOLONG): "system.long_name",
    os.strerror(errno.EIO): "system.device",
    os.strerror(errno.EADDRINUSE): "system.address_used",
    os.strerror(errno.EADDRNOTAVAIL): "system.no_address",
}


def _prepare_detail(value: object) -> object:
    """Make a text safe to show, and so short that it leaves room for the rest of its sentence.

    A reason that the system gives becomes a phrase, to be said in any language.
    """
    if not isinstance(value, str | Path):
        return value
    if value in _SYSTEM_REASONS:
        return _SYSTEM_REASONS[str(value)], {}
    text = escape_unprintable(str(value))
    return text if len(text) <= MAX_DETAIL_LENGTH else f"{text[:MAX_DETAIL_LENGTH]}…"


class CoatlError(Exception):
    """The base of all errors. `str()` is English; `text(language)` any language."""

    exit_code: ClassVar[int] = 1

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = {name: _prepare_detail(value) for name, value in details.items()}

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_error, (type(self), dict(self.__dict__))

    @property
    def spoken(self) -> Phrase:
        """The message as a phrase (key and details), for use inside another message."""
        return self.key, self.details

    def text(self, lang: str = "en") -> str:
        """Return the whole message in one language."""
        from coatl_tools.language import load_usable_language  # noqa: PLC0415 (it raises these errors)

        try:
            return load_usable_language(lang).sentence(*self.spoken)
        except CardDataError as error:  # English, in which all that is missing is said
            return error.text(lang)

    def pointer_lines(self) -> list[str]:
        """Return lines that point at what is wrong in what was typed, if that is known."""
        return []

    def __str__(self) -> str:
        return self.text()


def _restore_error(kind: type[CoatlError], fields: dict[str, object]) -> CoatlError:
    """Restore a pickled error without calling `__init__`, whose arguments differ by class."""
    error = kind.__new__(kind)
    error.__dict__.update(fields)
    return error


class NotationError(CoatlError):
    """A Cóatl that cannot be read. `position` counts pieces from 1, `column` characters from 0."""

    def __init__(
        self, key: str, source: str, position: int = 0, column: int = 0, **details: object
    ) -> None:
        super().__init__(key, position=position, **details)
        self.source = source
        self.position = position
        self.column = column

    def pointer(self) -> str:
        """Return the source line with a caret under the offending piece; empty if there is none."""
        if not self.position:
            return ""
        begin = max(0, self.column - 30)
        before = escape_unprintable(self.source[begin : self.column])
        behind = escape_unprintable(self.source[self.column : self.column + 30])
        lead = "…" if begin else ""
        tail = "…" if self.column + 30 < len(self.source) else ""
        return f"{lead}{before}{behind}{tail}\n{' ' * len(lead + before)}^"

    def pointer_lines(self) -> list[str]:
        """Return the lines of the pointer, indented."""
        return [f"  {line}" for line in self.pointer().splitlines()]


class UnknownCardError(CoatlError):
    """A card id that is in no deck."""


class RequirementTooComplexError(CoatlError):
    """A requirement whose automaton, or whose search for missing pieces, grows too large."""


class CardDataError(CoatlError):
    """Card or language files with problems in them; the details list them all."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Every problem, in English, with its file."""
        problems = self.details.get("problems")
        return problems if isinstance(problems, tuple) else ()


class CommandLineError(CoatlError):
    """An option whose value makes no sense."""

    exit_code = 2


class FileError(CoatlError):
    """A file that cannot be read or written."""

    exit_code = 3


class OptionError(CoatlError):
    """An option of a table whose value makes no sense."""


class IllegalActionError(CoatlError):
    """Something that the rules do not allow: the rule, why, and the nearest legal `alternative`."""

    def __init__(self, key: str, rule: str, **details: object) -> None:
        super().__init__(key, **details)
        self.rule = rule
        self.alternative = ""

    @property
    def spoken(self) -> Phrase:
        """The rule's number, a sentence, and what could be done instead, if that helps."""
        details: dict[str, object] = {"rule": self.rule, "sentence": (self.key, self.details)}
        if not self.alternative:
            return "rules.illegal", details
        return "rules.instead", details | {"action": self.alternative}


class CommandError(CoatlError):
    """A command typed at a table that cannot be understood, or not be done."""


class ConsentError(CommandError):
    """An undo that needs the consent of the table."""


class EventError(CoatlError):
    """An event that cannot be read."""


class PositionError(CoatlError):
    """A table that no game can lead to: what is wrong, where, and the rule against it."""

    def __init__(
        self, key: str, rule: str = "", where: Phrase | None = None, **details: object
    ) -> None:
        super().__init__(key, **details)
        self.rule = rule
        self.where = where

    @property
    def spoken(self) -> Phrase:
        """The rule's number and the place, as far as there are any, and a sentence."""
        details: dict[str, object] = {"sentence": (self.key, self.details)}
        if self.where:
            details["where"] = self.where
        if self.rule:
            details["rule"] = self.rule
            return "position.illegal_at" if self.where else "rules.illegal", details
        return ("position.at", details) if self.where else (self.key, self.details)


class CorrectionError(CoatlError):
    """A correction of what was read in a photo that cannot be understood, or not be made."""


class JournalError(CoatlError):
    """A journal that cannot be replayed: damaged, changed by hand, or of another version."""


class ReportError(CoatlError):
    """Tables of simulated games that no report can be made of: which file, where, and why."""


class RequestError(CoatlError):
    """A request to the web pages that cannot be answered; `status` is that of HTTP."""

    def __init__(self, key: str, status: int = 400, **details: object) -> None:
        super().__init__(key, **details)
        self.status = status


class RecordError(CoatlError):
    """A record of a game that cannot be read back; it says in which line, and why."""


class HistoryError(CoatlError):
    """An undo or a correction that is not possible."""


class SimulationError(CoatlError):
    """A simulation that cannot be played on, or not on these machines."""


class WorkError(RequestError):
    """Work for the web pages, in a process of its own, that came to nothing."""


class WorkQueueFullError(WorkError):
    """Work that was not taken on: too much is waiting already."""


class WorkTimeoutError(WorkError):
    """Work that took too long and was stopped."""
