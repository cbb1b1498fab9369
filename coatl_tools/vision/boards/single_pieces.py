"""Find single pieces in a picture, whatever they lie beside: nothing is joined to a Cóatl."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from coatl_tools.vision.pieces.classification import classify_single_piece, make_unseen_piece
from coatl_tools.vision.pieces.detections import PieceDetection, Vector
from coatl_tools.vision.pieces.piece_search import READABLE_PITCHES, find_chains
from coatl_tools.vision.pieces.portraits import PhotoLight, judge_portraits
from coatl_tools.vision.stage_trace import Pixels

SIDES = (256, 384, 512, 768)  # pixels of the longer side, at each look
LARGER_SIDES = (1088, 1536)  # and where pieces are too small for these
LOOK_TURNS = 2
MIN_APART = 0.45  # pitches: what is nearer to a clearer piece is that piece
MAX_NO_PIECE = 0.5  # more likely no piece
SHADOW_SHARE, SHADOW_PITCHES = 0.75, 1.8  # of the usual clarity; from the piece beside it
PITCH_SPREAD = 1.5  # of all pieces of a picture, about the median


def find_single_pieces(
    pixels: Pixels, pitches: tuple[float, float] | None = None
) -> list[PieceDetection]:
    """Find all pieces, each by itself; `pitches` says how long a pitch may be, if that is known."""
    seen = _look_at_sides(pixels, SIDES)
    if pitches is None and len(_drop_repeated(seen)) < 2:
        seen += _look_at_sides(pixels, LARGER_SIDES)
    least, most = pitches or (0.0, np.inf)
    if seen and (least == 0 or most / least > PITCH_SPREAD**2):
        least, most = _narrow_pitches(seen, least, most)
    light = PhotoLight.from_photo(pixels)
    fitting = [piece for piece in seen if least <= piece.pitch <= most]
    found = [classify_single_piece(pixels, piece, light) for piece in _drop_repeated(fitting)]
    return [piece for piece in found if piece.no_piece < MAX_NO_PIECE]


def _narrow_pitches(
    seen: Sequence[PieceDetection], least: float, most: float
) -> tuple[float, float]:
    """Narrow down how long a pitch may be: pieces of one picture differ little."""
    possible = [piece for piece in _drop_repeated(seen) if least <= piece.pitch <= most]
    clearest = [piece.pitch for piece in possible if piece.peak > 0.5]
    if not possible:
        return least, most
    middle = float(np.median(clearest or [piece.pitch for piece in possible]))
    return max(least, middle / PITCH_SPREAD), min(most, middle * PITCH_SPREAD)


def drop_shadows(pieces: Sequence[PieceDetection]) -> list[PieceDetection]:
    """Drop what is faint and lies right beside a clearer piece: its shadow, or a gap."""
    usual = float(np.median([piece.peak for piece in pieces])) if pieces else 0.0

    def is_shadow(piece: PieceDetection) -> bool:
        near = (
            np.hypot(*(piece.middle - other.middle)) < SHADOW_PITCHES * other.pitch
            for other in pieces
            if other.peak > piece.peak
        )
        return piece.peak < SHADOW_SHARE * usual and any(near)

    return [piece for piece in pieces if not is_shadow(piece)]


def _look_at_sides(pixels: Pixels, sides: Iterable[int]) -> list[PieceDetection]:
    """List the pieces of all looks that see them at a size that can be read."""
    height, width = pixels.shape[:2]
    smallest, largest = READABLE_PITCHES
    found = []
    for side in sides:
        scale = side / max(height, width)
        for chain in find_chains(pixels, scale, (0, 0, width, height), LOOK_TURNS):
            found += [one for one in chain.pieces if smallest <= one.pitch * scale <= largest]
    return found


def _drop_repeated(seen: Iterable[PieceDetection]) -> list[PieceDetection]:
    """Drop what other looks saw more clearly."""
    kept: list[PieceDetection] = []
    for piece in sorted(seen, key=lambda one: -one.peak):
        apart = (np.hypot(*(piece.middle - other.middle)) for other in kept)
        reach = (MIN_APART * max(piece.pitch, other.pitch) for other in kept)
        if all(gap > least for gap, least in zip(apart, reach, strict=True)):
            kept.append(piece)
    return kept


TRIED_OFFSETS, TRIED_TURNS = (-0.25, 0.0, 0.25), (0.0, -0.25, 0.25)  # pitches; radians
TRIED_PITCHES = (0.9, 1.1)


def judge_place(pixels: Pixels, middle: Vector, turn: float, pitch: float) -> list[PieceDetection]:
    """Look for one piece about a place that something lies on, though no look saw a piece there."""
    light, size = PhotoLight.from_photo(pixels), np.array(pixels.shape[1::-1])
    tried = []
    for side, up, lean, share in product(TRIED_OFFSETS, TRIED_OFFSETS, TRIED_TURNS, TRIED_PITCHES):
        axis = share * pitch * np.array([np.cos(turn + lean), np.sin(turn + lean)])
        tried.append(make_unseen_piece(middle + pitch * np.array([side, up]), axis, size))
    said = judge_portraits(
        pixels,
        light,
        np.array([one.middle for one in tried]),
        np.array([one.axis for one in tried]),
        once=True,
    )
    best = min(
        range(len(tried)), key=lambda index: said[index].kinds[3] - 0.02 * said[index].centred
    )
    found = classify_single_piece(pixels, tried[best], light)
    return [found] if found.no_piece < MAX_NO_PIECE else []
