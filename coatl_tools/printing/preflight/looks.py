"""What is seen: fonts, pictures, thin lines, and how much ink a page takes."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM
from coatl_tools.printing.preflight.content import Found
from coatl_tools.printing.preflight.limits import PreflightLimits
from coatl_tools.printing.preflight.pages import CheckedPage, Drawn
from coatl_tools.printing.preflight.painted import LINE, LINE_ART, NONE, PICTURE
from coatl_tools.printing.preflight.report import Notes

_DPI = 72  # with fewer, thin lines are drawn as wide as a pixel
_MOST_PIXELS = 1_500_000


def check_fonts(found: Found, notes: Notes) -> None:
    """Check that of every font the part that is used is embedded, and can be read back."""
    for font in found.fonts:
        if font.kind == "Type3":
            notes.error("preflight.type3", text=font.name)
        elif not font.embedded:
            notes.error("preflight.not_embedded", text=font.name)
        elif not font.subset:
            notes.error("preflight.not_subset", text=font.name)
        elif not font.readable:
            notes.error("preflight.unreadable", text=font.name)


def check_marks(drawn: Drawn, pictures: list[str], limits: PreflightLimits, notes: Notes) -> None:
    """Check the resolution of pictures and the width of lines on a page."""
    painted, page = drawn.painted, drawn.page
    for kind, least in ((PICTURE, limits.raster), (LINE_ART, limits.line_art)):
        chosen = (painted.kinds == kind) & painted.visible & (painted.labels != NONE)
        for mark in np.flatnonzero(chosen):
            dpi = painted.sizes[mark] / page.unit
            if dpi < least - 0.5:
                notes.error(
                    "preflight.raster",
                    page.number,
                    measured=f"{dpi:.0f} dpi",
                    limit=f"{least:g} dpi",
                    text=pictures[painted.labels[mark]],
                )
    lines = painted.sizes[(painted.kinds == LINE) & painted.visible] * page.unit / POINTS_PER_MM
    if len(lines) and lines.min() < limits.hairline - 1e-3:
        notes.warning(
            "preflight.hairline",
            page.number,
            measured=f"{lines.min():.3f} mm",
            limit=f"{limits.hairline:g} mm",
        )


def check_ink(
    path: Path, pages: list[CheckedPage], low: bool, limits: PreflightLimits, notes: Notes
) -> None:
    """Measure the ink of every page on a rendered picture."""
    inks = _inks(path, pages)
    if not inks:
        return
    worst = max(inks, key=lambda number: inks[number])
    mean = sum(inks.values()) / len(inks)
    notes.info("preflight.ink", worst, measured=_percent(mean), limit=_percent(inks[worst]))
    for number, ink in inks.items():
        if low and ink > limits.low_ink:
            notes.error(
                "preflight.low_ink", number, measured=_percent(ink), limit=_percent(limits.low_ink)
            )
        elif ink > limits.ink:
            notes.warning(
                "preflight.much_ink", number, measured=_percent(ink), limit=_percent(limits.ink)
            )


def _percent(part: float) -> str:
    return f"{100 * part:.3g} %"


def _inks(path: Path, pages: list[CheckedPage]) -> dict[int, float]:
    """How much of each page is ink, from 0 (white) to 1 (black)."""
    import pypdfium2 as pdfium  # noqa: PLC0415 (it takes its time to load)

    inks: dict[int, float] = {}
    with (
        contextlib.suppress(pdfium.PdfiumError),
        contextlib.closing(pdfium.PdfDocument(path)) as file,
    ):
        for page in pages:
            width, height = page.size
            scale = min(
                _DPI / 72, (_MOST_PIXELS / (width * height + 1)) ** 0.5 / POINTS_PER_MM * page.unit
            )
            with contextlib.closing(file[page.number - 1]) as sheet:
                picture = sheet.render(scale=scale, may_draw_forms=False).to_numpy()
            inks[page.number] = float(1 - picture[..., :3].mean() / 255)
    return inks
