"""A move of a computer player: what it does now, and why."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.errors import Phrase
from coatl_tools.rules.events import Event


@dataclass(frozen=True, slots=True)
class Move:
    """One or more events, to be played one after the other until chance has its say.

    `why` are sentences for people, by their keys in the language files.
    """

    events: tuple[Event, ...]
    why: tuple[Phrase, ...] = ()
