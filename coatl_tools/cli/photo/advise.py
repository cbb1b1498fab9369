"""`coatl advise --photo`: the Cóatls that are begun, and the cards beside them, from a photo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from coatl_tools.cli.photo.options import Wishes
from coatl_tools.cli.settings import Settings
from coatl_tools.errors import CommandLineError, FileError

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog
    from coatl_tools.rules.state import Built


def coatls_of_photo(
    settings: Settings,
    photo: Path,
    catalog: Catalog,
    wishes: Wishes,
    numbers: Sequence[int],
    closed_ends: bool,
) -> tuple[Built, ...] | None:
    """The Cóatls of these numbers, or all; None if they could not be read for sure, which is said.

    FileError for what is no photo, or shows no Cóatl.
    """
    from coatl_tools.cli.photo.scores import Scoring, cards_beside, in_the_way
    from coatl_tools.cli.photo.unsure import say_not_sure
    from coatl_tools.referee.written import coatl_with

    how = Scoring(closed_ends=closed_ends)
    reading = wishes.reading(photo, settings, catalog, how)
    there = len(reading.coatls)
    for number in numbers:
        if not 1 <= number <= there:
            raise CommandLineError("photo.no_coatl", number=number, n=there)
    indices = [number - 1 for number in numbers] or list(range(there))
    problems = in_the_way(reading, indices, how)
    if problems:
        say_not_sure(str(photo), problems, settings, wishes.fix)
        return None
    if not indices:
        raise FileError("photo.none_there", path=photo)
    found = []
    for index in indices:
        cards = " ".join(card.id for card in cards_beside(reading, index, catalog))
        found.append(coatl_with(reading.coatls[index].notation, cards, catalog))
    return tuple(found)
