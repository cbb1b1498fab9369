"""The README's picture of a printed copy: boards, cards, pieces and tokens on a table."""

from __future__ import annotations

from pathlib import Path

import pypdfium2

from coatl_tools import load_cards
from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.tokens import make_token_items
from coatl_tools.printing.cards.card_front import make_card_items
from coatl_tools.printing.drawing.geometry import rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.pdf_document import PdfDocument, PrintPage
from coatl_tools.printing.pieces.piece_drawing import draw_piece

WIDTH, HEIGHT = 420.0, 262.0
TABLE, SHADOW = "#6b4a34", "#523726"
DESIGN = Design(load_language("en"))
SHAPE = DESIGN.piece_shape


def put(surface: Surface, face: Face, x: float, y: float, turn: float = 0) -> None:
    """Lay a thing on the table, its middle at a point, with its shadow."""
    edge = face.cut_path.place_at(-face.width / 2, -face.height / 2)
    surface.fill(edge.place_at(x + 1.1, y + 1.4, turn=turn), SHADOW)
    corner = (-face.width / 2, -face.height / 2)
    with surface.at_origin(x, y, turn), surface.clip(edge), surface.at_origin(*corner):
        face.draw(surface)


def coatl(surface: Surface, text: str, x: float, y: float) -> None:
    """Lay a Cóatl on the table, the middle of its head at a point."""
    laid = parse_coatl(text)
    last = len(laid.colours) - 1
    kinds = [
        PieceKind.HEAD
        if i == 0 and laid.head
        else PieceKind.TAIL
        if i == last and laid.tail
        else PieceKind.BODY
        for i in range(len(laid.colours))
    ]
    for i, kind in enumerate(kinds):
        surface.fill(SHAPE.outline(kind).place_at(x + i * SHAPE.pitch + 1.1, y + 1.4), SHADOW)
    for i, (kind, colour) in enumerate(zip(kinds, laid.colours, strict=True)):
        with surface.at_origin(x + i * SHAPE.pitch, y):
            draw_piece(surface, DESIGN, kind, colour)


def draw(surface: Surface) -> None:
    """Draw the table."""
    catalog, components = load_cards(), load_components()
    numbers = load_marks_layout(DESIGN.layouts).assign_numbers(catalog)
    items = make_card_items(DESIGN, list(catalog), "63x88", numbers)
    cards = {item.name: item for item in items}
    boards = {item.name: item for item in make_board_items(DESIGN, components)}
    tokens = {item.name: item for item in make_token_items(DESIGN, components)}
    surface.fill(rectangle(0, 0, WIDTH, HEIGHT), TABLE)
    put(surface, boards["supply-board"].front, 101, 131)
    for name, x in (("P29", 240), ("P10", 308), ("P39", 376)):
        put(surface, cards[name].front, x, 58)
    coatl(surface, "<BBRBBKYY>", 233, 129)
    for name, x, turn in (("T03", 235, -2), ("P36", 301, 2)):
        put(surface, cards[name].front, x, 199, turn)
    for name, x, y, turn in (("T08", 384, 205, 9), ("P16", 366, 200, -3)):
        back = cards[name].back
        if back is not None:
            put(surface, back, x, y, turn)
    for name, x, y in (("perfect-pick-1", 400, 129), ("see-the-future-1", 399, 244)):
        put(surface, tokens[name].front, x, y, 8)


def copy(path: Path) -> None:
    """Write the picture."""
    document = PdfDocument("A printed copy", "en")
    document.add_page(PrintPage(WIDTH, HEIGHT, draw_margins=draw))
    page = pypdfium2.PdfDocument(document.render())[0]
    picture = page.render(scale=1600 / page.get_width()).to_pil()
    picture.quantize(128, dither=0).save(path, optimize=True)
