"""The network that finds faces of published cards, as `face_search` runs it, and its training."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from coatl_tools.vision.cards.face_search import (
    FACE_MAP,
    SEARCH_MAPS,
    SEARCH_NETWORK,
    SEARCH_STRIDE,
    SEARCH_UNIT,
    SHAPE_MAPS,
    encode_corners,
)
from coatl_tools.vision.pieces.networks import PIECE_NETWORK
from training.network_training import begin_network, export_network, load_batches, train_network
from training.piece_network import PieceNet, conv_step, draw_crop
from training.random_values import random_factor

Floats = NDArray[np.float32]
CROP_SIDE = 256
CARD_WIDTHS = (26, 130)  # pixels of the cards in a crop
MIN_CARD_WIDTH = 14  # pixels: nobody can tell a smaller one
CROPS = 3  # of a photo that was loaded


class FaceCrop(NamedTuple):
    """A picture (RGB, 0 to 1) and what the network should say of it."""

    picture: Floats
    face: Floats
    shape: Floats
    weight: Floats  # 0 where nobody can tell


class FaceSearchNet(nn.Module):
    """Expects RGB from 0 to 1, sides that are multiples of 32.

    Most of it is built as the network that finds pieces, and begins from there.
    """

    def __init__(self) -> None:
        super().__init__()
        pieces = PieceNet()
        self.quarter, self.eighth, self.sixteenth = pieces.quarter, pieces.eighth, pieces.sixteenth
        self.small, self.up3, self.up2 = pieces.small, pieces.up3, pieces.up2
        self.maps = nn.Sequential(
            conv_step(64, 64), conv_step(64, 64, dilation=2), nn.Conv2d(64, SEARCH_MAPS, 1)
        )

    def forward(self, picture: Tensor) -> Tensor:
        """Return the maps of a picture."""
        eighth = self.eighth(self.quarter(picture * 4 - 2))
        sixteenth = self.sixteenth(eighth)
        x = self.up3(self.small(sixteenth), sixteenth)
        maps: Tensor = self.maps(self.up2(x, eighth))
        return maps


@lru_cache(maxsize=1500)
def _load_corners(name: Path) -> NDArray[np.float64]:
    cards = json.loads(name.read_text("utf-8"))["cards"]
    return np.array(cards, float).reshape(-1, 4, 2)


def _draw_crops(rng: np.random.Generator, name: Path) -> Iterator[FaceCrop]:
    """Draw parts of a photo of the pool, cut out, turned and scaled at random."""
    corners = _load_corners(name)
    if not len(corners) and rng.random() < 0.6:
        return  # most photos without a card teach little
    picture = np.asarray(cv2.imread(str(name.with_suffix(".jpg"))), np.uint8)
    shown = cv2.imread(str(name.with_suffix(".faces.png")), cv2.IMREAD_GRAYSCALE)
    faces = np.asarray(shown, np.uint8)
    for _ in range(CROPS):
        yield _draw_crop(rng, picture, faces, corners)


def _draw_crop(
    rng: np.random.Generator,
    picture: NDArray[np.uint8],
    faces: NDArray[np.uint8],
    corners: NDArray[np.float64],
) -> FaceCrop:
    height, width = faces.shape
    x, y, scale = rng.uniform(0, width), rng.uniform(0, height), random_factor(rng, 0.25, 1.2)
    if len(corners):
        chosen = corners[int(rng.integers(len(corners)))]
        own = float(np.hypot(*(chosen[1] - chosen[0])))
        scale = float(np.clip(random_factor(rng, *CARD_WIDTHS) / max(own, 1), 0.15, 2.5))
        if rng.random() < 0.85:
            x, y = chosen.mean(axis=0) + rng.normal(0, CROP_SIDE / 4 / scale, 2)
    move = np.asarray(
        cv2.getRotationMatrix2D((float(x), float(y)), float(rng.uniform(0, 360)), scale), float
    )
    move[:, 2] += CROP_SIDE / 2 - np.array([x, y])
    if scale < 0.7:  # the warp does not average
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    side = (CROP_SIDE, CROP_SIDE)
    cut = cv2.warpAffine(picture, move, side, borderMode=cv2.BORDER_REPLICATE)
    inner = cv2.warpAffine(np.full(faces.shape, 255, np.uint8), move, side)
    owner = cv2.warpAffine(faces, move, side, flags=cv2.INTER_NEAREST)
    places = np.s_[SEARCH_STRIDE // 2 :: SEARCH_STRIDE, SEARCH_STRIDE // 2 :: SEARCH_STRIDE]
    seen = np.asarray(owner, np.uint8)[places]
    weight = (inner[places] > 127).astype(np.float32)
    rows, columns = np.mgrid[0 : len(seen), 0 : len(seen)]
    here = np.stack([columns, rows], axis=2) * SEARCH_STRIDE + SEARCH_STRIDE / 2
    wanted = np.zeros((8, *seen.shape), np.float32)
    for number, own_corners in enumerate(corners, 1):
        own_places = seen == number
        if not own_places.any():
            continue
        moved = own_corners @ move[:, :2].T + move[:, 2]
        if np.hypot(*(moved[1] - moved[0])) < MIN_CARD_WIDTH:
            weight[own_places] = 0
            continue
        shape = np.repeat(encode_corners(moved).reshape(8, 1), int(own_places.sum()), axis=1)
        shape[:2] -= here[own_places].T
        wanted[:, own_places] = shape / SEARCH_UNIT
    gains = np.exp(rng.normal(0, 0.08, 3) + rng.normal(0, 0.15))
    rgb = np.clip(np.asarray(cut)[:, :, ::-1] / 255 * gains, 0, 1).transpose(2, 0, 1)
    return FaceCrop(
        np.ascontiguousarray(rgb, np.float32), (seen > 0).astype(np.float32), wanted, weight
    )


def compute_search_losses(said: Tensor, crop: FaceCrop) -> dict[str, Tensor]:
    """How far the maps are from what is wanted."""
    face, shape, weight = map(torch.as_tensor, crop[1:])
    wrong = functional.binary_cross_entropy_with_logits(
        said[:, FACE_MAP], face, weight=weight, reduction="sum"
    )
    own = face * weight
    off = functional.smooth_l1_loss(said[:, SHAPE_MAPS], shape, reduction="none", beta=0.02)
    middle, height, width, twist = (
        (off[:, i : i + 2].sum(1) * own).sum() / own.sum().clamp(min=1) for i in range(0, 8, 2)
    )
    return {
        "face": 2 * wrong / weight.sum().clamp(min=1),
        "middle": 2 * middle,
        "height": 2 * height,
        "width": 2 * width,
        "twist": 2 * twist,
    }


def train_face_search(pool: Path, weights: Path, batch: int, rate: float, minutes: float) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package."""
    if not (weights.is_file() or SEARCH_NETWORK.exists()):
        torch.save(_borrow_from_pieces(pool).state_dict(), weights)
    train_network(
        FaceSearchNet, _draw_crops, compute_search_losses, pool, weights, batch, rate, minutes,
        SEARCH_NETWORK,
    )  # fmt: skip


def _borrow_from_pieces(pool: Path) -> FaceSearchNet:
    """Make a network that has seen no card, but pieces."""
    net, pieces = FaceSearchNet(), PieceNet()
    begin_network(pieces, Path(), PIECE_NETWORK, load_batches(pool, draw_crop, 12, 1))
    for name, part in pieces.named_children():
        if name in dict(net.named_children()) and name != "maps":
            net.get_submodule(name).load_state_dict(part.state_dict())
    return net


def export_face_search(weights: Path) -> None:
    """Write the network with these weights as the file that the package carries."""
    export_network(FaceSearchNet(), weights, (1, 3, 480, 640), SEARCH_NETWORK, any_size=True)
