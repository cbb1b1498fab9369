"""Tell Cóatls from loose pieces that lie close together, as on boards.

Joined pieces are equally far apart all over the table. A chain with a wider step is none there, and
two body segments that nothing ends are hardly a Cóatl among other loose pieces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.homography import Points
from coatl_tools.vision.pieces.piece_search import LIKELY_CONFIDENCE, FoundPieces
from coatl_tools.vision.reading import SeenCard, SeenCoatl, SeenPiece
from coatl_tools.vision.table_plane import TablePlane, estimate_table_plane

MAX_STEP = 1.3  # of the usual one; joined pieces are at most 1.12 apart, but for lens and tilt
MAX_GROWTH = 0.2  # from step to step, as a logarithm, if only a Cóatl itself tells the tilt
COVERED_STEP = 1.8  # of the usual one, from which a piece between two others may be covered
MAX_DRAWN_STEP = 0.6  # of the usual one: smaller ones are drawn on a board
MAX_DRAWN_SIZE = 0.5  # of loose pieces, if there is no Cóatl: the root of an area
LEAST_LOOSE, MAX_SIZE_RATIO = 3, 1.6  # pieces, and between their sizes, to tell how large all are
MIN_NEARER_RATIO = 1.6  # in the photo, to a long Cóatl: so much larger, it lies nearer
LONGEST_LOOSE = 4  # pieces that lie in a row by chance; of longer ones, steps are the usual ones
LIKELY_WHOLE = 0.8  # a complete chain that is so likely is a Cóatl, however the table lies
COMPANY_REACH = 8.0  # pitches within which other loose pieces lie on the same board
DOUBTFUL_JOINTS = 0.4  # the confidence of a chain with a wider step


def part_loose_pieces(
    finding: FoundPieces, cards: Sequence[SeenCard], size: tuple[int, int]
) -> FoundPieces:
    """Part loose pieces that were taken for a Cóatl; one that may be joined is not sure."""
    if not finding.coatls:
        return finding
    certain = [
        seen
        for seen in finding.coatls
        if len(seen.pieces) > LONGEST_LOOSE and seen.confidence >= LIKELY_CONFIDENCE
    ]
    likely = [seen for seen in finding.coatls if seen.confidence >= LIKELY_CONFIDENCE]
    largest = max((seen.pitch for seen in likely), default=0.0)
    longest = max((seen.pitch for seen in certain), default=math.inf)
    nearer = [seen for seen in likely if seen.pitch > MIN_NEARER_RATIO * longest]
    plane = estimate_table_plane([*certain, *nearer] or finding.coatls, cards, size)
    usual = _measure_usual_step([*certain, *nearer], plane)
    coatls: list[SeenCoatl] = []
    pairs: list[SeenCoatl] = []
    loose = list(finding.loose_pieces)
    for seen in finding.coatls:
        steps = _measure_steps(seen, plane)
        steps = _remove_growth(steps) if usual is None else steps / usual
        if usual is not None and np.median(steps) < MAX_DRAWN_STEP:
            continue
        if usual is None and _is_small(seen, finding.loose_pieces):
            continue
        small = usual is None and seen.pitch < MAX_DRAWN_STEP * largest
        parts = _split_at_wide_steps(_doubt(seen) if small else seen, steps)
        coatls += [part for part in parts if not _is_pair(part) and len(part.pieces) > 1]
        pairs += [part for part in parts if _is_pair(part)]
        loose += [part.pieces[0] for part in parts if len(part.pieces) == 1]
    around = [_map_centres(seen.pieces, plane) for seen in pairs]
    for index, seen in enumerate(pairs):
        others = [_map_centres(loose, plane), *around[:index], *around[index + 1 :]]
        if _is_near(around[index], np.vstack(others)):
            loose += seen.pieces
        else:
            coatls.append(seen)
    return FoundPieces(tuple(coatls), tuple(loose))


def _split_at_wide_steps(seen: SeenCoatl, steps: Points) -> list[SeenCoatl]:
    """Split a chain where pieces cannot be joined; long ones are only doubted."""
    wide = steps > MAX_STEP
    if not wide.any():
        return [seen]
    doubted = _doubt(seen)
    many = 2 * wide.sum() >= len(steps)
    whole = seen.pieces[0].kind is PieceKind.HEAD and seen.pieces[-1].kind is PieceKind.TAIL
    likely = whole and seen.confidence >= LIKELY_WHOLE
    if (len(seen.pieces) > LONGEST_LOOSE and not many) or likely or steps.max() > COVERED_STEP:
        return [doubted]
    ends = [0, *(np.flatnonzero(wide) + 1), len(seen.pieces)]
    return [replace(doubted, pieces=seen.pieces[begin:end]) for begin, end in pairwise(ends)]


def _doubt(seen: SeenCoatl) -> SeenCoatl:
    return replace(seen, joint_confidence=min(seen.joint_confidence, DOUBTFUL_JOINTS))


def _is_small(seen: SeenCoatl, loose: Sequence[SeenPiece]) -> bool:
    """Tell whether the pieces of a chain are far smaller than loose ones: they are drawn."""
    own, others = (
        np.sort([measure_piece_size(one) for one in some]) for some in (seen.pieces, loose)
    )
    if len(others) < LEAST_LOOSE or others[-1] > MAX_SIZE_RATIO * others[0]:
        return False
    return bool(own[-1] < MAX_DRAWN_SIZE * others[0])


def measure_piece_size(piece: SeenPiece) -> float:
    """Measure the size of a piece in the photo: the root of its area."""
    return math.sqrt(cv2.contourArea(np.array(piece.outline, np.float32)))


def _remove_growth(steps: Points) -> Points:
    """Compare steps with the smallest, as if they did not grow towards the camera."""
    logarithms = np.log(np.maximum(steps, 1e-9))
    along = np.arange(len(steps)) - (len(steps) - 1) / 2
    growth = along @ logarithms / max(float(along @ along), 1.0)
    even = logarithms - np.clip(growth, -MAX_GROWTH, MAX_GROWTH) * along
    return np.asarray(np.exp(even - even.min()))


def _is_pair(seen: SeenCoatl) -> bool:
    """Tell whether a chain is but two body segments, as they lie on a space of a board."""
    return len(seen.pieces) == 2 and all(piece.kind is PieceKind.BODY for piece in seen.pieces)


def _is_near(own: Points, others: Points) -> bool:
    """Tell whether other pieces lie near these."""
    return bool(len(others)) and bool(
        np.hypot(*np.moveaxis(others[:, None] - own, 2, 0)).min() < COMPANY_REACH
    )


def _measure_usual_step(coatls: Sequence[SeenCoatl], plane: TablePlane) -> float | None:
    """Measure the usual step from piece to piece of these Cóatls; nothing without one."""
    steps = [_measure_steps(seen, plane) for seen in coatls]
    return float(np.median(np.concatenate(steps))) if steps else None


def _measure_steps(seen: SeenCoatl, plane: TablePlane) -> Points:
    centres = _map_centres(seen.pieces, plane)
    return np.asarray(np.hypot(*np.diff(centres, axis=0).T))


def _map_centres(pieces: Sequence[SeenPiece], plane: TablePlane) -> Points:
    if not pieces:
        return np.zeros((0, 2))
    return plane.map(np.array([piece.centre for piece in pieces]))
