"""Progress bars for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class ProgressBar:
    """A bar on standard error, shown after a second if wanted and if that is a terminal."""

    def __init__(self, total: float, wanted: bool = True) -> None:
        self._total = total or None
        self._wanted = wanted and sys.stderr.isatty()
        self._since = time.monotonic()
        self._shown: tuple[Progress, TaskID] | None = None

    def update(self, done: float, count: int | None = None) -> None:
        """Show how much is done, and how many results there are, if that is known."""
        if not self._wanted or (self._shown is None and time.monotonic() - self._since < 1):
            return
        if self._shown is None:
            self._shown = self._start(count is not None)
        bar, task = self._shown
        bar.update(task, completed=done, count=count)

    def _start(self, counted: bool) -> tuple[Progress, TaskID]:
        # rich.progress is slow to load, and work under a second needs no bar
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        bar = Progress(
            BarColumn(),
            TextColumn("{task.fields[count]:,}") if counted else TaskProgressColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,  # the results go where they were meant to go
            redirect_stderr=False,
        )
        task = bar.add_task("", total=self._total, count=0)
        bar.start()
        return bar, task

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()


class PartsProgressBar(ProgressBar):
    """A progress bar for work on several parts."""

    def __init__(self, parts: int) -> None:
        super().__init__(parts)
        self._begun_parts = -1

    def start_part(self) -> Callable[[float], None]:
        """Start the next part; return the callback for its share done, from 0 to 1."""
        self._begun_parts += 1
        begun = self._begun_parts
        return lambda share: self.update(begun + share)

    def __enter__(self) -> PartsProgressBar:
        return self
