"""Pictures for pages: well-formed, small, whole in themselves, and lit where they should be."""

from __future__ import annotations

import gzip
import io
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from coatl_tools import load_cards, parse_coatl
from coatl_tools.cards.card import Card, CardKind
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import Box, Path, rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.drawing.svg_surface import SvgSurface
from coatl_tools.printing.pictures.coatl_picture import (
    CoatlPicture,
    PicturedPiece,
    list_pieces,
    render_coatl_svg,
    render_piece_svg,
)
from coatl_tools.printing.pictures.component_pictures import (
    render_bag_svg,
    render_card_back_svg,
    render_card_svg,
    render_icon_png,
    render_icon_svg,
    render_symbol_svg,
    render_token_svg,
)
from tests.parameters import sample

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "defs", "g", "path", "use", "clipPath"}
REFERENCE = re.compile(r"url\((.*?)\)")
MOST_BYTES, MOST_ZIPPED = 60_000, 15_000  # of a picture
COATL = list_pieces(parse_coatl("<BBRGBKRKBYY>"))


def checked(svg: str) -> ET.Element:
    """A picture that needs nothing from elsewhere and holds nothing that acts."""
    root = ET.fromstring(svg)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= DRAWN
    assert root.findtext(f"{SVG}title")
    known = [name for one in root.iter() if (name := one.get("id")) is not None]
    assert len(known) == len(set(known))
    for one in root.iter():
        assert not {name for name in one.attrib if name.startswith("on") or name == "style"}
        targets = [one.attrib[name] for name in one.attrib if name.endswith("href")]
        targets += [target for value in one.attrib.values() for target in REFERENCE.findall(value)]
        assert all(target.removeprefix("#") in known for target in targets)
    assert svg.count("http") == 1  # the name of the format
    assert len(svg.encode()) <= MOST_BYTES
    assert len(gzip.compress(svg.encode())) <= MOST_ZIPPED
    return root


def view(root: ET.Element) -> Box:
    return Box(*map(float, root.attrib["viewBox"].split()))


@pytest.mark.parametrize("language", sample(LANGUAGE_CODES, "fr"))
def test_every_card_is_a_small_picture_that_needs_nothing_else(language: str) -> None:
    seen = set()
    for card in load_cards():
        root = checked(render_card_svg(card, language))
        assert view(root) == Box(0, 0, 63.5, 88.9)
        assert str(root.findtext(f"{SVG}title")).startswith(card.id)
        seen.add(ET.tostring(root))
    assert len(seen) == len(load_cards())


def test_a_card_of_ones_own_is_a_picture_too() -> None:
    own: Card = replace(load_cards()["P10"], id="MINE<&>1", set="own")
    root = checked(render_card_svg(own, "pl"))
    assert str(root.findtext(f"{SVG}title")).startswith("MINE<&>1")
    assert render_card_svg(own, "pl", 200) != render_card_svg(own, "pl")


@pytest.mark.parametrize("language", sample(LANGUAGE_CODES, "pl"))
def test_everything_else_is_such_a_picture(language: str) -> None:
    for kind in CardKind:
        checked(render_card_back_svg(kind, language))
    for token in ("perfect_pick", "see_the_future", "priest_commitment"):
        checked(render_token_svg(token, language))
    checked(render_bag_svg(language))
    checked(render_icon_svg())
    for colour in Colour:
        checked(render_symbol_svg(colour, language))
        for piece_kind in PieceKind:
            checked(render_piece_svg(PicturedPiece(piece_kind, colour), language))
    checked(render_piece_svg(PicturedPiece(PieceKind.BODY, None), language))
    checked(render_coatl_svg(CoatlPicture(COATL, numbers=True, caret=2, per_row=4), language))


def test_the_same_picture_has_the_same_bytes() -> None:
    first = render_card_svg(load_cards()["T03"], "fr")
    render_card_svg.cache_clear()
    assert render_card_svg(load_cards()["T03"], "fr") == first


def test_pieces_that_are_not_lit_are_pale() -> None:
    assert ' opacity="' not in render_coatl_svg(CoatlPicture(COATL), "en")
    lit = render_coatl_svg(CoatlPicture(COATL, lit=frozenset({2, 3})), "en")
    assert lit.count(' opacity="') == len(COATL) - 2
    assert lit != render_coatl_svg(CoatlPicture(COATL, lit=frozenset({2, 4})), "en")


def test_a_group_that_goes_on_in_the_next_row_has_a_line_in_each() -> None:
    def lines(picture: CoatlPicture) -> int:
        return render_coatl_svg(picture, "en").count('stroke-width="2.4"')

    assert lines(CoatlPicture(COATL, groups=((2, 3, 4, 5),))) == 1
    assert lines(CoatlPicture(COATL, groups=((2, 3, 4, 5),), per_row=4)) == 2
    assert lines(CoatlPicture(COATL, groups=((1, 3), (4, 5)))) == 3


rows = st.lists(
    st.builds(
        PicturedPiece, st.sampled_from(PieceKind), st.one_of(st.none(), st.sampled_from(Colour))
    ),
    min_size=1,
    max_size=20,
).map(tuple)


@given(rows, st.one_of(st.none(), st.integers(1, 6)), st.booleans(), st.booleans())
def test_boxes_lie_in_the_view_and_in_order(
    pieces: tuple[PicturedPiece, ...], per_row: int | None, numbers: bool, caret: bool
) -> None:
    picture = CoatlPicture(pieces, numbers=numbers, caret=1 if caret else None, per_row=per_row)
    seen, boxes = picture.view, picture.boxes
    assert len(boxes) == len(pieces)
    assert all(seen.x <= box.x and box.right <= seen.right for box in boxes)
    assert all(seen.y <= box.y and box.bottom <= seen.bottom for box in boxes)
    assert [(box.y, box.x) for box in boxes] == sorted((box.y, box.x) for box in boxes)
    assert not any(a.overlaps(b, 0.001) for i, a in enumerate(boxes) for b in boxes[:i])
    if per_row is not None:
        assert len({box.y for box in boxes}) == -(-len(pieces) // per_row)


def test_pieces_of_a_coatl_hook_into_each_other() -> None:
    middles = CoatlPicture(COATL).middles
    steps = {round(b[0] - a[0], 6) for a, b in pairwise(middles)}
    assert steps == {CoatlPicture(COATL).shape.pitch}


def test_pieces_that_cannot_be_hooked_keep_apart() -> None:
    tail, body, head = (
        PicturedPiece(PieceKind.TAIL, None),
        PicturedPiece(PieceKind.BODY, None),
        PicturedPiece(PieceKind.HEAD, None),
    )
    for before, behind in ((tail, body), (body, head), (tail, head)):
        picture = CoatlPicture((before, behind))
        first, second = picture.boxes
        assert second.x - first.right > picture.shape.overlap


@pytest.mark.parametrize("pixels", [180, 192, 512])
def test_the_icon_fills_its_square(pixels: int) -> None:
    with Image.open(io.BytesIO(render_icon_png(pixels))) as picture:
        assert picture.size == (pixels, pixels)
        corners = np.asarray(picture.convert("RGB"))[:: pixels - 1, :: pixels - 1]
    assert len(np.unique(corners.reshape(4, 3), axis=0)) == 1  # its ground, up to the edge


# the surface


def test_what_is_filled_and_then_outlined_is_one_element() -> None:
    surface = SvgSurface()
    surface.paint(rectangle(0, 0, 10, 5), "#ffffff", "#000000", 0.5)
    surface.stroke(rectangle(0, 0, 10, 5), "#ff0000", 0.2, (1, 2), cap="round")
    root = ET.fromstring(surface.render(Box(0, 0, 10, 5), "x"))
    first, second = root.findall(f"{SVG}path")
    assert (first.get("d"), first.get("fill"), first.get("stroke")) == (
        "M0 0H10V5H0Z", "#ffffff", "#000000",
    )  # fmt: skip
    assert (second.get("fill"), second.get("stroke-dasharray")) == ("none", "1 2")


def test_groups_keep_all_that_is_said_of_them() -> None:
    def draw(surface: Surface) -> None:
        surface.fill(rectangle(0, 0, 1, 1), "#000000")

    surface = SvgSurface()
    with surface.at_origin(1, 2), surface.at_origin(3, 4), surface.clip(rectangle(0, 0, 1, 1)):
        surface.draw_shared("one", Box(0, 0, 1, 1), draw)
        surface.draw_shared("one", Box(0, 0, 1, 1), draw)
    with surface.at_origin(1, 2), surface.fade(0.5, "#ffffff"):
        surface.draw_shared("one", Box(0, 0, 1, 1), draw)
    with surface.at_origin(5, 5):
        pass  # nothing is drawn, nothing is written
    svg = surface.render(Box(0, 0, 10, 10), "x")
    root = ET.fromstring(svg)  # no attribute twice
    assert len(root.findall(f".//{SVG}use")) == 3
    assert svg.count("translate(1 2)") == 2
    assert svg.count("translate(3 4)") == 1
    assert "translate(5 5)" not in svg


def test_an_empty_path_is_no_fault() -> None:
    surface = SvgSurface()
    surface.fill(Path(), "#000000")
    ET.fromstring(surface.render(Box(0, 0, 1, 1), "x"))
