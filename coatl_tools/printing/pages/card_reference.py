"""The card reference: every different card in one line, grouped by card colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.catalog import BASE_SET
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import Box, polyline, stepped_rectangle
from coatl_tools.printing.drawing.ornaments import colour_symbol
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.layouts import CardInks
from coatl_tools.printing.pages.figures import SIGN_EXAMPLES, PageContext
from coatl_tools.printing.pages.page_blocks import draw_title_band, typeset_block
from coatl_tools.printing.pages.page_icons import draw_small_requirement
from coatl_tools.printing.pages.page_text import PageText
from coatl_tools.printing.pages.typesetting import TypesetBlock

PageDrawer = Callable[[Surface], None]
_LEAST_REQUIREMENT_WIDTH = 22.0  # room for what a card asks
# The order of the groups: from short requirements to long ones.
_COLOUR_ORDER = (Colour.R, Colour.K, Colour.B, Colour.Y, Colour.G)


@dataclass(frozen=True)
class _CardGroup:
    """Cards of one card colour, or the Temple cards, or those that are not of the base game."""

    title: str
    inks: CardInks
    colour: Colour | None
    cards: Sequence[Card]


def make_reference_pages(
    setting: PageContext, page: PageText, cards: Sequence[Card], area: Box
) -> list[PageDrawer]:
    """Make the pages of the reference: one, unless there are many of a player's own cards."""
    reference = setting.layout.reference
    reading = _typeset_explanation(setting, page, area.width)
    lead = reading.height + setting.layout.space.section
    room = area.height - setting.layout.band.height - setting.layout.band.below - lead
    groups = list(_group_cards(setting, page, cards))
    columns = _split_into_columns(setting, groups, room)
    count = reference.columns
    sheets = [columns[i : i + count] for i in range(0, len(columns), count)]

    def drawing(sheet: Sequence[Sequence[_CardGroup]]) -> PageDrawer:
        def draw(surface: Surface) -> None:
            y = area.y + draw_title_band(surface, setting, page, area)
            reading.draw(surface, area.x, y)
            _draw_columns(surface, setting, sheet, Box(area.x, y + lead, area.width, room))

        return draw

    return [drawing(sheet) for sheet in sheets]


def _group_cards(
    setting: PageContext, page: PageText, cards: Sequence[Card]
) -> Iterator[_CardGroup]:
    *titles, temple, more = page.find_figure("cards").labels
    theme = setting.theme
    base = {card.id: card for card in cards if card.set == BASE_SET}
    for colour, title in zip(_COLOUR_ORDER, titles, strict=True):
        found = [card for card in base.values() if card.colour is colour]
        if found:
            yield _CardGroup(title, theme.card(colour), colour, found)
    found = [card for card in base.values() if card.kind is CardKind.TEMPLE]
    if found:
        yield _CardGroup(temple, theme.cards["temple"], None, found)
    others = {card.id: card for card in cards if card.set != BASE_SET}
    if others:
        yield _CardGroup(more, theme.cards["temple"], None, list(others.values()))


def _measure_groups(setting: PageContext, groups: Sequence[_CardGroup], row: float) -> float:
    reference = setting.layout.reference
    heads = len(groups) * reference.heading + (len(groups) - 1) * reference.group
    return heads + row * sum(len(group.cards) for group in groups)


def _split_into_columns(
    setting: PageContext, groups: list[_CardGroup], room: float
) -> list[list[_CardGroup]]:
    """Split the groups into columns; a group that is too long continues in the next one."""
    reference = setting.layout.reference
    columns: list[list[_CardGroup]] = [[]] if groups else []
    waiting = list(groups)
    while waiting:
        group = waiting.pop(0)
        column = columns[-1]
        if _measure_groups(setting, [*column, group], reference.smallest_row) <= room:
            column.append(group)
            continue
        fit = int(
            (room - _measure_groups(setting, [*column, replace(group, cards=())], 0))
            / reference.smallest_row
        )
        if column and (fit < 3 or len(group.cards) <= 20):
            columns.append([])
            waiting.insert(0, group)
            continue
        fit = max(1, fit)
        column.append(replace(group, cards=group.cards[:fit]))
        waiting.insert(0, replace(group, cards=group.cards[fit:]))
        columns.append([])
    return columns


def _draw_columns(
    surface: Surface, setting: PageContext, columns: Sequence[Sequence[_CardGroup]], box: Box
) -> None:
    reference = setting.layout.reference
    width = (box.width - (reference.columns - 1) * reference.gap) / reference.columns
    rooms = [
        (box.height - _measure_groups(setting, groups, 0))
        / sum(len(group.cards) for group in groups)
        for groups in columns
    ]
    row = min(reference.row, *rooms)
    for index, groups in enumerate(columns):
        x, y = box.x + index * (width + reference.gap), box.y
        for place, group in enumerate(groups):
            y += reference.group if place else 0
            _draw_heading(surface, setting, group, Box(x, y, width, reference.heading))
            y += reference.heading
            for card in group.cards:
                _draw_card_row(surface, setting, card, Box(x, y, width, row))
                y += row


def _draw_heading(surface: Surface, setting: PageContext, group: _CardGroup, box: Box) -> None:
    theme, inks = setting.theme, group.inks
    plate = stepped_rectangle(box.x, box.y, box.width, box.height - 1, 0.9)
    line = None if theme.solid else inks.ornament
    surface.paint(plate, inks.frame if theme.solid else None, line, 0.4)
    middle = box.y + (box.height - 1) / 2
    left = box.x + 3
    if group.colour is not None:
        surface.fill(colour_symbol(group.colour, left + 1.2, middle, 1.35), inks.text)
        left += 4.6
    type_ = FontStyle(fonts.BOLD, 9.5, inks.text)
    room = Box(left, box.y, box.right - left - 2, box.height - 1)
    surface.draw_fitted_text(room, group.title, type_, smallest=7.5, vertical="middle")


def _draw_card_row(surface: Surface, setting: PageContext, card: Card, box: Box) -> None:
    """Draw a card's line: its id, what it asks, and what each level pays.

    A player's own card with a long id or many levels is drawn smaller, so that it fits.
    """
    theme, reference = setting.theme, setting.layout.reference
    identity = FontStyle(fonts.BOLD, 9, theme.ink)
    points = FontStyle(fonts.BOLD, 9.5, theme.ink)
    widest = max(points.measure(str(level.points)) for level in card.levels)
    level_width = max(reference.level, widest + 1)
    id_width = max(reference.id, identity.measure(card.id) + 2)
    levels = len(card.levels) * level_width
    width = max(box.width, id_width + levels + _LEAST_REQUIREMENT_WIDTH)
    scale = box.width / width
    with surface.at_origin(box.x, box.centre[1], scale=scale) as line:
        line.draw_text(0.5, identity.cap_height / 2, card.id, identity)
        row = Box(id_width, -box.height / 2, width - id_width - levels - 1, box.height)
        draw_small_requirement(line, card.requirement, row, setting.design, reference.pitch)
        count = FontStyle(fonts.REGULAR, 6.5, theme.muted)
        for index, level in enumerate(card.levels):
            x = width - levels + (index + 0.5) * level_width
            line.draw_centred_text(x, -1.75, str(level.count), count)
            line.draw_centred_text(x, 1.25, str(level.points), points)
    surface.stroke(polyline((box.x, box.bottom), (box.right, box.bottom)), theme.muted, 0.12)


def _typeset_explanation(setting: PageContext, page: PageText, width: float) -> TypesetBlock:
    """Typeset how to read the lines: a paragraph, and below it the signs in three columns."""
    text = typeset_block(setting.with_size(9), page.blocks[0], width)
    labels = page.find_figure("reading").labels
    gap, row = setting.layout.reference.gap, 6.2
    column = (width - 2 * gap) / 3
    top = text.height + 1.6
    height = top + 2 * row

    def draw(surface: Surface, x: float, y: float) -> None:
        text.draw(surface, x, y)
        label = FontStyle(fonts.REGULAR, 8.5, setting.theme.ink)
        for index, (sign, words) in enumerate(zip(SIGN_EXAMPLES, labels, strict=True)):
            left = x + index % 3 * (column + gap)
            line = Box(left, y + top + index // 3 * row, column, row)
            draw_small_requirement(surface, sign, Box(left, line.y, 13, row), setting.design)
            room = Box(left + 14, line.y, column - 14, row)
            surface.draw_fitted_text(room, words, label, smallest=7, vertical="middle")

    return TypesetBlock(height, draw)
