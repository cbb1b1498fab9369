"""Begin from a network of the package: its file holds the weights of each layer.

Batch norms are folded into the convolutions before them when a network is exported. They are put
back here: each one is given the mean and the spread that it sees in a few batches, and what undoes
both, so the network says the same as before and can be trained on.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

Weights = NDArray[np.float32]
_WEIGHED = ("Conv", "Gemm")


def load_packed_weights(net: nn.Module, packed: Path, pictures: Iterable[Tensor]) -> None:
    """Load the weights of a file of the package into a new network.

    `pictures` are batches of what it is trained on. Raises ValueError if the file is of another
    network.
    """
    stored = _read_layers(packed)
    first, *others = pictures
    layers = _list_layers(net, first)
    shapes = [tuple(layer.weight.shape) for layer, _ in layers]
    if shapes != [weight.shape for weight, _ in stored]:
        raise ValueError(f"{packed.name} is of a network with other layers.")
    with torch.no_grad():
        for (layer, norm), (weight, bias) in zip(layers, stored, strict=True):
            layer.weight.copy_(torch.from_numpy(weight.copy()))
            own = layer if norm is None else norm
            assert isinstance(own.bias, Tensor)
            own.bias.copy_(torch.from_numpy(bias.copy()))
            if norm is not None:
                assert norm.running_mean is not None
                assert norm.running_var is not None
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
        _restore_norms([norm for _, norm in layers if norm is not None], net, [first, *others])


def _read_layers(packed: Path) -> list[tuple[Weights, Weights]]:
    """Read the weights and biases of all layers, in the order in which they are used."""
    graph = onnx.load_model_from_string(gzip.decompress(packed.read_bytes())).graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in _WEIGHED]
    return [(values[node.input[1]], values[node.input[2]]) for node in nodes]


def _list_layers(
    net: nn.Module, pictures: Tensor
) -> list[tuple[nn.Conv2d | nn.Linear, nn.BatchNorm2d | None]]:
    """List the layers with weights as they are used, each with its batch norm."""
    used: list[nn.Module] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    hooks = [
        part.register_forward_hook(lambda module, *_: used.append(module))
        for part in net.modules()
        if isinstance(part, kinds)
    ]
    with torch.no_grad():
        net.eval()(pictures)
    for hook in hooks:
        hook.remove()
    return [
        (part, following if isinstance(following, nn.BatchNorm2d) else None)
        for part, following in zip(used, [*used[1:], None], strict=True)
        if isinstance(part, nn.Conv2d | nn.Linear)
    ]


def _restore_norms(norms: list[nn.BatchNorm2d], net: nn.Module, batches: list[Tensor]) -> None:
    """Give folded batch norms the mean and variance that they see, so that they say the same."""
    sums: dict[nn.Module, list[Tensor]] = {norm: [] for norm in norms}

    def measure(module: nn.Module, inward: tuple[Tensor, ...], _: Tensor) -> None:
        seen = inward[0].double()
        sums[module].append(torch.stack([seen.mean((0, 2, 3)), seen.square().mean((0, 2, 3))]))

    hooks = [norm.register_forward_hook(measure) for norm in norms]
    for pictures in batches:
        net.eval()(pictures)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, square = torch.stack(sums[norm]).mean(0)
        variance = square - mean.square()
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.copy_(norm.bias + mean)
