"""Texts stay in their boxes and off each other, and can be read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.units import MM
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
    painted, page = drawn.painted, drawn.page.number
    marks = np.flatnonzero((painted.kinds == TEXT) & ~painted.ground)[:_MOST]
    for mark in np.flatnonzero(painted.kinds == TEXT):
        run = runs[painted.labels[mark]]
        if run.lacking:
            notes.error("preflight.glyph", page, measured=run.font, text=run.text)
        if painted.sizes[mark] * drawn.page.unit < limits.type - 0.01:
            size = f"{painted.sizes[mark] * drawn.page.unit:.1f} pt"
            notes.warning("preflight.small_type", page, size, f"{limits.type:g} pt", run.text)
    if not len(marks):
        return
    names = [runs[label].text for label in painted.labels[marks]]
    tolerance = limits.text_tolerance * MM
    _check_boxes(drawn, marks, names, language, tolerance, notes)
    _check_cut(drawn, marks, names, language, tolerance, notes)
    _check_overlap(drawn, marks, names, language, tolerance, notes)


def _check_boxes(
    drawn: Drawn,
    marks: NDArray[np.int64],
    names: list[str],
    language: str,
    tolerance: float,
    notes: Notes,
) -> None:
    painted = drawn.painted
    for mark, name in zip(marks, names, strict=True):
        frame = painted.frames[mark]
        if frame == NONE or not _upright(painted.boxes[frame]):
            continue
        corners = painted.boxes[frame]
        box = painted.whole[mark]
        over = max(
            (corners.min(axis=0) - box[:2]).max(),
            (box[2:] - corners.max(axis=0)).max(),
        )
        if over > tolerance:
            notes.error(
                "preflight.overflow",
                drawn.page.number,
                _thing_at(drawn, mark),
                measured=f"{over / MM:.2f} mm",
                text=name,
                language=language,
            )


def _check_cut(
    drawn: Drawn,
    marks: NDArray[np.int64],
    names: list[str],
    language: str,
    tolerance: float,
    notes: Notes,
) -> None:
    painted = drawn.painted
    away = np.abs(painted.whole[marks] - painted.seen[marks]).max(axis=1)
    for index in np.flatnonzero(away > tolerance):
        notes.error(
            "preflight.text_cut",
            drawn.page.number,
            _thing_at(drawn, marks[index]),
            text=names[index],
            language=language,
        )


def _check_overlap(
    drawn: Drawn,
    marks: NDArray[np.int64],
    names: list[str],
    language: str,
    tolerance: float,
    notes: Notes,
) -> None:
    """Upright texts of different boxes; a text set twice in one place is one that is bold."""
    painted = drawn.painted
    chosen = np.array([i for i, mark in enumerate(marks) if _upright(_corners(drawn, mark))])
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
        hit = (deep > tolerance) & (groups[rows, None] != groups[None, others])
        for i, j in zip(*np.nonzero(hit), strict=True):
            one, other = chosen[start + i], chosen[start + j]
            if j <= i or names[one] == names[other]:
                continue
            notes.error(
                "preflight.overlap",
                drawn.page.number,
                _thing_at(drawn, marks[one]),
                measured=f"{deep[i, j] / MM:.2f} mm",
                limit=names[other][:60],
                text=names[one],
                language=language,
            )


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
