"""Faces as SVG documents: cards, tokens, the bag and symbols, as they are printed."""

from __future__ import annotations

from functools import lru_cache

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.components import load_components
from coatl_tools.language import Language, load_language
from coatl_tools.pieces import Colour
from coatl_tools.printing.art.bag import bag_face
from coatl_tools.printing.boards.tokens import token_items
from coatl_tools.printing.cards.backs import card_back
from coatl_tools.printing.cards.face import CardFace
from coatl_tools.printing.cards.layout import card_size, load_cards_layout
from coatl_tools.printing.component import Design, Face, Item
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import rectangle
from coatl_tools.printing.drawing.svg_surface import SvgSurface
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.marks import load_marks

CARD_SIZE = "poker"
CORNER = 3.0  # radius of a card's corners, in millimetres
EDGE = 0.16  # of a symbol alone, as a part of its radius


def face_svg(face: Face, title: str) -> str:
    """A face without its bleed, transparent outside its outline."""
    surface = SvgSurface()
    with surface.clipped(face.cut):
        face.draw(surface)
    return surface.document(Box(0, 0, face.width, face.height), title)


@lru_cache(maxsize=4)
def design_of(language: str) -> Design:
    """What everything is drawn with; raises CommandLineError for an unknown language."""
    return Design(load_language(language))


# cards


@lru_cache(maxsize=512)
def card_svg(card: Card, language: str, number: int | None = None) -> str:
    """The front of a card, of the game or of a player's own.

    `number` is its machine mark, if that is not the one that follows from its id alone. Raises
    TextOverflowError where its words do not fit.
    """
    return face_svg(
        card_face(card, language, number), f"{card.id}: {describe_card(card, language)}"
    )


def card_face(card: Card, language: str, number: int | None = None) -> Face:
    """The front of a card, its corners rounded."""
    design = design_of(language)
    layout, size = load_cards_layout(design.layouts), card_size(design.layouts, CARD_SIZE)
    if number is None:
        number = load_marks(design.layouts).numbers([card]).get(card.id)
    art = CardFace(design, layout, size, card, number)
    face = Face(f"card-{card.id}", size.width, size.height, art.draw, layout.safe)
    return _rounded(face)


@lru_cache(maxsize=8)
def card_back_svg(kind: CardKind, language: str) -> str:
    """The back of one kind of card; also a deck that lies face down."""
    design = design_of(language)
    layout, size = load_cards_layout(design.layouts), card_size(design.layouts, CARD_SIZE)
    face = card_back(design, layout, size, kind)
    return face_svg(_rounded(face), design.language.label(kind.value))


def _rounded(face: Face) -> Face:
    outline = rectangle(0, 0, face.width, face.height, CORNER)
    return Face(face.key, face.width, face.height, face.draw, face.safe, outline)


# tokens, the bag


@lru_cache(maxsize=32)
def token_svg(token: str, language: str) -> str:
    """The front of a Sacrifice token, such as `perfect_pick`; KeyError if there is none such."""
    words = load_language(language)
    names = {
        "perfect_pick": words.label("perfect_pick"),
        "see_the_future": words.label("see_the_future"),
        "priest_commitment": words.label("priest_commitment"),
    }
    return face_svg(_token(token, language).front, names[token])


@lru_cache(maxsize=8)
def token_back_svg(language: str) -> str:
    """The back of every Sacrifice token: what it counts on the scoreboard (rule 5.3)."""
    back = _token("perfect_pick", language).back
    assert back is not None
    return face_svg(back, str(load_components().sacrifice_tokens.back))


@lru_cache(maxsize=8)
def first_player_svg(language: str) -> str:
    """The First Player marker."""
    title = load_language(language).label("first_player")
    return face_svg(_token("first_player", language).front, title)


@lru_cache(maxsize=32)
def score_marker_svg(colour: Colour, language: str) -> str:
    """A marker of the scoreboard."""
    front = _token(f"score-marker-{colour.word}", language).front
    return face_svg(front, colour_title(colour, load_language(language)))


def _token(name: str, language: str) -> Item:
    return _tokens(language)[name.replace("_", "-")]


@lru_cache(maxsize=4)
def _tokens(language: str) -> dict[str, Item]:
    """One of each, by name; those of which there are several have numbers behind it."""
    items = token_items(design_of(language), load_components())
    return {item.name.rstrip("0123456789").rstrip("-"): item for item in items}


@lru_cache(maxsize=8)
def bag_svg(language: str) -> str:
    """A bag that pieces are drawn from (rule 1.2)."""
    design = design_of(language)
    return face_svg(bag_face(design.theme), design.language.label("bags"))


# symbols


@lru_cache(maxsize=32)
def symbol_svg(colour: Colour, language: str) -> str:
    """The symbol of a colour alone, with an edge, so that it is seen on any ground."""
    inks, surface = design_of(language).theme.piece(colour), SvgSurface()
    surface.paint(symbol(colour, 0, 0, 10), inks.fill, inks.line, 10 * EDGE)
    return surface.document(Box(-14, -14, 28, 28), colour_title(colour, load_language(language)))


def colour_title(colour: Colour, words: Language) -> str:
    """The word of a colour."""
    return words.colours[colour]["name"]
