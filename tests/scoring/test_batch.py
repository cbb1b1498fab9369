"""Many Cóatls at once score as one by one, however they are written."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import NotationError, load_cards, parse_coatl, score_card, score_many
from coatl_tools.scoring.batch import BLOCK_ROWS, parse_block
from tests.strategies import example_count, make_card

CARDS = list(load_cards())
LINES = st.one_of(
    st.text(alphabet="RGBYK<>", min_size=1, max_size=20),
    st.from_regex(r"<?[RGBYKrgbyk]{1,40}>?", fullmatch=True),
    st.text(alphabet="rRgGbB <>,é\n\r\t●", max_size=12),
    st.sampled_from(["head red, blue, tail green", "R" * 150, "R" * 151, "", "<RBB>\r"]),
)


def reading_a_block_is_reading_each_line(lines: list[str]) -> None:
    block = parse_block(lines)
    for row, line in enumerate(lines):
        if row in block.errors:
            with pytest.raises(NotationError, match=re.escape(str(block.errors[row]))):
                parse_coatl(line)
        else:
            assert block.texts[row] == str(parse_coatl(line))
    if not block.errors:
        points = score_many(lines, CARDS[::7]).tolist()
        for row, line in zip(points, lines, strict=True):
            coatl = parse_coatl(line)
            assert row == [score_card(coatl, card, (card,)).points for card in CARDS[::7]]


BLOCKS = given(st.lists(LINES, min_size=1, max_size=12))
test_reading_a_block_is_reading_each_line = settings(max_examples=100)(
    BLOCKS(reading_a_block_is_reading_each_line)
)
test_reading_many_blocks_is_reading_each_line = pytest.mark.soak(
    settings(max_examples=example_count(20_000) // 4)(BLOCKS(reading_a_block_is_reading_each_line))
)


def test_more_rows_than_a_block_keep_their_order() -> None:
    lines = ["<RBB", "YYY", "<GKG>"] * (BLOCK_ROWS // 2)
    points = score_many(lines, CARDS)
    assert len(points) == len(lines)
    for row in (0, 1, 2, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, len(lines) - 1):
        coatl = parse_coatl(lines[row])
        assert points[row].tolist() == [score_card(coatl, card, (card,)).points for card in CARDS]


def test_no_coatls_give_no_rows() -> None:
    assert score_many([], CARDS).shape == (0, len(CARDS))


def test_a_bad_line_is_an_error_that_points_at_the_piece() -> None:
    with pytest.raises(NotationError) as caught:
        score_many(["RBB", "<RBQ"], CARDS)
    assert (caught.value.position, caught.value.source) == (3, "<RBQ")


def test_an_intricate_card_scores_the_same() -> None:
    dice = random.Random(3)
    card = make_card(("sequence", tuple("R****G")), {1: 1, 99: 2})
    lines = ["".join(dice.choices("RGB", k=dice.randint(1, 60))) for _ in range(300)]
    expected = [[score_card(parse_coatl(line), card).points] for line in lines]
    assert score_many(lines, [card]).tolist() == expected
    assert [1] in expected


def test_very_long_coatls_count_on() -> None:
    assert score_many(["RB" * 75], [load_cards()["P22"]]).tolist() == [[5]]
