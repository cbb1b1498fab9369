"""What the report page shows, as plain values: sections with paragraphs, plots and tables.

`card_sections` and `game_sections` build them, `templates/report.html` writes them as HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coatl_tools.pieces import Colour
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.plots import Plot
from coatl_tools.simulation.statistics import Estimate

PlotsByName = Mapping[str, Plot]
CaptionedPlot = tuple[Plot | None, str]  # None where there is nothing to plot


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table: its text, and the number that it is sorted by, if it is one.

    `small` is a second line in small letters.
    """

    text: str
    number: float | None = None
    small: str = ""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table; the first cell of each row names the row. `notice` stands below the table."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    notice: str = ""


@dataclass(frozen=True, slots=True)
class RequirementMark:
    """A part of a requirement as it is shown: a piece of a colour, or any other text."""

    text: str
    colour: Colour | None = None
    crossed_out: bool = False


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of the table of all cards."""

    card_id: str
    is_own: bool
    kind: str
    colour: str  # empty for a Temple card
    requirement: Sequence[RequirementMark]
    text: str
    counts: Sequence[TableCell]
    levels: Sequence[str]  # the share of each level; empty if the card was never placed
    results: Sequence[TableCell]


@dataclass(frozen=True, slots=True)
class CardTable:
    """The table of all cards."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[CardRow]
    own_label: str  # what marks a player's own card


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The verdict on a player's own card."""

    card_id: str
    judgement: str
    kind: str
    requirement: Sequence[RequirementMark]
    text: str
    measures: Sequence[tuple[str, str]]  # their names, and what they say


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the page; what it has is shown in the order of these fields."""

    id: str
    heading: str
    introduction: str = ""
    verdicts: Sequence[VerdictView] = ()
    plots: Sequence[CaptionedPlot] = ()
    paragraphs: Sequence[str] = ()
    cards: CardTable | None = None
    tables: Sequence[TextTable] = ()


def make_count_cell(number: int, formatter: ReportFormatter) -> TableCell:
    """Make the cell of a whole number."""
    return TableCell(formatter.format_count(number), number)


def make_mean_cell(mean: Estimate | None, formatter: ReportFormatter, digits: int = 2) -> TableCell:
    """Make the cell of a mean with its interval."""
    return TableCell(formatter.format_mean(mean, digits), mean.value if mean else None)


def make_rate_cell(rate: Estimate | None, formatter: ReportFormatter) -> TableCell:
    """Make the cell of a rate with its interval, in percent."""
    return TableCell(formatter.format_rate(rate), rate.value if rate else None)


def make_share_cell(part: int, whole: int, formatter: ReportFormatter) -> TableCell:
    """Make the cell of a part of a whole, in percent."""
    return TableCell(formatter.format_part(part, whole), part / whole if whole else None)


def list_plots(
    captions: Mapping[str, str], plots: PlotsByName, formatter: ReportFormatter
) -> list[CaptionedPlot]:
    """List plots with their captions; `captions` has the key of a label for each plot's name."""
    return [(plots.get(name), formatter.label(key)) for name, key in captions.items()]
