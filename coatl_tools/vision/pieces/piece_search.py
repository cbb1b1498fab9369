"""Find all Cóatls in a picture. Also the pictures of maps and portraits for the report.

The network reads pieces that are about 14 to 40 pixels long, and nobody knows how large they are
in a photo. So the search goes from far to near:

1. *From afar.* The whole picture is made small (a longer side of 144, 256, 448 and 768 pixels;
   larger only if pieces may have been too small), and each time the network's maps give pieces,
   joined to chains. Of chains that share pieces, the one seen at the fittest size is kept.
2. *From nearby.* Each chain is cut out with a margin and scaled so that a piece is 23 and then 32
   pixels long, and shown turned by quarters. The number of pieces that most looks agree on wins.
3. *Portraits.* Along the chain and beyond its ends, single pieces are cut out level. They recount
   the pieces (`piece_count`) and tell colour, kind, joints and direction (`classification`).
4. *Weighing.* `confidence` makes probabilities of all that. What is unlikely a Cóatl, or far
   smaller than a Cóatl that certainly is one, is dropped: a pen, a pattern, an ornament.

An example: in a photo of 4000 × 3000 pixels, a Cóatl of eight pieces of 120 pixels each. At 256
pixels (scale 0.064) a piece is 8 pixels long: too small to be read. At 448 (0.112) it is 13, nearly
readable, and six pieces are found; at 768 (0.192) it is 23, and seven are found: that chain is
kept. From nearby, cut out and scaled to 23 and 32 pixels, both looks find eight. Two looks of three
say eight; the portraits agree, with a margin. As the first look saw only seven, `agreed` is
false, which lowers the confidence a little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.pieces.classification import (
    MARGIN_PITCHES,
    FoundCoatl,
    classify_pieces,
    classify_single_piece,
    is_mostly_background,
    make_box_around,
    recount_pieces,
)
from coatl_tools.vision.pieces.confidence import (
    make_first_coatl,
    make_seen_coatl,
    make_seen_piece,
)
from coatl_tools.vision.pieces.detections import (
    PieceChain,
    PieceDetection,
    detect_pieces,
    find_head_directions,
    join_chains,
    map_joints,
)
from coatl_tools.vision.pieces.networks import (
    JOINT,
    MIDDLE,
    PIECE,
    STRIDE,
    run_piece_network,
    sigmoid,
)
from coatl_tools.vision.pieces.open_ends import rate_covered_end
from coatl_tools.vision.pieces.portraits import WHOLE_PIECE, PhotoLight, cut_portrait
from coatl_tools.vision.reading import SeenCoatl, SeenPiece
from coatl_tools.vision.shrinking import PixelBox, scale_part
from coatl_tools.vision.stage_trace import Pixels, Trace

SMALLEST_SIDE = 144  # of the longer side: then single pieces are too faint to be believed
FIRST_SIDES = (SMALLEST_SIDE, 256, 448, 768)  # pixels of the longer side, at the first looks
FINER_SIDES = (1280, 1920)  # and at further ones, where pieces are too small
READABLE_PITCHES = (14, 40)  # pixels of a pitch that the network has learned to read
MAX_SIZE_RATIO = 2.0  # between looks at the same pieces
MAX_SHARED_END = 2  # pieces at an end of a Cóatl that are another one's
CLEAR_SHARE = 0.9  # for each piece, the clarity of a chain that is seen well
NEAREST_PITCH = 17.0  # pixels; if the nearest pieces are smaller, farther ones may be unreadable
NEARBY_PITCHES = (23, 32)  # pixels of a pitch, when a Cóatl is looked at from nearby
NEARBY_TURNS = 4  # of a Cóatl looked at from nearby
LEAST_LOOK_SIDE, MAX_LOOK_SIDE = 32, 1920  # pixels of a longer side, whatever is looked at
MAX_CLUTTER_CONFIDENCE = 0.03  # what is less likely a Cóatl than this is a pen or a row of blocks
SHORT_LENGTH, MAX_SHORT_CLUTTER_CONFIDENCE = 3, 0.18  # few pieces are taken for a Cóatl more easily
MIN_CLEAR = 3.0  # pieces whose portraits are clearer than this are a Cóatl, however badly read
MIN_TIPPED_CLEAR = 7.0  # and a few of them, or small ones, if one is a head or tail
TRUSTED_CONFIDENCE = 0.75  # so likely a Cóatl shows how large pieces are in this photo
LONG_LENGTH, LIKELY_CONFIDENCE = 5, 0.3  # no ornament is so long and so likely a Cóatl
MAX_FIRST_CHAINS = 24  # that are shown after the first look
MAX_NO_PIECE, MAX_NO_TIP, MIN_TIP = 0.5, 0.2, 0.8  # to be a loose piece, or a loose head or tail
MIN_PITCH_RATIO = 0.46  # all are of one size: what is smaller, and not clear, is an ornament


@dataclass(frozen=True, slots=True)
class FoundPieces:
    """The Cóatls in a picture and the pieces that belong to none, in pixels of that picture."""

    coatls: tuple[SeenCoatl, ...]
    loose_pieces: tuple[SeenPiece, ...]


LineJudge = Callable[[NDArray[np.float64], float], bool]  # by middles and pitch
ShowCoatls = Callable[[Sequence[SeenCoatl]], None]  # as a first look saw them


def find_coatls(
    pixels: Pixels,
    trace: Trace,
    least_pitch: float = math.inf,
    is_drawn: LineJudge = lambda *_: False,
    show: ShowCoatls | None = None,
) -> FoundPieces:
    """Find all Cóatls in a picture, whatever else there is.

    `least_pitch` is that of the smallest pieces that may be there, in pixels, if cards tell it.
    A line of pieces that `is_drawn` is not looked at. `show` is told what a first look finds.
    """
    found, loose = search_picture(pixels, trace, least_pitch, is_drawn, show)
    both = [(one, make_seen_coatl(one)) for one in found]
    kept = [(one, seen) for one, seen in both if not _is_clutter(one, seen)]
    largest = max(
        (_median_pitch(one.chain) for one, seen in kept if seen.confidence >= TRUSTED_CONFIDENCE),
        default=0.0,
    )
    coatls = tuple(
        seen
        for one, seen in kept
        if seen.confidence >= TRUSTED_CONFIDENCE
        or (len(seen.pieces) >= LONG_LENGTH and seen.confidence >= LIKELY_CONFIDENCE)
        or _median_pitch(one.chain) >= MIN_PITCH_RATIO * largest
        or _is_tipped_and_clear(one, seen)
    )
    return FoundPieces(coatls, tuple(_make_loose_piece(pixels, piece) for piece in loose))


def _make_loose_piece(pixels: Pixels, piece: PieceDetection) -> SeenPiece:
    ways = (piece.axis, -piece.axis)
    covered = max(rate_covered_end(pixels, piece.middle, way) for way in ways)
    return replace(make_seen_piece(piece), covered=covered)


def _is_clutter(found: FoundCoatl, seen: SeenCoatl) -> bool:
    if len(seen.pieces) <= SHORT_LENGTH:
        unlikely = seen.confidence < MAX_SHORT_CLUTTER_CONFIDENCE
        return unlikely and not _is_tipped_and_clear(found, seen)
    return seen.confidence < MAX_CLUTTER_CONFIDENCE and found.median_clarity < MIN_CLEAR


def _is_tipped_and_clear(found: FoundCoatl, seen: SeenCoatl) -> bool:
    """Tell whether pieces are clear and one is a head or tail, which nobody draws on cards."""
    tipped = seen.pieces[0].kind is PieceKind.HEAD or seen.pieces[-1].kind is PieceKind.TAIL
    return tipped and found.median_clarity >= MIN_TIPPED_CLEAR


def search_picture(
    pixels: Pixels,
    trace: Trace,
    least_pitch: float = math.inf,
    is_drawn: LineJudge = lambda *_: False,
    show: ShowCoatls | None = None,
) -> tuple[list[FoundCoatl], list[PieceDetection]]:
    """Find the Cóatls in a picture, from top to bottom, and the pieces that belong to none."""
    with trace.stage("pieces"):
        chains = [
            chain
            for chain in _search_from_afar(pixels, least_pitch)
            if not is_drawn(np.array([p.middle for p in chain.pieces]), _median_pitch(chain))
        ]
    if show is not None:
        show([make_first_coatl(chain) for chain in _choose_first_chains(chains)])
    with trace.stage("nearby"):
        light = PhotoLight.from_photo(pixels)
        looked = _search_all_from_nearby(pixels, chains, light)
        coatls = _remove_overlapping([one for one in looked if not is_mostly_background(one)])
        loose = [
            piece
            for chain in chains
            if len(chain.pieces) <= SHORT_LENGTH
            for piece in _classify_loose_pieces(pixels, chain, coatls, light)
        ]
    coatls.sort(key=_mean_height)
    trace.add_picture("pieces", "report_maps", lambda: render_maps(pixels, FIRST_SIDES[-1]))
    trace.add_picture("nearby", "report_portraits",
               lambda: render_portraits(pixels, [one.chain for one in coatls]))  # fmt: skip
    return coatls, loose


def _classify_loose_pieces(
    pixels: Pixels, chain: PieceChain, coatls: Sequence[FoundCoatl], light: PhotoLight
) -> Iterator[PieceDetection]:
    """Classify the pieces of a chain that belong to no Cóatl.

    Of several, only heads and tails count: the others are mostly patterns.
    """
    for piece in chain.pieces:
        if any(_covers_piece(one.chain, piece) for one in coatls):
            continue
        seen = classify_single_piece(pixels, piece, light)
        tip = 1 - seen.kinds[[*PieceKind].index(PieceKind.BODY)]
        if seen.no_piece < (MAX_NO_PIECE if len(chain.pieces) == 1 else MAX_NO_TIP) and (
            len(chain.pieces) == 1 or tip > MIN_TIP
        ):
            yield seen


# From afar and from nearby.


def _search_from_afar(pixels: Pixels, least_pitch: float = math.inf) -> list[PieceChain]:
    """Find all chains, each at the scale at which it is seen best."""
    height, width = pixels.shape[:2]
    longest = max(height, width)
    seen: list[tuple[float, PieceChain]] = []
    scale = 0.0
    for side in (*FIRST_SIDES, *FINER_SIDES):
        if side in FINER_SIDES and (
            side > longest or not _may_be_too_small(seen, scale, least_pitch)
        ):
            break
        scale = side / longest
        for chain in find_chains(pixels, scale, (0, 0, width, height)):
            if side > SMALLEST_SIDE or len(chain.pieces) > 1:
                seen.append((_rate_scale(chain, scale), chain))
    kept: list[PieceChain] = []
    for clarity, chain in sorted(seen, key=lambda one: -one[0]):
        if clarity > 0 and not any(_show_same_pieces(chain, other) for other in kept):
            kept.append(chain)
    return kept


def _choose_first_chains(chains: Sequence[PieceChain]) -> list[PieceChain]:
    """Choose what is worth showing before it is looked at from nearby.

    The clearest chain comes first: others are hardly much larger or smaller, or on its pieces.
    """
    kept: list[PieceChain] = []
    for chain in chains:
        if len(kept) == MAX_FIRST_CHAINS:
            break
        ratio = _median_pitch(chain) / max(_median_pitch((kept or [chain])[0]), 1e-6)
        covered = any(_is_same_coatl(chain, one) or _is_same_coatl(one, chain) for one in kept)
        if len(chain.pieces) > 1 and 1 / MAX_SIZE_RATIO < ratio < MAX_SIZE_RATIO and not covered:
            kept.append(chain)
    return kept


def _rate_scale(chain: PieceChain, scale: float) -> float:
    """Rate a chain seen at some scale: the clarity of its readable pieces and its joints."""
    smallest, largest = READABLE_PITCHES
    pitches = [piece.pitch * scale for piece in chain.pieces]
    fair = sum(piece.peak for piece, p in zip(chain.pieces, pitches, strict=True)
               if smallest <= p <= largest)  # fmt: skip
    return float(fair + sum(chain.joints))


def _may_be_too_small(
    seen: list[tuple[float, PieceChain]], scale: float, least_pitch: float
) -> bool:
    """Tell whether nothing was seen well up to some scale, or so small that more may be missed.

    On a whole table, what lies farther away is smaller than what was seen.
    """
    pitches = [
        _median_pitch(chain)
        for clarity, chain in seen
        if clarity > max(1.0, CLEAR_SHARE * len(chain.pieces))
    ]
    if least_pitch * scale < READABLE_PITCHES[0]:
        return True
    if not pitches:
        return math.isinf(least_pitch)
    return max(pitches) * scale < NEAREST_PITCH


def _search_all_from_nearby(
    pixels: Pixels, chains: Sequence[PieceChain], light: PhotoLight
) -> list[FoundCoatl]:
    """Look at all Cóatls again, and at what turns out to be another one."""
    found: list[FoundCoatl] = []
    left = [chain for chain in reversed(chains) if len(chain.pieces) > 1]
    while left:
        chain = left.pop()
        one = _search_from_nearby(pixels, chain, light)
        if one is not None:
            found.append(one)
            left += _list_other_parts(chain, one.chain)
    return found


def _list_other_parts(chain: PieceChain, found: PieceChain) -> Iterator[PieceChain]:
    """List the parts of a chain, of two or more pieces, that were not found in it."""
    missing = [not _has_piece_at(found, piece) for piece in chain.pieces]
    for missed, run in groupby(range(len(missing)), key=missing.__getitem__):
        places = [*run]
        begin, end = places[0], places[-1] + 1
        if missed and 2 <= end - begin < len(missing):
            joints = chain.joints[begin : end - 1]
            yield PieceChain(chain.pieces[begin:end], joints, (0.0, 0.0), chain.facing)


def _search_from_nearby(pixels: Pixels, chain: PieceChain, light: PhotoLight) -> FoundCoatl | None:
    """Look at a Cóatl again at the scale that is read best; None if it is none."""
    middles = np.array([piece.middle for piece in chain.pieces])
    pitch = _median_pitch(chain)
    box = make_box_around(middles, MARGIN_PITCHES * pitch, pixels)
    if pitch < 1 or box[0] >= box[2] or box[1] >= box[3]:
        return None
    seen = [chain]
    for wanted in NEARBY_PITCHES:
        nearby = find_chains(pixels, wanted / pitch, box, NEARBY_TURNS)
        seen.append(
            max(nearby, key=lambda other: _count_shared_pieces(other, chain), default=chain)
        )
    lengths = Counter(len(other.pieces) for other in seen)
    best = max(seen, key=lambda other: (lengths[len(other.pieces)], sum(other.joints)))
    if len(best.pieces) < 2:
        return None
    best, margin = recount_pieces(pixels, best, seen, light)
    agreed = all(len(c.pieces) == len(best.pieces) == _count_shared_pieces(c, best) for c in seen)
    return classify_pieces(pixels, best, light, agreed, margin) if len(best.pieces) > 1 else None


def find_chains(pixels: Pixels, scale: float, box: PixelBox, turns: int = 1) -> list[PieceChain]:
    """Find the chains in a box of a picture at some scale, in pixels of the whole picture."""
    scale = min(scale, MAX_LOOK_SIDE / max(box[2] - box[0], box[3] - box[1], 1))
    part, corner = scale_part(pixels, box, scale, LEAST_LOOK_SIDE)
    size = np.array(part.shape[1::-1])
    seen = run_piece_network(part, turns)
    inside = [
        piece
        for piece in detect_pieces(seen)
        if (piece.middle >= 0).all() and (piece.middle < size).all()
    ]
    edge = np.array(pixels.shape[1::-1], float)

    def move(piece: PieceDetection) -> PieceDetection:
        there = piece.move_to_picture(scale, corner)
        return replace(there, outline=there.outline.clip(0, edge))  # maps reach beyond the edge

    return [
        replace(chain, pieces=tuple(map(move, chain.pieces)))
        for chain in join_chains(inside, map_joints(seen))
    ]


# The same pieces in several looks.


def _has_piece_at(chain: PieceChain, piece: PieceDetection) -> bool:
    return any(np.hypot(*(s.middle - piece.middle)) < 0.4 * s.pitch for s in chain.pieces)


def _covers_piece(chain: PieceChain, piece: PieceDetection) -> bool:
    """Tell whether a piece overlaps those of a chain: a part of one, or several taken for one."""
    point = float(piece.middle[0]), float(piece.middle[1])
    return _has_piece_at(chain, piece) or any(
        cv2.pointPolygonTest(cv2.convexHull(s.outline.astype(np.float32)), point, False) >= 0
        for s in chain.pieces
    )


def _count_shared_pieces(one: PieceChain, other: PieceChain) -> int:
    """Count the pieces of one chain that are pieces of the other too."""
    return sum(_has_piece_at(other, piece) for piece in one.pieces)


def _show_same_pieces(one: PieceChain, other: PieceChain) -> bool:
    """Tell whether chains share pieces; much larger ones are something else around them."""
    ratio = _median_pitch(one) / max(_median_pitch(other), 1e-6)
    return 1 / MAX_SIZE_RATIO < ratio < MAX_SIZE_RATIO and bool(_count_shared_pieces(one, other))


def _remove_overlapping(found: list[FoundCoatl]) -> list[FoundCoatl]:
    """Remove Cóatls that share pieces with a longer one, or mostly lie on it.

    Of one that only meets a longer one, what both have is that one's.
    """
    kept: list[FoundCoatl] = []
    for one in sorted(found, key=lambda f: (-len(f.chain.pieces), -sum(f.chain.joints))):
        left: FoundCoatl | None = one
        for other in kept:
            if left is not None:
                left = _remove_end(left, other)
        if left is not None and not any(_is_same_coatl(left.chain, k.chain) for k in kept):
            kept.append(left)
    return kept


def _remove_end(one: FoundCoatl, other: FoundCoatl) -> FoundCoatl | None:
    """Remove the end of a Cóatl that is another one's; nothing if hardly more of it is left."""
    chain = one.chain
    own = [not _has_piece_at(other.chain, piece) for piece in chain.pieces]
    count, whole = sum(own), len(own)
    if count == whole:
        return one
    begin = own.index(True) if count else 0
    if count < max(2, whole - MAX_SHARED_END) or not all(own[begin : begin + count]):
        return None
    end = begin + count
    ends = (chain.ends[0] if begin == 0 else 1.0, chain.ends[1] if end == whole else 1.0)
    part = PieceChain(chain.pieces[begin:end], chain.joints[begin : end - 1], ends, chain.facing)
    return replace(one, chain=part, agreed=False, links=one.links[begin : end - 1])


def _is_same_coatl(one: PieceChain, other: PieceChain) -> bool:
    upon = sum(_covers_piece(other, piece) for piece in one.pieces)
    return bool(_count_shared_pieces(one, other)) or 2 * upon > len(one.pieces)


def _median_pitch(chain: PieceChain) -> float:
    return float(np.median([piece.pitch for piece in chain.pieces]))


def _mean_height(found: FoundCoatl) -> float:
    return float(np.mean([piece.middle[1] for piece in found.chain.pieces]))


# Pictures for the report.

PORTRAIT_GAP, NUMBER_HEIGHT = 6, 20  # pixels between portraits, and above them
PIECE_COLOUR, JOINT_COLOUR, MIDDLE_COLOUR = (120, 200, 90), (60, 60, 255), (255, 255, 255)  # BGR
NUMBER_COLOUR = (60, 50, 40)


def render_maps(pixels: Pixels, side: int) -> Pixels:
    """Render a grey photo with pieces, their middles and their joints marked."""
    scale = min(1.0, side / max(pixels.shape[:2]))
    size = max(32, round(pixels.shape[1] * scale)), max(32, round(pixels.shape[0] * scale))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    maps = sigmoid(run_piece_network(small))
    grey = cv2.cvtColor(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    picture = grey.astype(np.float64) * 0.7
    wide, tall = (-(-side // STRIDE) * STRIDE for side in size)
    layers = (PIECE, PIECE_COLOUR, 0.45), (JOINT, JOINT_COLOUR, 1.0), (MIDDLE, MIDDLE_COLOUR, 1.0)
    for index, colour, most in layers:
        part = np.asarray(maps[index], np.float32)[: tall // STRIDE, : wide // STRIDE]
        heat = np.asarray(cv2.resize(part, (wide, tall)))[: size[1], : size[0], None] * most
        picture = picture * (1 - heat) + np.array(colour, float) * heat
    return np.asarray(picture.clip(0, 255), np.uint8)


def render_portraits(pixels: Pixels, chains: Sequence[PieceChain]) -> Pixels:
    """Render each piece cut out, its axis level, the head end at the left: a row for each Cóatl.

    Above them are the numbers of the pieces.
    """
    most = max((len(chain.pieces) for chain in chains), default=1)
    step_x, step_y = WHOLE_PIECE.width + PORTRAIT_GAP, WHOLE_PIECE.height + PORTRAIT_GAP
    size = NUMBER_HEIGHT + len(chains) * step_y + PORTRAIT_GAP, most * step_x + PORTRAIT_GAP
    picture: Pixels = np.full((*size, 3), 255, np.uint8)
    for column in range(most):
        at = PORTRAIT_GAP + column * step_x + WHOLE_PIECE.width // 2 - PORTRAIT_GAP, NUMBER_HEIGHT
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(picture, str(column + 1), at, font, 0.5, NUMBER_COLOUR, 1, cv2.LINE_AA)
    for row, chain in enumerate(chains):
        pitch = _median_pitch(chain)
        scale = min(1.0, WHOLE_PIECE.pitch / max(pitch, 1.0))
        shrunk = round(pixels.shape[1] * scale), round(pixels.shape[0] * scale)
        small = np.asarray(cv2.resize(pixels, shrunk, interpolation=cv2.INTER_AREA), np.uint8)
        ways = find_head_directions(chain.pieces)
        for column, (piece, way) in enumerate(zip(chain.pieces, ways, strict=True)):
            cut = cut_portrait(small, piece.middle * scale, -way * piece.pitch * scale)
            top, left = NUMBER_HEIGHT + PORTRAIT_GAP + row * step_y, PORTRAIT_GAP + column * step_x
            picture[top : top + WHOLE_PIECE.height, left : left + WHOLE_PIECE.width] = cut
    return picture
