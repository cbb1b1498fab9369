"""What a content stream does, operator by operator, as far as it leaves marks on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pikepdf

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.drawing.pdf_tags import TEXT_BOX_TAG
from coatl_tools.printing.preflight.gathering import Gathering, Place
from coatl_tools.printing.preflight.painted import LINE_ART, NONE, PICTURE, TEXT, Painted
from coatl_tools.printing.preflight.state import State
from coatl_tools.printing.preflight.streams import TooMuchError, box_of, matrix_of, numbers_of
from coatl_tools.printing.preflight.tokens import PATH, Name, Operand, instructions
from coatl_tools.printing.preflight.tracing import Tracing

if TYPE_CHECKING:
    from coatl_tools.printing.preflight.content import Content, Resources, Shown

_FILLED = ("f", "F", "f*", "B", "B*", "b", "b*")
_STROKED = ("S", "s", "B", "B*", "b", "b*")
_CLOSED = ("s", "b", "b*")
_PAINTED = (*_FILLED, "S", "s", "n")
_MOST_STATES = 500
_MOST_POINTS = 2_000_000  # of a page or form
_UNIT = (0.0, 0.0, 1.0, 1.0)
_UNSEEN = (3, 7)  # ways to set text that leave no mark


class Interpreter:
    """Follows one stream."""

    def __init__(
        self,
        content: Content,
        resources: Resources,
        state: State,
        shown: list[Shown] | None,
    ) -> None:
        self._content = content
        self._resources = resources
        self._state = state
        self._shown = shown  # of a page: its forms are told apart
        self._kept: list[State] = []
        self._path = Tracing()
        self._clipping = False
        self._marked: list[tuple[bool, int]] = []  # what is open: a background, a text's box
        self._text = self._line = Matrix()
        self._gathered = Gathering()
        self._points = 0  # of the forms that are shown

    def run(self, data: bytes) -> Painted:
        """Follow the stream; answers its marks."""
        budget = self._content.budget
        for operator, operands in instructions(data):
            if operator == PATH:
                run = operands[0]
                assert isinstance(run, bytes)
                budget.take(steps=1 + len(run) // 20)
                self._path.run(run)
            else:
                budget.take(steps=1)
                self._do(operator, operands)
        painted = self._gathered.done()
        budget.take(points=len(painted.points))
        return painted

    def _do(self, operator: str, operands: list[Operand]) -> None:
        if operator in _PAINTED:
            self._paint(operator)
            return
        state, v = self._state, [one for one in operands if isinstance(one, float)]
        match operator, len(v):
            case "m" | "l" | "c" | "h" | "re" | "v" | "y", _:
                self._path.step(operator.encode(), v)
            case "W" | "W*", _:
                self._clipping = True
            case "q", _:
                if len(self._kept) >= _MOST_STATES:
                    raise TooMuchError
                self._kept.append(state.copy())
            case "Q", _:
                if self._kept:
                    self._state = self._kept.pop()
            case "cm", 6:
                state.matrix = state.matrix @ Matrix(*v)
            case "w", 1:
                state.width = v[0]
            case "J", 1:
                state.cap = int(v[0])
            case "gs", _:
                self._graphics_state(_name(operands))
            case "Do", _:
                self._show(_name(operands))
            case "sh", _:
                self._gathered.box(state.clip, self._place(Matrix()), PICTURE, 1e6, NONE)
            case "ID", _:
                self._inline(operands)
            case "BDC" | "BMC", _:
                self._open(operands)
            case "EMC", _:
                if self._marked:
                    self._marked.pop()
            case _:
                self._do_text(operator, operands, v)

    def _do_text(self, operator: str, operands: list[Operand], v: list[float]) -> None:
        state = self._state
        match operator, len(v):
            case "BT", _:
                self._text = self._line = Matrix()
            case "Tm", 6:
                self._text = self._line = Matrix(*v)
            case "Td", 2:
                self._next_line(*v)
            case "TD", 2:
                state.leading = -v[1]
                self._next_line(*v)
            case "T*", _:
                self._next_line(0, -state.leading)
            case "Tf", 1:
                state.font, state.size = self._resources.font(_name(operands)), v[0]
            case "TL", 1:
                state.leading = v[0]
            case "Tc", 1:
                state.char_space = v[0]
            case "Tw", 1:
                state.word_space = v[0]
            case "Tz", 1:
                state.stretch = v[0] / 100
            case "Ts", 1:
                state.rise = v[0]
            case "Tr", 1:
                state.render = int(v[0])
            case "Tj", _:
                self._set(operands)
            case "TJ", _:
                self._set(operands[-1] if operands and isinstance(operands[-1], list) else [])
            case "'", _:
                self._next_line(0, -state.leading)
                self._set(operands)
            case '"', 2:
                state.word_space, state.char_space = v
                self._next_line(0, -state.leading)
                self._set(operands[-1:])

    # areas and lines

    def _place(self, matrix: Matrix | None = None) -> Place:
        state, marked = self._state, self._marked
        frame = next((box for _, box in reversed(marked) if box != NONE), NONE)
        ground = any(one for one, _ in marked)
        return Place(state.matrix if matrix is None else matrix, state.clip, ground, frame)

    def _paint(self, operator: str) -> None:
        if operator in _CLOSED:
            self._path.close()
        state, subpaths = self._state, self._path.subpaths
        if operator in _FILLED:
            self._gathered.area(subpaths, self._place())
        if operator in _STROKED:
            self._gathered.line(subpaths, self._place(), state.width, state.cap == 0)
        if self._clipping:
            bounds = self._path.bounds(state.matrix)
            state.cut(bounds or (0.0, 0.0, -1.0, -1.0))
        self._path, self._clipping = Tracing(), False

    # forms and pictures

    def _show(self, name: str) -> None:
        found = self._resources.get("/XObject", name)
        if not isinstance(found, pikepdf.Stream):
            return
        if found.get("/SMask") is not None:
            self._content.found.transparent = True
        kind = found.get("/Subtype")
        if kind == "/Image":
            size = numbers_of([found.get(key, 0) for key in ("/Width", "/Height")])
            bits = numbers_of([found.get("/BitsPerComponent", 8)])
            self._image(size, 1 if "/ImageMask" in found else (bits or [8])[0])
        elif kind == "/Form":
            self._show_form(found)

    def _show_form(self, form: pikepdf.Object) -> None:
        content, place = self._content, self._place()
        painted = content.form(form, self._resources)
        content.budget.take(steps=10, points=len(painted.points))
        self._points += len(painted.points)
        if self._points > _MOST_POINTS:
            raise TooMuchError
        owner = None
        if self._shown is not None:
            owner = len(self._shown)
            self._shown.append(content.shown(form, place.matrix))
        matrix = place.matrix @ matrix_of(form.get("/Matrix"))
        self._gathered.parts.append(painted.placed(matrix, place.clip, place.ground, owner))

    def _image(self, size: Sequence[float], bits: float) -> None:
        if len(size) != 2:
            return
        m = self._state.matrix
        across, upwards = (m.a * m.a + m.b * m.b) ** 0.5, (m.c * m.c + m.d * m.d) ** 0.5
        dpi = min(72 * size[0] / max(across, 1e-6), 72 * size[1] / max(upwards, 1e-6))
        label = self._content.picture(f"{size[0]:.0f} × {size[1]:.0f}")
        kind = LINE_ART if bits <= 2 else PICTURE
        self._gathered.box(_UNIT, self._place(), kind, dpi, label)

    def _inline(self, operands: list[Operand]) -> None:
        keys = {str(k): v for k, v in zip(operands[::2], operands[1::2], strict=False)}
        size = [keys.get("W", keys.get("Width")), keys.get("H", keys.get("Height"))]
        bits = keys.get("BPC", keys.get("BitsPerComponent", 1.0))
        self._image(
            [one for one in size if isinstance(one, float)], bits if isinstance(bits, float) else 1
        )

    def _graphics_state(self, name: str) -> None:
        found = self._resources.get("/ExtGState", name)
        if found is None:
            return
        opaque = numbers_of([found.get("/ca", 1), found.get("/CA", 1)]) == [1, 1]
        if not opaque or str(found.get("/SMask", "/None")) != "/None":
            self._content.found.transparent = True
        width = numbers_of([found.get("/LW")])
        if width:
            self._state.width = width[0]

    # what the stream says of itself

    def _open(self, operands: list[Operand]) -> None:
        tag = str(operands[0]) if operands else ""
        properties = operands[1] if len(operands) > 1 else None
        if isinstance(properties, Name):
            entry = self._resources.get("/Properties", properties)
            properties = None if entry is None else _plain(entry)
        if not isinstance(properties, dict):
            properties = {}
        ground = tag == "Artifact" and properties.get("Type") == "Background"
        frame = NONE
        corners = properties.get(TEXT_BOX_TAG)
        if isinstance(corners, list) and (box := box_of(corners)) is not None:
            x0, y0, x1, y1 = box
            m = self._state.matrix
            frame = len(self._gathered.boxes)
            self._gathered.boxes.append([m(x0, y0), m(x1, y0), m(x1, y1), m(x0, y1)])
        if len(self._marked) >= _MOST_STATES:
            raise TooMuchError
        self._marked.append((ground, frame))

    # text

    def _next_line(self, x: float, y: float) -> None:
        self._text = self._line = self._line @ Matrix(e=x, f=y)

    def _set(self, parts: Sequence[Operand]) -> None:
        """Set strings; numbers between them move what follows."""
        state = self._state
        font, size = state.font, state.size
        if font is None:
            return
        at, text, lacking = 0.0, "", False
        left = low = 1e9
        right = high = -1e9
        for part in parts:
            if isinstance(part, float):
                at -= part / 1000 * size * state.stretch
            elif isinstance(part, bytes):
                self._content.budget.take(steps=len(part))
                for glyph in font.glyphs(part):
                    x0, y0, x1, y1 = glyph.bounds
                    if x1 > x0 or y1 > y0:
                        unit = size / 1000
                        left = min(left, at + x0 * unit * state.stretch)
                        right = max(right, at + x1 * unit * state.stretch)
                        low, high = min(low, y0 * unit), max(high, y1 * unit)
                    space = state.char_space + (state.word_space if glyph.is_space else 0)
                    at += (glyph.width / 1000 * size + space) * state.stretch
                    text += glyph.text
                    lacking = lacking or glyph.missing
        before = self._text
        self._text = before @ Matrix(e=at)
        if text or lacking or at:
            self._content.found.fonts[font] = None
        if left > right or state.render in _UNSEEN:
            return
        matrix = state.matrix @ before
        scale = abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        label = self._content.run(text, font, lacking)
        corners = (left, low + state.rise, right, high + state.rise)
        self._gathered.box(corners, self._place(matrix), TEXT, abs(size) * scale, label)


def _name(operands: list[Operand]) -> str:
    return next((str(one) for one in operands if isinstance(one, Name)), "")


def _plain(entry: pikepdf.Object) -> dict[str, Operand]:
    """The properties of marked content, when they stand elsewhere."""
    found: dict[str, Operand] = {"Type": str(entry.get("/Type", "")).removeprefix("/")}
    if numbers := numbers_of(entry.get(f"/{TEXT_BOX_TAG}")):
        found[TEXT_BOX_TAG] = list(numbers)
    return found
