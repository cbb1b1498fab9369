"""Photos are opened upright, or refused with a sentence of their own."""

from __future__ import annotations

import os
import re
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from coatl_tools.errors import FileError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.vision.photo_format import require_opencv
from coatl_tools.vision.picture import MAX_PIXELS, MAX_WORKING_PIXELS, load_picture
from coatl_tools.vision.stage_trace import Pixels

SIZE = 480, 360
RED = (220, 30, 20)


def photo() -> Image.Image:
    """Blue, with a red upper left corner: whichever way it is turned shows."""
    image = Image.new("RGB", SIZE, (20, 40, 200))
    image.paste(RED, (0, 0, SIZE[0] // 3, SIZE[1] // 3))
    return image


def is_upright(pixels: Pixels) -> bool:
    """Whether red is in the upper left corner, and blue in all others."""
    red = [pixels[y, x, 2] > 150 > pixels[y, x, 0] for y, x in ((9, 9), (9, -9), (-9, 9), (-9, -9))]
    return red == [True, False, False, False]


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.heic", "no-ending"])
def test_the_formats_of_phones_are_read(name: str, tmp_path: Path) -> None:
    from pillow_heif import register_heif_opener

    register_heif_opener()
    path = tmp_path / name
    photo().save(path, **({} if path.suffix else {"format": "JPEG"}))
    picture = load_picture(path)
    assert picture.pixels.shape == (SIZE[1], SIZE[0], 3)
    assert (picture.size, picture.file_pixels_per_pixel) == (SIZE, 1.0)
    assert is_upright(picture.pixels)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_is_turned_as_the_camera_was_held(orientation: int, tmp_path: Path) -> None:
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    image = photo().transpose(undo[orientation]) if orientation > 1 else photo()
    exif = Image.Exif()
    exif[0x0112] = orientation
    image.save(tmp_path / "a.jpg", exif=exif)
    picture = load_picture(tmp_path / "a.jpg")
    assert picture.size == SIZE
    assert is_upright(picture.pixels)


def test_nonsense_about_the_camera_turns_nothing(tmp_path: Path) -> None:
    for number, noted in enumerate(
        (b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0junk", b"Exif\0\0")
    ):
        path = tmp_path / f"{number}.jpg"
        photo().save(path, exif=noted)
        assert is_upright(load_picture(path).pixels)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_pixels_becomes_colours(mode: str, tmp_path: Path) -> None:
    path = tmp_path / ("a.jpg" if mode == "CMYK" else "a.png")
    if mode == "I;16":
        grey = np.asarray(photo().convert("L")).astype(np.uint16) * 257
        Image.fromarray(grey).save(path)
    else:
        photo().convert(mode).save(path)
    pixels = load_picture(path).pixels
    assert pixels.shape == (SIZE[1], SIZE[0], 3)
    if mode in ("P", "RGBA", "CMYK"):
        assert is_upright(pixels)
    else:
        expected = np.asarray(photo().convert("1" if mode == "1" else "L"), np.uint8)
        assert abs(int(pixels[9, 9, 0]) - int(expected[9, 9]) * (255 if mode == "1" else 1)) < 3


def display_p3() -> bytes:
    """A profile as phones write it: the primaries of Display P3, and a gamma of 2.2."""

    def fixed(*numbers: float) -> bytes:
        return struct.pack(f">{len(numbers)}i", *(round(number * 65536) for number in numbers))

    def text(words: bytes) -> bytes:
        return b"desc\0\0\0\0" + struct.pack(">I", len(words) + 1) + words + b"\0" * 79

    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256)) + b"\0\0"
    parts = {
        b"desc": text(b"Display P3"),
        b"wtpt": b"XYZ \0\0\0\0" + fixed(0.9642, 1.0, 0.8249),
        b"rXYZ": b"XYZ \0\0\0\0" + fixed(0.5151, 0.2412, -0.0011),
        b"gXYZ": b"XYZ \0\0\0\0" + fixed(0.2920, 0.6922, 0.0419),
        b"bXYZ": b"XYZ \0\0\0\0" + fixed(0.1571, 0.0666, 0.7841),
        **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve),
    }
    place = 128 + 4 + 12 * len(parts)
    table, body = struct.pack(">I", len(parts)), b""
    for name, part in parts.items():
        padded = part + b"\0" * (-len(part) % 4)
        table += name + struct.pack(">II", place + len(body), len(part))
        body += padded
    head = struct.pack(">I", place + len(body)) + b"\0" * 4 + struct.pack(">I", 0x02100000)
    head += b"mntrRGB XYZ " + b"\0" * 12 + b"acsp" + b"\0" * 28 + fixed(0.9642, 1.0, 0.8249)
    return head.ljust(128, b"\0") + table + body


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.heic"])
def test_wide_colours_are_read_as_they_were(name: str, tmp_path: Path) -> None:
    """What Display P3 calls (200, 80, 60) is a stronger red, (216, 71, 50) or so, in sRGB."""
    from pillow_heif import register_heif_opener

    register_heif_opener()
    image = Image.new("RGB", SIZE, (200, 80, 60))
    image.save(tmp_path / name, icc_profile=display_p3())
    blue, green, red = (int(n) for n in load_picture(tmp_path / name).pixels[100, 100])
    assert red == pytest.approx(216, abs=4)
    assert green == pytest.approx(71, abs=5)
    assert blue == pytest.approx(50, abs=6)


@pytest.mark.parametrize("profile", [b"nonsense", b"", display_p3()[:200], display_p3()[:400]])
def test_a_broken_profile_changes_no_colour(profile: bytes, tmp_path: Path) -> None:
    photo().save(tmp_path / "a.png", icc_profile=profile)
    photo().save(tmp_path / "b.png")
    ours, plain = (load_picture(tmp_path / name).pixels for name in ("a.png", "b.png"))
    assert (ours == plain).all()


def test_an_srgb_profile_changes_no_colour(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    photo().save(tmp_path / "a.png", icc_profile=profile)
    assert tuple(load_picture(tmp_path / "a.png").pixels[9, 9][::-1]) == RED


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_transparent_lies_on_white(mode: str, tmp_path: Path) -> None:
    if mode == "P":
        Image.new("P", SIZE, 0).save(tmp_path / "a.png", transparency=0)
    else:
        Image.new(mode, SIZE).save(tmp_path / "a.png")
    assert (load_picture(tmp_path / "a.png").pixels == 255).all()


@pytest.mark.parametrize(
    ("size", "ending"), [((4500, 3000), "jpg"), ((6001, 4801), "jpg"), ((6001, 4801), "png")]
)
def test_a_large_photo_is_made_smaller(size: tuple[int, int], ending: str, tmp_path: Path) -> None:
    photo().resize(size, Image.Resampling.NEAREST).save(tmp_path / f"a.{ending}", compress_level=0)
    picture = load_picture(tmp_path / f"a.{ending}")
    height, width = picture.pixels.shape[:2]
    assert 0.5 * MAX_WORKING_PIXELS < width * height <= MAX_WORKING_PIXELS
    assert picture.size == size
    assert width * picture.file_pixels_per_pixel == pytest.approx(size[0], abs=1)
    assert height * picture.file_pixels_per_pixel == pytest.approx(size[1], abs=1)
    assert is_upright(picture.pixels)


def test_the_first_of_moving_pictures_is_read(tmp_path: Path) -> None:
    frames = [Image.new("RGB", SIZE, "green") for _ in range(3)]
    for name in ("a.webp", "a.png"):
        photo().save(tmp_path / name, save_all=True, append_images=frames)
        assert is_upright(load_picture(tmp_path / name).pixels)


def test_a_small_photo_is_read_with_a_word_about_it(tmp_path: Path) -> None:
    photo().save(tmp_path / "small.png")
    photo().resize((960, 720)).save(tmp_path / "fine.png")
    (problem,) = load_picture(tmp_path / "small.png").problems
    assert (problem.code, problem.serious) == ("few_pixels", False)
    assert load_picture(tmp_path / "fine.png").problems == ()


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG that says it is so large."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 1000) + b"IDAT" + bytes(40)


def refused(path: Path) -> str:
    """The key of the sentence, which all languages have, and which names the file."""
    with pytest.raises(FileError) as caught:
        load_picture(path)
    assert caught.value.exit_code == 3
    for code in LANGUAGE_CODES:
        assert path.name[:40] in caught.value.text(code)
    return caught.value.key


def test_what_is_no_photo_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    assert refused(path) == "file.missing"
    assert refused(tmp_path) == "file.folder"
    assert refused(tmp_path / ("x" * 300)) == "file.unreadable"
    path.write_bytes(b"")
    assert refused(path) == "photo.empty"
    for junk in (b"%PDF-1.7\n", b"GIF89a" + bytes(99), os.urandom(5000) + b"\xff\xd8\xff"):
        path.write_bytes(b"x" + junk)
        assert refused(path) == "photo.no_image"


def test_a_damaged_photo_is_refused(tmp_path: Path) -> None:
    from pillow_heif import register_heif_opener

    register_heif_opener()
    noise = np.random.default_rng(7).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    for ending in ("jpg", "png", "webp", "heic"):
        whole = tmp_path / f"whole.{ending}"
        Image.fromarray(noise).save(whole)
        data = whole.read_bytes()
        path = tmp_path / f"a.{ending}"
        for length in (12, 16, 40, len(data) // 3, len(data) * 9 // 10):
            path.write_bytes(data[:length])
            assert refused(path) in ("photo.truncated", "photo.broken")
    path = tmp_path / "a.jpg"
    path.write_bytes((tmp_path / "whole.jpg").read_bytes()[:-9000])
    assert refused(path) == "photo.truncated"


def test_a_bomb_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    side = int(MAX_PIXELS**0.5) + 1
    for width, height in ((side, side), (12_000, 10_000), (60_000, 60_000)):
        path.write_bytes(png(width, height))
        assert refused(path) in ("photo.large", "photo.bomb")
    path.write_bytes(png(side - 1, side - 1))
    assert refused(path) in ("photo.truncated", "photo.broken")  # the size alone is fine
    for width, height in ((0, 5000), (199, 60_000), (300, 300)):
        path.write_bytes(png(width, height))
        assert refused(path) in ("photo.small", "photo.broken")


def test_a_heic_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    from pillow_heif import register_heif_opener

    register_heif_opener()
    path = tmp_path / "a.heic"
    photo().resize((960, 720)).save(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"ispe") + 8
    data[at : at + 8] = struct.pack(">II", *SIZE)
    path.write_bytes(data)
    assert refused(path) == "photo.broken"
    data[at : at + 8] = struct.pack(">II", 30_000, 30_000)
    path.write_bytes(data)
    assert refused(path) in ("photo.large", "photo.bomb", "photo.broken")


def test_a_heic_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.heic"
    path.write_bytes(b"\0\0\0\x18ftypheic" + bytes(100))
    monkeypatch.setitem(sys.modules, "pillow_heif", None)  # as if it were not there
    assert refused(path) == "photo.no_heif"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_nobody_waits_for_a_pipe_or_a_device(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "photo.no_file"
    assert refused(Path("/dev/zero")) == "photo.no_file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_photo_of_somebody_else(tmp_path: Path) -> None:
    photo().save(tmp_path / "a.png")
    (tmp_path / "a.png").chmod(0)
    assert refused(tmp_path / "a.png") == "photo.forbidden"


def test_without_opencv_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(FileError, match="pip install opencv-python"):
        require_opencv()


def test_without_its_libraries_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open')")
    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(FileError, match=r"libGL\.so\.1: cannot open.*libgl1 libglib2\.0-0"):
        require_opencv()


def test_every_code_of_a_photo_that_cannot_be_opened_is_documented() -> None:
    root = Path(__file__).parents[2]
    code = (root / "coatl_tools" / "vision" / "picture.py").read_text("utf-8")
    page = (root / "docs" / "photos.md").read_text("utf-8")
    table = page.partition("## Problems")[2]
    keys = set(re.findall(r'"(?:photo|file)\.([a-z_]+)"', code))
    keys -= {"advice_larger", "advice_colours", "advice_dark"}
    assert len(keys) > 10
    assert {key for key in keys if f"`{key}`" not in table} == set()


def test_a_jpeg_that_lost_its_second_half_is_refused_though_it_has_an_end(tmp_path: Path) -> None:
    photo().resize((960, 720)).save(tmp_path / "whole.jpg", quality=95)
    data = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "half.jpg").write_bytes(data[: len(data) // 2] + b"\xff\xd9")
    assert load_picture(tmp_path / "whole.jpg").problems == ()
    with pytest.raises(FileError) as refused:
        load_picture(tmp_path / "half.jpg")
    assert refused.value.key == "photo.truncated"


def test_a_photo_without_colours_is_never_sure(tmp_path: Path) -> None:
    photo().resize((960, 720)).convert("L").save(tmp_path / "grey.png")
    (problem,) = load_picture(tmp_path / "grey.png").problems
    assert (problem.code, problem.serious) == ("no_colours", True)
    assert problem.advice == "photo.advice_colours"
    Image.new("RGB", (960, 720), (12, 12, 13)).save(tmp_path / "black.png")
    (problem,) = load_picture(tmp_path / "black.png").problems
    assert (problem.code, problem.advice) == ("no_colours", "photo.advice_dark")
