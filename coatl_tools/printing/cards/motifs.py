"""One motif for each card colour and one for the Temple cards, all drawn by one hand.

Each is built about a disc with the colour's symbol, from the same few things: flat areas, lighter
areas on them, and grooves in the colour of the ground. So they are told apart without colour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rectangle,
    scaling,
    smooth_curve,
    star_polygon,
    symmetric_polygon,
)
from coatl_tools.printing.drawing.ornaments import colour_symbol, feather, pyramid, ray_polygons
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.layouts import CardInks, Theme

MOTIF_WIDTH, MOTIF_HEIGHT = 25.0, 19.0  # of every motif, about the origin
MotifRole = Literal["area", "light", "groove"]
MotifPart = tuple[Path, MotifRole]
_GROOVE_WIDTH = 0.45


@dataclass(frozen=True)
class Motif:
    """Areas and grooves, from below to above, and where the disc with the symbol lies."""

    parts: tuple[MotifPart, ...]
    disc: tuple[float, float, float] | None = None


def draw_motif(surface: Surface, theme: Theme, colour: Colour | None) -> None:
    """Draw the motif of a card colour about the origin; None is that of Temple cards."""
    word = colour.word if colour is not None else "temple"
    inks = theme.card(colour)
    key = f"motif-{'solid' if theme.solid else 'line'}-{word}"
    bounds = Box(-MOTIF_WIDTH / 2, -MOTIF_HEIGHT / 2, MOTIF_WIDTH, MOTIF_HEIGHT).inset(-0.5)
    surface.draw_shared(key, bounds, lambda s: _draw_parts(s, theme, inks, colour))


def _draw_parts(surface: Surface, theme: Theme, inks: CardInks, colour: Colour | None) -> None:
    motif = _MOTIFS[colour]()
    for path, role in motif.parts:
        if not theme.solid:
            if role == "groove":
                surface.stroke(path, inks.ornament, 0.2, cap="round")
            else:
                surface.paint(path, theme.paper, inks.ornament, 0.28)
        elif role == "groove":
            surface.stroke(path, inks.frame, _GROOVE_WIDTH, cap="round")
        else:
            surface.fill(path, inks.ornament if role == "area" else inks.light)
    if motif.disc is not None and colour is not None:
        x, y, radius = motif.disc
        surface.fill(ellipse(x, y, radius + 0.6), inks.frame)
        line = None if theme.solid else inks.ornament
        surface.paint(ellipse(x, y, radius), theme.paper, line, 0.28)
        ink = inks.frame if theme.solid else inks.text
        surface.fill(colour_symbol(colour, x, y, 0.56 * radius), ink)


def _with_mirror_image(path: Path) -> Path:
    """Return a path and its mirror image."""
    return path + path.transform(scaling(-1, 1))


def _make_fire() -> Motif:
    """Make flames over a bowl."""
    middle = _flame_path(
        (0, 6),
        [(-4.9, 2.2), (-3.2, -3.0), (-1.2, -6.0), (0.9, -9.4)],
        [(2.0, -5.6), (4.4, -2.4), (4.9, 2.2)],
    )
    side = _flame_path(
        (-3.2, 7),
        [(-8.2, 5.4), (-9.4, 1.6), (-8.6, -1.4), (-9.6, -5.2)],
        [(-6.2, -3.4), (-4.6, -0.8), (-3.4, 3.0)],
    )
    small = _flame_path(
        (-8.2, 7),
        [(-11.2, 6.2), (-12.1, 4.0), (-11.9, 2.4), (-12.4, 0.0)],
        [(-10.2, 1.4), (-9.2, 3.4), (-7.6, 5.0)],
    )
    core = _flame_path(
        (-5.6, 6.4),
        [(-7.6, 4.6), (-7.6, 2.2), (-7.4, 0.2), (-7.8, -1.6)],
        [(-6.0, 0.2), (-5.2, 2.4), (-4.6, 4.8)],
    )
    bowl = symmetric_polygon((-12.4, 7.4), (-12.4, 8.6), (-10.6, 8.6), (-10.6, 9.5))
    return Motif(
        (
            (_with_mirror_image(small), "area"),
            (_with_mirror_image(side), "area"),
            (middle, "area"),
            (_with_mirror_image(core), "light"),
            (bowl, "light"),
        ),
        (0, 2.0, 3.5),
    )


def _flame_path(foot: Point, up: list[Point], down: list[Point]) -> Path:
    """Return a flame: from its foot up to a pointed tip, the last of `up`, and down again."""
    rise = smooth_curve([foot, *up], closed=False)
    fall = smooth_curve([up[-1], *down, foot], closed=False)
    return Path([*rise.segments, *fall.segments[1:], ("Z",)])


def _make_feathers() -> Motif:
    """Make a fan of long feathers."""
    parts: list[MotifPart] = []
    outer = list(zip(range(7), (-78, -52, -26, 0, 26, 52, 78), strict=True))
    for index, angle in sorted(outer, key=lambda pair: -abs(pair[1])):
        length = 13.0 if index in (0, 6) else 13.9
        vane = feather(length, 4.9).place_at(0, 5.2, turn=angle)
        eye = ellipse(0, -length + 2.4, 1.15, 1.5).place_at(0, 5.2, turn=angle)
        shaft = polyline((0, 0), (0, -length + 4.6)).place_at(0, 5.2, turn=angle)
        parts += [(vane, "area"), (vane, "groove"), (eye, "light"), (shaft, "groove")]
    band = rectangle(-12.4, 7.9, 24.8, 1.6)
    return Motif((*parts, (band, "light")), (0, 4.2, 3.9))


def _make_rain() -> Motif:
    """Make a great drop between smaller ones, above waves."""
    drops = _drop_path(0, -9.4, 6.0) + _with_mirror_image(_drop_path(-8.8, -6.6, 2.5))
    shine = _with_mirror_image(ellipse(-8.8, -0.8, 0.9))
    waves = Path()
    for i in range(5):
        waves += _wave_path(-12.5 + 5 * i, 9.5)
    return Motif(((drops, "area"), (shine, "light"), (waves, "light")), (0, 0.0, 3.6))


def _drop_path(x: float, top: float, radius: float) -> Path:
    """Return a drop whose tip is at (x, top)."""
    r, low = radius, top + 2.62 * radius
    return Path(
        [
            ("M", x, top),
            ("C", x + 0.35 * r, top + 0.75 * r, x + r, top + 1.1 * r, x + r, low - r),
            ("C", x + r, low - 0.45 * r, x + 0.55 * r, low, x, low),
            ("C", x - 0.55 * r, low, x - r, low - 0.45 * r, x - r, low - r),
            ("C", x - r, top + 1.1 * r, x - 0.35 * r, top + 0.75 * r, x, top),
            ("Z",),
        ]
    )


def _wave_path(x: float, base: float) -> Path:
    """Return a curling wave, 5 mm wide, on a base line."""
    return Path(
        [
            ("M", x, base),
            ("L", x, base - 0.6),
            ("C", x + 1.0, base - 0.8, x + 1.4, base - 3.2, x + 3.4, base - 3.2),
            ("C", x + 4.6, base - 3.2, x + 4.9, base - 1.7, x + 3.9, base - 1.5),
            ("C", x + 3.4, base - 1.4, x + 3.3, base - 1.9, x + 3.5, base - 2.1),
            ("C", x + 2.4, base - 2.0, x + 2.8, base - 0.6, x + 5.0, base - 0.6),
            ("L", x + 5.0, base),
            ("Z",),
        ]
    )


def _make_sun() -> Motif:
    """Make the sun, between two low bands."""
    long_rays = ray_polygons(0, 0, 5.6, 9.5, 8)
    short = Path()
    for i in range(8):
        short += polygon((-1.3, -5.4), (0, -7.6), (1.3, -5.4)).place_at(0, 0, turn=22.5 + 45 * i)
    ring = ellipse(0, 0, 6.0)
    dots = _with_mirror_image(
        ellipse(-11.6, -3.4, 0.9) + ellipse(-12.0, 0, 0.9) + ellipse(-11.6, 3.4, 0.9)
    )
    return Motif(
        (
            (long_rays, "area"),
            (short, "light"),
            (ring, "area"),
            (ellipse(0, 0, 5.0), "groove"),
            (dots, "light"),
        ),
        (0, 0, 3.7),
    )


def _make_night() -> Motif:
    """Make a moon that holds the disc, obsidian blades and stars."""
    moon = Path(
        [
            ("M", -8.0, -6.6),
            ("C", -10.6, 2.6, -5.6, 9.5, 0, 9.5),
            ("C", 5.6, 9.5, 10.6, 2.6, 8.0, -6.6),
            ("C", 7.4, 1.2, 4.2, 4.2, 0, 4.2),
            ("C", -4.2, 4.2, -7.4, 1.2, -8.0, -6.6),
            ("Z",),
        ]
    )
    edge = smooth_curve([(-6.6, 2.4), (-4.2, 5.6), (0, 6.8), (4.2, 5.6), (6.6, 2.4)], closed=False)
    stars = _with_mirror_image(
        star_polygon(-11.1, -6.0, 1.9, 0.6, 4) + star_polygon(-11.2, 4.6, 1.4, 0.45, 4)
    )
    blade = polygon((0, -9.5), (1.5, -7.6), (0.9, -5.6), (-0.9, -5.6), (-1.5, -7.6))
    return Motif(
        ((moon, "area"), (edge, "groove"), (stars, "light"), (blade, "light")), (0, -1.0, 3.6)
    )


def _make_temple() -> Motif:
    """Make a stepped pyramid with its stair, the sun behind the house on top."""
    sun_rays = Path()
    for i in range(9):
        turn = -80 + 20 * i
        sun_rays += polygon((-0.62, -5.4), (0, -8.2), (0.62, -5.4)).place_at(0, -1.3, turn=turn)
    glow = ellipse(0, -1.3, 4.6)
    body = pyramid(0, 9.5, 25, 9.6, 4)
    house = symmetric_polygon((-4.6, -4.6), (-4.6, -3.4), (-3.8, -3.4), (-3.8, 0))
    door = rectangle(-1.2, -2.6, 2.4, 2.6)
    stair = polygon((-2.0, 0), (2.0, 0), (2.9, 9.5), (-2.9, 9.5))
    treads = Path()
    for i in range(1, 8):
        y = 9.5 * i / 8
        half = 2.0 + 0.9 * i / 8
        treads += polyline((-half, y), (half, y))
    terraces = Path()
    for i in range(1, 4):
        y = 9.5 - 2.4 * i
        half = 12.5 * (1 - i / 4.6)
        terraces += polyline((-half, y), (-3.0, y)) + polyline((3.0, y), (half, y))
    return Motif(
        (
            (sun_rays, "light"),
            (glow, "light"),
            (body, "area"),
            (house, "area"),
            (house, "groove"),
            (door, "light"),
            (terraces, "groove"),
            (stair, "light"),
            (treads, "groove"),
        )
    )


_MOTIFS: dict[Colour | None, Callable[[], Motif]] = {
    Colour.R: _make_fire,
    Colour.G: _make_feathers,
    Colour.B: _make_rain,
    Colour.Y: _make_sun,
    Colour.K: _make_night,
    None: _make_temple,
}
