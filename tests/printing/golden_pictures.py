"""Golden pictures: pages as a real renderer shows them, compared with a tolerance.

A page is rendered large and made small, so that another way of smoothing edges changes next to
nothing; what is compared is a blurred difference, so that what has moved or gone stands out.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray
from PIL import Image

from tests.conftest import GOLDEN

PICTURES = GOLDEN / "pictures"
WIDTH = 400  # pixels of a picture
LARGER = 4  # a page is rendered so many times as large
COLOURS = 255
BLUR = 2.0  # pixels
MOST_LOCAL = 24.0  # of 255: the largest blurred difference
MOST_MEAN = 4.0  # of 255: the mean difference
LARGEST = 80_000  # bytes of a picture


@dataclass(frozen=True, eq=False)
class Difference:
    """How two pictures differ: on average, and where they differ most."""

    mean: float
    local: float
    picture: Image.Image

    @property
    def small(self) -> bool:
        return self.mean <= MOST_MEAN and self.local <= MOST_LOCAL


def render_pdf_page(
    pdf: bytes, page: int = 1, dpi: float | None = None, smooth: bool = True, larger: int = LARGER
) -> Image.Image:
    """A page as a small picture; without a dpi it is as wide as all golden pictures are."""
    closing = contextlib.closing
    with closing(pdfium.PdfDocument(pdf)) as file, closing(file[page - 1]) as sheet:
        width, height = sheet.get_size()
        pixels = WIDTH if dpi is None else round(width * dpi / 72)
        size = pixels, round(pixels * height / width)
        large = sheet.render(
            scale=larger * pixels / width, no_smoothtext=not smooth, no_smoothpath=not smooth
        )
        picture: Image.Image = large.to_pil().convert("RGB")
    return picture.resize(size, Image.Resampling.BOX)


def measure_difference(one: Image.Image, other: Image.Image) -> Difference:
    """How two pictures differ; those of different sizes differ in everything."""
    if one.size != other.size:
        return Difference(255, 255, one)
    off = np.asarray(one, np.float64) - np.asarray(other, np.float64)
    local = np.abs(_blurred(off)).max(axis=2)
    shown = 255 - np.clip(local * 255 / (2 * MOST_LOCAL), 0, 255)
    picture = Image.fromarray(shown.astype(np.uint8))
    return Difference(float(np.abs(off).mean()), float(local.max()), picture)


def _blurred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    reach = int(3 * BLUR)
    weights = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * BLUR**2))
    weights /= weights.sum()
    for axis in (0, 1):
        edges = [(reach, reach) if i == axis else (0, 0) for i in range(3)]
        windows = np.lib.stride_tricks.sliding_window_view(
            np.pad(values, edges, mode="edge"), len(weights), axis=axis
        )
        values = windows @ weights
    return values


def compare_with_golden(
    name: str,
    pdf: bytes,
    page: int,
    folder: Path,
    dpi: float | None = None,
    golden: Path = PICTURES,
) -> None:
    """Compare a page with its golden picture; `make golden` renews it.

    If it differs, the folder gets the page as it is and a picture of the difference.
    """
    path = golden / f"{name}.png"
    actual = render_pdf_page(pdf, page, dpi)
    if os.environ.get("COATL_GOLDEN") == "renew":
        save_golden(actual, path)
    assert path.is_file(), f"{path} is missing; `make golden` makes it"
    with Image.open(path) as expected:
        found = measure_difference(actual, expected.convert("RGB"))
    if not found.small:
        folder.mkdir(parents=True, exist_ok=True)
        shown, off = folder / f"{name}.actual.png", folder / f"{name}.difference.png"
        actual.save(shown)
        found.picture.save(off)
        raise AssertionError(
            f"{name} differs (mean {found.mean:.1f}, at one place {found.local:.1f}): see {path}, "
            f"{shown} and {off}; `make golden` renews it"
        )


def save_golden(picture: Image.Image, path: Path) -> None:
    """Write a golden picture, small."""
    path.parent.mkdir(parents=True, exist_ok=True)
    few = picture.quantize(
        COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE
    )
    few.save(path, optimize=True)
    assert path.stat().st_size < LARGEST, f"{path} is larger than a golden picture should be"
