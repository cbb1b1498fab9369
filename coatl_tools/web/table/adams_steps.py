"""A.D.A.M.'s turn, to be followed step by step: what it does, why, and what that is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coatl_tools.rules.solo.adam import (
    AdamPlan,
    AdamStep,
    DiscardPiece,
    FulfilCard,
    MoveToPile,
    PutPiece,
    RefillRow,
    SearchSpaces,
    TakeLowest,
    explain_adam_turn,
    group_steps,
)


@dataclass(frozen=True, slots=True)
class AdamsStep:
    """A step in words, and the things of the page that it is about."""

    text: str
    lights: tuple[str, ...]


def adams_steps(plan: AdamPlan, language: str) -> tuple[AdamsStep, ...]:
    """All steps of a turn."""
    found = zip(explain_adam_turn(plan, language), group_steps(plan.steps), strict=True)
    cards = len(plan.supply)
    made = []
    for text, steps in found:
        lights = [light for step in steps for light in _lights(step)]
        if isinstance(steps[-1], RefillRow):  # from the right end of the Prophecy row
            refilled = sum(isinstance(step, RefillRow) for step in plan.steps)
            lights = [f"supply-{cards + refilled - _nth(steps[-1], plan)}"]
        made.append(AdamsStep(text, tuple(dict.fromkeys(lights))))
    return tuple(made)


def _nth(step: AdamStep, plan: AdamPlan) -> int:
    """How many cards joined the row before this one."""
    refills = [one for one in plan.steps if isinstance(one, RefillRow)]
    return next(place for place, one in enumerate(refills) if one is step)


def _lights(step: AdamStep) -> Iterator[str]:
    match step:
        case SearchSpaces(on, _, space) if space:
            yield f"adam-{on.place}"
            yield f"space-{space}"
        case SearchSpaces(on) | FulfilCard(on):
            yield f"adam-{on.place}"
        case TakeLowest(space):
            yield f"space-{space}"
        case PutPiece(_, on, _, _, source):
            yield f"adam-{on.place}"
            if source:
                yield f"adam-{source.place}"
        case DiscardPiece(_, source) if source:
            yield f"adam-{source.place}"
        case MoveToPile(spots):
            yield from (f"adam-{spot.place}" for spot in spots)
