"""A player without a plan, who all the same brings every game to an end."""

from __future__ import annotations

from coatl_tools.players.bot import Move
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    Attach,
    Begin,
    ChooseCard,
    Discard,
    EndTurn,
    Event,
    Keep,
    PlaceProphecy,
    PlaceTemple,
    Reveal,
    TakePieces,
)
from coatl_tools.rules.views import View

# How often a kind of event is chosen, against 1 for any other. Pieces that come and are built
# with, and cards to build for, bring the end of a game nearer; tokens and blind draws can wait.
_KIND_WEIGHTS: dict[type, int] = {
    TakePieces: 8,
    Attach: 8,
    Begin: 4,
    EndTurn: 4,
    ChooseCard: 3,
}


class RandomBot:
    """Places cards and closes Cóatls whenever it can; else any kind of event, then any such one.

    Without these two habits, games would end too, but after many idle turns.
    """

    def choose(self, view: View, number: int) -> Move:
        """One of the legal events, by chance."""
        why = "bot.chance" if len(view.legal) > 1 else "bot.only"
        return Move((self._event(view, number),), ((why, {}),))

    def _event(self, view: View, number: int) -> Event:
        sensible = [event for event in view.legal if _reveals_nothing(event)]
        legal = sensible or list(view.legal)
        cards = (PlaceProphecy, PlaceTemple)
        liked: list[Event] = [event for event in legal if isinstance(event, cards)]
        liked = liked or [event for event in legal if _closes_coatl(view, event)]
        if liked:
            return liked[number % len(liked)]
        kinds: dict[type, list[Event]] = {}
        for event in legal:
            kinds.setdefault(type(event), []).append(event)
        lots = [kind for kind in kinds for _ in range(_KIND_WEIGHTS.get(kind, 1))]
        number, place = divmod(number, len(lots))
        same = kinds[lots[place]]
        return same[number % len(same)]


def _reveals_nothing(event: Event) -> bool:
    """Not a card that need not be shown, nor one that nobody would know any more (`?`)."""
    if isinstance(event, Keep | Discard):
        return UNKNOWN_CARD not in event.cards
    return not isinstance(event, Reveal)


def _closes_coatl(view: View, event: Event) -> bool:
    """Whether this is the piece that a Cóatl lacks to be closed (rule 3.10)."""
    if not isinstance(event, Attach):
        return False
    text = view.seats[view.current_player].coatls[event.coatl - 1].text
    whole = event.piece + text if event.end == "head" else text + event.piece
    return whole[0] == "<" and whole[-1] == ">"
