"""Photos read from the file to the answer, by the real OpenCV and Tesseract.

The photos are rendered, not taken: nine of plastic pieces, and printed ones of every kind.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.vision.picture import Picture, load_picture
from coatl_tools.vision.reader import read_photo
from tests.conftest import Run
from tests.vision.photo_set import (
    PHOTOS,
    PLASTIC,
    SOAK_SEEDS,
    group_figures,
    grouped,
    read,
    reading_of,
)
from tests.vision.reading_checks import check_sound
from tests.vision.reading_figures import list_piece_names
from tests.vision.scenes import KINDS, Scene, make_photo
from tests.vision.scenes.arrangement import SceneKind

EXAMPLE = Path(__file__).parents[2] / "docs" / "example-photo.jpg"


def clean(seed: int, kind: SceneKind) -> Scene:
    """A photo that nobody should read wrong."""
    return make_photo(seed, kind, 1.92, table="plain light", languages=("en",), clean=True)


def written(folder: Path, scene: Scene) -> Path:
    path = folder / str(scene.label["file"])
    path.write_bytes(scene.data)
    return path


@pytest.mark.parametrize("group", grouped())
def test_every_answer_is_sound(group: str) -> None:
    for one in read(group):
        check_sound(one.reading)
        assert one.reading.file.endswith(one.label["file"])


@pytest.mark.parametrize("group", grouped())
def test_what_is_wrong_is_said_to_be_unsure(group: str) -> None:
    found = group_figures(group)
    assert found["silently_wrong"] == 0
    assert found["cards_strange"] + found["cards_wrong"] == 0


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_further_photos_are_read_soundly_and_nothing_is_silently_wrong(kind: str) -> None:
    for one in read(kind, SOAK_SEEDS):
        check_sound(one.reading)
        assert one.figures["silently_wrong"] == 0


@pytest.mark.parametrize("group", grouped())
def test_most_of_it_is_read(group: str) -> None:
    found = group_figures(group)
    assert found["pieces_right"] >= 0.9 * found["pieces"]
    assert found["cards_right"] >= 0.9 * found["cards"]


@pytest.mark.xdist_group("photos-mat")
def test_the_mat_is_seen() -> None:
    assert all(one.reading.has_mat for one in read("mat"))


@pytest.mark.xdist_group("photos-table")
def test_coatls_run_from_top_to_bottom() -> None:
    for one in read("table"):
        high = [np.mean([p.centre[1] for p in c.pieces]) for c in one.reading.coatls]
        assert high == sorted(high)


@pytest.mark.xdist_group("photos-plastic")
def test_strays_belong_to_no_coatl() -> None:
    assert any(one.geometry["strays"] for one in read(PLASTIC))
    for one in read(PLASTIC):
        for x, y in one.geometry["strays"]:
            for coatl in one.reading.coatls:
                away = [np.hypot(p.centre[0] - x, p.centre[1] - y) for p in coatl.pieces]
                assert min(away) > 20


@pytest.mark.xdist_group("photos-plastic")
def test_the_scales_of_bodies_tell_where_the_head_would_be() -> None:
    bare = [
        (label, seen)
        for one in read(PLASTIC)
        for label, seen in zip(one.label["coatls"], one.reading.coatls, strict=True)
        if not label["orientation_known"]
    ]
    assert bare
    for label, seen in bare:
        assert seen.is_orientation_known
        assert list_piece_names(seen) == label["pieces"]


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param("mat", 12, marks=pytest.mark.soak),
        pytest.param("cards", 9, marks=pytest.mark.soak),
        ("loose", 7),
    ],
)
def test_the_command_tells_all_of_a_clean_photo(
    run: Run, tmp_path: Path, kind: SceneKind, seed: int
) -> None:
    scene = clean(seed, kind)
    done = run("read", written(tmp_path, scene), "--json")
    assert done.code == 0, done.err
    (answer,) = _objects(done.out)
    assert [coatl["sure"] for coatl in answer["coatls"]] == [True] * len(scene.label["coatls"])
    for coatl, told in zip(answer["coatls"], scene.label["coatls"], strict=True):
        pieces = [f"{piece['kind']}:{piece['colour']}" for piece in coatl["pieces"]]
        assert pieces == told["pieces"]
        assert all(0 <= piece["confidence"] <= 1 for piece in coatl["pieces"])
        assert all(len(point) == 2 for piece in coatl["pieces"] for point in piece["outline"])
    told_cards = {(card["id"], card["coatl"]) for card in scene.label["cards"]}
    assert {(card["id"], card["coatl"]) for card in answer["cards"] if card["sure"]} == told_cards


@pytest.mark.soak
def test_a_coatl_beside_a_card_is_not_one_drawn_on_it(tmp_path: Path) -> None:
    """On chequered cloth, which has edges everywhere, where a card ends is told by its frame."""
    scene = make_photo(83005, "table")
    reading = reading_of(written(tmp_path, scene))
    assert [list_piece_names(coatl) for coatl in reading.coatls] == [
        c["pieces"] for c in scene.label["coatls"]
    ]
    for label, truth in zip(scene.label["cards"], scene.geometry["cards"], strict=True):
        (card,) = (card for card in reading.cards if card.id == label["id"])
        seen, there = (np.array(points, np.float32) for points in (card.outline, truth))
        both, _ = cv2.intersectConvexConvex(cv2.convexHull(seen), cv2.convexHull(there))
        assert both > 0.85 * max(cv2.contourArea(seen), cv2.contourArea(there))


@pytest.mark.soak
def test_dark_blue_taken_for_black_is_said(run: Run, tmp_path: Path) -> None:
    """Printed blue in poor light: a reader may do better, but never takes it for black silently."""
    scene = clean(12, "cards")
    done = run("read", written(tmp_path, scene), "--json")
    (answer,) = _objects(done.out)
    (told,) = scene.label["coatls"]
    (coatl,) = answer["coatls"]
    pieces = [f"{p['kind']}:{p['colour']}" for p in coatl["pieces"]]
    assert len(pieces) == len(told["pieces"])
    wrong = {i for i, (a, b) in enumerate(zip(pieces, told["pieces"], strict=True)) if a != b}
    assert wrong <= {problem["piece"] for problem in answer["problems"]}
    assert done.code == (0 if answer["sure"] else 3)
    assert answer["sure"] is not bool(answer["problems"])


@pytest.mark.parametrize(
    ("channels", "code"),
    [
        ((0.35, 1, 1), "cast"),
        pytest.param((3, 3, 3), "bright", marks=pytest.mark.soak),
        ((1, 1, 1), None),
    ],
)
def test_light_in_which_colours_cannot_be_told_is_said(
    channels: tuple[float, ...], code: str | None
) -> None:
    photo = load_picture(EXAMPLE)
    pixels = np.clip(photo.pixels * np.array(channels), 0, 255).astype(np.uint8)
    reading = read_photo(Picture(EXAMPLE, pixels), load_cards())
    assert reading.sure is (code is None)
    assert {problem.code for problem in reading.problems if problem.serious} >= {code} - {None}


def test_a_coatl_with_something_on_it_is_not_two() -> None:
    pixels = load_picture(EXAMPLE).pixels.copy()
    pixels[:, 700:770] = (180, 190, 200)
    reading = read_photo(Picture(EXAMPLE, pixels), load_cards())
    assert len(reading.coatls) == 2
    assert not any(coatl.sure for coatl in reading.coatls)
    assert "in_line" in {problem.code for problem in reading.problems}


def test_the_command_says_that_there_is_no_coatl(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    grain = np.random.default_rng(1).normal(150, 6, (768, 1024, 3))
    cv2.imwrite(str(path), grain.clip(0, 255).astype(np.uint8))
    done = run("read", path, "--json")
    assert done.code == 3
    (answer,) = _objects(done.out)
    assert answer["coatls"] == answer["cards"] == []
    assert answer["problems"]
    assert all(problem["code"] and problem["text"] for problem in answer["problems"])


@pytest.mark.xdist_group("photos-plastic")
def test_the_command_and_the_library_agree(run: Run) -> None:
    name = "dev-005.jpg"
    done = run("read", PHOTOS / name, "--json")
    (answer,) = _objects(done.out)
    (one,) = (one for one in read(PLASTIC) if one.label["file"] == name)
    assert [coatl["sure"] for coatl in answer["coatls"]] == [c.sure for c in one.reading.coatls]
    pieces = [[f"{p['kind']}:{p['colour']}" for p in c["pieces"]] for c in answer["coatls"]]
    assert pieces == [list_piece_names(coatl) for coatl in one.reading.coatls]


def _objects(text: str) -> list[dict[str, Any]]:
    """One object for each photo: a list of them, or one alone, or one a line."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return whole if isinstance(whole, list) else [whole]
