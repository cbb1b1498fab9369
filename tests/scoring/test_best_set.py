"""The best legal set: never beaten by any other."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import (
    Colour,
    find_best_set,
    find_fulfilled_cards,
    load_cards,
    parse_coatl,
    score_card,
    score_many,
)
from coatl_tools.cards.card import CardKind
from tests import oracle
from tests.strategies import colour_rows, example_count, make_card, make_coatl

CARDS = load_cards()
BASE = {card_id: card for card_id, card in oracle.CARDS.items() if not card.promo}


def check_best(word: str, complete: bool, promo: bool, level3: bool) -> None:
    coatl = make_coatl(word, complete, complete)
    best = find_best_set(coatl, CARDS.deck(promo), level3)
    pool = oracle.CARDS if promo else BASE
    assert best.total == oracle.best_total(word, coatl.head, coatl.tail, pool, level3)
    chosen = [found.card for found in best.scores]
    prophecies = [card for card in chosen if card.kind is CardKind.PROPHECY]
    assert len(prophecies) <= 4
    assert len(chosen) - len(prophecies) <= 1
    assert len({card.id for card in chosen}) == len(chosen)
    if level3:
        assert len({card.colour for card in prophecies}) == len(prophecies)
    assert best.total == sum(score_card(coatl, card, chosen).points for card in chosen)


@settings(max_examples=80)
@given(colour_rows(14), st.booleans(), st.booleans(), st.booleans())
def test_no_set_is_better(word: str, complete: bool, promo: bool, level3: bool) -> None:
    check_best(word, complete, promo, level3)


@pytest.mark.soak
@settings(max_examples=example_count(20_000) // 10)
@given(colour_rows(20, least=3), st.booleans(), st.booleans(), st.booleans())
def test_no_set_is_better_very_often(word: str, complete: bool, promo: bool, level3: bool) -> None:
    check_best(word, complete, promo, level3)


def test_no_card_is_taken_twice() -> None:
    assert find_best_set(parse_coatl("<BBYYR>"), [CARDS["P29"]] * 2).total == 4


def test_closed_ends_are_kept_to_the_end() -> None:
    assert [
        found.card.id for found in find_best_set(parse_coatl("RRB"), [CARDS["P07"]]).scores
    ] == ["P07"]
    assert find_best_set(parse_coatl("RRB"), [CARDS["P07"]], closed_ends=True).scores == ()
    assert find_best_set(parse_coatl("<RRB"), [CARDS["P07"]], closed_ends=True).total == 2


def test_a_card_lies_beside_itself() -> None:
    asked = ("several", (("no_prophecy", "red"), ("absent", "K")))
    shy = replace(make_card(asked, {1: 2, 2: 9}), kind=CardKind.PROPHECY, colour=Colour.R)
    coatl = parse_coatl("<YGYGYG>")
    assert score_card(coatl, shy).points == 2
    assert find_fulfilled_cards(coatl, [shy])[0].points == 2
    assert score_many([coatl], [shy]).tolist() == [[2]]


def test_a_prophecy_that_shuns_another_colour_is_judged_in_its_set() -> None:
    shy = replace(
        make_card(("several", (("no_prophecy", "blue"), ("absent", "K"))), {1: 2, 2: 9}),
        kind=CardKind.PROPHECY,
        colour=Colour.R,
    )
    coatl = parse_coatl("<YGYGYG>")  # P16 is blue and pays 5
    deck = [shy, CARDS["P16"], CARDS["P01"], CARDS["P04"]]
    best = find_best_set(coatl, deck)
    totals = [
        sum(score_card(coatl, card, chosen).points for card in chosen)
        for size in range(5)
        for chosen in combinations(deck, size)
    ]
    assert best.total == max(totals)


def test_fulfilled_cards_come_by_points() -> None:
    found = find_fulfilled_cards(parse_coatl("<RBBYYG>"), CARDS.deck())
    assert [(line.card.id, line.points) for line in found][:3] == [
        ("T09", 7),
        ("P29", 4),
        ("T02", 3),
    ]
    assert all(line.points for line in found)
