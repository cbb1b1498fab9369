"""The pages of a photo."""
