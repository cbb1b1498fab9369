"""Find and read the published cards in a photo: they have neither marks nor ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.vision.cards.covered_faces import guess_covered_faces
from coatl_tools.vision.cards.face_views import FACE_CORNERS, ROW_BOX, ROWS
from coatl_tools.vision.cards.plaque_search import lay_cards_on_table
from coatl_tools.vision.cards.printed_cards import CLOSER_ADVICE, CardSighting
from coatl_tools.vision.cards.published_faces import rate_faces, read_face
from coatl_tools.vision.homography import (
    Points,
    box_corners,
    fit_homography,
    map_points,
    measure_overlap,
)
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.stage_trace import Pixels
from coatl_tools.vision.table_plane import TablePlane

MAX_CANDIDATES = 8  # candidates are few, so that picking one is quick
# A less likely face is some other thing: with a row and more, with a row, with levels alone.
MIN_FACE, MIN_ROW_FACE, MIN_LEVELS_FACE = 0.9, 0.95, 0.98
MIN_GUESSED_FACE = 0.2  # from this probability on, a guess is looked at again
SAME_CARD_OVERLAP, SAME_ID_OVERLAP = 0.35, 0.5  # of the smaller of two outlines
SAME_PLAQUE_OVERLAP = 0.4  # of the smaller of two rows, which is then one row
# Roots of a card's area from corner to corner, below which two are one.
SAME_PLACE, ROUGHLY_SAME_PLACE = 0.12, 0.2


def find_published_cards(
    pixels: Pixels, guesses: Sequence[Points], catalog: Catalog
) -> list[CardSighting]:
    """Find published cards where they are guessed: four corners each."""
    return keep_clearest(_read_likely_faces(pixels, guesses, catalog))


def add_covered_faces(
    pixels: Pixels,
    plane: TablePlane,
    known: Sequence[CardSighting],
    plaques: Sequence[Points],
    catalog: Catalog,
) -> tuple[CardSighting, ...]:
    """Add published cards that are partly covered to the cards that are known.

    They are guessed by plaques and by corners that are seen, as cards lie on the table. Without
    plaques, there are no cards.
    """
    if not plaques:
        return tuple(known)
    certain = [seen.outline for seen in known if seen.problem is None]

    def is_known(corners: Points, reach: float = SAME_PLACE) -> bool:
        return any(_is_same_place(corners, other, reach) for other in certain)

    unread = [corners for corners in plaques if not is_known(corners, ROUGHLY_SAME_PLACE)]
    laid = lay_cards_on_table(pixels, unread, plane)
    guesses = [
        corners for corners in (*laid, *guess_covered_faces(pixels, plane)) if not is_known(corners)
    ]
    return tuple(keep_clearest([*known, *_read_likely_faces(pixels, guesses, catalog)]))


def _read_likely_faces(
    pixels: Pixels, guesses: Sequence[Points], catalog: Catalog
) -> list[CardSighting]:
    """Read where a face may be seen."""
    chances = rate_faces(pixels, guesses)
    read = [
        read_published_card(pixels, corners, catalog)
        for corners, chance in zip(guesses, chances, strict=True)
        if chance >= MIN_GUESSED_FACE
    ]
    return [seen for seen in read if seen is not None]


def keep_clearest(sightings: Iterable[CardSighting]) -> list[CardSighting]:
    """Keep the clearest sighting of each card."""
    kept: list[CardSighting] = []
    for seen in sorted(sightings, key=_rate_clarity):
        if not any(_is_same_card(seen, other) for other in kept):
            kept.append(seen)
    return kept


def _rate_clarity(seen: CardSighting) -> tuple[bool, int, float]:
    """Rate a sighting, the clearest lowest: a row read from its wrong side has fewer witnesses."""
    if seen.problem is not None:
        return True, 0, -seen.confidence
    return False, -len(seen.witnesses), -seen.confidence


def _is_same_card(seen: CardSighting, other: CardSighting) -> bool:
    """Tell whether something is a card that was seen more clearly, or lies on it.

    Two that were read for sure may overlap, as in a fan.
    """
    if _is_same_place(seen.outline, other.outline) or _share_plaque(seen.outline, other.outline):
        return True
    least = SAME_CARD_OVERLAP
    if seen.problem is None:
        least = SAME_ID_OVERLAP if seen.id == other.id else 1.0
    return measure_overlap(seen.outline, other.outline) > least


def _share_plaque(one: Points, other: Points) -> bool:
    """Tell whether two cards would have a plaque in common: rows are read from both sides of it."""
    return any(
        measure_overlap(mine, theirs) > SAME_PLAQUE_OVERLAP
        for mine in _locate_rows(one)
        for theirs in _locate_rows(other)
    )


def _locate_rows(corners: Points) -> list[Points]:
    """Locate both rows of a card in the photo; none if its corners are no rectangle's."""
    homography = fit_homography(FACE_CORNERS, corners) if len(corners) == 4 else None
    if homography is None:
        return []
    box = box_corners(ROW_BOX.x / 2, ROW_BOX.y / 2, ROW_BOX.width / 2, ROW_BOX.height / 2)
    return [map_points(map_points(box, row), homography) for row in ROWS]


def _is_same_place(one: Points, other: Points, reach: float = SAME_PLACE) -> bool:
    """Tell whether two outlines have the same corners, whichever comes first."""
    if len(one) != 4 or len(other) != 4:
        return False
    size = float(np.sqrt(cv2.contourArea(other.astype(np.float32))))
    turned = np.stack([np.roll(one, turn, axis=0) for turn in range(4)])
    away = np.hypot(*np.moveaxis(turned - other, 2, 0)).mean(axis=1)
    return float(away.min()) < reach * size


def read_published_card(pixels: Pixels, corners: Points, catalog: Catalog) -> CardSighting | None:
    """Read what lies between four corners; None if it is no face of a published card."""
    seen = read_face(pixels, corners, catalog)
    if seen.sure:
        return CardSighting(seen.corners, seen.id, seen.confidence, seen.witnesses)
    if seen.face < _choose_least_face(seen.witnesses):
        return None
    near = seen.candidates[:MAX_CANDIDATES]
    phrase: Phrase = ("photo.card_doubtful", {"ids": ", ".join(near)})
    problem = ReadingProblem("card_doubtful", phrase, CLOSER_ADVICE)
    if not near:
        problem = ReadingProblem("card_unreadable", ("photo.card_unreadable", {}), CLOSER_ADVICE)
    return CardSighting(
        seen.corners, seen.id, min(seen.confidence, 0.9), seen.witnesses, near, problem
    )


def _choose_least_face(witnesses: Mapping[str, str]) -> float:
    """Choose how likely a face must be, by what it shows besides its frame."""
    rows = len({"row", "turned"} & witnesses.keys())
    if not rows:
        return MIN_LEVELS_FACE if "levels" in witnesses else 1.0
    return MIN_FACE if rows + ("levels" in witnesses) > 1 else MIN_ROW_FACE
