"""Pieces can be told apart without seeing colours: on rendered pages, by lightness and symbol."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.printing.pieces.piece_drawing import draw_piece
from tests.printing.golden_pictures import render_pdf_page
from tests.printing.sample_faces import make_pdf_of_faces

Floats = NDArray[np.float64]
CELL = 60.0  # millimetres; each piece is drawn in the middle of its own square
DPI = 100
CARD_SCALE = 0.35  # of pieces in the row on a card, smaller than any layout has them
LEAST_LIGHTNESS = 10.0  # difference of CIE L*
MOST_ALIKE = 0.85  # overlap of two symbols

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


@lru_cache(maxsize=8)
def page_of_pieces(theme: ThemeName, scale: float = 1.0, dpi: float = DPI) -> Floats:
    """All kinds of pieces (rows) in all colours (columns), as pixels from 0 to 255."""
    design = Design(load_language("en"), theme)
    cell = CELL * scale

    def draw(surface: Surface) -> None:
        for row, kind in enumerate(PieceKind):
            for column, colour in enumerate(Colour):
                with surface.at_origin((column + 0.5) * cell, (row + 0.5) * cell, scale=scale):
                    draw_piece(surface, design, kind, colour)

    width, height = len(Colour) * cell, len(PieceKind) * cell
    data = make_pdf_of_faces(Face("all", width, height, draw))
    return np.asarray(render_pdf_page(data, dpi=dpi, larger=2), np.float64)


def cells(picture: Floats) -> dict[tuple[PieceKind, Colour], Floats]:
    rows, columns = len(PieceKind), len(Colour)
    high, wide = picture.shape[0] // rows, picture.shape[1] // columns
    return {
        (kind, colour): picture[i * high : (i + 1) * high, j * wide : (j + 1) * wide]
        for i, kind in enumerate(PieceKind)
        for j, colour in enumerate(Colour)
    }


def body_colour(cell: Floats) -> Floats:
    """The colour that covers most of a piece: that of its body."""
    pixels = cell.reshape(-1, 3).astype(np.int64)
    pixels = pixels[pixels.min(axis=1) < 250]  # the paper is white here
    found, counts = np.unique(pixels @ (1, 256, 65536), return_counts=True)
    most = int(found[np.argmax(counts)])
    return np.array([most % 256, most // 256 % 256, most // 65536], np.float64)


def linear(colour: Floats) -> Floats:
    part = colour / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lightness(seen: Floats) -> float:
    """CIE L* of a linear colour."""
    y = float(np.clip(seen, 0, 1) @ np.array([0.2126, 0.7152, 0.0722]))
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


@pytest.mark.parametrize("kind", PieceKind)
@pytest.mark.parametrize("name", DEFICIENCIES)
def test_the_five_colours_differ_in_lightness(name: str, kind: PieceKind) -> None:
    shown = cells(page_of_pieces("full"))
    light = {
        colour: lightness(DEFICIENCIES[name] @ linear(body_colour(shown[kind, colour])))
        for colour in Colour
    }
    for one, other in combinations(Colour, 2):
        assert abs(light[one] - light[other]) >= LEAST_LIGHTNESS, (name, one, other, light)


def test_the_five_colours_differ_on_a_greyscale_print() -> None:
    shown = cells(page_of_pieces("full"))
    luma = np.array([0.299, 0.587, 0.114])
    grey = {
        colour: lightness(linear(np.full(3, body_colour(shown[PieceKind.BODY, colour]) @ luma)))
        for colour in Colour
    }
    for one, other in combinations(Colour, 2):
        assert abs(grey[one] - grey[other]) >= LEAST_LIGHTNESS, (one, other, grey)


def symbol_on(cell: Floats, theme: ThemeName, scale: float, dpi: float) -> NDArray[np.bool_]:
    """The symbol in the middle of a piece, cut out and brought to one size."""
    reach = int(3.5 * scale * dpi / 25.4)
    y, x = cell.shape[0] // 2, cell.shape[1] // 2
    middle = cell[y - reach : y + reach, x - reach : x + reach]
    ground = body_colour(cell) if theme == "full" else np.full(3, 255.0)
    off = np.abs(middle - ground).max(axis=2)
    mask: NDArray[np.bool_] = off > off.max() / 2
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    at = (np.arange(64) + 0.5) / 64
    rows, columns = ((at * length).astype(np.int64) for length in mask.shape)
    return np.asarray(mask[rows][:, columns])


@pytest.mark.parametrize("scale", [1.0, CARD_SCALE])
@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("kind", PieceKind)
def test_the_five_symbols_have_shapes_of_their_own(
    kind: PieceKind, theme: ThemeName, scale: float
) -> None:
    dpi = 300 if scale < 1 else DPI
    shown = cells(page_of_pieces(theme, scale, dpi))
    symbols = {c: symbol_on(shown[kind, c], theme, scale, dpi) for c in Colour}
    for one, other in combinations(Colour, 2):
        alike = (symbols[one] & symbols[other]).sum() / (symbols[one] | symbols[other]).sum()
        assert alike < MOST_ALIKE, (one, other, alike)


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_symbol_stands_out_from_its_piece_in_grey(theme: ThemeName) -> None:
    """Whatever the colours become, the symbol can be seen: it is darker or lighter."""
    for (kind, colour), cell in cells(page_of_pieces(theme)).items():
        y, x = cell.shape[0] // 2, cell.shape[1] // 2
        ground = body_colour(cell) if theme == "full" else np.full(3, 255.0)
        symbol = lightness(linear(cell[y, x]))
        assert abs(symbol - lightness(linear(ground))) > 20, (kind, colour)
