"""Heads, bodies and tails: their shape, their look, and the strips they are cut from."""
