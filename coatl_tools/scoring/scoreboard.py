"""Where a score stands on the scoring track (rule 5.3)."""

from __future__ import annotations

LAST_POSITION = 50


def scoreboard(total: int) -> tuple[int, int]:
    """The tokens of 50 beside the marker, and the marker's position.

    >>> scoreboard(50), scoreboard(63), scoreboard(0)
    ((0, 50), (1, 13), (0, 0))
    """
    if total == 0:
        return 0, 0
    tokens, position = divmod(total - 1, LAST_POSITION)
    return tokens, position + 1
