"""A browser shows the faces just as they are printed."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from coatl_tools import load_cards
from coatl_tools.cards.card import CardKind
from coatl_tools.printing.cards.card_back import make_card_back
from coatl_tools.printing.cards.card_layout import find_card_size, load_cards_layout
from coatl_tools.printing.items import Face
from coatl_tools.printing.pictures.component_pictures import (
    load_design,
    make_card_face,
    render_face_svg,
)
from tests.printing.golden_pictures import (
    LARGER,
    WIDTH,
    Difference,
    measure_difference,
    render_pdf_page,
)
from tests.printing.sample_faces import make_pdf_of_faces

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.xdist_group("art")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": WIDTH, "height": 600}, device_scale_factor=LARGER)


def shown(page: Page, svg: str) -> Image.Image:
    """A picture as the browser shows it, as wide as golden pictures are."""
    page.set_content(f'<body style="margin:0">{svg.replace("<svg", "<svg id=art", 1)}</body>')
    page.add_style_tag(content=f"#art {{ width: {WIDTH}px; height: auto; display: block }}")
    with Image.open(io.BytesIO(page.locator("#art").screenshot())) as picture:
        return picture.convert("RGB")


def compared(page: Page, face: Face, svg: str = "") -> Difference:
    printed = render_pdf_page(make_pdf_of_faces(face))
    seen = shown(page, svg or render_face_svg(face, "face")).resize(
        printed.size, Image.Resampling.BOX
    )
    return measure_difference(seen, printed)


@pytest.mark.parametrize(
    ("card", "language"),
    [("P01", "en"), ("P10", "fr"), ("P50", "pl"), ("T03", "fr")],
)
def test_a_card_looks_as_it_is_printed(page: Page, card: str, language: str) -> None:
    face = replace(make_card_face(load_cards()[card], language), outline=None)
    found = compared(page, face)
    assert found.small, (found.mean, found.local)


def test_the_comparison_tells_cards_apart(page: Page) -> None:
    one, other = (
        replace(make_card_face(load_cards()[card], "en"), outline=None) for card in ("P10", "P11")
    )
    assert not compared(page, one, render_face_svg(other, "another")).small


@pytest.mark.parametrize("kind", CardKind)
def test_a_back_looks_as_it_is_printed(page: Page, kind: CardKind) -> None:
    design = load_design("en")
    size = find_card_size(design.layouts, "poker")
    found = compared(page, make_card_back(design, load_cards_layout(design.layouts), size, kind))
    assert found.small, (found.mean, found.local)
