"""Finding cards: by their mark, their id, and what is drawn on them."""
