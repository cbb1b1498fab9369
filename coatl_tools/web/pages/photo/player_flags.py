"""Flags on a photo that show whose each Cóatl is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist

from coatl_tools.vision.reading import PhotoReading
from coatl_tools.web.pages.photo.players_view import PlayerName
from coatl_tools.web.work.photo_jobs import PhotoResult

MARKER_UNITS = 20.0  # from the middle of a marker's drawing to its edge
FLAG_PITCHES = 0.6  # from the middle of a flag to its edge
MIN_FLAG_SHARE = 0.035  # the same, of the width of the whole photo: on a phone it must be seen
END_PITCHES = 1.1  # from the middle of the first piece to where the Cóatl ends


@dataclass(frozen=True, slots=True)
class PlayerFlag:
    """A player's marker beside the head end of a Cóatl, in pixels of the shown photo."""

    x: float
    y: float
    scale: float  # of the marker's drawing
    player: PlayerName


def build_player_flags(
    seen: PhotoResult, reading: PhotoReading, owners: Mapping[int, PlayerName], whole: bool
) -> tuple[PlayerFlag, ...]:
    """Build the flag of each Cóatl, by its number, whose player is known.

    On the whole photo, where pieces may be small, flags are large enough to be seen.
    """
    flags, scale, size = list[PlayerFlag](), seen.shown.scale, seen.shown.size
    for number, player in owners.items():
        coatl = reading.coatls[number - 1]
        pitch = coatl.pitch * scale
        if not pitch or not all(piece.outline for piece in coatl.pieces[:2]):
            continue  # a person has added it
        half = max(FLAG_PITCHES * pitch, MIN_FLAG_SHARE * size[0] if whole else 0.0)
        (x, y), (next_x, next_y) = (piece.centre for piece in coatl.pieces[:2])
        away = (END_PITCHES * pitch + half) / max(dist((x, y), (next_x, next_y)), 1.0)
        x, y = x * scale + away * (x - next_x), y * scale + away * (y - next_y)
        x, y = min(max(x, half), size[0] - half), min(max(y, half), size[1] - half)
        flags.append(PlayerFlag(x, y, half / MARKER_UNITS, player))
    return tuple(flags)
