"""Cards on the page: verdicts on one's own, plots, and a table of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coatl_tools.balance.figures import CardFigures, Figures
from coatl_tools.balance.html import (
    Cell,
    Html,
    asked,
    below,
    figure,
    paragraph,
    said,
    table,
    tag,
)
from coatl_tools.balance.plots import Plot
from coatl_tools.balance.verdict import Estimate, Judgement, Measure, Verdict, is_own, verdicts
from coatl_tools.balance.words import DASH, Words
from coatl_tools.cards.card import Card
from coatl_tools.cards.wording import describe

_JUDGEMENTS = {
    Judgement.TOO_WEAK: "balance_too_weak",
    Judgement.WEAK: "balance_weak",
    Judgement.FITS: "balance_fits",
    Judgement.STRONG: "balance_strong",
    Judgement.TOO_STRONG: "balance_too_strong",
    Judgement.UNCLEAR: "balance_unclear",
    Judgement.DISAGREE: "balance_disagree",
    Judgement.NO_DATA: "balance_no_verdict",
}


def judged(judgement: Judgement, words: Words) -> str:
    """A judgement, as a sentence."""
    return words.label(_JUDGEMENTS[judgement])


def own_section(figures: Figures, words: Words) -> str:
    """What is to be said of one's own cards; empty if there are none."""
    found = verdicts(figures.cards)
    if not found:
        return ""
    shown = [paragraph(words.label("balance_own_how"), "faint")]
    return "".join([*shown, *(_verdict(verdict, words) for verdict in found)])


def _verdict(verdict: Verdict, words: Words) -> str:
    card = verdict.card
    kind = words.kind(card) if card.colour is None else f"{words.kind(card)}, {words.colour(card)}"
    asks = f"{asked(card.requirement, words)}<br>{said(describe(card, words.language.code))}"

    def share(value: float) -> str:
        return words.decimal(100 * value, 1, sign=True)

    wins = verdict.wins.estimate
    beyond = "" if wins is None else words.label("balance_points_of", points=share(wins.value))
    points = verdict.points.estimate
    measures: list[tuple[str, Measure, Callable[[float], str], str]] = [
        ("balance_per_appearance", verdict.points, words.decimal, _value(points, words)),
        ("balance_edge", verdict.wins, share, beyond),
    ]
    return tag(
        "div",
        Html(tag("h3", f"► {card.id}: {judged(verdict.judgement, words)}")),
        Html(paragraph(Html(f"{said(kind)}. {asks}"))),
        *(
            Html(paragraph(Html(_measured(title, measure, say, value, card, words))))
            for title, measure, say, value in measures
        ),
        class_="verdict",
    )


def _value(estimate: Estimate | None, words: Words) -> str:
    return "" if estimate is None else words.decimal(estimate.value)


def _measured(
    title: str,
    measure: Measure,
    say: Callable[[float], str],
    value: str,
    card: Card,
    words: Words,
) -> str:
    """What one measure says, with its interval, beside the other cards."""
    name, own = tag("strong", words.label(title)), measure.estimate
    if own is None:
        return f"{name}: {said(words.no_data)}"
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
    parts.append(judged(measure.judgement, words))
    return f"{name}: {said(' '.join(parts))}"


def card_section(figures: Figures, plots: Mapping[str, Plot], words: Words) -> str:
    """Plots and a table of all cards."""
    drawn = [
        figure(plots.get("card-points"), words.label("balance_caption_points"), words),
        figure(plots.get("card-wins"), words.label("balance_caption_wins"), words),
        figure(plots.get("card-fates"), words.label("balance_caption_fates"), words),
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
    rows = [(is_own(card.card), _row(card, words)) for card in figures.cards]
    solo = any(found.group.solo for found in figures.groups)
    return "".join(
        [
            tag("div", Html("".join(drawn)), class_="plots"),
            paragraph(words.label("balance_cards_how")),
            paragraph(words.label("balance_cards_adam")) if solo else "",
            table(words.label("balance_cards_caption"), columns, rows, sortable=True),
        ]
    )


def _row(figures: CardFigures, words: Words) -> list[Cell]:
    card = figures.card
    text = f"{asked(card.requirement, words)}<br>{said(describe(card, words.language.code))}"
    first, placing, wins = figures.per_appearance, figures.per_placing, figures.wins
    usual = figures.expected / figures.placed if figures.placed else None
    yours = tag("small", words.label("balance_yours"))
    name = f"► {said(card.id)}<br>{yours}" if is_own(card) else said(card.id)
    return [
        Cell(Html(name)),
        Cell(Html(_kind(card, words))),
        Cell(Html(tag("span", Html(text), class_="words"))),
        Cell(words.count(figures.appeared), figures.appeared),
        _share(figures.taken, figures.appeared, words),
        _share(figures.placed, figures.taken, words),
        Cell(Html(_levels(figures, words))),
        Cell(below(words.mean(first)), first.mean if first else None),
        Cell(below(words.mean(placing)), placing.mean if placing else None),
        Cell(below(words.rate(wins)), wins.share if wins else None),
        Cell(words.percent(usual) if usual is not None else DASH, usual),
        _share(figures.broken, figures.placed, words),
    ]


def _share(part: int, whole: int, words: Words) -> Cell:
    return Cell(words.part(part, whole), part / whole if whole else None)


def _levels(figures: CardFigures, words: Words) -> str:
    if not figures.placed:
        return DASH
    shares = (words.part(n, figures.placed) for n in figures.levels)
    lines = "<br>".join(said(f"{level}: {share}") for level, share in enumerate(shares))
    return tag("span", Html(lines), class_="levels")


def _kind(card: Card, words: Words) -> str:
    colour = "" if card.colour is None else f"<br>{said(words.colour(card))}"
    return said(words.kind(card)) + colour
