"""From a photo to a reading: pieces, cards, and an honest word on what is not sure."""

from __future__ import annotations

from coatl_tools.cards.catalog import Catalog
from coatl_tools.vision.colours import ColourProfile
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import Reading
from coatl_tools.vision.trace import Trace


def read_photo(
    picture: Picture,
    catalog: Catalog,
    trace: Trace | None = None,
    colours: ColourProfile | None = None,
) -> Reading:
    """Everything that can be read in a photo, with the colours of somebody's own set if given."""
    raise NotImplementedError
