"""A bar on standard error, if that is a terminal, once the work takes a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rich.progress


class Progress:
    """How far the work on several parts is."""

    def __init__(self, parts: int) -> None:
        self._parts, self._begun = parts, -1
        self._since = time.monotonic()
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None

    def part(self) -> Callable[[float], None]:
        """The next part begins; the answer takes how much of it is done, from 0 to 1."""
        self._begun += 1
        begun = self._begun
        return lambda share: self._show(begun + share)

    def _show(self, done: float) -> None:
        if not sys.stderr.isatty() or time.monotonic() - self._since < 1:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                BarColumn(),
                TaskProgressColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("", total=self._parts)
            self._bar.start()
        assert self._task is not None
        self._bar.update(self._task, completed=done)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
