"""What is in the box, as the engine handles it: pieces, bags, spaces and limits."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TypeAlias

from coatl_tools.errors import Phrase
from coatl_tools.pieces import Colour

# A piece is written as in a Cóatl: `<R` a head, `R` a body segment, `R>` a tail.
Piece: TypeAlias = str
Pieces: TypeAlias = tuple[Piece, ...]
Bag: TypeAlias = tuple[int, ...]  # how many of each piece of its kind are left

COLOURS = "RGBYK"  # rule 1.1
FEATHER: Piece = "F"  # a golden segment, rule 10.3
BODY, HEAD, TAIL = "b", "h", "t"

HEADS: Pieces = tuple(f"<{colour}" for colour in COLOURS)
BODIES: Pieces = tuple(COLOURS)
TAILS: Pieces = tuple(f"{colour}>" for colour in COLOURS)
PIECES = {BODY: (*BODIES, FEATHER), HEAD: HEADS, TAIL: TAILS}
KIND = {piece: kind for kind, pieces in PIECES.items() for piece in pieces}
PLACE = {piece: place for pieces in PIECES.values() for place, piece in enumerate(pieces)}

PER_SPACE = {BODY: 2, HEAD: 1, TAIL: 1}  # rule 1.4
MOST_PER_SPACE = max(PER_SPACE.values())
SPACE_KINDS = BODY * 6 + HEAD * 2 + TAIL * 2  # ruling 9.6
BOARD_SPACES = 8  # rule 1.5
ENDS = ("head", "tail")

HEADS_PER_COLOUR = TAILS_PER_COLOUR = 3  # rule 1.2
BODIES_PER_COLOUR = 24
FEWER_BODIES = {2: 14, 3: 18}  # rule 10.2
FEATHER_BODIES = {2: 14, 3: 18, 4: 24}  # rule 10.3
FEATHERS = {2: 4, 3: 5, 4: 6}
FEATHER_POINTS = 2

SUPPLY_CARDS = 6  # rule 2.4
DEALT = (3, 4, 5, 6)
KEPT = 3
HAND_LIMIT = 5  # rule 3.4
OPEN_COATLS = 2  # rule 3.6
PROPHECIES_PER_COATL = 4  # rule 3.9
COATLS_TO_END = 3  # rule 3.13

ADAM = 1  # whose turn it is at a solo table: the player's index is 0, A.D.A.M.'s is 1
ADAM_NAME = "A.D.A.M."
SOLO_BODIES = 16  # rule 7.1
SOLO_DEALT = 5
ADAM_CARDS = 3
LEVELS = (1, 2, 3, 4, 5)  # rule 7.10
HAND_LIMIT_LEVEL_2 = 4
ADAM_CARDS_LEVEL_5 = 4

PERFECT_PICK, SEE_THE_FUTURE, PRIEST_COMMITMENT = (
    "perfect_pick",
    "see_the_future",
    "priest_commitment",
)
TOKENS = (PERFECT_PICK, SEE_THE_FUTURE, PRIEST_COMMITMENT)  # rule 1.5


def piece_in_words(piece: Piece) -> Phrase:
    """A piece as messages name it: its kind and its colour."""
    if piece == FEATHER:
        return "pieces.golden", {}
    if piece not in KIND:
        return "pieces.unknown", {"text": piece}
    key = {HEAD: "pieces.head", BODY: "pieces.body", TAIL: "pieces.tail"}[KIND[piece]]
    return key, {"colour": Colour[piece.strip("<>")]}


def pieces_in_words(pieces: Iterable[Piece]) -> list[Phrase]:
    """Pieces in their order, equal ones side by side as one with a number."""
    found: list[Phrase] = []
    for piece, same in groupby(pieces):
        number, name = len(list(same)), piece_in_words(piece)
        found.append(name if number == 1 else ("adam.times", {"piece": name, "n": number}))
    return found
