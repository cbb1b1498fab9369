"""Run a neural network that the package carries as a packed ONNX file."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

LEAST_SEVERE_SHOWN = 3  # errors only: it would warn of missing graphics cards


def run_network(weights: Path, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Run a network on one or more inputs of the same size; the first axis counts them."""
    (said,) = _load_network(weights).run(None, {"seen": seen})
    return np.asarray(said, np.float32)


@cache
def _load_network(weights: Path) -> onnxruntime.InferenceSession:
    onnxruntime.set_default_logger_severity(LEAST_SEVERE_SHOWN)
    onnxruntime.disable_telemetry_events()  # those of its builds for Windows
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = cv2.getNumThreads()  # one setting for both
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep what the largest picture has needed
    options.enable_mem_pattern = False  # nor a plan of memory for every size of picture
    packed = gzip.decompress(weights.read_bytes())
    return onnxruntime.InferenceSession(packed, options, providers=["CPUExecutionProvider"])
