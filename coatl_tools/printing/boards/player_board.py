"""A player board (rule 1.5): a place for each piece, and what one may do in a turn."""

from __future__ import annotations

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.boards.board_layout import BoardsLayout, PlayerBoardLayout
from coatl_tools.printing.boards.supply_board import draw_board_ground
from coatl_tools.printing.boards.tokens import (
    TOKEN_ICONS,
    IconInks,
    draw_assemble_icon,
    draw_choose_icon,
    draw_sacrifice_icon,
    draw_take_icon,
    octagon_path,
)
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import Box, polyline, rectangle
from coatl_tools.printing.drawing.ornaments import colour_symbol, fret_band
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.items import BLEED, Design
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pieces.piece_drawing import draw_piece


def draw_player_board(surface: Surface, design: Design, colour: Colour, spaces: int) -> None:
    """Draw a board with `spaces` fields in a player's colour."""
    theme = design.theme
    layout = design.layouts.load("boards", BoardsLayout).player
    fields = layout.list_fields(spaces)
    draw_board_ground(surface, theme, layout.width, layout.height)
    _draw_band(surface, design, layout, colour)
    whole = Box(0, 0, layout.width, layout.height)

    def draw_common(surface: Surface) -> None:
        for field in fields:
            _draw_field(surface, theme, field)
        _draw_actions(surface, design, layout)

    # the same on every board
    surface.draw_shared(design.face_key(f"player-board-{spaces}"), whole, draw_common)
    _draw_complete(surface, design, layout, colour)


def _draw_band(surface: Surface, design: Design, layout: PlayerBoardLayout, colour: Colour) -> None:
    """Draw the player's colour and emblem across the top, with the heading."""
    theme, inks = design.theme, design.theme.piece(colour)
    if theme.solid:
        with surface.background():
            wide = layout.width + 2 * BLEED
            surface.fill(rectangle(-BLEED, -BLEED, wide, layout.band + BLEED), inks.fill)
    middle = layout.band / 2
    edge = layout.x
    heading = layout.heading
    text_ink = inks.symbol if theme.solid else theme.ink
    left = heading.x + heading.width + 4
    fret = fret_band(left, middle - 2.6, layout.width - edge - left, 5.2)
    surface.fill(fret, inks.shade if theme.solid else inks.line)
    if not theme.solid:
        line = polyline((edge, layout.band + 0.8), (layout.width - edge, layout.band + 0.8))
        surface.stroke(line, inks.line, 0.6)
    x = edge + layout.emblem + 1
    surface.paint(octagon_path(x, middle, layout.emblem), theme.paper, inks.line, 0.5)
    ink = inks.fill if theme.solid else inks.symbol
    surface.paint(colour_symbol(colour, x, middle, layout.emblem * 0.56), ink, inks.line, 0.35)
    text = design.language.label("turn_heading")
    heading.draw_text(surface, design, text, text_ink, fonts.BOLD, vertical="middle")


def _draw_field(surface: Surface, theme: Theme, box: Box) -> None:
    """Draw a place for one piece of any kind."""
    field = box.stepped_outline(1.2)
    surface.paint(field, theme.panel, theme.ink if theme.solid else theme.muted, 0.4)


def _draw_actions(surface: Surface, design: Design, layout: PlayerBoardLayout) -> None:
    """Draw the four kinds of action (rule 3), one below each column of fields."""
    theme, label = design.theme, design.language.label
    inks = IconInks.of_theme(theme)
    across = layout.field.width + layout.gap_x
    actions = (
        (draw_take_icon, label("turn_take"), label("turn_take_how")),
        (draw_choose_icon, label("turn_choose"), label("turn_choose_how")),
        (draw_assemble_icon, label("turn_assemble"), label("turn_assemble_how")),
        (draw_sacrifice_icon, label("turn_sacrifice"), ""),
    )
    for column, (icon, name, how) in enumerate(actions):
        x, y = layout.x + column * across, layout.summary_y
        with surface.at_origin(
            x + layout.how.x + layout.icon / 2, y + layout.icon / 2, scale=layout.icon / 10
        ):
            icon(surface, design.piece_shape, inks)
        layout.action.draw_text(
            surface, design, name, theme.ink, fonts.BOLD, (x, y), vertical="middle"
        )
        if how:
            layout.how.draw_text(surface, design, how, theme.ink, at=(x, y))
        else:
            _draw_tokens(surface, design, layout, (x, y))
        if column:
            bar = x - layout.gap_x / 2
            line = polyline((bar, y + 1), (bar, y + layout.how.y + layout.how.height - 1.5))
            surface.stroke(line, theme.muted, 0.2)


def _draw_tokens(
    surface: Surface, design: Design, layout: PlayerBoardLayout, at: tuple[float, float]
) -> None:
    """Draw what the three tokens do, a line each."""
    theme, how = design.theme, layout.how
    line = how.height / len(TOKEN_ICONS)
    texts = {
        "perfect_pick": "turn_perfect_pick",
        "see_the_future": "turn_see_the_future",
        "priest_commitment": "turn_priest_commitment",
    }
    for i, (token, icon) in enumerate(TOKEN_ICONS.items()):
        y = at[1] + how.y + (i + 0.5) * line
        with surface.at_origin(at[0] + how.x + 4, y, scale=0.5):
            icon(surface, design.piece_shape, IconInks.of_theme(theme, 0.5))
        box = Box(at[0] + how.x + 9, y - line / 2, how.width - 9, line)
        type_ = FontStyle(fonts.REGULAR, how.size, theme.ink)
        text = design.language.label(texts[token])
        surface.draw_fitted_text(box, text, type_, how.smallest, vertical="middle")


def _draw_complete(
    surface: Surface, design: Design, layout: PlayerBoardLayout, colour: Colour
) -> None:
    """Draw what a complete Cóatl is (rule 3.10): a small one, and the words."""
    theme, shape, place = design.theme, design.piece_shape, layout.complete
    top = place.y - 1.6
    line = polyline((layout.x, top), (layout.width - layout.x, top))
    surface.stroke(line, theme.muted, 0.2)
    scale = layout.coatl / (shape.head + 2 * shape.pitch + shape.tail)
    middle = place.y + place.height / 2
    with surface.at_origin(layout.x + 0.5 + shape.head * scale, middle, scale=scale):
        for i, kind in enumerate((PieceKind.HEAD, PieceKind.BODY, PieceKind.TAIL)):
            with surface.at_origin(i * shape.pitch, 0):
                draw_piece(surface, design, kind, colour, scale=scale)
    text = design.language.label("turn_complete")
    place.draw_text(surface, design, text, theme.ink, vertical="middle")
