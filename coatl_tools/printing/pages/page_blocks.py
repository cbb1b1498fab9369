"""The blocks of a page: title band, headings, paragraphs, boxes, and the two worked examples
(scoring, rule 5.4; A.D.A.M.'s turn, rules 7.4 to 7.7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from coatl_tools.cards.catalog import load_cards
from coatl_tools.cards.requirement import ColourCount, SequenceElement
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Box,
    Matrix,
    ellipse,
    polyline,
    rectangle,
    stepped_rectangle,
)
from coatl_tools.printing.drawing.ornaments import FRET_WIDTH, colour_symbol, step_fret
from coatl_tools.printing.drawing.surface import FontStyle, Surface, TextOverflowError
from coatl_tools.printing.pages.figures import PageContext, bracket_path, typeset_figure
from coatl_tools.printing.pages.page_icons import (
    PAGE_ICONS,
    draw_arrow,
    draw_piece_chip,
    draw_small_requirement,
)
from coatl_tools.printing.pages.page_text import (
    FigureBlock,
    PageBlock,
    PageSection,
    PageText,
    Paragraph,
    TextRun,
)
from coatl_tools.printing.pages.typesetting import (
    ParagraphStyle,
    TypesetBlock,
    TypesetText,
    measure_column,
    typeset_paragraph,
)
from coatl_tools.printing.pieces.piece_drawing import draw_piece
from coatl_tools.rules.solo.needs import find_needs
from coatl_tools.scoring.score import CardScore, score_card

# A.D.A.M.'s cards with the pieces on them, those that come in this turn, and the first spaces.
ADAM_EXAMPLE_ROW = (("P29", "BY", "YB"), ("P36", "K", "YY"), ("P11", "", ""))
ADAM_EXAMPLE_SPACES = ("RG", "RK", "YB", "GG")
ADAM_EXAMPLE_TAKEN = 3
_ADAM_EXAMPLE_HEIGHT = 44.0
_ADAM_PICTURE_SHARE = 0.57  # of the width for the picture, the rest is text


def typeset_adam_example(setting: PageContext, labels: Sequence[str], width: float) -> TypesetBlock:
    """Typeset A.D.A.M.'s example: spaces above, cards below, the steps at the right."""
    picture = width * _ADAM_PICTURE_SHARE
    texts, line = _fit_steps(setting, labels, width - picture - 12.5)
    space = (_ADAM_EXAMPLE_HEIGHT - 1 - sum(tall for tall, _ in texts)) / (len(texts) - 1)

    def draw(surface: Surface, x: float, y: float) -> None:
        _draw_example_spaces(surface, setting, Box(x, y, picture, 13))
        gap = 3.0
        card = (picture - 2 * gap) / len(ADAM_EXAMPLE_ROW)
        for index in range(len(ADAM_EXAMPLE_ROW)):
            _draw_example_card(
                surface, setting, index, Box(x + index * (card + gap), y + 18, card, 25)
            )
        left = x + picture + 6
        for index, (tall, paint) in enumerate(texts):
            _draw_step_number(surface, setting, (left + 2.2, y + 2.4), index + 1)
            paint(surface, left + 6.5, y + 2.4 - line / 2)
            y += tall + space

    return TypesetBlock(_ADAM_EXAMPLE_HEIGHT, draw, space_above=setting.layout.space.figure)


def _fit_steps(
    setting: PageContext, labels: Sequence[str], width: float
) -> tuple[list[TypesetText], float]:
    """Typeset the steps, shrunk to fit if needed; return them and their line distance.

    Raises TextOverflowError if they do not fit in the smallest type.
    """
    for size in (8.75, 8.5, 8.25, 8.0, 7.75, 7.5):
        style = ParagraphStyle(setting.theme, size, 1.18)
        found = [typeset_paragraph((TextRun(label),), style, width) for label in labels]
        texts = [text for text in found if text is not None]
        if len(texts) == len(labels) and sum(tall for tall, _ in texts) <= _ADAM_EXAMPLE_HEIGHT - 8:
            return texts, style.regular.line_distance
    raise TextOverflowError.for_text(" ".join(labels), width, None, 7.5)


def _draw_step_number(
    surface: Surface, setting: PageContext, at: tuple[float, float], number: int
) -> None:
    theme = setting.theme
    surface.paint(ellipse(*at, 2.1), theme.accent if theme.solid else None, theme.accent, 0.35)
    ink = "#ffffff" if theme.solid else theme.accent
    surface.draw_centred_text(*at, str(number), FontStyle(fonts.BLACK, 8.5, ink))


def _draw_example_spaces(surface: Surface, setting: PageContext, box: Box) -> None:
    """Draw the first spaces of the Supply board, and an arrow from the one that is emptied."""
    theme = setting.theme
    step = 17.0
    for index, pieces in enumerate(ADAM_EXAMPLE_SPACES):
        x, y = box.x + 8 + index * step, box.y + 8
        taken = index + 1 == ADAM_EXAMPLE_TAKEN
        ring = ellipse(x, y, 6.6, 4.2)
        ink, weight = (theme.accent, 0.9) if taken else (theme.ink, 0.3)
        surface.paint(ring, theme.paper, ink, weight)
        for side, letter in zip((-1, 1), pieces, strict=True):
            draw_piece_chip(
                surface, theme, SequenceElement(Colour[letter]), (x + side * 2.3, y), 3.8
            )
        number = FontStyle(fonts.BOLD, 8, theme.accent if taken else theme.muted)
        surface.draw_centred_text(x, box.y + 1.6, str(index + 1), number)
    end = box.x + 8 + (len(ADAM_EXAMPLE_SPACES) - 0.25) * step
    for dot in range(3):
        surface.fill(ellipse(end + dot * 2, box.y + 8, 0.4), theme.muted)
    # down from the space, along, and down to the leftmost card
    x, low = box.x + 8 + (ADAM_EXAMPLE_TAKEN - 1) * step, box.y + 14.8
    target = box.x + 8
    path = polyline((x, box.y + 12.6), (x, low), (target, low))
    surface.stroke(path, theme.accent, 0.5)
    draw_arrow(surface, theme.accent, (target, low - 0.25), (target, box.y + 17.6))


def _draw_example_card(surface: Surface, setting: PageContext, index: int, box: Box) -> None:
    """Draw a card of the row: place, id, what it asks, its pieces; missing ones as ghosts."""
    theme = setting.theme
    card_id, there, coming = ADAM_EXAMPLE_ROW[index]
    card = load_cards()[card_id]
    plate = box.stepped_outline(0.9)
    surface.paint(plate, theme.paper if theme.solid else None, theme.ink, 0.35)
    muted = FontStyle(fonts.BOLD, 9, theme.muted)
    used = surface.draw_text(box.x + 2.6, box.y + 5.2, f"{index + 1}", muted)
    identity = FontStyle(fonts.BOLD, 9, theme.ink)
    surface.draw_text(box.x + 2.6 + used + 1.8, box.y + 5.2, card.id, identity)
    row = Box(box.x + 2.6, box.y + 6.8, box.width - 5, 7)
    draw_small_requirement(surface, card.requirement, row, setting.design, pitch=4.6)
    line = polyline((box.x + 2.6, box.y + 15), (box.right - 2.6, box.y + 15))
    surface.stroke(line, theme.muted, 0.15)
    needs = find_needs(card) or ()
    lacking = Counter({Colour(place): count for place, count in enumerate(needs[:-1]) if count})
    slots = [(Colour[letter], "there") for letter in there]
    slots += [(Colour[letter], "coming") for letter in coming]
    for colour, _ in slots:
        lacking[colour] -= 1
    slots += [(colour, "lacking") for colour in lacking.elements()]
    pitch = min(5.2, (box.width - 5.2) / len(slots))
    for place, (colour, state) in enumerate(slots):
        at = (box.x + 2.6 + (place + 0.5) * pitch, box.y + 20)
        if state == "lacking":
            side = pitch * 0.72
            ghost = rectangle(at[0] - side / 2, at[1] - side / 2, side, side, side * 0.22)
            surface.stroke(ghost, theme.muted, 0.25, (0.6, 0.5))
            surface.stroke(colour_symbol(colour, *at, side * 0.28), theme.muted, 0.22)
            continue
        draw_piece_chip(surface, theme, SequenceElement(colour), at, pitch * 0.76)
        if state == "coming":
            base = at[1] + pitch * 0.38 + 0.9
            mark = polyline((at[0] - pitch * 0.36, base), (at[0] + pitch * 0.36, base))
            surface.stroke(mark, theme.accent, 0.7)


EXAMPLE_COATL = "<BBRBBKRBBYY>"
EXAMPLE_CARDS = ("P29", "P10", "P05", "T03")
_EXAMPLE_ROW_HEIGHT = 7.4


def score_example() -> list[CardScore]:
    """Score each card of the example."""
    catalog = load_cards()
    cards = [catalog[card_id] for card_id in EXAMPLE_CARDS]
    return [score_card(parse_coatl(EXAMPLE_COATL), card, cards) for card in cards]


def typeset_scoring_example(
    setting: PageContext, labels: Sequence[str], width: float
) -> TypesetBlock:
    """Typeset the scoring example: the Cóatl, brackets under what each card uses, the sum."""
    shape, theme = setting.design.piece_shape, setting.theme
    coatl, scores = parse_coatl(EXAMPLE_COATL), score_example()
    count = len(coatl)
    length = shape.head + (count - 1) * shape.pitch + shape.tail
    scale = min(setting.layout.figures.example, 0.6 * width / length)
    tall, step = shape.height * scale, shape.pitch * scale
    top = 4.2
    rows = top + tall + 1.6
    height = rows + (len(scores) + 0.85) * _EXAMPLE_ROW_HEIGHT

    def draw(surface: Surface, x: float, y: float) -> None:
        first = x + shape.head * scale
        number = FontStyle(fonts.REGULAR, 7, theme.muted)
        for index, piece in enumerate(coatl.colours):
            at = first + index * step
            kind = {0: PieceKind.HEAD, count - 1: PieceKind.TAIL}.get(index, PieceKind.BODY)
            with surface.at_origin(at, y + top + tall / 2, scale=scale) as placed:
                draw_piece(placed, setting.design, kind, piece, scale=scale)
            surface.draw_centred_text(at, y + top / 2 - 0.3, str(index + 1), number)
        right = x + length * scale + 4
        for index, (scored, label) in enumerate(zip(scores, labels, strict=False)):
            base = y + rows + (index + 0.5) * _EXAMPLE_ROW_HEIGHT
            line = polyline(
                (x, base + _EXAMPLE_ROW_HEIGHT / 2), (x + width, base + _EXAMPLE_ROW_HEIGHT / 2)
            )
            surface.stroke(line, theme.muted, 0.15)
            _draw_occurrences(surface, setting, scored, (first, step, base))
            _draw_card_points(
                surface,
                setting,
                scored,
                label,
                Box(right, base - _EXAMPLE_ROW_HEIGHT / 2, x + width - right, _EXAMPLE_ROW_HEIGHT),
            )
        total = sum(scored.points for scored in scores)
        base = y + rows + (len(scores) + 0.55) * _EXAMPLE_ROW_HEIGHT
        bold = FontStyle(fonts.BLACK, 11, theme.ink)
        mark = FontStyle(fonts.BLACK, 13, theme.accent)
        surface.draw_text(x + width - 13, base + bold.cap_height / 2, labels[-1], bold, "right")
        surface.draw_text(x + width - 1, base + mark.cap_height / 2, str(total), mark, "right")

    return TypesetBlock(height, draw, space_above=setting.layout.space.figure)


def _draw_occurrences(
    surface: Surface, setting: PageContext, scored: CardScore, place: tuple[float, float, float]
) -> None:
    """Draw the pieces of each occurrence; those that no level pays are dashed."""
    theme, (first, step, base), count = setting.theme, place, len(parse_coatl(EXAMPLE_COATL))
    paid = scored.card.levels[scored.level - 1].count if scored.level else 0
    if isinstance(scored.card.requirement, ColourCount):
        for (piece,) in scored.occurrences:
            surface.fill(ellipse(first + (piece - 1) * step, base, 0.9), theme.accent)
        return
    for index, places in enumerate(scored.occurrences):
        begin, end = first + (places[0] - 1.42) * step, first + (places[-1] - 0.58) * step
        dash = () if index < paid else (0.9, 0.7)
        ink = theme.accent if index < paid else theme.muted
        surface.stroke(bracket_path(begin, end, base + 0.6, 1.8), ink, 0.5, dash)
    if not scored.occurrences:  # it looks at the whole Cóatl: how many pieces it has
        begin, end = first - 0.42 * step, first + (count - 0.58) * step
        surface.stroke(bracket_path(begin, end, base + 0.6, 1.8), theme.muted, 0.3)
        type_ = FontStyle(fonts.SEMIBOLD, 8, theme.muted)
        surface.draw_centred_text((begin + end) / 2, base - 1, str(count), type_)


def _draw_card_points(
    surface: Surface, setting: PageContext, scored: CardScore, label: str, room: Box
) -> None:
    """Draw a card's name, why it pays, and its points."""
    theme = setting.theme
    middle = room.centre[1]
    identity = FontStyle(fonts.BOLD, 9, theme.ink)
    surface.draw_text(room.x, middle + identity.cap_height / 2, scored.card.id, identity)
    row = Box(room.x + 8.5, room.y + 0.3, 19.5, room.height - 0.6)
    draw_small_requirement(surface, scored.card.requirement, row, setting.design, pitch=4.2)
    box = Box(room.x + 29.5, room.y + 0.2, room.width - 29.5 - 6, room.height - 0.4)
    surface.draw_fitted_text(box, label, setting.label_style, smallest=6.5, vertical="middle")
    points = FontStyle(fonts.BLACK, 11, theme.ink)
    surface.draw_text(
        room.right - 1, middle + points.cap_height / 2, str(scored.points), points, "right"
    )


DISC_RADIUS = 2.45  # radius of the disc with a section's number
_ICON_HEIGHT = 13.0
_ICON_GAP = 2.2  # between steps with pictures


def typeset_section(
    setting: PageContext, section: PageSection, width: float, number: int | None
) -> list[TypesetBlock]:
    """Typeset a heading and the blocks of its section."""
    blocks = section.blocks
    steps = [block for block in blocks if isinstance(block, Paragraph) and block.icon]
    last = steps[-1] if steps else None
    found = [typeset_block(setting, block, width, goes_on=block is not last) for block in blocks]
    if last is not None and blocks[-1] is not last:
        behind = blocks.index(last) + 1
        found[behind] = replace(found[behind], space_above=_ICON_GAP)
    return [_typeset_heading(setting, section, width, number), *found]


def _typeset_heading(
    setting: PageContext, section: PageSection, width: float, number: int | None
) -> TypesetBlock:
    """Typeset a heading: a disc with the section's number, its title, its rule numbers."""
    theme, layout = setting.theme, setting.layout
    type_ = FontStyle(fonts.BOLD, layout.type.heading, theme.ink)
    grey = FontStyle(fonts.REGULAR, layout.type.rules, theme.muted)

    def draw(surface: Surface, x: float, y: float) -> None:
        middle = y + DISC_RADIUS
        if number is None:
            mark = stepped_rectangle(
                x, y + 0.4, 2 * DISC_RADIUS - 0.8, 2 * DISC_RADIUS - 0.8, 0.62, 2
            )
            surface.paint(mark, theme.accent if theme.solid else None, theme.accent, 0.35)
        else:
            _draw_disc(surface, setting, (x + DISC_RADIUS, middle), number)
        left = x + 2 * DISC_RADIUS + 1.8
        rules = grey.measure(section.rules) + 2 if section.rules else 0
        box = Box(left, middle - 3.2, x + width - left - rules, 6.4)
        surface.draw_fitted_text(box, section.title, type_, smallest=9, vertical="middle")
        base = middle + type_.cap_height / 2
        surface.draw_text(x + width, base, section.rules, grey, "right")
        line = polyline((x, y + 2 * DISC_RADIUS + 0.7), (x + width, y + 2 * DISC_RADIUS + 0.7))
        surface.stroke(line, theme.muted, 0.2)

    height = 2 * DISC_RADIUS + 0.7 + layout.space.heading
    return TypesetBlock(
        height, draw, space_above=layout.space.section, keep_with_next=True, starts_section=True
    )


def _draw_disc(
    surface: Surface, setting: PageContext, at: tuple[float, float], number: int
) -> None:
    theme = setting.theme
    fill = theme.accent if theme.solid else theme.paper
    surface.paint(ellipse(*at, DISC_RADIUS), fill, theme.accent, 0.35)
    ink = "#ffffff" if theme.solid else theme.accent
    surface.draw_centred_text(*at, str(number), FontStyle(fonts.BLACK, 9.5, ink))


def typeset_block(
    setting: PageContext, block: PageBlock, width: float, goes_on: bool = False
) -> TypesetBlock:
    """Typeset a paragraph, an entry of a list, or a figure.

    A step with a picture gets a line down to the next one if `goes_on`.
    """
    if isinstance(block, FigureBlock):
        if block.name == "example":
            return typeset_scoring_example(setting, block.labels, width)
        if block.name == "adam":
            return typeset_adam_example(setting, block.labels, width)
        return typeset_figure(setting, block, width)
    space, theme = setting.layout.space, setting.theme
    side = 0.0 if block.kind == "text" else space.indent
    if block.icon:
        side = 2 * DISC_RADIUS + space.icon + 1.5
    found = typeset_paragraph(block.inlines, setting.style, width - side)
    if found is None:
        text = "".join(inline.text for inline in block.inlines if isinstance(inline, TextRun))
        raise TextOverflowError.for_text(text, width - side, None, setting.size)
    tall, paint = found
    type_ = setting.style.regular
    # beside a disc, not above it
    lower = DISC_RADIUS - type_.line_distance / 2 if block.icon else 0.0
    height = max(tall + lower, _ICON_HEIGHT) if block.icon else tall

    def draw(surface: Surface, x: float, y: float) -> None:
        middle = y + type_.line_distance / 2
        if block.icon:
            # gaps may grow; the next disc hides what is too long
            onwards = height + _ICON_GAP + space.more + 0.5 if goes_on else 0
            _draw_step(surface, setting, block, (x, y), onwards)
        elif block.kind == "bullet":
            surface.fill(rectangle(x + 0.9, middle - 0.55, 1.1, 1.1), theme.accent)
        elif block.kind == "step":
            figure = FontStyle(fonts.BLACK, type_.size, theme.accent)
            surface.draw_centred_text(x + 1.45, middle, str(block.number), figure)
        paint(surface, x + side, y + lower)

    return TypesetBlock(height, draw, space_above=_ICON_GAP if block.icon else space.paragraph)


def _draw_step(
    surface: Surface,
    setting: PageContext,
    block: Paragraph,
    at: tuple[float, float],
    onwards: float,
) -> None:
    """Draw the disc and the picture of a step, and the line that leads to the next one."""
    (x, y), theme = at, setting.theme
    top = y + DISC_RADIUS
    if onwards:
        line = polyline((x + DISC_RADIUS, top + DISC_RADIUS), (x + DISC_RADIUS, y + onwards))
        surface.stroke(line, theme.accent, 0.4)
    _draw_disc(surface, setting, (x + DISC_RADIUS, top), block.number)
    middle = x + 2 * DISC_RADIUS + setting.layout.space.icon / 2 + 0.3
    with surface.at_origin(middle, y + _ICON_HEIGHT / 2) as placed:
        PAGE_ICONS[block.icon](placed, setting.design)


def typeset_box(setting: PageContext, section: PageSection, width: float) -> TypesetBlock:
    """Typeset a section on a coloured field; it never breaks across columns."""
    theme, space = setting.theme, setting.layout.space
    type_ = FontStyle(fonts.BOLD, setting.layout.type.heading - 1.5, theme.accent)
    grey = FontStyle(fonts.REGULAR, setting.layout.type.rules, theme.muted)
    inside = width - 2 * space.box
    blocks = [typeset_block(setting, block, inside) for block in section.blocks]
    head = type_.line_distance + 0.6
    height = measure_column(blocks) + head + 2 * space.box - 0.6

    def draw(surface: Surface, x: float, y: float) -> None:
        plate = stepped_rectangle(x, y, width, height, 1.1)
        surface.paint(plate, theme.panel if theme.solid else None, theme.ink, 0.3)
        left, top = x + space.box, y + space.box - 0.6
        base = top + (type_.line_distance + type_.cap_height) / 2
        room = Box(left, top, inside - grey.measure(section.rules) - 2, type_.line_distance + 0.4)
        surface.draw_fitted_text(room, section.title, type_, smallest=8.5, vertical="middle")
        surface.draw_text(left + inside, base, section.rules, grey, "right")
        top += head
        for index, block in enumerate(blocks):
            top += block.space_above if index else 0
            block.draw(surface, left, top)
            top += block.height

    return TypesetBlock(height, draw, space_above=space.section, starts_section=True)


def draw_title_band(surface: Surface, setting: PageContext, page: PageText, area: Box) -> float:
    """Draw the band with a page's title and a step-fret; return its height in mm."""
    theme, layout = setting.theme, setting.layout
    band, type_ = layout.band, layout.type
    inks = theme.backs["prophecy"]
    ground = stepped_rectangle(area.x, area.y, area.width, band.height, band.step)
    line = None if theme.solid else inks.line
    surface.paint(ground, inks.ground if theme.solid else None, line, 0.4)
    left, width = area.x + 3 * band.step, area.width - 6 * band.step
    with surface.at_origin(left, area.y + band.height - band.fret - 1.7) as placed:
        draw_fret_line(placed, setting, width, band.fret)
    room = band.height - band.fret - 1.7
    title = FontStyle(fonts.BLACK, type_.title, inks.line if theme.solid else inks.motif)
    subtitle = FontStyle(fonts.SEMIBOLD, type_.subtitle, inks.motif)
    base = area.y + (room + title.cap_height) / 2 + 0.7
    used = surface.draw_text(left, base, page.title, title)
    box = Box(left + used + 6, base - 5.2, width - used - 6, 6.4)
    surface.draw_fitted_text(
        box, page.subtitle, subtitle, smallest=8.5, align="right", vertical="bottom"
    )
    return band.height + band.below


def draw_fret_line(surface: Surface, setting: PageContext, width: float, height: float) -> None:
    """Draw a line of step-frets in the colour of the band, from the origin to the right.

    The file stores one period of it; each overlaps the next a little, so that no seam shows.
    """
    ink = setting.theme.backs["prophecy"].pattern
    key = f"page-fret-{setting.design.theme_name}-{height:g}"
    natural = height * FRET_WIDTH
    periods = max(1, round(width / natural))
    pitch = width / periods
    bounds = Box(0, 0, natural, height).inset(-0.1)
    for index in range(periods):
        overlap = 1.004 if index < periods - 1 else 1.0
        with surface.transformed(Matrix(a=pitch / natural * overlap, e=index * pitch)) as placed:
            placed.draw_shared(key, bounds, lambda s: s.fill(step_fret(height, 1), ink))
