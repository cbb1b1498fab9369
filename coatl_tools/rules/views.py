"""What one player may know, and nothing else.

A view is built up from what lies open and from the player's own cards; nothing is copied from the
state and then struck out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.actions.turns import count_discards
from coatl_tools.rules.constants import ADAM_INDEX, Bag, Pieces
from coatl_tools.rules.engine import Awaited, Decision, get_awaited
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    DealProphecy,
    DealTemple,
    Discard,
    DrawnCard,
    Event,
    Keep,
    Reveal,
)
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import (
    Adam,
    Built,
    DealDraw,
    Draw,
    Ending,
    GameState,
    Pile,
    Player,
    Stage,
    Turn,
)
from coatl_tools.rules.table_options import TableOptions


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


# What of a state lies open to everybody, whoever looks.
OPEN_FIELDS = (
    *("game", "current_player", "turns_ended", "actions_left", "closing", "passes"),
    *("draws", "ending", "final_turns", "spaces", "bodies", "heads", "tails"),
    *("supply", "deck", "discards", "piles", "adam"),
)


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
    current_player: int
    turns_ended: int
    actions_left: int
    closing: int
    passes: int
    draws: tuple[Draw, ...]
    ending: Ending | None
    final_turns: tuple[Turn, ...]
    spaces: tuple[Pieces, ...]
    bodies: Bag
    heads: Bag
    tails: Bag
    supply: tuple[str, ...]
    deck: int
    discards: tuple[str, ...]
    discards_in_all: int
    piles: tuple[Pile, ...]
    seats: tuple[Seat, ...]
    adam: Adam | None
    unseen: tuple[str, ...]
    unseen_temples: tuple[str, ...]
    legal: tuple[Event, ...]


def make_view(state: GameState, player: int | None) -> View:
    """Make the view of all that a player may know; `None` is a spectator, who sees no hand."""
    if player is not None and not 0 <= player < state.game.size:
        raise ValueError(f"there is no player {player}")
    seats = _build_seats(state, [index == player for index in range(state.game.size)])
    seen = _build_view(state, player, seats)
    return replace(
        seen, legal=_list_legal_for_viewer(state, player, seats, seen.unseen, seen.unseen_temples)
    )


def make_open_view(state: GameState) -> View:
    """Make the view of all that the program knows, for a table where this is open to all.

    Every hand is shown as far as it is known; `legal` is whatever anybody may decide now.
    """
    seen = _build_view(state, None, _build_seats(state, [True] * state.game.size))
    decides = isinstance(seen.awaited, Decision)
    return replace(seen, legal=tuple(list_legal_actions(state)) if decides else ())


def mask_event(before: GameState, event: Event, viewer: int | None) -> Event:
    """Mask an event as a player, or (None) a spectator, sees it happen: hidden cards are `?`."""
    match event:
        case DealTemple(player) if player != viewer:
            return DealTemple(player, UNKNOWN_CARD)
        case DealProphecy(player) if player != viewer:
            return DealProphecy(player, UNKNOWN_CARD)
        case DrawnCard() if before.current_player != viewer:
            return DrawnCard(UNKNOWN_CARD)
        case Keep(cards) if before.current_player != viewer:
            return Keep((UNKNOWN_CARD,) * len(cards))
        case Discard(cards) if before.current_player != viewer:
            return Discard((UNKNOWN_CARD,) * len(cards))
        case _:
            return event


def _build_view(state: GameState, player: int | None, seats: tuple[Seat, ...]) -> View:
    """Build a view with these seats; `legal` is empty yet."""
    game = state.game
    return View(
        **{name: getattr(state, name) for name in OPEN_FIELDS},
        player=player,
        options=game.options,
        awaited=get_awaited(state),
        discards_in_all=count_discards(state),
        seats=seats,
        unseen=_list_unseen(game.prophecies, _list_open_prophecies(state, seats)),
        unseen_temples=_list_unseen(game.temples, _list_open_temples(state, seats)),
        legal=(),
    )


def _build_seats(state: GameState, own: list[bool]) -> tuple[Seat, ...]:
    """Build the seats of all players; `own` tells whose cards the viewer sees."""
    return tuple(map(_build_seat, state.game.options.players, state.players, own))


def _build_seat(name: str, player: Player, own: bool) -> Seat:
    if own:
        hand, temples, discarded = player.hand, player.temples, player.discarded
    else:
        hand = _mask_cards(player.hand, player.shown)
        temples = _mask_cards(player.temples, player.temples_shown)
        discarded = _mask_cards(player.discarded, ())
    return Seat(
        name=name,
        board=player.board,
        coatls=player.coatls,
        hand=tuple(map(_mask_hidden, hand)),
        temples=temples,
        tokens=player.tokens,
        feathers=player.feathers,
        discarded=tuple(map(_mask_hidden, discarded)),
    )


def _mask_hidden(card: str) -> str:
    return UNKNOWN_CARD if card[0] == UNKNOWN_CARD else card


def _mask_cards(cards: tuple[str, ...], shown: tuple[str, ...]) -> tuple[str, ...]:
    """Mask all cards but those that everybody saw."""
    return (UNKNOWN_CARD,) * (len(cards) - len(shown)) + shown


def _list_open_prophecies(state: GameState, seats: tuple[Seat, ...]) -> list[str]:
    """List the Prophecy cards that the viewer sees."""
    found = [*state.supply, *state.discards]
    if state.adam:
        found += [*(wanted.card for wanted in state.adam.row), *state.adam.fulfilled]
    for seat in seats:
        found += [*seat.hand, *seat.discarded]
        found += [card for coatl in seat.coatls for card in coatl.prophecies]
    return found


def _list_open_temples(state: GameState, seats: tuple[Seat, ...]) -> list[str]:
    """List the Temple cards that the viewer sees."""
    found = [pile.top for pile in state.piles]
    for seat in seats:
        found += [*seat.temples, *(coatl.temple for coatl in seat.coatls)]
    return found


def _list_unseen(cards: tuple[str, ...], seen: list[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in seen:
        if card and card != UNKNOWN_CARD:
            left.remove(card)
    return tuple(left)


def _list_legal_for_viewer(
    state: GameState,
    player: int | None,
    seats: tuple[Seat, ...],
    unseen: tuple[str, ...],
    unseen_temples: tuple[str, ...],
) -> tuple[Event, ...]:
    """List what the viewer may decide, worked out from only what the viewer sees."""
    awaited = get_awaited(state)
    if not isinstance(awaited, Decision) or player is None:
        return ()
    players = [
        real
        if index == player
        else real._replace(hand=seat.hand, temples=seat.temples, discarded=seat.discarded, among=())
        for index, (real, seat) in enumerate(zip(state.players, seats, strict=True))
    ]
    known = state._replace(
        unlocated_prophecies=(_list_unseen(unseen, [*players[player].among]),),
        unlocated_temples=unseen_temples,
        players=tuple(players),
    )
    adam = ADAM_INDEX if state.adam else player  # somebody has to move A.D.A.M.'s pieces
    return tuple(
        event
        for event in list_legal_actions(known)
        if (event.player if isinstance(event, Reveal) else awaited.player) in (player, adam)
    )


def is_in_setup(view: View) -> bool:
    """Tell whether the first turn has not begun yet."""
    match view.awaited:
        case Decision(_, stage):
            return stage is Stage.KEEPING
        case _:  # a setup ends with `DealDraw`s, and there are none later
            return isinstance(view.draws[-1], DealDraw) if view.draws else False
