"""Corrections of a reading: their values, their syntax, applying them, and the session."""
