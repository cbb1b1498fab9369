"""Assembling: beginning a Cóatl, attaching pieces, placing cards, completing."""

from __future__ import annotations

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL
from coatl_tools.errors import IllegalActionError
from coatl_tools.pieces import AttachmentFault, find_attachment_fault
from coatl_tools.rules.actions.prophecies import can_complete, take_prophecy_from_hand
from coatl_tools.rules.actions.temples import (
    get_pile_top,
    list_temples_in_hand,
    take_pile_top,
    take_temple_from_hand,
)
from coatl_tools.rules.actions.turns import (
    count_actions_after,
    make_not_now_error,
    trigger_third_coatl_ending,
)
from coatl_tools.rules.constants import (
    COATLS_TO_END,
    ENDS,
    FEATHER,
    MAX_OPEN_COATLS,
    phrase_piece,
)
from coatl_tools.rules.events import (
    FROM_HAND,
    UNKNOWN_CARD,
    AttachPiece,
    BeginCoatl,
    CompleteCoatl,
    PlaceProphecy,
    PlaceTemple,
)
from coatl_tools.rules.state import (
    ASSEMBLING,
    CLOSING,
    Built,
    GameState,
    Player,
    remove_item,
    replace_current_player,
    replace_item,
)


def begin_coatl(state: GameState, event: BeginCoatl) -> GameState:
    """Begin a new Cóatl with one piece (rule 3.6)."""
    actions = count_actions_after(state, ASSEMBLING)
    player = _get_player_with_piece(state, event.piece)
    if sum(not coatl.complete for coatl in player.coatls) >= MAX_OPEN_COATLS:
        raise IllegalActionError("rules.two_open", "3.6", most=MAX_OPEN_COATLS)
    limit = state.game.options.coatl_limit
    if limit is not None and len(player.coatls) >= limit:
        raise IllegalActionError("rules.coatl_limit", "8.2", most=limit)
    player = player._replace(
        board=remove_item(player.board, event.piece), coatls=(*player.coatls, Built(event.piece))
    )
    return _continue_assembly(state, actions, player)


def attach_piece(state: GameState, event: AttachPiece) -> GameState:
    """Attach a piece to an end of a Cóatl (rule 3.7); the closing piece asks for cards (3.10)."""
    actions = count_actions_after(state, ASSEMBLING)
    player = _get_player_with_piece(state, event.piece)
    coatl = _get_open_coatl(player, event.coatl)
    text = attach_to_text(coatl.text, event.piece, event.end)
    closes = text[0] == "<" and text[-1] == ">"
    if closes and not can_complete(state, player, text, coatl.prophecies):
        if state.game.least_prophecies > 1:
            raise IllegalActionError("rules.not_four_fit", "7.10", coatl=text)
        raise IllegalActionError("rules.no_prophecy_fits", "3.10", coatl=text)
    player = player._replace(
        board=remove_item(player.board, event.piece),
        coatls=_replace_coatl(player, event.coatl, Built(text, coatl.prophecies)),
    )
    if not closes:
        return _continue_assembly(state, actions, player)
    return replace_current_player(
        state, player, stage=CLOSING, actions_left=actions, closing=event.coatl
    )


def attach_to_text(text: str, piece: str, end: str) -> str:
    """Attach a piece to the text of a Cóatl; raises IllegalActionError where it may not be."""
    if end not in ENDS:
        raise IllegalActionError("rules.which_end", "3.7", end=end)
    match find_attachment_fault(text, piece, end):
        case None:
            return piece + text if end == "head" else text + piece
        case AttachmentFault.HEAD_ELSEWHERE:
            raise IllegalActionError("rules.head_end", "3.7")
        case AttachmentFault.TAIL_ELSEWHERE:
            raise IllegalActionError("rules.tail_end", "3.7")
        case AttachmentFault.BEYOND_HEAD:
            raise IllegalActionError("rules.beyond_head", "3.7", coatl=text)
        case AttachmentFault.BEYOND_TAIL:
            raise IllegalActionError("rules.beyond_tail", "3.7", coatl=text)
        case AttachmentFault.HEAD_ON_TAIL:
            raise IllegalActionError("rules.head_on_tail", "3.10")


def place_prophecy(state: GameState, event: PlaceProphecy) -> GameState:
    """Place a Prophecy card beside a Cóatl that satisfies it (rules 3.6, 3.9, 3.10)."""
    closing = state.stage is CLOSING
    actions = state.actions_left if closing else count_actions_after(state, ASSEMBLING)
    player = state.players[state.current_player]
    coatl = (
        _get_closing_coatl(state, event.coatl) if closing else _get_open_coatl(player, event.coatl)
    )
    if len(coatl.prophecies) >= MAX_PROPHECIES_PER_COATL:
        raise IllegalActionError("rules.four_prophecies", "3.9", most=MAX_PROPHECIES_PER_COATL)
    state, player = take_prophecy_from_hand(state, player, event.card, "3.6")
    if event.card in coatl.prophecies:
        raise IllegalActionError("rules.identical", "3.9", card=event.card)
    if state.game.by_id[event.card].colour in state.game.colours_taken(coatl.prophecies):
        raise IllegalActionError("rules.same_colour", "7.10", card=event.card)
    if not state.game.satisfies(coatl.text, event.card, coatl.prophecies):
        raise IllegalActionError("rules.not_satisfied", "3.9", card=event.card, coatl=coatl.text)
    coatl = coatl._replace(prophecies=(*coatl.prophecies, event.card))
    if closing and not can_complete(state, player, coatl.text, coatl.prophecies):
        raise IllegalActionError("rules.could_not_fill", "7.10", card=event.card)
    player = player._replace(coatls=_replace_coatl(player, event.coatl, coatl))
    if closing:
        return replace_current_player(state, player)
    return _continue_assembly(state, actions, player)


def place_temple(state: GameState, event: PlaceTemple) -> GameState:
    """Place a Temple card beside the Cóatl just closed, which completes it (rule 3.11)."""
    coatl = _get_closing_coatl(state, event.coatl)
    _check_enough_prophecies(state, coatl)
    player = state.players[state.current_player]
    if event.source == FROM_HAND:
        state, player = take_temple_from_hand(state, player, event.card)
    elif get_pile_top(state, event.source, "3.11") != event.card:
        raise IllegalActionError("rules.not_on_top", "2.3", card=event.card, pile=event.source)
    if not state.game.satisfies(coatl.text, event.card, coatl.prophecies):
        raise IllegalActionError("rules.not_satisfied", "3.11", card=event.card, coatl=coatl.text)
    state = _finish_coatl(state, player, coatl._replace(temple=event.card))
    return state if event.source == FROM_HAND else take_pile_top(state, event.source)


def complete_coatl(state: GameState, _: CompleteCoatl) -> GameState:
    """Complete the Cóatl just closed, without a Temple card (rules 3.11, 3.12; ruling 9.3)."""
    if state.stage is not CLOSING:
        raise IllegalActionError("rules.nothing_closed", "3.10")
    coatl = _get_closing_coatl(state, state.closing)
    _check_enough_prophecies(state, coatl)
    if not can_skip_temple(state, coatl):
        raise IllegalActionError("rules.temple_required", "9.3")
    return _finish_coatl(state, state.players[state.current_player], coatl)


def _finish_coatl(state: GameState, player: Player, coatl: Built) -> GameState:
    coatls = _replace_coatl(player, state.closing, coatl._replace(complete=True))
    player = player._replace(coatls=coatls)
    state = replace_current_player(state, player, stage=ASSEMBLING, closing=0)
    if player.completed >= COATLS_TO_END:  # rule 3.13
        return trigger_third_coatl_ending(state)
    return state


def _check_enough_prophecies(state: GameState, coatl: Built) -> None:
    least = state.game.least_prophecies
    if len(coatl.prophecies) >= least:
        return
    if least > 1:
        raise IllegalActionError("rules.first_four", "7.10", least=least)
    raise IllegalActionError("rules.first_prophecy", "3.10")


def _continue_assembly(state: GameState, actions: int, player: Player) -> GameState:
    return replace_current_player(state, player, stage=ASSEMBLING, actions_left=actions)


def _get_player_with_piece(state: GameState, piece: str) -> Player:
    """Return the current player; IllegalActionError if they lack this piece, or it is golden."""
    player = state.players[state.current_player]
    if piece not in player.board:
        raise IllegalActionError("rules.no_piece", "3.6", piece=phrase_piece(piece))
    if piece == FEATHER:
        raise IllegalActionError("rules.feather_not_built", "10.3")
    return player


def _get_open_coatl(player: Player, number: int) -> Built:
    if not 1 <= number <= len(player.coatls):
        raise IllegalActionError("rules.no_coatl", "3.6", coatl=number)
    coatl = player.coatls[number - 1]
    if coatl.complete:
        raise IllegalActionError("rules.coatl_complete", "3.12", coatl=number)
    return coatl


def _get_closing_coatl(state: GameState, number: int) -> Built:
    if state.stage is not CLOSING:
        raise IllegalActionError("rules.temple_only_then", "3.11")
    if number != state.closing:
        raise make_not_now_error(state)
    return state.players[state.current_player].coatls[number - 1]


def _replace_coatl(player: Player, number: int, coatl: Built) -> tuple[Built, ...]:
    return replace_item(player.coatls, number - 1, coatl)


def list_placeable_temples(state: GameState, coatl: Built) -> list[PlaceTemple]:
    """List every Temple card that may be placed beside the Cóatl just closed."""
    game, number = state.game, state.closing
    hand = list_temples_in_hand(state, state.players[state.current_player])
    tops = [(pile.top, place) for place, pile in enumerate(state.piles, start=1) if pile.top]
    return [
        PlaceTemple(card, number, source)
        for card, source in [*((card, FROM_HAND) for card in hand), *tops]
        if game.satisfies(coatl.text, card, coatl.prophecies)
    ]


def can_skip_temple(state: GameState, coatl: Built) -> bool:
    """Tell whether a Cóatl may be completed without a Temple card (rulings 9.3, 9.17)."""
    if not state.game.options.temple_required:
        return True
    player = state.players[state.current_player]
    known = player._replace(temples=tuple(card for card in player.temples if card != UNKNOWN_CARD))
    sure = replace_current_player(state, known)
    if list_placeable_temples(sure, coatl):
        return False
    unfit = [
        card
        for card in state.unlocated_temples
        if not state.game.satisfies(coatl.text, card, coatl.prophecies)
    ]
    return len(player.temples) - len(known.temples) <= len(unfit)
