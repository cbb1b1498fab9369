"""Printing: from cards and layouts to paper, in vectors."""
