"""Tokens and markers: all of them are there, and their backs tell nothing apart."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from coatl_tools.components.components_file import load_components
from coatl_tools.errors import CardDataError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.printing.boards.tokens import make_token_items
from coatl_tools.printing.items import Design, Face, Item
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from tests.parameters import sample
from tests.printing.face_measurements import extract_text, find_foregrounds, measure_ink

COMPONENTS = load_components()


def tokens(code: str = "en", theme: ThemeName = "full") -> list[Item]:
    return make_token_items(Design(load_language(code), theme), COMPONENTS)


def different(items: list[Item]) -> dict[str, Face]:
    """Every face once."""
    return {face.key: face for item in items for face in (item.front, item.back) if face}


def test_three_tokens_for_each_of_four_players_and_the_markers() -> None:
    """Rule 1.5; a score marker for each colour."""
    items = tokens()
    assert len({item.name for item in items}) == len(items) == 12 + 1 + 5
    fronts = Counter(item.front.key for item in items)
    assert sorted(fronts.values()) == [1] * 6 + [4] * 3


def test_every_sacrifice_token_has_the_same_back() -> None:
    backs = {item.back.key: item.back for item in tokens()[:12] if item.back}
    (back,) = backs.values()
    assert extract_text(back) == "50"


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_the_names_stand_on_the_tokens(code: str) -> None:
    label = load_language(code).label
    items = tokens(code)
    names = [label("perfect_pick"), label("see_the_future"), label("priest_commitment")]
    assert [extract_text(item.front) for item in items[:3]] == names
    marker = extract_text(items[12].front)
    assert label("first_player").lower() in marker.lower()


@pytest.mark.parametrize(
    ("code", "theme"),
    sample(product(LANGUAGE_CODES, THEME_NAMES), ("fr", "full"), ("pl", "low-ink")),
)
def test_only_backgrounds_come_near_the_cut(code: str, theme: ThemeName) -> None:
    for face in different(tokens(code, theme)).values():
        left, top, right, bottom = face.cut_path.bounds
        assert (left, top) == pytest.approx((0, 0), abs=0.01)
        assert (right, bottom) == pytest.approx((face.width, face.height), abs=0.01)
        for box in find_foregrounds(face):
            inside = box.inset(-face.safe_margin + 0.01)
            assert min(inside.x, inside.y) >= 0, (face.key, box)
            assert max(inside.right, inside.bottom) <= face.width, (face.key, box)


def test_the_light_look_takes_a_quarter_of_the_ink_at_most() -> None:
    full, light = different(tokens()), different(tokens(theme="low-ink"))
    for (key, one), other in zip(full.items(), light.values(), strict=True):
        assert 0 < measure_ink(other) <= measure_ink(one) / 4, key


def test_counts_follow_the_components() -> None:
    sacrifice = COMPONENTS.sacrifice_tokens.model_copy(
        update={"sets": 2, "back": 60, "tokens": ["perfect_pick"]}
    )
    changed = COMPONENTS.model_copy(
        update={"sacrifice_tokens": sacrifice, "first_player_markers": 0}
    )
    items = make_token_items(Design(load_language("en")), changed)
    assert len(items) == 2 + 5
    assert items[0].back is not None
    assert extract_text(items[0].back) == "60"


def test_a_token_without_a_drawing_is_refused() -> None:
    sacrifice = COMPONENTS.sacrifice_tokens.model_copy(update={"tokens": ["other"]})
    changed = COMPONENTS.model_copy(update={"sacrifice_tokens": sacrifice})
    with pytest.raises(CardDataError, match="other"):
        make_token_items(Design(load_language("en")), changed)
