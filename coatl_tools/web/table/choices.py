"""What may be decided now, by the thing that is tapped for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coatl_tools.language import Language
from coatl_tools.referee.menu import COMMAND_LABELS, COMMAND_OF_EVENT, describe_choice
from coatl_tools.rules import events
from coatl_tools.rules.components import FEATHER, PERFECT_PICK, PRIEST_COMMITMENT, SEE_THE_FUTURE
from coatl_tools.rules.events import FROM_HAND, UNKNOWN_CARD, Event
from coatl_tools.rules.views import Seat, View
from coatl_tools.web.pictures import piece_file

_OWN_CARDS = (events.Keep, events.Discard)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be decided: the event, what it does in words, and what to see of it."""

    event: str
    words: str
    coatl: str = ""  # what becomes of a Cóatl
    pieces: tuple[str, ...] = ()
    card: str = ""
    group: str = ""  # a heading that several choices stand under


def choices(shown: View, words: Language) -> dict[str, list[Choice]]:
    """By thing, all that the viewer may decide: `space-3`, `board-body-R`, `hand-P05`, `end`.

    Cards that are kept or discarded together are no such things: see `own_cards`.
    """
    found: dict[str, list[Choice]] = {}
    for event in shown.legal:
        if not isinstance(event, (*_OWN_CARDS, events.Reveal)):
            choice = _choice(event, shown, words)
            for thing in _things(event, shown):
                found.setdefault(thing, []).append(choice)
    return found


def builder(shown: View) -> Seat:
    """Whose turn it is; at A.D.A.M.'s turn the player who moves its pieces."""
    return shown.seats[shown.turn if shown.turn < len(shown.seats) else 0]


def _things(event: Event, shown: View) -> Iterator[str]:
    """What is tapped to decide this; sometimes either of two things."""
    match event:
        case events.TakePieces(space):
            yield f"space-{space}"
        case events.ChooseCard(card, copy):
            places = [place for place, one in enumerate(shown.supply, start=1) if one == card]
            # among identical cards it matters which one is taken only in a solo game
            chosen = [places[copy - 1]] if shown.game.solo else places
            yield from (f"supply-{place}" for place in chosen)
        case events.DrawCard():
            yield "deck"
        case events.Begin(piece) | events.Attach(piece):
            yield f"board-{piece_file(piece)}"
        case events.PlaceProphecy(card):
            yield f"hand-{card}" if card in builder(shown).hand else "hidden"
        case events.PlaceTemple(card, _, source):
            if source != FROM_HAND:
                yield f"pile-{source}"
            else:
                yield f"hand-{card}" if card in builder(shown).temples else "hidden"
        case events.PriestCommitment(pile):
            yield f"pile-{pile}"
            yield f"token-{PRIEST_COMMITMENT}"
        case events.PerfectPick():
            yield f"token-{PERFECT_PICK}"
        case events.SeeTheFuture():
            yield f"token-{SEE_THE_FUTURE}"
        case events.LayGolden():
            yield f"board-{piece_file(FEATHER)}"
        case _:
            yield COMMAND_OF_EVENT[type(event)]


def _choice(event: Event, shown: View, words: Language) -> Choice:
    path = describe_choice(event, shown, shown.game, words.code)
    about = words.label(COMMAND_LABELS[COMMAND_OF_EVENT[type(event)]])
    text = str(event)
    match event:
        case events.TakePieces(space):
            return Choice(text, f"{about}. {path[0]}", pieces=shown.spaces[space - 1])
        case events.ChooseCard(card):
            return Choice(text, f"{about}. {path[0]}", card=card)
        case events.Begin(piece):
            return Choice(text, about, coatl=piece)
        case events.Attach(piece, coatl, end):
            there = builder(shown).coatls[coatl - 1].text
            grown = piece + there if end == "head" else there + piece
            return Choice(text, path[1], coatl=grown)
        case events.PlaceProphecy(card, coatl) | events.PlaceTemple(card, coatl):
            return _beside(event, card, coatl, shown, words)
        case events.PriestCommitment(pile):
            return Choice(text, f"{about}. {path[0]}", card=shown.piles[pile - 1].top)
        case events.PerfectPick(pieces):
            return Choice(text, path[0], pieces=pieces)
        case events.LayGolden(_, pieces):
            return Choice(text, path[1], pieces=pieces, group=path[0])
        case _:
            return Choice(text, about)


def _beside(
    event: events.PlaceProphecy | events.PlaceTemple,
    card: str,
    coatl: int,
    shown: View,
    words: Language,
) -> Choice:
    """A card beside a Cóatl, and what it is worth there now."""
    built = builder(shown).coatls[coatl - 1]
    score = shown.game.score(built.text, card, built.prophecies)
    beside = words.sentence("menu.coatl", {"coatl": coatl, "text": built.text})
    said = f"{beside}: {words.card('points', score.points)}"
    if isinstance(event, events.PlaceTemple):
        said = f"{words.label(COMMAND_LABELS['temple'])} {said}"
    return Choice(str(event), said, coatl=built.text, card=card, group=beside)


@dataclass(frozen=True, slots=True)
class OwnCards:
    """Cards of the own hand that are kept or discarded together."""

    verb: str  # "keep" or "discard"
    cards: tuple[str, ...]
    least: int
    most: int
    choices: tuple[Choice, ...] = ()  # where cards are hidden: all there is to choose from


def own_cards(shown: View, words: Language) -> OwnCards | None:
    """What is to be kept or discarded, if anything is."""
    legal = [event for event in shown.legal if isinstance(event, _OWN_CARDS)]
    if not legal:
        return None
    verb = COMMAND_OF_EVENT[type(legal[0])]
    numbers = [len(event.cards) for event in legal]
    hand = builder(shown).hand
    if UNKNOWN_CARD not in hand:
        return OwnCards(verb, hand, min(numbers), max(numbers))
    listed = tuple(
        Choice(str(event), describe_choice(event, shown, shown.game, words.code)[0])
        for event in legal
    )
    return OwnCards(verb, hand, min(numbers), max(numbers), listed)
