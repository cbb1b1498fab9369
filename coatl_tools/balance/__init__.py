"""The balance report: what many simulated games say about cards, seats, bots and A.D.A.M.

`tables` reads what a simulation has left, game by game; `tally` counts it; `figures` are the
values that come out; `verdict` judges cards of one's own; `plots` and `page` show all of it.
"""
