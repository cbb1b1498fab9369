"""Make PDF files in the worker process. Loads the PDF libraries."""

from __future__ import annotations

from functools import partial

from coatl_tools.cards.catalog import Catalog
from coatl_tools.language import load_language
from coatl_tools.printing.items import Design
from coatl_tools.printing.print_job import (
    PRINT_PARTS,
    PrintJob,
    render_part,
    select_cards,
    select_parts,
)
from coatl_tools.web.work.print_jobs import PrintedFile, PrintRequest
from coatl_tools.web.work.worker_process import ProgressCallback


def make_print_files(
    tell: ProgressCallback, wished: PrintRequest, catalog: Catalog
) -> tuple[PrintedFile, ...]:
    """Make the PDF files of all chosen parts, as `coatl print` does."""
    deck = catalog.deck(wished.promo)
    job = PrintJob(
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
            name, job, partial(_report_part_progress, tell, title, number, len(names))
        )
        if done is not None:
            made.append(PrintedFile(done.name, done.data, done.sheets, title, done.duplex))
    return tuple(made)


def _report_part_progress(
    tell: ProgressCallback, title: str, before: int, parts: int, share: float
) -> None:
    tell((before + share) / parts, title)
