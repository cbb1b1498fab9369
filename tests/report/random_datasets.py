"""Tables of games that were never played: random rows of the right shape, from a seed."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from pathlib import Path

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, parse_card
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.datasets import (
    ADAM_BOT,
    DATASETS,
    CardDataRow,
    CoatlDataRow,
    GameDataRow,
    GameRows,
    PlayerDataRow,
)
from coatl_tools.simulation.folder import format_plan
from coatl_tools.simulation.plan import SimulationPlan, make_seat_names

OWN_CARD = parse_card(
    {
        "id": "MY-01",
        "kind": "prophecy",
        "colour": "black",
        "requires": {"sequence": "R R"},
        "points": {"1": 9, "2": 20},
    },
    "fan",
)
DECK = load_cards().deck()


def make_plan(
    games: int,
    size: int = 2,
    seed: int = 1,
    cards: Sequence[Card] = DECK,
    levels: tuple[tuple[int, ...], ...] = ((),),
) -> SimulationPlan:
    """A plan whose players are all random ones."""
    bots = ("random",) * size
    options = TableOptions(players=make_seat_names(bots))
    return SimulationPlan(games, bots, options, tuple(cards), seed, levels)


def write_datasets(folder: Path, plan: SimulationPlan, games: Iterable[GameRows]) -> Path:
    """Write a plan and its games as a simulation leaves them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "simulation.json").write_text(format_plan(plan), "utf-8")
    played = list(games)
    for name, row in DATASETS.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(column.name for column in fields(row))
            for game in played:
                writer.writerows(map(astuple, getattr(game, name)))
    return folder


def random_games(
    plan: SimulationPlan, seed: int = 0, bots: Sequence[str] = ("random",)
) -> Iterator[GameRows]:
    """The games of a plan, as they might go; bots of other names play better."""
    chance = random.Random(seed)
    for number in range(plan.games):
        levels = "+".join(map(str, plan.levels[number % len(plan.levels)]))
        yield _game(chance, number, len(plan.players), bots, levels, plan.cards)


def _game(
    chance: random.Random,
    number: int,
    size: int,
    bots: Sequence[str],
    levels: str,
    cards: Sequence[Card],
) -> GameRows:
    seated = [bots[(seat + number) % len(bots)] for seat in range(size)]
    seated += [ADAM_BOT] * (size == 1)
    points = [max(0, round(chance.gauss(30 + 8 * (bot != "random"), 9))) for bot in seated]
    players: list[PlayerDataRow] = []
    coatls: list[CoatlDataRow] = []
    for seat, bot in enumerate(seated, 1):
        players.append(_player(chance, number, seat, bot, points))
        for coatl in range(1, players[-1].coatls + 1):
            pieces = chance.randint(5, 13)
            row = CoatlDataRow(number, seat, coatl, "<RBG>", True, pieces, 3, "", 11, 1, 9)
            coatls.append(row)
    rows = [_card(chance, number, size, card) for card in cards if chance.random() < 0.7]
    ending = chance.choice(("third", "third", "bodies"))
    turns = sum(player.turns for player in players)
    winners = points.count(max(points))
    game = GameDataRow(number, number, size, "en", levels, turns, ending, 1, winners)
    return GameRows((game,), tuple(players), tuple(coatls), tuple(rows))


def _player(
    chance: random.Random, number: int, seat: int, bot: str, points: Sequence[int]
) -> PlayerDataRow:
    score, best = points[seat - 1], max(points)
    turns = chance.randint(18, 30)
    return PlayerDataRow(
        game=number,
        seat=seat,
        player=seat,
        bot=bot,
        points=score,
        won=(score == best) / points.count(best),
        margin=score - max(other for place, other in enumerate(points, 1) if place != seat),
        cards=7,
        temples=1,
        best=score // 2,
        coatls=0 if bot == ADAM_BOT else chance.choice((2, 3, 3)),
        unfinished=chance.randint(0, 2),
        turns=turns,
        takes=turns // 2,
        choices=turns // 6,
        assemblies=turns // 4,
        tokens=2,
        hand=2,
    )


def _card(chance: random.Random, number: int, size: int, card: Card) -> CardDataRow:
    seat = chance.randint(0, size) or None
    outcome = "open" if seat is None else chance.choice(("held", "placed", "placed"))
    placed = outcome == "placed"
    level = chance.randint(0, len(card.levels)) if placed else 0
    return CardDataRow(
        game=number,
        card=card.id,
        kind=card.kind.value,
        shown="supply",
        seat=seat,
        outcome=outcome,
        coatl=1 if placed else None,
        complete=placed,
        level=level,
        points=card.levels[level - 1].points if level else 0,
    )
