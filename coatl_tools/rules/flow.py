"""How a game goes on: actions of a turn, the end of a turn, the end of the game."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import ADAM, SUPPLY_CARDS
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    BETWEEN,
    CARD_DRAWS,
    CHOOSING,
    CLOSING,
    DISCARDING,
    KEEPING,
    MUST_CHOOSE,
    OVER,
    READY,
    TURN_ENDED,
    AdamDraw,
    DealDraw,
    DeckDraw,
    Draw,
    Ending,
    FillDraw,
    PileDraw,
    Stage,
    State,
    SupplyDraw,
    TempleDraw,
    Turn,
    joined,
)

SUPPLY_DRAW, ADAM_DRAW = SupplyDraw(), AdamDraw()
MAY_BEGIN = (READY, BETWEEN, CHOOSING, ASSEMBLING)

# What is said to somebody who tries something else, and the rule behind it.
_INSTEAD = {
    KEEPING: ("rules.first_keep", "2.4"),
    MUST_CHOOSE: ("rules.first_choose", "9.4"),
    CLOSING: ("rules.first_complete", "3.10"),
    DISCARDING: ("rules.first_discard", "3.15"),
    ADAMS_TURN: ("rules.first_adam", "7.4"),
}

_DRAWS: dict[type, str] = {FillDraw: "3.2", PileDraw: "2.3", SupplyDraw: "3.5", DeckDraw: "3.4"}
_SETUP_DRAWS: dict[type, str] = {
    FillDraw: "2.1",
    TempleDraw: "2.3",
    PileDraw: "2.3",
    SupplyDraw: "2.4",
    AdamDraw: "7.1",
    DealDraw: "2.4",
}
_ENDINGS = {"third": "6.1", "bodies": "6.2", "": "9.2"}


def not_now(state: State) -> IllegalActionError:
    """The error for something that this stage of a turn does not allow."""
    if state.stage is OVER:
        cause = state.ending.cause if state.ending else ""
        rule = "7.9" if cause and state.game.solo else _ENDINGS[cause]
        return IllegalActionError("rules.over", rule)
    if state.stage in _INSTEAD:
        return IllegalActionError(*_INSTEAD[state.stage])
    if state.actions == 0:
        return IllegalActionError("rules.one_action", "3")
    return IllegalActionError("rules.not_now", "3")


def draw_rule(state: State) -> str:
    """The rule that asks for the awaited draw."""
    draw = type(state.draws[0])
    return (_SETUP_DRAWS if state.stage is KEEPING else _DRAWS)[draw]


def other_draw(state: State) -> IllegalActionError:
    """The error for an answer to another draw than the one that is awaited."""
    return IllegalActionError("rules.other_draw", draw_rule(state))


def actions_after(state: State, stage: Stage | None) -> int:
    """How many actions may be begun after this one; IllegalActionError if it may not be.

    `stage` is where an action of several steps goes on without beginning anew.
    """
    if state.stage is stage:
        return state.actions
    if state.actions and state.stage in MAY_BEGIN:
        return state.actions - 1
    raise not_now(state)


def cards_to_draw(state: State) -> int:
    """How many Prophecy cards can still be drawn, discards included (ruling 9.1)."""
    return state.deck + discards(state)


def discards(state: State) -> int:
    """How many Prophecy cards are discarded."""
    return len(state.discards) + sum([len(player.discarded) for player in state.players])


def refill(state: State) -> tuple[Draw, ...]:
    """The draws that fill the face-up Prophecy supply, as far as the cards go (rule 3.5)."""
    wanted = SUPPLY_CARDS - len(state.supply)
    if not wanted:
        return ()
    return (SUPPLY_DRAW,) * (wanted if state.deck >= wanted else min(wanted, cards_to_draw(state)))


def awaiting_draws(state: State) -> State:
    """The state with its deck rebuilt, if a card is to be drawn and there is none (ruling 9.1)."""
    if state.deck or not state.draws or not isinstance(state.draws[0], CARD_DRAWS):
        return state
    back = sum((player.discarded for player in state.players), state.discards)
    known = [card for card in back if card[0] != UNKNOWN]
    loose: list[str] = []  # in a hand, or in the deck: nobody can tell any more
    players = []
    for player in state.players:
        among = player.among
        if among and UNKNOWN in "".join(player.discarded):
            (loose if UNKNOWN in "".join(player.hand) else known).extend(among)
            among = ()
        players.append(player._replace(discarded=(), among=among))
    return state._replace(
        deck=len(back),
        free=(joined(state.free[0], *loose), *state.free[1:], tuple(sorted(known))),
        discards=(),
        players=tuple(players),
    )


def after_draw(state: State) -> State:
    """Go on after an answered draw: to the next one, or with the game."""
    if state.draws:
        return awaiting_draws(state)
    return next_turn(state, state.passes) if state.stage is TURN_ENDED else state


def after_action(state: State) -> State:
    """Go on after a whole action: to a second one if the turn has two, else the turn ends."""
    return state._replace(stage=BETWEEN) if state.actions else end_turn(state)


def end_turn(state: State, passes: int = 0) -> State:
    """End the turn; the supply is refilled before the next one (rule 3.5)."""
    draws = () if _was_last(state, passes) else state.draws + refill(state)
    if not draws:
        return next_turn(state, passes)
    return awaiting_draws(state._replace(stage=TURN_ENDED, draws=draws, passes=passes))


def next_turn(state: State, passes: int) -> State:
    """The next player's turn, or the end of the game."""
    turns, last = state.turns + 1, state.last
    if _was_last(state, passes):
        return state._replace(stage=OVER, turns=turns, actions=0, draws=(), passes=passes)
    if state.ending:
        (player, actions), last = last[0], last[1:]
    else:
        player, actions = (state.turn + 1) % len(state.game.order), 1
    stage = ADAMS_TURN if player == ADAM and state.adam else READY
    return state._replace(
        stage=stage, turn=player, turns=turns, actions=actions, last=last, passes=passes
    )


def _was_last(state: State, passes: int) -> bool:
    """Whether the game is over after this turn: no final turn is left, or all passed (9.2)."""
    return passes == len(state.game.order) or (state.ending is not None and not state.last)


def third_coatl(state: State) -> State:
    """The end is near: each other player has one final turn (rule 6.1)."""
    later, earlier = _order_around(state)
    last = [*(Turn(player, 2) for player in later), *(Turn(player, 1) for player in earlier)]
    return _ending(state, "third", last)


def no_bodies(state: State) -> State:
    """The end is near: equal turns for all, then one final turn each (rule 6.2)."""
    later, _ = _order_around(state)
    return _ending(state, "bodies", [Turn(player, 1) for player in (*later, *state.game.order)])


def _order_around(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who comes later in the turn order than the one whose turn it is, and who earlier."""
    order = state.game.order
    place = order.index(state.turn)
    return order[place + 1 :], order[:place]


def _ending(state: State, cause: str, last: list[Turn]) -> State:
    """The end is near, by the one whose turn it is, with these final turns to come."""
    if state.ending:  # rule 6.3
        return state
    if state.game.solo and not state.game.options.solo_final_turns:  # ruling 9.8
        last = []
    return state._replace(ending=Ending(cause, state.turn), last=tuple(last))
