"""A position as JSON: what people write to join a game midway, and what a table's header keeps."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import Field

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cards.model import StrictModel
from coatl_tools.cards.shapes import validated
from coatl_tools.errors import CoatlError, JournalError, PositionError
from coatl_tools.referee.written import (
    MAX_HIDDEN,
    NOTHING,
    coatl_with,
    read_cards,
    read_coatl,
    read_pieces,
    read_spaces,
    read_token,
    read_wanted,
)
from coatl_tools.rules.box import ADAM_NAME, TOKENS, Pieces
from coatl_tools.rules.midway import Position, PositionSeat
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import Adam, Built, Ending, Wanted

Number = Annotated[int, Field(ge=0, le=MAX_HIDDEN)]
Words = str | list[str]
CAUSES = ("third", "bodies")


class CoatlModel(StrictModel):
    """A Cóatl and the cards beside it."""

    coatl: str
    cards: Words = ""


class _SeatModel(StrictModel):
    name: str
    board: Words = ""
    coatls: list[str | CoatlModel] = Field([])
    hand: Number | Words
    temples: Number | Words
    tokens: Words | None = None
    golden: Number = 0
    discarded: Number | Words = 0
    shown: Words = ""
    temples_shown: Words = ""


class _PileModel(StrictModel):
    top: str
    below: Number | None = None


class _WantedModel(StrictModel):
    card: str
    pieces: Words = ""


class _AdamModel(StrictModel):
    row: list[str | _WantedModel]
    fulfilled: Words = ""
    discarded: Words = ""


class _EndModel(StrictModel):
    cause: str
    player: str
    final: bool | None = None


class _PositionModel(StrictModel):
    turn: str
    spaces: Words
    supply: Words
    piles: list[str | _PileModel]
    players: list[_SeatModel]
    discards: Number | Words = 0
    adam: _AdamModel | None = None
    end: _EndModel | None = None
    passes: Number = 0


def read_position(
    data: Mapping[str, Any], options: TableOptions, cards: Iterable[Card]
) -> Position:
    """The position that JSON holds; PositionError names the field that is wrong.

    Whether a game can lead there is not asked yet: `midway` tells.
    """
    try:
        model = validated(_PositionModel, dict(data))
    except JournalError as error:
        raise PositionError(error.key, "", None, **error.details) from error
    catalog = Catalog(cards)
    names = (*options.players, ADAM_NAME) if options.solo else options.players
    with at("piles"):
        tops, below = _piles(model.piles, catalog)
    with at("spaces"):
        spaces = read_spaces(model.spaces) if isinstance(model.spaces, str) else None
    if spaces is None:
        spaces = tuple(_pieces(text, "spaces", n) for n, text in enumerate(model.spaces))
    seats = _in_order(options, model.players, catalog)
    with at("turn"):
        turn = player_named(model.turn, names)
    ending = None
    if model.end:
        with at("end.player"):
            ending = Ending(model.end.cause, player_named(model.end.player, names))
        if model.end.cause not in CAUSES:
            with at("end.cause"):
                raise PositionError("written.cause", text=model.end.cause, causes=", ".join(CAUSES))
    return Position(
        turn=turn,
        spaces=spaces,
        supply=cards_of(model.supply, catalog, "supply"),
        tops=tops,
        seats=seats,
        below=below,
        discards=cards_of(model.discards, catalog, "discards"),
        adam=_adam(model.adam, catalog) if model.adam else None,
        ending=ending,
        final=model.end.final if model.end else None,
        passes=model.passes,
    )


@contextmanager
def at(field: str) -> Iterator[None]:
    """What is wrong inside says in which field it is."""
    try:
        yield
    except PositionError as error:
        raise PositionError(
            error.key, error.rule, ("written.field", {"field": field}), **error.details
        ) from error
    except CoatlError as error:
        raise PositionError(
            error.key, "", ("written.field", {"field": field}), **error.details
        ) from error


def player_named(name: str, names: Sequence[str]) -> int:
    """Which of these players has a name; small and capital letters are the same."""
    known = [_plain(other) for other in names]
    if _plain(name) not in known:
        raise PositionError("written.player", name=name[:40], names=", ".join(names))
    return known.index(_plain(name))


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def coatls_of(
    written: Iterable[str | CoatlModel], catalog: Catalog, field: str
) -> tuple[Built, ...]:
    """Cóatls, each as a line or as an object."""
    found = []
    for number, coatl in enumerate(written):
        with at(f"{field}.{number}"):
            found.append(
                read_coatl(coatl, catalog)
                if isinstance(coatl, str)
                else coatl_with(coatl.coatl, _text(coatl.cards), catalog)
            )
    return tuple(found)


def _in_order(
    options: TableOptions, models: list[_SeatModel], catalog: Catalog
) -> tuple[PositionSeat, ...]:
    """What lies before the players, in the order of the table."""
    seats: dict[int, PositionSeat] = {}
    for number, model in enumerate(models):
        field = f"players.{number}"
        with at(f"{field}.name"):
            index = player_named(model.name, options.players)
            if index in seats:
                raise PositionError("written.player_twice", name=options.players[index])
        seats[index] = _seat(model, catalog, field, options)
    for index, name in enumerate(options.players):
        if index not in seats:
            with at("players"):
                raise PositionError("written.player_missing", name=name)
    return tuple(seats[index] for index in sorted(seats))


def _seat(model: _SeatModel, catalog: Catalog, field: str, options: TableOptions) -> PositionSeat:
    tokens: tuple[str, ...] = TOKENS if options.tokens else ()
    if model.tokens is not None:
        words = model.tokens if isinstance(model.tokens, list) else model.tokens.split()
        tokens = tuple(map(read_token, (word for word in words if word not in NOTHING)))
    return PositionSeat(
        board=_pieces(model.board, f"{field}.board"),
        coatls=coatls_of(model.coatls, catalog, f"{field}.coatls"),
        hand=cards_of(model.hand, catalog, f"{field}.hand"),
        temples=cards_of(model.temples, catalog, f"{field}.temples"),
        tokens=tokens,
        golden=model.golden,
        discarded=cards_of(model.discarded, catalog, f"{field}.discarded"),
        shown=cards_of(model.shown, catalog, f"{field}.shown"),
        temples_shown=cards_of(model.temples_shown, catalog, f"{field}.temples_shown"),
    )


def _adam(model: _AdamModel, catalog: Catalog) -> Adam:
    row = []
    for number, wanted in enumerate(model.row):
        with at(f"adam.row.{number}"):
            row.append(
                read_wanted(wanted, catalog)
                if isinstance(wanted, str)
                else Wanted(catalog[wanted.card].id, read_pieces(_text(wanted.pieces)))
            )
    fulfilled = cards_of(model.fulfilled, catalog, "adam.fulfilled")
    discarded = tuple(sorted(_pieces(model.discarded, "adam.discarded")))
    return Adam(tuple(row), fulfilled, discarded)


def _piles(
    piles: list[str | _PileModel], catalog: Catalog
) -> tuple[tuple[str, str], tuple[int | None, int | None]]:
    if len(piles) != 2:
        raise PositionError("written.piles", n=len(piles))
    one, other = (_PileModel(top=pile) if isinstance(pile, str) else pile for pile in piles)
    tops = ["" if pile.top.strip() in NOTHING else catalog[pile.top].id for pile in (one, other)]
    return (tops[0], tops[1]), (one.below, other.below)


def _text(words: Words) -> str:
    return words if isinstance(words, str) else " ".join(words)


def cards_of(words: int | Words, catalog: Catalog, field: str) -> tuple[str, ...]:
    """Cards as a number, a text or a list."""
    with at(field):
        return read_cards(str(words) if isinstance(words, int) else _text(words), catalog)


def _pieces(words: Words, *field: object) -> Pieces:
    with at(".".join(map(str, field))):
        return read_pieces(_text(words))


def position_data(position: Position, options: TableOptions) -> dict[str, Any]:
    """A position as JSON holds it."""
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
