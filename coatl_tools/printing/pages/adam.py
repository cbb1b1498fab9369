"""The worked example of A.D.A.M.'s turn (rules 7.4 to 7.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from coatl_tools.cards.catalog import load_cards
from coatl_tools.cards.requirement import SequenceElement
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import ellipse, polyline, rectangle, stepped
from coatl_tools.printing.drawing.surface import Surface, TextOverflowError, Type
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.pages.figures import Setting
from coatl_tools.printing.pages.icons import draw_arrow
from coatl_tools.printing.pages.setting import SetBlock, SetText, TextStyle, set_paragraph
from coatl_tools.printing.pages.small_pieces import draw_chip, mini_requirement
from coatl_tools.printing.pages.text import Words
from coatl_tools.rules.solo.needs import find_needs

# A.D.A.M.'s cards with the pieces on them, those that come in this turn, and the first spaces.
ROW = (("P29", "BY", "YB"), ("P36", "K", "YY"), ("P11", "", ""))
SPACES = ("RG", "RK", "YB", "GG")
TAKEN = 3
_HEIGHT = 44.0
_PART = 0.57  # of the width for the picture, the rest is text


def set_adam_example(setting: Setting, labels: Sequence[str], width: float) -> SetBlock:
    """Spaces above, cards with what they have and lack below, and what happens at the right."""
    picture = width * _PART
    texts, line = _fitted(setting, labels, width - picture - 12.5)
    space = (_HEIGHT - 1 - sum(tall for tall, _ in texts)) / (len(texts) - 1)

    def draw(surface: Surface, x: float, y: float) -> None:
        _draw_spaces(surface, setting, Box(x, y, picture, 13))
        gap = 3.0
        card = (picture - 2 * gap) / len(ROW)
        for index in range(len(ROW)):
            _draw_card(surface, setting, index, Box(x + index * (card + gap), y + 18, card, 25))
        left = x + picture + 6
        for index, (tall, paint) in enumerate(texts):
            _draw_number(surface, setting, (left + 2.2, y + 2.4), index + 1)
            paint(surface, left + 6.5, y + 2.4 - line / 2)
            y += tall + space

    return SetBlock(_HEIGHT, draw, above=setting.layout.space.figure)


def _fitted(setting: Setting, labels: Sequence[str], width: float) -> tuple[list[SetText], float]:
    """The texts of the steps, smaller if they must be, and the distance of their lines."""
    for size in (8.75, 8.5, 8.25, 8.0, 7.75, 7.5):
        style = TextStyle(setting.theme, size, 1.18)
        found = [set_paragraph((Words(label),), style, width) for label in labels]
        texts = [text for text in found if text is not None]
        if len(texts) == len(labels) and sum(tall for tall, _ in texts) <= _HEIGHT - 8:
            return texts, style.regular.line
    raise TextOverflowError.of(" ".join(labels), width, None, 7.5)


def _draw_number(surface: Surface, setting: Setting, at: tuple[float, float], number: int) -> None:
    theme = setting.theme
    surface.paint(ellipse(*at, 2.1), theme.accent if theme.solid else None, theme.accent, 0.35)
    ink = "#ffffff" if theme.solid else theme.accent
    surface.centred(*at, str(number), Type(fonts.BLACK, 8.5, ink))


def _draw_spaces(surface: Surface, setting: Setting, box: Box) -> None:
    """The first spaces of the Supply board, and the arrow from the one that is emptied."""
    theme = setting.theme
    step = 17.0
    for index, pieces in enumerate(SPACES):
        x, y = box.x + 8 + index * step, box.y + 8
        taken = index + 1 == TAKEN
        ring = ellipse(x, y, 6.6, 4.2)
        ink, weight = (theme.accent, 0.9) if taken else (theme.ink, 0.3)
        surface.paint(ring, theme.paper, ink, weight)
        for side, letter in zip((-1, 1), pieces, strict=True):
            draw_chip(surface, theme, SequenceElement(Colour[letter]), (x + side * 2.3, y), 3.8)
        number = Type(fonts.BOLD, 8, theme.accent if taken else theme.muted)
        surface.centred(x, box.y + 1.6, str(index + 1), number)
    end = box.x + 8 + (len(SPACES) - 0.25) * step
    for dot in range(3):
        surface.fill(ellipse(end + dot * 2, box.y + 8, 0.4), theme.muted)
    # down from the space, along, and down to the leftmost card
    x, low = box.x + 8 + (TAKEN - 1) * step, box.y + 14.8
    target = box.x + 8
    path = polyline((x, box.y + 12.6), (x, low), (target, low))
    surface.stroke(path, theme.accent, 0.5)
    draw_arrow(surface, theme.accent, (target, low - 0.25), (target, box.y + 17.6))


def _draw_card(surface: Surface, setting: Setting, index: int, box: Box) -> None:
    """A card of the row: its place and id, what it asks, and its pieces; ghosts are lacking."""
    theme = setting.theme
    card_id, there, coming = ROW[index]
    card = load_cards()[card_id]
    plate = stepped(box.x, box.y, box.width, box.height, 0.9)
    surface.paint(plate, theme.paper if theme.solid else None, theme.ink, 0.35)
    muted = Type(fonts.BOLD, 9, theme.muted)
    used = surface.text(box.x + 2.6, box.y + 5.2, f"{index + 1}", muted)
    identity = Type(fonts.BOLD, 9, theme.ink)
    surface.text(box.x + 2.6 + used + 1.8, box.y + 5.2, card.id, identity)
    row = Box(box.x + 2.6, box.y + 6.8, box.width - 5, 7)
    mini_requirement(surface, card.requirement, row, setting.design, pitch=4.6)
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
            _draw_ghost(surface, setting, colour, at, side)
            continue
        draw_chip(surface, theme, SequenceElement(colour), at, pitch * 0.76)
        if state == "coming":
            base = at[1] + pitch * 0.38 + 0.9
            mark = polyline((at[0] - pitch * 0.36, base), (at[0] + pitch * 0.36, base))
            surface.stroke(mark, theme.accent, 0.7)


def _draw_ghost(
    surface: Surface, setting: Setting, colour: Colour, at: tuple[float, float], side: float
) -> None:
    """The symbol of a piece that is not there yet."""
    surface.stroke(symbol(colour, *at, side * 0.28), setting.theme.muted, 0.22)
