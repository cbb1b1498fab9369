"""The photos that we make are what their labels say: told by marks and colours, not by a reader."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.layouts import Layouts
from tests.vision.scenes import KINDS, Scene, make_photo, write_folder
from tests.vision.scenes.arrangement import SceneKind
from tests.vision.scenes.table_tops import TABLES


def _clean(seed: int, kind: SceneKind) -> Scene:
    return make_photo(seed, kind, 1.92, table="plain light", languages=("en",), clean=True)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["mat", "table"])
def test_the_same_seed_gives_the_same_file(kind: SceneKind) -> None:
    one, other = (make_photo(4, kind, 0.5, languages=("en",)) for _ in range(2))
    assert one.data == other.data
    assert (one.label, one.geometry) == (other.label, other.geometry)
    assert one.data != make_photo(5, kind, 0.5, languages=("en",)).data


@pytest.mark.parametrize("seed", range(2))
def test_the_marks_of_the_cards_are_where_the_label_says(seed: int) -> None:
    """Also in files whose pixels lie on their side: what is told is the upright photo."""
    scene = _clean(seed, "cards")
    numbers = load_marks_layout(Layouts()).assign_numbers(load_cards())
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    corners, found, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(scene.pixels)
    middles = {
        int(number): np.asarray(square).reshape(4, 2).mean(axis=0)
        for number, square in zip(np.ravel(found), corners, strict=True)
    }
    assert set(middles) == {numbers[card["id"]] for card in scene.label["cards"]}
    for card, outline in zip(scene.label["cards"], scene.geometry["cards"], strict=True):
        x, y = middles[numbers[card["id"]]]
        shape = np.array(outline, np.float32)
        assert cv2.pointPolygonTest(shape, (float(x), float(y)), measureDist=False) > 0


def test_pieces_have_their_colours_where_the_label_says() -> None:
    """The most colourful pixels about the middle of a piece tell its colour; black has none."""
    hues = {"red": (168, 12), "yellow": (15, 42), "green": (40, 90), "blue": (95, 135)}
    right = total = 0
    for seed in range(2):
        scene = _clean(seed, "loose")
        tints = cv2.cvtColor(scene.pixels, cv2.COLOR_BGR2HSV)
        reach = round(2.5 * scene.geometry["pixels_per_mm"])
        pairs = zip(scene.label["coatls"], scene.geometry["coatls"], strict=True)
        for coatl, middles in pairs:
            for piece, (x, y) in zip(coatl["pieces"], middles, strict=True):
                patch = tints[round(y) - reach : round(y) + reach, round(x) - reach :][
                    :, : 2 * reach
                ]
                some = patch.reshape(-1, 3).astype(float)
                some = some[some[:, 1] > 0.7 * some[:, 1].max()]
                hue, colour = float(np.median(some[:, 0])), piece.split(":")[1]
                total += colour != "black"
                if colour in hues:
                    low, high = hues[colour]
                    right += low <= hue <= high if low < high else hue >= low or hue <= high
    assert total >= 8
    assert right >= 0.9 * total


def test_all_that_is_told_is_in_the_photo() -> None:
    for seed, kind in enumerate(KINDS):
        scene = make_photo(seed, kind, 0.5, languages=("en",))
        width, height = scene.geometry["size"]
        assert scene.pixels.shape == (height, width, 3)
        told = [*scene.geometry["coatls"], *scene.geometry["cards"], scene.geometry["strays"]]
        for x, y in (point for points in told for point in points):
            assert 0 <= x <= width
            assert 0 <= y <= height
        assert all(
            card["coatl"] is None or card["coatl"] < len(scene.label["coatls"])
            for card in scene.label["cards"]
        )


def test_every_table_is_a_texture_and_no_two_are_alike() -> None:
    found = [make(np.random.default_rng(1), 256, 3.0) for make in TABLES.values()]
    assert all(picture.shape == (256, 256, 3) for picture in found)
    assert len({picture.tobytes() for picture in found}) == len(TABLES)


def test_a_folder_is_as_the_shared_photos_are(tmp_path: Path) -> None:
    scene = make_photo(1, "loose", 0.5, languages=("en",))
    write_folder(tmp_path, [scene])
    (label,) = json.loads((tmp_path / "labels.json").read_text("utf-8"))
    assert label == scene.label
    assert {"file", "coatls", "strays", "conditions", "difficulty"} <= label.keys()
    assert (tmp_path / label["file"]).read_bytes() == scene.data
    assert json.loads((tmp_path / "geometry.json").read_text("utf-8")) == [scene.geometry]
