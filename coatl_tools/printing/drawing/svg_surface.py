"""Write SVG: pictures of what is printed, for web pages, and the text of any SVG document.

Letters are outlines, so that a picture inside `<img>` needs no font. What is shown more than once
(letters, stamps) is defined once. Names of definitions follow from what they define: pictures
that stand in one page cannot mix up theirs.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Box, Matrix, Path
from coatl_tools.printing.drawing.surface import FontStyle, LineCap, Surface
from coatl_tools.printing.drawing.typography import FONT_FACES, find_font_file

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

_BASE_36_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FONT_LOCK = Lock()  # a font reads its tables and glyphs when it is asked: one thread at a time


class SvgSurface(Surface):
    """A surface whose drawing ends up in an SVG document."""

    def __init__(self) -> None:
        self._parts: list[str] = []  # of what is being drawn, one element each
        self._known: dict[str, str] = {}  # definitions by their names
        self._stamps: dict[str, str] = {}  # names of stamps by their keys

    def render(self, view: Box, title: str) -> str:
        """Return the SVG document, cropped to the view; a unit is a millimetre."""
        sides = " ".join(map(format_svg_number, (view.x, view.y, view.width, view.height)))
        size = f'width="{format_svg_number(view.width)}" height="{format_svg_number(view.height)}"'
        defined = f"<defs>{''.join(self._known.values())}</defs>" if self._known else ""
        attributes = f'viewBox="{sides}" {size} role="img" stroke-linejoin="round"'
        return format_svg_document(attributes, title, defined + "".join(self._parts))

    # areas and lines

    def fill(self, path: Path, ink: str) -> None:
        """Fill a path."""
        self._parts.append(f'<path d="{format_svg_path(path)}" fill="{ink}"/>')

    def stroke(
        self,
        path: Path,
        ink: str,
        width: float,
        dash: tuple[float, ...] = (),
        cap: LineCap = "flat",
    ) -> None:
        """Stroke a path with a line of this width, in millimetres."""
        line = f' stroke="{ink}" stroke-width="{format_svg_number(width)}"'
        if cap == "round":
            line += ' stroke-linecap="round"'
        if dash:
            line += f' stroke-dasharray="{" ".join(map(format_svg_number, dash))}"'
        same = f'<path d="{format_svg_path(path)}" fill='
        before = self._parts[-1] if self._parts else ""
        if before.startswith(same) and " stroke" not in before:  # what was filled gets its edge
            self._parts[-1] = before.removesuffix("/>") + line + "/>"
        else:
            self._parts.append(f'{same}"none"{line}/>')

    # text

    def draw_line_of_text(self, x: float, y: float, text: str, type_: FontStyle) -> None:
        """Draw one line of text from x on, its base line at y."""
        units = _read_units_per_em(type_.face)
        shown, at = "", 0.0
        for char in text:
            glyph = _load_glyph(type_.face, char)
            if glyph.outline:
                name = self._define("path", f'd="{glyph.outline}"')
                shown += f'<use href="#{name}" x="{format_svg_number(at)}"/>'
            at += glyph.advance + type_.spacing * units
        if shown:
            scale = type_.size / POINTS_PER_MM / units
            place = _format_transform(Matrix(scale, 0, 0, -scale, x, y))
            self._parts.append(f'<g fill="{type_.ink}"{place}>{shown}</g>')

    # places

    def draw_shared(self, key: str, bounds: Box, draw: Callable[[Surface], None]) -> None:
        """Draw something that is defined once under this key, however often it is shown.

        Everything outside `bounds` is cut off.
        """
        if key not in self._stamps:
            outside, self._parts = self._parts, []
            with self.clip(bounds.outline()):
                draw(self)
            self._stamps[key] = self._define("g", "", "".join(self._parts))
            self._parts = outside
        self._parts.append(f'<use href="#{self._stamps[key]}"/>')

    @contextmanager
    def transformed(self, matrix: Matrix) -> Iterator[Surface]:
        """Draw through an affine map of millimetres."""
        with self._group(_format_transform(matrix)):
            yield self

    @contextmanager
    def clip(self, path: Path) -> Iterator[None]:
        """Draw only inside a path."""
        name = self._define("clipPath", "", f'<path d="{format_svg_path(path)}"/>')
        with self._group(f' clip-path="url(#{name})"'):
            yield

    @contextmanager
    def fade(self, opacity: float, ground: str) -> Iterator[None]:
        """Draw with this opacity, whatever lies below."""
        with self._group(f' opacity="{format_svg_number(opacity)}"'):
            yield

    @contextmanager
    def _group(self, attribute: str) -> Iterator[None]:
        outside, self._parts = self._parts, []
        yield
        inside, self._parts = self._parts, outside
        content = "".join(inside)
        if len(inside) == 1 and content.startswith("<use") and content.count("=") == 1:
            self._parts.append(content.removesuffix("/>") + attribute + "/>")  # it needs no group
        elif inside:
            self._parts.append(f"<g{attribute}>{content}</g>")

    def _define(self, tag: str, attributes: str, content: str = "") -> str:
        """Return the id of a definition, adding it if it is new."""
        what = f"{tag} {attributes}{content}"
        name = _make_definition_id(what)
        while True:
            opening = f'<{tag} id="{name}"{" " if attributes else ""}{attributes}'
            element = f"{opening}>{content}</{tag}>" if content else f"{opening}/>"
            if self._known.setdefault(name, element) == element:
                return name
            name = _make_definition_id(what + name)  # a hash collision: one chance in millions


class _GlyphOutline(NamedTuple):
    """The outline of a character as an SVG path, and its advance width, in font units.

    The y axis points upwards. A space has no outline.
    """

    outline: str
    advance: float


@lru_cache(maxsize=len(FONT_FACES))
def _read_units_per_em(face: str) -> int:
    """Return how many font units make the type size."""
    with _FONT_LOCK:
        return int(_open_font(face)["head"].unitsPerEm)


@lru_cache(maxsize=4096)
def _load_glyph(face: str, char: str) -> _GlyphOutline:
    """Load a character of a face; a box stands for one that the face does not have."""
    from fontTools.pens.svgPathPen import SVGPathPen  # noqa: PLC0415 (of the extra `web`, and slow)

    with _FONT_LOCK:
        font = _open_font(face)
        known = font.getGlyphSet()
        found = known[font.getBestCmap().get(ord(char), ".notdef")]
        pen = SVGPathPen(known, ntos=lambda value: str(round(value)))
        found.draw(pen)
        return _GlyphOutline(pen.getCommands(), found.width)


@lru_cache(maxsize=len(FONT_FACES))
def _open_font(face: str) -> TTFont:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 (as above)

    return TTFont(io.BytesIO(find_font_file(face).read_bytes()))


def _make_definition_id(what: str) -> str:
    """Make a short id from the hash of what it stands for."""
    rest, name = zlib.crc32(what.encode()), ""
    while rest:
        rest, digit = divmod(rest, len(_BASE_36_DIGITS))
        name += _BASE_36_DIGITS[digit]
    return f"c{name}"


def format_svg_document(attributes: str, title: str, content: str) -> str:
    """Write a whole document; `attributes` and `content` are XML already, the title is not."""
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>'
    return f"{start}<title>{escape(title)}</title>{content}</svg>\n"


def format_svg_number(value: float, digits: int = 2) -> str:
    """Format a number for SVG, as short as possible.

    >>> [format_svg_number(value) for value in (-0.5, 12.0, 0.004, 63.456)]
    ['-.5', '12', '0', '63.46']
    """
    text = f"{round(value, digits) + 0:.{digits}f}".rstrip("0").rstrip(".")
    if text.startswith(("0.", "-0.")):
        return text.replace("0.", ".", 1)
    return text


def _format_transform(m: Matrix) -> str:
    if (m.a, m.b, m.c, m.d) == (1, 0, 0, 1):
        return f' transform="translate({format_svg_number(m.e)} {format_svg_number(m.f)})"'
    # a scale is multiplied by what is large: it needs more digits than a place does
    turned = (format_svg_number(value, 5) for value in (m.a, m.b, m.c, m.d))
    return (
        f' transform="matrix({" ".join(turned)} {format_svg_number(m.e)} {format_svg_number(m.f)})"'
    )


@lru_cache(maxsize=4096)
def format_svg_path(path: Path, digits: int = 2, short_lines: bool = True) -> str:
    """Write the `d` attribute of a path.

    With `short_lines`, upright and level lines are written short, as H and V; without it, a path
    has only M, L, C and Z, which every cutting program reads.

    >>> from coatl_tools.printing.drawing.geometry import rectangle
    >>> format_svg_path(rectangle(0, 0, 10, 5)), format_svg_path(rectangle(0, 0, 1, 5), 3, False)
    ('M0 0H10V5H0Z', 'M0 0L1 0L1 5L0 5Z')
    """
    parts: list[str] = []
    last = ("", "")
    for kind, *values in path.segments:
        numbers = [format_svg_number(value, digits) for value in values]
        if short_lines and kind == "L" and numbers[1] == last[1]:
            parts.append(f"H{numbers[0]}")
        elif short_lines and kind == "L" and numbers[0] == last[0]:
            parts.append(f"V{numbers[1]}")
        else:
            parts.append(kind + " ".join(numbers))
        if numbers:
            last = (numbers[-2], numbers[-1])
    return "".join(parts)
