"""What a seat would like to have next: pieces and cards, by what they bring it nearer to.

A card that lacks few pieces and then pays much is worth striving for. Every colour that it lacks is
wished for accordingly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from coatl_tools.cards.card import Card
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.notation import parse
from coatl_tools.players.planning.situation import Situation
from coatl_tools.rules.box import COLOURS, FEATHER, PROPHECIES_PER_COATL, Pieces
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Built
from coatl_tools.scoring.reach import missing, shortest_word

REMEMBERED = 1 << 14
_NEW = Built("")


@dataclass(frozen=True, slots=True)
class Gap:
    """What a card lacks on a Cóatl for its next level, and how many points more that pays."""

    colours: str
    points: int


@lru_cache(maxsize=REMEMBERED)
def gap(text: str, card: Card, level: int, closed_ends: bool) -> Gap | None:
    """The fewest pieces from a level (0: none) to the next one; None if there is no way."""
    following = card.levels[level]
    paid = card.levels[level - 1].points if level else 0
    try:
        if text:
            found = missing(parse(text), card, following.count, (), closed_ends)
            pieces = None if found is None else (*found.head_end, *found.tail_end)
        else:
            pieces = shortest_word(card, following.count)
    except RequirementTooIntricateError:
        return None
    if pieces is None:
        return None
    return Gap("".join(colour.name for colour in pieces), following.points - paid)


class Wishes:
    """The wishes of one seat."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._open = [coatl for coatl in situation.coatls if not coatl.complete]
        self._coatls = [*self._open, *([_NEW] if len(self._open) < 2 else [])]
        self._board = Counter(piece.strip("<>") for piece in situation.board)
        self.colours = self._wished_colours()

    def _wished_colours(self) -> dict[str, float]:
        """How much one more piece of each colour would help."""
        game, wished = self._situation.game, dict.fromkeys(COLOURS, 0.05)
        for card in dict.fromkeys(self._situation.hand):
            gaps = [self._gap(game, card, coatl) for coatl in self._coatls]
            self._wish(wished, [found for found in gaps if found])
        for coatl in self._open:
            for card in coatl.prophecies:
                level = game.score(coatl.text, card, coatl.prophecies).level
                if level < len(game.by_id[card].levels):
                    found = gap(coatl.text, game.by_id[card], level, game.options.closed_ends)
                    self._wish(wished, [found] if found else [])
        return wished

    def _gap(self, game: Game, card: str, coatl: Built) -> Gap | None:
        if card in coatl.prophecies or len(coatl.prophecies) >= PROPHECIES_PER_COATL:
            return None
        return gap(coatl.text, game.by_id[card], 0, game.options.closed_ends)

    def _wish(self, wished: dict[str, float], gaps: Iterable[Gap]) -> None:
        """Wish for what the most promising of these gaps lacks."""
        best, lacks = 0.0, Counter[str]()
        for found in gaps:
            lacking = Counter(found.colours) - self._board
            worth = found.points / (1 + lacking.total())
            if worth > best:
                best, lacks = worth, lacking
        for colour, number in lacks.items():
            wished[colour] += best * min(number, 2) / 2

    def pieces(self, pieces: Pieces) -> float:
        """How much these pieces together would help."""
        total = 0.0
        for place, piece in enumerate(pieces):
            if piece == FEATHER:  # rule 10.3: it brings others points, and takes up a space
                continue
            colour = piece.strip("<>")
            before = [other.strip("<>") for other in pieces[:place]]
            total += self.colours[colour] * 0.7 ** before.count(colour)
            if piece[0] == "<":
                total += self._end("<")
            elif piece[-1] == ">":
                total += self._end(">")
        return total

    def _end(self, mark: str) -> float:
        """How much a head or a tail would help to close a Cóatl."""
        there = sum(mark in piece for piece in self._situation.board)
        without = sorted((len(c.text) for c in self._open if mark not in c.text), reverse=True)
        if there < len(without):
            return 0.3 + 0.25 * without[there]
        return 0.5 if there == len(without) and len(self._open) < 2 else -0.5

    def card(self, card: str) -> float:
        """How much a Prophecy card in hand would help."""
        game = self._situation.game
        best = 0.0
        for coatl in self._coatls:
            found = self._gap(game, card, coatl)
            if found:
                lacking = (Counter(found.colours) - self._board).total()
                best = max(best, found.points / (1 + lacking))
        asked = game.by_id[card]
        top = asked.levels[-1].points / 10
        return best + top - 2.0 * (card in self._situation.hand)
