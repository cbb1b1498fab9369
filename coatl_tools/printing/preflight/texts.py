"""Texts stay in their boxes and off each other, and can be read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM
from coatl_tools.printing.preflight.content import Run
from coatl_tools.printing.preflight.limits import PreflightLimits
from coatl_tools.printing.preflight.pages import Drawn
from coatl_tools.printing.preflight.painted import NONE, TEXT, Floats
from coatl_tools.printing.preflight.report import Notes

_AT_ONCE = 400
_MOST = 20_000  # texts of a page


def check_texts(
    drawn: Drawn, runs: list[Run], language: str, limits: PreflightLimits, notes: Notes
) -> None:
    """Check all texts of a page; findings name the language of the file."""
    painted, page = drawn.painted, drawn.page
    marks = np.flatnonzero(painted.kinds == TEXT)
    for mark in marks:
        run = runs[painted.labels[mark]]
        if run.lacking:
            notes.error("preflight.glyph", page.number, measured=run.font, text=run.text)
        size = painted.sizes[mark] * page.unit
        if size < limits.type - 0.01:
            notes.warning(
                "preflight.small_type",
                page.number,
                measured=f"{size:.1f} pt",
                limit=f"{limits.type:g} pt",
                text=run.text,
            )
    marks = marks[~painted.ground[marks]][:_MOST]
    names = [runs[label].text for label in painted.labels[marks]]
    texts = _Texts(drawn, marks, names, language, limits.text_tolerance * POINTS_PER_MM, notes)
    texts.check_boxes()
    texts.check_cut()
    texts.check_overlap()


@dataclass(frozen=True, eq=False)
class _Texts:
    """The texts of a page that are no background: their marks, and what is written."""

    drawn: Drawn
    marks: NDArray[np.int64]
    names: list[str]
    language: str
    tolerance: float
    notes: Notes

    def check_boxes(self) -> None:
        """Upright texts stay in the boxes that they were meant to fit."""
        painted = self.drawn.painted
        for index, mark in enumerate(self.marks):
            frame = painted.frames[mark]
            if frame == NONE or not _upright(painted.boxes[frame]):
                continue
            corners = painted.boxes[frame]
            box = painted.whole[mark]
            over = max(
                (corners.min(axis=0) - box[:2]).max(),
                (box[2:] - corners.max(axis=0)).max(),
            )
            if over > self.tolerance:
                self._error("preflight.overflow", index, measured=f"{over / POINTS_PER_MM:.2f} mm")

    def check_cut(self) -> None:
        """Nothing of a text is cut off."""
        painted = self.drawn.painted
        away = np.abs(painted.whole[self.marks] - painted.seen[self.marks]).max(axis=1)
        for index in np.flatnonzero(away > self.tolerance):
            self._error("preflight.text_cut", int(index))

    def check_overlap(self) -> None:
        """Upright texts of different boxes; a text set twice in one place is one that is bold."""
        painted, marks = self.drawn.painted, self.marks
        upright = [_upright(_corners(self.drawn, mark)) for mark in marks]
        chosen = np.flatnonzero(upright)
        if len(chosen) < 2:
            return
        chosen = chosen[np.argsort(painted.seen[marks[chosen], 0], kind="stable")]
        boxes = painted.seen[marks[chosen]]
        frames = painted.frames[marks[chosen]]
        groups = np.where(frames == NONE, -2 - np.arange(len(chosen)), frames)
        for start in range(0, len(chosen), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            reach = boxes[rows, 2].max()
            stop = int(np.searchsorted(boxes[:, 0], reach))  # what begins further right is off
            others = slice(start, max(stop, start))
            deep = _shared(boxes[rows], boxes[others])
            hit = (deep > self.tolerance) & (groups[rows, None] != groups[None, others])
            for i, j in zip(*np.nonzero(hit), strict=True):
                one, other = chosen[start + i], self.names[chosen[start + j]]
                if j > i and self.names[one] != other:
                    measured = f"{deep[i, j] / POINTS_PER_MM:.2f} mm"
                    self._error("preflight.overlap", one, measured=measured, limit=other[:60])

    def _error(self, what: str, index: int, **details: str) -> None:
        """Note a fault of one of the texts."""
        thing = _thing_at(self.drawn, self.marks[index])
        text, language = self.names[index], self.language
        page = self.drawn.page.number
        self.notes.error(what, page, thing, text=text, language=language, **details)


def _shared(some: Floats, others: Floats) -> Floats:
    """How deep each of some boxes and each of others lie in each other; negative if apart."""
    low = np.maximum(some[:, None, :2], others[None, :, :2])
    high = np.minimum(some[:, None, 2:], others[None, :, 2:])
    return np.asarray((high - low).min(axis=2))


def _corners(drawn: Drawn, mark: int) -> Floats:
    painted = drawn.painted
    start = int(painted.starts[mark])
    return painted.points[start : start + 4]


def _upright(corners: Floats) -> bool:
    """Whether four corners are those of a box that stands or lies."""
    side = np.abs(corners[1] - corners[0])
    return bool(min(side) <= 0.02 * max(side))


def _thing_at(drawn: Drawn, mark: int) -> str:
    """The name of the thing on which a mark lies."""
    x = (drawn.painted.whole[mark, 0] + drawn.painted.whole[mark, 2]) / 2
    y = (drawn.painted.whole[mark, 1] + drawn.painted.whole[mark, 3]) / 2
    return next(
        (
            thing.name
            for thing in drawn.page.things
            if thing.trim[0] <= x <= thing.trim[2] and thing.trim[1] <= y <= thing.trim[3]
        ),
        "",
    )
