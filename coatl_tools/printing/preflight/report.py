"""What a check found, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from coatl_tools.errors import escape_unprintable
from coatl_tools.language import Language

MOST = 20  # findings of one sort that are told for a file; of more, only the number


class Severity(Enum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found: its sentence's key, where, what was measured, what is allowed.

    Page 0 is the whole file. `thing` is what is cut out there, `text` what is written there.
    """

    severity: Severity
    what: str
    page: int = 0
    thing: str = ""
    measured: str = ""
    limit: str = ""
    text: str = ""
    language: str = ""

    def message(self, language: Language) -> str:
        """The finding as a sentence."""
        details = {
            "measured": self.measured,
            "limit": self.limit,
            "text": self.text,
            "language": self.language,
        }
        return language.sentence(self.what, details)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found in a file."""

    path: Path
    pages: int
    findings: tuple[Finding, ...]

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of one severity."""
        return tuple(found for found in self.findings if found.severity is severity)

    @property
    def good(self) -> bool:
        """Whether the file can be printed: there is no error."""
        return not self.of(Severity.ERROR)


class Notes:
    """Findings as they are made: each once, and not endlessly many of one sort."""

    def __init__(self) -> None:
        self._found: dict[Finding, None] = {}
        self._counts: dict[str, int] = {}

    def error(self, what: str, page: int = 0, thing: str = "", **details: str) -> None:
        """Note a fault."""
        self._add(Finding(Severity.ERROR, what, page, thing, **details))

    def warning(self, what: str, page: int = 0, **details: str) -> None:
        """Note something that may be meant."""
        self._add(Finding(Severity.WARNING, what, page, "", **details))

    def info(self, what: str, page: int = 0, **details: str) -> None:
        """Note something that is no fault."""
        self._add(Finding(Severity.INFO, what, page, "", **details))

    def _add(self, finding: Finding) -> None:
        found = replace(
            finding,
            thing=shown(finding.thing, 60),
            measured=shown(finding.measured, 60),
            text=shown(finding.text, 60),
            language=shown(finding.language, 20),
        )
        if found in self._found:
            return
        self._counts[found.what] = self._counts.get(found.what, 0) + 1
        if self._counts[found.what] <= MOST:
            self._found[found] = None

    def done(self) -> tuple[Finding, ...]:
        """All of them, page by page; what was left out is counted."""
        more = sum(max(0, count - MOST) for count in self._counts.values())
        found = sorted(self._found, key=lambda one: (list(Severity).index(one.severity), one.page))
        if more:
            found.append(Finding(Severity.INFO, "preflight.more", measured=str(more)))
        return tuple(found)


def shown(text: str, length: int) -> str:
    """A text out of a file as it may be shown."""
    text = escape_unprintable(text[: length + 1])
    return text if len(text) <= length else f"{text[:length]}…"
