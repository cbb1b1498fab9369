"""A bar for work that takes longer than a second."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """A bar on standard error, if that is a terminal and it is wanted, after the first second."""

    def __init__(self, total: int, wanted: bool = True) -> None:
        console = Console(stderr=True)
        self._wanted = wanted and console.is_terminal
        self._shown = False
        self._since = time.monotonic()
        self._bar = Progress(
            BarColumn(),
            TextColumn("{task.fields[count]:,}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,  # the results go where they were meant to go
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=total or None, count=0)

    def show(self, done: int, count: int) -> None:
        """So much of the work is done, which makes so many results."""
        self._bar.update(self._task, completed=done, count=count)
        if self._wanted and not self._shown and time.monotonic() - self._since > 1:
            self._shown = True
            self._bar.start()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._bar.stop()
