"""What is painted somewhere, as arrays: the same marks can be moved and measured all at once.

A mark is an area, a stretch of a line, a text or a picture. It keeps points whose hull encloses
it, so that it can be turned without growing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import Matrix

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
AREA, LINE, TEXT, PICTURE, LINE_ART = range(5)  # the last two have pixels
NONE = -1
EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)


@dataclass(frozen=True, eq=False)
class Painted:
    """Marks: their points, one after the other, and a row for each mark in the other arrays."""

    points: Floats  # (points, 2)
    counts: Ints  # how many points each mark has, at least one
    pads: Floats  # (marks, 2): half of a line's width around the points
    clips: Floats  # (marks, 4): the box outside of which a mark is not seen
    sizes: Floats  # of a text and of a line's width in points; of a picture its dpi
    kinds: Ints
    ground: NDArray[np.bool_]  # whether it is part of a background
    frames: Ints  # which of the boxes a text was meant to fit, or NONE
    labels: Ints  # which of the texts of the whole file it is, or NONE
    owners: Ints  # which form of the page it belongs to, or NONE
    boxes: Floats  # (boxes, 4, 2): the corners of boxes that texts were meant to fit

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def starts(self) -> Ints:
        """Where the points of each mark begin."""
        return np.concatenate(([0], np.cumsum(self.counts)[:-1])).astype(np.int64)

    @cached_property
    def whole(self) -> Floats:
        """The box of each mark, as if nothing were cut off: left, bottom, right, top."""
        if not len(self):
            return np.zeros((0, 4))
        low = np.minimum.reduceat(self.points, self.starts) - self.pads
        high = np.maximum.reduceat(self.points, self.starts) + self.pads
        return np.hstack((low, high))

    @cached_property
    def seen(self) -> Floats:
        """The box of each mark, as far as it is seen."""
        low = np.maximum(self.whole[:, :2], self.clips[:, :2])
        high = np.minimum(self.whole[:, 2:], self.clips[:, 2:])
        return np.hstack((low, high))

    @cached_property
    def visible(self) -> NDArray[np.bool_]:
        """Whether anything of a mark is seen."""
        seen = self.seen
        return np.asarray((seen[:, 0] <= seen[:, 2]) & (seen[:, 1] <= seen[:, 3]))

    def placed(
        self, matrix: Matrix, clip: Sequence[float], ground: bool, owner: int | None
    ) -> Painted:
        """The same marks elsewhere, inside a clip; as part of a background, and of a form."""
        m = matrix
        linear = np.array([[m.a, m.b], [m.c, m.d]])
        shift = np.array([m.e, m.f])
        scale = max(abs(m.a * m.d - m.b * m.c) ** 0.5, 1e-9)
        pictures = self.kinds >= PICTURE
        x, y = self.clips[:, 0::2, None] * linear[0], self.clips[:, 1::2, None] * linear[1]
        low = np.maximum(x.min(axis=1) + y.min(axis=1) + shift, clip[:2])
        high = np.minimum(x.max(axis=1) + y.max(axis=1) + shift, clip[2:])
        return replace(
            self,
            points=self.points @ linear + shift,
            pads=np.sqrt(self.pads**2 @ linear**2),
            clips=np.hstack((low, high)),
            sizes=np.where(pictures, self.sizes / scale, self.sizes * scale),
            ground=self.ground | ground,
            owners=self.owners if owner is None else np.full(len(self), owner),
            boxes=self.boxes @ linear + shift,
        )

    @classmethod
    def nothing(cls) -> Painted:
        """No marks."""
        no = np.zeros(0, np.int64)
        return cls(
            points=np.zeros((0, 2)),
            counts=no,
            pads=np.zeros((0, 2)),
            clips=np.zeros((0, 4)),
            sizes=np.zeros(0),
            kinds=no,
            ground=np.zeros(0, np.bool_),
            frames=no,
            labels=no,
            owners=no,
            boxes=np.zeros((0, 4, 2)),
        )


def together(parts: Sequence[Painted]) -> Painted:
    """All marks of several."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Painted.nothing()
    frames, boxes = [], 0
    for part in parts:
        frames.append(np.where(part.frames == NONE, NONE, part.frames + boxes))
        boxes += len(part.boxes)
    names = ("points", "counts", "pads", "clips", "sizes", "kinds", "ground", "labels", "owners")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Painted(
        **joined,
        frames=np.concatenate(frames),
        boxes=np.concatenate([part.boxes for part in parts]),
    )
