"""A table for its readers: sentences for people, JSON for programs."""
