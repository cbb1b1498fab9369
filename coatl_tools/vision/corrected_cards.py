"""Corrections of the cards of a reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError
from coatl_tools.vision.corrections import CardIs
from coatl_tools.vision.reading import Reading, SeenCard
from coatl_tools.vision.said import card_of, coatl_of, put


def card_is(reading: Reading, said: CardIs, catalog: Catalog) -> Reading:
    """Which card it is, and where it lies; a person who says one has looked at both.

    CorrectionError if other cards are that one, as often as it is in the game. Of cards that
    were read as the same one, each may be right until a person has said so of another.
    """
    seen, index = card_of(reading, said.card), said.card - 1
    coatl = seen.coatl
    if said.coatl is not None:
        coatl_of(reading, said.coatl)
        coatl = said.coatl - 1
    card_id = said.id or seen.id
    if card_id is None:
        return replace(reading, cards=put(reading.cards, index, replace(seen, coatl=coatl)))
    there = [
        number
        for number, one in enumerate(reading.cards, start=1)
        if number != said.card and one.id == card_id and (one.corrected or card_id != seen.id)
    ]
    _check_copies(card_id, there, catalog)
    card = replace(
        seen,
        id=card_id,
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


def card_missed(reading: Reading, card_id: str, coatl: int | None, catalog: Catalog) -> Reading:
    """A card that was not seen; CorrectionError if it was, as often as it is in the game."""
    there = [number for number, one in enumerate(reading.cards, start=1) if one.id == card_id]
    _check_copies(card_id, there, catalog)
    if coatl is not None:
        coatl_of(reading, coatl)
    elif len(reading.coatls) > 1:
        raise CorrectionError("fix.which_coatl", id=card_id, n=len(reading.coatls))
    else:
        coatl = 1 if reading.coatls else None
    index = None if coatl is None else coatl - 1
    card = SeenCard(card_id, 1.0, (), coatl=index, sure=True, corrected=True)
    return replace(reading, cards=(*reading.cards, card))


def _check_copies(card_id: str, there: Sequence[int], catalog: Catalog) -> None:
    """Raise CorrectionError if these cards are all that the game has of this one."""
    copies = catalog[card_id].copies
    if len(there) >= copies:
        known = [f"c{number}" for number in there]
        raise CorrectionError(
            "fix.card_there", id=card_id, there=", ".join(known), first=known[0], n=copies
        )
