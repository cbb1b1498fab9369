"""Labels of pieces, cards and Cóatls as small pictures, the legend below the photo, and where
labels lie: beside what they name, on nothing that matters, never on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from coatl_tools.language import Language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.ornaments import colour_symbol
from coatl_tools.printing.drawing.typography import BOLD, REGULAR, find_font_file
from coatl_tools.printing.layouts import Layouts, PieceInks, load_theme
from coatl_tools.vision.reading import (
    Outline,
    PhotoReading,
    Point,
    SeenCard,
    describe_problem,
    format_confidence,
)

DARK_COLOUR, LIGHT_COLOUR, DOUBT_COLOUR, CARD_COLOUR = "#1d1b1a", "#ffffff", "#ffb000", "#00857a"
_OVERSAMPLING = 4  # drawn so much larger, then shrunk: smooth edges
_TYPE_SHARE = 0.72  # of the height of a chip
_SYMBOL_SHARE = 0.25  # its radius, likewise
_SYMBOLS = {colour.symbol: colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class LabelField:
    """A part of a chip: its text, in which ▲ ● ■ ★ ◆ are drawn, on a ground."""

    text: str
    ground: str
    ink: str


def make_number_field(number: str, doubtful: bool) -> LabelField:
    """Make the field of a number, as corrections use it; a doubtful one has a “?”."""
    if doubtful:
        return LabelField(f"{number} ?", DOUBT_COLOUR, DARK_COLOUR)
    return LabelField(number, DARK_COLOUR, LIGHT_COLOUR)


def make_piece_field(colour: Colour, kind: PieceKind) -> LabelField:
    """Make the field of a piece as it is written, with its symbol, on its colour."""
    head, tail = kind is PieceKind.HEAD, kind is PieceKind.TAIL
    text = f"{'<' * head}{colour.symbol}{colour.name}{'>' * tail}"
    inks = _load_piece_inks(colour)
    return LabelField(text, inks.fill, inks.symbol)


def render_label(fields: Sequence[LabelField], height: int) -> Image.Image:
    """Render fields side by side, rounded, with a light rim and a dark one around it."""
    inner, rim = height * _OVERSAMPLING, max(2, height // 9) * _OVERSAMPLING // 2
    face = load_typeface(BOLD, round(inner * _TYPE_SHARE))
    padding = inner * 0.24
    widths = [round(_measure_width(field.text, face, inner) + 2 * padding) for field in fields]
    width, whole = sum(widths) + 4 * rim, inner + 4 * rim
    image = Image.new("RGBA", (width, whole))
    draw = ImageDraw.Draw(image)
    radius = whole * 0.24
    draw.rounded_rectangle((0, 0, width - 1, whole - 1), radius, fill=DARK_COLOUR)
    draw.rounded_rectangle(
        (rim, rim, width - 1 - rim, whole - 1 - rim), radius - rim, fill=LIGHT_COLOUR
    )
    body = Image.new("RGBA", (sum(widths), inner))
    drawn = ImageDraw.Draw(body)
    left = 0
    for field, wide in zip(fields, widths, strict=True):
        drawn.rectangle((left, 0, left + wide - 1, inner), fill=field.ground)
        _draw_text(drawn, field, left + padding, face, inner)
        left += wide
    mask = Image.new("L", body.size)
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, body.width - 1, inner - 1), radius - 2 * rim, fill=255
    )
    image.paste(body, (2 * rim, 2 * rim), mask)
    size = -(-width // _OVERSAMPLING), -(-whole // _OVERSAMPLING)
    return image.resize(size, Image.Resampling.BOX)


@lru_cache(maxsize=32)
def load_typeface(face: str, size: int) -> ImageFont.FreeTypeFont:
    """Load a face of Source Sans Pro; the size is in pixels."""
    return ImageFont.truetype(str(find_font_file(face)), size, layout_engine=ImageFont.Layout.BASIC)


def _wrap_label(text: str, width: float, size: int) -> list[str]:
    """Wrap a text into lines of at most `width` pixels, as far as its words allow."""
    font, lines = load_typeface(REGULAR, size), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=8)
def _load_piece_inks(colour: Colour) -> PieceInks:
    return load_theme("full", Layouts()).piece(colour)


def _measure_width(text: str, face: ImageFont.FreeTypeFont, height: int) -> float:
    return sum(
        height * _SYMBOL_SHARE * 2.4 if letter in _SYMBOLS else face.getlength(letter)
        for letter in text
    )


def _draw_text(
    draw: ImageDraw.ImageDraw,
    field: LabelField,
    left: float,
    face: ImageFont.FreeTypeFont,
    height: int,
) -> None:
    radius = height * _SYMBOL_SHARE
    for letter in field.text:
        if letter in _SYMBOLS:
            shape = colour_symbol(_SYMBOLS[letter], left + radius * 1.1, height / 2, radius)
            draw.polygon(shape.flatten()[0], fill=field.ink)
            left += radius * 2.4
        else:
            draw.text((left, height * 0.49), letter, field.ink, face, anchor="lm")
            left += face.getlength(letter)


_PAPER_COLOUR, _FAINT_COLOUR = "#f6f2ea", "#6b625a"
_MAX_PROBLEMS = 6  # problems that are told; the command tells all


class _LegendItem(NamedTuple):
    """Something in the strip: a picture of a label, or a text with its face and ink."""

    image: Image.Image | None
    text: str = ""
    face: str = REGULAR
    ink: str = DARK_COLOUR


def render_legend(reading: PhotoReading, language: Language, width: int, unit: int) -> Image.Image:
    """Render the strip below the photo, as wide as it; `unit` is the height of a label."""
    strip = _LegendStrip(width, unit)
    for number, seen in enumerate(reading.coatls):
        strip.add(_LegendItem(render_label(make_coatl_fields(reading, number, language), unit)))
        for piece in seen.pieces:
            strip.add(
                _LegendItem(render_label([make_piece_field(piece.colour, piece.kind)], unit)),
                joined=True,
            )
        strip.add(_LegendItem(None, seen.notation, BOLD))
        key = "read_sure" if seen.sure else "read_unsure"
        said = language.label(key, percent=format_confidence(seen.confidence, language))
        strip.add(_LegendItem(None, said, REGULAR, _FAINT_COLOUR if seen.sure else DARK_COLOUR))
        if not seen.is_orientation_known:
            strip.add(_LegendItem(None, language.label("read_no_direction")))
        _add_cards_to_legend(strip, reading, number, unit)
    _add_cards_to_legend(strip, reading, None, unit)
    for problem in reading.problems[:_MAX_PROBLEMS]:
        strip.add_problem(describe_problem(problem, language), problem.serious)
    if untold := reading.problems[_MAX_PROBLEMS:]:
        more = language.label("read_more_problems", len(untold))
        strip.add_problem(more, any(problem.serious for problem in untold))
    return strip.render()


def make_coatl_fields(reading: PhotoReading, number: int, language: Language) -> list[LabelField]:
    """Make the fields of a Cóatl's name and, if there are several, its player.

    A Cóatl that is doubtful as a whole has a “?”.
    """
    name = language.label("result_coatl", number + 1)
    fields = [make_number_field(name, reading.has_problem(number, None))]
    player = reading.coatls[number].player
    if player is not None and reading.player_count > 1:
        fields.append(
            LabelField(language.label("read_player", player + 1), CARD_COLOUR, LIGHT_COLOUR)
        )
    return fields


def _add_cards_to_legend(
    strip: _LegendStrip, reading: PhotoReading, coatl: int | None, unit: int
) -> None:
    """Add the cards of a Cóatl, or of none, to the end of the line."""
    for index, card in enumerate(reading.cards):
        if card.coatl == coatl:
            strip.add(_LegendItem(render_label(make_card_fields(index, card), unit)))
    strip.end_line()


def make_card_fields(index: int, card: SeenCard) -> list[LabelField]:
    """Make the fields of a card's number and id; a doubtful one has a “?” and what it may be."""
    known = card.sure and card.id is not None
    ids = card.likely_ids[: 1 if known else 2]
    shown = [LabelField(card_id, CARD_COLOUR, LIGHT_COLOUR) for card_id in ids]
    return [make_number_field(f"c{index + 1}", not known), *shown]


class _LegendStrip:
    """Lines of labels and texts, broken where the width ends."""

    def __init__(self, width: int, unit: int) -> None:
        self._width, self._unit = width, unit
        self._pad = unit // 2
        self._size = round(unit * 0.82)
        self._lines: list[list[tuple[int, _LegendItem]]] = [[]]
        self._left = self._pad

    def add(self, item: _LegendItem, joined: bool = False) -> None:
        """Append an item to the line, or start a new line if it does not fit."""
        wide = self._measure_item(item)
        gap = (0 if joined else self._pad) if self._lines[-1] else 0
        if self._lines[-1] and self._left + gap + wide > self._width - self._pad:
            self.end_line()
            gap = self._unit * 2  # what goes on is set in
        self._lines[-1].append((self._left + gap, item))
        self._left += gap + wide

    def add_problem(self, text: str, serious: bool) -> None:
        """Add a problem, with a sign before its first line."""
        sign, ground = ("?", DOUBT_COLOUR) if serious else ("i", LIGHT_COLOUR)
        self.add(_LegendItem(render_label([LabelField(sign, ground, DARK_COLOUR)], self._unit)))
        begin = self._left + self._pad
        for line in _wrap_label(text, self._width - begin - self._pad, self._size):
            self._lines[-1].append((begin, _LegendItem(None, line)))
            self.end_line()

    def end_line(self) -> None:
        """End the line: what comes next begins another."""
        if self._lines[-1]:
            self._lines.append([])
        self._left = self._pad

    def render(self) -> Image.Image:
        """Render the strip as a picture, of no height without a line."""
        lines = [line for line in self._lines if line]
        step = round(self._unit * 1.5)
        height = step * len(lines) + 2 * self._pad if lines else 0
        image = Image.new("RGB", (self._width, height), _PAPER_COLOUR)
        draw = ImageDraw.Draw(image)
        for row, line in enumerate(lines):
            middle = self._pad + round((row + 0.5) * step)
            for left, item in line:
                if item.image is not None:
                    image.paste(item.image, (left, middle - item.image.height // 2), item.image)
                else:
                    face = load_typeface(item.face, self._size)
                    draw.text((left, middle), item.text, item.ink, face, anchor="lm")
        return image

    def _measure_item(self, item: _LegendItem) -> int:
        if item.image is not None:
            return item.image.width
        return round(load_typeface(item.face, self._size).getlength(item.text))


_MARGIN = 4  # pixels between a label and whatever else there is
_MIN_DISTANCE = 8  # pixels from a thing to its label, at least
_TURNS = (0, 18, -18, 36, -36, 60, -60, 90, -90)  # degrees off the side that was wished for
_STEPS = (0, 0.4, 0.8, 1.3, 1.9, 2.6, 3.5, 4.6, 6.0, 8.0)  # heights of a label further away
# What it costs to lead a line across something else, and to lie on a card; in heights of a label.
_CROSSING_COST, _ON_CARD_COST = 12.0, 4.0
_NOWHERE_COST = 50.0
# Where to look, the best first: what it costs, the turn from the side wished for, heights away.
_OPTIONS = sorted(
    (abs(turn) / 50 + (behind > 0) + step, behind + turn, step)
    for behind in (0, 180)
    for turn in _TURNS
    for step in _STEPS
)


class LabelledThing(NamedTuple):
    """Something to label: its outline, its label's size and preferred direction."""

    outline: Outline
    centre: Point
    towards: Point  # a unit vector
    size: tuple[int, int]


class LabelPlace(NamedTuple):
    """The box of a label, and the line to it, if it is not right beside what it names."""

    left: int
    top: int
    width: int
    height: int
    leader: tuple[Point, Point] | None
    cost: float = 0.0

    def overlaps(self, other: LabelPlace, margin: int = _MARGIN) -> bool:
        """Tell whether two boxes are closer than the margin."""
        return (
            self.left < other.left + other.width + margin
            and other.left < self.left + self.width + margin
            and self.top < other.top + other.height + margin
            and other.top < self.top + self.height + margin
        )


class LabelArea:
    """A picture with pieces, which no label may cover, cards, which it should not, and labels."""

    def __init__(
        self, size: tuple[int, int], pieces: Sequence[Outline], cards: Sequence[Outline] = ()
    ) -> None:
        self.width, self.height = size
        self._pieces, self._cards = self._paint_owners(pieces), self._paint_owners(cards)
        self._on_pieces, self._on_cards = map(_integrate_mask, (self._pieces, self._cards))
        self.placed: list[LabelPlace] = []

    def _paint_owners(self, outlines: Sequence[Outline]) -> NDArray[np.int32]:
        """Map each pixel to the outline that it lies in, counted from 1; 0 for none."""
        owner: NDArray[np.int32] = np.zeros((self.height, self.width), np.int32)
        for number, outline in enumerate(outlines, 1):
            polygon = np.clip(np.array(outline, np.float64).reshape(-1, 2), -1e4, 1e4)
            cv2.fillPoly(owner, [polygon.round().astype(np.int32)], number)
        return owner

    def place(self, things: Sequence[LabelledThing]) -> list[LabelPlace | None]:
        """Find a place for each label of a row, all on the better side; None without room."""
        best: list[LabelPlace | None] = []
        least = math.inf
        for side in (1, -1):
            before = len(self.placed)
            found = [self._find_place(thing, side) for thing in things]
            cost = sum(place.cost if place else _NOWHERE_COST for place in found)
            del self.placed[before:]
            if cost < least:
                best, least = found, cost
        self.placed += [place for place in best if place]
        return best

    def _find_place(self, thing: LabelledThing, side: int) -> LabelPlace | None:
        """Find the best free place, preferably one whose leader crosses nothing."""
        edges = {turn: self._find_edge(thing, side, turn) for _, turn, _ in _OPTIONS}
        best: LabelPlace | None = None
        for cost, turn, step in _OPTIONS:
            if best and best.cost <= cost:
                break
            place = _place_beside(thing, *edges[turn], step, cost)
            if self._is_free(place):
                worth = cost + self._rate_place(place, thing)
                if best is None or worth < best.cost:
                    best = place._replace(cost=worth)
        best = best or next(self._list_free_places(thing), None)
        if best:
            self.placed.append(best)
        return best

    def _find_edge(self, thing: LabelledThing, side: int, turn: int) -> tuple[Point, Point]:
        """Return a direction from a thing, and the point where its outline ends there."""
        angle = math.radians(turn + (0 if side > 0 else 180))
        cos, sin = math.cos(angle), math.sin(angle)
        (x, y), (left, top) = thing.towards, thing.centre
        way = x * cos - y * sin, x * sin + y * cos
        far = max(
            ((px - left) * way[0] + (py - top) * way[1] for px, py in thing.outline), default=0
        )
        return way, (left + way[0] * far, top + way[1] * far)

    def _rate_place(self, place: LabelPlace, thing: LabelledThing) -> float:
        """Return the cost of a leader that crosses a piece or a label, or of lying on a card."""
        hidden = any(_is_crossed_by_leader(other, place) for other in self.placed)
        if hidden or self._crosses(place, thing, self._pieces):
            return _CROSSING_COST
        on_card = self._count_covered_pixels(place, self._on_cards) or self._crosses(
            place, thing, self._cards
        )
        return _ON_CARD_COST if on_card else 0.0

    def _crosses(self, place: LabelPlace, thing: LabelledThing, owner: NDArray[np.int32]) -> bool:
        """Tell whether the leader crosses an outline other than that of its own thing."""
        if place.leader is None:
            return False
        start, end = place.leader
        count = max(2, int(math.dist(start, end) / 4))
        own = self._owner_at(thing.centre, owner)
        for part in range(count + 1):
            x, y = (a + (b - a) * part / count for a, b in zip(start, end, strict=True))
            if self._owner_at((x, y), owner) not in (0, own):
                return True
        return False

    def _owner_at(self, point: Point, owner: NDArray[np.int32]) -> int:
        x = min(max(round(point[0]), 0), self.width - 1)
        y = min(max(round(point[1]), 0), self.height - 1)
        return int(owner[y, x])

    def _is_free(self, place: LabelPlace) -> bool:
        return (
            self._is_inside(place)
            and not self._count_covered_pixels(place, self._on_pieces)
            and not any(place.overlaps(other) for other in self.placed)
            and not any(_is_crossed_by_leader(place, other) for other in self.placed)
        )

    def _is_inside(self, place: LabelPlace) -> bool:
        return (
            place.left >= _MARGIN
            and place.top >= _MARGIN
            and place.left + place.width <= self.width - _MARGIN
            and place.top + place.height <= self.height - _MARGIN
        )

    def _count_covered_pixels(self, place: LabelPlace, sums: NDArray[np.int32]) -> int:
        """Count the marked pixels under a place."""
        left, top = max(0, place.left - 2), max(0, place.top - 2)
        right = min(self.width, place.left + place.width + 2)
        bottom = min(self.height, place.top + place.height + 2)
        return int(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])

    def _list_free_places(self, thing: LabelledThing) -> Iterator[LabelPlace]:
        """Yield all free places, nearest first; over pieces only if nothing else is left."""
        width, height = thing.size
        x, y = thing.centre
        grid = [
            LabelPlace(left, top, width, height, None)
            for left in range(_MARGIN, self.width - width - _MARGIN, max(8, width // 3))
            for top in range(_MARGIN, self.height - height - _MARGIN, max(8, height // 2))
        ]
        grid.sort(key=lambda at: math.dist((at.left + width / 2, at.top + height / 2), (x, y)))
        for covering in (False, True):
            for place in grid:
                if (covering or not self._count_covered_pixels(place, self._on_pieces)) and not any(
                    place.overlaps(other) for other in self.placed
                ):
                    middle = place.left + width / 2, place.top + height / 2
                    yield place._replace(leader=((x, y), middle), cost=2 * _CROSSING_COST)


def _integrate_mask(owner: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.asarray(cv2.integral((owner > 0).astype(np.uint8)), np.int32)


def _place_beside(
    thing: LabelledThing, way: Point, edge: Point, step: float, cost: float
) -> LabelPlace:
    """Make a place in some direction from the edge of a thing, `step` label heights away."""
    width, height = thing.size
    half = abs(way[0]) * width / 2 + abs(way[1]) * height / 2
    away = _MIN_DISTANCE + step * height + half
    x, y = edge[0] + way[0] * away, edge[1] + way[1] * away
    near = min(  # the leader ends where the line to the middle meets the box
        width / 2 / abs(way[0]) if way[0] else math.inf,
        height / 2 / abs(way[1]) if way[1] else math.inf,
    )
    end = x - way[0] * near, y - way[1] * near
    start = edge[0] - way[0] * 3, edge[1] - way[1] * 3
    return LabelPlace(
        round(x - width / 2), round(y - height / 2), width, height, (start, end), cost
    )


def _is_crossed_by_leader(place: LabelPlace, other: LabelPlace) -> bool:
    """Tell whether the leader of another label runs through this place."""
    if other.leader is None:
        return False
    box = (place.left - 2, place.top - 2, place.width + 4, place.height + 4)
    (ax, ay), (bx, by) = other.leader
    crossed, _, _ = cv2.clipLine(box, (round(ax), round(ay)), (round(bx), round(by)))
    return bool(crossed)
