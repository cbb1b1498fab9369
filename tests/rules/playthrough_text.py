"""A whole game as a readable text: what happened, what the table looked like, who won.

A line at the margin is an event or an option; everything indented is a remark. Reading a record
back takes the options and the events, and plays them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import AdamTurn, Event, parse_event
from coatl_tools.rules.result import compute_coatl_result, compute_result
from coatl_tools.rules.solo.adam import explain_adam_turn, plan_adam_turn
from coatl_tools.rules.state import Adam, GameState, Player, Stage, digest_state
from coatl_tools.rules.table_options import TableOptions
from tests.rules.random_games import start_state

OPTION = "option "


def format_playthrough(options: TableOptions, events: Iterable[Event]) -> str:
    return "\n".join(_lines(options, events)) + "\n"


def parse_playthrough(text: str) -> tuple[TableOptions, list[Event]]:
    lines = [line for line in text.splitlines() if line and not line.startswith(" ")]
    chosen = [line.removeprefix(OPTION).split(" ", 1) for line in lines if OPTION in line]
    options = TableOptions.from_data({name: json.loads(value) for name, value in chosen})
    return options, [parse_event(line) for line in lines if OPTION not in line]


def _lines(options: TableOptions, events: Iterable[Event]) -> Iterator[str]:
    yield from (f"{OPTION}{name} {json.dumps(value)}" for name, value in options.data().items())
    yield "\n  Setup"
    state = start_state(options)
    for event in events:
        before, state = state, apply_event(state, event)
        yield str(event)
        if isinstance(event, AdamTurn):
            yield from (
                f"    {line}" for line in explain_adam_turn(plan_adam_turn(before), options.edition)
            )
        if before.stage is Stage.CLOSING and state.stage is Stage.ASSEMBLING:
            coatl = state.players[state.current_player].coatls[before.closing - 1]
            points = compute_coatl_result(state.game, coatl).points
            yield f"    {coatl.text} is complete: {points} points"
        begins = before.stage is Stage.KEEPING is not state.stage
        if state.turns_ended != before.turns_ended or begins:
            yield from _table(before, state)
        if state.ending and not before.ending:
            name = state.game.names[state.ending.player]
            yield f"    The end is near ({state.ending.cause}), by {name}"
    yield from _scores(state)


def _table(before: GameState, state: GameState) -> Iterator[str]:
    """The common supply, and the player whose turn it was."""
    names = state.game.names
    has = (
        _adam(state.adam)
        if state.adam and before.current_player
        else _player(state.players[before.current_player])
    )
    yield f"    {names[before.current_player]}: {has}"
    board = " ".join("".join(space) or "-" for space in state.spaces)
    temples = " ".join(pile.top or "-" for pile in state.piles)
    yield f"    {board} / {' '.join(state.supply)} / {temples} / check {digest_state(state)}"
    if state.stage is not Stage.OVER:
        actions = ", two actions" if state.actions_left > 1 else ""
        yield f"\n  Turn {state.turns_ended + 1}: {names[state.current_player]}{actions}"


def _adam(adam: Adam) -> str:
    row = [f"{wanted.card} [{' '.join(wanted.pieces)}]" for wanted in adam.row]
    return f"{'; '.join(row) or 'no card'}; fulfilled {' '.join(adam.fulfilled) or 'none'}"


def _player(player: Player) -> str:
    coatls = [
        f"{coatl.text} [{' '.join([*coatl.prophecies, *filter(None, [coatl.temple])])}]"
        for coatl in player.coatls
    ]
    parts = [" ".join(player.board) or "empty board", *coatls]
    parts.append(f"hand {' '.join(player.hand + player.temples) or 'empty'}")
    if player.feathers:
        parts.append(f"golden {player.feathers}")
    return "; ".join(parts)


def _scores(state: GameState) -> Iterator[str]:
    final = compute_result(state)
    yield "\n  Result"
    for player in final.players:
        coatls = " + ".join(
            f"{coatl.points} ({coatl.coatl}: "
            + ", ".join(f"{card.card.id} {card.points}" for card in coatl.cards)
            + ")"
            for coatl in player.coatls
        )
        golden = f" + {player.feathers} (golden)" if player.feathers else ""
        tokens, position = player.scoreboard
        yield f"    {player.name}: {player.points} = {coatls or 0}{golden}"
        yield f"      cards {player.cards}, best {player.best}, track {tokens} x 50 + {position}"
    if final.adam:
        worth = " + ".join(f"{points} ({card})" for card, points in final.adam.cards)
        yield f"    {final.adam.name}: {final.adam.points} = {worth or 0}"
        if final.adam.temple_missing:
            yield "      no Temple card was completed"
    yield f"    winner: {', '.join(state.game.names[index] for index in final.winners)}"
