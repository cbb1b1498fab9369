"""How hard a card is: counted exactly, and the same as looking at every Cóatl."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, perm, prod, sqrt
from typing import Any

import pytest
from hypothesis import given, settings

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.card_files import MAX_VALIDATED_PIECES
from coatl_tools.components.components_file import load_components
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.pieces import MIN_COMPLETE_PIECES, Colour
from coatl_tools.scoring.odds import (
    BODIES_PER_COLOUR,
    MAX_COMPLETE_PIECES,
    MAX_EXAMPLE_PIECES,
    DrawModel,
    compute_odds,
    count_bag_draws,
    count_even_draws,
)
from tests import oracle
from tests.strategies import example_count, make_card, requirements

CARDS = load_cards()
ONE_OF_EACH = ["P01", "P06", "P11", "P16", "P23", "P26", "P29", "P33", "P36", "P43", "P45"]
ONE_OF_EACH += ["P50", "P53", "T01", "T06", "T11", "T16", "T17", "T18", "T20"]


@cache
def weighted_words(pieces: int) -> list[tuple[str, int]]:
    """Every Cóatl, head to tail, and the ways to draw its bodies from a full bag."""
    words = ["".join(letters) for letters in product(oracle.COLOURS, repeat=pieces)]
    return [(word, prod(perm(24, n) for n in Counter(word[1:-1]).values())) for word in words]


def by_brute_force(
    requirement: Any, levels: dict[int, int], beside: frozenset[str], pieces: int
) -> tuple[list[Fraction], list[Fraction]]:
    """How likely each level is: with even colours, and from the box."""
    even, box = [0] * (len(levels) + 1), [0] * (len(levels) + 1)
    for word, weight in weighted_words(pieces):
        count = oracle.count(requirement, word, True, True, beside=beside)
        level, _ = oracle.points(levels, count)
        even[level] += 1
        box[level] += weight
    return [Fraction(n, sum(even)) for n in even], [Fraction(n, sum(box)) for n in box]


def check(card: Card, requirement: Any, pieces: int) -> None:
    levels = {level.count: level.points for level in card.levels}
    beside = frozenset({card.colour.word} if card.colour is not None else ())
    expected = by_brute_force(requirement, levels, beside, pieces)
    for draw, shares in zip((DrawModel.EVEN, DrawModel.BOX), expected, strict=True):
        (found,) = compute_odds(card, [pieces], draw).lengths
        assert list(found.exactly) == shares, (card.id, pieces, draw)
        assert found.points == sum(
            share * points for share, points in zip(shares[1:], levels.values(), strict=True)
        )


@pytest.mark.parametrize("card", list(CARDS), ids=lambda card: card.id)
def test_every_card_is_as_likely_as_all_coatls_of_four_pieces_say(card: Card) -> None:
    check(card, oracle.CARDS[card.id].requirement, 4)


@pytest.mark.parametrize("card_id", ONE_OF_EACH)
def test_a_card_is_as_likely_as_all_coatls_of_five_pieces_say(card_id: str) -> None:
    check(CARDS[card_id], oracle.CARDS[card_id].requirement, 5)


@pytest.mark.soak
@pytest.mark.parametrize("pieces", [3, 5, 6])
@pytest.mark.parametrize("card", list(CARDS), ids=lambda card: card.id)
def test_every_card_is_as_likely_as_all_coatls_say(card: Card, pieces: int) -> None:
    check(card, oracle.CARDS[card.id].requirement, pieces)


@settings(max_examples=example_count(40))
@given(requirements())
def test_a_made_up_requirement_is_as_likely_as_all_coatls_say(requirement: Any) -> None:
    card = make_card(requirement)
    check(card, requirement, 3)
    check(card, requirement, 4)


@pytest.mark.parametrize(
    "parts",
    [
        [("sequence", ("R", "*", "G")), ("equal", "Y", "K"), ("absent", "B"), ("length", 4)],
        [("sequence", ("R", "!R")), ("multiset", dict.fromkeys("RGBYK", 1)), ("equal", "R", "G")],
        [("sequence", ("!B", "*+", "R")), ("multiset", {"B": 2}), ("count", "G")],
    ],
)
def test_order_and_numbers_at_once_are_as_likely_as_all_coatls_say(parts: list[Any]) -> None:
    requirement = ("several", tuple(parts))
    for pieces in (3, 4):
        check(make_card(requirement), requirement, pieces)


@pytest.mark.soak
@settings(max_examples=example_count(20_000) // 1000)
@given(requirements("RGBYK"))
def test_a_made_up_requirement_is_as_likely_as_all_longer_coatls_say(requirement: Any) -> None:
    check(make_card(requirement), requirement, 5)


@pytest.mark.parametrize("card_id", ONE_OF_EACH)
def test_every_coatl_is_counted_once(card_id: str) -> None:
    card = CARDS[card_id]
    for bodies, ways in enumerate(count_even_draws(card, 12), start=1):
        assert sum(ways) == 5 ** (bodies + 2)
    ordered = card.requirement.__class__.__name__ == "PieceSequence"
    for bodies, ways in enumerate(count_bag_draws(card, 40), start=1):
        assert min(ways) >= 0
        drawn = perm(120, bodies) if ordered else comb(120, bodies)
        assert sum(ways) == 25 * drawn  # 5 heads, 5 tails


@pytest.mark.parametrize("draw", DrawModel)
@pytest.mark.parametrize("card", list(CARDS), ids=lambda card: card.id)
def test_shares_fall_with_the_level_and_begin_at_the_shortest(card: Card, draw: DrawModel) -> None:
    found = compute_odds(card, draw=draw)
    assert [length.pieces for length in found.lengths] == list(range(3, 16))
    for length in found.lengths:
        shares = [length.at_least(level) for level in range(len(card.levels) + 1)]
        assert shares[0] == sum(length.exactly) == 1
        assert shares == sorted(shares, reverse=True)
        for shortest, share in zip(found.shortest, shares[1:], strict=True):
            assert shortest is not None
            if length.pieces <= shortest:
                assert (share > 0) == (length.pieces == shortest)


def test_a_count_is_a_draw_of_balls_from_an_urn() -> None:
    """Long Cóatls, by the formula of a schoolbook: 24 yellow ones among 120."""
    for pieces in (10, 31, 100, MAX_COMPLETE_PIECES):
        (found,) = compute_odds(CARDS["P01"], [pieces]).lengths

        def yellow(bodies: int, drawn: int = pieces - 2) -> Fraction:
            if bodies < 0:
                return Fraction()
            return Fraction(comb(24, bodies) * comb(96, drawn - bodies), comb(120, drawn))

        three = sum(
            Fraction(comb(2, ends) * 4 ** (2 - ends), 25) * yellow(n - ends)
            for ends in range(3)
            for n in range(3)
        )
        assert found.exactly[0] == three


def drawn_coatls(number: int, pieces: int) -> Iterator[str]:
    dice = random.Random(20)
    bodies = [letter for letter in oracle.COLOURS for _ in range(24)]
    for _ in range(number):
        middle = "".join(dice.sample(bodies, pieces - 2))
        yield dice.choice(oracle.COLOURS) + middle + dice.choice(oracle.COLOURS)


@pytest.mark.parametrize("card_id", ["P05", "P10", "P22", "P36", "P48", "T11"])
def test_drawing_many_coatls_of_ten_pieces_comes_near(card_id: str) -> None:
    (found,) = compute_odds(CARDS[card_id], [10]).lengths
    card, number = oracle.CARDS[card_id], 3000
    levels = Counter(
        oracle.points(card.levels, oracle.count(card.requirement, word))[0]
        for word in drawn_coatls(number, 10)
    )
    for level, share in enumerate(map(float, found.exactly)):
        error = sqrt(share * (1 - share) / number)
        assert abs(levels[level] / number - share) <= 4 * error


def test_the_box_has_what_the_components_say() -> None:
    pieces = load_components().pieces
    assert pieces.body == BODIES_PER_COLOUR
    assert min(pieces.head, pieces.tail) > 0
    assert 5 * pieces.body + 2 == MAX_COMPLETE_PIECES


def test_lengths_that_no_complete_coatl_has() -> None:
    for pieces in (MIN_COMPLETE_PIECES - 1, MAX_COMPLETE_PIECES + 1):
        with pytest.raises(ValueError, match="3 to 122 pieces"):
            compute_odds(CARDS["P01"], [pieces])
    assert compute_odds(CARDS["P01"], []).lengths == ()


def test_a_level_that_none_reaches_has_no_shortest() -> None:
    card = make_card(("several", (("absent", "R"), ("count", "R"))), {1: 2, 2: 5})
    found = compute_odds(card, [3, 9])
    assert found.shortest == (3, None)
    assert all(length.exactly[1] == 1 for length in found.lengths)


def test_the_shortest_is_complete() -> None:
    card = make_card(("several", (("length", 2), ("length", 4), ("count", "R"))), {1: 2, 2: 5})
    assert compute_odds(card, []).shortest == (
        3,
        4,
    )  # 1 and 2 pieces would do, but are never complete


@pytest.mark.soak
@pytest.mark.parametrize("draw", DrawModel)
@pytest.mark.parametrize("card", list(CARDS), ids=lambda card: card.id)
def test_every_card_can_be_counted_at_its_longest(card: Card, draw: DrawModel) -> None:
    (found,) = compute_odds(card, [MAX_COMPLETE_PIECES], draw).lengths
    assert sum(found.exactly) == 1


def test_what_other_cards_would_change_is_said() -> None:
    assert compute_odds(CARDS["T18"], [5]).ignores_other_cards
    assert not compute_odds(CARDS["T01"], [5]).ignores_other_cards


def test_a_card_lies_beside_its_own_coatl() -> None:
    requirement = ("several", (("no_prophecy", "blue"), ("absent", "R")))
    card = replace(make_card(requirement), kind=CardKind.PROPHECY, colour=Colour.B)
    check(card, requirement, 3)
    assert compute_odds(card, [3]).shortest == (3, None, None, None)


@pytest.mark.parametrize("draw", DrawModel)
def test_what_is_too_intricate_is_refused(draw: DrawModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl_tools.scoring.odds.MAX_COUNTING_WORK", 1_000_000)
    row = "R * * * * * B", "G * * * * * K", "Y * * * * * R", "B * * * * * G", "K * * * * * Y"
    parts = [("sequence", tuple(text.split())) for text in row]
    with pytest.raises(RequirementTooComplexError, match=r"“X01”.*1 million steps"):
        compute_odds(make_card(("several", tuple(parts))), [30], draw)


def test_the_shortest_is_looked_for_as_far_as_cards_are_checked() -> None:
    assert MAX_EXAMPLE_PIECES == MAX_VALIDATED_PIECES
