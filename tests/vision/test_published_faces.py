"""Published cards are read where their corners are roughly known; all are drawn, none is copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, Level
from coatl_tools.cards.requirement import parse_sequence
from coatl_tools.pieces import Colour
from coatl_tools.vision.cards.card_signs import get_family, list_level_signs, list_row_signs
from coatl_tools.vision.cards.face_views import FACE_CORNERS
from coatl_tools.vision.cards.published_faces import FaceReading, read_face
from coatl_tools.vision.homography import Points, fit_homography
from coatl_tools.vision.stage_trace import Pixels
from training.ground_textures import make_noise
from training.published_cards import draw_back, draw_card

DECK = load_cards().deck()
SEEN = np.array([(92, 70), (338, 96), (312, 425), (70, 400)], float)  # corners in the photo
SIZE = (420, 500)
HIDE_ROW, HIDE_TURNED, HIDE_LEVELS = (0, 71, 63, 17), (0, 34, 14, 36), (4, 4, 17, 30)


Box = tuple[int, int, int, int]  # left, top, width, height in millimetres


def take_photo(picture: Pixels, seed: int, hide: Sequence[Box] = ()) -> Pixels:
    """A face (RGB) on a table, seen a little from the side, with wooden boards on some parts."""
    rng = np.random.default_rng(seed)
    face = np.ascontiguousarray(picture[:, :, ::-1])
    scale = face.shape[1] / 63
    for x, y, wide, high in hide:
        box = [round(v * scale) for v in (x, y, x + wide, y + high)]
        cv2.rectangle(face, (box[0], box[1]), (box[2], box[3]), (70, 110, 150), -1)
    homography = fit_homography(FACE_CORNERS * scale, SEEN)
    assert homography is not None
    table = (make_noise(rng, (20, 20), 3)[: SIZE[1], : SIZE[0], None] * (90, 110, 130)).astype(
        np.uint8
    )
    smooth = cv2.GaussianBlur(face, (0, 0), 1.2)
    cv2.warpPerspective(smooth, homography, SIZE, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    noisy = table + rng.normal(0, 4, table.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def draw(card: Card, seed: int) -> Pixels:
    rng = np.random.default_rng(seed)
    return draw_card(rng, get_family(card), list_row_signs(card), list_level_signs(card)).picture


def look(card: Card, seed: int, hide: Sequence[Box] = (), off: float = 3.0) -> FaceReading:
    """What is read of a drawn card, with corners that are a little off."""
    corners = SEEN + np.random.default_rng([seed, 1]).uniform(-off, off, (4, 2))
    return read_face(take_photo(draw(card, seed), seed, hide), corners, DECK)


def error(corners: Points) -> float:
    return float(np.hypot(*(corners - SEEN).T).mean())


IDS = ("P01", "P07", "P13", "P20", "P24", "P28", "P33", "P38", "P44", "P47", "T02", "T08", "T13")


def test_drawn_cards_are_read() -> None:
    cards = {card.id: card for card in DECK}
    readings = {one: look(cards[one], seed) for seed, one in enumerate(IDS)}
    wrong = {one: reading for one, reading in readings.items() if reading.id != one}
    assert not any(reading.sure for reading in wrong.values())
    assert len(wrong) <= 1
    assert sum(reading.sure for reading in readings.values()) >= len(IDS) - 2
    sure = next(reading for reading in readings.values() if reading.sure)
    assert set(sure.witnesses) == {"row", "turned", "levels", "frame"}


@pytest.mark.parametrize("hidden", [HIDE_ROW, HIDE_TURNED, HIDE_LEVELS])
def test_one_hidden_witness_is_not_missed(hidden: Box) -> None:
    cards = {card.id: card for card in DECK}
    readings = [(one, look(cards[one], seed, [hidden])) for seed, one in enumerate(IDS[1:9:2])]
    assert all(reading.id == one or not reading.sure for one, reading in readings)
    assert sum(reading.id == one for one, reading in readings) >= len(readings) - 1


def test_a_card_whose_rows_are_hidden_has_candidates_and_is_never_sure() -> None:
    card = next(card for card in DECK if card.id == "P27")
    reading = look(card, 5, [HIDE_ROW, HIDE_TURNED])
    assert not reading.sure
    assert {"P26", "P27", "P28"} <= set(reading.candidates)
    assert "row" not in reading.witnesses


def test_a_row_that_no_card_has_is_told_as_none() -> None:
    strange = replace(
        DECK[0], colour=Colour.Y, requirement=parse_sequence("B R B R B"), levels=(Level(1, 4),)
    )
    readings = [look(strange, seed) for seed in range(3)]
    assert not any(reading.sure for reading in readings)
    assert sum(reading.id is None for reading in readings) >= 2
    known = replace(strange, id="X1")
    corners = SEEN + 2.0
    assert read_face(take_photo(draw(strange, 0), 0), corners, [*DECK, known]).id == "X1"


def test_backs_and_tables_are_no_faces() -> None:
    for seed in range(3):
        back = draw_back(np.random.default_rng(seed))
        assert not read_face(take_photo(back, seed), SEEN, DECK).sure
        noise = np.repeat(
            make_noise(np.random.default_rng(seed), (9, 9), 4)[:704, :504, None], 3, 2
        )
        table = take_photo((noise * 255).astype(np.uint8), seed)
        assert read_face(table, SEEN, DECK).id is None


def test_corners_are_corrected_and_turned() -> None:
    card = next(card for card in DECK if card.id == "P33")
    photo = take_photo(draw(card, 3), 3)
    given = SEEN + np.array([(7, -5), (-6, -6), (6, 7), (-7, 6)])
    for turn in range(4):
        reading = read_face(photo, np.roll(given, turn, axis=0), DECK)
        assert reading.id == "P33"
        assert error(reading.corners) < 0.6 * error(given)


def test_broken_corners_read_nothing() -> None:
    photo = take_photo(draw(DECK[0], 0), 0)
    for corners in (
        np.zeros((4, 2)),
        np.full((4, 2), 1e9),
        np.array([(0, 0), (9, 9), (4, 4), (2, 2)]),
    ):
        assert not read_face(photo, np.asarray(corners, float), DECK).sure
