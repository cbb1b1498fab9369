"""A language is a file: grammar, typography, and English for what it lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl_tools import language
from coatl_tools.errors import CardDataError, CoatlError, CommandLineError, escape_unprintable
from coatl_tools.files.data_paths import LANGUAGE_CODES, LANGUAGES
from coatl_tools.language import (
    Language,
    PluralRule,
    Typography,
    load_language,
    load_usable_language,
)
from coatl_tools.pieces import Colour
from coatl_tools.printing.preflight.findings import PreflightFinding, Severity
from tests.conftest import Run


def read(code: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((LANGUAGES / f"{code}.json").read_bytes())
    return data


@pytest.mark.parametrize(
    ("conditions", "categories"),
    [
        ({"other": ""}, ["other"] * 6),
        ({"one": "n = 0, 1", "other": ""}, ["one", "one", "other", "other", "other", "other"]),
        (  # Czech
            {"one": "n = 1", "few": "n = 2..4", "other": ""},
            ["other", "one", "few", "other", "other", "other"],
        ),
        (  # Lithuanian
            {
                "one": "n % 10 = 1 and n % 100 != 11..19",
                "few": "n % 10 = 2..9 and n % 100 != 11..19",
                "other": "",
            },
            ["other", "one", "few", "few", "other", "one"],
        ),
        (
            {"zero": "n = 0 or n % 100 = 11", "other": ""},
            ["zero", "other", "other", "other", "zero", "other"],
        ),
    ],
)
def test_plural_rules_are_those_of_cldr(conditions: dict[str, str], categories: list[str]) -> None:
    rule = PluralRule(conditions)
    assert [rule.choose_category(n) for n in (0, 1, 2, 5, 11, 121)] == categories


@pytest.mark.parametrize(
    "condition", ["n", "1", "n = x", "n % 0 = 1", "n = 1 and", "n = 1..", "i = 1"]
)
def test_a_broken_plural_rule_is_refused(condition: str) -> None:
    with pytest.raises(ValueError, match="is no condition"):
        PluralRule({"one": condition, "other": ""})


def test_typography_binds_signs_words_and_phrases() -> None:
    fields = {"space_before": ":!]", "space_after": "[", "bound_words": ["w", "do"]}
    typography = Typography({**fields, "bound_phrases": ["so to say"]})
    assert typography.bind_signs("a : [ b ] ! c").replace("\u00a0", "~") == "a~: [~b~]~! c"
    bound = typography.bind_words("W do domu, so to say (do b) kod w")
    assert bound.replace("\u00a0", "~") == "W~do~domu, so~to~say (do~b) kod w"
    assert Typography({}).bind_words("a b : c") == "a b : c"
    assert typography.colon == "\u00a0:"


def test_what_a_language_lacks_is_said_in_english() -> None:
    data = read("pl")
    del data["labels"]["error"], data["cards"]["group"], data["commands"]["take"]
    del data["options"]["tokens"]
    data["labels"]["total"] = "{nonsense}"
    words, english = Language(data), load_language("en")
    assert words.label("error", message="x") == "Error: x"
    assert words.card("group", 3, colour=Colour.R) == "3 red pieces"  # English has no “few”
    assert words.label("total", total=3) == english.label("total", total=3)
    assert words.option("tokens") == english.option("tokens")
    assert words.get_command_words("take") == english.get_command_words("take")
    assert words.card("points", 3) == "3 punkty"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with English and one file more, which the program reads for its languages."""
    (tmp_path / "en.json").write_bytes((LANGUAGES / "en.json").read_bytes())
    monkeypatch.setattr(language, "LANGUAGES", tmp_path)
    monkeypatch.setattr(language, "LANGUAGE_CODES", ("en", "xx"))
    caches = (load_language, language.piece_words)
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


def test_a_new_file_is_a_new_language(folder: Path) -> None:
    data = read("pl")
    data |= {"language": "xx", "name": "xxish", "labels": {"error": "XX {message}"}}
    (folder / "xx.json").write_text(json.dumps(data), "utf-8")
    assert language.list_languages() == [("en", "English"), ("xx", "Xxish")]
    assert load_language("xx").label("error", message="x") == "XX x"
    assert load_language("xx").label("yes") == load_language("en").label("yes")
    assert language.piece_words()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"language": "xx"}', "\xff"])
def test_a_file_that_cannot_be_used_is_told_in_english(folder: Path, text: str) -> None:
    (folder / "xx.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(CardDataError, match=r"cannot be used: .+coatl cards validate"):
        load_language("xx")
    assert load_usable_language("xx").code == "en"
    assert "xx.json" in CardDataError("language.broken", problem="xx.json: x").text("xx")


def write_polish(folder: Path, old: str, new: str) -> None:
    """Write the second language: Polish, with one change."""
    text = (
        (LANGUAGES / "pl.json").read_text("utf-8").replace('"language": "pl"', '"language": "xx"')
    )
    assert old in text
    (folder / "xx.json").write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"language": "xx"', '"language": []', '"language" must be a text'),
        ('"language": "xx"', '"language": "xy"', 'the file must be named "xy.json", or'),
        ('"name": "', '"name": 3, "x": "', '"name" must be a text'),
        ('"edition": "pl"', '"edition": 3', '"edition" must be a text'),
        ('"edition": "pl"', '"edition": "xx"', '"edition" must be one of en, fr, pl'),
        ('"plural": {', '"plural": {}, "x": {', '"plural": it needs at least one category'),
        (
            '"many": ""',
            '"many": "n = 7"',
            '"plural": the last category, "many", takes what is left',
        ),
        ('"decimal": ","', '"decimal": 7', '"typography.decimal" must be a sign'),
        ('"R": {', '"Q": {', 'colour R is missing in "colours"'),
        ('"name": "zielony"', '"name": 3', '"colours.G.name" must be a text'),
        ('"head": [', '"head": [3, ', '"words.head" must be a list of texts'),
        ('"words": {', '"words": 3, "x": {', '"words" must be an object'),
        ('"take": [', '"take": 3, "x": [', '"commands.take" must be a list of texts'),
        (
            '"count": "',
            '"count": 5, "x": "',
            '"cards.count" must be a text in quotes, or an object',
        ),
        (
            "{colour:of_one}",
            "{color:of_one}",
            "unknown placeholder {color}: did you mean {colour}?",
        ),
        ('"name": "', '"name": NaN, "x": "', "NaN is not allowed in JSON"),
        ('"name": "', '"name": "x", "name": "', '"name" stands twice in one object'),
    ],
)
def test_a_field_that_cannot_be_used_is_named_at_its_line(
    folder: Path, old: str, new: str, problem: str
) -> None:
    write_polish(folder, old, new)
    place = r"xx\.json:\d+:\d+: "
    with pytest.raises(CardDataError, match=f"cannot be used: .*{place}{re.escape(problem)}"):
        load_language("xx")
    assert [code for code, _ in language.list_languages()] == ["en"]


def test_what_is_no_file_is_told_without_numbers_of_the_system(folder: Path) -> None:
    path = folder / "xx.json"
    path.mkdir()
    with pytest.raises(CardDataError, match=r"xx\.json: is a folder, not a file\. "):
        load_language("xx")
    path.rmdir()
    path.symlink_to(folder / "nothing.json")
    with pytest.raises(CardDataError, match=r"xx\.json: is a link to a file that is not there\. "):
        load_language("xx")
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(CardDataError, match=r"xx\.json: cannot be read: [^\[\]/]+\. "):
        load_language("xx")


def test_a_huge_file_is_not_read(folder: Path) -> None:
    with (folder / "xx.json").open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(CardDataError, match="larger than 4 MB"):
        load_language("xx")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "en.json: there is no such file"),
        ("{", "en.json:1:2: is not JSON"),
        ("{}", 'en.json:1:1: "language" is missing'),
    ],
)
def test_without_english_one_sentence_says_what_to_do(
    folder: Path, text: str | None, problem: str
) -> None:
    (folder / "en.json").unlink()
    if text is not None:
        (folder / "en.json").write_text(text)
    for error in (CommandLineError("file.no_name"), CardDataError("language.unknown")):
        for lang in ("en", "xx"):
            assert problem in error.text(lang)
            assert "install Cóatl Tools again" in error.text(lang)
    label = load_usable_language("en").label
    assert label("error", message="x") == "Error: x"
    with pytest.raises(CardDataError, match=re.escape(problem)):
        label("total", total=3)


@pytest.mark.parametrize("command", [["score", "RBB", "P01"], ["cards", "show", "P01"]])
def test_without_english_a_command_ends_with_a_sentence(
    folder: Path, run: Run, command: list[str]
) -> None:
    (folder / "en.json").unlink()
    result = run(*command)
    assert result.code == 1
    assert result.err.startswith("Error: English cannot be used")
    assert "en.json: there is no such file" in result.err


def test_without_english_another_language_is_spoken(folder: Path) -> None:
    write_polish(folder, '"error": ', '"eror": ')
    (folder / "en.json").unlink()
    words = load_language("xx")
    assert words.card("points", 3) == "3 punkty"
    assert words.label("error", message="x") == "Error: x"
    with pytest.raises(CardDataError) as broken:
        words.label("unknown")
    assert "Popraw plik" in broken.value.text("xx")


def test_a_text_that_english_lacks_is_named(folder: Path) -> None:
    data = read("en")
    del data["cards"]["count"], data["commands"]["take"], data["options"]["tokens"]
    del data["sentences"]["language.english_broken"], data["labels"]["error"]
    data["labels"]["total"] = "{nonsense}"
    (folder / "en.json").write_text(json.dumps(data), "utf-8")
    words = load_language("en")
    says: dict[str, Callable[[], object]] = {
        "cards.count": lambda: words.card("count", colour=Colour.R),
        "labels.total": lambda: words.label("total", total=3),
        "options.tokens": lambda: words.option("tokens"),
        "commands.take": lambda: words.get_command_words("take"),
    }
    for key, say in says.items():
        with pytest.raises(CardDataError, match=rf'en\.json: "{key}" .*install') as broken:
            say()
        assert words.label("error", message=broken.value).startswith("Error: English cannot")


def test_the_texts_of_the_last_resort_are_those_of_english() -> None:
    english = read("en")
    for section, texts in language._LAST_RESORT._texts.items():
        assert texts.items() <= english[section].items()


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"labels": {"total": "{n:>9999999999}"}}'])
def test_a_file_that_cannot_be_used_harms_no_other_language(folder: Path, text: str) -> None:
    (folder / "xx.json").write_text(text, "utf-8")
    assert [code for code, _ in language.list_languages()] == ["en"]
    assert language.piece_words()["red"].meaning is Colour.R
    with pytest.raises(CardDataError, match="cannot be used"):
        load_language("xx")


def test_an_unknown_language_is_told(run: Run) -> None:
    with pytest.raises(CoatlError, match="there are: en, "):
        load_language("tlh")
    assert run("--lang", "tlh", "cards").code == 2


def test_numbers_have_the_decimal_sign_of_the_language() -> None:
    finding = PreflightFinding(Severity.INFO, "preflight.ink", 1, measured="12.5 %", limit="3.25 %")
    assert "12.5%" in finding.message(load_language("en"))
    for code in ("de", "fr", "pl"):
        assert "12,5" in finding.message(load_language(code))
        assert "3,25" in finding.message(load_language(code))
        large = CommandLineError(
            "print.too_large",
            name="x",
            width=2.5,
            height=300.0,
            paper_width=210.0,
            paper_height=9.0,
        )
        assert "2,5 × 300" in large.text(code)


def test_an_abbreviation_at_the_end_of_a_sentence_brings_its_own_stop() -> None:
    for code in LANGUAGE_CODES:
        said = load_language(code).sentence("shown.await_action", {"player": "A.D.A.M."})
        assert "A.D.A.M." in said
        assert ".." not in said
    missing = load_language("en").sentence("file.missing", {"path": "../cards"})
    assert "../cards" in missing


@pytest.mark.parametrize("char", ["\x1b", "\x85", "\u200f", "\u2028", "\u2029", "\ud800"])
def test_what_could_steer_a_terminal_or_break_a_line_becomes_visible(char: str) -> None:
    assert escape_unprintable(f"é{char}→") == f"é{char.encode('unicode_escape').decode()}→"
