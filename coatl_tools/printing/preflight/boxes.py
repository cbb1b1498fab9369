"""What a print shop and a home printer read off a file: its boxes, paper and hints."""

from __future__ import annotations

import pikepdf

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM
from coatl_tools.printing.preflight.limits import PreflightLimits
from coatl_tools.printing.preflight.pages import CheckedPage
from coatl_tools.printing.preflight.report import Notes
from coatl_tools.printing.preflight.state import BoxOf
from coatl_tools.printing.preflight.streams import dictionary

_DUPLEX = ("/Simplex", "/DuplexFlipShortEdge", "/DuplexFlipLongEdge")
_HAIR = 0.01  # of a point: what rounding leaves


def check_hints(pdf: pikepdf.Pdf, notes: Notes) -> None:
    """Check what holds for the whole file: scaling, duplex, language, title, bookmarks."""
    root = pdf.Root
    hints = dictionary(root, "/ViewerPreferences")
    scaling = None if hints is None else hints.get("/PrintScaling")
    if str(scaling) != "/None":
        notes.error("preflight.scaling")
    if hints is None or str(hints.get("/Duplex")) not in _DUPLEX:
        notes.error("preflight.duplex")
    if not str(root.get("/Lang", "")).strip():
        notes.error("preflight.language")
    if not _title(pdf).strip():
        notes.error("preflight.title")
    if dictionary(dictionary(root, "/Outlines"), "/First") is None:
        notes.error("preflight.bookmarks")


def _title(pdf: pikepdf.Pdf) -> str:
    info = dictionary(pdf.trailer, "/Info")
    return "" if info is None else str(info.get("/Title", ""))


def check_boxes(page: CheckedPage, notes: Notes) -> None:
    """Check that trim lies in bleed lies in paper, all of which is shown upright, and that every
    thing is cut inside the trim.
    """
    trim, bleed = page.trim, page.bleed
    for name, box in (("TrimBox", trim), ("BleedBox", bleed)):
        if box is None:
            notes.error("preflight.no_box", page.number, text=name)
    for inner, outer, names in (
        (trim, bleed, ("TrimBox", "BleedBox")),
        (bleed, page.paper, ("BleedBox", "MediaBox")),
        (trim, page.paper, ("TrimBox", "MediaBox")),
        (page.paper, page.crop, ("MediaBox", "CropBox")),
    ):
        if inner is not None and outer is not None and (over := _over(inner, outer)) > _HAIR:
            notes.error(
                "preflight.box_order",
                page.number,
                measured=f"{over / POINTS_PER_MM:.2f} mm",
                limit=names[1],
                text=names[0],
            )
    if page.turned:
        notes.warning("preflight.turned", page.number)
    for thing in page.things:
        if trim is not None and (over := _over(thing.trim, trim)) > _HAIR:
            notes.error(
                "preflight.thing_box",
                page.number,
                thing.name,
                measured=f"{over / POINTS_PER_MM:.2f} mm",
                limit="TrimBox",
            )


def _over(inner: BoxOf, outer: BoxOf) -> float:
    """How far a box reaches out of another one; negative if it lies inside."""
    return max(outer[0] - inner[0], outer[1] - inner[1], inner[2] - outer[2], inner[3] - outer[3])


def check_paper(
    pages: list[CheckedPage],
    papers: dict[str, tuple[float, float]],
    limits: PreflightLimits,
    notes: Notes,
) -> None:
    """Check that every page is a known paper, upright or lying, and all the same one."""
    first = ""
    for page in pages:
        name = _paper(page.size, papers, limits.paper)
        width, height = page.size
        size = f"{width:.1f} × {height:.1f} mm"
        if not name:
            known = ", ".join(f"{n} {w:g} × {h:g}" for n, (w, h) in papers.items())
            notes.error("preflight.paper", page.number, measured=size, limit=known)
        elif first and name != first:
            notes.error("preflight.papers", page.number, measured=size, limit=first)
        first = first or name


def _paper(size: tuple[float, float], papers: dict[str, tuple[float, float]], off: float) -> str:
    upright = sorted(size)
    for name, paper in papers.items():
        if all(abs(a - b) <= off + 1e-3 for a, b in zip(upright, sorted(paper), strict=True)):
            return name
    return ""
