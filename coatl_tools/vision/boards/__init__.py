"""Boards with loose pieces: which board a photo shows, where it lies, and what lies on it."""
