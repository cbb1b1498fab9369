"""What good setting asks of a text: where a line may not break."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"


def spaced(text: str, language_code: str) -> str:
    """The text with no-break spaces: French signs stay with their word, Polish one-letter words
    with the next one.

    >>> spaced("Oui : « non »", "fr").replace("\\u00a0", "~")
    'Oui~: «~non~»'
    """
    if language_code == "fr":
        text = re.sub(r" (?=[:;!?»])", NO_BREAK, text)
        return re.sub(r"(?<=«) ", NO_BREAK, text)
    if language_code == "pl":
        return re.sub(r"(?<![^\s(„])([aiouwzAIOUWZ]) ", rf"\1{NO_BREAK}", text)
    return text
