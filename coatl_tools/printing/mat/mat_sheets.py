"""The photo mat as it is drawn: sheets to lay a Cóatl and its cards on and take a picture of.

`load_mat_geometry` says where everything lies; this module adds inks and texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.errors import CoatlError
from coatl_tools.pieces import Colour
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Matrix,
    Path,
    Point,
    polygon,
    polyline,
    rectangle,
    rounded_polygon,
)
from coatl_tools.printing.drawing.ornaments import (
    colour_symbol,
    fan_out_copies,
    feather,
    fret_band,
    pyramid,
    quill,
    sun_symbol,
)
from coatl_tools.printing.drawing.surface import (
    Align,
    FontStyle,
    Surface,
    TextOverflowError,
    wrap_text,
)
from coatl_tools.printing.drawing.typography import add_no_break_spaces
from coatl_tools.printing.items import Design, Face, Item
from coatl_tools.printing.mat.mat_geometry import (
    DOUBLE_SHEETS,
    SINGLE_SHEETS,
    CardPlace,
    MatGeometry,
    MatLayout,
    MatSheetName,
    load_mat_geometry,
    load_mat_layout,
)
from coatl_tools.printing.paper.papers import PaperSize, SheetsLayout

BLACK, WHITE = "#000000", "#ffffff"


def make_mat_items(design: Design, paper: PaperSize) -> list[Item]:
    """Make the one-sheet mat for this paper, then the two sheets of the long one; all landscape.

    Raises CoatlError if the paper is too small for them.
    """
    margins = design.layouts.load("sheets", SheetsLayout).page
    room = Box(
        margins.sides,
        margins.top,
        paper.height - 2 * margins.sides,
        paper.width - margins.top - margins.bottom,
    )
    sheets = load_mat_layout(design.layouts).sheets
    fitting = [
        name
        for name in (*SINGLE_SHEETS, *DOUBLE_SHEETS)
        if sheets[name].width < room.width + 0.01 and sheets[name].height < room.height + 0.01
    ]
    single = max(
        (name for name in SINGLE_SHEETS if name in fitting),
        key=lambda name: sheets[name].lane.width,
        default=None,
    )
    if single is None or not set(DOUBLE_SHEETS) <= set(fitting):
        raise CoatlError("print.mat_paper", width=f"{paper.width:g}", height=f"{paper.height:g}")
    return [
        _make_mat_item(design, name, paper, room, margins.sides)
        for name in (single, *DOUBLE_SHEETS)
    ]


def _make_mat_item(
    design: Design, name: MatSheetName, paper: PaperSize, room: Box, safe: float
) -> Item:
    sheet = _MatSheet(design, name)
    x = room.x + (room.width - sheet.geometry.width) / 2
    y = room.y + (room.height - sheet.geometry.height) / 2

    def draw(surface: Surface) -> None:
        with surface.at_origin(x, y):
            sheet.draw(surface)

    key = f"mat-{name}-{design.theme_name}-{design.language.code}"
    title = f"{sheet.label('mat_title')}, {sheet.format_subtitle()}"
    # the outermost lines are half beyond the room that they enclose
    return Item(
        title, Face(key, paper.height, paper.width, draw, safe_margin=min(safe, room.y) - 1)
    )


class _MatSheet:
    """One sheet in the making, drawn from the top left corner of its panel."""

    def __init__(self, design: Design, name: MatSheetName) -> None:
        self.layout: MatLayout = load_mat_layout(design.layouts)
        self.geometry: MatGeometry = load_mat_geometry(name, design.layouts)
        self.marks = load_marks_layout(design.layouts)
        self.shape = design.piece_shape
        self.theme = design.theme
        self.language = design.language
        self.name = name
        self.other = load_mat_geometry("right" if name == "left" else "left", design.layouts)

    def draw(self, surface: Surface) -> None:
        """Draw the whole sheet, from the background up."""
        self._draw_ground(surface)
        self._draw_lane(surface)
        for place in self.geometry.places:
            self._draw_card_place(surface, place)
        self._draw_patches(surface)
        self._draw_texts(surface)
        if self.name in DOUBLE_SHEETS:
            self._draw_join(surface)
        for number, corners in self.geometry.marks.items():
            side = self.layout.mark.size
            surface.fill(self.marks.mark_path(number, *corners[0], side), BLACK)

    def label(self, key: str, n: int | None = None, **values: object) -> str:
        """Return a text of the mat, with the no-break spaces of its language."""
        return add_no_break_spaces(self.language.label(key, n, **values), self.language.code)

    # inks and lines

    @property
    def _frame_width(self) -> float:
        """The weight of frames."""
        return 0.3 if self.theme.solid else 0.2

    @property
    def _ground_ink(self) -> str:
        return self.geometry.field if self.theme.solid else WHITE

    def _make_style(self, face: str, size: float) -> FontStyle:
        return FontStyle(face, size, self.theme.ink)

    # parts

    def _draw_ground(self, surface: Surface) -> None:
        if self.theme.solid:
            surface.fill(polygon(*self._draw_panel(0)), self.geometry.ground)
        corners = self._draw_panel(self._frame_width / 2)
        if self.name == "left":  # begin and end where the other sheet goes on
            corners = corners[6:] + corners[:6]
        outline = polyline(*corners) if self.name in DOUBLE_SHEETS else polygon(*corners)
        surface.stroke(outline, self.theme.ink, self._frame_width)
        if self.theme.solid:
            for band in self.layout.sheets[self.name].frets:
                self._draw_frets(surface, band.box)

    def _draw_frets(self, surface: Surface, box: Box) -> None:
        """Draw a band of step-frets, a shade lighter than the ground so as not to distract.

        Its second half mirrors the first: the stairs meet in the middle.
        """
        upright = box.height > box.width
        length, across = max(box.width, box.height), min(box.width, box.height)
        with surface.at_origin(box.x, box.bottom if upright else box.y, turn=-90 if upright else 0):
            half = fret_band(0, 0, length / 2, across)
            surface.fill(half, self.geometry.field)
            surface.fill(half.transform(Matrix(a=-1, e=length - 0.04)), self.geometry.field)

    def _draw_panel(self, inset: float) -> list[Point]:
        """Return the outline of the panel, with its corners cut out around the marks."""
        quiet = self.layout.mark.quiet
        width, height = self.geometry.width - inset, self.geometry.height - inset
        top_left, top_right, low_right, low_left = (
            self._find_mark_corner(x, y, quiet) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))
        )
        return [
            (inset, top_left[1]), top_left, (top_left[0], inset),
            (top_right[0], inset), top_right, (width, top_right[1]),
            (width, low_right[1]), low_right, (low_right[0], height),
            (low_left[0], height), low_left, (inset, low_left[1]),
        ]  # fmt: skip

    def _find_mark_corner(self, right: int, low: int, quiet: float) -> Point:
        """Return a mark's corner nearest the middle of the sheet, moved in by a quiet zone."""
        middle = (self.geometry.width / 2, self.geometry.height / 2)
        for corners in self.geometry.marks.values():
            x, y = corners[0]
            if (x > middle[0], y > middle[1]) == (bool(right), bool(low)):
                inner = corners[(2, 3, 1, 0)[right + 2 * low]]
                return (
                    inner[0] + (-quiet if right else quiet),
                    inner[1] + (-quiet if low else quiet),
                )
        raise AssertionError("a sheet has a mark in each corner")

    def _draw_lane(self, surface: Surface) -> None:
        lane, scale, theme = self.geometry.lane, self.geometry.scale, self.theme
        surface.fill(lane.outline(), self._ground_ink)
        for y in (lane.y, lane.bottom):
            edge = polyline(
                (lane.x + self._frame_width / 2, y), (lane.right - self._frame_width / 2, y)
            )
            surface.stroke(
                edge, theme.ink, 2 * self._frame_width if theme.solid else self._frame_width
            )
        for x in self._find_outer_ends(lane):
            surface.stroke(polyline((x, lane.y), (x, lane.bottom)), theme.ink, self._frame_width)
        self._draw_ruler(surface, scale)
        middle = (lane.y + scale.y) / 2
        gap = (scale.y - lane.y - self.shape.height) / 2
        if self.name != "right":
            self._draw_lane_end(surface, lane.x + gap, middle, 1, "mat_head")
        if self.name != "left":
            self._draw_lane_end(surface, lane.right - gap, middle, -1, "mat_tail")

    def _find_outer_ends(self, box: Box) -> list[float]:
        """Return the x of the lane's ends that do not continue on another sheet."""
        left = [box.x + self._frame_width / 2] if self.name != "right" else []
        return left + ([box.right - self._frame_width / 2] if self.name != "left" else [])

    def _draw_lane_end(self, surface: Surface, x: float, y: float, inwards: int, word: str) -> None:
        """Draw an end of the lane: a tip, and the name of the piece that lies there.

        The tip must not look like a piece: the photo reader would take it for one.
        """
        back = x + 4 * inwards
        tip = polyline((back, y - 6), (x, y), (back, y + 6))
        surface.stroke(tip, self.theme.muted, 2 * self._frame_width)
        width = self.shape.head if inwards > 0 else self.shape.tail
        left = x + 5 if inwards > 0 else x - 5 - width
        type_ = self._make_style(fonts.SEMIBOLD, self.layout.type.lane)
        aligned: Align = "left" if inwards > 0 else "right"
        self._draw_fitted_text(
            surface, Box(left, y - 4, width, 8), self.label(word), type_, aligned
        )

    def _draw_ruler(self, surface: Surface, scale: Box) -> None:
        """Draw a millimetre scale along the lower edge of the lane, numbered in centimetres."""
        ticks: dict[float, Path] = {}
        type_ = self._make_style(fonts.REGULAR, self.layout.type.scale)
        for mm in range(int(scale.width) + 1):
            tall = 1.0 if mm % 10 == 0 else 0.5 if mm % 5 == 0 else 0.34
            x = scale.x + mm
            line = polyline((x, scale.bottom), (x, scale.bottom - tall * scale.height))
            width = 0.25 if mm % 10 == 0 else 0.13
            ticks[width] = ticks.get(width, Path()) + line
            if mm % 10 == 0:
                word = "0 cm" if mm == 0 else str(mm // 10)
                surface.draw_text(x + 0.6, scale.y + type_.cap_height, word, type_)
        for width, path in ticks.items():
            surface.stroke(path, self.theme.ink, width)

    def _draw_card_place(self, surface: Surface, place: CardPlace) -> None:
        """Draw a card's place; where it leaves the printed panel, its outline stays open."""
        box, corner = place.box, self.layout.card.corner
        top, low = max(box.y, 0.0), min(box.bottom, self.geometry.height)
        radii = [corner if box.y >= 0 else 0.0] * 2 + [corner if low == box.bottom else 0.0] * 2
        points = [(box.x, top), (box.right, top), (box.right, low), (box.x, low)]
        surface.fill(rounded_polygon(points, radii), self._ground_ink)
        closed = box.y >= 0 and low == box.bottom
        if not closed and box.y < 0:  # begin where it is open
            points, radii = points[1:] + points[:1], radii[1:] + radii[:1]
        elif not closed:
            points, radii = points[3:] + points[:3], radii[3:] + radii[:3]
        surface.stroke(rounded_polygon(points, radii, closed), self.theme.ink, self._frame_width)
        x, y = box.centre[0], (top + low) / 2
        self._draw_motif(surface, place, x, y - 3)
        words = Box(box.x + 4, y + 6, box.width - 8, 8)
        type_ = self._make_style(fonts.SEMIBOLD, self.layout.type.place)
        word = self.label("prophecy" if place.kind == "prophecy" else "temple")
        self._draw_fitted_text(surface, words, word, type_, "centre")

    def _draw_motif(self, surface: Surface, place: CardPlace, x: float, base: float) -> None:
        """Draw feathers for a Prophecy card, a stepped pyramid for a Temple card."""
        ink, fill = self.theme.muted, self._ground_ink
        if place.kind == "temple":
            surface.stroke(pyramid(x, base + 6, 26, 14, 4), ink, self._frame_width)
            surface.paint(rectangle(x - 2.5, base - 5, 5, 11), fill, ink, self._frame_width)
            return
        feathers = fan_out_copies(feather(15, 6), x, base + 6, 5, -64, 64)
        quills = fan_out_copies(quill(15, 6, 3), x, base + 6, 5, -64, 64)
        for i in (0, 4, 1, 3, 2):  # the middle one lies on top
            surface.paint(feathers[i], fill, ink, self._frame_width)
            if self.theme.solid:
                surface.stroke(quills[i], ink, 0.2)

    def _draw_patches(self, surface: Surface) -> None:
        for patch in self.geometry.patches:
            box = patch.box
            area = box.outline()
            surface.fill(area, patch.colour)
            if self.theme.solid or patch.tint == "white":  # on a ground as light as they are
                surface.stroke(area, self.theme.muted, 0.2)
            first = all(other.box.x >= box.x for other in self.geometry.patches)
            x, y = box.x - 4 if first else box.right + 4, box.centre[1]
            if patch.tint == "golden":
                surface.fill(sun_symbol(x, y, 2), self.theme.ink)
            elif patch.tint in Colour.__members__:
                surface.fill(colour_symbol(Colour[patch.tint], x, y, 2), self.theme.ink)

    # words

    def _draw_fitted_text(
        self, surface: Surface, box: Box, text: str, type_: FontStyle, align: Align = "left"
    ) -> None:
        surface.draw_fitted_text(box, text, type_, self.layout.type.smallest, align, "middle")

    def format_subtitle(self) -> str:
        """Say how many pieces the lane holds, and which sheet this is."""
        if self.name not in DOUBLE_SHEETS:
            return self.label("mat_pieces", n=self._count_pieces(self.geometry.lane.width))
        both = self.geometry.lane.width + self.other.lane.width
        pieces = self.label("mat_pieces", n=self._count_pieces(both))
        sheet = self.label("mat_sheet", number=DOUBLE_SHEETS.index(self.name) + 1)
        return f"{sheet}, {pieces}"

    def _count_pieces(self, lane: float) -> int:
        """Count the pieces of the longest Cóatl that fits a lane of this length in mm."""
        shape = self.shape
        return int((lane - shape.head - shape.tail) / shape.pitch) + 1

    def _draw_texts(self, surface: Surface) -> None:
        sheet, sizes = self.layout.sheets[self.name], self.layout.type
        title = sheet.title.box
        upper = Box(title.x, title.y, title.width, title.height * 0.62)
        lower = Box(title.x, upper.bottom, title.width, title.height - upper.height)
        bold = self._make_style(fonts.BLACK if self.theme.solid else fonts.BOLD, sizes.title)
        self._draw_fitted_text(surface, upper, self.label("mat_title"), bold)
        plain = self._make_style(fonts.SEMIBOLD, sizes.subtitle)
        self._draw_fitted_text(surface, lower, self.format_subtitle(), plain)
        if self.name == "left":
            hints = [self.label("mat_cut"), self.label("mat_tape")]
        else:
            cards = "mat_cards_over" if self.name in SINGLE_SHEETS else "mat_cards"
            keys = ("mat_lay", cards, "mat_light", "mat_picture")
            hints = [self.label(key) for key in keys]
        self._draw_hints(surface, sheet.hints.box, hints)

    def _draw_hints(self, surface: Surface, box: Box, hints: Sequence[str]) -> None:
        """Draw numbered sentences in the largest type in which all of them fit.

        Raises TextOverflowError if they do not fit in the smallest.
        """
        indent = 6.0
        type_ = self._make_style(fonts.REGULAR, self.layout.type.hints)
        while not (rows := self._place_hints(box, hints, type_, indent)):
            type_ = type_.with_size(type_.size - 0.25)
            if type_.size < self.layout.type.smallest:
                smallest = self.layout.type.smallest
                raise TextOverflowError.for_text(" ".join(hints), box.width, box.height, smallest)
        bold = self._make_style(fonts.BOLD, type_.size)
        for n, (row, hint) in enumerate(zip(rows, hints, strict=True), 1):
            surface.draw_text(box.x, row.y + type_.size * 0.86 / POINTS_PER_MM, str(n), bold)
            text = Box(row.x + indent, row.y, row.width - indent, row.height)
            surface.draw_fitted_text(text, hint, type_, self.layout.type.smallest)

    def _place_hints(
        self, box: Box, hints: Sequence[str], type_: FontStyle, indent: float
    ) -> list[Box]:
        """Return a box for each hint, one below the other; none if there is no room."""
        rows, y, gap = [], box.y, type_.line_distance * 0.5
        for hint in hints:
            lines = wrap_text(hint, type_, box.width - indent)
            if lines is None:
                return []
            height = len(lines) * type_.line_distance
            rows.append(Box(box.x, y, box.width, height))
            y += height + gap
        return rows if y - gap <= box.bottom else []

    def _draw_join(self, surface: Surface) -> None:
        """Draw the edge where the two sheets meet: cut on the right one, a line on the left one."""
        cut, accent = self.name == "right", self.theme.accent
        width = 0.35
        x = width / 2 if cut else self.geometry.width - width / 2
        edge = polyline((x, 0), (x, self.geometry.height))
        surface.stroke(edge, accent, width, dash=(3, 2) if cut else ())
        type_ = self._make_style(fonts.SEMIBOLD, self.layout.type.join).with_ink(accent)
        word = self.label("mat_cut_here" if cut else "mat_join")
        lane = self.geometry.lane
        with surface.at_origin(x + 1.5 if cut else x - 1.5 - 5, lane.y - 3, turn=-90):
            self._draw_fitted_text(surface, Box(0, 0, 60, 5), word, type_)
