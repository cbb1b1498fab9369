"""How far each table is, in a line."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coatl_tools.errors import CoatlError
from coatl_tools.language import load_language
from coatl_tools.referee.folder import table_names, table_path
from coatl_tools.referee.journal import replay
from coatl_tools.rules.ending import result
from coatl_tools.rules.state import KEEPING, OVER, State


@dataclass(frozen=True, slots=True)
class Summary:
    """One table. `problem` says why it cannot be played, empty if it can."""

    name: str
    players: tuple[str, ...]
    played: str  # when, to the minute
    turn: int
    over: bool
    winners: tuple[str, ...]
    text: str
    problem: str = ""

    def data(self) -> dict[str, Any]:
        """The summary, for programs."""
        return {
            "table": self.name,
            "players": list(self.players),
            "played": self.played,
            "turn": self.turn,
            "over": self.over,
            "winners": list(self.winners),
            "problem": self.problem or None,
        }


def summaries(folder: Path, language: str) -> list[Summary]:
    """All tables of a folder; one that is damaged says so."""
    return [_summary(table_path(folder, name), language) for name in _nameable(folder)]


def _nameable(folder: Path) -> list[str]:
    """The tables whose names can be typed."""
    found = []
    for name in table_names(folder):
        try:
            table_path(folder, name)
        except CoatlError:
            continue
        found.append(name)
    return found


def _summary(path: Path, language: str) -> Summary:
    try:
        played = _minute(path.stat().st_mtime)
        state = replay(path).history.state
    except OSError as error:
        problem = error.strerror or str(error)
        return Summary(path.stem, (), "", 0, False, (), problem, problem)
    except CoatlError as error:
        problem = error.text(language)
        return Summary(path.stem, (), played, 0, False, (), problem, problem)
    over = state.stage is OVER
    winners = tuple(state.game.names[index] for index in result(state).winners) if over else ()
    text = _standing(state, winners, language)
    players = state.game.options.players
    return Summary(path.stem, players, played, state.turns + 1, over, winners, text)


def _standing(state: State, winners: tuple[str, ...], language: str) -> str:
    words = load_language(language)
    if winners:
        return words.label("standing_over", winners=", ".join(winners))
    if state.stage is KEEPING:
        return words.label("record_setup")
    player = state.game.names[state.turn]
    return words.label("turn_of", turn=state.turns + 1, player=player)


def _minute(timestamp: float) -> str:
    try:
        return datetime.datetime.fromtimestamp(timestamp).strftime("%Y-%m-%d %H:%M")
    except (OSError, OverflowError, ValueError):  # a file from beyond the calendar
        return ""
