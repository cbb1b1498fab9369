"""Count the pieces of a Cóatl: cut portraits all along it, and find the best steps through them.

The first looks may take two neighbours for one piece, or miss one at an end. A portrait tells
whether it shows the middle of a piece, so along the whole path, and beyond its ends, the pieces
are where portraits say so, about a pitch from each other.

The first looks may take two neighbours for one piece, or miss one at an end. A portrait tells
whether it shows the middle of a piece, so along the whole line, and beyond its ends, the pieces
are where portraits say so, about a pitch from each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.detections import PieceDetection
from coatl_tools.vision.pieces.portraits import PortraitJudgement

Floats = NDArray[np.float64]
PORTRAITS_PER_PITCH = 6  # portraits
PITCHES_BEYOND = 1.5  # pitches that are looked at behind each end
PITCH_RATIO_RANGE = (0.6, 1.25)  # how much longer or shorter pitches may be than a look says
MAX_PITCH_DEVIATION = (
    0.22  # a pitch that differs so much (its logarithm) from those around it is no pitch
)
MIN_PITCH_CHANGE = 0.07  # two pitches (their logarithms) that differ so much are not the same
PATH_STEPS = 12  # steps from a piece to the next
STEP_COSTS = {
    4: 1.0,
    5: 0.3,
    6: 0.0,
    7: 0.3,
    8: 1.0,
}  # from a piece to the next, and what an uneven step costs
MAX_PORTRAIT_VOTE = 6.0  # how much one portrait may say for a piece, or against it
MAX_JOINT_VOTE = 8.0  # how much two may say against a joint between them


@dataclass(frozen=True, eq=False)
class CoatlPath:
    """The line along some pieces, in small steps; places are counted in pitches from the first."""

    marks: Floats
    points: Floats
    pitches: Floats
    length: float  # from the first piece to the last

    @classmethod
    def along(cls, spots: Sequence[PieceDetection]) -> CoatlPath:
        """The line through two or more pieces that a look has seen, and on beyond both ends."""
        points = np.array([spot.middle for spot in spots])
        own = np.array([spot.pitch for spot in spots])
        steps = np.hypot(*np.diff(points, axis=0).T)
        # a look may see all pieces too long or too short; where they lie tells better
        ratio = float(np.median(steps * 2 / (own[1:] + own[:-1])))
        if PITCH_RATIO_RANGE[0] < ratio < PITCH_RATIO_RANGE[1]:  # beyond, pieces were missed
            own = own * ratio
        return cls._through(points, np.concatenate([[0.0], np.cumsum(steps)]), own)

    @classmethod
    def through(cls, points: Floats) -> CoatlPath:
        """The line through all pieces of a Cóatl, as far as they are known."""
        steps = np.hypot(*np.diff(points, axis=0).T)
        places = np.concatenate([[0.0], np.cumsum(steps)])
        return cls._through(points, places, steps, (places[1:] + places[:-1]) / 2)

    @classmethod
    def _through(
        cls, points: Floats, places: Floats, own: Floats, owners: Floats | None = None
    ) -> CoatlPath:
        """A line with the pitches that some places on it have; `places` are those of points."""
        pitch_at = _fit_pitches(places if owners is None else owners, own)
        ends = pitch_at(places[[0, -1]])
        first, last = points[0] - points[1], points[-1] - points[-2]
        far = (PITCHES_BEYOND + 1) * ends
        before = points[0] + first / max(np.hypot(*first), 1e-6) * far[0]
        behind = points[-1] + last / max(np.hypot(*last), 1e-6) * far[1]
        knots = np.array([-far[0], *places, places[-1] + far[1]])
        corners = np.array([before, *points, behind])
        fine = np.linspace(knots[0], knots[-1], max(2, round(PATH_STEPS * len(knots))))
        pitches = pitch_at(np.clip(fine, places[0] - ends[0], places[-1] + ends[1]))
        along = np.cumsum(np.diff(fine, prepend=fine[0]) / pitches)
        marks = along - np.interp(0.0, fine, along)
        length = float(np.interp(places[-1], fine, marks))
        places_at = np.stack([np.interp(fine, knots, corners[:, i]) for i in (0, 1)], axis=1)
        return cls(marks, places_at, pitches, length)

    def at(self, marks: Floats) -> tuple[Floats, Floats, Floats]:
        """Places, the directions towards the first piece, and pitches."""
        ways = self._points(marks - 0.5) - self._points(marks + 0.5)
        ways /= np.maximum(np.hypot(*ways.T), 1e-6)[:, None]
        return self._points(marks), ways, np.interp(marks, self.marks, self.pitches)

    def _points(self, marks: Floats) -> Floats:
        return np.stack([np.interp(marks, self.marks, self.points[:, i]) for i in (0, 1)], axis=1)

    def grid(self) -> Floats:
        """Where portraits are cut."""
        count = round((self.length + 2 * PITCHES_BEYOND) * PORTRAITS_PER_PITCH) + 1
        return np.arange(count) / PORTRAITS_PER_PITCH - PITCHES_BEYOND

    def differs(self, other: CoatlPath) -> bool:
        """Whether another line has other pitches, at the first piece or at the last."""
        mine = np.interp([0.0, self.length], self.marks, self.pitches)
        theirs = np.interp([0.0, other.length], other.marks, other.pitches)
        return bool(np.abs(np.log(mine / theirs)).max() > MIN_PITCH_CHANGE)


def _fit_pitches(places: Floats, pitches: Floats) -> Callable[[Floats], Floats]:
    """How long a pitch is along a line: it changes evenly, so what does not fit is left out."""
    logs = np.log(np.maximum(pitches, 1.0))
    scale = max(float(np.ptp(places)), 1.0)
    at = (places - places.mean()) / scale
    kept = np.ones(len(logs), bool)
    for _ in range(2):
        degree = min(2, max(0, (int(kept.sum()) - 1) // 2))
        bend = np.polynomial.polynomial.polyfit(at[kept], logs[kept], degree)
        off = np.abs(logs - np.polynomial.polynomial.polyval(at, bend))
        near = off < max(MAX_PITCH_DEVIATION, float(np.median(off)))
        kept = near if near.sum() >= 2 else kept
    low, high = logs[kept].min() - MAX_PITCH_DEVIATION, logs[kept].max() + MAX_PITCH_DEVIATION

    def pitch_at(wanted: Floats) -> Floats:
        value = np.polynomial.polynomial.polyval((wanted - places.mean()) / scale, bend)
        return np.asarray(np.exp(np.clip(value, low, high)))

    return pitch_at


@dataclass(frozen=True, eq=False)
class PieceCount:
    """Where the pieces are on a line, and by how much another number of them is less likely."""

    marks: Floats
    margin: float


def count_pieces(
    grid: Floats, said: Sequence[PortraitJudgement], votes: Floats
) -> PieceCount | None:
    """The pieces on a line by its portraits, and other votes; None if there is hardly any."""
    weights = (
        np.array([np.clip(one.centred, -MAX_PORTRAIT_VOTE, MAX_PORTRAIT_VOTE) for one in said])
        + votes
    )
    best = [weights.copy()]
    came: list[NDArray[np.intp]] = []
    links = {step: _rate_joints(said, step) - cost for step, cost in STEP_COSTS.items()}
    for _ in range(round(grid[-1] - grid[0]) + 1):
        ahead = np.full((len(STEP_COSTS), len(said)), -np.inf)
        for row, (step, link) in enumerate(links.items()):
            ahead[row, step:] = best[-1][:-step] + link
        chosen = ahead.argmax(axis=0)
        best.append(ahead.max(axis=0) + weights)
        came.append(np.array(list(STEP_COSTS), np.intp)[chosen])
    totals = np.array([layer.max() for layer in best])
    number = int(totals.argmax())
    if number == 0:
        return None
    others = np.delete(totals, number)
    place = int(best[number].argmax())
    places = [place]
    for layer in came[:number][::-1]:
        places.append(places[-1] - int(layer[places[-1]]))
    marks = np.array([_refine_place(grid, weights, place) for place in places[::-1]])
    return PieceCount(marks, float(totals[number] - others.max()))


def _rate_joints(said: Sequence[PortraitJudgement], step: int) -> Floats:
    """How much speaks against a joint between portraits that are some steps apart."""
    links = np.array([a.joined[1] * b.joined[0] for a, b in zip(said, said[step:], strict=False)])
    links = np.clip(links, 1e-4, 1 - 1e-4)
    return np.asarray(np.clip(2 * np.log(links / (1 - links)), -MAX_JOINT_VOTE, 0.0))


def _refine_place(grid: Floats, weights: Floats, place: int) -> float:
    """Where between the portraits around a place the middle of the piece is."""
    if not 0 < place < len(grid) - 1:
        return float(grid[place])
    left, here, right = weights[place - 1 : place + 2]
    bend = left - 2 * here + right
    shift = 0.5 * (left - right) / bend if bend < -1e-6 else 0.0
    return float(grid[place] + np.clip(shift, -0.5, 0.5) / PORTRAITS_PER_PITCH)
