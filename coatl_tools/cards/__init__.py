"""The game as data: what cards ask, how they are read from files, how they are worded."""
