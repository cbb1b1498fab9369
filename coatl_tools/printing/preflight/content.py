"""Everything that a file paints: content streams, followed form by form.

Each form is followed once, in its own space; wherever it is shown, its marks are only moved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pikepdf

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.preflight.interpreter import Interpreter
from coatl_tools.printing.preflight.painted import EVERYWHERE, Painted
from coatl_tools.printing.preflight.pdf_fonts import Font, read_font
from coatl_tools.printing.preflight.state import BoxOf, State, box_behind, within
from coatl_tools.printing.preflight.streams import (
    TooMuchError,
    box_of,
    dictionary,
    items_of,
    matrix_of,
    stream_bytes,
)

_DEEPEST = 24  # forms inside each other


@dataclass
class Budget:
    """What may be spent on one file; raises TooMuchError when it is used up."""

    steps: int = 1_000_000  # operators and segments of paths
    points: int = 20_000_000  # of marks, also of those that are only moved
    bytes: int = 40_000_000

    def take(self, steps: int = 0, points: int = 0, size: int = 0) -> None:
        """Spend."""
        self.steps -= steps
        self.points -= points
        self.bytes -= size
        if min(self.steps, self.points, self.bytes) < 0:
            raise TooMuchError


@dataclass(frozen=True)
class Shown:
    """A form on a page: the box of its content, as it lies there."""

    box: BoxOf


@dataclass(frozen=True)
class Run:
    """A text that is set at once, and whether its font lacks a letter of it."""

    text: str
    font: str
    lacking: bool


@dataclass
class Found:
    """What is met on the way, for the whole file."""

    texts: list[Run] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    fonts: dict[Font, None] = field(default_factory=dict)  # those that a text is set in
    transparent: bool = False
    cyclic: bool = False
    deep: bool = False

    @property
    def endless(self) -> bool:
        """Whether the file is better not given to a renderer."""
        return self.cyclic or self.deep


class Resources:
    """The fonts, forms and other things that a stream knows by name."""

    def __init__(self, content: Content, obj: object, outer: Resources | None = None) -> None:
        self._content = content
        self._obj = obj if isinstance(obj, pikepdf.Dictionary) else None
        self._outer = outer
        self._fonts: dict[str, Font | None] = {}

    def get(self, kind: str, name: str) -> pikepdf.Object | None:
        """Something by its name."""
        if self._obj is None:  # as in old files: those of the page hold
            return self._outer.get(kind, name) if self._outer else None
        return dictionary(dictionary(self._obj, kind), f"/{name}")

    def font(self, name: str) -> Font | None:
        """A font by its name."""
        if name not in self._fonts:
            found = self.get("/Font", name)
            self._fonts[name] = None if found is None else self._content.font(found)
        return self._fonts[name]


class Content:
    """What the streams of one file paint."""

    def __init__(self) -> None:
        self.found = Found()
        self.budget = Budget()
        self._forms: dict[tuple[int, int], Painted] = {}
        self._fonts: dict[tuple[int, int], Font] = {}
        self._open: list[tuple[int, int]] = []

    def page(
        self, page: pikepdf.Object, start: Matrix, paper: BoxOf
    ) -> tuple[Painted, list[Shown]]:
        """The marks of a page, drawn through a map; and its forms, which own some of them."""
        contents = page.get("/Contents")
        streams = [contents] if isinstance(contents, pikepdf.Stream) else items_of(contents)
        data = b"\n".join(self._data(one) for one in streams if isinstance(one, pikepdf.Stream))
        shown: list[Shown] = []
        resources = Resources(self, page.get("/Resources"))
        state = State(start, within(EVERYWHERE, paper))
        return self._follow(data, resources, state, shown), shown

    def form(self, form: pikepdf.Object, outer: Resources) -> Painted:
        """The marks of a form in its own space."""
        key = form.objgen
        if key in self._forms:
            return self._forms[key]
        if key in self._open:
            self.found.cyclic = True
            return Painted.nothing()
        if len(self._open) >= _DEEPEST:
            self.found.deep = True
            return Painted.nothing()
        self._open.append(key)
        state = State(Matrix(), box_of(form.get("/BBox")) or EVERYWHERE)
        resources = Resources(self, form.get("/Resources"), outer)
        painted = self._follow(self._data(form), resources, state, None)
        self._open.pop()
        self._forms[key] = painted
        return painted

    def shown(self, form: pikepdf.Object, matrix: Matrix) -> Shown:
        """A form as it lies behind a map."""
        box = box_of(form.get("/BBox")) or EVERYWHERE
        return Shown(box_behind(matrix @ matrix_of(form.get("/Matrix")), box))

    def font(self, obj: pikepdf.Object) -> Font:
        """A font, read once."""
        key = obj.objgen
        if key not in self._fonts or key == (0, 0):
            self._fonts[key] = read_font(obj)
        return self._fonts[key]

    def run(self, text: str, font: Font, lacking: bool) -> int:
        """Keep a text; answers its number."""
        self.found.texts.append(Run(text, font.name, lacking))
        return len(self.found.texts) - 1

    def picture(self, size: str) -> int:
        """Keep a picture's size; answers its number."""
        self.found.pictures.append(size)
        return len(self.found.pictures) - 1

    def _data(self, stream: pikepdf.Object) -> bytes:
        data = stream_bytes(stream, 20_000_000)
        self.budget.take(size=len(data))
        return data

    def _follow(
        self, data: bytes, resources: Resources, state: State, shown: list[Shown] | None
    ) -> Painted:
        return Interpreter(self, resources, state, shown).run(data)
