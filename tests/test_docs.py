"""What the README and the docs say is true: their examples run."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import pytest

from coatl_tools.report.plots import PLOT_FUNCTIONS
from tests.cli.command_runner import run_coatl
from tests.conftest import Result

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
FILES = {"table.txt": "<RBBYYG>\n", "my-cards.json": '{"cards": []}'}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks(README, "sh") for line in block.splitlines()]
    found = [line.split("  #")[0].strip() for line in lines if line.startswith("coatl ")]
    return [command for command in found if command.split()[1] != "serve"]  # which does not end


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command in a folder of its own, where tables are kept too."""
    monkeypatch.chdir(tmp_path)
    return partial(run_coatl, XDG_DATA_HOME=str(tmp_path / "data"))


def test_there_are_examples() -> None:
    assert len(commands()) == 24


@pytest.mark.parametrize("command", commands())
def test_every_command_of_the_readme_works(
    command: str, at_home: Callable[..., Result], tmp_path: Path
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    command = command.replace("docs/", f"{ROOT}/docs/")
    if "evening" in command and " new " not in command:
        assert at_home("table", "new", "evening", "--seed", "7").code == 0
    words = shlex.split(command)[1:]
    if "output/*.pdf" in words:  # as a shell would, after the command before it
        assert at_home("print", "--what", "tokens").code == 0
        words = [*words[:-1], "output/coatl-tokens-en-a4.pdf"]
    if words[0] == "print" and not {"check", "--what"} & {*words}:  # other tests print the game
        words += ["--what", "cards", "--only", "P01,T01"]
    if words == ["export", "tts"]:  # few cards make the same kinds of files
        words += ["--only", "P01,T01"]
    if "2000" in words:  # as many games take minutes
        words[words.index("2000")] = "2"
    if words[0] == "report":
        simulated = at_home("simulate", "--games", "2", "--seed", "1", "--out", "output/games")
        assert simulated.code == 0
    few = dict(islice(PLOT_FUNCTIONS.items(), 4, 6))  # the tests of reports draw them all
    with patch.dict(PLOT_FUNCTIONS, few, clear=True):
        result = at_home(*words)
    assert result.code == 0
    assert result.out


def test_the_python_of_the_readme_prints_what_it_says() -> None:
    (code,) = blocks(README, "python")
    said = re.findall(r"print\(.*# (.*)", code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue().splitlines() == said


def test_the_example_of_the_docs_is_the_example_file() -> None:
    (shown,) = blocks((ROOT / "docs" / "cards.md").read_text("utf-8"), "json")
    example = json.loads((ROOT / "docs" / "example-cards.json").read_text("utf-8"))
    example["cards"] = example["cards"][:1]
    assert json.loads(shown) == example


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        assert (page.parent / link).exists(), link


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]


def test_every_module_of_the_docs_exists() -> None:
    quoted = {
        name for page in PAGES for name in re.findall(r"`([\w/]+\.py)`", page.read_text("utf-8"))
    }
    assert len(quoted) > 50
    folders = ("benchmarks", "coatl_tools", "docs", "tests", "training")
    modules = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert [name for name in quoted if not any(path.match(name) for path in modules)] == []


def test_every_name_of_the_glossary_exists() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    places = [place for row in page.splitlines() for place in re.findall("`([^`]+)`", row)]
    names = [place for place in places if re.fullmatch(r"[a-z_/]+\.[A-Za-z]\w+", place)]
    assert len(names) > 50
    for name in names:
        module, _, member = name.replace("/", ".").rpartition(".")
        found = import_module(f"coatl_tools.{module}")
        assert member == "py" or hasattr(found, member), name


def test_the_exit_codes_are_documented() -> None:
    from coatl_tools.cli import EXIT_BROKEN_PIPE, EXIT_BUG, EXIT_INTERRUPTED
    from coatl_tools.errors import CoatlError, FileError

    (sentence,) = re.findall(r"Exit codes: (.*?closed)\.", README, re.DOTALL)
    documented = {int(number) for number in re.findall(r"\b\d+\b", sentence)}
    codes = {CoatlError.exit_code, FileError.exit_code}
    assert documented == codes | {0, 2, EXIT_BUG, EXIT_INTERRUPTED, EXIT_BROKEN_PIPE}


def test_every_cited_rule_is_written_down() -> None:
    written = set(
        re.findall(r"\*\*(\d+\.\d+)\*\*", (ROOT / "docs" / "rules.md").read_text("utf-8"))
    )
    sources = [*ROOT.glob("coatl_tools/**/*.py"), *ROOT.glob("carddata/lang/*.json")]
    sources += [*ROOT.glob("docs/*.md"), ROOT / "README.md"]
    for path in sources:
        for cited in re.findall(
            r"(?:rules?|ruling|règles?|zasad[ay]) ([\d., to and]*\d)", path.read_text("utf-8")
        ):
            assert set(re.findall(r"\d+\.\d+", cited)) <= written, (path.name, cited)


def test_every_command_of_the_page_about_tables_is_known() -> None:
    from coatl_tools.referee.commands.vocabulary import ALL_COMMANDS, find_command

    page = (ROOT / "docs" / "tables.md").read_text("utf-8")
    rows = page.partition("## What to type")[2].partition("## Real tables")[0].splitlines()
    typed = [
        example
        for row in rows
        if row.startswith("| `")
        for example in re.findall("`([^`]+)`", row.split("|")[1])
    ]
    told = {find_command(example.split()[0], "en") for example in typed} | {"correct"}
    assert told == set(ALL_COMMANDS)


def test_the_tables_of_the_docs_can_be_set_up(at_home: Callable[..., Result]) -> None:
    page = (ROOT / "docs" / "tables.md").read_text("utf-8")
    lines = [line.split("  #")[0] for block in blocks(page, "sh") for line in block.splitlines()]
    assert len(lines) == 4
    for line in lines:
        assert at_home(*shlex.split(line)[1:]).code == 0, line
