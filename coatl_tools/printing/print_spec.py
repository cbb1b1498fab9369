"""What is printed and how, cards and parts of the game, and the finished PDF file of each part."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.components.components_file import ComponentsFile, load_components
from coatl_tools.errors import CommandLineError, UnknownCardError
from coatl_tools.files.atomic_writes import OutputFile
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.tokens import make_token_items
from coatl_tools.printing.cards.card_front import make_card_items
from coatl_tools.printing.items import Design, Item, check_bleed
from coatl_tools.printing.mat.mat_sheets import make_mat_items
from coatl_tools.printing.pages.page_items import make_page_items
from coatl_tools.printing.paper.calibration_sheet import make_calibration_item
from coatl_tools.printing.paper.crop_marks import StampText
from coatl_tools.printing.paper.imposition import choose_duplex_mode, impose_items
from coatl_tools.printing.paper.papers import (
    BackPrinting,
    PaperSize,
    SheetsLayout,
    load_sheets_layout,
)
from coatl_tools.printing.paper.printer_profiles import PrinterProfile
from coatl_tools.printing.pdf_document import PdfDocument, PrintPage
from coatl_tools.printing.pieces.piece_items import make_piece_items
from coatl_tools.printing.pieces.piece_shapes import PiecesLayout

ALL_PARTS = "all"


@dataclass(frozen=True)
class PrintSpec:
    """How everything is to be printed."""

    design: Design
    cards: Sequence[Card]
    deck: Sequence[Card] = ()  # that is played with, also where only some of it is printed
    known_cards: Sequence[Card] = ()  # of which some may not be printed, but keep their marks
    paper_name: str = "a4"
    backs: BackPrinting = "duplex-long"
    bleed: float = 0.0
    card_size: str = "poker"
    golden: bool = False
    profile: PrinterProfile | None = None
    components: ComponentsFile = field(default_factory=load_components)

    @property
    def sheets_layout(self) -> SheetsLayout:
        """Papers, marks, ruler and stamp."""
        return load_sheets_layout(self.design.layouts)

    @property
    def paper(self) -> PaperSize:
        """The paper; raises CommandLineError for an unknown name."""
        return self.sheets_layout.find_paper(self.paper_name)

    @property
    def mark_numbers(self) -> Mapping[str, int]:
        """The ArUco mark of each card."""
        return load_marks_layout(self.design.layouts).assign_numbers(self.known_cards or self.cards)


@dataclass(frozen=True)
class PrintPart:
    """A part of the game: its title's label, the maker of its items, and its least bleed in mm."""

    title: str
    make_items: Callable[[PrintSpec], list[Item]]
    least_bleed: Callable[[PrintSpec], float] = lambda _: 0.0


PRINT_PARTS: Mapping[str, PrintPart] = {
    "cards": PrintPart(
        "print_cards",
        lambda spec: make_card_items(spec.design, spec.cards, spec.card_size, spec.mark_numbers),
    ),
    "boards": PrintPart(
        "print_boards", lambda spec: make_board_items(spec.design, spec.components)
    ),
    "pieces": PrintPart(
        "print_pieces",
        lambda spec: make_piece_items(spec.design, spec.components, spec.golden),
        lambda spec: spec.design.layouts.load("pieces", PiecesLayout).strip.bleed,
    ),
    "tokens": PrintPart(
        "print_tokens", lambda spec: make_token_items(spec.design, spec.components)
    ),
    "rules": PrintPart(
        "print_rules",
        lambda spec: make_page_items(
            spec.design, spec.paper, spec.deck or spec.cards, spec.components
        ),
    ),
    "mat": PrintPart("print_mat", lambda spec: make_mat_items(spec.design, spec.paper)),
}


def select_parts(
    text: str, parts: Collection[str] = PRINT_PARTS, otherwise: str = "print.what"
) -> list[str]:
    """Return the parts that a list such as `cards,boards` names, in their order.

    `all` selects all. Raises CommandLineError for an unknown name, listing the known ones.
    """
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names or [text]:
        if name not in parts and name != ALL_PARTS:
            raise CommandLineError(otherwise, name=name[:40], names=", ".join(parts))
    return [name for name in parts if name in names or ALL_PARTS in names]


_DEFAULT_PAPER = "a4"  # what `coatl print` takes if it is told nothing


@dataclass(frozen=True)
class Printout:
    """A file, not yet written: its name, its bytes, and how many sheets of paper it takes."""

    name: str
    data: bytes
    sheets: int
    pages: int
    duplex: bool

    @property
    def output_file(self) -> OutputFile:
        """The file, ready to be written into a folder."""
        return OutputFile(PurePosixPath(self.name), self.data)


def _ignore_progress(_: float) -> None:
    """Ignore progress: the default callback."""


def render_part(
    part: str, spec: PrintSpec, progress: Callable[[float], None] = _ignore_progress
) -> Printout | None:
    """Render a part of the game as a PDF file; None if it has no items.

    `progress` is called with the share that is done, from 0 to 1.
    """
    pages = impose_part(part, spec)
    if not pages:
        return None
    title = spec.design.language.label(PRINT_PARTS[part].title)
    name = make_file_name(part, spec.design, spec.paper_name)
    return build_printout(name, title, spec.design, spec.backs, pages, progress)


def impose_part(name: str, spec: PrintSpec) -> list[PrintPage]:
    """Impose all pages of a part; none if it has no items."""
    check_bleed(spec.bleed)
    part = PRINT_PARTS[name]
    items = part.make_items(spec)
    if not items:
        return []
    language = spec.design.language
    legend = StampText(language, language.label(part.title))
    bleed = max(spec.bleed, part.least_bleed(spec))
    return impose_items(
        items, spec.paper, spec.sheets_layout, legend, spec.backs, bleed, spec.profile
    )


def build_printout(
    name: str,
    title: str,
    design: Design,
    backs: BackPrinting,
    pages: Sequence[PrintPage],
    progress: Callable[[float], None] = _ignore_progress,
) -> Printout:
    """Make a PDF file of pages."""
    hint = choose_duplex_mode(pages, backs)
    document = PdfDocument(
        f"Cóatl · {title}",
        design.language.code,
        hint,
        subject=title,
        theme=design.theme_name,
    )
    for number, page in enumerate(pages, 1):
        document.add_page(page)
        progress(number / len(pages))
    sheets = sum(page.side == "front" for page in pages)
    return Printout(name, document.render(), sheets, len(pages), hint != "Simplex")


def make_file_name(part: str, design: Design, paper_name: str) -> str:
    """Make the name of a part's file: `coatl-cards-en-a4.pdf`."""
    words = ["coatl", part, design.language.code, paper_name.lower()]
    if design.theme_name != "full":
        words.append(design.theme_name)
    return "-".join(words) + ".pdf"


def render_calibration_sheet(
    design: Design,
    paper_name: str,
    backs: BackPrinting,
    printer: str | None,
    profile: PrinterProfile | None,
) -> Printout:
    """Render the calibration sheet, its back corrected by the printer's profile if it has one."""
    layout = load_sheets_layout(design.layouts)
    paper = layout.find_paper(paper_name)
    long_edge = backs == "duplex-long"
    options = "" if paper_name == _DEFAULT_PAPER else f" --paper {paper_name}"
    options += "" if long_edge else " --backs duplex-short"
    item = make_calibration_item(design, paper, long_edge, printer, profile is not None, options)
    pages = impose_items(
        [item], paper, layout, StampText(design.language, item.name), backs, 0, profile
    )
    name = "calibrate" if printer is None else f"calibrate-{_slugify(printer)}"
    return build_printout(make_file_name(name, design, paper_name), item.name, design, backs, pages)


def _slugify(text: str) -> str:
    """Return a name with everything but letters and digits replaced, for a file name."""
    return "".join(char if char.isalnum() else "-" for char in text)


def select_cards(catalog: Catalog, text: str) -> tuple[Card, ...]:
    """Select the cards that a list of ids and ranges names, each once, in that order.

    Raises UnknownCardError for an unknown id, CommandLineError for a bad range.
    """
    words = [word for word in re.split(r"[,;\s]+", text.strip()) if word]
    if not words:
        raise CommandLineError("print.range", text=text[:40])
    found: dict[str, Card] = {}
    for word in words:
        found |= {card.id: card for card in _expand_range(catalog, word)}
    return tuple(found.values())


def _expand_range(catalog: Catalog, word: str) -> Iterator[Card]:
    word = word.replace("–", "-").replace("..", "-")
    try:
        yield catalog[word]
        return
    except UnknownCardError:
        if "-" not in word.strip("-"):
            raise
    first, last = _split_range(catalog, word)
    prefix, low = _split_card_id(first.id)
    other, high = _split_card_id(last.id)
    if prefix != other or low is None or high is None or low > high:
        raise CommandLineError("print.range", text=word[:40])
    for card in catalog:
        begin, number = _split_card_id(card.id)
        if begin == prefix and number is not None and low <= number <= high:
            yield card


def _split_range(catalog: Catalog, word: str) -> tuple[Card, Card]:
    """Split a range into its first and last card; an id may itself have a hyphen."""
    cuts = [at for at, char in enumerate(word) if char == "-" and 0 < at < len(word) - 1]
    for cut in cuts:
        left, right = word[:cut], word[cut + 1 :]
        try:
            first = catalog[left]
        except UnknownCardError:
            continue
        if right.isdecimal():  # P01-10
            right = f"{_split_card_id(first.id)[0]}{right}"
        return first, catalog[right]
    middle = cuts[len(cuts) // 2]
    return catalog[word[:middle]], catalog[word[middle + 1 :]]


def _split_card_id(card_id: str) -> tuple[str, int | None]:
    """Split an id into its letters and its number: ("P", 5)."""
    found = re.fullmatch(r"(.*?)(\d*)", card_id)
    assert found is not None
    prefix, number = found.groups()
    return prefix, int(number) if number else None
