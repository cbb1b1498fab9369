"""How long people at a table wait: for the first prompt, and for the answer to what they typed.

The tables are in the middle of a long game for four: a virtual one, and one with real pieces and
hidden hands. Everything is timed from outside, on a real pseudo-terminal, beside an empty Python
and one that imports what such a prompt cannot do without.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect

from coatl_tools import load_cards
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.journal import TableHeader, replay_journal
from coatl_tools.referee.table_creation import create_journal
from coatl_tools.referee.table_folder import get_table_path
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.actions.turns import is_secret_draw, make_draw_answer
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import UNKNOWN_CARD, Event, Reveal
from coatl_tools.rules.history import DoEvent
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import READY, GameState
from coatl_tools.rules.table_options import TableOptions

SEED = 1
EVENTS = 400
KINDS = ("virtual", "physical")
IMPORTS = "import prompt_toolkit, pydantic, rich.console"
_PROMPT = r"\x1b\[\?2004h"  # what a terminal is told when a line may be typed


def main(rounds: int = 7, events: int = EVENTS, answers: int = 60) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in KINDS:
            _begin(folder, kind, events)
        print(f"tables for four, {events} events played, seed {SEED}")
        _first_prompts(folder, rounds)
        for kind in KINDS:
            _answers(folder, kind, answers)


def _environment(folder: Path) -> dict[str, str]:
    """Return a terminal in English; code is compiled once, as it is where it was installed."""
    found = os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "COATL_LANG": "en"}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}


def _begin(folder: Path, kind: str, events: int) -> None:
    """Begin a table in the middle of a game, when a turn begins."""
    virtual = kind == "virtual"
    options = TableOptions(players=("North", "East", "South", "West"), hidden_hands=not virtual)
    header = TableHeader(options, load_cards().deck(), SEED if virtual else None)
    journal = create_journal(folder, kind, header)
    state, found = journal.history.state, list[Event]()
    for event in _game(state):
        if len(found) >= events and state.stage is READY and not state.draws:
            break
        state = apply_event(state, event)
        found.append(event)
    journal.append(*map(DoEvent, found))


def _game(state: GameState) -> Iterator[Event]:
    """Return a random game from here on; what is secret stays so."""
    rng = random.Random(SEED)
    while True:
        event: Event
        if not state.draws:
            event = rng.choice([found for found in list_legal_actions(state) if _is_typed(found)])
        elif is_secret_draw(state.draws[0], state):
            event = make_draw_answer(state.draws[0], UNKNOWN_CARD)
        else:
            event = deal_draw(state, SEED)
        yield event
        state = apply_event(state, event)


def _is_typed(event: Event) -> bool:
    return not isinstance(event, Reveal)


def _first_prompts(folder: Path, rounds: int) -> None:
    """From the command to the prompt."""
    times: dict[str, list[float]] = {}
    for _ in range(rounds):  # one after the other, so that all have their share of the noise
        for code in ("pass", IMPORTS):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], env=_environment(folder), check=True)
            times.setdefault(code, []).append(time.perf_counter() - begin)
        for kind in KINDS:
            begin = time.perf_counter()
            child = _sit_down(folder, kind)
            times.setdefault(kind, []).append(time.perf_counter() - begin)
            child.close(force=True)
    bare, imports = min(times["pass"]), min(times[IMPORTS])
    print(f"an empty Python: {bare * 1e3:.0f} ms; `{IMPORTS}`: {imports * 1e3:.0f} ms")
    for kind in KINDS:
        best = min(times[kind])
        ratios = f"{best / bare:.1f} × empty, {best / imports:.1f} × these imports"
        print(f"first prompt, {kind}: {best * 1e3:.0f} ms ({ratios})")


def _sit_down(folder: Path, kind: str) -> pexpect.spawn[str]:
    """Somebody at the table, before whom the first prompt has appeared."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "coatl_tools", "table", "play", kind, "--dir", str(folder)],
        encoding="utf-8",
        env=_environment(folder),
        dimensions=(40, 120),
        timeout=60,
    )
    child.delaybeforesend = None
    child.expect(_PROMPT)
    return child


def _answers(folder: Path, kind: str, number: int) -> None:
    """From Enter to the next prompt: it happened, is on the disk, and was told."""
    path = get_table_path(folder, kind)
    state = replay_journal(path).history.state
    child, times, before = _sit_down(folder, kind), list[float](), -1
    for event in _game(state):
        dealt = state.draws and (kind == "virtual" or is_secret_draw(state.draws[0], state))
        if not dealt:
            if kind == "virtual" and state.current_player != before:  # the next player sits down
                before = state.current_player
                _enter(child, "")
            times.append(_enter(child, format_command(event, "en")))
        state = apply_event(state, event)
        if len(times) == number:
            break
    child.close(force=True)
    assert str(state) == str(replay_journal(path).history.state) or state.draws
    best, *_, slowest = sorted(times)
    middle, most = statistics.median(times), statistics.quantiles(times, n=10)[-1]
    shown = [f"{seconds * 1e3:.0f}" for seconds in (middle, best, most, slowest)]
    print("answer, {}: {} ms (best {}, nine of ten within {}, slowest {})".format(kind, *shown))


def _enter(child: pexpect.spawn[str], line: str) -> float:
    begin = time.perf_counter()
    child.send(f"{line}\r")
    child.expect(_PROMPT)
    return time.perf_counter() - begin
