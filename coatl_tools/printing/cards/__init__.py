"""The faces and backs of cards, drawn from what they ask."""
