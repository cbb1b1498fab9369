"""Find printed cards whose mark cannot be read: by rectangles, then by what is on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.cards.card_signs import get_family
from coatl_tools.vision.cards.frame_colours import (
    CARD_PIXELS_PER_MM,
    balance_view,
    crop_box,
    name_frame,
    rate_frame_colours,
)
from coatl_tools.vision.cards.ocr import NoTesseractError, cut_text_lines
from coatl_tools.vision.cards.printed_cards import (
    CLOSER_ADVICE,
    CardSighting,
    LocatedCard,
    collect_id_alphabet,
    find_card_by_text,
    has_printed_id,
    load_usual_places,
    measure_edge_contrast,
    read_id_again,
    read_ids,
)
from coatl_tools.vision.homography import (
    Points,
    box_corners,
    fit_camera_homographies,
    map_points,
    measure_overlap,
    rectify_box,
)
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.shrinking import shrink_photo
from coatl_tools.vision.stage_trace import Pixels

SEARCH_SIDE = 1000  # pixels of the longer side in which rectangles are looked for
MIN_SHORT_SIDE = 26.0  # pixels of the shorter side there
MAX_PHOTO_SHARE = 0.6  # the part of the photo that one may fill
MIN_HULL_SHARE = 0.9  # the part of a rectangle that its hull must fill: corners may be round
TONE_LEVELS = 5  # levels of each channel that areas are cut at
MAX_RECTANGLES = 40  # rectangles that are looked at
MAX_FITS = 240  # best fits that are compared
MAX_CONTOURS = 1000  # on a patterned cloth there are thousands


def find_rectangles(pixels: Pixels, known: Sequence[Points] = ()) -> list[Points]:
    """Find rectangles: four corners each, clockwise, in pixels of the photo; the largest first.

    What lies inside known outlines is not looked at.
    """
    seen, shrink = shrink_photo(pixels, SEARCH_SIDE)
    small = seen.copy()
    for outline in known:
        cv2.fillConvexPoly(small, np.round(outline * shrink).astype(np.int32), (128, 128, 128))
    area = small.shape[0] * small.shape[1]
    found: list[tuple[float, Points]] = []
    boxes = []
    for contour in _find_contours(np.asarray(small, np.uint8)):
        _, (width, height), _ = cv2.minAreaRect(contour)
        if min(width, height) >= MIN_SHORT_SIDE and width * height <= MAX_PHOTO_SHARE * area:
            boxes.append((width * height, contour))
    boxes.sort(key=lambda box: -box[0])
    for around_it, contour in boxes[:MAX_CONTOURS]:
        quad = _fit_quad(contour, around_it)
        if quad is not None:
            found.append(quad)
    kept = _remove_duplicates(found)
    return [(quad + 0.5) / shrink - 0.5 for quad in kept[:MAX_RECTANGLES]]


def _find_contours(small: Pixels) -> Iterator[NDArray[np.int32]]:
    lab = cv2.cvtColor(cv2.bilateralFilter(small, 5, 30, 5), cv2.COLOR_BGR2LAB)
    edges = np.zeros(small.shape[:2], np.uint8)
    for channel, (low, high) in zip(cv2.split(lab), ((40, 110), (14, 40), (14, 40)), strict=True):
        plane = np.asarray(channel, np.uint8)
        edges |= np.asarray(cv2.Canny(plane, low, high), np.uint8)
        for level in _list_thresholds(plane):
            binary = cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)[1]
            yield from _trace_outlines(np.asarray(binary, np.uint8))
    yield from _trace_outlines(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8))


def _list_thresholds(channel: Pixels) -> list[float]:
    """List thresholds, evenly spaced over the channel's range; none without contrast."""
    low, high = np.percentile(channel, (2, 98))
    if high - low < 8:
        return []
    return [float(low + (high - low) * (i + 1) / (TONE_LEVELS + 1)) for i in range(TONE_LEVELS)]


def _trace_outlines(binary: Pixels) -> Iterator[NDArray[np.int32]]:
    contours, _ = cv2.findContours(binary, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        if len(contour) > 4 * MIN_SHORT_SIDE * 0.7:
            yield np.asarray(contour, np.int32)


def _fit_quad(contour: NDArray[np.int32], around_it: float) -> tuple[float, Points] | None:
    """Fit a quadrilateral to a contour: how well it fits, and its corners; None if it is none."""
    hull = cv2.convexHull(contour)
    around, whole = cv2.arcLength(hull, True), cv2.contourArea(hull)
    if whole < 0.55 * around_it:
        return None
    for share in (0.015, 0.025, 0.04, 0.06):
        corners = cv2.approxPolyDP(hull, share * around, True).reshape(-1, 2)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    quad = _sharpen_corners(hull.reshape(-1, 2).astype(float), corners.astype(float))
    if quad is None:
        return None
    inner = float(cv2.contourArea(quad.astype(np.float32)))
    if inner < MIN_SHORT_SIDE**2 or not MIN_HULL_SHARE < whole / inner < 1.06:
        return None
    sides = [float(np.linalg.norm(quad[i] - quad[i - 1])) for i in range(4)]
    if min(sides) < MIN_SHORT_SIDE or max(sides) > 4.5 * min(sides):
        return None
    return whole / inner, quad


def _sharpen_corners(hull: Points, corners: Points) -> Points | None:
    """Return the corners where the sides would meet, as a card's own may be round."""
    if cv2.contourArea(corners.astype(np.float32), True) < 0:
        corners = corners[::-1]
    middle = corners.mean(axis=0)
    start = int(np.argmin((corners - middle).sum(axis=1)))
    corners = np.roll(corners, -start, axis=0)
    dense = _densify_hull(hull)
    lines = []
    for index in range(4):
        one, other = corners[index], corners[(index + 1) % 4]
        along = other - one
        length = float(np.linalg.norm(along))
        if length < 2:
            return None
        unit = along / length
        run = (dense - one) @ unit
        away = np.abs((dense - one) @ np.array([-unit[1], unit[0]]))
        near = dense[(run > 0.15 * length) & (run < 0.85 * length) & (away < 0.04 * length + 1.5)]
        if len(near) < 6:
            return None
        x, y, at_x, at_y = np.ravel(
            cv2.fitLine(near.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01)
        )
        lines.append((np.array([x, y], float), np.array([at_x, at_y], float)))
    met = []
    for index in range(4):
        (one, at), (other, there) = lines[index - 1], lines[index]
        matrix = np.column_stack([one, -other])
        if abs(np.linalg.det(matrix)) < 0.2:
            return None
        met.append(at + one * np.linalg.solve(matrix, there - at)[0])
    return np.array(met)


def _densify_hull(hull: Points) -> Points:
    """Return points on the hull, about a pixel apart."""
    closed = np.vstack([hull, hull[:1]])
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    at = np.arange(0.0, length[-1])
    return np.column_stack([np.interp(at, length, closed[:, axis]) for axis in (0, 1)])


def _remove_duplicates(found: Sequence[tuple[float, Points]]) -> list[Points]:
    """Keep the best fit of each rectangle that was found several times, largest first."""
    kept = np.empty((0, 4, 2))
    for _, quad in sorted(found, key=lambda pair: -pair[0])[:MAX_FITS]:
        near = 0.06 * float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))
        turned = np.stack([np.roll(quad, turn, axis=0) for turn in range(4)])
        if not (np.abs(kept[:, None] - turned).max(axis=(2, 3)) < near).any():
            kept = np.vstack([kept, quad[None]])
    return sorted(kept, key=lambda quad: -float(cv2.contourArea(quad.astype(np.float32))))


MAX_BEND = 0.025  # of its size, by which a rectangle may differ from a card as a camera sees it
SAME_CARD_OVERLAP = 0.35  # two outlines that share so much of the smaller one are one card
MIN_EDGE_CONTRAST = 45.0  # levels; less is no card's outline
MAX_FRAME_UNEVENNESS = 32.0  # levels between parts of a frame
MIN_TABLET_DIFFERENCE = 60.0  # levels between a frame and its tablets
LETTER_HEIGHTS = (0.7, 3.2)  # millimetres that the letters of words are high
MIN_ID_CONFIDENCE = 0.6  # an id without a mark must be read this clearly
MAX_IDS, MAX_CARDS = 24, 6  # so many places are read
MAX_VIEWS = 4  # to see one of them: rectangles, and which way up
MIN_SCALE = 1.3  # pixels in a millimetre, below which nothing on a card can be read
MIN_FRAME_AGREEMENT = 0.4  # how likely a frame has a card's colour, to speak for it
LETTER_PIXELS = (CARD_PIXELS_PER_MM * LETTER_HEIGHTS[0], CARD_PIXELS_PER_MM * LETTER_HEIGHTS[1])


@dataclass(frozen=True, eq=False)
class CardGuess:
    """A rectangle taken for a part of a card, and that card."""

    part: str
    card: LocatedCard


def find_unmarked_cards(
    pixels: Pixels,
    grey: Pixels,
    rectangles: Sequence[Points],
    known: Sequence[Points],
    catalog: Catalog,
) -> tuple[list[CardSighting], bool]:
    """Find printed cards at rectangles that known outlines do not cover.

    Also return whether Tesseract was missing.
    """
    guesses = _guess_cards(pixels, rectangles, known)
    likely = [guess for guess in guesses if has_printed_id(grey, guess.card)]
    missed = False
    try:
        found = _find_by_id(pixels, grey, likely[:MAX_IDS], catalog)
    except NoTesseractError:
        found, missed = [], bool(likely)
    outlines = [*known, *(seen.outline for seen in found)]
    rest = [
        guess for guess in guesses
        if guess.part == "card" and _is_free(guess.card.outline, outlines)
    ]  # fmt: skip
    return found + _find_by_appearance(pixels, grey, rest, catalog), missed


def _guess_cards(
    pixels: Pixels, rectangles: Sequence[Points], known: Sequence[Points]
) -> list[CardGuess]:
    """Take every rectangle for a card's outline, its field and the tablet of its id."""
    places = load_usual_places()
    whole = Box(0, 0, places.size.width, places.size.height)
    parts = {"card": whole, "field": places.field, "label": places.label}
    seen = (pixels.shape[1], pixels.shape[0])
    found = []
    for rectangle in rectangles:
        if not _is_free(rectangle, known):
            continue
        side = float(np.sqrt(cv2.contourArea(rectangle.astype(np.float32))))
        for part, box in parts.items():
            for turn in range(4):
                corners = np.roll(rectangle, turn, axis=0)
                flat = box_corners(box.x, box.y, box.width, box.height)
                for homography in fit_camera_homographies(flat, corners, seen)[:1]:
                    bent = float(np.abs(map_points(flat, homography) - corners).max()) / side
                    card = LocatedCard(places, homography)
                    if bent < MAX_BEND and card.scale > MIN_SCALE and _is_free(card.outline, known):
                        found.append(CardGuess(part, card))
    return found


def _is_free(outline: Points, others: Sequence[Points]) -> bool:
    return all(measure_overlap(outline, other) < SAME_CARD_OVERLAP for other in others)


def _find_by_id(
    pixels: Pixels, grey: Pixels, likely: Sequence[CardGuess], catalog: Catalog
) -> list[CardSighting]:
    """Find cards whose id can be read at its place; raises NoTesseractError."""
    letters = collect_id_alphabet(catalog)
    lines = read_ids(grey, [guess.card for guess in likely], letters)
    known = {card.id for card in catalog}
    read = [
        (line, guess) for line, guess in zip(lines, likely, strict=True)
        if line.text in known and line.confidence >= MIN_ID_CONFIDENCE
    ]  # fmt: skip
    found: list[CardSighting] = []
    for line, guess in sorted(read, key=lambda pair: -pair[0].confidence):
        outline = guess.card.outline
        if not _is_free(outline, [seen.outline for seen in found]):
            continue
        if read_id_again(grey, guess.card, letters).text != line.text:
            continue
        witnesses = {"text": line.text}
        framed = _match_frame(_rectify_card(pixels, guess.card), catalog[line.text])
        by_words, _ = find_card_by_text(_rectify_field(grey, guess.card), catalog)
        if by_words is not None:
            witnesses["words"] = by_words
        witnesses |= framed
        sure = by_words == line.text or (by_words is None and bool(framed))
        near = (line.text,) if by_words in (None, line.text) else (line.text, by_words)
        told = line.text if len(near) == 1 else None
        found.append(_make_sighting(outline, told, sure, near, witnesses, 0.95))
    return found


def _find_by_appearance(
    pixels: Pixels, grey: Pixels, guesses: Sequence[CardGuess], catalog: Catalog
) -> list[CardSighting]:
    """Find cards by their text, or as such that nobody can read."""
    # of rectangles on one place, the largest whose edges are clear comes first: others lie in it
    clear = [
        guess for guess in guesses if measure_edge_contrast(pixels, guess.card) >= MIN_EDGE_CONTRAST
    ]
    groups: list[list[CardGuess]] = []
    for guess in sorted(clear, key=lambda guess: -guess.card.scale):
        outline = guess.card.outline
        group = next((g for g in groups if not _is_free(outline, [g[0].card.outline])), None)
        if group is None and len(groups) < MAX_CARDS:
            groups.append([guess])
        elif group is not None and len(group) < MAX_VIEWS:
            group.append(guess)
    found: list[CardSighting] = []
    for group in groups:
        views = [(guess.card, _rectify_card(pixels, guess.card)) for guess in group]
        seen = _find_by_text(grey, views, catalog)
        if seen is None and any(_looks_printed(*way) for way in views):
            seen = _make_sighting(views[0][0].outline, None, False, (), {}, 0.0)
        if seen is not None:
            found.append(seen)
    return found


def _find_by_text(
    grey: Pixels, views: Sequence[tuple[LocatedCard, Pixels]], catalog: Catalog
) -> CardSighting | None:
    """Find a printed card with a covered id by its text and the colour of its frame."""
    for card, view in views:
        field = _rectify_field(grey, card)
        if not (_has_light_field(view, card) and cut_text_lines(field, *LETTER_PIXELS)):
            continue
        try:
            told, near = find_card_by_text(field, catalog)
        except NoTesseractError:
            return None
        if not near:
            continue
        if told is None:
            return _make_sighting(card.outline, None, False, near, {}, 0.7)
        framed = _match_frame(view, catalog[told])
        witnesses, confidence = {"words": told} | framed, 0.95 if framed else 0.7
        return _make_sighting(card.outline, told, bool(framed), near, witnesses, confidence)
    return None


def _match_frame(view: Pixels, card: Card) -> dict[str, str]:
    """Return the frame as a witness if it clearly has the colour of a card, otherwise nothing."""
    colour = get_family(card)
    rated = rate_frame_colours(balance_view(view))
    return {"frame": name_frame(colour)} if rated.get(colour, 0.0) > MIN_FRAME_AGREEMENT else {}


def _make_sighting(
    outline: Points,
    told: str | None,
    sure: bool,
    near: tuple[str, ...],
    witnesses: Mapping[str, str],
    confidence: float,
) -> CardSighting:
    """Make a sighting, with a problem if it is not sure."""
    if sure:
        return CardSighting(outline, told, min(confidence, 0.95), witnesses)
    phrase: Phrase = ("photo.card_doubtful", {"ids": ", ".join(near)})
    problem = ReadingProblem("card_doubtful", phrase, CLOSER_ADVICE)
    if not near:
        problem = ReadingProblem("card_unreadable", ("photo.card_unreadable", {}), CLOSER_ADVICE)
    least = min(confidence, 0.8 if told else 0.5)
    return CardSighting(outline, told, least, witnesses, near, problem)


def _rectify_card(pixels: Pixels, card: LocatedCard) -> Pixels:
    """Return a rectified view of a whole card."""
    size = card.places.size
    return rectify_box(
        pixels, card.homography, Box(0, 0, size.width, size.height), CARD_PIXELS_PER_MM
    )


def _rectify_field(grey: Pixels, card: LocatedCard) -> Pixels:
    """Return a rectified grey view of a printed card's light field."""
    return rectify_box(grey, card.homography, card.places.field.inset(0.8), CARD_PIXELS_PER_MM)


def _has_light_field(view: Pixels, card: LocatedCard) -> bool:
    """Tell whether most of a printed card's field is paper with dark print on it."""
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)
    field = crop_box(grey, card.places.field.inset(2))
    light = float(np.percentile(grey, 95))
    return bool((field > 0.75 * light).mean() > 0.5 and field.std() > 0.08 * light)


def _looks_printed(card: LocatedCard, view: Pixels) -> bool:
    """Tell whether it has the frame and the light tablets of a printed card, if illegible."""
    places, size = card.places, card.places.size
    field, tablet = places.field, places.tablet
    frames = [
        Box(1, 5, 2, size.height - 10), Box(size.width - 3, 5, 2, size.height - 10),
        Box(5, 1, size.width - 10, 2), Box(5, size.height - 3, size.width - 10, 2),
        Box(6, field.bottom + 0.3, size.width - 12, tablet.y - field.bottom - 0.6),
    ]  # fmt: skip
    header = places.header
    points = Box(header.x, header.y, places.layout.face.table.cell, header.height).inset(1.5)
    seen = [_median_colour(view, box) for box in frames]
    frame = np.median(seen, axis=0)
    even = sum(float(np.abs(colour - frame).max()) < MAX_FRAME_UNEVENNESS for colour in seen)
    light = [_median_colour(view, box) for box in (field.inset(3), places.label.inset(2), points)]
    apart = sum(float((colour - frame).max()) > MIN_TABLET_DIFFERENCE for colour in light)
    return even == len(frames) and apart == len(light)


def _median_colour(view: Pixels, box: Box) -> Points:
    return np.asarray(np.median(crop_box(view, box).reshape(-1, 3), axis=0), np.float64)
