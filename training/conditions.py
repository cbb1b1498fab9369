"""What makes a photo hard to read, besides what lies on the table."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

# Shares of photos.
WINDOW, COLOURED_LAMPS, NIGHT, MESSENGER = 0.28, 0.12, 0.12, 0.2
TOUCHING, ON_CARDS, ON_BOARD, COVERED, CLUTTER = 0.15, 0.25, 0.14, 0.3, 0.6


@dataclass(frozen=True)
class Conditions:
    """What is true of a photo; each is decided before anything is drawn."""

    window: bool  # gloss mirrors a window or a bright screen
    coloured_lamps: bool
    night: bool
    messenger: bool  # sent by one, so smaller and compressed hard
    touching: bool  # Cóatls touch
    on_cards: bool  # they lie on printed cards and sheets
    on_board: bool  # or beside a board with loose pieces
    covered: bool  # a hand, a sleeve or a thing lies over some pieces
    clutter: bool  # toys, mugs and the like lie beside them

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those that are true."""
        return tuple(name for name, true in asdict(self).items() if true)


def random_conditions(rng: np.random.Generator) -> Conditions:
    """Return some conditions, each as often as its share says."""
    shares = (WINDOW, COLOURED_LAMPS, NIGHT, MESSENGER, TOUCHING, ON_CARDS, ON_BOARD, COVERED,
              CLUTTER)  # fmt: skip
    return Conditions(
        *(
            bool(chance < share)
            for chance, share in zip(rng.random(len(shares)), shares, strict=True)
        )
    )
