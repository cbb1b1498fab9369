"""The calibration sheet: targets on both sides that show how far a printer's backs are off.

On the front each target has two scales in millimetres, on the back a fine cross. Held against the
light, the cross shows on the scales what `coatl print profile` asks for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from coatl_tools.language import Language
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Box, Point, polygon, polyline
from coatl_tools.printing.drawing.surface import FontStyle, Surface, wrap_text
from coatl_tools.printing.drawing.typography import add_no_break_spaces
from coatl_tools.printing.items import Design, Face, Item
from coatl_tools.printing.paper.papers import CalibrationLayout, PaperSize, load_sheets_layout

TARGET_CLEARANCE = 5.0  # between a target and what is written


def place_targets(paper: PaperSize, layout: CalibrationLayout) -> dict[str, Point]:
    """Return the centres of the targets by letter; they coincide on both sides of the sheet.

    A and B are at the top, C is in the middle, D and E are at the bottom.
    """
    x, y = paper.width / 2, paper.height / 2
    dx, dy = layout.width / 2, layout.height / 2
    return {
        "A": (x - dx, y - dy),
        "B": (x + dx, y - dy),
        "C": (x, y),
        "D": (x - dx, y + dy),
        "E": (x + dx, y + dy),
    }


def compute_divisors(layout: CalibrationLayout) -> tuple[float, float]:
    """Compute the divisors that turn differences between targets (mm) into degrees, percent."""
    return math.radians(layout.width), layout.height / 100


def make_calibration_item(
    design: Design,
    paper: PaperSize,
    long_edge: bool,
    printer: str | None,
    corrected: bool,
    options: str = "",
) -> Item:
    """Make the sheet for a printer; `corrected` if its profile is applied to the back.

    `options` are the command line options that make this very sheet again.
    """
    layout = load_sheets_layout(design.layouts)
    size = (paper.width, paper.height)

    def draw_front(surface: Surface) -> None:
        for letter, (x, y) in place_targets(paper, layout.calibration).items():
            with surface.at_origin(x, y):
                _draw_target_scales(surface, layout.calibration, letter)
        _CalibrationText(design.language, paper, layout.calibration, options).draw(
            surface, long_edge, printer, corrected
        )

    def draw_back(surface: Surface) -> None:
        cross = layout.calibration
        for x, y in place_targets(paper, cross).values():
            reach = cross.reach + cross.tick
            lines = polyline((x - reach, y), (x + reach, y)) + polyline(
                (x, y - reach), (x, y + reach)
            )
            surface.stroke(lines, "#000000", cross.cross)
        box = Box(paper.width / 2 - 60, paper.height / 4, 120, 12)
        type_ = FontStyle(fonts.SEMIBOLD, cross.type)
        text = design.language.label("calibrate_back")
        surface.draw_fitted_text(box, text, type_, cross.smallest, "centre", "middle")

    front = Face("calibration-front", *size, draw_front, safe_margin=layout.edge)
    back = Face("calibration-back", *size, draw_back, safe_margin=layout.edge)
    return Item(design.language.label("calibrate_title"), front, back)


def _draw_target_scales(surface: Surface, layout: CalibrationLayout, letter: str) -> None:
    """Draw a target: scales about the origin, their positive ends marked by arrow and plus."""
    reach, tick = layout.reach, layout.tick
    lines = polyline((-reach, 0), (reach, 0)) + polyline((0, -reach), (0, reach))
    figures, signs = FontStyle(fonts.REGULAR, layout.figures), FontStyle(fonts.BOLD, layout.label)
    for half in range(1, int(reach * 2) + 1):
        at, tall = half / 2, tick if half % 2 == 0 else tick / 2
        # the four arms like a pinwheel: where they meet, no tick crosses another
        arm = polyline((at, 0), (at, -tall))
        for turn in (0, 90, 180, 270):
            lines += arm.place_at(0, 0, turn=turn)
    surface.stroke(lines, "#000000", layout.line)
    for at in range(5, int(reach) + 1, 5):
        near, far = tick + 0.7, tick + 0.7 + figures.cap_height
        surface.draw_text(at, -near, f"+{at}", figures, "centre")
        surface.draw_text(-at, far, f"−{at}", figures, "centre")
        surface.draw_text(near, at + figures.cap_height / 2, f"+{at}", figures)
        surface.draw_text(-near, -at + figures.cap_height / 2, f"−{at}", figures, "right")
    arrow = polygon((reach + 2.2, 0), (reach, -1), (reach, 1))
    surface.fill(arrow + arrow.place_at(0, 0, turn=90), "#000000")
    surface.draw_text(reach + 1, -2.5, "+", signs, "centre")
    surface.draw_text(-3.5, reach + 1 + signs.cap_height / 2, "+", signs, "centre")
    surface.draw_text(-reach, -reach + signs.cap_height, letter, signs, "centre")


@dataclass(frozen=True)
class CalibrationStep:
    """An instruction: a text, and highlighted lines below it."""

    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class _CalibrationText:
    """The instructions on the front."""

    language: Language
    paper: PaperSize
    layout: CalibrationLayout
    options: str

    def draw(self, surface: Surface, long_edge: bool, printer: str | None, corrected: bool) -> None:
        """Draw the instructions above and below the middle."""
        label = self.language.label
        upper, lower = self._find_text_boxes()
        title = FontStyle(fonts.BOLD, self.layout.title)
        middle, base = self.paper.width / 2, upper.y + title.cap_height
        surface.draw_text(middle, base, label("calibrate_title"), title, "centre")
        room = Box(
            upper.x,
            upper.y + 2.5 * title.cap_height,
            upper.width,
            upper.height - 2.5 * title.cap_height,
        )
        edge = label("calibrate_long" if long_edge else "calibrate_short")
        before = [
            CalibrationStep(label("calibrate_print", edge=edge)),
            CalibrationStep(label("calibrate_light")),
            CalibrationStep(label("calibrate_middle")),
        ]
        self._draw_steps(surface, room, before, first=1)
        name = printer or label("calibrate_name")
        if corrected:
            after = [CalibrationStep(label("calibrate_corrected", name=name))]
        else:
            after = self._make_calculation_steps(f'"{name}"' if " " in name else name)
        self._draw_steps(surface, lower, after, first=4)

    def _make_calculation_steps(self, name: str) -> list[CalibrationStep]:
        label = self.language.label
        for_degrees, for_percent = compute_divisors(self.layout)
        sums = (
            f"rotate = (B − A) ÷ {for_degrees:.4g}",
            f"scale = 100 + (D − A) ÷ {for_percent:.4g}",
        )
        command = f"coatl print profile {name} --dx … --dy … --rotate … --scale …"
        corrected = (
            f"coatl print calibrate --printer {name}{self.options}",
            f"coatl print --printer {name}{self.options}",
        )
        return [
            CalibrationStep(label("calibrate_rotate"), sums),
            CalibrationStep(label("calibrate_type"), (command,)),
            CalibrationStep(label("calibrate_again"), corrected),
        ]

    def _find_text_boxes(self) -> tuple[Box, Box]:
        """Find the boxes for text above and below the middle."""
        places, reach = place_targets(self.paper, self.layout), self.layout.reach
        middle, free = places["C"][1], reach + TARGET_CLEARANCE
        left, width = places["A"][0] + free, self.layout.width - 2 * free
        top, bottom = places["A"][1] - reach, places["D"][1] + reach
        upper = Box(left, top, width, middle - free - top)
        return upper, Box(left, middle + free, width, bottom - middle - free)

    def _draw_steps(
        self, surface: Surface, room: Box, steps: list[CalibrationStep], first: int
    ) -> None:
        """Draw numbered steps, one below the other, centred in the room."""
        type_ = FontStyle(fonts.REGULAR, self.layout.type, leading=1.3)
        strong = FontStyle(fonts.BOLD, self.layout.type, leading=1.5)
        indent, gap = 8.0, type_.line_distance
        width = room.width - indent
        heights = [
            _measure_paragraph(step.text, type_, width) + len(step.lines) * strong.line_distance
            for step in steps
        ]
        y = room.y + (room.height - sum(heights) - gap * (len(steps) - 1)) / 2
        for number, (step, tall) in enumerate(zip(steps, heights, strict=True), first):
            surface.draw_text(room.x, y + type_.size * 0.86 / POINTS_PER_MM, str(number), strong)
            text = Box(room.x + indent, y, width, tall - len(step.lines) * strong.line_distance)
            surface.draw_fitted_text(
                text, add_no_break_spaces(step.text, self.language.code), type_
            )
            for index, line in enumerate(step.lines):
                below = Box(
                    text.x, text.bottom + index * strong.line_distance, width, strong.line_distance
                )
                surface.draw_fitted_text(
                    below, line, strong, self.layout.smallest, vertical="middle"
                )
            y += tall + gap


def _measure_paragraph(text: str, type_: FontStyle, width: float) -> float:
    """Measure the height of a wrapped text, in mm, from accents to descenders."""
    return (len(wrap_text(text, type_, width) or [""]) + 0.1) * type_.line_distance
