"""The strip below a photo: every Cóatl in notation, its cards, and what is not sure."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image, ImageDraw

from coatl_tools.language import Language
from coatl_tools.printing.drawing.font_files import BOLD, REGULAR
from coatl_tools.vision.reading import Reading, SeenCard
from coatl_tools.vision.shown.chips import (
    CARD,
    DARK,
    DOUBT,
    LIGHT,
    Field,
    chip,
    number_field,
    piece_field,
    typeface,
    wrapped,
)
from coatl_tools.vision.shown.words import percent, problem_text

_PAPER, _FAINT = "#f6f2ea", "#6b625a"
_MOST = 6  # problems that are told; the command tells all


class _Item(NamedTuple):
    """Something in the strip: a picture of a label, or a text with its face and ink."""

    image: Image.Image | None
    text: str = ""
    face: str = REGULAR
    ink: str = DARK


def legend(reading: Reading, language: Language, width: int, unit: int) -> Image.Image:
    """The strip, as wide as the photo; `unit` is the height of a label."""
    strip = _Strip(width, unit)
    for number, seen in enumerate(reading.coatls):
        strip.add(_Item(chip([coatl_field(reading, number, language)], unit)))
        for piece in seen.pieces:
            strip.add(_Item(chip([piece_field(piece.colour, piece.kind)], unit)), joined=True)
        strip.add(_Item(None, seen.notation, BOLD))
        key = "read_sure" if seen.sure else "read_unsure"
        said = language.label(key, percent=percent(seen.confidence, language))
        strip.add(_Item(None, said, REGULAR, _FAINT if seen.sure else DARK))
        if not seen.orientation_known:
            strip.add(_Item(None, language.label("read_no_direction")))
        _add_cards(strip, reading, number, unit)
    _add_cards(strip, reading, None, unit)
    for problem in reading.problems[:_MOST]:
        strip.paragraph(problem_text(problem, language), problem.grave)
    if untold := reading.problems[_MOST:]:
        more = language.label("read_more_problems", len(untold))
        strip.paragraph(more, any(problem.grave for problem in untold))
    return strip.drawn()


def coatl_field(reading: Reading, number: int, language: Language) -> Field:
    """A Cóatl's name; one that is in doubt as a whole is told by its mark too."""
    name = language.label("result_coatl", number + 1)
    return number_field(name, reading.doubts(number, None))


def _add_cards(strip: _Strip, reading: Reading, coatl: int | None, unit: int) -> None:
    """The cards of a Cóatl, or of none, to the end of the line."""
    for index, card in enumerate(reading.cards):
        if card.coatl == coatl:
            strip.add(_Item(chip(card_fields(index, card), unit)))
    strip.end_line()


def card_fields(index: int, card: SeenCard) -> list[Field]:
    """A card's number and id; of a doubtful one, a mark and what it may be."""
    known = card.sure and card.id is not None
    ids = [one for one in dict.fromkeys([card.id, *card.candidates]) if one]
    shown = [Field(one, CARD, LIGHT) for one in ids[: 1 if known else 2]]
    return [number_field(f"c{index + 1}", not known), *shown]


class _Strip:
    """Lines of labels and texts, broken where the width ends."""

    def __init__(self, width: int, unit: int) -> None:
        self._width, self._unit = width, unit
        self._pad = unit // 2
        self._size = round(unit * 0.82)
        self._lines: list[list[tuple[int, _Item]]] = [[]]
        self._left = self._pad

    def add(self, item: _Item, joined: bool = False) -> None:
        """Put something behind the last thing, or on a new line."""
        wide = self._wide(item)
        gap = (0 if joined else self._pad) if self._lines[-1] else 0
        if self._lines[-1] and self._left + gap + wide > self._width - self._pad:
            self.end_line()
            gap = self._unit * 2  # what goes on is set in
        self._lines[-1].append((self._left + gap, item))
        self._left += gap + wide

    def paragraph(self, text: str, grave: bool) -> None:
        """A problem, with a mark before its first line."""
        self.add(
            _Item(chip([Field("?" if grave else "i", DOUBT if grave else LIGHT, DARK)], self._unit))
        )
        begin = self._left + self._pad
        for line in wrapped(text, self._width - begin - self._pad, self._size):
            self._lines[-1].append((begin, _Item(None, line)))
            self.end_line()

    def end_line(self) -> None:
        """What comes next begins a line."""
        if self._lines[-1]:
            self._lines.append([])
        self._left = self._pad

    def drawn(self) -> Image.Image:
        """The strip as a picture; no line, no strip."""
        lines = [line for line in self._lines if line]
        step = round(self._unit * 1.5)
        height = step * len(lines) + 2 * self._pad if lines else 0
        image = Image.new("RGB", (self._width, height), _PAPER)
        draw = ImageDraw.Draw(image)
        for row, line in enumerate(lines):
            middle = self._pad + round((row + 0.5) * step)
            for left, item in line:
                if item.image is not None:
                    image.paste(item.image, (left, middle - item.image.height // 2), item.image)
                else:
                    face = typeface(item.face, self._size)
                    draw.text((left, middle), item.text, item.ink, face, anchor="lm")
        return image

    def _wide(self, item: _Item) -> int:
        if item.image is not None:
            return item.image.width
        return round(typeface(item.face, self._size).getlength(item.text))
