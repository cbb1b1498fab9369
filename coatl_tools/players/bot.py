"""What a computer player is, what a move of one is, which players there are, and how one is
asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, cast

from coatl_tools.errors import OptionError, Phrase
from coatl_tools.rules.events import Event
from coatl_tools.rules.setup import mix_seed
from coatl_tools.rules.state import GameState
from coatl_tools.rules.views import Seat, View, make_view


@dataclass(frozen=True, slots=True)
class Move:
    """One or more events, to be played one after the other until chance has its say.

    `why` are sentences for people, by their keys in the language files.
    """

    events: tuple[Event, ...]
    why: tuple[Phrase, ...] = ()


class Bot(Protocol):
    """A computer player."""

    def choose(self, view: View, number: int) -> Move:
        """Choose a move that begins with one of `view.legal`, and say why.

        It depends only on what the seat may know, and on `number`, 64 bits that look random.
        """
        ...


# The module and class of each bot, imported on first use. A budget may follow its name.
BOTS: Mapping[str, str] = MappingProxyType(
    {
        "random": "random_bot:RandomBot",
        "greedy": "greedy_bot:GreedyBot",
        "expert": "expert_bot:ExpertBot",
    }
)
BOTS_WITH_BUDGET = frozenset({"expert"})
MAX_BUDGET = 1_000_000


@lru_cache(maxsize=64)
def get_bot(name: str) -> Bot:
    """Return a computer player by its name: `greedy`, or `expert:500` for a budget of 500 nodes.

    OptionError, with the known names, if there is no such player.
    """
    kind, _, budget = name.partition(":")
    if kind not in BOTS or (budget and kind not in BOTS_WITH_BUDGET) or name.endswith(":"):
        raise OptionError("options.bot", name=name, names=", ".join(BOTS))
    module, _, maker = BOTS[kind].partition(":")
    made = cast(Callable[..., Bot], getattr(import_module(f"{__package__}.{module}"), maker))
    if not budget:
        return made()
    if not (budget.isascii() and budget.isdigit() and 0 < int(budget[:9]) <= MAX_BUDGET):
        raise OptionError("options.budget", name=name, most=MAX_BUDGET)
    return made(int(budget))


def choose_move(state: GameState, seat: int, bot: Bot, seed: int) -> Move:
    """Choose what a bot does in this seat; ValueError if nothing is to be decided there.

    The same seed and view give the same move, whatever the bot cannot see. Its own cards have to
    be known: a `?` in its hand may be legal to play for all it knows, and yet lie elsewhere.
    """
    seen = make_view(state, seat)
    if not seen.legal:
        raise ValueError(f"player {seat} has nothing to decide")
    return bot.choose(seen, mix_seed(seed, _hash_view(seen)))


def choose_event(state: GameState, seat: int, bot: Bot, seed: int) -> Event:
    """Choose the first event of what a bot does in this seat."""
    return choose_move(state, seat, bot, seed).events[0]


def _hash_view(view: View) -> int:
    """Hash all that a seat sees, into a number far above the draw numbers that the dealer mixes.

    Only values count, not the names of classes and fields: a new name changes no bot's move.
    """
    values = (
        *(view.player, view.current_player, view.turns_ended, view.actions_left),
        *(view.closing, view.passes, view.ending and tuple(view.ending)),
        *map(tuple, view.final_turns),
        *(view.spaces, view.bodies, view.heads, view.tails),
        *(view.supply, view.deck, view.discards, view.discards_in_all, *map(tuple, view.piles)),
        *(value for seat in view.seats for value in _list_seat_values(seat)),
        *(() if view.adam is None else (*map(tuple, view.adam.row), *view.adam[1:])),
    )
    return int.from_bytes(blake2b(repr(values).encode(), digest_size=8).digest(), "big")


def _list_seat_values(seat: Seat) -> tuple[object, ...]:
    cards = seat.hand, seat.temples, seat.tokens, seat.feathers, seat.discarded
    return seat.name, seat.board, *map(tuple, seat.coatls), *cards
