"""How far a print is: a bar over all its parts."""

from __future__ import annotations

from collections.abc import Callable

from coatl_tools.cli.progress import Bar


class Progress(Bar):
    """How far the work on several parts is."""

    def __init__(self, parts: int) -> None:
        super().__init__(parts)
        self._begun_parts = -1

    def part(self) -> Callable[[float], None]:
        """The next part begins; the answer takes how much of it is done, from 0 to 1."""
        self._begun_parts += 1
        begun = self._begun_parts
        return lambda share: self.show(begun + share)

    def __enter__(self) -> Progress:
        return self
