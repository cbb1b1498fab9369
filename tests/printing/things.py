"""Plain things to lay on sheets: each face has its own key, an upward arrow and no text."""

from __future__ import annotations

from coatl_tools.language import load_language
from coatl_tools.printing.component import Face, Item
from coatl_tools.printing.document import Document
from coatl_tools.printing.drawing.paths import Path, ellipse, polygon, rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.furniture import Legend
from coatl_tools.printing.paper.papers import Backs, SheetsLayout, sheets_layout
from coatl_tools.printing.paper.profiles import Profile
from coatl_tools.printing.paper.sheets import duplex_hint, impose

LAYOUT: SheetsLayout = sheets_layout(Layouts())


def face(key: str, width: float, height: float, outline: Path | None = None) -> Face:
    def draw(surface: Surface) -> None:
        with surface.background():
            surface.fill(rectangle(-3, -3, width + 6, height + 6), "#ddccaa")
        surface.fill(polygon((width / 2, 4), (width / 2 + 2, 8), (width / 2 - 2, 8)), "#000000")

    return Face(key, width, height, draw, outline=outline)


def things(
    count: int,
    width: float,
    height: float,
    back: bool = True,
    name: str = "X",
    round_: bool = False,
) -> list[Item]:
    outline = ellipse(width / 2, height / 2, width / 2, height / 2) if round_ else None
    return [
        Item(
            f"{name}{i:02}",
            face(f"{name}{i:02}-front", width, height, outline),
            face(f"{name}{i:02}-back", width, height, outline) if back else None,
        )
        for i in range(1, count + 1)
    ]


def legend(language: str = "en") -> Legend:
    return Legend(load_language(language), "Cards")


def pdf(
    items: list[Item],
    paper: str = "a4",
    backs: Backs = "duplex-long",
    bleed: float = 0,
    profile: Profile | None = None,
) -> bytes:
    pages = impose(items, LAYOUT.paper(paper), LAYOUT, legend(), backs, bleed, profile)
    document = Document("Things", "en", duplex_hint(pages, backs))
    for page in pages:
        document.add(page)
    return document.finished()
