"""Cards, tokens, the bag, symbols and the app icon as SVG documents, as they are printed."""

from __future__ import annotations

from functools import lru_cache

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.card_text import describe_card
from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.boards.tokens import make_token_items
from coatl_tools.printing.cards.card_back import make_card_back
from coatl_tools.printing.cards.card_front import CardFace
from coatl_tools.printing.cards.card_layout import load_cards_layout
from coatl_tools.printing.drawing.geometry import (
    MM_PER_INCH,
    Box,
    Path,
    ellipse,
    polygon,
    polyline,
    rectangle,
    smooth_curve,
)
from coatl_tools.printing.drawing.ornaments import colour_symbol, feather, fret_band
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.drawing.svg_surface import SvgSurface
from coatl_tools.printing.export.raster import PictureSpec, render_png
from coatl_tools.printing.items import Design, Face, Item
from coatl_tools.printing.layouts import Theme

BAG_WIDTH, BAG_HEIGHT = 44.0, 48.0
_BAG_CLOTH = smooth_curve(
    [(15.0, 13.4), (8.4, 19.5), (4.0, 29.5), (4.6, 40.0), (9.6, 45.6), (22.0, 46.8), (34.4, 45.6),
     (39.4, 40.0), (40.0, 29.5), (35.6, 19.5), (29.0, 13.4), (22.0, 12.6)]
)  # fmt: skip
_BAG_MOUTH = smooth_curve(
    [(15.4, 12.4), (12.6, 7.0), (10.6, 2.6), (14.6, 3.6), (18.0, 1.6), (22.0, 3.4), (26.0, 1.6),
     (29.4, 3.6), (33.4, 2.6), (31.4, 7.0), (28.6, 12.4), (22.0, 13.4)]
)  # fmt: skip
_BAG_FOLDS = (
    polyline((18.6, 11.0), (17.4, 6.6))
    + polyline((22.0, 11.2), (22.0, 7.0))
    + polyline((25.4, 11.0), (26.6, 6.6))
    + polyline((16.4, 16.4), (13.2, 21.4))
    + polyline((27.6, 16.4), (30.8, 21.4))
)
_BAG_CORD = smooth_curve(
    [(14.2, 12.6), (18.0, 13.9), (22.0, 14.3), (26.0, 13.9), (29.8, 12.6)], closed=False
)
_BAG_CORD_ENDS = smooth_curve(
    [(27.0, 13.8), (31.6, 15.4), (33.6, 19.4)], closed=False
) + smooth_curve([(27.0, 13.8), (29.6, 17.0), (29.4, 21.0)], closed=False)


def make_bag_face(theme: Theme) -> Face:
    """Make the face of the bag, without a background."""
    return Face(
        "bag", BAG_WIDTH, BAG_HEIGHT, lambda surface: _draw_bag(surface, theme), safe_margin=0
    )


def _draw_bag(surface: Surface, theme: Theme) -> None:
    inks, boards = theme.backs["temple"], theme.boards
    for part in (_BAG_MOUTH, _BAG_CLOTH):
        surface.paint(part, inks.pattern, inks.motif, 0.9)
    surface.stroke(_BAG_FOLDS, inks.ground, 0.9, cap="round")
    with surface.clip(_BAG_CLOTH):
        surface.fill(fret_band(-2, 37.2, 48, 4.6), inks.motif)
    for index, colour in enumerate(Colour):
        x, y = 10.4 + 5.8 * index, 29.8 + (0.6 if index % 2 else 0)
        surface.fill(colour_symbol(colour, x, y, 2.1), inks.line)
    surface.stroke(_BAG_CORD, boards.plumes[1], 2.0, cap="round")
    surface.stroke(_BAG_CORD_ENDS, boards.plumes[1], 1.3, cap="round")
    knots = Path() + ellipse(33.6, 19.8, 1.3) + ellipse(29.4, 21.4, 1.3)
    surface.paint(knots, boards.plumes[0], inks.line, 0.4)


PICTURED_CARD_SIZE = "poker"
CARD_CORNER_RADIUS = 3.0  # radius of a card's corners, in millimetres
SYMBOL_EDGE = 0.16  # of a symbol alone, as a part of its radius


def render_face_svg(face: Face, title: str) -> str:
    """Render a face without its bleed, transparent outside its outline."""
    surface = SvgSurface()
    with surface.clip(face.cut_path):
        face.draw(surface)
    return surface.render(Box(0, 0, face.width, face.height), title)


@lru_cache(maxsize=4)
def load_design(lang: str) -> Design:
    """Load the default design in a language; raises CommandLineError for an unknown one."""
    return Design(load_language(lang))


# cards


@lru_cache(maxsize=512)
def render_card_svg(card: Card, lang: str, number: int | None = None) -> str:
    """Render the front of a card, of the game or of a player's own.

    `number` is its ArUco mark, if that is not the one that follows from its id alone. Raises
    TextOverflowError if its text does not fit.
    """
    return render_face_svg(
        make_card_face(card, lang, number), f"{card.id}: {describe_card(card, lang)}"
    )


def make_card_face(card: Card, lang: str, number: int | None = None) -> Face:
    """Make the front of a card, its corners rounded."""
    design = load_design(lang)
    layout = load_cards_layout(design.layouts)
    size = layout.sizes[PICTURED_CARD_SIZE]
    if number is None:
        number = load_marks_layout(design.layouts).assign_numbers([card]).get(card.id)
    art = CardFace(design, layout, size, card, number)
    face = Face(f"card-{card.id}", size.width, size.height, art.draw, layout.safe)
    return _round_corners(face)


@lru_cache(maxsize=8)
def render_card_back_svg(kind: CardKind, lang: str) -> str:
    """Render the back of one kind of card, also used for a deck that lies face down."""
    design = load_design(lang)
    layout = load_cards_layout(design.layouts)
    size = layout.sizes[PICTURED_CARD_SIZE]
    face = make_card_back(design, layout, size, kind)
    return render_face_svg(_round_corners(face), design.language.label(kind.value))


def _round_corners(face: Face) -> Face:
    outline = rectangle(0, 0, face.width, face.height, CARD_CORNER_RADIUS)
    return Face(face.key, face.width, face.height, face.draw, face.safe_margin, outline)


# tokens, the bag


@lru_cache(maxsize=32)
def render_token_svg(token: str, lang: str) -> str:
    """Render the front of a Sacrifice token, such as `perfect_pick`; KeyError if unknown."""
    front = _load_tokens(lang)[token.replace("_", "-")].front
    return render_face_svg(front, load_language(lang).label(token))


@lru_cache(maxsize=4)
def _load_tokens(lang: str) -> dict[str, Item]:
    """Load one of each token by name, without the numbers of copies."""
    items = make_token_items(load_design(lang), load_components())
    return {item.name.rstrip("0123456789").rstrip("-"): item for item in items}


@lru_cache(maxsize=8)
def render_bag_svg(lang: str) -> str:
    """Render a bag that pieces are drawn from (rule 1.2)."""
    design = load_design(lang)
    return render_face_svg(make_bag_face(design.theme), design.language.label("bags"))


# symbols


@lru_cache(maxsize=32)
def render_symbol_svg(colour: Colour, lang: str) -> str:
    """Render the symbol of a colour, with an edge that is visible on any background."""
    inks, surface = load_design(lang).theme.piece(colour), SvgSurface()
    surface.paint(colour_symbol(colour, 0, 0, 10), inks.fill, inks.line, 10 * SYMBOL_EDGE)
    return surface.render(Box(-14, -14, 28, 28), load_language(lang).colours[colour]["name"])


ICON_SIZE = 100.0  # of the square; a mask leaves at least a circle of radius 40
ICON_TITLE = "Cóatl Tools"

_ICON_SKULL = smooth_curve(
    [(33, 69), (30, 58), (31, 46), (37, 37), (46, 34), (55, 36), (63, 41), (73, 43.5),
     (82, 45.5), (86.5, 50), (84.5, 55.5), (74, 57), (61, 56.5), (53, 60), (60, 67), (71, 68.5),
     (79, 68), (81, 72), (77.5, 76), (66, 79), (51, 79.5), (39, 76)]
)  # fmt: skip
_ICON_MOUTH = smooth_curve(
    [(52.8, 60), (60, 56.4), (72, 56.6), (82.5, 55.6), (82, 62), (79.5, 68.2), (71, 68.6), (60, 67)]
)  # fmt: skip
_ICON_TONGUE = polyline((59, 62.5), (76, 63.2), (90, 59.6)) + polyline((76, 63.2), (89.5, 67))
_ICON_FEATHERS = 14  # of each ink


def make_icon_face(theme: Theme) -> Face:
    """Make the face of the app icon, which fills the whole square."""
    return Face(
        "icon", ICON_SIZE, ICON_SIZE, lambda surface: _draw_icon(surface, theme), safe_margin=0
    )


@lru_cache(maxsize=1)
def render_icon_svg() -> str:
    """Render the icon, square and maskable."""
    return render_face_svg(make_icon_face(load_design("en").theme), ICON_TITLE)


@lru_cache(maxsize=8)
def render_icon_png(pixels: int) -> bytes:
    """Render the icon as PNG, `pixels` wide and high, for phones that take no SVG."""
    face = make_icon_face(load_design("en").theme)
    return render_png(PictureSpec("icon", face, pixels, pixels, pixels * MM_PER_INCH / ICON_SIZE))


def _draw_icon(surface: Surface, theme: Theme) -> None:
    ground = theme.backs["prophecy"].ground
    surface.fill(rectangle(-3, -3, ICON_SIZE + 6, ICON_SIZE + 6), ground)
    with surface.at_origin(ICON_SIZE / 2, ICON_SIZE / 2):
        _draw_feather_ring(surface, theme)
    with surface.at_origin(8.6, 6.2, scale=0.78):
        _draw_serpent_head(surface, theme)


def _draw_feather_ring(surface: Surface, theme: Theme) -> None:
    """Draw feathers all around, red ones behind gold ones, and a disc for the head."""
    inks, boards = theme.backs["prophecy"], theme.boards
    for length, ink, shift in ((41, boards.plumes[0], 0.5), (38, boards.plumes[1], 0.0)):
        for i in range(_ICON_FEATHERS):
            turn = 360 * (i + shift) / _ICON_FEATHERS
            surface.paint(feather(length, 12.5).place_at(0, 0, turn=turn), ink, inks.ground, 1.5)
            shaft = polyline((0, -29), (0, 3.5 - length)).place_at(0, 0, turn=turn)
            surface.stroke(shaft, inks.ground, 1.3, cap="round")
    surface.paint(ellipse(0, 0, 28), inks.ground, inks.motif, 1.4)


def _draw_serpent_head(surface: Surface, theme: Theme) -> None:
    """Draw the head itself, in profile; it looks to the right."""
    inks, boards = theme.backs["prophecy"], theme.boards
    for turn in (-152, -122, -92, -62, -32, -2):
        plume = feather(34, 13).place_at(45, 58, turn=turn)
        surface.paint(plume, boards.bone, inks.ground, 1.8)
        shaft = polyline((0, -20), (0, -29)).place_at(45, 58, turn=turn)
        surface.stroke(shaft, boards.plumes[0], 1.8, cap="round")
    surface.paint(_ICON_SKULL, boards.face, boards.line, 1.8)
    scales = Path()
    for x, y in ((36.5, 56), (43.5, 60.5), (36.5, 65), (43.5, 69.5), (51.5, 73)):
        scales += smooth_curve([(x - 2.6, y - 2), (x, y + 1), (x + 2.6, y - 2)], closed=False)
    surface.stroke(scales, boards.shade, 1.8, cap="round")
    surface.paint(_ICON_MOUTH, boards.mouth, boards.line, 1.2)
    surface.stroke(_ICON_TONGUE, boards.plumes[0], 2.2, cap="round")
    fangs = Path()
    for x, size in ((62.0, 4.6), (70.0, 5.2), (78.6, 8.6)):
        fangs += polygon((x - 3.0, 56.2), (x + 3.0, 56.0), (x + 0.6, 56.4 + size))
    surface.paint(fangs, boards.bone, boards.line, 0.5)
    surface.paint(ellipse(49.5, 47.5, 5.6), boards.bone, boards.line, 1.5)
    surface.fill(ellipse(51.2, 48, 2.7), boards.line)
    brow = smooth_curve([(40.5, 44.5), (45, 40), (51, 39.2), (57, 42.5)], closed=False)
    surface.stroke(brow, boards.line, 2.4, cap="round")
    surface.stroke(polyline((79, 49), (81.4, 49.9)), boards.line, 2.0, cap="round")
