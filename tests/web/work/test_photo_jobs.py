"""A photo that a phone sends is read like a file, shown without its metadata, or refused."""

from __future__ import annotations

import asyncio
import io
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from coatl_tools import load_cards
from coatl_tools.errors import FileError
from coatl_tools.vision.picture import load_picture
from coatl_tools.vision.reader import read_photo
from coatl_tools.vision.reading import PhotoReading, Point
from coatl_tools.web.work.photo_jobs import (
    MAX_SHOWN_PIXELS,
    PhotoResult,
    check_photo,
    run_photo_job,
    run_warm_up_job,
)
from coatl_tools.web.work.worker_process import Worker
from tests.vision.table_photos import Place, draw_table, take_photo

EXAMPLE = Path(__file__).parents[3] / "docs" / "example-photo.jpg"
GPS, MAKER, ORIENTATION = 0x8825, 0x010F, 0x0112


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as one:
        yield one


def test_a_photo_is_read_as_the_command_reads_it(worker: Worker) -> None:
    told: list[tuple[float, str, object]] = []
    sent = check_photo(EXAMPLE.read_bytes(), "C:\\fakepath\\IMG_1.jpg")
    assert sent.name == "IMG_1.jpg"
    catalog = load_cards()
    seen = asyncio.run(
        worker.run(
            run_photo_job,
            sent,
            catalog,
            progress=lambda share, word, found=None: told.append((share, word, found)),
        )
    )
    expected = read_photo(load_picture(EXAMPLE), catalog)
    assert seen.reading == replace(expected, file="IMG_1.jpg")
    assert seen.reading.coatls
    assert seen.shown.size == Image.open(io.BytesIO(seen.shown.jpeg)).size == (1600, 1200)
    assert seen.shown.scale == 1
    shares, words, _ = zip(*told, strict=True)
    assert list(shares) == sorted(shares)
    assert set(words) == {"", "web_work_open", "web_work_cards", "web_work_pieces"}


def test_the_photo_is_shown_first_then_what_a_first_look_finds(worker: Worker) -> None:
    cards = ("P29", "P11", "P05", "P01", "T03")
    table = draw_table([Place("<BBRBBKRBBYY>", cards, y=-50)], (420, 300))
    sent = check_photo(take_photo(table, (0, 0, 420, 300), 4.0))
    told: list[PhotoResult] = []

    def listen(_: float, __: str, found: object = None, /) -> None:
        if isinstance(found, PhotoResult):
            told.append(found)

    seen = asyncio.run(worker.run(run_photo_job, sent, load_cards(), progress=listen))
    first, with_cards, last = told
    assert {found.shown for found in told} == {seen.shown}
    assert (first.reading.cards, first.reading.coatls) == ((), ())
    assert sorted(card.id or "" for card in with_cards.reading.cards) == sorted(cards)
    assert with_cards.reading.coatls == ()
    assert last.reading.size == seen.reading.size
    assert len(last.reading.cards) == len(cards)
    found = {(round(x, -2), round(y, -2)) for (x, y) in list_middles(last.reading)}
    assert found & {(round(x, -2), round(y, -2)) for (x, y) in list_middles(seen.reading)}
    assert not any(coatl.sure for coatl in last.reading.coatls)


def list_middles(reading: PhotoReading) -> list[Point]:
    return [piece.centre for coatl in reading.coatls for piece in coatl.pieces]


def test_what_is_shown_is_upright_small_and_has_nothing_but_pixels(worker: Worker) -> None:
    image = Image.new("RGB", (1800, 1200), (20, 40, 200))
    image.paste((220, 30, 20), (0, 0, 180, 180))
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = 6, "somebody's phone"
    exif.get_ifd(GPS)[1] = "N"
    data = io.BytesIO()
    image.save(data, "JPEG", exif=exif, comment=b"at home")
    seen = asyncio.run(worker.run(run_photo_job, check_photo(data.getvalue()), load_cards()))
    shown = Image.open(io.BytesIO(seen.shown.jpeg))
    assert (seen.reading.size, seen.reading.file) == ((1200, 1800), "photo")
    assert shown.size == seen.shown.size == (1067, MAX_SHOWN_PIXELS)
    assert seen.shown.scale == 1067 / 1200
    assert not shown.getexif()
    assert set(shown.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    colour = shown.getpixel((1050, 20))  # turned by a quarter, the corner is at the upper right
    assert isinstance(colour, tuple)
    assert colour[0] > 150 > colour[2]


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG that says it is so large."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 1000) + b"IDAT" + bytes(40)


def jpeg_bomb() -> bytes:
    """A small JPEG that says it has 65,500 × 65,500 pixels."""
    data = io.BytesIO()
    Image.new("RGB", (640, 480), "red").save(data, "JPEG")
    made = bytearray(data.getvalue())
    at = made.index(b"\xff\xc0") + 5
    made[at : at + 4] = struct.pack(">HH", 65_500, 65_500)
    return bytes(made)


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (jpeg_bomb(), {"photo.large", "photo.bomb"}),
        (png(50_000, 50_000), {"photo.large", "photo.bomb"}),
        (EXAMPLE.read_bytes()[:60_000], {"photo.truncated"}),
        (EXAMPLE.read_bytes()[:20], {"photo.truncated", "photo.broken"}),
        (png(900, 900), {"photo.truncated", "photo.broken"}),
        (png(20, 20), {"photo.small"}),
    ],
)
def test_what_cannot_be_decoded_is_refused(worker: Worker, data: bytes, keys: set[str]) -> None:
    sent = check_photo(data, "a.jpg")
    with pytest.raises(FileError) as caught:
        asyncio.run(worker.run(run_photo_job, sent, load_cards()))
    assert caught.value.key in keys
    assert "“a.jpg”" in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a" + bytes(99), b"%PDF-1.7\n", b"<svg/>", b"\xff\xd8"]
)
def test_what_is_no_photo_is_refused_before_anything_looks_at_it(data: bytes) -> None:
    with pytest.raises(FileError) as caught:
        check_photo(data, "a.jpg")
    assert caught.value.key == ("photo.no_image" if data else "photo.empty")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("../../etc/passwd", "passwd"),
        ("..", "photo"),
        ("", "photo"),
        ("x/", "photo"),
        ("a\x1b[31m\u202egpj.exe", "a\\x1b[31m\\u202egpj.exe"),
        ("é" * 500, "é" * 60),
    ],
)
def test_of_a_name_only_what_can_be_shown_is_kept(said: str, name: str) -> None:
    assert check_photo(b"\xff\xd8\xff\xe0", said).name == name


def test_warming_up_loads_what_reading_needs(worker: Worker) -> None:
    asyncio.run(worker.run(run_warm_up_job, load_cards()))


def test_the_server_itself_loads_no_opencv() -> None:
    code = "import coatl_tools.web.server.http_server, sys; print({'cv2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
