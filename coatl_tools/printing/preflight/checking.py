"""A whole file, checked: opened with care, then page by page."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pikepdf

from coatl_tools.errors import FileError
from coatl_tools.printing.drawing.geometry import invert_matrix
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.preflight.boxes import check_boxes, check_hints, check_paper
from coatl_tools.printing.preflight.content import Content
from coatl_tools.printing.preflight.limits import PreflightLimits, known_papers, load_limits
from coatl_tools.printing.preflight.looks import check_fonts, check_ink, check_marks
from coatl_tools.printing.preflight.pages import CheckedPage, Drawn, read_page
from coatl_tools.printing.preflight.report import Notes, Report
from coatl_tools.printing.preflight.streams import TooMuchError, dictionary
from coatl_tools.printing.preflight.texts import check_texts
from coatl_tools.printing.preflight.zones import check_zones

logging.getLogger("pikepdf").addHandler(logging.NullHandler())  # findings tell it better
_HEADER = 1024  # a PDF says what it is within so many bytes


def check(path: Path, layouts: Layouts | None = None) -> Report:
    """Everything that is wrong with a PDF file; raises FileError if it cannot be read."""
    layouts = layouts or Layouts()
    limits, notes = load_limits(layouts), Notes()
    if not _is_pdf(path, limits, notes):
        return Report(path, 0, notes.done())
    pdf = _opened(path, notes)
    if pdf is None:
        return Report(path, 0, notes.done())
    with pdf:
        count = _checked(pdf, path, layouts, limits, notes)
    return Report(path, count, notes.done())


def _is_pdf(path: Path, limits: PreflightLimits, notes: Notes) -> bool:
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
        notes.error("preflight.no_pdf")
        return False
    if size > limits.megabytes:
        notes.error("preflight.huge", measured=f"{size:.0f} MB", limit=f"{limits.megabytes:g} MB")
        return False
    return True


def _opened(path: Path, notes: Notes) -> pikepdf.Pdf | None:
    """The file; one that is damaged is mended as far as that goes, and told."""
    for mend in (False, True):
        try:
            pdf = pikepdf.open(path, attempt_recovery=mend, suppress_warnings=True)
        except pikepdf.PasswordError:
            notes.error("preflight.encrypted")
            return None
        except (pikepdf.PdfError, RuntimeError, ValueError):
            continue
        if mend:
            notes.error("preflight.damaged")
        if pdf.is_encrypted:
            notes.error("preflight.encrypted")
        return pdf
    notes.error("preflight.broken")
    return None


def _checked(
    pdf: pikepdf.Pdf, path: Path, layouts: Layouts, limits: PreflightLimits, notes: Notes
) -> int:
    """Check an open file; answers the number of its pages."""
    pages: list[CheckedPage] = []
    count = 0
    try:
        count = len(pdf.pages)
        if not count:
            notes.error("preflight.empty")
            return 0
        if count > limits.pages:
            notes.error("preflight.many_pages", measured=str(count), limit=str(limits.pages))
        check_hints(pdf, notes)
        language = str(pdf.Root.get("/Lang", ""))
        content = Content()
        for number, page in enumerate(pdf.pages[: limits.pages], 1):
            found = read_page(number, page)
            if found is None:
                notes.error("preflight.no_box", number, text="MediaBox")
                continue
            pages.append(found)
            check_boxes(found, notes)
            _check_content(found, page, content, language, limits, notes)
        check_paper(pages, known_papers(layouts), limits, notes)
        _check_found(content, pages, notes)
        if not content.found.endless:
            check_ink(path, pages, _is_low_ink(pdf), limits, notes)
    except TooMuchError:
        notes.error("preflight.too_much")
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError, KeyError) as error:
        # a file can be broken in more ways than one can name; its pages before this are checked
        notes.error("preflight.broken_part", text=f"{type(error).__name__}: {error}")
    return count


def _check_content(
    page: CheckedPage,
    obj: pikepdf.Page,
    content: Content,
    language: str,
    limits: PreflightLimits,
    notes: Notes,
) -> None:
    with np.errstate(all="ignore"):  # numbers without measure make boxes without measure
        painted, shown = content.page(obj.obj, invert_matrix(page.adjusted), page.paper)
        drawn = Drawn(page, painted, [one.box for one in shown])
        check_zones(drawn, content.found.texts, limits, notes)
        check_texts(drawn, content.found.texts, language, limits, notes)
        check_marks(drawn, content.found.pictures, limits, notes)


def _check_found(content: Content, pages: list[CheckedPage], notes: Notes) -> None:
    found = content.found
    check_fonts(found, notes)
    if found.cyclic:
        notes.error("preflight.cyclic")
    if found.deep:
        notes.error("preflight.deep")
    if found.transparent:
        notes.warning("preflight.transparent")
    if not any(page.ours for page in pages):
        notes.info("preflight.foreign")


def _is_low_ink(pdf: pikepdf.Pdf) -> bool:
    info = dictionary(pdf.trailer, "/Info")
    return info is not None and "low-ink" in str(info.get("/Keywords", ""))
