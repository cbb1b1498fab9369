"""The report as one HTML page with its plots, style and script inside, and its files in a
folder.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath

from coatl_tools.files import OutputFile, wrap_os_errors, write_files_together
from coatl_tools.language import Language
from coatl_tools.pieces import Colour
from coatl_tools.printing.layouts import Layouts, load_theme
from coatl_tools.report.figures import ReportFigures
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.game_source import SimulationSource
from coatl_tools.report.html_elements import SafeHtml, render_paragraph, render_tag
from coatl_tools.report.page_sections import (
    render_adam_section,
    render_bots_section,
    render_cards_section,
    render_coatls_section,
    render_lengths_section,
    render_own_cards_section,
    render_scores_section,
    render_summary_section,
    render_turns_section,
)
from coatl_tools.report.plots import PLOT_FUNCTIONS, Plot, draw_plots

_ASSET_FOLDER = Path(__file__).parent


def render_page(
    figures: ReportFigures,
    sources: Sequence[SimulationSource],
    plots: Mapping[str, Plot],
    words: ReportFormatter,
) -> str:
    """The whole page. Nothing of it comes from anywhere else, and nothing may."""
    sections = [
        ("summary", "balance_summary", render_summary_section(figures, sources, words)),
        ("own", "balance_own", render_own_cards_section(figures, words)),
        ("cards", "balance_cards", render_cards_section(figures, plots, words)),
        ("scores", "balance_scores", render_scores_section(figures, plots, words)),
        ("length", "balance_length", render_lengths_section(figures, plots, words)),
        ("coatls", "balance_coatls", render_coatls_section(figures, plots, words)),
        ("turns", "balance_uses", render_turns_section(figures, plots, words)),
        ("adam", "balance_adam", render_adam_section(figures, plots, words)),
        ("bots", "balance_bots", render_bots_section(figures, plots, words)),
    ]
    shown = [(name, words.label(title), text) for name, title, text in sections if text]
    title = words.label("balance_title")
    links = "".join(
        render_tag("li", SafeHtml(render_tag("a", text, href=f"#{name}")))
        for name, text, _ in shown
    )
    body = [
        "<header>",
        render_tag("h1", title),
        render_paragraph(
            words.label("balance_games_of", figures.games, games=words.count(figures.games))
        ),
        render_paragraph(words.label("balance_intervals"), "faint"),
        render_tag(
            "nav",
            SafeHtml(render_tag("ul", SafeHtml(links))),
            aria_label=words.label("balance_contents"),
        ),
        "</header>",
        "<main>",
        *(
            render_tag("section", SafeHtml(render_tag("h2", heading, id=name)), SafeHtml(text))
            for name, heading, text in shown
        ),
        "</main>",
        render_tag("footer", SafeHtml(render_paragraph(words.label("balance_footer")))),
    ]
    return _render_document(title, "\n".join(body), words)


def _render_document(title: str, body: str, words: ReportFormatter) -> str:
    style, script = _build_style(), (_ASSET_FOLDER / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_compute_csp_hash(style)}'; "
        f"script-src '{_compute_csp_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{words.language.code}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<link rel="icon" href="data:,">\n'
        f"{render_tag('title', title)}\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _build_style() -> str:
    theme = load_theme("full", Layouts())
    pieces = ""
    for colour in Colour:
        inks = theme.piece(colour)
        ground = inks.shade if colour is Colour.R else inks.fill  # white is faint on bright red
        look = f"background: {ground}; color: {inks.symbol}; box-shadow: 0 0 0 1px {inks.line}"
        pieces += f".piece.{colour.name} {{ {look} }}\n"
    return (_ASSET_FOLDER / "page.css").read_text("utf-8") + pieces


def _compute_csp_hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


PAGE_FILE, PLOT_FOLDER = "report.html", "plots"


def write_report(
    folder: Path,
    figures: ReportFigures,
    sources: Sequence[SimulationSource],
    language: Language,
    notice: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Write all files, or none: FileError. BalanceError if nothing can be drawn.

    The first of their paths is the page's. `notice` is told how many plots are drawn.
    """
    words = ReportFormatter(language)
    plots = draw_plots(figures, words, notice)
    text = render_page(figures, sources, plots, words)
    made = [OutputFile(PurePosixPath(PAGE_FILE), text.encode())]
    made += [
        OutputFile(PurePosixPath(PLOT_FOLDER, f"{name}.png"), plot.png)
        for name, plot in plots.items()
    ]
    paths = write_files_together(folder, made)
    for name in set(PLOT_FUNCTIONS) - set(plots):  # of an earlier report, which showed more
        old = folder / PLOT_FOLDER / f"{name}.png"
        with wrap_os_errors(old):
            old.unlink(missing_ok=True)
    return paths
