"""Parameters of tests: which the suite tries, and which only the soak."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(every: Iterable[Any], *suite: Any) -> list[Any]:
    """Mark all parameters for the soak but those named; a tuple is a set of arguments.

    A language that is added costs the suite nothing then, and the soak tries it everywhere.
    """
    found = []
    for one in every:
        values = one if isinstance(one, tuple) else (one,)
        found.append(pytest.param(*values, marks=() if one in suite else pytest.mark.soak))
    return found
