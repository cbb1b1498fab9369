"""Read a photo: its mat, pieces and cards together, and what is not sure about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import dist
from pathlib import Path

import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.components.components_file import load_components
from coatl_tools.vision.boards.board_drawings import remove_board_drawings
from coatl_tools.vision.cards.card_assignment import assign_cards
from coatl_tools.vision.cards.card_search import add_covered_cards, find_cards
from coatl_tools.vision.colour_profiles import ColourProfile
from coatl_tools.vision.drawn_pieces import DrawnPieces
from coatl_tools.vision.far_parts import find_far_parts
from coatl_tools.vision.homography import Points, box_corners
from coatl_tools.vision.loose_pieces import part_loose_pieces
from coatl_tools.vision.mark_detection import find_marks
from coatl_tools.vision.mat import SeenMat, find_mats
from coatl_tools.vision.picture import Picture, decode_picture, load_picture
from coatl_tools.vision.piece_colours import reweigh_pieces
from coatl_tools.vision.pieces.open_ends import rate_covered_ends
from coatl_tools.vision.pieces.piece_search import FoundPieces, ShowCoatls, find_coatls
from coatl_tools.vision.problems import (
    SURE_COATL,
    find_coatl_problems,
    find_colour_cast,
    find_covered_pieces,
    find_facing_ends,
    find_overexposure,
    find_too_many_pieces,
    make_nothing_found_problem,
    make_vague_problem,
)
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCard, SeenCoatl, SeenPiece
from coatl_tools.vision.stage_trace import Pixels, Trace
from coatl_tools.vision.table_plane import measure_least_pitch
from coatl_tools.vision.table_players import assign_players

LANE_MARGIN = 10.0  # millimetres around the lane that belong to it: plastic pieces stand high
LANE_EDGE = 2.0  # pixels of a lane's picture: an end so near to its edge is not an end
MAT_PIXELS_PER_MM = 1.7  # pixels a millimetre at which pieces on a mat are looked at


def read_photo_file(
    source: Path | bytes,
    catalog: Catalog,
    *,
    name: str = "",
    trace: Trace | None = None,
    colours: ColourProfile | None = None,
) -> tuple[Picture, PhotoReading]:
    """Open a photo and read it; raises FileError if it is no photo.

    `source` is a file or the bytes of one, called `name` in messages.
    """
    trace = trace or Trace()
    with trace.stage("open"):
        picture = load_picture(source) if isinstance(source, Path) else decode_picture(source, name)
    trace.show_picture(picture)
    return picture, read_photo(picture, catalog, trace, colours)


def read_photo(
    picture: Picture,
    catalog: Catalog,
    trace: Trace | None = None,
    colours: ColourProfile | None = None,
) -> PhotoReading:
    """Read everything in a photo; `colours` is the profile of a player's own set."""
    trace = trace or Trace()
    pixels = picture.pixels
    marks = find_marks(pixels, trace)
    mats, mat_problems = find_mats(pixels, trace, marks)
    found = find_cards(pixels, catalog, trace, marks)
    cards, card_problems = found.settle(catalog)
    show = _make_first_show(picture, cards, trace) if trace.shows_findings else None
    if show is not None:
        show(())
    finding = find_coatls_with_mats(pixels, mats, cards, catalog, trace, show)
    finding = part_loose_pieces(finding, cards, pixels.shape[1::-1])
    finding = remove_board_drawings(finding, pixels)
    more = add_covered_cards(found, pixels, finding.coatls, catalog, trace)
    if more.sightings != found.sightings:
        cards, card_problems = more.settle(catalog)
        finding = DrawnPieces(cards, catalog).remove(finding)
    if colours is not None:
        finding = reweigh_pieces(finding, pixels, colours)
    with trace.stage("together"):
        ended = [rate_covered_ends(seen, pixels) for seen in finding.coatls]
        coatls = tuple(sorted(ended, key=_mean_height))
        cards, between = assign_cards(cards, coatls, mats, catalog)
        problems = _find_problems(coatls, finding.loose_pieces, pixels)
        if not mats and colours is None:  # both know what the light does to colours
            problems += find_colour_cast(coatls, pixels)
    doubtful = {problem.coatl for problem in problems if problem.serious}
    clear = not any(problem.serious for problem in picture.problems)
    coatls = tuple(
        replace(seen, sure=clear and i not in doubtful and seen.confidence >= SURE_COATL)
        for i, seen in enumerate(coatls)
    )
    reading = PhotoReading(
        str(picture.path),
        picture.size,
        coatls,
        finding.loose_pieces,
        cards,
        (*picture.problems, *mat_problems, *card_problems, *between, *problems),
        has_mat=bool(mats),
    )
    reading = replace(reading, problems=(*reading.problems, *find_far_parts(reading)))
    return assign_players(reading.scale(picture.file_pixels_per_pixel))


def _make_first_show(picture: Picture, cards: tuple[SeenCard, ...], trace: Trace) -> ShowCoatls:
    """Make the function that shows the cards, and the Cóatls that were found at first looks."""
    found: list[SeenCoatl] = []

    def show(more: Sequence[SeenCoatl]) -> None:
        found.extend([seen for seen in more if not any(_is_at_same_place(seen, s) for s in found)])
        first = PhotoReading(str(picture.path), picture.size, tuple(found), cards=cards)
        trace.show_findings(first.scale(picture.file_pixels_per_pixel))

    return show


def _is_at_same_place(seen: SeenCoatl, other: SeenCoatl) -> bool:
    """Tell whether Cóatls share a piece, as those on a mat do when the whole photo is looked at."""
    pairs = product(seen.pieces, other.pieces)
    return any(dist(one.centre, two.centre) < seen.pitch / 2 for one, two in pairs)


def _find_problems(
    coatls: Sequence[SeenCoatl], loose_pieces: Sequence[SeenPiece], pixels: Pixels
) -> list[ReadingProblem]:
    """List everything that is not sure about the Cóatls."""
    problems: list[ReadingProblem] = []
    for index, seen in enumerate(coatls):
        problems += find_coatl_problems(index, seen, loose_pieces, pixels)
        if seen.confidence < SURE_COATL and not any(problem.coatl == index for problem in problems):
            problems.append(make_vague_problem(index, seen, pixels))
    if not coatls:
        problems.append(make_nothing_found_problem())
    problems += find_covered_pieces(loose_pieces)
    problems += [*find_facing_ends(coatls), *find_overexposure(coatls, pixels)]
    return [*problems, *find_too_many_pieces(coatls, load_components().pieces)]


def find_coatls_with_mats(
    pixels: Pixels,
    mats: Sequence[SeenMat],
    cards: Sequence[SeenCard],
    catalog: Catalog,
    trace: Trace,
    show: ShowCoatls | None = None,
) -> FoundPieces:
    """Find the Cóatls in a photo; those on a mat are looked at from above, in true colours.

    `show` is told what a first look finds.
    """
    coatls: list[SeenCoatl] = []
    loose_pieces: list[SeenPiece] = []
    read = []
    for mat in mats:
        view, corner = _cut_lane(mat, mat.rectify(mat.calibrate_colours(pixels), MAT_PIXELS_PER_MM))
        back = partial(_move_to_photo, mat, corner)
        found = find_coatls(view, trace, show=show and _show_moved(show, back))
        if any(_is_cut(seen, view) for seen in found.coatls):
            continue  # it goes on where this mat ends, so the whole photo is looked at instead
        read.append(mat)
        trace.add_picture("mat", "report_lane", partial(np.copy, view))
        coatls += [replace(s, pieces=tuple(map(back, s.pieces))) for s in found.coatls]
        loose_pieces += map(back, found.loose_pieces)
    if len(read) == len(mats) and coatls and not _has_room_beside_mats(mats, pixels):
        return FoundPieces(tuple(coatls), tuple(loose_pieces))
    drawn = DrawnPieces(cards, catalog)
    whole = mats[0].calibrate_colours(pixels) if mats else pixels
    least = measure_least_pitch(cards)
    rest = drawn.remove(find_coatls(whole, trace, least, drawn.show_line, show))
    coatls += [s for s in rest.coatls if not any(_is_on_mat(mat, s.pieces) for mat in read)]
    loose_pieces += [p for p in rest.loose_pieces if not any(_is_on_mat(mat, (p,)) for mat in read)]
    return FoundPieces(tuple(coatls), tuple(loose_pieces))


def _show_moved(show: ShowCoatls, move: Callable[[SeenPiece], SeenPiece]) -> ShowCoatls:
    """Show Cóatls after each piece is moved."""
    return lambda found: show([replace(s, pieces=tuple(map(move, s.pieces))) for s in found])


def _is_cut(seen: SeenCoatl, view: Pixels) -> bool:
    """Tell whether an end of a Cóatl lies at the left or right edge of a lane."""
    places = [point[0] for piece in (seen.pieces[0], seen.pieces[-1]) for point in piece.outline]
    return min(places) < LANE_EDGE or max(places) > view.shape[1] - LANE_EDGE


def _has_room_beside_mats(mats: Sequence[SeenMat], pixels: Pixels) -> bool:
    """Tell whether there is enough table beside the mats for another Cóatl."""
    height, width = pixels.shape[:2]
    covered = 0.0
    for mat in mats:
        panel = mat.panel
        corners = mat.mat_to_photo(box_corners(panel.x, panel.y, panel.width, panel.height))
        x, y = corners[:, 0].clip(0, width), corners[:, 1].clip(0, height)
        covered += abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2
    return bool(covered < 0.6 * width * height)


def _is_on_mat(mat: SeenMat, pieces: Sequence[SeenPiece]) -> bool:
    """Tell whether most of some pieces lie on a mat, or on the margin around it."""
    inside = mat.covers(np.array([piece.centre for piece in pieces]))
    return bool(inside.sum() * 2 > len(inside))


def _cut_lane(mat: SeenMat, view: Pixels) -> tuple[Pixels, Points]:
    """Cut out the lane of a mat; also return its corner in the rectified picture."""
    lane, whole = mat.lane.inset(-LANE_MARGIN), mat.view_box
    left = max(0, round((lane.x - whole.x) * MAT_PIXELS_PER_MM))
    top = max(0, round((lane.y - whole.y) * MAT_PIXELS_PER_MM))
    right = left + round(lane.width * MAT_PIXELS_PER_MM)
    bottom = top + round(lane.height * MAT_PIXELS_PER_MM)
    return view[top:bottom, left:right], np.array([left, top], float)


def _move_to_photo(mat: SeenMat, corner: Points, piece: SeenPiece) -> SeenPiece:
    """Map a piece from the rectified lane to pixels of the photo."""
    outline = mat.view_to_photo(np.array(piece.outline) + corner, MAT_PIXELS_PER_MM)
    ((x, y),) = mat.view_to_photo(np.array([piece.centre]) + corner, MAT_PIXELS_PER_MM)
    return replace(
        piece,
        outline=tuple((float(px), float(py)) for px, py in outline),
        centre=(float(x), float(y)),
    )


def _mean_height(seen: SeenCoatl) -> float:
    return float(np.mean([piece.centre[1] for piece in seen.pieces]))
