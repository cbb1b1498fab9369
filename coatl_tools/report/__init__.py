"""The report on simulated games: what they say about cards, seats, bots and A.D.A.M.

`game_source` reads the datasets of a simulation, game by game; `counting` counts the games;
`figures` are the values that come out; `verdicts` judges a player's own cards; `plots` and `page`
show all of it.

`tables` reads what a simulation has left, game by game; `tally` counts it; `figures` are the
values that come out; `verdict` judges cards of one's own; `plots` and `page` show all of it.
"""
