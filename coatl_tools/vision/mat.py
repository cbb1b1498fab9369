"""The photo mat in a photo: where it lies, seen from above, in its true colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.errors import Phrase
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.mat.mat_geometry import (
    DOUBLE_SHEETS,
    SINGLE_SHEETS,
    MatGeometry,
    MatSheetName,
    load_mat_geometry,
)
from coatl_tools.vision.homography import (
    Points,
    box_corners,
    estimate_homography_error,
    fit_best_homography,
    fit_camera_homographies,
    fit_homography,
    invert_homography,
    map_points,
    rectify_box,
)
from coatl_tools.vision.mark_detection import MIN_CLARITY, SeenMark, find_marks
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.stage_trace import Pixels, Trace

PANEL_MARGIN = 25.0  # millimetres around the panel that are seen too: cards lie over its edge
MAX_MARK_OFFSET = 2.5  # millimetres by which a mark may lie off its place on a bent sheet
MAX_MAT_ERROR = 4.0  # millimetres: a mat that is known worse than this is not used
PATCH_SHARE = 0.5  # the part of a patch that is looked at, in each direction
MAX_SHEET_OFFSET = 25.0  # millimetres by which the two sheets of a long mat may be off


@dataclass(frozen=True, eq=False)
class SeenSheet:
    """One sheet: its geometry, its homography from its millimetres to pixels, its seen marks."""

    geometry: MatGeometry
    homography: Points
    marks: tuple[int, ...]

    @property
    def homography_from_mat(self) -> Points:
        """The homography from the millimetres of the whole mat."""
        back = np.array([(1, 0, -self.geometry.offset), (0, 1, 0), (0, 0, 1)], float)
        return np.asarray(self.homography @ back, np.float64)


@dataclass(frozen=True, eq=False)
class SeenMat:
    """A mat in a photo: one sheet, or one or both of a long mat's.

    Its millimetres run from the top left corner of its panel, of the left sheet's in a long mat.
    Plastic pieces stand 9 mm above it: in a picture from the side, their tops seem to lie farther
    away than they do. Printed pieces and cards are flat.
    """

    sheets: tuple[SeenSheet, ...]
    samples: tuple[PatchSample, ...] = field(default=(), repr=False)

    @property
    def panel(self) -> Box:
        """The printed ground of what was found of it."""
        left = min(sheet.geometry.offset for sheet in self.sheets)
        right = max(sheet.geometry.offset + sheet.geometry.width for sheet in self.sheets)
        return Box(left, 0, right - left, max(sheet.geometry.height for sheet in self.sheets))

    @property
    def lane(self) -> Box:
        """Where the Cóatl lies."""
        lanes = [sheet.geometry.lane for sheet in self.sheets]
        left = min(s.geometry.offset + s.geometry.lane.x for s in self.sheets)
        right = max(s.geometry.offset + s.geometry.lane.right for s in self.sheets)
        return Box(left, lanes[0].y, right - left, lanes[0].height)

    @property
    def view_box(self) -> Box:
        """What is seen from above: the panel and a margin around it."""
        return self.panel.inset(-PANEL_MARGIN)

    def covers(self, points: Points) -> NDArray[np.bool_]:
        """Tell which pixels of the photo show the mat or the margin around it."""
        box, (x, y) = self.view_box, self.photo_to_mat(points).T
        inside = (x >= box.x) & (x <= box.right) & (y >= box.y) & (y <= box.bottom)
        return np.asarray(inside, bool)

    def mat_to_photo(self, points: Points) -> Points:
        """Map points of the mat, in its millimetres, to pixels of the photo."""
        points = np.asarray(points, np.float64).reshape(-1, 2)
        out = np.empty_like(points)
        for sheet, here in self._split_by_sheet(points[:, 0]):
            if here.any():
                out[here] = map_points(points[here], sheet.homography_from_mat)
        return out

    def photo_to_mat(self, points: Points) -> Points:
        """Map pixels of the photo to millimetres of the mat."""
        points = np.asarray(points, np.float64).reshape(-1, 2)
        first = self._map_back(points, self.sheets[0])
        out = first.copy()
        for sheet, here in self._split_by_sheet(first[:, 0]):
            if here.any():
                out[here] = self._map_back(points[here], sheet)
        return out

    def rectify(self, pixels: Pixels, pixels_per_mm: float) -> Pixels:
        """Rectify the mat: seen from above, with a margin around its panel."""
        box, first = self.view_box, self.sheets[0]
        out = rectify_box(pixels, first.homography_from_mat, box, pixels_per_mm)
        for sheet in self.sheets[1:]:
            left = round(pixels_per_mm * (sheet.geometry.offset - box.x))
            view = rectify_box(pixels, sheet.homography_from_mat, box, pixels_per_mm)
            out[:, left:] = view[:, left:]
        return out

    def view_to_photo(self, points: Points, pixels_per_mm: float) -> Points:
        """Map points of the rectified picture to pixels of the photo."""
        return self.mat_to_photo(map_points(points, self._view_to_mat(pixels_per_mm)))

    @property
    def colour_calibration(self) -> ColourCalibration | None:
        """The calibration to the printed colours; None if the patches do not give one."""
        return fit_calibration(self.samples)

    def calibrate_colours(self, pixels: Pixels) -> Pixels:
        """Calibrate a photo to the printed colours; unchanged if the patches do not give them."""
        colours = self.colour_calibration
        return pixels if colours is None else colours.apply(pixels)

    def _view_to_mat(self, pixels_per_mm: float) -> Points:
        """Return the map from pixels of the rectified picture to millimetres."""
        box, scale = self.view_box, 1 / pixels_per_mm
        half = 0.5 * scale
        return np.array([(scale, 0, box.x + half), (0, scale, box.y + half), (0, 0, 1)])

    def _split_by_sheet(self, x: Points) -> Iterator[tuple[SeenSheet, NDArray[np.bool_]]]:
        """Yield each sheet and which x (mm) lie on it or beyond its outer edge."""
        for index, sheet in enumerate(self.sheets):
            begin = sheet.geometry.offset if index else -np.inf
            following = self.sheets[index + 1 : index + 2]
            end = following[0].geometry.offset if following else np.inf
            yield sheet, (x >= begin) & (x < end)

    def _map_back(self, points: Points, sheet: SeenSheet) -> Points:
        return map_points(points, invert_homography(sheet.homography_from_mat))


def find_mats(
    pixels: Pixels, trace: Trace, marks: Sequence[SeenMark] | None = None
) -> tuple[tuple[SeenMat, ...], tuple[ReadingProblem, ...]]:
    """Find all mats in a photo, the one with the most marks first, and their problems."""
    found = find_marks(pixels, trace) if marks is None else marks
    with trace.stage("mat"):
        size = (pixels.shape[1], pixels.shape[0])
        sheets: list[SeenSheet] = []
        lost = 0
        for name in (*SINGLE_SHEETS, *DOUBLE_SHEETS):
            geometry = load_mat_geometry(name, Layouts())
            rest = [m for m in found if m.number in geometry.marks and m.clarity >= MIN_CLARITY]
            while rest:
                sheet, used = _fit_sheet(geometry, rest, size)
                if sheet is None:
                    lost += 1
                    break
                sheets.append(sheet)
                rest = [mark for mark in rest if mark not in used]
        mats = [
            SeenMat(group, tuple(_sample_patches(pixels, group))) for group in _join_sheets(sheets)
        ]
        mats.sort(key=lambda mat: -sum(len(sheet.marks) for sheet in mat.sheets))
    if lost and not mats:
        phrase: Phrase = ("photo.mat_incomplete", {})
        advice = "photo.show_mat_corners"
        return (), (ReadingProblem("mat_incomplete", phrase, advice, serious=False),)
    if mats:
        trace.add_picture(
            "mat",
            "report_rectified",
            lambda: mats[0].rectify(mats[0].calibrate_colours(pixels), 3.0),
        )
    return tuple(mats), ()


def _fit_sheet(
    geometry: MatGeometry, marks: Sequence[SeenMark], size: tuple[int, int]
) -> tuple[SeenSheet | None, list[SeenMark]]:
    """Fit the sheet that most of these marks agree on; marks elsewhere are ignored."""
    best: tuple[tuple[int, float], list[SeenMark]] | None = None
    few = [(mark,) for mark in marks]
    for chosen in (*combinations(marks, 2), *few):
        if len({mark.number for mark in chosen}) < len(chosen):
            continue
        for matrix in _list_homographies(geometry, chosen, size):
            agreeing = _find_agreeing_marks(geometry, marks, matrix)
            if all(mark in agreeing for mark in chosen):
                score = (len(agreeing), sum(mark.side for mark in agreeing))
                if best is None or score > best[0]:
                    best = (score, agreeing)
    if best is None:
        return None, []
    used = best[1]
    flat, seen = _pair_corners(geometry, used)
    corners = box_corners(0, 0, geometry.width, geometry.height)
    free = len(used) > 2 or _are_opposite(geometry, used)
    found = fit_best_homography(flat, seen, size, free)
    if found is None or not _faces_up(found, corners):
        return None, used
    off = estimate_homography_error(flat, seen, size, corners, free)
    scale = np.sqrt(cv2.contourArea(map_points(corners, found).astype(np.float32)))
    scale /= np.sqrt(geometry.width * geometry.height)  # pixels in a millimetre
    if not off < MAX_MAT_ERROR * scale:
        return None, used
    return SeenSheet(geometry, found, tuple(sorted(mark.number for mark in used))), used


def _list_homographies(
    geometry: MatGeometry, marks: Sequence[SeenMark], size: tuple[int, int]
) -> list[Points]:
    flat, seen = _pair_corners(geometry, marks)
    found = fit_camera_homographies(flat, seen, size)
    free = fit_homography(flat, seen) if len(marks) > 1 else None
    return found if free is None else [free, *found]


def _find_agreeing_marks(
    geometry: MatGeometry, marks: Sequence[SeenMark], homography: Points
) -> list[SeenMark]:
    """Find the marks at their places, for each number the best one."""
    best: dict[int, tuple[float, SeenMark]] = {}
    back = invert_homography(homography)
    for mark in marks:
        off = float(np.abs(map_points(mark.corners, back) - geometry.marks[mark.number]).max())
        if off < MAX_MARK_OFFSET * 2 and (mark.number not in best or off < best[mark.number][0]):
            best[mark.number] = (off, mark)
    return [mark for _, mark in best.values()]


def _pair_corners(geometry: MatGeometry, marks: Sequence[SeenMark]) -> tuple[Points, Points]:
    flat = np.concatenate([np.array(geometry.marks[mark.number], float) for mark in marks])
    return flat, np.concatenate([mark.corners for mark in marks])


def _are_opposite(geometry: MatGeometry, marks: Sequence[SeenMark]) -> bool:
    """Tell whether two marks lie in opposite corners, which is enough to fit a sheet."""
    middles = [np.mean(geometry.marks[mark.number], axis=0) for mark in marks]
    if len(middles) != 2:
        return False
    apart = np.abs(middles[0] - middles[1])
    return bool(apart.min() > 0.5 * min(geometry.width, geometry.height))


def _faces_up(homography: Points, corners: Points) -> bool:
    """Tell whether the whole sheet lies before the camera, printed side up."""
    depth = np.column_stack([corners, np.ones(len(corners))]) @ homography[2]
    if depth.min() * depth.max() <= 0:
        return False
    return float(cv2.contourArea(map_points(corners, homography).astype(np.float32), True)) > 0


def _join_sheets(sheets: Sequence[SeenSheet]) -> list[tuple[SeenSheet, ...]]:
    """Join left and right sheets that lie side by side into mats."""
    by_name: Mapping[MatSheetName, list[SeenSheet]] = {
        name: [sheet for sheet in sheets if sheet.geometry.name == name]
        for name in (*SINGLE_SHEETS, *DOUBLE_SHEETS)
    }
    mats: list[tuple[SeenSheet, ...]] = [(s,) for name in SINGLE_SHEETS for s in by_name[name]]
    rights = list(by_name["right"])
    for left in by_name["left"]:
        right = next((sheet for sheet in rights if _are_side_by_side(left, sheet)), None)
        if right is not None:
            rights.remove(right)
        mats.append((left,) if right is None else (left, right))
    return mats + [(right,) for right in rights]


def _are_side_by_side(left: SeenSheet, right: SeenSheet) -> bool:
    edge = np.array([(0.0, 0.0), (0.0, right.geometry.height)])
    seen = map_points(map_points(edge, right.homography), invert_homography(left.homography))
    return bool(np.abs(seen - edge - (left.geometry.width, 0)).max() < MAX_SHEET_OFFSET)


def _sample_patches(pixels: Pixels, sheets: Sequence[SeenSheet]) -> Iterator[PatchSample]:
    """Sample the patches that are not covered."""
    for sheet in sheets:
        for patch in sheet.geometry.patches:
            box = patch.box.inset(patch.box.width * (1 - PATCH_SHARE) / 2)
            side = 12
            flat = box_corners(0, 0, side - 1, side - 1).astype(np.float32)
            here = map_points(box_corners(box.x, box.y, box.width, box.height), sheet.homography)
            low, high = here.min(axis=0), here.max(axis=0)
            if low.min() < 0 or high[0] >= pixels.shape[1] or high[1] >= pixels.shape[0]:
                continue
            matrix = cv2.getPerspectiveTransform(flat, here.astype(np.float32))
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            part = cv2.warpPerspective(pixels, matrix, (side, side), flags=flags)
            red, green, blue = (int(patch.colour[i : i + 2], 16) for i in (1, 3, 5))
            found = sample_patch(np.asarray(cv2.medianBlur(part, 3), np.uint8), (blue, green, red))
            if found is not None:
                yield found


Values = NDArray[np.float64]
MAX_PATCH_ERROR = 0.16  # by which the logarithm of its light may differ for it to be believed
GAMMA_RANGE = (0.6, 1.7)  # curves of cameras lie between
MIN_PATCHES = 3  # patches that must agree
MAX_PATCH_NOISE = 14.0  # grey levels by which the pixels of one patch may differ


@dataclass(frozen=True, slots=True)
class PatchSample:
    """A patch: what it was printed as and what the camera saw, as blue, green, red."""

    printed: tuple[float, float, float]
    seen: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ColourCalibration:
    """For each channel a gain and a curve: printed = gain * seen ** gamma, both from 0 to 1."""

    gain: tuple[float, float, float]
    gamma: tuple[float, float, float]

    def apply(self, pixels: Pixels) -> Pixels:
        """Convert a picture to what it would be in white light."""
        light = np.arange(256) / 255.0
        curves = [
            np.clip(255 * gain * light**gamma, 0, 255)
            for gain, gamma in zip(self.gain, self.gamma, strict=True)
        ]
        table = np.round(np.stack(curves, axis=-1)).astype(np.uint8).reshape(1, 256, 3)
        return np.asarray(cv2.LUT(pixels, table), np.uint8)


def sample_patch(part: Pixels, printed: tuple[float, float, float]) -> PatchSample | None:
    """Sample a patch from its pixels; None if something lies on it, or it reflects."""
    if part.size < 3 * 4:
        return None
    values = part.reshape(-1, 3).astype(np.float64)
    if np.ptp(np.percentile(values, (15, 85), axis=0), axis=0).max() > 2 * MAX_PATCH_NOISE:
        return None
    blue, green, red = np.median(values, axis=0)
    return PatchSample(printed, (float(blue), float(green), float(red)))


def fit_calibration(samples: Sequence[PatchSample]) -> ColourCalibration | None:
    """Fit the calibration that most patches agree with; None if hardly any do.

    Every pair of patches proposes a calibration; the one that most patches agree with wins, so that
    patches in shadow, in glare or covered are ignored.
    """
    seen = np.array([sample.seen for sample in samples], float).reshape(-1, 3)
    printed = np.array([sample.printed for sample in samples], float).reshape(-1, 3)
    # what is burnt out or black tells nothing of light
    usable = ((seen > 6) & (seen < 250) & (printed > 6)).all(axis=1)
    x, y = np.log(seen[usable] / 255), np.log(printed[usable] / 255)
    if len(x) < MIN_PATCHES:
        return None
    best: tuple[int, float, NDArray[np.bool_]] | None = None
    for one, other in combinations(range(len(x)), 2):
        gap = x[one] - x[other]
        if np.abs(gap).min() < 0.2:
            continue
        slope = np.clip((y[one] - y[other]) / gap, *GAMMA_RANGE)
        start = (y[one] + y[other] - slope * (x[one] + x[other])) / 2
        off = np.abs(start + slope * x - y).mean(axis=1)
        agree = off < MAX_PATCH_ERROR
        score = (int(agree.sum()), -float(off[agree].sum()))
        if best is None or score > best[:2]:
            best = (*score, agree)
    if best is None or best[0] < MIN_PATCHES:
        return None
    slope, start = _fit_channels(x[best[2]], y[best[2]])
    gain = np.exp(start)
    return ColourCalibration(
        (float(gain[0]), float(gain[1]), float(gain[2])),
        (float(slope[0]), float(slope[1]), float(slope[2])),
    )


def _fit_channels(x: Values, y: Values) -> tuple[Values, Values]:
    """Fit a line through the patches, channel by channel, its slope limited to real cameras."""
    middle_x, middle_y = x.mean(axis=0), y.mean(axis=0)
    spread = np.maximum(((x - middle_x) ** 2).sum(axis=0), 1e-6)
    slope = np.clip(((x - middle_x) * (y - middle_y)).sum(axis=0) / spread, *GAMMA_RANGE)
    return slope, middle_y - slope * middle_x
