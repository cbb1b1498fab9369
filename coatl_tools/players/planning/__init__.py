"""The planner: the best assembly of a turn, exactly, and the steps that lead there.

>>> from coatl_tools import load_cards
>>> from coatl_tools.players.planning import Situation, find_best_assembly
>>> from coatl_tools.rules import Game, TableOptions
>>> from coatl_tools.rules.state import Built
>>> game = Game(TableOptions(), load_cards().deck())
>>> situation = Situation(game, ("B", "Y", "Y>"), (Built("<RB"),), hand=("P29", "P10"))
>>> plan = find_best_assembly(situation)
>>> [(str(step.event), step.points) for step in plan.steps]
[('add B to 1 tail', 0), ('add Y to 1 tail', 0), ('add Y> to 1 tail', 0), ('play P10 on 1', 2), \
('play P29 on 1', 4), ('complete', 0)]
"""

from coatl_tools.players.planning.plan import AssemblyPlan, AssemblyStep, Situation, make_situation
from coatl_tools.players.planning.planner import find_best_assemblies, find_best_assembly

__all__ = [
    "AssemblyPlan",
    "AssemblyStep",
    "Situation",
    "find_best_assemblies",
    "find_best_assembly",
    "make_situation",
]
