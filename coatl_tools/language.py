"""Texts in any language: a file of `carddata/lang/` each, grammar and typography included.

A template holds placeholders such as `{n}` and `{colour:many}`; the part behind the colon
chooses a form of the colour's word. A template that depends on a number is an object with one
template for each plural category of the language. What a language lacks is said in English,
message by message; `coatl cards validate` lists it.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from coatl_tools.errors import CardDataError, CoatlError, CommandLineError
from coatl_tools.files.data_paths import EDITIONS, ENGLISH, LANGUAGE_CODES, LANGUAGES
from coatl_tools.files.json_files import FileProblem, JsonPath, JsonSource, read_json
from coatl_tools.pieces import Colour, PieceKind

Text = str | dict[str, str]
SECTIONS = ("cards", "labels", "sentences", "forms", "options", "rulings")  # that hold texts
COLOUR_PLACEHOLDERS = ("colour", "first", "second", "before", "after")  # they have forms
NO_BREAK_SPACE = "\u00a0"
# `{total:>9}`, but not `{colour:few}`: no brace of JSON itself is followed by a letter
_FORMATTED_PLACEHOLDER = re.compile(
    rf"\{{(?!(?:{'|'.join(COLOUR_PLACEHOLDERS)}):[a-z]\w*\}})\w*[:!.\[][^{{}}]{{0,20}}"
)
_LANGUAGE_NAME_END = re.compile(r"[-_.@]")  # where `de_AT.UTF-8` goes on behind its code
_DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_TWO_STOPS = re.compile(r"(?<=\w)\.\.(?![\w./])")  # “A.D.A.M..”, but no path, no ellipsis
_UNDECOMPOSED = str.maketrans("łøđ", "lod")  # letters that Unicode does not split from their stroke


class PluralRule:
    """Which plural category a number takes, by conditions as CLDR writes them.

    Categories are tried in order; the last one has no condition and takes what is left.

    >>> few = "n % 10 = 2..4 and n % 100 != 12..14"
    >>> rule = PluralRule({"one": "n = 1", "few": few, "many": ""})
    >>> [rule.choose_category(n) for n in (1, 3, 13, 22, 100)]
    ['one', 'few', 'many', 'few', 'many']
    """

    def __init__(self, conditions: Mapping[str, str]) -> None:
        """Parse the conditions; raises ValueError if one is malformed or none is left open."""
        self.categories = tuple(conditions)
        if not conditions:
            raise ValueError("it needs at least one category")
        *most, last = conditions.items()
        if last[1].strip():
            raise ValueError(
                f'the last category, "{last[0]}", takes what is left: leave it "", '
                'or add "other": ""'
            )
        self._rules = [(name, _parse_condition(condition)) for name, condition in most]

    def choose_category(self, n: int) -> str:
        """Name the category of a whole number."""
        for name, alternatives in self._rules:
            if any(all(relation.holds(n) for relation in every) for every in alternatives):
                return name
        return self.categories[-1]


_RELATION = re.compile(r"n(?: ?% ?([1-9]\d*))? ?(!?=) ?(\d+(?:\.\.\d+)?(?: ?, ?\d+(?:\.\.\d+)?)*)")


@dataclass(frozen=True, slots=True)
class _Relation:
    """One comparison of a plural rule, such as `n % 10 = 2..4`."""

    modulus: int | None
    wanted: bool
    ranges: tuple[range, ...]

    def holds(self, n: int) -> bool:
        value = n % self.modulus if self.modulus else n
        return any(value in one for one in self.ranges) is self.wanted


def _parse_condition(text: str) -> list[list[_Relation]]:
    """Parse `a and b or c`: alternatives, each a list of relations that must all hold."""
    return [
        [_parse_relation(relation) for relation in re.split(r"\band\b", alternative)]
        for alternative in re.split(r"\bor\b", text)
    ]


def _parse_relation(text: str) -> _Relation:
    found = _RELATION.fullmatch(text.strip())
    if found is None:
        raise ValueError(f'"{text.strip()}" is no condition: write n = 1, or n % 10 = 2..4, 7')
    modulus, sign, values = found.groups()
    ends = [one.strip().split("..") for one in values.split(",")]
    ranges = tuple(range(int(low), int(more[-1] if more else low) + 1) for low, *more in ends)
    return _Relation(int(modulus) if modulus else None, sign == "=", ranges)


class Typography:
    """How a language sets numbers and spaces."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.decimal: str = fields.get("decimal", ".")
        self.thousands: str = fields.get("thousands", ",")
        before = re.escape(fields.get("space_before", ""))
        after = re.escape(fields.get("space_after", ""))
        words = "|".join(map(re.escape, fields.get("bound_words", ())))
        self._signs = _compile_spaces([f" (?=[{before}])" * bool(before),
                                       f"(?<=[{after}]) " * bool(after)])  # fmt: skip
        self._phrases: list[str] = fields.get("bound_phrases", [])
        # a word behind a space or an opening sign; it is matched itself, because a lookbehind
        # cannot have alternatives of different lengths
        self._words = re.compile(rf"(?<![^\s(„«“])({words}) ", re.IGNORECASE) if words else None
        self.colon = f"{NO_BREAK_SPACE}:" if ":" in fields.get("space_before", "") else ":"

    def format_decimal(self, number: float, digits: int) -> str:
        """Write a number with so many digits behind the decimal sign."""
        return f"{number:.{digits}f}".replace(".", self.decimal)

    def format_number(self, number: float) -> str:
        """Write a number as short as it can be: up to six digits, no zeros at the end."""
        return f"{number:g}".replace(".", self.decimal)

    def localize_numbers(self, text: str) -> str:
        """Give the numbers in a text, such as a measure, the decimal sign of the language."""
        return _DECIMAL_POINT.sub(self.decimal, text)

    def bind_signs(self, text: str) -> str:
        """Put no-break spaces where a sign has a space before or after it."""
        return self._signs.sub(NO_BREAK_SPACE, text) if self._signs else text

    def bind_words(self, text: str) -> str:
        """Put no-break spaces behind words that must not end a line, and inside phrases."""
        for phrase in self._phrases:
            text = text.replace(phrase, phrase.replace(" ", NO_BREAK_SPACE))
        return self._words.sub(rf"\1{NO_BREAK_SPACE}", text) if self._words else text


def _compile_spaces(patterns: list[str]) -> re.Pattern[str] | None:
    found = "|".join(filter(None, patterns))
    return re.compile(found) if found else None


class ColourWord:
    """A colour inside a template: `{colour}` is its name, `{colour:few}` another form."""

    def __init__(self, colour_forms: Mapping[str, str]) -> None:
        self._colour_forms = colour_forms

    def __format__(self, colour_form: str) -> str:
        return self._colour_forms[colour_form or "name"]


class Language:
    """One language: its texts, its words, its grammar and its typography."""

    def __init__(self, file: Mapping[str, Any]) -> None:
        """Take the data of a language file; raises KeyError, TypeError or ValueError."""
        self.code: str = file["language"]
        self.name: str = file["name"]
        self.edition: str = file["edition"]  # whose rulebook a table in this language plays by
        self.typography = Typography(file.get("typography", {}))
        self.words: Mapping[str, list[str]] = file["words"]
        self.colours: Mapping[Colour, Mapping[str, str]] = {
            colour: file["colours"][colour.name] for colour in Colour
        }
        self._plural = PluralRule(file["plural"])
        self._texts: Mapping[str, Mapping[str, Text]] = {key: file.get(key, {}) for key in SECTIONS}
        self._commands: Mapping[str, list[str]] = file.get("commands", {})

    def get_command_words(self, key: str) -> list[str]:
        """Return the words that people type at a table for a command or keyword."""
        words = self._commands.get(key)
        return words or self._fall_back("commands", key).get_command_words(key)

    def card(self, key: str, n: int | None = None, **values: object) -> str:
        """Say a phrase of a card's text."""
        return self._render("cards", key, n, values)

    def label(self, key: str, n: int | None = None, **values: object) -> str:
        """Say a label or short sentence of the screens."""
        return self._render("labels", key, n, values)

    def command_form(self, key: str, **values: object) -> str:
        """Write a command as it is typed."""
        return self._render("forms", key, None, values)

    def option(self, name: str) -> str:
        """Say what an option of a table decides."""
        return self._find("options", name)

    def ruling(self, number: str) -> str:
        """Say a ruling that is the same at every table."""
        return self._find("rulings", number)

    def sentence(self, key: str, details: Mapping[str, object]) -> str:
        """Say a message or a part of one; a detail may be a phrase, a list of them, or lines."""
        spoken = {name: self._say_detail(value) for name, value in details.items()}
        n = spoken.pop("n", None)
        return self._render("sentences", key, n if isinstance(n, int) else None, spoken)

    def _say_detail(self, value: object) -> object:
        match value:
            case (str(key), dict(details)):
                return self.sentence(key, details)
            case list(phrases):
                return ", ".join(str(self._say_detail(phrase)) for phrase in phrases)
            case tuple(lines):
                return "\n".join(map(str, lines))
            case float(number):
                return self.typography.format_number(number)
            case _:
                return value

    def _find(self, section: str, key: str) -> str:
        """Find a text without placeholders, in English if this language lacks it."""
        text = self._texts[section].get(key)
        return self._fall_back(section, key)._find(section, key) if text is None else str(text)

    def _render(self, section: str, key: str, n: int | None, values: Mapping[str, object]) -> str:
        try:
            return self._fill(self._texts[section][key], n, values)
        except (LookupError, ValueError, AttributeError, TypeError) as error:
            return self._fall_back(section, key, error)._render(section, key, n, values)

    def _fall_back(self, section: str, key: str, reason: Exception | None = None) -> Language:
        """Return the language that says what this one cannot say.

        CardDataError if there is none: then something is wrong with English.
        """
        if self is _LAST_RESORT:
            load_language(ENGLISH)  # raises an error that says what is wrong
        elif self.code != ENGLISH:
            return load_usable_language(ENGLISH)
        elif key in _LAST_RESORT._texts.get(section, ()):
            return _LAST_RESORT
        missing = key not in self._texts.get(section, self._commands)
        wrong = "is missing" if missing else f"cannot be filled in ({reason!r})"
        problem = f'{LANGUAGES / f"{ENGLISH}.json"}: "{section}.{key}" {wrong}'
        raise CardDataError("language.english_broken", problem=problem) from reason

    def _fill(self, text: Text, n: int | None, values: Mapping[str, object]) -> str:
        template = text if isinstance(text, str) else text[self._plural.choose_category(n or 0)]
        words = {
            name: ColourWord(self.colours[value]) if isinstance(value, Colour) else value
            for name, value in values.items()
        }
        said = template.format(n=n, **words)
        return _TWO_STOPS.sub(".", said) if ".." in said else said


# What is said if no language file can be used; `en.json` has the same texts.
_LAST_RESORT = Language(
    {
        "language": "",
        "name": "English",
        "edition": ENGLISH,
        "plural": {"one": "n = 1", "other": ""},
        "colours": {colour.name: {} for colour in Colour},
        "words": {},
        "labels": {
            "error": "Error: {message}",
            "warning": "Warning: {message}",
            "problems": {"one": "{n} problem", "other": "{n} problems"},
        },
        "sentences": {
            "language.english_broken": "English cannot be used, and all other languages rest on "
            "it: {problem}. Mend the file (“coatl cards validate” lists every mistake), or install "
            "Cóatl Tools again.",
        },
    }
)


@lru_cache(maxsize=32)
def load_language(code: str) -> Language:
    """Load a language by its code.

    Raises CommandLineError if there is no such language, CardDataError if its file is unusable.
    Only the shape is checked here; `coatl cards validate` checks the texts.
    """
    if code not in LANGUAGE_CODES:
        raise CommandLineError("language.unknown", code=code, codes=", ".join(LANGUAGE_CODES))
    source, problems = read_json(LANGUAGES / f"{code}.json")
    if source is not None and not problems:
        wrong = _find_wrong_field(source.data, _SHAPE) or _find_wrong_value(source.data, code)
        problems = [source.problem(wrong[1], wrong[0])] if wrong else []
        problems += _find_formatted_placeholders(source)
    if source is None or problems:
        key = "language.english_broken" if code == ENGLISH else "language.broken"
        raise CardDataError(key, problem=str(problems[0]))
    return Language(source.data)


def _find_wrong_value(file: Mapping[str, Any], code: str) -> tuple[JsonPath, str] | None:
    """Find a field with a value that no file of this name can have: where, and what is wrong."""
    if file["language"] != code:
        named = f'the file must be named "{file["language"]}.json"'
        return ("language",), f'{named}, or "language" must be "{code}"'
    if file["edition"] not in EDITIONS:
        return ("edition",), f'"edition" must be one of {", ".join(EDITIONS)}'
    try:
        PluralRule(file["plural"])
    except ValueError as error:
        return ("plural",), f'"plural": {error}'
    return None


def _find_formatted_placeholders(source: JsonSource) -> Iterator[FileProblem]:
    """Find placeholders with a format: a width, say, could make a text as long as the memory."""
    for found in _FORMATTED_PLACEHOLDER.finditer(source.text):
        name = re.split(r"\W", found[0][1:])[0]
        close = difflib.get_close_matches(name, COLOUR_PLACEHOLDERS, 1)
        message = f"the placeholder {found[0]}…}} has a format, and only colours have forms"
        if close and name not in COLOUR_PLACEHOLDERS:
            message = f"unknown placeholder {{{name}}}: did you mean {{{close[0]}}}?"
        yield FileProblem(source.path, *source.line_and_column(found.start()), "", message)


# What a file must be to be used: an object in JSON is a dictionary here, in which “*” is any key;
# anything else a test, and what is said of a value that does not pass it.
_Shape: TypeAlias = dict[str, Any] | tuple[Callable[[Any], bool], str]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_word_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_template(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, dict) and all(map(_is_text, value.values())))


_TEXT: _Shape = (_is_text, "a text in quotes")
_TEXTS: _Shape = {"*": _TEXT}
_WORD_LIST: _Shape = (_is_word_list, "a list of texts in [ ]")
_SIGN: _Shape = (lambda value: _is_text(value) and value != "", 'a sign in " "')
_SHAPE: _Shape = {
    "language": _TEXT,
    "name": _TEXT,
    "edition": _TEXT,
    "plural": _TEXTS,
    "colours": {colour.name: {"name": _TEXT, "card": _TEXT, "*": _TEXT} for colour in Colour},
    "words": dict.fromkeys(("head", "tail", "body", "skip"), _WORD_LIST),
    "typography": {
        "decimal": _SIGN,
        "bound_words": _WORD_LIST,
        "bound_phrases": _WORD_LIST,
        "*": _TEXT,
    },
    "commands": {"*": _WORD_LIST},
    **{
        section: {"*": (_is_template, "a text in quotes, or an object of texts in { }")}
        for section in SECTIONS
    },
}
_MAY_BE_MISSING = ("typography", "decimal", "bound_words", "bound_phrases", "commands", *SECTIONS)


def _find_wrong_field(
    value: Any, shape: _Shape, place: JsonPath = ()
) -> tuple[JsonPath, str] | None:
    """Find the first field without the shape that it must have: where it is, and what is wrong."""
    name = f'"{".".join(map(str, place))}"' if place else "the file"
    if isinstance(shape, tuple):
        fits, wanted = shape
        return None if fits(value) else (place, f"{name} must be {wanted}")
    if not isinstance(value, dict):
        return place, f"{name} must be an object in {{ }}"
    for key in shape:
        if key != "*" and key not in value and key not in _MAY_BE_MISSING:
            missing = f"colour {key}" if place == ("colours",) else f'"{key}"'
            return place, f"{missing} is missing" + (f" in {name}" if place else "")
    for key, inner in value.items():
        expected = shape.get(key) or shape.get("*")
        if isinstance(expected, tuple) and expected[0](inner):
            continue  # nearly all of them: texts that are texts
        if expected and (wrong := _find_wrong_field(inner, expected, (*place, key))):
            return wrong
    return None


def load_languages() -> Iterator[Language]:
    """Load all languages, English first, except for those whose file is unusable."""
    for code in LANGUAGE_CODES:
        with contextlib.suppress(CardDataError):
            yield load_language(code)


def load_usable_language(code: str) -> Language:
    """Load a language, or English if that fails: for error messages."""
    for wanted in (code, ENGLISH):
        with contextlib.suppress(CoatlError):
            return load_language(wanted)
    return _LAST_RESORT


def choose_language(*wanted: str) -> str | None:
    """Return the code of the first of these languages that there is; None if there is none.

    Each is named as people, systems and browsers do: the case, and the country or encoding
    behind the code, do not matter.

    >>> choose_language("xx", "de_AT.UTF-8", "fr"), choose_language("PL-pl"), choose_language("C")
    ('de', 'pl', None)
    """
    codes = (_LANGUAGE_NAME_END.split(name.strip().lower(), maxsplit=1)[0] for name in wanted)
    return next((code for code in codes if code in LANGUAGE_CODES), None)


def list_languages() -> list[tuple[str, str]]:
    """List the languages: the code of each, and the name that it has for itself.

    >>> ("fr", "Français") in list_languages()
    True
    """
    return [(language.code, language.name.capitalize()) for language in load_languages()]


def parse_placeholders(template: str) -> Iterator[tuple[str, str]]:
    """Yield a template's placeholders as (name, colour form); raises ValueError if malformed."""
    for _, name, colour_form, _ in string.Formatter().parse(template):
        if name is not None:
            yield name, colour_form or ""


def describe_piece(colour: Colour | None, kind: PieceKind, language: Language) -> str:
    """Describe a piece, such as “black body segment”; without a colour, a golden one."""
    if colour is None:
        return language.sentence("pieces.golden", {})
    return language.sentence(f"pieces.{kind.name.lower()}", {"colour": colour})


def parse_yes_or_no(text: str, language: Language) -> bool | None:
    """Return True for yes and False for no, as a word or its first letters; None if neither.

    English answers are understood too, unless they mean something else in this language.
    """
    answer = fold_letters(text.strip())
    for words in (language, load_language(ENGLISH)):
        for key, meaning in (("yes", True), ("no", False)):
            if answer and fold_letters(words.label(key)).startswith(answer):
                return meaning
    return None


def fold_letters(word: str) -> str:
    """Return a word as people type it in a hurry: lower case, without accents.

    >>> fold_letters("Żółta"), fold_letters("tête"), fold_letters("Grün")
    ('zolta', 'tete', 'grun')
    """
    lowered = unicodedata.normalize("NFKD", word.casefold().translate(_UNDECOMPOSED))
    return "".join(char for char in lowered if not unicodedata.combining(char))


@dataclass(frozen=True, slots=True)
class PieceWord:
    """A word that may stand in a Cóatl: a colour, or "head", "tail", "body" or "skip"."""

    spelling: str
    meaning: Colour | str


@lru_cache(maxsize=1)
def piece_words() -> Mapping[str, PieceWord]:
    """Return every piece word of all languages, by its folded form."""
    known: dict[str, PieceWord] = {}
    for language in load_languages():
        for colour, colour_forms in language.colours.items():
            known |= {fold_letters(word): PieceWord(word, colour) for word in colour_forms.values()}
        for role in ("head", "tail", "body", "skip"):
            known |= {fold_letters(word): PieceWord(word, role) for word in language.words[role]}
    return known
