"""The course of a turn: the actions left, what follows an action or a draw, the final turns."""

from __future__ import annotations

from typing import Any

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.constants import ADAM_INDEX, PROPHECY_SUPPLY_SIZE
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    Answer,
    DealAdam,
    DealProphecy,
    DealTemple,
    DrawnCard,
    TurnUpProphecy,
    TurnUpTemple,
)
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    DISCARDING,
    KEEPING,
    MUST_CHOOSE,
    OVER,
    PROPHECY_DRAWS,
    READY,
    TURN_ENDED,
    AdamDraw,
    DealDraw,
    DeckDraw,
    Draw,
    Ending,
    FillDraw,
    GameState,
    PileDraw,
    Stage,
    SupplyDraw,
    TempleDraw,
    Turn,
    add_sorted,
)

SUPPLY_DRAW, ADAM_DRAW = SupplyDraw(), AdamDraw()
ACTION_STAGES = (READY, BETWEEN, CHOOSING, ASSEMBLING)

# What is said to somebody who tries something else, and the rule behind it.
_STAGE_ERRORS = {
    KEEPING: ("rules.first_keep", "2.4"),
    MUST_CHOOSE: ("rules.first_choose", "9.4"),
    CLOSING: ("rules.first_complete", "3.10"),
    DISCARDING: ("rules.first_discard", "3.15"),
    ADAMS_TURN: ("rules.first_adam", "7.4"),
}

_DRAW_RULES: dict[type, str] = {
    FillDraw: "3.2",
    PileDraw: "2.3",
    SupplyDraw: "3.5",
    DeckDraw: "3.4",
}
_SETUP_DRAW_RULES: dict[type, str] = {
    FillDraw: "2.1",
    TempleDraw: "2.3",
    PileDraw: "2.3",
    SupplyDraw: "2.4",
    AdamDraw: "7.1",
    DealDraw: "2.4",
}
_ENDING_RULES = {"third": "6.1", "bodies": "6.2", "": "9.2"}


def make_not_now_error(state: GameState) -> IllegalActionError:
    """Make the error for something that this stage of a turn does not allow."""
    if state.stage is OVER:
        cause = state.ending.cause if state.ending else ""
        rule = "7.9" if cause and state.game.solo else _ENDING_RULES[cause]
        return IllegalActionError("rules.over", rule)
    if state.stage in _STAGE_ERRORS:
        return IllegalActionError(*_STAGE_ERRORS[state.stage])
    if state.actions_left == 0:
        return IllegalActionError("rules.one_action", "3")
    return IllegalActionError("rules.not_now", "3")


def get_draw_rule(state: GameState) -> str:
    """Return the rule that asks for the awaited draw."""
    draw = type(state.draws[0])
    return (_SETUP_DRAW_RULES if state.stage is KEEPING else _DRAW_RULES)[draw]


def make_wrong_draw_error(state: GameState) -> IllegalActionError:
    """Make the error for an answer to another draw than the one that is awaited."""
    return IllegalActionError("rules.other_draw", get_draw_rule(state))


def is_secret_draw(draw: Draw, state: GameState) -> bool:
    """Tell whether nobody reports what a draw brings: the card goes to a hidden hand (9.17)."""
    return state.game.hidden_hands and isinstance(draw, TempleDraw | DealDraw | DeckDraw)


def make_draw_answer(draw: Draw, card: str) -> Answer:
    """Make the event that answers a draw of a card."""
    match draw:
        case TempleDraw(player):
            return DealTemple(player, card)
        case PileDraw(pile):
            return TurnUpTemple(pile, card)
        case DealDraw(player):
            return DealProphecy(player, card)
        case SupplyDraw():
            return TurnUpProphecy(card)
        case AdamDraw():
            return DealAdam(card)
        case _:
            return DrawnCard(card)


def count_actions_after(state: GameState, stage: Stage | None) -> int:
    """Count the actions that may be begun after this one; IllegalActionError if it may not be.

    `stage` is where an action of several steps goes on without beginning anew.
    """
    if state.stage is stage:
        return state.actions_left
    if state.actions_left and state.stage in ACTION_STAGES:
        return state.actions_left - 1
    raise make_not_now_error(state)


def count_drawable_cards(state: GameState) -> int:
    """Count the Prophecy cards that can still be drawn, discards included (ruling 9.1)."""
    return state.deck + count_discards(state)


def count_discards(state: GameState) -> int:
    """Count the discarded Prophecy cards."""
    return len(state.discards) + sum([len(player.discarded) for player in state.players])


def list_prophecy_supply_draws(state: GameState) -> tuple[Draw, ...]:
    """List the draws that fill the face-up Prophecy supply, as far as the cards go (rule 3.5)."""
    wanted = PROPHECY_SUPPLY_SIZE - len(state.supply)
    if not wanted:
        return ()
    return (SUPPLY_DRAW,) * (
        wanted if state.deck >= wanted else min(wanted, count_drawable_cards(state))
    )


def rebuild_deck_if_needed(state: GameState) -> GameState:
    """Rebuild the deck from the discards if a card is to be drawn and none is left (ruling 9.1)."""
    if state.deck or not state.draws or not isinstance(state.draws[0], PROPHECY_DRAWS):
        return state
    back = sum((player.discarded for player in state.players), state.discards)
    known = [card for card in back if card[0] != UNKNOWN_CARD]
    loose: list[str] = []  # in a hand, or in the deck: nobody can tell any more
    players = []
    for player in state.players:
        among = player.among
        if among and UNKNOWN_CARD in "".join(player.discarded):
            (loose if UNKNOWN_CARD in "".join(player.hand) else known).extend(among)
            among = ()
        players.append(player._replace(discarded=(), among=among))
    return state._replace(
        deck=len(back),
        unlocated_prophecies=(
            add_sorted(state.unlocated_prophecies[0], *loose),
            *state.unlocated_prophecies[1:],
            tuple(sorted(known)),
        ),
        discards=(),
        players=tuple(players),
    )


def continue_after_draw(state: GameState, **changes: Any) -> GameState:
    """Change what an answered draw changes, and go on: to the next draw, or with the game."""
    state = state._replace(
        draws=state.draws[1:], draws_answered=state.draws_answered + 1, **changes
    )
    if state.draws:
        return rebuild_deck_if_needed(state)
    return start_next_turn(state, state.passes) if state.stage is TURN_ENDED else state


def continue_after_action(state: GameState) -> GameState:
    """Go on after a whole action: to a second one if the turn has two, else the turn ends."""
    return state._replace(stage=BETWEEN) if state.actions_left else end_turn(state)


def end_turn(state: GameState, passes: int = 0) -> GameState:
    """End the turn; the supply is refilled before the next one (rule 3.5)."""
    draws = () if _is_last_turn(state, passes) else state.draws + list_prophecy_supply_draws(state)
    if not draws:
        return start_next_turn(state, passes)
    return rebuild_deck_if_needed(state._replace(stage=TURN_ENDED, draws=draws, passes=passes))


def start_next_turn(state: GameState, passes: int) -> GameState:
    """Start the next player's turn, or the end of the game."""
    turns, last = state.turns_ended + 1, state.final_turns
    if _is_last_turn(state, passes):
        return state._replace(
            stage=OVER, turns_ended=turns, actions_left=0, draws=(), passes=passes
        )
    if state.ending:
        (player, actions), last = last[0], last[1:]
    else:
        player, actions = (state.current_player + 1) % len(state.game.order), 1
    stage = ADAMS_TURN if player == ADAM_INDEX and state.adam else READY
    return state._replace(
        stage=stage,
        current_player=player,
        turns_ended=turns,
        actions_left=actions,
        final_turns=last,
        passes=passes,
    )


def _is_last_turn(state: GameState, passes: int) -> bool:
    """Tell whether the game is over after this turn: no final turn is left, or all passed (9.2)."""
    return passes == len(state.game.order) or (state.ending is not None and not state.final_turns)


def trigger_third_coatl_ending(state: GameState) -> GameState:
    """Begin the end: each other player has one final turn (rule 6.1)."""
    later, earlier = _split_turn_order(state)
    last = [*(Turn(player, 2) for player in later), *(Turn(player, 1) for player in earlier)]
    return _trigger_ending(state, "third", last)


def trigger_no_bodies_ending(state: GameState) -> GameState:
    """Begin the end: equal turns for all, then one final turn each (rule 6.2)."""
    later, _ = _split_turn_order(state)
    return _trigger_ending(
        state, "bodies", [Turn(player, 1) for player in (*later, *state.game.order)]
    )


def _split_turn_order(state: GameState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return who comes later in the turn order than the one whose turn it is, and who earlier."""
    order = state.game.order
    place = order.index(state.current_player)
    return order[place + 1 :], order[:place]


def _trigger_ending(state: GameState, cause: str, last: list[Turn]) -> GameState:
    """Begin the end of the game, unless it has begun, with these final turns to come."""
    if state.ending:  # rule 6.3
        return state
    if state.game.solo and not state.game.options.solo_final_turns:  # ruling 9.8
        last = []
    return state._replace(ending=Ending(cause, state.current_player), final_turns=tuple(last))
