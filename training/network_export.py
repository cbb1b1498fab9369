"""Export a network as the file that the package carries: ONNX, its weights rounded, compressed."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

MANTISSA_BITS = 11  # bits of it that are kept: the rest is noise, and noise does not pack
MAX_PACKED_BYTES = 5_000_000  # bytes of a packed file


def export_network(net: nn.Module, shape: tuple[int, ...], packed: Path) -> None:
    """Write a network that was shown this shape; OpenCV accepts other heights and widths too.

    The same weights always make the same bytes. Raises ValueError if a weight is no number, or
    if the file would be too large for the package.
    """
    plain = io.BytesIO()
    torch.onnx.export(
        net.eval(), (torch.zeros(shape),), plain, dynamo=False, opset_version=13,
        input_names=["seen"], output_names=["said"],
    )  # fmt: skip
    model = onnx.load_model_from_string(plain.getvalue())
    for weights in model.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            short = round_weights(numpy_helper.to_array(weights), weights.name)
            weights.CopyFrom(numpy_helper.from_array(short, weights.name))
    content = gzip.compress(model.SerializeToString(deterministic=True), 9, mtime=0)
    if len(content) > MAX_PACKED_BYTES:
        raise ValueError(
            f"The packed network has {len(content):,} bytes; {MAX_PACKED_BYTES:,} are allowed. "
            "Make its layers narrower."
        )
    packed.with_suffix(".new").write_bytes(content)
    packed.with_suffix(".new").replace(packed)


def round_weights(weights: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """Weights with fewer bits of mantissa, each the nearest one, ties to even."""
    if not np.isfinite(weights).all():
        raise ValueError(f"The weights {name} have values that are no numbers. Train again.")
    spare = np.uint32(23 - MANTISSA_BITS)
    bits = np.ascontiguousarray(weights).view(np.uint32)
    half = np.uint32((1 << int(spare) - 1) - 1) + (bits >> spare & np.uint32(1))
    return ((bits + half) >> spare << spare).view(np.float32)
