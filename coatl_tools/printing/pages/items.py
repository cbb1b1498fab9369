"""The printed pages: two of rules, one for the solo game with a mat on its back, a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coatl_tools.cards.card import Card
from coatl_tools.cards.components import ComponentsFile
from coatl_tools.printing.component import Design, Face, Item
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.surface import Surface, TextOverflowError
from coatl_tools.printing.pages.blocks import draw_band, set_box, set_section
from coatl_tools.printing.pages.figures import Setting
from coatl_tools.printing.pages.layout import PagesLayout
from coatl_tools.printing.pages.mat import draw_mat
from coatl_tools.printing.pages.reference import reference_pages
from coatl_tools.printing.pages.setting import (
    SetBlock,
    column_height,
    draw_column,
    in_two_columns,
)
from coatl_tools.printing.pages.text import PageText, load_pages
from coatl_tools.printing.paper.papers import Paper, SheetsLayout


def rules_items(
    design: Design, paper: Paper, cards: Sequence[Card], components: ComponentsFile
) -> list[Item]:
    """The pages as sheets: rules on both sides, solo with the reference behind it, its mat.

    Raises TextOverflowError for a text that is too long even in the smallest type.
    """
    texts = load_pages(design.language.code)
    return page_items(design, paper, cards, components, texts)


def page_items(
    design: Design,
    paper: Paper,
    cards: Sequence[Card],
    components: ComponentsFile,
    texts: dict[str, PageText],
) -> list[Item]:
    """The same with a text of one's own."""
    layout = design.layouts.read("pages", PagesLayout)
    margins = design.layouts.read("sheets", SheetsLayout).page
    area = Box(
        margins.sides,
        margins.top,
        paper.width - 2 * margins.sides,
        paper.height - margins.top - margins.bottom,
    )
    setting = Setting(design, layout, components, layout.type.largest)

    def face(name: str, draw: Callable[[Surface], None]) -> Face:
        key = f"{name}-{design.language.code}-{design.theme_name}-{paper.width:g}"
        # frames stand on the margins, so that half of their line lies outside
        safe = min(margins.sides, margins.top, margins.bottom) - 1
        return Face(key, paper.width, paper.height, draw, safe)

    first, second = _fitted(setting, [texts["rules1"], texts["rules2"]], area)
    front, back = face("rules1", first.draw), face("rules2", second.draw)
    (solo,) = _fitted(setting, [texts["solo"]], area)
    drawn = enumerate(reference_pages(setting, texts["reference"], cards, area), 1)
    listed = [face(f"reference{number}", draw) for number, draw in drawn]
    mat = face("mat", lambda surface: draw_mat(surface, setting, texts["mat"], area))
    return [
        Item("rules", front, back, texts["rules1"].subtitle),
        # the mat lies on the table while the solo page is read: they are sheets of their own
        Item("solo", face("solo", solo.draw), listed[0] if listed else None, texts["solo"].title),
        Item("mat", mat, title=texts["mat"].title),
        *(Item("reference", more, title=texts["reference"].title) for more in listed[1:]),
    ]


@dataclass(frozen=True)
class _SetPage:
    """A page with all its text in lines and columns."""

    text: PageText
    setting: Setting
    area: Box
    columns: tuple[Sequence[SetBlock], Sequence[SetBlock]]
    foot: Sequence[SetBlock]
    room: float

    def draw(self, surface: Surface) -> None:
        """Draw the band, both columns, and what runs across the foot of the page."""
        space, area = self.setting.layout.space, self.area
        y = area.y + draw_band(surface, self.setting, self.text, area)
        width = _column_width(area, self.setting)
        for index, blocks in enumerate(self.columns):
            box = Box(area.x + index * (width + space.columns), y, width, self.room)
            draw_column(surface, blocks, box, space.most, space.more)
        y = area.bottom - column_height(self.foot)
        for index, block in enumerate(self.foot):
            y += block.above if index else 0
            block.draw(surface, area.x, y)
            y += block.height


def _fitted(setting: Setting, pages: Sequence[PageText], area: Box) -> list[_SetPage]:
    """The pages in the largest type in which all of them fit."""
    type_ = setting.layout.type
    steps = int((type_.largest - type_.smallest) / type_.step + 0.001)
    fits, fails = steps + 1, -1  # the first size that is known to fit, the last that does not
    best: list[_SetPage] = []
    while fits - fails > 1:
        index = 0 if fails < 0 and fits > steps else (fits + fails) // 2
        size = type_.largest - index * type_.step
        found = [
            _set_page(setting.resized(size), pages, place, area) for place in range(len(pages))
        ]
        if all(page is not None for page in found):
            fits, best = index, [page for page in found if page is not None]
        else:
            fails = index
            failed = pages[found.index(None)]
    if not best:
        text = f"{failed.title}: {failed.subtitle}"
        raise TextOverflowError.of(text, area.width, area.height, type_.smallest)
    return best


def _column_width(area: Box, setting: Setting) -> float:
    return (area.width - setting.layout.space.columns) / 2


def _set_page(
    setting: Setting, pages: Sequence[PageText], place: int, area: Box
) -> _SetPage | None:
    """One of several pages at one type size; None if it is too much."""
    layout, page = setting.layout, pages[place]
    width = _column_width(area, setting)
    apart = {*layout.boxed, *layout.wide}
    before = [section for other in pages[:place] for section in other.sections]
    number = 1 + sum(section.key not in apart for section in before)
    running: list[SetBlock] = []
    foot: list[SetBlock] = []
    for section in page.sections:
        if section.key in layout.wide:
            foot.append(set_box(setting, section, area.width))
        elif section.key in layout.boxed:
            running.append(set_box(setting, section, width))
        else:
            shown = number if page.key in layout.numbered else None
            running += set_section(setting, section, width, shown)
            number += 1
    room = area.height - layout.band.height - layout.band.below
    room -= column_height(foot) + (layout.space.section if foot else 0)
    columns = in_two_columns(running, room)
    return columns and _SetPage(page, setting, area, columns, foot, room)
