"""Drawing on a ReportLab canvas.

What is a background is marked as one in the file, and a text carries the box that it was meant
to fit: so that a finished PDF can be checked without knowing how it was made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Box, Matrix, Path
from coatl_tools.printing.drawing.pdf_tags import TEXT_BOX_TAG
from coatl_tools.printing.drawing.surface import FontStyle, LineCap, Surface, mix_inks


class PdfSurface(Surface):
    """A surface whose drawing ends up in a PDF."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self._stamps: set[str] = set()
        self._fade: tuple[str, float] | None = None  # the ground, and its share in every ink

    def fill(self, path: Path, ink: str) -> None:
        """Fill a path."""
        self.canvas.setFillColor(self._ink(ink))
        self.canvas.addLiteral(f"{_format_operators(path)} f")

    def stroke(
        self,
        path: Path,
        ink: str,
        width: float,
        dash: tuple[float, ...] = (),
        cap: LineCap = "flat",
    ) -> None:
        """Stroke a path with a line of this width, in millimetres."""
        canvas = self.canvas
        canvas.setStrokeColor(self._ink(ink))
        canvas.setLineWidth(width * POINTS_PER_MM)
        canvas.setLineJoin(1)
        canvas.setLineCap(1 if cap == "round" else 0)
        canvas.setDash([length * POINTS_PER_MM for length in dash] if dash else [])
        canvas.addLiteral(f"{_format_operators(path)} S")

    def draw_line_of_text(self, x: float, y: float, text: str, type_: FontStyle) -> None:
        """Draw one line of text from x on, its base line at y."""
        canvas = self.canvas
        canvas.setFillColor(self._ink(type_.ink))
        canvas.setFont(type_.face, type_.size)
        canvas.drawString(
            x * POINTS_PER_MM, -y * POINTS_PER_MM, text, charSpace=type_.spacing * type_.size
        )

    @contextmanager
    def text_box(self, box: Box) -> Iterator[None]:
        """Record in the file the box that the text drawn inside should fit."""
        corners = [
            box.x * POINTS_PER_MM,
            -box.bottom * POINTS_PER_MM,
            box.right * POINTS_PER_MM,
            -box.y * POINTS_PER_MM,
        ]
        numbers = " ".join(f"{value:.3f}" for value in corners)
        with self._mark_content(f"/Span <</{TEXT_BOX_TAG} [{numbers}]>> BDC"):
            yield

    @contextmanager
    def background(self) -> Iterator[None]:
        """Mark what is drawn inside as background: only that may run over the edge."""
        with self._mark_content("/Artifact <</Type /Background>> BDC"):
            yield

    @contextmanager
    def _mark_content(self, opening: str) -> Iterator[None]:
        self.canvas.addLiteral(opening)
        yield
        self.canvas.addLiteral("EMC")

    def draw_shared(self, key: str, bounds: Box, draw: Callable[[Surface], None]) -> None:
        """Draw something that the file stores once under this key, however often it is shown.

        Everything outside `bounds` is cut off.
        """
        key = f"{key}-{self._fade}" if self._fade else key
        name = re.sub(r"[^A-Za-z0-9.-]", "_", key)
        canvas = self.canvas
        if key not in self._stamps:
            self._stamps.add(key)
            left, low, right, top = bounds.x, -bounds.bottom, bounds.right, -bounds.y
            begin_form: Callable[..., None] = canvas.beginForm  # it takes fractions of a point too
            begin_form(name, *(round(edge * POINTS_PER_MM, 4) for edge in (left, low, right, top)))
            draw(self)
            canvas.endForm()
        canvas.doForm(name)

    @contextmanager
    def transformed(self, matrix: Matrix) -> Iterator[Surface]:
        """Draw through an affine map of millimetres."""
        self.canvas.saveState()
        m = matrix  # the same map in points, with y upwards on both sides
        self.canvas.transform(m.a, -m.b, -m.c, m.d, m.e * POINTS_PER_MM, -m.f * POINTS_PER_MM)
        yield self
        self.canvas.restoreState()

    @contextmanager
    def clip(self, path: Path) -> Iterator[None]:
        """Draw only inside a path."""
        self.canvas.saveState()
        self.canvas.addLiteral(f"{_format_operators(path)} W n")
        yield
        self.canvas.restoreState()

    @contextmanager
    def fade(self, opacity: float, ground: str) -> Iterator[None]:
        """Mix every ink with the ground inside: print shops want no transparency."""
        before, self._fade = self._fade, (ground, 1 - opacity)
        yield
        self._fade = before

    def _ink(self, ink: str) -> Color:
        return HexColor(mix_inks(ink, *self._fade) if self._fade else ink)


_PDF_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


@lru_cache(maxsize=4096)
def _format_operators(path: Path) -> str:
    """Format a path as PDF operators, to a thousandth of a point.

    ReportLab's path objects do the same, but would take most of the time of a print.
    """
    parts: list[str] = []
    for kind, *values in path.segments:
        for i, value in enumerate(values):
            parts.append(str(round((-value if i % 2 else value) * POINTS_PER_MM, 3)))
        parts.append(_PDF_OPERATORS[kind])
    return " ".join(parts)
