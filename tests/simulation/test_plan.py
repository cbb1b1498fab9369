"""What decides the games: kept whole as JSON, and checked when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import CoatlError, CommandLineError, OptionError
from coatl_tools.simulation.folder import find_plan_differences, format_plan, parse_plan
from coatl_tools.simulation.plan import MAX_GAMES, SimulationPlan
from tests.simulation.plans import make_plan, make_solo_plan

OWN_CARDS = Path(__file__).parents[2] / "docs" / "example-cards.json"


@pytest.mark.parametrize(
    "plan",
    [
        make_plan(games=50, edition="pl", tokens=False, temple_required=True),
        make_plan("random", "random", "random", golden_feathers=True, promo=True),
        make_solo_plan(games=3, levels=((1, 3), (), (2, 4, 5)), level5_refill=3),
        replace(make_plan(), cards=load_cards(OWN_CARDS).deck()),
    ],
)
def test_a_plan_is_read_back_as_it_was_written(plan: SimulationPlan) -> None:
    read = parse_plan(format_plan(plan).encode())
    assert set(read.cards) == set(plan.cards)
    assert replace(read, cards=plan.cards) == plan
    assert read.digest == plan.digest


def test_the_digest_tells_plans_apart_but_not_by_their_number_of_games() -> None:
    plan = make_plan()
    assert replace(plan, games=99).digest == plan.digest
    others = [
        make_plan(seed=8),
        make_plan(edition="fr"),
        make_plan("random", "random", "random"),
        replace(plan, program="0.0"),
        replace(plan, cards=load_cards(OWN_CARDS).deck()),
        make_solo_plan(),
        make_solo_plan(levels=((1,),)),
    ]
    assert len({plan.digest, *(other.digest for other in others)}) == len(others) + 1


@pytest.mark.parametrize("games", [0, -1, MAX_GAMES + 1])
def test_a_number_of_games_that_makes_no_sense_is_refused(games: int) -> None:
    with pytest.raises(CommandLineError, match="number of games"):
        make_plan(games=games)


WRONG: list[tuple[Callable[[], SimulationPlan], str]] = [
    (lambda: make_plan("random", "nobody"), "no bot"),
    (lambda: make_plan(seed=-1), "seed"),
    (lambda: make_plan(hidden_hands=True), "hidden_hands"),
    (lambda: make_plan(levels=((1,),)), "solo"),
    (lambda: make_solo_plan(levels=((6,),)), "levels"),
    (lambda: replace(make_plan(), players=("random",)), "seats"),
]


@pytest.mark.parametrize(("make", "told"), WRONG)
def test_what_makes_no_game_is_refused(make: Callable[[], SimulationPlan], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        make()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"coatl-simulation": 2}, "format 2"),
        ({"coatl-simulation": True}, "format"),
        ({"games": "many"}, "games"),
        ({"games": 0}, "number of games"),
        ({"players": ["random"]}, ""),
        ({"players": ["random", "x"]}, "no bot"),
        ({"levels": [[9]]}, "levels"),
        ({"levels": 3}, "levels"),
        ({"options": {"edition": "de"}}, "edition"),
        ({"options": {"what": 1}}, "what"),
        ({"base_cards": "0"}, "other base cards"),
        ({"box": {"pieces.body": 20}}, "another box"),
        ({"more_cards": [{}]}, "more_cards"),
        ({"more": 1}, "more"),
    ],
)
def test_a_plan_that_somebody_changed_is_told(changes: dict[str, Any], told: str) -> None:
    text = json.dumps(json.loads(format_plan(make_plan())) | changes).encode()
    if changes == {"players": ["random"]}:  # that is another plan, and a good one
        assert parse_plan(text).options.solo
        return
    with pytest.raises(CoatlError, match=told):
        parse_plan(text)


@pytest.mark.parametrize("text", [b"", b"[]", b"\xff", b"[" * 10**5, b"{}", b'{"a": 1, "a": 2}'])
def test_what_is_no_plan_is_told(text: bytes) -> None:
    with pytest.raises(CoatlError):
        parse_plan(text)


def test_a_plan_from_before_boxes_were_kept_is_played_on() -> None:
    data = json.loads(format_plan(make_plan()))
    del data["box"]
    assert parse_plan(json.dumps(data).encode()) == make_plan()


def test_what_differs_is_named() -> None:
    theirs = make_solo_plan(levels=((1, 3), ()), edition="en").data()
    ours = make_solo_plan(levels=((5,),), edition="pl", seed=8, games=99).data()
    said = [key for key, _ in find_plan_differences(theirs, ours)]
    assert said == ["simulation.differs"] * 3
    assert [details for _, details in find_plan_differences(theirs, ours)] == [
        {"name": "seed", "theirs": "7", "ours": "8"},
        {"name": "levels", "theirs": "1+3,none", "ours": "5"},
        {"name": "edition", "theirs": "en", "ours": "pl"},
    ]
    box = {**ours["box"], "pieces.body": 20}
    assert find_plan_differences({**ours, "box": box}, ours) == [
        ("simulation.differs", {"name": "pieces.body", "theirs": "20", "ours": "24"})
    ]
    own = replace(make_solo_plan(), cards=load_cards(OWN_CARDS).deck()).data()
    assert find_plan_differences(make_solo_plan().data(), own) == [("simulation.differs_cards", {})]
    assert find_plan_differences(make_solo_plan().data(), make_solo_plan(games=99).data()) == []
