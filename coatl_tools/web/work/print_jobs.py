"""Jobs that make PDF files of the game: the request, and what a worker process makes of it.

All of it is less than a megabyte, so files stay in memory until they are fetched.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import RequestError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.printing.paper.papers import BACK_PRINTING_CHOICES, BackPrinting
from coatl_tools.printing.print_spec import (
    PRINT_PARTS,
    PrintSpec,
    render_part,
    select_cards,
    select_parts,
)
from coatl_tools.web.work.worker_process import ProgressCallback

PAPER_CHOICES = ("a4", "letter")
PRINT_CHOICES = ("all", "cards", "boards", "pieces", "tokens", "rules", "mat")
_ZIP_DATE = 1980, 1, 1, 0, 0, 0  # when the files of a ZIP were made: the same order, the same bytes
T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """What to print, and how; `parse_print_request` makes it from the fields of a form."""

    what: str = "all"
    paper: str = "a4"
    language: str = "en"
    theme: ThemeName = "full"
    backs: BackPrinting = "duplex-long"
    promo: bool = False
    golden: bool = False
    only: str = ""  # cards, as people list them; all of the deck if it is empty


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A finished PDF: its name, its bytes, and how many sheets of paper it takes."""

    name: str
    data: bytes
    sheets: int
    title: str  # the key of a label
    duplex: bool = False


def parse_print_request(
    what: str = "all",
    paper: str = "a4",
    language: str = "en",
    theme: str = "full",
    backs: str = "duplex-long",
    promo: bool = False,
    golden: bool = False,
    only: str = "",
) -> PrintRequest:
    """Make a request from the fields of a form; RequestError for what cannot be chosen.

    With a list of cards and nothing else chosen, only cards are printed.
    """
    only = only.strip()
    if only and what == "all":
        what = "cards"
    return PrintRequest(
        _require_choice(PRINT_CHOICES, what),
        _require_choice(PAPER_CHOICES, paper),
        _require_choice(LANGUAGE_CODES, language),
        _require_choice(THEME_NAMES, theme),
        _require_choice(BACK_PRINTING_CHOICES, backs),
        promo,
        golden,
        only,
    )


def run_print_job(
    tell: ProgressCallback, wished: PrintRequest, catalog: Catalog
) -> tuple[PrintedFile, ...]:
    """Run the job: make a PDF file for each chosen part of the game, as `coatl print` does."""
    deck = catalog.deck(wished.promo)
    spec = PrintSpec(
        design=Design(load_language(wished.language), wished.theme),
        cards=select_cards(catalog, wished.only) if wished.only else deck,
        deck=deck,
        known_cards=tuple(catalog),
        paper_name=wished.paper,
        backs=wished.backs,
        golden=wished.golden,
    )
    names = select_parts(wished.what)
    made = []
    for number, name in enumerate(names):
        title = PRINT_PARTS[name].title
        tell(number / len(names), title)
        done = render_part(
            name, spec, partial(_report_part_progress, tell, title, number, len(names))
        )
        if done is not None:
            made.append(PrintedFile(done.name, done.data, done.sheets, title, done.duplex))
    return tuple(made)


def _report_part_progress(
    tell: ProgressCallback, title: str, before: int, parts: int, share: float
) -> None:
    tell((before + share) / parts, title)


def make_zip(files: Sequence[PrintedFile]) -> bytes:
    """Put several files into one ZIP file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:  # stored as they are: PDFs are packed already
        for file in files:
            target.writestr(zipfile.ZipInfo(file.name, _ZIP_DATE), file.data)
    return packed.getvalue()


def _require_choice(choices: Sequence[T], value: str) -> T:
    for choice in choices:
        if choice == value:
            return choice
    raise RequestError("web.work_no_choice", 400, value=value[:40])
