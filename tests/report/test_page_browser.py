"""The page in a real browser: what people see, on a phone too, and with scripts off."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from coatl_tools.report.plots import PLOT_FUNCTIONS
from tests.report.conftest import HOSTILE, Made

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.xdist_group("report")

CONTRAST = """
() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const texts = "h1, h2, h3, p, a, th, td, caption, small, figcaption, .piece:not(.out)";
  return [...document.querySelectorAll(texts)].map((node) => {
      const [a, b] = [light(parts(getComputedStyle(node).color)), light(ground(node))];
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.outerHTML.slice(0, 80)];
    }).sort((one, other) => one[0] - other[0])[0];
}
"""


@dataclass
class Seen:
    """A page that is open, and what it has complained of or asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


def opened(
    browser: Browser,
    path: Path,
    width: int = 1280,
    scheme: Literal["light", "dark"] = "light",
    scripts: bool = True,
) -> Seen:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=scripts
    )
    seen = Seen(context.new_page())
    seen.page.on("console", lambda message: seen.complaints.append(message.text))
    seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    seen.page.on("dialog", lambda dialog: seen.complaints.append(dialog.message))
    seen.page.on("request", lambda request: seen.asked.append(request.url))
    seen.page.goto(path.as_uri())
    return seen


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "light"), (1280, "dark")])
def test_everything_can_be_seen_and_nothing_is_fetched(
    browser: Browser, made: Made, width: int, scheme: Literal["light", "dark"]
) -> None:
    seen = opened(browser, made.page, width, scheme)
    pictures = seen.page.evaluate(
        "[...document.images].map((i) => [i.naturalWidth, i.getBoundingClientRect().width])"
    )
    assert len(pictures) == len(PLOT_FUNCTIONS) - 1
    assert all(pixels > 400 and shown > 280 for pixels, shown in pictures), pictures
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.page.evaluate("[...document.querySelectorAll('h2')].length") == 8
    contrast, where = seen.page.evaluate(CONTRAST)
    assert contrast >= 4.5, where
    assert seen.complaints == []
    assert [url for url in seen.asked if not url.startswith(("file:", "data:"))] == []
    assert [url for url in seen.asked if url.startswith("file:")] == [made.page.as_uri()]


def column(seen: Seen, number: int) -> list[str]:
    cells = f"table.sortable tbody tr > :nth-child({number})"
    found: list[str] = seen.page.locator(cells).all_inner_texts()
    return found


def test_a_click_on_its_head_sorts_a_column(browser: Browser, made: Made) -> None:
    seen = opened(browser, made.page)
    before = column(seen, 1)
    head = seen.page.locator("table.sortable thead th").nth(7)  # points per appearance
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    points = [float(text.split()[0]) for text in column(seen, 8)]
    assert points == sorted(points, reverse=True)
    assert column(seen, 1)[0].startswith("► MY-01")
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    points = [float(text.split()[0]) for text in column(seen, 8)]
    assert points == sorted(points)
    seen.page.locator("table.sortable thead th button").first.click()
    assert head.get_attribute("aria-sort") is None
    assert sorted(column(seen, 1)) == sorted(before)
    assert seen.complaints == []


def test_on_a_phone_the_cards_stay_in_sight_beside_their_numbers(
    browser: Browser, made: Made
) -> None:
    seen = opened(browser, made.page, 360)
    seen.page.evaluate("document.querySelector('.sortable').parentElement.scrollLeft = 400")
    for cell in ("thead th", "tbody th"):
        box = seen.page.locator(f".sortable {cell}").first.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < 30


def test_without_scripts_the_page_is_complete(browser: Browser, made: Made) -> None:
    seen = opened(browser, made.page, scripts=False)
    assert len(column(seen, 1)) == 65
    assert seen.page.locator("button").count() == 0
    assert seen.page.get_by_text("Likely too strong.").first.is_visible()


def test_a_hostile_name_is_shown_and_does_nothing(browser: Browser, made: Made) -> None:
    seen = opened(browser, made.page)
    assert seen.page.get_by_text(HOSTILE).first.is_visible()
    assert seen.complaints == []
