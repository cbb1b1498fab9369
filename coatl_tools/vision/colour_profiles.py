"""Colour profiles of somebody's own set: where each colour lies in CIELAB, stored by name.

A profile holds for the light in which it was learned: under another lamp, learn again. This
module imports no OpenCV; `piece_colours` learns profiles and reads with them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, TypeAlias

from platformdirs import user_config_path
from pydantic import Field

from coatl_tools.errors import CommandLineError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_file_atomically
from coatl_tools.files.json_models import StrictModel, load_json_model
from coatl_tools.pieces import Colour

Lab: TypeAlias = tuple[float, float, float]  # lightness 0 to 100, green to red, blue to yellow

MIN_SPREADS_APART = 3.0  # spreads; two colours that are nearer are told apart by luck
MAX_SPREADS_TO_PROFILE = 6.0  # spreads; what is farther from every colour is in another light
MAX_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Tint:
    """One colour: its middle, and how far it spreads in each direction."""

    middle: Lab
    spread: Lab

    def distance(self, seen: Lab) -> float:
        """Return how many spreads away a colour is."""
        parts = zip(seen, self.middle, self.spread, strict=True)
        return math.sqrt(sum(((one - mid) / wide) ** 2 for one, mid, wide in parts))


@dataclass(frozen=True, slots=True)
class ColourProfile:
    """The five colours of a set."""

    tints: Mapping[Colour, Tint]

    @property
    def confusable_pairs(self) -> tuple[tuple[Colour, Colour], ...]:
        """Pairs of colours that this light hardly tells apart."""
        return tuple(
            (one, other)
            for one, other in combinations(Colour, 2)
            if _measure_spreads_apart(self.tints[one], self.tints[other]) < MIN_SPREADS_APART
        )

    def rate_colours(self, seen: Lab) -> Mapping[Colour, float] | None:
        """Rate how well each colour explains what was seen; None if none of them does."""
        distances = {colour: tint.distance(seen) for colour, tint in self.tints.items()}
        if min(distances.values()) > MAX_SPREADS_TO_PROFILE:
            return None
        # with heavy tails, so that no colour is ever impossible
        return {colour: (1 + away**2 / 4) ** -3.5 for colour, away in distances.items()}


def _measure_spreads_apart(one: Tint, other: Tint) -> float:
    both = [(a + b) / 2 for a, b in zip(one.spread, other.spread, strict=True)]
    return Tint(one.middle, (both[0], both[1], both[2])).distance(other.middle)


ProfileName = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
Lightness = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
ChromaAxis = Annotated[float, Field(ge=-150, le=150, allow_inf_nan=False)]
Spread = Annotated[float, Field(ge=1, le=100, allow_inf_nan=False)]


class TintModel(StrictModel):
    """One colour in CIELAB, and how far it spreads."""

    lightness: Lightness
    green_red: ChromaAxis
    blue_yellow: ChromaAxis
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
    """Get the path of the profiles, in the user's configuration folder."""
    return user_config_path("coatl", appauthor=False) / "colours.json"


def load_colour_profiles(path: Path) -> Mapping[str, ColourProfile]:
    """Load all profiles by name, none without a file; CardDataError for a file with mistakes."""
    if not path.exists():
        return {}
    found = load_json_model(path, ProfilesFile, "colours.problems").colours
    return {name: _profile_from_model(model) for name, model in found.items()}


def find_colour_profile(path: Path, name: str) -> ColourProfile:
    """Find a profile by its name; raises CommandLineError, listing the names, if unknown."""
    profiles = load_colour_profiles(path)
    if name not in profiles:
        if not profiles:
            raise CommandLineError("colours.none", name=name[:MAX_NAME_LENGTH])
        raise CommandLineError(
            "colours.unknown", name=name[:MAX_NAME_LENGTH], names=", ".join(profiles)
        )
    return profiles[name]


def check_profile_name(name: str) -> None:
    """Raise CommandLineError if a text cannot name a profile."""
    if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise CommandLineError("colours.bad_name", name=name[:MAX_NAME_LENGTH])


def save_colour_profiles(path: Path, profiles: Mapping[str, ColourProfile]) -> None:
    """Write the profiles atomically; raises FileError."""
    data = {"colours": {name: profile_to_json(profiles[name]) for name in sorted(profiles)}}
    with wrap_os_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file_atomically(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def profile_to_json(profile: ColourProfile) -> dict[str, dict[str, object]]:
    """Convert a profile to JSON, as the file has it."""
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
