"""Colour profiles of somebody's own set: learned from one photo, stored by name, used in reading.

A profile holds where each colour lies in CIELAB, and how far it spreads. It holds for the light
in which it was learned: under another lamp, learn again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from coatl_tools.errors import CommandLineError, CorrectionError
from coatl_tools.files import wrap_os_errors, write_file_atomically
from coatl_tools.json_models import StrictModel, load_json_model
from coatl_tools.pieces import Colour
from coatl_tools.vision.pieces.search import FoundPieces
from coatl_tools.vision.reading import Outline, PhotoReading, SeenPiece
from coatl_tools.vision.trace import Pixels

Lab: TypeAlias = tuple[float, float, float]  # lightness 0 to 100, green to red, blue to yellow

MIN_SPREAD: Lab = (9.0, 6.0, 6.0)  # light falls unevenly on a table, also within a colour
MIN_SPREADS_APART = 3.0  # spreads; two colours that are nearer are told apart by luck
MAX_SPREADS_WITHIN_COLOUR = 5.0  # spreads; pieces of one colour that are farther apart are of two
MAX_SPREADS_TO_PROFILE = 6.0  # spreads; what is farther from every colour is in another light
PROFILE_WEIGHT = 0.7  # of the profile beside the finder, whose own eyes saw the same pixels
CORE_SHARE = 0.4  # of a piece's half width: what is nearer to its edge is left out
SHADE_PERCENTILE, GLARE_PERCENTILE = (
    15,
    75,
)  # percentiles of lightness; darker is a seam, lighter may be gloss
MIN_CORE_PIXELS = 12  # pixels; fewer say nothing


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
            if _count_spreads_apart(self.tints[one], self.tints[other]) < MIN_SPREADS_APART
        )

    def likelihoods(self, seen: Lab) -> Mapping[Colour, float] | None:
        """How well each colour explains what was seen; None if none of them does."""
        distances = {colour: tint.distance(seen) for colour, tint in self.tints.items()}
        if min(distances.values()) > MAX_SPREADS_TO_PROFILE:
            return None
        # with heavy tails, so that no colour is ever impossible
        return {colour: (1 + away**2 / 4) ** -3.5 for colour, away in distances.items()}


def _count_spreads_apart(one: Tint, other: Tint) -> float:
    both = [(a + b) / 2 for a, b in zip(one.spread, other.spread, strict=True)]
    return Tint(one.middle, (both[0], both[1], both[2])).distance(other.middle)


def learn_profile(
    reading: PhotoReading | FoundPieces, pixels: Pixels, factor: float = 1.0
) -> ColourProfile:
    """The profile of a photo in which all five colours were found, or said by a person.

    `factor` is how many pixels of the reading one of `pixels` is. Raises CorrectionError if a
    colour is missing, or pieces that are said to be of one colour are clearly of two.
    """
    seen: dict[Colour, list[Lab]] = {colour: [] for colour in Colour}
    for piece in (*(p for coatl in reading.coatls for p in coatl.pieces), *reading.strays):
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
    """The middle of pieces of one colour; a few that lie in shadow do not move it."""
    values = np.array(seen)
    middle = np.median(values, axis=0)
    spread = 1.4826 * np.median(np.abs(values - middle), axis=0)
    return Tint(_round_lab(middle), _round_lab(np.maximum(spread, MIN_SPREAD)))


def measure_tint(piece: SeenPiece, pixels: Pixels, factor: float = 1.0) -> Lab | None:
    """The colour of a piece's own pixels: without its edge, its seams and gloss.

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
    kept = crop[inside >= max(1.0, CORE_SHARE * float(inside.max()))]
    return kept if len(kept) >= MIN_CORE_PIXELS else None


def reweigh_piece(
    piece: SeenPiece, pixels: Pixels, profile: ColourProfile, factor: float = 1.0
) -> SeenPiece:
    """A piece whose colour is weighed anew: what the finder thought, and what the profile knows.

    As it was, if a person has said what it is or the profile does not know such a colour.
    """
    seen = None if piece.corrected else measure_tint(piece, pixels, factor)
    likely = profile.likelihoods(seen) if seen is not None else None
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


def reweigh_pieces(
    finding: FoundPieces, pixels: Pixels, profile: ColourProfile, factor: float = 1.0
) -> FoundPieces:
    """All pieces of a finding, weighed anew."""

    def again(pieces: Iterable[SeenPiece]) -> tuple[SeenPiece, ...]:
        return tuple(reweigh_piece(piece, pixels, profile, factor) for piece in pieces)

    coatls = tuple(replace(seen, pieces=again(seen.pieces)) for seen in finding.coatls)
    return FoundPieces(coatls, again(finding.strays))


def _round_lab(values: NDArray[np.float64] | NDArray[np.float32]) -> Lab:
    lightness, red, yellow = (round(float(value), 2) for value in values)
    return lightness, red, yellow


MAX_NAME_LENGTH = 40

ProfileName = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
Lightness = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Hue = Annotated[float, Field(ge=-150, le=150, allow_inf_nan=False)]
Spread = Annotated[float, Field(ge=1, le=100, allow_inf_nan=False)]


class TintModel(StrictModel):
    """One colour in CIELAB, and how far it spreads."""

    lightness: Lightness
    green_red: Hue
    blue_yellow: Hue
    spread: Annotated[list[Spread], Field(min_length=3, max_length=3)]


class ProfileModel(StrictModel):
    """All five colours."""

    red: TintModel
    green: TintModel
    blue: TintModel
    yellow: TintModel
    black: TintModel


class ProfilesFile(StrictModel):
    """The shape of `colours.json`."""

    colours: dict[ProfileName, ProfileModel]


def get_profiles_path() -> Path:
    """Where the profiles are kept: in the user's configuration folder."""
    from platformdirs import user_config_path  # noqa: PLC0415 (only who has a profile needs it)

    return user_config_path("coatl", appauthor=False) / "colours.json"


def load_profiles(path: Path) -> Mapping[str, ColourProfile]:
    """All profiles by name, none if there is no file; CardDataError for a file with mistakes."""
    if not path.exists():
        return {}
    found = load_json_model(path, ProfilesFile, "colours.problems").colours
    return {name: _profile_from_model(model) for name, model in found.items()}


def find_profile(path: Path, name: str) -> ColourProfile:
    """A profile by its name; raises CommandLineError, naming those that there are."""
    profiles = load_profiles(path)
    if name not in profiles:
        if not profiles:
            raise CommandLineError("colours.none", name=name[:MAX_NAME_LENGTH])
        raise CommandLineError(
            "colours.unknown", name=name[:MAX_NAME_LENGTH], names=", ".join(profiles)
        )
    return profiles[name]


def check_profile_name(name: str) -> None:
    """Raise CommandLineError for what can be no name of a profile."""
    if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise CommandLineError("colours.bad_name", name=name[:MAX_NAME_LENGTH])


def save_profiles(path: Path, profiles: Mapping[str, ColourProfile]) -> None:
    """Keep profiles, whole or not at all; raises FileError."""
    data = {"colours": {name: profile_to_json(profiles[name]) for name in sorted(profiles)}}
    with wrap_os_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file_atomically(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def profile_to_json(profile: ColourProfile) -> dict[str, dict[str, object]]:
    """A profile as it is kept."""
    return {
        colour.word: {
            "lightness": tint.middle[0],
            "green_red": tint.middle[1],
            "blue_yellow": tint.middle[2],
            "spread": list(tint.spread),
        }
        for colour, tint in sorted(profile.tints.items())
    }


def _profile_from_model(model: ProfileModel) -> ColourProfile:
    return ColourProfile(
        {colour: _tint_from_model(getattr(model, colour.word)) for colour in Colour}
    )


def _tint_from_model(model: TintModel) -> Tint:
    middle: Lab = (model.lightness, model.green_red, model.blue_yellow)
    lightness, red, yellow = model.spread
    return Tint(middle, (lightness, red, yellow))
