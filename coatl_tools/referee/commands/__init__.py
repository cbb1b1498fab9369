"""The commands that people type at a table, and what they mean."""
