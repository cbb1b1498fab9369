"""Check what is seen on a page: margins, texts, fonts, pictures, thin lines and ink; and the limits
of these checks, as data.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM
from coatl_tools.printing.layouts import LayoutModel, Millimetres, Points
from coatl_tools.printing.preflight.content_stream import ContentReader
from coatl_tools.printing.preflight.display_list import (
    LINE,
    LINE_ART,
    NONE,
    PICTURE,
    TEXT,
    DisplayList,
    Flags,
    Floats,
)
from coatl_tools.printing.preflight.findings import FindingCollector
from coatl_tools.printing.preflight.pdf_reader import CheckedPage, CutOut, PdfBox, format_mm

Part = Annotated[float, Field(ge=0, le=1)]
Dpi = Annotated[float, Field(gt=0, le=4800)]
_ROWS_AT_ONCE = 400
_MOST_TEXTS = 20_000  # of a page
_INK_DPI = 72  # with fewer, thin lines are drawn as wide as a pixel
_MOST_PIXELS = 1_500_000


class PreflightLimits(LayoutModel):
    """The shape of `preflight.json`."""

    paper: Millimetres = Field(description="How far a page may be off the size of its paper")
    edge: Millimetres = Field(description="What home printers leave free at the paper's edge")
    tolerance: Millimetres = Field(description="How far something may reach beyond its place")
    text_tolerance: Millimetres = Field(description="How far a text may reach beyond its box")
    type: Points = Field(description="The smallest type size")
    hairline: Millimetres = Field(description="The thinnest line")
    raster: Dpi = Field(description="Resolution of a picture")
    line_art: Dpi = Field(description="Resolution of a picture of one or two bits")
    ink: Part = Field(description="The most ink of a page, as a part of black paper")
    low_ink: Part = Field(description="The most ink of a page of the low-ink theme")
    megabytes: Annotated[float, Field(gt=0, le=4000)]
    pages: Annotated[int, Field(gt=0, le=10000)]


@dataclass(frozen=True, eq=False)
class VisualChecks:
    """The checks of what one page shows.

    `forms` are the boxes of the forms that own some of the items; the labels of items are numbers
    of the texts and pictures that the `reader` collected; `language` is that of the file.
    """

    page: CheckedPage
    content: DisplayList
    forms: Sequence[PdfBox]
    reader: ContentReader
    language: str
    limits: PreflightLimits
    findings: FindingCollector

    def check_zones(self) -> None:
        """Check that only a background comes near a cut, and nothing near the paper's edge."""
        strict = self.content.visible & ~self.content.items["background"]
        rest = strict.copy()
        for cut_out in self.page.cut_outs:
            own = strict & self._find_own(cut_out)
            rest &= ~own
            self._check_margin(cut_out, np.flatnonzero(own))
        others = np.flatnonzero(rest)
        if self.page.ours and len(others):
            self._check_others(others)

    def _find_own(self, cut_out: CutOut) -> Flags:
        """Find the items of a cut-out: those of its form, or all that lie on it if it has none."""
        forms = [number for number, box in enumerate(self.forms) if cut_out.is_drawn_by(box)]
        if forms:
            return np.isin(self.content.items["form"], forms)
        left, low, right, top = cut_out.trim
        seen = self.content.seen
        x, y = (seen[:, 0] + seen[:, 2]) / 2, (seen[:, 1] + seen[:, 3]) / 2
        return np.asarray((left < x) & (x < right) & (low < y) & (y < top))

    def _check_margin(self, cut_out: CutOut, items: NDArray[np.int64]) -> None:
        if not len(items):
            return
        free = _measure_inside(self.content.seen[items], cut_out.trim)
        worst = int(np.argmin(free))
        cut = not cut_out.covers(self.page.paper)  # a whole page is looked at, not cut
        tolerance = self.limits.tolerance if cut else self.limits.text_tolerance
        if free[worst] < cut_out.safe - tolerance * POINTS_PER_MM:
            self.findings.error(
                "preflight.safe_zone",
                self.page.number,
                cut_out.name,
                measured=format_mm(free[worst]),
                limit=format_mm(cut_out.safe),
                text=self._describe(items[worst]),
            )

    def _check_others(self, items: NDArray[np.int64]) -> None:
        """Check that crop marks, ruler and stamp keep off the cut-outs and the paper's edge."""
        boxes = self.content.seen[items]
        for cut_out in self.page.cut_outs:
            if cut_out.covers(self.page.paper):
                continue
            depth = _measure_entry(boxes, cut_out.trim)
            worst = int(np.argmax(depth))
            # a line that runs along the cut, as at a fold, covers it with half of its width
            if depth[worst] > self.limits.text_tolerance * POINTS_PER_MM:
                self.findings.error(
                    "preflight.on_thing",
                    self.page.number,
                    cut_out.name,
                    measured=format_mm(depth[worst]),
                    text=self._describe(items[worst]),
                )
        free = _measure_inside(boxes, self.page.paper)
        worst = int(np.argmin(free))
        if free[worst] < (self.limits.edge - self.limits.tolerance) * POINTS_PER_MM:
            self.findings.error(
                "preflight.edge",
                self.page.number,
                measured=format_mm(free[worst]),
                limit=f"{self.limits.edge:.2f} mm",
                text=self._describe(items[worst]),
            )

    def _describe(self, item: int) -> str:
        """Return an item's text, or its position from the left and the top, in mm."""
        label = int(self.content.items["label"][item])
        if self.content.items["kind"][item] == TEXT and label != NONE:
            return self.reader.texts[label].text
        seen, paper = self.content.seen[item], self.page.paper
        left, top = (seen[0] - paper[0]) / POINTS_PER_MM, (paper[3] - seen[3]) / POINTS_PER_MM
        return f"x {left:.1f} mm, y {top:.1f} mm"

    def check_texts(self) -> None:
        """Check that texts have all letters, are large enough, and keep their places."""
        content, limits = self.content, self.limits
        items = np.flatnonzero(content.items["kind"] == TEXT)
        for item in items:
            run = self.reader.texts[content.items["label"][item]]
            if run.lacking:
                self.findings.error(
                    "preflight.glyph", self.page.number, measured=run.font, text=run.text
                )
            size = content.items["size"][item] * self.page.unit
            if size < limits.type - 0.01:
                self.findings.warning(
                    "preflight.small_type",
                    self.page.number,
                    measured=f"{size:.1f} pt",
                    limit=f"{limits.type:g} pt",
                    text=run.text,
                )
        items = items[~content.items["background"][items]][:_MOST_TEXTS]
        self._check_text_boxes(items)
        self._check_cut_texts(items)
        self._check_overlaps(items)

    def _check_text_boxes(self, items: NDArray[np.int64]) -> None:
        """Check that upright texts stay in the boxes that they were meant to fit."""
        for item, number in zip(items, self.content.items["text_box"][items], strict=True):
            if number == NONE or not _is_upright(corners := self.content.text_boxes[number]):
                continue
            box = self.content.whole[item]
            over = max((corners.min(axis=0) - box[:2]).max(), (box[2:] - corners.max(axis=0)).max())
            if over > self.limits.text_tolerance * POINTS_PER_MM:
                self._add_text_error("preflight.overflow", item, measured=format_mm(over))

    def _check_cut_texts(self, items: NDArray[np.int64]) -> None:
        """Check that nothing of a text is cut off."""
        cut = np.abs(self.content.whole[items] - self.content.seen[items]).max(axis=1)
        for item in items[cut > self.limits.text_tolerance * POINTS_PER_MM]:
            self._add_text_error("preflight.text_cut", item)

    def _check_overlaps(self, items: NDArray[np.int64]) -> None:
        """Check that upright texts of different boxes do not overlap.

        The same text twice in one place is allowed: it is a simulated bold face.
        """
        content, tolerance = self.content, self.limits.text_tolerance * POINTS_PER_MM
        starts = content.starts[items]
        upright = [_is_upright(content.points[start : start + 4]) for start in starts]
        items = items[np.array(upright, np.bool_)]
        if len(items) < 2:
            return
        items = items[np.argsort(content.seen[items, 0], kind="stable")]
        boxes, groups = content.seen[items], content.items["text_box"][items]
        groups = np.where(groups == NONE, -2 - np.arange(len(items)), groups)
        for start in range(0, len(items), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            reach = boxes[rows, 2].max()
            stop = int(np.searchsorted(boxes[:, 0], reach))  # what begins further right is off
            others = slice(start, max(stop, start))
            depth = _measure_overlap(boxes[rows], boxes[others])
            hit = (depth > tolerance) & (groups[rows, None] != groups[None, others])
            for i, j in zip(*np.nonzero(np.triu(hit, 1)), strict=True):
                one, other = (self._describe(items[start + index]) for index in (i, j))
                if one != other:
                    self._add_text_error(
                        "preflight.overlap",
                        items[start + i],
                        measured=format_mm(depth[i, j]),
                        limit=other[:60],
                    )

    def _add_text_error(self, what: str, item: int, **details: str) -> None:
        left, low, right, top = self.content.whole[item]
        x, y = (left + right) / 2, (low + top) / 2
        thing = next(
            (
                cut_out.name
                for cut_out in self.page.cut_outs
                if cut_out.trim[0] <= x <= cut_out.trim[2]
                and cut_out.trim[1] <= y <= cut_out.trim[3]
            ),
            "",
        )
        details |= {"text": self._describe(item), "language": self.language}
        self.findings.error(what, self.page.number, thing, **details)

    def check_pictures_and_lines(self) -> None:
        """Check the resolution of pictures and the width of lines."""
        items, page = self.content.items[self.content.visible], self.page
        pixels = items[items["label"] != NONE]
        for kind, least in ((PICTURE, self.limits.raster), (LINE_ART, self.limits.line_art)):
            for picture in pixels[pixels["kind"] == kind]:
                dpi = picture["size"] / page.unit
                if dpi < least - 0.5:
                    self.findings.error(
                        "preflight.raster",
                        page.number,
                        measured=f"{dpi:.0f} dpi",
                        limit=f"{least:g} dpi",
                        text=self.reader.pictures[picture["label"]],
                    )
        widths = items["size"][items["kind"] == LINE] * page.unit / POINTS_PER_MM
        if len(widths) and widths.min() < self.limits.hairline - 1e-3:
            self.findings.warning(
                "preflight.hairline",
                page.number,
                measured=f"{widths.min():.3f} mm",
                limit=f"{self.limits.hairline:g} mm",
            )


def _measure_inside(boxes: Floats, around: PdfBox) -> Floats:
    """Measure how far each box's nearest side lies inside another box; negative outside."""
    low, high = boxes[:, :2] - np.array(around[:2]), np.array(around[2:]) - boxes[:, 2:]
    return np.asarray(np.minimum(low, high).min(axis=1))


def _measure_entry(boxes: Floats, trim: PdfBox) -> Floats:
    """Measure how deep each box reaches into the trim box, from the nearest side."""
    low, high = boxes[:, 2:] - np.array(trim[:2]), np.array(trim[2:]) - boxes[:, :2]
    return np.asarray(np.minimum(low, high).min(axis=1))


def _measure_overlap(some: Floats, others: Floats) -> Floats:
    """Measure how deep each pair of boxes overlap."""
    low = np.maximum(some[:, None, :2], others[None, :, :2])
    high = np.minimum(some[:, None, 2:], others[None, :, 2:])
    return np.asarray((high - low).min(axis=2))


def _is_upright(corners: Floats) -> bool:
    """Tell whether four corners are those of a box turned by 0 or 90 degrees."""
    side = np.abs(corners[1] - corners[0])
    return bool(min(side) <= 0.02 * max(side))


def check_ink(
    path: Path,
    pages: Sequence[CheckedPage],
    low: bool,
    limits: PreflightLimits,
    findings: FindingCollector,
) -> None:
    """Check the ink coverage of every rendered page; `low` for the low-ink theme."""
    inks = _measure_ink(path, pages)
    if not inks:
        return
    worst = max(inks, key=lambda number: inks[number])
    mean = sum(inks.values()) / len(inks)
    findings.info("preflight.ink", worst, measured=_percent(mean), limit=_percent(inks[worst]))
    for number, ink in inks.items():
        measured = _percent(ink)
        if low and ink > limits.low_ink:
            limit = _percent(limits.low_ink)
            findings.error("preflight.low_ink", number, measured=measured, limit=limit)
        elif ink > limits.ink:
            limit = _percent(limits.ink)
            findings.warning("preflight.much_ink", number, measured=measured, limit=limit)


def _percent(part: float) -> str:
    return f"{100 * part:.3g} %"


def _measure_ink(path: Path, pages: Sequence[CheckedPage]) -> dict[int, float]:
    """Measure how much of each page is ink, from 0 (white) to 1 (black)."""
    import pypdfium2 as pdfium  # noqa: PLC0415 (it takes its time to load)

    inks: dict[int, float] = {}
    with (
        contextlib.suppress(pdfium.PdfiumError),
        contextlib.closing(pdfium.PdfDocument(path)) as file,
    ):
        for page in pages:
            width, height = page.size
            most = (_MOST_PIXELS / (width * height + 1)) ** 0.5 / POINTS_PER_MM * page.unit
            with contextlib.closing(file[page.number - 1]) as sheet:
                picture = sheet.render(scale=min(_INK_DPI / 72, most), may_draw_forms=False)
                inks[page.number] = float(1 - picture.to_numpy()[..., :3].mean() / 255)
    return inks
