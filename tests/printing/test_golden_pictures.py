"""What is printed looks as it did when somebody last looked at it; `make golden` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import rectangle
from coatl_tools.printing.drawing.ornaments import colour_symbol
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.printing.pieces.piece_drawing import draw_piece
from tests.printing.golden_pictures import (
    compare_with_golden,
    measure_difference,
    render_pdf_page,
    save_golden,
)
from tests.printing.preflight_samples import card, make_card_file
from tests.printing.sample_faces import make_pdf_of_faces


def row_of_pieces(
    theme: ThemeName, off: float = 0.0, colours: str = "RGBYK", missing: int | None = None
) -> bytes:
    """A Cóatl of all colours; one of its pieces may be moved or left out."""
    design = Design(load_language("en"), theme)
    shape = design.piece_shape
    kinds = [PieceKind.HEAD, PieceKind.BODY, PieceKind.BODY, PieceKind.BODY, PieceKind.TAIL]

    def draw(surface: Surface) -> None:
        with surface.background():
            surface.fill(rectangle(-3, -3, 136, 36), design.theme.paper)
        for i, (kind, letter) in enumerate(zip(kinds, colours, strict=True)):
            if i == missing:
                continue
            with surface.at_origin(28 + i * shape.pitch + (off if i == 2 else 0), 15):
                draw_piece(surface, design, kind, Colour[letter])

    return make_pdf_of_faces(Face(f"row-{theme}", 130, 30, draw))


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_golden_picture_of_pieces(theme: ThemeName, tmp_path: Path) -> None:
    compare_with_golden(f"pieces-{theme}", row_of_pieces(theme), 1, tmp_path)


# the comparison itself


def test_another_way_of_smoothing_is_no_difference() -> None:
    for theme in THEME_NAMES:
        pdf = row_of_pieces(theme)
        golden = render_pdf_page(pdf)
        assert measure_difference(golden, render_pdf_page(pdf, smooth=False)).small
        assert measure_difference(golden, render_pdf_page(pdf, larger=3)).small


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("fault", [{"off": 1.5}, {"missing": 4}, {"colours": "RGRYK"}])
def test_what_moved_or_went_is_a_difference(theme: ThemeName, fault: dict[str, object]) -> None:
    golden = render_pdf_page(row_of_pieces(theme))
    assert not measure_difference(golden, render_pdf_page(row_of_pieces(theme, **fault))).small  # type: ignore[arg-type]


def test_a_symbol_that_moved_on_a_whole_sheet_is_a_difference() -> None:
    def sheet(x: float) -> bytes:
        mark = colour_symbol(Colour.Y, x, 60, 2)
        return make_card_file(card(lambda s: s.fill(mark, "#7d6a58")))

    assert measure_difference(
        render_pdf_page(sheet(30)), render_pdf_page(sheet(30), smooth=False)
    ).small
    assert not measure_difference(render_pdf_page(sheet(30)), render_pdf_page(sheet(31.5))).small


def test_a_difference_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COATL_GOLDEN", raising=False)
    with pytest.raises(AssertionError, match="is missing"):
        compare_with_golden("row", row_of_pieces("full"), 1, tmp_path, golden=tmp_path)
    save_golden(render_pdf_page(row_of_pieces("full")), tmp_path / "row.png")
    compare_with_golden("row", row_of_pieces("full"), 1, tmp_path, golden=tmp_path)
    with pytest.raises(AssertionError, match=r"row\.difference\.png"):
        compare_with_golden(
            "row", row_of_pieces("full", off=1.5), 1, tmp_path / "new", golden=tmp_path
        )
    shown = {path.name for path in (tmp_path / "new").iterdir()}
    assert shown == {"row.actual.png", "row.difference.png"}


def test_the_command_renews_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COATL_GOLDEN", "renew")
    compare_with_golden("row", row_of_pieces("full"), 1, tmp_path, golden=tmp_path)
    monkeypatch.delenv("COATL_GOLDEN")
    compare_with_golden("row", row_of_pieces("full"), 1, tmp_path, golden=tmp_path)
