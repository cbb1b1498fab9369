"""Summaries of saved tables: who plays, when they last played, how far the game has got."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coatl_tools.errors import CoatlError
from coatl_tools.files.atomic_writes import wrap_os_errors
from coatl_tools.language import Language, load_language
from coatl_tools.referee.journal import replay_journal
from coatl_tools.referee.table_folder import get_table_path, list_table_names
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import KEEPING, OVER, GameState


@dataclass(frozen=True, slots=True)
class TableSummary:
    """One table. `problem` says why it cannot be played, empty if it can."""

    name: str
    players: tuple[str, ...]
    last_played: str  # when, to the minute
    turn: int
    is_over: bool
    winners: tuple[str, ...]
    text: str
    problem: str = ""

    def to_data(self) -> dict[str, Any]:
        """Return the summary as JSON data."""
        return {
            "table": self.name,
            "players": list(self.players),
            "played": self.last_played,
            "turn": self.turn,
            "over": self.is_over,
            "winners": list(self.winners),
            "problem": self.problem or None,
        }


def summarize_tables(folder: Path, lang: str) -> list[TableSummary]:
    """Summarize all tables of a folder; one that is damaged has a `problem`."""
    return [
        _summarize_table(get_table_path(folder, name), lang)
        for name in _list_typeable_names(folder)
    ]


def _list_typeable_names(folder: Path) -> list[str]:
    """List the tables whose names can be typed."""
    found = []
    for name in list_table_names(folder):
        try:
            get_table_path(folder, name)
        except CoatlError:
            continue
        found.append(name)
    return found


def _summarize_table(path: Path, lang: str) -> TableSummary:
    played = ""
    try:
        with wrap_os_errors(path, "file.unreadable"):
            played = _format_minute(path.stat().st_mtime)
        state = replay_journal(path).history.state
    except CoatlError as error:
        problem = error.text(lang)
        return TableSummary(path.stem, (), played, 0, False, (), problem, problem)
    over = state.stage is OVER
    winners = (
        tuple(state.game.names[index] for index in compute_result(state).winners) if over else ()
    )
    language = load_language(lang)
    text = (
        language.label("standing_over", winners=", ".join(winners))
        if winners
        else describe_turn(state, language)
    )
    players = state.game.options.players
    return TableSummary(path.stem, players, played, state.turns_ended + 1, over, winners, text)


def describe_turn(state: GameState, language: Language) -> str:
    """Describe which turn it is, and whose; or that the game is being set up."""
    if state.stage is KEEPING:
        return language.label("record_setup")
    player = state.game.names[state.current_player]
    return language.label("turn_of", turn=state.turns_ended + 1, player=player)


def _format_minute(timestamp: float) -> str:
    try:
        return datetime.datetime.fromtimestamp(timestamp).strftime("%Y-%m-%d %H:%M")
    except (OSError, OverflowError, ValueError):  # a file from beyond the calendar
        return ""
