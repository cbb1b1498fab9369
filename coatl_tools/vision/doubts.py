"""What is not sure about the Cóatls of a photo, said in words, with what would help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.components import PieceCounts
from coatl_tools.errors import Phrase
from coatl_tools.pieces import Colour, Kind
from coatl_tools.vision.reading import Point, Problem, SeenCoatl, SeenPiece
from coatl_tools.vision.trace import Pixels

Vector = NDArray[np.float64]
SURE = 0.75  # a Cóatl that is less likely right is not sure
SURE_PIECE = 0.85  # so likely each colour and each kind must be right
SURE_BESIDE = 0.97  # and a colour where another piece is in doubt between the same two
SURE_JOINTS = 0.75
FAR_OUT = 1.4  # pitches from the middle of a piece to its outer end: a body's hooks have one
BEYOND = 0.5  # so likely a piece is joined that was not seen
IN_LINE, REACH = 0.94, 4.5  # the cosine, and pitches, within which one may go on in another
DARK = 45  # of 255: the brightest of the five colours looks darker in bad light
BLURRED = 6.0
SMALL = 18  # pixels from a piece to the next
_KINDS = {
    Kind.HEAD: "photo.kind_head",
    Kind.BODY: "photo.kind_body",
    Kind.TAIL: "photo.kind_tail",
}
_COUNTED = {
    Kind.HEAD: "shown.n_heads",
    Kind.BODY: "shown.n_bodies",
    Kind.TAIL: "shown.n_tails",
}


def _said(kind: Kind) -> Phrase:
    return _KINDS[kind], {}


def nothing_found() -> Problem:
    """A photo without a Cóatl."""
    return Problem("no_coatl", ("photo.nothing_found", {}), ("photo.advice_find", {}))


def vague(index: int, seen: SeenCoatl, pixels: Pixels) -> Problem:
    """A Cóatl in which no piece stands out, yet too much together is unclear."""
    phrase: Phrase = ("photo.joints", {"coatl": index + 1})
    return Problem("joints", phrase, _advice(seen, pixels), index)


def coatl_doubts(
    index: int, seen: SeenCoatl, strays: Sequence[SeenPiece], pixels: Pixels
) -> Iterator[Problem]:
    """Everything that is not sure about one Cóatl."""
    number = index + 1
    advice = _advice(seen, pixels)
    alike = {_two_colours(piece) for piece in seen.pieces if _likeliest(piece) < SURE_PIECE}
    for place, piece in enumerate(seen.pieces):
        if piece.corrected:
            continue
        named: dict[str, object] = {"coatl": number, "piece": place + 1}
        first, second = sorted(piece.colours, key=lambda c: -piece.colours[c])[:2]
        needed = SURE_BESIDE if _two_colours(piece) in alike else SURE_PIECE
        if piece.colours[first] < needed:
            either: Phrase = ("photo.piece_colour", named | {"first": first, "second": second})
            yield Problem("piece_colour", either, _on_colours(advice), index, place)
        kind, other = sorted(piece.kinds, key=lambda k: -piece.kinds[k])[:2]
        if kind is Kind.BODY and _reaches_far(seen, place):
            other = Kind.TAIL if place else Kind.HEAD
        elif piece.kinds[kind] >= SURE_PIECE:
            continue
        either = ("photo.piece_kind", named | {"kind": _said(kind), "other": _said(other)})
        yield Problem("piece_kind", either, advice, index, place)
    told = False
    for end, place in ((0, 0), (1, len(seen.pieces) - 1)):
        if seen.beyond[end] < BEYOND:
            continue
        told = True
        if _at_border(seen.pieces[place], seen.pitch, pixels):
            whole: Phrase = ("photo.advice_whole", {})
            yield Problem("outside", ("photo.outside", {"coatl": number}), whole, index, place)
        else:
            named = {"coatl": number, "piece": place + 1}
            yield Problem("goes_on", ("photo.goes_on", named), advice, index, place)
    if not told and any(_at_border(p, 0.35 * seen.pitch, pixels) for p in _open_ends(seen)):
        told = True
        whole = ("photo.advice_whole", {})
        yield Problem("outside", ("photo.outside", {"coatl": number}), whole, index)
    if seen.joined < SURE_JOINTS and not told:
        yield Problem("joints", ("photo.joints", {"coatl": number}), advice, index)
    if not seen.orientation_known:
        above: Phrase = ("photo.advice_above", {})
        yield Problem("direction", ("photo.direction", {"coatl": number}), above, index)
    if seen.coatl is None:
        yield Problem("not_a_coatl", ("photo.not_a_coatl", {"coatl": number}), advice, index)
    for stray in strays:
        ends = (seen.pieces[0], seen.pieces[-1])
        if min(_apart(stray.centre, end.centre) for end in ends) < 1.45 * seen.pitch:
            apart: Phrase = ("photo.advice_apart", {})
            yield Problem("near_piece", ("photo.near_piece", {"coatl": number}), apart, index)


def _reaches_far(seen: SeenCoatl, place: int) -> bool:
    """Whether a piece at an end reaches as far out as only heads and tails do."""
    last = len(seen.pieces) - 1
    if place not in (0, last) or not last or not seen.pieces[place].outline:
        return False
    centre = np.array(seen.pieces[place].centre)
    out = centre - seen.pieces[1 if place == 0 else last - 1].centre
    steps = (np.array(seen.pieces[place].outline) - centre) @ out / max(float(out @ out), 1e-6)
    return float(steps.max()) > FAR_OUT


def _likeliest(piece: SeenPiece) -> float:
    return max(piece.colours.values())


def _two_colours(piece: SeenPiece) -> frozenset[Colour]:
    """The two that a piece most likely has."""
    return frozenset(sorted(piece.colours, key=lambda c: -piece.colours[c])[:2])


def in_line_doubts(coatls: Sequence[SeenCoatl]) -> Iterator[Problem]:
    """Two Cóatls whose open ends face each other: something may lie on a single one."""
    facing = set[int]()
    ends = [(index, *end) for index, seen in enumerate(coatls) for end in _open_ends_out(seen)]
    for (one, here, out), (other, there, back) in combinations(ends, 2):
        gap = there - here
        apart = float(np.hypot(*gap))
        if one == other or apart > REACH * (np.hypot(*out) + np.hypot(*back)) / 2:
            continue
        if min(_cosine(out, gap), _cosine(back, -gap)) > IN_LINE:
            facing |= {one, other}
    for index in sorted(facing):
        uncover: Phrase = ("photo.advice_uncover", {})
        yield Problem("in_line", ("photo.in_line", {"coatl": index + 1}), uncover, index)


def _open_ends_out(seen: SeenCoatl) -> Iterator[tuple[Vector, Vector]]:
    """Where a Cóatl has no head, or no tail, and a step on from there."""
    centres = [np.array(piece.centre) for piece in seen.pieces]
    if len(centres) > 1 and seen.pieces[0].kind is not Kind.HEAD:
        yield centres[0], centres[0] - centres[1]
    if len(centres) > 1 and seen.pieces[-1].kind is not Kind.TAIL:
        yield centres[-1], centres[-1] - centres[-2]


def _cosine(one: Vector, other: Vector) -> float:
    long = float(np.hypot(*one) * np.hypot(*other))
    return float(np.dot(one, other)) / max(long, 1e-6)


def game_doubts(coatls: Sequence[SeenCoatl], counts: PieceCounts) -> Iterator[Problem]:
    """More pieces than the box holds (rule 1.2)."""
    seen = Counter((piece.kind, piece.colour) for coatl in coatls for piece in coatl.pieces)
    for (kind, colour), count in sorted(seen.items(), key=lambda one: (one[0][0].value, one[0][1])):
        most = getattr(counts, kind.value)
        if count > most:
            told: Phrase = (_COUNTED[kind], {"n": count, "colour": colour})
            yield Problem("too_many", ("photo.too_many", {"seen": told, "most": most}))


def _open_ends(seen: SeenCoatl) -> Iterator[SeenPiece]:
    if seen.pieces[0].kind is not Kind.HEAD:
        yield seen.pieces[0]
    if seen.pieces[-1].kind is not Kind.TAIL:
        yield seen.pieces[-1]


def _apart(one: Point, other: Point) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _at_border(piece: SeenPiece, margin: float, pixels: Pixels) -> bool:
    height, width = pixels.shape[:2]
    x, y = piece.centre
    return not (margin < x < width - margin and margin < y < height - margin)


def _on_colours(advice: Phrase) -> Phrase:
    """What helps to tell colours apart: light, where the photo is sharp and the pieces large."""
    return ("photo.advice_even_light", {}) if advice[0] == "photo.advice_above" else advice


def _advice(seen: SeenCoatl, pixels: Pixels) -> Phrase:
    """What would most likely help to read a Cóatl."""
    points = np.array([piece.centre for piece in seen.pieces])
    pitch = seen.pitch
    height, width = pixels.shape[:2]
    left, top = np.maximum(points.min(axis=0) - pitch, 0).astype(int)
    right, bottom = np.minimum(points.max(axis=0) + pitch, (width, height)).astype(int)
    part = pixels[top:bottom, left:right]
    if not part.size:
        return "photo.advice_above", {}
    if float(np.percentile(part.max(axis=2), 95)) < DARK:
        return "photo.advice_light", {}
    if pitch < SMALL:
        return "photo.advice_nearer", {}
    shrunk = cv2.resize(part, None, fx=30 / pitch, fy=30 / pitch, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(np.asarray(shrunk, np.uint8), cv2.COLOR_BGR2GRAY)
    if float(cv2.Laplacian(grey, cv2.CV_64F).std()) < BLURRED:
        return "photo.advice_still", {}
    return "photo.advice_above", {}
