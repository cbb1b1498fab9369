"""Tell whether something lies over the open end of a Cóatl, such as a hand.

A free end shows all of its hook, and beyond it the table as it is beside the Cóatl. A small
network looks at both: it tells a covered end even if what covers it looks like the table.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.network import run_network
from coatl_tools.vision.pieces.networks import sigmoid
from coatl_tools.vision.pieces.portraits import (
    PortraitFrame,
    cut_portrait,
    make_close_up_planes,
)
from coatl_tools.vision.reading import SeenCoatl
from coatl_tools.vision.shrinking import scale_part
from coatl_tools.vision.stage_trace import Pixels

Vector = NDArray[np.float64]
END_NETWORK = Path(__file__).with_name("ends.onnx.gz")
END_VIEW = PortraitFrame(pitch=32, width=96, height=80)  # of an end; outwards lies at the right
VIEW_AHEAD = 0.75  # pitches from the middle of the piece to that of the view


def rate_covered_ends(seen: SeenCoatl, pixels: Pixels) -> SeenCoatl:
    """Rate how likely something lies over the ends of a Cóatl that are neither head nor tail."""
    if len(seen.pieces) < 2:
        return seen
    middles = [np.array(piece.centre) for piece in seen.pieces]
    first, last = (
        0.0
        if seen.pieces[end].kind is tip
        else rate_covered_end(pixels, middles[end], middles[end] - middles[inner])
        for end, inner, tip in ((0, 1, PieceKind.HEAD), (-1, -2, PieceKind.TAIL))
    )
    return replace(seen, covered_ends=(first, last))


def rate_covered_end(pixels: Pixels, middle: Vector, out: Vector) -> float:
    """Rate how likely something lies over an end of a piece; `out`, a pitch long, points to it."""
    pitch = float(np.hypot(*out))
    here = middle + VIEW_AHEAD * out
    reach = np.hypot(END_VIEW.width, END_VIEW.height) / 2 / END_VIEW.pitch * pitch
    size = np.array(pixels.shape[1::-1])
    left, top = (int(side) for side in np.clip(here - reach, 0, size - 1))
    right, bottom = (int(side) + 1 for side in np.clip(here + reach, 1, size))
    scale = min(1.0, END_VIEW.pitch / max(pitch, 1.0))
    part, corner = scale_part(pixels, (left, top, right, bottom), scale)
    cut = cut_portrait(part, (here - corner) * scale, out * scale, END_VIEW)
    planes = make_close_up_planes(cut)[None]
    mirrored = np.ascontiguousarray(planes[:, :, ::-1])
    odds = run_network(END_NETWORK, np.concatenate([planes, mirrored])).mean(keepdims=True)
    return float(sigmoid(odds)[0, 0])
