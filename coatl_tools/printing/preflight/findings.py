"""What a check found, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from coatl_tools.errors import escape_unprintable
from coatl_tools.language import Language

_MOST_OF_A_KIND = 20  # findings of one kind that a report has; further ones are only counted


class Severity(Enum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class PreflightFinding:
    """One thing that was found: the key of its sentence, where, what was measured and allowed.

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
        """Return the finding as a sentence."""
        details = {
            "measured": _localize_measure(self.measured, language),
            "limit": _localize_measure(self.limit, language),
            "text": self.text,
            "language": self.language,
        }
        return language.sentence(self.what, details)


@dataclass(frozen=True, slots=True)
class PreflightReport:
    """Everything that was found in a file."""

    path: Path
    pages: int
    findings: tuple[PreflightFinding, ...]

    def of(self, severity: Severity) -> tuple[PreflightFinding, ...]:
        """Return the findings of one severity."""
        return tuple(finding for finding in self.findings if finding.severity is severity)

    @property
    def good(self) -> bool:
        """Whether the file can be printed: there is no error."""
        return not self.of(Severity.ERROR)


class FindingCollector:
    """Collects findings: each once, and at most `_MOST_OF_A_KIND` of one kind."""

    def __init__(self) -> None:
        self._findings: dict[PreflightFinding, None] = {}
        self._counts: dict[str, int] = {}

    def error(self, what: str, page: int = 0, thing: str = "", **details: str) -> None:
        """Add an error."""
        self._add(PreflightFinding(Severity.ERROR, what, page, thing, **details))

    def warning(self, what: str, page: int = 0, **details: str) -> None:
        """Add a warning: something that may be intended."""
        self._add(PreflightFinding(Severity.WARNING, what, page, "", **details))

    def info(self, what: str, page: int = 0, **details: str) -> None:
        """Add an information, which is no fault."""
        self._add(PreflightFinding(Severity.INFO, what, page, "", **details))

    def _add(self, finding: PreflightFinding) -> None:
        finding = replace(
            finding,
            thing=_shorten(finding.thing, 60),
            measured=_shorten(finding.measured, 60),
            text=_shorten(finding.text, 60),
            language=_shorten(finding.language, 20),
        )
        if finding in self._findings:
            return
        self._counts[finding.what] = self._counts.get(finding.what, 0) + 1
        if self._counts[finding.what] <= _MOST_OF_A_KIND:
            self._findings[finding] = None

    def list_findings(self) -> tuple[PreflightFinding, ...]:
        """List the findings, worst first and page by page; the last one counts those left out."""
        more = sum(max(0, count - _MOST_OF_A_KIND) for count in self._counts.values())
        severities = list(Severity)
        found = sorted(self._findings, key=lambda one: (severities.index(one.severity), one.page))
        if more:
            found.append(PreflightFinding(Severity.INFO, "preflight.more", measured=str(more)))
        return tuple(found)


def _localize_measure(measure: str, language: Language) -> str:
    measure = language.typography.localize_numbers(measure)
    if measure.endswith(" %"):
        return language.label("percent_share", share=measure.removesuffix(" %"))
    return measure


def _shorten(text: str, length: int) -> str:
    """Make a text from a file safe to show: printable, and not too long."""
    text = escape_unprintable(text[: length + 1])
    return text if len(text) <= length else f"{text[:length]}…"
