"""What the ends of a Cóatl are: a head, a tail or a body segment, by outline and grooves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np

from benchmarks.classical.axis import PER_WIDTH, ROWS, Straight
from benchmarks.classical.joints import Grid
from benchmarks.classical.segment import Classes, Mask
from coatl_tools.pieces import PieceKind
from coatl_tools.vision.trace import Pixels

COLUMNS, SHOWN = 48, 2.4  # an end is looked at so many pitches from its joint
# Outlines, from the joint outwards in pitches, and across in widths.
HEAD = ((0, -.5), (0, .5), (.19, .5), (.12, .67), (.37, .56), (.36, .72), (.64, .56), (.68, .71),
        (.91, .53), (1.1, .47), (1.2, .38), (1.36, .28), (1.54, .25), (1.68, .31), (1.81, .28),
        (1.92, .16), (1.92, .04), (1.85, -.03), (1.63, -.04), (1.37, -.06), (1.16, -.1),
        (1.19, -.17), (1.38, -.2), (1.59, -.24), (1.71, -.32), (1.67, -.4), (1.41, -.43),
        (1.13, -.47), (.97, -.63), (.84, -.53), (.71, -.65), (.58, -.51), (.39, -.5))  # fmt: skip
TAIL = ((0, .5), (0, -.5), (.67, -.5), (.91, -.46), (1.1, -.49), (1.39, -.58), (1.22, -.36),
        (1.19, -.33), (1.44, -.34), (1.77, -.33), (1.54, -.19), (1.48, -.15), (1.76, -.1),
        (2.06, 0), (1.72, .08), (1.45, .07), (1.51, .12), (1.73, .27), (1.41, .26), (1.19, .24),
        (1.22, .3), (1.35, .53), (1.06, .4), (.87, .41), (.71, .5))  # fmt: skip
BODY = (
    (0, 0.5),
    (0, -0.5),
    (1.13, -0.5),
    (1.13, 0.25),
    (0.9, 0.25),
    (0.9, -0.23),
    (0.72, -0.23),
    (0.72, 0.5),
)
OUTLINES = {PieceKind.HEAD: HEAD, PieceKind.TAIL: TAIL, PieceKind.BODY: BODY}


def ends(
    straight: Straight, grid: Grid
) -> tuple[Mapping[PieceKind, float], Mapping[PieceKind, float]]:
    """What speaks for each kind at the first and at the last end, as logarithms of odds."""
    turned = Straight(straight.pixels[::-1, ::-1], straight.classes[::-1, ::-1], straight.columns)
    first = straight.length - 1 - grid.joints[0]
    return (
        _end(turned, float(first), float(grid.pitches[0])),
        _end(straight, float(grid.joints[-1]), float(grid.pitches[-1])),
    )


def _end(straight: Straight, joint: float, pitch: float) -> Mapping[PieceKind, float]:
    columns = (joint + np.linspace(0, SHOWN, COLUMNS) * pitch).astype(np.float32)
    x = np.tile(columns, (ROWS, 1))
    y = np.tile(np.arange(ROWS, dtype=np.float32)[:, None], (1, COLUMNS))
    plastic = np.ascontiguousarray(straight.classes > 0).astype(np.uint8)
    mask = cv2.remap(plastic, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
    seen = cv2.remap(
        np.ascontiguousarray(straight.pixels), x, y, cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    low, high = _extent(straight.classes, joint - 0.9 * pitch, joint - 0.2 * pitch)
    along = _grooves_along(np.asarray(seen, np.uint8), np.asarray(mask, np.uint8))
    # A tail is grooved along, a head is not.
    grooves = {PieceKind.HEAD: 0.1 - along, PieceKind.TAIL: along - 0.1, PieceKind.BODY: 0.0}
    return {
        kind: 8 * _overlap(kind, np.asarray(mask) > 0, low, high) + grooves[kind] / 2
        for kind in PieceKind
    }


def _extent(classes: Classes, begin: float, end: float) -> tuple[float, float]:
    """From where to where a piece reaches across, in widths from the middle."""
    part = classes[:, max(0, round(begin)) : max(1, round(end) + 1)] > 0
    if not part.size or not (part.mean(axis=1) > 0.5).any():
        return -0.5, 0.5
    rows = np.nonzero(part.mean(axis=1) > 0.5)[0]
    return float(rows[0] - ROWS / 2) / PER_WIDTH, float(rows[-1] + 1 - ROWS / 2) / PER_WIDTH


def _overlap(kind: PieceKind, mask: Mask, low: float, high: float) -> float:
    """How much of an end and of an outline is shared, at best."""
    best = 0.0
    for longer in (0.85, 1.0, 1.15):
        for wider in (0.85, 1.0):
            for moved in (-0.08, 0.0, 0.08):
                outline = _outline(
                    kind, longer, round((high - low) * wider, 2), round((low + high) / 2 + moved, 2)
                )
                shared = (outline & mask)[:, 6:].sum()
                best = max(best, shared / max(1, (outline | mask)[:, 6:].sum()))
    return float(best)


@cache
def _outline(kind: PieceKind, longer: float, wide: float, moved: float) -> Mask:
    fine = 4
    picture = np.zeros((ROWS * fine, COLUMNS * fine), np.uint8)
    places = np.array(OUTLINES[kind])
    x = places[:, 0] * longer / SHOWN * COLUMNS * fine
    y = (places[:, 1] * wide + moved + 0.75) / 1.5 * ROWS * fine
    cv2.fillPoly(picture, [np.rint(np.c_[x, y]).astype(np.int32)], 255)
    return np.asarray(cv2.resize(picture, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA) > 60)


def _grooves_along(seen: Pixels, mask: Classes) -> float:
    """How much more the brightness changes across than along the Cóatl, as a logarithm."""
    size = (COLUMNS, 64)
    grey = cv2.cvtColor(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    small = cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST)
    inner = cv2.erode(small, np.ones((5, 5), np.uint8)) > 0
    inner[:, :10] = False
    if inner.sum() < 50:
        return 0.0
    across = np.abs(cv2.Sobel(soft, cv2.CV_32F, 0, 1))[inner].mean()
    along = np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0))[inner].mean()
    return float(np.log((across + 1) / (along + 1)))
