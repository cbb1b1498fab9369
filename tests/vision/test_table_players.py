"""Whose each Cóatl is: tables that people lay, and what must always hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from coatl_tools.vision.reading import PhotoReading, TableSide
from coatl_tools.vision.table_plane import PITCH, estimate_table_plane
from coatl_tools.vision.table_players import Seating, assign_players, find_seating
from tests.vision.sample_readings import make_placed_coatl
from tests.vision.table_layouts import LaidTable, Seats, lay_table

SEEDS = range(4000, 4008)


def lay(
    seed: int,
    seats: Seats = "sides",
    careless: float = 0.0,
    tilt: float = 40,
    players: int | None = None,
) -> LaidTable:
    """A table whose cards lie at their Cóatls as they should."""
    table = lay_table(seed, players, seats=seats, careless=careless, tilts=(0, tilt))
    cards = zip(table.reading.cards, table.owners, strict=True)
    laid = tuple(replace(card, coatl=owner) for card, owner in cards)
    return replace(table, reading=replace(table.reading, cards=laid))


def count_right(table: LaidTable, found: Seating) -> tuple[int, int]:
    """How many Cóatls are at their player, and how many wrongly so, whatever the numbers are."""
    sure = found.sure_owners

    def count(names: Sequence[int]) -> int:
        both = zip(sure, table.players, strict=True)
        return sum(one is not None and names[one] == player for one, player in both)

    right = max(map(count, permutations(range(4))))
    return right, sum(one is not None for one in sure) - right


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("seats", "careless", "tilt"),
    [("sides", 0, 40), ("sides", 0.2, 40), ("sides", 1, 40), ("round", 0, 40), ("pairs", 0.1, 40),
     ("sides", 0, 58)],
)  # fmt: skip
def test_coatls_are_at_their_player(
    seats: Seats, careless: float, tilt: float, known: bool
) -> None:
    right = wrong = count = 0
    for seed in SEEDS:
        table = lay(seed, seats, careless, tilt)
        found = find_seating(table.reading, max(table.players) + 1 if known else None)
        here, not_here = count_right(table, found)
        right, wrong, count = right + here, wrong + not_here, count + len(table.players)
    assert right >= 0.9 * count
    assert wrong <= 0.01 * count


def test_players_are_counted_clockwise_from_the_near_side() -> None:
    for seed in SEEDS:
        table = lay(seed)
        count = max(table.players) + 1
        found = find_seating(table.reading, count)
        clockwise = [0, *range(count - 1, 0, -1)]  # the layout has them against the clock
        assert found.order_known
        assert [clockwise[owner] for owner in found.owners] == list(table.players)
        if count == 4:
            assert [found.side(player) for player in range(4)] == list(TableSide)


def test_stated_sides_name_the_players() -> None:
    table = lay(4001, players=2)
    found = find_seating(table.reading, 2, (TableSide.FAR, TableSide.NEAR))
    assert found.order_known
    assert [1 - owner for owner in found.owners] == list(table.players)
    assert not find_seating(table.reading, 2, (TableSide.LEFT, TableSide.RIGHT)).order_known


def test_one_between_two_players_is_asked() -> None:
    coatls = tuple(make_placed_coatl("<RGBYKR>", (600, y)) for y in (200, 600, 1000))
    reading = PhotoReading("table.jpg", (1600, 1200), coatls)
    assert find_seating(reading, 2).sure_owners[1] is None


def test_the_coatls_of_one_player_are_one_player_s() -> None:
    coatls = tuple(make_placed_coatl("<RGBYKR>", (600, y)) for y in (300, 460, 620))
    reading = PhotoReading("table.jpg", (1600, 1200), coatls)
    assert find_seating(reading).sure_owners == (0, 0, 0)
    assert assign_players(reading).player_count == 1
    assert find_seating(PhotoReading("table.jpg", (1600, 1200))).owners == ()


def test_a_coatl_that_nobody_saw_may_be_anybody_s() -> None:
    table = lay(4001, players=2)
    pieces = tuple(replace(one, outline=()) for one in table.reading.coatls[0].pieces)
    coatls = (*table.reading.coatls, replace(table.reading.coatls[0], pieces=pieces))
    found = find_seating(replace(table.reading, coatls=coatls), 2)
    assert found.sure_owners[-1] is None
    assert None not in found.sure_owners[:-1]


def test_seen_from_above_all_cards_have_their_size() -> None:
    for seed in SEEDS:
        table = lay(seed)
        reading = table.reading
        plane = estimate_table_plane(reading.coatls, reading.cards, reading.size)
        corners = [plane.map_outline(card.outline) * PITCH for card in table.reading.cards]
        wide = [float(np.hypot(*(one[1] - one[0]))) for one in corners]
        high = [float(np.hypot(*(one[2] - one[1]))) for one in corners]
        assert np.abs(np.array(wide) / 63 - 1).max() < 0.25
        assert np.abs(np.array(high) / 88 - 1).max() < 0.25
        assert np.std(wide) < 5
