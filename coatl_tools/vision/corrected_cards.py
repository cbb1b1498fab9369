"""Corrections of the cards of a reading."""

from __future__ import annotations

from dataclasses import replace

from coatl_tools.errors import CorrectionError
from coatl_tools.vision.corrections import CardIs
from coatl_tools.vision.reading import Reading, SeenCard
from coatl_tools.vision.said import card_of, coatl_of, put


def card_is(reading: Reading, said: CardIs) -> Reading:
    """Which card it is, and where it lies; a person who says one has looked at both."""
    seen, index = card_of(reading, said.card), said.card - 1
    coatl = seen.coatl
    if said.coatl is not None:
        coatl_of(reading, said.coatl)
        coatl = said.coatl - 1
    if said.id is None and seen.id is None:
        return replace(reading, cards=put(reading.cards, index, replace(seen, coatl=coatl)))
    card = replace(
        seen,
        id=said.id or seen.id,
        confidence=1.0,
        candidates=(),
        coatl=coatl,
        sure=True,
        corrected=True,
    )
    problems = tuple(problem for problem in reading.problems if problem.card != index)
    return replace(reading, cards=put(reading.cards, index, card), problems=problems)


def without_card(reading: Reading, number: int) -> Reading:
    """There is no such card."""
    card_of(reading, number)
    problems = []
    for problem in reading.problems:
        if problem.card is None or problem.card < number - 1:
            problems.append(problem)
        elif problem.card >= number:
            problems.append(replace(problem, card=problem.card - 1))
    cards = (*reading.cards[: number - 1], *reading.cards[number:])
    return replace(reading, cards=cards, problems=tuple(problems))


def card_missed(reading: Reading, card_id: str, coatl: int | None) -> Reading:
    """A card that was not seen."""
    if coatl is not None:
        coatl_of(reading, coatl)
    elif len(reading.coatls) > 1:
        raise CorrectionError("fix.which_coatl", id=card_id, n=len(reading.coatls))
    else:
        coatl = 1 if reading.coatls else None
    index = None if coatl is None else coatl - 1
    card = SeenCard(card_id, 1.0, (), coatl=index, sure=True, corrected=True)
    return replace(reading, cards=(*reading.cards, card))
