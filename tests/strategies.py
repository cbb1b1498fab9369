"""Random Cóatls and made-up requirements, and their translation for the real scorer."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from coatl_tools.cards.card import Card, CardKind, parse_card
from coatl_tools.pieces import Coatl, Colour
from tests import oracle

COLOUR_NAMES = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "K": "black"}


def example_count(few: int) -> int:
    """How many examples: few in the suite, COATL_SOAK in `make soak`."""
    return int(os.environ.get("COATL_SOAK", few))


def colour_rows(most: int, letters: str = "RGBYK", least: int = 1) -> st.SearchStrategy[str]:
    return st.text(alphabet=letters, min_size=least, max_size=most)


def sequences(letters: str = "RGB", most: int = 5) -> st.SearchStrategy[oracle.Requirement]:
    token = st.builds(str.__add__, st.sampled_from([*letters, "*"]), st.sampled_from(["", "", "+"]))
    crossed = st.sampled_from([(), *((f"!{letter}",) for letter in letters)])
    return st.builds(
        lambda before, tokens, after: ("sequence", (*before, *tokens, *after)),
        crossed,
        st.lists(token, min_size=1, max_size=most),
        crossed,
    )


def multisets(letters: str = "RGB") -> st.SearchStrategy[oracle.Requirement]:
    return st.dictionaries(st.sampled_from(letters), st.integers(1, 3), min_size=1).map(
        lambda needs: ("multiset", needs)
    )


def conditions(letters: str = "RGB") -> st.SearchStrategy[oracle.Simple]:
    letter = st.sampled_from(letters)
    pair = st.permutations(list(letters))
    return st.one_of(
        letter.map(lambda c: ("absent", c)),
        pair.map(lambda p: ("equal", p[0], p[1])),
        st.integers(1, 9).map(lambda n: ("length", n)),
        letter.map(lambda c: ("no_prophecy", COLOUR_NAMES[c])),
    )


def singles(letters: str = "RGB") -> st.SearchStrategy[Any]:
    return st.one_of(
        sequences(letters),
        multisets(letters),
        conditions(letters),
        st.sampled_from(letters).map(lambda c: ("count", c)),
    )


def requirements(letters: str = "RGB") -> st.SearchStrategy[Any]:
    several = st.lists(singles(letters), min_size=2, max_size=4).map(
        lambda parts: ("several", tuple(parts))
    )
    return st.one_of(singles(letters), several)


def requirement_as_json(requirement: Any) -> dict[str, Any]:
    """A requirement of the reference, as a card file has it."""
    match requirement:
        case ("sequence", tokens):
            return {"sequence": " ".join(tokens)}
        case ("multiset", needs):
            return {"multiset": dict(needs)}
        case ("equal", first, second):
            return {"equal": [first, second]}
        case ("several", parts):
            return {"several": [requirement_as_json(part) for part in parts]}
        case (name, value):
            return {name: value}
    raise AssertionError(requirement)


def make_card(requirement: Any, points: dict[int, int] | None = None) -> Card:
    """A card with this requirement, with a level for each count up to 4 unless told."""
    levels = points or {1: 1, 2: 3, 3: 5, 4: 8}
    return parse_card(
        {
            "id": "X01",
            "kind": "temple",
            "requires": requirement_as_json(requirement),
            "points": {str(count): value for count, value in levels.items()},
        },
        "own",
    )


def own_prophecies(most: int) -> st.SearchStrategy[tuple[Card, ...]]:
    """Prophecy cards that somebody made up, with ids of their own."""
    colours = st.sampled_from(Colour)
    cards = st.lists(st.tuples(requirements(), colours), max_size=most)
    return cards.map(
        lambda made: tuple(
            replace(make_card(asked), id=f"X{n:02}", kind=CardKind.PROPHECY, colour=colour)
            for n, (asked, colour) in enumerate(made, start=1)
        )
    )


def make_coatl(word: str, head: bool = False, tail: bool = False) -> Coatl:
    """The Cóatl; without a tail where head and tail would touch."""
    touching = head and tail and len(word) < 3
    return Coatl(tuple(Colour[letter] for letter in word), head, tail and not touching)
