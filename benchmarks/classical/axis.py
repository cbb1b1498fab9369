"""The line along the middle of a Cóatl, however it is bent, and the Cóatl laid straight."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.polynomial import legendre

from benchmarks.classical.segment import BLACK, Classes, Floats, Mask, Segmented
from coatl_tools.vision.trace import Pixels

PER_WIDTH = 64  # columns of a straight Cóatl for each of its widths
ROWS = 96  # one and a half widths


@dataclass(frozen=True, slots=True)
class Axis:
    """Points along the middle, and how wide the Cóatl is at each."""

    points: Floats
    widths: Floats

    @property
    def length(self) -> float:
        """Its length in widths."""
        return float((_steps(self.points) / ((self.widths[1:] + self.widths[:-1]) / 2)).sum())

    def columns(self) -> Axis:
        """The same at each column of the straight Cóatl: closer where it is narrow."""
        at = np.r_[0, np.cumsum(_steps(self.points) / ((self.widths[1:] + self.widths[:-1]) / 2))]
        number = max(8, int(at[-1] * PER_WIDTH))
        return _at(self, at, np.linspace(0, at[-1], number))


@dataclass(frozen=True, slots=True)
class Straight:
    """A Cóatl laid straight: its pixels and their classes, and where each column comes from."""

    pixels: Pixels
    classes: Classes
    columns: Axis

    @property
    def length(self) -> int:
        """In columns."""
        return int(self.classes.shape[1])


def find_axis(mask: Mask, classes: Classes) -> Axis:
    """The axis of a group of coloured parts, on into black pieces at its ends."""
    points, width = _first_line(mask)
    own = np.where(mask | (classes == BLACK), classes, 0).astype(np.uint8)
    points = _extended(points, width, classes == BLACK)
    axis = Axis(points, np.full(len(points), width))
    for _ in range(3):
        axis = _smooth(_recentred(axis, own))
        axis = _trimmed(_prolonged(axis), own)
    return axis


def straighten(axis: Axis, pixels: Pixels, found: Segmented, mask: Mask) -> Straight:
    """Lay a Cóatl straight."""
    columns = axis.columns()
    own = np.where(mask | (found.classes == BLACK), found.classes, 0).astype(np.uint8)
    classes = np.asarray(_strip(own, columns, cv2.INTER_NEAREST), np.uint8)
    full = Axis(columns.points / found.factor, columns.widths / found.factor)
    return Straight(np.asarray(_strip(pixels, full, cv2.INTER_LINEAR), np.uint8), classes, full)


def _steps(points: Floats) -> Floats:
    return np.asarray(np.linalg.norm(np.diff(points, axis=0), axis=1))


def _at(axis: Axis, old: Floats, new: Floats) -> Axis:
    """The axis at other places of itself."""
    points = np.c_[np.interp(new, old, axis.points[:, 0]), np.interp(new, old, axis.points[:, 1])]
    return Axis(points, np.interp(new, old, axis.widths))


def _normals(points: Floats) -> Floats:
    """To the right of the way along the axis."""
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None] + 1e-9
    return np.column_stack([-along[:, 1], along[:, 0]])


def _strip(picture: Pixels | Classes, columns: Axis, way: int) -> Pixels | Classes:
    across = np.linspace(-0.75, 0.75, ROWS)[:, None, None] * columns.widths[None, :, None]
    places = (columns.points[None] + across * _normals(columns.points)[None]).astype(np.float32)
    border = cv2.BORDER_CONSTANT if way == cv2.INTER_NEAREST else cv2.BORDER_REPLICATE
    found = cv2.remap(picture, places[..., 0], places[..., 1], way, borderMode=border)
    return np.asarray(found, np.uint8)


def _first_line(mask: Mask) -> tuple[Floats, float]:
    """A bent line through coloured parts, and how wide they are about it."""
    ys, xs = np.nonzero(mask)
    places = np.c_[xs, ys].astype(float)
    middle = places.mean(axis=0)
    _, directions = np.linalg.eigh(np.cov(places.T))
    along = (places - middle) @ directions[:, 1]
    line = middle + np.linspace(along.min(), along.max(), 200)[:, None] * directions[:, 1]
    reach = 0.35 * float(np.ptp(along))
    width = reach
    for last in (False, False, True):
        across = np.linspace(-reach, reach, 121)
        places = line[:, None] + across[None, :, None] * _normals(line)[:, None]
        inside = _looked_up(mask, places)
        counts = inside.sum(axis=1)
        wide = counts * (across[1] - across[0])
        width = float(np.percentile(wide[wide > 0], 60)) if (wide > 0).any() else reach
        if last:
            break
        good = counts > 0.4 * np.median(counts[counts > 0])
        offset = (inside * across).sum(axis=1) / np.maximum(counts, 1)
        line = line + _fitted(offset, good, _length(line) / width)[:, None] * _normals(line)
        reach = min(reach, 2 * width)
    return line, width


def _length(points: Floats) -> float:
    return float(_steps(points).sum())


def _fitted(values: Floats, good: Mask, length: float) -> Floats:
    """A curve through values along an axis; a long Cóatl may wind more than a short one."""
    degree = int(np.interp(length, [2.5, 5, 8, 12], [1, 2, 3, 4]))
    x = np.linspace(-1, 1, len(values))
    if good.sum() < 12:
        return np.zeros(len(values))
    return np.asarray(legendre.legval(x, legendre.legfit(x[good], values[good], degree)))


def _looked_up(mask: Mask, places: Floats) -> Mask:
    """The mask at places, which may be outside."""
    x, y = np.rint(places[..., 0]).astype(int), np.rint(places[..., 1]).astype(int)
    within = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    found = np.zeros(x.shape, bool)
    found[within] = mask[y[within], x[within]]
    return found


def _extended(line: Floats, width: float, black: Mask) -> Floats:
    """The line, and on at both ends as long as there is black of about its width."""
    ends = []
    for way in (line[::-1], line):
        back = min(len(way) - 1, max(3, int(width / max(_steps(way).mean(), 1e-6))))
        along = (way[-1] - way[-1 - back]) / np.linalg.norm(way[-1] - way[-1 - back])
        place, found, missed = way[-1] - along * 0.15 * width, list[Floats](), 0
        step = max(1.0, width / 25)
        across = np.linspace(-0.75, 0.75, 41) * width
        while len(found) < 600 and missed * step < 0.12 * width:
            place = place + along * step
            aside = np.array([-along[1], along[0]])
            seen = _looked_up(black, place + across[:, None] * aside)
            # Black that is much wider than the Cóatl is something else, or a shadow.
            missed = missed + 1 if seen[10:31].mean() < 0.2 or seen.mean() > 0.95 else 0
            if 0.3 < seen.mean() < 0.9:
                drift = float(np.clip((seen * across).sum() / seen.sum() / width, -0.1, 0.1))
                along = along + aside * drift * 0.02
                along = along / np.linalg.norm(along)
            found.append(place)
        ends.append(np.array(found[: len(found) - missed]).reshape(-1, 2))
    return np.vstack([ends[0][::-1], line, ends[1]])


def _recentred(axis: Axis, classes: Classes) -> Axis:
    """The axis moved to the middle of what is about it, with widths that perspective explains."""
    columns = axis.columns()
    strip = _strip(classes, columns, cv2.INTER_NEAREST)
    coloured = (strip > 0) & (strip < BLACK)
    # Where there is colour, black is likely shadow.
    plastic = np.where(coloured.sum(axis=0) >= ROWS // 6, coloured, strip == BLACK)
    counts = plastic.sum(axis=0)
    rows = np.linspace(-0.75, 0.75, ROWS)
    good = counts >= 0.3 * ROWS
    if good.sum() < 12:
        return axis
    offset = (plastic * rows[:, None]).sum(axis=0) / np.maximum(counts, 1) * columns.widths
    points = columns.points + (
        _fitted(offset, good, columns.length)[:, None] * _normals(columns.points)
    )
    x = np.linspace(-1, 1, len(counts))
    wide = np.log(np.maximum(counts, 1) / ROWS * 1.5 * columns.widths)
    keep = good.copy()
    fit = np.zeros(2)
    for _ in range(4):  # without what lies far from the line: crests, tips, shadows
        fit = np.polyfit(x[keep], wide[keep], 1)
        off = np.abs(wide - np.polyval(fit, x))
        keep = good & (off <= max(0.08, float(np.percentile(off[good], 70))))
    slope = float(np.clip(fit[0], -0.6, 0.6))
    return Axis(points, np.exp(fit[1] + slope * x))


def _smooth(axis: Axis) -> Axis:
    """Without kinks."""
    columns = axis.columns()
    size = 2 * (PER_WIDTH // 2) + 1
    half = size // 2
    first, last = columns.points[0], columns.points[-1]
    count = min(half, len(columns.points) - 1)
    before = 2 * first - columns.points[1 : count + 1][::-1]
    after = 2 * last - columns.points[-count - 1 : -1][::-1]
    padded = np.vstack([before, columns.points, after])
    kernel = cv2.getGaussianKernel(size, size / 5).ravel()
    smooth = [np.convolve(padded[:, i], kernel, "same")[count:-count] for i in (0, 1)]
    return Axis(np.column_stack(smooth), columns.widths)


def _prolonged(axis: Axis) -> Axis:
    """A bit longer at both ends, straight on."""
    points, widths = axis.points, axis.widths
    back = max(2, len(points) // 12)
    begin, end = points[0] - points[back], points[-1] - points[-1 - back]
    begin, end = begin / np.linalg.norm(begin), end / np.linalg.norm(end)
    longer = np.vstack(
        [points[0] + begin * 0.4 * widths[0], points, points[-1] + end * 0.4 * widths[-1]]
    )
    return Axis(longer, np.r_[widths[0], widths, widths[-1]])


def _trimmed(axis: Axis, classes: Classes) -> Axis:
    """Only the longest part where there is plastic."""
    columns = axis.columns()
    strip = _strip(classes, columns, cv2.INTER_NEAREST)
    there = np.nonzero((strip[12:-12] > 0).sum(axis=0) >= 5)[0]
    if len(there) < 8:
        return axis
    runs = np.split(there, np.nonzero(np.diff(there) > PER_WIDTH // 8)[0] + 1)
    run = max(runs, key=len)
    part = slice(run[0], run[-1] + 1)
    return Axis(columns.points[part], columns.widths[part])
