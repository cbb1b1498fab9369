"""Cut files: in millimetres, where the strips lie, every line once, inner lines first."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree as ET

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from coatl_tools import load_cards
from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing.geometry import Path, Segment, rectangle
from coatl_tools.printing.drawing.svg_surface import format_svg_path
from coatl_tools.printing.export.cut_files import (
    CutFileExport,
    CutSheet,
    merge_cut_lines,
    render_cut_svg,
)
from coatl_tools.printing.items import Design
from coatl_tools.printing.pieces.piece_items import find_strip_cuts as strip_lines
from coatl_tools.printing.pieces.piece_items import make_piece_items, make_strips
from coatl_tools.printing.pieces.piece_shapes import PiecesLayout
from coatl_tools.printing.print_spec import PrintSpec, impose_part

SVG = "{http://www.w3.org/2000/svg}"
DESIGN = Design(load_language("en"))


def order(golden: bool = False, paper: str = "a4") -> PrintSpec:
    return PrintSpec(DESIGN, load_cards().deck(), paper_name=paper, golden=golden)


def files(golden: bool = False, paper: str = "a4") -> dict[str, str]:
    return {str(file.path): file.content.decode() for file in CutFileExport(order(golden, paper))}


def groups(text: str) -> dict[str, list[str]]:
    root = ET.fromstring(text)
    return {
        group.attrib["id"]: [path.attrib["d"] for path in group.findall(f"{SVG}path")]
        for group in root.iter(f"{SVG}g")
    }


def parts(d: str) -> list[tuple[tuple[float, ...], ...]]:
    """The lines and curves of a path, each as its points, the lesser end first."""
    found: list[tuple[tuple[float, ...], ...]] = []
    here = start = (0.0, 0.0)
    for kind, values in re.findall(r"([MLCZ])([^MLCZ]*)", d):
        numbers = [float(value) for value in values.split()]
        points = [(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]
        if kind == "M":
            here = start = points[0]
            continue
        line = (here, *(points or [start]))
        here = line[-1]
        if line[0] != line[-1]:
            found.append(min(line, line[::-1]))
    return found


def length(path: Path) -> float:
    total = 0.0
    for line in path.flatten():
        total += sum(math.dist(a, b) for a, b in pairwise(line))
        if path.segments[-1][0] == "Z":
            total += math.dist(line[-1], line[0])
    return total


@pytest.mark.parametrize(("paper", "sides"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
def test_sheets_are_in_millimetres(paper: str, sides: tuple[float, float]) -> None:
    found = files(paper=paper)
    for name, text in found.items():
        root = ET.fromstring(text)
        wide, tall = (root.attrib[side].removesuffix("mm") for side in ("width", "height"))
        assert root.attrib["viewBox"] == f"0 0 {wide} {tall}"
        if name != "piece-outlines.svg":
            assert sorted(map(float, (wide, tall))) == sorted(sides)
    fronts = [page for page in impose_part("pieces", order(paper=paper)) if page.side == "front"]
    assert len(found) == len(fronts) + 1


def test_no_line_is_cut_twice() -> None:
    for name, text in files(golden=True).items():
        found = groups(text)
        lines = [
            line for group in found if group != "registration" for d in found[group]
            for line in parts(d)
        ]  # fmt: skip
        assert len(lines) > 20
        assert max(Counter(lines).values()) == 1, name


def test_every_seam_is_cut_and_before_the_edges() -> None:
    curved = 0
    for name, text in files().items():
        if name.startswith("pieces"):
            found = groups(text)
            assert list(found) == ["sheet", "registration", "seams", "edges"]
            assert len(found["registration"]) == 6
            seams = ["C" in d for d in found["seams"]]
            assert seams == sorted(seams, reverse=True)  # strips are parted when their pieces are
            curved += sum(seams)
            assert found["edges"]
    number = len(make_piece_items(DESIGN, load_components()))
    assert curved == 150 - number  # so many cuts part so many pieces


def test_lines_are_hair_thin_and_nothing_is_filled() -> None:
    for text in files().values():
        for group in ET.fromstring(text).iter(f"{SVG}g"):
            if group.findall(f"{SVG}path"):
                assert group.attrib["fill"] == "none"
                assert group.attrib["stroke"] in ("#ff0000", "#0000ff")
                assert float(group.attrib["stroke-width"]) <= 0.1


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_strips_are_cut_where_they_are_printed(paper: str) -> None:
    fronts = [page for page in impose_part("pieces", order(paper=paper)) if page.side == "front"]
    layout = DESIGN.layouts.load("pieces", PiecesLayout)
    by_key = {f"strip-{one.name}": one for one in make_strips(layout, load_components(), False)}
    for text, page in zip(files(paper=paper).values(), fronts, strict=False):
        found = groups(text)
        cut = drawn([*found["seams"], *found["edges"]], page.width, page.height)
        wanted = []
        for placement in page.placements:
            seams, outline = strip_lines(by_key[placement.face.key], layout.shape)
            lines = [path.transform(placement.matrix) for path in (*seams, outline)]
            wanted += [format_svg_path(path, 3, short_lines=False) for path in lines]
        printed = drawn(wanted, page.width, page.height)
        trim = page.trim
        middles = {tuple(np.mean(parts(d)[0], axis=0).round(2)) for d in found["registration"]}
        corners = ((trim.x, trim.y), (trim.right, trim.y), (trim.x, trim.bottom))
        assert middles == {(round(x, 2), round(y, 2)) for x, y in corners}  # at the crop marks
        near = np.ones((5, 5), np.uint8)  # a tenth of a millimetre each way
        assert not printed[cv2.dilate(cut, near) == 0].any()
        assert not cut[cv2.dilate(printed, near) == 0].any()


def drawn(lines: list[str], width: float, height: float) -> npt.NDArray[np.uint8]:
    """Lines as a picture with twenty pixels a millimetre."""
    picture = np.zeros((round(height * 20), round(width * 20)), np.uint8)
    for d in lines:
        segments: list[Segment] = [
            (kind, *map(float, values.split()))
            for kind, values in re.findall(r"([MLCZ])([^MLCZ]*)", d)
        ]
        for line in Path(segments).flatten(24):
            points = np.array([[x * 20, y * 20] for x, y in line]).round().astype(np.int32)
            cv2.polylines(picture, [points], segments[-1][0] == "Z", 255)
    return picture


def test_outlines_that_share_seams_are_taken_apart() -> None:
    shape = DESIGN.piece_shape
    body = shape.outline(PieceKind.BODY)
    lines = merge_cut_lines(body.place_at(30 + i * shape.pitch, 30) for i in range(8))
    assert len(lines.seams) == 7
    assert len(lines.edges) == 1
    alone = merge_cut_lines([body])
    assert not alone.seams
    assert length(alone.edges[0]) == pytest.approx(length(body), abs=0.01)
    turned = merge_cut_lines(body.place_at(30 + i * shape.pitch, 30, turn=180) for i in range(8))
    assert (len(turned.seams), len(turned.edges)) == (7, 1)


def test_edges_that_overlap_in_part_are_cut_once() -> None:
    lines = merge_cut_lines([rectangle(0, 0, 10, 10), rectangle(5, 10, 10, 10)])
    total = sum(length(path) for path in (*lines.seams, *lines.edges))
    assert total == pytest.approx(80 - 5)
    same = merge_cut_lines([rectangle(0, 0, 10, 10)] * 3)
    assert sum(length(path) for path in same.seams) == pytest.approx(40)
    assert not same.edges


def test_a_name_cannot_break_the_file() -> None:
    text = render_cut_svg(CutSheet('<&"> & co', 50, 50, (rectangle(20, 20, 5, 5),)))
    assert ET.fromstring(text).findtext(f"{SVG}title") == '<&"> & co'
