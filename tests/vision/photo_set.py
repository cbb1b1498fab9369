"""A fixed set of photos, in groups: some of plastic pieces, and some of printed ones, made anew."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.vision.picture import load_picture
from coatl_tools.vision.reader import read_photo
from coatl_tools.vision.reading import PhotoReading
from tests.vision.reading_figures import compute_figures
from tests.vision.scenes import KINDS, Scene, make_photo
from tests.vision.scenes.arrangement import SceneKind

PHOTOS = Path(__file__).parent / "photos"
PLASTIC, FURTHER_PLASTIC = "plastic", "plastic, further"
FEW = ("dev-003.jpg", "dev-005.jpg", "dev-017.jpg", "dev-018.jpg")  # strays, easy, many, headless
SUITE = (PLASTIC, "mat", "table")
SOAK = (FURTHER_PLASTIC, "loose", "cards")  # which only the soak reads
GROUPS = (*SUITE, *SOAK)
SEEDS = (501,)  # of the printed ones, of each kind
SOAK_SEEDS = (502, 503)  # of those that only the soak reads
MEGAPIXELS = 1.92


@dataclass(frozen=True, eq=False)
class Read:
    """A photo's label, where things are in it, and what was read."""

    label: dict[str, Any]
    geometry: dict[str, Any]
    reading: PhotoReading

    @property
    def figures(self) -> Counter[str]:
        """How well it was read."""
        return compute_figures(self.reading, self.label, self.geometry)


def printed(seed: int, kind: SceneKind) -> Scene:
    """A photo of the set; one language, so that few pages are rendered."""
    return make_photo(seed, kind, MEGAPIXELS, languages=("en",))


@cache
def read(group: str, seeds: tuple[int, ...] = SEEDS) -> tuple[Read, ...]:
    """All photos of a group, read once for all tests."""
    if group in (PLASTIC, FURTHER_PLASTIC):
        labels, geometry = (
            json.loads((PHOTOS / f"{name}.json").read_text("utf-8"))
            for name in ("labels", "geometry")
        )
        return tuple(
            Read(label, places, reading_of(PHOTOS / label["file"]))
            for label, places in zip(labels, geometry, strict=True)
            if (label["file"] in FEW) == (group == PLASTIC)
        )
    found = []
    kind = next(kind for kind in KINDS if kind == group)
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            scene = printed(seed, kind)
            path = Path(folder) / scene.label["file"]
            path.write_bytes(scene.data)
            found.append(Read(scene.label, scene.geometry, reading_of(path)))
    return tuple(found)


def reading_of(path: Path) -> PhotoReading:
    """What is read from a file."""
    return read_photo(load_picture(path), load_cards())


def group_figures(group: str) -> dict[str, int]:
    """The figures of a group."""
    total: Counter[str] = Counter()
    for one in read(group):
        total.update(one.figures)
    return dict(total)


def grouped() -> list[Any]:
    """The groups as parameters of a test; those who read a group share one process."""
    return [
        pytest.param(group, marks=pytest.mark.xdist_group(f"photos-{group}")) for group in SUITE
    ] + [pytest.param(group, marks=pytest.mark.soak) for group in SOAK]
