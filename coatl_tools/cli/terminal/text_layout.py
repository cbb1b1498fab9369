"""Lay out texts in a given width: in columns, side by side, wrapped, never cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

CELL_GAP = 2  # columns of space between cells
MIN_CELL_WIDTH, MAX_CELL_WIDTH = 32, 44  # of a cell; wider ones have a line of their own
CELL_END_COLUMN = (
    17  # columns from the beginning of a cell to its end, where its middle is not longer
)
# Rich breaks lines at every white space: no-break spaces are held as private letters meanwhile.
_NO_BREAK_SPACES = {0x00A0: 0xE000, 0x202F: 0xE001}
_HELD_SPACES = {letter: space for space, letter in _NO_BREAK_SPACES.items()}


@dataclass(frozen=True)
class TextCell:
    """A beginning, a middle that may be broken into lines, and an end."""

    lead: Text
    middle: Text = field(default_factory=Text)
    end: Text = field(default_factory=Text)

    @property
    def width(self) -> int:
        """Its width in one line, in columns."""
        start = _join_parts([part for part in (self.lead, self.middle) if part])
        return start.cell_len + (CELL_GAP + self.end.cell_len if self.end else 0)

    def render_line(self, width: int) -> Text:
        """Render the cell in one line of exactly this width, its end aligned if possible."""
        start = _join_parts([part for part in (self.lead, self.middle) if part])
        place = min(self.lead.cell_len + CELL_END_COLUMN, width - self.end.cell_len)
        start.pad_right(max(CELL_GAP if self.end else 0, place - start.cell_len))
        line = Text.assemble(start, self.end)
        line.pad_right(max(0, width - line.cell_len))
        return line

    def render_lines(self, console: Console, width: int) -> list[Text]:
        """Render the cell in as many lines as it needs."""
        if self.width <= width:
            return [self.render_line(width)]
        indent = self.lead.cell_len + 1
        room = max(1, width - indent)
        broken = [*wrap_text(self.middle, console, room), self.end]
        if len(broken) > 2 and broken[-2].cell_len + CELL_GAP + self.end.cell_len <= room:
            broken[-2:] = [Text(" " * CELL_GAP).join(broken[-2:])]
        lines = [Text.assemble(" " * indent, line) for line in broken if line]
        return [Text.assemble(self.lead, lines[0][indent - 1 :]), *lines[1:]]


def arrange_in_columns(cells: Sequence[TextCell], console: Console, width: int) -> list[Text]:
    """Arrange cells in columns, in their order; a wide cell gets a line of its own."""
    across = max(1, (width + CELL_GAP) // (MIN_CELL_WIDTH + CELL_GAP))
    widths = [cell.width for cell in cells]
    while across > 1:  # as many columns as most cells have room in
        each = min(MAX_CELL_WIDTH, (width + CELL_GAP) // across - CELL_GAP)
        if sum(wide > each for wide in widths) * 3 <= len(cells):
            break
        across -= 1
    if across == 1:
        return [line for cell in cells for line in cell.render_lines(console, width)]
    lines: list[Text] = []
    row: list[Text] = []
    for cell, wide in zip(cells, widths, strict=True):
        if wide > each or len(row) == across:
            lines += [Text(" " * CELL_GAP).join(row)] if row else []
            row = []
        if wide > each:
            lines += cell.render_lines(console, width)
        else:
            row.append(cell.render_line(each))
    return lines + ([Text(" " * CELL_GAP).join(row)] if row else [])


def flow_parts(
    parts: Iterable[Text], console: Console, width: int, joint: str = "  "
) -> list[Text]:
    """Lay out parts one after the other; lines break between parts, inside only if needed."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(joint) + part.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], joint, part)
        else:
            lines += wrap_text(part, console, width)
    return lines


def wrap_text(text: Text, console: Console, width: int) -> list[Text]:
    """Wrap a text in lines of at most this width, which do not break at no-break spaces."""
    if text.cell_len <= width:
        return [text]
    held = text.copy()
    held.plain = held.plain.translate(_NO_BREAK_SPACES)
    lines = [*held.wrap(console, width)]
    for line in lines:
        line.plain = line.plain.translate(_HELD_SPACES)
        line.rstrip()
    return lines


def indent_lines(lines: Iterable[Text], label: Text) -> list[Text]:
    """Put a label before the first line, and indent the others by its width."""
    first, *others = [*lines] or [Text()]
    space = " " * label.cell_len
    return [Text.assemble(label, first), *(Text.assemble(space, line) for line in others)]


def _join_parts(parts: list[Text]) -> Text:
    return Text(" ").join(parts)
