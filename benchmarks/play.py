"""How fast the planner and the bots think, and how fast games are simulated with them.

Positions of the planner: turns of games that greedy bots play against each other, for 2 to 4
players and solo; before each, the board is filled up to 8 pieces by chance from the bags. Its peer
tries out everything that the rules allow, which it can do on small boards only.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

from coatl_tools import load_cards
from coatl_tools.players import choose_move, get_bot
from coatl_tools.players.planning import Situation, find_best_assembly, make_situation
from coatl_tools.rules.constants import BOARD_SPACES, BODIES, FEATHER, HEADS, TAILS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.game import Game
from coatl_tools.rules.setup import deal_draw, make_opening_state
from coatl_tools.rules.state import OVER, READY, GameState
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_view
from coatl_tools.simulation.chunks import play_chunk, split_into_chunks
from coatl_tools.simulation.executors import make_local_executor
from coatl_tools.simulation.plan import SimulationPlan, make_seat_names
from tests.players.exhaustive_planner import most_points

POSITIONS = 1000
SMALL, SMALL_POSITIONS = 4, 60  # pieces, and positions, for the peer
NAMES = ("North", "East", "South", "West")
GAMES = {"random": 100, "greedy": 30, "expert": 6}
SIMULATED = 60
SEED = 1


def main() -> None:
    """Print what was measured."""
    measure_planner()
    for name, games in GAMES.items():
        measure_bot(name, games)
    measure_processes()


def measure_planner(number: int = POSITIONS, small: int = SMALL_POSITIONS) -> None:
    """Measure the planner on full boards, and against its peer on small ones."""
    print(f"positions: {number} turns of greedy games, boards filled up from the bags to 8 pieces")
    times = [_timed(situation) for _, situation in _positions(number, BOARD_SPACES)]
    median, worst = statistics.median(times), max(times)
    print(f"planner: median {median * 1000:.1f} ms, worst {worst * 1000:.0f} ms")
    mine = peer = 0.0
    for state, situation in _positions(small, SMALL):
        mine += _timed(situation)
        begin = time.perf_counter()
        most_points(state, situation.last)
        peer += time.perf_counter() - begin
    print(
        f"peer: everything that the rules allow, boards of {SMALL} pieces: "
        f"{peer / small * 1000:.0f} ms each; ratio {peer / mine:.1f}"
    )


def _timed(situation: Situation) -> float:
    begin = time.perf_counter()
    find_best_assembly(situation)
    return time.perf_counter() - begin


def _positions(number: int, pieces: int) -> Iterator[tuple[GameState, Situation]]:
    """Moments of real games, with so many pieces on the board."""
    found, seed = 0, 0
    while True:
        for state in _turns(seed):
            chance = random.Random(found)
            filled = _filled(state, pieces, chance)
            yield filled, make_situation(make_view(filled, filled.current_player))
            found += 1
            if found == number:
                return
        seed += 1


def _turns(seed: int) -> Iterator[GameState]:
    """Return the turns of people in a game of greedy bots."""
    players = NAMES[: 1 + seed % 4]
    game = Game(TableOptions(players=players), load_cards().deck())
    state, bot = make_opening_state(game), get_bot("greedy")
    while state.stage is not OVER:
        if state.draws:
            state = apply_event(state, deal_draw(state, seed))
            continue
        seat = 0 if state.adam else state.current_player
        if state.stage is READY:
            yield state
        for event in choose_move(state, seat, bot, seed).events:
            state = apply_event(state, event)
            if state.draws:
                break


def _filled(state: GameState, pieces: int, chance: random.Random) -> GameState:
    """Return the state with the board of whoever is to play cut or filled to so many pieces."""
    player = state.players[state.current_player]
    board = list(player.board)[:pieces]
    bag = [
        piece
        for kinds, left in ((BODIES, state.bodies), (HEADS, state.heads), (TAILS, state.tails))
        for piece, number in zip(kinds, left, strict=False)
        for _ in range(number)
        if piece != FEATHER
    ]
    board += chance.sample(bag, pieces - len(board))
    players = list(state.players)
    players[state.current_player] = player._replace(board=tuple(sorted(board)))
    return state._replace(players=tuple(players))


def measure_bot(name: str, games: int) -> None:
    """Games of a bot against itself, and how long one player thinks in a game."""
    plan = _plan((name, name), games)
    begin = time.perf_counter()
    for chunk in split_into_chunks(games):
        play_chunk(plan, chunk)
    spent = time.perf_counter() - begin
    seat = spent / games / 2
    print(f"{name}: {games / spent:.2f} games/s for two ({seat:.2f} s a player and game)")


def measure_processes() -> None:
    """Measure simulated games a second with one and two processes, without the time these take
    to start.
    """
    speeds = []
    for processes in (1, 2):
        chunks = make_local_executor(processes)(
            play_chunk, _plan(("greedy", "greedy"), SIMULATED), split_into_chunks(SIMULATED)
        )
        next(chunks)
        begin, games = time.perf_counter(), 0
        for chunk, _ in chunks:
            games += chunk.games
        speeds.append(games / (time.perf_counter() - begin))
    one, two = speeds
    print(f"simulate: {one:.1f} games/s with 1 job, {two:.1f} with 2; speed-up {two / one:.2f}")


def _plan(players: tuple[str, ...], games: int) -> SimulationPlan:
    options = TableOptions(players=make_seat_names(players))
    return SimulationPlan(games, players, options, load_cards().deck(), seed=SEED)
