"""A.D.A.M.'s turn, to be followed step by step: what it does, why, and what that is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coatl_tools.rules.adam import (
    Fulfil,
    Plan,
    Put,
    PutAway,
    Refill,
    Search,
    Step,
    TakeLowest,
    ToPile,
)
from coatl_tools.rules.adam_text import explained, together


@dataclass(frozen=True, slots=True)
class AdamsStep:
    """A step in words, and the things of the page that it is about."""

    text: str
    lights: tuple[str, ...]


def adams_steps(plan: Plan, language: str) -> tuple[AdamsStep, ...]:
    """All steps of a turn."""
    found = zip(explained(plan, language), together(plan.steps), strict=True)
    cards = len(plan.supply)
    made = []
    for text, steps in found:
        lights = [light for step in steps for light in _lights(step)]
        if isinstance(steps[-1], Refill):  # from the right end of the Prophecy row
            refilled = sum(isinstance(step, Refill) for step in plan.steps)
            lights = [f"supply-{cards + refilled - _nth(steps[-1], plan)}"]
        made.append(AdamsStep(text, tuple(dict.fromkeys(lights))))
    return tuple(made)


def _nth(step: Step, plan: Plan) -> int:
    """How many cards joined the row before this one."""
    refills = [one for one in plan.steps if isinstance(one, Refill)]
    return next(place for place, one in enumerate(refills) if one is step)


def _lights(step: Step) -> Iterator[str]:
    match step:
        case Search(on, _, space) if space:
            yield f"adam-{on.place}"
            yield f"space-{space}"
        case Search(on) | Fulfil(on):
            yield f"adam-{on.place}"
        case TakeLowest(space):
            yield f"space-{space}"
        case Put(_, on, _, _, source):
            yield f"adam-{on.place}"
            if source:
                yield f"adam-{source.place}"
        case PutAway(_, source) if source:
            yield f"adam-{source.place}"
        case ToPile(spots):
            yield from (f"adam-{spot.place}" for spot in spots)
