"""The whole game, for 1 to 4 players, as pure functions: no files, no clock, no hidden randomness.

A state awaits something; an event brings it; what follows is another state. Chance is an event
too: the dealer answers draws from a seed, or people report what they drew.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules import *
>>> state = new_game(TableOptions(players=("Ana", "Bo")), load_cards().deck())
>>> while state.draws:
...     state = apply_event(state, deal_draw(state, seed=1))
>>> get_awaited(state)
Decision(player=0, stage=<Stage.KEEPING: 'keeping'>)
>>> for _ in range(2):
...     state = apply_event(state, list_legal_actions(state)[-1])
>>> state = apply_event(state, parse_event("take 3"))
>>> state.players[0].board, get_awaited(state).player
(('B', 'Y'), 1)
>>> apply_event(state, parse_event("take 3"))
Traceback (most recent call last):
...
coatl_tools.errors.IllegalActionError: Rule 3.1: Space 3 of the Supply board is empty. \
You could, for example: take 1

One player alone plays against A.D.A.M., whose turn is one event, and explained:

>>> state = new_game(TableOptions(players=("Ana",)), load_cards().deck())
>>> while state.draws:
...     state = apply_event(state, deal_draw(state, seed=1))
>>> state = apply_event(state, list_legal_actions(state)[0])
>>> for line in explain_adam_turn(plan_adam_turn(state)):
...     print(line)
P16 lacks 3 green, 3 yellow. Space 3 is the first with one of these: \
A.D.A.M. takes everything on it (yellow body segment ×2).
P16 gets: yellow body segment ×2. It still lacks 3 green, 1 yellow.
>>> state = apply_event(state, parse_event("adam"))

| name | what for |
|---|---|
| `TableOptions` | edition, variants and rulings of one table |
| `new_game`, `Game`, `make_opening_state` | a game, and its first state |
| `get_awaited`, `list_legal_actions`, `apply_event` | what is awaited, what may come, its effect |
| `parse_event`, `str(event)` | the notation of events; `events` has a value type for each |
| `deal_draw` | what a draw brings, from a seed |
| `plan_adam_turn`, `explain_adam_turn` | what A.D.A.M. does now, step by step; the same in words |
| `make_view`, `make_open_view` | what one player may know; all that is known |
| `compute_result` | scores, ties, winners |
| `History`, `build_history` | the game as a fold of events |
| `DoEvent`, `UndoTo`, `CorrectEvent` | what a history is made of: events, undo, correction |
| `digest_state` | a fingerprint of a state |
"""

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import Event, parse_event
from coatl_tools.rules.game import Game
from coatl_tools.rules.history import CorrectEvent, DoEvent, History, UndoTo, build_history
from coatl_tools.rules.result import GameResult, compute_result
from coatl_tools.rules.setup import deal_draw, make_opening_state, new_game
from coatl_tools.rules.solo.adam import explain_adam_turn, plan_adam_turn
from coatl_tools.rules.state import GameState, Stage, digest_state
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_open_view, make_view

__all__ = [
    "CorrectEvent",
    "Decision",
    "DoEvent",
    "Event",
    "Game",
    "GameResult",
    "GameState",
    "History",
    "Stage",
    "TableOptions",
    "UndoTo",
    "View",
    "apply_event",
    "build_history",
    "compute_result",
    "deal_draw",
    "digest_state",
    "explain_adam_turn",
    "get_awaited",
    "list_legal_actions",
    "make_open_view",
    "make_opening_state",
    "make_view",
    "new_game",
    "parse_event",
    "plan_adam_turn",
]
