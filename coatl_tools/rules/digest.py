"""A short fingerprint of a state: equal for equal games, on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from hashlib import blake2b

from coatl_tools.cards.card import Card
from coatl_tools.cards.model import card_data
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import State

_BYTES = 8


def digest(state: State) -> str:
    """16 hexadecimal digits that tell this state, its options and its cards from others."""
    text = f"{_game_digest(state.game)} {state.stage.name} {state[2:]!r}"
    return blake2b(text.encode(), digest_size=_BYTES).hexdigest()


@lru_cache(maxsize=16)
def _game_digest(game: Game) -> str:
    options = json.dumps(asdict(game.options), sort_keys=True)
    return f"{options} {cards_digest(game.cards)}"


def cards_digest(cards: Iterable[Card]) -> str:
    """16 hexadecimal digits that tell these cards from others, whatever their order."""
    text = json.dumps(sorted((card_data(card) for card in cards), key=lambda card: str(card["id"])))
    return blake2b(text.encode(), digest_size=_BYTES).hexdigest()
