"""How hard cards are, in a terminal: percent, and a small drawing in signs, never in colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil

from rich.text import Text

from coatl_tools.cards.wording import describe
from coatl_tools.cli.screen import NARROW, Column, Screen
from coatl_tools.cli.streams import can_show
from coatl_tools.language import Language
from coatl_tools.scoring.odds import LONGEST_SEARCHED, CardOdds, LengthOdds
from coatl_tools.scoring.odds_words import MODELS, NEVER, level_name, percent_of, points_of

BAR = 20  # signs, each 5 percent of the Cóatls
LEVEL_SIGNS = "·123456789abcdefghijklmnopqrstuvwxyz"  # further levels are a +
CURVE = "·▁▂▃▄▅▆▇█"
PLAIN_CURVE = ".123456789"
MOST_OF_A_CURVE = 16  # signs


class OddsScreen:
    """One card in full, length by length; several side by side, level by level."""

    def __init__(self, language: Language) -> None:
        self._screen = Screen(language)
        self._language = language

    def show(self, found: Sequence[CardOdds]) -> None:
        """Everything, with what has to be known to read it."""
        screen = self._screen
        for card_odds in found:
            card = card_odds.card
            screen.hanging(f"{screen.tag(card)}  ", Text(describe(card, self._language.code)))
        model, percent = MODELS[found[0].draw], self._language.label("odds_percent")
        screen.print(f"{self._language.label(model)} {percent}", "")
        if len(found) == 1:
            self._alone(found[0])
        else:
            self._compare(found)
        others = [card_odds.card.id for card_odds in found if card_odds.as_if_alone]
        if others:
            screen.print("")
            self.said("odds_alone", ids=", ".join(others))

    def said(self, key: str, **values: object) -> None:
        """A label that is a sentence."""
        self._screen.print(self._language.label(key, None, **values))

    def _alone(self, card_odds: CardOdds) -> None:
        """A table by length: the share of each level, the points, and a bar of levels."""
        screen, lengths = self._screen, card_odds.lengths
        first = _Filled.of(screen.label("pieces"), [str(length.pieces) for length in lengths])
        points = _Filled.of(screen.label("points"), [self._points(length) for length in lengths])
        bars = _Filled(Column(screen.label("level")), [bar_of(length) for length in lengths])
        levels = [
            _Filled.of(level_name(level), [self._percent(n.at_least(number)) for n in lengths])
            for number, level in enumerate(card_odds.card.levels, start=1)
        ]
        room = screen.width - first.width - points.width - bars.width
        together = [(0, len(levels))]  # a narrow screen has no columns
        narrow = screen.width < NARROW
        groups = together if narrow else _groups([level.width for level in levels], room)
        for begin, end in groups:
            shown = [first, *levels[begin:end], *([points, bars] if end == len(levels) else [])]
            rows = zip(*(filled.cells for filled in shown), strict=True)
            screen.table(
                [filled.column for filled in shown], [list(map(Text, row)) for row in rows]
            )
            screen.print("")
        self.said("odds_bar", percent=percent_of(Fraction(1, BAR), self._language, digits=0))
        self.said("odds_shortest_line", levels=self._shortest(card_odds))

    def _shortest(self, card_odds: CardOdds) -> str:
        said = []
        for level, pieces in zip(card_odds.card.levels, card_odds.shortest, strict=True):
            key = "length_is" if pieces else "odds_no_shortest"
            length = self._language.label(key, pieces or LONGEST_SEARCHED)
            said.append(f"{length} ({level_name(level)})")
        return self._language.card("semicolon").join(said)

    def _compare(self, found: Sequence[CardOdds]) -> None:
        """A table by card and level: three lengths in numbers, all of them as a curve."""
        screen, lengths = self._screen, [length.pieces for length in found[0].lengths]
        told = spread(lengths, 3)
        drawn = spread(lengths, MOST_OF_A_CURVE)
        columns = [
            Column(screen.label("card")),
            Column(screen.label("pieces")),
            *(Column(str(pieces), justify="right") for pieces in told),
            Column(f"{lengths[0]}–{lengths[-1]}"),
            Column(screen.label("odds_shortest"), justify="right"),
        ]
        rows = []
        for card_odds in found:
            tag = screen.tag(card_odds.card)
            by_length = {length.pieces: length for length in card_odds.lengths}
            for number, level in enumerate(card_odds.card.levels, start=1):
                share = {n: length.at_least(number) for n, length in by_length.items()}
                shortest = card_odds.shortest[number - 1]
                cells = [Text(self._percent(share[n])) for n in told]
                curve = Text(curve_of([share[n] for n in drawn]))
                end = Text(str(shortest or NEVER))
                rows.append([tag, Text(level_name(level)), *cells, curve, end])
            mean = [Text(self._points(by_length[n])) for n in told]
            top = card_odds.card.levels[-1].points
            curve = Text(curve_of([by_length[n].points / top for n in drawn]))
            rows.append([tag, Text(screen.label("points")), *mean, curve, Text()])
        screen.table(columns, rows)

    def _percent(self, share: Fraction) -> str:
        return percent_of(share, self._language)

    def _points(self, length: LengthOdds) -> str:
        return points_of(length.points, self._language)


@dataclass(frozen=True, slots=True)
class _Filled:
    """A column with its cells, and the room that it takes."""

    column: Column
    cells: list[str]

    @classmethod
    def of(cls, label: str, cells: list[str]) -> _Filled:
        return cls(Column(label, justify="right"), cells)

    @property
    def width(self) -> int:
        return max(map(len, [self.column.label, *self.cells])) + 3


def bar_of(length: LengthOdds) -> str:
    """All Cóatls of a length as a row of signs, by the highest level that they reach."""
    ends = [0, *(round(BAR * share) for share in accumulate(length.exactly))]
    return "".join(
        (LEVEL_SIGNS[level] if level < len(LEVEL_SIGNS) else "+") * (end - begin)
        for level, (begin, end) in enumerate(pairwise(ends))
    )


def curve_of(shares: Sequence[Fraction]) -> str:
    """Shares as a row of signs, the higher the more; a dot is none at all."""
    signs = CURVE if can_show(CURVE) else PLAIN_CURVE
    return "".join(signs[ceil(share * (len(signs) - 1))] for share in shares)


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """Some of the numbers, evenly spread, the first and the last among them."""
    last = len(numbers) - 1
    steps = min(most - 1, last) or 1
    return sorted({numbers[round(Fraction(last * step, steps))] for step in range(steps + 1)})


def _groups(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Columns that fit side by side: where each group begins and ends."""
    begins = [0]
    for number in range(1, len(widths)):
        if sum(widths[begins[-1] : number + 1]) > room:
            begins.append(number)
    return list(pairwise([*begins, len(widths)]))
