"""Checks of what can lie on a table, for games joined midway and for tallies; the turns left
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL
from coatl_tools.errors import NotationError, Phrase, PositionError
from coatl_tools.notation import parse_coatl
from coatl_tools.rules.actions.supply_board import list_supply_board_draws
from coatl_tools.rules.actions.turns import (
    count_drawable_cards,
    trigger_no_bodies_ending,
    trigger_third_coatl_ending,
)
from coatl_tools.rules.constants import (
    BAG_INDEX,
    BODY,
    COATLS_TO_END,
    COLOURS,
    FEATHER,
    HEAD,
    HEADS_PER_COLOUR,
    KIND_OF_PIECE,
    MAX_OPEN_COATLS,
    PIECES_PER_SPACE,
    PROPHECY_SUPPLY_SIZE,
    TAIL,
    TAILS_PER_COLOUR,
    Bag,
    Piece,
    Pieces,
    phrase_piece,
)
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.game import CardIds, Game
from coatl_tools.rules.state import Built, Ending, GameState, Turn

SeenItem = tuple[str, Phrase]  # a piece or a card, and where it lies


def split_pieces(text: str) -> Pieces:
    """Split a Cóatl into its pieces.

    >>> split_pieces("<RB>")
    ('<R', 'B>')
    """
    letters = list(text.strip("<>"))
    if text.startswith("<"):
        letters[0] = f"<{letters[0]}"
    if text.endswith(">"):
        letters[-1] += ">"
    return tuple(letters)


def check_coatls(game: Game, player: str, coatls: Iterable[Built]) -> tuple[Built, ...]:
    """Check a player's Cóatls, and mark those with head and tail as complete; or PositionError."""
    found = tuple(
        _check_coatl(game, coatl, ("position.coatl", {"player": player, "coatl": number}))
        for number, coatl in enumerate(coatls, start=1)
    )
    where: Phrase = ("position.player", {"player": player})
    if sum(not coatl.complete for coatl in found) > MAX_OPEN_COATLS:
        raise PositionError("rules.two_open", "3.6", where, most=MAX_OPEN_COATLS)
    if len(found) > game.coatl_limit:
        raise PositionError("rules.coatl_limit", "8.2", where, most=game.coatl_limit)
    return found


def _check_coatl(game: Game, coatl: Built, where: Phrase) -> Built:
    """Check a Cóatl and its cards, which need not be satisfied any more (ruling 9.12)."""
    try:
        shape = parse_coatl(coatl.text)
    except NotationError as error:
        raise PositionError(error.key, "3.7", where, **error.details) from error
    cards = coatl.prophecies
    for card in cards:
        check_is_prophecy(game, card, where)
    if len(cards) > MAX_PROPHECIES_PER_COATL:
        raise PositionError("rules.four_prophecies", "3.9", where, most=MAX_PROPHECIES_PER_COATL)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise PositionError("rules.identical", "3.9", where, card=card)
        if game.by_id[card].colour in game.colours_taken(cards[:place]):
            raise PositionError("rules.same_colour", "7.10", where, card=card)
    if coatl.temple:
        check_is_temple(game, coatl.temple, where)
    if not shape.complete and coatl.temple:
        raise PositionError("rules.temple_only_then", "3.11", where)
    if shape.complete and len(cards) < game.least_prophecies:
        if game.least_prophecies == 1:
            raise PositionError("position.without_prophecy", "3.10", where)
        raise PositionError("position.without_four", "7.10", where, least=game.least_prophecies)
    return Built(str(shape), cards, coatl.temple, shape.complete)


def check_is_prophecy(game: Game, card: str, where: Phrase) -> None:
    """Raise PositionError if this is not the id of a Prophecy card of the game."""
    _check_is_card(game, card, where)
    if not game.is_prophecy(card):
        raise PositionError("rules.no_prophecy_card", "1.3", where, card=card)


def check_is_temple(game: Game, card: str, where: Phrase) -> None:
    """Raise PositionError if this is not the id of a Temple card of the game."""
    _check_is_card(game, card, where)
    if not game.is_temple(card):
        raise PositionError("rules.no_temple_card", "1.3", where, card=card)


def _check_is_card(game: Game, card: str, where: Phrase) -> None:
    if card not in game.by_id:
        raise PositionError("rules.no_card", "1.3", where, card=card)


def list_coatl_contents(
    player: str, coatls: Iterable[Built]
) -> tuple[list[SeenItem], list[SeenItem]]:
    """List the pieces of a player's Cóatls, and the cards beside them."""
    pieces: list[SeenItem] = []
    cards: list[SeenItem] = []
    for number, coatl in enumerate(coatls, start=1):
        details: dict[str, object] = {"player": player, "coatl": number}
        pieces += [(piece, ("position.in_coatl", details)) for piece in split_pieces(coatl.text)]
        beside = [*coatl.prophecies, *filter(None, [coatl.temple])]
        cards += [(card, ("rules.seen_beside", details)) for card in beside]
    return pieces, cards


def compute_bags_left(game: Game, seen: Iterable[SeenItem]) -> tuple[Bag, Bag, Bag]:
    """Compute what is left in the bags of bodies, heads and tails.

    PositionError if more pieces are seen than there are in the box.
    """
    bags = {
        BODY: [*game.body_bag()],
        HEAD: [HEADS_PER_COLOUR] * len(COLOURS),
        TAIL: [TAILS_PER_COLOUR] * len(COLOURS),
    }
    for piece, places in _group_places(seen).items():
        bag, place = bags[KIND_OF_PIECE[piece]], BAG_INDEX[piece]
        if len(places) > bag[place]:
            raise PositionError(
                "position.too_many_pieces",
                _get_piece_rule(game, piece),
                piece=phrase_piece(piece),
                box=bag[place],
                seen=_count_places(places),
            )
        bag[place] -= len(places)
    return tuple(bags[BODY]), tuple(bags[HEAD]), tuple(bags[TAIL])


def _get_piece_rule(game: Game, piece: Piece) -> str:
    """Return the rule that says how many there are of a piece."""
    options = game.options
    if piece == FEATHER or (options.golden_feathers and KIND_OF_PIECE[piece] == BODY):
        return "10.3"
    if options.fewer_bodies and KIND_OF_PIECE[piece] == BODY:
        return "10.2"
    return "7.1" if game.solo else "1.2"


def compute_deck_left(game: Game, deck: CardIds, seen: Iterable[SeenItem]) -> CardIds:
    """Compute the cards of a deck that are not seen; PositionError for one seen too often."""
    left = Counter(deck)
    for card, places in _group_places(seen).items():
        if len(places) > left[card]:
            raise PositionError(
                "position.too_many_cards",
                "1.3",
                card=card,
                copies=left[card],
                seen=_count_places(places),
            )
        left[card] -= len(places)
    return tuple(sorted(left.elements()))


def _group_places(seen: Iterable[SeenItem]) -> dict[str, list[Phrase]]:
    """Group the places where each piece or card lies."""
    places: dict[str, list[Phrase]] = {}
    for thing, place in seen:
        places.setdefault(thing, []).append(place)
    return places


def _count_places(places: list[Phrase]) -> list[Phrase]:
    """List each place once, with how often it occurs."""
    told: list[Phrase] = []
    for place in places:
        phrase: Phrase = ("adam.times", {"piece": place, "n": places.count(place)})
        phrase = phrase if places.count(place) > 1 else place
        if phrase not in told:
            told.append(phrase)
    return told


def compute_final_turns(
    state: GameState, ending: Ending | None, final: bool | None
) -> tuple[int, tuple[Turn, ...]]:
    """Compute the actions of this turn, and the turns after it once the end has begun.

    PositionError if the player can have no turn now.

    `state` is the table without its end. `final` tells the two turns apart that a player may have
    after the body segments ran out (rule 6.2).
    """
    if ending is None:
        _check_not_ended(state)
        return 1, ()
    _check_ending_cause(state, ending)
    triggered = trigger_third_coatl_ending if ending.cause == "third" else trigger_no_bodies_ending
    last = triggered(state._replace(current_player=ending.player)).final_turns
    places = [place for place, turn in enumerate(last) if turn.player == state.current_player]
    if not places:
        raise PositionError(
            "position.no_turn_left",
            _get_ending_rule(ending),
            player=_get_player_name(state, state.current_player),
        )
    if len(places) > 1 and final is None:
        raise PositionError(
            "position.which_turn", "6.2", player=_get_player_name(state, state.current_player)
        )
    place = places[-1] if final else places[0]
    return last[place].actions, last[place + 1 :]


def _check_not_ended(state: GameState) -> None:
    over = state.game.solo and not state.game.options.solo_final_turns  # ruling 9.8
    for name, player in zip(state.game.options.players, state.players, strict=True):
        if player.completed >= COATLS_TO_END:
            key = "position.over" if over else "position.end_third"
            rule = "7.9" if over else "6.1"
            raise PositionError(key, rule, ("position.player", {"player": name}))
    if are_bodies_gone(state):
        key = "position.over" if over else "position.end_bodies"
        raise PositionError(key, "7.9" if over else "6.2")


def _check_ending_cause(state: GameState, ending: Ending) -> None:
    game = state.game
    if game.solo and not game.options.solo_final_turns:
        raise PositionError("position.over", "9.8")
    if ending.player not in game.order:
        raise PositionError("rules.no_player", _get_ending_rule(ending), player=ending.player + 1)
    if ending.cause == "bodies":
        if not are_bodies_gone(state):
            raise PositionError("position.bodies_left", "6.2")
    elif ending.player >= game.size or state.players[ending.player].completed < COATLS_TO_END:
        name = _get_player_name(state, ending.player)
        raise PositionError("position.not_third", "6.1", player=name, number=COATLS_TO_END)


def are_bodies_gone(state: GameState) -> bool:
    """Tell whether rule 3.3 applies: no body segments on the Supply board, too few in the bag."""
    there = any(KIND_OF_PIECE[pieces[0]] == BODY for pieces in state.spaces if pieces)
    return not there and sum(state.bodies) < PIECES_PER_SPACE[BODY]


def _get_ending_rule(ending: Ending) -> str:
    return "6.2" if ending.cause == "bodies" else "6.1"


def _get_player_name(state: GameState, player: int) -> str:
    return state.game.names[player]


def check_temple_piles(state: GameState) -> None:
    """Raise PositionError unless the Temple piles hold all cards that lie nowhere else (2.3)."""
    hidden = sum(player.temples.count(UNKNOWN_CARD) for player in state.players)
    left = len(state.unlocated_temples) - hidden
    buried = any(pile.below and not pile.top for pile in state.piles)
    below = [pile.below for pile in state.piles]
    if sum(below) != left or min(below) < 0 or buried:
        raise PositionError("position.piles", "2.3", left=max(0, left))


def check_prophecy_supply(state: GameState) -> None:
    """Raise PositionError unless the Prophecy supply is full, as far as cards go (3.5, 7.7)."""
    cards, supply = count_drawable_cards(state), state.supply
    if len(supply) < PROPHECY_SUPPLY_SIZE and cards:
        raise PositionError(
            "position.refill",
            "3.5",
            ("rules.seen_supply", {}),
            cards=PROPHECY_SUPPLY_SIZE,
            n=len(supply),
            left=cards,
        )
    if state.adam and supply and len(state.adam.row) < state.game.adam_refill:
        raise PositionError(
            "position.adam_short",
            "7.7",
            ("rules.seen_adam", {}),
            cards=state.game.adam_refill,
            n=len(state.adam.row),
        )


def check_supply_board(state: GameState) -> None:
    """Raise PositionError unless the Supply board has been filled where that is due (3.2)."""
    left = {KIND_OF_PIECE[pieces[0]] for pieces in state.spaces if pieces}
    if not (BODY in left and len(left) > 1) and list_supply_board_draws(state):
        raise PositionError("position.replenish", "3.2")
