"""The page and its plots: complete, in three languages, the same in every run."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.report.counting import GameCounter
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.page import render_report_page, write_report
from coatl_tools.report.plots import PLOT_FUNCTIONS, draw_plots
from coatl_tools.report.plots.charts import Plot
from coatl_tools.report.report_figures import ReportFigures
from coatl_tools.simulation.statistics import Estimate
from tests.cli.command_runner import run_coatl
from tests.report.conftest import HOSTILE, Made
from tests.report.random_datasets import DECK, OWN_CARD, make_plan, random_games

BLANK = Plot("blank", "nothing", b"", 1, 1)
NOT_THERE = {"bots"}  # there is only one kind of them
SOME = {name: PLOT_FUNCTIONS[name] for name in ("card-points", "scores", "coatls")}
pytestmark = pytest.mark.xdist_group("report")  # which is made once


class Outline(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def few(made: Made) -> ReportFigures:
    """The same games with few cards, which are drawn in no time."""
    cards = (*made.figures.cards[:3], *made.figures.cards[-2:])
    return ReportFigures(made.figures.games, made.figures.groups, cards)


def said(made: Made, code: str) -> str:
    plots = dict.fromkeys(PLOT_FUNCTIONS, BLANK)
    return render_report_page(
        made.figures, made.sources, plots, ReportFormatter(load_language(code))
    )


def test_the_command_says_what_it_has_written(made: Made) -> None:
    assert made.result.out == f"Edition: en\nWrote “{made.page}”: 210 games, 10 plots.\n"
    names = {path.stem for path in (made.folder / "plots").iterdir()}
    assert names == set(PLOT_FUNCTIONS) - NOT_THERE


def test_the_page_needs_nothing_else(made: Made) -> None:
    text = made.page.read_text("utf-8")
    outline = Outline(text)
    for _, attributes in outline.tags:
        for name in ("src", "href"):
            address = attributes.get(name)
            assert address is None or address.startswith(("data:", "#")), address
    policy = next(m["content"] for m in outline.all("meta") if m.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (inline,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(sha256(inline.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not any("style" in attributes for _, attributes in outline.tags)


def test_the_plots_of_the_page_are_those_beside_it(made: Made) -> None:
    pictures = Outline(made.page.read_text("utf-8")).all("img")
    inside = {base64.b64decode(str(image["src"]).partition(",")[2]) for image in pictures}
    assert inside == {path.read_bytes() for path in (made.folder / "plots").iterdir()}
    assert all(len(str(image["alt"])) > 30 for image in pictures)


def test_tables_have_captions_and_heads(made: Made) -> None:
    outline = Outline(said(made, "en"))
    assert len(outline.all("table")) == len(outline.all("caption")) >= 8
    assert {head.get("scope") for head in outline.all("th")} == {"col", "row"}
    assert [tag for tag, _ in outline.tags if tag == "h1"] == ["h1"]


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_every_language_says_everything(made: Made, code: str) -> None:
    language, text = load_language(code), Outline(said(made, code)).text
    for key in ("title", "own", "too_strong", "cards_how", "adam", "uses", "caption_boxes"):
        assert language.label(f"balance_{key}") in text
    assert f'<html lang="{code}">' in said(made, code)
    assert not re.search(r"\bnan\b|\binf\b|None|\{[a-z]+\}", text)


@pytest.mark.parametrize("code", LANGUAGE_CODES[1:])
def test_plots_have_the_letters_of_every_language(made: Made, code: str) -> None:
    with patch.dict(PLOT_FUNCTIONS, SOME, clear=True):
        drawn = draw_plots(
            few(made), ReportFormatter(load_language(code))
        )  # a missing letter is a warning
    assert set(drawn) == set(SOME)
    for plot in drawn.values():
        assert plot.png.startswith(b"\x89PNG")


def test_the_same_games_give_the_same_bytes(made: Made, tmp_path: Path) -> None:
    language = load_language("en")
    with patch.dict(PLOT_FUNCTIONS, SOME, clear=True):
        one = write_report(tmp_path / "one", few(made), made.sources, language)
        two = write_report(tmp_path / "two", few(made), made.sources, language)
    assert len(one) == 1 + len(SOME)
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    assert b"Software" not in one[1].read_bytes()[:400]


def test_plots_of_an_earlier_report_do_not_stay(made: Made, tmp_path: Path) -> None:
    old, mine = tmp_path / "plots" / "bots.png", tmp_path / "plots" / "mine.png"
    old.parent.mkdir()
    for path in (old, mine):
        path.write_bytes(b"")
    with patch("coatl_tools.report.page.draw_plots", return_value={}):
        write_report(tmp_path, few(made), made.sources, load_language("en"))
    assert (old.exists(), mine.exists()) == (False, True)


def test_a_card_of_ones_own_is_marked_and_judged(made: Made) -> None:
    text = said(made, "en")
    (row,) = re.findall(r'<tr class="own">(.*?)</tr>', text, re.DOTALL)
    assert "► MY-01<br><small>yours</small>" in row
    assert "<h3>► MY-01: Likely too strong.</h3>" in text
    assert "Higher than 49 of 49 Prophecy cards" in text
    assert "2 red pieces in a row." in row


def test_few_games_do_not_suffice_for_a_verdict(made: Made) -> None:
    plan = make_plan(8, cards=[*DECK, OWN_CARD])
    tally = GameCounter(plan.cards)
    for played in random_games(plan):
        tally.add(played)
    text = render_report_page(
        tally.figures(), made.sources, {}, ReportFormatter(load_language("en"))
    )
    assert "<h3>► MY-01: Too early to tell: simulate more games.</h3>" in text
    assert 'class="no-data">' in text  # instead of a plot


def test_what_is_hostile_is_only_text(made: Made) -> None:
    text = made.page.read_text("utf-8")
    assert HOSTILE not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert all(str(image["src"]).startswith("data:") for image in Outline(text).all("img"))


def test_a_hostile_card_is_only_text(made: Made) -> None:
    *cards, own = made.figures.cards
    hostile = replace(own, card=replace(own.card, id="<b>\"'&\x1b[31m"))
    figures = replace(made.figures, cards=(*cards, hostile))
    plots = dict.fromkeys(PLOT_FUNCTIONS, BLANK._replace(alt='"><b>'))
    text = render_report_page(figures, made.sources, plots, ReportFormatter(load_language("en")))
    assert text.count(r"► &lt;b&gt;&#34;&#39;&amp;\x1b[31m") == 2  # the verdict and the table
    assert 'alt="&#34;&gt;&lt;b&gt;"' in text
    assert "<b>" not in text
    assert "\x1b" not in text


def test_bots_are_compared_if_there_are_several() -> None:
    plan, tally = make_plan(60, 2), GameCounter(DECK)
    for played in random_games(plan, bots=("random", "<b>clever</b>")):
        tally.add(played)
    figures = tally.figures()
    assert figures.bots == ("<b>clever</b>", "random")
    clever, other = figures.groups[0].bots
    assert clever.wins is not None
    assert other.wins is not None
    assert clever.wins.value > other.wins.value
    words = ReportFormatter(load_language("en"))
    with patch.dict(
        PLOT_FUNCTIONS, {name: PLOT_FUNCTIONS[name] for name in ("card-points", "bots")}, clear=True
    ):
        drawn = draw_plots(ReportFigures(60, figures.groups, ()), words)
    assert set(drawn) == {"bots"}  # no cards, no plot of them
    text = render_report_page(figures, (), drawn, words)
    assert "&lt;b&gt;clever&lt;/b&gt;" in text
    assert "<b>" not in text


def test_numbers_are_written_as_the_language_does() -> None:
    english, french = ReportFormatter(load_language("en")), ReportFormatter(load_language("fr"))
    assert english.format_count(1234567) == "1,234,567"
    assert french.format_count(1234567) == "1\u202f234\u202f567"
    assert english.format_mean(Estimate(1.234, 1, 2, 5)) == "1.23 (1.00–2.00)"
    assert french.format_decimal(12.34, 1) == "12,3"
    assert french.format_percent(0.1234) == "12\u00a0%"
    assert english.format_decimal(-0.001) == "0.00"
    assert english.format_decimal(-3, 1, sign=True) == "−3.0"
    assert english.format_mean(Estimate(4, float("-inf"), float("inf"), 1)) == "4.00"


def test_json_has_all_figures_and_writes_nothing(made: Made, tmp_path: Path) -> None:
    folders = [source.folder for source in made.sources]
    result = run_coatl("report", *folders, "--json", "--out", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    data = json.loads(result.out, parse_constant=pytest.fail)
    assert data["games"] == 210
    assert [group["players"] for group in data["groups"]] == [2, 3, 1, 1]
    own = next(card for card in data["cards"] if card["own"])
    assert own["id"] == "MY-01"
    assert own["points_per_appearance"]["low"] < own["points_per_appearance"]["mean"]
    assert [verdict["judgement"] for verdict in data["own_cards"]] == ["too_strong"]


def test_without_matplotlib_it_is_said_how_to_get_it(made: Made, tmp_path: Path) -> None:
    folder = made.sources[0].folder
    with patch("coatl_tools.report.plots.charts.find_spec", return_value=None):
        result = run_coatl("report", folder, "--out", tmp_path / "none")
        assert run_coatl("report", folder, "--json").code == 0
    assert result.code == 1
    assert 'pip install "coatl-tools[simulate]"' in result.err
    assert not (tmp_path / "none").exists()


def test_where_nothing_can_be_written_nothing_is_left(made: Made, tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("mine")
    with patch("coatl_tools.report.page.draw_plots", return_value={}):
        assert run_coatl("report", made.sources[0].folder, "--out", taken).code == 3
        result = run_coatl(
            "report", made.sources[0].folder, "--out", taken / "below", "--lang", "pl"
        )
    assert result.code == 3
    assert "file" in result.err
    assert taken.read_text() == "mine"


def test_the_command_line_is_checked(tmp_path: Path) -> None:
    assert run_coatl("report").code == 2
    missing = run_coatl("report", tmp_path / "nowhere", "--lang", "fr")
    assert (missing.code, "Le dossier" in missing.err) == (3, True)
