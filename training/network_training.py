"""What all networks share: train on one core, and export as the file that the package carries."""

from __future__ import annotations

import gzip
import io
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from training.packed_weights import load_packed_weights

MAX_GRADIENT = 5.0  # of a step, so that no sample throws the network off
NORM_BATCHES = 8  # batches to measure what batch norms see
SampleDrawer = Callable[[np.random.Generator, Path], Iterable[Any]]  # draws from one photo


class _SampleDataset(IterableDataset[Any]):
    """Samples drawn from the photos of a folder, in any order, without an end."""

    def __init__(self, folder: Path, draw: SampleDrawer, seed: int) -> None:
        self.folder, self.draw, self.seed = folder, draw, seed

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        names: list[Path] = []
        for count in itertools.count():
            if count % 500 == 0:
                names = sorted(self.folder.glob("*.json"))  # the pool may still grow
            yield from self.draw(rng, names[int(rng.integers(len(names)))])


def load_batches(folder: Path, draw: SampleDrawer, batch: int, seed: int) -> DataLoader[Any]:
    """Draw samples from the photos of a folder in another process, in batches, without an end."""
    dataset = _SampleDataset(folder, draw, seed)
    return DataLoader(dataset, batch, num_workers=1, prefetch_factor=6)


def begin_network(net: nn.Module, weights: Path, packed: Path, batches: DataLoader[Any]) -> None:
    """Load `weights` if they are there, else those of a file of the package, if that is there."""
    if weights.is_file():
        net.load_state_dict(torch.load(weights))
    elif packed.exists():
        some = itertools.islice(batches, NORM_BATCHES)
        load_packed_weights(net, packed, [torch.as_tensor(batch[0]) for batch in some])


def train_network(
    make_net: Callable[[], nn.Module],
    draw: SampleDrawer,
    losses: Callable[[Tensor, Any], dict[str, Tensor]],
    pool: Path,
    weights: Path,
    batch: int,
    rate: float,
    minutes: float,
    packed: Path,
) -> None:
    """Train for some minutes, beginning from `weights`, or else from `packed`.

    A sample is a tuple whose first part the network sees.
    """
    torch.manual_seed(1)
    torch.set_num_threads(1)
    net, batches = make_net(), load_batches(pool, draw, batch, int(time.time()))
    begin_network(net, weights, packed, batches)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    begin, running = time.monotonic(), dict[str, float]()
    for step, samples in enumerate(batches):
        spent = (time.monotonic() - begin) / 60 / minutes
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            slow = 0.01 + 0.99 * (0.5 + 0.5 * np.cos(np.pi * spent))
            group["lr"] = rate * min(1, (step + 1) / 100) * slow
        parts = losses(net(samples[0]), samples)
        optimiser.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT)
        optimiser.step()
        for name, part in parts.items():
            running[name] = running.get(name, part.item()) * 0.98 + part.item() * 0.02
        if step % 100 == 0:
            told = "  ".join(f"{name} {value:.3f}" for name, value in running.items())
            print(f"{step:6} {time.monotonic() - begin:7.0f} s  {told}", flush=True)
        if step % 500 == 499:
            torch.save(net.state_dict(), weights)
    torch.save(net.state_dict(), weights)


MANTISSA_BITS = 11  # bits of it that are kept: the rest is noise, and noise does not pack
MAX_PACKED_BYTES = 5_000_000  # bytes of a packed file


def export_network(
    net: nn.Module,
    weights: Path,
    shape: tuple[int, ...],
    packed: Path,
    any_size: bool = False,
    share: float = 1.0,
) -> None:
    """Write a network with these weights as the file that the package carries.

    It is shown one picture of this shape, and accepts several at once; with `any_size`, they may
    have other heights and widths. With a `share` below 1, the rest of each weight is that of the
    file before: it forgets less of what it knew. The same weights always make the same bytes.
    Raises ValueError if a weight is no number, or if the file would be too large for the package.
    """
    net.load_state_dict(torch.load(weights))
    seen, said = {0: "count"}, {0: "count"}
    if any_size:
        seen, said = seen | {2: "height", 3: "width"}, said | {2: "rows", 3: "columns"}
    plain = io.BytesIO()
    torch.onnx.export(
        net.eval(), (torch.zeros(shape),), plain, dynamo=False, opset_version=13,
        input_names=["seen"], output_names=["said"], dynamic_axes={"seen": seen, "said": said},
    )  # fmt: skip
    model = onnx.load_model_from_string(plain.getvalue())
    before = _load_stored_weights(packed) if share < 1 else {}
    for layer in model.graph.initializer:
        if layer.data_type == onnx.TensorProto.FLOAT:
            learned = numpy_helper.to_array(layer)
            mixed = share * learned + (1 - share) * before.get(layer.name, learned)
            short = round_weights(np.asarray(mixed, np.float32), layer.name)
            layer.CopyFrom(numpy_helper.from_array(short, layer.name))
    content = gzip.compress(model.SerializeToString(deterministic=True), 9, mtime=0)
    if len(content) > MAX_PACKED_BYTES:
        raise ValueError(
            f"The packed network has {len(content):,} bytes; {MAX_PACKED_BYTES:,} are allowed. "
            "Make its layers narrower."
        )
    packed.with_suffix(".new").write_bytes(content)
    packed.with_suffix(".new").replace(packed)


def _load_stored_weights(packed: Path) -> dict[str, NDArray[np.float32]]:
    model = onnx.load_model_from_string(gzip.decompress(packed.read_bytes()))
    return {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}


def round_weights(weights: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """Weights with fewer bits of mantissa, each the nearest one, ties to even."""
    if not np.isfinite(weights).all():
        raise ValueError(f"The weights {name} have values that are no numbers. Train again.")
    spare = np.uint32(23 - MANTISSA_BITS)
    bits = np.ascontiguousarray(weights).view(np.uint32)
    half = np.uint32((1 << int(spare) - 1) - 1) + (bits >> spare & np.uint32(1))
    return ((bits + half) >> spare << spare).view(np.float32)
