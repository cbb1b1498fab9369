"""The journal of a table: its file, the format of its lines, and the readable record of a game."""
