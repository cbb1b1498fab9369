"""The result of a game that was played without the program: Cóatls and cards, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, Phrase, PositionError
from coatl_tools.files.json_models import StrictModel
from coatl_tools.referee.position_file import (
    SmallNumber,
    TextOrList,
    WrittenCoatlModel,
    parse_card_field,
    parse_coatls,
    validate_position_data,
    wrap_field_errors,
)
from coatl_tools.rules.constants import FEATHER
from coatl_tools.rules.editions import DEFAULT_EDITION, choose_edition
from coatl_tools.rules.position.position_checks import (
    SeenItem,
    check_coatls,
    check_is_prophecy,
    compute_bags_left,
    compute_deck_left,
    list_coatl_contents,
)
from coatl_tools.rules.result import GameResult, compute_result
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built
from coatl_tools.rules.table_options import TableOptions


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


class _TallySeatModel(StrictModel):
    name: str
    coatls: list[str | WrittenCoatlModel] = Field([])
    golden: SmallNumber = 0


class _TallyAdamModel(StrictModel):
    fulfilled: TextOrList


class _TallyModel(StrictModel):
    players: list[_TallySeatModel]
    edition: str = DEFAULT_EDITION
    promo: bool = False
    closed_ends: bool = False
    fewer_bodies: bool = False
    levels: list[int] = Field([])
    adam: _TallyAdamModel | None = None


def parse_tally(data: Mapping[str, Any], cards: Iterable[Card]) -> Tally:
    """Parse the table that JSON holds; PositionError names the field, OptionError the option."""
    model = validate_position_data(_TallyModel, data)
    options = TableOptions.from_data(
        {
            "players": [seat.name for seat in model.players],
            "edition": choose_edition(model.edition),
            "promo": model.promo,
            "closed_ends": model.closed_ends,
            "fewer_bodies": model.fewer_bodies,
            "golden_feathers": any(seat.golden for seat in model.players),
            "levels": model.levels,
        }
    )
    with wrap_field_errors("adam"):
        if options.solo and model.adam is None:
            raise PositionError("position.adam_missing", "7.1")
        if model.adam and not options.solo:
            raise PositionError("rules.no_adam", "7.1")
    catalog = Catalog(cards)
    seats = tuple(
        TallySeat(parse_coatls(seat.coatls, catalog, f"players.{number}.coatls"), seat.golden)
        for number, seat in enumerate(model.players)
    )
    fulfilled = (
        parse_card_field(model.adam.fulfilled, catalog, "adam.fulfilled") if model.adam else ()
    )
    return Tally(options, seats, fulfilled)


def score_tally(table: Tally, cards: Iterable[Card]) -> GameResult:
    """Compute everybody's score, and who has won; PositionError if no game can end like this."""
    options = table.options
    state = new_game(options, cards)
    game, pieces, beside = state.game, list[SeenItem](), list[SeenItem]()
    players = []
    for name, seat, player in zip(options.players, table.seats, state.players, strict=True):
        coatls = check_coatls(game, name, seat.coatls)
        players.append(player._replace(coatls=coatls, feathers=seat.golden))
        built, placed = list_coatl_contents(name, coatls)
        pieces += built
        pieces += [(FEATHER, ("position.beside_board", {"player": name}))] * seat.golden
        beside += placed
    for card in table.fulfilled:
        check_is_prophecy(game, card, ("rules.seen_fulfilled", {}))
        beside.append((card, ("rules.seen_fulfilled", {})))
    compute_bags_left(game, pieces)
    compute_deck_left(game, game.prophecies + game.temples, beside)
    adam = Adam(fulfilled=table.fulfilled) if game.solo else None
    return compute_result(state._replace(players=tuple(players), adam=adam))


def find_players_in_error(error: CoatlError) -> set[str]:
    """Find the players that an error about a tally speaks of; none if it is about all."""
    if not isinstance(error, PositionError):
        return set()
    seen = error.details.get("seen")
    phrases: list[Phrase] = [*seen] if isinstance(seen, list) else []
    if error.where:
        phrases.append(error.where)
    names = set()
    for _, details in phrases:
        inner = details.get("piece")
        place = inner[1] if isinstance(inner, tuple) else details  # “2× in Cóatl 1 of Ana”
        if "player" in place:
            names.add(str(place["player"]))
    return names
