"""Cards on paper: measured as they are drawn, and read back from rendered pages."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path as File
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from reportlab.pdfgen.canvas import Canvas

from coatl_tools import load_cards
from coatl_tools.cards.card import Card
from coatl_tools.cards.model import CardModel
from coatl_tools.cards.requirement import parts_of
from coatl_tools.errors import CommandLineError
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour
from coatl_tools.printing.cards.face import CardFace
from coatl_tools.printing.cards.items import card_items
from coatl_tools.printing.cards.layout import card_size, load_cards_layout
from coatl_tools.printing.cards.requirement_figures import Brush
from coatl_tools.printing.cards.requirement_row import arranged
from coatl_tools.printing.component import Design, Face
from coatl_tools.printing.document import Document, Page, Placement
from coatl_tools.printing.drawing.paths import Matrix, Path, rectangle
from coatl_tools.printing.drawing.surface import MM, Box, Surface, TextOverflowError, Type
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.marks import load_marks
from coatl_tools.printing.pieces.art import draw_piece
from coatl_tools.printing.pieces.shapes import Kind, PiecesLayout
from coatl_tools.printing.theme import THEMES, ThemeName
from coatl_tools.resources import CODES, LAYOUTS
from tests import strategies

CARDS = load_cards()
LAYOUT = load_cards_layout(Layouts())
NUMBERS = load_marks(Layouts()).numbers(CARDS)
Picture = NDArray[np.uint8]


def design(
    language: str = "en", theme: ThemeName = "full", layouts: Layouts | None = None
) -> Design:
    return Design(load_language(language), theme, layouts or Layouts())


def fronts(cards: Sequence[Card], look: Design, size: str = "63x88") -> list[Face]:
    items = card_items(look, cards, size, NUMBERS)
    return list({item.name: item.front for item in items}.values())


def rendered(faces: Sequence[Face], dpi: float, columns: int = 3) -> Picture:
    """Faces side by side on a page, as a picture."""
    width, height = faces[0].width, faces[0].height
    rows = -(-len(faces) // columns)
    places = [
        Placement(face, 5 + i % columns * width, 5 + i // columns * height)
        for i, face in enumerate(faces)
    ]
    document = Document("Cards", "en")
    document.add(Page(columns * width + 10, rows * height + 10, tuple(places)))
    page = pypdfium2.PdfDocument(document.finished())[0]
    return np.asarray(page.render(scale=dpi / 72).to_pil().convert("RGB"))


# what is drawn, and how often


def test_every_copy_is_an_item_with_the_back_of_its_kind() -> None:
    items = card_items(design(), [CARDS["P01"], CARDS["T03"]], "63x88", NUMBERS)
    assert [item.name for item in items] == ["P01", "P01", "T03"]
    assert [item.front.key for item in items] == ["card-P01", "card-P01", "card-T03"]
    assert [item.back.key for item in items if item.back] == [
        "back-prophecy", "back-prophecy", "back-temple",
    ]  # fmt: skip
    assert {(item.front.width, item.front.height) for item in items} == {(63, 88)}


def test_an_unknown_size_is_told_with_all_that_are_known() -> None:
    with pytest.raises(CommandLineError, match=r"“mini”.*63x88, poker, bridge"):
        card_items(design(), [CARDS["P01"]], "mini", NUMBERS)
    assert card_size(Layouts(), "poker").width == 63.5


# everything fits


Edges = tuple[float, float, float, float]  # left, top, right, bottom


class MeasuringSurface(Surface):
    """A surface that notes where everything lies that is no background, and all type sizes."""

    def __init__(self) -> None:
        super().__init__(Canvas("unused.pdf"))
        self.known: dict[str, MeasuringSurface] = {}
        self.clear()

    def clear(self) -> None:
        """Begin anew, but remember the stamps."""
        self.matrix = Matrix()
        self.ground = False
        self.boxes: list[Edges] = []
        self.sizes: list[float] = []
        self.clip: Edges | None = None

    @property
    def edges(self) -> Edges:
        """What everything covers together."""
        lefts, tops, rights, lows = zip(*self.boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(lows)

    def note(self, path: Path, margin: float = 0) -> None:
        if self.ground or not path.segments:
            return
        left, top, right, low = path.mapped(self.matrix).bounds
        margin *= abs(self.matrix.a)
        box = (left - margin, top - margin, right + margin, low + margin)
        if self.clip is not None:
            a, b, c, d = self.clip
            box = (max(box[0], a), max(box[1], b), min(box[2], c), min(box[3], d))
        self.boxes.append(box)

    def fill(self, path: Path, ink: str, even_odd: bool = False) -> None:
        self.note(path)

    def stroke(self, path: Path, ink: str, width: float, *rest: Any, **more: Any) -> None:
        self.note(path, width / 2)

    def text(self, x: float, y: float, text: str, type_: Type, align: Any = "left") -> float:
        width = type_.width(text)
        left = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        self.note(rectangle(left, y - type_.cap, width, type_.cap + 0.2 * type_.size / MM))
        self.sizes.append(type_.size * abs(self.matrix.a))
        return width

    @contextmanager
    def background(self) -> Iterator[None]:
        self.ground = True
        yield
        self.ground = False

    @contextmanager
    def mapped(self, matrix: Matrix) -> Iterator[Surface]:
        before, self.matrix = self.matrix, self.matrix @ matrix
        yield self
        self.matrix = before

    @contextmanager
    def clipped(self, path: Path) -> Iterator[None]:
        before, self.clip = self.clip, path.mapped(self.matrix).bounds
        yield
        self.clip = before

    def stamp(self, key: str, bounds: Box, draw: Callable[[Surface], None]) -> None:
        if key not in self.known:
            self.known[key] = MeasuringSurface()
            draw(self.known[key])
        if self.known[key].boxes:
            left, top, right, low = self.known[key].edges
            self.note(rectangle(left, top, right - left, low - top))


def measured(face: Face, surface: MeasuringSurface | None = None) -> MeasuringSurface:
    """Draw a face and prove that nothing but its ground enters the margin."""
    surface = surface or MeasuringSurface()
    surface.clear()
    face.draw(surface)
    left, top, right, low = surface.edges
    assert min(left, top) >= face.safe - 0.001
    assert right <= face.width - face.safe + 0.001
    assert low <= face.height - face.safe + 0.001
    return surface


@pytest.mark.parametrize("size", LAYOUT.sizes)
@pytest.mark.parametrize("language", CODES)
def test_every_card_fits_in_every_language_and_size(language: str, size: str) -> None:
    surface = MeasuringSurface()
    for face in fronts(tuple(CARDS), design(language), size):
        assert min(measured(face, surface).sizes) >= 7, face.key


@pytest.mark.parametrize("theme", THEMES)
def test_backs_and_line_faces_keep_the_margin(theme: ThemeName) -> None:
    cards = [CARDS[card_id] for card_id in ("P01", "P06", "P45", "P50", "T16")]
    for item in card_items(design("pl", theme), cards, "63x88", NUMBERS):
        measured(item.front)
        assert item.back is not None
        measured(item.back)


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
        measured(fronts([CARDS["P45"]], small)[0])


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
    colour = st.sampled_from([None, *strategies.WORDS.values()])
    card_id = st.from_regex(r"\A[A-Z][A-Z0-9]{0,11}\Z")
    return st.builds(_own_card, card_id, colour, st.one_of(single, several), points)


def _own_card(card_id: str, colour: str | None, asked: Any, points: dict[str, int]) -> Card:
    kind = {"kind": "temple"} if colour is None else {"kind": "prophecy", "colour": colour}
    requires = strategies.as_json(asked)
    data = {"id": card_id, **kind, "requires": requires, "points": points}
    return CardModel.model_validate(data).card("own")


@settings(max_examples=strategies.soaked(25))
@given(own_cards(), st.sampled_from(CODES), st.sampled_from(sorted(LAYOUT.sizes)))
def test_any_card_of_ones_own_keeps_its_margins(card: Card, language: str, size: str) -> None:
    measured(fronts([card], design(language), size)[0])
    look = design(language)
    art = CardFace(look, LAYOUT, LAYOUT.sizes[size], card, None)
    brush = Brush(look.layouts.read("pieces", PiecesLayout).shape, look.theme)
    room = art.field.inset(2)
    laid = arranged(parts_of(card.requirement), brush, room.width, room.height, 0.8)
    assert laid.width <= room.width + 0.01
    assert laid.height <= room.height + 0.01


# what is printed can be read back


@pytest.mark.parametrize("theme", THEMES)
def test_opencv_reads_the_mark_of_every_card(theme: ThemeName) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
    cards = tuple(CARDS) if theme == "full" else tuple(CARDS)[:9]
    for first in range(0, len(cards), 9):
        some = cards[first : first + 9]
        picture = rendered(fronts(some, design("en", theme)), dpi=100)
        _, found, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
        assert found is not None
        assert sorted(found.ravel().tolist()) == sorted(NUMBERS[card.id] for card in some)


def test_a_card_without_a_number_has_no_mark() -> None:
    (item,) = card_items(design(), [CARDS["T01"]], "63x88", {})
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
    _, found, _ = detector.detectMarkers(rendered([item.front], 150, columns=1))
    assert found is None


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
@pytest.mark.parametrize("card_id", ["P06", "P38", "T10"])
def test_tesseract_reads_the_id(card_id: str, tmp_path: File) -> None:
    picture = rendered(fronts([CARDS[card_id]], design()), dpi=300, columns=1)
    box = CardFace(design(), LAYOUT, LAYOUT.sizes["63x88"], CARDS[card_id], None).label
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


def test_the_id_can_be_selected_as_it_is_spelled() -> None:
    document = Document("Cards", "en")
    (face,) = fronts([CARDS["P10"]], design())
    document.add(Page(63, 88, (Placement(face, 0, 0),)))
    text = pypdfium2.PdfDocument(document.finished())[0].get_textpage().get_text_bounded()
    assert "P10" in text
    assert "Prophecy" in text


# ink and colours


def ink(faces: Sequence[Face]) -> list[float]:
    return [float(np.mean(1 - rendered([face], 120, columns=1) / 255)) for face in faces]


def test_a_low_ink_card_takes_a_quarter_of_the_ink() -> None:
    cards = [CARDS[card_id] for card_id in ("P35", "P40", "T16")]  # they ask for many words
    inks = []
    for theme in THEMES:
        items = card_items(design("pl", theme), cards, "63x88", NUMBERS)
        backs = {item.back.key: item.back for item in items if item.back is not None}
        inks.append(ink([*(item.front for item in items), *backs.values()]))
    full, light = (np.array(some) for some in inks)
    assert len(full) == 5
    assert (light <= 0.25 * full).all()


# What people see who lack a kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
VISIONS = {
    "typical": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def lightness(colour: NDArray[np.float64], vision: str) -> float:
    """CIE L* of an sRGB colour (0 to 1) as somebody sees it."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(VISIONS[vision]) @ linear, 0, 1)
    y = float(np.array([0.2126, 0.7152, 0.0722]) @ seen)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@pytest.mark.parametrize("vision", VISIONS)
def test_the_five_colours_differ_in_lightness_for_everybody(vision: str) -> None:
    look = design()
    shape = look.layouts.read("pieces", PiecesLayout).shape

    def piece(colour: Colour) -> Face:
        def draw(surface: Surface) -> None:
            with surface.placed(15, 12) as at:
                draw_piece(at, shape, look.theme, Kind.BODY, colour)

        return Face(f"piece-{colour.name}", 30, 24, draw)

    found = []
    for colour in Colour:
        picture = rendered([piece(colour)], 100, columns=1)
        colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
        order = np.argsort(counts)[::-1]
        main = next(colours[i] for i in order if tuple(colours[i]) != (255, 255, 255))
        found.append(lightness(main / 255, vision))
    assert min(abs(a - b) for a, b in combinations(found, 2)) >= 10
