"""What a visitor may decide at a table now, by the item to tap; and the draws to report at a
table with real pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from coatl_tools.language import Language
from coatl_tools.referee.commands.vocabulary import COMMAND_OF_EVENT
from coatl_tools.referee.menu import COMMAND_LABELS, describe_choice
from coatl_tools.rules import events
from coatl_tools.rules.actions.turns import make_draw_answer
from coatl_tools.rules.constants import (
    BAG_INDEX,
    BODY,
    FEATHER,
    HEAD,
    PERFECT_PICK,
    PIECES_OF_KIND,
    PIECES_PER_SPACE,
    PRIEST_COMMITMENT,
    SEE_THE_FUTURE,
    Bag,
)
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import FROM_HAND, UNKNOWN_CARD, Event, FillSpace
from coatl_tools.rules.state import Draw, FillDraw, PileDraw, TempleDraw
from coatl_tools.rules.views import Seat, View
from coatl_tools.web.rendering import name_piece_image

_HAND_EVENTS = (events.Keep, events.Discard)


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A possible action: the event, its text, and the Cóatl, pieces or card to show."""

    event: str
    text: str
    coatl: str = ""  # what becomes of a Cóatl
    pieces: tuple[str, ...] = ()
    card: str = ""
    group: str = ""  # a heading that several choices stand under


def list_choices(view: View, language: Language) -> dict[str, list[TableChoice]]:
    """List what the viewer may do, by page item: `space-3`, `board-body-R`, `hand-P05`, `end`.

    Cards that are kept or discarded together are not among them: see `find_hand_selection`.
    """
    found: dict[str, list[TableChoice]] = {}
    for event in view.legal:
        if not isinstance(event, (*_HAND_EVENTS, events.Reveal)):
            choice = _make_choice(event, view, language)
            for thing in _list_tap_targets(event, view):
                found.setdefault(thing, []).append(choice)
    return found


def find_builder(view: View) -> Seat:
    """Find whose turn it is; in A.D.A.M.'s turn, the player who moves its pieces."""
    return view.seats[view.current_player if view.current_player < len(view.seats) else 0]


def _list_tap_targets(event: Event, view: View) -> Iterator[str]:
    """Yield the page items to tap for an event; sometimes there are two."""
    match event:
        case events.TakePieces(space):
            yield f"space-{space}"
        case events.ChooseCard(card, copy):
            places = [place for place, one in enumerate(view.supply, start=1) if one == card]
            # among identical cards it matters which one is taken only in a solo game
            chosen = [places[copy - 1]] if view.game.solo else places
            yield from (f"supply-{place}" for place in chosen)
        case events.DrawCard():
            yield "deck"
        case events.BeginCoatl(piece) | events.AttachPiece(piece):
            yield f"board-{name_piece_image(piece)}"
        case events.PlaceProphecy(card):
            yield f"hand-{card}" if card in find_builder(view).hand else "hidden"
        case events.PlaceTemple(card, _, source):
            if source != FROM_HAND:
                yield f"pile-{source}"
            else:
                yield f"hand-{card}" if card in find_builder(view).temples else "hidden"
        case events.PriestCommitment(pile):
            yield f"pile-{pile}"
            yield f"token-{PRIEST_COMMITMENT}"
        case events.PerfectPick():
            yield f"token-{PERFECT_PICK}"
        case events.SeeTheFuture():
            yield f"token-{SEE_THE_FUTURE}"
        case events.LayGolden():
            yield f"board-{name_piece_image(FEATHER)}"
        case _:
            yield COMMAND_OF_EVENT[type(event)]


def _make_choice(event: Event, view: View, language: Language) -> TableChoice:
    path = describe_choice(event, view, view.game, language.code)
    about = language.label(COMMAND_LABELS[COMMAND_OF_EVENT[type(event)]])
    text = str(event)
    match event:
        case events.TakePieces(space):
            return TableChoice(text, f"{about}. {path[0]}", pieces=view.spaces[space - 1])
        case events.ChooseCard(card):
            return TableChoice(text, f"{about}. {path[0]}", card=card)
        case events.BeginCoatl(piece):
            return TableChoice(text, about, coatl=piece)
        case events.AttachPiece(piece, coatl, end):
            there = find_builder(view).coatls[coatl - 1].text
            grown = piece + there if end == "head" else there + piece
            return TableChoice(text, path[1], coatl=grown)
        case events.PlaceProphecy(card, coatl) | events.PlaceTemple(card, coatl):
            return _make_card_choice(event, card, coatl, view, language)
        case events.PriestCommitment(pile):
            return TableChoice(text, f"{about}. {path[0]}", card=view.piles[pile - 1].top)
        case events.PerfectPick(pieces):
            return TableChoice(text, path[0], pieces=pieces)
        case events.LayGolden(_, pieces):
            return TableChoice(text, path[1], pieces=pieces, group=path[0])
        case _:
            return TableChoice(text, about)


def _make_card_choice(
    event: events.PlaceProphecy | events.PlaceTemple,
    card: str,
    coatl: int,
    view: View,
    language: Language,
) -> TableChoice:
    """Make the choice of a card beside a Cóatl, with its points there now."""
    built = find_builder(view).coatls[coatl - 1]
    score = view.game.score(built.text, card, built.prophecies)
    beside = language.sentence("menu.coatl", {"coatl": coatl, "text": built.text})
    said = f"{beside}: {language.card('points', score.points)}"
    if isinstance(event, events.PlaceTemple):
        said = f"{language.label(COMMAND_LABELS['temple'])} {said}"
    return TableChoice(str(event), said, coatl=built.text, card=card, group=beside)


@dataclass(frozen=True, slots=True)
class HandSelection:
    """Cards in the hand that are kept or discarded together."""

    verb: str  # "keep" or "discard"
    cards: tuple[str, ...]
    least: int
    most: int
    choices: tuple[TableChoice, ...] = ()  # where cards are hidden: all there is to choose from


def find_hand_selection(view: View, language: Language) -> HandSelection | None:
    """Find which cards are to be kept or discarded; None if there are none."""
    legal = [event for event in view.legal if isinstance(event, _HAND_EVENTS)]
    if not legal:
        return None
    verb = COMMAND_OF_EVENT[type(legal[0])]
    numbers = [len(event.cards) for event in legal]
    hand = find_builder(view).hand
    if UNKNOWN_CARD not in hand:
        return HandSelection(verb, hand, min(numbers), max(numbers))
    listed = tuple(
        TableChoice(str(event), describe_choice(event, view, view.game, language.code)[0])
        for event in legal
    )
    return HandSelection(verb, hand, min(numbers), max(numbers), listed)


@dataclass(frozen=True, slots=True)
class DrawReport:
    """A draw that people report: pieces of a space, or a card."""

    pieces: tuple[TableChoice, ...] = ()
    cards: tuple[TableChoice, ...] = ()
    event_prefix: str = ""  # of the event that a card's id completes


def build_draw_report(view: View) -> DrawReport | None:
    """Build what may have been drawn, as far as the viewer knows; None if no draw is awaited."""
    awaited = view.awaited
    if awaited is None or isinstance(awaited, Decision):
        return None
    if isinstance(awaited, FillDraw):
        return DrawReport(pieces=tuple(_list_fills(view, awaited.space)))
    unseen = view.unseen_temples if isinstance(awaited, TempleDraw | PileDraw) else view.unseen
    cards = tuple(
        TableChoice(str(make_draw_answer(awaited, card)), card, card=card)
        for card in dict.fromkeys(unseen)
    )
    return DrawReport(cards=cards, event_prefix=_make_event_prefix(awaited))


def _make_event_prefix(draw: Draw) -> str:
    """Make the event without its card."""
    return str(make_draw_answer(draw, "")).strip()


def _list_fills(view: View, space: int) -> list[TableChoice]:
    """List the pieces that a space may get, in any order."""
    kind = view.options.space_kinds[space - 1]
    bag: Bag = {BODY: view.bodies, HEAD: view.heads}.get(kind, view.tails)
    there = [piece for piece, left in zip(PIECES_OF_KIND[kind], bag, strict=False) if left]
    return [
        TableChoice(str(FillSpace(space, pieces)), "", pieces=pieces)
        for pieces in combinations_with_replacement(there, PIECES_PER_SPACE[kind])
        if all(pieces.count(piece) <= bag[BAG_INDEX[piece]] for piece in pieces)
    ]
