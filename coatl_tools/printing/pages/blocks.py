"""What a page is made of: its title band, headings, paragraphs, entries of lists, boxes."""

from __future__ import annotations

from dataclasses import replace

from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.ornaments import FRET_WIDTH, step_fret
from coatl_tools.printing.drawing.paths import Matrix, ellipse, polyline, rectangle, stepped
from coatl_tools.printing.drawing.surface import Surface, TextOverflowError, Type
from coatl_tools.printing.pages.adam import set_adam_example
from coatl_tools.printing.pages.example import set_example
from coatl_tools.printing.pages.figures import Setting, set_figure
from coatl_tools.printing.pages.icons import ICONS
from coatl_tools.printing.pages.setting import SetBlock, column_height, set_paragraph
from coatl_tools.printing.pages.text import Block, Figure, PageText, Paragraph, Section, Words

DISC = 2.45  # radius of the disc with a section's number
_ICON_HEIGHT = 13.0
_ICON_GAP = 2.2  # between steps with pictures


def set_section(
    setting: Setting, section: Section, width: float, number: int | None
) -> list[SetBlock]:
    """A heading and what follows it."""
    blocks = section.blocks
    steps = [block for block in blocks if isinstance(block, Paragraph) and block.icon]
    last = steps[-1] if steps else None
    found = [set_block(setting, block, width, goes_on=block is not last) for block in blocks]
    if last is not None and blocks[-1] is not last:
        behind = blocks.index(last) + 1
        found[behind] = replace(found[behind], above=_ICON_GAP)
    return [_set_heading(setting, section, width, number), *found]


def _set_heading(setting: Setting, section: Section, width: float, number: int | None) -> SetBlock:
    """A disc with the section's number, its title, and the numbers of its rules."""
    theme, layout = setting.theme, setting.layout
    type_ = Type(fonts.BOLD, layout.type.heading, theme.ink)
    grey = Type(fonts.REGULAR, layout.type.rules, theme.muted)

    def draw(surface: Surface, x: float, y: float) -> None:
        middle = y + DISC
        if number is None:
            mark = stepped(x, y + 0.4, 2 * DISC - 0.8, 2 * DISC - 0.8, 0.62, 2)
            surface.paint(mark, theme.accent if theme.solid else None, theme.accent, 0.35)
        else:
            _draw_disc(surface, setting, (x + DISC, middle), number)
        left = x + 2 * DISC + 1.8
        rules = grey.width(section.rules) + 2 if section.rules else 0
        box = Box(left, middle - 3.2, x + width - left - rules, 6.4)
        surface.fitted(box, section.title, type_, smallest=9, vertical="middle")
        base = middle + type_.cap / 2
        surface.text(x + width, base, section.rules, grey, "right")
        line = polyline((x, y + 2 * DISC + 0.7), (x + width, y + 2 * DISC + 0.7))
        surface.stroke(line, theme.muted, 0.2)

    height = 2 * DISC + 0.7 + layout.space.heading
    return SetBlock(height, draw, above=layout.space.section, keeps=True, opens=True)


def _draw_disc(
    surface: Surface, setting: Setting, at: tuple[float, float], number: int, radius: float = DISC
) -> None:
    theme = setting.theme
    fill = theme.accent if theme.solid else theme.paper
    surface.paint(ellipse(*at, radius), fill, theme.accent, 0.35)
    ink = "#ffffff" if theme.solid else theme.accent
    surface.centred(*at, str(number), Type(fonts.BLACK, 9.5, ink))


def set_block(setting: Setting, block: Block, width: float, goes_on: bool = False) -> SetBlock:
    """A paragraph, an entry of a list, or a figure; a step with a picture may `go on` below."""
    if isinstance(block, Figure):
        if block.name == "example":
            return set_example(setting, block.labels, width)
        if block.name == "adam":
            return set_adam_example(setting, block.labels, width)
        return set_figure(setting, block, width)
    space, theme = setting.layout.space, setting.theme
    side = 0.0 if block.kind == "text" else space.indent
    if block.icon:
        side = 2 * DISC + space.icon + 1.5
    found = set_paragraph(block.inlines, setting.style, width - side)
    if found is None:
        text = "".join(inline.text for inline in block.inlines if isinstance(inline, Words))
        raise TextOverflowError.of(text, width - side, None, setting.size)
    tall, paint = found
    type_ = setting.style.regular
    lower = DISC - type_.line / 2 if block.icon else 0.0  # beside a disc, not above it
    height = max(tall + lower, _ICON_HEIGHT) if block.icon else tall

    def draw(surface: Surface, x: float, y: float) -> None:
        middle = y + type_.line / 2
        if block.icon:
            # gaps may grow; the next disc hides what is too long
            onwards = height + _ICON_GAP + space.more + 0.5 if goes_on else 0
            _draw_step(surface, setting, block, (x, y), onwards)
        elif block.kind == "bullet":
            surface.fill(rectangle(x + 0.9, middle - 0.55, 1.1, 1.1), theme.accent)
        elif block.kind == "step":
            figure = Type(fonts.BLACK, type_.size, theme.accent)
            surface.centred(x + 1.45, middle, str(block.number), figure)
        paint(surface, x + side, y + lower)

    return SetBlock(height, draw, above=_ICON_GAP if block.icon else space.paragraph)


def _draw_step(
    surface: Surface, setting: Setting, block: Paragraph, at: tuple[float, float], onwards: float
) -> None:
    """The disc and the picture of a step, and the line that leads to the next one."""
    (x, y), theme = at, setting.theme
    top = y + DISC
    if onwards:
        line = polyline((x + DISC, top + DISC), (x + DISC, y + onwards))
        surface.stroke(line, theme.accent, 0.4)
    _draw_disc(surface, setting, (x + DISC, top), block.number)
    middle = x + 2 * DISC + setting.layout.space.icon / 2 + 0.3
    with surface.placed(middle, y + _ICON_HEIGHT / 2) as placed:
        ICONS[block.icon](placed, setting.design)


def set_box(setting: Setting, section: Section, width: float) -> SetBlock:
    """A section on a field of its own; it is never broken."""
    theme, space = setting.theme, setting.layout.space
    type_ = Type(fonts.BOLD, setting.layout.type.heading - 1.5, theme.accent)
    grey = Type(fonts.REGULAR, setting.layout.type.rules, theme.muted)
    inside = width - 2 * space.box
    blocks = [set_block(setting, block, inside) for block in section.blocks]
    head = type_.line + 0.6
    height = column_height(blocks) + head + 2 * space.box - 0.6

    def draw(surface: Surface, x: float, y: float) -> None:
        plate = stepped(x, y, width, height, 1.1)
        surface.paint(plate, theme.panel if theme.solid else None, theme.ink, 0.3)
        left, top = x + space.box, y + space.box - 0.6
        base = top + (type_.line + type_.cap) / 2
        room = Box(left, top, inside - grey.width(section.rules) - 2, type_.line + 0.4)
        surface.fitted(room, section.title, type_, smallest=8.5, vertical="middle")
        surface.text(left + inside, base, section.rules, grey, "right")
        top += head
        for index, block in enumerate(blocks):
            top += block.above if index else 0
            block.draw(surface, left, top)
            top += block.height

    return SetBlock(height, draw, above=space.section, opens=True)


def draw_band(surface: Surface, setting: Setting, page: PageText, area: Box) -> float:
    """The band with a page's title and a step-fret; answers how much room it takes."""
    theme, layout = setting.theme, setting.layout
    band, type_ = layout.band, layout.type
    inks = theme.backs["prophecy"]
    ground = stepped(area.x, area.y, area.width, band.height, band.step)
    line = None if theme.solid else inks.line
    surface.paint(ground, inks.ground if theme.solid else None, line, 0.4)
    left, width = area.x + 3 * band.step, area.width - 6 * band.step
    with surface.placed(left, area.y + band.height - band.fret - 1.7) as placed:
        draw_fret(placed, setting, width, band.fret)
    room = band.height - band.fret - 1.7
    title = Type(fonts.BLACK, type_.title, inks.line if theme.solid else inks.motif)
    subtitle = Type(fonts.SEMIBOLD, type_.subtitle, inks.motif)
    base = area.y + (room + title.cap) / 2 + 0.7
    used = surface.text(left, base, page.title, title)
    box = Box(left + used + 6, base - 5.2, width - used - 6, 6.4)
    surface.fitted(box, page.subtitle, subtitle, smallest=8.5, align="right", vertical="bottom")
    return band.height + band.below


def draw_fret(surface: Surface, setting: Setting, width: float, height: float) -> None:
    """A step-fret in the colour of the band, its top left corner at the origin.

    The file holds one period of it; each reaches a little into the next, so that no seam is seen.
    """
    ink = setting.theme.backs["prophecy"].pattern
    key = f"page-fret-{setting.design.theme_name}-{height:g}"
    natural = height * FRET_WIDTH
    periods = max(1, round(width / natural))
    pitch = width / periods
    bounds = Box(0, 0, natural, height).inset(-0.1)
    for index in range(periods):
        overlap = 1.004 if index < periods - 1 else 1.0
        with surface.mapped(Matrix(a=pitch / natural * overlap, e=index * pitch)) as placed:
            placed.stamp(key, bounds, lambda s: s.fill(step_fret(0, 0, height, 1), ink))
