"""Telling plastic from the table by colour alone, with a model of the table from the border."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour
from coatl_tools.vision.trace import Pixels

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Classes = NDArray[np.uint8]  # 0 is no plastic, 1 more than the colour's number otherwise

WORKING_SIDE = 1000  # pixels of the longer side while plastic is looked for
BLACK = Colour.K + 1
# Where each colour lies on the circle of hues of CIE Lab, in degrees, whatever the light.
HUES = {Colour.R: (-25, 54), Colour.Y: (58, 103), Colour.G: (103, 175), Colour.B: (190, 310)}
STEPS_FROM_TABLE = 3.5  # standard deviations
BLACK_FROM_TABLE = 1.8  # black on dark tables is close to them


@dataclass(frozen=True, slots=True)
class Segmented:
    """A picture made smaller, the class of each pixel, and groups of coloured parts."""

    factor: float  # pixels of this per pixel of the picture
    classes: Classes
    groups: tuple[Mask, ...]  # coloured parts that touch, or that black joins


def segment(pixels: Pixels) -> Segmented:
    """Mark what may be plastic of each colour."""
    factor = min(1.0, WORKING_SIDE / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    soft = cv2.medianBlur(small, 5).astype(np.float32) / 255
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float64)
    classes = _classes(lab, _from_table(lab))
    return Segmented(factor, classes, _groups(classes))


def _from_table(lab: Floats) -> Floats:
    """How far each pixel is from all colours of the table, in standard deviations."""
    height, width = lab.shape[:2]
    margin = max(2, height // 25)
    border = np.ones((height, width), bool)
    border[margin:-margin, margin:-margin] = False
    ys, xs = np.nonzero(border)
    some = np.random.default_rng(0).permutation(len(ys))[:6000]
    ys, xs = ys[some], xs[some]
    colours = lab[ys, xs]
    angle = np.arctan2((ys - height / 2) * width, (xs - width / 2) * height)
    sector = ((angle / (2 * np.pi) + 0.5) * 16).astype(int) % 16
    cv2.setRNGSeed(1)
    enough = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    start = np.zeros((len(colours), 1), np.int32)
    _, of_cluster, _ = cv2.kmeans(
        colours.astype(np.float32), 8, start, enough, 3, cv2.KMEANS_PP_CENTERS
    )
    of_cluster = of_cluster.ravel()
    nearest = np.full((height, width), np.inf)
    for cluster in range(8):
        mine = of_cluster == cluster
        # A table is on many sides; a mug, or a Cóatl that is cut off, is not.
        sides = sum(mine[sector == i].mean() > 0.04 for i in range(16) if (sector == i).any())
        if mine.sum() < 60 or sides < 4:
            continue
        spread = np.linalg.inv(np.cov(colours[mine].T) + np.diag([16.0, 3.0, 3.0]))
        root = np.linalg.cholesky(spread).T
        moved = np.c_[root, -root @ colours[mine].mean(axis=0)]
        nearest = np.minimum(nearest, (cv2.transform(lab, moved) ** 2).sum(axis=2))
    return np.asarray(np.sqrt(nearest))


def _classes(lab: Floats, from_table: Floats) -> Classes:
    light, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    chroma, hue = np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360
    found = np.zeros(light.shape, np.uint8)
    vivid = (chroma > 9 + 0.2 * light) & (from_table > STEPS_FROM_TABLE)
    for colour, (low, high) in HUES.items():
        found[vivid & ((hue - low) % 360 < high - low)] = colour + 1
    found[(found == Colour.Y + 1) & (light < 30)] = 0  # the shadow on wood
    found = np.asarray(cv2.medianBlur(found, 3), np.uint8)
    dark = (light < 34) & (chroma < 10) & (from_table > BLACK_FROM_TABLE) & (found == 0)
    dark = cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
    found[dark] = BLACK
    return found


def _groups(classes: Classes) -> tuple[Mask, ...]:
    """Coloured parts of some size, those together that a black part touches."""
    coloured = ((classes > 0) & (classes < BLACK)).astype(np.uint8)
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    opened = cv2.morphologyEx(coloured, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, round_)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    group = {i: i for i in range(1, count) if stats[i][4] > 0.0006 * classes.size}
    black = (classes == BLACK).astype(np.uint8)
    blacks, black_labels, black_stats, _ = cv2.connectedComponentsWithStats(black)
    for i in range(1, blacks):
        x, y, width, height, area = black_stats[i]
        if area < 60:
            continue
        here = np.s_[max(0, y - 8) : y + height + 8, max(0, x - 8) : x + width + 8]
        grown = cv2.dilate((black_labels[here] == i).astype(np.uint8), round_) > 0
        touched = [group[j] for j in np.unique(labels[here][grown]) if j in group]
        for other in touched[1:]:
            group = {j: touched[0] if g == other else g for j, g in group.items()}
    found = []
    for leader in sorted(set(group.values())):
        mask = np.isin(labels, [j for j, g in group.items() if g == leader])
        if mask.sum() >= 0.0012 * classes.size:
            found.append(mask)
    return tuple(found)
