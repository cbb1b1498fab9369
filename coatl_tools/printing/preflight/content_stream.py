"""Follow the content streams of a file, as far as they leave something on the page.

pikepdf parses them. Each form is followed once, in its own space; wherever it is shown, its items
are only moved. Everything has a limit, so that a hostile file ends in WorkLimitError.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pikepdf

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.drawing.pdf_tags import TEXT_BOX_TAG
from coatl_tools.printing.preflight.display_list import (
    EMPTY,
    EVERYWHERE,
    LINE_ART,
    NONE,
    PATH_OPERATORS,
    PICTURE,
    TEXT,
    DisplayList,
    DisplayListBuilder,
    ItemContext,
    PathBuilder,
)
from coatl_tools.printing.preflight.pdf_fonts import PdfFont, read_font
from coatl_tools.printing.preflight.pdf_reader import (
    PdfBox,
    WorkBudget,
    WorkLimitError,
    get_dictionary,
    get_inherited,
    intersect_boxes,
    list_items,
    map_box,
    read_box,
    read_matrix,
    read_number,
    read_numbers,
    read_stream,
)

_FILL = ("f", "F", "f*", "B", "B*", "b", "b*")
_STROKE = ("S", "s", "B", "B*", "b", "b*")
_CLOSE = ("s", "b", "b*")
_PAINT = (*_FILL, "S", "s", "n")
_SET = {  # operators with one number that is kept in the graphics state
    "w": "line_width",
    "J": "line_cap",
    "TL": "leading",
    "Tc": "char_space",
    "Tw": "word_space",
    "Tz": "stretch",
    "Ts": "rise",
    "Tr": "render_mode",
}
_OTHER = ("W", "W*", "q", "Q", "cm", "gs", "Do", "sh", "ID", "BDC", "BMC", "EMC")
_TEXT = ("BT", "Tm", "Td", "TD", "T*", "Tf", "Tj", "TJ", "'", '"')
_OPERATORS = " ".join((*PATH_OPERATORS, *_PAINT, *_SET, *_OTHER, *_TEXT))
_INVISIBLE = (3, 7)  # render modes of text that paint nothing
_NOWHERE: PdfBox = (0.0, 0.0, -1.0, -1.0)
_DEEPEST = 24  # forms inside each other
_GIVEN_UP = ("too many errors", "excessively deeply nested")  # warnings of the parser
_FORM_COST = 50  # what a form costs a renderer beside its operators
_MOST_STATES = 500
_MOST_POINTS = 2_000_000  # of the forms that a page or form shows
_MOST_BYTES = 20_000_000  # of a stream
_BETWEEN_WORDS = np.isin(np.arange(256), np.frombuffer(b"\0\t\n\f\r ()<>[]{}/%", np.uint8))


@dataclass(frozen=True)
class ShownText:
    """A text that is shown by one operator, and whether its font lacks a glyph."""

    text: str
    font: str
    lacking: bool


@dataclass(slots=True)
class GraphicsState:
    """What `q` keeps and `Q` brings back."""

    matrix: Matrix
    clip: PdfBox
    line_width: float = 1.0
    line_cap: float = 0.0
    font: PdfFont | None = None
    font_size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 100.0  # per cent
    leading: float = 0.0
    rise: float = 0.0
    render_mode: float = 0.0


class ContentReader:
    """Reads the content streams of one file, and collects what they contain."""

    def __init__(self) -> None:
        self.texts: list[ShownText] = []
        self.pictures: list[str] = []  # their sizes in pixels
        self.fonts: dict[PdfFont, None] = {}  # those that a text is set in
        self.transparent = False
        self.cyclic = False
        self.deep = False
        self.unparsed = ""  # why pikepdf gave up on a stream before its end
        self.budget = WorkBudget()
        self._forms: dict[tuple[int, int], tuple[DisplayList, int]] = {}
        self._known_fonts: dict[tuple[int, int], PdfFont] = {}
        self._open_forms: list[tuple[int, int]] = []
        self._page_resources: object = None
        self._borrowed = False  # whether what a form shows depends on the page

    def read_content(
        self, page: pikepdf.Object, start: Matrix, paper: PdfBox
    ) -> tuple[DisplayList, list[PdfBox]]:
        """Read what a page paints, through a map; also return the boxes of the forms it shows."""
        contents = page.get("/Contents")
        streams = [contents] if isinstance(contents, pikepdf.Stream) else list_items(contents)
        data = b"\n".join(self._unpack(one) for one in streams if isinstance(one, pikepdf.Stream))
        self._page_resources = get_inherited(page, "/Resources")
        if self._borrowed:
            self._forms.clear()
            self._borrowed = False
        forms: list[PdfBox] = []
        state = GraphicsState(start, intersect_boxes(EVERYWHERE, paper))
        interpreter = StreamInterpreter(self, self._page_resources, state, forms)
        return interpreter.follow(data), forms

    def find_in_page_resources(self, name: str) -> pikepdf.Object | None:
        """Look up a form or picture in the page's resources, as renderers do if a form lacks it."""
        self._borrowed = True
        return get_dictionary(get_dictionary(self._page_resources, "/XObject"), name)

    def read_form(self, form: pikepdf.Object, outer: object) -> tuple[DisplayList, int]:
        """Read what a form paints, in its own space; without resources it uses the outer ones.

        The number is what it costs a renderer, inner forms included, in operators.
        """
        key = form.objgen
        if key in self._forms:
            return self._forms[key]
        if key in self._open_forms:
            self.cyclic = True
            return EMPTY, 0
        if len(self._open_forms) >= _DEEPEST:
            self.deep = True
            return EMPTY, 0
        self._open_forms.append(key)
        own = form.get("/Resources")
        resources = own if isinstance(own, pikepdf.Dictionary) else outer
        state = GraphicsState(Matrix(), read_box(form.get("/BBox")) or EVERYWHERE)
        interpreter = StreamInterpreter(self, resources, state, None)
        self._forms[key] = interpreter.follow(self._unpack(form)), _FORM_COST + interpreter.cost
        self._open_forms.pop()
        return self._forms[key]

    def read_font(self, obj: pikepdf.Object) -> PdfFont:
        """Read a font, each only once."""
        key = obj.objgen
        if key not in self._known_fonts or key == (0, 0):
            self._known_fonts[key] = read_font(obj)
        return self._known_fonts[key]

    def _unpack(self, stream: pikepdf.Object) -> bytes:
        data = read_stream(stream, _MOST_BYTES)
        self.budget.spend(size=len(data))
        return data

    def parse(self, data: bytes) -> Iterator[tuple[str, list[object]]]:
        """Iterate over the operators of a stream that matter, each with its operands."""
        words = np.count_nonzero(_BETWEEN_WORDS[np.frombuffer(data, np.uint8)])
        self.budget.spend(steps=int(words) // 4)  # before they are parsed, all at once
        with pikepdf.new() as scratch:
            try:
                instructions = pikepdf.parse_content_stream(scratch.make_stream(data), _OPERATORS)
            except (pikepdf.PdfError, RuntimeError, TypeError, ValueError) as error:
                self.unparsed = str(error)
                return
            for warning in map(str, scratch.get_warnings()):
                if any(reason in warning for reason in _GIVEN_UP):
                    self.unparsed = warning.rpartition(": ")[2]
            instructions.reverse()
            while instructions:  # each is freed as soon as it is followed
                instruction = instructions.pop()
                yield bytes(instruction.operator).decode("latin-1"), list(instruction.operands)


class StreamInterpreter:
    """Follows one stream; for a page, records the boxes of its forms and which items are theirs."""

    def __init__(
        self,
        reader: ContentReader,
        resources: object,
        state: GraphicsState,
        forms: list[PdfBox] | None,
    ) -> None:
        self._reader = reader
        self._resources = resources
        self._state = state
        self._forms = forms
        self._fonts: dict[str, PdfFont | None] = {}
        self._states: list[GraphicsState] = []
        self._path = PathBuilder()
        self._clipping = False
        self._marked: list[tuple[bool, int]] = []  # open marked content: background, text box
        self._text = self._line = Matrix()
        self._items = DisplayListBuilder()
        self._points = 0  # of the forms that are shown
        self.cost = 0  # of rendering, in operators

    def follow(self, data: bytes) -> DisplayList:
        """Follow the stream; return what it paints."""
        for operator, operands in self._reader.parse(data):
            self.cost += 1
            if operator in PATH_OPERATORS:
                self._path.add(operator, _choose_numbers(operands[-6:]))
            elif operator in _PAINT:
                self._paint(operator)
            else:
                self._execute(operator, operands)
        found = self._items.build()
        self._reader.budget.spend(points=len(found.points))
        return found

    def _execute(self, operator: str, operands: list[object]) -> None:
        state, numbers = self._state, _choose_numbers(operands)
        match operator, len(numbers):
            case (("W" | "W*"), _):
                self._clipping = True
            case "q", _:
                if len(self._states) >= _MOST_STATES:
                    raise WorkLimitError
                self._states.append(copy.copy(state))
            case "Q", _:
                if self._states:
                    self._state = self._states.pop()
            case "cm", 6:
                state.matrix = state.matrix @ Matrix(*numbers)
            case "gs", _:
                self._set_graphics_state(self._find("/ExtGState", operands))
            case "Do", _:
                self._show(self._find("/XObject", operands))
            case "sh", _:
                self._items.add_rectangle(state.clip, self._context(Matrix()), PICTURE, 1e6, NONE)
            case "ID", _:
                self._add_inline_picture(operands)
            case (("BDC" | "BMC"), _):
                self._open_marked_content(operands)
            case "EMC", _:
                del self._marked[-1:]
            case _, 1 if operator in _SET:
                setattr(state, _SET[operator], numbers[0])
            case _:
                self._execute_text(operator, operands, numbers)

    def _execute_text(self, operator: str, operands: list[object], numbers: list[float]) -> None:
        state = self._state
        match operator, len(numbers):
            case "BT", _:
                self._text = self._line = Matrix()
            case "Tm", 6:
                self._text = self._line = Matrix(*numbers)
            case "Td", 2:
                self._start_line(*numbers)
            case "TD", 2:
                state.leading = -numbers[1]
                self._start_line(*numbers)
            case "T*", _:
                self._start_line(0, -state.leading)
            case "Tf", 1:
                state.font, state.font_size = self._find_font(operands), numbers[0]
            case "Tj", _:
                self._set_text(operands)
            case "TJ", _:
                self._set_text(list_items(operands[-1]) if operands else [])
            case "'", _:
                self._start_line(0, -state.leading)
                self._set_text(operands)
            case '"', 2:
                state.word_space, state.char_space = numbers
                self._start_line(0, -state.leading)
                self._set_text(operands[-1:])

    def _find(self, kind: str, operands: Sequence[object]) -> pikepdf.Object | None:
        """Look up a resource by the name among the operands."""
        name = _choose_name(operands)
        if not name:
            return None
        found = get_dictionary(get_dictionary(self._resources, kind), name)
        if found is None and kind == "/XObject":
            return self._reader.find_in_page_resources(name)
        return found

    def _find_font(self, operands: Sequence[object]) -> PdfFont | None:
        name = _choose_name(operands)
        if name not in self._fonts:
            found = self._find("/Font", operands)
            self._fonts[name] = None if found is None else self._reader.read_font(found)
        return self._fonts[name]

    def _context(self, matrix: Matrix | None = None) -> ItemContext:
        state, marked = self._state, self._marked
        background = any(one for one, _ in marked)
        text_box = next((box for _, box in reversed(marked) if box != NONE), NONE)
        return ItemContext(matrix or state.matrix, state.clip, background, text_box)

    def _paint(self, operator: str) -> None:
        if operator in _CLOSE:
            self._path.close()
        state, subpaths = self._state, self._path.subpaths
        if operator in _FILL:
            self._items.add_areas(subpaths, self._context())
        if operator in _STROKE:
            flat_ends = state.line_cap == 0
            self._items.add_lines(subpaths, self._context(), state.line_width, flat_ends)
        if self._clipping:
            state.clip = intersect_boxes(state.clip, self._path.measure(state.matrix) or _NOWHERE)
        self._path, self._clipping = PathBuilder(), False

    def _show(self, found: pikepdf.Object | None) -> None:
        """Show a form or a picture."""
        if not isinstance(found, pikepdf.Stream):
            return
        if found.get("/SMask") is not None:
            self._reader.transparent = True
        kind = found.get("/Subtype")
        if kind == "/Image":
            size = read_numbers([found.get("/Width", 0), found.get("/Height", 0)])
            bits = 1 if "/ImageMask" in found else read_number(found, "/BitsPerComponent", 8)
            self._add_picture(size, bits)
        elif kind == "/Form":
            self._show_form(found)

    def _show_form(self, form: pikepdf.Object) -> None:
        context = self._context()
        matrix = context.matrix @ read_matrix(form.get("/Matrix"))
        content, cost = self._reader.read_form(form, self._resources)
        self._reader.budget.spend(steps=10, points=len(content.points), rendering=cost)
        self._points, self.cost = self._points + len(content.points), self.cost + cost
        if self._points > _MOST_POINTS:
            raise WorkLimitError
        number = None if self._forms is None else len(self._forms)
        if self._forms is not None:
            self._forms.append(map_box(matrix, read_box(form.get("/BBox")) or EVERYWHERE))
        self._items.parts.append(content.place(matrix, context.clip, context.background, number))

    def _add_picture(self, size: Sequence[float], bits: float) -> None:
        if len(size) != 2:
            return
        m = self._state.matrix
        across, upwards = (m.a * m.a + m.b * m.b) ** 0.5, (m.c * m.c + m.d * m.d) ** 0.5
        dpi = min(72 * size[0] / max(across, 1e-6), 72 * size[1] / max(upwards, 1e-6))
        pictures = self._reader.pictures
        pictures.append(f"{size[0]:.0f} × {size[1]:.0f}")
        kind = LINE_ART if bits <= 2 else PICTURE
        self._items.add_rectangle((0, 0, 1, 1), self._context(), kind, dpi, len(pictures) - 1)

    def _add_inline_picture(self, operands: list[object]) -> None:
        keys = [_choose_name([one]) for one in operands[::2]]
        entries = dict(zip(keys, operands[1::2], strict=False))
        size = [entries.get("/W", entries.get("/Width")), entries.get("/H", entries.get("/Height"))]
        bits = _choose_numbers([entries.get("/BPC", entries.get("/BitsPerComponent"))])
        self._add_picture(_choose_numbers(size), bits[0] if bits else 1)

    def _set_graphics_state(self, found: pikepdf.Object | None) -> None:
        if found is None:
            return
        opaque = read_numbers([found.get("/ca", 1), found.get("/CA", 1)]) == [1, 1]
        if not opaque or str(found.get("/SMask", "/None")) != "/None":
            self._reader.transparent = True
        self._state.line_width = read_number(found, "/LW", self._state.line_width)

    def _open_marked_content(self, operands: list[object]) -> None:
        """Remember whether a background begins, or a text that was meant to fit a box."""
        if len(self._marked) >= _MOST_STATES:
            raise WorkLimitError
        properties = operands[1] if len(operands) > 1 else None
        if isinstance(properties, pikepdf.Name):
            properties = self._find("/Properties", [properties])
        background, text_box = False, NONE
        if isinstance(properties, pikepdf.Dictionary):
            kind = _choose_name(operands[:1]), _choose_name([properties.get("/Type")])
            background = kind == ("/Artifact", "/Background")
            if (box := read_box(properties.get(f"/{TEXT_BOX_TAG}"))) is not None:
                text_box = self._items.add_text_box(box, self._state.matrix)
        self._marked.append((background, text_box))

    def _start_line(self, x: float, y: float) -> None:
        self._text = self._line = self._line @ Matrix(e=x, f=y)

    def _set_text(self, parts: Sequence[object]) -> None:
        """Show strings; numbers between them move what follows."""
        state = self._state
        font, size, stretch = state.font, state.font_size, state.stretch / 100
        if font is None:
            return
        at, text, lacking = 0.0, "", False
        left = low = 1e9
        right = high = -1e9
        for part in parts:
            if not isinstance(part, pikepdf.String):
                at -= sum(_choose_numbers([part])) / 1000 * size * stretch
                continue
            letters = bytes(part)
            self._reader.budget.spend(steps=len(letters))
            for glyph in font.glyphs(letters):
                x0, y0, x1, y1 = glyph.box
                if x1 > x0 or y1 > y0:
                    unit = size / 1000
                    left = min(left, at + x0 * unit * stretch)
                    right = max(right, at + x1 * unit * stretch)
                    low, high = min(low, y0 * unit), max(high, y1 * unit)
                space = state.char_space + (state.word_space if glyph.is_space else 0)
                at += (glyph.width / 1000 * size + space) * stretch
                text += glyph.text
                lacking = lacking or glyph.missing
        matrix = state.matrix @ self._text
        self._text = self._text @ Matrix(e=at)
        if text or lacking or at:
            self._reader.fonts[font] = None
        if left > right or state.render_mode in _INVISIBLE:
            return
        texts = self._reader.texts
        texts.append(ShownText(text, font.name, lacking))
        corners = (left, low + state.rise, right, high + state.rise)
        size = abs(size) * abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        self._items.add_rectangle(corners, self._context(matrix), TEXT, size, len(texts) - 1)


def _choose_numbers(operands: Iterable[object]) -> list[float]:
    return [float(one) for one in operands if type(one) is int or isinstance(one, Decimal)]


def _choose_name(operands: Iterable[object]) -> str:
    """Return the first name among operands, with its slash; empty if it cannot be read."""
    try:
        return next((str(one) for one in operands if isinstance(one, pikepdf.Name)), "")
    except UnicodeDecodeError:
        return ""
