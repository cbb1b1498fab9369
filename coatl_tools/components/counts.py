"""The numbers of the box, from `carddata/components.json`: pieces, spaces, boards, tokens.

The engine, the odds and the scoreboard ask here: the file is read once, without pydantic, which
takes long to load. `components_file` has the whole shape of the file, for `coatl cards validate`
and the printer, and says what is wrong with it.

>>> get_component_count("pieces", "body")
24
"""

from __future__ import annotations

from functools import cache
from typing import Any

from coatl_tools.errors import CardDataError
from coatl_tools.files.data_paths import CARDDATA
from coatl_tools.files.json_files import read_json

MAX_COUNT = 1000  # no box has more of anything: greater numbers would fill the memory
_COMPONENTS = CARDDATA / "components.json"


@cache
def _read_components() -> Any:
    source, problems = read_json(_COMPONENTS)
    if source is None or problems:
        raise CardDataError("components.problems", problems=tuple(map(str, problems)))
    return source.data


def get_component_count(*keys: str) -> int:
    """Return the number that these keys lead to; CardDataError, with all mistakes, if none."""
    number = _get_value(keys)
    if type(number) is not int or not 1 <= number <= MAX_COUNT:
        raise _find_mistakes(keys)
    return number


def get_counts_by_players(*keys: str) -> dict[int, int]:
    """Return the numbers that these keys lead to, one for each number of players."""
    numbers = _get_value(keys)
    if not isinstance(numbers, dict) or not all(key.isdecimal() for key in numbers):
        raise _find_mistakes(keys)
    return {int(players): get_component_count(*keys, players) for players in numbers}


def _get_value(keys: tuple[str, ...]) -> object:
    value = _read_components()
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _find_mistakes(keys: tuple[str, ...]) -> CardDataError:
    """Return an error with every mistake of the file; these keys lead to one."""
    from coatl_tools.components.components_file import load_components  # noqa: PLC0415 (it takes long to load)

    try:
        load_components(_COMPONENTS)
    except CardDataError as error:
        return error
    problem = f'{_COMPONENTS}: "{".".join(keys)}" is not a number of things in a box'
    return CardDataError("components.problems", problems=(problem,))
