"""The Supply board: taking pieces, filling spaces, Perfect Pick."""

from __future__ import annotations

from collections import Counter

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import (
    BOARD_SPACES,
    BODY,
    FEATHER,
    HEAD,
    KIND,
    PER_SPACE,
    PERFECT_PICK,
    PIECES,
    PLACE,
    SPACE_KINDS,
    TAIL,
    Bag,
    Pieces,
    piece_in_words,
)
from coatl_tools.rules.events import Fill, PerfectPick, TakePieces
from coatl_tools.rules.flow import (
    actions_after,
    after_action,
    after_draw,
    no_bodies,
    other_draw,
)
from coatl_tools.rules.state import Draw, FillDraw, State, joined, replaced
from coatl_tools.rules.tokens import spent

_FILL_DRAWS = tuple(FillDraw(space) for space in range(1, len(SPACE_KINDS) + 1))

_EXPECTED: dict[str, list[str]] = {kind: [kind] * number for kind, number in PER_SPACE.items()}
HOLDS = {BODY: "rules.space_holds_b", HEAD: "rules.space_holds_h", TAIL: "rules.space_holds_t"}


def bag_of(state: State, kind: str) -> Bag:
    """What is left in the bag of a kind."""
    if kind == BODY:
        return state.bodies
    return state.heads if kind == HEAD else state.tails


def take_pieces(state: State, event: TakePieces) -> State:
    """Empty a space onto the own board (rule 3.1), and replenish if that is due (rule 3.2)."""
    actions = actions_after(state, None)
    if not 1 <= event.space <= len(state.spaces):
        raise IllegalActionError("rules.no_space", "1.4", space=event.space)
    place = event.space - 1
    pieces = state.spaces[place]
    if not pieces:
        raise IllegalActionError("rules.space_empty", "3.1", space=event.space)
    player = state.players[state.turn]
    need_room(player.board, len(pieces), "3.1")
    spaces = (*state.spaces[:place], (), *state.spaces[place + 1 :])
    player = player._replace(board=joined(player.board, *pieces))
    state = state._replace(
        actions=actions, spaces=spaces, players=replaced(state.players, state.turn, player)
    )
    return after_action(replenished(state))


def replenished(state: State) -> State:
    """The board after something was taken: filled if that is due (3.2), or the end (3.3)."""
    left = {KIND[pieces[0]] for pieces in state.spaces if pieces}
    if BODY in left and len(left) > 1:  # a body, and a head or a tail
        return state
    state = state._replace(draws=fill(state))
    if BODY not in left and sum(state.bodies) < PER_SPACE[BODY]:
        state = no_bodies(state)
    return state


def fill(state: State) -> tuple[Draw, ...]:
    """The draws that fill the empty spaces, as far as the bags go, lowest first (rule 3.2)."""
    left = {BODY: sum(state.bodies), HEAD: sum(state.heads), TAIL: sum(state.tails)}
    draws = []
    for place, (kind, pieces) in enumerate(
        zip(state.game.options.space_kinds, state.spaces, strict=True)
    ):
        if not pieces and left[kind] >= PER_SPACE[kind]:
            left[kind] -= PER_SPACE[kind]
            draws.append(_FILL_DRAWS[place])
    return tuple(draws)


def answer_fill(state: State, draw: Draw, event: Fill) -> State:
    """Pieces come onto a space; IllegalActionError if the bag does not hold them."""
    if not isinstance(draw, FillDraw) or draw.space != event.space:
        raise other_draw(state)
    place = event.space - 1
    kind = state.game.options.space_kinds[place]
    if [KIND.get(piece) for piece in event.pieces] != _EXPECTED[kind]:
        raise IllegalActionError(
            HOLDS[kind], "1.4", space=event.space, pieces=" ".join(event.pieces)
        )
    spaces = (*state.spaces[:place], event.pieces, *state.spaces[place + 1 :])
    bag = _out_of(bag_of(state, kind), event.pieces, "1.2")
    return after_draw(
        state._replace(
            draws=state.draws[1:],
            drawn=state.drawn + 1,
            spaces=spaces,
            bodies=bag if kind == BODY else state.bodies,
            heads=bag if kind == HEAD else state.heads,
            tails=bag if kind == TAIL else state.tails,
        )
    )


def _out_of(bag: Bag, pieces: Pieces, rule: str) -> Bag:
    """A bag without these pieces; IllegalActionError if it has too few of one."""
    left = list(bag)
    for piece in pieces:
        left[PLACE[piece]] -= 1
        if left[PLACE[piece]] < 0:
            raise IllegalActionError(
                "rules.bag_lacks",
                rule,
                piece=piece_in_words(piece),
                left=bag[PLACE[piece]],
                wanted=pieces.count(piece),
            )
    return tuple(left)


def perfect_pick(state: State, event: PerfectPick) -> State:
    """Pieces of one's choice out of a bag, then every empty space is filled (rule 3.14)."""
    actions, player = spent(state, PERFECT_PICK)
    kinds = Counter(KIND.get(piece, "") for piece in event.pieces)
    kind = next(iter(kinds), "")
    if FEATHER in event.pieces:
        raise IllegalActionError("rules.pick_no_feather", "10.3")
    if kinds != {kind: PER_SPACE.get(kind)}:
        raise IllegalActionError("rules.pick_what", "3.14", pieces=" ".join(event.pieces))
    need_room(player.board, len(event.pieces), "3.14")
    bag = _out_of(bag_of(state, kind), event.pieces, "3.14")
    player = player._replace(board=joined(player.board, *event.pieces))
    state = state._replace(
        actions=actions,
        players=replaced(state.players, state.turn, player),
        bodies=bag if kind == BODY else state.bodies,
        heads=bag if kind == HEAD else state.heads,
        tails=bag if kind == TAIL else state.tails,
    )
    return after_action(state._replace(draws=fill(state)))


def need_room(board: Pieces, pieces: int, rule: str) -> None:
    """Raise IllegalActionError if so many more pieces do not fit on a board."""
    room = BOARD_SPACES - len(board)
    if pieces > room:
        raise IllegalActionError("rules.no_room", rule, room=room, pieces=pieces)


def fills(state: State, space: int) -> list[Fill]:
    """Everything that may come onto a space, the order on a body space included."""
    kind = state.game.options.space_kinds[space - 1]
    bag, pieces = bag_of(state, kind), PIECES[kind]
    there = [piece for piece, number in zip(pieces, bag, strict=True) if number]
    if PER_SPACE[kind] == 1:
        return [Fill(space, (piece,)) for piece in there]
    return [
        Fill(space, (first, second))
        for first in there
        for second in there
        if first != second or bag[PLACE[first]] > 1
    ]
