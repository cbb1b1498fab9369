"""What was seen in a photo, as SVG shapes over it that can be tapped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from statistics import median

from coatl_tools.vision.reading import Outline, PhotoReading, Point, SeenCoatl, SeenPiece
from coatl_tools.web.work.photo_jobs import PhotoResult, PiecePhotoResult

_FINGER_PIXELS = 46  # pixels of the screen from a piece to the next, so that a finger finds each
_DEFAULT_PITCH = 60.0  # pixels from a piece to the next, where no Cóatl shows it
_LETTER_SHARE = 0.36  # of that, for the letters on a piece
_SYMBOL_SHARE = 0.55  # of that, for the symbol of a colour alone
_MARGIN_SHARE = 1.6  # of that, to be seen around all that was found


@dataclass(frozen=True, slots=True)
class PhotoShape:
    """Something that was seen: its outline, what is written on it, and what a tap opens."""

    points: str
    x: float
    y: float
    size: float  # of the letters
    lines: tuple[str, ...]
    doubtful: bool
    opens: str
    kind: str  # piece, card or stray; of what is not checked yet, first


@dataclass(frozen=True, slots=True)
class PhotoOutlines:
    """All shapes, and the part of the photo that contains them, in pixels of the shown photo.

    `wide` and `high` are the size on the screen at which fingers can hit the shapes.
    """

    view: tuple[int, int, int, int]  # left, top, width, height
    wide: int
    high: int
    shapes: tuple[PhotoShape, ...]
    ways: tuple[str, ...]  # lines along the Cóatls, from head to tail


def build_outlines(seen: PhotoResult, reading: PhotoReading, whole: bool) -> PhotoOutlines:
    """Build the shapes of a reading for the shown photo, cropped unless `whole`."""
    scale = seen.shown.scale
    shapes = tuple(
        chain(
            _piece_shapes(reading, scale),
            _card_shapes(reading, scale),
            _stray_shapes(reading, scale),
        )
    )
    placed = [coatl for coatl in reading.coatls if is_placed(coatl)]
    pitches = [coatl.pitch * scale for coatl in placed if coatl.pitch]
    pitch = min(pitches, default=_DEFAULT_PITCH)
    view = (
        (0, 0, *seen.shown.size)
        if whole
        else _visible_part(reading, seen, max(pitches, default=_DEFAULT_PITCH))
    )
    grown = max(0.3, min(3.0, _FINGER_PIXELS / pitch))
    ways = tuple(
        _format_points((piece.centre for piece in coatl.pieces), scale)
        for coatl in placed
        if coatl.is_orientation_known and len(coatl.pieces) > 1
    )
    return PhotoOutlines(view, round(view[2] * grown), round(view[3] * grown), shapes, ways)


def build_first_outlines(seen: PhotoResult) -> PhotoOutlines:
    """Build the shapes of what was found so far, over the whole photo."""
    scale, shapes = seen.shown.scale, list[PhotoShape]()
    for card in _card_shapes(seen.reading, scale):
        shapes.append(replace(card, doubtful=False, opens="", kind="first"))
    for coatl in seen.reading.coatls:
        size = (coatl.pitch * scale or _DEFAULT_PITCH) * _SYMBOL_SHARE
        for piece in coatl.pieces:
            kind, symbol = f"first first-{piece.colour.name}", piece.colour.symbol
            shapes.append(_make_shape(piece, scale, size, (symbol,), False, "", kind))
    return PhotoOutlines((0, 0, *seen.shown.size), *seen.shown.size, tuple(shapes), ())


def build_piece_outlines(seen: PiecePhotoResult, doubtful: Container[int]) -> PhotoOutlines:
    """Build the shapes of loose pieces; those of `doubtful` places are marked."""
    scale, shapes = seen.shown.scale, list[PhotoShape]()
    for number, place in enumerate(seen.reading.places, start=1):
        for piece in place.pieces:
            size = 0.4 * min(_measure_outline(piece.outline)) * scale
            unsure = number in doubtful
            text = f"{_format_colour(piece)}{'?' * unsure}"
            shapes.append(_make_shape(piece, scale, size, (text,), unsure, "", "piece"))
    pieces = [piece for place in seen.reading.places for piece in place.pieces]
    if not seen.reading.places:
        pieces = [*seen.reading.elsewhere]
        for piece in pieces:
            size = 0.4 * min(_measure_outline(piece.outline)) * scale
            lines = (_format_colour(piece),)
            shapes.append(_make_shape(piece, scale, size, lines, False, "", "piece"))
    outlines = [piece.outline for piece in pieces]
    sizes = [max(_measure_outline(outline)) * scale for outline in outlines]
    view = _crop_around(outlines, seen, median(sizes) if sizes else _DEFAULT_PITCH)
    return PhotoOutlines(view, view[2], view[3], tuple(shapes), ())


def is_placed(coatl: SeenCoatl) -> bool:
    """Tell whether the photo shows a Cóatl: no other one does, and no person has added it."""
    return any(piece.outline for piece in coatl.pieces)


def _piece_shapes(reading: PhotoReading, scale: float) -> Iterator[PhotoShape]:
    for index, coatl in enumerate(reading.coatls):
        if not is_placed(coatl):
            continue
        size = (coatl.pitch * scale or _DEFAULT_PITCH) * _LETTER_SHARE
        for place, piece in enumerate(coatl.pieces):
            name = f"c{index + 1}-{place + 1}"
            doubtful = reading.has_problem(index, place)
            number = f"{place + 1}{'?' * doubtful}"
            yield _make_shape(
                piece, scale, size, (number, _format_colour(piece)), doubtful, name, "piece"
            )


def _card_shapes(reading: PhotoReading, scale: float) -> Iterator[PhotoShape]:
    for index, card in enumerate(reading.cards):
        if not card.outline:
            continue
        doubtful = any(problem.card == index for problem in reading.problems)
        x, y = _find_centre(card.outline)
        size = 0.2 * max(_measure_outline(card.outline)) * scale
        text = f"{card.id or ''}{'?' * (doubtful or card.id is None)}"
        name = f"card-{index + 1}"
        points = _format_points(card.outline, scale)
        yield PhotoShape(points, x * scale, y * scale, size, (text,), doubtful, name, "card")


def _stray_shapes(reading: PhotoReading, scale: float) -> Iterator[PhotoShape]:
    for piece in reading.loose_pieces:
        if not piece.outline:
            continue
        size = 0.4 * min(_measure_outline(piece.outline)) * scale
        yield _make_shape(piece, scale, size, (_format_colour(piece),), False, "", "stray")


def _make_shape(
    piece: SeenPiece,
    scale: float,
    size: float,
    lines: tuple[str, ...],
    doubtful: bool,
    opens: str,
    kind: str,
) -> PhotoShape:
    x, y = _find_centre(piece.outline) if piece.outline else piece.centre
    points = _format_points(piece.outline, scale)
    return PhotoShape(points, x * scale, y * scale, size, lines, doubtful, opens, kind)


def _format_colour(piece: SeenPiece) -> str:
    return f"{piece.colour.symbol}{piece.colour.name}"


def _visible_part(
    reading: PhotoReading, seen: PhotoResult, around: float
) -> tuple[int, int, int, int]:
    """Return the part of the photo in which something was found, else the whole photo."""
    found = [piece.outline for coatl in reading.coatls for piece in coatl.pieces]
    return _crop_around([*found, *(card.outline for card in reading.cards)], seen, around)


def _crop_around(
    outlines: Iterable[Outline], seen: PhotoResult | PiecePhotoResult, around: float
) -> tuple[int, int, int, int]:
    """Return the part of the photo with these outlines, else the whole photo."""
    points = [
        (x * seen.shown.scale, y * seen.shown.scale) for outline in outlines for x, y in outline
    ]
    width, height = seen.shown.size
    if not points:
        return 0, 0, width, height
    xs, ys, more = [x for x, _ in points], [y for _, y in points], around * _MARGIN_SHARE
    left, top = max(0, round(min(xs) - more)), max(0, round(min(ys) - more))
    right, bottom = min(width, round(max(xs) + more)), min(height, round(max(ys) + more))
    return left, top, max(1, right - left), max(1, bottom - top)


def _format_points(points: Iterable[Point], scale: float) -> str:
    return " ".join(f"{x * scale:.0f},{y * scale:.0f}" for x, y in points)


def _find_centre(outline: Outline) -> Point:
    """Find the centroid of an outline; unlike the centre of its box, it is on the piece."""
    area = x = y = 0.0
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        part = ax * by - bx * ay
        area, x, y = area + part, x + (ax + bx) * part, y + (ay + by) * part
    if abs(area) < 1.0:
        return outline[0]
    return x / area / 3, y / area / 3


def _measure_outline(outline: Outline) -> tuple[float, float]:
    xs, ys = [x for x, _ in outline] or [0.0], [y for _, y in outline] or [0.0]
    return max(xs) - min(xs), max(ys) - min(ys)
