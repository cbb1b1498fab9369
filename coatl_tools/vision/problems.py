"""Find what is not sure about the Cóatls of a photo, and choose the advice that would help.

Problems of single pieces, of joints and ends, of the number of pieces, and of the light.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.components.components_file import PieceCounts
from coatl_tools.errors import Phrase
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.piece_colours import select_core_pixels
from coatl_tools.vision.reading import (
    DIRECTION_PROBLEM,
    Outline,
    ReadingProblem,
    SeenCoatl,
    SeenPiece,
)
from coatl_tools.vision.stage_trace import Pixels

Vector = NDArray[np.float64]
SURE_COATL = 0.8  # a Cóatl that is less likely right is not sure
SURE_PIECE = 0.85  # each colour and each kind must be at least this likely
SURE_AMBIGUOUS_PIECE = 0.97  # and a colour where another piece is in doubt between the same two
SURE_JOINTS = 0.75
MAX_BODY_REACH = 1.4  # pitches from the middle of a piece to its outer end: a body's hooks have one
# Pitches from the middle of an end piece that must be in the picture: the hook of a body, and
# most of a head or a tail.
BODY_REACH, TIP_REACH = 0.75, 0.7
LIKELY_COVERED = 0.5  # something probably lies over an end of a Cóatl
SURELY_COVERED = 0.9  # and of a single piece: many a toy looks like one
LIKELY_BEYOND, FAINT_BEYOND = 0.5, 0.15  # an unseen piece is probably joined; it may be
MIN_IN_LINE_COSINE, MAX_IN_LINE_GAP = 0.94, 4.5  # within which one Cóatl may continue another
NEAR_PITCHES = 1.45  # from an end to a single piece that may belong there,
MAX_PIECE_GAP, MIN_PIECE_COSINE = 3.4, 0.9  # or in line with an open end
DARK_LEVEL = 45  # of 255: the brightest of the five colours looks darker in bad light
SAMPLED_PITCH = 30  # pixels from piece to piece at which sharpness and light are measured
MIN_SHARPNESS = 6.0
MIN_PITCH = 18  # pixels from a piece to the next
_KIND_TEXTS = {
    PieceKind.HEAD: "photo.kind_head",
    PieceKind.BODY: "photo.kind_body",
    PieceKind.TAIL: "photo.kind_tail",
}
_PIECE_TEXTS = {
    PieceKind.HEAD: "pieces.head",
    PieceKind.BODY: "pieces.body",
    PieceKind.TAIL: "pieces.tail",
}
_COUNT_TEXTS = {
    PieceKind.HEAD: "shown.n_heads",
    PieceKind.BODY: "shown.n_bodies",
    PieceKind.TAIL: "shown.n_tails",
}


def make_nothing_found_problem() -> ReadingProblem:
    """Make the problem of a photo without a Cóatl."""
    return ReadingProblem("no_coatl", ("photo.nothing_found", {}), "photo.advice_find")


def make_vague_problem(index: int, seen: SeenCoatl, pixels: Pixels) -> ReadingProblem:
    """Make the problem of a Cóatl that is unclear as a whole, but in no single piece."""
    phrase: Phrase = ("photo.joints", {"coatl": index + 1})
    return ReadingProblem("joints", phrase, _choose_advice(seen, pixels), index)


def find_coatl_problems(
    index: int, seen: SeenCoatl, loose_pieces: Sequence[SeenPiece], pixels: Pixels
) -> Iterator[ReadingProblem]:
    """Find everything that is not sure about one Cóatl."""
    whole: dict[str, object] = {"coatl": index + 1}
    advice = _choose_advice(seen, pixels)
    yield from _find_piece_problems(index, seen, advice)
    end_reported = False
    for end, place in ((0, 0), (1, len(seen.pieces) - 1)):
        if seen.beyond_ends[end] < LIKELY_BEYOND:
            if seen.covered_ends[end] > LIKELY_COVERED:
                end_reported = True
                phrase: Phrase = ("photo.goes_on", whole | {"piece": place + 1})
                yield ReadingProblem("goes_on", phrase, "photo.advice_uncover", index, place)
            continue
        end_reported = True
        if _is_at_border(seen.pieces[place], seen.pitch, pixels):
            phrase = ("photo.outside", whole)
            yield ReadingProblem("outside", phrase, "photo.advice_whole", index, place)
        else:
            phrase = ("photo.goes_on", whole | {"piece": place + 1})
            yield ReadingProblem("goes_on", phrase, advice, index, place)
    if not end_reported and _leaves_picture(seen, pixels):
        end_reported = True
        yield ReadingProblem("outside", ("photo.outside", whole), "photo.advice_whole", index)
    if seen.joint_confidence < SURE_JOINTS and not end_reported:
        yield ReadingProblem("joints", ("photo.joints", whole), advice, index)
    if not seen.is_orientation_known:
        phrase = ("photo.direction", whole)
        yield ReadingProblem(DIRECTION_PROBLEM, phrase, "photo.advice_above", index)
    if seen.coatl is None:
        yield ReadingProblem("not_a_coatl", ("photo.not_a_coatl", whole), advice, index)
    for loose in loose_pieces:
        ends = (seen.pieces[0], seen.pieces[-1])
        near = min(dist(loose.centre, end.centre) for end in ends) < NEAR_PITCHES * seen.pitch
        if near or _lies_in_line(loose, seen):
            phrase = ("photo.near_piece", whole)
            yield ReadingProblem("near_piece", phrase, "photo.advice_apart", index)


def _lies_in_line(loose: SeenPiece, seen: SeenCoatl) -> bool:
    """Tell whether a piece lies where a Cóatl would go on behind something that covers it."""
    for here, out in _list_open_end_directions(seen):
        gap = np.array(loose.centre) - here
        if np.hypot(*gap) < MAX_PIECE_GAP * np.hypot(*out) and _cosine(out, gap) > MIN_PIECE_COSINE:
            return True
    return False


def _find_piece_problems(index: int, seen: SeenCoatl, advice: str) -> Iterator[ReadingProblem]:
    # better light would help to tell colours, unless sharpness or distance matter more
    colour_advice = "photo.advice_even_light" if advice == "photo.advice_above" else advice
    alike = [
        set(_likeliest_two_colours(piece))
        for piece in seen.pieces
        if piece.colours[piece.colour] < SURE_PIECE
    ]
    for place, piece in enumerate(seen.pieces):
        if piece.corrected:
            continue
        named: dict[str, object] = {"coatl": index + 1, "piece": place + 1}
        first, second = _likeliest_two_colours(piece)
        needed = SURE_AMBIGUOUS_PIECE if {first, second} in alike else SURE_PIECE
        if piece.colours[first] < needed:
            phrase: Phrase = ("photo.piece_colour", named | {"first": first, "second": second})
            yield ReadingProblem("piece_colour", phrase, colour_advice, index, place)
        kind, other = sorted(piece.kinds, key=lambda k: -piece.kinds[k])[:2]
        if kind is PieceKind.BODY and _reaches_far(seen, place):
            other = PieceKind.TAIL if place else PieceKind.HEAD
        elif piece.kinds[kind] >= SURE_PIECE:
            continue
        named |= {"kind": (_KIND_TEXTS[kind], {}), "other": (_KIND_TEXTS[other], {})}
        yield ReadingProblem("piece_kind", ("photo.piece_kind", named), advice, index, place)


def _reaches_far(seen: SeenCoatl, place: int) -> bool:
    """Tell whether a piece at an end extends as far as only heads and tails do."""
    last = len(seen.pieces) - 1
    if place not in (0, last) or not last or not seen.pieces[place].outline:
        return False
    centre = np.array(seen.pieces[place].centre)
    out = centre - seen.pieces[1 if place == 0 else last - 1].centre
    steps = (np.array(seen.pieces[place].outline) - centre) @ out / max(float(out @ out), 1e-6)
    return float(steps.max()) > MAX_BODY_REACH


def _likeliest_two_colours(piece: SeenPiece) -> list[Colour]:
    """List the two likeliest colours of a piece, the likeliest first."""
    return sorted(piece.colours, key=lambda colour: -piece.colours[colour])[:2]


def find_facing_ends(coatls: Sequence[SeenCoatl]) -> Iterator[ReadingProblem]:
    """Find Cóatls whose open ends face each other: they may be one, partly covered."""
    facing = set[int]()
    ends = [
        (index, *end)
        for index, seen in enumerate(coatls)
        for end in _list_open_end_directions(seen)
    ]
    for (one, here, out), (other, there, back) in combinations(ends, 2):
        gap = there - here
        apart = float(np.hypot(*gap))
        if one == other or apart > MAX_IN_LINE_GAP * (np.hypot(*out) + np.hypot(*back)) / 2:
            continue
        if min(_cosine(out, gap), _cosine(back, -gap)) > MIN_IN_LINE_COSINE:
            facing |= {one, other}
    for index in sorted(facing):
        phrase: Phrase = ("photo.in_line", {"coatl": index + 1})
        yield ReadingProblem("in_line", phrase, "photo.advice_uncover", index)


def _list_open_end_directions(seen: SeenCoatl) -> Iterator[tuple[Vector, Vector]]:
    """Yield each end without head or tail: its centre, and a step outwards."""
    centres = [np.array(piece.centre) for piece in seen.pieces]
    if len(centres) > 1 and seen.pieces[0].kind is not PieceKind.HEAD:
        yield centres[0], centres[0] - centres[1]
    if len(centres) > 1 and seen.pieces[-1].kind is not PieceKind.TAIL:
        yield centres[-1], centres[-1] - centres[-2]


def _cosine(one: Vector, other: Vector) -> float:
    long = float(np.hypot(*one) * np.hypot(*other))
    return float(np.dot(one, other)) / max(long, 1e-6)


def find_covered_pieces(loose_pieces: Sequence[SeenPiece]) -> Iterator[ReadingProblem]:
    """Find single pieces that lie half under something: more of a Cóatl may lie there."""
    for piece in loose_pieces:
        if piece.covered > SURELY_COVERED:
            named: Phrase = (_PIECE_TEXTS[piece.kind], {"colour": piece.colour})
            phrase: Phrase = ("photo.covered_piece", {"named": named})
            advice = "photo.advice_uncover"
            yield ReadingProblem("covered_piece", phrase, advice, area=piece.outline)


def find_too_many_pieces(
    coatls: Sequence[SeenCoatl], counts: PieceCounts
) -> Iterator[ReadingProblem]:
    """Find pieces of which there are more than the box holds (rule 1.2)."""
    seen = Counter((piece.kind, piece.colour) for coatl in coatls for piece in coatl.pieces)
    for (kind, colour), count in sorted(seen.items(), key=lambda one: (one[0][0].value, one[0][1])):
        most = getattr(counts, kind.value)
        if count > most:
            number: Phrase = (_COUNT_TEXTS[kind], {"n": count, "colour": colour})
            yield ReadingProblem("too_many", ("photo.too_many", {"seen": number, "most": most}))


def _leaves_picture(seen: SeenCoatl, pixels: Pixels) -> bool:
    """Tell whether a Cóatl may be cut by the edge of the picture."""
    middles = [np.array(piece.centre) for piece in seen.pieces]
    if len(middles) < 2:
        return _is_at_border(seen.pieces[0], BODY_REACH * seen.pitch, pixels)
    ends = ((0, 1, PieceKind.HEAD), (-1, -2, PieceKind.TAIL))
    for (place, neighbour, tip), beyond in zip(ends, seen.beyond_ends, strict=True):
        out = middles[place] - middles[neighbour]
        reach = TIP_REACH if seen.pieces[place].kind is tip else BODY_REACH
        if beyond > FAINT_BEYOND:
            reach = max(reach, BODY_REACH + 1)  # some of one more piece may be seen
        if not _is_inside(middles[place] + reach * out, pixels):
            return True
    return any(_is_at_border(piece, 0.35 * seen.pitch, pixels) for piece in seen.pieces)


def _is_inside(place: Vector, pixels: Pixels) -> bool:
    height, width = pixels.shape[:2]
    return bool(0 < place[0] < width and 0 < place[1] < height)


def _is_at_border(piece: SeenPiece, margin: float, pixels: Pixels) -> bool:
    height, width = pixels.shape[:2]
    x, y = piece.centre
    return not (margin < x < width - margin and margin < y < height - margin)


def _choose_advice(seen: SeenCoatl, pixels: Pixels) -> str:
    """Choose the advice that would most likely help to read a Cóatl."""
    points = np.array([piece.centre for piece in seen.pieces])
    pitch = seen.pitch
    height, width = pixels.shape[:2]
    left, top = np.maximum(points.min(axis=0) - pitch, 0).astype(int)
    right, bottom = np.minimum(points.max(axis=0) + pitch, (width, height)).astype(int)
    part = pixels[top:bottom, left:right]
    if not part.size:
        return "photo.advice_above"
    step = max(1, int(pitch / SAMPLED_PITCH))
    if float(np.percentile(part[::step, ::step].max(axis=2), 95)) < DARK_LEVEL:
        return "photo.advice_light"
    if pitch < MIN_PITCH:
        return "photo.advice_nearer"
    scale = SAMPLED_PITCH / pitch
    shrunk = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(np.asarray(shrunk, np.uint8), cv2.COLOR_BGR2GRAY)
    if float(cv2.Laplacian(grey, cv2.CV_64F).std()) < MIN_SHARPNESS:
        return "photo.advice_still"
    return "photo.advice_above"


SHINE_PERCENTILE = 99.95  # percentile: somewhere, something shines or is white
MIN_CHANNEL_SHARE = 0.35  # of the strongest channel: if the weakest has less, a colour is gone
BURNT_LEVEL = 252  # of 255
MAX_BURNT_SHARE = 0.6  # of the pieces; yellow ones may be, in good light


def find_colour_cast(coatls: Sequence[SeenCoatl], pixels: Pixels) -> Iterator[ReadingProblem]:
    """Find Cóatls in light with too strong a colour cast to tell blue from green."""
    if pixels.size and _measure_weakest_channel(pixels) < MIN_CHANNEL_SHARE:
        for index in range(len(coatls)):
            phrase: Phrase = ("photo.cast", {"coatl": index + 1})
            yield ReadingProblem("cast", phrase, "photo.advice_white", index)


def find_overexposure(coatls: Sequence[SeenCoatl], pixels: Pixels) -> Iterator[ReadingProblem]:
    """Find Cóatls so overexposed that green pieces are as light as yellow ones."""
    for index, seen in enumerate(coatls):
        burnt = [_is_burnt(piece.outline, pixels) for piece in seen.pieces]
        if sum(burnt) > MAX_BURNT_SHARE * len(burnt):
            phrase: Phrase = ("photo.bright", {"coatl": index + 1})
            yield ReadingProblem("bright", phrase, "photo.advice_dimmer", index)


def _measure_weakest_channel(pixels: Pixels) -> float:
    """Measure the highlights of the weakest channel, as a part of the strongest."""
    most = np.percentile(pixels[::4, ::4].reshape(-1, 3), SHINE_PERCENTILE, axis=0)
    return float(most.min() / max(most.max(), 1.0))


def _is_burnt(outline: Outline, pixels: Pixels) -> bool:
    """Tell whether most of a piece is burnt out in two channels."""
    own = select_core_pixels(outline, pixels)
    return own is not None and bool(np.sort(np.median(own, axis=0))[1] >= BURNT_LEVEL)
