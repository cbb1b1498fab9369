"""The whole game for 2 to 4 players as pure functions.

| module | what |
|---|---|
| `options` | `TableOptions`: edition, variants and rulings of one table |
| `game`, `state` | what never changes in a game, and what does |
| `events` | one small value for each thing that can happen |
| `engine` | `new_game`, `legal_actions`, `apply`, `awaiting` |
| `dealer` | `deal`: what a draw brings, from a seed |
| `view` | `view`: what one player may know |
| `ending` | `result`: scores, ties, winners |
| `history` | the game as a fold of events, with undo and correction |
"""
