"""Printed pages as a renderer shows them and as a camera sees them, and the marks found there."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from coatl_tools.printing.items import Face
from coatl_tools.printing.pdf_document import PdfDocument, Placement, PrintPage

PicturePixels = NDArray[np.uint8]
Points = NDArray[np.float64]


def render_face(face: Face, dpi: float) -> PicturePixels:
    """Render a face as one page of a real PDF, drawn by a real renderer: rows of RGB."""
    document = PdfDocument("Test", "en")
    document.add_page(PrintPage(face.width, face.height, (Placement(face, 0, 0),)))
    with pypdfium2.PdfDocument(document.render()) as pdf:
        return np.array(pdf[0].render(scale=dpi / 72, rev_byteorder=True).to_numpy()[:, :, :3])


def find_mark_corners(picture: PicturePixels) -> dict[int, Points]:
    """Find the marks in a picture: their four corners in pixels, by number."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) if picture.ndim == 3 else picture
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(grey)
    if numbers is None:
        return {}
    # a corner lies between pixels, whose middles OpenCV counts
    return {int(n[0] if np.ndim(n) else n): np.array(c[0], float) + 0.5
            for n, c in zip(numbers, corners, strict=True)}  # fmt: skip


def simulate_photo(
    picture: PicturePixels, corners: Points, size: tuple[int, int], seed: int, quality: int = 80
) -> tuple[PicturePixels, Points]:
    """Simulate the picture on a dark table: its corners at these pixels, soft, noisy and packed
    as JPEG.

    Also answers the homography from the picture's pixels to the photograph's.
    """
    height, width = picture.shape[:2]
    outer = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = cv2.getPerspectiveTransform(outer, np.asarray(corners, np.float32))
    table = (96, 72, 52)
    photo = cv2.warpPerspective(
        picture, seen, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=table
    )
    photo = cv2.GaussianBlur(photo, (0, 0), 0.8)
    light = np.linspace(0.72, 0.98, size[0])[None, :, None]  # a window at the right
    noise = np.random.default_rng(seed).normal(0, 5, photo.shape)
    photo = np.clip(photo * light + noise, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", photo[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    unpacked = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return np.array(unpacked[:, :, ::-1]), np.asarray(seen)


def map_points(points: Points, homography: Points) -> Points:
    """Points through a homography."""
    stacked = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(stacked, homography), np.float64).reshape(-1, 2)


def fit_homography(from_: Mapping[int, Points], to: Mapping[int, Points]) -> Points:
    """Fit the map that brings the corners of marks onto those of the same numbers."""
    shared = sorted(set(from_) & set(to))
    sources = np.concatenate([np.asarray(from_[n], float) for n in shared])
    targets = np.concatenate([np.asarray(to[n], float) for n in shared])
    matrix, _ = cv2.findHomography(sources, targets)
    return np.asarray(matrix)
