"""A whole game that fits what a seat sees: hidden cards are dealt anew, by chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.state import Player, State
from coatl_tools.rules.views import Seat, View


def possible_state(seen: View, chance: Random) -> State:
    """A state in which the seat would see just this; ValueError if no decision is awaited."""
    if not isinstance(seen.awaited, Decision):
        raise ValueError("no decision is awaited")
    prophecies, temples = list(seen.unseen), list(seen.unseen_temples)
    chance.shuffle(prophecies)
    chance.shuffle(temples)
    players = tuple(_player(seat, prophecies, temples) for seat in seen.seats)
    return State(
        game=seen.game,
        stage=seen.awaited.stage,
        turn=seen.turn,
        turns=seen.turns,
        actions=seen.actions,
        closing=seen.closing,
        passes=seen.passes,
        ending=seen.ending,
        last=seen.last,
        draws=(),
        drawn=0,
        spaces=seen.spaces,
        bodies=seen.bodies,
        heads=seen.heads,
        tails=seen.tails,
        supply=seen.supply,
        deck=seen.deck,
        free=(tuple(sorted(prophecies)),),
        discards=seen.discards,
        temples_free=tuple(sorted(temples)),
        piles=seen.piles,
        players=players,
        adam=seen.adam,
    )


def _player(seat: Seat, prophecies: list[str], temples: list[str]) -> Player:
    """A player whose hidden cards come from those that nobody sees."""
    return Player(
        board=seat.board,
        coatls=seat.coatls,
        hand=_filled(seat.hand, prophecies),
        shown=_known(seat.hand),
        temples=_filled(seat.temples, temples),
        temples_shown=_known(seat.temples),
        tokens=seat.tokens,
        discarded=_filled(seat.discarded, prophecies),
        feathers=seat.feathers,
    )


def _known(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(card for card in cards if card != UNKNOWN)


def _filled(cards: Sequence[str], pool: list[str]) -> tuple[str, ...]:
    return tuple(sorted(card if card != UNKNOWN else pool.pop() for card in cards))
