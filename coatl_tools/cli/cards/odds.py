"""`coatl cards odds`: how hard cards are, in percent and as bars and curves of signs."""

from __future__ import annotations

import importlib.util
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cli.shared_options import (
    FOLDER_TYPE,
    Settings,
    complete_card,
    json_option,
    shared_options,
    split_card_ids,
)
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.screen import NARROW_WIDTH, GridColumn, Screen
from coatl_tools.cli.terminal.stdio import can_encode, print_json
from coatl_tools.errors import CommandLineError
from coatl_tools.language import Language
from coatl_tools.pieces import MIN_COMPLETE_PIECES
from coatl_tools.scoring.odds import (
    BODIES_IN_BAG,
    DRAW_MODEL_LABELS,
    MAX_COMPLETE_PIECES,
    MAX_EXAMPLE_PIECES,
    NEVER_SIGN,
    CardOdds,
    DrawModel,
    LengthOdds,
    compute_odds,
    format_level,
    format_mean_points,
    format_percent,
    pick_evenly_spaced,
)

PLOT_SUFFIXES = (".png", ".svg")


@click.command()
@click.argument(
    "card_ids", metavar="CARD...", nargs=-1, required=True, shell_complete=complete_card
)
@click.option(
    "--pieces",
    metavar="NUMBER",
    default="3-15",
    show_default=True,
    help="How many pieces the Cóatls have: 7, or 4-12.",
)
@click.option(
    "--draw",
    "draw_name",
    type=click.Choice(["box", "even"]),
    default="box",
    show_default=True,
    help="box: draw pieces from a full box. even: every colour is equally likely for every piece.",
)
@click.option(
    "--plot", metavar="FILE", type=FOLDER_TYPE, help="Also draw a plot: a .png or .svg file."
)
@json_option
@shared_options
@click.pass_obj
def odds(
    settings: Settings,
    card_ids: tuple[str, ...],
    pieces: str,
    draw_name: str,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Show how hard cards are: how many random Cóatls reach each level.

    All complete Cóatls of a length are counted, not sampled: the numbers are exact. Several
    cards are compared.
    """
    lengths = _parse_lengths(pieces)
    catalog = settings.catalog()
    named = (catalog[card_id] for card_id in split_card_ids(card_ids))
    chosen = list({card.id: card for card in named}.values())  # each once
    if plot is not None:
        draw_plot = _load_plotter(plot, len(chosen))
    found = _count_odds(chosen, lengths, draw_name)
    if plot is not None:
        draw_plot(plot, found, settings.language)
    if as_json:
        data = [_serialize_odds(card_odds, settings.language) for card_odds in found]
        print_json(data[0] if len(data) == 1 else data)
        return

    screen = OddsPrinter(settings.language)
    screen.print_odds(found)
    if plot is not None:
        screen.print_label("odds_written", path=plot)


def _parse_lengths(text: str) -> range:
    """Parse `7` or `4-12`; CommandLineError for a length that no complete Cóatl has."""
    found = re.fullmatch(r"\s*([0-9]{1,999})\s*(?:[-–]\s*([0-9]{1,999})\s*)?", text)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    if low > high:
        raise CommandLineError("odds.pieces", text=text[:40])
    if low < MIN_COMPLETE_PIECES or high > MAX_COMPLETE_PIECES:
        raise CommandLineError(
            "odds.lengths",
            text=text[:40],
            least=MIN_COMPLETE_PIECES,
            most=MAX_COMPLETE_PIECES,
            bodies=BODIES_IN_BAG,
        )
    return range(low, high + 1)


def _load_plotter(path: Path, cards: int) -> Callable[[Path, Sequence[CardOdds], Language], None]:
    """Load what draws a plot; CommandLineError, before the work begins, if it cannot be made."""
    if path.suffix.lower() not in PLOT_SUFFIXES:
        raise CommandLineError("odds.suffix", path=path)
    if importlib.util.find_spec("matplotlib") is None:
        raise CommandLineError("odds.no_matplotlib")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its fonts: its affair

    # matplotlib is optional, and slow: only a plot needs it
    from coatl_tools.report.plots import odds_plot  # noqa: PLC0415

    if cards > odds_plot.MAX_PLOT_CARDS:
        raise CommandLineError("odds.many", n=cards, most=odds_plot.MAX_PLOT_CARDS)
    return odds_plot.draw_odds_plot


def _count_odds(cards: list[Card], lengths: range, draw_name: str) -> list[CardOdds]:
    found = []
    with ProgressBar(len(cards)) as bar:
        for card in cards:
            found.append(compute_odds(card, lengths, DrawModel(draw_name)))
            bar.update(len(found))
    return found


def _serialize_odds(card_odds: CardOdds, language: Language) -> dict[str, Any]:
    card = card_odds.card
    return {
        "id": card.id,
        "text": describe_card(card, language.code),
        "draw": card_odds.draw.value,
        "as_if_alone": card_odds.ignores_other_cards,
        "levels": [
            {"count": level.count, "points": level.points, "shortest": pieces}
            for level, pieces in zip(card.levels, card_odds.shortest, strict=True)
        ],
        "lengths": [
            {
                "pieces": length.pieces,
                "none": float(length.exactly[0]),
                "exactly": [float(share) for share in length.exactly[1:]],
                "at_least": [float(length.at_least(n + 1)) for n in range(len(card.levels))],
                "points": float(length.points),
            }
            for length in card_odds.lengths
        ],
    }


BAR_WIDTH = 20  # signs, each 5 percent of the Cóatls
LEVEL_SIGNS = "·123456789abcdefghijklmnopqrstuvwxyz"  # further levels are a +
CURVE_SIGNS = "·▁▂▃▄▅▆▇█"
ASCII_CURVE_SIGNS = ".123456789"
MAX_CURVE_WIDTH = 16  # signs


class OddsPrinter:
    """Prints one card in full, length by length, or several side by side, level by level."""

    def __init__(self, language: Language) -> None:
        self._screen = Screen(language)
        self._language = language

    def print_odds(self, found: Sequence[CardOdds]) -> None:
        """Print the odds, with what one needs to know to read them."""
        screen = self._screen
        for card_odds in found:
            card = card_odds.card
            screen.print_hanging(
                f"{screen.render_card_id(card)}  ", Text(describe_card(card, self._language.code))
            )
        model, percent = DRAW_MODEL_LABELS[found[0].draw], self._language.label("odds_percent")
        screen.print(f"{self._language.label(model)} {percent}", "")
        if len(found) == 1:
            self._print_single(found[0])
        else:
            self._print_comparison(found)
        others = [card_odds.card.id for card_odds in found if card_odds.ignores_other_cards]
        if others:
            screen.print("")
            self.print_label("odds_alone", ids=", ".join(others))

    def print_label(self, key: str, **values: object) -> None:
        """Print a label that is a sentence."""
        self._screen.print(self._language.label(key, None, **values))

    def _print_single(self, card_odds: CardOdds) -> None:
        """Print a table by length: the share of each level, the points, and a bar of levels."""
        screen, lengths = self._screen, card_odds.lengths
        first = _FilledColumn.from_label(
            screen.label("pieces"), [str(length.pieces) for length in lengths]
        )
        points = _FilledColumn.from_label(
            screen.label("points"), [self._points(length) for length in lengths]
        )
        bars = _FilledColumn(
            GridColumn(screen.label("level")), [render_level_bar(length) for length in lengths]
        )
        levels = [
            _FilledColumn.from_label(
                format_level(card_odds.card, level),
                [self._percent(n.at_least(number)) for n in lengths],
            )
            for number, level in enumerate(card_odds.card.levels, start=1)
        ]
        room = screen.width - first.width - points.width - bars.width
        together = [(0, len(levels))]  # a narrow screen has no columns
        narrow = screen.width < NARROW_WIDTH
        groups = together if narrow else _group_columns([level.width for level in levels], room)
        for begin, end in groups:
            shown = [first, *levels[begin:end], *([points, bars] if end == len(levels) else [])]
            rows = zip(*(filled.cells for filled in shown), strict=True)
            screen.print_grid(
                [filled.column for filled in shown], [list(map(Text, row)) for row in rows]
            )
            screen.print("")
        self.print_label(
            "odds_bar", percent=format_percent(Fraction(1, BAR_WIDTH), self._language, digits=0)
        )
        self.print_label("odds_shortest_line", levels=self._shortest(card_odds))

    def _shortest(self, card_odds: CardOdds) -> str:
        said = []
        for level, pieces in zip(card_odds.card.levels, card_odds.shortest, strict=True):
            key = "length_is" if pieces else "odds_no_shortest"
            length = self._language.label(key, pieces or MAX_EXAMPLE_PIECES)
            said.append(f"{length} ({format_level(card_odds.card, level)})")
        return self._language.card("semicolon").join(said)

    def _print_comparison(self, found: Sequence[CardOdds]) -> None:
        """Print a table by card and level: three lengths in numbers, all of them as a curve."""
        screen, lengths = self._screen, [length.pieces for length in found[0].lengths]
        told = pick_evenly_spaced(lengths, 3)
        drawn = pick_evenly_spaced(lengths, MAX_CURVE_WIDTH)
        columns = [
            GridColumn(screen.label("card")),
            GridColumn(screen.label("pieces")),
            *(GridColumn(str(pieces), justify="right") for pieces in told),
            GridColumn(f"{lengths[0]}–{lengths[-1]}"),
            GridColumn(screen.label("odds_shortest"), justify="right"),
        ]
        rows = []
        for card_odds in found:
            tag = screen.render_card_id(card_odds.card)
            by_length = {length.pieces: length for length in card_odds.lengths}
            for number, level in enumerate(card_odds.card.levels, start=1):
                share = {n: length.at_least(number) for n, length in by_length.items()}
                shortest = card_odds.shortest[number - 1]
                cells = [Text(self._percent(share[n])) for n in told]
                curve = Text(render_curve([share[n] for n in drawn]))
                end = Text(str(shortest or NEVER_SIGN))
                rows.append([tag, Text(format_level(card_odds.card, level)), *cells, curve, end])
            mean = [Text(self._points(by_length[n])) for n in told]
            top = card_odds.card.levels[-1].points
            curve = Text(render_curve([by_length[n].points / top for n in drawn]))
            rows.append([tag, Text(screen.label("points")), *mean, curve, Text()])
        screen.print_grid(columns, rows)

    def _percent(self, share: Fraction) -> str:
        return format_percent(share, self._language)

    def _points(self, length: LengthOdds) -> str:
        return format_mean_points(length.points, self._language)


@dataclass(frozen=True, slots=True)
class _FilledColumn:
    """A column with its cells and its width."""

    column: GridColumn
    cells: list[str]

    @classmethod
    def from_label(cls, label: str, cells: list[str]) -> _FilledColumn:
        return cls(GridColumn(label, justify="right"), cells)

    @property
    def width(self) -> int:
        return max(map(len, [self.column.label, *self.cells])) + 3


def render_level_bar(length: LengthOdds) -> str:
    """Render all Cóatls of a length as a row of signs, by the highest level they reach."""
    ends = [0, *(round(BAR_WIDTH * share) for share in accumulate(length.exactly))]
    return "".join(
        (LEVEL_SIGNS[level] if level < len(LEVEL_SIGNS) else "+") * (end - begin)
        for level, (begin, end) in enumerate(pairwise(ends))
    )


def render_curve(shares: Sequence[Fraction]) -> str:
    """Render shares as a row of signs, higher for more; a dot is 0."""
    signs = CURVE_SIGNS if can_encode(CURVE_SIGNS) else ASCII_CURVE_SIGNS
    return "".join(signs[ceil(share * (len(signs) - 1))] for share in shares)


def _group_columns(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Group columns that fit side by side: where each group begins and ends."""
    begins = [0]
    for number in range(1, len(widths)):
        if sum(widths[begins[-1] : number + 1]) > room:
            begins.append(number)
    return list(pairwise([*begins, len(widths)]))
