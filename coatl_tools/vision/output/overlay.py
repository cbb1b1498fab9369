"""Draw the overlay: the photo with its pieces outlined, numbered and named, problems marked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image

from coatl_tools.language import Language
from coatl_tools.vision.output.labels import (
    DARK_COLOUR,
    LIGHT_COLOUR,
    LabelArea,
    LabelField,
    LabelledThing,
    LabelPlace,
    make_card_fields,
    make_coatl_fields,
    make_number_field,
    make_piece_field,
    render_label,
    render_legend,
)
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import Outline, PhotoReading, Point, SeenCoatl
from coatl_tools.vision.stage_trace import Pixels

MAX_SIDE, MIN_SIDE = 1600, 1200  # pixels of the long side: small photos are made larger
_WHITE, _BLACK, _GREY = (255, 255, 255), (20, 20, 20), (190, 190, 190)
_AMBER, _TEAL = (0, 176, 255), (170, 190, 0)
_Ink = tuple[int, int, int]


def render_overlay(picture: Picture, reading: PhotoReading, language: Language) -> Pixels:
    """Render the photo with its reading drawn on it and a strip below."""
    pixels, scale = _resize_photo(picture, reading)
    shown = _forget_outside(reading).scale(scale)
    height, width = pixels.shape[:2]
    unit = max(18, round(max(width, height) / 62))
    labels = _place_labels(shown, language, (width, height), unit)
    line = max(1, round(max(width, height) / 800))
    for stray in shown.loose_pieces:
        _draw_outline(pixels, stray.outline, _GREY, line, dashed=False)
    for card in shown.cards:
        _draw_outline(pixels, card.outline, _TEAL if card.sure else _AMBER, line + 1, not card.sure)
    for problem in shown.problems:
        _draw_outline(pixels, problem.area, _AMBER, line + 1, dashed=True)
    for number, seen in enumerate(shown.coatls):
        for doubtful in (False, True):  # what is doubtful is not painted over by its neighbours
            for index, piece in enumerate(seen.pieces):
                if shown.has_problem(number, index) == doubtful:
                    ink, weight = (_AMBER, line + 1) if doubtful else (_WHITE, line)
                    _draw_outline(pixels, piece.outline, ink, weight, doubtful)
        if _was_seen(seen):
            _draw_direction(pixels, seen, line)
            if shown.has_problem(number, None):
                for around in _find_outlines_around(seen, (width, height), line):
                    _draw_outline(pixels, around, _AMBER, line + 1, dashed=True)
    for label in labels:
        if label.place.leader is not None:
            _draw_leader(pixels, *label.place.leader, line)
    image = Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB))
    for label in labels:
        image.paste(label.image, (label.place.left, label.place.top), label.image)
    strip = render_legend(reading, language, width, unit)
    whole = Image.new("RGB", (width, height + strip.height))
    whole.paste(image, (0, 0))
    whole.paste(strip, (0, height))
    return np.asarray(cv2.cvtColor(np.asarray(whole), cv2.COLOR_RGB2BGR), np.uint8)


class _PlacedLabel(NamedTuple):
    image: Image.Image
    place: LabelPlace


def _resize_photo(picture: Picture, reading: PhotoReading) -> tuple[Pixels, float]:
    """Return the photo at the size of the overlay, and the scale for the reading's points."""
    height, width = picture.pixels.shape[:2]
    side = max(width, height)
    scale = min(MAX_SIDE, max(MIN_SIDE, side)) / side
    size = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    pixels = np.asarray(cv2.resize(picture.pixels, size, interpolation=way), np.uint8)
    return pixels, size[0] / max(1, reading.size[0])


def _forget_outside(reading: PhotoReading) -> PhotoReading:
    """Forget the outlines outside the picture: another photo of the same table has shown them."""
    width, height = reading.size

    def crop(outline: Outline) -> Outline:
        inside = any(0 <= x <= width and 0 <= y <= height for x, y in outline)
        return outline if inside else ()

    return replace(
        reading,
        coatls=tuple(
            replace(seen, pieces=tuple(replace(p, outline=crop(p.outline)) for p in seen.pieces))
            for seen in reading.coatls
        ),
        cards=tuple(replace(card, outline=crop(card.outline)) for card in reading.cards),
    )


def _place_labels(
    reading: PhotoReading, language: Language, size: tuple[int, int], unit: int
) -> list[_PlacedLabel]:
    """Place labels for pieces, cards and, if there are several, Cóatls, if there is room."""
    ground = LabelArea(
        size,
        [piece.outline for seen in reading.coatls for piece in seen.pieces if piece.outline],
        [card.outline for card in reading.cards if card.outline],
    )
    labels: list[_PlacedLabel] = []

    def place(things: Sequence[tuple[Image.Image, Outline, Point, Point]]) -> None:
        asked = [LabelledThing(outline, at, way, image.size) for image, outline, at, way in things]
        for (image, *_), found in zip(things, ground.place(asked), strict=True):
            if found is not None:
                labels.append(_PlacedLabel(image, found))

    for number, seen in enumerate(reading.coatls):
        if not _was_seen(seen):
            continue
        ways = _find_label_directions(seen)
        place(
            [
                (_render_piece_label(reading, number, i, unit), piece.outline, piece.centre, side)
                for i, (piece, (_, side)) in enumerate(zip(seen.pieces, ways, strict=True))
            ]
        )
        if len(reading.coatls) > 1 or reading.has_problem(number, None):
            fields = make_coatl_fields(reading, number, language)
            first, (way, _) = seen.pieces[0], ways[0]
            place([(render_label(fields, unit), first.outline, first.centre, (-way[0], -way[1]))])
    for number, card in enumerate(reading.cards):
        if not card.outline:  # a person has added it
            continue
        fields = make_card_fields(number, card)
        if len(reading.coatls) > 1 and card.coatl is not None:
            whose = language.label("result_coatl", card.coatl + 1)
            fields.append(LabelField(whose, DARK_COLOUR, LIGHT_COLOUR))
        middle = np.mean(np.array(card.outline), axis=0)
        centre = float(middle[0]), float(middle[1])
        place([(render_label(fields, unit), card.outline, centre, (0.0, -1.0))])
    return labels


def _was_seen(seen: SeenCoatl) -> bool:
    """Tell whether a Cóatl lies in the photo; one added by a person is only in the legend."""
    return any(piece.outline for piece in seen.pieces)


def _render_piece_label(reading: PhotoReading, number: int, index: int, unit: int) -> Image.Image:
    """Render a piece's number and what it is; two guesses if it is doubtful."""
    piece = reading.coatls[number].pieces[index]
    doubtful = reading.has_problem(number, index)
    guesses = piece.guesses(2 if doubtful else 1)
    fields = [make_piece_field(colour, kind) for colour, kind in guesses]
    called = f"{number + 1}.{index + 1}" if len(reading.coatls) > 1 else str(index + 1)
    return render_label([make_number_field(called, doubtful), *fields], unit)


def _find_label_directions(seen: SeenCoatl) -> list[tuple[Point, Point]]:
    """Find for each piece the unit vectors towards the tail, and square to it for its label."""
    centres = [piece.centre for piece in seen.pieces]
    ways = []
    for index in range(len(centres)):
        (ax, ay) = centres[max(0, index - 1)]
        (bx, by) = centres[min(len(centres) - 1, index + 1)]
        length = math.hypot(bx - ax, by - ay)
        x, y = ((bx - ax) / length, (by - ay) / length) if length else (1.0, 0.0)
        ways.append(((x, y), (y, -x)))
    return ways


def _draw_outline(pixels: Pixels, outline: Outline, ink: _Ink, line: int, dashed: bool) -> None:
    """Draw an outline that is visible on light and on dark tables."""
    closed = [*outline, *outline[:1]]
    for colour, width in ((_BLACK, line + 2), (ink, line)):
        for begin, end in _split_into_dashes(closed, line * 7) if dashed else pairwise(closed):
            cv2.line(pixels, _round_point(begin), _round_point(end), colour, width, cv2.LINE_AA)


def _find_outlines_around(seen: SeenCoatl, size: tuple[int, int], line: int) -> Iterator[Outline]:
    """Yield lines around a whole Cóatl, with a point for each dash and gap."""
    whole = np.zeros(size[::-1], np.uint8)
    for piece in seen.pieces:
        cv2.fillPoly(whole, [np.array([*map(_round_point, piece.outline)], np.int32)], 255)
    for begin, end in pairwise(piece.centre for piece in seen.pieces):
        cv2.line(whole, _round_point(begin), _round_point(end), 255, line)
    reach = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (line * 12 + 1, line * 12 + 1))
    found, _ = cv2.findContours(cv2.dilate(whole, reach), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in found:
        yield tuple((float(x), float(y)) for x, y in contour[:: line * 14, 0])


def _split_into_dashes(points: Sequence[Point], length: float) -> Iterator[tuple[Point, Point]]:
    """Split a line of many points into dashes."""
    for begin, end in pairwise(points):
        way = math.dist(begin, end)
        count = max(1, round(way / length / 2))
        for number in range(count):
            parts = (number + 0.15) / count, (number + 0.75) / count
            ends = [
                tuple(a + (b - a) * part for a, b in zip(begin, end, strict=True)) for part in parts
            ]
            yield (ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])


def _draw_direction(pixels: Pixels, seen: SeenCoatl, line: int) -> None:
    """Draw a line from head to tail along the pieces, with an arrow if the direction is known."""
    centres = [piece.centre for piece in seen.pieces]
    if len(centres) < 2:
        return
    for colour, weight in ((_BLACK, line + 2), (_WHITE, line)):
        for begin, end in pairwise(centres):
            cv2.line(pixels, _round_point(begin), _round_point(end), colour, weight, cv2.LINE_AA)
    known = seen.is_orientation_known
    for number, centre in enumerate(centres[:-1] if known else centres):
        radius = line * (4 if known and number == 0 else 2)
        for colour, size in ((_BLACK, radius + 2), (_WHITE, radius)):
            cv2.circle(pixels, _round_point(centre), size, colour, cv2.FILLED, cv2.LINE_AA)
    if known:
        (ax, ay), (x, y) = centres[-2:]
        way = math.atan2(y - ay, x - ax)
        for colour, size in ((_BLACK, line * 10 + 4), (_WHITE, line * 10)):
            tips = [
                _round_point((x + size * math.cos(way + turn), y + size * math.sin(way + turn)))
                for turn in (0, 2.5, -2.5)
            ]
            cv2.fillPoly(pixels, [np.array(tips, np.int32)], colour, cv2.LINE_AA)


def _draw_leader(pixels: Pixels, begin: Point, end: Point, line: int) -> None:
    for colour, width in ((_BLACK, line + 2), (_WHITE, line)):
        cv2.line(pixels, _round_point(begin), _round_point(end), colour, width, cv2.LINE_AA)


def _round_point(point: Point) -> tuple[int, int]:
    return round(min(max(point[0], -9e3), 9e3)), round(min(max(point[1], -9e3), 9e3))
