"""Where the lines of a text break: as many lines as it needs, but at the best places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

SENSE = 0.05  # what a break after a comma or a colon is worth
SHORT = 3  # letters: a line should not end with an article or a preposition
HANGING = 0.06  # what such an end costs
EXACT = 1e-6  # of a millimetre: sums of widths are not quite the widths of lines
LONELY = 0.5  # a last line shorter than this part of the width looks lost


def best_breaks(
    words: Sequence[str], widths: Sequence[float], space: float, width: float, even: bool
) -> list[str]:
    """The words in as few lines as they need.

    Lines that stand about a middle get `even` lengths; others are full, only the last one is not.
    """
    sums = (0.0, *accumulate(widths))
    ends = list(_greedy(widths, space, width))
    target = min(width, (sums[-1] + space * (len(words) - len(ends))) / len(ends))

    @cache
    def best(start: int, lines: int) -> tuple[float, tuple[int, ...]]:
        """The cost of the words from `start` in so many lines, and where these end."""
        found: tuple[float, tuple[int, ...]] = (math.inf, ())
        for end in range(start + 1, len(words) - lines + 2):
            long = sums[end] - sums[start] + space * (end - start - 1)
            if long > width + EXACT and end > start + 1:
                break
            if lines == 1:
                if end == len(words):
                    cost = _unlike(long, target, width) if even else _lost(long, width)
                    found = min(found, (cost, (end,)))
                continue
            rest, others = best(end, lines - 1)
            cost = _unlike(long, target if even else width, width) + _place(words[end - 1])
            found = min(found, (cost + rest, (end, *others)))
        return found

    _, chosen = best(0, len(ends))
    starts = (0, *chosen)
    return [" ".join(words[a:b]) for a, b in zip(starts, chosen or ends, strict=False)]


def _greedy(widths: Sequence[float], space: float, width: float) -> list[int]:
    """Where lines end that take as many words as they can."""
    ends: list[int] = []
    long = -space
    for index, wide in enumerate(widths):
        if index and long + space + wide > width + EXACT:
            ends.append(index)
            long = -space
        long += space + wide
    return [*ends, len(widths)]


def _unlike(long: float, wanted: float, width: float) -> float:
    return ((long - wanted) / width) ** 2


def _lost(long: float, width: float) -> float:
    """What a short last line costs."""
    return max(0.0, LONELY - long / width) ** 2 * 6


def _place(word: str) -> float:
    """What a break after a word costs, or is worth."""
    if word[-1:] in ",;:.!?":
        return -SENSE
    last = word.rsplit("\u00a0", maxsplit=1)[-1]
    return HANGING if len(last) <= SHORT and last.isalpha() else 0.0
