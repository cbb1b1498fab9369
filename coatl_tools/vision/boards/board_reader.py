"""Read a photo of a board with loose pieces, or of single pieces beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.boards.board_location import SeenBoard, find_board
from coatl_tools.vision.boards.board_pictures import (
    BoardPicture,
    count_pieces_on_place,
    load_boards,
)
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading, SeenPlace
from coatl_tools.vision.boards.board_view import BoardView
from coatl_tools.vision.boards.empty_places import list_empty_places
from coatl_tools.vision.boards.single_pieces import drop_shadows, find_single_pieces, judge_place
from coatl_tools.vision.picture import Picture, decode_picture, load_picture
from coatl_tools.vision.pieces.confidence import make_seen_piece
from coatl_tools.vision.pieces.detections import PieceDetection, Vector
from coatl_tools.vision.reading import SeenPiece
from coatl_tools.vision.stage_trace import Trace

MAX_PITCHES_OFF = 1.35  # from a place to a piece on it; half a pitch more where two lie
OFFSET_WEIGHT = 0.35  # of the pitches that the pieces of a place lie beside it, against peaks
MIN_CLEARER = 0.1  # by which the chosen pieces are clearer than others
MIN_APART_PITCHES = 0.6  # between two pieces of a place
MIN_OFF_PITCHES = 0.25  # from a place to its piece, to tell where the other one lies
UNKNOWN_TURNS = tuple(np.radians([0, 45, 90, 135]))  # of pieces, where nothing tells it
OTHER_KIND_RATE = 0.1  # how likely a kind lies where another belongs
MIN_ROW_SHARE = 0.7  # of a pitch: pieces nearer than that in height are in one row


def read_board_file(
    source: Path | bytes,
    kind: BoardKind,
    lang: str,
    learned: Path | None = None,
    *,
    name: str = "",
    trace: Trace | None = None,
) -> tuple[Picture, LooseReading]:
    """Open a photo and read the loose pieces in it; raises FileError if it is no photo.

    `kind` is the board to look for, be it a printed one or one of the file `learned`; without one,
    all pieces are read in their order. `source` is a file or the bytes of one, called `name` in
    messages.
    """
    trace = trace or Trace()
    with trace.stage("open"):
        picture = load_picture(source) if isinstance(source, Path) else decode_picture(source, name)
    trace.show_picture(picture)
    return picture, read_board(picture, load_boards(kind, lang, learned), trace)


def read_board(
    picture: Picture, boards: Sequence[BoardPicture], trace: Trace | None = None
) -> LooseReading:
    """Read what lies on one of these boards, or all single pieces if the photo shows none."""
    trace = trace or Trace()
    with trace.stage("marks"):
        seen = find_board(picture.pixels, boards)
    with trace.stage("pieces"):
        if seen is None:
            pieces = tuple(map(make_seen_piece, drop_shadows(find_single_pieces(picture.pixels))))
            found = LooseReading(str(picture.path), picture.size, None, (), sort_as_written(pieces))
        else:
            found = _read_seen_board(picture, seen)
    return _scale(found, picture.file_pixels_per_pixel)


def sort_as_written(pieces: Sequence[SeenPiece]) -> tuple[SeenPiece, ...]:
    """Sort pieces as text is read: row by row from the top, each from the left."""
    left = sorted(pieces, key=lambda piece: piece.centre[1])
    rows: list[list[SeenPiece]] = []
    for piece in left:
        height = float(np.ptp([y for _, y in piece.outline])) if piece.outline else 0.0
        if rows and piece.centre[1] - rows[-1][0].centre[1] < MIN_ROW_SHARE * height:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return tuple(one for row in rows for one in sorted(row, key=lambda piece: piece.centre[0]))


def _read_seen_board(picture: Picture, seen: SeenBoard) -> LooseReading:
    view = BoardView(picture.pixels, seen)
    found = find_single_pieces(view.pixels, view.pitches)
    pitch = float(np.median([piece.pitch for piece in found])) if found else sum(view.pitches) / 2
    empty = list_empty_places(view, pitch)
    on_places: list[list[PieceDetection]] = [[] for _ in view.places]
    elsewhere = []
    for piece in found:
        apart = np.hypot(*(view.places - piece.middle).T)
        nearest = int(apart.argmin())
        if apart[nearest] > MAX_PITCHES_OFF * pitch:
            elsewhere.append(piece)
        elif not empty[nearest]:
            on_places[nearest].append(piece)
    places = []
    for index, centre in enumerate(seen.places):
        pieces = [] if empty[index] else _complete_place(view, index, on_places[index], pitch)
        rated = _rate_kinds(view.board.kinds[index])
        shown = tuple(view.to_photo(make_seen_piece(piece, rated)) for piece in pieces)
        places.append(SeenPlace((float(centre[0]), float(centre[1])), shown, empty[index]))
    beside = tuple(view.to_photo(make_seen_piece(piece)) for piece in elsewhere)
    return LooseReading(str(picture.path), picture.size, seen.board.kind, tuple(places), beside)


def _complete_place(
    view: BoardView, index: int, pieces: Sequence[PieceDetection], pitch: float
) -> list[PieceDetection]:
    """Drop a shadow beside the pieces of a place, look for one that was not seen, and sort them."""
    place, most = view.places[index], count_pieces_on_place(view.board.kinds[index])
    turns = _list_turns(view.board.turns[index], place, pieces, pitch)
    along = make_direction(turns[0])
    in_order = sorted(pieces, key=lambda piece: float(piece.middle @ along))
    clear = _choose_clearest(in_order, most, place, pitch)
    nothing_known = not clear and not view.board.bare[index]  # it may as well be empty
    if len(clear) < most and not nothing_known:
        tried = [_look_along(view, place, turn, most, clear, pitch) for turn in turns]
        clear = max(tried, key=_rate_pieces)
    return sorted(clear, key=lambda piece: float(piece.middle @ along))


def _list_turns(
    turn: float | None, place: Vector, pieces: Sequence[PieceDetection], pitch: float
) -> list[float]:
    """List how the pieces of a place may lie to each other: as is known, or as they seem to."""
    if turn is not None:
        return [turn]
    if not pieces:
        return [*UNKNOWN_TURNS]
    ends = [piece.middle for piece in pieces]
    if len(pieces) == 1:
        ends.append(place)  # which lies between this piece and the other one
    ahead = max((one - other for one in ends for other in ends), key=lambda way: float(way @ way))
    if float(np.hypot(*ahead)) < MIN_OFF_PITCHES * pitch:
        ahead = pieces[0].axis
    return [float(np.arctan2(ahead[1], ahead[0]))]


def make_direction(turn: float) -> Vector:
    """Return the vector of length 1 in a direction (radians)."""
    return np.array([np.cos(turn), np.sin(turn)])


def _look_along(
    view: BoardView,
    place: Vector,
    turn: float,
    most: int,
    clear: Sequence[PieceDetection],
    pitch: float,
) -> list[PieceDetection]:
    """Look for the pieces of a place that were not seen, where they would lie in a direction."""
    found = [*clear]
    for side in _spread_evenly(most):
        spot = place + side * pitch * make_direction(turn)
        apart = [float(np.hypot(*(piece.middle - spot))) for piece in found]
        if min(apart, default=np.inf) > MIN_APART_PITCHES * pitch and len(found) < most:
            found += judge_place(view.pixels, spot, turn, pitch)
    return found


def _rate_pieces(pieces: Sequence[PieceDetection]) -> float:
    """Rate how likely these are pieces, all together."""
    return sum(1 - piece.no_piece for piece in pieces)


def _choose_clearest(
    pieces: Sequence[PieceDetection], most: int, middle: Vector, pitch: float
) -> list[PieceDetection]:
    """Choose at most so many neighbours: the clearest about a place; all, if others are as likely.

    The shadow of a piece, or its hook, may look like one more piece beside it.
    """
    if len(pieces) <= most:
        return [*pieces]

    def rate(chosen: Sequence[PieceDetection]) -> float:
        off = np.hypot(*(np.mean([piece.middle for piece in chosen], axis=0) - middle)) / pitch
        return sum(piece.peak for piece in chosen) - OFFSET_WEIGHT * float(off)

    groups = [pieces[begin : begin + most] for begin in range(len(pieces) - most + 1)]
    best, second, *_ = sorted(groups, key=rate, reverse=True)
    return [*(best if rate(best) - rate(second) > MIN_CLEARER else pieces)]


def _spread_evenly(count: int) -> list[float]:
    """Spread so many pieces about a place, a pitch from one to the next."""
    return [number - (count - 1) / 2 for number in range(count)]


def _rate_kinds(kind: PieceKind | None) -> NDArray[np.float64]:
    """Rate the kinds that may lie on a place: people rarely lay another one there."""
    return np.array([1.0 if kind in (None, one) else OTHER_KIND_RATE for one in PieceKind])


def _scale(reading: LooseReading, factor: float) -> LooseReading:
    """Give all points in pixels of the file."""
    if factor == 1:
        return reading

    def scaled(piece: SeenPiece) -> SeenPiece:
        outline = tuple((x * factor, y * factor) for x, y in piece.outline)
        x, y = piece.centre
        return replace(piece, outline=outline, centre=(x * factor, y * factor))

    return replace(
        reading,
        places=tuple(
            replace(
                place,
                centre=(place.centre[0] * factor, place.centre[1] * factor),
                pieces=tuple(map(scaled, place.pieces)),
            )
            for place in reading.places
        ),
        elsewhere=tuple(map(scaled, reading.elsewhere)),
    )
