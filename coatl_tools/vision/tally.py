"""From readings to a tally: whose Cóatls they are, and what lies beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from coatl_tools.cards.catalog import PROMO, Catalog
from coatl_tools.vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Laid:
    """A Cóatl as it lies on the table, the cards beside it, and the photo that shows it."""

    coatl: str
    cards: tuple[str, ...]
    file: str


def laid(readings: Iterable[Reading]) -> list[list[Laid]]:
    """The Cóatls of each photo, from top to bottom, as they were read or corrected."""
    return [
        [
            Laid(
                str(seen.coatl),
                tuple(card.id for card in reading.cards if card.coatl == index and card.id),
                reading.file,
            )
            for index, seen in enumerate(reading.coatls)
        ]
        for reading in readings
    ]


def tally_data(
    names: Sequence[str],
    owners: Sequence[int],
    coatls: Sequence[Laid],
    catalog: Catalog,
    fulfilled: Iterable[str] | None = None,
) -> dict[str, Any]:
    """The JSON of `coatl table tally`: `owners` says for each Cóatl which player's it is."""
    players = [
        {
            "name": name,
            "coatls": [
                {"coatl": one.coatl, "cards": list(one.cards)}
                for one, owner in zip(coatls, owners, strict=True)
                if owner == seat
            ],
        }
        for seat, name in enumerate(names)
    ]
    data: dict[str, Any] = {"players": players}
    if any(catalog[card].set == PROMO for one in coatls for card in one.cards):
        data["promo"] = True
    if fulfilled is not None:
        data["adam"] = {"fulfilled": list(fulfilled)}
    return data
