"""Measure the colours of pieces in a photo: learn a colour profile, and weigh pieces by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import Colour
from coatl_tools.vision.colour_profiles import ColourProfile, Lab, Tint
from coatl_tools.vision.pieces.piece_search import FoundPieces
from coatl_tools.vision.reading import Outline, PhotoReading, SeenPiece
from coatl_tools.vision.stage_trace import Pixels

MIN_SPREAD: Lab = (9.0, 6.0, 6.0)  # light falls unevenly on a table, also within a colour
MAX_SPREADS_WITHIN_COLOUR = 5.0  # spreads; pieces of one colour that are farther apart are of two
PROFILE_WEIGHT = 0.7  # exponent of the profile; the networks saw the same pixels
CORE_SHARE = 0.4  # of a piece's half width: what is nearer to its edge is left out
SHADE_PERCENTILE, GLARE_PERCENTILE = 15, 75  # of lightness: darker is a seam, lighter may be gloss
MIN_CORE_PIXELS = 12  # pixels; fewer say nothing


def learn_profile(
    reading: PhotoReading | FoundPieces, pixels: Pixels, factor: float = 1.0
) -> ColourProfile:
    """Learn a profile from a photo in which all five colours were read or corrected.

    `factor` is the number of the reading's pixels per pixel of `pixels`. Raises CorrectionError if
    a colour is missing, or pieces named alike have clearly two colours.
    """
    seen: dict[Colour, list[Lab]] = {colour: [] for colour in Colour}
    for piece in (*(p for coatl in reading.coatls for p in coatl.pieces), *reading.loose_pieces):
        found = measure_tint(piece, pixels, factor)
        if found is not None:
            seen[piece.colour].append(found)
    missing = [colour for colour, found in seen.items() if not found]
    if missing:
        raise CorrectionError("colours.missing", colours=_name_colours(missing), n=len(missing))
    tints = {colour: _fit_tint(found) for colour, found in seen.items()}
    for colour, several in seen.items():
        if max(map(tints[colour].distance, several)) > MAX_SPREADS_WITHIN_COLOUR:
            raise CorrectionError("colours.astray", colour=colour)
    return ColourProfile(tints)


def _name_colours(colours: Iterable[Colour]) -> list[object]:
    return [("colours.name", {"colour": colour, "letter": colour.name}) for colour in colours]


def _fit_tint(seen: list[Lab]) -> Tint:
    """Fit the tint of pieces of one colour, robust against a few in shadow."""
    values = np.array(seen)
    middle = np.median(values, axis=0)
    spread = 1.4826 * np.median(np.abs(values - middle), axis=0)
    return Tint(_round_lab(middle), _round_lab(np.maximum(spread, MIN_SPREAD)))


def measure_tint(piece: SeenPiece, pixels: Pixels, factor: float = 1.0) -> Lab | None:
    """Measure the colour of a piece's own pixels: without its edge, its seams and gloss.

    None if it has no outline inside the picture, or is too small.
    """
    own = select_core_pixels(piece.outline, pixels, factor)
    if own is None:
        return None
    lab = cv2.cvtColor(own[np.newaxis].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    low, high = np.percentile(lab[:, 0], (SHADE_PERCENTILE, GLARE_PERCENTILE))
    kept = lab[(lab[:, 0] >= low) & (lab[:, 0] <= high)]
    return _round_lab(np.median(kept, axis=0))


def select_core_pixels(
    outline: Outline, pixels: Pixels, factor: float = 1.0
) -> NDArray[np.uint8] | None:
    """Select the pixels well inside an outline, as rows; None if there are too few."""
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
    kept = crop[inside >= max(1.0, CORE_SHARE * float(inside.max()))]
    return kept if len(kept) >= MIN_CORE_PIXELS else None


def reweigh_piece(
    piece: SeenPiece, pixels: Pixels, profile: ColourProfile, factor: float = 1.0
) -> SeenPiece:
    """Combine a piece's colour probabilities with those of the profile.

    Unchanged if a person has corrected it, or the profile does not know such a colour.
    """
    seen = None if piece.corrected else measure_tint(piece, pixels, factor)
    likely = profile.rate_colours(seen) if seen is not None else None
    if likely is None:
        return piece
    weighed = {
        colour: piece.colours.get(colour, 0.0) ** (1 - PROFILE_WEIGHT)
        * likely[colour] ** PROFILE_WEIGHT
        for colour in Colour
    }
    total = sum(weighed.values())
    if total <= 0:
        return piece
    return replace(piece, colours={colour: part / total for colour, part in weighed.items()})


def reweigh_pieces(finding: FoundPieces, pixels: Pixels, profile: ColourProfile) -> FoundPieces:
    """Combine the colour probabilities of all pieces with those of the profile."""

    def again(pieces: Iterable[SeenPiece]) -> tuple[SeenPiece, ...]:
        return tuple(reweigh_piece(piece, pixels, profile) for piece in pieces)

    coatls = tuple(replace(seen, pieces=again(seen.pieces)) for seen in finding.coatls)
    return FoundPieces(coatls, again(finding.loose_pieces))


def _round_lab(values: NDArray[np.float64] | NDArray[np.float32]) -> Lab:
    lightness, red, yellow = (round(float(value), 2) for value in values)
    return lightness, red, yellow
