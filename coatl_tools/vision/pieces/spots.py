"""From maps to single pieces: each peak gathers the places that point to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces import maps
from coatl_tools.vision.pieces.network import Maps

Vector = NDArray[np.float64]
Floats = NDArray[np.float64] | NDArray[np.float32]
PEAK = 0.2  # below this, no piece is looked for
THERE = 0.5  # a place of a piece
FEWEST = 5  # places; a smaller piece cannot be told


@dataclass(frozen=True, eq=False)
class Spot:
    """A piece by itself, in pixels of the picture."""

    middle: Vector
    to_head: Vector  # where a neighbour at the head side has its middle, from here
    to_tail: Vector
    joined: tuple[float, float]  # how likely there is one at the head side, at the tail side
    kinds: NDArray[np.float64]
    colours: NDArray[np.float64]
    peak: float
    outline: NDArray[np.float64]

    @property
    def pitch(self) -> float:
        """The distance to a neighbour."""
        return float((np.hypot(*self.to_head) + np.hypot(*self.to_tail)) / 2)

    def placed(self, scale: float, corner: Vector) -> Spot:
        """The same in the whole picture, of which a part was looked at, at some scale."""
        return replace(
            self,
            middle=self.middle / scale + corner,
            to_head=self.to_head / scale,
            to_tail=self.to_tail / scale,
            outline=self.outline / scale + corner,
        )

    def merged(self, other: Spot) -> Spot:
        """What two looks say together: of colour and kind, the mean."""
        return replace(
            self,
            kinds=(self.kinds + other.kinds) / 2,
            colours=(self.colours + other.colours) / 2,
            joined=((self.joined[0] + other.joined[0]) / 2, (self.joined[1] + other.joined[1]) / 2),
        )

    def agreement(self, other: Spot) -> float:
        """How likely two looks mean the same colour and kind."""
        return float(
            np.minimum(self.colours, other.colours).sum()
            * np.minimum(self.kinds, other.kinds).sum()
        )


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -30, 30))))


def _softmax(x: Floats) -> Floats:
    raised = np.exp(x - x.max(axis=0, keepdims=True))
    return np.asarray(raised / raised.sum(axis=0, keepdims=True))


def spots_of(said: Maps) -> list[Spot]:
    """All pieces in the maps of a picture."""
    heat = cv2.GaussianBlur(_sigmoid(said[maps.MIDDLE]), (0, 0), 0.6)
    rows, columns = np.nonzero((heat == cv2.dilate(heat, np.ones((3, 3)))) & (heat > PEAK))
    there = _sigmoid(said[maps.PIECE]) > THERE
    if not len(rows) or not there.any():
        return []
    own_rows, own_columns = np.nonzero(there)
    inside = said[:, own_rows, own_columns].astype(np.float64)
    places = np.stack([own_columns, own_rows], axis=1) * maps.STRIDE + maps.STRIDE / 2
    aims = places + inside[maps.TO_MIDDLE].T * maps.UNIT
    pitches = np.hypot(*inside[maps.TO_HEAD]) * maps.UNIT
    peaks = np.stack([columns, rows], axis=1) * maps.STRIDE + maps.STRIDE / 2
    apart = np.hypot(*(aims[:, None] - peaks[None]).transpose(2, 0, 1))
    nearest = apart.argmin(axis=1)
    nearest[apart.min(axis=1) > np.maximum(0.45 * pitches, 6)] = -1
    found = []
    kinds, colours = _softmax(inside[maps.KINDS]), _softmax(inside[maps.COLOURS])
    joined = _sigmoid(inside[maps.JOINED])
    for number, peak in enumerate(peaks):
        own = nearest == number
        if own.sum() < FEWEST:
            continue
        box_rows, box_columns = own_rows[own], own_columns[own]
        top, left = int(box_rows.min()), int(box_columns.min())
        cells = np.zeros((int(box_rows.max()) - top + 1, int(box_columns.max()) - left + 1))
        cells[box_rows - top, box_columns - left] = 1
        found.append(
            Spot(
                middle=np.median(aims[own], axis=0) * 0.5 + peak * 0.5,
                to_head=np.median(inside[maps.TO_HEAD][:, own], axis=1) * maps.UNIT,
                to_tail=np.median(inside[maps.TO_TAIL][:, own], axis=1) * maps.UNIT,
                joined=(float(joined[0, own].mean()), float(joined[1, own].mean())),
                kinds=kinds[:, own].mean(axis=1),
                colours=colours[:, own].mean(axis=1),
                peak=float(heat[rows[number], columns[number]]),
                outline=_outline(cells, (left, top)),
            )
        )
    return found


def _outline(cells: NDArray[np.float64], corner: tuple[int, int]) -> NDArray[np.float64]:
    """The border of the largest part of some places of a map, whose corner this is, in pixels."""
    large = cv2.resize(np.pad(cells, 2), None, fx=maps.STRIDE, fy=maps.STRIDE)
    soft = cv2.GaussianBlur(large, (0, 0), maps.STRIDE * 0.6)
    mask = (soft > 0.45).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        mask = (large > 0.3).astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    points = cv2.approxPolyDP(max(contours, key=cv2.contourArea), 0.8, True)[:, 0]
    return np.asarray(points + (np.array(corner) - 2) * maps.STRIDE + 0.5, np.float64)
