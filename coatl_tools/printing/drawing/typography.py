"""What good setting asks of a text: where a line may not break."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"


def spaced(text: str, language_code: str) -> str:
    """The text with no-break spaces: a number stays with what it counts.

    French signs stay with their word (and “n’importe” with “où”), Polish words of one letter
    with the next one.

    >>> spaced("Oui : « non », 3 pièces", "fr").replace("\\u00a0", "~")
    'Oui~: «~non~», 3~pièces'
    """
    text = re.sub(r"(?<=\b\d) (?=\w)|(?<=\b\d\d) (?=\w)", NO_BREAK, text)
    if language_code == "fr":
        text = re.sub(r" (?=[:;!?»])|(?<=\bn’importe) (?=où\b)", NO_BREAK, text)
        return re.sub(r"(?<=«) ", NO_BREAK, text)
    if language_code == "pl":
        return re.sub(r"(?<![^\s(„])([aiouwzAIOUWZ]) ", rf"\1{NO_BREAK}", text)
    return text
