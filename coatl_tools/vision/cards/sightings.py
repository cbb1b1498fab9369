"""Cards as they were sighted, with their witnesses, and settling them as seen cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.vision.homography import Points, clip_outline, to_outline
from coatl_tools.vision.reading import ReadingProblem, SeenCard

CLOSER_ADVICE = "photo.closer_and_above"
SAME_CARD_OVERLAP = 0.35  # two outlines that share so much of the smaller one are one card


@dataclass(frozen=True, eq=False)
class CardSighting:
    """A sighted card: its id if known, what each witness says, and why it is not sure."""

    outline: Points
    id: str | None
    confidence: float
    witnesses: Mapping[str, str]
    candidates: tuple[str, ...] = ()
    problem: ReadingProblem | None = None


def measure_overlap(one: Points, other: Points) -> float:
    """Measure the share of the smaller outline that lies in the other one."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    smaller = min(cv2.contourArea(first), cv2.contourArea(second))
    if smaller <= 0:
        return 0.0
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(first), cv2.convexHull(second))
    return float(shared / smaller)


def settle_sightings(
    sightings: Sequence[CardSighting], catalog: Catalog, size: tuple[int, int]
) -> tuple[tuple[SeenCard, ...], tuple[ReadingProblem, ...]]:
    """Make seen cards, from top to bottom, and problems, such as too many copies.

    An outline that leaves the picture is clipped.
    """
    sightings = [replace(seen, outline=clip_outline(seen.outline, size)) for seen in sightings]
    ordered = sorted(sightings, key=lambda seen: tuple(seen.outline.mean(axis=0)[::-1].round(1)))
    times = Counter(seen.id for seen in ordered if seen.id is not None)
    cards: list[SeenCard] = []
    problems: list[ReadingProblem] = []
    for index, seen in enumerate(ordered):
        confidence, problem = seen.confidence, seen.problem
        if problem is None and seen.id is not None and times[seen.id] > catalog[seen.id].copies:
            copies: dict[str, object] = {"n": times[seen.id], "copies": catalog[seen.id].copies}
            phrase: Phrase = ("photo.card_twice", {"id": seen.id} | copies)
            problem = ReadingProblem("card_twice", phrase, "photo.check_by_hand")
            confidence = min(confidence, 0.5)
        if problem is not None:
            problems.append(replace(problem, card=index))
        cards.append(
            SeenCard(
                seen.id,
                round(confidence, 4),
                to_outline(seen.outline),
                seen.candidates,
                dict(seen.witnesses),
                sure=problem is None,
            )
        )
    return tuple(cards), tuple(problems)
