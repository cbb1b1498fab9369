"""The networks of portraits, with their training: what a piece is, and which way it faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from coatl_tools.vision.pieces.networks import FACING_NETWORK, PORTRAIT_NETWORK
from coatl_tools.vision.pieces.portraits import (
    CENTRED_OUTPUT,
    CLOSE_UP,
    COLOUR_OUTPUTS,
    FACING_OUTPUT,
    INPUT_PLANES,
    JOINED_OUTPUTS,
    KIND_OUTPUTS,
    OUTPUT_COUNT,
    WHOLE_PIECE,
    PhotoLight,
    PortraitFrame,
    cut_portrait,
    make_close_up_planes,
    make_portrait_planes,
)
from training.crops import load_photo
from training.network_training import export_network, train_network

NO_PIECE, NOT_ASKED = 3, -1
NONE, BESIDE = 0.2, 0.25  # how many portraits are of no piece, or of a piece and its neighbour
DECOY_SIZES = (-1.2, 0.6)  # of what is no piece, as logarithms: ornaments are small
CENTRED_PITCHES = 0.16  # pitches from the middle of a piece that still count as its middle
OFF_CENTRE_PITCHES = (0.28, 0.75)  # and those that count as beside it


class PortraitSample(NamedTuple):
    """A portrait, and what is true of it."""

    planes: NDArray[np.float32]
    kind: int  # -1 if that is not asked
    colour: int  # -1 for what is no piece
    right: float  # whether the head lies at the right
    joined: NDArray[np.float32]  # at the left, at the right
    centred: float  # whether it shows the middle of a piece


class PortraitNet(nn.Module):
    """A few convolutions, then everything that is to be said."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *make_conv_step(INPUT_PLANES, 24, 2), *make_conv_step(24, 32, 1), *make_conv_step(32,
            48, 2), *make_conv_step(48, 48, 1),
            *make_conv_step(48, 64, 2), *make_conv_step(64, 64, 1), *make_conv_step(64, 64, 2),
        )  # fmt: skip
        self.say = nn.Sequential(
            nn.Flatten(), nn.Linear(64 * (WHOLE_PIECE.height // 16) * (WHOLE_PIECE.width // 16),
            96), nn.ReLU(),
            nn.Dropout(0.1), nn.Linear(96, OUTPUT_COUNT),
        )  # fmt: skip

    def forward(self, seen: Tensor) -> Tensor:
        """Logits, as `coatl_tools.vision.pieces.portraits` orders them."""
        said: Tensor = self.say(self.look(seen * 4 - 2))
        return said


def make_conv_step(inward: int, outward: int, stride: int) -> list[nn.Module]:
    """One convolution of a network that looks at portraits."""
    convolution = nn.Conv2d(inward, outward, 3, stride, 1, bias=False)
    return [convolution, nn.BatchNorm2d(outward), nn.ReLU()]


def _draw_portraits(rng: np.random.Generator, name: Path) -> Iterator[PortraitSample]:
    """Draw portraits of the pieces of a photo, and of what is none."""
    for _ in range(4):
        yield random_portrait(rng, name)


@cache
def load_at_sizes(name: Path) -> tuple[list[Any], PhotoLight, Any]:
    """Load a photo at several sizes, so that a portrait is cut from one near its own scale."""
    picture, owners, _ = load_photo(name)
    sizes = [picture]
    while min(sizes[-1].shape[:2]) > 160:
        sizes.append(np.asarray(cv2.pyrDown(sizes[-1]), np.uint8))
    return sizes, PhotoLight.from_photo(picture), owners


def random_portrait(rng: np.random.Generator, name: Path) -> PortraitSample:
    """Return a piece, or something else, of one photo; seen as inexactly as the search finds it."""
    _, _, pieces = load_photo(name)
    sizes, light, owners = load_at_sizes(name)
    inside = [p for number, p in enumerate(pieces, 1) if is_visible(p, number, owners)] or pieces
    ends = [piece for piece in inside if not all(piece["joined"])]
    if ends and rng.random() < 0.5:  # there are few of those, and more to tell about them
        inside = ends
    piece = inside[int(rng.integers(len(inside)))]
    here, before, behind = np.array(piece["points"])
    way = (before - behind) / 2  # towards the head
    chance = rng.random()
    none, beside = bool(chance < NONE), bool(NONE <= chance < NONE + BESIDE)
    if none:
        here, way = _random_elsewhere(rng, owners, way)
    along = rng.uniform(-CENTRED_PITCHES, CENTRED_PITCHES)
    if beside:
        along = rng.uniform(*OFF_CENTRE_PITCHES) * rng.choice([-1, 1])
        way = before - here if along > 0 else here - behind  # the way there may be bent
    here = here + along * way + rng.normal(0, 0.07) * np.array([-way[1], way[0]])
    right = bool(rng.random() < 0.5)
    joined = np.array(piece["joined"][::-1] if right else piece["joined"], np.float32)
    cut = take_portrait(rng, sizes, here, way if right else -way, WHOLE_PIECE)
    seen = make_portrait_planes(cut, light)
    gains = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32) * np.float32(
        np.exp(rng.normal(0, 0.1))
    )
    for first in (0, 3, 6):
        seen[first : first + 3] = np.clip(seen[first : first + 3] * gains[:, None, None], 0, 1)
    if none or beside:
        kind = NO_PIECE if none else NOT_ASKED
        return PortraitSample(seen, kind, NOT_ASKED, 0.5, np.zeros(2, np.float32), 0.0)
    return PortraitSample(seen, piece["kind"], piece["colour"], float(right), joined, 1.0)


def take_portrait(
    rng: np.random.Generator,
    sizes: Sequence[NDArray[np.uint8]],
    here: NDArray[np.float64],
    axis: NDArray[np.float64],
    frame: PortraitFrame,
) -> NDArray[np.uint8]:
    """Take a portrait, turned and enlarged as much as the search may be off."""
    pitch = float(np.hypot(*axis))
    turn, size = np.radians(rng.normal(0, 5)), np.exp(rng.normal(0, 0.09))
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    axis = np.array([axis[0] * cos - axis[1] * sin, axis[0] * sin + axis[1] * cos])
    level = int(np.clip(np.floor(np.log2(max(pitch / frame.pitch, 1))), 0, len(sizes) - 1))
    return cut_portrait(sizes[level], (here + 0.5) / 2**level - 0.5, axis / 2**level, frame)


def is_visible(piece: dict[str, Any], number: int, owners: NDArray[np.uint8]) -> bool:
    """Whether the middle of a piece can be seen."""
    column, row = (int(n) for n in piece["points"][0])
    height, width = owners.shape
    return 0 <= row < height and 0 <= column < width and bool(owners[row, column] == number)


def _random_elsewhere(
    rng: np.random.Generator, owners: NDArray[np.uint8], way: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Somewhere where no piece is, mostly on clutter, and some axis."""
    height, width = owners.shape
    rows, columns = np.nonzero(owners == 255 if rng.random() < 0.8 else owners == 0)
    if not len(rows):
        rows, columns = np.nonzero((owners == 0) | (owners == 255))
    if not len(rows):
        return np.array([width / 2, -height]), way  # all pieces: look beside the photo
    at = int(rng.integers(len(rows)))
    angle = rng.uniform(0, 2 * np.pi)
    size = float(np.hypot(*way)) * np.exp(rng.uniform(*DECOY_SIZES))
    return np.array([columns[at], rows[at]], float), size * np.array([np.cos(angle), np.sin(angle)])


def compute_portrait_losses(said: Tensor, seen: PortraitSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    kind, colour, right, joined, centred = (torch.as_tensor(part) for part in seen[1:])
    own = (colour >= 0).float()
    cross = functional.binary_cross_entropy_with_logits
    count = own.sum().clamp(min=1)
    return {
        "kind": functional.cross_entropy(said[:, KIND_OUTPUTS], kind, ignore_index=NOT_ASKED),
        "colour": functional.cross_entropy(said[:, COLOUR_OUTPUTS], colour, ignore_index=NOT_ASKED),
        "facing": (cross(said[:, FACING_OUTPUT], right.float(), reduction="none") * own).sum()
        / count,
        "joined": (cross(said[:, JOINED_OUTPUTS], joined, reduction="none").mean(1) * own).sum()
        / count,
        "centred": cross(said[:, CENTRED_OUTPUT], centred.float()),
    }


def train_portrait_network(
    pool: Path, weights: Path, batch: int, rate: float, minutes: float
) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package."""
    draw, losses = _draw_portraits, compute_portrait_losses
    train_network(PortraitNet, draw, losses, pool, weights, batch, rate, minutes, PORTRAIT_NETWORK)


def export_portrait_network(weights: Path, packed: Path, share: float = 1.0) -> None:
    """Write the network with these weights as the file that the package carries."""
    shape = (1, INPUT_PLANES, WHOLE_PIECE.height, WHOLE_PIECE.width)
    export_network(PortraitNet(), weights, shape, packed, share=share)


BODY_KIND = 1
CENTRE_ERROR = 0.06  # pitches by which the search misses the middle of a piece, as a rule
MIN_PITCH = 16  # pixels from a piece to the next; nobody sees scales in less


class CloseUpSample(NamedTuple):
    """A close-up, and whether the head lies at its right."""

    planes: NDArray[np.float32]
    right: float


class CloseUpNet(nn.Module):
    """A few convolutions over a view from near, of so many channels, then one number."""

    def __init__(self, frame: PortraitFrame, channels: Sequence[int], hidden: int) -> None:
        super().__init__()
        steps = zip((3, *channels), channels, (2, 1, 2, 1, 2, 1, 2), strict=False)
        self.look = nn.Sequential(*(part for step in steps for part in make_conv_step(*step)))
        places = (frame.height // 16) * (frame.width // 16)
        self.say = nn.Sequential(
            nn.Flatten(), nn.Linear(channels[-1] * places, hidden), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(hidden, 1),
        )  # fmt: skip

    def forward(self, seen: Tensor) -> Tensor:
        """Return the logarithm of the odds of what is asked."""
        said: Tensor = self.say(self.look(seen))
        return said


_make_facing_net = partial(CloseUpNet, CLOSE_UP, (16, 24, 32, 32, 40, 40, 24), 32)


def _draw_close_up(rng: np.random.Generator, name: Path) -> Iterator[CloseUpSample]:
    """Draw a close-up of a body of one photo, if it has one that can be seen."""
    _, owners, pieces = load_photo(name)
    sizes, _, _ = load_at_sizes(name)
    bodies = [
        np.array(piece["points"])
        for number, piece in enumerate(pieces, 1)
        if piece["kind"] == BODY_KIND and is_visible(piece, number, owners)
    ]
    ways = [(before - behind) / 2 for _, before, behind in bodies]
    large = [i for i, way in enumerate(ways) if np.hypot(*way) > MIN_PITCH]
    if not large:
        return
    chosen = large[int(rng.integers(len(large)))]
    way = ways[chosen]
    across = np.array([-way[1], way[0]])
    here = (
        bodies[chosen][0] + rng.normal(0, CENTRE_ERROR) * way + rng.normal(0, CENTRE_ERROR) * across
    )
    right = bool(rng.random() < 0.5)
    cut = take_portrait(rng, sizes, here, way if right else -way, CLOSE_UP)
    yield CloseUpSample(make_close_up_planes(cut), float(right))


def compute_facing_losses(said: Tensor, seen: CloseUpSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    right = torch.as_tensor(seen.right).float()
    return {"facing": functional.binary_cross_entropy_with_logits(said[:, 0], right)}


def train_facing_network(
    pool: Path, weights: Path, batch: int, rate: float, minutes: float
) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package."""
    draw, losses = _draw_close_up, compute_facing_losses
    train_network(
        _make_facing_net, draw, losses, pool, weights, batch, rate, minutes, FACING_NETWORK
    )


def export_facing_network(weights: Path, packed: Path, share: float = 1.0) -> None:
    """Write the network with these weights as the file that the package carries."""
    shape = (1, 3, CLOSE_UP.height, CLOSE_UP.width)
    export_network(_make_facing_net(), weights, shape, packed, share=share)
