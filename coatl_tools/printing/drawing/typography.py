"""Setting text without a PDF library: font files, no-break spaces, and where lines break."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path

import font_source_sans_pro

from coatl_tools.language import NO_BREAK_SPACE, load_usable_language


def add_no_break_spaces(text: str, language_code: str) -> str:
    """Insert no-break spaces into a text.

    A number stays with what it counts; the language's typography says what else stays together.

    >>> add_no_break_spaces("Oui : « non », 3 pièces", "fr").replace("\\u00a0", "~")
    'Oui~: «~non~», 3~pièces'
    """
    text = re.sub(r"(?<=\b\d) (?=\w)|(?<=\b\d\d) (?=\w)", NO_BREAK_SPACE, text)
    typography = load_usable_language(language_code).typography
    return typography.bind_words(typography.bind_signs(text))


REGULAR = "SourceSansPro-Regular"
ITALIC = "SourceSansPro-It"
SEMIBOLD = "SourceSansPro-Semibold"
BOLD = "SourceSansPro-Bold"
BLACK = "SourceSansPro-Black"
FONT_FACES = (REGULAR, ITALIC, SEMIBOLD, BOLD, BLACK)


def find_font_file(face: str) -> Path:
    """Return the path of a face's font file."""
    return Path(font_source_sans_pro.__file__).parent / "files" / f"{face}.ttf"


PUNCTUATION_BONUS = 0.05  # what a break after a comma or a colon is worth
SHORT_WORD_LETTERS = 3  # letters: a line should not end with an article or a preposition
SHORT_WORD_COST = 0.06  # what such an end costs
WIDTH_TOLERANCE = 1e-6  # of a millimetre: sums of widths are not quite the widths of lines
SHORT_LAST_LINE = 0.5  # a last line shorter than this part of the width looks lost
SHORT_LAST_LINE_COST = 6  # of the square of what it lacks


def find_best_breaks(
    words: Sequence[str], widths: Sequence[float], space: float, width: float, even: bool
) -> list[str]:
    """Break words into as few lines as possible, where it reads best.

    Centred lines get `even` lengths; otherwise all lines but the last are filled.
    """
    sums = (0.0, *accumulate(widths))
    ends = list(_break_greedily(widths, space, width))
    target = min(width, (sums[-1] + space * (len(words) - len(ends))) / len(ends))

    @cache
    def best(start: int, lines: int) -> tuple[float, tuple[int, ...]]:
        """Return the least cost of the words from `start` in `lines` lines, and the line ends."""
        found: tuple[float, tuple[int, ...]] = (math.inf, ())
        for end in range(start + 1, len(words) - lines + 2):
            long = sums[end] - sums[start] + space * (end - start - 1)
            if long > width + WIDTH_TOLERANCE and end > start + 1:
                break
            if lines == 1:
                if end == len(words):
                    short = max(0.0, SHORT_LAST_LINE - long / width) ** 2 * SHORT_LAST_LINE_COST
                    cost = ((long - target) / width) ** 2 if even else short
                    found = min(found, (cost, (end,)))
                continue
            rest, others = best(end, lines - 1)
            wanted = target if even else width
            cost = ((long - wanted) / width) ** 2 + _compute_break_cost(words[end - 1])
            found = min(found, (cost + rest, (end, *others)))
        return found

    _, chosen = best(0, len(ends))
    starts = (0, *chosen)
    return [" ".join(words[a:b]) for a, b in zip(starts, chosen or ends, strict=False)]


def _break_greedily(widths: Sequence[float], space: float, width: float) -> list[int]:
    """Return where lines end if each takes as many words as fit."""
    ends: list[int] = []
    long = -space
    for index, wide in enumerate(widths):
        if index and long + space + wide > width + WIDTH_TOLERANCE:
            ends.append(index)
            long = -space
        long += space + wide
    return [*ends, len(widths)]


def _compute_break_cost(word: str) -> float:
    """Compute the cost of a break after a word; negative if it is a good place."""
    if word[-1:] in ",;:.!?":
        return -PUNCTUATION_BONUS
    last = word.rsplit("\u00a0", maxsplit=1)[-1]
    return SHORT_WORD_COST if len(last) <= SHORT_WORD_LETTERS and last.isalpha() else 0.0
