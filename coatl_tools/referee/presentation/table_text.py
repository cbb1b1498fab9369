"""A table as plain sentences, for screen readers: status, players, Supply board, cards, bags.

The phrases for whose turn it is, what is awaited and how near the end is serve every screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from coatl_tools.cards.card_text import describe_card, describe_level
from coatl_tools.errors import Phrase, escape_unprintable
from coatl_tools.language import Language, load_language
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import (
    BOARD_SPACES,
    BODY,
    COATLS_TO_END,
    FEATHER,
    HEAD,
    KIND_OF_PIECE,
    PIECES_OF_KIND,
    PROPHECIES_KEPT,
    TAIL,
    Bag,
    Piece,
    phrase_piece,
)
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import compute_coatl_result, compute_standing
from coatl_tools.rules.solo.adam import describe_needs
from coatl_tools.rules.solo.needs import find_open_needs
from coatl_tools.rules.state import (
    Adam,
    AdamDraw,
    Built,
    DealDraw,
    DeckDraw,
    FillDraw,
    PileDraw,
    Stage,
    SupplyDraw,
    TempleDraw,
)
from coatl_tools.rules.views import Seat, View, is_in_setup

_STAGE_PHRASES = {
    Stage.READY: "shown.await_action",
    Stage.CHOOSING: "shown.await_more_cards",
    Stage.MUST_CHOOSE: "shown.await_card",
    Stage.ASSEMBLING: "shown.await_assembly",
    Stage.CLOSING: "shown.await_closing",
    Stage.DISCARDING: "shown.await_discard",
    Stage.BETWEEN: "shown.await_second",
    Stage.ADAMS_TURN: "shown.await_adam",
}


def phrase_headline(view: View, game: Game) -> list[Phrase]:
    """Phrase whose turn it is, and its actions if there are two; or that the game is over."""
    if view.awaited is None:
        return [("shown.over", {"n": view.turns_ended})]
    if is_in_setup(view):
        return [("shown.setup", {})]
    turn: Phrase = (
        "shown.turn",
        {"number": view.turns_ended + 1, "player": game.names[view.current_player]},
    )
    return [turn, ("shown.actions", {"n": view.actions_left})] if view.actions_left > 1 else [turn]


def phrase_status(view: View, game: Game) -> list[Phrase]:
    """Phrase who has won and why the game ended; or how near the end is, and what is awaited."""
    if view.awaited is None:
        return [
            phrase_winners(view, game),
            ("shown.ended", {"why": _phrase_end_cause(view, game)}),
        ]
    found: list[Phrase] = []
    if view.ending:
        found.append(("shown.near_end", {"why": _phrase_end_cause(view, game)}))
        found.append(_phrase_last_turns(view, game))
    return [*found, phrase_awaited(view, game)]


def _phrase_end_cause(view: View, game: Game) -> Phrase:
    """Phrase what brings the end of the game."""
    if view.ending is None:
        return "shown.passed", {"rule": "9.2"}
    if view.ending.cause == "bodies":
        return "shown.bodies", {"rule": "7.9" if game.solo else "6.2"}
    player, rule = game.names[view.ending.player], "7.9" if game.solo else "6.1"
    return "shown.third", {"player": player, "number": COATLS_TO_END, "rule": rule}


def _phrase_last_turns(view: View, game: Game) -> Phrase:
    if not view.final_turns:
        return "shown.last_turn", {}
    turns: list[Phrase] = []
    for player, actions in view.final_turns:
        key = "shown.turn_of_two" if actions > 1 else "shown.turn_of_one"
        turns.append((key, {"player": game.names[player]}))
    return "shown.turns_to_come", {"turns": turns}


def phrase_winners(view: View, game: Game) -> Phrase:
    """Phrase who has won, once the game is over."""
    result = compute_standing(game, view.seats, view.adam)
    names = ", ".join(game.names[index] for index in result.winners)
    if result.adam and result.adam.temple_missing and result.players[0].points > result.adam.points:
        return "shown.lost_without_temple", {"names": names}
    key = "shown.shared" if len(result.winners) > 1 else "shown.won"
    return key, {"names": names}


def phrase_awaited(view: View, game: Game) -> Phrase:
    """Phrase what must come next, while the game is not over."""
    match view.awaited:
        case Decision(player, Stage.KEEPING):
            key = "shown.await_keep_all" if game.solo else "shown.await_keep"
            return key, {"player": game.names[player], "n": PROPHECIES_KEPT}
        case Decision(player, stage):
            return _STAGE_PHRASES[stage], {"player": game.names[player], "coatl": view.closing}
        case FillDraw(space):
            return "shown.await_fill", {"space": space}
        case TempleDraw(player):
            return "shown.await_temple", {"player": game.names[player]}
        case PileDraw(pile):
            return "shown.await_pile", {"pile": pile}
        case SupplyDraw():
            return "shown.await_supply", {}
        case AdamDraw():
            return "shown.await_deal_adam", {}
        case DealDraw(player):
            return "shown.await_deal", {"player": game.names[player]}
        case DeckDraw(player):
            return "shown.await_drawn", {"player": game.names[player]}
        case _:
            raise ValueError("nothing is awaited: the game is over")


_COUNT_PHRASES = {BODY: "shown.n_bodies", HEAD: "shown.n_heads", TAIL: "shown.n_tails"}


def describe_table(name: str, view: View, game: Game, lang: str) -> list[str]:
    """Describe the whole view in sentences: first the turn, then the viewer's own things.

    Without a viewer, whoever's turn it is comes first. The Supply board, the cards and the other
    players or A.D.A.M. follow, and last what the bags hold.
    """
    language = load_language(lang)
    speaker = _TableDescriber(game, language)
    viewer = view.current_player if view.player is None else view.player
    own = 0 if game.solo else viewer
    others = [index for index in range(len(view.seats)) if index != own]
    phrases = [
        *phrase_status(view, game),
        *speaker.phrase_player(own, view, whole=True),
        *speaker.phrase_supply_board(view),
        *speaker.phrase_cards(view),
        *(phrase for index in others for phrase in speaker.phrase_player(index, view, whole=False)),
        *(speaker.phrase_adam(view.adam) if view.adam else ()),
        speaker.phrase_bags(view),
    ]
    if not game.solo:
        phrases.append(("shown.first_player", {"player": game.names[game.order[0]]}))
    title = language.sentence("shown.table", {"name": escape_unprintable(name)})
    turn = [f"{language.sentence(*phrase).rstrip('.')}." for phrase in phrase_headline(view, game)]
    return [title, *turn, *(language.sentence(*phrase) for phrase in phrases)]


class _TableDescriber:
    """Says the parts of a table of one game, in one language."""

    def __init__(self, game: Game, language: Language) -> None:
        self.game = game
        self.language = language

    def phrase_player(self, index: int, view: View, whole: bool) -> Iterator[Phrase]:
        """Phrase a player's things; with `whole`, with the text of the cards beside the Cóatls."""
        seat = view.seats[index]
        player: dict[str, object] = {"player": seat.name}
        free = BOARD_SPACES - len(seat.board)
        if seat.board:
            yield "shown.board", {**player, "pieces": phrase_piece_counts(seat.board), "n": free}
        else:
            yield "shown.board_empty", {**player, "n": free}
        yield from self._hand(seat)
        for number, built in enumerate(seat.coatls, start=1):
            yield from self._coatl(seat.name, number, built, whole)
        if not seat.coatls:
            yield "shown.no_coatl", player
        points = compute_standing(self.game, view.seats, view.adam).players[index].points
        yield "shown.points", {**player, "n": points}
        if seat.tokens:
            names = ", ".join(self.language.label(token) for token in seat.tokens)
            yield "shown.tokens", {**player, "tokens": names}
        elif view.options.tokens:
            yield "shown.no_tokens", player
        if seat.feathers:
            yield "shown.golden", {**player, "n": seat.feathers}

    def _hand(self, seat: Seat) -> Iterator[Phrase]:
        for cards, key, hidden_key in (
            (seat.hand, "shown.hand", "shown.hand_hidden"),
            (seat.temples, "shown.temples", "shown.temples_hidden"),
        ):
            hidden = cards.count(UNKNOWN_CARD)
            held: dict[str, object] = {"player": seat.name, "n": len(cards)}
            if hidden:
                yield hidden_key, {**held, "hidden": hidden}
            elif cards or key == "shown.hand":
                yield key, held
            for card in cards:
                if card != UNKNOWN_CARD:
                    yield self._card(card)

    def _card(self, card_id: str) -> Phrase:
        """Phrase a card with its text and all its levels."""
        card = self.game.by_id[card_id]
        levels = [describe_level(card, level, self.language) for level in card.levels]
        paid = self.language.card("semicolon").join(levels)
        said: dict[str, object] = {
            "card": card.id,
            "text": describe_card(card, self.language.code),
            "levels": f"{paid[0].upper()}{paid[1:]}",
        }
        if card.colour is None:
            return "shown.temple", said
        return "shown.prophecy", {**said, "colour": card.colour}

    def _coatl(self, player: str, number: int, built: Built, whole: bool) -> Iterator[Phrase]:
        found = compute_coatl_result(self.game, built)
        drawn = {"player": player, "number": number, "pieces": phrase_coatl(built.text)}
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

    def phrase_supply_board(self, view: View) -> Iterator[Phrase]:
        """Phrase the spaces of the Supply board that hold something, then the empty ones."""
        for space, pieces in enumerate(view.spaces, start=1):
            if pieces:
                yield "shown.space", {"space": space, "pieces": phrase_piece_counts(pieces)}
        empty = [space for space, pieces in enumerate(view.spaces, start=1) if not pieces]
        if empty:
            yield "shown.empty_spaces", {"spaces": ", ".join(map(str, empty))}

    def phrase_cards(self, view: View) -> Iterator[Phrase]:
        """Phrase the Prophecy supply, its deck, and the Temple piles."""
        for number, card in enumerate(view.supply, start=1):
            yield "shown.supply", {"number": number, "card": self._card(card)}
        if not view.supply:
            yield "shown.supply_empty", {}
        yield "shown.deck", {"deck": view.deck, "discards": view.discards_in_all}
        for number, pile in enumerate(view.piles, start=1):
            if pile.top:
                said = {"pile": number, "n": pile.below, "card": self._card(pile.top)}
                yield "shown.pile", said
            else:
                yield "shown.pile_empty", {"pile": number, "n": pile.below}

    def phrase_bags(self, view: View) -> Phrase:
        """Phrase what is left in the bags."""
        left: Counter[Piece] = Counter()
        bags: tuple[tuple[str, Bag], ...] = (
            (BODY, view.bodies),
            (HEAD, view.heads),
            (TAIL, view.tails),
        )
        for kind, bag in bags:
            left.update(dict(zip(PIECES_OF_KIND[kind], bag, strict=True)))
        if not left.total():
            return "shown.bags_empty", {}
        return "shown.bags", {"pieces": _phrase_counts(left)}

    def phrase_adam(self, adam: Adam) -> Iterator[Phrase]:
        """Phrase A.D.A.M.'s row from the left, what it has fulfilled, and what it has discarded."""
        for number, (card, pieces) in enumerate(adam.row, start=1):
            lacks = describe_needs(find_open_needs(self.game.needs[card], pieces))
            said: dict[str, object] = {
                "number": number,
                "card": card,
                "points": self.language.card("points", self.game.top_points(card)),
                "left": ("adam.lacks", {"lacks": lacks}),
            }
            if pieces:
                yield "shown.adam_card", {**said, "pieces": phrase_piece_counts(pieces)}
            else:
                yield "shown.adam_bare", said
        if adam.fulfilled:
            points = sum(map(self.game.top_points, adam.fulfilled))
            yield "shown.adam_points", {"n": points, "cards": ", ".join(adam.fulfilled)}
        else:
            yield "shown.adam_no_points", {}
        if adam.discarded:
            yield "shown.adam_discarded", {"pieces": phrase_piece_counts(adam.discarded)}


def phrase_piece_counts(pieces: Iterable[Piece]) -> list[Phrase]:
    """Phrase pieces with their numbers: "2 red body segments, 1 green head"."""
    return _phrase_counts(Counter(pieces))


def _phrase_counts(numbers: Mapping[Piece, int]) -> list[Phrase]:
    found: list[Phrase] = []
    for piece, number in numbers.items():
        if number and piece == FEATHER:
            found.append(("shown.n_golden", {"n": number}))
        elif number:
            colour = Colour[piece.strip("<>")]
            found.append((_COUNT_PHRASES[KIND_OF_PIECE[piece]], {"n": number, "colour": colour}))
    return found


def phrase_coatl(text: str) -> list[Phrase]:
    """Phrase a Cóatl from its head end on: head and tail by name, the rest by colour."""
    letters = text.strip("<>")
    found: list[Phrase] = [("shown.colour", {"colour": Colour[letter]}) for letter in letters]
    if text[0] == "<":
        found[0] = phrase_piece(f"<{letters[0]}")
    if text[-1] == ">":
        found[-1] = phrase_piece(f"{letters[-1]}>")
    return found
