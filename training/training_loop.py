"""Train a small network on one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn


def train_network(
    net: nn.Module,
    batches: Iterable[Any],
    losses: Callable[[Tensor, Any], dict[str, Tensor]],
    weights: Path,
    rate: float,
    minutes: float,
) -> None:
    """Train for some minutes, beginning from `weights` if they are there.

    A batch is a tuple whose first part the network sees; it goes on for as long as wanted.
    """
    if weights.exists():
        net.load_state_dict(torch.load(weights))
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    begin, running = time.monotonic(), dict[str, float]()
    for step, batch in enumerate(batches):
        spent = (time.monotonic() - begin) / 60 / minutes
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            slow = 0.01 + 0.99 * (0.5 + 0.5 * np.cos(np.pi * spent))
            group["lr"] = rate * min(1, (step + 1) / 100) * slow
        parts = losses(net(batch[0]), batch)
        optimiser.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        optimiser.step()
        for name, part in parts.items():
            running[name] = running.get(name, part.item()) * 0.98 + part.item() * 0.02
        if step % 100 == 0:
            told = "  ".join(f"{name} {value:.3f}" for name, value in running.items())
            print(f"{step:6} {time.monotonic() - begin:7.0f} s  {told}", flush=True)
        if step % 500 == 499:
            torch.save(net.state_dict(), weights)
    torch.save(net.state_dict(), weights)
