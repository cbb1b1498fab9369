"""What a computer player is, which there are, and how one is asked."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import Protocol

from coatl_tools.errors import OptionError
from coatl_tools.players.random_bot import RandomBot
from coatl_tools.rules.dealer import mixed
from coatl_tools.rules.events import Event
from coatl_tools.rules.state import State
from coatl_tools.rules.views import View, view


class Bot(Protocol):
    """A computer player."""

    def choose(self, seen: View, number: int) -> Event:
        """One of `seen.legal`, by what the seat may know and 64 bits that look random."""
        ...


BOTS: Mapping[str, Bot] = MappingProxyType({"random": RandomBot()})


def bot_named(name: str) -> Bot:
    """A computer player by its name; OptionError, with the known names, if there is none such."""
    if name not in BOTS:
        raise OptionError("options.bot", name=name, names=", ".join(BOTS))
    return BOTS[name]


def decide(state: State, seat: int, bot: Bot, seed: int) -> Event:
    """What a bot does in this seat; ValueError if nothing is to be decided there.

    The same seed and sight give the same event, whatever the bot cannot see. Its own cards have to
    be known: a `?` in its hand may be legal to play for all it knows, and yet lie elsewhere.
    """
    seen = view(state, seat)
    if not seen.legal:
        raise ValueError(f"player {seat} has nothing to decide")
    return bot.choose(seen, mixed(seed, _moment(seen)))


def _moment(seen: View) -> int:
    """A number for all that a seat sees; far from the numbers of draws that the dealer uses."""
    return int.from_bytes(blake2b(repr(seen).encode(), digest_size=8).digest(), "big")
