"""Join several photos of one table: how they lie to each other, and what they show together."""
