"""Classify the pieces of a Cóatl by their portraits: how many there are, and what each one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.detections import PieceChain, PieceDetection, Vector
from coatl_tools.vision.pieces.piece_count import CoatlPath, count_pieces
from coatl_tools.vision.pieces.portraits import (
    CLOSE_UP,
    WHOLE_PIECE,
    PhotoLight,
    PortraitFrame,
    PortraitJudgement,
    judge_portraits,
    measure_facings,
)
from coatl_tools.vision.shrinking import PixelBox, scale_part
from coatl_tools.vision.stage_trace import Pixels

PORTRAIT_TRUST = 0.85  # weight of portraits; the rest is that of maps
DENIED_JOINT, WEAK_JOINT = 0.03, 0.66  # below both (by portraits; by maps), there is no joint
MARGIN_PITCHES = 2.2  # pitches around a Cóatl that are looked at with it
SAME_PIECE_PITCHES = 0.35  # pitches within which a portrait and a map show the same piece
MAX_ROUNDS = 4  # recounts of a Cóatl that turns out longer or shorter, at most
MIN_KIND_SHARE = 0.002  # added to each probability of a kind: no portrait is certain
SEEN_PITCHES = 0.2  # pitches within which a look has seen a piece
VOTE_WEIGHT = 0.5  # of all looks together
OUTSIDE_VOTE = -100.0
MAX_FACING_VOTE = 2.0  # of one piece for a direction: a single paper body may lie reversed
MAX_PITCHES = 50  # pitches; there is no such Cóatl, and looking at one would take for ever
LOOSE_END, LOOSE_TIP = 0.9, 0.3  # below this, a joint to a body, or to a head or tail, is loose,
HALF_A_PIECE = 0.5  # unless the end is this clear, as a part of the next piece's clarity
UNSEEN_CONFIDENCE = 0.2  # peak that is assumed for a piece that the maps did not show


@dataclass(frozen=True, eq=False)
class FoundCoatl:
    """A Cóatl, in pixels of the picture: what the looks and the portraits say together."""

    chain: PieceChain
    agreed: bool  # all looks saw the same pieces
    links: tuple[float, ...]  # how likely each joint is, by the portraits alone
    margin: float = 0.0  # by how much another number of pieces is less likely
    # Logarithms of odds, by the portraits:
    least_centred: float = 0.0  # that the least clear piece is one
    median_clarity: float = 0.0  # that half of them are pieces
    facing_odds: float = 0.0  # that the bodies face as the chain does


def recount_pieces(
    pixels: Pixels, chain: PieceChain, looks: Sequence[PieceChain], light: PhotoLight
) -> tuple[PieceChain, float]:
    """Recount the pieces of a chain by portraits along it; also return the margin.

    What the looks saw counts as well: it decides where portraits cannot.
    """
    margin, path = 0.0, CoatlPath.from_detections(chain.pieces)
    size = np.array(pixels.shape[1::-1])
    for _ in range(MAX_ROUNDS):
        if path.length > MAX_PITCHES:
            break
        grid = path.list_portrait_places()
        middles, ways, pitches = path.sample(grid)
        said = _judge_portraits(pixels, middles, ways * pitches[:, None], light, once=True)
        votes = _count_votes(middles, pitches, looks)
        votes[((middles < 0) | (middles >= size)).any(axis=1)] = OUTSIDE_VOTE  # outside the picture
        count = count_pieces(grid, said, votes)
        if count is None:
            break
        chain, margin = _place_pieces(chain, path, count.places, size), count.margin
        grown = count.places[0] < -0.5 or count.places[-1] > path.length + 0.5
        before, path = path, CoatlPath.from_points(path.sample(count.places)[0])
        if not grown and not path.has_other_pitches(before):
            break  # otherwise it may go on, or be counted better
    return _drop_unseen_ends(chain, looks), margin


def _drop_unseen_ends(chain: PieceChain, looks: Sequence[PieceChain]) -> PieceChain:
    """Drop pieces at the ends that no look has seen: portraits see some where hooks end."""
    middles = np.array([spot.middle for look in looks for spot in look.pieces])
    seen = [
        place
        for place, spot in enumerate(chain.pieces)
        if np.hypot(*(middles - spot.middle).T).min() < SAME_PIECE_PITCHES * spot.pitch
    ]
    if not seen:
        return chain
    begin, end = seen[0], seen[-1] + 1
    return PieceChain(
        chain.pieces[begin:end],
        chain.joints[begin : end - 1],
        (chain.ends[0] if begin == 0 else 0.0, chain.ends[1] if end == len(chain.pieces) else 0.0),
        chain.facing,
    )


def _count_votes(
    middles: NDArray[np.float64], pitches: NDArray[np.float64], looks: Sequence[PieceChain]
) -> NDArray[np.float64]:
    """Return what the looks say for (positive) or against a piece at some places."""
    seen = np.zeros(len(middles))
    for look in looks:
        spots = np.array([spot.middle for spot in look.pieces])
        apart = np.hypot(*(middles[:, None] - spots[None]).transpose(2, 0, 1)).min(axis=1)
        seen += apart < SEEN_PITCHES * pitches
    return np.asarray(VOTE_WEIGHT * (2 * seen / len(looks) - 1))


def _place_pieces(
    chain: PieceChain, path: CoatlPath, places: NDArray[np.float64], size: NDArray[np.int_]
) -> PieceChain:
    """Make a chain with pieces at some places of its path: known ones where there are any."""
    spots, own = [], list[int | None]()
    for middle, way, pitch in zip(*path.sample(places), strict=True):
        apart = [float(np.hypot(*(spot.middle - middle))) for spot in chain.pieces]
        nearest = int(np.argmin(apart))
        if apart[nearest] < SAME_PIECE_PITCHES * pitch and nearest not in own:
            own.append(nearest)
            spots.append(chain.pieces[nearest])
        else:
            own.append(None)
            spots.append(make_unseen_piece(middle, way * pitch, size))
    joins = [
        chain.joints[min(a, b)]
        if a is not None and b is not None and abs(a - b) == 1
        else UNSEEN_CONFIDENCE
        for a, b in pairwise(own)
    ]
    ends = (
        chain.ends[0] if own[0] == 0 else 0.0,
        chain.ends[1] if own[-1] == len(chain.pieces) - 1 else 0.0,
    )
    return PieceChain(tuple(spots), tuple(joins), ends, chain.facing)


def make_unseen_piece(middle: Vector, axis: Vector, size: NDArray[np.int_]) -> PieceDetection:
    """Make a detection that only portraits have seen."""
    across = np.array([-axis[1], axis[0]])
    corners = [(0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)]
    outline = np.array([middle + a * axis + b * across for a, b in corners]).clip(0, size)
    alike = np.full(3, 1 / 3), np.full(5, 1 / 5)
    return PieceDetection(middle, axis, np.zeros(2), *alike, UNSEEN_CONFIDENCE, outline)


def classify_pieces(
    pixels: Pixels, chain: PieceChain, light: PhotoLight, agreed: bool, margin: float
) -> FoundCoatl:
    """Classify the pieces of a chain by their portraits as well."""
    middles = np.array([spot.middle for spot in chain.pieces])
    said = _judge_portraits(pixels, middles, -np.gradient(middles, axis=0), light)
    begin, end = _find_longest_part(said, chain.joints)
    if end - begin < 2:
        begin, end = 0, len(said)
    if (kept := drop_loose_ends(said, begin, end)) != (begin, end):
        (begin, end), margin = kept, 0.0  # something was there: their number is in doubt
    chain = PieceChain(
        chain.pieces[begin:end], chain.joints[begin : end - 1], chain.ends, chain.facing
    )
    said = said[begin:end]
    spots = tuple(map(_combine_with_portrait, chain.pieces, said))
    ends = (chain.ends[0] + said[0].joined[0]) / 2, (chain.ends[1] + said[-1].joined[1]) / 2
    links = tuple(a.joined[1] * b.joined[0] for a, b in pairwise(said))
    middles = middles[begin:end]
    faced = _measure_facings(pixels, middles, -np.gradient(middles, axis=0))
    voices = np.clip(faced, -MAX_FACING_VOTE, MAX_FACING_VOTE)
    scales = float(sum(spot.kinds[1] * one for spot, one in zip(spots, voices, strict=True)))
    whole = PieceChain(spots, chain.joints, ends, _rate_head_end(said) + scales)
    centred = [one.centred for one in said]
    clear = float(np.median(centred))
    if whole.facing < 0:
        return FoundCoatl(
            whole.reverse(), agreed, links[::-1], margin, min(centred), clear, -scales
        )
    return FoundCoatl(whole, agreed, links, margin, min(centred), clear, scales)


def _rate_head_end(said: Sequence[PortraitJudgement]) -> float:
    """Return the log-odds that the first piece is at the head end, by the kinds of both ends."""
    first, last = (one.kinds + MIN_KIND_SHARE for one in (said[0], said[-1]))
    right = np.log((first[0] + first[1]) * (last[2] + last[1]))
    turned = np.log((first[2] + first[1]) * (last[0] + last[1]))
    return float(right - turned)


def _find_longest_part(
    said: Sequence[PortraitJudgement], joins: Sequence[float]
) -> tuple[int, int]:
    """Find the longest part without a denied joint: its begin and end."""
    denied = [
        place
        for place, ((a, b), join) in enumerate(zip(pairwise(said), joins, strict=True), 1)
        if a.joined[1] * b.joined[0] < DENIED_JOINT and join < WEAK_JOINT
    ]
    return max(pairwise([0, *denied, len(said)]), key=lambda part: part[1] - part[0])


def drop_loose_ends(said: Sequence[PortraitJudgement], begin: int, end: int) -> tuple[int, int]:
    """Drop weak pieces at the ends, such as a pattern or a hook's end; return begin and end."""
    if end - begin > 2 and _is_loose(said[begin], said[begin + 1], said[begin : begin + 2]):
        begin += 1
    if end - begin > 2 and _is_loose(said[end - 1], said[end - 2], said[end - 2 : end]):
        end -= 1
    return begin, end


def _is_loose(
    outer: PortraitJudgement, inner: PortraitJudgement, joint: Sequence[PortraitJudgement]
) -> bool:
    ends_here = outer.kinds[0] + outer.kinds[2] > 0.5  # a head or a tail, which stand out
    link = joint[0].joined[1] * joint[1].joined[0]
    clear = outer.centred > HALF_A_PIECE * inner.centred
    return not clear and link < (LOOSE_TIP if ends_here else LOOSE_END)


def classify_single_piece(
    pixels: Pixels, spot: PieceDetection, light: PhotoLight
) -> PieceDetection:
    """Classify a single piece by its portrait."""
    (said,) = _judge_portraits(pixels, spot.middle[None], spot.axis[None], light)
    return _combine_with_portrait(spot, said)


def _judge_portraits(
    pixels: Pixels,
    middles: NDArray[np.float64],
    aheads: NDArray[np.float64],
    light: PhotoLight,
    once: bool = False,
) -> list[PortraitJudgement]:
    """Judge the portraits at some places; `aheads` are one pitch long, along the Cóatl."""
    part, corner, scale = _cut_part(pixels, middles, aheads, WHOLE_PIECE)
    return judge_portraits(part, light, (middles - corner) * scale, aheads * scale, once)


def _measure_facings(
    pixels: Pixels, middles: NDArray[np.float64], aheads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each piece the log-odds that it faces ahead."""
    part, corner, scale = _cut_part(pixels, middles, aheads, CLOSE_UP)
    return measure_facings(part, (middles - corner) * scale, aheads * scale)


def _cut_part(
    pixels: Pixels, middles: NDArray[np.float64], aheads: NDArray[np.float64], frame: PortraitFrame
) -> tuple[Pixels, Vector, float]:
    """Cut out the surroundings of some places, shrunk if possible; also their corner and scale."""
    pitch = float(np.median(np.hypot(*aheads.T)))
    scale = min(1.0, frame.pitch / max(pitch, 1.0))
    left, top, right, bottom = make_box_around(middles, MARGIN_PITCHES * pitch, pixels)
    if left >= right or top >= bottom:
        left, top, right, bottom = 0, 0, pixels.shape[1], pixels.shape[0]
    part, corner = scale_part(pixels, (left, top, right, bottom), scale)
    return part, corner, scale


def _combine_with_portrait(spot: PieceDetection, said: PortraitJudgement) -> PieceDetection:
    """Combine what a look and a portrait say of a piece."""
    return replace(
        spot,
        kinds=_weigh_together(said.kinds[:3] / max(said.kinds[:3].sum(), 1e-6), spot.kinds),
        colours=_weigh_together(said.colours, spot.colours),
        no_piece=float(said.kinds[3]),
    )


def _weigh_together(
    portrait: NDArray[np.float64], map_: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mix the probabilities of portrait and map; the portrait counts far more."""
    return np.asarray(PORTRAIT_TRUST * portrait + (1 - PORTRAIT_TRUST) * map_)


def make_box_around(points: NDArray[np.float64], margin: float, pixels: Pixels) -> PixelBox:
    """Make the box that holds some points and a margin (pixels) inside a picture."""
    height, width = pixels.shape[:2]
    left, top = np.floor(points.min(axis=0) - margin)
    right, bottom = np.ceil(points.max(axis=0) + margin)
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


def is_mostly_background(found: FoundCoatl) -> bool:
    """Tell whether most of the joined pieces are no pieces at all."""
    return float(np.median([spot.no_piece for spot in found.chain.pieces])) > 0.5
