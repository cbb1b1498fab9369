"""A short fingerprint of a state: equal for equal games, on every machine."""

from __future__ import annotations

from hashlib import blake2b

from coatl_tools.rules.state import State

_BYTES = 8


def digest(state: State) -> str:
    """16 hexadecimal digits that tell this state, its options and its cards from others."""
    text = f"{state.game.fingerprint} {state.stage.name} {state[2:]!r}"
    return blake2b(text.encode(), digest_size=_BYTES).hexdigest()
