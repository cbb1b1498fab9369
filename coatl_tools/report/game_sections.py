"""The sections of the report about games: summary, scores, lengths, Cóatls, turns, A.D.A.M. and
bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coatl_tools.report.dataset_reader import SimulationSource
from coatl_tools.report.formatting import DASH, ReportFormatter
from coatl_tools.report.page_view import (
    PlotsByName,
    ReportSection,
    TableCell,
    TextTable,
    list_plots,
    make_count_cell,
    make_mean_cell,
    make_rate_cell,
    make_share_cell,
)
from coatl_tools.report.report_figures import (
    Distribution,
    GameGroup,
    GroupFigures,
    ReportFigures,
)
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.statistics import ENDINGS, Estimate

_DISTRIBUTION_COLUMNS = (
    *("balance_number", "balance_mean", "balance_least", "balance_quarter"),
    *("balance_median", "balance_three_quarters", "balance_most"),
)


@dataclass(frozen=True)
class GameSections:
    """Builds the sections of one report."""

    figures: ReportFigures
    plots: PlotsByName
    formatter: ReportFormatter

    def build_summary_section(self, sources: Sequence[SimulationSource]) -> ReportSection:
        """Build the tables of which games these are, and who won."""
        rows = [
            [
                TableCell(source.name),
                TableCell(self.formatter.describe_group(GameGroup(len(source.plan.players)))),
                self._make_count_cell(source.plan.games),
                TableCell(_describe_bots(source)),
                TableCell(str(source.plan.seed)),
                TableCell(self._describe_options(source)),
            ]
            for source in sources
        ]
        columns = (
            *("balance_folder", "players", "balance_games", "balance_bots"),
            *("balance_seed", "balance_options"),
        )
        mixed = _has_mixed_options(sources)
        table = self._make_table(
            "balance_sources",
            columns,
            rows,
            notice=self.formatter.label("balance_mixed") if mixed else "",
        )
        return ReportSection(
            "summary",
            self.formatter.label("balance_summary"),
            tables=[table, self._build_victories_table()],
        )

    def _describe_options(self, source: SimulationSource) -> str:
        """Describe the edition, and the options of the table that are not the usual ones."""
        notable = source.notable_options(self.formatter.language.code)
        return ", ".join(f"{name}: {value}" for name, value in notable)

    def _build_victories_table(self) -> TextTable:
        rows = []
        for group in self.figures.groups:
            name = self.formatter.describe_group(group.group)
            rows += [
                [
                    TableCell(name),
                    TableCell(who),
                    self._make_count_cell(players.points.n),
                    self._make_rate_cell(players.wins),
                ]
                for who, players in self.formatter.list_players(group)
            ]
            if group.shared:
                rows.append(
                    [
                        TableCell(name),
                        TableCell(self.formatter.label("balance_shared")),
                        self._make_count_cell(group.shared),
                        make_share_cell(group.shared, group.games, self.formatter),
                    ]
                )
        columns = ("players", "balance_who", "balance_games", "balance_victories")
        return self._make_table("balance_victories_caption", columns, rows)

    def build_scores_section(self) -> ReportSection:
        """Build the scores by number of players and seat."""
        rows = [
            [
                self._make_group_cell(group),
                TableCell(who),
                *self._make_distribution_cells(players.points),
            ]
            for group in self.figures.groups
            for who, players in self.formatter.list_players(group)
        ]
        columns = ("players", "balance_who", *_DISTRIBUTION_COLUMNS)
        return self._make_section(
            "scores",
            "balance_scores",
            {"scores": "balance_caption_boxes"},
            self._make_table("balance_scores_caption", columns, rows),
        )

    def build_lengths_section(self) -> ReportSection:
        """Build the section on how long games are and how they end."""
        lengths, endings = [], []
        for group in self.figures.groups:
            name = self._make_group_cell(group)
            lengths.append([name, *self._make_distribution_cells(group.turns)])
            shares = [
                make_share_cell(group.endings.get(ending, 0), group.games, self.formatter)
                for ending in ENDINGS
            ]
            endings.append([name, self._make_count_cell(group.games), *shares])
        length_columns = ("players", *_DISTRIBUTION_COLUMNS)
        ending_columns = (
            *("players", "balance_games"),
            *("balance_third", "balance_bodies", "balance_passed"),
        )
        captions = {"lengths": "balance_caption_lengths", "endings": "balance_caption_endings"}
        return self._make_section(
            "length",
            "balance_length",
            captions,
            self._make_table("balance_length_caption", length_columns, lengths),
            self._make_table("balance_endings", ending_columns, endings),
        )

    def build_coatls_section(self) -> ReportSection:
        """Build the section on how many Cóatls there are and how long they are."""
        rows = []
        for group in self.figures.groups:
            for key, distribution in (
                ("balance_coatls_done", group.coatls),
                ("balance_coatls_open", group.unfinished),
                ("balance_pieces", group.pieces),
                ("balance_coatl_points", group.coatl_points),
            ):
                rows.append(
                    [
                        self._make_group_cell(group),
                        TableCell(self.formatter.label(key)),
                        *self._make_distribution_cells(distribution),
                    ]
                )
        columns = ("players", "balance_what", *_DISTRIBUTION_COLUMNS)
        captions = {"coatls": "balance_caption_coatls", "pieces": "balance_caption_pieces"}
        return self._make_section(
            "coatls",
            "balance_coatls",
            captions,
            self._make_table("balance_coatls_caption", columns, rows),
        )

    def build_turns_section(self) -> ReportSection:
        """Build the section on what turns are used for."""
        rows = [
            [
                self._make_group_cell(group),
                TableCell(bot.name),
                self._make_count_cell(bot.points.n),
                *(
                    TableCell(self.formatter.format_decimal(n / bot.points.n, 1), n / bot.points.n)
                    for n in bot.uses
                ),
            ]
            for group in self.figures.groups
            for bot in group.bots
        ]
        columns = (
            *("players", "balance_bot", "balance_number", "balance_turns", "balance_takes"),
            *("balance_choices", "balance_assemblies", "balance_tokens"),
        )
        return self._make_section(
            "turns",
            "balance_uses",
            {"uses": "balance_caption_uses"},
            self._make_table("balance_uses_caption", columns, rows),
        )

    def build_adam_section(self) -> ReportSection | None:
        """Build the solo game, level by level; None if there was none."""
        rows = [
            [
                self._make_group_cell(group),
                self._make_count_cell(group.games),
                self._make_rate_cell(group.seats[0].wins),
                self._make_mean_cell(group.seats[0].points.mean),
                self._make_mean_cell(group.adam.points.mean),
            ]
            for group in self.figures.groups
            if group.adam is not None
        ]
        if not rows:
            return None
        columns = (
            *("players", "balance_games"),
            *("balance_adam_wins", "balance_adam_own", "balance_adam_its"),
        )
        return self._make_section(
            "adam",
            "balance_adam",
            {"adam": "balance_caption_rates"},
            self._make_table("balance_adam_caption", columns, rows),
        )

    def build_bots_section(self) -> ReportSection | None:
        """Build the comparison of kinds of bots; None if there is only one."""
        if len(self.figures.bots) < 2:
            return None
        rows = []
        for group in self.figures.groups:
            expected = None if group.group.solo else 1 / group.group.size
            expected_text = DASH if expected is None else self.formatter.format_percent(expected)
            for bot in group.bots:
                rows.append(
                    [
                        self._make_group_cell(group),
                        TableCell(bot.name),
                        self._make_count_cell(bot.points.n),
                        self._make_rate_cell(bot.wins),
                        TableCell(expected_text, expected),
                        self._make_mean_cell(bot.points.mean),
                    ]
                )
        columns = (
            *("players", "balance_bot", "balance_number"),
            *("balance_victories", "balance_expected", "points"),
        )
        return self._make_section(
            "bots",
            "balance_bots",
            {"bots": "balance_caption_bots"},
            self._make_table("balance_bots_caption", columns, rows),
        )

    def _make_section(
        self, name: str, heading: str, captions: Mapping[str, str], *tables: TextTable
    ) -> ReportSection:
        """Make a section of plots and tables; its heading and the captions are keys of labels."""
        return ReportSection(
            name,
            self.formatter.label(heading),
            plots=list_plots(captions, self.plots, self.formatter),
            tables=tables,
        )

    def _make_table(
        self,
        caption: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[TableCell]],
        notice: str = "",
    ) -> TextTable:
        """Make a table; `caption` and `columns` are keys of labels."""
        heads = [self.formatter.label(column) for column in columns]
        return TextTable(self.formatter.label(caption), heads, rows, notice)

    def _make_group_cell(self, group: GroupFigures) -> TableCell:
        return TableCell(self.formatter.describe_group(group.group))

    def _make_count_cell(self, number: int) -> TableCell:
        return make_count_cell(number, self.formatter)

    def _make_rate_cell(self, rate: Estimate | None) -> TableCell:
        return make_rate_cell(rate, self.formatter)

    def _make_mean_cell(self, mean: Estimate | None) -> TableCell:
        return make_mean_cell(mean, self.formatter, 1)

    def _make_distribution_cells(self, distribution: Distribution) -> list[TableCell]:
        """Make the cells of `_DISTRIBUTION_COLUMNS`."""
        if not distribution.n:
            return [TableCell("0", 0), *[TableCell(DASH)] * 6]
        quartiles = [distribution.quantile(part / 4) for part in range(5)]
        return [
            self._make_count_cell(distribution.n),
            self._make_mean_cell(distribution.mean),
            *(
                TableCell(self.formatter.format_decimal(place, int(place % 1 > 0)), place)
                for place in quartiles
            ),
        ]


def _describe_bots(source: SimulationSource) -> str:
    counts = Counter(source.plan.players)
    return ", ".join(f"{n} × {name}" for name, n in counts.items())


def _has_mixed_options(sources: Sequence[SimulationSource]) -> bool:
    """Tell whether games with the same number of players were played by different rules."""
    by_size: dict[int, TableOptions] = {}
    options = [source.plan.options for source in sources]
    return any(by_size.setdefault(len(one.players), one) != one for one in options)
