"""What seen pieces answer to the referee: a refill, a Supply board, a player's board, as people
type it, with what is in doubt, compared with what the referee knows.

This module imports no OpenCV.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from coatl_tools.errors import CommandError, CorrectionError, Phrase
from coatl_tools.notation import format_piece
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.referee.position_text import parse_pieces
from coatl_tools.rules.actions.supply_board import get_bag
from coatl_tools.rules.constants import (
    BAG_INDEX,
    BODY,
    FEATHER,
    HEAD,
    KIND_OF_PIECE,
    PIECES_PER_SPACE,
    SPACE_KINDS,
    TAIL,
    Bag,
    Pieces,
)
from coatl_tools.rules.state import FillDraw, GameState
from coatl_tools.vision.boards.board_reading import (
    SURE_COLOUR,
    SURE_KIND,
    BoardKind,
    LooseReading,
    SeenPlace,
    list_written_pieces,
)
from coatl_tools.vision.reading import SeenPiece

UNREAD, EMPTY_SPACE = "?", "-"
PIECE_KINDS = {BODY: PieceKind.BODY, HEAD: PieceKind.HEAD, TAIL: PieceKind.TAIL}
_CORRECTION = re.compile(r"(\d{1,2})\s*=\s*(.+)")
_ALL_RIGHT = "ok"


@dataclass(frozen=True, slots=True)
class PieceDoubt:
    """Something to ask about a space: what it is, and what may lie there, likeliest first.

    What is `impossible` cannot be accepted as it was read.
    """

    space: int
    phrase: Phrase
    choices: tuple[Pieces, ...] = ()
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class PieceAnswer:
    """The pieces of each space that was asked for, and what is in doubt."""

    spaces: Mapping[int, Pieces]
    doubts: tuple[PieceDoubt, ...] = ()

    @property
    def text(self) -> str:
        """The answer as people type it; `?` for what was not read."""
        return " ".join("".join(pieces) or UNREAD for pieces in self.spaces.values())


@dataclass(frozen=True, slots=True)
class PieceCorrections:
    """What a person says of some spaces, and whether all the rest is right as it was read."""

    spaces: Mapping[int, Pieces] = field(default_factory=dict)
    all_right: bool = False


def parse_piece_corrections(text: str) -> PieceCorrections:
    """Parse corrections: `3=RG; 7=<B`, `4=-` for an empty space, `ok`; CorrectionError if not.

    >>> parse_piece_corrections("3=RG; ok").all_right
    True
    """
    found: dict[int, Pieces] = {}
    all_right = False
    for part in filter(None, map(str.strip, text.split(";"))):
        said = _CORRECTION.fullmatch(part)
        if part.lower() == _ALL_RIGHT:
            all_right = True
        elif said is None:
            raise CorrectionError("loose.correction", text=part)
        else:
            found[int(said[1])] = parse_pieces(said[2])
    return PieceCorrections(found, all_right)


def answer_fill_draws(
    reading: LooseReading, state: GameState, said: PieceCorrections = PieceCorrections()
) -> PieceAnswer:
    """Answer which pieces came to the Supply board; CommandError if nothing is to come there."""
    wanted = [draw.space for draw in state.draws if isinstance(draw, FillDraw)]
    if not wanted or not isinstance(state.draws[0], FillDraw):
        raise CommandError("loose.no_fill")
    kinds = state.game.options.space_kinds
    doubts: list[PieceDoubt] = []
    if reading.board is BoardKind.SUPPLY:
        places = _match_spaces(reading.places, kinds)
        doubts += _compare_known(places, state, wanted)
    else:
        places, doubts = _share_out(reading, wanted, kinds)
        wanted = [space for space in wanted if space in places or space in said.spaces]
    bags = {kind: get_bag(state, kind) for kind in (BODY, HEAD, TAIL)}
    spaces: dict[int, Pieces] = {}
    for space in wanted:
        kind = kinds[space - 1]
        place = places.get(space, SeenPlace((0.0, 0.0)))
        pieces, about = _read_space(space, place, kind, bags[kind], said)
        spaces[space] = pieces
        doubts += about
        bags[kind] = _take(bags[kind], pieces)
    if said.all_right:
        doubts = [doubt for doubt in doubts if doubt.impossible]
    settled = [doubt for doubt in doubts if doubt.space not in said.spaces or doubt.impossible]
    return PieceAnswer(spaces, tuple(settled))


def answer_spaces(
    reading: LooseReading, space_kinds: str, said: PieceCorrections = PieceCorrections()
) -> PieceAnswer:
    """Answer what lies on all spaces of the Supply board; CorrectionError if it is not seen."""
    if reading.board is not BoardKind.SUPPLY:
        raise CorrectionError("loose.no_board", path=reading.file)
    places = _match_spaces(reading.places, space_kinds)
    spaces, doubts = dict[int, Pieces](), list[PieceDoubt]()
    for space, kind in enumerate(space_kinds, start=1):
        if places[space].empty and space not in said.spaces:
            spaces[space] = (EMPTY_SPACE,)
            continue
        spaces[space], about = _read_space(space, places[space], kind, None, said)
        spaces[space] = spaces[space] or ((EMPTY_SPACE,) if space in said.spaces else ())
        doubts += about
    return PieceAnswer(spaces, () if said.all_right else tuple(doubts))


def answer_player_board(
    reading: LooseReading, said: PieceCorrections = PieceCorrections()
) -> PieceAnswer:
    """Answer which pieces lie on a player's board, or lie in the photo if it shows no board."""
    if reading.board is BoardKind.PLAYER:
        seen = {number: place for number, place in enumerate(reading.places, 1) if not place.empty}
    else:
        seen = {number: SeenPlace(piece.centre, (piece,), empty=False)
                for number, piece in enumerate(reading.elsewhere, 1)}  # fmt: skip
    spaces, doubts = dict[int, Pieces](), list[PieceDoubt]()
    for number, place in seen.items():
        if number in said.spaces:
            spaces[number] = said.spaces[number]
            continue
        spaces[number] = list_written_pieces(place.pieces)
        if len(place.pieces) != 1:
            doubts.append(_make_unread_doubt(number, place))
        else:
            doubts += _doubt_piece(number, place.pieces[0], 1, None)
    for number in said.spaces.keys() - seen.keys():
        spaces[number] = said.spaces[number]
    found = {number: pieces for number, pieces in spaces.items() if pieces or number in seen}
    return PieceAnswer(found, () if said.all_right else tuple(doubts))


def _match_spaces(places: Sequence[SeenPlace], kinds: str) -> dict[int, SeenPlace]:
    """Match the places of the board to a table's own numbers of spaces, kind by kind."""
    queues = {kind: [place for place, own in zip(places, SPACE_KINDS, strict=True) if own == kind]
              for kind in (BODY, HEAD, TAIL)}  # fmt: skip
    return {space: queues[kind].pop(0) for space, kind in enumerate(kinds, start=1)}


def _share_out(
    reading: LooseReading, wanted: Sequence[int], kinds: str
) -> tuple[dict[int, SeenPlace], list[PieceDoubt]]:
    """Share single pieces out to the first spaces that are to be filled, in the order they lie."""
    queues: dict[str, list[SeenPiece]] = {BODY: [], HEAD: [], TAIL: []}
    for piece in reading.elsewhere:
        queues[next(kind for kind, own in PIECE_KINDS.items() if own is piece.kind)].append(piece)
    seen: dict[str, object] = {kind: len(queue) for kind, queue in queues.items()}
    places: dict[int, SeenPlace] = {}
    for space in wanted:
        queue, number = queues[kinds[space - 1]], PIECES_PER_SPACE[kinds[space - 1]]
        if len(queue) < number:
            break
        pieces, queue[:number] = tuple(queue[:number]), []
        places[space] = SeenPlace(pieces[0].centre, pieces, empty=False)
    if places and not any(queues.values()):
        return places, []
    needed = Counter[str]()
    for space in wanted:
        needed[kinds[space - 1]] += PIECES_PER_SPACE[kinds[space - 1]]
    details = seen | {f"needed_{kind}": needed[kind] for kind in queues}
    return {}, [PieceDoubt(0, ("loose.number", details), impossible=True)]


def _compare_known(
    places: Mapping[int, SeenPlace], state: GameState, wanted: Sequence[int]
) -> list[PieceDoubt]:
    """List the spaces on which something else lies than the referee knows."""
    doubts = []
    for space, known in enumerate(state.spaces, start=1):
        seen = list_written_pieces(places[space].pieces)
        if space in wanted or (not known and places[space].empty):
            continue
        unclear = any(
            True for piece in places[space].pieces for _ in _doubt_piece(space, piece, 1, None)
        )
        if Counter(seen) != Counter(known) and not (unclear and known) and FEATHER not in known:
            there = {"known": " ".join(known), "seen": " ".join(seen)}
            details: dict[str, object] = {name: text or EMPTY_SPACE for name, text in there.items()}
            phrase: Phrase = ("loose.other", details | {"space": space})
            doubts.append(PieceDoubt(space, phrase))
    return doubts


def _read_space(
    space: int, place: SeenPlace, kind: str, bag: Bag | None, said: PieceCorrections
) -> tuple[Pieces, list[PieceDoubt]]:
    """Read what lies on a space for a kind; `bag` is what can have come there, if that is known."""
    number = PIECES_PER_SPACE[kind]
    if len(said.spaces.get(space, ())) == number or (space in said.spaces and bag is None):
        return tuple(_make_kind(piece, kind) for piece in said.spaces[space]), []
    if len(place.pieces) != number:
        return (), [_make_unread_doubt(space, place)]
    doubts, pieces = list[PieceDoubt](), list[SeenPiece]()
    for index, piece in enumerate(place.pieces, start=1):
        weighed = _weigh_by_bag(piece, bag)
        if weighed is None:
            what = " ".join(list_written_pieces((piece,)))
            phrase: Phrase = ("loose.bag", {"space": space, "piece": what})
            doubts.append(PieceDoubt(space, phrase, impossible=True))
        else:
            doubts += _doubt_piece(space, weighed, index, PIECE_KINDS[kind])
            if (
                bag is not None
                and kind == BODY
                and bag[BAG_INDEX[FEATHER]]
                and weighed.colour is Colour.Y
            ):
                doubts.append(PieceDoubt(space, ("loose.golden", {"space": space, "piece": index})))
        pieces.append(weighed or piece)
        bag = None if bag is None else _take(bag, list_written_pieces((pieces[-1],)))
    written = list_written_pieces(tuple(pieces))
    return written, [_add_choices(doubt, pieces) for doubt in doubts]


def _weigh_by_bag(piece: SeenPiece, bag: Bag | None) -> SeenPiece | None:
    """Leave out colours that the bag has not; None if it surely is one of these."""
    if bag is None:
        return piece
    left = {colour: share for colour, share in piece.colours.items() if bag[int(colour)] > 0}
    total = sum(left.values())
    if total < 1 - SURE_COLOUR:
        return None
    return replace(
        piece, colours={colour: left.get(colour, 0.0) / total for colour in piece.colours}
    )


def _doubt_piece(
    space: int, piece: SeenPiece, index: int, kind: PieceKind | None
) -> list[PieceDoubt]:
    """List what is in doubt about a piece; `kind` is the kind that belongs there."""
    here: dict[str, object] = {"space": space, "piece": index}
    if kind is not None and piece.kind is not kind:
        return [
            PieceDoubt(
                space,
                ("loose.kind", here | {"seen": format_piece(piece.colour, piece.kind)}),
                impossible=True,
            )
        ]
    first, second = sorted(piece.colours, key=lambda colour: -piece.colours[colour])[:2]
    if piece.colours[first] < SURE_COLOUR:
        return [PieceDoubt(space, ("loose.colour", here | {"first": first, "second": second}))]
    if kind is None and piece.kinds[piece.kind] < SURE_KIND:
        one, other = sorted(piece.kinds, key=lambda kind: -piece.kinds[kind])[:2]
        written = {"first": format_piece(first, one), "second": format_piece(first, other)}
        return [PieceDoubt(space, ("loose.which", here | written))]
    return []


def _add_choices(doubt: PieceDoubt, pieces: Sequence[SeenPiece]) -> PieceDoubt:
    """Add what may lie on the space: each piece as its two likeliest colours."""
    found: list[Pieces] = [()]
    for piece in pieces:
        likely = sorted(piece.colours, key=lambda colour: -piece.colours[colour])
        sure = piece.colours[likely[0]] >= SURE_COLOUR
        found = [
            (*before, format_piece(colour, piece.kind))
            for before in found
            for colour in likely[: 1 if sure else 2]
        ]
    return doubt if doubt.impossible else replace(doubt, choices=tuple(found))


def _make_unread_doubt(space: int, place: SeenPlace) -> PieceDoubt:
    """Make the doubt of a space with too few or too many pieces."""
    seen = " ".join(list_written_pieces(place.pieces))
    key = "loose.count" if seen else "loose.empty" if place.empty else "loose.unread"
    details: dict[str, object] = {"space": space} | ({"seen": seen} if seen else {})
    return PieceDoubt(space, (key, details), impossible=True)


def _make_kind(piece: str, kind: str) -> str:
    """Turn a bare colour into a piece of a kind; leave other pieces alone."""
    if len(piece) > 1 or kind == BODY:
        return piece
    return f"<{piece}" if kind == HEAD else f"{piece}>"


def _take(bag: Bag, pieces: Iterable[str]) -> Bag:
    """Return a bag without some pieces, as far as it has them."""
    left = list(bag)
    for piece in pieces:
        if piece in KIND_OF_PIECE:
            left[BAG_INDEX[piece]] = max(0, left[BAG_INDEX[piece]] - 1)
    return tuple(left)
