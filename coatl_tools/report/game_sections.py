"""The sections of the report about games: summary, scores, lengths, Cóatls, turns, A.D.A.M. and
bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from coatl_tools.report.formatting import DASH, ReportFormatter
from coatl_tools.report.game_source import SimulationSource
from coatl_tools.report.page_view import (
    PageSection,
    PlotsByName,
    TableCell,
    TextTable,
    list_plots,
    make_count_cell,
    make_share_cell,
)
from coatl_tools.report.report_figures import (
    Distribution,
    GameGroup,
    GroupFigures,
    PlayerFigures,
    Rate,
    ReportFigures,
)
from coatl_tools.rules.game import TableOptions
from coatl_tools.simulation.statistics import ENDINGS, Mean

_ADAM = "A.D.A.M."
_DISTRIBUTION_COLUMNS = (
    *("balance_number", "balance_mean", "balance_least", "balance_quarter"),
    *("balance_median", "balance_three_quarters", "balance_most"),
)


def build_summary_section(
    figures: ReportFigures, sources: Sequence[SimulationSource], formatter: ReportFormatter
) -> PageSection:
    """Build the tables of which games these are, and who won."""
    rows = [
        [
            TableCell(source.name),
            TableCell(formatter.describe_group(GameGroup(len(source.plan.players)))),
            make_count_cell(source.plan.games, formatter),
            TableCell(_describe_bots(source)),
            TableCell(str(source.plan.seed)),
            TableCell(_describe_options(source, formatter)),
        ]
        for source in sources
    ]
    columns = (
        *("balance_folder", "players", "balance_games", "balance_bots"),
        *("balance_seed", "balance_options"),
    )
    mixed = _has_mixed_options(sources)
    table = _make_table(
        "balance_sources",
        columns,
        rows,
        formatter,
        notice=formatter.label("balance_mixed") if mixed else "",
    )
    return PageSection(
        "summary",
        formatter.label("balance_summary"),
        tables=[table, _build_victories_table(figures, formatter)],
    )


def _describe_bots(source: SimulationSource) -> str:
    counts = Counter(source.plan.players)
    return ", ".join(f"{n} × {name}" for name, n in counts.items())


def _describe_options(source: SimulationSource, formatter: ReportFormatter) -> str:
    """Describe the options of the table that are not the usual ones."""
    changed = source.changed_options(formatter.language.code)
    return ", ".join(f"{name}: {value}" for name, value in changed) or DASH


def _has_mixed_options(sources: Sequence[SimulationSource]) -> bool:
    """Tell whether games with the same number of players were played by different rules."""
    by_size: dict[int, TableOptions] = {}
    options = [source.plan.options for source in sources]
    return any(by_size.setdefault(len(one.players), one) != one for one in options)


def _build_victories_table(figures: ReportFigures, formatter: ReportFormatter) -> TextTable:
    rows = []
    for group in figures.groups:
        name = formatter.describe_group(group.group)
        rows += [
            [
                TableCell(name),
                TableCell(who),
                make_count_cell(players.points.n, formatter),
                _make_rate_cell(players.wins, formatter),
            ]
            for who, players in _list_players(group, formatter)
        ]
        if group.shared:
            rows.append(
                [
                    TableCell(name),
                    TableCell(formatter.label("balance_shared")),
                    make_count_cell(group.shared, formatter),
                    make_share_cell(group.shared, group.games, formatter),
                ]
            )
    columns = ("players", "balance_who", "balance_games", "balance_victories")
    return _make_table("balance_victories_caption", columns, rows, formatter)


def build_scores_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> PageSection:
    """Build the scores by number of players and seat."""
    rows = [
        [
            TableCell(formatter.describe_group(group.group)),
            TableCell(who),
            *_make_distribution_cells(players.points, formatter),
        ]
        for group in figures.groups
        for who, players in _list_players(group, formatter)
    ]
    columns = ("players", "balance_who", *_DISTRIBUTION_COLUMNS)
    return PageSection(
        "scores",
        formatter.label("balance_scores"),
        plots=list_plots({"scores": "balance_caption_boxes"}, plots, formatter),
        tables=[_make_table("balance_scores_caption", columns, rows, formatter)],
    )


def build_lengths_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> PageSection:
    """Build the section on how long games are and how they end."""
    lengths, endings = [], []
    for group in figures.groups:
        name = TableCell(formatter.describe_group(group.group))
        lengths.append([name, *_make_distribution_cells(group.turns, formatter)])
        shares = [
            make_share_cell(group.endings.get(ending, 0), group.games, formatter)
            for ending in ENDINGS
        ]
        endings.append([name, make_count_cell(group.games, formatter), *shares])
    length_columns = ("players", *_DISTRIBUTION_COLUMNS)
    ending_columns = (
        *("players", "balance_games"),
        *("balance_third", "balance_bodies", "balance_passed"),
    )
    captions = {"lengths": "balance_caption_lengths", "endings": "balance_caption_endings"}
    return PageSection(
        "length",
        formatter.label("balance_length"),
        plots=list_plots(captions, plots, formatter),
        tables=[
            _make_table("balance_length_caption", length_columns, lengths, formatter),
            _make_table("balance_endings", ending_columns, endings, formatter),
        ],
    )


def build_coatls_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> PageSection:
    """Build the section on how many Cóatls there are and how long they are."""
    rows = []
    for group in figures.groups:
        for key, distribution in (
            ("balance_coatls_done", group.coatls),
            ("balance_coatls_open", group.unfinished),
            ("balance_pieces", group.pieces),
            ("balance_coatl_points", group.coatl_points),
        ):
            rows.append(
                [
                    TableCell(formatter.describe_group(group.group)),
                    TableCell(formatter.label(key)),
                    *_make_distribution_cells(distribution, formatter),
                ]
            )
    columns = ("players", "balance_what", *_DISTRIBUTION_COLUMNS)
    captions = {"coatls": "balance_caption_coatls", "pieces": "balance_caption_pieces"}
    return PageSection(
        "coatls",
        formatter.label("balance_coatls"),
        plots=list_plots(captions, plots, formatter),
        tables=[_make_table("balance_coatls_caption", columns, rows, formatter)],
    )


def build_turns_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> PageSection:
    """Build the section on what turns are used for."""
    rows = [
        [
            TableCell(formatter.describe_group(group.group)),
            TableCell(bot.name),
            make_count_cell(bot.points.n, formatter),
            *(
                TableCell(formatter.format_decimal(n / bot.points.n, 1), n / bot.points.n)
                for n in bot.uses
            ),
        ]
        for group in figures.groups
        for bot in group.bots
    ]
    columns = (
        *("players", "balance_bot", "balance_number", "balance_turns", "balance_takes"),
        *("balance_choices", "balance_assemblies", "balance_tokens"),
    )
    return PageSection(
        "turns",
        formatter.label("balance_uses"),
        plots=list_plots({"uses": "balance_caption_uses"}, plots, formatter),
        tables=[_make_table("balance_uses_caption", columns, rows, formatter)],
    )


def build_adam_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> PageSection | None:
    """Build the solo game, level by level; None if there was none."""
    rows = [
        [
            TableCell(formatter.describe_group(group.group)),
            make_count_cell(group.games, formatter),
            _make_rate_cell(group.seats[0].wins, formatter),
            _make_mean_cell(group.seats[0].points.mean, formatter),
            _make_mean_cell(group.adam.points.mean, formatter),
        ]
        for group in figures.groups
        if group.adam is not None
    ]
    if not rows:
        return None
    columns = (
        *("players", "balance_games"),
        *("balance_adam_wins", "balance_adam_own", "balance_adam_its"),
    )
    return PageSection(
        "adam",
        formatter.label("balance_adam"),
        plots=list_plots({"adam": "balance_caption_rates"}, plots, formatter),
        tables=[_make_table("balance_adam_caption", columns, rows, formatter)],
    )


def build_bots_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> PageSection | None:
    """Build the comparison of kinds of bots; None if there is only one."""
    if len(figures.bots) < 2:
        return None
    rows = []
    for group in figures.groups:
        expected = None if group.group.solo else 1 / group.group.size
        expected_text = DASH if expected is None else formatter.format_percent(expected)
        for bot in group.bots:
            rows.append(
                [
                    TableCell(formatter.describe_group(group.group)),
                    TableCell(bot.name),
                    make_count_cell(bot.points.n, formatter),
                    _make_rate_cell(bot.wins, formatter),
                    TableCell(expected_text, expected),
                    _make_mean_cell(bot.points.mean, formatter),
                ]
            )
    columns = (
        *("players", "balance_bot", "balance_number"),
        *("balance_victories", "balance_expected", "points"),
    )
    return PageSection(
        "bots",
        formatter.label("balance_bots"),
        plots=list_plots({"bots": "balance_caption_bots"}, plots, formatter),
        tables=[_make_table("balance_bots_caption", columns, rows, formatter)],
    )


def _list_players(
    group: GroupFigures, formatter: ReportFormatter
) -> list[tuple[str, PlayerFigures]]:
    """List the seats of a group, and A.D.A.M., with their names."""
    players = [
        (
            formatter.label("balance_player")
            if group.group.solo
            else formatter.label("balance_seat", seat=seat.name),
            seat,
        )
        for seat in group.seats
    ]
    return players if group.adam is None else [*players, (_ADAM, group.adam)]


def _make_table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[TableCell]],
    formatter: ReportFormatter,
    notice: str = "",
) -> TextTable:
    """Make a table; `caption` and `columns` are keys of labels."""
    heads = [formatter.label(column) for column in columns]
    return TextTable(formatter.label(caption), heads, rows, notice)


def _make_rate_cell(rate: Rate | None, formatter: ReportFormatter) -> TableCell:
    return TableCell(formatter.format_rate(rate), rate.share if rate else None)


def _make_mean_cell(mean: Mean | None, formatter: ReportFormatter) -> TableCell:
    return TableCell(formatter.format_mean(mean, 1), mean.mean if mean else None)


def _make_distribution_cells(
    distribution: Distribution, formatter: ReportFormatter
) -> list[TableCell]:
    """Make the cells of `_DISTRIBUTION_COLUMNS`."""
    if not distribution.n:
        return [TableCell("0", 0), *[TableCell(DASH)] * 6]
    quartiles = [distribution.quantile(part / 4) for part in range(5)]
    return [
        make_count_cell(distribution.n, formatter),
        _make_mean_cell(distribution.mean, formatter),
        *(
            TableCell(formatter.format_decimal(place, int(place % 1 > 0)), place)
            for place in quartiles
        ),
    ]
