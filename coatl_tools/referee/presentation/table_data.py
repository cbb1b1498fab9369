"""A table as JSON, for programs: what a player may know of it, and what just happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coatl_tools.referee.table import Table, TableStep
from coatl_tools.rules.constants import BODY, HEAD, PIECES_OF_KIND, TAIL, Bag
from coatl_tools.rules.engine import Awaited, Decision
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import PlayerResult, compute_coatl_result, compute_standing
from coatl_tools.rules.solo.needs import ANY_INDEX, find_open_needs
from coatl_tools.rules.state import (
    OVER,
    Adam,
    AdamDraw,
    Built,
    DealDraw,
    DeckDraw,
    Draw,
    FillDraw,
    PileDraw,
    SupplyDraw,
    TempleDraw,
)
from coatl_tools.rules.views import Seat, View, is_in_setup, mask_event

_ANSWER_VERBS: dict[type, str] = {
    FillDraw: "fill",
    TempleDraw: "deal-temple",
    PileDraw: "pile",
    SupplyDraw: "supply",
    AdamDraw: "deal-adam",
    DealDraw: "deal",
    DeckDraw: "drawn",
}


def serialize_view(view: View, game: Game) -> dict[str, Any]:
    """Serialize a view as JSON data. Players, spaces, piles and Cóatls have numbers from 1.

    Pieces, Cóatls and events are written in the notation; a card is its id, a hidden one `?`.
    `null` stands for what there is not.

    | field | what it is |
    |---|---|
    | `viewer` | the number of the player who looks; null: a spectator or the whole table |
    | `options` | the table's options, as in the header of its file |
    | `setup`, `over` | whether the first turn has not begun yet; whether the game is over |
    | `turn` | `number` from 1, `player` (at a solo table, 2 is A.D.A.M.), `name`, `actions` left |
    | `awaited` | null when over; `decision`, `player`, `stage`; or `draw`: the event that answers |
    | `draws` | how many draws are to be answered before the next decision |
    | `closing` | the number of the Cóatl that is just being completed, or null |
    | `passes` | how many players have passed one after the other |
    | `ending` | null, or `cause` (`third`, `bodies`) and `player`; then `last`: turns to come |
    | `supply_board` | for each space `space`, `kind` (b, h, t) and `pieces` |
    | `bags` | for `bodies`, `heads`, `tails`: how many of each piece are left |
    | `prophecies` | `supply` from the left, `deck` and `discards` (numbers), `discarded` (seen) |
    | `temples` | for each pile `pile`, `top` (or null) and `below` (a number) |
    | `players` | see below, in turn order |
    | `adam` | null, or `row` (`card`, `pieces`, `lacks`), `fulfilled`, `discarded`, `points` |
    | `unseen` | `prophecies` and `temples` that lie where the viewer does not see them |
    | `winners` | null, or when over: the numbers of the winners |
    | `legal` | the events that the viewer may decide now |

    A player has `player`, `name`, `points` now, `board`, `hand`, `temples`, `discarded` from the
    hand, `tokens` left, `golden` segments beside the board, and `coatls`, each with `number`,
    `coatl`, `complete`, `points` now, `cards` (`card` and its `points` now) and `temple`.
    """
    result = compute_standing(game, view.seats, view.adam)
    over = view.awaited is None
    return {
        "viewer": None if view.player is None else view.player + 1,
        "options": view.options.data(),
        "setup": is_in_setup(view),
        "over": over,
        "turn": _serialize_turn(view, game),
        "awaited": _serialize_awaited(view.awaited),
        "draws": len(view.draws),
        "closing": view.closing or None,
        "passes": view.passes,
        "ending": _serialize_ending(view),
        "supply_board": _serialize_supply_board(view),
        "bags": _serialize_bags(view),
        "prophecies": _serialize_prophecies(view),
        "temples": _serialize_temple_piles(view),
        "players": [
            _serialize_player(number, seat, found, game)
            for number, (seat, found) in enumerate(
                zip(view.seats, result.players, strict=True), start=1
            )
        ],
        "adam": _serialize_adam(view.adam, game) if view.adam else None,
        "unseen": {"prophecies": [*view.unseen], "temples": [*view.unseen_temples]},
        "winners": [index + 1 for index in result.winners] if over else None,
        "legal": [str(event) for event in view.legal],
    }


def _serialize_turn(view: View, game: Game) -> dict[str, Any]:
    return {
        "number": view.turns_ended if view.awaited is None else view.turns_ended + 1,
        "player": view.current_player + 1,
        "name": game.names[view.current_player],
        "actions": view.actions_left,
    }


def _serialize_awaited(awaited: Awaited) -> dict[str, Any] | None:
    match awaited:
        case None:
            return None
        case Decision(player, stage):
            return {"decision": True, "player": player + 1, "stage": stage.value}
        case _:
            return {"draw": _serialize_draw(awaited)}


def _serialize_draw(draw: Draw) -> str:
    """Serialize the beginning of the event that answers a draw, as far as it is known."""
    match draw:
        case FillDraw(place) | PileDraw(place):
            return f"{_ANSWER_VERBS[type(draw)]} {place}"
        case TempleDraw(player) | DealDraw(player):
            return f"{_ANSWER_VERBS[type(draw)]} {player + 1}"
        case _:
            return _ANSWER_VERBS[type(draw)]


def _serialize_ending(view: View) -> dict[str, Any] | None:
    if view.ending is None:
        return None
    last = [{"player": turn.player + 1, "actions": turn.actions} for turn in view.final_turns]
    return {"cause": view.ending.cause, "player": view.ending.player + 1, "last": last}


def _serialize_supply_board(view: View) -> list[dict[str, Any]]:
    spaces = zip(view.options.space_kinds, view.spaces, strict=True)
    return [
        {"space": number, "kind": kind, "pieces": [*pieces]}
        for number, (kind, pieces) in enumerate(spaces, start=1)
    ]


def _serialize_bags(view: View) -> dict[str, dict[str, int]]:
    return {
        "bodies": _serialize_bag(BODY, view.bodies),
        "heads": _serialize_bag(HEAD, view.heads),
        "tails": _serialize_bag(TAIL, view.tails),
    }


def _serialize_bag(kind: str, bag: Bag) -> dict[str, int]:
    return dict(zip(PIECES_OF_KIND[kind], bag, strict=True))


def _serialize_prophecies(view: View) -> dict[str, Any]:
    return {
        "supply": [*view.supply],
        "deck": view.deck,
        "discards": view.discards_in_all,
        "discarded": [*view.discards],
    }


def _serialize_temple_piles(view: View) -> list[dict[str, Any]]:
    return [
        {"pile": number, "top": pile.top or None, "below": pile.below}
        for number, pile in enumerate(view.piles, start=1)
    ]


def _serialize_player(number: int, seat: Seat, found: PlayerResult, game: Game) -> dict[str, Any]:
    return {
        "player": number,
        "name": seat.name,
        "points": found.points,
        "board": [*seat.board],
        "hand": [*seat.hand],
        "temples": [*seat.temples],
        "discarded": [*seat.discarded],
        "tokens": [*seat.tokens],
        "golden": seat.feathers,
        "coatls": [
            serialize_coatl(place, built, game) for place, built in enumerate(seat.coatls, start=1)
        ],
    }


def serialize_coatl(number: int, built: Built, game: Game) -> dict[str, Any]:
    """Serialize a Cóatl as JSON holds it, with its cards and what they are worth now."""
    found = compute_coatl_result(game, built)
    return {
        "number": number,
        "coatl": built.text,
        "complete": built.complete,
        "points": found.points,
        "cards": [{"card": score.card.id, "points": score.points} for score in found.cards],
        "temple": built.temple or None,
    }


def _serialize_adam(adam: Adam, game: Game) -> dict[str, Any]:
    return {
        "row": [
            {
                "card": card,
                "pieces": [*pieces],
                "lacks": _serialize_missing_pieces(card, pieces, game),
            }
            for card, pieces in adam.row
        ],
        "fulfilled": [*adam.fulfilled],
        "discarded": [*adam.discarded],
        "points": sum(map(game.top_points, adam.fulfilled)),
    }


def _serialize_missing_pieces(card: str, pieces: Iterable[str], game: Game) -> dict[str, int]:
    """Count the pieces of each colour that a card still lacks; `*` is any colour."""
    lacks = find_open_needs(game.needs[card], tuple(pieces))
    names = [*PIECES_OF_KIND[BODY][:ANY_INDEX], "*"]
    return {name: number for name, number in zip(names, lacks, strict=True) if number}


def serialize_steps(table: Table, steps: Iterable[TableStep], seat: int | None) -> dict[str, Any]:
    """Serialize what happened, and the table after it, as this player may know them.

    `event` is null for going back; `corrects` is the number of an event that really was this one.
    """
    open_to_all = not table.is_virtual or table.state.stage is OVER
    return {
        "happened": [
            {
                "event": None
                if step.event is None
                else str(step.event if open_to_all else mask_event(step.before, step.event, seat)),
                "by": step.actor.value,
                "corrects": step.corrects or None,
            }
            for step in steps
        ],
        "table": serialize_view(table.make_view(seat), table.state.game),
    }
