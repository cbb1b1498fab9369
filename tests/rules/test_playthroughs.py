"""Whole games as text files: replayed line by line, and written anew by `make golden`."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.events import Event
from coatl_tools.rules.history import DoEvent, build_history
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from tests.conftest import GOLDEN
from tests.rules.playthrough_text import format_playthrough, parse_playthrough
from tests.rules.random_games import (
    NAMES,
    Choice,
    choose_anything,
    choose_builder,
    choose_collector,
    known_table,
    play_random_game,
    start_state,
)
from tests.rules.test_properties import as_told

GAMES = GOLDEN / "games"


def game(
    seed: int,
    choice: Choice = choose_builder,
    players: int = 2,
    told: float | None = None,
    **more: Any,
) -> tuple[TableOptions, int, Choice, float | None]:
    options = TableOptions(players=NAMES[:players], hidden_hands=told is not None, **more)
    return options, seed, choice, told


def solo(
    seed: int, choice: Choice = choose_builder, told: float | None = None, **more: Any
) -> tuple[TableOptions, int, Choice, float | None]:
    return game(seed, choice, players=1, told=told, **more)


# Every edition, number of players, variant and option, and every way in which a game can end.
PLAYED = {
    "two-en": game(1),
    "two-fr": game(2, edition="fr"),
    "two-pl": game(3, edition="pl"),
    "three-en": game(4, players=3),
    "three-fr": game(5, players=3, edition="fr"),
    "three-pl": game(6, players=3, edition="pl"),
    "four-en": game(7, players=4),
    "four-fr": game(8, players=4, edition="fr"),
    "four-pl": game(9, players=4, edition="pl"),
    "no-tokens": game(10, tokens=False),
    "promo": game(11, promo=True),
    "promo-pl-three": game(12, players=3, promo=True, edition="pl"),
    "fewer-bodies": game(13, fewer_bodies=True),
    "bodies-run-out": game(14, choose_collector, fewer_bodies=True),
    "bodies-run-out-three": game(15, choose_collector, players=3, fewer_bodies=True, edition="pl"),
    "bodies-run-out-four": game(16, choose_collector, players=4),
    "golden-two": game(17, golden_feathers=True),
    "golden-three-fr": game(18, players=3, golden_feathers=True, edition="fr"),
    "golden-four-promo": game(19, players=4, golden_feathers=True, promo=True),
    "closed-ends": game(20, closed_ends=True, temple_required=True),
    "own-numbering": game(21, space_kinds="htbbbbbbth"),
    "anything-goes": game(22, choose_anything, players=3),
    "nobody-can-move": game(28, choose_anything),
    "hidden-hands": game(23, told=0.0),
    "half-hidden-three": game(24, players=3, told=0.5, promo=True),
    "solo": solo(1),
    "solo-fr": solo(2, edition="fr"),
    "solo-pl": solo(3, edition="pl"),
    "solo-promo": solo(4, promo=True, solo_temple_in_hand=True),
    "solo-level-1": solo(5, levels=(1,)),
    "solo-level-2-3": solo(6, levels=(2, 3)),
    "solo-level-4": solo(7, levels=(4,)),
    "solo-all-levels": solo(8, levels=(1, 2, 3, 4, 5)),
    "solo-bodies-run-out": solo(9, choose_collector, levels=(5,)),
    "solo-final-turns": solo(10, solo_final_turns=True),
    "solo-final-turns-bodies": solo(11, choose_collector, solo_final_turns=True, edition="pl"),
    "solo-level-5-refill-3": solo(12, levels=(5,), level5_refill=3, edition="fr"),
    "solo-own-numbering": solo(13, space_kinds="tthhbbbbbb"),
    "solo-hidden": solo(14, told=0.3),
}


# Games whose files are all there is of them: `make golden` renews the remarks, not the events.
TOLD = ("solo-won",)


def events_of(name: str) -> Iterator[Event]:
    options, seed, choice, told = PLAYED[name]
    if told is None:
        yield from (event for _, event in play_random_game(options, seed, choice))
        return
    rng, referee = random.Random(seed), start_state(options)
    for _, event in play_random_game(known_table(options), seed, choice):
        reported = as_told(rng, referee, event, told)
        yield reported
        referee = build_history(referee, [DoEvent(reported)]).state


def file(name: str) -> Path:
    return GAMES / f"{name}.txt"


@pytest.mark.parametrize("name", TOLD)
def test_a_golden_game_that_was_told(name: str) -> None:
    text = file(name).read_text("utf-8")
    again = format_playthrough(*parse_playthrough(text))
    if os.environ.get("COATL_GOLDEN") == "renew":
        file(name).write_text(again, "utf-8")
    else:
        assert again == text, "it plays otherwise now; `make golden` renews it"


@pytest.mark.parametrize("name", PLAYED)
def test_golden_game(name: str) -> None:
    if os.environ.get("COATL_GOLDEN") == "renew":
        GAMES.mkdir(exist_ok=True)
        file(name).write_text(format_playthrough(PLAYED[name][0], events_of(name)), "utf-8")
    text = file(name).read_text("utf-8")
    options, events = parse_playthrough(text)
    assert options == PLAYED[name][0]
    assert format_playthrough(options, events) == text, (
        "it plays otherwise now; `make golden` renews it"
    )


def test_no_golden_game_is_missing_or_left_over() -> None:
    assert {path.stem for path in GAMES.glob("*.txt")} == {*PLAYED, *TOLD}
    assert len(PLAYED) >= 20


def test_the_golden_games_show_everything() -> None:
    kinds: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    winners: set[int] = set()
    for name in (*PLAYED, *TOLD):
        options, events = parse_playthrough(file(name).read_text("utf-8"))
        kinds.update(type(event).__name__ for event in events)
        state: GameState = build_history(start_state(options), map(DoEvent, events)).state
        assert state.stage is Stage.OVER
        if options.solo:
            winners.update(compute_result(state).winners)
        endings[state.ending.cause if state.ending else "passes"] += 1
    expected = re.findall(r"^    \| (\w+)|^    (\w+)$", source_of_event_types(), re.MULTILINE)
    missing = {one or other for one, other in expected} - set(kinds) - {"Reveal"}
    assert not missing
    assert set(endings) == {"third", "bodies", "passes"}
    assert winners == {0, ADAM_INDEX}


def source_of_event_types() -> str:
    from coatl_tools.rules import events

    source = Path(events.__file__).read_text("utf-8")
    return source[source.index("Action: TypeAlias") :]
