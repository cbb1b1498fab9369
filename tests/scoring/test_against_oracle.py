"""The scorer beside an independent brute force: the same count, level, points, always."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards, score_card, score_many
from coatl_tools.pieces import Colour
from coatl_tools.scoring.score import score_card_beside_colours
from tests import oracle
from tests.strategies import (
    colour_rows,
    example_count,
    make_card,
    make_coatl,
    requirements,
    sequences,
)

CARDS = load_cards()


def test_the_oracle_agrees_with_itself() -> None:
    oracle.self_test()


def all_words(length: int) -> list[str]:
    return ["".join(letters) for letters in product("RGBYK", repeat=length)]


def assert_equal_to_the_oracle(texts: Iterable[str]) -> None:
    """Every card on every word: single scores and batch, against the brute force."""
    texts = list(texts)
    coatls = [make_coatl(text, head=True, tail=True) for text in texts]
    table = score_many(coatls, list(CARDS)).tolist()
    for text, coatl, row in zip(texts, coatls, table, strict=True):
        for card, batched in zip(CARDS, row, strict=True):
            expected = oracle.CARDS[card.id]
            count = oracle.count(expected.requirement, text, coatl.head, coatl.tail)
            level, points = oracle.points(expected.levels, count)
            found = score_card(coatl, card)
            assert (found.count, found.level, found.points) == (count, level, points), card.id
            assert batched == points, (text, card.id)


@pytest.mark.parametrize("length", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.soak)])
def test_all_short_coatls_on_all_cards(length: int) -> None:
    assert_equal_to_the_oracle(all_words(length))


def test_every_occurrence_of_a_set_of_pieces_has_pieces_of_its_own() -> None:
    found = score_card(make_coatl("YYGGRRGYGY", head=True, tail=True), CARDS["P50"])  # YYGGR
    assert found.occurrences == ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10))


def test_a_sample_of_longer_coatls_on_all_cards() -> None:
    dice = random.Random(54)
    texts = ["".join(dice.choices("RGBYK", k=dice.randint(5, 16))) for _ in range(300)]
    assert_equal_to_the_oracle(texts)


@pytest.mark.soak
@pytest.mark.parametrize("first", "RGBYK")
def test_all_coatls_of_six_pieces_on_all_cards(first: str) -> None:
    assert_equal_to_the_oracle(first + rest for rest in all_words(5))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_many_longer_coatls_on_all_cards(seed: int) -> None:
    dice = random.Random(seed)
    number = example_count(20_000) // 10
    assert_equal_to_the_oracle(
        "".join(dice.choices("RGBYK", k=dice.randint(7, 16))) for _ in range(number)
    )


def check_requirement(
    requirement: Any, word: str, ends: tuple[bool, bool], closed_ends: bool, beside: set[str]
) -> None:
    """One made-up requirement: the count, and that the occurrences shown are true ones."""
    card = make_card(requirement)
    coatl = make_coatl(word, *ends)
    colours = frozenset(Colour.from_english_name(name) for name in beside)
    found = score_card_beside_colours(coatl, card, colours, closed_ends)
    expected = oracle.count(requirement, word, coatl.head, coatl.tail, closed_ends, beside)
    assert found.count == expected
    assert (found.level, found.points) == oracle.points({1: 1, 2: 3, 3: 5, 4: 8}, expected)
    if not beside:
        assert score_many([coatl], [card], closed_ends).tolist() == [[found.points]]
    if requirement[0] in ("count", "sequence", "multiset"):
        assert len(found.occurrences) == expected
        used = [place for occurrence in found.occurrences for place in occurrence]
        assert len(used) == len(set(used))
        for occurrence in found.occurrences:
            assert oracle.is_occurrence(
                requirement, word, occurrence, coatl.head, coatl.tail, closed_ends
            )


ENDS = st.tuples(st.booleans(), st.booleans())
BESIDE = st.sets(st.sampled_from(["red", "green", "blue"]), max_size=2)


@settings(max_examples=400)
@given(requirements(), colour_rows(10, "RGBY"), ENDS, st.booleans(), BESIDE)
def test_made_up_requirements(
    requirement: Any, word: str, ends: tuple[bool, bool], closed_ends: bool, beside: set[str]
) -> None:
    check_requirement(requirement, word, ends, closed_ends, beside)


@pytest.mark.soak
@settings(max_examples=example_count(30_000))
@given(
    st.one_of(requirements(), sequences("RB", 6)),
    colour_rows(14, "RGBY"),
    ENDS,
    st.booleans(),
    BESIDE,
)
def test_very_many_made_up_requirements(
    requirement: Any, word: str, ends: tuple[bool, bool], closed_ends: bool, beside: set[str]
) -> None:
    check_requirement(requirement, word, ends, closed_ends, beside)


@pytest.mark.parametrize(
    ("sequence", "word", "count"),
    [
        ("R R+ R", "RRR", 1),
        ("R R+ R", "RRRRRR", 2),
        ("R R+ R", "RRRRRRRR", 2),
        ("R *+ R", "RBRBR", 1),
        ("R *+ R", "RBRRBR", 2),
        ("R *+ R", "RRR", 1),
        ("R+ R", "RRRR", 2),
        ("!R R+ !R", "RRBRBRR", 3),
        ("!R R R !R", "RRRBRR", 1),
        ("R !R", "RRBR", 2),
        ("*", "RGB", 3),
        ("R * R", "RBRBR", 1),
        ("R * * G", "RRRGG", 1),
        ("!B R !B", "BRBRR", 1),
    ],
)
def test_strange_sequences(sequence: str, word: str, count: int) -> None:
    requirement: Any = ("sequence", tuple(sequence.split()))
    assert oracle.count(requirement, word) == count
    check_requirement(requirement, word, (False, False), False, set())
