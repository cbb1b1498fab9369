"""A player without a plan, who all the same brings every game to an end."""

from __future__ import annotations

from coatl_tools.players.bot import Move
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    AttachPiece,
    BeginCoatl,
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
    AttachPiece: 8,
    BeginCoatl: 4,
    EndTurn: 4,
    ChooseCard: 3,
}


class RandomBot:
    """Places cards and closes Cóatls whenever it can; else picks a kind of event, then one of it.

    Without these two habits, games would end too, but after many idle turns.
    """

    def choose(self, view: View, number: int) -> Move:
        """Choose one of the legal events at random."""
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
    """Tell whether an event neither shows a card without need nor leaves cards unnamed (`?`)."""
    if isinstance(event, Keep | Discard):
        return UNKNOWN_CARD not in event.cards
    return not isinstance(event, Reveal)


def _closes_coatl(view: View, event: Event) -> bool:
    """Tell whether this event closes a Cóatl (rule 3.10)."""
    if not isinstance(event, AttachPiece):
        return False
    text = view.seats[view.current_player].coatls[event.coatl - 1].text
    whole = event.piece + text if event.end == "head" else text + event.piece
    return whole[0] == "<" and whole[-1] == ">"
