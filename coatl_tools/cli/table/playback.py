"""A table's file played again before one's eyes."""

from __future__ import annotations

from pathlib import Path

import click

from coatl_tools.cli.settings import Settings
from coatl_tools.cli.table.teller import Teller
from coatl_tools.errors import HistoryError
from coatl_tools.referee.journal import Journal
from coatl_tools.referee.journal import replay as read_again
from coatl_tools.referee.table import By, Step, Table
from coatl_tools.rules.history import History
from coatl_tools.rules.state import KEEPING, State


def play_back(settings: Settings, file: Path, to: int | None, step: bool, plain: bool) -> None:
    """Tell every event up to number `to`, turn by turn, then show the table at that moment."""
    reading = read_again(file)
    if reading.warning:
        click.echo(reading.warning.text(settings.lang), err=True)
    whole = reading.history
    if to is not None and to > len(whole.events):
        raise HistoryError("history.no_number", number=to, events=len(whole.events))
    table = Table(Journal(file, reading))
    teller = Teller(table, settings.language, plain)
    heading: tuple[int, int] | None = None
    for before, event in zip(whole.states, whole.events[:to], strict=False):
        if heading != _turn(before):
            if heading is not None and step:
                click.prompt(teller.label("press_enter"), default="", show_default=False)
            heading = _turn(before)
            teller.say("", _heading(before, teller), style="bold")
        teller.steps([Step(before, event, By.PERSON)], None)
    if to is not None:
        table.journal.history = History(whole.states[: to + 1], whole.events[:to])
    teller.say("")
    teller.show(None)
    teller.say("")
    teller.score()


def _turn(state: State) -> tuple[int, int]:
    return (-1, 0) if state.stage is KEEPING else (state.turns, state.turn)


def _heading(state: State, teller: Teller) -> str:
    if state.stage is KEEPING:
        return teller.label("record_setup")
    return teller.label("turn_of", turn=state.turns + 1, player=state.game.names[state.turn])
