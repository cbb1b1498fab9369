"""The network that tells from close-ups which way a piece faces, and its training."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from coatl_tools.vision.pieces.portraits import CLOSE_UP, make_close_up_planes
from training.crops import load_photo
from training.network_export import export_network
from training.portrait_network import is_visible, load_at_sizes, make_conv_step, take_portrait
from training.training_loop import train_network

BODY_KIND = 1
CENTRE_ERROR = 0.06  # pitches by which the search misses the middle of a piece, as a rule
MIN_PITCH = 16  # pixels from a piece to the next; nobody sees scales in less


class CloseUpSample(NamedTuple):
    """A close-up, and whether the head lies at its right."""

    planes: NDArray[np.float32]
    right: float


class FacingNet(nn.Module):
    """A few convolutions, then one number."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *make_conv_step(3, 16, 2), *make_conv_step(16, 24, 1), *make_conv_step(24, 32, 2),
            *make_conv_step(32, 32, 1),
            *make_conv_step(32, 40, 2), *make_conv_step(40, 40, 1), *make_conv_step(40, 24, 2),
        )  # fmt: skip
        self.say = nn.Sequential(
            nn.Flatten(), nn.Linear(24 * (CLOSE_UP.height // 16) * (CLOSE_UP.width // 16), 32),
            nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1),
        )  # fmt: skip

    def forward(self, seen: Tensor) -> Tensor:
        """The logarithm of the odds that the head lies at the right."""
        said: Tensor = self.say(self.look(seen))
        return said


class CloseUpDataset(IterableDataset[CloseUpSample]):
    """Close-ups of the bodies in all photos, without an end."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed

    def __iter__(self) -> Iterator[CloseUpSample]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        names = sorted(self.folder.glob("*.json"))
        while True:
            taken_one = random_close_up(rng, names[int(rng.integers(len(names)))])
            if taken_one is not None:
                yield taken_one


def random_close_up(rng: np.random.Generator, name: Path) -> CloseUpSample | None:
    """A body of one photo, if it has one that can be seen."""
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
        return None
    chosen = large[int(rng.integers(len(large)))]
    way = ways[chosen]
    across = np.array([-way[1], way[0]])
    here = (
        bodies[chosen][0] + rng.normal(0, CENTRE_ERROR) * way + rng.normal(0, CENTRE_ERROR) * across
    )
    right = bool(rng.random() < 0.5)
    cut = take_portrait(rng, sizes, here, way if right else -way, CLOSE_UP)
    return CloseUpSample(make_close_up_planes(cut), float(right))


def compute_losses(said: Tensor, seen: CloseUpSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    right = torch.as_tensor(seen.right).float()
    return {"facing": functional.binary_cross_entropy_with_logits(said[:, 0], right)}


def train_facing_network(
    pool: Path, weights: Path, batch: int, rate: float, minutes: float
) -> None:
    """Train for some minutes, beginning from `weights` if they are there."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    seen = CloseUpDataset(pool, int(time.time()))
    ahead = DataLoader(seen, batch, num_workers=1, prefetch_factor=6)
    train_network(FacingNet(), ahead, compute_losses, weights, rate, minutes)


def export_facing_network(weights: Path, packed: Path) -> None:
    """Write the network with these weights as the file that the package carries."""
    net = FacingNet()
    net.load_state_dict(torch.load(weights))
    export_network(net, (1, 3, CLOSE_UP.height, CLOSE_UP.width), packed)
