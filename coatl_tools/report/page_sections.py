"""The sections of the report page: a player's own cards, all cards, scores, lengths, Cóatls,
turns, A.D.A.M. and bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card
from coatl_tools.report.figures import (
    CardFigures,
    Distribution,
    GameGroup,
    PlayerFigures,
    ReportFigures,
)
from coatl_tools.report.formatting import DASH, ReportFormatter
from coatl_tools.report.game_source import SimulationSource
from coatl_tools.report.html_elements import (
    HtmlCell,
    SafeHtml,
    escape_text,
    render_html_table,
    render_interval_below,
    render_paragraph,
    render_plot_figure,
    render_requirement,
    render_tag,
)
from coatl_tools.report.plots import Plot
from coatl_tools.report.verdicts import (
    CardStrength,
    CardVerdict,
    Estimate,
    PeerComparison,
    is_own_card,
    judge_own_cards,
)
from coatl_tools.rules.game import TableOptions

_STRENGTH_LABELS = {
    CardStrength.TOO_WEAK: "balance_too_weak",
    CardStrength.WEAK: "balance_weak",
    CardStrength.FITS: "balance_fits",
    CardStrength.STRONG: "balance_strong",
    CardStrength.TOO_STRONG: "balance_too_strong",
    CardStrength.UNCLEAR: "balance_unclear",
    CardStrength.DISAGREE: "balance_disagree",
    CardStrength.NO_DATA: "balance_no_verdict",
}


def describe_strength(judgement: CardStrength, words: ReportFormatter) -> str:
    """A judgement, as a sentence."""
    return words.label(_STRENGTH_LABELS[judgement])


def render_own_cards_section(figures: ReportFigures, words: ReportFormatter) -> str:
    """What is to be said of one's own cards; empty if there are none."""
    found = judge_own_cards(figures.cards)
    if not found:
        return ""
    shown = [render_paragraph(words.label("balance_own_how"), "faint")]
    return "".join([*shown, *(_render_verdict(verdict, words) for verdict in found)])


def _render_verdict(verdict: CardVerdict, words: ReportFormatter) -> str:
    card = verdict.card
    kind = words.kind(card) if card.colour is None else f"{words.kind(card)}, {words.colour(card)}"
    asks = (
        f"{render_requirement(card.requirement, words)}<br>"
        f"{escape_text(describe_card(card, words.language.code))}"
    )

    def share(value: float) -> str:
        return words.decimal(100 * value, 1, sign=True)

    wins = verdict.wins.estimate
    beyond = "" if wins is None else words.label("balance_points_of", points=share(wins.value))
    points = verdict.points.estimate
    measures: list[tuple[str, PeerComparison, Callable[[float], str], str]] = [
        ("balance_per_appearance", verdict.points, words.decimal, _format_value(points, words)),
        ("balance_edge", verdict.wins, share, beyond),
    ]
    return render_tag(
        "div",
        SafeHtml(render_tag("h3", f"► {card.id}: {describe_strength(verdict.judgement, words)}")),
        SafeHtml(render_paragraph(SafeHtml(f"{escape_text(kind)}. {asks}"))),
        *(
            SafeHtml(
                render_paragraph(
                    SafeHtml(_render_comparison(title, measure, say, value, card, words))
                )
            )
            for title, measure, say, value in measures
        ),
        class_="verdict",
    )


def _format_value(estimate: Estimate | None, words: ReportFormatter) -> str:
    return "" if estimate is None else words.decimal(estimate.value)


def _render_comparison(
    title: str,
    measure: PeerComparison,
    say: Callable[[float], str],
    value: str,
    card: Card,
    words: ReportFormatter,
) -> str:
    """What one measure says, with its interval, beside the other cards."""
    name, own = render_tag("strong", words.label(title)), measure.estimate
    if own is None:
        return f"{name}: {escape_text(words.no_data)}"
    parts = [words.label("balance_measured", value=value, low=say(own.low), high=say(own.high))]
    if measure.peers:
        cards = words.kind_cards(card.kind)
        more, surely, of = measure.more_than, measure.surely, measure.peers
        parts.append(words.label("balance_more_than", more=more, surely=surely, of=of, cards=cards))
    for key, middle in (
        ("balance_middle_is", measure.middle),
        ("balance_colour_middle_is", measure.colour_middle),
    ):
        if middle is not None:
            parts.append(words.label(key, low=say(middle[0]), high=say(middle[1])))
    parts.append(describe_strength(measure.judgement, words))
    return f"{name}: {escape_text(' '.join(parts))}"


def render_cards_section(
    figures: ReportFigures, plots: Mapping[str, Plot], words: ReportFormatter
) -> str:
    """Plots and a table of all cards."""
    drawn = [
        render_plot_figure(plots.get("card-points"), words.label("balance_caption_points"), words),
        render_plot_figure(plots.get("card-wins"), words.label("balance_caption_wins"), words),
        render_plot_figure(plots.get("card-fates"), words.label("balance_caption_fates"), words),
    ]
    columns = [
        words.label("card"),
        words.label("balance_kind"),
        words.label("asks"),
        words.label("balance_appeared"),
        words.label("balance_taken"),
        words.label("balance_placed"),
        words.label("balance_levels"),
        words.label("balance_per_appearance"),
        words.label("balance_per_placing"),
        words.label("balance_won"),
        words.label("balance_expected"),
        words.label("balance_broken"),
    ]
    rows = [(is_own_card(card.card), _build_card_row(card, words)) for card in figures.cards]
    solo = any(found.group.solo for found in figures.groups)
    return "".join(
        [
            render_tag("div", SafeHtml("".join(drawn)), class_="plots"),
            render_paragraph(words.label("balance_cards_how")),
            render_paragraph(words.label("balance_cards_adam")) if solo else "",
            render_html_table(words.label("balance_cards_caption"), columns, rows, sortable=True),
        ]
    )


def _build_card_row(figures: CardFigures, words: ReportFormatter) -> list[HtmlCell]:
    card = figures.card
    text = (
        f"{render_requirement(card.requirement, words)}<br>"
        f"{escape_text(describe_card(card, words.language.code))}"
    )
    first, placing, wins = figures.per_appearance, figures.per_placing, figures.wins
    usual = figures.expected / figures.placed if figures.placed else None
    yours = render_tag("small", words.label("balance_yours"))
    name = f"► {escape_text(card.id)}<br>{yours}" if is_own_card(card) else escape_text(card.id)
    return [
        HtmlCell(SafeHtml(name)),
        HtmlCell(SafeHtml(_render_kind(card, words))),
        HtmlCell(SafeHtml(render_tag("span", SafeHtml(text), class_="words"))),
        HtmlCell(words.count(figures.appeared), figures.appeared),
        _make_share_cell(figures.taken, figures.appeared, words),
        _make_share_cell(figures.placed, figures.taken, words),
        HtmlCell(SafeHtml(_render_levels(figures, words))),
        HtmlCell(render_interval_below(words.mean(first)), first.mean if first else None),
        HtmlCell(render_interval_below(words.mean(placing)), placing.mean if placing else None),
        HtmlCell(render_interval_below(words.rate(wins)), wins.share if wins else None),
        HtmlCell(words.percent(usual) if usual is not None else DASH, usual),
        _make_share_cell(figures.broken, figures.placed, words),
    ]


def _make_share_cell(part: int, whole: int, words: ReportFormatter) -> HtmlCell:
    return HtmlCell(words.part(part, whole), part / whole if whole else None)


def _render_levels(figures: CardFigures, words: ReportFormatter) -> str:
    if not figures.placed:
        return DASH
    shares = (words.part(n, figures.placed) for n in figures.levels)
    lines = "<br>".join(escape_text(f"{level}: {share}") for level, share in enumerate(shares))
    return render_tag("span", SafeHtml(lines), class_="levels")


def _render_kind(card: Card, words: ReportFormatter) -> str:
    colour = "" if card.colour is None else f"<br>{escape_text(words.colour(card))}"
    return escape_text(words.kind(card)) + colour


PlotsByName = Mapping[str, Plot]
HtmlRows = list[tuple[bool, Sequence[HtmlCell]]]


def render_summary_section(
    figures: ReportFigures, sources: Sequence[SimulationSource], words: ReportFormatter
) -> str:
    """Which games these are, and who won."""
    rows: HtmlRows = [
        (
            False,
            [
                HtmlCell(source.name),
                HtmlCell(words.group(GameGroup(len(source.plan.players)))),
                _make_number_cell(source.plan.games, words),
                HtmlCell(_describe_bots(source)),
                HtmlCell(str(source.plan.seed)),
                HtmlCell(_describe_options(source, words)),
            ],
        )
        for source in sources
    ]
    columns = [
        words.label("balance_folder"),
        words.label("players"),
        words.label("balance_games"),
        words.label("balance_bots"),
        words.label("balance_seed"),
        words.label("balance_options"),
    ]
    text = render_html_table(words.label("balance_sources"), columns, rows)
    if _has_mixed_options(sources):
        text += render_paragraph(words.label("balance_mixed"), "notice")
    return text + _render_victories(figures, words)


def _describe_bots(source: SimulationSource) -> str:
    counted = Counter(source.plan.players)
    return ", ".join(f"{n} × {name}" for name, n in counted.items())


def _describe_options(source: SimulationSource, words: ReportFormatter) -> str:
    """Those that are not as they usually are."""
    return (
        ", ".join(f"{name}: {value}" for name, value in source.unusual(words.language.code)) or DASH
    )


def _has_mixed_options(sources: Sequence[SimulationSource]) -> bool:
    """Whether games of as many players are put together that were played by different rules."""
    played: dict[int, TableOptions] = {}
    options = [source.plan.options for source in sources]
    return any(played.setdefault(len(one.players), one) != one for one in options)


def _render_victories(figures: ReportFigures, words: ReportFormatter) -> str:
    rows: HtmlRows = []
    for found in figures.groups:
        group = words.group(found.group)
        for seat in found.seats:
            rows.append(
                (
                    False,
                    _build_victory_row(
                        group, _describe_seat(seat, found.group.solo, words), seat, words
                    ),
                )
            )
        if found.adam is not None:
            rows.append((False, _build_victory_row(group, "A.D.A.M.", found.adam, words)))
        if found.shared:
            share = words.part(found.shared, found.games)
            cells = [
                HtmlCell(group),
                HtmlCell(words.label("balance_shared")),
                _make_number_cell(found.shared, words),
            ]
            rows.append((False, [*cells, HtmlCell(share, found.shared / found.games)]))
    columns = [
        words.label("players"),
        words.label("balance_who"),
        words.label("balance_games"),
        words.label("balance_victories"),
    ]
    return render_html_table(words.label("balance_victories_caption"), columns, rows)


def _describe_seat(seat: PlayerFigures, solo: bool, words: ReportFormatter) -> str:
    return words.label("balance_player") if solo else words.label("balance_seat", seat=seat.name)


def _build_victory_row(
    group: str, who: str, players: PlayerFigures, words: ReportFormatter
) -> list[HtmlCell]:
    wins = players.wins
    return [
        HtmlCell(group),
        HtmlCell(who),
        _make_number_cell(players.points.n, words),
        HtmlCell(words.rate(wins), wins.share if wins else None),
    ]


def _make_number_cell(number: int, words: ReportFormatter) -> HtmlCell:
    return HtmlCell(words.count(number), number)


def render_scores_section(
    figures: ReportFigures, plots: PlotsByName, words: ReportFormatter
) -> str:
    """Scores by number of players and seat."""
    rows: HtmlRows = []
    for found in figures.groups:
        group = words.group(found.group)
        for seat in found.seats:
            who = _describe_seat(seat, found.group.solo, words)
            rows.append(
                (
                    False,
                    [
                        HtmlCell(group),
                        HtmlCell(who),
                        *_build_distribution_cells(seat.points, words),
                    ],
                )
            )
        if found.adam is not None:
            spread = found.adam.points
            rows.append(
                (
                    False,
                    [
                        HtmlCell(group),
                        HtmlCell("A.D.A.M."),
                        *_build_distribution_cells(spread, words),
                    ],
                )
            )
    columns = [
        words.label("players"),
        words.label("balance_who"),
        *_list_distribution_columns(words),
    ]
    return _render_plots([("scores", "balance_caption_boxes")], plots, words) + render_html_table(
        words.label("balance_scores_caption"), columns, rows
    )


def _list_distribution_columns(words: ReportFormatter) -> list[str]:
    return [
        words.label("balance_number"),
        words.label("balance_mean"),
        words.label("balance_least"),
        words.label("balance_quarter"),
        words.label("balance_median"),
        words.label("balance_three_quarters"),
        words.label("balance_most"),
    ]


def _build_distribution_cells(spread: Distribution, words: ReportFormatter) -> list[HtmlCell]:
    if not spread.n:
        return [HtmlCell("0", 0), *[HtmlCell(DASH)] * 6]
    mean = spread.mean
    places = [spread.quantile(part / 4) for part in range(5)]
    return [
        _make_number_cell(spread.n, words),
        HtmlCell(words.mean(mean, 1), mean.mean if mean else None),
        *(HtmlCell(words.decimal(place, int(place % 1 > 0)), place) for place in places),
    ]


def _render_plots(
    drawn: Sequence[tuple[str, str]], plots: PlotsByName, words: ReportFormatter
) -> str:
    figures = [
        render_plot_figure(plots.get(name), words.label(caption), words) for name, caption in drawn
    ]
    return render_tag("div", SafeHtml("".join(figures)), class_="plots")


def render_lengths_section(
    figures: ReportFigures, plots: PlotsByName, words: ReportFormatter
) -> str:
    """How long games are, and how they end."""
    lengths: HtmlRows = []
    endings: HtmlRows = []
    for found in figures.groups:
        group = words.group(found.group)
        lengths.append((False, [HtmlCell(group), *_build_distribution_cells(found.turns, words)]))
        shares = [
            HtmlCell(words.part(n, found.games), n / found.games)
            for n in (found.endings.get(key, 0) for key in ("third", "bodies", "passed"))
        ]
        endings.append((False, [HtmlCell(group), _make_number_cell(found.games, words), *shares]))
    columns = [
        words.label("players"),
        words.label("balance_games"),
        words.label("balance_third"),
        words.label("balance_bodies"),
        words.label("balance_passed"),
    ]
    drawn = [("lengths", "balance_caption_lengths"), ("endings", "balance_caption_endings")]
    return "".join(
        [
            _render_plots(drawn, plots, words),
            render_html_table(
                words.label("balance_length_caption"),
                [words.label("players"), *_list_distribution_columns(words)],
                lengths,
            ),
            render_html_table(words.label("balance_endings"), columns, endings),
        ]
    )


def render_coatls_section(
    figures: ReportFigures, plots: PlotsByName, words: ReportFormatter
) -> str:
    """How many Cóatls there are, and how long they are."""
    rows: HtmlRows = []
    for found in figures.groups:
        for title, spread in (
            ("balance_coatls_done", found.coatls),
            ("balance_coatls_open", found.unfinished),
            ("balance_pieces", found.pieces),
            ("balance_coatl_points", found.coatl_points),
        ):
            group = words.group(found.group)
            rows.append(
                (
                    False,
                    [
                        HtmlCell(group),
                        HtmlCell(words.label(title)),
                        *_build_distribution_cells(spread, words),
                    ],
                )
            )
    columns = [
        words.label("players"),
        words.label("balance_what"),
        *_list_distribution_columns(words),
    ]
    drawn = [("coatls", "balance_caption_coatls"), ("pieces", "balance_caption_pieces")]
    return _render_plots(drawn, plots, words) + render_html_table(
        words.label("balance_coatls_caption"), columns, rows
    )


def render_turns_section(figures: ReportFigures, plots: PlotsByName, words: ReportFormatter) -> str:
    """What turns are used for."""
    rows: HtmlRows = []
    for found in figures.groups:
        for bot in found.bots:
            per_player = [
                HtmlCell(words.decimal(n / bot.points.n, 1), n / bot.points.n) for n in bot.uses
            ]
            cells = [
                HtmlCell(words.group(found.group)),
                HtmlCell(bot.name),
                _make_number_cell(bot.points.n, words),
            ]
            rows.append((False, [*cells, *per_player]))
    columns = [
        words.label("players"),
        words.label("balance_bot"),
        words.label("balance_number"),
        words.label("balance_turns"),
        words.label("balance_takes"),
        words.label("balance_choices"),
        words.label("balance_assemblies"),
        words.label("balance_tokens"),
    ]
    return _render_plots([("uses", "balance_caption_uses")], plots, words) + render_html_table(
        words.label("balance_uses_caption"), columns, rows
    )


def render_adam_section(figures: ReportFigures, plots: PlotsByName, words: ReportFormatter) -> str:
    """The solo game, level by level; empty if there was none."""
    rows: HtmlRows = []
    for found in figures.groups:
        if found.adam is None:
            continue
        player, adam = found.seats[0], found.adam
        wins, own, its = player.wins, player.points.mean, adam.points.mean
        rows.append(
            (
                False,
                [
                    HtmlCell(words.group(found.group)),
                    _make_number_cell(found.games, words),
                    HtmlCell(words.rate(wins), wins.share if wins else None),
                    HtmlCell(words.mean(own, 1), own.mean if own else None),
                    HtmlCell(words.mean(its, 1), its.mean if its else None),
                ],
            )
        )
    if not rows:
        return ""
    columns = [
        words.label("players"),
        words.label("balance_games"),
        words.label("balance_adam_wins"),
        words.label("balance_adam_own"),
        words.label("balance_adam_its"),
    ]
    return _render_plots([("adam", "balance_caption_rates")], plots, words) + render_html_table(
        words.label("balance_adam_caption"), columns, rows
    )


def render_bots_section(figures: ReportFigures, plots: PlotsByName, words: ReportFormatter) -> str:
    """Kinds of bots side by side; empty if there is only one."""
    if len(figures.bots) < 2:
        return ""
    rows: HtmlRows = []
    for found in figures.groups:
        for bot in found.bots:
            wins, points = bot.wins, bot.points.mean
            usual = None if found.group.solo else 1 / found.group.size
            rows.append(
                (
                    False,
                    [
                        HtmlCell(words.group(found.group)),
                        HtmlCell(bot.name),
                        _make_number_cell(bot.points.n, words),
                        HtmlCell(words.rate(wins), wins.share if wins else None),
                        HtmlCell(DASH if usual is None else words.percent(usual), usual),
                        HtmlCell(words.mean(points, 1), points.mean if points else None),
                    ],
                )
            )
    columns = [
        words.label("players"),
        words.label("balance_bot"),
        words.label("balance_number"),
        words.label("balance_victories"),
        words.label("balance_expected"),
        words.label("points"),
    ]
    return _render_plots([("bots", "balance_caption_bots")], plots, words) + render_html_table(
        words.label("balance_bots_caption"), columns, rows
    )
