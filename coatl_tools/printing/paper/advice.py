"""What to do with finished files: how to print, fold and cut them."""

from __future__ import annotations

from coatl_tools.language import Language
from coatl_tools.printing.paper.papers import HOW, Backs, SheetsLayout


def advice(
    language: Language,
    layout: SheetsLayout,
    paper_name: str,
    backs: Backs,
    duplex: bool,
    unmarked: int = 0,
) -> list[str]:
    """The steps, as sentences. `duplex` says whether any file has backs to print behind fronts.

    `unmarked` is how many cards have no machine mark: a camera will not know them by it.
    """
    paper = layout.paper(paper_name)
    size = f"{paper_name} ({paper.width:g} × {paper.height:g} mm)"
    lines = [
        language.label("print_how_scale", paper=size, length=f"{layout.ruler.length:g}"),
        language.label(HOW[backs if duplex or backs == "fold" else "none"]),
        language.label("print_how_paper"),
        language.label("print_how_cut"),
    ]
    if duplex:
        lines.append(language.label("print_how_calibrate"))
    if unmarked:
        lines.append(language.label("print_unmarked", unmarked))
    return lines
