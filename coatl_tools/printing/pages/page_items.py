"""The printed pages as items: two of rules, the solo page, the mat for A.D.A.M.'s cards, the
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coatl_tools.cards.card import Card
from coatl_tools.components.components_file import ComponentsFile
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    ellipse,
    polyline,
    stepped_rectangle,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface, TextOverflowError
from coatl_tools.printing.items import Design, Face, Item
from coatl_tools.printing.pages.card_reference import make_reference_pages
from coatl_tools.printing.pages.figures import PageContext
from coatl_tools.printing.pages.page_blocks import (
    draw_fret_line,
    draw_title_band,
    typeset_box,
    typeset_section,
)
from coatl_tools.printing.pages.page_layout import PagesLayout
from coatl_tools.printing.pages.page_text import PageText, load_pages
from coatl_tools.printing.pages.typesetting import (
    TypesetBlock,
    draw_column,
    measure_column,
    split_into_columns,
)
from coatl_tools.printing.paper.papers import PaperSize, SheetsLayout
from coatl_tools.rules.constants import ADAM_ROW_SIZE, ADAM_ROW_SIZE_LEVEL_5


def draw_adam_mat(surface: Surface, setting: PageContext, page: PageText, area: Box) -> None:
    """Draw the places of A.D.A.M.'s cards, with room for pieces under each."""
    # the page lies on its side: what was the left edge is the lower one
    with surface.at_origin(area.x, area.bottom, turn=270) as turned_surface:
        _draw_card_places(turned_surface, setting, page, area.height, area.width)


def _draw_card_places(
    surface: Surface, setting: PageContext, page: PageText, width: float, height: float
) -> None:
    theme, mat = setting.theme, setting.layout.mat
    fulfilled, pieces, level, beside = page.find_figure("mat").labels
    band = 11.0
    inks = theme.backs["prophecy"]
    plate = stepped_rectangle(0, 0, width, band, 1.3)
    line = None if theme.solid else inks.line
    surface.paint(plate, inks.ground if theme.solid else None, line, 0.4)
    title = FontStyle(fonts.BLACK, 17, inks.line if theme.solid else inks.motif)
    used = surface.draw_text(4, band / 2 + title.cap_height / 2, page.title, title)
    with surface.at_origin(used + 12, band / 2 - 2) as placed:
        draw_fret_line(placed, setting, width - used - 16, 4)
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
        _draw_place_number(surface, setting, head, index + 1, level if spare else "")
        _draw_card_frame(surface, setting, Box(x, cards, frame_width, frame_height), spare)
        room = Box(x, lane, frame_width, height - lane)
        if spare:
            text = FontStyle(fonts.SEMIBOLD, 11, theme.ink)
            box = Box(x + 6, cards + 14, frame_width - 12, 12)
            surface.draw_fitted_text(
                box, fulfilled, text, smallest=8, align="centre", vertical="middle"
            )
            note = FontStyle(fonts.ITALIC, 8.5, theme.muted)
            box = Box(x + 6, cards + frame_height - 26, frame_width - 12, 18)
            surface.draw_fitted_text(
                box, beside, note, smallest=7, align="centre", vertical="middle"
            )
        _draw_piece_room(surface, setting, room, pieces, spare)


def _draw_place_number(
    surface: Surface, setting: PageContext, box: Box, number: int, note: str
) -> None:
    theme = setting.theme
    middle = box.centre[1]
    disc = ellipse(box.x + 3, middle, 3)
    solid = theme.solid and not note
    surface.paint(disc, theme.accent if solid else None, theme.accent, 0.4)
    ink = "#ffffff" if solid else theme.accent
    surface.draw_centred_text(box.x + 3, middle, str(number), FontStyle(fonts.BLACK, 11, ink))
    if note:
        type_ = FontStyle(fonts.SEMIBOLD, 9, theme.muted)
        room = Box(box.x + 8, box.y, box.width - 8, box.height)
        surface.draw_fitted_text(room, note, type_, smallest=7, vertical="middle")


def _draw_card_frame(surface: Surface, setting: PageContext, box: Box, spare: bool) -> None:
    """Draw the frame of a card's place, a little smaller than the card."""
    theme = setting.theme
    outer = box.stepped_outline(2)
    dash = (2.0, 1.4) if spare else ()
    if theme.solid and not spare:
        surface.fill(outer, theme.panel)
    surface.stroke(outer, theme.ink, 0.5, dash)
    if spare:
        return
    inner = stepped_rectangle(box.x + 3, box.y + 3, box.width - 6, box.height - 6, 2)
    surface.stroke(inner, theme.muted, 0.25)
    shape, row = setting.design.piece_shape, Path()
    for index in (-1, 0, 1):
        row += shape.outline(PieceKind.BODY).place_at(index * shape.pitch, 0)
    surface.stroke(row.place_at(*box.centre, 0.62), theme.muted, 0.35)


def _draw_piece_room(
    surface: Surface, setting: PageContext, box: Box, label: str, spare: bool
) -> None:
    """Draw the room for the pieces of a card."""
    theme = setting.theme
    frame = box.stepped_outline(2)
    surface.stroke(frame, theme.muted, 0.35, (2.0, 1.4) if spare else ())
    type_ = FontStyle(fonts.SEMIBOLD, 8.5, theme.muted)
    text = Box(box.x + 4, box.bottom - 7.2, box.width - 8, 5)
    surface.draw_fitted_text(text, label, type_, smallest=7, align="centre", vertical="middle")
    line = polyline((box.x + 4, box.bottom - 8.4), (box.right - 4, box.bottom - 8.4))
    surface.stroke(line, theme.muted, 0.15)


def make_page_items(
    design: Design,
    paper: PaperSize,
    cards: Sequence[Card],
    components: ComponentsFile,
    texts: dict[str, PageText] | None = None,
) -> list[Item]:
    """Make the sheets: rules on both sides, solo page backed by the reference, its mat.

    `texts` are those of the design's language unless they are given. Raises TextOverflowError if
    a text is too long even in the smallest type.
    """
    texts = load_pages(design.language.code) if texts is None else texts
    layout = design.layouts.load("pages", PagesLayout)
    margins = design.layouts.load("sheets", SheetsLayout).page
    area = Box(
        margins.sides,
        margins.top,
        paper.width - 2 * margins.sides,
        paper.height - margins.top - margins.bottom,
    )
    setting = PageContext(design, layout, components, layout.type.largest)

    def face(name: str, draw: Callable[[Surface], None]) -> Face:
        key = f"{design.face_key(name)}-{paper.width:g}"
        # frames stand on the margins, so that half of their line lies outside
        safe = min(margins.sides, margins.top, margins.bottom) - 1
        return Face(key, paper.width, paper.height, draw, safe)

    first, second = _fit_pages(setting, [texts["rules1"], texts["rules2"]], area)
    front, back = face("rules1", first.draw), face("rules2", second.draw)
    (solo,) = _fit_pages(setting, [texts["solo"]], area)
    drawn = enumerate(make_reference_pages(setting, texts["reference"], cards, area), 1)
    listed = [face(f"reference{number}", draw) for number, draw in drawn]
    mat = face("mat", lambda surface: draw_adam_mat(surface, setting, texts["mat"], area))
    return [
        Item("rules", front, back, texts["rules1"].subtitle),
        # the mat lies on the table while the solo page is read: they are sheets of their own
        Item("solo", face("solo", solo.draw), listed[0] if listed else None, texts["solo"].title),
        Item("mat", mat, title=texts["mat"].title),
        *(Item("reference", more, title=texts["reference"].title) for more in listed[1:]),
    ]


@dataclass(frozen=True)
class _TypesetPage:
    """A page, typeset in columns."""

    text: PageText
    setting: PageContext
    area: Box
    columns: tuple[Sequence[TypesetBlock], Sequence[TypesetBlock]]
    foot: Sequence[TypesetBlock]
    room: float

    def draw(self, surface: Surface) -> None:
        """Draw the title band, both columns, and the blocks across the foot of the page."""
        space, area = self.setting.layout.space, self.area
        y = area.y + draw_title_band(surface, self.setting, self.text, area)
        width = _compute_column_width(area, self.setting)
        for index, blocks in enumerate(self.columns):
            box = Box(area.x + index * (width + space.columns), y, width, self.room)
            draw_column(surface, blocks, box, space.most, space.more)
        y = area.bottom - measure_column(self.foot)
        for index, block in enumerate(self.foot):
            y += block.space_above if index else 0
            block.draw(surface, area.x, y)
            y += block.height


def _fit_pages(setting: PageContext, pages: Sequence[PageText], area: Box) -> list[_TypesetPage]:
    """Typeset the pages in the largest type in which all of them fit.

    Raises TextOverflowError if they do not fit in the smallest.
    """
    type_ = setting.layout.type
    steps = int((type_.largest - type_.smallest) / type_.step + 0.001)
    fits, fails = steps + 1, -1  # the first size that is known to fit, the last that does not
    best: list[_TypesetPage] = []
    while fits - fails > 1:
        index = 0 if fails < 0 and fits > steps else (fits + fails) // 2
        size = type_.largest - index * type_.step
        found = [
            _typeset_page(setting.with_size(size), pages, place, area)
            for place in range(len(pages))
        ]
        if all(page is not None for page in found):
            fits, best = index, [page for page in found if page is not None]
        else:
            fails = index
            failed = pages[found.index(None)]
    if not best:
        text = f"{failed.title}: {failed.subtitle}"
        raise TextOverflowError.for_text(text, area.width, area.height, type_.smallest)
    return best


def _compute_column_width(area: Box, setting: PageContext) -> float:
    return (area.width - setting.layout.space.columns) / 2


def _typeset_page(
    setting: PageContext, pages: Sequence[PageText], place: int, area: Box
) -> _TypesetPage | None:
    """Typeset one of several pages at a fixed type size; None if it does not fit."""
    layout, page = setting.layout, pages[place]
    width = _compute_column_width(area, setting)
    apart = {*layout.boxed, *layout.wide}
    before = [section for other in pages[:place] for section in other.sections]
    number = 1 + sum(section.key not in apart for section in before)
    running: list[TypesetBlock] = []
    foot: list[TypesetBlock] = []
    for section in page.sections:
        if section.key in layout.wide:
            foot.append(typeset_box(setting, section, area.width))
        elif section.key in layout.boxed:
            running.append(typeset_box(setting, section, width))
        else:
            shown = number if page.key in layout.numbered else None
            running += typeset_section(setting, section, width, shown)
            number += 1
    room = area.height - layout.band.height - layout.band.below
    room -= measure_column(foot) + (layout.space.section if foot else 0)
    columns = split_into_columns(running, room)
    return columns and _TypesetPage(page, setting, area, columns, foot, room)
