"""What one player may know, and nothing else.

A view is built up from what lies open and from the player's own cards; nothing is copied from the
state and then struck out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from coatl_tools.rules.box import ADAM, Bag, Pieces
from coatl_tools.rules.engine import Awaited, Decision, awaiting, legal_actions
from coatl_tools.rules.events import (
    UNKNOWN,
    DealProphecy,
    DealTemple,
    Discard,
    Drawn,
    Event,
    Keep,
    Reveal,
)
from coatl_tools.rules.flow import discards
from coatl_tools.rules.game import Game
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import Adam, Built, Draw, Ending, Pile, Player, State, Turn


@dataclass(frozen=True, slots=True)
class Seat:
    """A player, as seen by somebody. Cards of `hand` and `temples` that are not known are `?`."""

    name: str
    board: Pieces
    coatls: tuple[Built, ...]
    hand: tuple[str, ...]
    temples: tuple[str, ...]
    tokens: tuple[str, ...]
    feathers: int
    discarded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The game as seen by a player, or (`player` None) by a spectator or the whole table.

    `unseen` and `unseen_temples` are all cards that do not lie where the viewer sees them: in the
    deck, in hidden hands, among hidden discards. `legal` is what the viewer may decide now, as far
    as the viewer can tell: a hidden card may still turn out to be elsewhere.
    """

    game: Game = field(repr=False)  # options and cards, which everybody knows
    player: int | None
    options: TableOptions
    awaited: Awaited
    turn: int
    turns: int
    actions: int
    closing: int
    passes: int
    draws: tuple[Draw, ...]
    ending: Ending | None
    last: tuple[Turn, ...]
    spaces: tuple[Pieces, ...]
    bodies: Bag
    heads: Bag
    tails: Bag
    supply: tuple[str, ...]
    deck: int
    discards: tuple[str, ...]
    discards_in_all: int
    piles: tuple[Pile, Pile]
    seats: tuple[Seat, ...]
    adam: Adam | None
    unseen: tuple[str, ...]
    unseen_temples: tuple[str, ...]
    legal: tuple[Event, ...]


def view(state: State, player: int | None) -> View:
    """All that a player may know; `None` is a spectator, who sees no hand."""
    if player is not None and not 0 <= player < state.game.size:
        raise ValueError(f"there is no player {player}")
    seats = _seats(state, [index == player for index in range(state.game.size)])
    seen = _view(state, player, seats)
    return replace(seen, legal=_legal(state, player, seats, seen.unseen, seen.unseen_temples))


def open_view(state: State) -> View:
    """All that the program knows, for a table where whatever it is told lies open to all.

    Every hand is shown as far as it is known; `legal` is whatever anybody may decide now.
    """
    seen = _view(state, None, _seats(state, [True] * state.game.size))
    decides = isinstance(seen.awaited, Decision)
    return replace(seen, legal=tuple(legal_actions(state)) if decides else ())


def seen_event(before: State, event: Event, viewer: int | None) -> Event:
    """An event as a player, or (None) a spectator, sees it happen: hidden cards are `?`."""
    match event:
        case DealTemple(player) if player != viewer:
            return DealTemple(player, UNKNOWN)
        case DealProphecy(player) if player != viewer:
            return DealProphecy(player, UNKNOWN)
        case Drawn() if before.turn != viewer:
            return Drawn(UNKNOWN)
        case Keep(cards) if before.turn != viewer:
            return Keep((UNKNOWN,) * len(cards))
        case Discard(cards) if before.turn != viewer:
            return Discard((UNKNOWN,) * len(cards))
        case _:
            return event


def _view(state: State, player: int | None, seats: tuple[Seat, ...]) -> View:
    """The table with these seats, and nothing yet that may be decided."""
    game = state.game
    return View(
        game=game,
        player=player,
        options=game.options,
        awaited=awaiting(state),
        turn=state.turn,
        turns=state.turns,
        actions=state.actions,
        closing=state.closing,
        passes=state.passes,
        draws=state.draws,
        ending=state.ending,
        last=state.last,
        spaces=state.spaces,
        bodies=state.bodies,
        heads=state.heads,
        tails=state.tails,
        supply=state.supply,
        deck=state.deck,
        discards=state.discards,
        discards_in_all=discards(state),
        piles=state.piles,
        seats=seats,
        adam=state.adam,
        unseen=_unseen(game.prophecies, _open_prophecies(state, seats)),
        unseen_temples=_unseen(game.temples, _open_temples(state, seats)),
        legal=(),
    )


def _seats(state: State, own: list[bool]) -> tuple[Seat, ...]:
    """All players; `own` tells whose cards the viewer sees."""
    return tuple(map(_seat, state.game.options.players, state.players, own))


def _seat(name: str, player: Player, own: bool) -> Seat:
    if own:
        hand, temples, discarded = player.hand, player.temples, player.discarded
    else:
        hand = _masked(player.hand, player.shown)
        temples = _masked(player.temples, player.temples_shown)
        discarded = _masked(player.discarded, ())
    return Seat(
        name=name,
        board=player.board,
        coatls=player.coatls,
        hand=tuple(map(_plain, hand)),
        temples=temples,
        tokens=player.tokens,
        feathers=player.feathers,
        discarded=tuple(map(_plain, discarded)),
    )


def _plain(card: str) -> str:
    return UNKNOWN if card[0] == UNKNOWN else card


def _masked(cards: tuple[str, ...], shown: tuple[str, ...]) -> tuple[str, ...]:
    """So many cards, of which these are known."""
    return (UNKNOWN,) * (len(cards) - len(shown)) + shown


def _open_prophecies(state: State, seats: tuple[Seat, ...]) -> list[str]:
    """The Prophecy cards that the viewer sees."""
    found = [*state.supply, *state.discards]
    if state.adam:
        found += [*(wanted.card for wanted in state.adam.row), *state.adam.fulfilled]
    for seat in seats:
        found += [*seat.hand, *seat.discarded]
        found += [card for coatl in seat.coatls for card in coatl.prophecies]
    return found


def _open_temples(state: State, seats: tuple[Seat, ...]) -> list[str]:
    """The Temple cards that the viewer sees."""
    found = [pile.top for pile in state.piles]
    for seat in seats:
        found += [*seat.temples, *(coatl.temple for coatl in seat.coatls)]
    return found


def _unseen(cards: tuple[str, ...], seen: list[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in seen:
        if card and card != UNKNOWN:
            left.remove(card)
    return tuple(left)


def _legal(
    state: State,
    player: int | None,
    seats: tuple[Seat, ...],
    unseen: tuple[str, ...],
    unseen_temples: tuple[str, ...],
) -> tuple[Event, ...]:
    """What the viewer may decide, worked out on a table that holds only what the viewer sees."""
    awaited = awaiting(state)
    if not isinstance(awaited, Decision) or player is None:
        return ()
    players = [
        real
        if index == player
        else real._replace(hand=seat.hand, temples=seat.temples, discarded=seat.discarded, among=())
        for index, (real, seat) in enumerate(zip(state.players, seats, strict=True))
    ]
    known = state._replace(
        free=(_unseen(unseen, [*players[player].among]),),
        temples_free=unseen_temples,
        players=tuple(players),
    )
    adam = ADAM if state.adam else player  # somebody has to move A.D.A.M.'s pieces
    return tuple(
        event
        for event in legal_actions(known)
        if (event.player if isinstance(event, Reveal) else awaited.player) in (player, adam)
    )
