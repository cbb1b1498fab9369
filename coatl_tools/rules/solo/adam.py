"""A.D.A.M.'s turn as steps that a person can follow (section 7), and as sentences.

`plan_adam_turn` works out the whole turn and changes nothing, `play_adam_turn` applies it,
`explain_adam_turn` says what A.D.A.M. does and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

from coatl_tools.errors import IllegalActionError, Phrase
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour
from coatl_tools.rules.actions.supply_board import replenish_supply_board
from coatl_tools.rules.actions.turns import continue_after_draw, end_turn, make_wrong_draw_error
from coatl_tools.rules.constants import COLOURS, Piece, Pieces, phrase_pieces
from coatl_tools.rules.events import AdamTurn, DealAdam
from coatl_tools.rules.hidden_cards import take_from_deck
from coatl_tools.rules.solo.needs import NO_NEEDS, Needs, find_open_needs, needs_piece
from coatl_tools.rules.state import (
    ADAMS_TURN,
    Adam,
    AdamDraw,
    GameState,
    Wanted,
    add_sorted,
    replace_item,
)


class AdamRowPlace(NamedTuple):
    """A card of its row, and its place there when the turn began: 1 is the leftmost."""

    card: str
    place: int


@dataclass(frozen=True, slots=True)
class SearchSpaces:
    """A.D.A.M. looks for what a card lacks, and takes the first space with such a piece (rule 7.4).

    `space` is 0, and `pieces` empty, if no space has any.
    """

    on: AdamRowPlace
    lacks: Needs
    space: int
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class TakeLowest:
    """A.D.A.M. takes the lowest numbered space: no card can be helped, or it has none (7.4)."""

    space: int
    pieces: Pieces
    cards: int  # in its row


@dataclass(frozen=True, slots=True)
class NothingToTake:
    """All spaces are empty."""


@dataclass(frozen=True, slots=True)
class PutPiece:
    """A piece goes on the leftmost card that needs it (rules 7.5, 7.6).

    `white` if it meets a white need (ruling 9.5); `source` is the card that it lay on, if any.
    """

    piece: Piece
    on: AdamRowPlace
    white: bool
    lacks: Needs  # what the card lacks afterwards
    source: AdamRowPlace | None


@dataclass(frozen=True, slots=True)
class DiscardPiece:
    """No card needs a piece: it leaves the game (rules 7.4 to 7.6, ruling 9.10)."""

    piece: Piece
    source: AdamRowPlace | None


@dataclass(frozen=True, slots=True)
class FulfilCard:
    """A card has all its pieces: it scores its highest level, its pieces are passed on (7.6)."""

    on: AdamRowPlace
    points: int
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class MoveToPile:
    """All cards fulfilled in this turn leave the row for the fulfilled pile (rule 7.6)."""

    cards: tuple[AdamRowPlace, ...]


@dataclass(frozen=True, slots=True)
class RefillRow:
    """The rightmost card of the Prophecy row joins its own row at the right end (rule 7.7)."""

    card: str
    needs: Needs


@dataclass(frozen=True, slots=True)
class RowStaysShort:
    """The Prophecy row is empty: A.D.A.M. plays on with fewer cards (ruling 9.15)."""

    cards: int


AdamStep: TypeAlias = (
    SearchSpaces
    | TakeLowest
    | NothingToTake
    | PutPiece
    | DiscardPiece
    | FulfilCard
    | MoveToPile
    | RefillRow
    | RowStaysShort
)


@dataclass(frozen=True, slots=True)
class AdamPlan:
    """A whole turn of A.D.A.M.: its steps, and what they lead to."""

    before: tuple[Wanted, ...]  # its row when the turn began
    steps: tuple[AdamStep, ...]
    space: int  # the one that it empties; 0 for none
    row: tuple[Wanted, ...]
    fulfilled: tuple[str, ...]  # in this turn
    discarded: Pieces  # in this turn
    supply: tuple[str, ...]  # what is left of the Prophecy row


def plan_adam_turn(state: GameState) -> AdamPlan:
    """Plan what A.D.A.M. does, or would do if it were its turn; ValueError at tables without it."""
    if state.adam is None:
        raise ValueError("A.D.A.M. plays at solo tables only")
    return _AdamPlanner(state, state.adam).plan()


class _AdamPlanner:
    """Plans one turn, step by step."""

    def __init__(self, state: GameState, adam: Adam) -> None:
        self.state = state
        self.steps: list[AdamStep] = []
        self.discarded: list[Piece] = []
        self.before = adam.row
        self.spots = [
            AdamRowPlace(wanted.card, place) for place, wanted in enumerate(adam.row, start=1)
        ]
        self.pieces = [wanted.pieces for wanted in adam.row]
        self.lacks = [find_open_needs(state.game.needs[card], pieces) for card, pieces in adam.row]
        self.fulfilled: list[AdamRowPlace] = []
        self.supply = state.supply

    def plan(self) -> AdamPlan:
        space = self.choose_space()
        for piece in self.state.spaces[space - 1] if space else ():
            self.give_piece(piece)
        self.fulfil_cards()
        row = self.refill_row(
            [
                Wanted(spot.card, pieces)
                for spot, pieces in zip(self.spots, self.pieces, strict=True)
                if spot not in self.fulfilled
            ]
        )
        return AdamPlan(
            before=self.before,
            steps=tuple(self.steps),
            space=space,
            row=row,
            fulfilled=tuple(spot.card for spot in self.fulfilled),
            discarded=tuple(self.discarded),
            supply=self.supply,
        )

    def choose_space(self) -> int:
        """Choose the space that A.D.A.M. empties, and return its number, 0 for none (rule 7.4)."""
        for spot, lacks in zip(self.spots, self.lacks, strict=True):
            for space, pieces in enumerate(self.state.spaces, start=1):
                if any(needs_piece(lacks, piece) for piece in pieces):
                    self.steps.append(SearchSpaces(spot, lacks, space, pieces))
                    return space
            self.steps.append(SearchSpaces(spot, lacks, 0, ()))
        for space, pieces in enumerate(self.state.spaces, start=1):
            if pieces:
                self.steps.append(TakeLowest(space, pieces, len(self.spots)))
                return space
        self.steps.append(NothingToTake())
        return 0

    def give_piece(self, piece: Piece, source: AdamRowPlace | None = None) -> None:
        """Put a piece on the leftmost card that needs it, or discard it (7.5, 7.6; ruling 9.5)."""
        for place, lacks in enumerate(self.lacks):
            if needs_piece(lacks, piece):
                after = find_open_needs(lacks, (piece,))
                white = after[-1] < lacks[-1]
                self.lacks[place] = after
                self.pieces[place] += (piece,)
                self.steps.append(PutPiece(piece, self.spots[place], white, after, source))
                return
        self.discarded.append(piece)
        self.steps.append(DiscardPiece(piece, source))

    def fulfil_cards(self) -> None:
        """Fulfil cards that have all pieces, the leftmost first each time (7.6, ruling 9.15)."""
        while True:
            spot = next(filter(self.is_fulfilled, self.spots), None)
            if spot is None:
                break
            self.fulfilled.append(spot)
            pieces = self.pieces[spot.place - 1]
            self.steps.append(FulfilCard(spot, self.state.game.top_points(spot.card), pieces))
            for piece in pieces:
                self.give_piece(piece, spot)
        if self.fulfilled:
            self.steps.append(MoveToPile(tuple(self.fulfilled)))

    def is_fulfilled(self, spot: AdamRowPlace) -> bool:
        """Tell whether a card has all its pieces, and they have not been passed on yet."""
        return self.lacks[spot.place - 1] == NO_NEEDS and spot not in self.fulfilled

    def refill_row(self, row: list[Wanted]) -> tuple[Wanted, ...]:
        """Refill the row with cards from the right end of the Prophecy row (rule 7.7)."""
        game = self.state.game
        while len(row) < game.adam_refill:
            if not self.supply:
                if self.fulfilled:  # else it was said before
                    self.steps.append(RowStaysShort(len(row)))
                break
            *rest, card = self.supply
            self.supply = tuple(rest)
            row.append(Wanted(card))
            self.steps.append(RefillRow(card, game.needs[card]))
        return tuple(row)


def play_adam_turn(state: GameState, _: AdamTurn) -> GameState:
    """Play A.D.A.M.'s turn, then replenish the Supply board, as after any other turn."""
    if state.adam is None:
        raise IllegalActionError("rules.no_adam", "7.1")
    if state.stage is not ADAMS_TURN:
        raise IllegalActionError("rules.not_adams_turn", "7.4")
    plan, adam = plan_adam_turn(state), state.adam
    state = state._replace(
        actions_left=0,
        supply=plan.supply,
        adam=Adam(
            plan.row,
            adam.fulfilled + plan.fulfilled,
            add_sorted(adam.discarded, *plan.discarded),
        ),
    )
    if not plan.space:
        return end_turn(state, passes=state.passes + 1)  # ruling 9.2
    spaces = replace_item(state.spaces, plan.space - 1, ())
    return end_turn(replenish_supply_board(state._replace(spaces=spaces)))


def answer_adam_draw(state: GameState, _: AdamDraw, event: DealAdam) -> GameState:
    """Add a card to the right end of A.D.A.M.'s row, in the setup (rule 7.1)."""
    if state.adam is None:
        raise make_wrong_draw_error(state)
    adam = state.adam._replace(row=(*state.adam.row, Wanted(event.card)))
    return continue_after_draw(
        state,
        deck=state.deck - 1,
        unlocated_prophecies=take_from_deck(state, event.card),
        adam=adam,
    )


def explain_adam_turn(plan: AdamPlan, lang: str = "en") -> list[str]:
    """Explain a whole turn, in a sentence or two for each group of steps."""
    language, row = load_language(lang), [wanted.card for wanted in plan.before]
    return [language.sentence(*_phrase_steps(steps, row)) for steps in group_steps(plan.steps)]


def group_steps(steps: Iterable[AdamStep]) -> Iterator[list[AdamStep]]:
    """Group steps in a row that move pieces the same way; any other step is alone."""
    for way, same in groupby(steps, _get_piece_route):
        group = list(same)
        yield from [group] if way else [[step] for step in group]


def _get_piece_route(step: AdamStep) -> tuple[object, ...]:
    """Return where a piece goes: to and from which card, for a white need; empty if none moves."""
    match step:
        case PutPiece(_, on, white, _, source):
            return on, source, white
        case DiscardPiece(_, source):
            return "away", source
        case _:
            return ()


def _phrase_steps(steps: list[AdamStep], row: list[str]) -> Phrase:
    """Phrase steps that belong together, for any language."""

    def named(spot: AdamRowPlace) -> str | Phrase:
        """Name a card; with its place, if the row has another like it."""
        if row.count(spot.card) == 1:
            return spot.card
        return "adam.which", {"card": spot.card, "place": spot.place}

    pieces = phrase_pieces(
        [step.piece for step in steps if isinstance(step, PutPiece | DiscardPiece)]
    )
    match steps[-1]:
        case SearchSpaces(on, lacks, 0):
            return "adam.finds_nothing", {"card": named(on), "lacks": describe_needs(lacks)}
        case SearchSpaces(on, lacks, space, taken):
            found = {"space": space, "pieces": phrase_pieces(taken)}
            return "adam.takes", {"card": named(on), "lacks": describe_needs(lacks), **found}
        case TakeLowest(space, taken, cards):
            key = "adam.takes_lowest" if cards else "adam.has_no_card"
            return key, {"space": space, "pieces": phrase_pieces(taken)}
        case NothingToTake():
            return "adam.nothing_to_take", {}
        case PutPiece(_, on, white, lacks, AdamRowPlace() as source):
            key = "adam.passes_on_white" if white else "adam.passes_on"
            given = {"pieces": pieces, "source": named(source)}
            return key, {"card": named(on), "left": _phrase_missing(lacks), **given}
        case PutPiece(_, on, white, lacks):
            key = "adam.puts_white" if white else "adam.puts"
            return key, {"card": named(on), "left": _phrase_missing(lacks), "pieces": pieces}
        case DiscardPiece(_, AdamRowPlace() as source):
            return "adam.discards_from", {"pieces": pieces, "source": named(source)}
        case DiscardPiece():
            return "adam.discards", {"pieces": pieces}
        case FulfilCard(on, points):
            return "adam.fulfils", {"card": named(on), "n": points}
        case MoveToPile(spots):
            return "adam.to_pile", {"cards": [named(spot) for spot in spots]}
        case RefillRow(card, needs):
            return "adam.refills", {"card": card, "needs": describe_needs(needs)}
        case RowStaysShort(cards):
            return "adam.row_stays_short", {"n": cards}


def _phrase_missing(lacks: Needs) -> Phrase:
    if lacks == NO_NEEDS:
        return "adam.lacks_nothing", {}
    return "adam.lacks", {"lacks": describe_needs(lacks)}


def describe_needs(needs: Needs) -> list[Phrase]:
    """Describe what a card needs or lacks, a phrase for each colour."""
    *colours, white = needs
    found: list[Phrase] = [
        ("adam.need", {"n": number, "colour": Colour[colour]})
        for colour, number in zip(COLOURS, colours, strict=True)
        if number
    ]
    return [*found, ("adam.need_any", {"n": white})] if white else found
