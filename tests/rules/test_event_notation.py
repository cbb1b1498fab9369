"""The notation of events: what cannot be read says how it is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from coatl_tools.errors import (
    EventError,
)
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.events import Event, parse_event


@pytest.mark.parametrize(
    "text",
    ["", " ", "take", "take 3 4", "take x", "take ١", "take 1234567", "add B 1 tail", "begin Q",
     "fill 1 R x", "temple T1 on 1 from pile", "temple T1 on 1 from pile 0", "take 0003",
     "deal x P01", "take 3\x00", "x" * 9999],
)  # fmt: skip
def test_an_event_that_cannot_be_read_says_how_it_is_written(text: str) -> None:
    with pytest.raises(EventError) as caught:
        parse_event(text)
    for code in LANGUAGE_CODES:
        assert caught.value.text(code).isprintable()
        assert len(caught.value.text(code)) < 500


def test_every_notation_of_the_docs_can_be_read_and_every_event_is_there() -> None:
    page = (Path(__file__).parents[2] / "docs" / "design.md").read_text("utf-8")
    table = page[page.index("| event | notation |") :]
    written = [text for text in re.findall(r"`([^`]+)`", table) if not text.startswith("…")]
    events = [parse_event(text) for text in written]
    assert [str(event) for event in events] == written
    assert {type(event) for event in events} == set(get_args(Event))
