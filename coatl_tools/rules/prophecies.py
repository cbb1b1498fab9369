"""Prophecy cards: keeping, choosing, drawing, See the Future, and revealing hidden ones."""

from __future__ import annotations

from itertools import combinations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import HAND_LIMIT, KEPT, SEE_THE_FUTURE
from coatl_tools.rules.completing import can_complete
from coatl_tools.rules.events import (
    UNKNOWN,
    ChooseCard,
    DealProphecy,
    Discard,
    DrawCard,
    Drawn,
    Keep,
    Reveal,
    SeeTheFuture,
    TurnUpProphecy,
)
from coatl_tools.rules.flow import (
    actions_after,
    after_action,
    after_draw,
    awaiting_draws,
    cards_to_draw,
    other_draw,
    refill,
)
from coatl_tools.rules.hidden import (
    from_deck,
    from_hand,
    hidden_card,
    hidden_in,
    known_card,
    known_in,
    mixed_up,
    not_there,
)
from coatl_tools.rules.state import (
    ADAMS_TURN,
    CHOOSING,
    CLOSING,
    DISCARDING,
    KEEPING,
    MUST_CHOOSE,
    READY,
    DealDraw,
    DeckDraw,
    Draw,
    Player,
    State,
    SupplyDraw,
    joined,
    replaced,
    without,
)
from coatl_tools.rules.temples import out_of_temples
from coatl_tools.rules.tokens import spent


def keep(state: State, event: Keep) -> State:
    """Keep up to 3 of the cards dealt (2.4), in a solo game 3 (7.1); discard the rest unseen."""
    if state.stage is not KEEPING:
        raise IllegalActionError("rules.keep_only_then", "2.4")
    if len(event.cards) > KEPT:
        raise IllegalActionError("rules.keep_most", "2.4", most=KEPT, n=len(event.cards))
    if state.game.solo and len(event.cards) < KEPT:
        raise IllegalActionError("rules.keep_all", "7.1", number=KEPT, n=len(event.cards))
    state, player, kept = _chosen(state, event.cards, "2.4")
    player = player._replace(hand=kept, discarded=player.hand)
    players = replaced(state.players, state.turn, player)
    if state.turn + 1 < state.game.size:
        return state._replace(players=players, turn=state.turn + 1)
    first = state.game.order[0]
    stage = ADAMS_TURN if state.game.solo else READY
    return state._replace(players=players, turn=first, stage=stage, actions=1)


def _chosen(
    state: State, cards: tuple[str, ...], rule: str
) -> tuple[State, Player, tuple[str, ...]]:
    """The player without these cards of the hand, and these; IllegalActionError if not there.

    `?` is a card of which nobody tells which it is. If others are left, none of them is known any
    more, but for that they are among them.
    """
    player = state.players[state.turn]
    rest = player.hand
    named = [card for card in cards if card != UNKNOWN]
    for card in named:
        if card not in rest or card[0] == UNKNOWN:
            known_card(state.game, card)
            hidden = UNKNOWN in "".join(rest)
            key = "rules.reveal_first" if hidden else "rules.not_in_hand"
            raise IllegalActionError(key, rule, card=card)
        rest = without(rest, card)
    untold = len(cards) - len(named)
    if untold and not state.game.hidden_hands:
        raise IllegalActionError("rules.must_be_known", "9.17")
    if untold > len(rest):
        raise IllegalActionError("rules.not_in_hand", rule, card=UNKNOWN)
    if 0 < untold < len(rest):
        player = player._replace(among=joined(player.among, *known_in(rest)))
        rest = (mixed_up(rest),) * len(rest)
    taken = (*named, *rest[:untold])
    return state, player._replace(hand=rest[untold:]), tuple(sorted(taken))


def choose_card(state: State, event: ChooseCard) -> State:
    """Take a card of the face-up supply into the hand (rule 3.4)."""
    actions, player = _may_choose(state)
    if event.card not in state.supply:
        known_card(state.game, event.card)
        raise IllegalActionError("rules.not_in_supply", "3.4", card=event.card)
    if event.copy != 1 and not state.game.solo:
        raise IllegalActionError("rules.copy_only_solo", "7.2")
    copies = state.supply.count(event.card)
    if not 1 <= event.copy <= copies:
        raise IllegalActionError("rules.no_copy", "7.2", card=event.card, copy=event.copy, n=copies)
    player = player._replace(
        hand=joined(player.hand, event.card), shown=joined(player.shown, event.card)
    )
    return state._replace(
        stage=CHOOSING,
        actions=actions,
        supply=_without_copy(state.supply, event),
        players=replaced(state.players, state.turn, player),
    )


def _without_copy(supply: tuple[str, ...], event: ChooseCard) -> tuple[str, ...]:
    """The supply without the card that was chosen; of identical ones, that copy from the left."""
    place = -1
    for _ in range(event.copy):
        place = supply.index(event.card, place + 1)
    return supply[:place] + supply[place + 1 :]


def draw_card(state: State, _: DrawCard) -> State:
    """Take a card blind from the deck (rule 3.4): now the draw is awaited."""
    actions, _player = _may_choose(state)
    if not cards_to_draw(state):
        raise IllegalActionError("rules.deck_empty", "3.4")
    draws = (DeckDraw(state.turn),)
    return awaiting_draws(state._replace(stage=CHOOSING, actions=actions, draws=draws))


def _may_choose(state: State) -> tuple[int, Player]:
    begun = state.stage is MUST_CHOOSE  # ruling 9.4
    actions = state.actions if begun else actions_after(state, CHOOSING)
    player = state.players[state.turn]
    limit = state.game.hand_limit
    if len(player.hand) >= limit:
        rule = "3.4" if limit == HAND_LIMIT else "7.10"
        raise IllegalActionError("rules.hand_full", rule, most=limit)
    return actions, player


def see_the_future(state: State, _: SeeTheFuture) -> State:
    """Discard the face-up supply and refill it (rule 3.15)."""
    actions, player = spent(state, SEE_THE_FUTURE)
    state = state._replace(
        stage=DISCARDING,
        actions=actions,
        supply=(),
        discards=joined(state.discards, *state.supply),
        players=replaced(state.players, state.turn, player),
    )
    return awaiting_draws(state._replace(draws=refill(state)))


def discard(state: State, event: Discard) -> State:
    """Discard cards of the hand unseen; then at least one is chosen, if it can be (ruling 9.4)."""
    if state.stage is not DISCARDING:
        raise IllegalActionError("rules.discard_only_then", "3.15")
    state, player, gone = _chosen(state, event.cards, "3.15")
    player = player._replace(
        shown=() if gone else player.shown,  # nobody else knows any more which are left
        discarded=joined(player.discarded, *gone),
    )
    state = state._replace(players=replaced(state.players, state.turn, player))
    if len(player.hand) < state.game.hand_limit and (state.supply or cards_to_draw(state)):
        return state._replace(stage=MUST_CHOOSE)
    return after_action(state)


def answer_supply(state: State, draw: Draw, event: TurnUpProphecy) -> State:
    """A card joins the face-up supply: in a solo game, at the left of the row (rule 7.2)."""
    if not isinstance(draw, SupplyDraw):
        raise other_draw(state)
    card, supply = event.card, state.supply
    return after_draw(
        state._replace(
            draws=state.draws[1:],
            drawn=state.drawn + 1,
            deck=state.deck - 1,
            free=from_deck(state, card),
            supply=(card, *supply) if state.game.solo else (*supply, card),
        )
    )


def answer_deal(state: State, draw: Draw, event: DealProphecy) -> State:
    """A player is dealt a Prophecy card, known or not."""
    if not isinstance(draw, DealDraw) or draw.player != event.player:
        raise other_draw(state)
    return _into_hand(state, event.player, event.card)


def answer_deck(state: State, draw: Draw, event: Drawn) -> State:
    """A player draws a Prophecy card blind, known to the program or not."""
    if not isinstance(draw, DeckDraw):
        raise other_draw(state)
    return _into_hand(state, draw.player, event.card)


def _into_hand(state: State, index: int, card: str) -> State:
    if card != UNKNOWN:
        free = from_deck(state, card)
    elif state.game.hidden_hands:
        free, card = state.free, hidden_card(state)
    else:
        raise IllegalActionError("rules.must_be_known", "9.17")
    player = state.players[index]
    player = player._replace(hand=joined(player.hand, card))
    return after_draw(
        state._replace(
            draws=state.draws[1:],
            drawn=state.drawn + 1,
            deck=state.deck - 1,
            free=free,
            players=replaced(state.players, index, player),
        )
    )


def out_of_hand(state: State, player: Player, card: str, rule: str) -> tuple[State, Player]:
    """Take a Prophecy card out of a hand, revealing it if it was hidden; or IllegalActionError."""
    if card in player.hand and card[0] != UNKNOWN:
        shown = player.shown
        return state, player._replace(
            hand=without(player.hand, card),
            shown=without(shown, card) if card in shown else shown,
        )
    known_card(state.game, card)
    if not state.game.is_prophecy(card):
        raise IllegalActionError("rules.no_prophecy_card", "1.3", card=card)
    if UNKNOWN not in "".join(player.hand):
        raise IllegalActionError("rules.not_in_hand", rule, card=card)
    found = from_hand(state, player, card)
    if found is None:
        raise not_there(state, card)
    free, player = found
    return state._replace(free=free), player


def reveal(state: State, event: Reveal) -> State:
    """A hidden card of a hand becomes known to the program (ruling 9.17)."""
    if not 0 <= event.player < state.game.size:
        raise IllegalActionError("rules.no_player", "9.17", player=event.player + 1)
    player = state.players[event.player]
    known_card(state.game, event.card)
    if state.game.is_prophecy(event.card):
        if UNKNOWN not in "".join(player.hand):
            raise IllegalActionError("rules.nothing_hidden", "9.17")
        hidden = player._replace(hand=tuple(hidden_in(player.hand)))
        state, rest = out_of_hand(state, hidden, event.card, "9.17")
        player = rest._replace(hand=joined(rest.hand + known_in(player.hand), event.card))
    else:
        if UNKNOWN not in player.temples:
            raise IllegalActionError("rules.nothing_hidden", "9.17")
        state, rest = out_of_temples(state, player._replace(temples=(UNKNOWN,)), event.card)
        player = player._replace(temples=joined(without(player.temples, UNKNOWN), event.card))
    state = state._replace(players=replaced(state.players, event.player, player))
    if not _can_complete(state):
        if state.game.least_prophecies > 1:
            raise IllegalActionError("rules.could_not_fill_known", "7.10", card=event.card)
        raise IllegalActionError("rules.could_not_complete", "3.10", card=event.card)
    return state


def _can_complete(state: State) -> bool:
    """Whether the Cóatl just closed, if there is one, has or can have its Prophecy cards."""
    if state.stage is not CLOSING:
        return True
    player = state.players[state.turn]
    coatl = player.coatls[state.closing - 1]
    return can_complete(state, player, coatl.text, coatl.prophecies)


def choices(state: State, most: int) -> list[tuple[str, ...]]:
    """The different choices of up to so many cards of the hand, as they are written in an event."""
    hand = state.players[state.turn].hand
    most = min(most, len(hand))
    found: dict[tuple[str, ...], None] = {}
    for number in range(most + 1):
        untold = most - number if state.game.hidden_hands else 0
        for named in combinations(known_in(hand), number):
            found.update({named + (UNKNOWN,) * more: None for more in range(untold + 1)})
    return list(found)
