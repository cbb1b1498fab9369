"""Computer players: they see what their seat may know, and nothing else.

>>> from coatl_tools import load_cards
>>> from coatl_tools.players import get_bot, choose_event
>>> from coatl_tools.rules import *
>>> state, bot = new_game(TableOptions(), load_cards().deck()), get_bot("random")
>>> while state.stage is not Stage.OVER:
...     if state.draws:
...         event = deal_draw(state, seed=1)
...     else:
...         event = choose_event(state, state.current_player, bot, seed=1)
...     state = apply_event(state, event)
>>> state.ending.cause
'third'
"""

from coatl_tools.players.bot import BOTS, Bot, Move, choose_event, choose_move, get_bot

__all__ = ["BOTS", "Bot", "Move", "choose_event", "choose_move", "get_bot"]
