"""Colour profiles kept under a name, in the user's configuration folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from coatl_tools.cards.files import load_model
from coatl_tools.cards.model import StrictModel
from coatl_tools.documents import file_errors, write_document
from coatl_tools.errors import CommandLineError
from coatl_tools.pieces import Colour
from coatl_tools.vision.colours import ColourProfile, Lab, Tint

LONGEST = 40

Name = Annotated[str, Field(min_length=1, max_length=LONGEST)]
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


class ColoursFile(StrictModel):
    """The shape of `colours.json`."""

    colours: dict[Name, ProfileModel]


def colours_file() -> Path:
    """Where the profiles are kept: in the user's configuration folder."""
    from platformdirs import user_config_path  # noqa: PLC0415 (only who has a profile needs it)

    return user_config_path("coatl", appauthor=False) / "colours.json"


def load_colours(path: Path) -> Mapping[str, ColourProfile]:
    """All profiles by name, none if there is no file; CardDataError for a file with mistakes."""
    if not path.exists():
        return {}
    found = load_model(path, ColoursFile, "colours.problems").colours
    return {name: _profile(model) for name, model in found.items()}


def find_colours(path: Path, name: str) -> ColourProfile:
    """A profile by its name; raises CommandLineError, naming those that there are."""
    profiles = load_colours(path)
    if name not in profiles:
        if not profiles:
            raise CommandLineError("colours.none", name=name[:LONGEST])
        raise CommandLineError("colours.unknown", name=name[:LONGEST], names=", ".join(profiles))
    return profiles[name]


def check_name(name: str) -> None:
    """Raise CommandLineError for what can be no name of a profile."""
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise CommandLineError("colours.bad_name", name=name[:LONGEST])


def save_colours(path: Path, profiles: Mapping[str, ColourProfile]) -> None:
    """Keep profiles, whole or not at all; raises FileError."""
    data = {"colours": {name: profile_data(profiles[name]) for name in sorted(profiles)}}
    with file_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_document(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def profile_data(profile: ColourProfile) -> dict[str, dict[str, object]]:
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


def _profile(model: ProfileModel) -> ColourProfile:
    return ColourProfile({colour: _tint(getattr(model, colour.word)) for colour in Colour})


def _tint(model: TintModel) -> Tint:
    middle: Lab = (model.lightness, model.green_red, model.blue_yellow)
    lightness, red, yellow = model.spread
    return Tint(middle, (lightness, red, yellow))
