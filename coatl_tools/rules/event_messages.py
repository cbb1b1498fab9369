"""Events, draws and decisions as sentences for people, who are told only what they may know.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules import *
>>> state = new_game(TableOptions(), load_cards().deck())
>>> describe_draw(get_awaited(state), state, "en")
'Which pieces are on space 1? (2 body segments)'
>>> describe_event(state, parse_event("fill 1 R B"), None, "en")
'Space 1 gets: red body segment, blue body segment.'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from coatl_tools.errors import Phrase
from coatl_tools.language import load_language
from coatl_tools.rules import events
from coatl_tools.rules.actions.turns import is_secret_draw
from coatl_tools.rules.constants import (
    BODY,
    HEAD,
    PROPHECIES_KEPT,
    TAIL,
    phrase_piece,
    phrase_pieces,
)
from coatl_tools.rules.engine import Decision, apply_event
from coatl_tools.rules.events import FROM_HAND, UNKNOWN_CARD, Event
from coatl_tools.rules.result import compute_coatl_result
from coatl_tools.rules.solo.adam import plan_adam_turn
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    DISCARDING,
    KEEPING,
    MUST_CHOOSE,
    OVER,
    READY,
    AdamDraw,
    DealDraw,
    DeckDraw,
    Draw,
    FillDraw,
    GameState,
    PileDraw,
    SupplyDraw,
    TempleDraw,
)

# A player's index, None for a spectator; for "all" every card lies open, as in a finished game.
Viewer: TypeAlias = int | Literal["all"] | None


def describe_event(
    before: GameState,
    event: Event,
    viewer: Viewer,
    lang: str,
    after: GameState | None = None,
) -> str:
    """Describe an event to a viewer; cards that are hidden from them have no name.

    `after` is the state after the event. Where nobody has it, the event is applied to find it,
    which raises IllegalActionError for an event that may not be.
    """
    language = load_language(lang)
    after = apply_event(before, event) if after is None else after
    if isinstance(event, events.AdamTurn):
        happens = [*_phrase_adam_turn(before)]
    else:
        happens = [_phrase_event(before, event, viewer, after)]
    phrases = [*happens, *_phrase_endings(before, after)]
    return " ".join(language.sentence(*phrase) for phrase in phrases)


def _phrase_event(state: GameState, event: Event, viewer: Viewer, after: GameState) -> Phrase:
    """Phrase an event; `state` is the one before it."""
    name = state.game.names[state.current_player]
    match event:
        case events.Keep() | events.Discard():
            return _phrase_cards_leaving_hand(state, event, viewer)
        case events.DealTemple() | events.DealProphecy() | events.DrawnCard():
            return _phrase_card_into_hand(state, event, viewer)
        case (
            events.AttachPiece()
            | events.PlaceProphecy()
            | events.PlaceTemple()
            | events.CompleteCoatl()
        ):
            return _phrase_coatl_event(state, event, after)
        case events.TakePieces(space):
            pieces = phrase_pieces(state.spaces[space - 1])
            return "told.takes", {"player": name, "space": space, "pieces": pieces}
        case events.ChooseCard(card):
            return "told.chooses", {"player": name, "card": card}
        case events.DrawCard():
            return "told.draws", {"player": name}
        case events.BeginCoatl(piece):
            number = len(state.players[state.current_player].coatls) + 1
            return "told.begins", {"player": name, "number": number, "piece": phrase_piece(piece)}
        case events.PerfectPick(picked):
            return "told.picks", {"player": name, "pieces": phrase_pieces(picked)}
        case events.SeeTheFuture():
            return "told.sees_the_future", {
                "player": name,
                "cards": _list_named_cards(state.supply),
            }
        case events.PriestCommitment(pile):
            card = state.piles[pile - 1].top
            return "told.commits", {"player": name, "pile": pile, "card": card}
        case events.LayGolden(index, taken):
            given = {"opponent": state.game.names[index], "pieces": phrase_pieces(taken)}
            return "told.lays_golden", {"player": name, **given}
        case events.Pass():
            return "told.passes", {"player": name}
        case events.EndTurn():
            return "told.ends", {"player": name}
        case events.Reveal(index, card):
            return "told.reveals", {"player": state.game.names[index], "card": card}
        case events.FillSpace(space, filled):
            return "told.fills", {"space": space, "pieces": phrase_pieces(filled)}
        case events.TurnUpTemple(pile, card):
            return "told.turns_up_temple", {"pile": pile, "card": card}
        case events.TurnUpProphecy(card):
            return "told.turns_up", {"card": card}
        case events.DealAdam(card):
            return "told.dealt_adam", {"card": card}
        case events.AdamTurn():
            raise ValueError("A.D.A.M.'s turn is told in several phrases")


def _phrase_cards_leaving_hand(
    state: GameState, event: events.Keep | events.Discard, viewer: Viewer
) -> Phrase:
    """Phrase which cards are kept or discarded: named to their owner, only counted to others."""
    cards, kept = event.cards, isinstance(event, events.Keep)
    found: dict[str, object] = {"player": state.game.names[state.current_player]}
    if not cards:
        return ("told.keeps_none" if kept else "told.discards_none"), found
    if viewer not in (state.current_player, "all") or set(cards) == {UNKNOWN_CARD}:
        key = "told.keeps_unseen" if kept else "told.discards_unseen"
        return key, {**found, "n": len(cards)}
    return ("told.keeps" if kept else "told.discards"), {**found, "cards": _list_named_cards(cards)}


_INTO_HAND_KEYS: dict[type, tuple[str, str]] = {  # where it is known, and where it is not
    events.DealTemple: ("told.dealt_temple", "told.dealt_temple_unseen"),
    events.DealProphecy: ("told.dealt", "told.dealt_unseen"),
    events.DrawnCard: ("told.drawn", "told.drawn_unseen"),
}


def _phrase_card_into_hand(
    state: GameState,
    event: events.DealTemple | events.DealProphecy | events.DrawnCard,
    viewer: Viewer,
) -> Phrase:
    """Phrase that a card comes into a hand; only the owner is told which, if it is known at all."""
    index = state.current_player if isinstance(event, events.DrawnCard) else event.player
    name = state.game.names[index]
    known, unknown = _INTO_HAND_KEYS[type(event)]
    if viewer in (index, "all") and event.card != UNKNOWN_CARD:
        return known, {"player": name, "card": event.card}
    return unknown, {"player": name}


def _list_named_cards(cards: tuple[str, ...]) -> list[str | Phrase]:
    """List cards by name, then how many are hidden."""
    known: list[str | Phrase] = [card for card in cards if card != UNKNOWN_CARD]
    hidden = len(cards) - len(known)
    if hidden:
        known.append(("told.hidden", {"n": hidden}))
    return known or [("told.no_card", {})]


def _phrase_coatl_event(
    before: GameState,
    event: events.AttachPiece | events.PlaceProphecy | events.PlaceTemple | events.CompleteCoatl,
    after: GameState,
) -> Phrase:
    """Phrase what is done to a Cóatl, and what becomes of it."""
    number = before.closing if isinstance(event, events.CompleteCoatl) else event.coatl
    coatl = after.players[before.current_player].coatls[number - 1]
    found = {
        "player": before.game.names[before.current_player],
        "number": number,
        "coatl": coatl.text,
    }
    match event:
        case events.AttachPiece(piece, _, end):
            key = "told.attaches_head" if end == "head" else "told.attaches_tail"
            return key, {**found, "piece": phrase_piece(piece)}
        case events.PlaceProphecy(card):
            points = after.game.score(coatl.text, card, coatl.prophecies).points
            return "told.places", {**found, "card": card, "n": points}
    worth = compute_coatl_result(after.game, coatl).points  # it is announced (rule 3.12)
    match event:
        case events.PlaceTemple(card, _, source) if source != FROM_HAND:
            more = {"card": card, "pile": source, "n": worth}
            return "told.completes_from_pile", {**found, **more}
        case events.PlaceTemple(card):
            return "told.completes_with", {**found, "card": card, "n": worth}
    return "told.completes", {**found, "n": worth}


def _phrase_adam_turn(state: GameState) -> Iterator[Phrase]:
    """Phrase A.D.A.M.'s turn in short; `explain_adam_turn` tells every step."""
    plan, game = plan_adam_turn(state), state.game
    if plan.space:
        pieces = phrase_pieces(state.spaces[plan.space - 1])
        yield "told.adam_takes", {"space": plan.space, "pieces": pieces}
    else:
        yield "adam.nothing_to_take", {}
    if plan.fulfilled:
        cards = [
            ("told.adam_fulfilled", {"card": card, "n": game.top_points(card)})
            for card in plan.fulfilled
        ]
        yield "told.adam_fulfils", {"cards": cards}
    if plan.supply != state.supply:  # it takes from the right (rule 7.7)
        new = state.supply[len(plan.supply) :][::-1]
        yield "told.adam_refills", {"cards": _list_named_cards(new)}


def _phrase_endings(before: GameState, after: GameState) -> Iterator[Phrase]:
    """Phrase that the end of the game is near, or here (rules 6.1, 6.2)."""
    if after.ending and not before.ending:
        if after.ending.cause == "third":
            yield "told.third", {"player": after.game.names[after.ending.player]}
        else:
            yield "told.bodies", {}
    if after.stage is OVER:
        yield "rules.over", {}


_FILL_QUESTIONS = {BODY: "asked.fill_b", HEAD: "asked.fill_h", TAIL: "asked.fill_t"}


def describe_draw(draw: Draw, state: GameState, lang: str) -> str:
    """Describe what an awaited draw asks the people at a table of wood and cardboard."""
    language = load_language(lang)
    key, details = _phrase_question(draw, state)
    if is_secret_draw(draw, state):
        key, details = "asked.or_hidden", {"question": (key, details)}  # ruling 9.17
    return language.sentence(key, details)


def _phrase_question(draw: Draw, state: GameState) -> Phrase:
    names = state.game.names
    match draw:
        case FillDraw(space):
            return _FILL_QUESTIONS[state.game.options.space_kinds[space - 1]], {"space": space}
        case TempleDraw(player):
            return "asked.temple", {"player": names[player]}
        case PileDraw(pile):
            return "asked.pile", {"pile": pile}
        case SupplyDraw():
            return "asked.supply", {}
        case AdamDraw():
            return "asked.adam", {}
        case DealDraw(player):
            return "asked.dealt", {"player": names[player]}
        case DeckDraw(player):
            return "asked.drawn", {"player": names[player]}


# What each stage asks for: as the only action of a turn, and where another one may follow.
_DECISION_QUESTIONS = {
    KEEPING: ("asked.keeping", "asked.keeping"),
    READY: ("asked.ready", "asked.ready_two"),
    CHOOSING: ("asked.choosing", "asked.choosing_or_second"),
    MUST_CHOOSE: ("asked.must_choose", "asked.must_choose"),
    ASSEMBLING: ("asked.assembling", "asked.assembling_or_second"),
    CLOSING: ("asked.closing", "asked.closing"),
    DISCARDING: ("asked.discarding", "asked.discarding"),
    BETWEEN: ("asked.between", "asked.between"),
    ADAMS_TURN: ("asked.adams_turn", "asked.adams_turn"),
}


def describe_decision(decision: Decision, state: GameState, lang: str) -> str:
    """Describe what somebody is asked to decide now, by name."""
    alone, more = _DECISION_QUESTIONS[decision.stage]
    two = state.actions_left > 1 if decision.stage is READY else state.actions_left > 0
    key = more if two else alone
    details: dict[str, object] = {"player": state.game.names[decision.player]}
    if decision.stage is CHOOSING and _hand_is_full(state):
        key = "asked.between" if two else "asked.hand_full"
    if decision.stage is KEEPING:
        key = "asked.keeping_solo" if state.game.solo else key  # rules 2.4, 7.1
        details["number"] = PROPHECIES_KEPT
    if decision.stage is CLOSING:
        coatl = state.players[decision.player].coatls[state.closing - 1]
        details |= {"number": state.closing, "coatl": coatl.text}
    return load_language(lang).sentence(key, details)


def _hand_is_full(state: GameState) -> bool:
    return len(state.players[state.current_player].hand) >= state.game.hand_limit
