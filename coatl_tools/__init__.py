"""Cóatl Tools: the board game Cóatl as data, a scorer that explains every point, a rules engine.

The public surface, all of it:

>>> from coatl_tools import load_cards, parse_coatl, score_card
>>> coatl, cards = parse_coatl("<BBRBBKRBBYY>"), load_cards()
>>> found = score_card(coatl, cards["P10"])
>>> found.count, found.level, found.points, found.occurrences
(3, 2, 5, ((1, 2), (4, 5), (8, 9)))

| name | what for |
|---|---|
| `parse_coatl(text)` | read a Cóatl, leniently; `str(coatl)` writes it canonically |
| `load_cards(*files)` | the game's cards, and those of your own files |
| `score_card(coatl, card, beside, closed_ends)` | one card on one Cóatl |
| `score_many(coatls, cards, closed_ends)` | points of many Cóatls at once, as an array |
| `find_fulfilled_cards(coatl, cards, closed_ends)` | all cards that score something |
| `find_best_set(coatl, cards, different_colours, closed_ends)` | the best legal set of cards |
| `find_missing_pieces(coatl, card, target, beside, closed_ends)` | the fewest pieces to add |
| `describe_card(card, language)` | what a card asks, in words |
| `Card`, `CardScore`, `Catalog`, `Coatl`, `Colour`, `BestSet`, `Extension` | the values |
| `coatl_tools.rules` | the whole game: `help(coatl_tools.rules)` |
| `coatl_tools.referee` | a table's file: `help(coatl_tools.referee)` |
| `CoatlError` and below | every error there is; see `coatl_tools.errors` |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coatl_tools._version import __version__
from coatl_tools.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from coatl_tools.cards.card import Card
    from coatl_tools.cards.card_text import describe_card
    from coatl_tools.cards.catalog import Catalog, load_cards
    from coatl_tools.errors import (
        CardDataError,
        CoatlError,
        FileError,
        NotationError,
        RequirementTooComplexError,
        UnknownCardError,
    )
    from coatl_tools.notation import parse_coatl
    from coatl_tools.pieces import Coatl, Colour
    from coatl_tools.scoring.batch import score_many
    from coatl_tools.scoring.missing_pieces import Extension, find_missing_pieces
    from coatl_tools.scoring.score import (
        BestSet,
        CardScore,
        find_best_set,
        find_fulfilled_cards,
        score_card,
    )

__all__ = [
    "BestSet",
    "Card",
    "CardDataError",
    "CardScore",
    "Catalog",
    "Coatl",
    "CoatlError",
    "Colour",
    "Extension",
    "FileError",
    "NotationError",
    "RequirementTooComplexError",
    "UnknownCardError",
    "__version__",
    "describe_card",
    "find_best_set",
    "find_fulfilled_cards",
    "find_missing_pieces",
    "load_cards",
    "parse_coatl",
    "score_card",
    "score_many",
]

# Imported on first use, so that `coatl --help` does not wait for what it does not need.
if not TYPE_CHECKING:  # a type checker has seen the imports above
    __getattr__ = make_lazy_getattr(
        __name__,
        __all__,
        (
            "errors",
            "pieces",
            "notation",
            "cards.card",
            "cards.catalog",
            "cards.card_text",
            "scoring.score",
            "scoring.missing_pieces",
            "scoring.batch",
        ),
    )
