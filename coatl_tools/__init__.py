"""Cóatl Tools: the board game Cóatl as data, a scorer that explains every point, a rules engine.

The public surface, all of it:

>>> from coatl_tools import load_cards, parse, score
>>> coatl, cards = parse("<BBRBBKRBBYY>"), load_cards()
>>> found = score(coatl, cards["P10"])
>>> found.count, found.level, found.points, found.occurrences
(3, 2, 5, ((1, 2), (4, 5), (8, 9)))

| name | what for |
|---|---|
| `parse(text)` | read a Cóatl, leniently; `str(coatl)` writes it canonically |
| `load_cards(*files)` | the game's cards, and those of your own files |
| `score(coatl, card, beside, closed_ends)` | one card on one Cóatl |
| `score_many(coatls, cards, closed_ends)` | points of many Cóatls at once, as an array |
| `fulfilled(coatl, cards, closed_ends)` | all cards that score something |
| `best_set(coatl, cards, different_colours, closed_ends)` | the best legal set of cards |
| `missing(coatl, card, target, beside, closed_ends)` | the fewest pieces to reach a count |
| `describe(card, language)` | what a card asks, in words |
| `Card`, `CardScore`, `Catalog`, `Coatl`, `Colour`, `BestSet`, `Extension` | the values |
| `coatl_tools.rules` | the whole game: `help(coatl_tools.rules)` |
| `coatl_tools.referee` | a table's file: `help(coatl_tools.referee)` |
| `CoatlError` and below | every error there is; see `coatl_tools.errors` |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from coatl_tools._version import __version__

if TYPE_CHECKING:
    from coatl_tools.cards.card import Card
    from coatl_tools.cards.catalog import Catalog, load_cards
    from coatl_tools.cards.wording import describe
    from coatl_tools.errors import (
        CardDataError,
        CoatlError,
        FileError,
        NotationError,
        RequirementTooIntricateError,
        UnknownCardError,
    )
    from coatl_tools.notation import parse
    from coatl_tools.pieces import Coatl, Colour
    from coatl_tools.scoring.batch import score_many
    from coatl_tools.scoring.best import BestSet, best_set, fulfilled
    from coatl_tools.scoring.reach import Extension, missing
    from coatl_tools.scoring.score import CardScore, score

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
    "RequirementTooIntricateError",
    "UnknownCardError",
    "__version__",
    "best_set",
    "describe",
    "fulfilled",
    "load_cards",
    "missing",
    "parse",
    "score",
    "score_many",
]

# Imported on first use, so that `coatl --help` does not wait for what it does not need.
_HOMES = {
    "BestSet": "scoring.best",
    "Card": "cards.card",
    "CardDataError": "errors",
    "CardScore": "scoring.score",
    "Catalog": "cards.catalog",
    "Coatl": "pieces",
    "CoatlError": "errors",
    "Colour": "pieces",
    "Extension": "scoring.reach",
    "FileError": "errors",
    "NotationError": "errors",
    "RequirementTooIntricateError": "errors",
    "UnknownCardError": "errors",
    "best_set": "scoring.best",
    "describe": "cards.wording",
    "fulfilled": "scoring.best",
    "load_cards": "cards.catalog",
    "missing": "scoring.reach",
    "parse": "notation",
    "score": "scoring.score",
    "score_many": "scoring.batch",
}


if not TYPE_CHECKING:  # so that a type checker still knows a name that is not there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
