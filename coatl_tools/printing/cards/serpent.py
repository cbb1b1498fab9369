"""The feathered serpent on the backs of Prophecy cards: a coil in a ring of feathers."""

from __future__ import annotations

import math

from coatl_tools.printing.drawing.ornaments import feather
from coatl_tools.printing.drawing.paths import Path, Point, ellipse, polygon, polyline, smooth
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.theme import BackInks

RADIUS = 25.0  # of the whole drawing, about the origin
_FEATHERS = 22
_TURNS = 1.78
_OUTER, _INNER = 11.6, 2.2  # the middle of the body, at the neck and at the tip of the tail


def draw_serpent(surface: Surface, inks: BackInks, solid: bool) -> None:
    """Draw the serpent about the origin."""
    _ring(surface, inks, solid)
    disc = ellipse(0, 0, 15.6)
    surface.paint(disc, inks.ground, inks.motif, 0.6 if solid else 0.35)
    body = _body()
    fill = inks.motif if solid else inks.ground
    line = inks.ground if solid else inks.line
    width = 0.5 if solid else 0.35
    surface.paint(body, fill, line, width)
    surface.stroke(_scales(), line, width * 0.9, cap="round")
    with surface.placed(*_spine(0.0)[0]) as at:
        _head(at, inks, solid)


def _ring(surface: Surface, inks: BackInks, solid: bool) -> None:
    """Feathers all around, long ones between short ones."""
    for long in (False, True):
        for i in range(_FEATHERS):
            if (i % 2 == 0) is not long:
                continue
            length = 10.6 if long else 8.6
            turn = 360 * i / _FEATHERS
            vane = feather(length, 4.6).at(0, -14.4).at(0, 0, turn=turn)
            shaft = polyline((0, -15.6), (0, -14.4 - length * 0.62)).at(0, 0, turn=turn)
            if solid:
                ink = inks.motif if long else inks.line
                surface.paint(vane, ink, inks.ground, 0.45)
                surface.stroke(shaft, inks.ground, 0.45, cap="round")
            else:
                surface.paint(vane, inks.ground, inks.motif, 0.3)
                surface.stroke(shaft, inks.pattern, 0.3, cap="round")


def _spine(part: float) -> tuple[Point, float, float]:
    """A point of the body's middle line, its direction, and half the body's width there."""
    angle = -math.pi / 2 - 0.25 - part * _TURNS * 2 * math.pi
    radius = _OUTER + (_INNER - _OUTER) * part
    point = (radius * math.cos(angle), radius * math.sin(angle))
    half = 2.75 * (1 - part) ** 0.55 + 0.15
    return point, angle, half


def _body() -> Path:
    outer: list[Point] = []
    inner: list[Point] = []
    for i in range(61):
        (x, y), angle, half = _spine(i / 60)
        outer.append((x + half * math.cos(angle), y + half * math.sin(angle)))
        inner.append((x - half * math.cos(angle), y - half * math.sin(angle)))
    return smooth([*outer, *reversed(inner)])


def _scales() -> Path:
    """Chevrons along the body."""
    lines = Path()
    for i in range(3, 46):
        part = i / 60 * 1.05
        (x, y), angle, half = _spine(part)
        (bx, by), _, _ = _spine(part + 0.018)
        reach = 0.55 * half
        lines += polyline(
            (x + reach * math.cos(angle), y + reach * math.sin(angle)),
            (bx, by),
            (x - reach * math.cos(angle), y - reach * math.sin(angle)),
        )
    return lines


def _head(surface: Surface, inks: BackInks, solid: bool) -> None:
    """A head that looks to the right, its crest behind it; the neck ends at the origin."""
    line = inks.ground if solid else inks.line
    fill = inks.motif if solid else inks.ground
    width = 0.5 if solid else 0.35
    for i, turn in enumerate((-62, -34, -8)):
        plume = feather(7.4 - 0.5 * i, 3.2).at(-0.6 + i * 0.9, -1.6, turn=turn)
        surface.paint(plume, inks.line if solid else inks.ground, line, width)
    skull = smooth(
        [(-2.6, 1.9), (-2.4, -2.4), (0.6, -4.4), (4.2, -4.0), (7.2, -2.6), (9.6, -1.9),
         (10.2, -0.4), (8.6, 0.5), (5.4, 0.7), (3.4, 1.3), (5.6, 2.3), (8.4, 2.3),
         (8.9, 3.4), (6.8, 4.3), (2.6, 4.2), (-0.6, 3.2)],
    )  # fmt: skip
    surface.paint(skull, fill, line, width)
    teeth = Path()
    for x in (5.4, 7.4):
        teeth += polygon((x - 0.7, 0.6), (x + 0.7, 0.5), (x, 1.9))
    surface.paint(teeth, inks.line if solid else inks.ground, line, 0.2)
    surface.paint(ellipse(3.4, -1.7, 1.25), inks.line if solid else inks.ground, line, 0.4)
    surface.fill(ellipse(3.7, -1.6, 0.6), line)
    surface.stroke(polyline((8.4, -1.2), (8.7, -1.15)), line, 0.5, cap="round")
    tongue = polyline((6.2, 1.5), (9.8, 1.4), (11.2, 0.7)) + polyline((9.8, 1.4), (11.2, 2.1))
    surface.stroke(tongue, inks.line, 0.45, cap="round")
