"""The dealer of a virtual table: what a draw brings, from a seed.

The dealer keeps nothing: the n-th draw of a seed always falls the same way for the same bags and
decks, so that undo and doing again brings the same cards.
"""

from __future__ import annotations

from hashlib import blake2b

from coatl_tools.rules.box import PER_SPACE, PIECES
from coatl_tools.rules.events import (
    Answer,
    DealAdam,
    DealProphecy,
    DealTemple,
    Drawn,
    Fill,
    TurnUpProphecy,
    TurnUpTemple,
)
from coatl_tools.rules.hidden import free_cards, possible_in_deck
from coatl_tools.rules.state import (
    AdamDraw,
    DealDraw,
    FillDraw,
    PileDraw,
    State,
    SupplyDraw,
    TempleDraw,
)
from coatl_tools.rules.supply_board import bag_of

_MASK = (1 << 64) - 1
SECRET_BITS = 128  # of the longest seed


def deal(state: State, seed: int) -> Answer:
    """Answer the awaited draw, each piece or card in the bag or deck being equally likely.

    Meant for tables where all cards are known: hidden ones could be any of those it draws from.
    """
    if not state.draws:
        raise ValueError("no draw is awaited")
    number = mixed(seed, state.drawn)
    draw = state.draws[0]
    if isinstance(draw, FillDraw):
        return Fill(
            draw.space, _pieces(state, state.game.options.space_kinds[draw.space - 1], number)
        )
    if isinstance(draw, TempleDraw):
        return DealTemple(draw.player, _one_of(state.temples_free, number))
    if isinstance(draw, PileDraw):
        return TurnUpTemple(draw.pile, _one_of(state.temples_free, number))
    card = _one_of(_deck(state), number)
    if isinstance(draw, SupplyDraw):
        return TurnUpProphecy(card)
    if isinstance(draw, AdamDraw):
        return DealAdam(card)
    return DealProphecy(draw.player, card) if isinstance(draw, DealDraw) else Drawn(card)


def _deck(state: State) -> tuple[str, ...]:
    """The cards that the deck may hold."""
    cards = free_cards(state)
    if not state.game.hidden_hands:
        return cards
    possible = set(possible_in_deck(state))
    return tuple(card for card in cards if card in possible)


def mixed(seed: int, step: int) -> int:
    """64 bits that look random, the same for the same seed and step (the splitmix64 finaliser).

    A seed of more than 64 bits is a secret: what it deals is a keyed hash, from which nobody works
    out the rest of the deck.
    """
    if seed > _MASK:
        key = seed.to_bytes(SECRET_BITS // 8, "big")
        return int.from_bytes(blake2b(str(step).encode(), key=key, digest_size=8).digest(), "big")
    z = (seed * 0x9E3779B97F4A7C15 + (step + 1) * 0xD1342543DE82EF95) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _one_of(cards: tuple[str, ...], number: int) -> str:
    return cards[number % len(cards)]


def _pieces(state: State, kind: str, number: int) -> tuple[str, ...]:
    left = list(bag_of(state, kind))
    drawn = []
    for _ in range(PER_SPACE[kind]):
        number, place = divmod(number, sum(left))
        piece = 0
        while place >= left[piece]:
            place -= left[piece]
            piece += 1
        left[piece] -= 1
        drawn.append(PIECES[kind][piece])
    return tuple(drawn)
