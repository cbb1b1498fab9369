"""Lines break where a text reads best, and never need one line more for it."""

from __future__ import annotations

import pytest

from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.surface import FontStyle, break_lines_evenly, wrap_text

TYPE = FontStyle(fonts.REGULAR, 9)


def test_no_line_ends_with_an_article_where_a_colon_is_near() -> None:
    text = "In a row, from head to tail: a yellow piece, then a green piece."
    assert wrap_text(text, TYPE, 49) == [
        "In a row, from head to tail: a yellow",
        "piece, then a green piece.",
    ]
    assert break_lines_evenly(text, TYPE, 49, even=True) == [
        "In a row, from head to tail:",
        "a yellow piece, then a green piece.",
    ]


def test_the_last_line_is_no_lonely_word() -> None:
    text = "Lay it on this sheet, edge on line, so that the lanes meet. Tape it from behind."
    width = TYPE.measure(text) - 1
    assert (wrap_text(text, TYPE, width) or [])[-1] == "behind."
    assert break_lines_evenly(text, TYPE, width, even=False)[-1].endswith(" Tape it from behind.")


@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("width", [12, 20, 33.3, 60, 200])
def test_as_many_lines_as_the_text_needs_and_all_its_words(width: float, even: bool) -> None:
    text = "Tyle samo niebieskich co czarnych fragmentów,\nco najmniej po jednym."
    type_ = TYPE.with_size(6)
    lines = break_lines_evenly(text, type_, width, even)
    assert len(lines) == len(wrap_text(text, type_, width) or [])
    assert " ".join(lines).split() == text.split()
    assert max(type_.measure(line) for line in lines) <= width or width < 15
