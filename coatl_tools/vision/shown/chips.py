"""Small labels on a photo: letters, numbers and symbols on fields of colour, with a rim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from coatl_tools.pieces import Colour, Kind
from coatl_tools.printing.drawing.font_files import BOLD, REGULAR, file_of
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.theme import PieceInks, load_theme

DARK, LIGHT, DOUBT, CARD = "#1d1b1a", "#ffffff", "#ffb000", "#00857a"
_FINE = 4  # drawn so much larger, then shrunk: smooth edges
_TYPE = 0.72  # of the height of a chip
_SYMBOL = 0.25  # its radius, likewise
_SYMBOLS = {colour.symbol: colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a chip: its text, in which ▲ ● ■ ★ ◆ are drawn, on a ground."""

    text: str
    ground: str
    ink: str


def number_field(number: str, doubtful: bool) -> Field:
    """What corrections call a thing; one that is not sure is told by its mark too."""
    return Field(f"{number} ?", DOUBT, DARK) if doubtful else Field(number, DARK, LIGHT)


def piece_field(colour: Colour, kind: Kind) -> Field:
    """A piece as it is written, with its symbol, on its colour."""
    text = f"{'<' * (kind is Kind.HEAD)}{colour.symbol}{colour.name}{'>' * (kind is Kind.TAIL)}"
    inks = _inks(colour)
    return Field(text, inks.fill, inks.symbol)


def chip(fields: Sequence[Field], height: int) -> Image.Image:
    """Fields side by side, rounded, with a light rim and a dark one around it."""
    inner, rim = height * _FINE, max(2, height // 9) * _FINE // 2
    face = typeface(BOLD, round(inner * _TYPE))
    padding = inner * 0.24
    widths = [round(_width(field.text, face, inner) + 2 * padding) for field in fields]
    width, whole = sum(widths) + 4 * rim, inner + 4 * rim
    image = Image.new("RGBA", (width, whole))
    draw = ImageDraw.Draw(image)
    radius = whole * 0.24
    draw.rounded_rectangle((0, 0, width - 1, whole - 1), radius, fill=DARK)
    draw.rounded_rectangle((rim, rim, width - 1 - rim, whole - 1 - rim), radius - rim, fill=LIGHT)
    body = Image.new("RGBA", (sum(widths), inner))
    drawn = ImageDraw.Draw(body)
    left = 0
    for field, wide in zip(fields, widths, strict=True):
        drawn.rectangle((left, 0, left + wide - 1, inner), fill=field.ground)
        _write(drawn, field, left + padding, face, inner)
        left += wide
    mask = Image.new("L", body.size)
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, body.width - 1, inner - 1), radius - 2 * rim, fill=255
    )
    image.paste(body, (2 * rim, 2 * rim), mask)
    size = -(-width // _FINE), -(-whole // _FINE)
    return image.resize(size, Image.Resampling.BOX)


@lru_cache(maxsize=32)
def typeface(face: str, size: int) -> ImageFont.FreeTypeFont:
    """A face of Source Sans Pro, in pixels."""
    return ImageFont.truetype(str(file_of(face)), size, layout_engine=ImageFont.Layout.BASIC)


def wrapped(text: str, width: float, size: int, face: str = REGULAR) -> list[str]:
    """A text in lines of at most so many pixels, as far as its words allow."""
    font, lines = typeface(face, size), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=8)
def _inks(colour: Colour) -> PieceInks:
    return load_theme("full", Layouts()).piece(colour)


def _width(text: str, face: ImageFont.FreeTypeFont, height: int) -> float:
    return sum(
        height * _SYMBOL * 2.4 if letter in _SYMBOLS else face.getlength(letter) for letter in text
    )


def _write(
    draw: ImageDraw.ImageDraw, field: Field, left: float, face: ImageFont.FreeTypeFont, height: int
) -> None:
    radius = height * _SYMBOL
    for letter in field.text:
        if letter in _SYMBOLS:
            shape = symbol(_SYMBOLS[letter], left + radius * 1.1, height / 2, radius)
            draw.polygon(shape.flat()[0], fill=field.ink)
            left += radius * 2.4
        else:
            draw.text((left, height * 0.49), letter, field.ink, face, anchor="lm")
            left += face.getlength(letter)
