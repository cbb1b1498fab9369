"""What a first look finds is shown before the photo is read, where it lies, and once."""

from __future__ import annotations

from math import dist
from pathlib import Path

import pytest

from coatl_tools import load_cards
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reader import read_photo_file
from coatl_tools.vision.reading import PhotoReading, Point
from coatl_tools.vision.stage_trace import Trace
from tests.vision.scenes import make_photo

PHOTOS = Path(__file__).parent / "photos"


class Listener(Trace):
    """Keeps what it is shown."""

    shows_findings = True

    def __init__(self) -> None:
        super().__init__()
        self.pictures: list[Picture] = []
        self.found: list[PhotoReading] = []

    def show_picture(self, picture: Picture) -> None:
        assert not self.found
        self.pictures.append(picture)

    def show_findings(self, reading: PhotoReading) -> None:
        self.found.append(reading)


def middles(reading: PhotoReading) -> list[Point]:
    return [piece.centre for seen in reading.coatls for piece in seen.pieces]


def photo(name: str) -> bytes:
    if name.startswith("mat"):
        return make_photo(int(name[3:]), "mat", 1.92).data
    return (PHOTOS / name).read_bytes()


@pytest.mark.parametrize(
    "name", ["mat2", pytest.param("mat3", marks=pytest.mark.soak), "dev-001.jpg", "dev-016.jpg"]
)
def test_a_first_look_finds_most_pieces_where_they_are(name: str) -> None:
    listener = Listener()
    picture, reading = read_photo_file(photo(name), load_cards(), trace=listener)
    assert listener.pictures == [picture]
    first, last = listener.found[0], listener.found[-1]
    assert first.coatls == ()
    assert len(first.cards) == len(last.cards) == len(reading.cards)
    found, final = middles(last), middles(reading)
    reach = max(seen.pitch for seen in reading.coatls) / 2
    near = [point for point in final if any(dist(point, other) < reach for other in found)]
    assert len(near) >= 0.9 * len(final)
    assert len(found) <= 1.5 * len(final)  # nothing twice
