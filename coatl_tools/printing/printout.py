"""A part of the game as a finished PDF file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from coatl_tools.printing.component import Design, check_bleed
from coatl_tools.printing.contents import PARTS, Order
from coatl_tools.printing.document import Document, Page
from coatl_tools.printing.folder import Made
from coatl_tools.printing.paper.calibration import calibration_item
from coatl_tools.printing.paper.furniture import Legend
from coatl_tools.printing.paper.papers import Backs, sheets_layout
from coatl_tools.printing.paper.profiles import Profile
from coatl_tools.printing.paper.sheets import duplex_hint, impose

_USUAL_PAPER = "a4"  # what `coatl print` takes if it is told nothing


@dataclass(frozen=True)
class Printout:
    """A file, not yet written: its name, its bytes, and how many sheets of paper it takes."""

    name: str
    data: bytes
    sheets: int
    pages: int
    duplex: bool

    @property
    def file(self) -> Made:
        """The file, to be written into a folder."""
        return Made(PurePosixPath(self.name), self.data)


def _nobody(_: float) -> None:
    """Whom nobody tells how far the work is."""


def printed(
    part: str, order: Order, progress: Callable[[float], None] = _nobody
) -> Printout | None:
    """A part of the game on paper; None if there is nothing of it.

    `progress` is told how much is done, from 0 to 1.
    """
    pages = part_pages(part, order)
    if not pages:
        return None
    title = order.design.language.label(PARTS[part].title)
    name = file_name(part, order.design, order.paper_name)
    return bound(name, title, order.design, order.backs, pages, progress)


def part_pages(name: str, order: Order) -> list[Page]:
    """The sides of all sheets of a part; none if there is nothing of it."""
    check_bleed(order.bleed)
    part = PARTS[name]
    items = part.items(order)
    if not items:
        return []
    language = order.design.language
    legend = Legend(language, language.label(part.title))
    bleed = max(order.bleed, part.bleed(order))
    return impose(items, order.paper, order.layout, legend, order.backs, bleed, order.profile)


def bound(
    name: str,
    title: str,
    design: Design,
    backs: Backs,
    pages: Sequence[Page],
    progress: Callable[[float], None] = _nobody,
) -> Printout:
    """Pages as a file."""
    hint = duplex_hint(pages, backs)
    document = Document(
        f"Cóatl · {title}",
        design.language.code,
        hint,
        subject=title,
        theme=design.theme_name,
    )
    for number, page in enumerate(pages, 1):
        document.add(page)
        progress(number / len(pages))
    sheets = sum(page.side == "front" for page in pages)
    return Printout(name, document.finished(), sheets, len(pages), hint != "Simplex")


def file_name(part: str, design: Design, paper_name: str) -> str:
    """The name of a part's file: `coatl-cards-en-a4.pdf`."""
    words = ["coatl", part, design.language.code, paper_name.lower()]
    if design.theme_name != "full":
        words.append(design.theme_name)
    return "-".join(words) + ".pdf"


def calibration_sheet(
    design: Design, paper_name: str, backs: Backs, printer: str | None, profile: Profile | None
) -> Printout:
    """The calibration sheet, its back corrected by the printer's profile if it has one."""
    layout = sheets_layout(design.layouts)
    paper = layout.paper(paper_name)
    long_edge = backs == "duplex-long"
    options = "" if paper_name == _USUAL_PAPER else f" --paper {paper_name}"
    options += "" if long_edge else " --backs duplex-short"
    item = calibration_item(design, paper, long_edge, printer, profile is not None, options)
    pages = impose([item], paper, layout, Legend(design.language, item.name), backs, 0, profile)
    name = "calibrate" if printer is None else f"calibrate-{_plain_name(printer)}"
    return bound(file_name(name, design, paper_name), item.name, design, backs, pages)


def _plain_name(text: str) -> str:
    """A name as it may stand in the name of a file."""
    return "".join(char if char.isalnum() else "-" for char in text)
