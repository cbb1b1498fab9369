"""Cards on paper: measured as they are drawn, and read back from rendered pages."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from itertools import product
from pathlib import Path as File
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.photo_simulation import PicturePixels, find_mark_corners
from coatl_tools import load_cards
from coatl_tools.cards.card import Card, parse_card
from coatl_tools.cards.requirement import split_requirement
from coatl_tools.errors import CommandLineError
from coatl_tools.files.data_paths import LANGUAGE_CODES, LAYOUTS
from coatl_tools.language import load_language
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.cards.card_front import (
    ID_STYLE,
    CardFace,
    draw_card_id,
    make_card_items,
)
from coatl_tools.printing.cards.card_layout import find_card_size, load_cards_layout
from coatl_tools.printing.cards.requirement_drawing import FigurePainter, arrange_figures
from coatl_tools.printing.drawing.surface import TextOverflowError
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, Layouts, ThemeName
from coatl_tools.printing.pdf_document import PdfDocument, Placement, PrintPage
from tests import strategies
from tests.printing.face_measurements import extract_text, measure_ink
from tests.printing.measuring_surface import MeasuringSurface, measure_face
from tests.programs import needs_tesseract

CARDS = load_cards()
LAYOUT = load_cards_layout(Layouts())
NUMBERS = load_marks_layout(Layouts()).assign_numbers(CARDS)


def design(
    language: str = "en", theme: ThemeName = "full", layouts: Layouts | None = None
) -> Design:
    return Design(load_language(language), theme, layouts or Layouts())


def fronts(cards: Sequence[Card], look: Design, size: str = "63x88") -> list[Face]:
    items = make_card_items(look, cards, size, NUMBERS)
    return list({item.name: item.front for item in items}.values())


def rendered(faces: Sequence[Face], dpi: float, columns: int = 3) -> PicturePixels:
    """Faces side by side on a page, as a picture."""
    width, height = faces[0].width, faces[0].height
    rows = -(-len(faces) // columns)
    places = [
        Placement(face, 5 + i % columns * width, 5 + i // columns * height)
        for i, face in enumerate(faces)
    ]
    document = PdfDocument("Cards", "en")
    document.add_page(PrintPage(columns * width + 10, rows * height + 10, tuple(places)))
    page = pypdfium2.PdfDocument(document.render())[0]
    return np.asarray(page.render(scale=dpi / 72).to_pil().convert("RGB"))


# what is drawn, and how often


def test_every_copy_is_an_item_with_the_back_of_its_kind() -> None:
    items = make_card_items(design(), [CARDS["P01"], CARDS["T03"]], "63x88", NUMBERS)
    assert [item.name for item in items] == ["P01", "P01", "T03"]
    assert [item.front.key for item in items] == ["card-P01", "card-P01", "card-T03"]
    assert [item.back.key for item in items if item.back] == [
        "back-prophecy", "back-prophecy", "back-temple",
    ]  # fmt: skip
    assert {(item.front.width, item.front.height) for item in items} == {(63, 88)}


def test_an_unknown_size_is_told_with_all_that_are_known() -> None:
    with pytest.raises(CommandLineError, match=r"“mini”.*63x88, poker, bridge"):
        make_card_items(design(), [CARDS["P01"]], "mini", NUMBERS)
    assert find_card_size(Layouts(), "poker").width == 63.5


# everything fits

# every size in French, whose texts are long; every language in the usual size; the rest in the soak
IN_EVERY_SIZE = [
    pytest.param(
        language, size, marks=[] if language == "fr" or size == "63x88" else [pytest.mark.soak]
    )
    for language, size in product(LANGUAGE_CODES, LAYOUT.sizes)
]


@pytest.mark.parametrize(("language", "size"), IN_EVERY_SIZE)
def test_every_card_fits_in_every_language_and_size(language: str, size: str) -> None:
    surface = MeasuringSurface()
    for face in fronts(tuple(CARDS), design(language), size):
        assert min(measure_face(face, surface).sizes) >= 7, face.key


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_backs_and_line_faces_keep_the_margin(theme: ThemeName) -> None:
    cards = [CARDS[card_id] for card_id in ("P01", "P06", "P45", "P50", "T16")]
    for item in make_card_items(design("pl", theme), cards, "63x88", NUMBERS):
        measure_face(item.front)
        assert item.back is not None
        measure_face(item.back)


@pytest.mark.parametrize(
    ("part", "measure", "value"),
    [
        ("text", "share", 0.2),  # less room than the words need
        ("text", "share", 1),  # so much room that words leave none for pieces
        ("header", "height", 63),  # hardly any field
        ("footer", "padding", 8),  # hardly any room for the id
    ],
)
def test_what_does_not_fit_is_an_error(
    part: str, measure: str, value: float, tmp_path: File
) -> None:
    layout = json.loads((LAYOUTS / "cards.json").read_bytes())
    layout["face"][part][measure] = value
    if value == 1:
        layout["face"]["text"]["least"] = 33
    (tmp_path / "cards.json").write_text(json.dumps(layout))
    small = design("pl", layouts=Layouts(tmp_path))
    with pytest.raises(TextOverflowError, match="does not fit"):
        measure_face(fronts([CARDS["P45"]], small)[0])


def own_cards() -> st.SearchStrategy[Card]:
    """Cards that people may make, up to the worst that is allowed."""
    colours = st.sampled_from("RGBYK")
    single = st.one_of(
        strategies.sequences("RGBYK", 30),
        st.dictionaries(colours, st.integers(1, 30), min_size=1).map(lambda n: ("multiset", n)),
        strategies.conditions("RGBYK"),
        st.integers(1, 30).map(lambda n: ("length", n)),
        colours.map(lambda c: ("count", c)),
    )
    several = st.lists(single, min_size=2, max_size=6).map(lambda parts: ("several", tuple(parts)))
    points = st.sets(st.integers(1, 99), min_size=1, max_size=30).flatmap(
        lambda counts: st.lists(
            st.integers(1, 999), min_size=len(counts), max_size=len(counts), unique=True
        ).map(lambda worth: dict(zip(map(str, sorted(counts)), sorted(worth), strict=True)))
    )
    colour = st.sampled_from([None, *strategies.COLOUR_NAMES.values()])
    card_id = st.from_regex(r"\A[A-Z][A-Z0-9]{0,11}\Z")
    return st.builds(_own_card, card_id, colour, st.one_of(single, several), points)


def _own_card(card_id: str, colour: str | None, asked: Any, points: dict[str, int]) -> Card:
    kind = {"kind": "temple"} if colour is None else {"kind": "prophecy", "colour": colour}
    requires = strategies.requirement_as_json(asked)
    data = {"id": card_id, **kind, "requires": requires, "points": points}
    return parse_card(data, "own")


@settings(max_examples=strategies.example_count(25))
@given(own_cards(), st.sampled_from(LANGUAGE_CODES), st.sampled_from(sorted(LAYOUT.sizes)))
def test_any_card_of_ones_own_keeps_its_margins(card: Card, language: str, size: str) -> None:
    measure_face(fronts([card], design(language), size)[0])
    look = design(language)
    art = CardFace(look, LAYOUT, LAYOUT.sizes[size], card, None)
    brush = FigurePainter(look)
    room = art.field.inset(2)
    laid = arrange_figures(split_requirement(card.requirement), brush, room.width, room.height, 0.8)
    assert laid.width <= room.width + 0.01
    assert laid.height <= room.height + 0.01


# what is printed can be read back


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_opencv_reads_the_mark_of_every_card(theme: ThemeName) -> None:
    cards = tuple(CARDS) if theme == "full" else tuple(CARDS)[:9]
    for first in range(0, len(cards), 9):
        some = cards[first : first + 9]
        picture = rendered(fronts(some, design("en", theme)), dpi=100)
        assert set(find_mark_corners(picture)) == {NUMBERS[card.id] for card in some}


def test_a_card_without_a_number_has_no_mark() -> None:
    (item,) = make_card_items(design(), [CARDS["T01"]], "63x88", {})
    assert find_mark_corners(rendered([item.front], 150, columns=1)) == {}


@needs_tesseract
@pytest.mark.parametrize("card_id", ["P06", "P38", "T10"])
def test_tesseract_reads_the_id(card_id: str, tmp_path: File) -> None:
    picture = rendered(fronts([CARDS[card_id]], design()), dpi=300, columns=1)
    box = CardFace(design(), LAYOUT, LAYOUT.sizes["63x88"], CARDS[card_id], None).geometry.label
    left, top, right, low = (
        round((edge + 5) / 25.4 * 300) for edge in (box.x + 1, box.y + 1, box.x + 22, box.y + 9)
    )
    half = cv2.resize(
        picture[top:low, left:right], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
    )
    cv2.imwrite(str(tmp_path / "id.png"), half)
    letters = "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    command = ["tesseract", str(tmp_path / "id.png"), "-", "--psm", "7", "-c", letters]
    read = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert read.stdout.strip() == card_id


def test_a_zero_of_an_id_has_a_dot_and_the_letter_o_has_none() -> None:
    surface, style = MeasuringSurface(), ID_STYLE.with_size(10)
    draw_card_id(surface, 0, 5, "O10", style)
    _, (left, _, right, _) = surface.boxes  # the id, and one dot
    assert style.measure("O1") < left < right < style.measure("O10")


def test_the_id_can_be_selected_as_it_is_spelled() -> None:
    text = extract_text(fronts([CARDS["P10"]], design())[0])
    assert "P10" in text
    assert "Prophecy" in text


# ink


def test_a_low_ink_card_takes_a_quarter_of_the_ink() -> None:
    cards = [CARDS[card_id] for card_id in ("P35", "P40", "T16")]  # they ask for many words
    inks = []
    for theme in THEME_NAMES:
        items = make_card_items(design("pl", theme), cards, "63x88", NUMBERS)
        backs = {item.back.key: item.back for item in items if item.back is not None}
        inks.append(
            [measure_ink(face) for face in (*(item.front for item in items), *backs.values())]
        )
    full, light = (np.array(some) for some in inks)
    assert len(full) == 5
    assert (light <= 0.25 * full).all()
