"""The report on simulated games: what they say about cards, seats, bots and A.D.A.M.

`dataset_reader` reads the datasets of simulations, game by game; `counting` counts the games into
`report_figures`; `verdicts` judges a player's own cards. `page` writes the HTML page with its
`plots`, `json_export` gives the same figures to other programs.
"""
