"""A.D.A.M.'s turn against a second implementation, in games and on made-up tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, CardKind, parse_card, serialize_card
from coatl_tools.errors import OptionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.actions.turns import count_drawable_cards
from coatl_tools.rules.constants import ADAM_INDEX, COLOURS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import AdamTurn
from coatl_tools.rules.setup import deal_draw, new_game
from coatl_tools.rules.solo.adam import explain_adam_turn, plan_adam_turn
from coatl_tools.rules.solo.needs import find_needs
from coatl_tools.rules.state import (
    Adam,
    Ending,
    FillDraw,
    GameState,
    Stage,
    SupplyDraw,
    Turn,
    Wanted,
)
from coatl_tools.rules.table_options import TableOptions
from tests import adam_oracle
from tests.rules.random_games import (
    Choice,
    choose_builder,
    choose_collector,
    games,
    many_games,
    play_random_game,
    solo_tables,
)
from tests.strategies import example_count, requirement_as_json, requirements

TEMPLES = tuple(card for card in load_cards().deck() if card.kind is CardKind.TEMPLE)
PROPHECIES = [card for card in load_cards().deck(promo=True) if card.kind is CardKind.PROPHECY]
SEEDS = st.integers(0, 2**32)


def as_table(state: GameState) -> dict[str, Any]:
    """A state as the second implementation reads it."""
    assert state.adam is not None
    bags = {"b": sum(state.bodies), "h": sum(state.heads), "t": sum(state.tails)}
    return {
        "spaces": [list(space) for space in state.spaces],
        "kinds": state.game.options.space_kinds,
        "bags": bags,
        "row": as_row(state.adam.row),
        "supply": list(state.supply),
        "undrawn": count_drawable_cards(state),
        "cards": {card.id: serialize_card(card) for card in state.game.cards},
        "refill_to": state.game.adam_refill,
    }


def as_row(row: tuple[Wanted, ...]) -> list[dict[str, Any]]:
    return [{"card": wanted.card, "pieces": list(wanted.pieces)} for wanted in row]


def both_agree(state: GameState) -> None:
    table = as_table(state)
    expected = adam_oracle.turn(table)
    plan = plan_adam_turn(state)
    assert plan_adam_turn(state) == plan
    assert plan.space == expected["space"]
    assert as_row(plan.row) == expected["row"]
    assert list(plan.fulfilled) == expected["fulfilled"]
    assert list(plan.discarded) == expected["discarded"]
    assert list(plan.supply) == expected["supply"]
    assert len({len(explain_adam_turn(plan, code)) for code in LANGUAGE_CODES}) == 1
    after_agrees(state, apply_event(state, AdamTurn()), expected)


def after_agrees(before: GameState, after: GameState, expected: dict[str, Any]) -> None:
    assert before.adam is not None
    assert after.adam is not None
    assert [list(space) for space in after.spaces] == expected["spaces"]
    assert as_row(after.adam.row) == expected["row"]
    assert after.adam.fulfilled == before.adam.fulfilled + tuple(expected["fulfilled"])
    assert list(after.adam.discarded) == sorted([*before.adam.discarded, *expected["discarded"]])
    worth = sum(after.game.top_points(card) for card in expected["fulfilled"])
    assert worth == expected["points"]
    ends = expected["ended"] or before.ending is not None
    assert (after.ending is not None) == ends
    if after.stage is Stage.OVER:
        assert ends
        assert after.draws == ()
        return
    if expected["space"]:
        fills = [draw.space for draw in after.draws if isinstance(draw, FillDraw)]
        assert fills == expected["fills"]
    drawn = [draw for draw in after.draws if isinstance(draw, SupplyDraw)]
    assert len(drawn) == expected["supply_draws"]


def in_whole_games(options: TableOptions, seed: int, choice: Choice, few: bool) -> None:
    for state, event in play_random_game(options, seed, choice, few):
        if isinstance(event, AdamTurn):
            both_agree(state)


def random_requirement(rng: random.Random) -> tuple[dict[str, Any], int]:
    """A requirement with few pieces, so that cards are often fulfilled, and its highest count."""
    letters = rng.sample(COLOURS, 2)
    tokens = [rng.choice([*letters, *letters, "*"]) + rng.choice(["", "", "+"]) for _ in range(3)]
    made: list[tuple[dict[str, Any], int]] = [
        ({"count": letters[0]}, rng.randint(1, 4)),
        ({"sequence": " ".join(tokens[: rng.randint(1, 3)])}, rng.randint(1, 2)),
        ({"sequence": f"!{letters[0]} {' '.join(tokens)} !{letters[1]}"}, 1),
        ({"multiset": {letters[0]: rng.randint(1, 2), letters[1]: 1}}, rng.randint(1, 2)),
        ({"equal": letters}, 1),
        ({"several": [{"absent": letters[0]}, {"count": letters[1]}, {"equal": letters}]}, 3),
    ]
    return rng.choice(made)


def made_up_cards(rng: random.Random) -> Iterator[Card]:
    """A deck of cards that nobody has seen before, some of them twice."""
    for number in range(14):
        requires, count = random_requirement(rng)
        data = {
            "id": f"X{number:02}",
            "kind": "prophecy",
            "colour": rng.choice(["red", "green", "blue", "yellow", "black"]),
            "copies": rng.choice([1, 2]),
            "requires": requires,
            "points": {str(count): rng.randint(1, 9)},
        }
        yield parse_card(data, "own")


def made_up_table(seed: int) -> GameState:
    """A.D.A.M.'s turn at a table where anything may lie anywhere."""
    rng = random.Random(seed)
    levels = rng.choice([(), (5,)])
    options = TableOptions(
        players=("Solo",),
        levels=levels,
        level5_refill=rng.choice([3, 4]),
        space_kinds="".join(rng.sample("bbbbbbhhtt", 10)),
        solo_final_turns=rng.random() < 0.3,
    )
    cards = tuple(load_cards().deck()) if rng.random() < 0.3 else (*made_up_cards(rng), *TEMPLES)
    state = new_game(options, cards)
    for _ in range(10):
        state = apply_event(state, deal_draw(state, seed))
    emptied = rng.choice([0.0, 0.3, 0.7, 0.95])
    spaces = tuple(() if rng.random() < emptied else space for space in state.spaces)
    deck = rng.sample(state.game.prophecies, len(state.game.prophecies))
    number = rng.randint(0, 4 if levels else 3)
    row = tuple(Wanted(card, some_pieces(rng, state, card)) for card in deck[:number])
    supply = deck[number : number + rng.choice([0, 1, 2, 6, 6, 6])]
    left = deck[number + len(supply) :]
    undrawn = rng.randint(0, len(left)) if len(supply) == 6 else 0  # else it would be refilled
    poor = rng.random() < 0.4
    bare = not any(len(space) == 2 for space in spaces)  # that is only so once the end is near
    return state._replace(
        stage=Stage.ADAMS_TURN,
        current_player=ADAM_INDEX,
        actions_left=1,
        ending=Ending("bodies", 0) if bare else None,
        final_turns=(Turn(0, 1),) if bare else (),
        draws=(),
        spaces=spaces,
        bodies=(rng.randint(0, 1), rng.randint(0, 1), 0, 0, 0, 0) if poor else state.bodies,
        heads=(rng.randint(0, 1), 0, 0, 0, 0) if poor else state.heads,
        tails=(0, 0, 0, 0, 0) if poor else state.tails,
        supply=tuple(supply),
        deck=undrawn,
        unlocated_prophecies=(tuple(sorted(left[:undrawn])),),
        adam=Adam(row, tuple(left[undrawn:])),
    )


def some_pieces(rng: random.Random, state: GameState, card: str) -> tuple[str, ...]:
    """Pieces that may lie on a card: some of what it needs, one is lacking at least."""
    *colours, white = state.game.needs[card]
    letters = [c for c, n in zip(COLOURS, colours, strict=True) for _ in range(n)]
    letters += [rng.choice(COLOURS) for _ in range(white)]
    some = rng.sample(letters, rng.choice([0, len(letters) - 1, rng.randrange(len(letters))]))
    return tuple(rng.choice([f"<{c}", c, c, f"{c}>"]) for c in some)


def agree_on_tables(seeds: range) -> None:
    for seed in seeds:
        try:
            both_agree(made_up_table(seed))
        except AssertionError as error:
            raise AssertionError(f"made_up_table({seed}): {error}") from error


@pytest.mark.parametrize("part", range(4))
def test_both_agree_on_made_up_tables(part: int) -> None:
    agree_on_tables(range(part * 250, (part + 1) * 250))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_both_agree_on_many_made_up_tables(part: int) -> None:
    size = example_count(20_000) // 10
    agree_on_tables(range(10_000 + part * size, 10_000 + (part + 1) * size))


def test_made_up_tables_show_everything() -> None:
    found = {"three at once": 0, "short row": 0, "no card": 0, "helps nobody": 0, "end": 0}
    for seed in range(400):
        state = made_up_table(seed)
        plan = plan_adam_turn(state)
        steps = {type(step).__name__ for step in plan.steps}
        found["three at once"] += len(plan.fulfilled) > 2
        found["short row"] += "RowStaysShort" in steps
        found["no card"] += not plan.before
        found["helps nobody"] += "TakeLowest" in steps and bool(plan.before)
        found["end"] += apply_event(state, AdamTurn()).ending is not None
    assert min(found.values()) > 3, found


test_both_agree_in_whole_games = games(
    6,
    in_whole_games,
    solo_tables(),
    SEEDS,
    st.sampled_from([choose_builder, choose_collector]),
    st.booleans(),
)
test_both_agree_in_many_whole_games = many_games(
    in_whole_games,
    solo_tables(),
    SEEDS,
    st.sampled_from([choose_builder, choose_collector]),
    st.booleans(),
)


def both_agree_on_needs(requirement: Any, counts: set[int]) -> None:
    points = {str(count): worth for worth, count in enumerate(sorted(counts), start=1)}
    data = {"id": "X01", "kind": "prophecy", "colour": "red", "points": points}
    card = parse_card(data | {"requires": requirement_as_json(requirement)}, "own")
    slots = adam_oracle.slots(requirement_as_json(requirement), points)
    needs = find_needs(card)
    if slots is None:
        assert needs is None
        with pytest.raises(OptionError, match="X01"):
            new_game(TableOptions(players=("Solo",)), (*load_cards().deck(), card))
    else:
        assert needs == tuple(slots.count(letter) for letter in (*COLOURS, "*"))


NEEDS = given(requirements("RGBYK"), st.sets(st.integers(1, 4), min_size=1))
test_both_agree_on_what_a_card_needs = settings(max_examples=120)(NEEDS(both_agree_on_needs))
test_both_agree_on_what_many_cards_need = pytest.mark.soak(
    settings(max_examples=example_count(20_000))(NEEDS(both_agree_on_needs))
)


@pytest.mark.parametrize("card", PROPHECIES, ids=lambda card: card.id)
def test_both_agree_on_the_published_cards(card: Card) -> None:
    data = serialize_card(card)
    slots = adam_oracle.slots(data["requires"], data["points"])
    assert slots is not None
    assert find_needs(card) == tuple(slots.count(letter) for letter in (*COLOURS, "*"))
