"""What was chosen for each Cóatl, as steps in an order that the rules allow."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.players.planning.offers import Forge, Made, Reach
from coatl_tools.players.planning.plan import Plan, PlanStep
from coatl_tools.players.planning.situation import Situation
from coatl_tools.rules.box import Pieces
from coatl_tools.rules.ending import coatl_result
from coatl_tools.rules.events import (
    HAND,
    Action,
    Attach,
    Begin,
    Complete,
    PlaceProphecy,
    PlaceTemple,
)
from coatl_tools.rules.state import Built, without


def laid_out(situation: Situation, reach: Reach, chosen: Sequence[tuple[Forge, Made]]) -> Plan:
    """The steps: complete Cóatls first, since they make room for new ones."""
    numbers = [n for n, coatl in enumerate(situation.coatls, start=1) if not coatl.complete]
    tasks = [
        (numbers[place] if place < len(numbers) else 0, made)
        for place, (_, made) in enumerate(chosen)
    ]
    # A Cóatl that was closed comes before all; one without a Temple card after those that have one.
    tasks.sort(
        key=lambda task: (
            task[0] != situation.closing or not task[0],
            not task[1].closed,
            task[0] == 0,
            task[1].temple is None,
        )
    )
    builder = _Builder(situation, reach)
    for number, made in tasks:
        builder.build(number, made)
    return builder.plan()


class _Builder:
    """Plays steps on a copy of what the player has, and notes what each brings."""

    def __init__(self, situation: Situation, reach: Reach) -> None:
        self._situation, self._reach = situation, reach
        self._coatls = list(situation.coatls)
        self._board, self._hand = situation.board, situation.hand
        self._steps: list[PlanStep] = []

    def plan(self) -> Plan:
        """All steps so far."""
        points = sum(step.points for step in self._steps)
        return Plan(tuple(self._steps), points, tuple(self._coatls), self._board, self._hand)

    def build(self, number: int, made: Made) -> None:
        """Do what was chosen for one Cóatl."""
        growth = made.growth
        if not number:
            number = len(self._coatls) + 1
            self._board = without(self._board, growth.first)
            self._coatls.append(Built(""))
            self._do(Begin(growth.first), number, Built(growth.first))
        self._number = number
        left = right = 0
        for before, behind, card in growth.early:
            self._attach(growth.before, growth.behind, (left, right), (before, behind))
            left, right = before, behind
            self._place(card)
        self._attach(
            growth.before, growth.behind, (left, right), (len(growth.before), len(growth.behind))
        )
        for card in made.cards:
            self._place(card)
        if made.closed:
            self._complete(made.temple)

    def _attach(
        self, before: Pieces, behind: Pieces, start: tuple[int, int], end: tuple[int, int]
    ) -> None:
        """Pieces from the Cóatl outwards; what closes it is a tail, if both ends get one."""
        for place in range(start[0], end[0]):
            self._add(before[len(before) - 1 - place], "head")
        for place in range(start[1], end[1]):
            self._add(behind[place], "tail")

    def _add(self, piece: str, end: str) -> None:
        coatl = self._coatls[self._number - 1]
        text = piece + coatl.text if end == "head" else coatl.text + piece
        self._board = without(self._board, piece)
        self._do(Attach(piece, self._number, end), self._number, coatl._replace(text=text))

    def _place(self, card: str) -> None:
        coatl = self._coatls[self._number - 1]
        self._hand = without(self._hand, card)
        placed = coatl._replace(prophecies=(*coatl.prophecies, card))
        self._do(PlaceProphecy(card, self._number), self._number, placed)

    def _complete(self, temple: int | None) -> None:
        coatl = self._coatls[self._number - 1]._replace(complete=True)
        if temple is None:
            self._do(Complete(), self._number, coatl)
            return
        card = self._reach.temples[temple]
        place = temple - len(self._situation.temples)
        piles = [pile for pile, top in enumerate(self._situation.tops, start=1) if top]
        source = HAND if place < 0 else piles[place]
        done = coatl._replace(temple=card)
        self._do(PlaceTemple(card, self._number, source), self._number, done)

    def _do(self, event: Action, number: int, coatl: Built) -> None:
        before, self._coatls[number - 1] = self._coatls[number - 1], coatl
        points = self._worth(coatl) - (self._worth(before) if before.text else 0)
        self._steps.append(PlanStep(event, points))

    def _worth(self, coatl: Built) -> int:
        """The points of its cards; in a last turn, as they count in the end."""
        counted = coatl if self._situation.last else coatl._replace(complete=True)
        return coatl_result(self._situation.game, counted).points
