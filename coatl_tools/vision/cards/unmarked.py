"""Cards without a mark that can be read: by their shape, then by what stands on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.layouts import Layouts
from coatl_tools.vision.cards.lines import text_lines
from coatl_tools.vision.cards.looks import SCALE, balanced_view, family, frame_likelihoods
from coatl_tools.vision.cards.printed import (
    Printed,
    alphabet,
    edge_contrast,
    id_looks_printed,
    read_id_again,
    read_ids,
    usual_size,
)
from coatl_tools.vision.cards.published import judge, look_at, read_points
from coatl_tools.vision.cards.rectangles import find_rectangles
from coatl_tools.vision.cards.sighting import SAME, Sighting, overlap
from coatl_tools.vision.cards.text import NoTesseractError
from coatl_tools.vision.cards.words import card_by_words
from coatl_tools.vision.plane import Points, box_corners, camera_homographies, from_above, mapped
from coatl_tools.vision.trace import Pixels, Trace

BENT = 0.025  # of its size, by which a rectangle may differ from what a camera can see of a card
CLEAR_EDGE = 45.0  # the contrast of an outline that is one
EVEN, APART = 32.0, 60.0  # by which the parts of a frame, and its tablets, differ from it
LETTERS = (0.7, 3.2)  # millimetres that the letters of words are high
SURE_ID = 0.6  # an id without a mark must be read this clearly
MOST_IDS, MOST_CARDS = 24, 6  # so many places are read
MOST_WAYS = 4  # to see one of them: rectangles, and which way up
SMALLEST = 1.3  # pixels in a millimetre, below which nothing on a card can be read
FRAME_AGREES = 0.4  # how likely a frame has a card's colour, to speak for it
LETTER_PIXELS = (SCALE * LETTERS[0], SCALE * LETTERS[1])
CLOSER: Phrase = ("photo.closer_and_above", {})


@dataclass(frozen=True, eq=False)
class Guess:
    """A rectangle taken for a part of a card: how badly it fits, and the card it would be."""

    part: str
    bent: float
    card: Printed


def unmarked_cards(
    pixels: Pixels,
    grey: Pixels,
    known: Sequence[Points],
    catalog: Catalog,
    layouts: Layouts,
    trace: Trace,
) -> tuple[list[Sighting], bool]:
    """Cards beside those that are known; and whether Tesseract was missed."""
    with trace.stage("unmarked cards"):
        guesses = _guesses(pixels, known, layouts)
        likely = [guess for guess in guesses if id_looks_printed(grey, guess.card)]
        missed = False
        try:
            found = _by_id(pixels, grey, likely[:MOST_IDS], catalog)
        except NoTesseractError:
            found, missed = [], bool(likely)
        outlines = [*known, *(seen.outline for seen in found)]
        rest = [
            guess for guess in guesses
            if guess.part == "card" and _free(guess.card.outline, outlines)
        ]  # fmt: skip
        found += _by_look(pixels, grey, rest, catalog)
    return found, missed


def _guesses(pixels: Pixels, known: Sequence[Points], layouts: Layouts) -> list[Guess]:
    """Every rectangle as the outline of a card, as its field and as the tablet of its id."""
    places = usual_size(layouts)
    whole = Box(0, 0, places.size.width, places.size.height)
    parts = {"card": whole, "field": places.field, "label": places.label}
    seen = (pixels.shape[1], pixels.shape[0])
    found = []
    for rectangle in find_rectangles(pixels, known):
        if not _free(rectangle, known):
            continue
        side = float(np.sqrt(cv2.contourArea(rectangle.astype(np.float32))))
        for part, box in parts.items():
            for turn in range(4):
                corners = np.roll(rectangle, turn, axis=0)
                flat = box_corners(box.x, box.y, box.width, box.height)
                for homography in camera_homographies(flat, corners, seen)[:1]:
                    bent = float(np.abs(mapped(flat, homography) - corners).max()) / side
                    card = Printed(places, homography)
                    if bent < BENT and card.scale > SMALLEST and _free(card.outline, known):
                        found.append(Guess(part, bent, card))
    return found


def _free(outline: Points, others: Sequence[Points]) -> bool:
    return all(overlap(outline, other) < SAME for other in others)


def _by_id(
    pixels: Pixels, grey: Pixels, likely: Sequence[Guess], catalog: Catalog
) -> list[Sighting]:
    """Cards whose id can be read where it would stand; raises NoTesseractError without it."""
    letters = alphabet(catalog)
    lines = read_ids(grey, [guess.card for guess in likely], letters)
    known = {card.id for card in catalog}
    read = [
        (line, guess) for line, guess in zip(lines, likely, strict=True)
        if line.text in known and line.confidence >= SURE_ID
    ]  # fmt: skip
    found: list[Sighting] = []
    for line, guess in sorted(read, key=lambda pair: -pair[0].confidence):
        outline = guess.card.outline
        if not _free(outline, [seen.outline for seen in found]):
            continue
        if read_id_again(grey, guess.card, letters).text != line.text:
            continue
        witnesses = {"text": line.text}
        frame = frame_likelihoods(balanced_view(_view(pixels, guess.card)))
        colour = family(catalog[line.text])
        alike = frame.get(colour, 0.0) > FRAME_AGREES
        by_words, _ = card_by_words(_field(grey, guess.card), catalog)
        if by_words is not None:
            witnesses["words"] = by_words
        if frame and alike:
            witnesses["frame"] = "temple" if colour is None else colour.word
        sure = by_words == line.text or (by_words is None and alike)
        near = (line.text,) if by_words in (None, line.text) else (line.text, by_words)
        told = line.text if len(near) == 1 else None
        found.append(_settled(outline, told, sure, near, witnesses, 0.95))
    return found


def _by_look(
    pixels: Pixels, grey: Pixels, guesses: Sequence[Guess], catalog: Catalog
) -> list[Sighting]:
    """Cards by their words, or by frame, points and row, as the published ones show them."""
    # of rectangles on one place, the largest whose edges are clear comes first: others lie in it
    clear = [guess for guess in guesses if edge_contrast(pixels, guess.card) >= CLEAR_EDGE]
    groups: list[list[Guess]] = []
    for guess in sorted(clear, key=lambda guess: -guess.card.scale):
        outline = guess.card.outline
        group = next((g for g in groups if not _free(outline, [g[0].card.outline])), None)
        if group is None and len(groups) < MOST_CARDS:
            groups.append([guess])
        elif group is not None and len(group) < MOST_WAYS:
            group.append(guess)
    found: list[Sighting] = []
    for group in groups:
        views = [(guess.card, _view(pixels, guess.card)) for guess in group]
        seen = _as_published(views, catalog)
        if seen is None or not seen.sure:
            seen = _by_words(grey, views, catalog) or seen
        if seen is None and any(_is_printed(*way) for way in views):
            seen = _settled(views[0][0].outline, None, False, (), {}, 0.0)
        if seen is not None:
            found.append(seen)
    return found


def _by_words(
    grey: Pixels, views: Sequence[tuple[Printed, Pixels]], catalog: Catalog
) -> Sighting | None:
    """A printed card whose id is covered: the words on its field, and the colour of its frame."""
    for card, view in views:
        field = _field(grey, card)
        if not (_has_light_field(view, card) and text_lines(field, *LETTER_PIXELS)):
            continue
        try:
            told, near = card_by_words(field, catalog)
        except NoTesseractError:
            return None
        if not near:
            continue
        frame = frame_likelihoods(balanced_view(view))
        colour = family(catalog[told or near[0]])
        agreed = told is not None and frame.get(colour, 0.0) > FRAME_AGREES
        witnesses = {"words": told} if told else {}
        if agreed:
            witnesses["frame"] = "temple" if colour is None else colour.word
        return _settled(card.outline, told, agreed, near, witnesses, 0.95 if agreed else 0.7)
    return None


def _as_published(views: Sequence[tuple[Printed, Pixels]], catalog: Catalog) -> Sighting | None:
    """A published card, whichever way up it can be read."""
    looks = [(card, view, look_at(view)) for card, view in views]
    looks = [entry for entry in looks if entry[2].frame]
    points: Sequence[Mapping[int, int]] = [{} for _ in looks]
    with suppress(NoTesseractError):  # without it, row and frame alone must tell
        points = read_points([view for _, view, _ in looks])
    verdicts = [
        (card, verdict)
        for (card, _, look), read in zip(looks, points, strict=True)
        if (verdict := judge(replace(look, points=read), catalog)) is not None
    ]
    if not verdicts:
        return None
    card, verdict = max(
        verdicts,
        key=lambda pair: (pair[1].agreed, "points" in pair[1].witnesses, pair[1].confidence),
    )
    return _settled(
        card.outline,
        verdict.candidates[0] if verdict.agreed else None,
        verdict.agreed and {"points", "row"} <= set(verdict.witnesses),
        verdict.candidates,
        verdict.witnesses,
        verdict.confidence,
    )


def _settled(
    outline: Points,
    told: str | None,
    sure: bool,
    near: tuple[str, ...],
    witnesses: Mapping[str, str],
    confidence: float,
) -> Sighting:
    """A card with what is to be said if it is not sure."""
    if sure:
        return Sighting(outline, told, min(confidence, 0.95), True, witnesses)
    phrase: Phrase = ("photo.card_doubtful", {"ids": ", ".join(near)})
    code = "card_doubtful"
    if not near:
        phrase, code = ("photo.card_unreadable", {}), "card_unreadable"
    least = min(confidence, 0.8 if told else 0.5)
    return Sighting(outline, told, least, False, witnesses, near, code, phrase, CLOSER)


def _view(pixels: Pixels, card: Printed) -> Pixels:
    """All of a card from above."""
    size = card.places.size
    return from_above(pixels, card.homography, Box(0, 0, size.width, size.height), SCALE)


def _field(grey: Pixels, card: Printed) -> Pixels:
    """The light field of a printed card from above, in grey."""
    return from_above(grey, card.homography, card.places.field.inset(0.8), SCALE)


def _has_light_field(view: Pixels, card: Printed) -> bool:
    """Whether most of a printed card's field is paper with dark print on it."""
    box = card.places.field.inset(2)
    x, y, right, low = (round(SCALE * v) for v in (box.x, box.y, box.right, box.bottom))
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    field = grey[y:low, x:right]
    light = float(np.percentile(grey, 95))
    return bool((field > 0.75 * light).mean() > 0.5 and field.std() > 0.08 * light)


def _is_printed(card: Printed, view: Pixels) -> bool:
    """Whether it has the frame and the light tablets of a printed card, though none is legible."""
    places, size = card.places, card.places.size
    field, tablet = places.field, places.tablet
    frames = [
        Box(1, 5, 2, size.height - 10), Box(size.width - 3, 5, 2, size.height - 10),
        Box(5, 1, size.width - 10, 2), Box(5, size.height - 3, size.width - 10, 2),
        Box(6, field.bottom + 0.3, size.width - 12, tablet.y - field.bottom - 0.6),
    ]  # fmt: skip
    header = places.header
    points = Box(header.x, header.y, places.layout.face.table.cell, header.height).inset(1.5)
    seen = [_colour(view, box) for box in frames]
    frame = np.median(seen, axis=0)
    even = sum(float(np.abs(colour - frame).max()) < EVEN for colour in seen)
    light = [_colour(view, box) for box in (field.inset(3), places.label.inset(2), points)]
    apart = sum(float((colour - frame).max()) > APART for colour in light)
    return even == len(frames) and apart == len(light)


def _colour(view: Pixels, box: Box) -> Points:
    x, y, right, low = (round(SCALE * v) for v in (box.x, box.y, box.right, box.bottom))
    return np.asarray(np.median(view[y:low, x:right].reshape(-1, 3), axis=0), np.float64)
