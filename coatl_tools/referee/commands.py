"""What people type at a table: one line, several commands, each leading to events.

Input is lenient: words of three languages, card places instead of ids, whole pieces of a Cóatl at
once; what can only be meant one way need not be said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.errors import CommandError
from coatl_tools.referee.acts import acts
from coatl_tools.referee.answers import answers, corrected
from coatl_tools.referee.said import Said
from coatl_tools.referee.tokens import CARD, NUMBER, PIECE_KINDS, tokens_of
from coatl_tools.referee.vocabulary import ACTS, REPAIRS, verb
from coatl_tools.rules.event_text import read
from coatl_tools.rules.events import Event
from coatl_tools.rules.history import Correct, History
from coatl_tools.rules.state import DISCARDING, KEEPING

MAX_LENGTH = 2000
MAX_COMMANDS = 100
# The notation of the journal for what chance brings; people type it bare.
_NOTATION = ("fill", "deal-temple", "pile", "supply", "deal-adam", "deal", "drawn")
_OWN_CARDS = {KEEPING: "keep", DISCARDING: "discard"}


@dataclass(frozen=True, slots=True)
class Happens:
    """Events of the game, one after the other."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back so many events that people have decided or reported."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    """Something to look at: the command, and what is said behind it."""

    about: str
    rest: str = ""


Command: TypeAlias = Happens | Undo | Correct | Question


def commands_in(line: str) -> list[str]:
    """The commands of a line, which semicolons separate; CommandError if there are too many."""
    if len(line) > MAX_LENGTH:
        raise CommandError("commands.long", most=MAX_LENGTH)
    found = [part.strip() for part in line.replace("\n", ";").split(";")]
    found = [part for part in found if part]
    if not found:
        raise CommandError("commands.empty")
    if len(found) > MAX_COMMANDS:
        raise CommandError("commands.many", most=MAX_COMMANDS)
    return found


def read_command(text: str, history: History, language: str, spoken_of: int = 0) -> Command:
    """What a typed command means now; CommandError says how it is written.

    `spoken_of` is the Cóatl that was named last, 0 for none.
    """
    if len(text) > MAX_LENGTH:
        raise CommandError("commands.long", most=MAX_LENGTH)
    first, *rest = text.split(maxsplit=1) or [""]
    if not first:
        raise CommandError("commands.empty")
    state = history.state
    if first in _NOTATION and state.draws:
        return Happens((read(text),))
    bare = Said("", text, text, state, language)
    begins = {token.kind for token in tokens_of(first, state.game, language)[:1]}
    if state.draws and begins & {*PIECE_KINDS, CARD}:
        return Happens(answers(bare, state.draws))
    if state.stage in _OWN_CARDS and begins & {NUMBER, CARD}:
        bare.key = _OWN_CARDS[state.stage]  # there is nothing else to tell then
        return Happens(acts(bare))
    key, behind = verb(first, language), rest[0] if rest else ""
    if key not in (*ACTS, *REPAIRS):
        return Question(key, behind)
    said = Said(key, text, behind, state, language, spoken_of)
    if key == "undo":
        steps = said.one_number() if said.tokens else 1
        if not steps:
            raise said.wrong("commands.shape")
        return Undo(steps)
    return corrected(said, history) if key == "correct" else Happens(acts(said))
