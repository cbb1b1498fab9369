"""Pages to read: the rules, the solo game and its mat, the card reference."""
