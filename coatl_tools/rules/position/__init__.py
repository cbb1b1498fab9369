"""Games joined midway: a position as people see it, its checks, and the state it leads to."""
