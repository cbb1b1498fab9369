"""Light in which colours cannot be told: too much of one colour, or too much of it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coatl_tools.errors import Phrase
from coatl_tools.vision.colours import core
from coatl_tools.vision.reading import Problem, SeenCoatl
from coatl_tools.vision.trace import Pixels

SHINE = 99.95  # percentile: somewhere, something shines or is white
CAST = 0.35  # of the strongest channel: where the weakest has less even there, a colour is gone
BURNT = 252  # of 255
MOST_BURNT = 0.6  # of the pieces; yellow ones may be, in good light


def cast_doubts(coatls: Sequence[SeenCoatl], pixels: Pixels) -> Iterator[Problem]:
    """A lamp, or a camera, that leaves too little of a colour to tell blue from green."""
    if pixels.size and _weakest(pixels) < CAST:
        for index in range(len(coatls)):
            advice: Phrase = ("photo.advice_white", {})
            yield Problem("cast", ("photo.cast", {"coatl": index + 1}), advice, index)


def bright_doubts(coatls: Sequence[SeenCoatl], pixels: Pixels) -> Iterator[Problem]:
    """A photo so bright that green pieces are as light as yellow ones."""
    for index, seen in enumerate(coatls):
        burnt = [_is_burnt(piece.outline, pixels) for piece in seen.pieces]
        if sum(burnt) > MOST_BURNT * len(burnt):
            advice: Phrase = ("photo.advice_dimmer", {})
            yield Problem("bright", ("photo.bright", {"coatl": index + 1}), advice, index)


def _weakest(pixels: Pixels) -> float:
    """How much of the weakest channel there is where most of it is, beside the strongest."""
    most = np.percentile(pixels[::4, ::4].reshape(-1, 3), SHINE, axis=0)
    return float(most.min() / max(most.max(), 1.0))


def _is_burnt(outline: Sequence[tuple[float, float]], pixels: Pixels) -> bool:
    """Whether two channels of most of a piece have all the light that there can be."""
    own = core(tuple(outline), pixels)
    return own is not None and bool(np.sort(np.median(own, axis=0))[1] >= BURNT)
