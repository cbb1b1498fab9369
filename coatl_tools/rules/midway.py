"""Joining a game midway: the state of a table from what people see there when a turn begins.

Bags and decks are what is left. What was never seen stays open: hidden cards may be any card that
lies nowhere else, so that nothing is refused that may be true.
"""

from __future__ import annotations

from coatl_tools.errors import Phrase, PositionError
from coatl_tools.rules.box import (
    ADAM,
    BOARD_SPACES,
    FEATHER,
    HAND_LIMIT,
    KIND,
    PER_SPACE,
    PRIEST_COMMITMENT,
    SUPPLY_CARDS,
    TOKENS,
    Pieces,
)
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.final_turns import final_turns
from coatl_tools.rules.game import Game
from coatl_tools.rules.needs import COLOUR_OF, NOTHING, lacking
from coatl_tools.rules.position import Position, PositionSeat, position_of
from coatl_tools.rules.possible import (
    Seen,
    bags_without,
    checked_coatls,
    deck_without,
    need_prophecy,
    need_temple,
    seen_in_coatls,
)
from coatl_tools.rules.setup import opening
from coatl_tools.rules.state import (
    ADAMS_TURN,
    READY,
    Adam,
    Pile,
    Player,
    State,
)
from coatl_tools.rules.supply_board import HOLDS
from coatl_tools.rules.turn_start import check_board, check_piles, check_supply

__all__ = ["Position", "PositionSeat", "laid_out", "midway", "position_of"]


def midway(game: Game, position: Position) -> State:
    """The state of a table that looks like this; PositionError if no game can lead there."""
    state = laid_out(game, position)
    for check in (check_piles, check_supply, check_board):
        check(state)
    actions, last = final_turns(state, position.ending, position.final)
    return state._replace(ending=position.ending, actions=actions, last=last)


def laid_out(game: Game, position: Position) -> State:
    """The table as far as it is told: PositionError for what cannot be, whatever else comes."""
    if len(position.seats) != game.size:
        raise PositionError("position.seats", "2.2", n=len(position.seats), players=game.size)
    if position.turn not in game.order:
        raise PositionError("rules.no_player", "2.2", player=position.turn + 1)
    if (position.adam is None) is game.solo:
        raise PositionError("position.adam_missing" if game.solo else "rules.no_adam", "7.1")
    seats = tuple(
        _checked_seat(game, name, seat)
        for name, seat in zip(game.options.players, position.seats, strict=True)
    )
    _check_spaces(game, position.spaces)
    _check_open_cards(game, position)
    if position.adam:
        _check_adam(game, position.adam)
    pieces, cards = _seen(game, position, seats)
    bodies, heads, tails = bags_without(game, pieces)
    free = deck_without(
        game, game.prophecies, [found for found in cards if game.is_prophecy(found[0])]
    )
    temples_free = deck_without(
        game, game.temples, [found for found in cards if game.is_temple(found[0])]
    )
    hidden = sum((seat.hand + seat.discarded for seat in seats), position.discards).count(UNKNOWN)
    if hidden > len(free):
        raise PositionError("position.hidden_cards", "1.3", n=hidden, left=len(free))
    return opening(game)._replace(
        stage=ADAMS_TURN if game.solo and position.turn == ADAM else READY,
        turn=position.turn,
        passes=position.passes,
        draws=(),
        spaces=position.spaces,
        bodies=bodies,
        heads=heads,
        tails=tails,
        supply=position.supply,
        deck=len(free) - hidden,
        free=(free,),
        discards=tuple(sorted(card for card in position.discards if card != UNKNOWN)),
        temples_free=temples_free,
        piles=_piles(position, len(temples_free), seats),
        players=_players(seats, position.discards.count(UNKNOWN)),
        adam=position.adam,
    )


def _checked_seat(game: Game, name: str, seat: PositionSeat) -> PositionSeat:
    where: Phrase = ("position.player", {"player": name})
    if len(seat.board) > BOARD_SPACES:
        raise PositionError(
            "position.board_full", "1.5", where, most=BOARD_SPACES, n=len(seat.board)
        )
    for piece in seat.board:
        _need_piece(game, piece, where)
    if seat.golden and not game.options.golden_feathers:
        raise PositionError("position.no_golden", "10.3", where)
    if len(seat.hand) > game.hand_limit:
        rule = "3.4" if game.hand_limit == HAND_LIMIT else "7.10"
        raise PositionError("rules.hand_full", rule, where, most=game.hand_limit)
    for card in seat.hand + seat.discarded:
        if not _is_hidden(game, card, where):
            need_prophecy(game, card, where)
    for card in seat.temples:
        if not _is_hidden(game, card, where):
            need_temple(game, card, where)
    for cards, shown in ((seat.hand, seat.shown), (seat.temples, seat.temples_shown)):
        for card in shown:
            if card == UNKNOWN or shown.count(card) > cards.count(card):
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
        coatls=checked_coatls(game, name, seat.coatls),
        hand=tuple(sorted(seat.hand)),
        temples=tuple(sorted(seat.temples)),
        tokens=tuple(token for token in TOKENS if token in seat.tokens),
        golden=seat.golden,
        discarded=tuple(sorted(seat.discarded)),
        shown=tuple(sorted(seat.shown)),
        temples_shown=tuple(sorted(seat.temples_shown)),
    )


def _check_temples(game: Game, seat: PositionSeat, where: Phrase) -> None:
    """A Temple card is dealt (rule 2.3, ruling 9.9), another comes by Priest Commitment (3.16)."""
    options = game.options
    most = int(not game.solo or options.solo_temple_in_hand)
    most += options.tokens and PRIEST_COMMITMENT not in seat.tokens
    if len(seat.temples) > most:
        rule = "9.9" if game.solo else "3.16"
        raise PositionError("position.temples", rule, where, most=most, n=len(seat.temples))


def _is_hidden(game: Game, card: str, where: Phrase) -> bool:
    if card == UNKNOWN and not game.hidden_hands:
        raise PositionError("rules.must_be_known", "9.17", where)
    return card == UNKNOWN


def _need_piece(game: Game, piece: str, where: Phrase) -> None:
    if piece not in KIND:
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
            _need_piece(game, piece, where)
        if pieces and [KIND[piece] for piece in pieces] != [kind] * PER_SPACE[kind]:
            raise PositionError(HOLDS[kind], "1.4", where, space=number, pieces=" ".join(pieces))


def _check_open_cards(game: Game, position: Position) -> None:
    where: Phrase = ("rules.seen_supply", {})
    for card in position.supply:
        need_prophecy(game, card, where)
    if len(position.supply) > SUPPLY_CARDS:
        raise PositionError(
            "position.supply", "2.4", where, most=SUPPLY_CARDS, n=len(position.supply)
        )
    where = ("rules.seen_discards", {})
    for card in position.discards:
        if not _is_hidden(game, card, where):
            need_prophecy(game, card, where)
    for number, card in enumerate(position.tops, start=1):
        if card:
            need_temple(game, card, ("rules.seen_pile", {"pile": number}))
    if not 0 <= position.passes < len(game.order):
        raise PositionError("position.passes", "9.2", n=position.passes, most=len(game.order) - 1)


def _check_adam(game: Game, adam: Adam) -> None:
    where: Phrase = ("rules.seen_adam", {})
    if len(adam.row) > game.adam_cards:
        raise PositionError(
            "position.adam_row", "7.1", where, most=game.adam_cards, n=len(adam.row)
        )
    for wanted in adam.row:
        need_prophecy(game, wanted.card, where)
        where = ("position.adams_card", {"card": wanted.card})
        for piece in wanted.pieces:
            _need_piece(game, piece, where)
            if piece not in COLOUR_OF:
                raise PositionError("position.no_golden", "10.3", where)
        lacks = lacking(game.needs[wanted.card], wanted.pieces)
        if min(lacks) < 0:
            raise PositionError("position.adam_needs", "7.5", where, card=wanted.card)
        if lacks == NOTHING:
            raise PositionError("position.adam_fulfils", "7.6", where, card=wanted.card)
    for card in adam.fulfilled:
        need_prophecy(game, card, ("rules.seen_fulfilled", {}))
    for piece in adam.discarded:
        _need_piece(game, piece, ("position.out_of_game", {}))


def _seen(
    game: Game, position: Position, seats: tuple[PositionSeat, ...]
) -> tuple[list[Seen], list[Seen]]:
    """All pieces and all cards that lie somewhere, and where."""
    pieces: list[Seen] = []
    cards: list[Seen] = [(card, ("rules.seen_supply", {})) for card in position.supply]
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
        built, beside = seen_in_coatls(name, seat.coatls)
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


def _piles(position: Position, left: int, seats: tuple[PositionSeat, ...]) -> tuple[Pile, Pile]:
    """The Temple piles; what nobody counted is worked out from what is left (rule 2.3)."""
    left -= sum(seat.temples.count(UNKNOWN) for seat in seats)
    one, other = position.below
    if one is None and other is None and all(position.tops):
        one = left - left // 2
    if one is None:
        one = left - (other or 0) if position.tops[0] else 0
    if other is None:
        other = left - one
    return Pile(position.tops[0], one), Pile(position.tops[1], other)


def _players(seats: tuple[PositionSeat, ...], forgotten: int) -> tuple[Player, ...]:
    """The players; the first gets the forgotten discards, as no rule asks whose they were."""
    return tuple(
        Player(
            board=seat.board,
            coatls=seat.coatls,
            hand=seat.hand,
            shown=seat.shown,
            temples=seat.temples,
            temples_shown=seat.temples_shown,
            tokens=seat.tokens,
            discarded=(UNKNOWN,) * (forgotten if index == 0 else 0) + seat.discarded,
            feathers=seat.golden,
        )
        for index, seat in enumerate(seats)
    )
