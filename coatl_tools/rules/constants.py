"""The pieces, and the numbers that the rules count with.

What can be counted in the box comes from `carddata/components.json`; the numbers written here are
rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TypeAlias

from coatl_tools.components.counts import get_component_count, get_counts_by_players
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
PIECES_OF_KIND = {BODY: (*BODIES, FEATHER), HEAD: HEADS, TAIL: TAILS}
KIND_OF_PIECE = {piece: kind for kind, pieces in PIECES_OF_KIND.items() for piece in pieces}
BAG_INDEX = {
    piece: place for pieces in PIECES_OF_KIND.values() for place, piece in enumerate(pieces)
}

PIECES_PER_SPACE = {  # rule 1.4
    BODY: get_component_count("supply_board", "bodies_per_space"),
    HEAD: 1,
    TAIL: 1,
}
MAX_PIECES_PER_SPACE = max(PIECES_PER_SPACE.values())
SPACE_KINDS = (  # ruling 9.6
    BODY * get_component_count("supply_board", "body_spaces")
    + HEAD * get_component_count("supply_board", "head_spaces")
    + TAIL * get_component_count("supply_board", "tail_spaces")
)
BOARD_SPACES = get_component_count("player_boards", "spaces")  # rule 1.5
ENDS = ("head", "tail")

HEADS_PER_COLOUR = get_component_count("pieces", "head")  # rule 1.2
BODIES_PER_COLOUR = get_component_count("pieces", "body")
TAILS_PER_COLOUR = get_component_count("pieces", "tail")
SOLO_BODIES_PER_COLOUR = get_component_count("bodies_per_colour", "solo")  # rule 7.1
FEWER_BODIES_BY_PLAYERS = get_counts_by_players("bodies_per_colour", "fewer_bodies")  # rule 10.2
FEATHER_BODIES_BY_PLAYERS = get_counts_by_players("bodies_per_colour", "golden_feathers")  # 10.3
FEATHERS_BY_PLAYERS = get_counts_by_players("golden_bodies_in_play")
FEATHER_POINTS = 2

# Every number of the box that a game depends on, as `components.json` names it.
BOX_COUNTS = {
    "pieces.head": HEADS_PER_COLOUR,
    "pieces.body": BODIES_PER_COLOUR,
    "pieces.tail": TAILS_PER_COLOUR,
    "supply_board.body_spaces": SPACE_KINDS.count(BODY),
    "supply_board.bodies_per_space": PIECES_PER_SPACE[BODY],
    "supply_board.head_spaces": SPACE_KINDS.count(HEAD),
    "supply_board.tail_spaces": SPACE_KINDS.count(TAIL),
    "player_boards.spaces": BOARD_SPACES,
    "bodies_per_colour.solo": SOLO_BODIES_PER_COLOUR,
    **{
        f"{name}.{players}": number
        for name, by_players in (
            ("bodies_per_colour.fewer_bodies", FEWER_BODIES_BY_PLAYERS),
            ("bodies_per_colour.golden_feathers", FEATHER_BODIES_BY_PLAYERS),
            ("golden_bodies_in_play", FEATHERS_BY_PLAYERS),
        )
        for players, number in by_players.items()
    },
}

PROPHECY_SUPPLY_SIZE = 6  # rule 2.4
PROPHECIES_DEALT = (3, 4, 5, 6)
MAX_PLAYERS = len(PROPHECIES_DEALT)
PROPHECIES_KEPT = 3
HAND_LIMIT = 5  # rule 3.4
MAX_OPEN_COATLS = 2  # rule 3.6
COATLS_TO_END = 3  # rule 3.13

ADAM_INDEX = 1  # whose turn it is at a solo table: the player's index is 0, A.D.A.M.'s is 1
ADAM_NAME = "A.D.A.M."
SOLO_PROPHECIES_DEALT = 5
ADAM_ROW_SIZE = 3
SOLO_LEVELS = (1, 2, 3, 4, 5)  # rule 7.10
HAND_LIMIT_LEVEL_2 = 4
ADAM_ROW_SIZE_LEVEL_5 = 4

PERFECT_PICK, SEE_THE_FUTURE, PRIEST_COMMITMENT = (
    "perfect_pick",
    "see_the_future",
    "priest_commitment",
)
TOKENS = (PERFECT_PICK, SEE_THE_FUTURE, PRIEST_COMMITMENT)  # rule 1.5


def phrase_piece(piece: Piece) -> Phrase:
    """Describe a piece as messages name it: its kind and its colour."""
    if piece == FEATHER:
        return "pieces.golden", {}
    if piece not in KIND_OF_PIECE:
        return "pieces.unknown", {"text": piece}
    key = {HEAD: "pieces.head", BODY: "pieces.body", TAIL: "pieces.tail"}[KIND_OF_PIECE[piece]]
    return key, {"colour": Colour[piece.strip("<>")]}


def phrase_pieces(pieces: Iterable[Piece]) -> list[Phrase]:
    """Describe pieces in their order, equal ones side by side as one with a number."""
    found: list[Phrase] = []
    for piece, same in groupby(pieces):
        number, name = len(list(same)), phrase_piece(piece)
        found.append(name if number == 1 else ("adam.times", {"piece": name, "n": number}))
    return found
