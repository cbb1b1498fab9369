"""The whole game, for 1 to 4 players, as pure functions: no files, no clock, no hidden randomness.

A state awaits something; an event brings it; what follows is another state. Chance is an event
too: the dealer answers draws from a seed, or people report what they drew.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules import *
>>> state = new_game(TableOptions(players=("Ana", "Bo")), load_cards().deck())
>>> while state.draws:
...     state = apply(state, deal(state, seed=1))
>>> awaiting(state)
Decision(player=0, stage=<Stage.KEEPING: 'keeping'>)
>>> for _ in range(2):
...     state = apply(state, legal_actions(state)[-1])
>>> state = apply(state, read("take 3"))
>>> state.players[0].board, awaiting(state).player
(('B', 'Y'), 1)
>>> apply(state, read("take 3"))
Traceback (most recent call last):
...
coatl_tools.errors.IllegalActionError: Rule 3.1: Space 3 of the Supply board is empty. \
Possible is, for example: take 1

One player alone plays against A.D.A.M., whose turn is one event, and explained:

>>> state = new_game(TableOptions(players=("Ana",)), load_cards().deck())
>>> while state.draws:
...     state = apply(state, deal(state, seed=1))
>>> state = apply(state, legal_actions(state)[0])
>>> for line in explained(adam_turn(state)):
...     print(line)
P16 lacks 3 green, 3 yellow. Space 3 is the first that has one of these: \
A.D.A.M. takes all that lies there (yellow body segment ×2).
P16 gets: yellow body segment ×2. It still lacks 3 green, 1 yellow.
>>> state = apply(state, read("adam"))

| name | what for |
|---|---|
| `TableOptions` | edition, variants and rulings of one table |
| `new_game`, `Game`, `opening` | the first moment of a game; of many with the same cards |
| `awaiting`, `legal_actions`, `apply` | what is awaited, what may come, what comes of it |
| `read`, `str(event)` | the notation of events; `events` has a value type for each |
| `deal` | what a draw brings, from a seed |
| `adam_turn`, `explained` | what A.D.A.M. does now, step by step; the same in words |
| `view`, `open_view` | what one player may know; all that is known |
| `result` | scores, ties, winners |
| `History`, `Do`, `Back`, `Correct`, `fold` | the game as a fold of events; undo, correction |
| `digest` | a fingerprint of a state |
"""

from coatl_tools.rules.adam import adam_turn
from coatl_tools.rules.adam_text import explained
from coatl_tools.rules.dealer import deal
from coatl_tools.rules.ending import Result, result
from coatl_tools.rules.engine import Decision, apply, awaiting, legal_actions
from coatl_tools.rules.event_text import read
from coatl_tools.rules.events import Event
from coatl_tools.rules.fingerprint import digest
from coatl_tools.rules.game import Game
from coatl_tools.rules.history import Back, Correct, Do, History, fold
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.setup import new_game, opening
from coatl_tools.rules.state import Stage, State
from coatl_tools.rules.views import View, open_view, view

__all__ = [
    "Back",
    "Correct",
    "Decision",
    "Do",
    "Event",
    "Game",
    "History",
    "Result",
    "Stage",
    "State",
    "TableOptions",
    "View",
    "adam_turn",
    "apply",
    "awaiting",
    "deal",
    "digest",
    "explained",
    "fold",
    "legal_actions",
    "new_game",
    "open_view",
    "opening",
    "read",
    "result",
    "view",
]
