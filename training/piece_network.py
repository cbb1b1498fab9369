"""The network from a picture to maps, as `networks` describes them, and its training."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, distributed, nn
from torch.nn import functional

from coatl_tools.vision.pieces.networks import (
    COLOURS,
    JOINT,
    KINDS,
    MAP_COUNT,
    MIDDLE,
    PIECE,
    PIECE_NETWORK,
    TO_HEAD,
    TO_MIDDLE,
)
from training.crops import PhotoCrop, random_crop
from training.network_training import begin_network, export_network, load_batches


def make_norm_step(inward: int, outward: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Make a convolution with a batch norm."""
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outward),
        nn.ReLU(inplace=True),
    )


class ConvBlock(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = make_norm_step(width, width, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return what both say together."""
        return torch.relu(x + self.second(self.first(x)))


class UpBlock(nn.Module):
    """To twice the size, joined with what was there on the way down."""

    def __init__(self, inward: int, beside: int, outward: int) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(inward, outward, 1)
        self.mix = make_norm_step(outward + beside, outward)

    def forward(self, x: Tensor, beside: Tensor) -> Tensor:
        """Join what was seen from afar with what was seen before."""
        larger = nn.functional.interpolate(self.narrow(x), scale_factor=2, mode="nearest")
        mixed: Tensor = self.mix(torch.cat([larger, beside], dim=1))
        return mixed


class MapNet(nn.Module):
    """Says maps of a picture: RGB from 0 to 1, sides that are multiples of 32.

    It looks at a quarter of the size, an eighth, and so on, each so many channels wide, and comes
    back up to a quarter. The first maps are of peaks.
    """

    def __init__(self, down: Sequence[int], up: Sequence[int], maps: int, peaks: int) -> None:
        super().__init__()
        step = make_norm_step
        first, quarter, eighth, sixteenth, small = down
        wide, middle, last = up
        self.quarter = nn.Sequential(step(3, first, 2), step(first, quarter, 2), ConvBlock(quarter))
        self.eighth = nn.Sequential(step(quarter, eighth, 2), ConvBlock(eighth), ConvBlock(eighth))
        self.sixteenth = nn.Sequential(
            step(eighth, sixteenth, 2), ConvBlock(sixteenth), ConvBlock(sixteenth)
        )
        self.small = nn.Sequential(step(sixteenth, small, 2), ConvBlock(small, 2), ConvBlock(small))
        self.up3, self.up2 = UpBlock(small, sixteenth, wide), UpBlock(wide, eighth, middle)
        self.up1 = UpBlock(middle, quarter, last)
        self.maps = nn.Sequential(step(last, last), nn.Conv2d(last, maps, 1))
        bias = self.maps[1].bias
        assert isinstance(bias, Tensor)
        nn.init.constant_(bias[:peaks], -3.0)  # peaks are rare

    def forward(self, picture: Tensor) -> Tensor:
        """Return the maps of a picture."""
        quarter = self.quarter(picture * 4 - 2)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        x = self.up3(self.small(sixteenth), sixteenth)
        maps: Tensor = self.maps(self.up1(self.up2(x, eighth), quarter))
        return maps


class PieceNet(MapNet):
    """Finds pieces; peaks are their middles and joints."""

    def __init__(self) -> None:
        super().__init__((16, 32, 64, 96, 128), (96, 64, 48), MAP_COUNT, 2)


def _draw_crop(rng: np.random.Generator, name: Path) -> Iterator[PhotoCrop]:
    yield random_crop(rng, name)


def compute_losses(said: Tensor, crop: PhotoCrop) -> dict[str, Tensor]:
    """How far the maps are from what is wanted, each part by itself."""
    peaks, piece, kind, colour, vectors, weight = map(torch.as_tensor, crop[1:])
    own = piece * weight
    count = own.sum().clamp(min=1)

    def mean(part: Tensor) -> Tensor:
        return (part * own).sum() / count

    shape = functional.binary_cross_entropy_with_logits(
        said[:, PIECE], piece, weight=weight, reduction="sum"
    )
    off = said[:, TO_MIDDLE.start : TO_HEAD.stop] - vectors
    return {
        "middle": compute_focal_loss(said[:, MIDDLE], peaks[:, 0], weight),
        "joint": compute_focal_loss(said[:, JOINT], peaks[:, 1], weight),
        "piece": shape / weight.sum().clamp(min=1) * 4,
        "kind": 2
        * mean(functional.cross_entropy(said[:, KINDS], kind, ignore_index=-1, reduction="none")),
        "colour": mean(
            functional.cross_entropy(said[:, COLOURS], colour, ignore_index=-1, reduction="none")
        ),
        "offset": 2 * mean(off[:, :2].abs().sum(1)),
        "axis": 2 * mean(off[:, 2:4].abs().sum(1)),
        "facing": 0.5 * mean(off[:, 4:].square().sum(1)),
    }


def compute_focal_loss(said: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Return the loss of a map of peaks, which are rare."""
    probability = torch.sigmoid(said).clamp(1e-4, 1 - 1e-4)
    peak = (wanted > 0.999).float()
    found = -torch.log(probability) * (1 - probability) ** 2 * peak
    empty = -torch.log(1 - probability) * probability**2 * (1 - wanted) ** 4 * (1 - peak)
    return ((found + empty) * weight).sum() / (peak * weight).sum().clamp(min=1)


def train_piece_network(
    pool: Path, weights: Path, batch: int, rate: float, minutes: float, rank: int, ranks: int
) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package.

    Several processes, each on a core, share the work: every one takes its own crops, and they
    step together. The first one keeps the weights.
    """
    torch.manual_seed(1)
    torch.set_num_threads(1)
    if ranks > 1:
        distributed.init_process_group(
            "gloo", init_method=f"file://{weights.absolute()}.meet", rank=rank, world_size=ranks
        )
    net = PieceNet().to(memory_format=torch.channels_last)
    seed = int(time.time()) * ranks + rank
    ahead = load_batches(pool, _draw_crop, batch, seed)
    begin_network(net, weights, PIECE_NETWORK, ahead)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    begin, running = time.monotonic(), dict[str, float]()
    for step, crop in enumerate(ahead):
        spent = torch.tensor((time.monotonic() - begin) / 60 / minutes)
        if ranks > 1:
            distributed.broadcast(spent, 0)
        if spent >= 1:
            break
        slow = min(1.0, (step + 1) / 100) * (
            0.02 + 0.98 * (0.5 + 0.5 * np.cos(np.pi * float(spent)))
        )
        for group in optimiser.param_groups:
            group["lr"] = rate * slow
        net.train()
        parts = compute_losses(net(crop.picture.to(memory_format=torch.channels_last)), crop)
        optimiser.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        if ranks > 1:
            _share_weights(net, ranks)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for name, part in parts.items():
            value = part.item()
            running[name] = running.get(name, value) * 0.98 + value * 0.02
        if rank == 0 and step % 50 == 0:
            told = "  ".join(f"{name} {value:.3f}" for name, value in running.items())
            print(f"{step:6} {time.monotonic() - begin:7.0f} s  {told}", flush=True)
        if rank == 0 and step % 200 == 199:
            _save_weights(net, weights)
    if rank == 0:
        _save_weights(net, weights)


def _share_weights(net: PieceNet, ranks: int) -> None:
    """Average the gradients of all processes."""
    own = [p for p in net.parameters() if p.grad is not None]
    flat = torch.cat([p.grad.reshape(-1) for p in own if p.grad is not None])
    distributed.all_reduce(flat)
    flat /= ranks
    at = 0
    for p in own:
        p.grad = (
            flat[at : at + p.numel()].reshape(p.shape).clone(memory_format=torch.preserve_format)
        )
        at += p.numel()


def _save_weights(net: PieceNet, weights: Path) -> None:
    torch.save(net.state_dict(), weights.with_suffix(".new"))
    weights.with_suffix(".new").replace(weights)


def export_piece_network(weights: Path, packed: Path, share: float = 1.0) -> None:
    """Write the network with these weights as the file that the package carries."""
    export_network(PieceNet(), weights, (1, 3, 480, 640), packed, any_size=True, share=share)
