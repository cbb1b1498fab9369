"""How a Cóatl satisfies cards: one card, all cards, many Cóatls."""
