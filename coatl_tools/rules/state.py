"""A moment of a game: an immutable value that holds nothing but tuples, strings and numbers.

Nothing random is stored: a bag is what is left in it, a deck is its number of cards. Which cards
those may be is in `unlocated_prophecies` and `unlocated_temples`: every card whose place is not
known. `digest_state` hashes the `repr` of these values, and journals store the digest: the names
of classes and fields are a file format.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from coatl_tools.rules.constants import Bag, Pieces
from coatl_tools.rules.game import Game

Item = TypeVar("Item")


class Stage(Enum):
    """What the player whose turn it is may do now, once no draw is awaited."""

    KEEPING = "keeping"  # the setup: choose among the cards dealt
    READY = "ready"  # begin an action
    CHOOSING = "choosing"  # more Prophecy cards, or an end
    MUST_CHOOSE = "must_choose"  # at least one Prophecy card (ruling 9.4)
    ASSEMBLING = "assembling"  # more steps, or an end
    CLOSING = "closing"  # the forced step after the closing piece (rule 3.10)
    DISCARDING = "discarding"  # the second part of See the Future
    BETWEEN = "between"  # a second action, or an end (rule 6.1)
    ADAMS_TURN = "adams_turn"  # A.D.A.M. plays its whole turn (rules 7.4 to 7.7)
    TURN_ENDED = "turn_ended"  # nothing any more: last draws of the turn are awaited
    OVER = "over"  # the game has ended


# The members by name: to look one up on its class takes ten times as long in Python 3.11.
(
    KEEPING,
    READY,
    CHOOSING,
    MUST_CHOOSE,
    ASSEMBLING,
    CLOSING,
    DISCARDING,
    BETWEEN,
    ADAMS_TURN,
    TURN_ENDED,
    OVER,
) = Stage


class Built(NamedTuple):
    """A Cóatl on the table: its notation, and the cards beside it."""

    text: str
    prophecies: tuple[str, ...] = ()
    temple: str = ""
    complete: bool = False


class Player(NamedTuple):
    """All that a player has. Tuples of pieces and hands are sorted."""

    board: Pieces
    coatls: tuple[Built, ...]
    hand: tuple[str, ...]  # Prophecy cards; `?` is one that the program does not know
    shown: tuple[str, ...]  # those of the hand that everybody saw being taken
    temples: tuple[str, ...]
    temples_shown: tuple[str, ...]
    tokens: tuple[str, ...]
    discarded: tuple[str, ...]  # discards that nobody else saw
    feathers: int  # golden segments laid beside the board (rule 10.3)
    # cards known to be among the hidden ones of hand and discards: they were known, until one of
    # them was put away and nobody told which
    among: tuple[str, ...] = ()

    @property
    def completed(self) -> int:
        """How many Cóatls are complete."""
        return sum(coatl.complete for coatl in self.coatls)


class Wanted(NamedTuple):
    """A card of A.D.A.M.'s row, and the pieces on it in the order in which they came."""

    card: str
    pieces: Pieces = ()


class Adam(NamedTuple):
    """All that A.D.A.M. has (rule 7.1); what it discards is out of the game (ruling 9.10)."""

    row: tuple[Wanted, ...] = ()  # from left to right
    fulfilled: tuple[str, ...] = ()  # in the order in which it happened
    discarded: Pieces = ()


class Pile(NamedTuple):
    """A Temple pile: its top card (empty: none, or not turned up yet), and how many lie below."""

    top: str
    below: int


class Turn(NamedTuple):
    """A turn to come: whose, and of how many actions."""

    player: int
    actions: int


class Ending(NamedTuple):
    """What triggered the end of the game, and who: `third` (rule 6.1) or `bodies` (rule 6.2)."""

    cause: str
    player: int


@dataclass(frozen=True, slots=True)
class FillDraw:
    """Pieces for a space of the Supply board."""

    space: int


@dataclass(frozen=True, slots=True)
class TempleDraw:
    """A Temple card for a player, in the setup."""

    player: int


@dataclass(frozen=True, slots=True)
class PileDraw:
    """The next card of a Temple pile, which is turned up."""

    pile: int


@dataclass(frozen=True, slots=True)
class SupplyDraw:
    """A Prophecy card for the face-up supply."""


@dataclass(frozen=True, slots=True)
class AdamDraw:
    """A Prophecy card for A.D.A.M.'s row, in the setup."""


@dataclass(frozen=True, slots=True)
class DealDraw:
    """A Prophecy card for a player, in the setup."""

    player: int


@dataclass(frozen=True, slots=True)
class DeckDraw:
    """The Prophecy card that a player draws blind."""

    player: int


Draw: TypeAlias = FillDraw | TempleDraw | PileDraw | SupplyDraw | AdamDraw | DealDraw | DeckDraw
PROPHECY_DRAWS = (SupplyDraw, AdamDraw, DealDraw, DeckDraw)
TEMPLE_DRAWS = (TempleDraw, PileDraw)


class GameState(NamedTuple):
    """The whole game at one moment."""

    game: Game
    stage: Stage
    current_player: int  # whose turn it is, or who keeps cards; `ADAM_INDEX` when A.D.A.M. plays
    turns_ended: int  # turns ended so far
    actions_left: int  # actions that may still be begun in this turn
    closing: int  # the number of the Cóatl that the closing piece was put to, or 0
    passes: int  # passes one after the other (ruling 9.2)
    ending: Ending | None
    final_turns: tuple[Turn, ...]  # the turns still to come, once the end is triggered
    draws: tuple[Draw, ...]  # what chance has to bring now, in this order
    draws_answered: int  # draws answered so far
    spaces: tuple[Pieces, ...]
    bodies: Bag
    heads: Bag
    tails: Bag
    supply: tuple[str, ...]  # at a solo table from left to right (rule 7.2)
    deck: int
    # Prophecy cards whose place is not known. The first group may lie anywhere; those of the n-th
    # one after it were seen to go into the deck when it was rebuilt the n-th time, so no older
    # hidden card is one.
    unlocated_prophecies: tuple[tuple[str, ...], ...]
    discards: tuple[str, ...]  # those that everybody saw
    unlocated_temples: tuple[str, ...]  # Temple cards whose place is not known
    piles: tuple[Pile, ...]  # two of them
    players: tuple[Player, ...]
    adam: Adam | None = None  # at a solo table


if not TYPE_CHECKING:  # `_replace` of NamedTuple took half the time of a move

    def _quick_replace(kind):
        places = {name: place for place, name in enumerate(kind._fields)}

        def _replace(self, /, **changes):
            """Return the value with some fields changed."""
            values = [*self]
            for name, value in changes.items():
                values[places[name]] = value
            return tuple.__new__(kind, values)

        return _replace

    for _kind in (GameState, Player, Built):
        _kind._replace = _quick_replace(_kind)


def replace_item(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Return a tuple with one of its items replaced."""
    return (*items[:index], item, *items[index + 1 :])


def replace_current_player(state: GameState, player: Player, **changes: Any) -> GameState:
    """Return the state with the player whose turn it is replaced, and other fields changed."""
    players = replace_item(state.players, state.current_player, player)
    return state._replace(players=players, **changes)


def remove_item(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    """Return a tuple without one of its items; ValueError if it is not there."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def add_sorted(items: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """Return a sorted tuple with more items, sorted."""
    return tuple(sorted(items + more))


_DIGEST_BYTES = 8


def digest_state(state: GameState) -> str:
    """Compute 16 hexadecimal digits that tell this state, its options and cards from others."""
    # journals keep it: new names for what is in a state (`Player`, `Built` and their fields, not
    # those of GameState itself) would make every saved table look damaged
    text = f"{state.game.fingerprint} {state.stage.name} {state[2:]!r}"
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()
