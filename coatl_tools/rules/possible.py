"""What can lie on a table, whoever put it there: for games joined midway, and for tallies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from coatl_tools.errors import NotationError, Phrase, PositionError
from coatl_tools.notation import parse
from coatl_tools.rules.box import (
    BODY,
    COLOURS,
    FEATHER,
    HEAD,
    HEADS_PER_COLOUR,
    KIND,
    OPEN_COATLS,
    PLACE,
    PROPHECIES_PER_COATL,
    TAIL,
    TAILS_PER_COLOUR,
    Bag,
    Piece,
    Pieces,
    piece_in_words,
)
from coatl_tools.rules.game import Game, Ids
from coatl_tools.rules.state import Built

Seen = tuple[str, Phrase]  # a piece or a card, and where it lies


def pieces_of(text: str) -> Pieces:
    """The pieces of a Cóatl, as they lie on a board.

    >>> pieces_of("<RB>")
    ('<R', 'B>')
    """
    letters = list(text.strip("<>"))
    if text[0] == "<":
        letters[0] = f"<{letters[0]}"
    if text[-1] == ">":
        letters[-1] += ">"
    return tuple(letters)


def checked_coatls(game: Game, player: str, coatls: Iterable[Built]) -> tuple[Built, ...]:
    """A player's Cóatls, each complete if it has a head and a tail; or PositionError."""
    found = tuple(
        _checked_coatl(game, coatl, ("position.coatl", {"player": player, "coatl": number}))
        for number, coatl in enumerate(coatls, start=1)
    )
    where: Phrase = ("position.player", {"player": player})
    if sum(not coatl.complete for coatl in found) > OPEN_COATLS:
        raise PositionError("rules.two_open", "3.6", where, most=OPEN_COATLS)
    if len(found) > game.coatl_limit:
        raise PositionError("rules.coatl_limit", "8.2", where, most=game.coatl_limit)
    return found


def _checked_coatl(game: Game, coatl: Built, where: Phrase) -> Built:
    """Cards that a later piece broke may lie there (ruling 9.12): none must be satisfied."""
    try:
        shape = parse(coatl.text)
    except NotationError as error:
        raise PositionError(error.key, "3.7", where, **error.details) from error
    cards = coatl.prophecies
    for card in cards:
        need_prophecy(game, card, where)
    if len(cards) > PROPHECIES_PER_COATL:
        raise PositionError("rules.four_prophecies", "3.9", where, most=PROPHECIES_PER_COATL)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise PositionError("rules.identical", "3.9", where, card=card)
        if game.by_id[card].colour in game.colours_taken(cards[:place]):
            raise PositionError("rules.same_colour", "7.10", where, card=card)
    if coatl.temple:
        need_temple(game, coatl.temple, where)
    if not shape.complete and coatl.temple:
        raise PositionError("rules.temple_only_then", "3.11", where)
    if shape.complete and len(cards) < game.least_prophecies:
        if game.least_prophecies == 1:
            raise PositionError("position.without_prophecy", "3.10", where)
        raise PositionError("position.without_four", "7.10", where, least=game.least_prophecies)
    return Built(str(shape), cards, coatl.temple, shape.complete)


def need_prophecy(game: Game, card: str, where: Phrase) -> None:
    """Raise PositionError if this is not the id of a Prophecy card of the game."""
    _need_card(game, card, where)
    if not game.is_prophecy(card):
        raise PositionError("rules.no_prophecy_card", "1.3", where, card=card)


def need_temple(game: Game, card: str, where: Phrase) -> None:
    """Raise PositionError if this is not the id of a Temple card of the game."""
    _need_card(game, card, where)
    if not game.is_temple(card):
        raise PositionError("rules.no_temple_card", "1.3", where, card=card)


def _need_card(game: Game, card: str, where: Phrase) -> None:
    if card not in game.by_id:
        raise PositionError("rules.no_card", "1.3", where, card=card)


def seen_in_coatls(player: str, coatls: Iterable[Built]) -> tuple[list[Seen], list[Seen]]:
    """The pieces of a player's Cóatls, and the cards beside them."""
    pieces: list[Seen] = []
    cards: list[Seen] = []
    for number, coatl in enumerate(coatls, start=1):
        details: dict[str, object] = {"player": player, "coatl": number}
        pieces += [(piece, ("position.in_coatl", details)) for piece in pieces_of(coatl.text)]
        beside = [*coatl.prophecies, *filter(None, [coatl.temple])]
        cards += [(card, ("rules.seen_beside", details)) for card in beside]
    return pieces, cards


def bags_without(game: Game, seen: Iterable[Seen]) -> tuple[Bag, Bag, Bag]:
    """What is left in the bags of bodies, heads and tails; PositionError if that is too little."""
    bags = {
        BODY: [*game.body_bag()],
        HEAD: [HEADS_PER_COLOUR] * len(COLOURS),
        TAIL: [TAILS_PER_COLOUR] * len(COLOURS),
    }
    for piece, places in _places(seen).items():
        bag, place = bags[KIND[piece]], PLACE[piece]
        if len(places) > bag[place]:
            raise PositionError(
                "position.too_many_pieces",
                _piece_rule(game, piece),
                piece=piece_in_words(piece),
                box=bag[place],
                seen=_in_words(places),
            )
        bag[place] -= len(places)
    return tuple(bags[BODY]), tuple(bags[HEAD]), tuple(bags[TAIL])


def _piece_rule(game: Game, piece: Piece) -> str:
    """The rule that says how many there are of a piece."""
    options = game.options
    if piece == FEATHER or (options.golden_feathers and KIND[piece] == BODY):
        return "10.3"
    if options.fewer_bodies and KIND[piece] == BODY:
        return "10.2"
    return "7.1" if game.solo else "1.2"


def deck_without(game: Game, deck: Ids, seen: Iterable[Seen]) -> Ids:
    """The cards of a deck that lie nowhere to be seen; PositionError for one seen too often."""
    left = Counter(deck)
    for card, places in _places(seen).items():
        if len(places) > left[card]:
            raise PositionError(
                "position.too_many_cards",
                "1.3",
                card=card,
                copies=left[card],
                seen=_in_words(places),
            )
        left[card] -= len(places)
    return tuple(sorted(left.elements()))


def _places(seen: Iterable[Seen]) -> dict[str, list[Phrase]]:
    """Where each piece or card lies."""
    places: dict[str, list[Phrase]] = {}
    for thing, place in seen:
        places.setdefault(thing, []).append(place)
    return places


def _in_words(places: list[Phrase]) -> list[Phrase]:
    """Each place once, with how often."""
    told: list[Phrase] = []
    for place in places:
        phrase: Phrase = ("adam.times", {"piece": place, "n": places.count(place)})
        phrase = phrase if places.count(place) > 1 else place
        if phrase not in told:
            told.append(phrase)
    return told
