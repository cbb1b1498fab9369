"""Readings shown to people: the overlay on the photo, and the report on how it was read."""
