"""How fast games are played: random games for two and solo, all checks on, one core.

A move is a player's decision, drawn from all that is legal; draws are answered by the dealer and
do not count. The peer is python-chess, playing random moves drawn from all legal ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import chess

from coatl_tools import load_cards
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.game import Game
from coatl_tools.rules.history import DoEvent, History, UndoTo, build_history
from coatl_tools.rules.setup import deal_draw, make_opening_state
from coatl_tools.rules.state import OVER, GameState, digest_state
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_view

GAMES = 400
PARTS = 4  # the machine is shared: the best of so many parts counts, the others are shown too


def main() -> None:
    """Print the table."""
    game = Game(TableOptions(), load_cards().deck())
    play(game, range(20))  # warm up
    parts = []
    for part in range(PARTS):
        size = GAMES // PARTS
        parts.append((play(game, range(part * size, (part + 1) * size)), chess_moves()))
    moves, games = max(part[0] for part in parts)
    print(f"rules: {moves:,.0f} moves/s")
    print(f"rules: {games:,.0f} games/s")
    print("parts: " + ", ".join(f"{part[0][0]:,.0f}" for part in parts) + " moves/s")
    peer = max(part[1] for part in parts)
    print(f"peer: python-chess {peer:,.0f} random moves/s; ratio {moves / peer:.1f}")
    measure_solo(moves, games)
    measure_thirds(game)
    measure_one_game(game)


def measure_solo(moves: float, games: float, number: int = 100) -> None:
    """Solo games, a turn of A.D.A.M. being one move, beside the games for two of the same run."""
    solo = Game(TableOptions(players=("Solo",)), load_cards().deck())
    play(solo, range(5))  # warm up
    parts = [play(solo, range(part * number, (part + 1) * number)) for part in range(PARTS)]
    solo_moves, solo_games = max(parts)
    print(f"solo: {solo_games:,.0f} games/s")
    ratios = f"games {solo_games / games:.1f}, moves {solo_moves / moves:.1f}"
    print(f"solo: {solo_moves:,.0f} moves/s; ratios to the game for two: {ratios}")


def play(game: Game, seeds: range) -> tuple[float, float]:
    """Measure moves and games a second."""
    moves = 0
    begin = time.perf_counter()
    for seed in seeds:
        choose, state = random.Random(seed).random, make_opening_state(game)
        while state.stage is not OVER:
            if state.draws:
                state = apply_event(state, deal_draw(state, seed))
            else:
                legal = list_legal_actions(state)
                state = apply_event(state, legal[int(choose() * len(legal))])
                moves += 1
    elapsed = time.perf_counter() - begin
    return moves / elapsed, len(seeds) / elapsed


def chess_moves(games: int = 6) -> float:
    """Random moves a second of the peer."""
    moves = 0
    begin = time.perf_counter()
    for seed in range(games):
        choose, board = random.Random(seed).random, chess.Board()
        while not board.is_game_over():
            legal = list(board.legal_moves)
            board.push(legal[int(choose() * len(legal))])
            moves += 1
    return moves / (time.perf_counter() - begin)


def measure_thirds(game: Game, games: int = 150) -> None:
    """Whether a game slows down as it gets longer."""
    spent, moves = [0.0, 0.0, 0.0], [0, 0, 0]
    for seed in range(games):
        stamps = decisions(game, seed)
        third = len(stamps) // 3
        for part in range(3):
            spent[part] += stamps[(part + 1) * third - 1] - stamps[part * third]
            moves[part] += third - 1
    first, middle, last = (number / time for number, time in zip(moves, spent, strict=True))
    print(f"thirds of a game: {first:,.0f}, {middle:,.0f}, {last:,.0f} moves/s")


def decisions(game: Game, seed: int) -> list[float]:
    """When each decision of a game was taken."""
    stamps = []
    choose, state = random.Random(seed).random, make_opening_state(game)
    while state.stage is not OVER:
        if state.draws:
            state = apply_event(state, deal_draw(state, seed))
        else:
            stamps.append(time.perf_counter())
            legal = list_legal_actions(state)
            state = apply_event(state, legal[int(choose() * len(legal))])
    return stamps


def measure_one_game(game: Game) -> None:
    """Undo, replay, fingerprint and view, on a whole game."""
    history = whole_game(game)
    events, states = history.events, history.states
    undo = per_call(lambda n: history.after(UndoTo(n % len(events))))
    print(f"undo: {undo * 1e6:,.1f} µs, to anywhere in a game of {len(events)} events")
    begin = time.perf_counter()
    build_history(make_opening_state(game), map(DoEvent, events))
    print(f"replay: {(time.perf_counter() - begin) * 1e3:,.1f} ms for that game")
    print(f"fingerprint: {per_call(lambda n: digest_state(states[n % len(states)])) * 1e6:,.1f} µs")
    print(f"view: {per_call(lambda n: make_view(states[n % len(states)], n % 2)) * 1e6:,.1f} µs")


def whole_game(game: Game, seed: int = 1) -> History:
    """One game, with all its moments."""
    rng, history = random.Random(seed), History((make_opening_state(game),))
    while history.state.stage is not OVER:
        state: GameState = history.state
        event = deal_draw(state, seed) if state.draws else rng.choice(list_legal_actions(state))
        history = history.after(DoEvent(event))
    return history


def per_call(function: Callable[[int], object], calls: int = 2000) -> float:
    """Seconds for one call."""
    begin = time.perf_counter()
    for number in range(calls):
        function(number)
    return (time.perf_counter() - begin) / calls
