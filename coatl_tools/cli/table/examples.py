"""An example of every command that is possible at a table now."""

from __future__ import annotations

from coatl_tools.referee.menu import KINDS
from coatl_tools.referee.spelling import spelled
from coatl_tools.referee.table import Table
from coatl_tools.referee.vocabulary import QUESTIONS, REPAIRS, shown
from coatl_tools.rules.events import Discard, Keep

_EXAMPLE_CARD, _EXAMPLE_CORRECTION = "P05", "41 RG"


def examples(table: Table, viewer: int | None, language: str) -> dict[str, str]:
    """How each command that is possible now may be typed, by its key."""
    found: dict[str, str] = {}
    for event in table.view(viewer).legal:
        key = KINDS[type(event)]
        if key not in found or isinstance(event, Keep | Discard):  # the last one says most
            found[key] = spelled(event, language)
    for key in (*repairs(table), *QUESTIONS):
        found[key] = shown(key, language)
    found["card"] += f" {_EXAMPLE_CARD}"
    if "correct" in found:
        found["correct"] += f" {_EXAMPLE_CORRECTION}"
    return found


def repairs(table: Table) -> tuple[str, ...]:
    """The commands that mend a table: where the program deals, no draw was typed wrongly."""
    return tuple(key for key in REPAIRS if key != "correct" or not table.virtual)
