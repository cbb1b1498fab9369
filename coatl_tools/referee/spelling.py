"""Events as people type them, in their language: what is suggested and what is completed.

>>> from coatl_tools.rules import read
>>> spelled(read("add B to 1 tail"), "en"), spelled(read("add B to 1 tail"), "fr")
('add B to 1 tail', 'ajouter B à 1 queue')
"""

from __future__ import annotations

from coatl_tools.language import Language, load_language
from coatl_tools.referee.vocabulary import shown
from coatl_tools.rules import events
from coatl_tools.rules.events import HAND, UNKNOWN, Event

_PLAIN_FORMS: dict[type, str] = {
    events.TakePieces: "take",
    events.DrawCard: "draw",
    events.Begin: "begin",
    events.Complete: "complete",
    events.SeeTheFuture: "future",
    events.PriestCommitment: "priest",
    events.PlaceProphecy: "play",
    events.Pass: "pass",
    events.EndTurn: "end",
    events.AdamTurn: "adam",
}


def spelled(event: Event, language: str) -> str:
    """An event as it is typed; what is drawn is typed bare."""
    words = load_language(language)
    match event:
        case events.Fill(_, pieces):
            return "".join(piece.strip("<>") for piece in pieces)
        case events.Keep(cards):
            return words.form("keep", cards=_cards(cards, language))
        case events.Discard(cards):
            return words.form("discard", cards=_cards(cards, language))
        case events.ChooseCard(card, 1):
            return words.form("choose", card=card)
        case events.ChooseCard(card, copy):
            return words.form("choose_copy", card=card, copy=copy)
        case events.Attach(piece, coatl, end):
            return words.form("add", piece=piece, coatl=coatl, end=end_word(end, words))
        case events.PlaceTemple(card, coatl, source):
            if source == HAND:
                return words.form("temple", card=card, coatl=coatl)
            return words.form("temple_pile", card=card, coatl=coatl, pile=source)
        case events.PerfectPick(pieces):
            return words.form("pick", pieces=" ".join(pieces))
        case events.LayGolden(player, pieces):
            return words.form("golden", player=player + 1, pieces=" ".join(pieces))
        case events.Reveal(player, card):
            return words.form("reveal", player=player + 1, card=card)
        case (
            events.DealTemple(card=card)
            | events.TurnUpTemple(card=card)
            | events.TurnUpProphecy(card=card)
            | events.DealAdam(card=card)
            | events.DealProphecy(card=card)
            | events.Drawn(card=card)
        ):
            return card
    values = {name: getattr(event, name) for name in type(event).__slots__}
    return words.form(_PLAIN_FORMS[type(event)], **values)


def end_word(end: str, words: Language) -> str:
    """The word for the head end or the tail end."""
    return words.words["head" if end == "head" else "tail"][0]


def _cards(cards: tuple[str, ...], language: str) -> str:
    if not cards:
        return shown("none", language)
    return str(len(cards)) if set(cards) == {UNKNOWN} else " ".join(cards)
