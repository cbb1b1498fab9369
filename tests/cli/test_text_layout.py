"""Texts in a given width."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.language import load_language

FRENCH = "Vous pouvez, par exemple\u00a0: prendre 3 pièces\u202f! Et les têtes\u00a0?"


@given(st.integers(12, 70))
def test_a_line_does_not_begin_with_a_sign_that_belongs_to_the_word_before(width: int) -> None:
    out = io.StringIO()
    screen = Screen(load_language("fr"), Console(file=out, width=width))
    screen.print(Text.assemble((FRENCH[:11], "bold"), FRENCH[11:]))
    lines = out.getvalue().splitlines()
    assert " ".join(lines).split() == FRENCH.split()
    assert all(line[0].isalnum() and cell_len(line) <= width for line in lines)
