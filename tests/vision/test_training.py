"""What the network learns from: the drawings are always the same, and their labels are true."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.photos.labels import load_labels
from coatl_tools import load_cards
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.cards.face_views import FACE_CORNERS
from coatl_tools.vision.cards.plaque_search import CORNER_UNIT, PLAQUE_STRIDE
from coatl_tools.vision.homography import map_points
from coatl_tools.vision.pieces.networks import STRIDE, UNIT
from training.card_tables import draw_faces, take_table_photo
from training.crops import PhotoCrop, random_crop
from training.measured_photos import make_measured_photos
from training.photo_pool import make_pool
from training.piece_shapes import random_set
from training.plaque_crops import CROP_SIDE, draw_place_samples, label_table
from training.printed_pieces import render_tiles

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("pool")]  # it is made once
CATALOG = load_cards()
SEED, PHOTOS = 42, 2  # plastic pieces, then printed ones


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pool")
    make_pool(folder, PHOTOS, SEED)
    return folder


def names(pool: Path) -> list[Path]:
    return sorted(pool.glob("*.json"))


def read_truth(name: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(name.read_text("utf-8"))
    return truth


def test_a_photo_depends_on_the_seed_and_its_number_alone(pool: Path, tmp_path: Path) -> None:
    make_pool(tmp_path, 1, SEED, begin=1)
    assert {path.name for path in tmp_path.iterdir()} == {
        "00001.jpg", "00001.json", "00001.png", "00001.faces.png",
    }  # fmt: skip
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (pool / path.name).read_bytes()
    assert (pool / "00000.jpg").read_bytes() != (pool / "00001.jpg").read_bytes()


def test_a_photo_from_near_shows_pieces_large(tmp_path: Path) -> None:
    make_pool(tmp_path, 2, SEED, near=True)
    for name in names(tmp_path):
        points = np.array([piece["points"] for piece in read_truth(name)["pieces"]])
        pitches = np.hypot(*(points[:, 1] - points[:, 2]).T) / 2
        picture = cv2.imread(str(name.with_suffix(".jpg")))
        assert picture is not None
        inside = (points[:, 0] >= 0).all(axis=1) & (points[:, 0] < picture.shape[1::-1]).all(axis=1)
        assert np.median(pitches[inside]) > 25


def test_labels_lie_on_their_pieces(pool: Path) -> None:
    hits = []
    for name in names(pool):
        owners = cv2.imread(str(name.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
        assert owners is not None
        for number, piece in enumerate(read_truth(name)["pieces"], 1):
            x, y = (int(v) for v in piece["points"][0])
            if 0 <= x < owners.shape[1] and 0 <= y < owners.shape[0]:
                hits.append(owners[y, x] == number)
    assert len(hits) > 5 * PHOTOS
    assert np.mean(hits) > 0.95  # a mug may hide a middle


def test_faces_lie_inside_their_corners(tmp_path: Path) -> None:
    make_pool(tmp_path, 1, SEED, begin=5)
    shown = 0
    for name in names(tmp_path):
        faces = cv2.imread(str(name.with_suffix(".faces.png")), cv2.IMREAD_GRAYSCALE)
        assert faces is not None
        for number, corners in enumerate(read_truth(name)["cards"], 1):
            own = np.zeros(faces.shape, np.uint8)
            cv2.fillConvexPoly(own, np.round(corners).astype(np.int32), 1)
            own = np.asarray(cv2.dilate(own, np.ones((5, 5), np.uint8)), np.uint8)
            shown += int((faces == number).sum())
            assert not ((faces == number) & (own == 0)).any()
    assert shown > 1000


def test_joined_pieces_follow_each_other_from_head_to_tail(pool: Path) -> None:
    for name in names(pool):
        pieces = read_truth(name)["pieces"]
        for piece, behind in zip(pieces, [*pieces[1:], {"joined": [0, 0]}], strict=True):
            assert piece["joined"][1] == behind["joined"][0]
            if piece["joined"][1]:
                assert piece["points"][2] == behind["points"][0]  # a pitch towards the tail
                assert behind["points"][1] == piece["points"][0]
                assert piece["kind"] != list(PieceKind).index(PieceKind.TAIL)
                assert behind["kind"] != list(PieceKind).index(PieceKind.HEAD)


def crops(pool: Path) -> list[PhotoCrop]:
    rng = np.random.default_rng(SEED)
    return [random_crop(rng, name) for name in names(pool) for _ in range(4)]


def test_the_maps_of_a_crop_tell_of_the_same_pieces(pool: Path) -> None:
    on_pieces = []
    for crop in crops(pool):
        there = crop.kind >= 0
        assert np.array_equal(there, crop.colour >= 0)
        assert np.array_equal(there, crop.piece == 1)
        assert crop.peaks.min() >= 0
        assert crop.peaks.max() <= 1
        rows, columns = np.nonzero(there)
        middles = np.stack([columns, rows]) * STRIDE + STRIDE / 2
        middles = (middles + crop.vectors[:2, there] * UNIT) // STRIDE
        cells = {(int(row), int(column)) for column, row in middles.T}
        inside = {cell for cell in cells if max(cell) < crop.kind.shape[0] and min(cell) >= 0}
        assert inside == {(int(r), int(c)) for r, c in np.argwhere(crop.peaks[0] == 1)}
        on_pieces += [there[cell] for cell in inside]
    assert len(on_pieces) > 10
    assert np.mean(on_pieces) > 0.9


def test_the_axis_of_a_piece_has_twice_the_angle_of_the_way_to_its_head(pool: Path) -> None:
    for crop in crops(pool):
        axis, to_head = crop.vectors[2:4, crop.kind >= 0], crop.vectors[4:, crop.kind >= 0]
        x, y = to_head
        assert np.allclose(np.hypot(x, y), 1, atol=1e-5)
        doubled = np.stack([x**2 - y**2, 2 * x * y])
        assert np.allclose(axis, doubled * np.hypot(*axis), atol=1e-4)


def shared(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    return float((one & other).sum() / (one | other).sum())


@pytest.mark.parametrize("kind", PieceKind)
def test_printed_and_plastic_pieces_hook_at_the_same_side(kind: PieceKind) -> None:
    plastic = random_set(np.random.default_rng(SEED)).fields[kind] > 0
    printed = render_tiles("full")[1][kind, Colour.R].mask > 127
    assert shared(plastic, printed) > 0.7
    assert shared(plastic, printed) > shared(plastic, printed[::-1]) + 0.1  # a mirror's image


def test_measuring_photos_are_labelled_for_the_benchmark(tmp_path: Path) -> None:
    make_measured_photos(tmp_path, 2, SEED, side=640)
    photos = load_labels(tmp_path)
    assert len(photos) == 2
    for photo in photos:
        assert photo.cards is not None
        assert all(len(coatl.centres) == len(coatl.pieces) for coatl in photo.coatls)
        copies = Counter(card.id for card in photo.cards)
        assert all(count <= CATALOG[card].copies for card, count in copies.items())


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("faces")
    draw_faces(folder, 12, SEED)
    return names(folder)


def test_plaques_of_a_table_tell_where_their_cards_lie(faces: list[Path]) -> None:
    told = 0
    for number in range(12):
        table = take_table_photo(np.random.default_rng([SEED, number]), CROP_SIDE, faces)
        crop = label_table(table)
        assert crop.picture.shape == (3, CROP_SIDE, CROP_SIDE)
        cards = [map_points(FACE_CORNERS, card.homography) for card in table.cards]
        for row, column in np.argwhere(crop.own > 0):
            away = crop.corners[:, row, column].reshape(4, 2) * CORNER_UNIT
            here = np.array([column, row]) * PLAQUE_STRIDE + PLAQUE_STRIDE / 2
            assert min(np.abs(here + away - card).max() for card in cards) < 0.01
            told += 1
    assert told > 20


def test_views_of_cards_tell_how_far_their_corners_are_off(faces: list[Path]) -> None:
    samples = [
        sample
        for number in range(6)
        for sample in draw_place_samples(np.random.default_rng([SEED, number]), faces[0])
    ]
    assert len(samples) > 5
    assert all(sample.planes.shape == (3, 128, 96) for sample in samples)
    assert 0.05 < np.mean([np.abs(sample.corners).mean() for sample in samples]) < 1
