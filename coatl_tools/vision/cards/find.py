"""Finding the cards in a picture."""

from __future__ import annotations

from coatl_tools.cards.catalog import Catalog
from coatl_tools.vision.reading import Problem, SeenCard
from coatl_tools.vision.trace import Pixels, Trace


def find_cards(
    pixels: Pixels, catalog: Catalog, trace: Trace
) -> tuple[tuple[SeenCard, ...], tuple[Problem, ...]]:
    """Find all cards in a picture, printed or published, and what is unclear about them."""
    raise NotImplementedError
