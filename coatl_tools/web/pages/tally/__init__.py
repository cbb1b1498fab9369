"""The pages of a tally."""
