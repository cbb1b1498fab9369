"""A table as people see it when a turn begins, and the state made from it to join a game midway.

Bags and decks are what is left. What was never seen stays open: a hidden card may be any card that
lies nowhere else, so nothing is refused that may be true.
"""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.errors import Phrase, PositionError
from coatl_tools.rules.actions.supply_board import SPACE_ERROR_KEYS
from coatl_tools.rules.constants import (
    ADAM_INDEX,
    BOARD_SPACES,
    FEATHER,
    HAND_LIMIT,
    KIND_OF_PIECE,
    PIECES_PER_SPACE,
    PRIEST_COMMITMENT,
    PROPHECY_SUPPLY_SIZE,
    TOKENS,
    Pieces,
)
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.game import Game
from coatl_tools.rules.position.position_checks import (
    SeenItem,
    check_coatls,
    check_is_prophecy,
    check_is_temple,
    check_prophecy_supply,
    check_supply_board,
    check_temple_piles,
    compute_bags_left,
    compute_deck_left,
    compute_final_turns,
    list_coatl_contents,
)
from coatl_tools.rules.setup import make_opening_state
from coatl_tools.rules.solo.needs import COLOUR_INDEX, NO_NEEDS, find_open_needs
from coatl_tools.rules.state import ADAMS_TURN, READY, Adam, Built, Ending, GameState, Pile, Player


@dataclass(frozen=True, slots=True)
class PositionSeat:
    """What lies before a player. `?` is a card that the program does not know.

    Whether a Cóatl is complete is worked out: it is with a head and a tail.
    """

    board: Pieces = ()
    coatls: tuple[Built, ...] = ()
    hand: tuple[str, ...] = ()
    temples: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()  # those left
    golden: int = 0  # golden segments laid beside the board (rule 10.3)
    discarded: tuple[str, ...] = ()  # Prophecy cards put away face down
    shown: tuple[str, ...] = ()  # cards of the hand that everybody saw being taken
    temples_shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A table at the start of a turn, as people see it.

    A `?` of `discards` is a card that nobody remembers; `below` is how many cards lie below the
    top of each Temple pile, None if nobody counted. `final` tells whether everybody's final turns
    have begun (rule 6.2), None where that follows from whose turn it is.
    """

    turn: int
    spaces: tuple[Pieces, ...]
    supply: tuple[str, ...]  # at a solo table from left to right
    tops: tuple[str, str]  # of the Temple piles; empty for an emptied pile
    seats: tuple[PositionSeat, ...]
    below: tuple[int | None, int | None] = (None, None)
    discards: tuple[str, ...] = ()
    adam: Adam | None = None
    ending: Ending | None = None
    final: bool | None = None
    passes: int = 0  # players who have just passed, one after the other


def build_state(game: Game, position: Position) -> GameState:
    """Build the state of a table in this position; PositionError if no game can lead there."""
    state = build_partial_state(game, position)
    for check in (check_temple_piles, check_prophecy_supply, check_supply_board):
        check(state)
    actions, last = compute_final_turns(state, position.ending, position.final)
    return state._replace(ending=position.ending, actions_left=actions, final_turns=last)


def build_partial_state(game: Game, position: Position) -> GameState:
    """Build the state of a table that is not fully described yet.

    PositionError for what is impossible, however the rest is described.
    """
    if len(position.seats) != game.size:
        raise PositionError("position.seats", "2.2", n=len(position.seats), players=game.size)
    if position.turn not in game.order:
        raise PositionError("rules.no_player", "2.2", player=position.turn + 1)
    if (position.adam is None) is game.solo:
        raise PositionError("position.adam_missing" if game.solo else "rules.no_adam", "7.1")
    seats = tuple(
        _check_seat(game, name, seat)
        for name, seat in zip(game.options.players, position.seats, strict=True)
    )
    _check_spaces(game, position.spaces)
    _check_open_cards(game, position)
    if position.adam:
        _check_adam(game, position.adam)
    pieces, cards = _list_seen_items(game, position, seats)
    bodies, heads, tails = compute_bags_left(game, pieces)
    free = compute_deck_left(
        game, game.prophecies, [found for found in cards if game.is_prophecy(found[0])]
    )
    temples_free = compute_deck_left(
        game, game.temples, [found for found in cards if game.is_temple(found[0])]
    )
    hidden = sum((seat.hand + seat.discarded for seat in seats), position.discards).count(
        UNKNOWN_CARD
    )
    if hidden > len(free):
        raise PositionError("position.hidden_cards", "1.3", n=hidden, left=len(free))
    return make_opening_state(game)._replace(
        stage=ADAMS_TURN if game.solo and position.turn == ADAM_INDEX else READY,
        current_player=position.turn,
        passes=position.passes,
        draws=(),
        spaces=position.spaces,
        bodies=bodies,
        heads=heads,
        tails=tails,
        supply=position.supply,
        deck=len(free) - hidden,
        unlocated_prophecies=(free,),
        discards=tuple(sorted(card for card in position.discards if card != UNKNOWN_CARD)),
        unlocated_temples=temples_free,
        piles=_build_piles(position, len(temples_free), seats),
        players=_build_players(seats, position.discards.count(UNKNOWN_CARD)),
        adam=position.adam,
    )


def _check_seat(game: Game, name: str, seat: PositionSeat) -> PositionSeat:
    where: Phrase = ("position.player", {"player": name})
    if len(seat.board) > BOARD_SPACES:
        raise PositionError(
            "position.board_full", "1.5", where, most=BOARD_SPACES, n=len(seat.board)
        )
    for piece in seat.board:
        _check_piece(game, piece, where)
    if seat.golden and not game.options.golden_feathers:
        raise PositionError("position.no_golden", "10.3", where)
    if len(seat.hand) > game.hand_limit:
        rule = "3.4" if game.hand_limit == HAND_LIMIT else "7.10"
        raise PositionError("rules.hand_full", rule, where, most=game.hand_limit)
    for card in seat.hand + seat.discarded:
        if not _check_hidden(game, card, where):
            check_is_prophecy(game, card, where)
    for card in seat.temples:
        if not _check_hidden(game, card, where):
            check_is_temple(game, card, where)
    for cards, shown in ((seat.hand, seat.shown), (seat.temples, seat.temples_shown)):
        for card in shown:
            if card == UNKNOWN_CARD or shown.count(card) > cards.count(card):
                raise PositionError("rules.not_in_hand", "3.4", where, card=card)
    for token in seat.tokens:
        if token not in TOKENS or seat.tokens.count(token) > 1:
            raise PositionError(
                "position.token", "1.5", where, token=token, names=", ".join(TOKENS)
            )
    if seat.tokens and not game.options.tokens:
        raise PositionError("rules.no_tokens", "7.1" if game.solo else "2.1", where)
    _check_temples(game, seat, where)
    return PositionSeat(
        board=tuple(sorted(seat.board)),
        coatls=check_coatls(game, name, seat.coatls),
        hand=tuple(sorted(seat.hand)),
        temples=tuple(sorted(seat.temples)),
        tokens=tuple(token for token in TOKENS if token in seat.tokens),
        golden=seat.golden,
        discarded=tuple(sorted(seat.discarded)),
        shown=tuple(sorted(seat.shown)),
        temples_shown=tuple(sorted(seat.temples_shown)),
    )


def _check_temples(game: Game, seat: PositionSeat, where: Phrase) -> None:
    """Check how many Temple cards a hand may hold: one is dealt (rule 2.3, ruling 9.9), another
    comes by Priest Commitment (3.16).
    """
    options = game.options
    most = int(not game.solo or options.solo_temple_in_hand)
    most += options.tokens and PRIEST_COMMITMENT not in seat.tokens
    if len(seat.temples) > most:
        rule = "9.9" if game.solo else "3.16"
        raise PositionError("position.temples", rule, where, most=most, n=len(seat.temples))


def _check_hidden(game: Game, card: str, where: Phrase) -> bool:
    if card == UNKNOWN_CARD and not game.hidden_hands:
        raise PositionError("rules.must_be_known", "9.17", where)
    return card == UNKNOWN_CARD


def _check_piece(game: Game, piece: str, where: Phrase) -> None:
    if piece not in KIND_OF_PIECE:
        raise PositionError("position.no_piece", "1.1", where, text=piece)
    if piece == FEATHER and not game.options.golden_feathers:
        raise PositionError("position.no_golden", "10.3", where)


def _check_spaces(game: Game, spaces: tuple[Pieces, ...]) -> None:
    kinds = game.options.space_kinds
    if len(spaces) != len(kinds):
        raise PositionError("position.spaces", "1.4", spaces=len(kinds), n=len(spaces))
    for number, (kind, pieces) in enumerate(zip(kinds, spaces, strict=True), start=1):
        where: Phrase = ("position.on_space", {"space": number})
        for piece in pieces:
            _check_piece(game, piece, where)
        if pieces and [KIND_OF_PIECE[piece] for piece in pieces] != [kind] * PIECES_PER_SPACE[kind]:
            raise PositionError(
                SPACE_ERROR_KEYS[kind],
                "1.4",
                where,
                space=number,
                pieces=" ".join(pieces),
                n=PIECES_PER_SPACE[kind],
            )


def _check_open_cards(game: Game, position: Position) -> None:
    where: Phrase = ("rules.seen_supply", {})
    for card in position.supply:
        check_is_prophecy(game, card, where)
    if len(position.supply) > PROPHECY_SUPPLY_SIZE:
        raise PositionError(
            "position.supply", "2.4", where, most=PROPHECY_SUPPLY_SIZE, n=len(position.supply)
        )
    where = ("rules.seen_discards", {})
    for card in position.discards:
        if not _check_hidden(game, card, where):
            check_is_prophecy(game, card, where)
    for number, card in enumerate(position.tops, start=1):
        if card:
            check_is_temple(game, card, ("rules.seen_pile", {"pile": number}))
    if not 0 <= position.passes < len(game.order):
        raise PositionError("position.passes", "9.2", n=position.passes, most=len(game.order) - 1)


def _check_adam(game: Game, adam: Adam) -> None:
    where: Phrase = ("rules.seen_adam", {})
    if len(adam.row) > game.adam_cards:
        raise PositionError(
            "position.adam_row", "7.1", where, most=game.adam_cards, n=len(adam.row)
        )
    for wanted in adam.row:
        check_is_prophecy(game, wanted.card, where)
        where = ("position.adams_card", {"card": wanted.card})
        for piece in wanted.pieces:
            _check_piece(game, piece, where)
            if piece not in COLOUR_INDEX:
                raise PositionError("position.no_golden", "10.3", where)
        lacks = find_open_needs(game.needs[wanted.card], wanted.pieces)
        if min(lacks) < 0:
            raise PositionError("position.adam_needs", "7.5", where, card=wanted.card)
        if lacks == NO_NEEDS:
            raise PositionError("position.adam_fulfils", "7.6", where, card=wanted.card)
    for card in adam.fulfilled:
        check_is_prophecy(game, card, ("rules.seen_fulfilled", {}))
    for piece in adam.discarded:
        _check_piece(game, piece, ("position.out_of_game", {}))


def _list_seen_items(
    game: Game, position: Position, seats: tuple[PositionSeat, ...]
) -> tuple[list[SeenItem], list[SeenItem]]:
    """List all pieces and all cards that lie somewhere, and where."""
    pieces: list[SeenItem] = []
    cards: list[SeenItem] = [(card, ("rules.seen_supply", {})) for card in position.supply]
    for number, space in enumerate(position.spaces, start=1):
        pieces += [(piece, ("position.on_space", {"space": number})) for piece in space]
    for number, card in enumerate(position.tops, start=1):
        cards.append((card, ("rules.seen_pile", {"pile": number})))
    for name, seat in zip(game.options.players, seats, strict=True):
        owner: dict[str, object] = {"player": name}
        pieces += [(piece, ("position.on_board", owner)) for piece in seat.board]
        pieces += [(FEATHER, ("position.beside_board", owner))] * seat.golden
        cards += [(card, ("rules.seen_hand", owner)) for card in seat.hand + seat.temples]
        cards += [(card, ("rules.seen_discards", {})) for card in seat.discarded]
        built, beside = list_coatl_contents(name, seat.coatls)
        pieces += built
        cards += beside
    cards += [(card, ("rules.seen_discards", {})) for card in position.discards]
    if position.adam:
        for card, held in position.adam.row:
            cards.append((card, ("rules.seen_adam", {})))
            pieces += [(piece, ("position.adams_card", {"card": card})) for piece in held]
        cards += [(card, ("rules.seen_fulfilled", {})) for card in position.adam.fulfilled]
        pieces += [(piece, ("position.out_of_game", {})) for piece in position.adam.discarded]
    return pieces, cards


def _build_piles(
    position: Position, left: int, seats: tuple[PositionSeat, ...]
) -> tuple[Pile, Pile]:
    """Build the Temple piles; what nobody counted is worked out from what is left (rule 2.3)."""
    left -= sum(seat.temples.count(UNKNOWN_CARD) for seat in seats)
    one, other = position.below
    if one is None and other is None and all(position.tops):
        one = left - left // 2
    if one is None:
        one = left - (other or 0) if position.tops[0] else 0
    if other is None:
        other = left - one
    return Pile(position.tops[0], one), Pile(position.tops[1], other)


def _build_players(seats: tuple[PositionSeat, ...], forgotten: int) -> tuple[Player, ...]:
    """Build the players; the first gets the forgotten discards, as no rule asks whose they were."""
    return tuple(
        Player(
            board=seat.board,
            coatls=seat.coatls,
            hand=seat.hand,
            shown=seat.shown,
            temples=seat.temples,
            temples_shown=seat.temples_shown,
            tokens=seat.tokens,
            discarded=(UNKNOWN_CARD,) * (forgotten if index == 0 else 0) + seat.discarded,
            feathers=seat.golden,
        )
        for index, seat in enumerate(seats)
    )
