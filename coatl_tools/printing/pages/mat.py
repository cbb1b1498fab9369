"""The mat for A.D.A.M.'s cards: the back of the solo page, to be read with its long side down."""

from __future__ import annotations

from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import (
    Matrix,
    Path,
    ellipse,
    moved,
    polyline,
    stepped,
    turned,
)
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.pages.blocks import draw_fret
from coatl_tools.printing.pages.figures import Setting
from coatl_tools.printing.pages.text import PageText
from coatl_tools.rules.components import ADAM_ROW_SIZE, ADAM_ROW_SIZE_LEVEL_5


def draw_mat(surface: Surface, setting: Setting, page: PageText, area: Box) -> None:
    """Places for the cards from left to right, with room for the pieces under each."""
    # the page lies on its side: what was the left edge is the lower one
    upright: Matrix = moved(area.x, area.bottom) @ turned(270)
    with surface.mapped(upright) as turned_surface:
        _draw(turned_surface, setting, page, area.height, area.width)


def _draw(surface: Surface, setting: Setting, page: PageText, width: float, height: float) -> None:
    theme, mat = setting.theme, setting.layout.mat
    fulfilled, pieces, level, beside = page.figure("mat").labels
    band = 11.0
    inks = theme.backs["prophecy"]
    plate = stepped(0, 0, width, band, 1.3)
    line = None if theme.solid else inks.line
    surface.paint(plate, inks.ground if theme.solid else None, line, 0.4)
    title = Type(fonts.BLACK, 17, inks.line if theme.solid else inks.motif)
    used = surface.text(4, band / 2 + title.cap / 2, page.title, title)
    with surface.placed(used + 12, band / 2 - 2) as placed:
        draw_fret(placed, setting, width - used - 16, 4)
    frame_width, frame_height = mat.card_width - 2 * mat.inset, mat.card_height - 2 * mat.inset
    count = ADAM_ROW_SIZE_LEVEL_5
    pitch = min(mat.card_width + mat.gap, (width - frame_width) / (count - 1))
    left = (width - (count - 1) * pitch - frame_width) / 2
    top = band + 4
    cards = top + mat.head
    lane = cards + frame_height + 2 * mat.inset
    for index in range(count):
        x = left + index * pitch
        spare = index >= ADAM_ROW_SIZE
        head = Box(x, top, frame_width, mat.head - 2)
        _number(surface, setting, head, index + 1, level if spare else "")
        _place(surface, setting, Box(x, cards, frame_width, frame_height), spare)
        room = Box(x, lane, frame_width, height - lane)
        if spare:
            text = Type(fonts.SEMIBOLD, 11, theme.ink)
            box = Box(x + 6, cards + 14, frame_width - 12, 12)
            surface.fitted(box, fulfilled, text, smallest=8, align="centre", vertical="middle")
            note = Type(fonts.ITALIC, 8.5, theme.muted)
            box = Box(x + 6, cards + frame_height - 26, frame_width - 12, 18)
            surface.fitted(box, beside, note, smallest=7, align="centre", vertical="middle")
        _pieces(surface, setting, room, pieces, spare)


def _number(surface: Surface, setting: Setting, box: Box, number: int, note: str) -> None:
    theme = setting.theme
    middle = box.centre[1]
    disc = ellipse(box.x + 3, middle, 3)
    solid = theme.solid and not note
    surface.paint(disc, theme.accent if solid else None, theme.accent, 0.4)
    ink = "#ffffff" if solid else theme.accent
    surface.centred(box.x + 3, middle, str(number), Type(fonts.BLACK, 11, ink))
    if note:
        type_ = Type(fonts.SEMIBOLD, 9, theme.muted)
        room = Box(box.x + 8, box.y, box.width - 8, box.height)
        surface.fitted(room, note, type_, smallest=7, vertical="middle")


def _place(surface: Surface, setting: Setting, box: Box, spare: bool) -> None:
    """The frame of a card, a little smaller than the card that comes to lie on it."""
    theme = setting.theme
    outer = stepped(box.x, box.y, box.width, box.height, 2)
    dash = (2.0, 1.4) if spare else ()
    if theme.solid and not spare:
        surface.fill(outer, theme.panel)
    surface.stroke(outer, theme.ink, 0.5, dash)
    if spare:
        return
    inner = stepped(box.x + 3, box.y + 3, box.width - 6, box.height - 6, 2)
    surface.stroke(inner, theme.muted, 0.25)
    serpent = _outline(setting).at(box.x + box.width / 2, box.centre[1], 0.62)
    surface.stroke(serpent, theme.muted, 0.35)


def _outline(setting: Setting) -> Path:
    """Three bodies that hook into each other, as a line."""
    shape = setting.shape
    path = Path()
    for index in (-1, 0, 1):
        path += shape.outline(PieceKind.BODY).at(index * shape.pitch, 0)
    return path


def _pieces(surface: Surface, setting: Setting, box: Box, label: str, spare: bool) -> None:
    """The room for the pieces of a card."""
    theme = setting.theme
    frame = stepped(box.x, box.y, box.width, box.height, 2)
    surface.stroke(frame, theme.muted, 0.35, (2.0, 1.4) if spare else ())
    type_ = Type(fonts.SEMIBOLD, 8.5, theme.muted)
    text = Box(box.x + 4, box.bottom - 7.2, box.width - 8, 5)
    surface.fitted(text, label, type_, smallest=7, align="centre", vertical="middle")
    line = polyline((box.x + 4, box.bottom - 8.4), (box.right - 4, box.bottom - 8.4))
    surface.stroke(line, theme.muted, 0.15)
