"""The networks of published cards, with their training: a face, its rows, its levels."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from coatl_tools.vision.cards.face_networks import (
    COLUMN_KINDS,
    CORNER_OUTPUTS,
    COUNT_OUTPUTS,
    FACE_NETWORK,
    FAMILY_OUTPUTS,
    MAX_POINTS,
    PLATE_NETWORK,
    POINTS_OUTPUTS,
    ROW_NETWORK,
    STATE_OUTPUTS,
    TURN_OUTPUTS,
)
from coatl_tools.vision.cards.face_views import Floats, make_planes, make_row_planes
from training.card_pool import NOT_ASKED
from training.network_training import SampleDrawer, export_network, train_network
from training.portrait_networks import make_conv_step

DRAWN = 8  # views of a file that are used at once
SMOOTHING = 0.02  # of labels, so that no network is surer than it can be


class FaceSample(NamedTuple):
    """A view of a face, and what is true of it."""

    planes: Floats
    turned: int
    family: int
    corners: Floats


class RowSample(NamedTuple):
    """A view of a row, and what each of its columns shows."""

    planes: Floats
    columns: NDArray[np.int64]


class PlateSample(NamedTuple):
    """A view of a place where a level may stand, and what it shows."""

    planes: Floats
    state: int
    times: int
    points: int


class FaceNet(nn.Module):
    """A few convolutions, then everything that is to be said."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *make_conv_step(3, 16, 2), *make_conv_step(16, 24, 2), *make_conv_step(24, 32, 1),
            *make_conv_step(32, 48, 2), *make_conv_step(48, 64, 1), *make_conv_step(64, 32, 2),
        )  # fmt: skip
        self.say = nn.Sequential(
            nn.Flatten(), nn.Linear(32 * 8 * 6, 72), nn.ReLU(), nn.Dropout(0.05),
            nn.Linear(72, CORNER_OUTPUTS.stop),
        )  # fmt: skip

    def forward(self, seen: Tensor) -> Tensor:
        """Logits and corrections, as `face_networks` orders them."""
        said: Tensor = self.say(self.look(seen * 4 - 2))
        return said


class RowNet(nn.Module):
    """Convolutions that keep columns apart, then some that look along the row."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *make_conv_step(6, 20, 2), *make_conv_step(20, 32, 1), *make_conv_step(32, 48, 2),
            *make_conv_step(48, 48, 1), *_make_flat_step(48, 64, (3, 3), (2, 1), (1, 1)),
            *_make_flat_step(64, 96, (5, 1), (1, 1), (0, 0)),
            *_make_flat_step(96, 96, (1, 5), (1, 1), (0, 2)),
            *_make_flat_step(96, 96, (1, 5), (1, 1), (0, 2)),
            *_make_flat_step(96, 96, (1, 5), (1, 1), (0, 2)),
        )  # fmt: skip
        self.say = nn.Conv2d(96, COLUMN_KINDS, 1)

    def forward(self, seen: Tensor) -> Tensor:
        """Logits: kinds, then columns."""
        said: Tensor = self.say(self.look(seen * 4 - 2)).squeeze(2)
        return said


class PlateNet(nn.Module):
    """A few convolutions, then what a level says."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *make_conv_step(3, 16, 2), *make_conv_step(16, 32, 1), *make_conv_step(32, 48, 2),
            *make_conv_step(48, 32, 2),
        )  # fmt: skip
        self.say = nn.Sequential(
            nn.Flatten(), nn.Linear(32 * 5 * 10, 64), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(64, POINTS_OUTPUTS.stop),
        )  # fmt: skip

    def forward(self, seen: Tensor) -> Tensor:
        """Logits, as `face_networks` orders them."""
        said: Tensor = self.say(self.look(seen * 4 - 2))
        return said


def _make_flat_step(
    inward: int,
    outward: int,
    kernel: tuple[int, int],
    stride: tuple[int, int],
    pad: tuple[int, int],
) -> list[nn.Module]:
    convolution = nn.Conv2d(inward, outward, kernel, stride, pad, bias=False)
    return [convolution, nn.BatchNorm2d(outward), nn.ReLU()]


@lru_cache(maxsize=600)
def _load_labels(name: Path) -> dict[str, list[Any]]:
    labels: dict[str, list[Any]] = json.loads(name.read_text("utf-8"))
    return labels


def _load_some(
    rng: np.random.Generator, name: Path, part: str
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Load some views of a file, with their numbers."""
    views = np.load(name.with_name(f"{name.stem}-{part}.npy"), mmap_mode="r")
    for number in rng.choice(len(views), DRAWN, replace=False):
        yield np.asarray(views[number]), int(number)


def _tint(rng: np.random.Generator, planes: Floats) -> Floats:
    """Change the light a little more."""
    gains = np.exp(rng.normal(0, 0.05, 3) + rng.normal(0, 0.12)).astype(np.float32)
    return np.asarray(np.clip(planes * gains[:, None, None], 0, 1), np.float32)


def _draw_faces(rng: np.random.Generator, name: Path) -> Iterator[FaceSample]:
    labels = _load_labels(name)
    for view, number in _load_some(rng, name, "face"):
        corners = np.array(labels["corners"][number], np.float32)
        turned, family = labels["turned"][number], labels["family"][number]
        yield FaceSample(_tint(rng, make_planes(view)), turned, family, corners)


def _draw_rows(rng: np.random.Generator, name: Path) -> Iterator[RowSample]:
    labels = _load_labels(name)
    for views, number in _load_some(rng, name, "rows"):
        for view, columns in zip(views, labels["rows"][number], strict=True):
            if max(columns) == NOT_ASKED:
                continue
            gains = np.exp(rng.normal(0, 0.05, 3) + rng.normal(0, 0.12))
            tinted = np.clip(view * gains, 0, 255).astype(np.uint8)
            yield RowSample(make_row_planes(tinted), np.array(columns))


def _draw_plates(rng: np.random.Generator, name: Path) -> Iterator[PlateSample]:
    labels = _load_labels(name)
    for views, number in _load_some(rng, name, "plates"):
        for view, (state, count, points) in zip(views, labels["plates"][number], strict=True):
            if state != NOT_ASKED:
                yield PlateSample(_tint(rng, make_planes(view)), state, count, points)


def _cross_entropy(said: Tensor, true: Tensor) -> Tensor:
    if not bool((true != NOT_ASKED).any()):
        return said.sum() * 0
    return functional.cross_entropy(said, true, ignore_index=NOT_ASKED, label_smoothing=SMOOTHING)


def compute_face_losses(said: Tensor, seen: FaceSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    turned, family, corners = (torch.as_tensor(part) for part in seen[1:])
    own = (family != NOT_ASKED).float()
    apart = functional.smooth_l1_loss(said[:, CORNER_OUTPUTS], corners, reduction="none", beta=0.1)
    return {
        "turned": _cross_entropy(said[:, TURN_OUTPUTS], turned),
        "family": _cross_entropy(said[:, FAMILY_OUTPUTS], family),
        "corners": 5 * (apart.mean(1) * own).sum() / own.sum().clamp(min=1),
    }


def compute_row_losses(said: Tensor, seen: RowSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    return {"columns": _cross_entropy(said, torch.as_tensor(seen.columns))}


def compute_plate_losses(said: Tensor, seen: PlateSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    state, count, points = (torch.as_tensor(part) for part in seen[1:])
    none = torch.full_like(count, NOT_ASKED)
    count = torch.where(count > 0, count - 1, none)
    points = torch.where((points > 0) & (points <= MAX_POINTS), points - 1, none)
    return {
        "state": _cross_entropy(said[:, STATE_OUTPUTS], state),
        "count": _cross_entropy(said[:, COUNT_OUTPUTS], count),
        "points": _cross_entropy(said[:, POINTS_OUTPUTS], points),
    }


class _Training(NamedTuple):
    """How a network is made, shown samples and judged; what it is shown, and its file."""

    make_net: Callable[[], nn.Module]
    draw: SampleDrawer
    losses: Callable[[Tensor, Any], dict[str, Tensor]]
    shape: tuple[int, ...]
    packed: Path


_TRAININGS = {
    "faces": _Training(FaceNet, _draw_faces, compute_face_losses, (1, 3, 128, 96), FACE_NETWORK),
    "rows": _Training(RowNet, _draw_rows, compute_row_losses, (1, 6, 40, 160), ROW_NETWORK),
    "plates": _Training(
        PlateNet, _draw_plates, compute_plate_losses, (1, 3, 40, 80), PLATE_NETWORK
    ),
}
CARD_NETWORKS = tuple(_TRAININGS)


def train_card_network(
    which: str, pool: Path, weights: Path, batch: int, rate: float, minutes: float
) -> None:
    """Train one for some minutes, beginning from `weights`, or else from the package's network."""
    how = _TRAININGS[which]
    train_network(
        how.make_net, how.draw, how.losses, pool, weights, batch, rate, minutes, how.packed
    )


def export_card_network(which: str, weights: Path) -> None:
    """Write a network with these weights as the file that the package carries."""
    how = _TRAININGS[which]
    export_network(how.make_net(), weights, how.shape, how.packed)
