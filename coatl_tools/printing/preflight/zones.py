"""Nothing but a background comes near a cut, and nothing at all near the edge of the paper."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM
from coatl_tools.printing.preflight.content import Run
from coatl_tools.printing.preflight.limits import PreflightLimits
from coatl_tools.printing.preflight.pages import Drawn, Thing
from coatl_tools.printing.preflight.painted import NONE, TEXT, Floats
from coatl_tools.printing.preflight.report import Notes
from coatl_tools.printing.preflight.state import BoxOf

Choice = NDArray[np.bool_]


def check_zones(drawn: Drawn, runs: list[Run], limits: PreflightLimits, notes: Notes) -> None:
    """Check the margins of all things on a page, and what lies around them."""
    page, painted = drawn.page, drawn.painted
    strict = painted.visible & ~painted.ground
    rest = strict.copy()
    for thing in page.things:
        own = strict & _own(drawn, thing)
        rest &= ~own
        _check_margin(drawn, thing, own, runs, limits, notes)
    if page.ours:
        _check_furniture(drawn, rest, runs, limits, notes)


def _own(drawn: Drawn, thing: Thing) -> Choice:
    """Which marks are a thing's: those of its form, or whatever lies on it if it has none."""
    painted = drawn.painted
    forms = [i for i, box in enumerate(drawn.forms) if thing.is_drawn_by(box)]
    if forms:
        return np.asarray(np.logical_or.reduce([painted.owners == form for form in forms]))
    left, low, right, top = thing.trim
    x = (painted.seen[:, 0] + painted.seen[:, 2]) / 2
    y = (painted.seen[:, 1] + painted.seen[:, 3]) / 2
    return np.asarray((left < x) & (x < right) & (low < y) & (y < top))


def _check_margin(
    drawn: Drawn,
    thing: Thing,
    own: Choice,
    runs: list[Run],
    limits: PreflightLimits,
    notes: Notes,
) -> None:
    marks = np.flatnonzero(own)
    if not len(marks):
        return
    free = _distance(drawn.painted.seen[marks], thing.trim)
    worst = int(np.argmin(free))
    cut = not thing.covers(drawn.page.paper)  # a whole page is looked at, not cut
    tolerance = limits.tolerance if cut else limits.text_tolerance
    if free[worst] < thing.safe - tolerance * POINTS_PER_MM:
        notes.error(
            "preflight.safe_zone",
            drawn.page.number,
            thing.name,
            measured=f"{free[worst] / POINTS_PER_MM:.2f} mm",
            limit=f"{thing.safe / POINTS_PER_MM:.2f} mm",
            text=_what(drawn, marks[worst], runs),
        )


def _distance(boxes: Floats, around: BoxOf) -> Floats:
    """How far inside a box the nearest side of each box lies; negative if it is outside."""
    low = boxes[:, :2] - np.array(around[:2])
    high = np.array(around[2:]) - boxes[:, 2:]
    return np.asarray(np.minimum(low, high).min(axis=1))


def _what(drawn: Drawn, mark: int, runs: list[Run]) -> str:
    """A text, or where something else lies: from the left and the top of the page."""
    painted, paper = drawn.painted, drawn.page.paper
    label = int(painted.labels[mark])
    if painted.kinds[mark] == TEXT and label != NONE:
        return runs[label].text
    left, top = painted.seen[mark, 0] - paper[0], paper[3] - painted.seen[mark, 3]
    return f"x {left / POINTS_PER_MM:.1f} mm, y {top / POINTS_PER_MM:.1f} mm"


def _check_furniture(
    drawn: Drawn, rest: Choice, runs: list[Run], limits: PreflightLimits, notes: Notes
) -> None:
    """Marks, ruler and stamp keep off the things, and off the edge that a printer leaves free."""
    page, marks = drawn.page, np.flatnonzero(rest)
    if not len(marks):
        return
    boxes = drawn.painted.seen[marks]
    for thing in page.things:
        if thing.covers(page.paper):
            continue
        depth = _entered(boxes, thing.trim)
        worst = int(np.argmax(depth))
        # a line that runs along the cut, as at a fold, covers it with half of its width
        if depth[worst] > limits.text_tolerance * POINTS_PER_MM:
            notes.error(
                "preflight.on_thing",
                page.number,
                thing.name,
                measured=f"{depth[worst] / POINTS_PER_MM:.2f} mm",
                text=_what(drawn, marks[worst], runs),
            )
    free = _distance(boxes, page.paper)
    worst = int(np.argmin(free))
    if free[worst] < (limits.edge - limits.tolerance) * POINTS_PER_MM:
        notes.error(
            "preflight.edge",
            page.number,
            measured=f"{free[worst] / POINTS_PER_MM:.2f} mm",
            limit=f"{limits.edge:.2f} mm",
            text=_what(drawn, marks[worst], runs),
        )


def _entered(boxes: Floats, trim: BoxOf) -> Floats:
    """How far each box reaches into another one, seen from the side where that is least."""
    from_low = boxes[:, 2:] - np.array(trim[:2])
    from_high = np.array(trim[2:]) - boxes[:, :2]
    return np.asarray(np.minimum(from_low, from_high).min(axis=1))
