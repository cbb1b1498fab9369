"""Hidden cards, which the program does not know: where they may be, and which they may be.

A hidden card of a hand is `?`; `?1` is one that was drawn after the deck was rebuilt once. That
matters: a card seen among the discards when the deck was rebuilt is in no older hidden place.
`?m` is one of several of which some were known, until one of them was put away and nobody told
which: those known are `Player.among` the cards `?m` of hand and discards.
A card can be in a hidden place if the others can then still all be somewhere. As later places
take all that earlier ones take, this is counted: for every rebuild, the cards seen to go into the
deck then, or later, must not be more than the hidden places that opened since.

Nothing that may be true is ever refused. Until the deck is rebuilt for the first time, hardly
anything else passes (cards were mixed up twice, or a card that is there twice); later (hidden cards
of different ages discarded together, or going through the deck again) more does.
"""

from __future__ import annotations

from collections.abc import Iterable

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import GameState, Player, add_sorted, remove_item, replace_item

MIXED_SUFFIX = "m"
FreeCards = tuple[tuple[str, ...], ...]
PlacePhrase = tuple[str, dict[str, object]]  # the key of a phrase, and what stands in it


def make_hidden_card(state: GameState) -> str:
    """Make the sign for a card drawn now whose name nobody tells."""
    return (
        UNKNOWN_CARD
        if len(state.unlocated_prophecies) == 1
        else f"{UNKNOWN_CARD}{len(state.unlocated_prophecies) - 1}"
    )


def select_hidden(cards: Iterable[str]) -> list[str]:
    """Select the hidden ones of these cards."""
    return [card for card in cards if card[0] == UNKNOWN_CARD]


def _get_age(card: str) -> int:
    return int(card[1:].rstrip(MIXED_SUFFIX) or 0)


def _select_mixed(cards: Iterable[str]) -> list[str]:
    """Select those of these cards that were mixed up with known ones."""
    return [card for card in cards if card[0] == UNKNOWN_CARD and card[-1] == MIXED_SUFFIX]


def take_from_deck(state: GameState, card: str) -> FreeCards:
    """Return `unlocated_prophecies` once this card is drawn; IllegalActionError if it cannot be."""
    found = _find_hidden_place(state, card, (len(state.unlocated_prophecies) - 1,))
    if found is not None:
        return found[0]
    check_card_exists(state.game, card)
    if not state.game.is_prophecy(card):
        raise IllegalActionError("rules.no_prophecy_card", "1.3", card=card)
    raise make_card_elsewhere_error(state, card)


def identify_in_hand(
    state: GameState, player: Player, card: str
) -> tuple[FreeCards, Player] | None:
    """Identify a hidden card of a hand; return `unlocated_prophecies` and the player without it.

    None if no hidden card of the hand can be this one.
    """
    others = _list_possibly_others(state, player)
    if card in player.among:
        mixed = _list_possibly_among(state, player)
        elsewhere = [other for other in others if other not in mixed]
        if mixed and elsewhere and card in list_free_cards(state):
            return identify_in_hand(*_forget_among(state, player), card)
        if mixed:
            oldest = min(mixed, key=_get_age)
            hand, among = remove_item(player.hand, oldest), remove_item(player.among, card)
            return state.unlocated_prophecies, player._replace(hand=hand, among=among)
    found = _find_hidden_place(state, card, map(_get_age, others)) if others else None
    if found is None:
        return None
    free, age = found
    plainest = min((other for other in others if _get_age(other) == age), key=len)
    return free, player._replace(hand=remove_item(player.hand, plainest))


def _list_possibly_among(state: GameState, player: Player) -> list[str]:
    """List the hidden cards of a hand that may be one of `among`."""
    return (
        _select_mixed(player.hand)
        if len(state.unlocated_prophecies) == 1
        else select_hidden(player.hand)
    )


def _list_possibly_others(state: GameState, player: Player) -> list[str]:
    """List the hidden cards of a hand that need not be one of `among`."""
    hidden = select_hidden(player.hand)
    if len(state.unlocated_prophecies) > 1:
        room = len(select_hidden(player.hand + player.discarded)) > len(player.among)
        return hidden if room else []
    if len(_select_mixed(player.hand + player.discarded)) > len(player.among):
        return hidden
    return [card for card in hidden if card[-1] != MIXED_SUFFIX]


def _forget_among(state: GameState, player: Player) -> tuple[GameState, Player]:
    """Move the cards of `among` back to those that may be anywhere.

    Of a card that is there twice, nobody can tell whether it is the copy that was mixed up.
    """
    free = (
        add_sorted(state.unlocated_prophecies[0], *player.among),
        *state.unlocated_prophecies[1:],
    )
    return state._replace(unlocated_prophecies=free), player._replace(among=())


def make_mixed_sign(cards: Iterable[str]) -> str:
    """Make the sign for these cards once nobody can tell them apart: as young as the youngest."""
    cards = tuple(cards)
    age = max(map(_get_age, select_hidden(cards)), default=0)
    mark = MIXED_SUFFIX if select_known(cards) or _select_mixed(cards) else ""
    return f"{UNKNOWN_CARD}{age or ''}{mark}"


def list_possible_in_deck(state: GameState) -> list[str]:
    """List the different cards that the deck may give up."""
    return _list_possible(state, (len(state.unlocated_prophecies) - 1,))


def list_hidden_card_candidates(state: GameState, player: Player) -> list[str]:
    """List the different cards that a hidden card of this hand may turn out to be."""
    others = _list_possibly_others(state, player)
    found = _list_possible(state, tuple(map(_get_age, others))) if others else []
    among = player.among if _list_possibly_among(state, player) else ()
    return list(dict.fromkeys((*among, *found)))


def list_known_or_possible_hand(state: GameState, player: Player) -> tuple[str, ...]:
    """List the Prophecy cards that a hand has or, for its hidden ones, may have."""
    hand = player.hand
    if not hand or hand[0][0] != UNKNOWN_CARD:  # hidden cards sort first
        return hand
    return (*select_known(hand), *list_hidden_card_candidates(state, player))


def can_all_hidden_be(state: GameState, index: int, cards: Iterable[str]) -> bool:
    """Tell whether all hidden cards of a player's hand may be among these."""
    player = state.players[index]
    latest = sorted(
        cards,
        key=lambda card: max(
            (n for n, group in enumerate(state.unlocated_prophecies) if card in group), default=0
        ),
        reverse=True,
    )
    for _ in select_hidden(player.hand):
        found = next(filter(None, (identify_in_hand(state, player, card) for card in latest)), None)
        if found is None:
            return False
        free, player = found
        state = state._replace(
            unlocated_prophecies=free, players=replace_item(state.players, index, player)
        )
    return True


def select_known(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Select the cards that are not hidden."""
    return tuple(card for card in cards if card[0] != UNKNOWN_CARD)


def list_free_cards(state: GameState) -> tuple[str, ...]:
    """List all Prophecy cards whose place is not known, sorted."""
    return (
        state.unlocated_prophecies[0]
        if len(state.unlocated_prophecies) == 1
        else tuple(sorted(sum(state.unlocated_prophecies, ())))
    )


def _list_possible(state: GameState, ages: tuple[int, ...]) -> list[str]:
    different = dict.fromkeys(list_free_cards(state))
    if len(state.unlocated_prophecies) == 1:
        return list(different)
    return [card for card in different if _find_hidden_place(state, card, ages) is not None]


def _find_hidden_place(
    state: GameState, card: str, ages: Iterable[int]
) -> tuple[FreeCards, int] | None:
    """Return `unlocated_prophecies` without the card, and the age of its place; None if impossible.

    Where several would do, it is the oldest place, and of equal cards the one seen last: what is
    left then includes all that any other choice would leave open.
    """
    free = state.unlocated_prophecies
    if len(free) == 1:
        return ((remove_item(free[0], card),), 0) if card in free[0] else None
    card_counts, place_counts = [len(cards) for cards in free], _count_hidden_places(state)
    fitting = [
        (age, group)
        for age in set(ages)
        for group in range(age + 1)
        if card in free[group] and _can_rest_fit(card_counts, place_counts, group, age)
    ]
    if not fitting:
        return None
    age, group = min(age for age, _ in fitting), max(group for _, group in fitting)
    return (*free[:group], remove_item(free[group], card), *free[group + 1 :]), age


def _count_hidden_places(state: GameState) -> list[int]:
    """Count the hidden places of each age, the deck included."""
    counts = [0] * len(state.unlocated_prophecies)
    counts[-1] = state.deck
    for player in state.players:
        for card in select_hidden(player.hand + player.discarded):
            counts[_get_age(card)] += 1
    return counts


def _can_rest_fit(card_counts: list[int], place_counts: list[int], group: int, age: int) -> bool:
    ahead = 0  # cards more than places
    for rebuild in range(len(card_counts) - 1, 0, -1):
        ahead += (
            card_counts[rebuild] - (rebuild == group) - place_counts[rebuild] + (rebuild == age)
        )
        if ahead > 0:
            return False
    return True


def make_card_elsewhere_error(state: GameState, card: str) -> IllegalActionError:
    """Make the error for a card that turns up although it is elsewhere; it says where."""
    check_card_exists(state.game, card)
    places = list(_list_known_places(state, card))
    if not places:
        return IllegalActionError("rules.card_not_there", "9.17", card=card)
    copies = state.game.by_id[card].copies
    return IllegalActionError("rules.card_elsewhere", "1.3", card=card, copies=copies, seen=places)


def check_card_exists(game: Game, card: str) -> None:
    """Raise IllegalActionError if the game has no such card."""
    if card not in game.by_id:
        raise IllegalActionError("rules.no_card", "1.3", card=card)


def _list_known_places(state: GameState, card: str) -> Iterable[PlacePhrase]:
    for _ in range(state.supply.count(card)):
        yield "rules.seen_supply", {}
    for number, pile in enumerate(state.piles, start=1):
        if pile.top == card:
            yield "rules.seen_pile", {"pile": number}
    if state.adam:
        for _ in range([wanted.card for wanted in state.adam.row].count(card)):
            yield "rules.seen_adam", {}
        for _ in range(state.adam.fulfilled.count(card)):
            yield "rules.seen_fulfilled", {}
    discarded = state.discards + sum((player.discarded for player in state.players), ())
    for _ in range(discarded.count(card)):
        yield "rules.seen_discards", {}
    for group in state.unlocated_prophecies[1:]:
        for _ in range(group.count(card)):
            yield "rules.seen_deck", {}
    for name, player in zip(state.game.options.players, state.players, strict=True):
        for _ in range((player.hand + player.temples).count(card)):
            yield "rules.seen_hand", {"player": name}
        for _ in range(player.among.count(card)):
            yield "rules.seen_among", {"player": name}
        for number, coatl in enumerate(player.coatls, start=1):
            if card in (*coatl.prophecies, coatl.temple):
                yield "rules.seen_beside", {"player": name, "coatl": number}
