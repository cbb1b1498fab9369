"""Sacrifice tokens, the First Player marker and score markers as items; and the icons of
actions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from coatl_tools.components.components_file import ComponentsFile
from coatl_tools.errors import CardDataError
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.boards.board_layout import (
    FirstPlayerLayout,
    SacrificeTokenLayout,
    TokensLayout,
)
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Path,
    ellipse,
    polygon,
    polyline,
    rectangle,
    rounded_polygon,
    scaling,
    smooth_curve,
    translation,
)
from coatl_tools.printing.drawing.ornaments import (
    colour_symbol,
    fan_out_copies,
    feather,
    pyramid,
    quill,
    ray_polygons,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.items import Design, Face, Item, fill_ground
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pieces.piece_shapes import PieceShape


class IconInks(NamedTuple):
    """The inks and the line width that an icon is drawn with."""

    fill: str
    tint: str
    line: str
    width: float

    @classmethod
    def of_theme(cls, theme: Theme, width: float = 0.4) -> IconInks:
        """Return the inks of a theme: bone and gold, or the paper where areas are not filled."""
        if theme.solid:
            return cls(theme.boards.bone, theme.boards.plumes[1], theme.ink, width)
        return cls(theme.paper, theme.paper, theme.ink, width)


def octagon_path(x: float, y: float, radius: float) -> Path:
    """Return an upright octagon about a point; the radius is that of the circle inside it."""
    k = radius * 0.41421356
    r = radius
    corners = [(-k, -r), (k, -r), (r, -k), (r, k), (k, r), (-k, r), (-r, k), (-r, -k)]
    return polygon(*corners).place_at(x, y)


def _draw_card_outline(
    surface: Surface, inks: IconInks, x: float, y: float, turn: float, fill: str
) -> None:
    surface.paint(
        rectangle(-2.1, -3.1, 4.2, 6.2, 0.5).place_at(x, y, turn=turn), fill, inks.line, 0.4
    )


def _draw_eye(surface: Surface, inks: IconInks, x: float, y: float, radius: float) -> None:
    r = radius
    lid = smooth_curve(
        [(x - r, y), (x - 0.45 * r, y - 0.42 * r), (x + 0.45 * r, y - 0.42 * r), (x + r, y),
         (x + 0.45 * r, y + 0.42 * r), (x - 0.45 * r, y + 0.42 * r)]
    )  # fmt: skip
    surface.paint(lid, inks.fill, inks.line, inks.width)
    surface.paint(ellipse(x, y, 0.36 * r), inks.tint, inks.line, inks.width)
    surface.fill(ellipse(x, y, 0.16 * r), inks.line)


def draw_take_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw a piece that is lifted off: take pieces."""
    body = shape.outline(PieceKind.BODY).place_at(0, 2.1, 0.27)
    surface.paint(body, inks.tint, inks.line, inks.width)
    arrow = polygon(
        (0, 0), (1.8, 2.232), (0.756, 2.232), (0.756, 3.3),
        (-0.756, 3.3), (-0.756, 2.232), (-1.8, 2.232),
    )  # fmt: skip
    surface.fill(arrow.place_at(0, -4.9), inks.line)


def draw_choose_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw a hand of cards: choose Prophecy cards."""
    for x, y, turn in ((-2.0, 0.5, -16), (2.0, 0.5, 16)):
        _draw_card_outline(surface, inks, x, y, turn, inks.fill)
    _draw_card_outline(surface, inks, 0, -0.2, 0, inks.tint)
    _draw_eye(surface, inks, 0, -0.2, 1.55)


def draw_assemble_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw two pieces hooked into each other: assemble."""
    for x, fill in ((-shape.pitch / 2, inks.tint), (shape.pitch / 2, inks.fill)):
        body = shape.outline(PieceKind.BODY).transform(scaling(0.21) @ translation(x, 0))
        surface.paint(body, fill, inks.line, inks.width)


def draw_sacrifice_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw a token with a flame: use a Sacrifice token."""
    surface.paint(octagon_path(0, 0, 4.5), inks.fill, inks.line, inks.width)
    flame = smooth_curve(
        [(0.3, -3.4), (1.0, -1.7), (2.2, 0.0), (1.9, 2.0), (0, 3.0), (-1.9, 2.0), (-2.2, 0.2),
         (-1.3, -0.9), (-0.6, -1.7)]
    )  # fmt: skip
    surface.paint(flame, inks.tint, inks.line, inks.width)
    core = smooth_curve([(0.1, -0.2), (1.0, 1.2), (0.6, 2.2), (-0.6, 2.2), (-1.0, 1.2)])
    surface.paint(core, inks.fill, inks.line, inks.width * 0.8)


def draw_perfect_pick_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw a hand with a piece on its palm: pieces of the player's choice."""
    hand = rounded_polygon(
        [(-1.8, 5.4), (-1.9, 4.3), (-3.1, 2.6),
         (-3.1, -3.0), (-1.75, -3.0), (-1.75, -1.0), (-1.45, -1.0), (-1.45, -4.4),
         (-0.1, -4.4), (-0.1, -1.0), (0.2, -1.0), (0.2, -4.7), (1.55, -4.7),
         (1.55, -1.0), (1.85, -1.0), (1.85, -3.7), (3.1, -3.7), (3.1, 0.9),
         (4.2, -0.9), (5.2, -0.3), (3.9, 2.9), (2.0, 4.4), (1.9, 5.4)],
        [0.2, 0.6, 1.2, 0.66, 0.66, 0.1, 0.1, 0.66, 0.66, 0.1, 0.1, 0.66, 0.66, 0.1, 0.1, 0.62,
         0.62, 0.3, 0.6, 0.6, 0.9, 0.6, 0.2],
    )  # fmt: skip
    surface.paint(hand.place_at(-0.9, 0), inks.fill, inks.line, inks.width)
    body = shape.outline(PieceKind.BODY).place_at(-0.9, 1.7, 0.155)
    surface.paint(body, inks.tint, inks.line, inks.width * 0.8)


def draw_see_the_future_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw an eye above the next cards of the deck."""
    lashes = Path()
    for x, lean in ((-2.9, -0.7), (-1.0, -0.25), (1.0, 0.25), (2.9, 0.7)):
        foot = -3.4 + abs(x) * 0.22
        lashes += polyline((x, foot), (x + lean, foot - 1.4))
    surface.stroke(lashes, inks.line, inks.width, cap="round")
    _draw_eye(surface, inks, 0, -0.9, 4.8)
    for i, fill in enumerate((inks.tint, inks.fill, inks.tint)):
        card = rectangle(-4.6 + i * 3.2, 1.9, 2.8, 3.7, 0.35)
        surface.paint(card, fill, inks.line, inks.width)


def draw_priest_commitment_icon(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Draw a temple under the sun."""
    surface.fill(ray_polygons(0, -2.6, 1.9, 2.9, 12), inks.line)
    surface.paint(ellipse(0, -2.6, 1.45), inks.fill, inks.line, inks.width)
    surface.paint(pyramid(0, 4.6, 10.6, 6.2, 4), inks.tint, inks.line, inks.width)
    surface.paint(rectangle(-1.1, -0.6, 2.2, 5.2), inks.fill, inks.line, inks.width * 0.8)
    steps = Path()
    for i in range(1, 5):
        steps += polyline((-1.1, -0.6 + i * 1.04), (1.1, -0.6 + i * 1.04))
    surface.stroke(steps, inks.line, inks.width * 0.7)


TOKEN_ICONS = {
    "perfect_pick": draw_perfect_pick_icon,
    "see_the_future": draw_see_the_future_icon,
    "priest_commitment": draw_priest_commitment_icon,
}


def make_token_items(design: Design, components: ComponentsFile) -> list[Item]:
    """Make all tokens and markers of the game (rules 1.5, 5.3)."""
    tokens = components.sacrifice_tokens
    return [
        *(
            _make_sacrifice_token(design, token, number, tokens.back)
            for number in range(1, tokens.sets + 1)
            for token in tokens.tokens
        ),
        *(_make_first_player_marker(design, n + 1) for n in range(components.first_player_markers)),
        *(_make_score_marker(design, colour) for colour in Colour),
    ]


def _describe_token(design: Design, token: str) -> str:
    """Return the label of a Sacrifice token; raises CardDataError for an unknown one."""
    if token in TOKEN_ICONS:
        return design.language.label(token)
    problem = f"components.json: sacrifice_tokens.tokens: there is no drawing of {token}"
    raise CardDataError("print.layout_problems", problems=(problem,))


def _make_sacrifice_token(design: Design, token: str, number: int, worth: int) -> Item:
    layout = design.layouts.load("tokens", TokensLayout).sacrifice
    name, size = _describe_token(design, token), layout.size
    cut = octagon_path(size / 2, size / 2, size / 2)

    def face(shown: object, draw: Callable[[Surface], None]) -> Face:
        return Face(design.face_key(f"token-{shown}"), size, size, draw, layout.safe, cut)

    front = face(token, lambda s: _draw_sacrifice(s, design, layout, token, name))
    back = face(worth, lambda s: _draw_worth(s, design, layout, worth))
    return Item(f"{token.replace('_', '-')}-{number}", front, back, _describe_tokens(design))


def _draw_sacrifice(
    surface: Surface, design: Design, layout: SacrificeTokenLayout, token: str, name: str
) -> None:
    theme, inks = design.theme, design.theme.backs["tokens"]
    half = layout.size / 2
    if theme.solid:
        fill_ground(surface, layout.size, layout.size, inks.ground)
    inner = octagon_path(half, half, half - layout.rim)
    surface.paint(inner, theme.paper, inks.motif, 0.6 if theme.solid else 0.4)
    icon_inks = IconInks.of_theme(theme, 0.32 if theme.solid else 0.3)
    with surface.at_origin(half, layout.icon_y, scale=layout.icon):
        TOKEN_ICONS[token](surface, design.piece_shape, icon_inks)
    layout.name.draw_text(
        surface, design, name, theme.ink, fonts.BOLD, align="centre", vertical="middle"
    )


def _draw_worth(surface: Surface, design: Design, layout: SacrificeTokenLayout, worth: int) -> None:
    theme, inks = design.theme, design.theme.backs["tokens"]
    half = layout.size / 2
    if theme.solid:
        fill_ground(surface, layout.size, layout.size, inks.ground)
    surface.stroke(
        octagon_path(half, half, half - layout.rim), inks.motif, 0.6 if theme.solid else 0.4
    )
    ink = inks.line if theme.solid else theme.ink
    surface.draw_centred_text(half, half, str(worth), FontStyle(fonts.BLACK, layout.number, ink))


def _dodecagon_path(x: float, y: float, radius: float) -> Path:
    """Return a dodecagon about a point; the radius is that of the circle inside it."""
    outer = radius / math.cos(math.pi / 12)
    angles = [math.radians(15 + 30 * i) for i in range(12)]
    return polygon(*((x + outer * math.cos(a), y + outer * math.sin(a)) for a in angles))


def _make_first_player_marker(design: Design, number: int) -> Item:
    layout = design.layouts.load("tokens", TokensLayout).first_player
    size = layout.size
    cut = _dodecagon_path(size / 2, size / 2, size / 2)
    face = Face(
        design.face_key("first-player"),
        size,
        size,
        lambda s: _draw_first_player(s, design, layout),
        layout.safe,
        cut,
    )
    return Item(f"first-player-{number}", face, face, _describe_tokens(design))


def _draw_first_player(surface: Surface, design: Design, layout: FirstPlayerLayout) -> None:
    """Draw a sun of feathers."""
    theme, boards = design.theme, design.theme.boards
    half = layout.size / 2
    width = 0.4 if theme.solid else 0.3
    if theme.solid:
        fill_ground(surface, layout.size, layout.size, theme.backs["prophecy"].ground)
    rim = _dodecagon_path(half, half, half - layout.rim)
    surface.stroke(rim, theme.backs["prophecy"].motif, 0.5)
    count = 24
    plume, shaft = feather(half - layout.rim - 1.4, 5.2), quill(half - layout.rim - 2, 4, 3)
    for i, (one, line) in enumerate(
        zip(
            fan_out_copies(plume, half, half, count, 0, 360 - 360 / count),
            fan_out_copies(shaft, half, half, count, 0, 360 - 360 / count),
            strict=True,
        )
    ):
        surface.paint(one, boards.plumes[i % 2], boards.line, width)
        surface.stroke(line, boards.line, width * 0.6)
    surface.paint(ellipse(half, half, layout.disc), boards.bone, boards.line, width * 1.5)
    surface.draw_centred_text(
        half, layout.one_y, "1", FontStyle(fonts.BLACK, layout.one, theme.accent)
    )
    text = design.language.label("first_player")
    text = (text[0].upper() + text[1:]).replace(" ", "\n")
    layout.name.draw_text(
        surface, design, text, theme.ink, fonts.BLACK, align="centre", vertical="middle"
    )


def _make_score_marker(design: Design, colour: Colour) -> Item:
    layout = design.layouts.load("tokens", TokensLayout).score_marker
    inks, size = design.theme.piece(colour), layout.size
    half = size / 2

    def draw(surface: Surface) -> None:
        if design.theme.solid:
            fill_ground(surface, size, size, inks.fill)
        width = 0.4 if design.theme.solid else 0.25
        surface.stroke(octagon_path(half, half, half - layout.safe - 0.2), inks.line, width)
        surface.fill(colour_symbol(colour, half, half, layout.symbol), inks.symbol)

    cut = octagon_path(half, half, half)
    face = Face(design.face_key(f"marker-{colour.word}"), size, size, draw, layout.safe, cut)
    return Item(f"score-marker-{colour.word}", face, face, _describe_tokens(design))


def _describe_tokens(design: Design) -> str:
    return design.language.label("print_tokens")
