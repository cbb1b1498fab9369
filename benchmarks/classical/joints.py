"""Where pieces are joined: the seam between two is an S, and all are equally far apart."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.classical.axis import PER_WIDTH, ROWS, Straight
from benchmarks.classical.segment import Floats
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.trace import Pixels

# How far apart joints may be, in widths: the chain is seen from above, or from a low camera.
PITCHES = tuple(0.38 * 1.12**i for i in range(12))
# The seam about the middle of a joint, in pitches along and in widths across.
SEAM = ((0.29, -0.5), (0.29, 0.23), (0.03, 0.23), (-0.03, -0.23), (-0.29, -0.23), (-0.29, 0.5))
# From the end of a Cóatl to the first joint, in pitches.
REACH = {PieceKind.HEAD: 1.92, PieceKind.TAIL: 2.06, PieceKind.BODY: 1.13}
LONGER = (-0.12, 0.0, 0.12)  # or shorter, as the camera sees it
LONGEST = 24


@dataclass(frozen=True, slots=True)
class Grid:
    """A way to cut a Cóatl into pieces: its joints in columns, and what speaks for it."""

    first: PieceKind
    last: PieceKind
    joints: Floats
    pitches: Floats  # in columns, at each joint
    shares: Floats  # of the five colours, for each piece
    seams: float  # how well seams are seen at the joints, up to 1
    score: float

    @property
    def pieces(self) -> int:
        """Their number."""
        return len(self.joints) + 1


def cut(straight: Straight) -> list[Grid]:
    """Ways to cut a Cóatl, one for each number of pieces and kinds of ends, the best first."""
    seams = _seams(straight.pixels)
    middle = straight.classes[ROWS // 5 : -ROWS // 5]
    shares = np.array([(middle == colour + 1).mean(axis=0) for colour in Colour])
    summed = np.c_[np.zeros(len(Colour)), np.cumsum(shares, axis=1)]
    found = []
    for first, last in itertools.product(PieceKind, repeat=2):
        if first is last is not PieceKind.BODY:
            continue
        for pieces in range(2, LONGEST + 1):
            units = REACH[first] + REACH[last] + pieces - 2
            if PITCHES[0] <= straight.length / PER_WIDTH / units <= PITCHES[-1] and (
                pieces > 2 or PieceKind.BODY in (first, last)  # rule 3.10
            ):
                found.append(_best(straight.length, seams, summed, first, last, pieces))
    return sorted(found, key=lambda grid: -grid.score)


def _best(
    length: int, seams: Floats, summed: Floats, first: PieceKind, last: PieceKind, pieces: int
) -> Grid:
    """The best grid of so many pieces: how it shrinks along the way, and how long its ends are."""
    options = itertools.product(np.linspace(-1.2, 1.2, 17), LONGER, LONGER)
    growth, at_first, at_last = np.array(list(options)).T[:, :, None]
    growth = np.where(np.abs(growth) < 1e-6, 1e-6, growth)
    begin = REACH[first] + at_first
    units = begin + REACH[last] + at_last + pieces - 2
    unit = begin + np.arange(pieces - 1)[None]
    joints = length * np.expm1(growth * unit / units) / np.expm1(growth)
    pitches = length * growth * np.exp(growth * unit / units) / np.expm1(growth) / units
    scale = np.log(pitches / PER_WIDTH / PITCHES[0]) / np.log(PITCHES[1] / PITCHES[0])
    scale = np.clip(np.rint(scale).astype(int), 0, len(PITCHES) - 1)
    at_joints = seams[scale, _column(joints, length)].mean(axis=1)
    middles = np.c_[
        joints[:, :1] - pitches[:, :1] / 2,
        (joints[:, 1:] + joints[:, :-1]) / 2,
        joints[:, -1:] + pitches[:, -1:] / 2,
    ]
    scales = np.c_[scale[:, :1], scale]
    between = seams[scales, _column(middles, length)].mean(axis=1)
    about = 0.2 * np.c_[pitches[:, :1], pitches]
    low, high = _column(middles - about, length), _column(middles + about, length) + 1
    shares = (summed[:, high] - summed[:, low]) / (high - low)
    pure = np.log(shares.max(axis=0) / (shares.sum(axis=0) + 1e-6) + 0.02).mean(axis=1)
    unlikely = (np.abs(at_first) + np.abs(at_last)).ravel() / 6 + 0.03 * np.abs(growth).ravel()
    score = at_joints - 0.5 * between + 0.25 * pure - unlikely
    i = int(score.argmax())
    return Grid(
        first, last, joints[i], pitches[i], shares[:, i].T, float(at_joints[i]), float(score[i])
    )


def _column(place: Floats, length: int) -> NDArray[np.int64]:
    return np.clip(np.rint(place), 0, length - 1).astype(np.int64)


def _seams(pixels: Pixels) -> Floats:
    """How much each column looks like the middle of a joint, for each pitch."""
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    filled = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((1, 17), np.uint8))
    dark = np.clip((filled - grey) / (filled + 15), 0, 0.5)
    length = dark.shape[1]
    found = np.full((len(PITCHES), length), -1.0)
    for i, pitch in enumerate(PITCHES):
        for width, shear in itertools.product((0.62, 0.78, 0.94), (-0.35, 0.0, 0.35)):
            seam = _seam(pitch * PER_WIDTH, width * PER_WIDTH, shear)
            half = seam.shape[1] // 2
            if seam.shape[1] >= length:
                continue
            padded = cv2.copyMakeBorder(dark, 0, 0, half, half, cv2.BORDER_REPLICATE)
            alike = cv2.matchTemplate(padded, seam, cv2.TM_CCOEFF_NORMED)
            centre, off = (ROWS - seam.shape[0]) // 2, PER_WIDTH // 6
            best = alike[max(0, centre - off) : centre + off + 1].max(axis=0)[:length]
            found[i, : len(best)] = np.maximum(found[i, : len(best)], best)
    return found


@cache
def _seam(pitch: float, width: float, shear: float) -> NDArray[np.float32]:
    """A seam as a picture, its dark slot the darkest; a low camera shears it."""
    fine = 4
    columns, rows = int(0.9 * pitch) | 1, int(width) | 1
    picture = np.zeros((rows * fine, columns * fine), np.float32)
    places = np.array(SEAM)
    places[:, 0] += shear * places[:, 1]
    places = places * (pitch, width) * fine + np.array([columns, rows]) * fine / 2
    line = np.rint(places).astype(np.int32)
    cv2.polylines(picture, [line], False, 0.7, max(1, int(0.05 * pitch * fine)))
    slot = [line[2:4]]
    cv2.polylines(picture, slot, False, 1.0, max(1, int(0.11 * pitch * fine)))
    soft = cv2.GaussianBlur(picture, (0, 0), fine * 0.8 * max(1.0, pitch / 40))
    return np.asarray(cv2.resize(soft, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
