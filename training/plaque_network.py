"""The networks that find published cards by their plaques, as `plaque_search` runs them.

One finds plaques and tells roughly where their cards lie, the other one corrects that.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from coatl_tools.vision.cards.plaque_search import (
    CORNER_MAPS,
    PLACE_NETWORK,
    PLAQUE_KINDS,
    PLAQUE_MAPS,
    PLAQUE_NETWORK,
)
from training.network_training import export_network, train_network
from training.piece_network import MapNet, compute_focal_loss
from training.plaque_crops import PlaceSample, PlaqueCrop, draw_place_samples, draw_plaque_crops
from training.portrait_networks import make_conv_step


class PlaqueNet(MapNet):
    """Finds plaques; peaks are the middles of both kinds."""

    def __init__(self) -> None:
        super().__init__((12, 24, 40, 64, 96), (64, 48, 32), PLAQUE_MAPS, PLAQUE_KINDS)


class PlaceNet(nn.Module):
    """A few convolutions, then the corners."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *make_conv_step(3, 16, 2), *make_conv_step(16, 32, 1), *make_conv_step(32, 48, 2),
            *make_conv_step(48, 64, 1), *make_conv_step(64, 64, 2), *make_conv_step(64, 40, 2),
        )  # fmt: skip
        self.say = nn.Sequential(
            nn.Flatten(), nn.Linear(40 * 8 * 6, 96), nn.ReLU(), nn.Linear(96, 8)
        )

    def forward(self, seen: Tensor) -> Tensor:
        """Return the corrections of the corners."""
        said: Tensor = self.say(self.look(seen * 4 - 2))
        return said


def compute_plaque_losses(said: Tensor, crop: PlaqueCrop) -> dict[str, Tensor]:
    """How far the maps are from what is wanted."""
    peaks, corners, own, weight = map(torch.as_tensor, crop[1:])
    off = (said[:, CORNER_MAPS] - corners).abs().mean(1) * own
    losses = {
        name: compute_focal_loss(said[:, kind], peaks[:, kind], weight[:, kind])
        for kind, name in enumerate(("bottom", "turned"))
    }
    return losses | {"corners": 10 * off.sum() / (own > 0).sum().clamp(min=1)}


def train_plaque_network(
    faces: Path, weights: Path, batch: int, rate: float, minutes: float
) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package."""
    train_network(
        PlaqueNet, draw_plaque_crops, compute_plaque_losses, faces, weights, batch, rate, minutes,
        PLAQUE_NETWORK,
    )  # fmt: skip


def export_plaque_network(weights: Path) -> None:
    """Write the network with these weights as the file that the package carries."""
    export_network(PlaqueNet(), weights, (1, 3, 480, 640), PLAQUE_NETWORK, any_size=True)


def compute_place_losses(said: Tensor, sample: PlaceSample) -> dict[str, Tensor]:
    """How far the corners are from the true ones."""
    corners = torch.as_tensor(sample.corners)
    return {"corners": 10 * functional.smooth_l1_loss(said, corners, beta=0.05)}


def train_place_network(
    faces: Path, weights: Path, batch: int, rate: float, minutes: float
) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package."""
    train_network(
        PlaceNet, draw_place_samples, compute_place_losses, faces, weights, batch, rate, minutes,
        PLACE_NETWORK,
    )  # fmt: skip


def export_place_network(weights: Path) -> None:
    """Write the network with these weights as the file that the package carries."""
    export_network(PlaceNet(), weights, (1, 3, 128, 96), PLACE_NETWORK)
