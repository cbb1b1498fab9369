"""Portraits: each piece cut out with its axis level and its pitch always the same.

Seen like that, a head, a tail, an open hook and something that is no piece at all are told
apart far more easily than at any angle; a small network judges them. Which way a body faces
shows only in the scales carved into it, as its hooks are the same at both ends: another
network, the smallest, looks at close-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.network import run_network
from coatl_tools.vision.pieces.networks import (
    FACING_NETWORK,
    PORTRAIT_NETWORK,
    sigmoid,
    softmax,
)
from coatl_tools.vision.shrinking import get_coarse_photo
from coatl_tools.vision.stage_trace import Pixels

Floats = NDArray[np.float32]
Vector = NDArray[np.float64]
BATCH_SIZE = 8  # inputs that fit into a processor's cache
INPUT_PLANES = 9  # three of the portrait, six of the light in the whole photo
OUTPUT_COUNT = 13
KIND_OUTPUTS = slice(0, 4)  # head, body, tail, no piece
COLOUR_OUTPUTS = slice(4, 9)
FACING_OUTPUT = 9  # the head lies at the right (learned, but `measure_facing` is better)
JOINED_OUTPUTS = slice(10, 12)  # left, right
CENTRED_OUTPUT = 12  # the middle of a piece is in the middle, not a joint or an end


class PortraitFrame(NamedTuple):
    """How large a portrait is, and how many pixels it has from a piece to the next."""

    pitch: int
    width: int
    height: int


WHOLE_PIECE = PortraitFrame(pitch=28, width=96, height=64)


@dataclass(frozen=True, eq=False)
class PhotoLight:
    """A photo's brightest and mean colours: under a lamp, white paper looks orange."""

    planes: tuple[float, ...]

    @classmethod
    def from_photo(cls, pixels: Pixels) -> PhotoLight:
        """Measure the light of a photo."""
        coarse, _ = get_coarse_photo(pixels)
        small = cv2.resize(coarse, (64, 48), interpolation=cv2.INTER_AREA).reshape(-1, 3)[:, ::-1]
        bright = np.percentile(small, 97, axis=0) / 255
        return cls(tuple(float(v) for v in (*bright, *(small.mean(axis=0) / 255))))


def cut_portrait(
    pixels: Pixels, middle: Vector, axis: Vector, frame: PortraitFrame = WHOLE_PIECE
) -> Pixels:
    """Cut out a piece, with `axis`, one pitch long, pointing to the right."""
    ahead, across = axis / frame.pitch, np.array([-axis[1], axis[0]]) / frame.pitch
    corner = middle - ahead * frame.width / 2 - across * frame.height / 2
    move = np.column_stack([ahead, across, corner])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = frame.width, frame.height
    return np.asarray(
        cv2.warpAffine(pixels, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def make_portrait_planes(cut: Pixels, light: PhotoLight) -> Floats:
    """Make the input of the network for a portrait: RGB from 0 to 1, then the light."""
    out = np.empty((INPUT_PLANES, *cut.shape[:2]), np.float32)
    out[:3] = cut[:, :, ::-1].transpose(2, 0, 1) / np.float32(255)
    out[3:] = np.array(light.planes, np.float32)[:, None, None]
    return out


@dataclass(frozen=True, eq=False)
class PortraitJudgement:
    """What portraits of one piece say, as probabilities."""

    kinds: NDArray[np.float64]  # head, body, tail, no piece
    colours: NDArray[np.float64]
    joined: tuple[float, float]  # ahead, behind
    centred: float = 0.0  # logarithm of the odds that this is the middle of a piece


def judge_portraits(
    pixels: Pixels, light: PhotoLight, middles: Vector, aheads: Vector, once: bool = False
) -> list[PortraitJudgement]:
    """Judge pieces by their portraits, upright and upside down; `aheads` are one pitch long.

    With `once`, only the upright ones are used: in half the time, and nearly as good.
    """

    def run(ways: Vector) -> Vector:
        planes = [
            make_portrait_planes(cut_portrait(pixels, middle, way), light)
            for middle, way in zip(middles, ways, strict=True)
        ]
        return _run_in_batches(PORTRAIT_NETWORK, planes)

    said = run(aheads)
    if not once:
        turned = run(-aheads)
        turned[:, JOINED_OUTPUTS] = turned[:, JOINED_OUTPUTS][:, ::-1]
        said = (said + turned) / 2
    return [
        PortraitJudgement(
            softmax(one[KIND_OUTPUTS]),
            softmax(one[COLOUR_OUTPUTS]),
            (float(joined[1]), float(joined[0])),
            float(one[CENTRED_OUTPUT]),
        )
        for one, joined in zip(said, sigmoid(said[:, JOINED_OUTPUTS]), strict=True)
    ]


def _run_in_batches(weights: Path, planes: Sequence[Floats]) -> Vector:
    """Run a network on some inputs, a few at a time; each row is what it says of one."""
    batches = [
        run_network(weights, np.stack(planes[begin : begin + BATCH_SIZE]))
        for begin in range(0, len(planes), BATCH_SIZE)
    ]
    return np.concatenate(batches).astype(np.float64)


CLOSE_UP = PortraitFrame(pitch=56, width=96, height=80)
MIN_CONTRAST = 0.02  # a contrast that is as good as none


def make_close_up_planes(cut: Pixels) -> NDArray[np.float32]:
    """Make the input of the network for a close-up: RGB without its mean colour and contrast."""
    planes = cut[:, :, ::-1].transpose(2, 0, 1).astype(np.float32) / 255
    planes -= planes.mean(axis=(1, 2), keepdims=True)
    return np.asarray(planes / (planes.std() + MIN_CONTRAST), np.float32)


def measure_facings(pixels: Pixels, middles: Vector, aheads: Vector) -> Vector:
    """Measure how clearly each piece faces ahead (one pitch long): the logarithm of the odds."""
    upright, turned = (
        _run_in_batches(
            FACING_NETWORK,
            [
                make_close_up_planes(cut_portrait(pixels, middle, way, CLOSE_UP))
                for middle, way in zip(middles, ways, strict=True)
            ],
        )[:, 0]
        for ways in (aheads, -aheads)
    )
    return (upright - turned) / 2
