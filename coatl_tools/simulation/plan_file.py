"""The plan of a simulation as a file: JSON in a checked shape, and what differs between two."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import Field

from coatl_tools.cards.kept import base_cards, with_base_cards
from coatl_tools.cards.model import CardFile, StrictModel
from coatl_tools.cards.shapes import validated
from coatl_tools.documents import loads
from coatl_tools.errors import Phrase, SimulationError
from coatl_tools.rules.options import TableOptions
from coatl_tools.simulation.plan import FORMAT, MARK, Plan, seat_names

MAX_VALUE = 60  # letters of a value that is shown


class PlanModel(StrictModel):
    """The shape of the file; what the values mean is checked by `Plan` itself."""

    mark: Literal[1] = Field(alias="coatl-simulation")
    program: str
    games: int
    players: list[str]
    seed: int
    levels: list[list[int]]
    options: dict[str, Any]
    base_cards: str
    more_cards: list[CardFile]


def plan_text(plan: Plan) -> str:
    """What the file holds."""
    return json.dumps(plan.data(), ensure_ascii=False, indent=2) + "\n"


def checked_data(text: bytes) -> dict[str, Any]:
    """The data of a file, its shape checked; JournalError or SimulationError says what is wrong."""
    data = loads(text)
    if MARK not in data:
        raise SimulationError("simulation.no_mark", mark=MARK)
    if type(data[MARK]) is not int or data[MARK] != FORMAT:
        raise SimulationError("simulation.format", version=str(data[MARK])[:20], known=FORMAT)
    validated(PlanModel, data)
    return data


def read_plan(text: bytes) -> Plan:
    """The plan that a file holds; CoatlError says what is wrong with it.

    A plan of another version of this program, or with other base cards, cannot be played on.
    """
    data = checked_data(text)
    if data["base_cards"] != base_cards()[1]:
        raise SimulationError("simulation.other_cards")
    options = {**data["options"], "players": seat_names(data["players"])}
    return Plan(
        games=data["games"],
        players=tuple(data["players"]),
        options=TableOptions.from_data(options),
        cards=with_base_cards(data["more_cards"]),
        seed=data["seed"],
        levels=tuple(tuple(levels) for levels in data["levels"]),
        program=data["program"],
    )


def differences(theirs: dict[str, Any], ours: dict[str, Any]) -> list[Phrase]:
    """In what two plans differ, but for their numbers of games: nothing if one goes on."""
    found: list[Phrase] = []
    for name in ("program", "players", "seed", "levels"):
        if theirs[name] != ours[name]:
            found.append(_other(name, theirs[name], ours[name]))
    names = dict.fromkeys((*theirs["options"], *ours["options"]))
    for name in names:
        one, other = theirs["options"].get(name), ours["options"].get(name)
        if one != other:
            found.append(_other(name, one, other))
    if any(theirs[name] != ours[name] for name in ("base_cards", "more_cards")):
        found.append(("simulation.differs_cards", {}))
    return found


def _other(name: str, theirs: object, ours: object) -> Phrase:
    details: dict[str, object] = {"name": name, "theirs": _shown(theirs), "ours": _shown(ours)}
    return "simulation.differs", details


def _shown(value: object) -> str:
    """A value as people write it: lists without brackets, levels with a plus between them."""
    if isinstance(value, list) and all(isinstance(item, list) for item in value):
        value = ["+".join(map(str, item)) or "none" for item in value]
    if isinstance(value, list):
        value = ",".join(map(str, value))
    text = {True: "yes", False: "no"}.get(value, str(value)) if type(value) is bool else str(value)
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}…"
