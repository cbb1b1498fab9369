"""Read a photo of a board with loose pieces, or of single pieces beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.boards.board_location import Floats, SeenBoard, find_board, map_edges
from coatl_tools.vision.boards.board_pictures import (
    BoardPicture,
    count_pieces_on_place,
    render_printed_boards,
)
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading, SeenPlace
from coatl_tools.vision.boards.loose_pieces import drop_shadows, find_single_pieces, judge_place
from coatl_tools.vision.homography import invert_homography, map_points, to_outline
from coatl_tools.vision.picture import Picture, decode_picture, load_picture
from coatl_tools.vision.pieces.confidence import make_seen_piece
from coatl_tools.vision.pieces.detections import PieceDetection, Vector
from coatl_tools.vision.reading import SeenPiece
from coatl_tools.vision.stage_trace import Pixels, Trace

VIEW_SIDE = 720  # pixels of the longer side of a board seen from above
MARGIN_SHARE = 0.06  # of the longer side: pieces stand high, and lie over the edge
MAX_PITCHES_OFF = 1.35  # from a place to a piece on it; half a pitch more where two lie
WINDOW_PITCHES = 0.5  # around a place: what is looked at to see whether it is empty
MAX_EMPTY_CONTRAST = 0.2  # of what the whole board has: an empty place has less,
MIN_EMPTY_AGREEMENT = 0.45  # and the edges of its drawing, if there are any
MIN_DRAWN_CONTRAST = 4.0  # grey levels of a place with anything drawn on it
OFFSET_WEIGHT = 0.35  # of the pitches that the pieces of a place lie beside it, against peaks
MIN_CLEARER = 0.1  # by which the chosen pieces are clearer than others
MIN_APART_PITCHES = 0.6  # between two pieces of a place
OTHER_KIND_RATE = 0.1  # how likely a kind lies where another belongs
MIN_ROW_SHARE = 0.7  # of a pitch: pieces nearer than that in height are in one row


def read_board_file(
    source: Path | bytes, kind: BoardKind, lang: str, *, name: str = "", trace: Trace | None = None
) -> tuple[Picture, LooseReading]:
    """Open a photo and read the loose pieces in it; raises FileError if it is no photo.

    `kind` is the board to look for; without one, all pieces are read in their order. `source` is
    a file or the bytes of one, called `name` in messages.
    """
    trace = trace or Trace()
    with trace.stage("open"):
        picture = load_picture(source) if isinstance(source, Path) else decode_picture(source, name)
    trace.show_picture(picture)
    return picture, read_board(picture, render_printed_boards(kind, lang), trace)


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


class _BoardView:
    """A board seen from above, and how its pixels lie to the board's picture and the photo."""

    def __init__(self, pixels: Pixels, seen: SeenBoard) -> None:
        height, width = seen.board.picture.shape
        self.board, self.seen = seen.board, seen
        self.scale = VIEW_SIDE / max(height, width)
        self.margin = MARGIN_SHARE * max(height, width)
        self.pixels = seen.rectify(pixels, self.scale, self.margin)
        half = 0.5 / self.scale
        self.to_picture = np.array(
            [
                (1 / self.scale, 0, half - self.margin - 0.5),
                (0, 1 / self.scale, half - self.margin - 0.5),
                (0, 0, 1),
            ]
        )
        self.places = map_points(self.board.places, invert_homography(self.to_picture))
        least, most = self.board.pitches
        self.pitches = least * self.scale, most * self.scale

    def to_photo(self, piece: SeenPiece) -> SeenPiece:
        """Move a piece to the photo."""
        matrix = self.seen.homography @ self.to_picture
        outline = map_points(np.array(piece.outline), matrix)
        ((x, y),) = map_points(np.array([piece.centre]), matrix)
        return replace(piece, outline=to_outline(outline), centre=(float(x), float(y)))


def _read_seen_board(picture: Picture, seen: SeenBoard) -> LooseReading:
    view = _BoardView(picture.pixels, seen)
    found = find_single_pieces(view.pixels, view.pitches)
    pitch = float(np.median([piece.pitch for piece in found])) if found else sum(view.pitches) / 2
    empty = _list_empty_places(view, pitch)
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
    view: _BoardView, index: int, pieces: Sequence[PieceDetection], pitch: float
) -> list[PieceDetection]:
    """Drop a shadow beside the pieces of a place, look for one that was not seen, and sort them."""
    turn, kind = view.board.turns[index], view.board.kinds[index]
    most = count_pieces_on_place(kind)
    along = np.array([np.cos(turn), np.sin(turn)])
    in_order = sorted(pieces, key=lambda piece: float(piece.middle @ along))
    clear = _choose_clearest(in_order, most, view.places[index], pitch)
    if len(clear) < most:
        spots = [view.places[index] + side * pitch * along for side in _spread_evenly(most)]
        for spot in spots:
            apart = [float(np.hypot(*(piece.middle - spot))) for piece in clear]
            if min(apart, default=np.inf) > MIN_APART_PITCHES * pitch and len(clear) < most:
                clear += judge_place(view.pixels, spot, turn, pitch)
    return sorted(clear, key=lambda piece: float(piece.middle @ along))


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


def _list_empty_places(view: _BoardView, pitch: float) -> list[bool]:
    """Tell which places look as they are drawn; none if the board's picture has pieces on it."""
    if not view.board.printed:
        return [False] * len(view.places)
    seen = np.asarray(cv2.cvtColor(view.pixels, cv2.COLOR_BGR2GRAY), np.float32)
    height, width = seen.shape
    flat = cv2.warpPerspective(
        view.board.picture,
        view.to_picture,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    drawn = np.asarray(flat, np.float32)
    contrast = float(view.pixels.std(axis=(0, 1)).max())
    edges, drawn_edges = map_edges(seen), map_edges(drawn)
    reach = WINDOW_PITCHES * pitch
    found = []
    for x, y in view.places:
        part = np.s_[
            max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1
        ]
        own = float(view.pixels[part].std(axis=(0, 1)).max())
        even = own < MAX_EMPTY_CONTRAST * contrast
        found.append(even and _agree(edges[part], drawn_edges[part], drawn[part]))
    return found


def _agree(edges: Floats, drawn: Floats, grey: Floats) -> bool:
    """Tell whether a place has the edges that are drawn there; a plain one has none to compare."""
    if float(grey.std()) < MIN_DRAWN_CONTRAST or edges.std() < 1e-3:
        return True
    return float(np.corrcoef(edges.ravel(), drawn.ravel())[0, 1]) > MIN_EMPTY_AGREEMENT


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
