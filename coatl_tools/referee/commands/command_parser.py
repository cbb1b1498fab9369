"""What people type at a table: split a line into commands, and parse each of them.

Input is lenient: words of every language, card places instead of ids, several pieces of a Cóatl
at once; what can only be meant one way may be left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.errors import CommandError
from coatl_tools.referee.commands.action_commands import parse_action
from coatl_tools.referee.commands.command_context import (
    CARD,
    NUMBER,
    PIECE_WORD_KINDS,
    CommandContext,
    classify_words,
)
from coatl_tools.referee.commands.draw_answers import parse_draw_answers, parse_event_correction
from coatl_tools.referee.commands.vocabulary import ACTION_COMMANDS, REPAIR_COMMANDS, find_command
from coatl_tools.rules.events import Event, parse_event
from coatl_tools.rules.history import CorrectEvent, History
from coatl_tools.rules.state import DISCARDING, KEEPING

MAX_COMMAND_LENGTH = 2000
MAX_COMMANDS = 100
# The notation of the journal for what chance brings; people type it bare.
_DRAW_NOTATION = ("fill", "deal-temple", "pile", "supply", "deal-adam", "deal", "drawn")
_HAND_CARD_COMMANDS = {KEEPING: "keep", DISCARDING: "discard"}


@dataclass(frozen=True, slots=True)
class EventCommand:
    """Events of the game, one after the other."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class UndoCommand:
    """Take back so many events that people have decided or reported."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class QueryCommand:
    """Something to look at: the command, and what is said behind it."""

    command: str
    argument: str = ""


ParsedCommand: TypeAlias = EventCommand | UndoCommand | CorrectEvent | QueryCommand


def split_commands(line: str) -> list[str]:
    """Split a line into its commands, at semicolons; CommandError if there are none or too many."""
    if len(line) > MAX_COMMAND_LENGTH:
        raise CommandError("commands.long", most=MAX_COMMAND_LENGTH)
    found = [part.strip() for part in line.replace("\n", ";").split(";")]
    found = [part for part in found if part]
    if not found:
        raise CommandError("commands.empty")
    if len(found) > MAX_COMMANDS:
        raise CommandError("commands.many", most=MAX_COMMANDS)
    return found


def parse_command(text: str, history: History, lang: str, spoken_of: int = 0) -> ParsedCommand:
    """Parse what a typed command means now; CommandError says how it is written.

    `spoken_of` is the Cóatl that was named last, 0 for none.
    """
    if len(text) > MAX_COMMAND_LENGTH:
        raise CommandError("commands.long", most=MAX_COMMAND_LENGTH)
    first, *rest = text.split(maxsplit=1) or [""]
    if not first:
        raise CommandError("commands.empty")
    state = history.state
    if first in _DRAW_NOTATION and state.draws:
        return EventCommand((parse_event(text),))
    bare = CommandContext("", text, text, state, lang)
    begins = {token.kind for token in classify_words(first, state.game, lang)[:1]}
    if state.draws and begins & {*PIECE_WORD_KINDS, CARD}:
        return EventCommand(parse_draw_answers(bare, state.draws))
    if state.stage in _HAND_CARD_COMMANDS and begins & {NUMBER, CARD}:
        bare.key = _HAND_CARD_COMMANDS[state.stage]  # nothing else can be meant then
        return EventCommand(parse_action(bare))
    key, behind = find_command(first, lang), rest[0] if rest else ""
    if key not in (*ACTION_COMMANDS, *REPAIR_COMMANDS):
        return QueryCommand(key, behind)
    said = CommandContext(key, text, behind, state, lang, spoken_of)
    if key == "undo":
        steps = said.get_single_number() if said.typed_words else 1
        if not steps:
            raise said.make_error("commands.shape")
        return UndoCommand(steps)
    return (
        parse_event_correction(said, history)
        if key == "correct"
        else EventCommand(parse_action(said))
    )
