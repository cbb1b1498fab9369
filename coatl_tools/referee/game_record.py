"""A game as a text for people, in a forum for example, that can be read back.

    A game of Cóatl: evening

    [Table "evening"]
    [Players "North, South"]
    [Result "North 42, South 37"]

    0. {Setup} fill 1 R B; …
    1. North: take 3 {North takes from space 3: …}; supply P05
    …
    {"coatl-table": 1, …}

A turn has its number, its player and its events in the notation, with `;` between them. Text in
braces is a remark. The last line is the header of the table's file, with all that the program
needs. Tags are for people; only the name of the table is read from them. Reading is strict about
the game and lenient about the text: lines may be broken anew, quoted with `>`, or stand between
other text.
"""

from __future__ import annotations

import json
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from coatl_tools.errors import CoatlError, JournalError, Phrase, RecordError, escape_unprintable
from coatl_tools.language import Language, load_language
from coatl_tools.referee.journal import (
    FORMAT_KEY,
    JournalContents,
    TableHeader,
    parse_header,
    serialize_header,
)
from coatl_tools.rules.constants import phrase_pieces
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.event_messages import describe_event
from coatl_tools.rules.events import (
    AdamTurn,
    AttachPiece,
    CompleteCoatl,
    Event,
    Keep,
    PlaceProphecy,
    PlaceTemple,
    PriestCommitment,
    TakePieces,
    parse_event,
)
from coatl_tools.rules.result import CoatlResult, GameResult, PlayerResult, compute_result
from coatl_tools.rules.state import KEEPING, OVER, GameState
from coatl_tools.rules.table_options import TableOptions

MAX_RECORD_LENGTH = 1 << 22
MAX_RECORD_LINES = 1 << 16
_MAX_QUOTED_EVENT = 60  # characters of a refused event

_STRING = r'"(?:[^"\\]|\\.)*"'
_TABLE_TAG = re.compile(rf"^[ \t]*\[Table\s+({_STRING})\s*\]", re.MULTILINE)
_QUOTED_TABLE_TAG = re.compile(r"^[ \t]*>[ \t>]*\[Table\s", re.MULTILINE)
_ANY_TAG = re.compile(rf"\s*\[\w+\s+{_STRING}\s*\]")
_HEADER_LINE = re.compile(rf'^[ \t]*(\{{"{FORMAT_KEY}")', re.MULTILINE)
_QUOTE_PREFIX = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_REMARK_PATTERN = re.compile(r"\{[^{}]*\}")
_NOT_LINE_END = re.compile(r"[^\n]")


def parse_record(text: str) -> tuple[str, TableHeader, list[Event]]:
    """Parse a record: the table's name, its header and all events; text around it is ignored.

    The events are played, so that a record which was changed into something impossible is refused.
    Raises RecordError with the line and the reason, and the rule if there is one.
    """
    text = _normalize_line_ends(text)
    if _QUOTED_TABLE_TAG.search(text):  # then every line is quoted
        text = _QUOTE_PREFIX.sub("", text)
    table = _TABLE_TAG.search(text)
    if table is None:
        raise RecordError("record.no_table")
    last = _HEADER_LINE.search(text, table.end())
    if last is None:
        raise RecordError("record.no_header", mark=f'{{"{FORMAT_KEY}"')
    name = _parse_table_name(text, table)
    header, state = _parse_last_line(text, last.start(1), name)
    begin = table.end()
    while tag := _ANY_TAG.match(text, begin, last.start()):
        begin = tag.end()
    return name, header, _replay_events(state, text, begin, last.start())


def _normalize_line_ends(text: str) -> str:
    """Normalize the line ends of a text; RecordError if it is longer than any game."""
    if len(text) > MAX_RECORD_LENGTH:
        raise RecordError("record.large", most=MAX_RECORD_LENGTH)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_RECORD_LINES:
        raise RecordError("record.lines", most=MAX_RECORD_LINES)
    return text


def _parse_table_name(text: str, table: re.Match[str]) -> str:
    try:
        return str(json.loads(table[1].replace("\n", " "), strict=False))
    except ValueError as error:
        raise _make_line_error(text, table.start(1), ("record.table", {})) from error


def _parse_last_line(text: str, begin: int, name: str) -> tuple[TableHeader, GameState]:
    """Parse the header in the last line, and the game that begins with it.

    The line may have been broken into several, at its spaces or anywhere.
    """
    whole = text[begin:]
    try:
        try:
            header = _parse_header_prefix(whole.replace("\n", " "), name)
        except JournalError:
            if "\n" not in whole.rstrip("\n"):
                raise
            header = _parse_header_prefix(whole.replace("\n", ""), name)
        return header, header.build_first_state()
    except CoatlError as error:
        # of “this is no table”, only the reason: here a single line is wrong
        reason = error.details["reason"] if error.key == "journal.not_one" else error.spoken
        raise _make_line_error(text, begin, ("record.header", {"reason": reason})) from error


def _parse_header_prefix(text: str, name: str) -> TableHeader:
    """Parse the header that this text begins with."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):  # what is wrong with it is said below
        end = len(text)
    return parse_header(text[:end].encode("utf-8", "replace"), name)


def _replay_events(state: GameState, text: str, begin: int, end: int) -> list[Event]:
    """Parse and replay the events of this part of the text; RecordError for one that fails."""
    body = _REMARK_PATTERN.sub(_blank_out, text[begin:end])
    if "{" in body:
        raise _make_line_error(text, begin + body.index("{"), ("record.comment", {}))
    body = _compile_turn_heading(state.game.names).sub(
        lambda found: _blank_out(found)[:-1] + ";", body
    )
    events: list[Event] = []
    for written in re.finditer(r"[^;\s][^;]*", body):
        event = " ".join(written[0].split())
        try:
            events.append(parse_event(event))
            state = apply_event(state, events[-1])
        except CoatlError as error:
            shown: dict[str, object] = {
                "event": escape_unprintable(event[:_MAX_QUOTED_EVENT]),
                "reason": error.spoken,
            }
            raise _make_line_error(
                text, begin + written.start(), ("record.event", shown)
            ) from error
    return events


def _compile_turn_heading(names: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern of a turn's beginning: its number, and its player; the setup has none."""
    longest_first = sorted(map(replace_braces, names), key=len, reverse=True)
    known = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    return re.compile(rf"(?<![^\s;])\d{{1,6}}\.(?:\s+(?:{known})\s*:)?(?=\s|$)")


def replace_braces(text: str) -> str:
    """Replace the braces of a text, which stand only around remarks in a record."""
    return text.replace("{", "(").replace("}", ")")


def _blank_out(found: re.Match[str]) -> str:
    """Replace everything but line ends with spaces, so that other text keeps its place."""
    return _NOT_LINE_END.sub(" ", found[0])


def _make_line_error(text: str, place: int, reason: Phrase) -> RecordError:
    return RecordError("record.line", line=text.count("\n", 0, place) + 1, reason=reason)


RECORD_WIDTH = 100
RECORD_INDENT = "    "
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")


class _Moment(NamedTuple):
    before: GameState
    event: Event
    after: GameState


def format_record(name: str, contents: JournalContents, lang: str) -> str:
    """Format the game of a table as a text, with remarks in one language, without undone events."""
    language, history = load_language(lang), contents.history
    final = compute_result(history.state)
    parts = [
        language.label("record_title", name=escape_unprintable(name)),
        "\n".join(_format_tags(name, contents, final)),
        # empty before the first event
        "\n".join(_format_turns(history.states, history.events, language)),
        _format_remark("\n".join(_format_scores(history.state, final, language))),
        serialize_header(contents.header).decode().rstrip("\n"),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _format_tags(name: str, contents: JournalContents, final: GameResult) -> Iterator[str]:
    """Format what a reader wants to know first: who, how, and how it ended."""
    header = contents.header
    yield _format_tag("Table", name)
    yield _format_tag("Players", ", ".join(header.options.players))
    usual = TableOptions(players=header.options.players).data()
    for option, value in header.options.data().items():
        if value != usual[option]:
            yield _format_tag(option, value if isinstance(value, str) else json.dumps(value))
    if header.seed is not None:
        yield _format_tag("Seed", str(header.seed))
    if contents.history.state.stage is OVER:
        scores = [f"{player.name} {player.points}" for player in final.players]
        if final.adam:
            scores.append(f"{final.adam.name} {final.adam.points}")
        yield _format_tag("Result", ", ".join(scores))


def _format_tag(name: str, value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    seen = "".join(
        json.dumps(c)[1:-1] if unicodedata.category(c) in _INVISIBLE_CATEGORIES else c
        for c in quoted
    )
    return f"[{name} {seen}]"


def _format_turns(
    states: tuple[GameState, ...], events: tuple[Event, ...], language: Language
) -> Iterator[str]:
    """Format a line or more for the setup and for each turn."""
    moments = map(_Moment, states, events, states[1:])
    for number, turn in groupby(moments, lambda moment: _get_turn_number(moment.before)):
        happened = list(turn)
        if number:
            before = happened[0].before
            name = replace_braces(before.game.names[before.current_player])
            yield _wrap_moments(f"{number}. {name}: ", happened, language)
        else:
            kinds = [list(same) for _, same in groupby(happened, lambda moment: type(moment.event))]
            setup = ";\n".join(_wrap_moments(RECORD_INDENT, same, language) for same in kinds)
            heading = _format_remark(language.label("record_setup"))
            yield f"{number}. {heading}\n{setup}\n"


def _get_turn_number(state: GameState) -> int:
    """Return which turn it is; 0 is the setup."""
    return 0 if state.stage is KEEPING else state.turns_ended + 1


def _wrap_moments(heading: str, moments: list[_Moment], language: Language) -> str:
    written = []
    for place, moment in enumerate(moments, start=1):
        said = _describe_moment(moment, moments[place:], language)
        written.append(f"{moment.event} {_format_remark(said)}" if said else str(moment.event))
    return textwrap.fill(
        heading + "; ".join(written),
        RECORD_WIDTH,
        subsequent_indent=RECORD_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _describe_moment(moment: _Moment, later: list[_Moment], language: Language) -> str:
    """Describe what is worth a remark: what the notation of an event does not say."""
    before, event, after = moment
    if before.ending != after.ending or after.stage is OVER:
        return describe_event(before, event, "all", language.code, after)
    match event:
        case Keep():
            return before.game.names[before.current_player]
        case TakePieces(space):
            pieces = phrase_pieces(before.spaces[space - 1])
            return ", ".join(language.sentence(*piece) for piece in pieces)
        case AttachPiece(_, coatl) if not any(_attaches_to(coatl, other.event) for other in later):
            return after.players[before.current_player].coatls[coatl - 1].text
        case PlaceProphecy(card, coatl):
            built = after.players[before.current_player].coatls[coatl - 1]
            return language.card(
                "points", after.game.score(built.text, card, built.prophecies).points
            )
        case PriestCommitment(pile):
            return before.piles[pile - 1].top
        case PlaceTemple() | CompleteCoatl() | AdamTurn():
            return describe_event(before, event, "all", language.code, after)
    return ""


def _attaches_to(coatl: int, event: Event) -> bool:
    """Tell whether an event attaches a piece to this Cóatl."""
    return isinstance(event, AttachPiece) and event.coatl == coatl


def _format_scores(state: GameState, final: GameResult, language: Language) -> Iterator[str]:
    """Format everybody's points, card by card, and who has won."""
    if state.stage is not OVER:
        yield language.label("record_unfinished")
    for player in final.players:
        points = language.card("points", player.points)
        yield language.label("record_score", player=player.name, points=points)
        yield from (f"{RECORD_INDENT}{line}" for line in _format_player_scores(player, language))
    if final.adam:
        points = language.card("points", final.adam.points)
        yield language.label("record_score", player=final.adam.name, points=points)
        cards = ", ".join(f"{card} {worth}" for card, worth in final.adam.cards)
        yield RECORD_INDENT + language.label(
            "record_fulfilled", cards=cards or language.sentence("told.no_card", {})
        )
    if state.stage is OVER:
        if final.adam and final.adam.temple_missing:
            yield language.label("record_no_temple")
        names = ", ".join(state.game.names[index] for index in final.winners)
        yield language.label("record_victory", names=names)


def _format_player_scores(player: PlayerResult, language: Language) -> Iterator[str]:
    for number, coatl in enumerate(player.coatls, start=1):
        yield language.label(
            "record_coatl" if coatl.complete else "record_incomplete",
            number=number,
            coatl=coatl.coatl,
            points=language.card("points", coatl.points),
            cards=_format_card_points(coatl) or language.sentence("told.no_card", {}),
        )
    if player.feathers:
        yield language.label("record_golden", points=language.card("points", player.feathers))


def _format_card_points(coatl: CoatlResult) -> str:
    return ", ".join(f"{score.card.id} {score.points}" for score in coatl.cards)


def _format_remark(text: str) -> str:
    """Format a remark. It must not look like the last line of the record."""
    room = " " if text.startswith('"') else ""
    return f"{{{room}{replace_braces(text)}}}"
