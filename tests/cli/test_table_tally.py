"""`coatl table tally`: from a file, or asked; what is wrong is said and asked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.table.tally import tally
from coatl_tools.errors import FileError, PositionError

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "example-tally.json"


def run(*arguments: str | Path, typed: str | bytes = "", **environment: str) -> Result:
    return CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1", **environment}).invoke(
        tally, [str(argument) for argument in arguments], input=typed, obj=Settings()
    )


@pytest.fixture(autouse=True)
def _no_own_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COATL_LANG", "en")


def test_a_file_is_tallied() -> None:
    done = run(EXAMPLE)
    assert done.exit_code == 0
    assert "Ana wins." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_file_may_come_by_standard_input() -> None:
    assert run("-", typed=EXAMPLE.read_bytes()).stdout == run(EXAMPLE).stdout


def test_as_json() -> None:
    data = json.loads(run(EXAMPLE, "--json").stdout)
    assert data["winners"] == ["Ana"]


def test_as_sentences() -> None:
    lines = run(EXAMPLE, "--plain").stdout.splitlines()
    assert lines[:2] == ["Edition: pl", "Ana: 21 points. Scoreboard: position 21."]
    assert lines[-1] == "Ana wins."
    assert all(line.isprintable() for line in lines)
    assert run(EXAMPLE, "--plain", "--lang", "pl").stdout.splitlines()[-1] == "Ana wygrywa."


TYPED = """Ana, Bo
<BBRBBKRBBYY> P29 P10 P05 T03
<GGYG> P16
YBGYBBG P38

<RKKRRR> P02
<YYYYB> P11 P01

"""


def test_what_is_typed_is_tallied_like_the_file() -> None:
    typed = run("--edition", "pl", "--json", typed=TYPED)
    assert typed.exit_code == 0
    assert typed.stdout == run(EXAMPLE, "--json").stdout
    assert "Ana, Cóatl 1:" in typed.stderr


@pytest.mark.parametrize(
    ("options", "edition", "winner"),
    [
        (["--lang", "pl"], "pl", "Ana"),
        (["--lang", "fr"], "fr", "Bo"),
        (["--lang", "pl", "--edition", "en"], "en", "Bo"),
        (["--edition", "PL"], "pl", "Ana"),
        ([], "en", "Bo"),
    ],
)
def test_the_edition_is_the_one_chosen_or_that_of_the_language(
    options: list[str], edition: str, winner: str
) -> None:
    """By the Polish rulebook, Ana's incomplete Cóatl is worth half of 7 (rule 8.1)."""
    typed = "Ana, Bo\n<YYYYYY P11\n\n<RRRG> P02\n\n"
    data = json.loads(run(*options, "--json", typed=typed).stdout)
    assert (data["edition"], data["winners"]) == (edition, [winner])
    shown = run(*options, typed=typed).stdout.splitlines()
    assert shown[0].endswith(f": {edition}")
    assert winner in shown[-1]


def test_mistakes_are_explained_and_nothing_typed_is_lost() -> None:
    wrong = TYPED.replace(
        "<GGYG> P16\n", "<GGQG> P16\n<GGYG>\n<GGYG> P29\n<GGYG> P99\n<GGYG> P16\n"
    )
    wrong = "Ana, ana\n\n" + wrong
    done = run("--edition", "pl", "--json", typed=wrong)
    assert done.stdout == run(EXAMPLE, "--json").stdout
    for said in ("same name", "Piece 3 is unknown", "Rule 3.10", "Rule 1.3", "no card “P99”"):
        assert said in done.stderr
    assert "\n     ^" in done.stderr  # where the wrong piece stands


@pytest.mark.parametrize(
    "name", ["tally.json", "/games/ana/tally", "~/tally.json", "C:\\games\\rbg"]
)
def test_a_file_typed_as_a_coatl_is_told_from_a_misspelt_one(name: str) -> None:
    done = run(typed=f"Ana, Bo\n{name}\n")
    assert f"“{name}” looks like a file" in done.stderr
    assert "coatl table tally FILE" in done.stderr
    assert "unknown" not in done.stderr


def test_a_solo_game_asks_for_adams_cards() -> None:
    typed = "Ana\n<YYYYYY> P01\n\nP10 X\nP10\n"
    done = run("--level", "1", "--plain", typed=typed)
    assert done.exit_code == 0
    assert "no card “X”" in done.stderr
    assert done.stdout.splitlines()[-1] == "A.D.A.M. wins."


def test_golden_segments_are_asked_for_when_they_were_in_play() -> None:
    done = run("--golden-feathers", "--plain", typed="Ana, Bo\n\n0\n\nmany\n9\n2\n")
    assert "“many” is not a number" in done.stderr
    assert "Rule 10.3" in done.stderr
    assert "Bo: 4 points." in done.stdout


@pytest.mark.parametrize("typed", ["", "Ana, Bo\n", "Ana, Bo\n<RRRR> P02\n", b"\xff\xfe\x00"])
def test_the_end_of_the_input_is_the_end(typed: str | bytes) -> None:
    done = run(typed=typed)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n "players": [', "“-”: This is not JSON (line 2, column 14)."),
        ("[]", "“-”: This is not a JSON object."),
        ("{}", "“-”: players is missing."),
        ('{"players": 1, "players": 2}', "“-”: The name “players” appears twice."),
        ('{"players": ' + "[" * 100_000, "“-”: It is nested too deeply."),
        ('{"players": [{"name": "Ana", "coatls": ["RQ"]}, {"name": "Bo"}]}', "Piece 2 is unknown"),
        ('{"players": []}', "“-”: A table has 1 to 4 players"),
    ],
)
def test_a_file_that_is_no_tally_is_named(text: str, said: str) -> None:
    error = run("-", typed=text).exception
    assert isinstance(error, PositionError)
    assert said in str(error)


def test_a_tally_that_is_too_large_is_refused_and_not_cut(tmp_path: Path) -> None:
    text = EXAMPLE.read_bytes() + b" " * (1 << 20)
    large = tmp_path / "large.json"
    large.write_bytes(text)
    for done in (run("-", typed=text), run(large)):
        assert "The file is larger than 1048576 bytes" in str(done.exception)


def test_a_file_that_cannot_be_read_is_named() -> None:
    assert isinstance(run("missing.json").exception, FileError)
    assert isinstance(run(DOCS).exception, FileError)


def test_options_belong_into_the_file() -> None:
    for option in (["--promo"], ["--edition", "pl"], ["--level", "2"], ["--closed-ends"]):
        done = run(EXAMPLE, *option)
        assert done.exit_code == 2
        assert f"{option[0]} cannot be given with FILE" in done.stderr
    assert run(EXAMPLE, "--plain", "--json").exit_code == 2
