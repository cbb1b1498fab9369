"""The sections of the report about cards: the verdicts on a player's own, and all cards."""

from __future__ import annotations

from collections.abc import Callable

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Requirement,
    SequenceElement,
    Several,
)
from coatl_tools.pieces import Colour
from coatl_tools.report.formatting import DASH, ReportFormatter
from coatl_tools.report.page_view import (
    CardRow,
    CardTable,
    PlotsByName,
    ReportSection,
    RequirementMark,
    TableCell,
    VerdictView,
    list_plots,
    make_count_cell,
    make_mean_cell,
    make_rate_cell,
    make_share_cell,
)
from coatl_tools.report.report_figures import CardFigures, ReportFigures
from coatl_tools.report.verdicts import (
    CardStrength,
    CardVerdict,
    PeerComparison,
    is_own_card,
    judge_own_cards,
)

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


def describe_strength(strength: CardStrength, formatter: ReportFormatter) -> str:
    """Describe how strong a card is, in a sentence."""
    return formatter.label(_STRENGTH_LABELS[strength])


def build_own_cards_section(
    figures: ReportFigures, formatter: ReportFormatter
) -> ReportSection | None:
    """Build the verdicts on a player's own cards; None if there are none."""
    verdicts = judge_own_cards(figures.cards)
    if not verdicts:
        return None
    return ReportSection(
        "own",
        formatter.label("balance_own"),
        introduction=formatter.label("balance_own_how"),
        verdicts=[_build_verdict(verdict, formatter) for verdict in verdicts],
    )


def _build_verdict(verdict: CardVerdict, formatter: ReportFormatter) -> VerdictView:
    card = verdict.card
    kind = formatter.describe_kind(card)
    if card.colour is not None:
        kind = f"{kind}, {formatter.describe_colour(card)}"

    def format_win_points(share: float) -> str:
        return formatter.format_decimal(100 * share, 1, sign=True)

    def format_win_value(share: float) -> str:
        return formatter.label("balance_points_of", points=format_win_points(share))

    number = formatter.format_decimal
    points = _describe_comparison(verdict.points, card, formatter, number, number)
    wins = _describe_comparison(verdict.wins, card, formatter, format_win_value, format_win_points)
    return VerdictView(
        card_id=card.id,
        judgement=describe_strength(verdict.judgement, formatter),
        kind=kind,
        requirement=list_requirement_marks(card.requirement, formatter),
        text=describe_card(card, formatter.language.code),
        measures=[
            (formatter.label("balance_per_appearance"), points),
            (formatter.label("balance_edge"), wins),
        ],
    )


def _describe_comparison(
    measure: PeerComparison,
    card: Card,
    formatter: ReportFormatter,
    format_value: Callable[[float], str],
    format_bound: Callable[[float], str],
) -> str:
    """Describe what one measure says, with its interval, beside the other cards."""
    own = measure.estimate
    if own is None:
        return formatter.no_data
    sentences = [
        formatter.label(
            "balance_measured",
            value=format_value(own.value),
            low=format_bound(own.low),
            high=format_bound(own.high),
        )
    ]
    if measure.peers:
        sentences.append(
            formatter.label(
                "balance_more_than",
                more=measure.more_than,
                surely=measure.surely_more_than,
                of=measure.peers,
                cards=formatter.describe_cards_of_kind(card.kind),
            )
        )
    for key, middle in (
        ("balance_middle_is", measure.middle_half),
        ("balance_colour_middle_is", measure.colour_middle_half),
    ):
        if middle is not None:
            low, high = map(format_bound, middle)
            sentences.append(formatter.label(key, low=low, high=high))
    sentences.append(describe_strength(measure.judgement, formatter))
    return " ".join(sentences)


def build_cards_section(
    figures: ReportFigures, plots: PlotsByName, formatter: ReportFormatter
) -> ReportSection:
    """Build the plots and the table of all cards."""
    columns = (
        *("card", "balance_kind", "asks", "balance_appeared", "balance_taken", "balance_placed"),
        *("balance_levels", "balance_per_appearance", "balance_per_placing", "balance_won"),
        *("balance_expected", "balance_broken"),
    )
    captions = {
        "card-points": "balance_caption_points",
        "card-wins": "balance_caption_wins",
        "card-fates": "balance_caption_fates",
    }
    paragraphs = [formatter.label("balance_cards_how")]
    if any(group.group.solo for group in figures.groups):
        paragraphs.append(formatter.label("balance_cards_adam"))
    return ReportSection(
        "cards",
        formatter.label("balance_cards"),
        plots=list_plots(captions, plots, formatter),
        paragraphs=paragraphs,
        cards=CardTable(
            caption=formatter.label("balance_cards_caption"),
            columns=[formatter.label(key) for key in columns],
            rows=[_build_card_row(card, formatter) for card in figures.cards],
            own_label=formatter.label("balance_yours"),
        ),
    )


def _build_card_row(figures: CardFigures, formatter: ReportFormatter) -> CardRow:
    card, placed = figures.card, figures.placed
    expected = figures.expected / placed if placed else None
    return CardRow(
        card_id=card.id,
        is_own=is_own_card(card),
        kind=formatter.describe_kind(card),
        colour="" if card.colour is None else formatter.describe_colour(card),
        requirement=list_requirement_marks(card.requirement, formatter),
        text=describe_card(card, formatter.language.code),
        counts=[
            make_count_cell(figures.appearances, formatter),
            make_share_cell(figures.taken, figures.appearances, formatter),
            make_share_cell(placed, figures.taken, formatter),
        ],
        levels=[formatter.format_part(n, placed) for n in figures.levels] if placed else [],
        results=[
            _split_interval(make_mean_cell(figures.per_appearance, formatter)),
            _split_interval(make_mean_cell(figures.per_placing, formatter)),
            _split_interval(make_rate_cell(figures.wins, formatter)),
            TableCell(DASH if expected is None else formatter.format_percent(expected), expected),
            make_share_cell(figures.worthless_placings, placed, formatter),
        ],
    )


def _split_interval(cell: TableCell) -> TableCell:
    """Put the interval below its number, so that the column is narrow."""
    value, bracket, interval = cell.text.partition(" (")
    return TableCell(value, cell.number, small=f"({interval}" if bracket else "")


def list_requirement_marks(
    requirement: Requirement, formatter: ReportFormatter
) -> list[RequirementMark]:
    """List what a card asks for, as pieces and the signs between them."""
    match requirement:
        case ColourCount(colour):
            return [RequirementMark("n × "), _make_piece(colour)]
        case PieceSequence(elements, before, after):
            parts = [_list_element_marks(element) for element in elements]
            if before is not None:
                parts.insert(0, [_make_piece(before, crossed_out=True)])
            if after is not None:
                parts.append([_make_piece(after, crossed_out=True)])
            return _join_marks(" ", parts)
        case Multiset(needs):
            return _join_marks(
                " + ",
                [[RequirementMark(f"{n}×"), _make_piece(colour)] for colour, n in needs],
            )
        case Several(several):
            return _join_marks("; ", [list_requirement_marks(part, formatter) for part in several])
        case Absent(colour):
            return [RequirementMark("0 × "), _make_piece(colour)]
        case Equal(first, second):
            return [_make_piece(first), RequirementMark(" = "), _make_piece(second)]
        case Length(pieces):
            return [RequirementMark(formatter.label("exactly_brief", pieces))]
        case NoProphecy(colour):
            return [RequirementMark(f"0 × {formatter.label('prophecy')} "), _make_piece(colour)]


def _list_element_marks(element: SequenceElement) -> list[RequirementMark]:
    marks = [RequirementMark("*") if element.colour is None else _make_piece(element.colour)]
    return [*marks, RequirementMark("+")] if element.run else marks


def _make_piece(colour: Colour, *, crossed_out: bool = False) -> RequirementMark:
    return RequirementMark(f"{colour.symbol}{colour.name}", colour, crossed_out)


def _join_marks(separator: str, parts: list[list[RequirementMark]]) -> list[RequirementMark]:
    joined: list[RequirementMark] = []
    for part in parts:
        if joined:
            joined.append(RequirementMark(separator))
        joined += part
    return joined
