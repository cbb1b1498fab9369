"""Everything that decides how the games of a simulation go: the same plan, the same games."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from coatl_tools._version import __version__
from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import load_base_cards, serialize_extra_cards
from coatl_tools.errors import CommandLineError, OptionError
from coatl_tools.players import get_bot
from coatl_tools.rules.constants import BOX_COUNTS
from coatl_tools.rules.game import Game
from coatl_tools.rules.setup import mix_seed, new_game
from coatl_tools.rules.table_options import TableOptions

PLAN_FORMAT = 1
PLAN_MARKER = "coatl-simulation"
MAX_SEED = 2**64 - 1
MAX_GAMES = 10**15
_PLAN_OPTIONS = ("players", "levels")  # options of a table that a plan says in its own way


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """So many games of these bots at one kind of table; OptionError for what makes no game.

    `options` has a name for each seat. Solo games take turns with the combinations of `levels`.
    Games are numbered from 0, and what happens in one does not depend on how many there are.
    """

    games: int
    players: tuple[str, ...]  # names of bots
    options: TableOptions
    cards: tuple[Card, ...]
    seed: int
    levels: tuple[tuple[int, ...], ...] = ((),)
    program: str = __version__

    def __post_init__(self) -> None:
        if type(self.games) is not int or not 1 <= self.games <= MAX_GAMES:
            raise CommandLineError("simulation.games", value=str(self.games)[:40], most=MAX_GAMES)
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise OptionError("options.seed", value=str(self.seed)[:40], most=MAX_SEED)
        for name in self.players:
            get_bot(name)
        if len(self.players) != len(self.options.players):
            seats = len(self.options.players)
            raise OptionError("options.bots", n=len(self.players), players=seats)
        if self.options.hidden_hands:
            raise OptionError("options.hidden_virtual")
        for levels in self.levels:
            new_game(replace(self.options, levels=levels), self.cards)  # or an OptionError

    def game(self, index: int) -> Game:
        """Return the table of a game, shared by all that are alike."""
        return _build_game(self.options, self.levels[index % len(self.levels)], self.cards)

    def seat_players(self, index: int) -> tuple[int, ...]:
        """Return which player of the list, from 0, has each seat: all move on after a game."""
        size = len(self.players)
        return tuple((seat + index) % size for seat in range(size))

    def game_seed(self, index: int) -> int:
        """Return the seed of a game: 63 bits, as many as every program that reads CSV can hold."""
        return mix_seed(self.seed, index) >> 1

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON holds it."""
        options = self.options.data()
        return {
            PLAN_MARKER: PLAN_FORMAT,
            "program": self.program,
            "games": self.games,
            "players": list(self.players),
            "seed": self.seed,
            "levels": [list(levels) for levels in self.levels],
            "options": {key: options[key] for key in options if key not in _PLAN_OPTIONS},
            "box": BOX_COUNTS,
            "base_cards": load_base_cards()[1],
            "more_cards": serialize_extra_cards(self.cards),
        }

    @property
    def digest(self) -> str:
        """A hash that tells these games from others, however many of them are played."""
        data = {key: value for key, value in self.data().items() if key not in ("games", "box")}
        text = json.dumps(data, sort_keys=True)
        return blake2b(text.encode(), digest_size=8).hexdigest()


def make_seat_names(players: Iterable[str]) -> tuple[str, ...]:
    """Make a name for each seat at the tables of a plan: its number."""
    return tuple(str(seat) for seat, _ in enumerate(players, start=1))


@lru_cache(maxsize=32)
def _build_game(options: TableOptions, levels: tuple[int, ...], cards: tuple[Card, ...]) -> Game:
    return new_game(replace(options, levels=levels), cards).game
