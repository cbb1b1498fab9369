"""A table as plain sentences, for a screen reader: no symbols, no tables, one thought a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from coatl_tools.cards.wording import describe, describe_level
from coatl_tools.errors import Phrase, visible
from coatl_tools.language import Language, load_language
from coatl_tools.pieces import Colour
from coatl_tools.referee.status import headline, news
from coatl_tools.rules.adam_text import needs_in_words
from coatl_tools.rules.box import (
    BOARD_SPACES,
    BODY,
    FEATHER,
    HEAD,
    KIND,
    PIECES,
    TAIL,
    Bag,
    Piece,
    piece_in_words,
)
from coatl_tools.rules.ending import coatl_result, standing
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.game import Game
from coatl_tools.rules.needs import lacking
from coatl_tools.rules.state import Adam, Built
from coatl_tools.rules.views import Seat, View

_COUNTED = {BODY: "shown.n_bodies", HEAD: "shown.n_heads", TAIL: "shown.n_tails"}


def table_sentences(name: str, shown: View, game: Game, language: str) -> list[str]:
    """The whole view in words, the most important first: the turn, then the viewer's own things.

    Without a viewer, whoever's turn it is comes first. The Supply board, the cards and the other
    players or A.D.A.M. follow, and last what the bags hold.
    """
    words = load_language(language)
    speaker = _Speaker(game, words)
    viewer = shown.turn if shown.player is None else shown.player
    own = 0 if game.solo else viewer
    others = [index for index in range(len(shown.seats)) if index != own]
    phrases = [
        *news(shown, game),
        *speaker.seat(own, shown, whole=True),
        *speaker.supply_board(shown),
        *speaker.cards(shown),
        *(phrase for index in others for phrase in speaker.seat(index, shown, whole=False)),
        *(speaker.adam(shown.adam) if shown.adam else ()),
        speaker.bags(shown),
    ]
    if not game.solo:
        phrases.append(("shown.first_player", {"player": game.names[game.order[0]]}))
    title = words.sentence("shown.table", {"name": visible(name)})
    turn = [f"{words.sentence(*phrase).rstrip('.')}." for phrase in headline(shown, game)]
    return [title, *turn, *(words.sentence(*phrase) for phrase in phrases)]


class _Speaker:
    """Says the parts of a table of one game, in one language."""

    def __init__(self, game: Game, words: Language) -> None:
        self.game = game
        self.words = words

    def seat(self, index: int, shown: View, whole: bool) -> Iterator[Phrase]:
        """A player; in whole with the text of the cards beside the Cóatls."""
        seat = shown.seats[index]
        player: dict[str, object] = {"player": seat.name}
        free = BOARD_SPACES - len(seat.board)
        if seat.board:
            yield "shown.board", {**player, "pieces": counted_pieces(seat.board), "n": free}
        else:
            yield "shown.board_empty", {**player, "n": free}
        yield from self._hand(seat)
        for number, built in enumerate(seat.coatls, start=1):
            yield from self._coatl(seat.name, number, built, whole)
        if not seat.coatls:
            yield "shown.no_coatl", player
        points = standing(self.game, shown.seats, shown.adam).players[index].points
        yield "shown.points", {**player, "n": points}
        if seat.tokens:
            names = ", ".join(self.words.label(token) for token in seat.tokens)
            yield "shown.tokens", {**player, "tokens": names}
        elif shown.options.tokens:
            yield "shown.no_tokens", player
        if seat.feathers:
            yield "shown.golden", {**player, "n": seat.feathers}

    def _hand(self, seat: Seat) -> Iterator[Phrase]:
        for cards, key, hidden_key in (
            (seat.hand, "shown.hand", "shown.hand_hidden"),
            (seat.temples, "shown.temples", "shown.temples_hidden"),
        ):
            hidden = cards.count(UNKNOWN)
            held: dict[str, object] = {"player": seat.name, "n": len(cards)}
            if hidden:
                yield hidden_key, {**held, "hidden": hidden}
            elif cards or key == "shown.hand":
                yield key, held
            for card in cards:
                if card != UNKNOWN:
                    yield self._card(card)

    def _card(self, card_id: str) -> Phrase:
        """A card with its text and all its levels."""
        card = self.game.by_id[card_id]
        levels = [describe_level(card, level, self.words) for level in card.levels]
        paid = self.words.card("semicolon").join(levels)
        said: dict[str, object] = {
            "card": card.id,
            "text": describe(card, self.words.code),
            "levels": f"{paid[0].upper()}{paid[1:]}",
        }
        if card.colour is None:
            return "shown.temple", said
        return "shown.prophecy", {**said, "colour": card.colour}

    def _coatl(self, player: str, number: int, built: Built, whole: bool) -> Iterator[Phrase]:
        found = coatl_result(self.game, built)
        drawn = {"player": player, "number": number, "pieces": coatl_in_words(built.text)}
        if found.complete:
            yield "shown.coatl_complete", {**drawn, "n": found.points}
        elif not found.cards:
            yield "shown.coatl_bare", drawn
        else:
            later = sum(score.points for score in found.cards)
            yield "shown.coatl_open", {**drawn, "n": found.points, "later": later}
        if whole:
            for score in found.cards:
                yield "shown.beside", {"n": score.points, "card": self._card(score.card.id)}
        elif found.cards:
            cards = [("shown.worth", {"card": s.card.id, "n": s.points}) for s in found.cards]
            yield "shown.beside_brief", {"cards": cards}

    def supply_board(self, shown: View) -> Iterator[Phrase]:
        """The spaces of the Supply board that hold something, then the empty ones."""
        for space, pieces in enumerate(shown.spaces, start=1):
            if pieces:
                yield "shown.space", {"space": space, "pieces": counted_pieces(pieces)}
        empty = [space for space, pieces in enumerate(shown.spaces, start=1) if not pieces]
        if empty:
            yield "shown.empty_spaces", {"spaces": ", ".join(map(str, empty))}

    def cards(self, shown: View) -> Iterator[Phrase]:
        """The Prophecy supply, its deck, and the Temple piles."""
        for number, card in enumerate(shown.supply, start=1):
            yield "shown.supply", {"number": number, "card": self._card(card)}
        if not shown.supply:
            yield "shown.supply_empty", {}
        yield "shown.deck", {"deck": shown.deck, "discards": shown.discards_in_all}
        for number, pile in enumerate(shown.piles, start=1):
            if pile.top:
                said = {"pile": number, "n": pile.below, "card": self._card(pile.top)}
                yield "shown.pile", said
            else:
                yield "shown.pile_empty", {"pile": number, "n": pile.below}

    def bags(self, shown: View) -> Phrase:
        """What is left in the bags."""
        left: Counter[Piece] = Counter()
        bags: tuple[tuple[str, Bag], ...] = (
            (BODY, shown.bodies),
            (HEAD, shown.heads),
            (TAIL, shown.tails),
        )
        for kind, bag in bags:
            left.update(dict(zip(PIECES[kind], bag, strict=True)))
        if not left.total():
            return "shown.bags_empty", {}
        return "shown.bags", {"pieces": _counted(left)}

    def adam(self, adam: Adam) -> Iterator[Phrase]:
        """A.D.A.M.'s row from the left, what it has fulfilled, what it has thrown out."""
        for number, (card, pieces) in enumerate(adam.row, start=1):
            lacks = needs_in_words(lacking(self.game.needs[card], pieces))
            said: dict[str, object] = {
                "number": number,
                "card": card,
                "points": self.words.card("points", self.game.top_points(card)),
                "left": ("adam.lacks", {"lacks": lacks}),
            }
            if pieces:
                yield "shown.adam_card", {**said, "pieces": counted_pieces(pieces)}
            else:
                yield "shown.adam_bare", said
        if adam.fulfilled:
            points = sum(map(self.game.top_points, adam.fulfilled))
            yield "shown.adam_points", {"n": points, "cards": ", ".join(adam.fulfilled)}
        else:
            yield "shown.adam_no_points", {}
        if adam.discarded:
            yield "shown.adam_discarded", {"pieces": counted_pieces(adam.discarded)}


def counted_pieces(pieces: Iterable[Piece]) -> list[Phrase]:
    """Pieces counted: "2 red body segments, 1 green head"."""
    return _counted(Counter(pieces))


def _counted(numbers: Mapping[Piece, int]) -> list[Phrase]:
    found: list[Phrase] = []
    for piece, number in numbers.items():
        if number and piece == FEATHER:
            found.append(("shown.n_golden", {"n": number}))
        elif number:
            colour = Colour[piece.strip("<>")]
            found.append((_COUNTED[KIND[piece]], {"n": number, "colour": colour}))
    return found


def coatl_in_words(text: str) -> list[Phrase]:
    """A Cóatl from its head end on: head and tail by name, the rest by colour."""
    letters = text.strip("<>")
    found: list[Phrase] = [("shown.colour", {"colour": Colour[letter]}) for letter in letters]
    if text[0] == "<":
        found[0] = piece_in_words(f"<{letters[0]}")
    if text[-1] == ">":
        found[-1] = piece_in_words(f"{letters[-1]}>")
    return found
