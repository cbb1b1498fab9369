"""The numbers of the box, from `carddata/components.json`: pieces, spaces, boards, tokens.

The engine, the odds and the scoreboard ask here: the file is read once, without pydantic, which
takes long to load. `cards.components` holds the whole shape of the file, for `coatl cards
validate` and the printer.

>>> get_component_count("pieces", "body")
24
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from coatl_tools.errors import CardDataError
from coatl_tools.resources import CARDDATA

_COMPONENTS = CARDDATA / "components.json"


@cache
def _read_components() -> Any:
    try:
        return json.loads(_COMPONENTS.read_text("utf-8-sig"))
    except OSError as error:
        raise _make_error(f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise _make_error(f"is not JSON: {error}") from error
    except RecursionError as error:
        raise _make_error("is nested too deeply") from error


def get_component_count(*keys: str) -> int:
    """Return the number that these keys lead to; raises CardDataError if there is none."""
    number = _get_value(keys)
    if type(number) is not int or number < 1:
        raise _make_error(f'"{".".join(keys)}" must be a whole number above 0')
    return number


def get_counts_by_players(*keys: str) -> dict[int, int]:
    """Return the numbers that these keys lead to, one for each number of players."""
    numbers = _get_value(keys)
    if not isinstance(numbers, dict) or not all(key.isdecimal() for key in numbers):
        raise _make_error(f'"{".".join(keys)}" must have a number for each number of players')
    return {int(players): get_component_count(*keys, players) for players in numbers}


def _get_value(keys: tuple[str, ...]) -> object:
    value = _read_components()
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _make_error(problem: str) -> CardDataError:
    return CardDataError("cards.problems", problems=(f"{_COMPONENTS}: {problem}",))
