"""Assembling: beginning a Cóatl, attaching pieces, placing cards, completing."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import (
    COATLS_TO_END,
    ENDS,
    FEATHER,
    HEAD,
    KIND,
    OPEN_COATLS,
    PROPHECIES_PER_COATL,
    TAIL,
    piece_in_words,
)
from coatl_tools.rules.completing import can_complete
from coatl_tools.rules.events import (
    HAND,
    UNKNOWN,
    Attach,
    Begin,
    Complete,
    PlaceProphecy,
    PlaceTemple,
)
from coatl_tools.rules.flow import actions_after, not_now, third_coatl
from coatl_tools.rules.prophecies import out_of_hand
from coatl_tools.rules.state import (
    ASSEMBLING,
    CLOSING,
    Built,
    Player,
    State,
    replaced,
    without,
)
from coatl_tools.rules.temples import out_of_temples, take_top, temples_in_hand, top_of


def begin(state: State, event: Begin) -> State:
    """Begin a new Cóatl with one piece (rule 3.6)."""
    actions = actions_after(state, ASSEMBLING)
    player = _with_piece(state, event.piece)
    if sum(not coatl.complete for coatl in player.coatls) >= OPEN_COATLS:
        raise IllegalActionError("rules.two_open", "3.6", most=OPEN_COATLS)
    limit = state.game.options.coatl_limit
    if limit is not None and len(player.coatls) >= limit:
        raise IllegalActionError("rules.coatl_limit", "8.2", most=limit)
    player = player._replace(
        board=without(player.board, event.piece), coatls=(*player.coatls, Built(event.piece))
    )
    return _assembled(state, actions, player)


def attach(state: State, event: Attach) -> State:
    """Attach a piece to an end of a Cóatl (rule 3.7); the closing piece asks for cards (3.10)."""
    actions = actions_after(state, ASSEMBLING)
    player = _with_piece(state, event.piece)
    coatl = _open_coatl(player, event.coatl)
    text = attached(coatl.text, event.piece, event.end)
    closes = text[0] == "<" and text[-1] == ">"
    if closes and not can_complete(state, player, text, coatl.prophecies):
        if state.game.least_prophecies > 1:
            raise IllegalActionError("rules.not_four_fit", "7.10", coatl=text)
        raise IllegalActionError("rules.no_prophecy_fits", "3.10", coatl=text)
    player = player._replace(
        board=without(player.board, event.piece),
        coatls=_with_coatl(player, event.coatl, Built(text, coatl.prophecies)),
    )
    if not closes:
        return _assembled(state, actions, player)
    return state._replace(
        stage=CLOSING,
        actions=actions,
        closing=event.coatl,
        players=replaced(state.players, state.turn, player),
    )


def attached(text: str, piece: str, end: str) -> str:
    """A Cóatl with one more piece; IllegalActionError where it cannot be (rules 3.7, 3.10)."""
    kind = KIND[piece]
    if end not in ENDS:
        raise IllegalActionError("rules.which_end", "3.7", end=end)
    if kind == HEAD and end != "head":
        raise IllegalActionError("rules.head_end", "3.7")
    if kind == TAIL and end != "tail":
        raise IllegalActionError("rules.tail_end", "3.7")
    if end == "head" and text[0] == "<":
        raise IllegalActionError("rules.beyond_head", "3.7", coatl=text)
    if end == "tail" and text[-1] == ">":
        raise IllegalActionError("rules.beyond_tail", "3.7", coatl=text)
    whole = piece + text if end == "head" else text + piece
    if whole[0] == "<" and whole[-1] == ">" and len(whole) == 4:
        raise IllegalActionError("rules.head_on_tail", "3.10")
    return whole


def place_prophecy(state: State, event: PlaceProphecy) -> State:
    """Place a Prophecy card beside a Cóatl that satisfies it (rules 3.6, 3.9, 3.10)."""
    closing = state.stage is CLOSING
    actions = state.actions if closing else actions_after(state, ASSEMBLING)
    player = state.players[state.turn]
    coatl = _closing_coatl(state, event.coatl) if closing else _open_coatl(player, event.coatl)
    if len(coatl.prophecies) >= PROPHECIES_PER_COATL:
        raise IllegalActionError("rules.four_prophecies", "3.9", most=PROPHECIES_PER_COATL)
    state, player = out_of_hand(state, player, event.card, "3.6")
    if event.card in coatl.prophecies:
        raise IllegalActionError("rules.identical", "3.9", card=event.card)
    if state.game.by_id[event.card].colour in state.game.colours_taken(coatl.prophecies):
        raise IllegalActionError("rules.same_colour", "7.10", card=event.card)
    if not state.game.satisfies(coatl.text, event.card, coatl.prophecies):
        raise IllegalActionError("rules.not_satisfied", "3.9", card=event.card, coatl=coatl.text)
    coatl = coatl._replace(prophecies=(*coatl.prophecies, event.card))
    if closing and not can_complete(state, player, coatl.text, coatl.prophecies):
        raise IllegalActionError("rules.could_not_fill", "7.10", card=event.card)
    player = player._replace(coatls=_with_coatl(player, event.coatl, coatl))
    if closing:
        return state._replace(players=replaced(state.players, state.turn, player))
    return _assembled(state, actions, player)


def place_temple(state: State, event: PlaceTemple) -> State:
    """Place a Temple card beside the Cóatl just closed, which completes it (rule 3.11)."""
    coatl = _closing_coatl(state, event.coatl)
    _need_prophecies(state, coatl)
    player = state.players[state.turn]
    if event.source == HAND:
        state, player = out_of_temples(state, player, event.card)
    elif top_of(state, event.source, "3.11") != event.card:
        raise IllegalActionError("rules.not_on_top", "2.3", card=event.card, pile=event.source)
    if not state.game.satisfies(coatl.text, event.card, coatl.prophecies):
        raise IllegalActionError("rules.not_satisfied", "3.11", card=event.card, coatl=coatl.text)
    state = _completed(state, player, coatl._replace(temple=event.card))
    return state if event.source == HAND else take_top(state, event.source)


def complete(state: State, _: Complete) -> State:
    """Complete the Cóatl just closed, without a Temple card (rules 3.11, 3.12; ruling 9.3)."""
    if state.stage is not CLOSING:
        raise IllegalActionError("rules.nothing_closed", "3.10")
    coatl = _closing_coatl(state, state.closing)
    _need_prophecies(state, coatl)
    if not may_skip_temple(state, coatl):
        raise IllegalActionError("rules.temple_required", "9.3")
    return _completed(state, state.players[state.turn], coatl)


def _completed(state: State, player: Player, coatl: Built) -> State:
    coatls = _with_coatl(player, state.closing, coatl._replace(complete=True))
    player = player._replace(coatls=coatls)
    state = state._replace(
        stage=ASSEMBLING, closing=0, players=replaced(state.players, state.turn, player)
    )
    return third_coatl(state) if player.completed >= COATLS_TO_END else state  # rule 3.13


def _need_prophecies(state: State, coatl: Built) -> None:
    least = state.game.least_prophecies
    if len(coatl.prophecies) >= least:
        return
    if least > 1:
        raise IllegalActionError("rules.first_four", "7.10", least=least)
    raise IllegalActionError("rules.first_prophecy", "3.10")


def _assembled(state: State, actions: int, player: Player) -> State:
    return state._replace(
        stage=ASSEMBLING,
        actions=actions,
        players=replaced(state.players, state.turn, player),
    )


def _with_piece(state: State, piece: str) -> Player:
    """The player, who has this piece; IllegalActionError if not."""
    player = state.players[state.turn]
    if piece not in player.board:
        raise IllegalActionError("rules.no_piece", "3.6", piece=piece_in_words(piece))
    if piece == FEATHER:
        raise IllegalActionError("rules.feather_not_built", "10.3")
    return player


def _open_coatl(player: Player, number: int) -> Built:
    if not 1 <= number <= len(player.coatls):
        raise IllegalActionError("rules.no_coatl", "3.6", coatl=number)
    coatl = player.coatls[number - 1]
    if coatl.complete:
        raise IllegalActionError("rules.coatl_complete", "3.12", coatl=number)
    return coatl


def _closing_coatl(state: State, number: int) -> Built:
    if state.stage is not CLOSING:
        raise IllegalActionError("rules.temple_only_then", "3.11")
    if number != state.closing:
        raise not_now(state)
    return state.players[state.turn].coatls[number - 1]


def _with_coatl(player: Player, number: int, coatl: Built) -> tuple[Built, ...]:
    return (*player.coatls[: number - 1], coatl, *player.coatls[number:])


def temples_for(state: State, coatl: Built) -> list[PlaceTemple]:
    """Every Temple card that may be placed on the Cóatl just closed."""
    game, number = state.game, state.closing
    hand = temples_in_hand(state, state.players[state.turn])
    tops = [(pile.top, place) for place, pile in enumerate(state.piles, start=1) if pile.top]
    return [
        PlaceTemple(card, number, source)
        for card, source in [*((card, HAND) for card in hand), *tops]
        if game.satisfies(coatl.text, card, coatl.prophecies)
    ]


def may_skip_temple(state: State, coatl: Built) -> bool:
    """Whether a Cóatl may be completed without a Temple card (rulings 9.3, 9.17)."""
    if not state.game.options.temple_required:
        return True
    player = state.players[state.turn]
    known = player._replace(temples=tuple(card for card in player.temples if card != UNKNOWN))
    sure = state._replace(players=replaced(state.players, state.turn, known))
    if temples_for(sure, coatl):
        return False
    unfit = [
        card
        for card in state.temples_free
        if not state.game.satisfies(coatl.text, card, coatl.prophecies)
    ]
    return len(player.temples) - len(known.temples) <= len(unfit)
