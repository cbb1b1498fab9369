"""Where pictures are found, and what they show in words: for templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from urllib.parse import quote

from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.language import Language
from coatl_tools.rules.components import FEATHER, describe_pieces

PER_ROW, MOST_ROWS = 7, 6  # on a narrow screen


def pictures(words: Language, catalog: Catalog) -> Mapping[str, Callable[..., str | int] | int]:
    """What templates call to show cards, pieces and Cóatls."""
    return {
        "card_text": partial(card_text, words, catalog),
        "piece_text": partial(piece_text, words),
        "coatl_text": partial(coatl_text, words),
        "piece_file": piece_file,
        "coatl_url": coatl_url,
        "coatl_rows": coatl_rows,
        "per_row": PER_ROW,
    }


def card_text(words: Language, catalog: Catalog, card: str) -> str:
    """A card in words: `P05: Each red piece, …`."""
    return f"{card}: {describe_card(catalog[card], words.code)}"


def piece_text(words: Language, piece: str) -> str:
    """A piece in words: a red head."""
    return ", ".join(words.sentence(*phrase) for phrase in describe_pieces([piece]))


def coatl_text(words: Language, text: str) -> str:
    """A Cóatl in words, from head to tail, behind its notation."""
    spoken = [words.sentence(*phrase) for phrase in describe_pieces(split(text))]
    return f"{text}: {', '.join(spoken)}"


def split(text: str) -> list[str]:
    """The pieces of a Cóatl in its notation.

    >>> split("<RBFG>")
    ['<R', 'B', 'F', 'G>']
    """
    pieces: list[str] = []
    for char in text:
        if char == ">" or (pieces and pieces[-1] == "<"):
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def piece_file(piece: str) -> str:
    """The name of a piece's picture: `head-R`, `body-R`, `tail-R`, `golden`."""
    if piece == FEATHER:
        return "golden"
    kind = "head" if piece[0] == "<" else "tail" if piece[-1] == ">" else "body"
    return f"{kind}-{piece.strip('<>')}"


def coatl_url(text: str, lit: Iterable[int] | None = None, row: int | None = None) -> str:
    """Where the picture of a Cóatl is found; `lit` are the pieces, from 1, that shine.

    `row` is how many stand beside each other, if not all do.
    """
    shining = "" if lit is None else f"&lit={','.join(map(str, sorted(lit)))}"
    bent = "" if row is None else f"&row={row}"
    return f"/art/coatl.svg?c={quote(text)}{shining}{bent}"


def coatl_rows(text: str) -> int:
    """In how many rows a Cóatl stands on a narrow screen."""
    return min(MOST_ROWS, -(-len(split(text)) // PER_ROW))
