"""A position as JSON: what people write to join a game midway, and what a header stores; and one
that the options of a command name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from pydantic import Field

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, JournalError, Phrase, PositionError
from coatl_tools.files.json_models import StrictModel, validate_journal_data
from coatl_tools.referee.position_text import (
    MAX_HIDDEN_CARDS,
    NOTHING_SIGNS,
    build_coatl,
    parse_adam_card,
    parse_card_ids,
    parse_coatl_line,
    parse_pieces,
    parse_spaces,
    parse_token,
)
from coatl_tools.rules.constants import ADAM_NAME, TOKENS, Pieces
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.position.position import Position, PositionSeat, build_partial_state
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built, Ending, Wanted
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_view

Model = TypeVar("Model", bound=StrictModel)
SmallNumber = Annotated[int, Field(ge=0, le=MAX_HIDDEN_CARDS)]
TextOrList = str | list[str]
ENDING_CAUSES = ("third", "bodies")


class WrittenCoatlModel(StrictModel):
    """A Cóatl and the cards beside it."""

    coatl: str
    cards: TextOrList = ""


class _PositionSeatModel(StrictModel):
    name: str
    board: TextOrList = ""
    coatls: list[str | WrittenCoatlModel] = Field([])
    hand: SmallNumber | TextOrList
    temples: SmallNumber | TextOrList
    tokens: TextOrList | None = None
    golden: SmallNumber = 0
    discarded: SmallNumber | TextOrList = 0
    shown: TextOrList = ""
    temples_shown: TextOrList = ""


class _PileModel(StrictModel):
    top: str
    below: SmallNumber | None = None


class _AdamCardModel(StrictModel):
    card: str
    pieces: TextOrList = ""


class _PositionAdamModel(StrictModel):
    row: list[str | _AdamCardModel]
    fulfilled: TextOrList = ""
    discarded: TextOrList = ""


class _EndingModel(StrictModel):
    cause: str
    player: str
    final: bool | None = None


class _PositionModel(StrictModel):
    turn: str
    spaces: TextOrList
    supply: TextOrList
    piles: list[str | _PileModel]
    players: list[_PositionSeatModel]
    discards: SmallNumber | TextOrList = 0
    adam: _PositionAdamModel | None = None
    end: _EndingModel | None = None
    passes: SmallNumber = 0


def parse_position(
    data: Mapping[str, Any], options: TableOptions, cards: Iterable[Card]
) -> Position:
    """Parse the position that JSON holds; PositionError names the field that is wrong.

    Whether a game can lead there is not checked here, but by `build_state`.
    """
    model = validate_position_data(_PositionModel, data)
    catalog = Catalog(cards)
    names = (*options.players, ADAM_NAME) if options.solo else options.players
    with wrap_field_errors("piles"):
        tops, below = _parse_piles(model.piles, catalog)
    with wrap_field_errors("spaces"):
        spaces = parse_spaces(model.spaces) if isinstance(model.spaces, str) else None
    if spaces is None:
        spaces = tuple(_parse_piece_field(text, "spaces", n) for n, text in enumerate(model.spaces))
    seats = _parse_seats(options, model.players, catalog)
    with wrap_field_errors("turn"):
        turn = find_player(model.turn, names)
    ending = None
    if model.end:
        with wrap_field_errors("end.player"):
            ending = Ending(model.end.cause, find_player(model.end.player, names))
        if model.end.cause not in ENDING_CAUSES:
            with wrap_field_errors("end.cause"):
                raise PositionError(
                    "written.cause", text=model.end.cause, causes=", ".join(ENDING_CAUSES)
                )
    return Position(
        turn=turn,
        spaces=spaces,
        supply=parse_card_field(model.supply, catalog, "supply"),
        tops=tops,
        seats=seats,
        below=below,
        discards=parse_card_field(model.discards, catalog, "discards"),
        adam=_parse_adam(model.adam, catalog) if model.adam else None,
        ending=ending,
        final=model.end.final if model.end else None,
        passes=model.passes,
    )


def validate_position_data(model: type[Model], data: Mapping[str, Any]) -> Model:
    """Validate data against a model; PositionError names the field that is wrong."""
    try:
        return validate_journal_data(model, dict(data))
    except JournalError as error:
        raise PositionError(error.key, "", None, **error.details) from error


@contextmanager
def wrap_field_errors(field: str) -> Iterator[None]:
    """Add the field to errors that are raised inside."""
    try:
        yield
    except CoatlError as error:
        rule = error.rule if isinstance(error, PositionError) else ""
        where: Phrase = ("written.field", {"field": field})
        raise PositionError(error.key, rule, where, **error.details) from error


def find_player(name: str, names: Sequence[str]) -> int:
    """Find which of these players has a name, whatever its case; PositionError if none has."""
    known = [_normalize_name(other) for other in names]
    if _normalize_name(name) not in known:
        raise PositionError("written.player", name=name[:40], names=", ".join(names))
    return known.index(_normalize_name(name))


def _normalize_name(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def parse_coatls(
    written: Iterable[str | WrittenCoatlModel], catalog: Catalog, field: str
) -> tuple[Built, ...]:
    """Parse Cóatls, each written as a line or as an object."""
    found = []
    for number, coatl in enumerate(written):
        with wrap_field_errors(f"{field}.{number}"):
            found.append(
                parse_coatl_line(coatl, catalog)
                if isinstance(coatl, str)
                else build_coatl(coatl.coatl, _join_text(coatl.cards), catalog)
            )
    return tuple(found)


def _parse_seats(
    options: TableOptions, models: list[_PositionSeatModel], catalog: Catalog
) -> tuple[PositionSeat, ...]:
    """Parse what lies before the players, in the order of the table."""
    seats: dict[int, PositionSeat] = {}
    for number, model in enumerate(models):
        field = f"players.{number}"
        with wrap_field_errors(f"{field}.name"):
            index = find_player(model.name, options.players)
            if index in seats:
                raise PositionError("written.player_twice", name=options.players[index])
        seats[index] = _parse_seat(model, catalog, field, options)
    for index, name in enumerate(options.players):
        if index not in seats:
            with wrap_field_errors("players"):
                raise PositionError("written.player_missing", name=name)
    return tuple(seats[index] for index in sorted(seats))


def _parse_seat(
    model: _PositionSeatModel, catalog: Catalog, field: str, options: TableOptions
) -> PositionSeat:
    tokens: tuple[str, ...] = TOKENS if options.tokens else ()
    if model.tokens is not None:
        words = model.tokens if isinstance(model.tokens, list) else model.tokens.split()
        tokens = tuple(map(parse_token, (word for word in words if word not in NOTHING_SIGNS)))
    return PositionSeat(
        board=_parse_piece_field(model.board, f"{field}.board"),
        coatls=parse_coatls(model.coatls, catalog, f"{field}.coatls"),
        hand=parse_card_field(model.hand, catalog, f"{field}.hand"),
        temples=parse_card_field(model.temples, catalog, f"{field}.temples"),
        tokens=tokens,
        golden=model.golden,
        discarded=parse_card_field(model.discarded, catalog, f"{field}.discarded"),
        shown=parse_card_field(model.shown, catalog, f"{field}.shown"),
        temples_shown=parse_card_field(model.temples_shown, catalog, f"{field}.temples_shown"),
    )


def _parse_adam(model: _PositionAdamModel, catalog: Catalog) -> Adam:
    row = []
    for number, wanted in enumerate(model.row):
        with wrap_field_errors(f"adam.row.{number}"):
            row.append(
                parse_adam_card(wanted, catalog)
                if isinstance(wanted, str)
                else Wanted(catalog[wanted.card].id, parse_pieces(_join_text(wanted.pieces)))
            )
    fulfilled = parse_card_field(model.fulfilled, catalog, "adam.fulfilled")
    discarded = tuple(sorted(_parse_piece_field(model.discarded, "adam.discarded")))
    return Adam(tuple(row), fulfilled, discarded)


def _parse_piles(
    piles: list[str | _PileModel], catalog: Catalog
) -> tuple[tuple[str, str], tuple[int | None, int | None]]:
    if len(piles) != 2:
        raise PositionError("written.piles", n=len(piles))
    one, other = (_PileModel(top=pile) if isinstance(pile, str) else pile for pile in piles)
    tops = [
        "" if pile.top.strip() in NOTHING_SIGNS else catalog[pile.top].id for pile in (one, other)
    ]
    return (tops[0], tops[1]), (one.below, other.below)


def _join_text(words: TextOrList) -> str:
    return words if isinstance(words, str) else " ".join(words)


def parse_card_field(words: int | TextOrList, catalog: Catalog, field: str) -> tuple[str, ...]:
    """Parse cards written as a number, a text or a list."""
    with wrap_field_errors(field):
        return parse_card_ids(str(words) if isinstance(words, int) else _join_text(words), catalog)


def _parse_piece_field(words: TextOrList, *field: object) -> Pieces:
    with wrap_field_errors(".".join(map(str, field))):
        return parse_pieces(_join_text(words))


def serialize_position(position: Position, options: TableOptions) -> dict[str, Any]:
    """Serialize a position as JSON holds it."""
    names = (*options.players, ADAM_NAME) if options.solo else options.players
    data: dict[str, Any] = {
        "turn": names[position.turn],
        "spaces": [" ".join(space) for space in position.spaces],
        "supply": [*position.supply],
        "piles": [
            {"top": top, "below": below}
            for top, below in zip(position.tops, position.below, strict=True)
        ],
        "players": [
            {
                "name": name,
                "board": " ".join(seat.board),
                "coatls": [
                    {
                        "coatl": coatl.text,
                        "cards": [*coatl.prophecies, *filter(None, [coatl.temple])],
                    }
                    for coatl in seat.coatls
                ],
                "hand": [*seat.hand],
                "temples": [*seat.temples],
                "tokens": [*seat.tokens],
                "golden": seat.golden,
                "discarded": [*seat.discarded],
                "shown": [*seat.shown],
                "temples_shown": [*seat.temples_shown],
            }
            for name, seat in zip(options.players, position.seats, strict=True)
        ],
        "discards": [*position.discards],
        "passes": position.passes,
    }
    if position.adam:
        data["adam"] = {
            "row": [
                {"card": wanted.card, "pieces": " ".join(wanted.pieces)}
                for wanted in position.adam.row
            ],
            "fulfilled": [*position.adam.fulfilled],
            "discarded": " ".join(position.adam.discarded),
        }
    if position.ending:
        data["end"] = {
            "cause": position.ending.cause,
            "player": names[position.ending.player],
            "final": position.final,
        }
    return data


@dataclass(frozen=True, slots=True)
class TypedPosition:
    """The options of a command that names pieces and cards; `seen` are Cóatls from a photo."""

    board: str = ""
    coatls: tuple[str, ...] = ()
    hand: str = ""
    temples: str = ""
    piles: str = ""
    supply: str = ""
    seen: tuple[Built, ...] = ()


def build_typed_view(typed: TypedPosition, options: TableOptions, catalog: Catalog) -> View:
    """Build the first player's view of such a table at the start of their turn.

    Raises PositionError, naming the option or the Cóatl, if the position is impossible, and
    OptionError as for any table.
    """
    board = _parse_piece_field(typed.board, "--board")
    coatls = [*typed.seen]
    for text in typed.coatls:
        with wrap_field_errors("--coatl"):
            coatls.append(parse_coatl_line(text, catalog))
    hand = parse_card_field(typed.hand, catalog, "--hand")
    temples = parse_card_field(typed.temples, catalog, "--temple")
    supply = parse_card_field(typed.supply, catalog, "--supply")
    with wrap_field_errors("--piles"):
        tops = _parse_pile_tops(typed.piles, catalog)
    if UNKNOWN_CARD in hand + temples:
        options = replace(options, hidden_hands=True)
    game = new_game(options, catalog).game
    seat = PositionSeat(board=board, coatls=tuple(coatls), hand=hand, temples=temples)
    position = Position(
        turn=0,
        spaces=((),) * len(options.space_kinds),
        supply=supply,
        tops=tops,
        seats=(seat, *[PositionSeat()] * (game.size - 1)),
        adam=Adam() if game.solo else None,
    )
    return make_view(build_partial_state(game, position), 0)


def _parse_pile_tops(text: str, catalog: Catalog) -> tuple[str, str]:
    """Parse the top cards of the Temple piles, `-` if empty; a single card is on the first."""
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    if len(words) > 2:
        raise PositionError("written.piles", n=len(words))
    one, other = (
        "" if word in NOTHING_SIGNS else catalog[word].id for word in (*words, "", "")[:2]
    )
    return one, other
