"""The colours of somebody's own set, in somebody's own light: learned from one photo.

A profile holds where each colour lies in CIELAB, and how far it spreads. It is told what light
it is of by nothing but its name: under another lamp, learn again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import Colour
from coatl_tools.vision.pieces.find import Finding
from coatl_tools.vision.reading import Outline, Reading, SeenPiece
from coatl_tools.vision.trace import Pixels

Lab: TypeAlias = tuple[float, float, float]  # lightness 0 to 100, green to red, blue to yellow

LEAST_SPREAD: Lab = (9.0, 6.0, 6.0)  # light falls unevenly on a table, also within a colour
CONFUSABLE = 3.0  # spreads; two colours that are nearer are told apart by luck
ASTRAY = 5.0  # spreads; pieces of one colour that are farther apart are of two
FOREIGN = 6.0  # spreads; what is farther from every colour is in another light
WEIGHT = 0.7  # of the profile beside the finder, whose own eyes saw the same pixels
CORE = 0.4  # of a piece's half width: what is nearer to its edge is left out
SHADE, GLARE = 15, 75  # percentiles of lightness; darker is a seam, lighter may be gloss
LEAST_CORE = 12  # pixels; fewer say nothing


@dataclass(frozen=True, slots=True)
class Tint:
    """One colour: its middle, and how far it spreads in each direction."""

    middle: Lab
    spread: Lab

    def distance(self, seen: Lab) -> float:
        """How many spreads away a colour is."""
        parts = zip(seen, self.middle, self.spread, strict=True)
        return math.sqrt(sum(((one - mid) / wide) ** 2 for one, mid, wide in parts))


@dataclass(frozen=True, slots=True)
class ColourProfile:
    """The five colours of a set."""

    tints: Mapping[Colour, Tint]

    @property
    def confusable(self) -> tuple[tuple[Colour, Colour], ...]:
        """Pairs of colours that this light hardly tells apart."""
        return tuple(
            (one, other)
            for one, other in combinations(Colour, 2)
            if _apart(self.tints[one], self.tints[other]) < CONFUSABLE
        )

    def likelihoods(self, seen: Lab) -> Mapping[Colour, float] | None:
        """How well each colour explains what was seen; None if none of them does."""
        distances = {colour: tint.distance(seen) for colour, tint in self.tints.items()}
        if min(distances.values()) > FOREIGN:
            return None
        # with heavy tails, so that no colour is ever impossible
        return {colour: (1 + away**2 / 4) ** -3.5 for colour, away in distances.items()}


def _apart(one: Tint, other: Tint) -> float:
    both = [(a + b) / 2 for a, b in zip(one.spread, other.spread, strict=True)]
    return Tint(one.middle, (both[0], both[1], both[2])).distance(other.middle)


def learned(reading: Reading | Finding, pixels: Pixels, factor: float = 1.0) -> ColourProfile:
    """The profile of a photo in which all five colours were found, or said by a person.

    `factor` is how many pixels of the reading one of `pixels` is. Raises CorrectionError if a
    colour is missing, or pieces that are said to be of one colour are clearly of two.
    """
    seen: dict[Colour, list[Lab]] = {colour: [] for colour in Colour}
    for piece in (*(p for coatl in reading.coatls for p in coatl.pieces), *reading.strays):
        found = tint_seen(piece, pixels, factor)
        if found is not None:
            seen[piece.colour].append(found)
    missing = [colour for colour, found in seen.items() if not found]
    if missing:
        raise CorrectionError("colours.missing", colours=_named(missing), n=len(missing))
    tints = {colour: _tint(found) for colour, found in seen.items()}
    for colour, several in seen.items():
        if max(map(tints[colour].distance, several)) > ASTRAY:
            raise CorrectionError("colours.astray", colour=colour)
    return ColourProfile(tints)


def _named(colours: Iterable[Colour]) -> list[object]:
    return [("colours.name", {"colour": colour, "letter": colour.name}) for colour in colours]


def _tint(seen: list[Lab]) -> Tint:
    """The middle of pieces of one colour; a few that lie in shadow do not move it."""
    values = np.array(seen)
    middle = np.median(values, axis=0)
    spread = 1.4826 * np.median(np.abs(values - middle), axis=0)
    return Tint(_lab(middle), _lab(np.maximum(spread, LEAST_SPREAD)))


def tint_seen(piece: SeenPiece, pixels: Pixels, factor: float = 1.0) -> Lab | None:
    """The colour of a piece's own pixels: without its edge, its seams and gloss.

    None if it has no outline inside the picture, or is too small.
    """
    own = core(piece.outline, pixels, factor)
    if own is None:
        return None
    lab = cv2.cvtColor(own[np.newaxis].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    low, high = np.percentile(lab[:, 0], (SHADE, GLARE))
    kept = lab[(lab[:, 0] >= low) & (lab[:, 0] <= high)]
    return _lab(np.median(kept, axis=0))


def core(outline: Outline, pixels: Pixels, factor: float = 1.0) -> NDArray[np.uint8] | None:
    """The pixels well inside an outline, one below the other."""
    if len(outline) < 3:
        return None
    points = np.array(outline, np.float64) / factor
    height, width = pixels.shape[:2]
    if not np.isfinite(points).all():
        return None
    low = np.clip(np.floor(points.min(axis=0)), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(points.max(axis=0)) + 1, 0, (width, height)).astype(int)
    if (high - low < 3).any():
        return None
    crop = pixels[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(points - low).astype(np.int32)], 1)
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    kept = crop[inside >= max(1.0, CORE * float(inside.max()))]
    return kept if len(kept) >= LEAST_CORE else None


def reweighed(
    piece: SeenPiece, pixels: Pixels, profile: ColourProfile, factor: float = 1.0
) -> SeenPiece:
    """A piece whose colour is weighed anew: what the finder thought, and what the profile knows.

    As it was, if a person has said what it is or the profile does not know such a colour.
    """
    seen = None if piece.corrected else tint_seen(piece, pixels, factor)
    likely = profile.likelihoods(seen) if seen is not None else None
    if likely is None:
        return piece
    weighed = {
        colour: piece.colours.get(colour, 0.0) ** (1 - WEIGHT) * likely[colour] ** WEIGHT
        for colour in Colour
    }
    total = sum(weighed.values())
    if total <= 0:
        return piece
    return replace(piece, colours={colour: part / total for colour, part in weighed.items()})


def reweighed_finding(
    finding: Finding, pixels: Pixels, profile: ColourProfile, factor: float = 1.0
) -> Finding:
    """All pieces of a finding, weighed anew."""

    def again(pieces: Iterable[SeenPiece]) -> tuple[SeenPiece, ...]:
        return tuple(reweighed(piece, pixels, profile, factor) for piece in pieces)

    coatls = tuple(replace(seen, pieces=again(seen.pieces)) for seen in finding.coatls)
    return Finding(coatls, again(finding.strays))


def _lab(values: NDArray[np.float64] | NDArray[np.float32]) -> Lab:
    lightness, red, yellow = (round(float(value), 2) for value in values)
    return lightness, red, yellow
