"""How a Cóatl grows, so that cards can be placed that it no longer satisfies in the end.

Such a card scores nothing, but counts (rule 3.9, ruling 9.12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coatl_tools.rules.box import Pieces
from coatl_tools.rules.game import Game

Moment = tuple[int, int, str]  # pieces added before and behind by then, and the card


@dataclass(frozen=True, slots=True)
class Growth:
    """Pieces put before and behind a Cóatl, both from head to tail; a new one begins with `first`.

    `early` are cards to be placed on the way, in order.
    """

    first: str
    before: Pieces
    behind: Pieces
    early: tuple[Moment, ...] = ()


def grown(
    game: Game, text: str, before: Pieces, behind: Pieces, cards: Sequence[str]
) -> Growth | None:
    """A way to grow in which each of these cards can be placed some time; None if there is none."""
    if text:
        found = _on_the_way(game, text, before, behind, frozenset(cards))
        return None if found is None else Growth("", before, behind, found)
    for first in range(len(behind)):  # a new Cóatl may begin with any of its pieces
        growth = Growth(behind[first], behind[:first], behind[first + 1 :])
        found = _on_the_way(game, growth.first, growth.before, growth.behind, frozenset(cards))
        if found is not None:
            return Growth(growth.first, growth.before, growth.behind, found)
    return None


def _on_the_way(
    game: Game, text: str, before: Pieces, behind: Pieces, wanted: frozenset[str]
) -> tuple[Moment, ...] | None:
    """When each card is placed; for every stretch all sets of cards are kept that can be there."""
    if not wanted:
        return ()
    ways: dict[tuple[int, int], dict[frozenset[str], tuple[Moment, ...]]] = {}
    for left in range(len(before) + 1):
        for right in range(len(behind) + 1):
            word = "".join(before[len(before) - left :]) + text + "".join(behind[:right])
            sets: dict[frozenset[str], tuple[Moment, ...]] = {}
            for place in ((left - 1, right), (left, right - 1)):
                for placed, way in ways.get(place, {}).items():
                    sets.setdefault(placed, way)
            sets = sets or {frozenset(): ()}
            fits = [card for card in sorted(wanted) if game.satisfies(word, card, ())]
            for placed, way in [*sets.items()]:
                now = [card for card in fits if card not in placed]
                # what can be placed is placed: later it may be too late
                sets[placed.union(now)] = (*way, *((left, right, card) for card in now))
            ways[left, right] = sets
            if wanted in sets:
                return sets[wanted]
    return None
