"""Printer profiles: how far a printer puts backs off their fronts, and the correction.

All numbers are as seen from the front of an upright sheet, held against the light: how far the back
lies to the right of where it should (`dx`), how far below (`dy`), by how much it is turned
clockwise (`rotate`), and how large it is (`scale`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from coatl_tools.errors import CommandLineError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_file_atomically
from coatl_tools.files.json_models import StrictModel, load_json_model
from coatl_tools.printing.drawing.geometry import (
    Matrix,
    invert_matrix,
    rotation,
    scaling,
    translation,
)

MAX_SHIFT = 10.0  # mm; a printer that is off by more is broken, or printed at a wrong size
MAX_ROTATION = 3.0  # degrees
PROFILE_LIMITS = {
    "dx": (-MAX_SHIFT, MAX_SHIFT),
    "dy": (-MAX_SHIFT, MAX_SHIFT),
    "rotate": (-MAX_ROTATION, MAX_ROTATION),
    "scale": (95.0, 105.0),
}
PROFILE_UNITS = {"dx": "mm", "dy": "mm", "rotate": "°", "scale": "%"}


def _make_limited_field(name: str, default: float) -> float:
    low, high = PROFILE_LIMITS[name]
    found: float = Field(default, ge=low, le=high)
    return found


class PrinterProfile(StrictModel):
    """How one printer misplaces backs, in millimetres, degrees and percent."""

    dx: float = _make_limited_field("dx", 0.0)
    dy: float = _make_limited_field("dy", 0.0)
    rotate: float = _make_limited_field("rotate", 0.0)
    scale: float = _make_limited_field("scale", 100.0)

    def displacement(self, width: float, height: float) -> Matrix:
        """Return the map from where content should lie to where it is printed, seen from the front.

        A landscape page is printed with its top at the right edge of the sheet.
        """
        dx, dy = (self.dx, self.dy) if width <= height else (self.dy, -self.dx)
        x, y = width / 2, height / 2
        about = translation(x + dx, y + dy) @ rotation(self.rotate) @ scaling(self.scale / 100)
        return about @ translation(-x, -y)

    def correction(self, width: float, height: float, mirror: Matrix) -> Matrix:
        """Return the map that corrects a back page; `mirror` leads from the back to the front."""
        return mirror @ invert_matrix(self.displacement(width, height)) @ mirror


PrinterName = Annotated[str, Field(min_length=1, max_length=40)]


class PrintersFile(StrictModel):
    """The shape of `printers.json`."""

    printers: dict[PrinterName, PrinterProfile]


def find_printers_file() -> Path:
    """Return the path of the profiles in the user's configuration folder."""
    from platformdirs import user_config_path  # noqa: PLC0415 (only who has printers needs it)

    return user_config_path("coatl", appauthor=False) / "printers.json"


def load_printer_profiles(path: Path) -> Mapping[str, PrinterProfile]:
    """Load all profiles by name, none without a file; CardDataError for a file with mistakes."""
    if not path.exists():
        return {}
    return load_json_model(path, PrintersFile, "print.printers_problems").printers


def find_printer_profile(path: Path, name: str) -> PrinterProfile:
    """Find a profile by its name; raises CommandLineError, listing the names, if unknown."""
    profiles = load_printer_profiles(path)
    if name not in profiles:
        if not profiles:
            raise CommandLineError("print.no_printers", name=name[:40])
        raise CommandLineError("print.printer", name=name[:40], names=", ".join(profiles))
    return profiles[name]


def save_printer_profiles(path: Path, profiles: Mapping[str, PrinterProfile]) -> None:
    """Write the profiles atomically; raises FileError."""
    data = {"printers": {name: profiles[name].model_dump() for name in sorted(profiles)}}
    with wrap_os_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file_atomically(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def change_profile(profile: PrinterProfile, **numbers: float | None) -> PrinterProfile:
    """Return a profile with some numbers changed; CommandLineError if one is out of bounds.

    A scale may be given in percent (100.4) or as a factor (1.004).
    """
    found = profile.model_dump()
    for name, value in numbers.items():
        if value is None:
            continue
        low, high = PROFILE_LIMITS[name]
        given = value * 100 if name == "scale" and value < 10 else value
        if not low <= given <= high:  # nan is nowhere
            raise CommandLineError(
                "print.profile_limits",
                name=f"--{name}",
                value=value,
                low=low,
                high=high,
                unit=PROFILE_UNITS[name],
            )
        found[name] = round(given, 4) + 0.0
    return PrinterProfile(**found)
