"""Random numbers of kinds that numpy does not have."""

from __future__ import annotations

import numpy as np


def random_factor(rng: np.random.Generator, least: float, most: float) -> float:
    """Return a number of any order of magnitude within a range: its logarithm is uniform."""
    return float(np.exp(rng.uniform(np.log(least), np.log(most))))
