"""Which Prophecy cards a closed Cóatl can get: one at least (rule 3.10), at level 4 four (9.16)."""

from __future__ import annotations

from typing import NamedTuple

from coatl_tools.cards.requirement import Requirement, depends_on_cards
from coatl_tools.pieces import Colour
from coatl_tools.rules.game import Ids
from coatl_tools.rules.hidden import from_hand, hidden_in, may_hold
from coatl_tools.rules.state import Player, State, without


class Sort(NamedTuple):
    """Cards of one sort are as good as each other for a hand, and beside a Cóatl they all fit."""

    colour: Colour | None
    requirement: Requirement | None  # where it is about the cards beside the Cóatl
    known: bool  # to be in the hand
    among: bool  # the cards that were mixed up
    levels: int  # of `free` that it is in, as bits


def can_complete(state: State, player: Player, coatl: str, placed: Ids) -> bool:
    """Whether a closed Cóatl with these cards beside it has enough, or the hand may have them."""
    wanted = state.game.least_prophecies - len(placed)
    if wanted <= 0:
        return True
    cards = state.game.fitting(coatl, may_hold(state, player), placed)
    if wanted == 1:
        return bool(cards)
    if _most(state, player, cards) < wanted:
        return False
    samples = {sort_of(state, player, card): card for card in cards}.values()
    return any(_fits_in(state, player, coatl, placed, card) for card in samples)


def placeable(state: State, player: Player, coatl: str, placed: Ids) -> list[str]:
    """The cards after which a closed Cóatl can still be completed, if these are placed."""
    cards = state.game.fitting(coatl, may_hold(state, player), placed)
    if state.game.least_prophecies == 1:
        return [*cards]
    sorts = {card: sort_of(state, player, card) for card in cards}
    samples = {sort: card for card, sort in sorts.items()}
    good = {sort: _fits_in(state, player, coatl, placed, card) for sort, card in samples.items()}
    return [card for card in cards if good[sorts[card]]]


def _fits_in(state: State, player: Player, coatl: str, placed: Ids, card: str) -> bool:
    """Whether a closed Cóatl can still be completed once this fitting card lies beside it."""
    if card in player.hand:
        player = player._replace(hand=without(player.hand, card))
    else:
        found = from_hand(state, player, card)
        if found is None:
            return False
        free, player = found
        state = state._replace(free=free)
    return can_complete(state, player, coatl, (*placed, card))


def sort_of(state: State, player: Player, card: str) -> Sort:
    """What matters of a Prophecy card that a player may have."""
    requirement = state.game.by_id[card].requirement
    return Sort(
        state.game.by_id[card].colour,
        requirement if depends_on_cards(requirement) else None,
        card in player.hand,
        card in player.among,
        sum(2**level for level, cards in enumerate(state.free) if card in cards),
    )


def _most(state: State, player: Player, cards: Ids) -> int:
    """At most so many of these cards can lie beside one Cóatl: a bound that spares a search."""
    game = state.game

    def kinds(some: list[str]) -> set[object]:
        return {game.by_id[card].colour if game.different_colours else card for card in some}

    known = kinds([card for card in cards if card in player.hand])
    others = kinds([card for card in cards if card not in player.hand]) - known
    return len(known) + min(len(others), len(hidden_in(player.hand)))
