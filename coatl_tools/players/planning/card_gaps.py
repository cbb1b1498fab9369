"""For each card in reach, the fewest pieces that make it pay, or pay more, on each Cóatl.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules import Game, TableOptions
>>> from coatl_tools.rules.state import Built
>>> game = Game(TableOptions(), load_cards().deck())
>>> one = find_card_gaps(Situation(game, board=("B",), coatls=(Built("<RB"),)), supply=("P05",))[0]
>>> one.coatl, one.next_points, len(one.way), len(one.way.lacking)
(1, 2, 2, 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import MAX_PIECES, find_attachment_fault
from coatl_tools.players.planning.plan import Situation
from coatl_tools.rules.constants import BODIES, HEADS, MAX_OPEN_COATLS, TAILS, Piece, Pieces
from coatl_tools.rules.state import Built, remove_item
from coatl_tools.scoring.missing_pieces import Extension, find_missing_pieces
from coatl_tools.scoring.score import score_card

ANY_COLOUR = "*"  # a piece of any colour
NEW_COATL_NUMBER = 0  # the number of a Cóatl that is not begun yet
MAX_SEARCHED_PIECES = 8  # pieces; of ways that are longer, the first is as good as any
MISSING_CACHE_SIZE = 1 << 13


class CardLocation(Enum):
    """Where a card lies."""

    BESIDE = "beside"  # a Cóatl: its level may be raised
    HAND = "hand"
    SUPPLY = "supply"
    PILE = "pile"


@dataclass(frozen=True, slots=True)
class PieceToAttach:
    """A piece to attach: one of the board, or else its colour (`*`: any), whatever its kind."""

    piece: Piece
    on_board: bool


@dataclass(frozen=True, slots=True)
class PiecesToAttach:
    """Pieces to attach before the first piece and behind the last, each in reading order."""

    head_end: tuple[PieceToAttach, ...]
    tail_end: tuple[PieceToAttach, ...]

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
class CardGap:
    """A card and a Cóatl: what it is worth there now, and the way to its next level.

    `next_points` is 0 at the highest level. `way` is None there, if no pieces lead to the next
    level, and, with `known` False, if the requirement is too intricate to tell.
    """

    card: str
    where: CardLocation
    coatl: int  # `NEW_COATL_NUMBER` for one that is to be begun
    points: int
    next_points: int = 0
    way: PiecesToAttach | None = None
    known: bool = True

    @property
    def ready(self) -> bool:
        """Whether the card does not lie there yet, and could: a Temple card once it is closed."""
        return self.where is not CardLocation.BESIDE and self.points > 0

    @property
    def nearness(self) -> tuple[int, int, int]:
        """What is smaller for what is nearer: pieces to get, pieces to attach, points to gain."""
        if self.ready:
            return 0, 0, -self.points
        if self.way is None:
            return MAX_PIECES, 0, 0
        return len(self.way.lacking), len(self.way), -self.next_points


def find_card_gaps(situation: Situation, supply: Pieces = ()) -> tuple[CardGap, ...]:
    """Find the gaps of every card in reach, on each Cóatl that it may join or lies beside, and a
    new one.

    Cards of the board's owner come first, in the order: beside Cóatls, hand, supply, piles.
    """
    return tuple(_iterate_gaps(situation, supply))


def select_nearest_gaps(found: tuple[CardGap, ...]) -> tuple[CardGap, ...]:
    """Select for each card the Cóatl where it lacks least, the nearest first, none hopeless."""
    best: dict[tuple[str, CardLocation], CardGap] = {}
    for lack in found:
        if lack.way is None and not lack.ready:
            continue
        known = best.get((lack.card, lack.where))
        if known is None or lack.nearness < known.nearness:
            best[lack.card, lack.where] = lack
    return tuple(sorted(best.values(), key=lambda lack: lack.nearness))


def _iterate_gaps(situation: Situation, supply: Pieces) -> Iterator[CardGap]:
    game = situation.game
    begun = [(n, coatl) for n, coatl in enumerate(situation.coatls, start=1) if not coatl.complete]
    room = len(begun) < MAX_OPEN_COATLS and len(situation.coatls) < game.coatl_limit
    for number, coatl in begun:
        for card in coatl.prophecies:
            yield _find_gap(situation, card, CardLocation.BESIDE, number, coatl)
    cards = [(card, CardLocation.HAND) for card in (*situation.hand, *situation.temples)]
    cards += [(card, CardLocation.SUPPLY) for card in supply]
    cards += [(card, CardLocation.PILE) for card in situation.tops if card]
    for card, where in dict.fromkeys(cards):
        for number, coatl in begun:
            if _can_join(situation, card, coatl):
                yield _find_gap(situation, card, where, number, coatl)
        if room:
            yield _find_gap(situation, card, where, NEW_COATL_NUMBER, Built(""))


def _can_join(situation: Situation, card: str, coatl: Built) -> bool:
    """Tell whether a card may join a Cóatl, once this satisfies it (rules 3.9, 3.11, 7.10)."""
    game, placed = situation.game, coatl.prophecies
    if game.is_temple(card):
        return True
    if card in placed or len(placed) >= MAX_PROPHECIES_PER_COATL:
        return False
    return game.by_id[card].colour not in game.colours_taken(placed)


def _find_gap(
    situation: Situation, card_id: str, where: CardLocation, number: int, built: Built
) -> CardGap:
    game = situation.game
    card, closed_ends = game.by_id[card_id], game.options.closed_ends
    beside = tuple(game.by_id[other] for other in built.prophecies)
    level = points = 0
    if built.text:
        now = score_card(parse_coatl(built.text), card, beside, closed_ends)
        level, points = now.level, now.points
    if level == len(card.levels):
        return CardGap(card_id, where, number, points)
    following = card.levels[level]
    search = _GapSearch(card, following.count, beside, closed_ends)
    try:
        way = search.find_way(built.text, situation.board)
    except RequirementTooComplexError:
        return CardGap(card_id, where, number, points, following.points, None, known=False)
    return CardGap(card_id, where, number, points, following.points, way)


@dataclass(frozen=True, slots=True)
class _GapSearch:
    """Searches for the pieces that bring a card to a count, from the board where possible."""

    card: Card
    target: int
    beside: tuple[Card, ...]
    closed_ends: bool

    def find_way(self, text: str, board: Pieces) -> PiecesToAttach | None:
        """Find a shortest way, with pieces of the board wherever one of them leads on."""
        found = (
            self._extend_way(text, PiecesToAttach((), ()), board)
            if text
            else self._find_way_for_new(board)
        )
        return None if found is None else self._generalize_colours(text, found)

    def _find_way_for_new(self, board: Pieces) -> PiecesToAttach | None:
        """Find a shortest way for a new Cóatl, all of whose pieces count as its tail end."""
        starts = [
            *((piece, True) for piece in _list_usable_pieces(board)),
            *((p, False) for p in BODIES),
        ]
        if self.closed_ends:
            starts += [(piece, False) for piece in (*HEADS, *TAILS)]
        found = [(start, self._find_missing(start[0])) for start in starts]
        lengths = [len(way) for _, way in found if way is not None]
        if not lengths:
            return None
        (piece, on_board), _ = next(
            one for one in found if one[1] is not None and len(one[1]) == min(lengths)
        )
        left = remove_item(board, piece) if on_board else board
        grown = self._extend_way(piece, PiecesToAttach((), ()), left)
        if grown is None:
            return None
        return PiecesToAttach(
            (), (*grown.head_end, PieceToAttach(piece, on_board), *grown.tail_end)
        )

    def _generalize_colours(self, text: str, way: PiecesToAttach) -> PiecesToAttach:
        """Replace pieces whose colour does not matter, alone and all together, with `*`."""
        head_end, tail_end = ([*end] for end in (way.head_end, way.tail_end))
        open_ones = []
        for end in (head_end, tail_end):
            for place, needed in enumerate(end):
                if needed.on_board or len(needed.piece) > 1:
                    continue
                end[place] = PieceToAttach(ANY_COLOUR, on_board=False)
                if self._is_met_by_any_colour(text, head_end, tail_end):
                    open_ones.append(place)
                else:
                    end[place] = needed
        return PiecesToAttach(tuple(head_end), tuple(tail_end)) if open_ones else way

    def _is_met_by_any_colour(
        self, text: str, head_end: list[PieceToAttach], tail_end: list[PieceToAttach]
    ) -> bool:
        before, behind = ("".join(n.piece for n in end) for end in (head_end, tail_end))
        whole = f"{before}{text}{behind}"
        return all(
            score_card(
                parse_coatl(whole.replace(ANY_COLOUR, colour)),
                self.card,
                self.beside,
                self.closed_ends,
            ).count
            >= self.target
            for colour in BODIES
        )

    def _find_missing(self, text: str) -> Extension | None:
        return _find_missing(text, self.card, self.target, self.beside, self.closed_ends)

    def _extend_way(
        self, text: str, so_far: PiecesToAttach, board: Pieces
    ) -> PiecesToAttach | None:
        """Extend a way to a shortest one, piece by piece from the Cóatl outwards."""
        left = self._find_missing(text)
        if left is None:
            return None
        if not len(left):
            return so_far
        if len(left) > MAX_SEARCHED_PIECES:
            return _mark_pieces_on_board(left, so_far, board)
        piece, end, on_board = self._choose_next_piece(text, left, board)
        needed = (PieceToAttach(piece, on_board),)
        if end == "head":
            so_far = PiecesToAttach((*needed, *so_far.head_end), so_far.tail_end)
        else:
            so_far = PiecesToAttach(so_far.head_end, (*so_far.tail_end, *needed))
        board = remove_item(board, piece) if on_board else board
        return self._extend_way(_attach_to_text(text, piece, end), so_far, board)

    def _choose_next_piece(
        self, text: str, left: Extension, board: Pieces
    ) -> tuple[Piece, str, bool]:
        """Choose a piece on a shortest way: from the board if one is, else the first one found."""
        for piece in _list_usable_pieces(board):
            for end in _list_ends(text, piece):
                after = self._find_missing(_attach_to_text(text, piece, end))
                if after is not None and len(after) == len(left) - 1:
                    return piece, end, True
        if left.tail_end:
            closes = left.tail and len(left.tail_end) == 1
            return f"{left.tail_end[0].name}{'>' * closes}", "tail", False
        closes = left.head and len(left.head_end) == 1
        return f"{'<' * closes}{left.head_end[-1].name}", "head", False


@lru_cache(maxsize=MISSING_CACHE_SIZE)
def _find_missing(
    text: str, card: Card, target: int, beside: tuple[Card, ...], closed_ends: bool
) -> Extension | None:
    return find_missing_pieces(parse_coatl(text), card, target, beside, closed_ends)


def _list_usable_pieces(board: Pieces) -> list[Piece]:
    """List each piece once; body segments first, as they close no end."""
    return sorted(set(board), key=lambda piece: (len(piece), piece))


def _list_ends(text: str, piece: Piece) -> list[str]:
    """List the ends where a piece may be attached, the tail end first."""
    return [end for end in ("tail", "head") if find_attachment_fault(text, piece, end) is None]


def _attach_to_text(text: str, piece: Piece, end: str) -> str:
    return f"{piece}{text}" if end == "head" else f"{text}{piece}"


def _mark_pieces_on_board(left: Extension, so_far: PiecesToAttach, board: Pieces) -> PiecesToAttach:
    """Return a long way as it was found, with the pieces that lie on the board marked."""
    marked = []
    for colours in (left.head_end, left.tail_end):
        end = []
        for colour in colours:
            on_board = colour.name in board
            end.append(PieceToAttach(colour.name, on_board))
            board = remove_item(board, colour.name) if on_board else board
        marked.append(tuple(end))
    before, behind = marked
    return PiecesToAttach((*before, *so_far.head_end), (*so_far.tail_end, *behind))
