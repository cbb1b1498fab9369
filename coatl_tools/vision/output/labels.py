"""Labels of pieces, cards and Cóatls as small pictures, and the legend below the photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from coatl_tools.language import Language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.ornaments import colour_symbol
from coatl_tools.printing.drawing.typography import BOLD, REGULAR, find_font_file
from coatl_tools.printing.layouts import Layouts, PieceInks, load_theme
from coatl_tools.vision.reading import PhotoReading, SeenCard, describe_problem, format_percent

DARK_COLOUR, LIGHT_COLOUR, DOUBT_COLOUR, CARD_COLOUR = "#1d1b1a", "#ffffff", "#ffb000", "#00857a"
_OVERSAMPLING = 4  # drawn so much larger, then shrunk: smooth edges
_TYPE_SHARE = 0.72  # of the height of a chip
_SYMBOL_SHARE = 0.25  # its radius, likewise
_SYMBOLS = {colour.symbol: colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class LabelField:
    """A part of a chip: its text, in which ▲ ● ■ ★ ◆ are drawn, on a ground."""

    text: str
    ground: str
    ink: str


def make_number_field(number: str, doubtful: bool) -> LabelField:
    """Make the field of a number, as corrections use it; a doubtful one has a “?”."""
    return (
        LabelField(f"{number} ?", DOUBT_COLOUR, DARK_COLOUR)
        if doubtful
        else LabelField(number, DARK_COLOUR, LIGHT_COLOUR)
    )


def make_piece_field(colour: Colour, kind: PieceKind) -> LabelField:
    """Make the field of a piece as it is written, with its symbol, on its colour."""
    head, tail = kind is PieceKind.HEAD, kind is PieceKind.TAIL
    text = f"{'<' * head}{colour.symbol}{colour.name}{'>' * tail}"
    inks = _load_piece_inks(colour)
    return LabelField(text, inks.fill, inks.symbol)


def render_label(fields: Sequence[LabelField], height: int) -> Image.Image:
    """Render fields side by side, rounded, with a light rim and a dark one around it."""
    inner, rim = height * _OVERSAMPLING, max(2, height // 9) * _OVERSAMPLING // 2
    face = load_typeface(BOLD, round(inner * _TYPE_SHARE))
    padding = inner * 0.24
    widths = [round(_measure_width(field.text, face, inner) + 2 * padding) for field in fields]
    width, whole = sum(widths) + 4 * rim, inner + 4 * rim
    image = Image.new("RGBA", (width, whole))
    draw = ImageDraw.Draw(image)
    radius = whole * 0.24
    draw.rounded_rectangle((0, 0, width - 1, whole - 1), radius, fill=DARK_COLOUR)
    draw.rounded_rectangle(
        (rim, rim, width - 1 - rim, whole - 1 - rim), radius - rim, fill=LIGHT_COLOUR
    )
    body = Image.new("RGBA", (sum(widths), inner))
    drawn = ImageDraw.Draw(body)
    left = 0
    for field, wide in zip(fields, widths, strict=True):
        drawn.rectangle((left, 0, left + wide - 1, inner), fill=field.ground)
        _draw_text(drawn, field, left + padding, face, inner)
        left += wide
    mask = Image.new("L", body.size)
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, body.width - 1, inner - 1), radius - 2 * rim, fill=255
    )
    image.paste(body, (2 * rim, 2 * rim), mask)
    size = -(-width // _OVERSAMPLING), -(-whole // _OVERSAMPLING)
    return image.resize(size, Image.Resampling.BOX)


@lru_cache(maxsize=32)
def load_typeface(face: str, size: int) -> ImageFont.FreeTypeFont:
    """Load a face of Source Sans Pro; the size is in pixels."""
    return ImageFont.truetype(str(find_font_file(face)), size, layout_engine=ImageFont.Layout.BASIC)


def wrap_text(text: str, width: float, size: int, face: str = REGULAR) -> list[str]:
    """Wrap a text into lines of at most `width` pixels, as far as its words allow."""
    font, lines = load_typeface(face, size), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=8)
def _load_piece_inks(colour: Colour) -> PieceInks:
    return load_theme("full", Layouts()).piece(colour)


def _measure_width(text: str, face: ImageFont.FreeTypeFont, height: int) -> float:
    return sum(
        height * _SYMBOL_SHARE * 2.4 if letter in _SYMBOLS else face.getlength(letter)
        for letter in text
    )


def _draw_text(
    draw: ImageDraw.ImageDraw,
    field: LabelField,
    left: float,
    face: ImageFont.FreeTypeFont,
    height: int,
) -> None:
    radius = height * _SYMBOL_SHARE
    for letter in field.text:
        if letter in _SYMBOLS:
            shape = colour_symbol(_SYMBOLS[letter], left + radius * 1.1, height / 2, radius)
            draw.polygon(shape.flatten()[0], fill=field.ink)
            left += radius * 2.4
        else:
            draw.text((left, height * 0.49), letter, field.ink, face, anchor="lm")
            left += face.getlength(letter)


_PAPER_COLOUR, _FAINT_COLOUR = "#f6f2ea", "#6b625a"
_MAX_PROBLEMS = 6  # problems that are told; the command tells all


class _LegendItem(NamedTuple):
    """Something in the strip: a picture of a label, or a text with its face and ink."""

    image: Image.Image | None
    text: str = ""
    face: str = REGULAR
    ink: str = DARK_COLOUR


def render_legend(reading: PhotoReading, language: Language, width: int, unit: int) -> Image.Image:
    """Render the strip below the photo, as wide as it; `unit` is the height of a label."""
    strip = _LegendStrip(width, unit)
    for number, seen in enumerate(reading.coatls):
        strip.add(_LegendItem(render_label([make_coatl_field(reading, number, language)], unit)))
        for piece in seen.pieces:
            strip.add(
                _LegendItem(render_label([make_piece_field(piece.colour, piece.kind)], unit)),
                joined=True,
            )
        strip.add(_LegendItem(None, seen.notation, BOLD))
        key = "read_sure" if seen.sure else "read_unsure"
        said = language.label(key, percent=format_percent(seen.confidence, language))
        strip.add(_LegendItem(None, said, REGULAR, _FAINT_COLOUR if seen.sure else DARK_COLOUR))
        if not seen.is_orientation_known:
            strip.add(_LegendItem(None, language.label("read_no_direction")))
        _add_cards_to_legend(strip, reading, number, unit)
    _add_cards_to_legend(strip, reading, None, unit)
    for problem in reading.problems[:_MAX_PROBLEMS]:
        strip.add_problem(describe_problem(problem, language), problem.serious)
    if untold := reading.problems[_MAX_PROBLEMS:]:
        more = language.label("read_more_problems", len(untold))
        strip.add_problem(more, any(problem.serious for problem in untold))
    return strip.render()


def make_coatl_field(reading: PhotoReading, number: int, language: Language) -> LabelField:
    """Make the field of a Cóatl's name; one that is doubtful as a whole has a “?”."""
    name = language.label("result_coatl", number + 1)
    return make_number_field(name, reading.has_problem(number, None))


def _add_cards_to_legend(
    strip: _LegendStrip, reading: PhotoReading, coatl: int | None, unit: int
) -> None:
    """Add the cards of a Cóatl, or of none, to the end of the line."""
    for index, card in enumerate(reading.cards):
        if card.coatl == coatl:
            strip.add(_LegendItem(render_label(make_card_fields(index, card), unit)))
    strip.end_line()


def make_card_fields(index: int, card: SeenCard) -> list[LabelField]:
    """Make the fields of a card's number and id; a doubtful one has a “?” and what it may be."""
    known = card.sure and card.id is not None
    ids = card.likely_ids[: 1 if known else 2]
    shown = [LabelField(card_id, CARD_COLOUR, LIGHT_COLOUR) for card_id in ids]
    return [make_number_field(f"c{index + 1}", not known), *shown]


class _LegendStrip:
    """Lines of labels and texts, broken where the width ends."""

    def __init__(self, width: int, unit: int) -> None:
        self._width, self._unit = width, unit
        self._pad = unit // 2
        self._size = round(unit * 0.82)
        self._lines: list[list[tuple[int, _LegendItem]]] = [[]]
        self._left = self._pad

    def add(self, item: _LegendItem, joined: bool = False) -> None:
        """Append an item to the line, or start a new line if it does not fit."""
        wide = self._measure_item(item)
        gap = (0 if joined else self._pad) if self._lines[-1] else 0
        if self._lines[-1] and self._left + gap + wide > self._width - self._pad:
            self.end_line()
            gap = self._unit * 2  # what goes on is set in
        self._lines[-1].append((self._left + gap, item))
        self._left += gap + wide

    def add_problem(self, text: str, serious: bool) -> None:
        """Add a problem, with a sign before its first line."""
        self.add(
            _LegendItem(
                render_label(
                    [
                        LabelField(
                            "?" if serious else "i",
                            DOUBT_COLOUR if serious else LIGHT_COLOUR,
                            DARK_COLOUR,
                        )
                    ],
                    self._unit,
                )
            )
        )
        begin = self._left + self._pad
        for line in wrap_text(text, self._width - begin - self._pad, self._size):
            self._lines[-1].append((begin, _LegendItem(None, line)))
            self.end_line()

    def end_line(self) -> None:
        """End the line: what comes next begins another."""
        if self._lines[-1]:
            self._lines.append([])
        self._left = self._pad

    def render(self) -> Image.Image:
        """Render the strip as a picture, of no height without a line."""
        lines = [line for line in self._lines if line]
        step = round(self._unit * 1.5)
        height = step * len(lines) + 2 * self._pad if lines else 0
        image = Image.new("RGB", (self._width, height), _PAPER_COLOUR)
        draw = ImageDraw.Draw(image)
        for row, line in enumerate(lines):
            middle = self._pad + round((row + 0.5) * step)
            for left, item in line:
                if item.image is not None:
                    image.paste(item.image, (left, middle - item.image.height // 2), item.image)
                else:
                    face = load_typeface(item.face, self._size)
                    draw.text((left, middle), item.text, item.ink, face, anchor="lm")
        return image

    def _measure_item(self, item: _LegendItem) -> int:
        if item.image is not None:
            return item.image.width
        return round(load_typeface(item.face, self._size).getlength(item.text))
