"""Data in the shape of pydantic's models, its mistakes named as everywhere here.

Apart, because most tables need none of this, and it takes long to load.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from coatl_tools.cards.card import Card
from coatl_tools.cards.model import CardFile, StrictModel
from coatl_tools.errors import JournalError

_Model = TypeVar("_Model", bound=StrictModel)
_WRONG = {"missing": "journal.field_missing", "extra_forbidden": "journal.field_unknown"}


class _MoreCards(StrictModel):
    more_cards: list[CardFile]


def more_cards(files: list[Any]) -> list[Card]:
    """The cards that stand in a table's header; JournalError names what is wrong."""
    model = validated(_MoreCards, {"more_cards": files})
    return [card.card(file.set) for file in model.more_cards for card in file.cards]


def validated(model: type[_Model], data: dict[str, Any]) -> _Model:
    """The data in the shape of a model; JournalError names the first field that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # where a field may have several shapes, the mistake deepest inside tells most
        found = max(
            error.errors(include_url=False, include_input=False),
            key=lambda one: len(_path(data, one)),
        )
        key = _WRONG.get(found["type"], "journal.field_wrong")
        raise JournalError(key, field=".".join(_path(data, found))[:60]) from error


def _path(data: Any, mistake: ErrorDetails) -> list[str]:
    """The path of a field, without the names of the shapes that it was compared with."""
    is_missing = mistake["type"] == "missing"
    path, last = [], len(mistake["loc"]) - 1
    for place, step in enumerate(mistake["loc"]):
        if isinstance(step, int) and isinstance(data, list) and step < len(data):
            data = data[step]
        elif isinstance(data, dict) and (step in data or (is_missing and place == last)):
            data = data.get(step)
        else:
            continue
        path.append(str(step))
    return path
