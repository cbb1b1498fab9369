"""The tokens as things to cut out: Sacrifice tokens, the First Player marker, score markers."""

from __future__ import annotations

import math

from coatl_tools.cards.components import ComponentsFile
from coatl_tools.errors import CardDataError
from coatl_tools.pieces import Colour
from coatl_tools.printing.boards.icons import TOKEN_ICONS, IconInks, octagon
from coatl_tools.printing.boards.layout import FirstPlayerLayout, SacrificeLayout, TokensLayout
from coatl_tools.printing.component import BLEED, Design, Face, Item
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.ornaments import around, feather, quill
from coatl_tools.printing.drawing.paths import Path, ellipse, polygon, rectangle
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.pieces.shapes import PiecesLayout


def token_items(design: Design, components: ComponentsFile) -> list[Item]:
    """All tokens and markers of the game (rules 1.5, 5.3)."""
    tokens = components.sacrifice_tokens
    return [
        *(
            _sacrifice(design, token, number, tokens.back)
            for number in range(1, tokens.sets + 1)
            for token in tokens.tokens
        ),
        *(_first_player(design, n + 1) for n in range(components.first_player_markers)),
        *(_score_marker(design, colour) for colour in Colour),
    ]


def _key(design: Design, name: str) -> str:
    return f"{name}-{design.language.code}-{design.theme_name}"


def _name(design: Design, token: str) -> str:
    """What a token is called; components.json may name only those that there are."""
    label = design.language.label
    match token:
        case "perfect_pick":
            return label("perfect_pick")
        case "see_the_future":
            return label("see_the_future")
        case "priest_commitment":
            return label("priest_commitment")
    problem = f"components.json: sacrifice_tokens.tokens: there is no drawing of {token}"
    raise CardDataError("print.layout_problems", problems=(problem,))


def _sacrifice(design: Design, token: str, number: int, worth: int) -> Item:
    layout = design.layouts.read("tokens", TokensLayout).sacrifice
    name, size = _name(design, token), layout.size
    cut = octagon(size / 2, size / 2, size / 2)
    front = Face(
        _key(design, f"token-{token}"),
        size,
        size,
        lambda s: _draw_sacrifice(s, design, layout, token, name),
        layout.safe,
        cut,
    )
    back = Face(
        _key(design, f"token-{worth}"),
        size,
        size,
        lambda s: _draw_worth(s, design, layout, worth),
        layout.safe,
        cut,
    )
    return Item(f"{token.replace('_', '-')}-{number}", front, back, _title(design))


def _ground(surface: Surface, size: float, ink: str | None) -> None:
    if ink is not None:
        with surface.background():
            surface.fill(rectangle(-BLEED, -BLEED, size + 2 * BLEED, size + 2 * BLEED), ink)


def _draw_sacrifice(
    surface: Surface, design: Design, layout: SacrificeLayout, token: str, name: str
) -> None:
    theme, inks = design.theme, design.theme.backs["tokens"]
    shape = design.layouts.read("pieces", PiecesLayout).shape
    half = layout.size / 2
    _ground(surface, layout.size, inks.ground if theme.solid else None)
    inner = octagon(half, half, half - layout.rim)
    surface.paint(inner, theme.paper, inks.motif, 0.6 if theme.solid else 0.4)
    icon_inks = (
        IconInks(theme.boards.bone, theme.boards.plumes[1], theme.ink, 0.32)
        if theme.solid
        else IconInks(theme.paper, theme.paper, theme.ink, 0.3)
    )
    with surface.placed(half, layout.icon_y, scale=layout.icon):
        TOKEN_ICONS[token](surface, shape, icon_inks)
    layout.name.write(
        surface, design, name, theme.ink, fonts.BOLD, align="centre", vertical="middle"
    )


def _draw_worth(surface: Surface, design: Design, layout: SacrificeLayout, worth: int) -> None:
    theme, inks = design.theme, design.theme.backs["tokens"]
    half = layout.size / 2
    _ground(surface, layout.size, inks.ground if theme.solid else None)
    surface.stroke(octagon(half, half, half - layout.rim), inks.motif, 0.6 if theme.solid else 0.4)
    ink = inks.line if theme.solid else theme.ink
    surface.centred(half, half, str(worth), Type(fonts.BLACK, layout.number, ink))


def _dodecagon(x: float, y: float, radius: float) -> Path:
    """Twelve straight cuts about a disc; the radius is that of the circle inside."""
    outer = radius / math.cos(math.pi / 12)
    angles = [math.radians(15 + 30 * i) for i in range(12)]
    return polygon(*((x + outer * math.cos(a), y + outer * math.sin(a)) for a in angles))


def _first_player(design: Design, number: int) -> Item:
    layout = design.layouts.read("tokens", TokensLayout).first_player
    size = layout.size
    cut = _dodecagon(size / 2, size / 2, size / 2)
    face = Face(
        _key(design, "first-player"),
        size,
        size,
        lambda s: _draw_first_player(s, design, layout),
        layout.safe,
        cut,
    )
    return Item(f"first-player-{number}", face, face, _title(design))


def _draw_first_player(surface: Surface, design: Design, layout: FirstPlayerLayout) -> None:
    """A sun of feathers."""
    theme, boards = design.theme, design.theme.boards
    half = layout.size / 2
    width = 0.4 if theme.solid else 0.3
    _ground(surface, layout.size, theme.backs["prophecy"].ground if theme.solid else None)
    rim = _dodecagon(half, half, half - layout.rim)
    surface.stroke(rim, theme.backs["prophecy"].motif, 0.5)
    count = 24
    plume, shaft = feather(half - layout.rim - 1.4, 5.2), quill(half - layout.rim - 2, 4, 3)
    for i, (one, line) in enumerate(
        zip(
            around(plume, half, half, count, 0, 360 - 360 / count),
            around(shaft, half, half, count, 0, 360 - 360 / count),
            strict=True,
        )
    ):
        surface.paint(one, boards.plumes[i % 2], boards.line, width)
        surface.stroke(line, boards.line, width * 0.6)
    surface.paint(ellipse(half, half, layout.disc), boards.bone, boards.line, width * 1.5)
    surface.centred(half, layout.one_y, "1", Type(fonts.BLACK, layout.one, theme.accent))
    text = design.language.label("first_player")
    text = (text[0].upper() + text[1:]).replace(" ", "\n")
    layout.name.write(
        surface, design, text, theme.ink, fonts.BLACK, align="centre", vertical="middle"
    )


def _score_marker(design: Design, colour: Colour) -> Item:
    layout = design.layouts.read("tokens", TokensLayout).score_marker
    inks, size = design.theme.piece(colour), layout.size
    half = size / 2

    def draw(surface: Surface) -> None:
        _ground(surface, size, inks.fill if design.theme.solid else None)
        width = 0.4 if design.theme.solid else 0.25
        surface.stroke(octagon(half, half, half - layout.safe - 0.2), inks.line, width)
        surface.fill(symbol(colour, half, half, layout.symbol), inks.symbol)

    cut = octagon(half, half, half)
    face = Face(_key(design, f"marker-{colour.word}"), size, size, draw, layout.safe, cut)
    return Item(f"score-marker-{colour.word}", face, face, _title(design))


def _title(design: Design) -> str:
    return design.language.label("print_tokens")
