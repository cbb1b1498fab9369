"""From maps to single pieces: each peak gathers the places that point to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces import maps
from coatl_tools.vision.pieces.network import Floats, Maps, sigmoid, softmax

Vector = NDArray[np.float64]
PEAK = 0.2  # below this, no piece is looked for
THERE = 0.5  # a place of a piece
FEWEST = 5  # places; a smaller piece cannot be told
SMALLEST = 0.25  # of a pitch squared: how much of a piece must be seen
MOST = 300  # pieces; there are 150 in the box


@dataclass(frozen=True, eq=False)
class Spot:
    """A piece by itself, in pixels of the picture."""

    middle: Vector
    axis: Vector  # to where a neighbour has its middle, at either side
    to_head: Vector  # which way the head lies; 1 long if that is clear
    kinds: NDArray[np.float64]
    colours: NDArray[np.float64]
    peak: float
    outline: NDArray[np.float64]
    nothing: float = 0.0  # how likely this is no piece

    @property
    def pitch(self) -> float:
        """The distance to a neighbour."""
        return float(np.hypot(*self.axis))

    def placed(self, scale: float, corner: Vector) -> Spot:
        """The same in the whole picture, of which a part was looked at, at some scale."""
        return replace(
            self,
            middle=self.middle / scale + corner,
            axis=self.axis / scale,
            outline=self.outline / scale + corner,
        )


def _peaks(heat: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    highest = cv2.dilate(np.asarray(heat, np.float32), np.ones((3, 3)))
    rows, columns = np.nonzero((heat >= highest) & (heat > PEAK))
    strongest = np.argsort(-heat[rows, columns], kind="stable")[:MOST]
    return rows[strongest], columns[strongest]


def spots_of(said: Maps) -> list[Spot]:
    """All pieces in the maps of a picture."""
    warm = np.asarray(sigmoid(said[maps.MIDDLE]), np.float32)
    heat = np.asarray(cv2.GaussianBlur(warm, (0, 0), 0.5), np.float32)
    rows, columns = _peaks(heat)
    own_rows, own_columns = np.nonzero(sigmoid(said[maps.PIECE]) > THERE)
    if not len(rows) or not len(own_rows):
        return []
    inside = said[:, own_rows, own_columns].astype(np.float64)
    places = np.stack([own_columns, own_rows], axis=1) * maps.STRIDE + maps.STRIDE / 2
    aims = places + inside[maps.TO_MIDDLE].T * maps.UNIT
    pitches = np.hypot(*inside[maps.AXIS]) * maps.UNIT
    peaks = np.stack([columns, rows], axis=1) * maps.STRIDE + maps.STRIDE / 2
    apart = np.hypot(*(aims[:, None] - peaks[None]).transpose(2, 0, 1))
    nearest = apart.argmin(axis=1)
    nearest[apart.min(axis=1) > np.maximum(0.45 * pitches, 6)] = -1
    kinds, colours = softmax(inside[maps.KINDS]), softmax(inside[maps.COLOURS])
    found = []
    for number, peak in enumerate(peaks):
        own = nearest == number
        area = float(own.sum()) * maps.STRIDE**2
        if own.sum() < FEWEST or area < SMALLEST * float(np.median(pitches[own])) ** 2:
            continue
        found.append(
            Spot(
                middle=(np.median(aims[own], axis=0) + peak) / 2,
                axis=_halved(np.median(inside[maps.AXIS][:, own], axis=1)) * maps.UNIT,
                to_head=inside[maps.TO_HEAD][:, own].mean(axis=1),
                kinds=np.asarray(kinds[:, own].mean(axis=1), np.float64),
                colours=np.asarray(colours[:, own].mean(axis=1), np.float64),
                peak=float(heat[rows[number], columns[number]]),
                outline=_outline(own_rows[own], own_columns[own]),
            )
        )
    return found


def joints_of(said: Maps) -> NDArray[np.float32]:
    """How likely a joint is, at every place of the map."""
    return np.asarray(sigmoid(said[maps.JOINT]), np.float32)


def _halved(axis: Vector) -> Vector:
    """A vector whose angle was doubled; which of both ways it points does not matter."""
    angle = np.arctan2(axis[1], axis[0]) / 2
    return np.asarray(np.hypot(*axis) * np.array([np.cos(angle), np.sin(angle)]))


def _outline(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """The border of the largest part of some places of a map, in pixels."""
    top, left = int(rows.min()), int(columns.min())
    cells = np.zeros((int(rows.max()) - top + 1, int(columns.max()) - left + 1))
    cells[rows - top, columns - left] = 1
    large = cv2.resize(np.pad(cells, 2), None, fx=maps.STRIDE, fy=maps.STRIDE)
    soft = cv2.GaussianBlur(large, (0, 0), maps.STRIDE * 0.6)
    least = 0.45 if float(soft.max()) > 0.45 else 0.1
    mask = (soft > least).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    points = cv2.approxPolyDP(max(contours, key=cv2.contourArea), 0.8, True)[:, 0]
    return np.asarray(points + (np.array([left, top]) - 2) * maps.STRIDE + 0.5, np.float64)
