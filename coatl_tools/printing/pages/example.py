"""The worked example of scoring (rule 5.4), counted by the scorer itself."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.cards.catalog import load_cards
from coatl_tools.cards.requirement import ColourCount
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import ellipse, polyline
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.pages.figures import Setting, bracket
from coatl_tools.printing.pages.setting import SetBlock
from coatl_tools.printing.pages.small_pieces import mini_requirement
from coatl_tools.printing.pieces.art import draw_piece
from coatl_tools.scoring.score import CardScore, score_card

COATL = "<BBRBBKRBBYY>"
CARDS = ("P29", "P10", "P05", "T03")
_ROW = 7.4


def example_scores() -> list[CardScore]:
    """What each card of the example is worth."""
    catalog = load_cards()
    cards = [catalog[card_id] for card_id in CARDS]
    return [score_card(parse_coatl(COATL), card, cards) for card in cards]


def set_example(setting: Setting, labels: Sequence[str], width: float) -> SetBlock:
    """The Cóatl with brackets under what each card uses, and the sum."""
    shape, theme = setting.shape, setting.theme
    coatl, scores = parse_coatl(COATL), example_scores()
    count = len(coatl)
    length = shape.head + (count - 1) * shape.pitch + shape.tail
    scale = min(setting.layout.figures.example, 0.6 * width / length)
    tall, step = shape.height * scale, shape.pitch * scale
    top = 4.2
    rows = top + tall + 1.6
    height = rows + (len(scores) + 0.85) * _ROW

    def draw(surface: Surface, x: float, y: float) -> None:
        first = x + shape.head * scale
        number = Type(fonts.REGULAR, 7, theme.muted)
        for index, piece in enumerate(coatl.colours):
            at = first + index * step
            kind = {0: PieceKind.HEAD, count - 1: PieceKind.TAIL}.get(index, PieceKind.BODY)
            with surface.placed(at, y + top + tall / 2, scale=scale) as placed:
                draw_piece(placed, shape, theme, kind, piece, scale=scale)
            surface.centred(at, y + top / 2 - 0.3, str(index + 1), number)
        right = x + length * scale + 4
        for index, (scored, label) in enumerate(zip(scores, labels, strict=False)):
            base = y + rows + (index + 0.5) * _ROW
            line = polyline((x, base + _ROW / 2), (x + width, base + _ROW / 2))
            surface.stroke(line, theme.muted, 0.15)
            _used(surface, setting, scored, (first, step, base))
            _counted(
                surface,
                setting,
                scored,
                label,
                Box(right, base - _ROW / 2, x + width - right, _ROW),
            )
        total = sum(scored.points for scored in scores)
        base = y + rows + (len(scores) + 0.55) * _ROW
        bold = Type(fonts.BLACK, 11, theme.ink)
        mark = Type(fonts.BLACK, 13, theme.accent)
        surface.text(x + width - 13, base + bold.cap / 2, labels[-1], bold, "right")
        surface.text(x + width - 1, base + mark.cap / 2, str(total), mark, "right")

    return SetBlock(height, draw, above=setting.layout.space.figure)


def _used(
    surface: Surface, setting: Setting, scored: CardScore, place: tuple[float, float, float]
) -> None:
    """The pieces of each occurrence; those that no level pays are dashed."""
    theme, (first, step, base), count = setting.theme, place, len(parse_coatl(COATL))
    paid = scored.card.levels[scored.level - 1].count if scored.level else 0
    if isinstance(scored.card.requirement, ColourCount):
        for (piece,) in scored.occurrences:
            surface.fill(ellipse(first + (piece - 1) * step, base, 0.9), theme.accent)
        return
    for index, places in enumerate(scored.occurrences):
        begin, end = first + (places[0] - 1.42) * step, first + (places[-1] - 0.58) * step
        dash = () if index < paid else (0.9, 0.7)
        ink = theme.accent if index < paid else theme.muted
        surface.stroke(bracket(begin, end, base + 0.6, 1.8), ink, 0.5, dash)
    if not scored.occurrences:  # it looks at the whole Cóatl: how many pieces it has
        begin, end = first - 0.42 * step, first + (count - 0.58) * step
        surface.stroke(bracket(begin, end, base + 0.6, 1.8), theme.muted, 0.3)
        type_ = Type(fonts.SEMIBOLD, 8, theme.muted)
        surface.centred((begin + end) / 2, base - 1, str(count), type_)


def _counted(surface: Surface, setting: Setting, scored: CardScore, label: str, room: Box) -> None:
    """The card, why it pays, and what."""
    theme = setting.theme
    middle = room.centre[1]
    identity = Type(fonts.BOLD, 9, theme.ink)
    surface.text(room.x, middle + identity.cap / 2, scored.card.id, identity)
    row = Box(room.x + 8.5, room.y + 0.3, 19.5, room.height - 0.6)
    mini_requirement(surface, scored.card.requirement, row, setting.design, pitch=4.2)
    box = Box(room.x + 29.5, room.y + 0.2, room.width - 29.5 - 6, room.height - 0.4)
    surface.fitted(box, label, setting.label, smallest=6.5, vertical="middle")
    points = Type(fonts.BLACK, 11, theme.ink)
    surface.text(room.right - 1, middle + points.cap / 2, str(scored.points), points, "right")
