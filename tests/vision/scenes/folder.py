"""A folder of photos with their labels, as `python -m benchmarks photos` reads it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.vision.scenes.photo import Scene


def write_folder(folder: Path, scenes: Iterable[Scene]) -> None:
    """Write the photos, `labels.json` and `geometry.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    labels, geometry = [], []
    for scene in scenes:
        (folder / scene.label["file"]).write_bytes(scene.data)
        labels.append(scene.label)
        geometry.append(scene.geometry)
    (folder / "labels.json").write_text(_lines(labels), "utf-8")
    (folder / "geometry.json").write_text(_lines(geometry), "utf-8")


def _lines(rows: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"
