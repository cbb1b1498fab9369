"""How hard a card is: the share of random Cóatls that reach each of its levels, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import depends_on_cards
from coatl_tools.pieces import Coatl
from coatl_tools.scoring.reach import shortest_row
from coatl_tools.scoring.ways import (
    BODIES,
    BODIES_OF_A_COLOUR,
    Ways,
    ways_evenly,
    ways_from_the_bag,
)

ENDS = 2  # a complete Cóatl has one head and one tail
LEAST_PIECES = ENDS + 1  # rule 3.10: a body segment is between them
MOST_PIECES = ENDS + BODIES
USUAL_LENGTHS = range(3, 16)
LONGEST_SEARCHED = 30  # pieces of a shortest Cóatl; `cards validate` looks no further either


class Draw(Enum):
    """What a random Cóatl is."""

    BOX = "box"  # its pieces are drawn from full bags (rule 1.2), and none is put back
    EVEN = "even"  # every piece has any of the five colours, whatever the others have


@dataclass(frozen=True, slots=True)
class LengthOdds:
    """A random complete Cóatl of so many pieces.

    `exactly` has how likely it is to end at each level: at none, at 1, at 2 and so on. `points`
    is what the card pays on average.
    """

    pieces: int
    exactly: tuple[Fraction, ...]
    points: Fraction

    def at_least(self, level: int) -> Fraction:
        """How likely it is to reach a level, or more."""
        return sum(self.exactly[level:], Fraction())


@dataclass(frozen=True, slots=True)
class CardOdds:
    """How hard a card is, on Cóatls of several lengths.

    `examples` has the shortest complete Cóatl for each level, None if none of up to 30 pieces
    reaches it.
    """

    card: Card
    draw: Draw
    lengths: tuple[LengthOdds, ...]
    examples: tuple[Coatl | None, ...]

    @property
    def shortest(self) -> tuple[int | None, ...]:
        """The length of the shortest complete Cóatl for each level."""
        return tuple(None if example is None else len(example) for example in self.examples)

    @property
    def as_if_alone(self) -> bool:
        """Whether other cards beside the Cóatl would matter: here, none lies there."""
        return depends_on_cards(self.card.requirement)


def odds(card: Card, lengths: Iterable[int] = USUAL_LENGTHS, draw: Draw = Draw.BOX) -> CardOdds:
    """How likely a random complete Cóatl of each of these lengths is to reach each level.

    >>> from coatl_tools import load_cards
    >>> odds(load_cards()["P12"], [3], Draw.EVEN).lengths[0].at_least(1)
    Fraction(1, 125)

    Raises ValueError for a length that no complete Cóatl has, RequirementTooIntricateError for
    a requirement that would take too long to count.
    """
    wanted = sorted(set(lengths))
    if not all(LEAST_PIECES <= pieces <= MOST_PIECES for pieces in wanted):
        raise ValueError(f"a complete Cóatl has {LEAST_PIECES} to {MOST_PIECES} pieces")
    count = ways_evenly if draw is Draw.EVEN else ways_from_the_bag
    counted = enumerate(count(card, max(wanted, default=ENDS) - ENDS), start=LEAST_PIECES)
    found = [_length_odds(card, pieces, ways) for pieces, ways in counted if pieces in wanted]
    return CardOdds(card, draw, tuple(found), _examples(card))


def _length_odds(card: Card, pieces: int, ways: Ways) -> LengthOdds:
    paid = sum(level.points * number for level, number in zip(card.levels, ways[1:], strict=True))
    total = sum(ways)
    exactly = tuple(Fraction(number, total) for number in ways)
    return LengthOdds(pieces, exactly, Fraction(paid, total))


def _examples(card: Card) -> tuple[Coatl | None, ...]:
    found: list[Coatl | None] = []
    most_of_a_colour = BODIES_OF_A_COLOUR + ENDS
    for level in card.levels:
        row = None
        if None not in found:  # otherwise a higher level is not reached either
            row = shortest_row(card, level.count, LONGEST_SEARCHED, most_of_a_colour, LEAST_PIECES)
        found.append(None if row is None else Coatl(row, head=True, tail=True))
    return tuple(found)
