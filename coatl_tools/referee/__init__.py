"""A table in progress: the file that its game is kept in."""
