"""A seed that nobody chose is a secret: what lies open does not tell it."""

from __future__ import annotations

from pathlib import Path

from coatl_tools import load_cards
from coatl_tools.referee.journal.line_format import parse_header, serialize_header
from coatl_tools.referee.table_creation import make_virtual_header
from coatl_tools.rules.game import TableOptions
from coatl_tools.rules.setup import SECRET_SEED_BITS, mix_seed


def test_a_secret_seed_deals_from_a_keyed_hash() -> None:
    secret = 1 << 127 | 12345
    dealt = [mix_seed(secret, step) for step in range(500)]
    assert dealt == [mix_seed(secret, step) for step in range(500)]
    assert len(set(dealt)) == 500
    assert all(0 <= number < 2**64 for number in dealt)
    assert mix_seed(secret + 1, 0) != dealt[0]
    assert mix_seed(12345, 0) != dealt[0]  # not only its last bits count


def test_a_table_without_a_seed_gets_one_that_nobody_tries_out() -> None:
    header = make_virtual_header(TableOptions(players=("Ana", "Bo")), load_cards())
    assert header.seed is not None
    assert header.seed.bit_length() == SECRET_SEED_BITS
    assert parse_header(serialize_header(header)[:-1], Path("x")).seed == header.seed
