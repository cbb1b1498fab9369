"""Where a game stands, as phrases: whose turn it is, what is awaited, how near the end is."""

from __future__ import annotations

from coatl_tools.errors import Phrase
from coatl_tools.rules.box import COATLS_TO_END, KEPT
from coatl_tools.rules.ending import standing
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import (
    AdamDraw,
    DealDraw,
    DeckDraw,
    FillDraw,
    PileDraw,
    Stage,
    SupplyDraw,
    TempleDraw,
)
from coatl_tools.rules.views import View

_STAGES = {
    Stage.READY: "shown.await_action",
    Stage.CHOOSING: "shown.await_more_cards",
    Stage.MUST_CHOOSE: "shown.await_card",
    Stage.ASSEMBLING: "shown.await_assembly",
    Stage.CLOSING: "shown.await_closing",
    Stage.DISCARDING: "shown.await_discard",
    Stage.BETWEEN: "shown.await_second",
    Stage.ADAMS_TURN: "shown.await_adam",
}


def in_setup(shown: View) -> bool:
    """Whether the first turn has not begun yet."""
    match shown.awaited:
        case Decision(_, stage):
            return stage is Stage.KEEPING
        case _:  # the last draws of a setup are cards to keep, and later there are none such
            return isinstance(shown.draws[-1], DealDraw) if shown.draws else False


def headline(shown: View, game: Game) -> list[Phrase]:
    """The turn, whose it is, and its actions where there are two; or that the game is over."""
    if shown.awaited is None:
        return [("shown.over", {"n": shown.turns})]
    if in_setup(shown):
        return [("shown.setup", {})]
    turn: Phrase = ("shown.turn", {"number": shown.turns + 1, "player": game.names[shown.turn]})
    return [turn, ("shown.actions", {"n": shown.actions})] if shown.actions > 1 else [turn]


def news(shown: View, game: Game) -> list[Phrase]:
    """Who has won and why the game ended; or how near the end is, and what is awaited."""
    if shown.awaited is None:
        return [winners(shown, game), ("shown.ended", {"why": _why(shown, game)})]
    found: list[Phrase] = []
    if shown.ending:
        found.append(("shown.near_end", {"why": _why(shown, game)}))
        found.append(_last_turns(shown, game))
    return [*found, awaited(shown, game)]


def _why(shown: View, game: Game) -> Phrase:
    """What brings the end of the game."""
    if shown.ending is None:
        return "shown.passed", {"rule": "9.2"}
    if shown.ending.cause == "bodies":
        return "shown.bodies", {"rule": "7.9" if game.solo else "6.2"}
    player, rule = game.names[shown.ending.player], "7.9" if game.solo else "6.1"
    return "shown.third", {"player": player, "number": COATLS_TO_END, "rule": rule}


def _last_turns(shown: View, game: Game) -> Phrase:
    if not shown.last:
        return "shown.last_turn", {}
    turns: list[Phrase] = []
    for player, actions in shown.last:
        key = "shown.turn_of_two" if actions > 1 else "shown.turn_of_one"
        turns.append((key, {"player": game.names[player]}))
    return "shown.turns_to_come", {"turns": turns}


def winners(shown: View, game: Game) -> Phrase:
    """Who has won, if the game is over."""
    result = standing(game, shown.seats, shown.adam)
    names = ", ".join(game.names[index] for index in result.winners)
    if result.adam and result.adam.temple_missing and result.players[0].points > result.adam.points:
        return "shown.lost_without_temple", {"names": names}
    key = "shown.shared" if len(result.winners) > 1 else "shown.won"
    return key, {"names": names}


def awaited(shown: View, game: Game) -> Phrase:
    """What must come next, while the game is not over."""
    match shown.awaited:
        case Decision(player, Stage.KEEPING):
            key = "shown.await_keep_all" if game.solo else "shown.await_keep"
            return key, {"player": game.names[player], "n": KEPT}
        case Decision(player, stage):
            return _STAGES[stage], {"player": game.names[player], "coatl": shown.closing}
        case FillDraw(space):
            return "shown.await_fill", {"space": space}
        case TempleDraw(player):
            return "shown.await_temple", {"player": game.names[player]}
        case PileDraw(pile):
            return "shown.await_pile", {"pile": pile}
        case SupplyDraw():
            return "shown.await_supply", {}
        case AdamDraw():
            return "shown.await_deal_adam", {}
        case DealDraw(player):
            return "shown.await_deal", {"player": game.names[player]}
        case DeckDraw(player):
            return "shown.await_drawn", {"player": game.names[player]}
        case _:
            raise ValueError("nothing is awaited: the game is over")
