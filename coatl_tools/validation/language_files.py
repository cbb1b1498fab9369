"""Check language files: their shape, their texts beside the English ones, the words one types."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from coatl_tools.errors import escape_unprintable
from coatl_tools.files.data_paths import EDITIONS
from coatl_tools.files.json_files import FileProblem, JsonPath, JsonSource
from coatl_tools.language import (
    COLOUR_PLACEHOLDERS,
    SECTIONS,
    PluralRule,
    Text,
    fold_letters,
    parse_placeholders,
)
from coatl_tools.pieces import Colour
from coatl_tools.referee.commands.vocabulary import ALL_COMMANDS, COMMAND_OF_FORM, KEYWORDS


# `language` reads these files whenever something is said, and without pydantic, which is slow.
class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _check_plural(conditions: dict[str, str]) -> dict[str, str]:
    PluralRule(conditions)
    return conditions


class PieceWordLists(_Strict):
    """Words that people write in a Cóatl beside the colours."""

    head: list[str] = Field(description="Words for a head")
    tail: list[str] = Field(description="Words for a tail")
    body: list[str] = Field(description="Words for a body segment")
    skip: list[str] = Field(description="Words between pieces that say nothing, such as “then”")


class ColourForms(BaseModel):
    """A colour's word, and the forms of it that the texts use."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, str]

    name: str = Field(description="The word itself")
    card: str = Field(description="As it stands beside the word for a Prophecy card")


class TypographyFields(_Strict):
    """How numbers and spaces are set; what is left out is as in English."""

    decimal: str = Field(default=".", min_length=1, description="Between a number and its decimals")
    thousands: str = Field(default=",", description="Between thousands")
    space_before: str = Field(
        default="", description="Signs with a space before them, as in « Oui ! »"
    )
    space_after: str = Field(default="", description="Signs with a space after them")
    bound_words: list[str] = Field(default=[], description="Words that do not end a line")
    bound_phrases: list[str] = Field(default=[], description="Words that stay on one line")


class LanguageFile(_Strict):
    """The shape of `carddata/lang/*.json`."""

    schema_: str | None = Field(None, alias="$schema")
    language: str = Field(pattern="^[a-z]{2}$", description="The code, and the file's name")
    name: str = Field(min_length=1, description="The language's own name")
    edition: str = Field(description="Whose rulebook a table plays by if nobody chooses one")
    plural: Annotated[dict[str, str], Field(min_length=1), AfterValidator(_check_plural)] = Field(
        description="Plural categories with their conditions, as CLDR writes them: "
        "n = 1, or n % 10 = 2..4 and n % 100 != 12..14; the last one takes what is left"
    )
    typography: TypographyFields = Field(
        default=TypographyFields(), description="Numbers and spaces"
    )
    colours: dict[Literal["R", "G", "B", "Y", "K"], ColourForms]
    words: PieceWordLists
    cards: dict[str, Text] = Field(default={}, description="How a requirement is said")
    labels: dict[str, Text] = Field(
        default={}, description="Labels and short sentences of the screens"
    )
    sentences: dict[str, Text] = Field(
        default={}, description="Messages of every kind, and parts of them"
    )
    commands: dict[str, list[str]] = Field(
        default={},
        description="Words that people type at a table; the first one is the one that is shown",
    )
    forms: dict[str, str] = Field(default={}, description="How a command is written")
    options: dict[str, str] = Field(default={}, description="What each option of a table decides")
    rulings: dict[str, str] = Field(
        default={}, description="Rulings that are the same at every table"
    )


class _TypedWord(NamedTuple):
    """A word that people type, what it means, and where it stands in the file."""

    word: str
    meaning: str
    place: tuple[str, ...]


class LanguageCheck:
    """What is wrong with languages, and what they lack beside English."""

    def __init__(
        self, languages: Sequence[tuple[JsonSource, LanguageFile]], english: LanguageFile | None
    ) -> None:
        self.problems: list[FileProblem] = []
        self.warnings: list[FileProblem] = []
        self._lost = self._find_lost_texts(languages, english)
        for source, language in languages:
            self._check(source, language, english or language)

    def _find_lost_texts(
        self, languages: Sequence[tuple[JsonSource, LanguageFile]], english: LanguageFile | None
    ) -> set[tuple[str, str]]:
        """Find texts that several languages have and English has not: there they are missing."""
        owners: dict[tuple[str, str], list[str]] = {}
        for _, language in languages:
            for section in ("commands", *SECTIONS):
                for key in set(getattr(language, section)) - set(getattr(english, section, ())):
                    owners.setdefault((section, key), []).append(language.language)
        lost = {text: codes for text, codes in owners.items() if len(set(codes)) > 1}
        for source, language in languages:
            if language is english:
                for (section, key), codes in sorted(lost.items()):
                    have = f"which {', '.join(sorted(set(codes)))} have"
                    self._wrong(source, f'"{section}.{key}" is missing, {have}', section)
        return set(lost)

    def _check(self, source: JsonSource, language: LanguageFile, english: LanguageFile) -> None:
        self._check_file_name(source, language)
        self._check_edition(source, language)
        self._check_every_colour_is_there(source, language)
        self._check_plain_texts(source)
        self._check_typed_words(source, language)
        self._check_keys(source, language, english)
        self._check_texts(source, language, english)

    def _check_file_name(self, source: JsonSource, language: LanguageFile) -> None:
        stem = Path(source.path).stem
        if stem != language.language:
            message = f'the file must be named "{language.language}.json"'
            if re.fullmatch("[a-z]{2}", stem):
                message += f', or "language" must be "{stem}"'
            self._wrong(source, message, "language")

    def _check_edition(self, source: JsonSource, language: LanguageFile) -> None:
        if language.edition not in EDITIONS:
            message = f'"edition" must be one of {", ".join(EDITIONS)}'
            self._wrong(source, message, "edition")

    def _check_every_colour_is_there(self, source: JsonSource, language: LanguageFile) -> None:
        for letter in sorted(set(Colour.__members__).difference(language.colours)):
            self._wrong(source, f'colour {letter} is missing in "colours"', "colours")

    def _check_plain_texts(self, source: JsonSource) -> None:
        """Find names, words and signs with a brace, a line break or a control character."""
        for key in ("name", "plural", "typography", "colours", "words", "commands"):
            for place, text in _find_texts(source.data.get(key), (key,)):
                name = ".".join(map(str, place))
                if escape_unprintable(text) != text:
                    self._wrong(source, f'"{name}" has a control character', *place)
                if "{" in text or "}" in text:
                    self._wrong(
                        source, f'"{name}" has a brace, but cannot have placeholders', *place
                    )

    def _check_typed_words(self, source: JsonSource, language: LanguageFile) -> None:
        """Find words that people type and that do not mean one thing, or are several words."""
        piece_words = list(_list_piece_words(language))
        self._check_meanings(source, [*_list_colour_words(language), *piece_words])
        self._check_every_command_has_a_word(source, language)
        commands = list(_list_command_words(language, ALL_COMMANDS))  # those begin a line
        keywords = list(_list_command_words(language, KEYWORDS))  # these follow
        meanings = self._check_meanings(source, commands)
        self._check_meanings(source, keywords)
        self._check_single_words(source, [*piece_words, *commands, *keywords])
        self._check_command_forms(source, language, meanings)
        self._check_yes_and_no(source, language)

    def _check_every_command_has_a_word(self, source: JsonSource, language: LanguageFile) -> None:
        for key, words in language.commands.items():
            if not words:
                self._wrong(source, f'command "{key}" has no word', "commands", key)

    def _check_meanings(self, source: JsonSource, typed: Iterable[_TypedWord]) -> dict[str, str]:
        """Find words that mean two things; return the meaning of each word in its folded form."""
        meanings: dict[str, str] = {}
        told: set[tuple[str, str]] = set()
        for word, meaning, place in typed:
            known = meanings.setdefault(fold_letters(word), meaning)
            if known != meaning and (word, meaning) not in told:
                told.add((word, meaning))
                message = f'"{word}" cannot be a word of {meaning}: it is one of {known}'
                self._wrong(source, message, *place)
        return meanings

    def _check_single_words(self, source: JsonSource, typed: Iterable[_TypedWord]) -> None:
        for word, _, place in typed:
            if len(word.split()) != 1:
                self._wrong(source, f'"{".".join(place)}" must be single words: "{word}"', *place)

    def _check_command_forms(
        self, source: JsonSource, language: LanguageFile, meanings: dict[str, str]
    ) -> None:
        """Find ways to write a command that do not begin with a word of it."""
        for key, text in language.forms.items():
            command = COMMAND_OF_FORM.get(key, key)
            known = meanings.get(fold_letters(text.split(" ")[0]))
            if command in language.commands and known != f'command "{command}"':
                message = f'"forms.{key}" must begin with a word of command "{command}"'
                self._wrong(source, message, "forms", key)

    def _check_yes_and_no(self, source: JsonSource, language: LanguageFile) -> None:
        yes, no = (fold_letters(str(language.labels.get(key, key))) for key in ("yes", "no"))
        if yes.startswith(no) or no.startswith(yes):
            message = '"labels.yes" and "labels.no" must differ: one begins with the other'
            self._wrong(source, message, "labels", "no")

    def _check_keys(
        self, source: JsonSource, language: LanguageFile, english: LanguageFile
    ) -> None:
        """Find texts that are missing beside English, and unknown ones."""
        for section in ("commands", *SECTIONS):
            texts, expected = getattr(language, section), getattr(english, section)
            for key in sorted(set(expected).difference(texts)):
                message = f'"{section}.{key}" is missing: English is shown'
                self.warnings.append(source.problem(message, (section,)))
            for key in sorted(set(texts).difference(expected)):
                if (section, key) not in self._lost:
                    hint = _suggest(key, set(expected) - set(texts), '"{}"')
                    self._wrong(source, f'"{section}.{key}" is unknown{hint}', section, key)

    def _check_texts(
        self, source: JsonSource, language: LanguageFile, english: LanguageFile
    ) -> None:
        """Find what is wrong with single texts, compared with the English ones."""
        for section in SECTIONS:
            expected = getattr(english, section)
            for key, text in getattr(language, section).items():
                for message in _text_problems(text, expected.get(key, text), language):
                    self._wrong(source, f'"{section}.{key}" {message}', section, key)

    def _wrong(self, source: JsonSource, message: str, *location: str | int) -> None:
        self.problems.append(source.problem(message, location))


def _list_colour_words(language: LanguageFile) -> Iterator[_TypedWord]:
    for letter, colour_forms in language.colours.items():
        for name, word in {"letter": letter, **colour_forms.model_dump()}.items():
            yield _TypedWord(word, f"colour {letter}", ("colours", letter, name))


def _list_piece_words(language: LanguageFile) -> Iterator[_TypedWord]:
    for role, words in language.words.model_dump().items():
        for word in words:
            yield _TypedWord(word, f'"words.{role}"', ("words", role))


def _list_command_words(language: LanguageFile, keys: Collection[str]) -> Iterator[_TypedWord]:
    """Yield the words of these commands, or of these keywords."""
    for key, words in language.commands.items():
        if key in keys:
            for word in words:
                yield _TypedWord(word, f'command "{key}"', ("commands", key))


def _suggest(word: str, known: Iterable[str], quotes: str) -> str:
    """Return a question whether another word was meant, or nothing if none is like it."""
    close = difflib.get_close_matches(word, sorted(known), 1)
    return f": did you mean {quotes.format(close[0])}?" if close else ""


def _find_texts(value: object, place: JsonPath) -> Iterator[tuple[JsonPath, str]]:
    """Yield every text in a value, and its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _find_texts(inner, (*place, step))


def _text_problems(text: Text, expected: Text, language: LanguageFile) -> Iterator[str]:
    """Find what is wrong with one text, compared with the English one."""
    if isinstance(text, dict) and set(text) != set(language.plural):
        yield f"needs the plural forms {', '.join(language.plural)}"
    if isinstance(text, dict) and isinstance(expected, str):
        yield "has plural forms, but no number decides between them"
    wanted = {name for template in _templates(expected) for name, _ in _placeholders(template)}
    stands_on_one_line = not any("\n" in template for template in _templates(expected))
    for template in _templates(text):
        if escape_unprintable(template.replace("\n", "")) != template.replace("\n", ""):
            yield "has a control character"
        if stands_on_one_line and "\n" in template:
            yield "has a line break, and the English text has none"
        try:
            found = list(parse_placeholders(template))
        except ValueError as error:
            yield f"is malformed: {error}"
            continue
        names = {name for name, _ in found}
        for name in sorted(names - wanted):
            hint = _suggest(name, wanted, "{{{}}}")
            yield f"has an unknown placeholder {{{name}}}{hint}"
        for name in sorted(wanted - names - {"n"}):
            yield f"lacks the placeholder {{{name}}}"
        for name, colour_form in sorted((name, asked) for name, asked in found if asked):
            if name not in wanted:
                continue  # it is unknown, whatever form it asks for
            if name not in COLOUR_PLACEHOLDERS:
                yield f"asks for a form of {{{name}}}, which is no colour"
                continue
            known = {colour: forms.model_dump() for colour, forms in language.colours.items()}
            if lacking := [colour for colour, forms in known.items() if colour_form not in forms]:
                lack = "lacks" if len(lacking) == 1 else "lack"
                yield f'uses the colour form "{colour_form}", which {", ".join(lacking)} {lack}'


def _templates(text: Text) -> Iterable[str]:
    return text.values() if isinstance(text, dict) else (text,)


def _placeholders(template: str) -> list[tuple[str, str]]:
    try:
        return list(parse_placeholders(template))
    except ValueError:
        return []
