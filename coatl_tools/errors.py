"""Every error that a user can cause: what is wrong, where, what to do, and its exit code.

| exit code | meaning |
|---|---|
| 0 | all went well |
| 1 | something in the input is wrong: a Cóatl, a card id, a card file, a line of a batch |
| 2 | the command line itself is wrong: an unknown option, a missing argument |
| 3 | a file cannot be read or written |
| 70 | a mistake in Cóatl Tools itself |
| 130 | stopped with Ctrl-C |
| 141 | whoever read the output has left |

The sentences are in `carddata/lang/*.json` under `errors`, by key.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import ClassVar


def visible(text: str) -> str:
    """A text as it may be shown: what would steer a terminal stands there as an escape.

    >>> visible("R\\x1b[31mG")
    'R\\\\x1b[31mG'
    """
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


class CoatlError(Exception):
    """The base of all errors. `str()` is English; `text(language)` any language."""

    exit_code: ClassVar[int] = 1

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = {
            name: visible(str(value)) if isinstance(value, str | Path) else value
            for name, value in details.items()
        }

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, (type(self), dict(self.__dict__))

    def text(self, language: str = "en") -> str:
        """The whole message in one language."""
        from coatl_tools.language import load_language  # noqa: PLC0415 (it raises these errors)

        return load_language(language).error(self.key, self.details)

    def __str__(self) -> str:
        return self.text()


def _unpickled(kind: type[CoatlError], fields: dict[str, object]) -> CoatlError:
    """An error as it was, whatever its class asks for when it is raised."""
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
        """The source line with a caret under the offending piece; empty if there is none."""
        if not self.position:
            return ""
        begin = max(0, self.column - 30)
        before = visible(self.source[begin : self.column])
        behind = visible(self.source[self.column : self.column + 30])
        lead = "…" if begin else ""
        tail = "…" if self.column + 30 < len(self.source) else ""
        return f"{lead}{before}{behind}{tail}\n{' ' * len(lead + before)}^"


class UnknownCardError(CoatlError):
    """A card id that is in no deck."""


class RequirementTooIntricateError(CoatlError):
    """A requirement whose automaton, or whose search for missing pieces, grows too large."""


class CardDataError(CoatlError):
    """Card or language files with problems in them; the details list them all."""


class CommandLineError(CoatlError):
    """An option whose value makes no sense."""

    exit_code = 2


class FileError(CoatlError):
    """A file that cannot be read or written."""

    exit_code = 3
