"""Where the things come from that are exported: the parts that are also printed."""

from __future__ import annotations

from dataclasses import replace

from coatl_tools.cards.card import CardKind
from coatl_tools.printing.component import Item
from coatl_tools.printing.contents import PARTS, Order


def deck_items(order: Order, kind: CardKind, size: str | None = None) -> list[Item]:
    """The cards of a kind, one item for every copy, re-laid for a size of card."""
    chosen = replace(
        order,
        cards=[card for card in order.cards if card.kind is kind],
        known_cards=order.known_cards or order.cards,  # so that each keeps its mark
        card_size=size or order.card_size,
    )
    return PARTS["cards"].items(chosen)


def board_items(order: Order) -> list[Item]:
    """The boards, each as often as it lies on the table."""
    return PARTS["boards"].items(order)


def token_items(order: Order) -> list[Item]:
    """Tokens and markers, each as often as it lies on the table."""
    return PARTS["tokens"].items(order)
