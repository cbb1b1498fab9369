"""Pictures that nobody should send, and files that are broken, made from a seed."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image

from coatl_tools.cards.card import CardKind
from tests.vision.photo_set import PHOTOS
from tests.vision.scenes import cutouts
from tests.vision.scenes.cutouts import Press

Pixels = NDArray[np.uint8]
MODES = ("RGB", "L", "LA", "RGBA", "P", "1", "CMYK", "I;16", "F")
FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "PPM")


@cache
def _photo(number: int) -> Pixels:
    files = sorted(PHOTOS.glob("*.jpg"))
    return np.asarray(cv2.imread(str(files[number % len(files)])), np.uint8)


def _crop(rng: Generator) -> Pixels:
    """A part of a photo, turned, stretched, mirrored or with too much light."""
    photo = _photo(int(rng.integers(8)))
    height, width = photo.shape[:2]
    size = (int(rng.integers(8, 700)), int(rng.integers(8, 700)))
    turn, zoom = float(rng.uniform(0, 360)), float(rng.uniform(0.2, 3))
    middle = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn, zoom), np.float64)
    matrix[:, 2] += np.array(size) / 2 - middle
    border = [cv2.BORDER_CONSTANT, cv2.BORDER_REFLECT, cv2.BORDER_WRAP][rng.integers(3)]
    part = cv2.warpAffine(photo, matrix, size, borderMode=border)
    if rng.random() < 0.3:
        part = part[:, ::-1]
    if rng.random() < 0.4:
        part = cv2.convertScaleAbs(part, alpha=float(rng.uniform(0.02, 6)))
    return np.ascontiguousarray(part, np.uint8)


def _noise(rng: Generator) -> Pixels:
    size = rng.integers(1, 500, 2)
    grain = int(rng.choice([1, 1, 4, 16, 64]))
    small = rng.integers(0, 256, (size[0] // grain + 1, size[1] // grain + 1, 3)).astype(np.uint8)
    whole = (int(size[1]), int(size[0]))
    return np.asarray(cv2.resize(small, whole, interpolation=int(rng.integers(0, 3))), np.uint8)


def _plain(rng: Generator) -> Pixels:
    colours = [(0, 0, 0), (255, 255, 255), (0, 0, 255), tuple(rng.integers(0, 256, 3))]
    shape = (*rng.integers(1, 600, 2), 3)
    return np.full(shape, colours[rng.integers(4)], np.uint8)


def _gradient(rng: Generator) -> Pixels:
    across, down = rng.integers(2, 600, 2)
    ends = rng.uniform(0, 256, (2, 2, 3)).astype(np.float32)
    smooth = cv2.resize(ends, (int(across), int(down)), interpolation=cv2.INTER_LINEAR)
    return np.asarray(smooth.clip(0, 255), np.uint8)


def _thin(rng: Generator) -> Pixels:
    """One pixel high and thousands wide, or the other way round."""
    shape = [int(rng.integers(1, 4)), int(rng.choice([1, 17, 5000]))]
    if rng.random() < 0.5:
        shape.reverse()
    return rng.integers(0, 256, (*shape, 3)).astype(np.uint8)


def _marks(rng: Generator) -> Pixels:
    """Marks of mats and cards anywhere: twice, in a row, on top of each other, mirrored."""
    size = (int(rng.integers(120, 700)), int(rng.integers(120, 700)))
    photo = np.full((size[1], size[0], 3), int(rng.integers(120, 256)), np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    numbers = rng.integers(0, 250, 3)
    row = rng.random() < 0.4
    for _ in range(int(rng.integers(1, 12))):
        side = int(rng.integers(16, 70))
        mark = cv2.aruco.generateImageMarker(dictionary, int(rng.choice(numbers)), side)
        mark = mark[:, ::-1] if rng.random() < 0.1 else np.rot90(mark, int(rng.integers(4)))
        x = int(rng.integers(0, max(1, size[0] - side)))
        y = size[1] // 3 if row else int(rng.integers(0, max(1, size[1] - side)))
        part = photo[y : y + side, x : x + side]
        part[:] = mark[: part.shape[0], : part.shape[1], None]
    return photo


def _mat_marks(rng: Generator) -> Pixels:
    """Part of a mat, bent out of shape."""
    cutout, _ = cutouts.mat(Press(), "a4")
    small = cv2.resize(cutout.pixels, (560, 400), interpolation=cv2.INTER_AREA)
    square = np.array([(0, 0), (560, 0), (560, 400), (0, 400)], np.float32)
    bent = square + rng.normal(0, float(rng.choice([5, 60, 200])), (4, 2)).astype(np.float32)
    seen = cv2.warpPerspective(small, cv2.getPerspectiveTransform(square, bent), (560, 400))
    return np.asarray(seen, np.uint8)


def _cards(rng: Generator) -> Pixels:
    """Cards at any angle, over each other, torn, the same one twice."""
    photo = np.full((500, 640, 3), rng.integers(0, 256, 3), np.uint8)
    ids = cutouts.card_ids()[CardKind.PROPHECY][:6]
    for _ in range(int(rng.integers(1, 6))):
        card = cutouts.card(Press(), str(rng.choice(ids))).pixels
        zoom = float(rng.uniform(0.1, 0.6))
        half = (card.shape[1] / 2, card.shape[0] / 2)
        turn = float(rng.uniform(0, 360))
        matrix = np.asarray(cv2.getRotationMatrix2D(half, turn, zoom), np.float64)
        matrix[:, 2] += rng.uniform(-100, 600, 2) - half
        whole = np.full(card.shape[:2], 255, np.uint8)
        if rng.random() < 0.3:
            whole[int(rng.integers(0, card.shape[0])) :] = 0
        over = cv2.warpAffine(whole, matrix, (640, 500)) > 127
        photo[over] = cv2.warpAffine(card, matrix, (640, 500))[over]
    return photo


def _blobs(rng: Generator) -> Pixels:
    """Shapes in the colours of the pieces, joined like Cóatls or not."""
    photo = np.full((360, 480, 3), rng.integers(0, 256, 3), np.uint8)
    inks = [(40, 40, 190), (50, 150, 50), (160, 80, 30), (40, 200, 235), (40, 40, 40)]
    at = rng.uniform(50, 300, 2)
    for _ in range(int(rng.integers(1, 40))):
        reach = rng.integers(2, 40, 2)
        ink = inks[rng.integers(5)]
        begin, end = (tuple((at + s * reach).astype(int).tolist()) for s in (-1, 1))
        if rng.random() < 0.5:
            cv2.rectangle(photo, begin, end, ink, -1)
        else:
            cv2.ellipse(photo, begin, end, float(rng.uniform(0, 180)), 0, 360, ink, -1)
        at = (at + rng.uniform(-60, 60, 2)) % (460, 340)
    return photo


MAKERS: Sequence[Callable[[Generator], Pixels]] = (
    _crop, _crop, _noise, _plain, _gradient, _thin, _marks, _mat_marks, _cards, _blobs,
)  # fmt: skip


def strange_file(seed: int) -> bytes:
    """A picture as a file, in one of many formats and modes."""
    rng = np.random.default_rng([seed, 77])
    pixels = MAKERS[seed % len(MAKERS)](rng)
    image = Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    if rng.random() < 0.4:
        return packed(image, str(rng.choice(FORMATS)), str(rng.choice(MODES)), rng)
    return packed(image, str(rng.choice(["JPEG", "PNG", "WEBP"])), "RGB", rng)


def packed(image: Image.Image, form: str, mode: str, rng: Generator) -> bytes:
    """A file of a format; in another mode if the format does not know this one."""
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = int(rng.integers(0, 12))  # there are eight ways to lie
    for some in (mode, "RGB"):
        try:
            converted = (
                image.convert("I").convert("I;16") if some == "I;16" else image.convert(some)
            )
            if form in ("JPEG", "WEBP", "PNG"):
                converted.save(file, form, exif=exif)
            else:
                converted.save(file, form)
        except (OSError, ValueError, KeyError):
            file = io.BytesIO()
        else:
            break
    return file.getvalue()


@cache
def whole_file(form: str) -> bytes:
    """A small file of a format that phones write, to be broken."""
    part = np.ascontiguousarray(_photo(1)[200:360, 400:640, ::-1])
    return packed(Image.fromarray(part), form, "RGB", np.random.default_rng(5))


def broken_file(seed: int) -> bytes:
    """A file that was cut, or whose bytes were changed: in its head, or anywhere."""
    rng = np.random.default_rng([seed, 78])
    wholes = [whole_file(form) for form in ("JPEG", "PNG", "WEBP")]
    data = bytearray(wholes[rng.integers(len(wholes))])
    way = int(rng.integers(6))
    if way == 0:
        return bytes(data[: int(rng.integers(0, len(data)))])
    if way == 1:
        other = wholes[rng.integers(len(wholes))]
        return bytes(data[: int(rng.integers(1, 200))] + other[int(rng.integers(0, 200)) :])
    if way == 2:
        begin = int(rng.integers(0, len(data)))
        data[begin : begin + int(rng.integers(1, 400))] = b""
        return bytes(data)
    if way == 3:
        begin, size = int(rng.integers(0, len(data))), int(rng.integers(1, 2000))
        data[begin : begin + size] = rng.bytes(size) if rng.random() < 0.5 else bytes(size)
        return bytes(data)
    reach = 64 if way == 4 else len(data)
    for place in rng.integers(0, reach, int(rng.integers(1, 12))):
        data[place] = int(rng.integers(256))
    return bytes(data)
