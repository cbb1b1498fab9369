"""How long a 12-megapixel photo takes on one core, beside decoding it."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from benchmarks.photos.figures import RENDERED, measure_decoding, measure_peak_megabytes
from benchmarks.photos.labels import LabelsError
from benchmarks.photos.readers import Reader
from coatl_tools.vision.stage_trace import Trace

MEGAPIXELS = 12.0


@contextmanager
def limit_to_one_core() -> Iterator[None]:
    """Let OpenCV, and whatever it starts, have one core."""
    threads = cv2.getNumThreads()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    cv2.setNumThreads(1)
    try:
        if cores:
            os.sched_setaffinity(0, {min(cores)})
        yield
    finally:
        cv2.setNumThreads(threads)
        if cores:
            os.sched_setaffinity(0, cores)


def measure_speed(
    image: Path, reader: Reader, rounds: int = 5, megapixels: float = MEGAPIXELS
) -> Iterable[str]:
    """Measure the times of one photo, scaled to so many megapixels, line by line."""
    with tempfile.TemporaryDirectory() as name, limit_to_one_core():
        path, size = _scale_photo(image, Path(name), megapixels)
        totals, stages, bounds = list[float](), dict[str, list[float]](), list[float]()
        worked = 0.0
        for _ in range(rounds):
            bounds.append(measure_decoding(path))
            trace = Trace()
            begin, before = time.perf_counter(), _measure_processor_seconds()
            reader(path, trace)
            totals.append(time.perf_counter() - begin)
            worked += (_measure_processor_seconds() - before) / rounds
            for stage, seconds in trace.seconds.items():
                stages.setdefault(stage, []).append(seconds)
    width, height = size
    yield (
        f"{image.name} at {width} × {height} ({width * height / 1e6:.1f} megapixels), one core, "
        f"the median of {rounds} ({RENDERED})"
    )
    for stage, times in stages.items():
        yield f"  {stage:<24}{statistics.median(times) * 1e3:>8.0f} ms"
    total, bound = statistics.median(totals), statistics.median(bounds)
    yield f"  {'total':<24}{total * 1e3:>8.0f} ms, {worked * 1e3:.0f} ms of them at work"
    yield f"  {'lower bound: decoding':<24}{bound * 1e3:>8.0f} ms; total = {total / bound:.1f} ×"
    yield f"peak memory of the process: {measure_peak_megabytes():.0f} MB"


def _measure_processor_seconds() -> float:
    """Of this process and those it has started: on a busy machine, less than a clock says."""
    return sum(os.times()[:4])


def _scale_photo(image: Path, folder: Path, megapixels: float) -> tuple[Path, tuple[int, int]]:
    """Scale the photo as a JPEG of that many megapixels; itself, if it has them."""
    try:
        data = np.frombuffer(image.read_bytes(), np.uint8)
    except OSError as error:
        raise LabelsError(f"{image} cannot be read: {error}") from error
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if pixels is None:
        raise LabelsError(f"{image} is not a picture that can be timed")
    height, width = pixels.shape[:2]
    factor = (megapixels * 1e6 / (width * height)) ** 0.5
    if abs(factor - 1) < 0.02:
        return image, (width, height)
    larger = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    path = folder / "photo.jpg"
    cv2.imwrite(str(path), larger, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return path, (larger.shape[1], larger.shape[0])
