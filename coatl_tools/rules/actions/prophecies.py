"""Prophecy cards: keeping, choosing, drawing, discarding and revealing them.

Also which of them a closed Cóatl can get: one at least (rule 3.10), at level 4 four (ruling 9.16).
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from coatl_tools.cards.requirement import Requirement, depends_on_cards
from coatl_tools.errors import IllegalActionError
from coatl_tools.pieces import Colour
from coatl_tools.rules.actions.temples import take_temple_from_hand
from coatl_tools.rules.actions.turns import (
    continue_after_action,
    continue_after_draw,
    count_actions_after,
    count_drawable_cards,
    make_wrong_draw_error,
    rebuild_deck_if_needed,
)
from coatl_tools.rules.constants import HAND_LIMIT, PROPHECIES_KEPT
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    ChooseCard,
    DealProphecy,
    Discard,
    DrawCard,
    DrawnCard,
    Keep,
    Reveal,
    TurnUpProphecy,
)
from coatl_tools.rules.game import CardIds
from coatl_tools.rules.hidden_cards import (
    check_card_exists,
    identify_in_hand,
    list_known_or_possible_hand,
    make_card_elsewhere_error,
    make_hidden_card,
    make_mixed_sign,
    select_hidden,
    select_known,
    take_from_deck,
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
    GameState,
    Player,
    SupplyDraw,
    add_sorted,
    remove_item,
    replace_current_player,
    replace_item,
)


class CardEquivalence(NamedTuple):
    """What matters of a card: fitting cards of the same sort can stand in for each other."""

    colour: Colour | None
    requirement: Requirement | None  # where it is about the cards beside the Cóatl
    known: bool  # to be in the hand
    among: bool  # the cards that were mixed up
    groups: int  # of `unlocated_prophecies` that it is in, as bits


def can_complete(state: GameState, player: Player, coatl: str, placed: CardIds) -> bool:
    """Tell whether a closed Cóatl has enough cards, or the hand may have those it lacks."""
    wanted = state.game.least_prophecies - len(placed)
    if wanted <= 0:
        return True
    cards = state.game.fitting(coatl, list_known_or_possible_hand(state, player), placed)
    if wanted == 1:
        return bool(cards)
    if _count_most_prophecies(state, player, cards) < wanted:
        return False
    samples = {get_card_equivalence(state, player, card): card for card in cards}.values()
    return any(_can_complete_with(state, player, coatl, placed, card) for card in samples)


def list_placeable_prophecies(
    state: GameState, player: Player, coatl: str, placed: CardIds
) -> list[str]:
    """List the cards that fit a closed Cóatl and after which it can still be completed."""
    cards = state.game.fitting(coatl, list_known_or_possible_hand(state, player), placed)
    if state.game.least_prophecies == 1:
        return [*cards]
    sorts = {card: get_card_equivalence(state, player, card) for card in cards}
    samples = {sort: card for card, sort in sorts.items()}
    good = {
        sort: _can_complete_with(state, player, coatl, placed, card)
        for sort, card in samples.items()
    }
    return [card for card in cards if good[sorts[card]]]


def _can_complete_with(
    state: GameState, player: Player, coatl: str, placed: CardIds, card: str
) -> bool:
    """Tell whether a closed Cóatl can still be completed once this fitting card lies beside it."""
    if card in player.hand:
        player = player._replace(hand=remove_item(player.hand, card))
    else:
        found = identify_in_hand(state, player, card)
        if found is None:
            return False
        free, player = found
        state = state._replace(unlocated_prophecies=free)
    return can_complete(state, player, coatl, (*placed, card))


def get_card_equivalence(state: GameState, player: Player, card: str) -> CardEquivalence:
    """Return what matters of a Prophecy card that a player may have."""
    requirement = state.game.by_id[card].requirement
    return CardEquivalence(
        state.game.by_id[card].colour,
        requirement if depends_on_cards(requirement) else None,
        card in player.hand,
        card in player.among,
        sum(2**level for level, cards in enumerate(state.unlocated_prophecies) if card in cards),
    )


def _count_most_prophecies(state: GameState, player: Player, cards: CardIds) -> int:
    """Count how many of these cards fit beside one Cóatl at most: a bound that saves a search."""
    game = state.game

    def kinds(some: list[str]) -> set[object]:
        return {game.by_id[card].colour if game.different_colours else card for card in some}

    known = kinds([card for card in cards if card in player.hand])
    others = kinds([card for card in cards if card not in player.hand]) - known
    return len(known) + min(len(others), len(select_hidden(player.hand)))


def keep_prophecies(state: GameState, event: Keep) -> GameState:
    """Keep up to 3 of the cards dealt (2.4), in a solo game 3 (7.1); discard the rest unseen."""
    if state.stage is not KEEPING:
        raise IllegalActionError("rules.keep_only_then", "2.4")
    if len(event.cards) > PROPHECIES_KEPT:
        raise IllegalActionError("rules.keep_most", "2.4", most=PROPHECIES_KEPT, n=len(event.cards))
    if state.game.solo and len(event.cards) < PROPHECIES_KEPT:
        raise IllegalActionError(
            "rules.keep_all", "7.1", number=PROPHECIES_KEPT, n=len(event.cards)
        )
    state, player, kept = _take_chosen_cards(state, event.cards, "2.4")
    player = player._replace(hand=kept, discarded=player.hand)
    if state.current_player + 1 < state.game.size:
        return replace_current_player(state, player, current_player=state.current_player + 1)
    first = state.game.order[0]
    stage = ADAMS_TURN if state.game.solo else READY
    return replace_current_player(state, player, current_player=first, stage=stage, actions_left=1)


def _take_chosen_cards(
    state: GameState, cards: tuple[str, ...], rule: str
) -> tuple[GameState, Player, tuple[str, ...]]:
    """Take these cards out of the current player's hand; return the state, the player, the cards.

    `?` is a card that nobody names. If cards are left in the hand after it, none of them is known
    any more; `among` has those that may be. IllegalActionError if a card is not in the hand.
    """
    player = state.players[state.current_player]
    rest = player.hand
    named = [card for card in cards if card != UNKNOWN_CARD]
    for card in named:
        if card not in rest or card[0] == UNKNOWN_CARD:
            check_card_exists(state.game, card)
            hidden = UNKNOWN_CARD in "".join(rest)
            key = "rules.reveal_first" if hidden else "rules.not_in_hand"
            raise IllegalActionError(key, rule, card=card)
        rest = remove_item(rest, card)
    untold = len(cards) - len(named)
    if untold and not state.game.hidden_hands:
        raise IllegalActionError("rules.must_be_known", "9.17")
    if untold > len(rest):
        raise IllegalActionError("rules.not_in_hand", rule, card=UNKNOWN_CARD)
    if 0 < untold < len(rest):
        player = player._replace(among=add_sorted(player.among, *select_known(rest)))
        rest = (make_mixed_sign(rest),) * len(rest)
    taken = (*named, *rest[:untold])
    return state, player._replace(hand=rest[untold:]), tuple(sorted(taken))


def choose_prophecy(state: GameState, event: ChooseCard) -> GameState:
    """Take a card of the face-up supply into the hand (rule 3.4)."""
    actions, player = _check_can_choose(state)
    if event.card not in state.supply:
        check_card_exists(state.game, event.card)
        raise IllegalActionError("rules.not_in_supply", "3.4", card=event.card)
    if event.copy != 1 and not state.game.solo:
        raise IllegalActionError("rules.copy_only_solo", "7.2")
    copies = state.supply.count(event.card)
    if not 1 <= event.copy <= copies:
        raise IllegalActionError("rules.no_copy", "7.2", card=event.card, copy=event.copy, n=copies)
    player = player._replace(
        hand=add_sorted(player.hand, event.card), shown=add_sorted(player.shown, event.card)
    )
    supply = _remove_copy(state.supply, event)
    return replace_current_player(
        state, player, stage=CHOOSING, actions_left=actions, supply=supply
    )


def _remove_copy(supply: tuple[str, ...], event: ChooseCard) -> tuple[str, ...]:
    """Return the supply without the chosen card; `copy` counts identical cards from the left."""
    place = -1
    for _ in range(event.copy):
        place = supply.index(event.card, place + 1)
    return supply[:place] + supply[place + 1 :]


def draw_prophecy(state: GameState, _: DrawCard) -> GameState:
    """Take a card blind from the deck (rule 3.4): now the draw is awaited."""
    actions, _player = _check_can_choose(state)
    if not count_drawable_cards(state):
        raise IllegalActionError("rules.deck_empty", "3.4")
    draws = (DeckDraw(state.current_player),)
    return rebuild_deck_if_needed(state._replace(stage=CHOOSING, actions_left=actions, draws=draws))


def _check_can_choose(state: GameState) -> tuple[int, Player]:
    begun = state.stage is MUST_CHOOSE  # ruling 9.4
    actions = state.actions_left if begun else count_actions_after(state, CHOOSING)
    player = state.players[state.current_player]
    limit = state.game.hand_limit
    if len(player.hand) >= limit:
        rule = "3.4" if limit == HAND_LIMIT else "7.10"
        raise IllegalActionError("rules.hand_full", rule, most=limit)
    return actions, player


def discard_prophecies(state: GameState, event: Discard) -> GameState:
    """Discard cards of the hand unseen; then at least one is chosen, if it can be (ruling 9.4)."""
    if state.stage is not DISCARDING:
        raise IllegalActionError("rules.discard_only_then", "3.15")
    state, player, gone = _take_chosen_cards(state, event.cards, "3.15")
    player = player._replace(
        shown=() if gone else player.shown,  # nobody else knows any more which are left
        discarded=add_sorted(player.discarded, *gone),
    )
    state = replace_current_player(state, player)
    if len(player.hand) < state.game.hand_limit and (state.supply or count_drawable_cards(state)):
        return state._replace(stage=MUST_CHOOSE)
    return continue_after_action(state)


def answer_prophecy_supply_draw(
    state: GameState, _: SupplyDraw, event: TurnUpProphecy
) -> GameState:
    """Add a card to the face-up supply: in a solo game, at the left of the row (rule 7.2)."""
    card, supply = event.card, state.supply
    return continue_after_draw(
        state,
        deck=state.deck - 1,
        unlocated_prophecies=take_from_deck(state, card),
        supply=(card, *supply) if state.game.solo else (*supply, card),
    )


def answer_deal_draw(state: GameState, draw: DealDraw, event: DealProphecy) -> GameState:
    """Deal a Prophecy card to a player, known or not."""
    if draw.player != event.player:
        raise make_wrong_draw_error(state)
    return _put_into_hand(state, event.player, event.card)


def answer_deck_draw(state: GameState, draw: DeckDraw, event: DrawnCard) -> GameState:
    """Let a player draw a Prophecy card blind, known to the program or not."""
    return _put_into_hand(state, draw.player, event.card)


def _put_into_hand(state: GameState, index: int, card: str) -> GameState:
    if card != UNKNOWN_CARD:
        free = take_from_deck(state, card)
    elif state.game.hidden_hands:
        free, card = state.unlocated_prophecies, make_hidden_card(state)
    else:
        raise IllegalActionError("rules.must_be_known", "9.17")
    player = state.players[index]
    player = player._replace(hand=add_sorted(player.hand, card))
    return continue_after_draw(
        state,
        deck=state.deck - 1,
        unlocated_prophecies=free,
        players=replace_item(state.players, index, player),
    )


def take_prophecy_from_hand(
    state: GameState, player: Player, card: str, rule: str
) -> tuple[GameState, Player]:
    """Take a Prophecy card out of a hand, even a hidden one; IllegalActionError if not there."""
    if card in player.hand and card[0] != UNKNOWN_CARD:
        shown = player.shown
        return state, player._replace(
            hand=remove_item(player.hand, card),
            shown=remove_item(shown, card) if card in shown else shown,
        )
    check_card_exists(state.game, card)
    if not state.game.is_prophecy(card):
        raise IllegalActionError("rules.no_prophecy_card", "1.3", card=card)
    if UNKNOWN_CARD not in "".join(player.hand):
        raise IllegalActionError("rules.not_in_hand", rule, card=card)
    found = identify_in_hand(state, player, card)
    if found is None:
        raise make_card_elsewhere_error(state, card)
    free, player = found
    return state._replace(unlocated_prophecies=free), player


def reveal_card(state: GameState, event: Reveal) -> GameState:
    """Make a hidden card of a hand known to the program (ruling 9.17)."""
    if not 0 <= event.player < state.game.size:
        raise IllegalActionError("rules.no_player", "9.17", player=event.player + 1)
    player = state.players[event.player]
    check_card_exists(state.game, event.card)
    if state.game.is_prophecy(event.card):
        if UNKNOWN_CARD not in "".join(player.hand):
            raise IllegalActionError("rules.nothing_hidden", "9.17")
        hidden = player._replace(hand=tuple(select_hidden(player.hand)))
        state, rest = take_prophecy_from_hand(state, hidden, event.card, "9.17")
        player = rest._replace(hand=add_sorted(rest.hand + select_known(player.hand), event.card))
    else:
        if UNKNOWN_CARD not in player.temples:
            raise IllegalActionError("rules.nothing_hidden", "9.17")
        state, rest = take_temple_from_hand(
            state, player._replace(temples=(UNKNOWN_CARD,)), event.card
        )
        player = player._replace(
            temples=add_sorted(remove_item(player.temples, UNKNOWN_CARD), event.card)
        )
    state = state._replace(players=replace_item(state.players, event.player, player))
    if not _can_complete_closing_coatl(state):
        if state.game.least_prophecies > 1:
            raise IllegalActionError("rules.could_not_fill_known", "7.10", card=event.card)
        raise IllegalActionError("rules.could_not_complete", "3.10", card=event.card)
    return state


def _can_complete_closing_coatl(state: GameState) -> bool:
    """Tell whether the Cóatl just closed, if there is one, has or can get its Prophecy cards."""
    if state.stage is not CLOSING:
        return True
    player = state.players[state.current_player]
    coatl = player.coatls[state.closing - 1]
    return can_complete(state, player, coatl.text, coatl.prophecies)


def list_card_choices(state: GameState, most: int) -> list[tuple[str, ...]]:
    """List the different choices of up to so many cards of the hand, as they are written in an
    event.
    """
    hand = state.players[state.current_player].hand
    most = min(most, len(hand))
    found: dict[tuple[str, ...], None] = {}
    for number in range(most + 1):
        untold = most - number if state.game.hidden_hands else 0
        for named in combinations(select_known(hand), number):
            found.update({named + (UNKNOWN_CARD,) * more: None for more in range(untold + 1)})
    return list(found)
