"""Open a photo: upright, in sRGB, of a size that can be worked with; refuse what is no photo.

The size is checked before a pixel is decoded. Pillow decodes: it reports a truncated file, where
OpenCV would fill the rest with grey.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import stat
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
from PIL import Image, ImageCms

from coatl_tools.errors import FileError, Phrase
from coatl_tools.files.atomic_writes import wrap_os_errors
from coatl_tools.vision.photo_format import FORMAT_BYTES, detect_photo_format
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.stage_trace import Pixels

MAX_PROFILE_BYTES = 4 << 20  # bytes of a profile: that of a phone has some hundred


def build_srgb_transform(image: Image.Image) -> ImageCms.ImageCmsTransform | None:
    """Build the transform from a file's RGB to sRGB; None if not needed or not known."""
    written = image.info.get("icc_profile")
    if (
        not isinstance(written, bytes)
        or not 0 < len(written) <= MAX_PROFILE_BYTES
        or image.mode == "CMYK"
    ):
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(written))
        if profile.profile.xcolor_space.strip() != "RGB" or _is_srgb(profile):
            return None
        return ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), "RGB", "RGB")
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return None  # nobody should lose the pixels for a broken note beside them


def _is_srgb(profile: ImageCms.ImageCmsProfile) -> bool:
    return "srgb" in str(profile.profile.profile_description or "").lower()


MIN_PIXELS, MIN_SIDE = 100_000, 200  # on less, no piece could be told from another
WARN_BELOW_PIXELS = 500_000  # half a megapixel: below this, a photo is read, with a warning
MAX_PIXELS = 8192 * 6144  # what phones call 50 megapixels
MAX_WORKING_PIXELS = 4096 * 3072  # what they call 12; larger photos are made smaller
MAX_BYTES = 8 * MAX_PIXELS + (1 << 20)  # the largest photo, four channels of 16 bits, not packed
# Of the sides of the largest working size: half the photo's are as good, and cheap.
_ENOUGH_SIDE_SHARE = 0.75
_BAND_ROWS = 256  # rows that are turned from Pillow's pixels into OpenCV's at a time
_ORIENTATION_TAG = 0x0112  # the EXIF tag
_UNREAD_GREY = 128  # a JPEG decoder's grey for what is missing
_MIN_UNREAD_SHARE = 1 / 40  # of the rows
_MAX_COLOURLESS_SPREAD = 6  # of 255, between the bands of a pixel: noise, not colour
_DARK_LEVEL = 45  # of 255: where all is darker, light is missing, not colour


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo in memory: upright BGR pixels, and the file's pixels per pixel of them."""

    path: Path
    pixels: Pixels
    file_pixels_per_pixel: float = 1.0
    full_size: tuple[int, int] | None = None  # upright, if it is not that of the pixels

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the upright photo as the file has it."""
        if self.full_size is not None:
            return self.full_size
        height, width = self.pixels.shape[:2]
        return round(width * self.file_pixels_per_pixel), round(height * self.file_pixels_per_pixel)

    @property
    def problems(self) -> tuple[ReadingProblem, ...]:
        """Problems of the photo as such, whatever it shows."""
        found = []
        width, height = self.size
        if width * height < WARN_BELOW_PIXELS:
            phrase: Phrase = ("photo.few_pixels", {"width": width, "height": height})
            found.append(ReadingProblem("few_pixels", phrase, "photo.advice_larger", serious=False))
        sample = self.pixels[::8, ::8].astype(np.int16)
        if int(np.ptp(sample, axis=2).max()) <= _MAX_COLOURLESS_SPREAD:
            dark = float(np.percentile(sample, 99)) < _DARK_LEVEL
            advice = "photo.advice_dark" if dark else "photo.advice_colours"
            found.append(ReadingProblem("no_colours", ("photo.no_colours", {}), advice))
        return tuple(found)


def load_picture(path: Path) -> Picture:
    """Open a photo, the first picture of the file; raises FileError if it is no photo."""
    with wrap_os_errors(path, "file.unreadable"):
        file = _open_regular_file(path)
    with file:
        return _decode_file(path, file)


def decode_picture(data: bytes, name: str) -> Picture:
    """Open a photo from its bytes; `name` is what errors call it."""
    if not data:
        raise FileError("photo.empty", path=Path(name))
    if len(data) > MAX_BYTES:
        raise FileError("photo.many_bytes", path=Path(name), most=_millions(MAX_BYTES))
    return _decode_file(Path(name), io.BytesIO(data))


def _decode_file(path: Path, file: BinaryIO) -> Picture:
    """Decode the photo that a file holds; the path is only its name."""
    with _decoder_errors(path):
        image = _identify_format(path, file)
        _check_size(path, image)
        size = image.size
        factor = max(1.0, math.sqrt(size[0] * size[1] / MAX_WORKING_PIXELS))
        if factor > 2 * _ENOUGH_SIDE_SHARE and image.format in ("JPEG", "MPO"):
            image.draft(None, (size[0] // 2, size[1] // 2))  # what is not needed is not decoded
        image.load()
        _check_size(path, image)  # HEIC may turn out to be larger than it said
        pixels = _convert_to_bgr(_shrink_image(image, factor), build_srgb_transform(image))
        if image.format in ("JPEG", "MPO"):
            _check_truncation(path, pixels)
        pixels = _rotate_upright(pixels, _read_orientation(image))
    height, width = pixels.shape[:2]
    if (width > height) != (size[0] > size[1]):
        size = size[1], size[0]
    return Picture(path, pixels, math.sqrt(size[0] * size[1] / (width * height)), size)


def _open_regular_file(path: Path) -> BinaryIO:
    """Open a regular file; raises FileError, as pipes and devices may block for ever."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except PermissionError:
        raise FileError("photo.forbidden", path=path) from None
    try:
        status = os.fstat(number)
        if stat.S_ISDIR(status.st_mode):
            raise FileError("file.folder", path=path)
        if not stat.S_ISREG(status.st_mode):
            raise FileError("photo.no_file", path=path)
        if not status.st_size:
            raise FileError("photo.empty", path=path)
        if status.st_size > MAX_BYTES:
            raise FileError("photo.many_bytes", path=path, most=_millions(MAX_BYTES))
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


@contextlib.contextmanager
def _decoder_errors(path: Path) -> Iterator[None]:
    """Turn whatever a decoder raises for damaged or hostile bytes into a FileError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sizes and metadata; the size is checked here
            yield
    except FileError:
        raise
    except MemoryError as error:
        raise FileError("photo.memory", path=path) from error
    except Image.DecompressionBombError as error:
        raise FileError("photo.bomb", path=path, most=_millions(MAX_PIXELS)) from error
    except Exception as error:  # decoders raise what they like: OSError, SyntaxError, struct.error
        key = "photo.truncated" if "truncated" in str(error) else "photo.broken"
        raise FileError(key, path=path) from error


def _identify_format(path: Path, file: BinaryIO) -> Image.Image:
    """Open the photo by its first bytes, not decoded yet; FileError for another format."""
    found = detect_photo_format(file.read(FORMAT_BYTES))
    file.seek(0)
    if found is None:
        raise FileError("photo.no_image", path=path)
    if found == "HEIF":
        _register_heif(path)
    return Image.open(file, formats=[found])


def _register_heif(path: Path) -> None:
    """Register HEIC with Pillow; FileError if the package for it is missing."""
    try:
        import pillow_heif  # noqa: PLC0415 (few need it, and it may be missing)

        pillow_heif.register_heif_opener()
    except ImportError as error:
        raise FileError("photo.no_heif", path=path) from error


def _check_size(path: Path, image: Image.Image) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        most = _millions(MAX_PIXELS)
        raise FileError("photo.large", path=path, width=width, height=height, most=most)
    if width * height < MIN_PIXELS or min(width, height) < MIN_SIDE:
        raise FileError("photo.small", path=path, width=width, height=height, least=MIN_SIDE)


def _check_truncation(path: Path, pixels: Pixels) -> None:
    """Raise FileError if the last rows are all grey.

    So is a JPEG decoded whose data are lost, but not its end marker.
    """
    last = pixels[-max(8, int(len(pixels) * _MIN_UNREAD_SHARE)) :].astype(np.int16)
    if int(np.abs(last - _UNREAD_GREY).max()) <= 1:
        raise FileError("photo.truncated", path=path)


def _millions(number: int) -> int:
    return number // 1_000_000


def _shrink_image(image: Image.Image, factor: float) -> Image.Image:
    """Convert the picture to a mode that can be shrunk, and shrink it if it is too large."""
    if image.mode.startswith("I"):  # 16 bits of grey, of which Pillow would take the lower ones
        grey = np.asarray(image)
        image = Image.fromarray((grey >> 8).clip(0, 255).astype(np.uint8))
    elif image.has_transparency_data:
        image = image.convert("RGBA")
    elif image.mode not in ("L", "RGB", "CMYK"):
        image = image.convert("RGB")
    if image.width * image.height <= MAX_WORKING_PIXELS:
        return image
    if factor > 2 * _ENOUGH_SIDE_SHARE:
        return image.reduce(2)
    size = int(image.width / factor), int(image.height / factor)
    return image.resize(size, Image.Resampling.BILINEAR)


def _convert_to_bgr(image: Image.Image, srgb: ImageCms.ImageCmsTransform | None) -> Pixels:
    """Convert Pillow's pixels to OpenCV's, transparent ones on white, band by band."""
    pixels = np.empty((image.height, image.width, 3), np.uint8)
    for top in range(0, image.height, _BAND_ROWS):
        band = image.crop((0, top, image.width, min(top + _BAND_ROWS, image.height)))
        if band.mode == "RGBA":
            ground = Image.new("RGB", band.size, "white")
            ground.paste(band, mask=band)
            band = ground
        elif band.mode != "RGB":
            band = band.convert("RGB")
        if srgb is not None:
            ImageCms.applyTransform(band, srgb, inPlace=True)
        cv2.cvtColor(np.asarray(band), cv2.COLOR_RGB2BGR, dst=pixels[top : top + _BAND_ROWS])
    return pixels


def _read_orientation(image: Image.Image) -> int:
    """Read the EXIF orientation, 1 to 8; 1 if the metadata are damaged."""
    try:
        found = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:  # the pixels are fine: nobody should lose them for a broken note beside them
        return 1
    return found if isinstance(found, int) else 1


def _rotate_upright(pixels: Pixels, orientation: int) -> Pixels:
    """Rotate pixels as the EXIF orientation says: from 5 on transposed first, then flipped."""
    flips = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}  # OpenCV's codes: 1 left and right, -1 both
    turned = cv2.transpose(pixels) if 5 <= orientation <= 8 else pixels
    if orientation in flips:
        turned = cv2.flip(turned, flips[orientation])
    return np.asarray(turned, np.uint8)
