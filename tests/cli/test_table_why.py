"""`coatl table why`, and `why` at a table."""

from __future__ import annotations

import json

from tests.conftest import Run


def test_bots_say_why_in_words_and_for_programs(run: Run) -> None:
    assert run("table", "new", "e", "--players", "Ana,bot:greedy", "--seed", "3").code == 0
    assert run("table", "do", "e", "keep 1 2", "take 3").code == 0
    told = run("table", "why", "e")
    assert told.code == 0
    assert "bot greedy takes from space" in told.out
    assert "a head or tail that a Cóatl needs" in told.out
    (move,) = json.loads(run("table", "why", "e", "--json").out)
    assert move["event"].startswith("take")
    space = move["event"].split()[1]
    assert move["why"] == [f"Space {space} has a head or tail that a Cóatl needs."]
    assert "głowa lub ogon" in run("table", "why", "e", "--lang", "pl").out


def test_why_can_be_typed_while_playing(run: Run) -> None:
    assert run("table", "new", "e", "--players", "Ana,bot:greedy", "--seed", "3").code == 0
    said = run("table", "play", "e", "--plain", typed="why\nkeep 1 2\ntake 3\npourquoi\nquit\n")
    assert said.code == 0
    assert "No bot has moved" in said.out
    assert "a head or tail that a Cóatl needs" in said.out
