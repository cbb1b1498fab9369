"""Which places of a board look as they do with nothing on them."""

from __future__ import annotations

import cv2
import numpy as np

from coatl_tools.vision.boards.board_location import Floats, map_edges
from coatl_tools.vision.boards.board_view import BoardView

WINDOW_PITCHES = 0.5  # around a place: what is looked at to see whether it is empty
MAX_EMPTY_CONTRAST = 0.3  # of what the whole board has: less is new on an empty place,
SOFTENED_PIXELS = 1.5  # of a view: drawing and photo never lie on each other exactly
MIN_EMPTY_AGREEMENT = 0.45  # and the edges of its drawing, if there are any
SURE_EMPTY_AGREEMENT = 0.7  # of edges that a piece would hide
MIN_DRAWN_CONTRAST = 4.0  # grey levels of a place with anything drawn on it


def list_empty_places(view: BoardView, pitch: float) -> list[bool]:
    """Tell which places look as in the board's picture; not where pieces lie there as well."""
    seen = np.asarray(cv2.cvtColor(view.pixels, cv2.COLOR_BGR2GRAY), np.float32)
    height, width = seen.shape
    flat = cv2.warpPerspective(
        view.board.picture,
        view.to_picture,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    drawn = np.asarray(flat, np.float32)
    contrast = float(view.pixels.std(axis=(0, 1)).max())
    soft, soft_grey, soft_drawn = (
        np.asarray(cv2.GaussianBlur(one, (0, 0), SOFTENED_PIXELS), np.float32)
        for one in (view.pixels, seen, drawn)
    )
    edges, drawn_edges = map_edges(seen), map_edges(drawn)
    reach = WINDOW_PITCHES * pitch
    found = []
    for (x, y), bare in zip(view.places, view.board.bare, strict=True):
        part = np.s_[
            max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1
        ]
        agreement = _correlate_edges(edges[part], drawn_edges[part], drawn[part])
        # what is drawn in many colours is one grey picture: there, its edges have to agree more
        sure = agreement is not None and agreement > SURE_EMPTY_AGREEMENT
        shown = soft_grey[part] if sure else soft[part]
        even = _measure_unexplained(shown, soft_drawn[part]) < MAX_EMPTY_CONTRAST * contrast
        agrees = agreement is None or agreement > MIN_EMPTY_AGREEMENT
        found.append(bare and even and agrees)
    return found


def _measure_unexplained(seen: Floats, drawn: Floats) -> float:
    """Measure the contrast of a place that its drawing does not explain, in any light."""
    flat = drawn.ravel() - drawn.mean()
    levels = seen.reshape(len(flat), -1)
    levels = levels - levels.mean(axis=0)
    slopes = flat @ levels / max(float(flat @ flat), 1.0)
    rest = levels - flat[:, None] * np.maximum(slopes, 0)
    return float(rest.std(axis=0).max())


def _correlate_edges(edges: Floats, drawn: Floats, grey: Floats) -> float | None:
    """Correlate the edges of a place with those drawn there; None if there are none to compare."""
    if float(grey.std()) < MIN_DRAWN_CONTRAST or edges.std() < 1e-3 or drawn.std() < 1e-3:
        return None
    return float(np.corrcoef(edges.ravel(), drawn.ravel())[0, 1])
