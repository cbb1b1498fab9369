"""Inks, as they are written in layouts: #rrggbb."""

from __future__ import annotations


def mixed(ink: str, other: str, part: float) -> str:
    """An ink with so much of another in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(ink[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
