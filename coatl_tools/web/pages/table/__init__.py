"""A table in progress as pages show it: always made from a view, never from the state."""
