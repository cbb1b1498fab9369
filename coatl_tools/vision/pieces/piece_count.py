"""Count the pieces of a Cóatl: cut portraits all along it, and find the best steps through them.

The first looks may take two neighbours for one piece, or miss one at an end. A portrait tells
whether it shows the middle of a piece, so along the whole path, and beyond its ends, the pieces
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
MAX_PITCH_DEVIATION = 0.22  # a pitch that differs so much (its logarithm) from the others is none
MIN_PITCH_CHANGE = 0.07  # two pitches (their logarithms) that differ so much are not the same
PATH_STEPS = 12  # steps from a piece to the next
# Portraits from a piece to the next, and what an uneven step costs.
STEP_COSTS = {4: 1.0, 5: 0.3, 6: 0.0, 7: 0.3, 8: 1.0}
MAX_PORTRAIT_VOTE = 6.0  # how much one portrait may say for a piece, or against it
MAX_JOINT_VOTE = 8.0  # how much two may say against a joint between them


@dataclass(frozen=True, eq=False)
class CoatlPath:
    """The path along some pieces, in small steps; places are counted in pitches."""

    places: Floats
    points: Floats  # in pixels, of each place
    pitches: Floats  # in pixels, at each place
    length: float  # in pitches, from the first piece to the last

    @classmethod
    def from_detections(cls, pieces: Sequence[PieceDetection]) -> CoatlPath:
        """Make the path through two or more pieces that a look has seen, and beyond both ends."""
        points = np.array([piece.middle for piece in pieces])
        pitches = np.array([piece.pitch for piece in pieces])
        steps = np.hypot(*np.diff(points, axis=0).T)
        # a look may see all pieces too long or too short; where they lie tells better
        ratio = float(np.median(steps * 2 / (pitches[1:] + pitches[:-1])))
        if PITCH_RATIO_RANGE[0] < ratio < PITCH_RATIO_RANGE[1]:  # beyond, pieces were missed
            pitches = pitches * ratio
        distances = np.concatenate([[0.0], np.cumsum(steps)])
        return cls._from_pitches(points, distances, pitches, distances)

    @classmethod
    def from_points(cls, points: Floats) -> CoatlPath:
        """Make the path through the middles of all pieces of a Cóatl, as far as they are known."""
        steps = np.hypot(*np.diff(points, axis=0).T)
        distances = np.concatenate([[0.0], np.cumsum(steps)])
        return cls._from_pitches(points, distances, steps, (distances[1:] + distances[:-1]) / 2)

    @classmethod
    def _from_pitches(
        cls, points: Floats, distances: Floats, pitches: Floats, pitches_at: Floats
    ) -> CoatlPath:
        """Make the path through points; `pitches` are known at `pitches_at`.

        `distances` of the points and `pitches_at` are pixels along the path from its first point.
        """
        pitch_at = _fit_pitches(pitches_at, pitches)
        ends = pitch_at(distances[[0, -1]])
        first, last = points[0] - points[1], points[-1] - points[-2]
        far = (PITCHES_BEYOND + 1) * ends
        before = points[0] + first / max(np.hypot(*first), 1e-6) * far[0]
        behind = points[-1] + last / max(np.hypot(*last), 1e-6) * far[1]
        knots = np.array([-far[0], *distances, distances[-1] + far[1]])
        corners = np.array([before, *points, behind])
        fine = np.linspace(knots[0], knots[-1], max(2, round(PATH_STEPS * len(knots))))
        fine_pitches = pitch_at(np.clip(fine, distances[0] - ends[0], distances[-1] + ends[1]))
        along = np.cumsum(np.diff(fine, prepend=fine[0]) / fine_pitches)
        places = along - np.interp(0.0, fine, along)
        length = float(np.interp(distances[-1], fine, places))
        fine_points = np.stack([np.interp(fine, knots, corners[:, i]) for i in (0, 1)], axis=1)
        return cls(places, fine_points, fine_pitches, length)

    def sample(self, places: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the points at some places, the directions towards the first piece, the pitches."""
        ways = self._points(places - 0.5) - self._points(places + 0.5)
        ways /= np.maximum(np.hypot(*ways.T), 1e-6)[:, None]
        return self._points(places), ways, np.interp(places, self.places, self.pitches)

    def _points(self, places: Floats) -> Floats:
        return np.stack([np.interp(places, self.places, self.points[:, i]) for i in (0, 1)], axis=1)

    def list_portrait_places(self) -> Floats:
        """List the places where portraits are cut, also beyond both ends."""
        count = round((self.length + 2 * PITCHES_BEYOND) * PORTRAITS_PER_PITCH) + 1
        return np.arange(count) / PORTRAITS_PER_PITCH - PITCHES_BEYOND

    def has_other_pitches(self, other: CoatlPath) -> bool:
        """Tell whether another path has clearly different pitches at the first or last piece."""
        mine = np.interp([0.0, self.length], self.places, self.pitches)
        theirs = np.interp([0.0, other.length], other.places, other.pitches)
        return bool(np.abs(np.log(mine / theirs)).max() > MIN_PITCH_CHANGE)


def _fit_pitches(places: Floats, pitches: Floats) -> Callable[[Floats], Floats]:
    """Fit the length of a pitch along a path; it changes evenly, so outliers are left out.

    `places` are pixels along the path. The fit is a polynomial of the logarithms.
    """
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
    """The places of the pieces on a path, and how much likelier their number is than others."""

    places: Floats
    margin: float


def count_pieces(
    grid: Floats, portraits: Sequence[PortraitJudgement], votes: Floats
) -> PieceCount | None:
    """Find the pieces on a path by its portraits and other votes; None if there is hardly any.

    `grid` are the places of the portraits, `votes` what else speaks for a piece at each of them.

    A search by steps: `best[n][i]` is the best that n + 1 pieces can reach whose last one is at
    portrait i. One more piece lies 4 to 8 portraits further on (a pitch is 6), and brings the
    weight of its portrait, less what speaks against the joint and what an uneven step costs.

    An example, with the weights of portraits 0 to 13 along a path of three pieces:

        portrait   0   1   2   3   4   5   6   7   8   9  10  11  12  13
        weight    -2   5  -1  -4  -5  -3  -1   4  -2  -5  -4  -1   0   3

    One piece reaches 5 (portrait 1), two reach 5 + 4 (1 and 7), three 5 + 4 + 3 (1, 7, 13), four
    less, as no further portrait has a positive weight. So there are three pieces, and the margin
    is 12 - 9 = 3: by so much two pieces are less likely.
    """
    weights = votes + np.clip(
        [portrait.centred for portrait in portraits], -MAX_PORTRAIT_VOTE, MAX_PORTRAIT_VOTE
    )
    best = [weights.copy()]
    steps_taken: list[NDArray[np.intp]] = []  # to each portrait, for each number of pieces
    gains = {step: _rate_joints(portraits, step) - cost for step, cost in STEP_COSTS.items()}
    for _ in range(round(grid[-1] - grid[0]) + 1):
        ahead = np.full((len(STEP_COSTS), len(portraits)), -np.inf)
        for row, (step, gain) in enumerate(gains.items()):
            ahead[row, step:] = best[-1][:-step] + gain
        best.append(ahead.max(axis=0) + weights)
        steps_taken.append(np.array(list(STEP_COSTS), np.intp)[ahead.argmax(axis=0)])
    totals = np.array([reached.max() for reached in best])
    number = int(totals.argmax())
    if number == 0:
        return None
    chosen = [int(best[number].argmax())]  # from the last piece back to the first
    for steps in steps_taken[:number][::-1]:
        chosen.append(chosen[-1] - int(steps[chosen[-1]]))
    places = np.array([_refine_place(grid, weights, index) for index in chosen[::-1]])
    return PieceCount(places, float(totals[number] - np.delete(totals, number).max()))


def _rate_joints(portraits: Sequence[PortraitJudgement], step: int) -> Floats:
    """Return the votes (0 or less) against joints of portraits that are `step` apart."""
    pairs = zip(portraits, portraits[step:], strict=False)
    links = np.array([a.joined[1] * b.joined[0] for a, b in pairs])
    links = np.clip(links, 1e-4, 1 - 1e-4)
    return np.asarray(np.clip(2 * np.log(links / (1 - links)), -MAX_JOINT_VOTE, 0.0))


def _refine_place(grid: Floats, weights: Floats, index: int) -> float:
    """Refine the middle of a piece between portraits, by the top of a parabola."""
    if not 0 < index < len(grid) - 1:
        return float(grid[index])
    left, here, right = weights[index - 1 : index + 2]
    bend = left - 2 * here + right
    shift = 0.5 * (left - right) / bend if bend < -1e-6 else 0.0
    return float(grid[index] + np.clip(shift, -0.5, 0.5) / PORTRAITS_PER_PITCH)
