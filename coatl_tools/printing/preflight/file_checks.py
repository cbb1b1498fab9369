"""Check a whole file: open it with care, check its hints and boxes, then what each page shows."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pikepdf

from coatl_tools.errors import FileError
from coatl_tools.printing.drawing.geometry import invert_matrix
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.papers import PaperSize, load_sheets_layout
from coatl_tools.printing.preflight.content_stream import ContentReader
from coatl_tools.printing.preflight.findings import FindingCollector, PreflightReport
from coatl_tools.printing.preflight.pdf_fonts import PdfFont
from coatl_tools.printing.preflight.pdf_reader import (
    CheckedPage,
    PdfBox,
    WorkLimitError,
    format_mm,
    get_dictionary,
    read_page,
)
from coatl_tools.printing.preflight.visual_checks import PreflightLimits, VisualChecks, check_ink

logging.getLogger("pikepdf").addHandler(logging.NullHandler())  # findings tell it better
_HEADER = 1024  # a PDF says what it is within so many bytes
_DUPLEX = ("/Simplex", "/DuplexFlipShortEdge", "/DuplexFlipLongEdge")
_ROUNDING = 0.01  # points


def check_pdf(path: Path, layouts: Layouts | None = None) -> PreflightReport:
    """Find everything that is wrong with a PDF file; raise FileError if it cannot be read."""
    layouts = layouts or Layouts()
    limits, findings = layouts.load("preflight", PreflightLimits), FindingCollector()
    count = 0
    if _is_pdf(path, limits, findings) and (pdf := _open_pdf(path, findings)) is not None:
        with pdf, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pikepdf, about streams that end too early
            count = _check_open_pdf(pdf, path, layouts, limits, findings)
    return PreflightReport(path, count, findings.list_findings())


def _is_pdf(path: Path, limits: PreflightLimits, findings: FindingCollector) -> bool:
    if path.is_dir():
        raise FileError("file.folder", path=path)
    try:
        with path.open("rb") as file:
            begin = file.read(_HEADER)
        size = path.stat().st_size / 1e6
    except FileNotFoundError:
        raise FileError("file.missing", path=path) from None
    except OSError as error:
        raise FileError("file.unreadable", path=path, reason=error.strerror) from None
    if b"%PDF-" not in begin:
        findings.error("preflight.no_pdf")
        return False
    if size > limits.megabytes:
        measured, limit = f"{size:.0f} MB", f"{limits.megabytes:g} MB"
        findings.error("preflight.huge", measured=measured, limit=limit)
        return False
    return True


def _open_pdf(path: Path, findings: FindingCollector) -> pikepdf.Pdf | None:
    """Open the file; repair a damaged one if possible, and report it."""
    for mend in (False, True):
        try:
            pdf = pikepdf.open(path, attempt_recovery=mend, suppress_warnings=True)
        except pikepdf.PasswordError:
            findings.error("preflight.encrypted")
            return None
        except (pikepdf.PdfError, RuntimeError, ValueError):
            continue
        if mend:
            findings.error("preflight.damaged")
        if pdf.is_encrypted:
            findings.error("preflight.encrypted")
        return pdf
    findings.error("preflight.broken")
    return None


def _check_open_pdf(
    pdf: pikepdf.Pdf,
    path: Path,
    layouts: Layouts,
    limits: PreflightLimits,
    findings: FindingCollector,
) -> int:
    """Check an open file; return the number of its pages."""
    pages: list[CheckedPage] = []
    count = 0
    try:
        count = len(pdf.pages)
        if not count:
            findings.error("preflight.empty")
            return 0
        if count > limits.pages:
            findings.error("preflight.many_pages", measured=str(count), limit=str(limits.pages))
        _check_hints(pdf, findings)
        reader = ContentReader()
        for number, page in enumerate(pdf.pages[: limits.pages], 1):
            checked = read_page(number, page)
            if checked is None:
                findings.error("preflight.no_box", number, text="MediaBox")
                continue
            pages.append(checked)
            _check_boxes(checked, findings)
            _check_content(pdf, page, checked, reader, limits, findings)
        _check_papers(pages, load_sheets_layout(layouts).papers, limits, findings)
        _check_facts(reader, pages, findings)
        if not (reader.cyclic or reader.deep or reader.unparsed):  # what a renderer may not end
            low_ink = "low-ink" in _read_info(pdf, "/Keywords")
            check_ink(path, pages, low_ink, limits, findings)
    except WorkLimitError:
        findings.error("preflight.too_much")
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError, KeyError) as error:
        # a file can be broken in more ways than one can name; its pages before this are checked
        findings.error("preflight.broken_part", text=f"{type(error).__name__}: {error}")
    return count


def _read_info(pdf: pikepdf.Pdf, key: str) -> str:
    info = get_dictionary(pdf.trailer, "/Info")
    return "" if info is None else str(info.get(key, ""))


def _check_hints(pdf: pikepdf.Pdf, findings: FindingCollector) -> None:
    """Check what holds for the whole file: scaling, duplex, language, title, bookmarks."""
    root = pdf.Root
    hints = get_dictionary(root, "/ViewerPreferences")
    if hints is None or str(hints.get("/PrintScaling")) != "/None":
        findings.error("preflight.scaling")
    if hints is None or str(hints.get("/Duplex")) not in _DUPLEX:
        findings.error("preflight.duplex")
    if not str(root.get("/Lang", "")).strip():
        findings.error("preflight.language")
    if not _read_info(pdf, "/Title").strip():
        findings.error("preflight.title")
    if get_dictionary(get_dictionary(root, "/Outlines"), "/First") is None:
        findings.error("preflight.bookmarks")


def _check_boxes(page: CheckedPage, findings: FindingCollector) -> None:
    """Check the page boxes: trim inside bleed inside paper, upright, all cuts inside the trim."""
    trim, bleed = page.trim, page.bleed
    for name, box in (("TrimBox", trim), ("BleedBox", bleed)):
        if box is None:
            findings.error("preflight.no_box", page.number, text=name)
    for inner, outer, names in (
        (trim, bleed, ("TrimBox", "BleedBox")),
        (bleed, page.paper, ("BleedBox", "MediaBox")),
        (trim, page.paper, ("TrimBox", "MediaBox")),
        (page.paper, page.crop, ("MediaBox", "CropBox")),
    ):
        if over := _measure_outside(inner, outer):
            findings.error(
                "preflight.box_order", page.number, measured=over, limit=names[1], text=names[0]
            )
    if page.turned:
        findings.warning("preflight.turned", page.number)
    for cut_out in page.cut_outs:
        if over := _measure_outside(cut_out.trim, trim):
            findings.error(
                "preflight.thing_box", page.number, cut_out.name, measured=over, limit="TrimBox"
            )


def _measure_outside(inner: PdfBox | None, outer: PdfBox | None) -> str:
    """Format how far a box reaches out of another one; empty if it does not."""
    if inner is None or outer is None:
        return ""
    over = max(outer[0] - inner[0], outer[1] - inner[1], inner[2] - outer[2], inner[3] - outer[3])
    return format_mm(over) if over > _ROUNDING else ""


def _check_content(
    pdf: pikepdf.Pdf,
    page: pikepdf.Page,
    checked: CheckedPage,
    reader: ContentReader,
    limits: PreflightLimits,
    findings: FindingCollector,
) -> None:
    """Check what is seen on a page."""
    language = str(pdf.Root.get("/Lang", ""))
    with np.errstate(all="ignore"):  # numbers without measure make boxes without measure
        start = invert_matrix(checked.adjusted)
        content, forms = reader.read_content(page.obj, start, checked.paper)
        checks = VisualChecks(checked, content, forms, reader, language, limits, findings)
        checks.check_zones()
        checks.check_texts()
        checks.check_pictures_and_lines()


def _check_papers(
    pages: list[CheckedPage],
    papers: Mapping[str, PaperSize],
    limits: PreflightLimits,
    findings: FindingCollector,
) -> None:
    """Check that every page is a known paper, portrait or landscape, and all the same one."""
    first = ""
    for page in pages:
        width, height = page.size
        name = next((n for n, p in papers.items() if _is_paper(page.size, p, limits.paper)), "")
        size = f"{width:.1f} × {height:.1f} mm"
        if not name:
            known = ", ".join(f"{n} {p.width:g} × {p.height:g}" for n, p in papers.items())
            findings.error("preflight.paper", page.number, measured=size, limit=known)
        elif first and name != first:
            findings.error("preflight.papers", page.number, measured=size, limit=first)
        first = first or name


def _is_paper(size: tuple[float, float], paper: PaperSize, tolerance: float) -> bool:
    pairs = zip(sorted(size), sorted((paper.width, paper.height)), strict=True)
    return all(abs(a - b) <= tolerance + 1e-3 for a, b in pairs)


def _check_facts(
    reader: ContentReader, pages: list[CheckedPage], findings: FindingCollector
) -> None:
    """Report problems of the content of all pages: fonts, broken streams, transparency."""
    _check_fonts(reader.fonts, findings)
    if reader.unparsed:
        findings.error("preflight.broken_part", text=reader.unparsed)
    if reader.cyclic:
        findings.error("preflight.cyclic")
    if reader.deep:
        findings.error("preflight.deep")
    if reader.transparent:
        findings.warning("preflight.transparent")
    if not any(page.ours for page in pages):
        findings.info("preflight.foreign")


def _check_fonts(fonts: Iterable[PdfFont], findings: FindingCollector) -> None:
    """Check that the used part of every font is embedded, and that its text can be extracted."""
    for font in fonts:
        if font.kind == "Type3":
            findings.error("preflight.type3", text=font.name)
        elif not font.embedded:
            findings.error("preflight.not_embedded", text=font.name)
        elif not font.subset:
            findings.error("preflight.not_subset", text=font.name)
        elif not font.readable:
            findings.error("preflight.unreadable", text=font.name)
