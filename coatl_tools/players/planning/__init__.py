"""The planner: the best assembly of a turn, exactly, and the steps that lead there.

