"""The whole game as it is printed: ready for print, small, light where it should be, as it was."""

from __future__ import annotations

import contextlib
from functools import cache
from itertools import product
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from coatl_tools import load_cards
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.printing.paper.papers import BACK_PRINTING_CHOICES, BackPrinting
from coatl_tools.printing.preflight import PreflightReport, Severity, check_pdf
from coatl_tools.printing.print_spec import PRINT_PARTS, PrintSpec, render_part
from tests.printing.golden_pictures import compare_with_golden

PAPERS = ("a4", "letter")
# The page of each part that is kept as a picture.
SHOWN = {"cards": 7, "boards": 3, "pieces": 1, "tokens": 1, "rules": 1, "mat": 1}
WORDS = ("cards", "rules")  # what other words change most
PAGES = ("rules", "mat")  # laid anew for each paper; of all others only the places differ
SOAK = pytest.mark.soak


@cache
def game(
    language: str = "en",
    paper: str = "a4",
    theme: ThemeName = "full",
    backs: BackPrinting = "duplex-long",
    bleed: float = 0,
    card_size: str = "63x88",
    extras: bool = False,
    parts: tuple[str, ...] = tuple(PRINT_PARTS),
) -> dict[str, bytes]:
    """The files of the game, by the name of the part."""
    catalog = load_cards()
    spec = PrintSpec(
        Design(load_language(language), theme),
        catalog.deck(promo=extras),
        known_cards=list(catalog),
        paper_name=paper,
        backs=backs,
        bleed=bleed,
        card_size=card_size,
        golden=extras,
    )
    files = {part: render_part(part, spec) for part in parts}
    return {part: file.data for part, file in files.items() if file is not None}


def ready(files: dict[str, bytes], folder: Path) -> None:
    """No file has anything that the preflight finds, warnings included."""
    for part, data in files.items():
        path = folder / f"{part}.pdf"
        path.write_bytes(data)
        found = [
            finding for finding in check_pdf(path).findings if finding.severity is not Severity.INFO
        ]
        assert not found, (part, [finding.message(load_language("en")) for finding in found])


def ink(data: bytes) -> float:
    """How much ink all pages of a file take, in pages that are black all over."""
    with contextlib.closing(pdfium.PdfDocument(data)) as document:
        pages = [page.render(scale=1).to_numpy()[..., :3] for page in document]
    return float(sum(1 - page.mean() / 255 for page in pages))


@pytest.mark.xdist_group("game")  # printed once
def test_golden_pictures_of_a_game_that_is_ready_for_print(tmp_path: Path) -> None:
    files = game()
    assert set(files) == set(SHOWN)
    assert sum(map(len, files.values())) < 3_000_000
    for part, page in SHOWN.items():
        compare_with_golden(f"game-{part}-en-a4", files[part], page, tmp_path)
    ready(files, tmp_path)


@pytest.mark.parametrize(
    ("language", "paper", "parts"),
    [
        pytest.param("en", "letter", PAGES, marks=SOAK),
        pytest.param("fr", "a4", WORDS, marks=SOAK),
        pytest.param("pl", "a4", WORDS, marks=SOAK),
    ],
)
def test_golden_pictures_of_other_words_and_papers(
    language: str, paper: str, parts: tuple[str, ...], tmp_path: Path
) -> None:
    files = game(language, paper, parts=parts)
    for part in parts:
        compare_with_golden(f"game-{part}-{language}-{paper}", files[part], SHOWN[part], tmp_path)


def told_ink(report: PreflightReport) -> float:
    """The same as the preflight tells it: a part of the pages, on average."""
    (found,) = (finding for finding in report.findings if finding.what == "preflight.ink")
    return report.pages * float(found.measured.removesuffix(" %")) / 100


@pytest.mark.xdist_group("game")
def test_golden_pictures_of_a_game_that_saves_ink(tmp_path: Path) -> None:
    light, full = game(theme="low-ink"), game()
    for part, page in SHOWN.items():
        compare_with_golden(f"game-{part}-low-ink", light[part], page, tmp_path)
    less, more = ({part: ink(data) for part, data in files.items()} for files in (light, full))
    for part in ("cards", "boards", "pieces", "tokens"):
        assert 0 < less[part] <= 0.25 * more[part], part
    assert sum(less.values()) <= 0.25 * sum(more.values())
    path = tmp_path / "cards.pdf"
    path.write_bytes(light["cards"])
    assert told_ink(check_pdf(path)) == pytest.approx(less["cards"], rel=0.05)


def test_a_game_to_fold_with_bleed_and_all_extras_is_ready_for_print(tmp_path: Path) -> None:
    ready(game("pl", "letter", "full", "fold", 3, "poker", extras=True), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("language", "paper", "theme", "backs", "bleed", "size"),
    [
        *product(
            LANGUAGE_CODES, PAPERS, THEME_NAMES, BACK_PRINTING_CHOICES, (0, 3), ("63x88", "poker")
        )
    ],
)
def test_every_way_to_print_is_ready_for_print(
    language: str,
    paper: str,
    theme: ThemeName,
    backs: BackPrinting,
    bleed: float,
    size: str,
    tmp_path: Path,
) -> None:
    ready(game(language, paper, theme, backs, bleed, size, extras=True), tmp_path)
