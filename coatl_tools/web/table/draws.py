"""What came out of bags and decks at a table with real pieces, to be reported by tapping."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

from coatl_tools.referee.commands.draw_answers import make_draw_answer
from coatl_tools.rules.components import (
    BAG_INDEX,
    BODY,
    HEAD,
    PIECES_OF_KIND,
    PIECES_PER_SPACE,
    Bag,
)
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import Fill
from coatl_tools.rules.state import Draw, FillDraw, PileDraw, TempleDraw
from coatl_tools.rules.views import View
from coatl_tools.web.table.choices import Choice


@dataclass(frozen=True, slots=True)
class Report:
    """A draw that people are asked for: pieces of a space, or a card."""

    pieces: tuple[Choice, ...] = ()
    cards: tuple[Choice, ...] = ()
    begin: str = ""  # of the event that a card's id completes


def report(shown: View) -> Report | None:
    """What may have been drawn, as far as the viewer can tell; None if no draw is awaited."""
    awaited = shown.awaited
    if awaited is None or isinstance(awaited, Decision):
        return None
    if isinstance(awaited, FillDraw):
        return Report(pieces=tuple(_fills(shown, awaited.space)))
    unseen = shown.unseen_temples if isinstance(awaited, TempleDraw | PileDraw) else shown.unseen
    cards = tuple(
        Choice(str(make_draw_answer(awaited, card)), card, card=card)
        for card in dict.fromkeys(unseen)
    )
    return Report(cards=cards, begin=_begin(awaited))


def _begin(draw: Draw) -> str:
    """The event without its card."""
    return str(make_draw_answer(draw, "")).strip()


def _fills(shown: View, space: int) -> list[Choice]:
    """Each handful that a space may get; the order of its pieces means nothing."""
    kind = shown.options.space_kinds[space - 1]
    bag: Bag = {BODY: shown.bodies, HEAD: shown.heads}.get(kind, shown.tails)
    there = [piece for piece, left in zip(PIECES_OF_KIND[kind], bag, strict=False) if left]
    return [
        Choice(str(Fill(space, pieces)), "", pieces=pieces)
        for pieces in combinations_with_replacement(there, PIECES_PER_SPACE[kind])
        if all(pieces.count(piece) <= bag[BAG_INDEX[piece]] for piece in pieces)
    ]
