"""Cards in a photo: printed ones by mark and id, and which Cóatl each belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from coatl_tools import load_cards
from coatl_tools.cards.catalog import Catalog
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.layouts import Layouts, ThemeName
from coatl_tools.printing.mat.mat_geometry import load_mat_geometry
from coatl_tools.vision.cards.card_assignment import assign_cards
from coatl_tools.vision.cards.card_search import find_cards
from coatl_tools.vision.drawn_pieces import DrawnPieces
from coatl_tools.vision.homography import box_corners, to_outline
from coatl_tools.vision.mat import SeenMat, SeenSheet
from coatl_tools.vision.pieces.piece_search import FoundPieces
from coatl_tools.vision.reading import ReadingProblem, SeenCard, SeenCoatl, SeenPiece
from coatl_tools.vision.stage_trace import Pixels, Trace
from tests.programs import needs_tesseract
from tests.vision.card_photos import DPI, Lying, View, Weather, face, photo
from tests.vision.sample_readings import make_piece as by_hand

CATALOG = load_cards()
PX = DPI / 25.4


def read(
    picture: Pixels, catalog: Catalog = CATALOG
) -> tuple[list[SeenCard], list[ReadingProblem]]:
    cards, problems = find_cards(picture, catalog, Trace()).settle(catalog)
    for problem in problems:  # what is said can be said in every language
        for code in ("en", "fr", "pl"):
            assert load_language(code).sentence(*problem.message)
            assert problem.advice is None or load_language(code).sentence(problem.advice, {})
    return list(cards), list(problems)


def row(ids: Sequence[str], theme: ThemeName = "full", language: str = "en") -> list[Lying]:
    """Cards side by side, each turned a little more than the one before."""
    first = (1 - len(ids)) / 2
    return [
        Lying(f"{i}-{name}", face(name, theme, language), (first + i) * 90, 0, 23 * i - 40)
        for i, name in enumerate(ids)
    ]


def codes(problems: Iterable[ReadingProblem]) -> list[str]:
    return [problem.code for problem in problems]


@needs_tesseract
def test_cards_are_read_wherever_and_however_they_lie() -> None:
    ids = ["P29", "T03", "P10", "P45", "P01"]
    view = View(scale=2.9, tilt=38, turn=160)
    picture, corners = photo(row(ids), view, Weather((0.7, 0.9, 1.0), 0.3, 0.7, 6, 75), seed=1)
    cards, problems = read(picture)
    assert sorted(card.id or "" for card in cards) == sorted(ids)
    assert not problems
    for card in cards:
        truly = next(c for name, c in corners.items() if name.endswith(card.id or "?"))
        side = np.linalg.norm(truly[0] - truly[1])
        assert np.abs(np.array(card.outline) - truly).max() < 0.12 * side
        assert card.sure
        assert card.witnesses["mark"] == card.id
    assert sum("text" in card.witnesses for card in cards) >= 4
    heights = [np.mean([y for _, y in card.outline]) for card in cards]
    assert heights == sorted(heights)


@needs_tesseract
def test_cards_printed_with_little_ink_and_in_other_languages_are_read() -> None:
    things = row(["P53", "T16"], theme="low-ink", language="pl")
    cards, problems = read(photo(things, View((1200, 800), scale=3.0, tilt=20), seed=2)[0])
    assert {card.id for card in cards} == {"P53", "T16"}
    assert all(card.sure and "text" in card.witnesses for card in cards)
    assert not problems


@needs_tesseract
def test_mark_and_id_that_disagree_are_both_told() -> None:
    mixed = face("P29").copy()
    low = round(66 * PX)
    mixed[low:, : round(22.2 * PX)] = face("P31")[low:, : round(22.2 * PX)]
    cards, problems = read(
        photo([Lying("x", mixed, 0, 0, 10)], View((900, 700), scale=5), seed=3)[0]
    )
    assert [card.id for card in cards] == [None]
    assert not cards[0].sure
    assert cards[0].witnesses == {"mark": "P31", "text": "P29"}
    assert set(cards[0].candidates) == {"P29", "P31"}
    assert codes(problems) == ["card_disagrees"]
    assert problems[0].serious
    assert problems[0].card == 0


@needs_tesseract
def test_a_card_is_there_no_more_often_than_in_the_game() -> None:
    view = View(scale=3.2)
    cards, problems = read(photo(row(["P05", "P05"]), view, seed=4)[0])
    assert [card.sure for card in cards] == [True, True]
    assert not problems
    cards, problems = read(photo(row(["P29", "P29"]), view, seed=4)[0])
    assert [card.id for card in cards] == ["P29", "P29"]
    assert not any(card.sure for card in cards)
    assert codes(problems) == ["card_twice", "card_twice"]


@needs_tesseract
def test_a_card_of_ones_own_is_read_or_said_to_be_unknown() -> None:
    own = replace(CATALOG["P29"], id="X01", set="own")
    catalog = Catalog([*CATALOG, own])
    from benchmarks.photo_simulation import render_face
    from coatl_tools.printing.aruco_marks import load_marks_layout
    from coatl_tools.printing.cards.card_front import make_card_items
    from coatl_tools.printing.items import Design

    numbers = load_marks_layout(Layouts()).assign_numbers(catalog)
    item = make_card_items(Design(load_language("en"), "full"), [own], "63x88", numbers)[0]
    art = np.ascontiguousarray(render_face(item.front, DPI)[:, :, ::-1])
    picture = photo([Lying("x", art, 0, 0, -20)], View((900, 700), scale=4), seed=5)[0]
    cards, problems = read(picture, catalog)
    assert [(card.id, card.sure) for card in cards] == [("X01", True)]
    assert not problems
    cards, problems = read(picture)
    assert [card.id for card in cards] == [None]
    assert codes(problems) == ["card_unreadable"]
    assert "153" in str(problems[0].phrase)


def test_a_tarot_card_has_its_own_outline() -> None:
    from benchmarks.photo_simulation import render_face
    from coatl_tools.printing.cards.card_front import make_card_items
    from coatl_tools.printing.items import Design

    design = Design(load_language("en"), "full")
    front = make_card_items(design, [CATALOG["P29"]], "tarot", {"P29": 29})[0].front
    art = np.ascontiguousarray(render_face(front, DPI)[:, :, ::-1])
    thing = Lying("x", art, 0, 0, 15, 70, 120)
    picture, corners = photo([thing], View((1200, 900), scale=5), seed=6)
    cards, _ = read(picture)
    assert cards[0].sure
    assert np.abs(np.array(cards[0].outline) - corners["x"]).max() < 0.1 * 5 * 70


def test_without_tesseract_the_mark_is_enough_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pytesseract.pytesseract.tesseract_cmd", "no-such-program")
    picture = photo(row(["P29", "T03"]), View((900, 700), scale=3), seed=7)[0]
    cards, problems = read(picture)
    assert {card.id for card in cards} == {"P29", "T03"}
    assert all(card.sure and card.confidence < 0.99 for card in cards)
    assert codes(problems) == ["no_tesseract"]
    assert not problems[0].serious
    nothing, problems = read(photo([], View((640, 480)), seed=8)[0])
    assert not nothing
    assert not problems


@needs_tesseract
def test_a_checked_cloth_hides_no_card() -> None:
    y, x = np.mgrid[0:900, 0:1600]
    checks = ((x // 14 + y // 14) % 2 * 90 + 80).astype(np.uint8)
    ground = np.ascontiguousarray(np.repeat(checks[:, :, None], 3, axis=2))
    view = View((1600, 900), scale=3.4)
    cards, problems = read(photo(row(["P29", "T03"]), view, seed=11, ground=ground)[0])
    assert {card.id for card in cards} == {"P29", "T03"}
    assert not problems


def test_nothing_is_found_where_there_is_none() -> None:
    rng = np.random.default_rng(9)
    noise = rng.integers(0, 256, (480, 640, 3)).astype(np.uint8)
    for picture in (
        np.zeros((480, 640, 3), np.uint8),
        np.full((480, 640, 3), 255, np.uint8),
        noise,
        np.asarray(cv2.resize(noise[:30, :40], (640, 480), interpolation=cv2.INTER_NEAREST)),
        np.zeros((3, 5, 3), np.uint8),
    ):
        assert read(np.asarray(picture, np.uint8)) == ([], [])


def coatl(*points: tuple[float, float]) -> SeenCoatl:
    """A Cóatl of body segments of 60 pixels at these points."""
    pieces = tuple(
        SeenPiece(
            {Colour.R: 1.0},
            {PieceKind.BODY: 1.0},
            to_outline(box_corners(x - 30, y - 30, 60, 60)),
            (x, y),
        )
        for x, y in points
    )
    return SeenCoatl(pieces, 1.0, 1.0)


def card_at(x: float, y: float) -> SeenCard:
    return SeenCard("P29", 0.99, to_outline(box_corners(x - 50, y - 70, 100, 140)))


def test_a_card_belongs_to_the_nearest_coatl() -> None:
    coatls = [coatl((200, 100), (260, 100)), coatl((200, 600), (260, 600), (800, 600))]
    places = {"P01": (60, 250), "P02": (60, 450), "P03": (800, 460), "P04": (230, 350)}
    cards = [replace(card_at(*place), id=card_id) for card_id, place in places.items()]
    assigned, problems = assign_cards(cards, coatls)
    assert [card.coatl for card in assigned] == [0, 1, 1, 0]
    assert codes(problems) == ["card_between"]
    assert problems[0].card == 3
    assert problems[0].phrase[1] == {"first": 1, "second": 2}
    alone, problems = assign_cards(cards, [])
    assert [card.coatl for card in alone] == [None] * 4
    assert not problems


def test_on_a_mat_a_card_belongs_to_the_coatl_in_its_lane() -> None:
    sheet = load_mat_geometry("a4", Layouts())
    mats = [
        SeenMat(
            (SeenSheet(sheet, np.array([(1.0, 0, 0), (0, 1.0, y), (0, 0, 1.0)]), (81, 82, 83)),)
        )
        for y in (0.0, 240.0)
    ]
    lanes = [coatl((40, 93), (80, 93)), coatl((40, 333), (80, 333))]
    low = SeenCard("P29", 0.99, to_outline(box_corners(87, 110, 63, 88)))  # a place of the first
    far = replace(low, outline=to_outline(box_corners(600, 110, 63, 88)))
    assigned, problems = assign_cards([low, far], lanes, mats)
    assert [card.coatl for card in assigned] == [0, None]
    assert codes(problems) == ["card_apart"]
    assert problems[0].card == 1
    moved = replace(low, outline=to_outline(box_corners(87, 190, 63, 88)))
    assert assign_cards([moved], lanes)[0][0].coatl == 1
    assert assign_cards([moved], lanes, mats[:1])[0][0].coatl == 1
    beside = coatl((320, 150), (320, 190))  # the mat is 273 mm wide
    near = replace(low, outline=to_outline(box_corners(220, 110, 63, 88)))
    assert assign_cards([near], [*lanes, beside])[0][0].coatl == 2
    assert assign_cards([near], [*lanes, beside], mats)[0][0].coatl == 0


def test_what_is_drawn_on_cards_is_no_coatl() -> None:
    """Pieces on a card's face, and, far smaller than pieces are, ornaments of a card's back."""
    card = SeenCard("P29", 0.99, ((0, 0), (630, 0), (630, 880), (0, 880)), sure=True)

    def lying(x: float, y: float, pitch: float, joined: float, colours: str = "RRRR") -> SeenCoatl:
        pieces = [
            by_hand(colour, PieceKind.BODY, (x + pitch * i, y)) for i, colour in enumerate(colours)
        ]
        return SeenCoatl(tuple(pieces), joined, 1.0)

    small, its_row = lying(150, 440, 110, 0.9), lying(150, 600, 150, 0.9, "YYB")
    on_back, too_sure = lying(900, 440, 60, 0.2), lying(900, 900, 60, 0.98)
    unsure, beside = lying(900, 1200, 180, 0.2), lying(50, 830, 180, 0.9)
    across, upon = lying(300, 440, 176, 0.9), lying(150, 300, 150, 0.9, "GRB")
    everything = (small, its_row, on_back, too_sure, unsure, beside, across, upon)
    found = DrawnPieces([card], CATALOG).remove(FoundPieces(everything, ()))
    assert found.coatls == (too_sure, unsure, beside, across, upon)
    assert DrawnPieces([], CATALOG).remove(FoundPieces(everything, ())).coatls == everything
