"""Many games played by computer players: how they are run, and the tables they leave."""
