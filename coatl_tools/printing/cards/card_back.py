"""The backs of Prophecy and Temple cards: a serpent or a temple on a pattern that runs over the
edge.

Nothing follows the edge, so that a back that is printed a little off still looks right.
"""

from __future__ import annotations

import math

from coatl_tools.cards.card import CardKind
from coatl_tools.printing.cards.card_layout import BackBandLayout, CardSize, CardsLayout
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rectangle,
    smooth_curve,
)
from coatl_tools.printing.drawing.ornaments import (
    FRET_SEAM,
    FRET_WIDTH,
    feather,
    pyramid,
    ray_polygons,
    step_fret,
)
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import BLEED, Design, Face
from coatl_tools.printing.layouts import BackInks

SERPENT_RADIUS = 25.0  # of the whole drawing, about the origin
_SERPENT_FEATHERS = 22
_COIL_TURNS = 1.78
_COIL_OUTER_RADIUS = 11.6  # of the middle of the body, at the neck
_COIL_INNER_RADIUS = 2.2  # the same at the tip of the tail


def draw_serpent(surface: Surface, inks: BackInks, solid: bool) -> None:
    """Draw the serpent about the origin."""
    _draw_feather_ring(surface, inks, solid)
    disc = ellipse(0, 0, 15.6)
    surface.paint(disc, inks.ground, inks.motif, 0.6 if solid else 0.35)
    body = _body_outline()
    fill = inks.motif if solid else inks.ground
    line = inks.ground if solid else inks.line
    width = 0.5 if solid else 0.35
    surface.paint(body, fill, line, width)
    surface.stroke(_scale_lines(), line, width * 0.9, cap="round")
    with surface.at_origin(*_find_spine_point(0.0)[0]) as at:
        _draw_serpent_head(at, inks, solid)


def _draw_feather_ring(surface: Surface, inks: BackInks, solid: bool) -> None:
    """Draw feathers all around, long and short ones in turn."""
    for long in (False, True):
        for i in range(_SERPENT_FEATHERS):
            if (i % 2 == 0) is not long:
                continue
            length = 10.6 if long else 8.6
            turn = 360 * i / _SERPENT_FEATHERS
            vane = feather(length, 4.6).place_at(0, -14.4).place_at(0, 0, turn=turn)
            shaft = polyline((0, -15.6), (0, -14.4 - length * 0.62)).place_at(0, 0, turn=turn)
            if solid:
                ink = inks.motif if long else inks.line
                surface.paint(vane, ink, inks.ground, 0.45)
                surface.stroke(shaft, inks.ground, 0.45, cap="round")
            else:
                surface.paint(vane, inks.ground, inks.motif, 0.3)
                surface.stroke(shaft, inks.pattern, 0.3, cap="round")


def _find_spine_point(part: float) -> tuple[Point, float, float]:
    """Find a point of the body's middle line, its direction, and half the body's width there."""
    angle = -math.pi / 2 - 0.25 - part * _COIL_TURNS * 2 * math.pi
    radius = _COIL_OUTER_RADIUS + (_COIL_INNER_RADIUS - _COIL_OUTER_RADIUS) * part
    point = (radius * math.cos(angle), radius * math.sin(angle))
    half = 2.75 * (1 - part) ** 0.55 + 0.15
    return point, angle, half


def _body_outline() -> Path:
    outer: list[Point] = []
    inner: list[Point] = []
    for i in range(61):
        (x, y), angle, half = _find_spine_point(i / 60)
        outer.append((x + half * math.cos(angle), y + half * math.sin(angle)))
        inner.append((x - half * math.cos(angle), y - half * math.sin(angle)))
    return smooth_curve([*outer, *reversed(inner)])


def _scale_lines() -> Path:
    """Return chevrons along the body."""
    lines = Path()
    for i in range(3, 46):
        part = i / 60 * 1.05
        (x, y), angle, half = _find_spine_point(part)
        (bx, by), _, _ = _find_spine_point(part + 0.018)
        reach = 0.55 * half
        lines += polyline(
            (x + reach * math.cos(angle), y + reach * math.sin(angle)),
            (bx, by),
            (x - reach * math.cos(angle), y - reach * math.sin(angle)),
        )
    return lines


def _draw_serpent_head(surface: Surface, inks: BackInks, solid: bool) -> None:
    """Draw a head that looks to the right, its crest behind it; the neck ends at the origin."""
    line = inks.ground if solid else inks.line
    fill = inks.motif if solid else inks.ground
    width = 0.5 if solid else 0.35
    for i, turn in enumerate((-62, -34, -8)):
        plume = feather(7.4 - 0.5 * i, 3.2).place_at(-0.6 + i * 0.9, -1.6, turn=turn)
        surface.paint(plume, inks.line if solid else inks.ground, line, width)
    skull = smooth_curve(
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


TEMPLE_OFFSET = 2.2  # mm: so the whole looks centred, as its thin rays weigh little


def make_card_back(design: Design, layout: CardsLayout, size: CardSize, kind: CardKind) -> Face:
    """Make the back of one kind of card."""
    theme = design.theme
    inks = theme.backs[kind.value]
    motif = draw_serpent if kind is CardKind.PROPHECY else _draw_temple

    def draw(surface: Surface) -> None:
        with surface.background():
            _draw_back_pattern(surface, size, layout.back.pattern, inks, theme.solid)
            for turn in (0, 180):
                with surface.at_origin(size.width / 2, size.height / 2, turn) as at:
                    _draw_fret_band(at, size, layout.back.band, inks, theme.solid)
        scale = layout.back.motif * size.width / (2 * SERPENT_RADIUS)
        low = TEMPLE_OFFSET * scale if kind is CardKind.TEMPLE else 0
        with surface.at_origin(size.width / 2, size.height / 2 + low, scale=scale) as at:
            motif(at, inks, theme.solid)

    return Face(f"back-{kind.value}", size.width, size.height, draw, layout.safe)


def _draw_back_pattern(
    surface: Surface, size: CardSize, tile: float, inks: BackInks, solid: bool
) -> None:
    """Draw stepped diamonds in rows, from beyond one edge to beyond the other."""
    width, height = size.width, size.height
    edge = rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED)
    if solid:
        surface.fill(edge, inks.ground)
    reach = tile * (0.38 if solid else 0.3)
    diamond = _diamond_path(reach)
    bounds = Box(-reach, -reach, 2 * reach, 2 * reach).inset(-0.2)

    def one(surface: Surface) -> None:
        if solid:
            surface.fill(diamond, inks.pattern)
        else:
            surface.stroke(diamond, inks.pattern, 0.2)

    columns = int((width / 2 + BLEED) / tile) + 1
    rows = int((height / 2 + BLEED) / tile) + 1
    for row in range(-2 * rows, 2 * rows + 1):
        for column in range(-columns - 1, columns + 1):
            x = width / 2 + (column + (row % 2) / 2) * tile
            y = height / 2 + row * tile / 2
            with surface.at_origin(x, y) as at:
                at.draw_shared(f"diamond-{inks.pattern}-{reach:g}", bounds, one)


def _draw_fret_band(
    surface: Surface, size: CardSize, band: BackBandLayout, inks: BackInks, solid: bool
) -> None:
    """Draw a band of step-frets across the card, above its middle."""
    half, top = size.width / 2 + BLEED, -size.height / 2 + band.edge
    edge = rectangle(-half, top - band.line, 2 * half, band.height + 2 * band.line)
    surface.fill(edge, inks.ground)
    periods = int(half / (band.height * FRET_WIDTH)) + 1
    frets = step_fret(band.height, periods)
    with surface.clip(edge):
        for mirror in (False, True):
            x = FRET_SEAM if mirror else -FRET_SEAM
            with surface.at_origin(x, top, mirror=mirror) as at:
                at.fill(frets, inks.motif if solid else inks.pattern)


def _diamond_path(reach: float) -> Path:
    """Return a diamond with stepped sides."""
    third = reach / 3
    corner = [(third, -reach), (third, -2 * third), (2 * third, -2 * third), (2 * third, -third),
              (reach, -third)]  # fmt: skip
    right = [*corner, *[(px, -py) for px, py in reversed(corner)]]
    points = [*right, *[(-px, py) for px, py in reversed(right)]]
    return polygon(*points)


def _draw_temple(surface: Surface, inks: BackInks, solid: bool) -> None:
    """Draw a stepped pyramid before the rising sun."""
    line = inks.ground if solid else inks.line
    width = 0.5 if solid else 0.35
    fill = inks.motif if solid else inks.ground
    halo = ellipse(0, -5, 20)
    surface.fill(halo, inks.ground)
    surface.paint(
        ray_polygons(0, -5, 15.2, 24, 24), inks.line if solid else inks.ground, line, width
    )
    surface.paint(ellipse(0, -5, 14.2), inks.ground, inks.motif, 0.6 if solid else 0.35)
    surface.paint(ellipse(0, -5, 12.2), fill, line, width)
    body = pyramid(0, 24, 50, 21, 5)
    surface.paint(body, inks.ground, None)
    surface.paint(body, fill, line, 0.9 if solid else 0.35)
    terraces = Path()
    for i in range(1, 5):
        y = 24 - 21 * i / 5
        half = 25 * (1 - i / 5.6)
        terraces += polyline((-half, y), (half, y))
    surface.stroke(terraces, line, width)
    house = polygon((-6.4, 3), (-6.4, -4), (-8, -4), (-8, -6.6), (-5.4, -6.6), (-5.4, -8.4),
                    (5.4, -8.4), (5.4, -6.6), (8, -6.6), (8, -4), (6.4, -4), (6.4, 3))  # fmt: skip
    surface.paint(house, inks.line if solid else inks.ground, line, 0.9 if solid else 0.35)
    surface.paint(rectangle(-2, -2.2, 4, 5.2), inks.ground, None if solid else line, 0.35)
    surface.stroke(polyline((-6.4, -4), (6.4, -4)), line, width)
    stair = polygon((-3.6, 3), (3.6, 3), (5.6, 24), (-5.6, 24))
    surface.paint(stair, inks.line if solid else inks.ground, line, width)
    treads = Path()
    for i in range(1, 12):
        y = 3 + 21 * i / 12
        half = 3.6 + 2 * i / 12
        treads += polyline((-half, y), (half, y))
    surface.stroke(treads, line, width * 0.8)
