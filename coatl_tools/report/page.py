"""The report as one HTML page with its plots, style and script inside, and its files in a
folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from coatl_tools.files.atomic_writes import OutputFile, wrap_os_errors, write_files_together
from coatl_tools.html_templates import load_templates
from coatl_tools.language import Language
from coatl_tools.pieces import Colour
from coatl_tools.printing.layouts import Layouts, load_theme
from coatl_tools.report.card_sections import build_cards_section, build_own_cards_section
from coatl_tools.report.dataset_reader import SimulationSource
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.game_sections import GameSections
from coatl_tools.report.page_view import PlotsByName
from coatl_tools.report.plots import PLOT_FUNCTIONS, draw_plots
from coatl_tools.report.report_figures import ReportFigures

TEMPLATE_FOLDER = Path(__file__).parent / "templates"
PAGE_FILE, PLOT_FOLDER = "report.html", "plots"


def render_report_page(
    figures: ReportFigures,
    sources: Sequence[SimulationSource],
    plots: PlotsByName,
    formatter: ReportFormatter,
) -> str:
    """Render the whole page. It loads nothing from elsewhere, and its policy forbids it."""
    games = GameSections(figures, plots, formatter)
    sections = [
        games.build_summary_section(sources),
        build_own_cards_section(figures, formatter),
        build_cards_section(figures, plots, formatter),
        games.build_scores_section(),
        games.build_lengths_section(),
        games.build_coatls_section(),
        games.build_turns_section(),
        games.build_adam_section(),
        games.build_bots_section(),
    ]
    number = formatter.format_count(figures.games)
    template = load_templates(TEMPLATE_FOLDER, printable=True).get_template("report.html")
    return template.render(
        formatter=formatter,
        title=formatter.label("balance_title"),
        games=formatter.label("balance_games_of", figures.games, games=number),
        sections=[section for section in sections if section is not None],
        style=_build_style(),
        script=(TEMPLATE_FOLDER / "report.js").read_text("utf-8"),
    )


def _build_style() -> str:
    """Build the style sheet: the file, and the colours of pieces from the theme."""
    theme = load_theme("full", Layouts())
    pieces = ""
    for colour in Colour:
        inks = theme.piece(colour)
        ground = inks.shade if colour is Colour.R else inks.fill  # white is faint on bright red
        look = f"background: {ground}; color: {inks.symbol}; box-shadow: 0 0 0 1px {inks.line}"
        pieces += f".piece.{colour.name} {{ {look} }}\n"
    return (TEMPLATE_FOLDER / "report.css").read_text("utf-8") + pieces


def write_report(
    folder: Path,
    figures: ReportFigures,
    sources: Sequence[SimulationSource],
    language: Language,
    notice: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Write the page and its plots into a folder, all files or none, and return their paths.

    The first path is the page's. `notice` is told how many plots are drawn. FileError if a file
    cannot be written, ReportError if matplotlib is missing.
    """
    formatter = ReportFormatter(language)
    plots = draw_plots(figures, formatter, notice)
    page = render_report_page(figures, sources, plots, formatter)
    files = [OutputFile(PurePosixPath(PAGE_FILE), page.encode())]
    files += [
        OutputFile(PurePosixPath(PLOT_FOLDER, f"{name}.png"), plot.png)
        for name, plot in plots.items()
    ]
    paths = write_files_together(folder, files)
    for name in set(PLOT_FUNCTIONS) - set(plots):  # left by an earlier report, which had more
        old = folder / PLOT_FOLDER / f"{name}.png"
        with wrap_os_errors(old):
            old.unlink(missing_ok=True)
    return paths
