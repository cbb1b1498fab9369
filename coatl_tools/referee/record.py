"""A game as a text that people like to read, in a forum for example, and that is read back.

    A game of Cóatl: evening

    [Table "evening"]
    [Players "North, South"]
    [Result "North 42, South 37"]

    0. {Setup} fill 1 R B; …
    1. North: take 3 {North takes from space 3: …}; supply P05
    …
    {"coatl-table": 1, …}

A turn has its number, its player and its events in the notation, with `;` between them. What stands
in braces is a remark. The last line is the header of the table's file: all that the program needs
to know is in it. Tags are for people; only the name of the table is read from them.
`record_reader` reads it back.
"""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from coatl_tools.errors import visible
from coatl_tools.language import Language, load_language
from coatl_tools.referee.journal import Reading
from coatl_tools.referee.lines import write_header
from coatl_tools.referee.record_reader import read_record, without_braces
from coatl_tools.rules.box import pieces_in_words
from coatl_tools.rules.ending import CoatlResult, PlayerResult, Result, result
from coatl_tools.rules.event_words import told
from coatl_tools.rules.events import (
    AdamTurn,
    Attach,
    Complete,
    Event,
    Keep,
    PlaceProphecy,
    PlaceTemple,
    PriestCommitment,
    TakePieces,
)
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import KEEPING, OVER, State

__all__ = ["read_record", "write_record"]

WIDTH = 100
INDENT = "    "
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


class _Moment(NamedTuple):
    before: State
    event: Event
    after: State


def write_record(name: str, reading: Reading, language: str) -> str:
    """The game of a table as a text, with remarks in one language; undone events are not in it."""
    words, history = load_language(language), reading.history
    final = result(history.state)
    parts = [
        words.label("record_title", name=visible(name)),
        "\n".join(_tags(name, reading, final)),
        "\n".join(_turns(history.states, history.events, words)),  # none before the first event
        _remark("\n".join(_scores(history.state, final, words))),
        write_header(reading.header).decode().rstrip("\n"),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _tags(name: str, reading: Reading, final: Result) -> Iterator[str]:
    """What a reader wants to know first: who, how, and how it ended."""
    header = reading.header
    yield _tag("Table", name)
    yield _tag("Players", ", ".join(header.options.players))
    usual = TableOptions(players=header.options.players).data()
    for option, value in header.options.data().items():
        if value != usual[option]:
            yield _tag(option, value if isinstance(value, str) else json.dumps(value))
    if header.seed is not None:
        yield _tag("Seed", str(header.seed))
    if reading.history.state.stage is OVER:
        scores = [f"{player.name} {player.points}" for player in final.players]
        if final.adam:
            scores.append(f"{final.adam.name} {final.adam.points}")
        yield _tag("Result", ", ".join(scores))


def _tag(name: str, value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    seen = "".join(json.dumps(c)[1:-1] if unicodedata.category(c) in _UNSEEN else c for c in quoted)
    return f"[{name} {seen}]"


def _turns(states: tuple[State, ...], events: tuple[Event, ...], words: Language) -> Iterator[str]:
    """A line or more for the setup and for each turn."""
    moments = map(_Moment, states, events, states[1:])
    for number, turn in groupby(moments, lambda moment: _turn_number(moment.before)):
        happened = list(turn)
        if number:
            before = happened[0].before
            name = without_braces(before.game.names[before.turn])
            yield _wrapped(f"{number}. {name}: ", happened, words)
        else:
            kinds = [list(same) for _, same in groupby(happened, lambda moment: type(moment.event))]
            setup = ";\n".join(_wrapped(INDENT, same, words) for same in kinds)
            heading = _remark(words.label("record_setup"))
            yield f"{number}. {heading}\n{setup}\n"


def _turn_number(state: State) -> int:
    """Which turn it is; 0 is the setup."""
    return 0 if state.stage is KEEPING else state.turns + 1


def _wrapped(heading: str, moments: list[_Moment], words: Language) -> str:
    written = []
    for place, moment in enumerate(moments, start=1):
        said = _said(moment, moments[place:], words)
        written.append(f"{moment.event} {_remark(said)}" if said else str(moment.event))
    return textwrap.fill(
        heading + "; ".join(written),
        WIDTH,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _said(moment: _Moment, later: list[_Moment], words: Language) -> str:
    """What is worth a remark: what the notation of an event does not say."""
    before, event, after = moment
    if before.ending != after.ending or after.stage is OVER:
        return told(before, event, "all", words.code)
    match event:
        case Keep():
            return before.game.names[before.turn]
        case TakePieces(space):
            pieces = pieces_in_words(before.spaces[space - 1])
            return ", ".join(words.sentence(*piece) for piece in pieces)
        case Attach(_, coatl) if not any(_builds_on(coatl, other.event) for other in later):
            return after.players[before.turn].coatls[coatl - 1].text
        case PlaceProphecy(card, coatl):
            built = after.players[before.turn].coatls[coatl - 1]
            return words.card("points", after.game.score(built.text, card, built.prophecies).points)
        case PriestCommitment(pile):
            return before.piles[pile - 1].top
        case PlaceTemple() | Complete() | AdamTurn():
            return told(before, event, "all", words.code)
    return ""


def _builds_on(coatl: int, event: Event) -> bool:
    """Whether this Cóatl will be shown again in the same turn."""
    return isinstance(event, Attach) and event.coatl == coatl


def _scores(state: State, final: Result, words: Language) -> Iterator[str]:
    """Everybody's points, card by card, and who has won."""
    if state.stage is not OVER:
        yield words.label("record_unfinished")
    for player in final.players:
        points = words.card("points", player.points)
        yield words.label("record_score", player=player.name, points=points)
        yield from (f"{INDENT}{line}" for line in _score_lines(player, words))
    if final.adam:
        points = words.card("points", final.adam.points)
        yield words.label("record_score", player=final.adam.name, points=points)
        cards = ", ".join(f"{card} {worth}" for card, worth in final.adam.cards)
        yield INDENT + words.label(
            "record_fulfilled", cards=cards or words.sentence("told.no_card", {})
        )
    if state.stage is OVER:
        if final.adam and final.adam.temple_missing:
            yield words.label("record_no_temple")
        names = ", ".join(state.game.names[index] for index in final.winners)
        yield words.label("record_victory", names=names)


def _score_lines(player: PlayerResult, words: Language) -> Iterator[str]:
    for number, coatl in enumerate(player.coatls, start=1):
        yield words.label(
            "record_coatl" if coatl.complete else "record_incomplete",
            number=number,
            coatl=coatl.coatl,
            points=words.card("points", coatl.points),
            cards=_cards(coatl) or words.sentence("told.no_card", {}),
        )
    if player.feathers:
        yield words.label("record_golden", points=words.card("points", player.feathers))


def _cards(coatl: CoatlResult) -> str:
    return ", ".join(f"{score.card.id} {score.points}" for score in coatl.cards)


def _remark(text: str) -> str:
    """A remark. It must not look like the last line of the record."""
    room = " " if text.startswith('"') else ""
    return f"{{{room}{without_braces(text)}}}"
