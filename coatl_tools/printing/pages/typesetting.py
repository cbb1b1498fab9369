"""Typesetting: paragraphs into even lines, and blocks into two columns of one length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Box
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pages.page_icons import draw_piece_chip
from coatl_tools.printing.pages.page_text import Inline, PieceSign, RuleNumbers, TextRun

CHIP_SIZE = 1.14  # width and height of a piece in a text, as a part of the type size
RULE_NUMBER_SIZE = 0.76  # of the number of a rule in a text, as a part of the type size
SMALLEST_TYPE = 6.5  # no type is smaller


@dataclass(frozen=True)
class TypesetBlock:
    """A block of known height that can be drawn with its top left corner at a point.

    `space_above` is left out at the top of a column. A block with `keep_with_next` is never the
    last of a column; one that `starts_section` gets a share of the remaining space above it.
    """

    height: float
    draw: Callable[[Surface, float, float], None]
    space_above: float = 0.0
    keep_with_next: bool = False
    starts_section: bool = False


@dataclass(frozen=True)
class TextFragment:
    """A part of a word in one style, and its width."""

    content: Inline
    type: FontStyle
    width: float
    lead: float = 0.0


TextWord = tuple[TextFragment, ...]
# The height of a text, and how it is drawn.
TypesetText = tuple[float, Callable[[Surface, float, float], None]]


@dataclass(frozen=True)
class ParagraphStyle:
    """The style of running text."""

    theme: Theme
    size: float
    leading: float

    @property
    def regular(self) -> FontStyle:
        """The type of the text."""
        return FontStyle(fonts.REGULAR, self.size, self.theme.ink, self.leading)

    @property
    def bold(self) -> FontStyle:
        """The type of strong words."""
        return FontStyle(fonts.BOLD, self.size, self.theme.ink, self.leading)

    @property
    def numbers(self) -> FontStyle:
        """The type of rule numbers."""
        return FontStyle(
            fonts.REGULAR, max(SMALLEST_TYPE, self.size * RULE_NUMBER_SIZE), self.theme.muted
        )


@lru_cache(maxsize=8192)
def _measure_unit_width(text: str, face: str) -> float:
    return fonts.measure_text(text, face, 1)


def _split_words(inlines: Sequence[Inline], style: ParagraphStyle) -> list[TextWord]:
    """Split a paragraph into words; rule numbers and signs stay attached to their word."""
    words: list[list[TextFragment]] = [[]]
    for inline in inlines:
        if isinstance(inline, TextRun):
            type_ = style.bold if inline.bold else style.regular
            for index, text in enumerate(inline.text.split(" ")):
                if index:
                    words.append([])
                if text:
                    width = _measure_unit_width(text, type_.face) * type_.size
                    words[-1].append(TextFragment(TextRun(text, inline.bold), type_, width))
        elif isinstance(inline, PieceSign):
            width = CHIP_SIZE * style.size / POINTS_PER_MM
            words[-1].append(TextFragment(inline, style.regular, width))
        else:
            if not words[-1] and len(words) > 1:
                words.pop()
            type_ = style.numbers
            width = type_.measure(inline.text)
            words[-1].append(
                TextFragment(inline, type_, width, lead=style.size * 0.22 / POINTS_PER_MM)
            )
    return [tuple(word) for word in words if word]


def _measure_word(word: TextWord) -> float:
    return sum(fragment.lead + fragment.width for fragment in word)


def _break_paragraph(
    words: Sequence[TextWord], space: float, width: float
) -> list[list[TextWord]] | None:
    """Break words into even lines, without a short last word alone; None if a word is wider."""
    widths = [_measure_word(word) for word in words]
    if any(one > width + 0.01 for one in widths):
        return None
    count = len(words)
    best: list[tuple[float, int]] = [(0.0, 0)] * (count + 1)  # cost from here, where it breaks
    for begin in range(count - 1, -1, -1):
        choices: list[tuple[float, int]] = []
        length = -space
        for end in range(begin + 1, count + 1):
            length += space + widths[end - 1]
            if length > width + 0.01:
                break
            slack = (width - length) / width
            if end == count:
                cost = 0.25 if length < 0.2 * width and begin else 0.0
            else:
                cost = slack * slack + 0.02  # a line more is a little worse
            choices.append((cost + best[end][0], end))
        best[begin] = min(choices)
    lines, begin = [], 0
    while begin < count:
        end = best[begin][1]
        lines.append(list(words[begin:end]))
        begin = end
    return lines


def typeset_paragraph(
    inlines: Sequence[Inline], style: ParagraphStyle, width: float
) -> TypesetText | None:
    """Typeset a paragraph: its height and how to draw it; None if a word is too wide."""
    type_ = style.regular
    space = _measure_unit_width(" ", type_.face) * type_.size
    lines = _break_paragraph(_split_words(inlines, style), space, width)
    if lines is None:
        return None
    height = len(lines) * type_.line_distance

    def draw(surface: Surface, x: float, y: float) -> None:
        with surface.text_box(Box(x, y, width, height)):
            for index, line in enumerate(lines):
                base = (
                    y + index * type_.line_distance + (type_.line_distance + type_.cap_height) / 2
                )
                _draw_line(surface, x, base, line, space, style)

    return height, draw


def _draw_line(
    surface: Surface,
    x: float,
    base: float,
    line: Sequence[TextWord],
    space: float,
    style: ParagraphStyle,
) -> None:
    for at, fragment in _join_fragments(x, line, space):
        match fragment.content:
            case TextRun(text):
                surface.draw_text(at, base, text, fragment.type)
            case RuleNumbers(text):
                surface.draw_text(at, base, text, fragment.type)
            case PieceSign(element, crossed):
                side = fragment.width * 0.92
                middle = (at + fragment.width / 2, base - style.regular.cap_height / 2)
                draw_piece_chip(surface, style.theme, element, middle, side, crossed)


def _join_fragments(
    x: float, line: Sequence[TextWord], space: float
) -> Iterator[tuple[float, TextFragment]]:
    """Yield the fragments of a line with their x; words of the same style are merged."""
    pending: tuple[float, str, TextFragment] | None = None
    for index, word in enumerate(line):
        for part, fragment in enumerate(word):
            gap = bool(index) and part == 0
            begin = x + (space if gap else 0) + fragment.lead
            content = fragment.content
            alike = (
                pending is not None
                and isinstance(content, TextRun)
                and fragment.type == pending[2].type
                and not fragment.lead
            )
            if alike and pending is not None and isinstance(content, TextRun):
                pending = (pending[0], pending[1] + " " * gap + content.text, pending[2])
            else:
                if pending is not None:
                    yield pending[0], replace(pending[2], content=TextRun(pending[1]))
                    pending = None
                if isinstance(content, TextRun):
                    pending = (begin, content.text, fragment)
                else:
                    yield begin, fragment
            x = begin + fragment.width
    if pending is not None:
        yield pending[0], replace(pending[2], content=TextRun(pending[1]))


def measure_column(blocks: Sequence[TypesetBlock]) -> float:
    """Measure the height of a column of blocks, in millimetres."""
    return sum(block.height + (block.space_above if i else 0) for i, block in enumerate(blocks))


def split_into_columns(
    blocks: Sequence[TypesetBlock], height: float
) -> tuple[Sequence[TypesetBlock], Sequence[TypesetBlock]] | None:
    """Split blocks into two columns of nearly equal height, preferably before a section.

    None if they do not fit columns of this height.
    """
    choices = []
    for index in range(1, len(blocks) + 1):
        left, right = blocks[:index], blocks[index:]
        tall = max(measure_column(left), measure_column(right))
        if tall <= height + 0.01 and not left[-1].keep_with_next:
            cost = abs(measure_column(left) - measure_column(right))
            choices.append((cost + (0 if not right or right[0].starts_section else 40), index))
    if not choices:
        return None
    index = min(choices)[1]
    return blocks[:index], blocks[index:]


def draw_column(
    surface: Surface, blocks: Sequence[TypesetBlock], box: Box, most: float, least: float
) -> None:
    """Draw blocks from top to bottom, spread over the height of a box.

    The remaining space goes above sections, up to `most` mm each, then above other blocks, up to
    `least` mm each.
    """
    left = box.height - measure_column(blocks)
    openings = sum(block.starts_section for block in blocks[1:])
    others = len(blocks) - 1 - openings
    wide = min(most, left / openings) if openings else 0.0
    small = min(least, (left - wide * openings) / others) if others else 0.0
    y = box.y
    for index, block in enumerate(blocks):
        if index:
            y += block.space_above + (wide if block.starts_section else small)
        block.draw(surface, box.x, y)
        y += block.height
