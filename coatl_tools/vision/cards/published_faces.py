"""Read the face of a published card where its corners are roughly known.

Both rows, the frame and the levels are witnesses, so a card is read by what is not covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.vision.cards.card_signs import list_row_signs
from coatl_tools.vision.cards.face_evidence import FaceEvidence
from coatl_tools.vision.cards.face_networks import (
    NO_FACE,
    FaceJudgement,
    judge_face,
    judge_faces,
    judge_plates,
    judge_rows,
)
from coatl_tools.vision.cards.face_views import FACE_CORNERS, measure_scale
from coatl_tools.vision.homography import Points, fit_homography, map_points
from coatl_tools.vision.stage_trace import Pixels

SURE, SURE_FACE = 0.98, 0.9
MIN_ROW_SCALE = 1.35  # pixels of a photo for each millimetre: farther away, rows are misread
MIN_FACE = 0.5  # from this probability on, it is a face
MIN_CANDIDATE = 0.02


@dataclass(frozen=True, eq=False)
class FaceReading:
    """What a face shows: which cards it may be, and why."""

    corners: Points  # in the photo, from the card's own top left, clockwise
    face: float  # probability that it is the face of a card
    probabilities: Mapping[str, float]  # by ids, the likely ones first; to 1: none of them
    witnesses: Mapping[str, str] = field(default_factory=dict)
    contradicted: bool = False  # something that is seen speaks against the most likely one

    @property
    def candidates(self) -> tuple[str, ...]:
        """The ids of likely cards, the most likely one first."""
        return tuple(one for one, part in self.probabilities.items() if part >= MIN_CANDIDATE)

    @property
    def id(self) -> str | None:
        """The most likely card, unless none of them is more likely."""
        best = next(iter(self.probabilities), None)
        none = 1 - sum(self.probabilities.values())
        return None if best is None or self.confidence < none else best

    @property
    def confidence(self) -> float:
        """The probability of the most likely card."""
        return next(iter(self.probabilities.values()), 0.0)

    @property
    def sure(self) -> bool:
        """Whether nobody needs to look again: a row shows it, and nothing speaks against it."""
        shown = "row" in self.witnesses or "turned" in self.witnesses
        clear = self.face >= SURE_FACE and self.confidence >= SURE
        near = measure_scale(self.corners) >= MIN_ROW_SCALE
        return near and clear and shown and not self.contradicted


def read_face(pixels: Pixels, corners: Points, catalog: Iterable[Card]) -> FaceReading:
    """Read a face whose four corners are known to about 4 % of its width, in any turn.

    Corners begin at the card's own top left, as far as that is known, and go on clockwise.
    """
    cards = [card for card in catalog if list_row_signs(card)]
    placed = _place_face(pixels, np.asarray(corners, float)) if cards else []
    if not placed:
        return FaceReading(np.asarray(corners, float), 0.0, {})
    best = _read_placed_face(pixels, *placed[-1], cards)
    if best.sure or best.face < MIN_FACE:
        return best
    others = [_read_placed_face(pixels, *one, cards) for one in placed[:-1]]
    return max([best, *others], key=lambda seen: (seen.sure, seen.confidence))


def _read_placed_face(
    pixels: Pixels, judged: FaceJudgement, homography: Points, cards: Sequence[Card]
) -> FaceReading:
    """Read a face where a homography shows it."""
    face = float(1 - np.exp(judged.turns[NO_FACE]))
    found = map_points(FACE_CORNERS, homography)
    if face < MIN_FACE:
        return FaceReading(found, face, {})
    rows, plates = judge_rows(pixels, homography), judge_plates(pixels, homography)
    evidence = FaceEvidence(cards, judged.families, rows, plates)
    chances = evidence.weigh_cards()
    order = np.argsort(-chances, kind="stable")
    likely = {cards[number].id: float(chances[number]) for number in order}
    best = int(order[0])
    witnesses = evidence.name_witnesses(best)
    return FaceReading(found, face, likely, witnesses, evidence.contradicts(best))


def rate_faces(pixels: Pixels, guesses: Sequence[Points]) -> NDArray[np.float64]:
    """Rate how likely a face is seen between four corners, in any turn, one for each guess."""
    homographies = [fit_homography(FACE_CORNERS, corners) for corners in guesses]
    found = np.zeros(len(guesses))
    fitting = [index for index, one in enumerate(homographies) if one is not None]
    if fitting:
        found[fitting] = judge_faces(pixels, [one for one in homographies if one is not None])
    return found


def _place_face(pixels: Pixels, corners: Points) -> list[tuple[FaceJudgement, Points]]:
    """Turn a face upright and correct its corners, twice; list all steps, none if it is impossible.

    Of a card that is mostly covered, corrections may lead astray.
    """
    homography = fit_homography(FACE_CORNERS, corners)
    if homography is None:
        return []
    judged = judge_face(pixels, homography)
    turned = int(np.argmax(judged.turns[:NO_FACE]))
    if turned:
        homography = fit_homography(FACE_CORNERS, np.roll(corners, turned, axis=0))
        if homography is None:
            return []
        judged = judge_face(pixels, homography)
    steps = [(judged, homography)]
    if np.exp(judged.turns[NO_FACE]) > 1 - MIN_FACE:
        return steps
    for again in (True, False):
        corrected = fit_homography(FACE_CORNERS, map_points(judged.corners, homography))
        if corrected is None:
            break
        homography = corrected
        steps.append((judged, homography))
        if again:
            judged = judge_face(pixels, homography)
    return steps
