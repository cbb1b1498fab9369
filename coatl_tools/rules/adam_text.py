"""A.D.A.M.'s turn in words: what it does and why, so that a person can move the pieces along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from coatl_tools.errors import Phrase
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour
from coatl_tools.rules.adam import (
    Fulfil,
    NothingToTake,
    Plan,
    Put,
    PutAway,
    Refill,
    RowStaysShort,
    Search,
    Spot,
    Step,
    TakeLowest,
    ToPile,
)
from coatl_tools.rules.box import COLOURS, pieces_in_words
from coatl_tools.rules.needs import NOTHING, Needs


def explained(plan: Plan, language: str = "en") -> list[str]:
    """A whole turn, a sentence or two for what belongs together."""
    words, row = load_language(language), [wanted.card for wanted in plan.before]
    return [words.sentence(*_phrase(steps, row)) for steps in together(plan.steps)]


def together(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """The steps, those in which pieces go the same way side by side in one list."""
    for way, same in groupby(steps, _way):
        group = list(same)
        yield from [group] if way else [[step] for step in group]


def _way(step: Step) -> tuple[object, ...]:
    """Where a piece goes: onto which card, from which, for a white need; empty for other steps."""
    match step:
        case Put(_, on, white, _, source):
            return on, source, white
        case PutAway(_, source):
            return "away", source
        case _:
            return ()


def _phrase(steps: list[Step], row: list[str]) -> Phrase:
    """Steps that belong together as a sentence that any language can say."""

    def named(spot: Spot) -> str | Phrase:
        """A card; with its place, if there is another like it."""
        if row.count(spot.card) == 1:
            return spot.card
        return "adam.which", {"card": spot.card, "place": spot.place}

    pieces = pieces_in_words([step.piece for step in steps if isinstance(step, Put | PutAway)])
    match steps[-1]:
        case Search(on, lacks, 0):
            return "adam.finds_nothing", {"card": named(on), "lacks": needs_in_words(lacks)}
        case Search(on, lacks, space, taken):
            found = {"space": space, "pieces": pieces_in_words(taken)}
            return "adam.takes", {"card": named(on), "lacks": needs_in_words(lacks), **found}
        case TakeLowest(space, taken, cards):
            key = "adam.takes_lowest" if cards else "adam.has_no_card"
            return key, {"space": space, "pieces": pieces_in_words(taken)}
        case NothingToTake():
            return "adam.nothing_to_take", {}
        case Put(_, on, white, lacks, Spot() as source):
            key = "adam.passes_on_white" if white else "adam.passes_on"
            given = {"pieces": pieces, "source": named(source)}
            return key, {"card": named(on), "left": _left(lacks), **given}
        case Put(_, on, white, lacks):
            key = "adam.puts_white" if white else "adam.puts"
            return key, {"card": named(on), "left": _left(lacks), "pieces": pieces}
        case PutAway(_, Spot() as source):
            return "adam.discards_from", {"pieces": pieces, "source": named(source)}
        case PutAway():
            return "adam.discards", {"pieces": pieces}
        case Fulfil(on, points):
            return "adam.fulfils", {"card": named(on), "n": points}
        case ToPile(spots):
            return "adam.to_pile", {"cards": [named(spot) for spot in spots]}
        case Refill(card, needs):
            return "adam.refills", {"card": card, "needs": needs_in_words(needs)}
        case RowStaysShort(cards):
            return "adam.row_stays_short", {"n": cards}


def _left(lacks: Needs) -> Phrase:
    if lacks == NOTHING:
        return "adam.lacks_nothing", {}
    return "adam.lacks", {"lacks": needs_in_words(lacks)}


def needs_in_words(needs: Needs) -> list[Phrase]:
    """What a card needs or lacks, a phrase for each colour."""
    *colours, white = needs
    found: list[Phrase] = [
        ("adam.need", {"n": number, "colour": Colour[colour]})
        for colour, number in zip(COLOURS, colours, strict=True)
        if number
    ]
    return [*found, ("adam.need_any", {"n": white})] if white else found
