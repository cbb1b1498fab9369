"""The backs of Prophecy and Temple cards: a motif on a ground that runs over the edge.

Nothing follows the edge, so that a back that is printed a little off still looks right.
"""

from __future__ import annotations

from coatl_tools.cards.card import CardKind
from coatl_tools.printing.cards.layout import Band, CardSize, CardsLayout
from coatl_tools.printing.cards.serpent import RADIUS, draw_serpent
from coatl_tools.printing.component import BLEED, Design, Face
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.ornaments import FRET_SEAM, FRET_WIDTH, pyramid, rays, step_fret
from coatl_tools.printing.drawing.paths import Path, ellipse, polygon, polyline, rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.theme import BackInks

TEMPLE_LOW = 2.2  # the thin rays weigh little: so the whole looks as if it stood in the middle


def card_back(design: Design, layout: CardsLayout, size: CardSize, kind: CardKind) -> Face:
    """The back of one kind of card."""
    theme = design.theme
    inks = theme.backs[kind.value]
    motif = draw_serpent if kind is CardKind.PROPHECY else _draw_temple

    def draw(surface: Surface) -> None:
        with surface.background():
            _ground(surface, size, layout.back.pattern, inks, theme.solid)
            for turn in (0, 180):
                with surface.placed(size.width / 2, size.height / 2, turn) as at:
                    _band(at, size, layout.back.band, inks, theme.solid)
        scale = layout.back.motif * size.width / (2 * RADIUS)
        low = TEMPLE_LOW * scale if kind is CardKind.TEMPLE else 0
        with surface.placed(size.width / 2, size.height / 2 + low, scale=scale) as at:
            motif(at, inks, theme.solid)

    return Face(f"back-{kind.value}", size.width, size.height, draw, layout.safe)


def _ground(surface: Surface, size: CardSize, tile: float, inks: BackInks, solid: bool) -> None:
    """Stepped diamonds in rows, from beyond one edge to beyond the other."""
    width, height = size.width, size.height
    edge = rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED)
    if solid:
        surface.fill(edge, inks.ground)
    reach = tile * (0.38 if solid else 0.3)
    diamond = _diamond(reach)
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
            with surface.placed(x, y) as at:
                at.stamp(f"diamond-{inks.pattern}-{reach:g}", bounds, one)


def _band(surface: Surface, size: CardSize, band: Band, inks: BackInks, solid: bool) -> None:
    """A band of step-frets across the card, above its middle."""
    half, top = size.width / 2 + BLEED, -size.height / 2 + band.edge
    edge = rectangle(-half, top - band.line, 2 * half, band.height + 2 * band.line)
    surface.fill(edge, inks.ground)
    periods = int(half / (band.height * FRET_WIDTH)) + 1
    frets = step_fret(0, 0, band.height, periods)
    with surface.clipped(edge):
        for mirror in (False, True):
            x = FRET_SEAM if mirror else -FRET_SEAM
            with surface.placed(x, top, mirror=mirror) as at:
                at.fill(frets, inks.motif if solid else inks.pattern)


def _diamond(reach: float) -> Path:
    """A diamond with stepped sides."""
    third = reach / 3
    corner = [(third, -reach), (third, -2 * third), (2 * third, -2 * third), (2 * third, -third),
              (reach, -third)]  # fmt: skip
    right = [*corner, *[(px, -py) for px, py in reversed(corner)]]
    points = [*right, *[(-px, py) for px, py in reversed(right)]]
    return polygon(*points)


def _draw_temple(surface: Surface, inks: BackInks, solid: bool) -> None:
    """A stepped pyramid before the rising sun."""
    line = inks.ground if solid else inks.line
    width = 0.5 if solid else 0.35
    fill = inks.motif if solid else inks.ground
    halo = ellipse(0, -5, 20)
    surface.fill(halo, inks.ground)
    surface.paint(rays(0, -5, 15.2, 24, 24), inks.line if solid else inks.ground, line, width)
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
