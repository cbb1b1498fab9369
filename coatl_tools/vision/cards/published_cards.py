"""Find and read the published cards in a photo: they have neither marks nor ids."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.vision.cards.printed_cards import CLOSER_ADVICE, CardSighting
from coatl_tools.vision.cards.published_faces import read_face
from coatl_tools.vision.homography import Points, measure_overlap
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.stage_trace import Pixels

MAX_CANDIDATES = 8  # candidates are few, so that picking one is quick
MIN_FACE, MIN_WITNESSES = 0.9, 2  # less of either is some other thing
SAME_CARD_OVERLAP = 0.35  # of the smaller of two outlines


def find_published_cards(
    pixels: Pixels, rectangles: Sequence[Points], catalog: Catalog
) -> list[CardSighting]:
    """Find all published cards among rectangles in a photo."""
    read = [read_published_card(pixels, one, catalog) for one in rectangles]
    kept: list[CardSighting] = []
    for seen in sorted(filter(None, read), key=_rate_clarity):
        if not any(_is_same_card(seen, other) for other in kept):
            kept.append(seen)
    return kept


def _rate_clarity(seen: CardSighting) -> tuple[bool, float]:
    return seen.problem is not None, -seen.confidence


def _is_same_card(seen: CardSighting, other: CardSighting) -> bool:
    """Tell whether something is a card that was seen more clearly, or lies on it."""
    return measure_overlap(seen.outline, other.outline) > SAME_CARD_OVERLAP


def read_published_card(pixels: Pixels, corners: Points, catalog: Catalog) -> CardSighting | None:
    """Read what lies between four corners; None if it is no face of a published card."""
    seen = read_face(pixels, corners, catalog)
    if seen.sure:
        return CardSighting(seen.corners, seen.id, seen.confidence, seen.witnesses)
    if seen.face < MIN_FACE or len(seen.witnesses) < MIN_WITNESSES:
        return None
    near = seen.candidates[:MAX_CANDIDATES]
    phrase: Phrase = ("photo.card_doubtful", {"ids": ", ".join(near)})
    problem = ReadingProblem("card_doubtful", phrase, CLOSER_ADVICE)
    if not near:
        problem = ReadingProblem("card_unreadable", ("photo.card_unreadable", {}), CLOSER_ADVICE)
    return CardSighting(
        seen.corners, seen.id, min(seen.confidence, 0.9), seen.witnesses, near, problem
    )
