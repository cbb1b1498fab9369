"""The Supply board: taking pieces, replenishing, filling spaces from the bags."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.actions.turns import (
    continue_after_action,
    continue_after_draw,
    count_actions_after,
    make_wrong_draw_error,
    trigger_no_bodies_ending,
)
from coatl_tools.rules.constants import (
    BAG_INDEX,
    BOARD_SPACES,
    BODY,
    HEAD,
    KIND_OF_PIECE,
    PIECES_OF_KIND,
    PIECES_PER_SPACE,
    SPACE_KINDS,
    TAIL,
    Bag,
    Pieces,
    phrase_piece,
)
from coatl_tools.rules.events import FillSpace, TakePieces
from coatl_tools.rules.state import (
    Draw,
    FillDraw,
    GameState,
    add_sorted,
    replace_current_player,
    replace_item,
)

_FILL_DRAWS = tuple(FillDraw(space) for space in range(1, len(SPACE_KINDS) + 1))

BAG_FIELDS = {BODY: "bodies", HEAD: "heads", TAIL: "tails"}  # of a state, by kind
_EXPECTED_KINDS: dict[str, list[str]] = {
    kind: [kind] * number for kind, number in PIECES_PER_SPACE.items()
}
SPACE_ERROR_KEYS = {
    BODY: "rules.space_holds_b",
    HEAD: "rules.space_holds_h",
    TAIL: "rules.space_holds_t",
}


def get_bag(state: GameState, kind: str) -> Bag:
    """Return what is left in the bag of a kind."""
    bag: Bag = getattr(state, BAG_FIELDS[kind])
    return bag


def take_pieces(state: GameState, event: TakePieces) -> GameState:
    """Empty a space onto the own board (rule 3.1), and replenish if that is due (rule 3.2)."""
    actions = count_actions_after(state, None)
    if not 1 <= event.space <= len(state.spaces):
        raise IllegalActionError("rules.no_space", "1.4", space=event.space, n=len(state.spaces))
    place = event.space - 1
    pieces = state.spaces[place]
    if not pieces:
        raise IllegalActionError("rules.space_empty", "3.1", space=event.space)
    player = state.players[state.current_player]
    check_room(player.board, len(pieces), "3.1")
    player = player._replace(board=add_sorted(player.board, *pieces))
    spaces = replace_item(state.spaces, place, ())
    state = replace_current_player(state, player, actions_left=actions, spaces=spaces)
    return continue_after_action(replenish_supply_board(state))


def replenish_supply_board(state: GameState) -> GameState:
    """Refill the Supply board if that is due (3.2); without enough bodies, begin the end (3.3)."""
    left = {KIND_OF_PIECE[pieces[0]] for pieces in state.spaces if pieces}
    if BODY in left and len(left) > 1:  # a body, and a head or a tail
        return state
    state = state._replace(draws=list_supply_board_draws(state))
    if BODY not in left and sum(state.bodies) < PIECES_PER_SPACE[BODY]:
        state = trigger_no_bodies_ending(state)
    return state


def list_supply_board_draws(state: GameState) -> tuple[Draw, ...]:
    """List the draws that fill the empty spaces, as far as the bags go, lowest first (rule 3.2)."""
    left = {BODY: sum(state.bodies), HEAD: sum(state.heads), TAIL: sum(state.tails)}
    draws = []
    for place, (kind, pieces) in enumerate(
        zip(state.game.options.space_kinds, state.spaces, strict=True)
    ):
        if not pieces and left[kind] >= PIECES_PER_SPACE[kind]:
            left[kind] -= PIECES_PER_SPACE[kind]
            draws.append(_FILL_DRAWS[place])
    return tuple(draws)


def answer_fill_draw(state: GameState, draw: FillDraw, event: FillSpace) -> GameState:
    """Put pieces onto a space; IllegalActionError if the bag does not hold them."""
    if draw.space != event.space:
        raise make_wrong_draw_error(state)
    place = event.space - 1
    kind = state.game.options.space_kinds[place]
    if [KIND_OF_PIECE.get(piece) for piece in event.pieces] != _EXPECTED_KINDS[kind]:
        raise IllegalActionError(
            SPACE_ERROR_KEYS[kind],
            "1.4",
            space=event.space,
            pieces=" ".join(event.pieces),
            n=PIECES_PER_SPACE[kind],
        )
    spaces = replace_item(state.spaces, place, event.pieces)
    bag = remove_from_bag(get_bag(state, kind), event.pieces, "1.2")
    return continue_after_draw(state, spaces=spaces, **{BAG_FIELDS[kind]: bag})


def remove_from_bag(bag: Bag, pieces: Pieces, rule: str) -> Bag:
    """Return the bag without these pieces; IllegalActionError if it has too few of one."""
    left = list(bag)
    for piece in pieces:
        left[BAG_INDEX[piece]] -= 1
        if left[BAG_INDEX[piece]] < 0:
            raise IllegalActionError(
                "rules.bag_lacks",
                rule,
                piece=phrase_piece(piece),
                left=bag[BAG_INDEX[piece]],
                wanted=pieces.count(piece),
            )
    return tuple(left)


def check_room(board: Pieces, pieces: int, rule: str) -> None:
    """Raise IllegalActionError if so many more pieces do not fit on a board."""
    room = BOARD_SPACES - len(board)
    if pieces > room:
        raise IllegalActionError("rules.no_room", rule, room=room, pieces=pieces)


def list_fills(state: GameState, space: int) -> list[FillSpace]:
    """List everything that may come onto a space, in either order on a body space."""
    kind = state.game.options.space_kinds[space - 1]
    bag, pieces = get_bag(state, kind), PIECES_OF_KIND[kind]
    there = [piece for piece, number in zip(pieces, bag, strict=True) if number]
    if PIECES_PER_SPACE[kind] == 1:
        return [FillSpace(space, (piece,)) for piece in there]
    return [
        FillSpace(space, (first, second))
        for first in there
        for second in there
        if first != second or bag[BAG_INDEX[first]] > 1
    ]
