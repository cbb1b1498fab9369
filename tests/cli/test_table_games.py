"""Whole games through the command, from `new` to the winner, their lines coming from a pipe."""

from __future__ import annotations

from coatl_tools.rules.game import Edition, TableOptions
from coatl_tools.rules.result import compute_result
from tests.cli.runner import Tables
from tests.cli.typed_games import Typed, in_every_language, told_game, typed_game


def played(table: Tables, new: list[str], game: list[Typed], language: str) -> None:
    """The lines of a game, typed at a new table, lead to its winner."""
    table.ok("new", "evening", "--lang", language, *new)
    lines = "".join(f"{typed.line}\n" for typed in game)
    said = table("play", "evening", "--lang", language, typed=lines)
    assert (said.code, said.err) == (0, "")
    shown = table.told("score", "evening")
    final = compute_result(game[-1].after)
    assert shown["over"]
    assert [player["points"] for player in shown["players"]] == [p.points for p in final.players]
    names = game[-1].after.game.names
    assert shown["winners"] == [names[index] for index in final.winners]
    assert table("verify", str(table.file("evening"))).code == 0


@in_every_language("fr")
def test_a_virtual_game_for_two(table: Tables, language: Edition) -> None:
    options = TableOptions(players=("Ana", "Bo"), edition=language, fewer_bodies=True)
    new = ["--players", "Ana,Bo", "--fewer-bodies", "--seed", "4"]
    played(table, new, list(typed_game(options, 4, language)), language)


@in_every_language("pl")
def test_a_real_game_with_hidden_hands(table: Tables, language: Edition) -> None:
    players = ("Ana", "Bo")
    options = TableOptions(
        players=players, edition=language, fewer_bodies=True, tokens=False, hidden_hands=True
    )
    new = ["--players", "Ana,Bo", "--fewer-bodies", "--no-tokens", "--physical"]
    played(table, new, list(told_game(options, 15, language)), language)


@in_every_language("en")
def test_a_solo_game(table: Tables, language: Edition) -> None:
    options = TableOptions(players=("Ana",), edition=language)
    new = ["--players", "Ana", "--solo", "--seed", "25"]
    played(table, new, list(typed_game(options, 25, language)), language)
