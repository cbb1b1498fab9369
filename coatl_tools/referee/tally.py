"""The result of a game that was played without the program: Cóatls and cards, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cards.model import StrictModel
from coatl_tools.cards.shapes import validated
from coatl_tools.errors import JournalError, PositionError
from coatl_tools.referee.position import CoatlModel, Number, Words, at, cards_of, coatls_of
from coatl_tools.rules.box import FEATHER
from coatl_tools.rules.ending import Result, result
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.possible import (
    Seen,
    bags_without,
    checked_coatls,
    deck_without,
    need_prophecy,
    seen_in_coatls,
)
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built


@dataclass(frozen=True, slots=True)
class TallySeat:
    """What counts of a player: Cóatls with the cards beside them, golden segments."""

    coatls: tuple[Built, ...] = ()
    golden: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """A table at the end of its game; `fulfilled` are A.D.A.M.'s cards at a solo table."""

    options: TableOptions
    seats: tuple[TallySeat, ...]
    fulfilled: tuple[str, ...] = ()


class _SeatModel(StrictModel):
    name: str
    coatls: list[str | CoatlModel] = Field([])
    golden: Number = 0


class _AdamModel(StrictModel):
    fulfilled: Words


class _TallyModel(StrictModel):
    players: list[_SeatModel]
    edition: str = "en"
    promo: bool = False
    closed_ends: bool = False
    fewer_bodies: bool = False
    levels: list[int] = Field([])
    adam: _AdamModel | None = None


def read_tally(data: Mapping[str, Any], cards: Iterable[Card]) -> Tally:
    """The table that JSON holds; PositionError names the field, OptionError the option."""
    try:
        model = validated(_TallyModel, dict(data))
    except JournalError as error:
        raise PositionError(error.key, "", None, **error.details) from error
    options = TableOptions.from_data(
        {
            "players": [seat.name for seat in model.players],
            "edition": model.edition,
            "promo": model.promo,
            "closed_ends": model.closed_ends,
            "fewer_bodies": model.fewer_bodies,
            "golden_feathers": any(seat.golden for seat in model.players),
            "levels": model.levels,
        }
    )
    with at("adam"):
        if options.solo and model.adam is None:
            raise PositionError("position.adam_missing", "7.1")
        if model.adam and not options.solo:
            raise PositionError("rules.no_adam", "7.1")
    catalog = Catalog(cards)
    seats = tuple(
        TallySeat(coatls_of(seat.coatls, catalog, f"players.{number}.coatls"), seat.golden)
        for number, seat in enumerate(model.players)
    )
    fulfilled = cards_of(model.adam.fulfilled, catalog, "adam.fulfilled") if model.adam else ()
    return Tally(options, seats, fulfilled)


def tally(table: Tally, cards: Iterable[Card]) -> Result:
    """Everybody's score, and who has won; PositionError if no game can end like this."""
    options = table.options
    state = new_game(options, cards)
    game, pieces, beside = state.game, list[Seen](), list[Seen]()
    players = []
    for name, seat, player in zip(options.players, table.seats, state.players, strict=True):
        coatls = checked_coatls(game, name, seat.coatls)
        players.append(player._replace(coatls=coatls, feathers=seat.golden))
        built, placed = seen_in_coatls(name, coatls)
        pieces += built
        pieces += [(FEATHER, ("position.beside_board", {"player": name}))] * seat.golden
        beside += placed
    for card in table.fulfilled:
        need_prophecy(game, card, ("rules.seen_fulfilled", {}))
        beside.append((card, ("rules.seen_fulfilled", {})))
    bags_without(game, pieces)
    deck_without(game, game.prophecies + game.temples, beside)
    adam = Adam(fulfilled=table.fulfilled) if game.solo else None
    return result(state._replace(players=tuple(players), adam=adam))
