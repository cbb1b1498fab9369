"""The cards, ready to be laid on sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.printing.cards.backs import card_back
from coatl_tools.printing.cards.face import CardFace
from coatl_tools.printing.cards.layout import card_size, load_cards_layout
from coatl_tools.printing.component import Design, Face, Item


def card_items(
    design: Design, cards: Sequence[Card], size_name: str, numbers: Mapping[str, int]
) -> list[Item]:
    """One item for each copy of each card; `numbers` are the machine marks by id.

    Raises CommandLineError for an unknown size, TextOverflowError where words do not fit.
    """
    size = card_size(design.layouts, size_name)
    layout = load_cards_layout(design.layouts)
    backs = {kind: card_back(design, layout, size, kind) for kind in CardKind}
    items = []
    for card in cards:
        art = CardFace(design, layout, size, card, numbers.get(card.id))
        front = Face(f"card-{card.id}", size.width, size.height, art.draw, layout.safe)
        items += [Item(card.id, front, backs[card.kind])] * card.copies
    return items
