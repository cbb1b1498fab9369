"""Five games made by hand, few enough to work out every figure on paper."""

from __future__ import annotations

from coatl_tools import load_cards
from coatl_tools.simulation.datasets import (
    ADAM_BOT,
    CardDataRow,
    CoatlDataRow,
    GameDataRow,
    GameRows,
    PlayerDataRow,
)

CARDS = tuple(load_cards()[card_id] for card_id in ("P01", "P11", "T01"))


def player(game: int, seat: int, points: int, won: float, bot: str = "random") -> PlayerDataRow:
    """A player who has completed two Cóatls in ten turns."""
    return PlayerDataRow(game, seat, seat, bot, points, won, 0, 3, 1, 9, 2, 1, 10, 5, 2, 2, 1, 0)


def card(
    game: int,
    card_id: str,
    seat: int | None,
    outcome: str,
    level: int = 0,
    points: int = 0,
    complete: bool = True,
) -> CardDataRow:
    """What became of a card."""
    kind = "temple" if card_id[0] == "T" else "prophecy"
    coatl = 1 if outcome == "placed" else None
    done = complete and outcome == "placed"
    return CardDataRow(game, card_id, kind, "supply", seat, outcome, coatl, done, level, points)


def coatl(game: int, pieces: int, points: int, complete: bool = True) -> CoatlDataRow:
    """A Cóatl of the first seat."""
    return CoatlDataRow(game, 1, 1, "<RBG>", complete, pieces, 1, "", points, 1, 5)


def game(
    number: int, size: int, turns: int, ending: str = "third", winners: int = 1
) -> GameDataRow:
    """A game."""
    return GameDataRow(number, 7, size, "en", "", turns, ending, 1, winners)


GAMES = (
    GameRows(
        (game(0, 2, 20),),
        (player(0, 1, 20, 1.0), player(0, 2, 10, 0.0)),
        (coatl(0, 6, 8), coatl(0, 9, 0, complete=False)),
        (
            card(0, "P01", 1, "placed", 2, 3),
            card(0, "P01", None, "open"),
            card(0, "P11", 2, "placed", 1, 0, complete=False),
            card(0, "T01", 1, "held"),
        ),
    ),
    GameRows(
        (game(1, 2, 24, "bodies", winners=2),),
        (player(1, 1, 15, 0.5), player(1, 2, 15, 0.5)),
        (coatl(1, 8, 12),),
        (
            card(1, "P01", 2, "placed", 0, 0),  # broken
            card(1, "P11", 1, "discarded"),
            card(1, "T01", 1, "placed", 2, 7),
        ),
    ),
    GameRows(
        (game(2, 3, 30),),
        (player(2, 1, 5, 0.0), player(2, 2, 8, 0.0), player(2, 3, 9, 1.0)),
        (),
        (
            card(2, "P01", 3, "placed", 4, 5),
            card(2, "P11", 1, "left"),
            card(2, "T01", None, "open"),
        ),
    ),
    GameRows(
        (game(3, 1, 18),),
        (player(3, 1, 12, 1.0), player(3, 2, 9, 0.0, ADAM_BOT)),
        (),
        (card(3, "P01", 1, "placed", 1, 2), card(3, "P11", 2, "fulfilled", 2, 7)),
    ),
    GameRows(
        (game(4, 1, 22, "bodies"),),
        (player(4, 1, 4, 0.0), player(4, 2, 19, 1.0, ADAM_BOT)),
        (),
        (card(4, "P01", 2, "held"), card(4, "P11", 1, "placed", 1, 3)),
    ),
)
