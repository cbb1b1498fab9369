"""The figures on a fixed set of rendered photos: a change that makes the reader worse is told.

`make golden` renews them; they may only be renewed for the better, or with a reason.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.vision.photo_set import GROUPS, group_figures, grouped
from tests.vision.reading_figures import describe_regressions

BASELINE = Path(__file__).parent / "baseline.json"


@pytest.mark.parametrize("group", grouped())
def test_golden_figures_do_not_get_worse(group: str) -> None:
    now = group_figures(group)
    if os.environ.get("COATL_GOLDEN") == "renew":
        _renew(group, now)
    kept = _kept()
    assert group in kept["figures"], "`make golden` stores its figures"
    # another OpenCV decodes and draws a little differently: one thing may differ then
    slack = 0 if kept["opencv"] == cv2.__version__ else 1
    lost = describe_regressions(now, kept["figures"][group], slack)
    assert not lost, f"{group}: {'; '.join(lost)}; `make golden` renews the figures"


def test_golden_figures_are_of_these_photos() -> None:
    """Figures of a larger or smaller set would be no measure of this one."""
    assert set(_kept()["figures"]) == set(GROUPS)


def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(BASELINE.read_text("utf-8"))
    return kept


def _renew(group: str, now: dict[str, int]) -> None:
    kept = _kept() if BASELINE.exists() else {"figures": {}}
    figures = {name: kept["figures"].get(name) for name in GROUPS} | {group: now}
    lines = [f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in figures.items() if row]
    text = f'{{\n  "photos": "rendered",\n  "opencv": {json.dumps(cv2.__version__)},\n'
    text += '  "figures": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    BASELINE.write_text(text, "utf-8")
