"""What a player still lacks: for each card in reach, the fewest pieces that make it pay (more).

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules import Game, TableOptions
>>> from coatl_tools.rules.state import Built
>>> game = Game(TableOptions(), load_cards().deck())
>>> one = lacks(Situation(game, board=("B",), coatls=(Built("<RB"),)), supply=("P05",))[0]
>>> one.coatl, one.next_points, len(one.way), len(one.way.lacking)
(1, 2, 2, 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from coatl_tools.cards.card import Card
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.notation import parse
from coatl_tools.pieces import MAX_PIECES
from coatl_tools.players.planning.situation import Situation
from coatl_tools.rules.box import (
    BODIES,
    HEADS,
    OPEN_COATLS,
    PROPHECIES_PER_COATL,
    TAILS,
    Piece,
    Pieces,
)
from coatl_tools.rules.state import Built, without
from coatl_tools.scoring.reach import Extension, missing
from coatl_tools.scoring.score import score

ANY = "*"  # a piece of any colour
NEW = 0  # the number of a Cóatl that is not begun yet
NEAR = 8  # pieces; of ways that are longer, the first is as good as any
REMEMBERED = 1 << 13


class Where(Enum):
    """Where a card lies."""

    BESIDE = "beside"  # a Cóatl: its level may be raised
    HAND = "hand"
    SUPPLY = "supply"
    PILE = "pile"


@dataclass(frozen=True, slots=True)
class Needed:
    """A piece to attach: one of the board, or else its colour (`*`: any), whatever its kind."""

    piece: Piece
    on_board: bool


@dataclass(frozen=True, slots=True)
class Way:
    """Pieces to attach before the first piece and behind the last, each in reading order."""

    head_end: tuple[Needed, ...]
    tail_end: tuple[Needed, ...]

    def __len__(self) -> int:
        return len(self.head_end) + len(self.tail_end)

    def __bool__(self) -> bool:
        return True  # nothing to attach is a way too

    @property
    def lacking(self) -> Pieces:
        """The pieces that are not on the board."""
        both = (*self.head_end, *self.tail_end)
        return tuple(needed.piece for needed in both if not needed.on_board)


@dataclass(frozen=True, slots=True)
class Lack:
    """A card and a Cóatl: what it is worth there now, and the way to its next level.

    `next_points` is 0 at the highest level. `way` is None there, if no pieces lead to the next
    level, and, with `known` False, if the requirement is too intricate to tell.
    """

    card: str
    where: Where
    coatl: int  # `NEW` for one that is to be begun
    points: int
    next_points: int = 0
    way: Way | None = None
    known: bool = True

    @property
    def ready(self) -> bool:
        """Whether the card does not lie there yet, and could: a Temple card once it is closed."""
        return self.where is not Where.BESIDE and self.points > 0

    @property
    def nearness(self) -> tuple[int, int, int]:
        """What is smaller for what is nearer: pieces to get, pieces to attach, points to gain."""
        if self.ready:
            return 0, 0, -self.points
        if self.way is None:
            return MAX_PIECES, 0, 0
        return len(self.way.lacking), len(self.way), -self.next_points


def lacks(situation: Situation, supply: Pieces = ()) -> tuple[Lack, ...]:
    """Every card in reach on every Cóatl that it may join, on those that it lies beside, and new.

    Cards of the board's owner come first, in the order: beside Cóatls, hand, supply, piles.
    """
    return tuple(_lacks(situation, supply))


def nearest(found: tuple[Lack, ...]) -> tuple[Lack, ...]:
    """For each card the Cóatl where it lacks least, the nearest first; none that is hopeless."""
    best: dict[tuple[str, Where], Lack] = {}
    for lack in found:
        if lack.way is None and not lack.ready:
            continue
        known = best.get((lack.card, lack.where))
        if known is None or lack.nearness < known.nearness:
            best[lack.card, lack.where] = lack
    return tuple(sorted(best.values(), key=lambda lack: lack.nearness))


def _lacks(situation: Situation, supply: Pieces) -> Iterator[Lack]:
    game = situation.game
    begun = [(n, coatl) for n, coatl in enumerate(situation.coatls, start=1) if not coatl.complete]
    room = len(begun) < OPEN_COATLS and len(situation.coatls) < game.coatl_limit
    for number, coatl in begun:
        for card in coatl.prophecies:
            yield _lack(situation, card, Where.BESIDE, number, coatl)
    cards = [(card, Where.HAND) for card in (*situation.hand, *situation.temples)]
    cards += [(card, Where.SUPPLY) for card in supply]
    cards += [(card, Where.PILE) for card in situation.tops if card]
    for card, where in dict.fromkeys(cards):
        for number, coatl in begun:
            if _may_join(situation, card, coatl):
                yield _lack(situation, card, where, number, coatl)
        if room:
            yield _lack(situation, card, where, NEW, Built(""))


def _may_join(situation: Situation, card: str, coatl: Built) -> bool:
    """Whether a card may lie beside a Cóatl, once it satisfies it (rules 3.9, 3.11, 7.10)."""
    game, placed = situation.game, coatl.prophecies
    if game.is_temple(card):
        return True
    if card in placed or len(placed) >= PROPHECIES_PER_COATL:
        return False
    return game.by_id[card].colour not in game.colours_taken(placed)


def _lack(situation: Situation, card_id: str, where: Where, number: int, built: Built) -> Lack:
    game = situation.game
    card, closed_ends = game.by_id[card_id], game.options.closed_ends
    beside = tuple(game.by_id[other] for other in built.prophecies)
    level = points = 0
    if built.text:
        now = score(parse(built.text), card, beside, closed_ends)
        level, points = now.level, now.points
    if level == len(card.levels):
        return Lack(card_id, where, number, points)
    following = card.levels[level]
    search = _Search(card, following.count, beside, closed_ends)
    try:
        way = search.way(built.text, situation.board)
    except RequirementTooIntricateError:
        return Lack(card_id, where, number, points, following.points, None, known=False)
    return Lack(card_id, where, number, points, following.points, way)


@dataclass(frozen=True, slots=True)
class _Search:
    """How a card is brought to a count, with what lies on a board where that helps."""

    card: Card
    target: int
    beside: tuple[Card, ...]
    closed_ends: bool

    def way(self, text: str, board: Pieces) -> Way | None:
        """A shortest way, by pieces of the board wherever one of them leads on."""
        found = self._grown(text, Way((), ()), board) if text else self._begun(board)
        return None if found is None else self._with_any(text, found)

    def _begun(self, board: Pieces) -> Way | None:
        """The same for a Cóatl that is not begun yet: all of it is at its tail end."""
        starts = [*((piece, True) for piece in _usable(board)), *((p, False) for p in BODIES)]
        if self.closed_ends:
            starts += [(piece, False) for piece in (*HEADS, *TAILS)]
        found = [(start, self._missing(start[0])) for start in starts]
        lengths = [len(way) for _, way in found if way is not None]
        if not lengths:
            return None
        (piece, on_board), _ = next(
            one for one in found if one[1] is not None and len(one[1]) == min(lengths)
        )
        left = without(board, piece) if on_board else board
        grown = self._grown(piece, Way((), ()), left)
        if grown is None:
            return None
        return Way((), (*grown.head_end, Needed(piece, on_board), *grown.tail_end))

    def _with_any(self, text: str, way: Way) -> Way:
        """The way, with `*` for pieces whose colour does not matter, alone and all together."""
        head_end, tail_end = ([*end] for end in (way.head_end, way.tail_end))
        open_ones = []
        for end in (head_end, tail_end):
            for place, needed in enumerate(end):
                if needed.on_board or len(needed.piece) > 1:
                    continue
                end[place] = Needed(ANY, on_board=False)
                if self._met_by_any(text, head_end, tail_end):
                    open_ones.append(place)
                else:
                    end[place] = needed
        return Way(tuple(head_end), tuple(tail_end)) if open_ones else way

    def _met_by_any(self, text: str, head_end: list[Needed], tail_end: list[Needed]) -> bool:
        before, behind = ("".join(n.piece for n in end) for end in (head_end, tail_end))
        whole = f"{before}{text}{behind}"
        return all(
            score(parse(whole.replace(ANY, colour)), self.card, self.beside, self.closed_ends).count
            >= self.target
            for colour in BODIES
        )

    def _missing(self, text: str) -> Extension | None:
        return _missing(text, self.card, self.target, self.beside, self.closed_ends)

    def _grown(self, text: str, so_far: Way, board: Pieces) -> Way | None:
        """A shortest way from here, piece by piece from the Cóatl outwards."""
        left = self._missing(text)
        if left is None:
            return None
        if not len(left):
            return so_far
        if len(left) > NEAR:
            return _as_found(left, so_far, board)
        piece, end, on_board = self._next(text, left, board)
        needed = (Needed(piece, on_board),)
        if end == "head":
            so_far = Way((*needed, *so_far.head_end), so_far.tail_end)
        else:
            so_far = Way(so_far.head_end, (*so_far.tail_end, *needed))
        board = without(board, piece) if on_board else board
        return self._grown(_attached(text, piece, end), so_far, board)

    def _next(self, text: str, left: Extension, board: Pieces) -> tuple[Piece, str, bool]:
        """A piece on a shortest way: from the board if one is, else the first one found."""
        for piece in _usable(board):
            for end in _ends(text, piece):
                after = self._missing(_attached(text, piece, end))
                if after is not None and len(after) == len(left) - 1:
                    return piece, end, True
        if left.tail_end:
            closes = left.tail and len(left.tail_end) == 1
            return f"{left.tail_end[0].name}{'>' * closes}", "tail", False
        closes = left.head and len(left.head_end) == 1
        return f"{'<' * closes}{left.head_end[-1].name}", "head", False


@lru_cache(maxsize=REMEMBERED)
def _missing(
    text: str, card: Card, target: int, beside: tuple[Card, ...], closed_ends: bool
) -> Extension | None:
    return missing(parse(text), card, target, beside, closed_ends)


def _usable(board: Pieces) -> list[Piece]:
    """Each piece once; body segments first, as they close no end."""
    return sorted(set(board), key=lambda piece: (len(piece), piece))


def _ends(text: str, piece: Piece) -> list[str]:
    """Where a piece may be attached (rules 3.7, 3.10)."""
    touching = len(text) == 2 and len(piece) == 2  # a head and a tail are never joined directly
    tail = ["tail"] if piece[0] != "<" and text[-1] != ">" and not touching else []
    head = ["head"] if piece[-1] != ">" and text[0] != "<" and not touching else []
    return tail + head


def _attached(text: str, piece: Piece, end: str) -> str:
    return f"{piece}{text}" if end == "head" else f"{text}{piece}"


def _as_found(left: Extension, so_far: Way, board: Pieces) -> Way:
    """A long way, as it was found; what lies on the board is marked."""
    marked = []
    for colours in (left.head_end, left.tail_end):
        end = []
        for colour in colours:
            on_board = colour.name in board
            end.append(Needed(colour.name, on_board))
            board = without(board, colour.name) if on_board else board
        marked.append(tuple(end))
    before, behind = marked
    return Way((*before, *so_far.head_end), (*so_far.tail_end, *behind))
