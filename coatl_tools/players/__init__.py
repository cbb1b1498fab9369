"""Computer players: they see what their seat may know, and nothing else.

>>> from coatl_tools import load_cards
>>> from coatl_tools.players import bot_named, decide
>>> from coatl_tools.rules import *
>>> state, bot = new_game(TableOptions(), load_cards().deck()), bot_named("random")
>>> while state.stage is not Stage.OVER:
...     event = deal(state, seed=1) if state.draws else decide(state, state.turn, bot, seed=1)
...     state = apply(state, event)
>>> state.ending.cause
'third'
"""

from coatl_tools.players.bot import BOTS, Bot, bot_named, decide, move
from coatl_tools.players.move import Move

__all__ = ["BOTS", "Bot", "Move", "bot_named", "decide", "move"]
