"""Boards and tokens."""
