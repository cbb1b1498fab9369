"""Cards as they were sighted, with their witnesses, and settling them as seen cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.vision.homography import Points, clip_outline, to_outline
from coatl_tools.vision.reading import ReadingProblem, SeenCard

CLOSER_ADVICE: Phrase = ("photo.closer_and_above", {})
SAME_CARD_OVERLAP = 0.35  # two outlines that share so much of the smaller one are one card


@dataclass(frozen=True, eq=False)
class CardSighting:
    """A sighted card: its id if known, the confidence, and what each witness says."""

    outline: Points
    id: str | None
    confidence: float
    sure: bool
    witnesses: Mapping[str, str] = field(default_factory=dict)
    candidates: tuple[str, ...] = ()
    code: str = ""
    phrase: Phrase | None = None
    advice: Phrase | None = None

    def card(self) -> SeenCard:
        """Convert the sighting to a card of a reading."""
        return SeenCard(
            self.id,
            round(self.confidence, 4),
            to_outline(self.outline),
            self.candidates,
            dict(self.witnesses),
            sure=self.sure,
        )


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
        card = seen.card()
        if seen.phrase is not None:
            problems.append(ReadingProblem(seen.code, seen.phrase, seen.advice, card=index))
        elif seen.id is not None and times[seen.id] > catalog[seen.id].copies:
            phrase: Phrase = (
                "photo.card_twice",
                {"id": seen.id, "n": times[seen.id], "copies": catalog[seen.id].copies},
            )
            problems.append(
                ReadingProblem("card_twice", phrase, ("photo.check_by_hand", {}), card=index)
            )
            card = replace(card, sure=False, confidence=min(card.confidence, 0.5))
        cards.append(card)
    return tuple(cards), tuple(problems)
