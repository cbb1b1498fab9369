"""Looking for Cóatls: at all of a picture first, then again at each Cóatl from nearby."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from coatl_tools.vision.pieces.chains import Chain, chains_of
from coatl_tools.vision.pieces.judging import (
    AROUND,
    Box,
    Found,
    alone,
    box_around,
    is_nothing,
    portrayed,
    recounted,
)
from coatl_tools.vision.pieces.network import maps_of
from coatl_tools.vision.pieces.pictures import maps_picture, portraits_picture
from coatl_tools.vision.pieces.portraits import Light
from coatl_tools.vision.pieces.spots import Spot, joints_of, spots_of
from coatl_tools.vision.trace import Pixels, Trace

SIDES = (256, 448, 768)  # pixels of the longer side, at the first looks
FINER = (1280, 1920)  # and at further ones, where pieces are too small
READABLE = (14, 40)  # pixels of a pitch that the network has learned to read
TURNS = 4  # of a Cóatl looked at from nearby
LARGEST = 1920  # pixels of a longer side, whatever is looked at
NEARBY = (23, 32)  # pixels of a pitch, when a Cóatl is looked at from nearby


def look(pixels: Pixels, scale: float, box: Box, turns: int = 1) -> list[Chain]:
    """The chains in a part of a picture, seen at some scale, in pixels of the picture."""
    left, top, right, bottom = box
    part = pixels[top:bottom, left:right]
    scale = min(scale, LARGEST / max(right - left, bottom - top, 1))
    size = (max(32, round((right - left) * scale)), max(32, round((bottom - top) * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    seen = maps_of(np.asarray(cv2.resize(part, size, interpolation=way), np.uint8), turns)
    inside = [
        spot for spot in spots_of(seen) if (spot.middle >= 0).all() and (spot.middle < size).all()
    ]
    corner = np.array([left, top], float)
    edge = np.array(pixels.shape[1::-1], float)

    def placed(spot: Spot) -> Spot:
        there = spot.placed(scale, corner)
        return replace(there, outline=there.outline.clip(0, edge))  # maps reach beyond the edge

    return [
        replace(chain, spots=tuple(map(placed, chain.spots)))
        for chain in chains_of(inside, joints_of(seen))
    ]


def search(pixels: Pixels, trace: Trace) -> tuple[list[Found], list[Spot]]:
    """All Cóatls in a picture, from top to bottom, and the pieces that belong to none."""
    with trace.stage("pieces"):
        chains = _from_afar(pixels)
    with trace.stage("nearby"):
        light = Light.of(pixels)
        looked = [_from_nearby(pixels, chain, light) for chain in chains if len(chain.spots) > 1]
        coatls = _apart([one for one in looked if one is not None and not is_nothing(one)])
        single = [chain.spots[0] for chain in chains if len(chain.spots) == 1]
        strays = [alone(pixels, spot, light) for spot in single
                  if not any(_covers(one.chain, spot) for one in coatls)]  # fmt: skip
    coatls.sort(key=_height)
    trace.show("pieces", "report_maps", lambda: maps_picture(pixels, SIDES[-1]))
    trace.show("nearby", "report_portraits",
               lambda: portraits_picture(pixels, [one.chain for one in coatls]))  # fmt: skip
    return coatls, [spot for spot in strays if spot.nothing < 0.5]


def _height(found: Found) -> float:
    return float(np.mean([spot.middle[1] for spot in found.chain.spots]))


def _holds(chain: Chain, spot: Spot) -> bool:
    return any(np.hypot(*(s.middle - spot.middle)) < 0.4 * s.pitch for s in chain.spots)


def _covers(chain: Chain, spot: Spot) -> bool:
    """Whether a piece lies on those of a chain: part of one, taken for a smaller or larger one."""
    point = float(spot.middle[0]), float(spot.middle[1])
    return _holds(chain, spot) or any(
        cv2.pointPolygonTest(cv2.convexHull(s.outline.astype(np.float32)), point, False) >= 0
        for s in chain.spots
    )


def _from_afar(pixels: Pixels) -> list[Chain]:
    """All chains, each at the scale at which it is seen best."""
    height, width = pixels.shape[:2]
    longest = max(height, width)
    seen: list[tuple[float, Chain]] = []
    for side in (*SIDES, *FINER):
        scale = side / longest
        if side in FINER and (scale > 1 or not _too_small(seen)):
            break
        for chain in look(pixels, scale, (0, 0, width, height)):
            seen.append((_clarity(chain, scale), chain))
    kept: list[Chain] = []
    for clarity, chain in sorted(seen, key=lambda one: -one[0]):
        if clarity > 0 and not any(_shared(chain, other) for other in kept):
            kept.append(chain)
    return kept


def _clarity(chain: Chain, scale: float) -> float:
    """How much a look at some scale can be trusted with a chain: pieces of a readable size."""
    smallest, largest = READABLE
    pitches = [spot.pitch * scale for spot in chain.spots]
    fair = sum(spot.peak for spot, p in zip(chain.spots, pitches, strict=True)
               if smallest <= p <= largest)  # fmt: skip
    return float(fair + sum(chain.joins))


def _too_small(seen: list[tuple[float, Chain]]) -> bool:
    """Whether nothing was seen, or pieces that are too small at the scales that were tried."""
    return not any(clarity > 1 for clarity, _ in seen)


def _from_nearby(pixels: Pixels, chain: Chain, light: Light) -> Found | None:
    """A Cóatl looked at again, so near that its pieces have the size that is read best."""
    middles = np.array([spot.middle for spot in chain.spots])
    pitch = float(np.median([spot.pitch for spot in chain.spots]))
    box = box_around(middles, AROUND * pitch, pixels)
    if pitch < 1 or box[0] >= box[2] or box[1] >= box[3]:
        return None
    seen = [chain]
    for wanted in NEARBY:
        nearby = look(pixels, wanted / pitch, box, TURNS)
        seen.append(max(nearby, key=lambda other: _shared(other, chain), default=chain))
    lengths = Counter(len(other.spots) for other in seen)
    best = max(seen, key=lambda other: (lengths[len(other.spots)], sum(other.joins)))
    if len(best.spots) < 2:
        return None
    best, margin = recounted(pixels, best, seen, light)
    agreed = all(len(c.spots) == len(best.spots) == _shared(c, best) for c in seen)
    return portrayed(pixels, best, light, agreed, margin) if len(best.spots) > 1 else None


def _shared(one: Chain, other: Chain) -> int:
    """How many pieces of one are pieces of the other too."""
    return sum(_holds(other, spot) for spot in one.spots)


def _apart(found: list[Found]) -> list[Found]:
    """Without those that are part of a longer one: two looks may have joined what was in two.

    Also without those that mostly lie on a longer one, though none of its pieces are the same.
    """
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: (-len(f.chain.spots), -sum(f.chain.joins))):
        if not any(_same(one.chain, other.chain) for other in kept):
            kept.append(one)
    return kept


def _same(one: Chain, other: Chain) -> bool:
    upon = sum(_covers(other, spot) for spot in one.spots)
    return bool(_shared(one, other)) or 2 * upon > len(one.spots)
