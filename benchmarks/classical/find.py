"""Reading a photo without learning: the same values as the learned reader has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from benchmarks.classical.axis import Straight, find_axis, straighten
from benchmarks.classical.ends import ends
from benchmarks.classical.joints import Grid, cut
from benchmarks.classical.segment import Floats, segment
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.picture import load_picture
from coatl_tools.vision.pieces.search import FoundPieces
from coatl_tools.vision.reading import PhotoReading, Point, ReadingProblem, SeenCoatl, SeenPiece
from coatl_tools.vision.trace import Pixels, Trace

SHORTEST = 2.5  # widths: what is shorter is one piece alone
SEAMS = 0.27  # how well seams must be seen: pens and mugs have none
FILLED = 0.85  # of the straight Cóatl is plastic: one piece alone has hooks
LIKE_AN_END = 4.6  # what must speak for some kind of end
SURE = 0.5


class Read(NamedTuple):
    """A Cóatl as it was cut, and how likely each kind of its ends is."""

    grid: Grid
    first: Mapping[PieceKind, float]
    last: Mapping[PieceKind, float]

    def score(self, weight: float) -> float:
        """How good the cut and its ends are together."""
        return self.grid.score + weight * (self.first[self.grid.first] + self.last[self.grid.last])

    @property
    def shape(self) -> tuple[int, bool, bool]:
        """What it is, but for which end is the head."""
        return self.grid.pieces, self.grid.first is PieceKind.BODY, self.grid.last is PieceKind.BODY


def read_classically(path: Path, trace: Trace) -> PhotoReading:
    """Read a photo; what is likely enough is said to be sure."""
    with trace.stage("decode"):
        picture = load_picture(path)
    finding = find_coatls_classically(picture.pixels, trace)
    coatls = tuple(
        _scaled(replace(coatl, sure=coatl.confidence >= SURE), picture.factor)
        for coatl in finding.coatls
    )
    # Only its code is looked at: nobody reads it.
    problems = () if coatls else (ReadingProblem("no_coatl", ("", {})),)
    return PhotoReading(path.name, picture.size, coatls, finding.strays, problems=problems)


def _scaled(coatl: SeenCoatl, factor: float) -> SeenCoatl:
    """In pixels of the photo."""
    pieces = tuple(
        replace(
            piece,
            centre=(piece.centre[0] * factor, piece.centre[1] * factor),
            outline=tuple((x * factor, y * factor) for x, y in piece.outline),
        )
        for piece in coatl.pieces
    )
    return replace(coatl, pieces=pieces)


def find_coatls_classically(pixels: Pixels, trace: Trace) -> FoundPieces:
    """Find all Cóatls in a picture, from top to bottom."""
    with trace.stage("segment"):
        found = segment(pixels)
    coatls = []
    for group in found.groups:
        with trace.stage("axis"):
            axis = find_axis(group, found.classes)
            straight = straighten(axis, pixels, found, group)
        if axis.length < SHORTEST:
            continue
        with trace.stage("joints"):
            ways = cut(straight)
        with trace.stage("ends"):
            read = _weighed(straight, ways)
        if read and _is_coatl(straight, read.grid):
            coatls.append(_seen(straight, read, ways))
    coatls.sort(key=lambda coatl: float(np.mean([piece.centre[1] for piece in coatl.pieces])))
    return FoundPieces(tuple(coatls), ())


def _weighed(straight: Straight, ways: list[Grid]) -> Read | None:
    """The best way to cut it. Seams tell the number of pieces, outlines what the ends are."""
    reads = [Read(grid, *ends(straight, grid)) for grid in ways[:20]]
    if not reads:
        return None
    best = max(reads, key=lambda read: read.score(0.04))
    alike = [read for read in reads if read.shape == best.shape]
    return max(alike, key=lambda read: read.score(0.15))


def _is_coatl(straight: Straight, grid: Grid) -> bool:
    """Whether it has seams, and is as full as a Cóatl is."""
    begin, end = round(grid.joints[0]), round(grid.joints[-1]) + 1
    core = straight.classes[straight.classes.shape[0] // 4 : -straight.classes.shape[0] // 4]
    whole = cv2.morphologyEx(
        (core > 0).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)
    )
    filled = float((whole[:, begin:end] > 0).mean())
    return grid.seams >= SEAMS and filled >= FILLED


def _seen(straight: Straight, read: Read, ways: list[Grid]) -> SeenCoatl:
    """As values, from the head end to the tail end."""
    grid = read.grid
    middles = [
        grid.joints[0] - grid.pitches[0] / 2,
        *(grid.joints[1:] + grid.joints[:-1]) / 2,
        grid.joints[-1] + grid.pitches[-1] / 2,
    ]
    edges = [0.0, *grid.joints, float(straight.length - 1)]
    kinds = [grid.first, *[PieceKind.BODY] * (grid.pieces - 2), grid.last]
    pieces = [
        SeenPiece(
            _colours(grid.shares[i]),
            {kinds[i]: 1.0},
            _outline(straight, edges[i], edges[i + 1]),
            _place(straight, middles[i], 0.0),
        )
        for i in range(grid.pieces)
    ]
    other = max((way.score for way in ways if way.pieces != grid.pieces), default=-1.0)
    clear = min(max(read.first.values()), max(read.last.values())) - LIKE_AN_END
    joined = _logistic(25 * (grid.score - other) + 8 * (grid.seams - SEAMS)) * _logistic(4 * clear)
    right, facing = _ends(read)
    for i in (0, -1):
        pieces[i] = replace(pieces[i], kinds=_kinds(kinds[i], right))
    if grid.first is PieceKind.TAIL or grid.last is PieceKind.HEAD:
        pieces.reverse()
    return SeenCoatl(tuple(pieces), joined, facing)


def _ends(read: Read) -> tuple[float, float]:
    """How likely both ends are what they are taken for, and the direction is right."""
    taken = (read.grid.first, read.grid.last)
    likely = {
        pair: math.exp(2 * (read.first[pair[0]] + read.last[pair[1]]))
        for pair in itertools.product(PieceKind, repeat=2)
        if pair[0] is not pair[1] or pair == (PieceKind.BODY, PieceKind.BODY)
    }
    back = (taken[1], taken[0])
    facing = likely[taken] / (likely[taken] + likely[back])
    right = (likely[taken] + likely[back]) / (sum(likely.values()) + likely[(PieceKind.BODY,) * 2])
    return min(1.0, right) ** 0.5, facing


def _kinds(kind: PieceKind, right: float) -> Mapping[PieceKind, float]:
    """The kind that it is taken for is the likeliest."""
    rest = min((1 - right) / 2, 0.3)
    return {other: 1 - 2 * rest if other is kind else rest for other in PieceKind}


def _colours(shares: Floats) -> Mapping[Colour, float]:
    """How likely each colour is if it has such a share of a piece."""
    likely = np.exp(8 * shares / (shares.sum() + 1e-6))
    return dict(zip(Colour, (likely / likely.sum()).tolist(), strict=True))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-min(50.0, max(-50.0, value))))


def _place(straight: Straight, column: float, across: float) -> Point:
    """Where in the picture a place of the straight Cóatl is; across in widths."""
    points, widths = straight.columns.points, straight.columns.widths
    i = int(np.clip(round(column), 1, len(points) - 2))
    along = points[i + 1] - points[i - 1]
    along = along / (np.linalg.norm(along) + 1e-9)
    x, y = points[i] + np.array([-along[1], along[0]]) * across * widths[i]
    return float(x), float(y)


def _outline(straight: Straight, begin: float, end: float) -> tuple[Point, ...]:
    corners = ((begin, -0.5), (end, -0.5), (end, 0.5), (begin, 0.5))
    return tuple(_place(straight, column, across) for column, across in corners)
