"""Finding the cards in a picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.printing.layouts import Layouts
from coatl_tools.vision.cards.marked import marked_cards
from coatl_tools.vision.cards.sighting import settled
from coatl_tools.vision.cards.unmarked import unmarked_cards
from coatl_tools.vision.marks import SeenMark, find_marks
from coatl_tools.vision.reading import Problem, SeenCard
from coatl_tools.vision.trace import Pixels, Trace


def find_cards(
    pixels: Pixels,
    catalog: Catalog,
    trace: Trace,
    marks: Sequence[SeenMark] | None = None,
    layouts: Layouts | None = None,
) -> tuple[tuple[SeenCard, ...], tuple[Problem, ...]]:
    """Find all cards in a picture, printed or published, and what is unclear about them.

    `marks` are those that were found before, if they were looked for; `layouts` those that the
    cards were printed with.
    """
    layouts = layouts or Layouts()
    seen = find_marks(pixels, trace) if marks is None else marks
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    sightings, missed = marked_cards(pixels, grey, seen, catalog, layouts, trace)
    outlines = [seen.outline for seen in sightings]
    more, also = unmarked_cards(pixels, grey, outlines, catalog, layouts, trace)
    cards, problems = settled([*sightings, *more], catalog, (pixels.shape[1], pixels.shape[0]))
    if missed or also:
        note = Problem(
            "no_tesseract",
            ("photo.no_tesseract", {}),
            ("photo.install_tesseract", {}),
            grave=False,
        )
        problems = (*problems, note)
    return cards, problems
