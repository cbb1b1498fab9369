"""Training: photos of the pool in, weights out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, distributed
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from coatl_tools.vision.pieces.maps import (
    COLOURS,
    JOINT,
    KINDS,
    MIDDLE,
    PIECE,
    TO_HEAD,
    TO_MIDDLE,
)
from training.crops import Crop, random_crop
from training.network import PieceNet
from training.packing import pack


class Crops(IterableDataset[Crop]):
    """Crops of all photos of a folder, without an end."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed

    def __iter__(self) -> Iterator[Crop]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        names = sorted(self.folder.glob("*.json"))
        count = 0
        while True:
            count += 1
            if count % 500 == 0:
                names = sorted(self.folder.glob("*.json"))  # the pool may still grow
            yield random_crop(rng, names[int(rng.integers(len(names)))])


def losses(said: Tensor, crop: Crop) -> dict[str, Tensor]:
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
        "middle": _focal(said[:, MIDDLE], peaks[:, 0], weight),
        "joint": _focal(said[:, JOINT], peaks[:, 1], weight),
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


def _focal(said: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """The loss of a map of peaks, which are rare."""
    probability = torch.sigmoid(said).clamp(1e-4, 1 - 1e-4)
    peak = (wanted > 0.999).float()
    found = -torch.log(probability) * (1 - probability) ** 2 * peak
    empty = -torch.log(1 - probability) * probability**2 * (1 - wanted) ** 4 * (1 - peak)
    return ((found + empty) * weight).sum() / (peak * weight).sum().clamp(min=1)


def learn(
    pool: Path, weights: Path, batch: int, rate: float, minutes: float, rank: int, ranks: int
) -> None:
    """Train for some minutes, beginning from `weights` if they are there.

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
    if weights.exists():
        net.load_state_dict(torch.load(weights))
    seed = int(time.time()) * ranks + rank
    ahead = DataLoader(Crops(pool, seed), batch, num_workers=1, prefetch_factor=6)
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
        parts = losses(net(crop.picture.to(memory_format=torch.channels_last)), crop)
        optimiser.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        if ranks > 1:
            _share(net, ranks)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for name, part in parts.items():
            value = part.item()
            running[name] = running.get(name, value) * 0.98 + value * 0.02
        if rank == 0 and step % 50 == 0:
            told = "  ".join(f"{name} {value:.3f}" for name, value in running.items())
            print(f"{step:6} {time.monotonic() - begin:7.0f} s  {told}", flush=True)
        if rank == 0 and step % 200 == 199:
            _keep(net, weights)
    if rank == 0:
        _keep(net, weights)


def _share(net: PieceNet, ranks: int) -> None:
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


def _keep(net: PieceNet, weights: Path) -> None:
    torch.save(net.state_dict(), weights.with_suffix(".new"))
    weights.with_suffix(".new").replace(weights)


def export(weights: Path, packed: Path) -> None:
    """Write the network with these weights as the file that the package carries."""
    net = PieceNet()
    net.load_state_dict(torch.load(weights))
    pack(net, (1, 3, 480, 640), packed)
