"""Making PDF files, in the process that has the PDF libraries."""

from __future__ import annotations

from functools import partial

from coatl_tools.cards.catalog import Catalog
from coatl_tools.language import load_language
from coatl_tools.printing.component import Design
from coatl_tools.printing.contents import PARTS, Order, chosen_parts
from coatl_tools.printing.printout import printed
from coatl_tools.printing.selection import chosen_cards
from coatl_tools.web.work.child import Tell
from coatl_tools.web.work.prints import PrintedFile, Wish


def printed_files(tell: Tell, wished: Wish, catalog: Catalog) -> tuple[PrintedFile, ...]:
    """Every part that is wished for and that there is, as `coatl print` makes it."""
    deck = catalog.deck(wished.promo)
    order = Order(
        design=Design(load_language(wished.language), wished.theme),
        cards=chosen_cards(catalog, wished.only) if wished.only else deck,
        deck=deck,
        known_cards=tuple(catalog),
        paper_name=wished.paper,
        backs=wished.backs,
        golden=wished.golden,
    )
    names = chosen_parts(wished.what)
    made = []
    for number, name in enumerate(names):
        title = PARTS[name].title
        tell(number / len(names), title)
        done = printed(name, order, partial(_told, tell, title, number, len(names)))
        if done is not None:
            made.append(PrintedFile(done.name, done.data, done.sheets, title, done.duplex))
    return tuple(made)


def _told(tell: Tell, title: str, before: int, parts: int, share: float) -> None:
    tell((before + share) / parts, title)
