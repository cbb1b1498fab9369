"""The three languages: words of the game, sentences and labels, with their grammar as data.

A template of `carddata/lang/*.json` holds places such as `{n}` and `{colour:many}`; the part
behind the colon chooses a form of the colour's word. A template that depends on a number is
an object with one template for each plural form of the language.
"""

from __future__ import annotations

import json
import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from coatl_tools.errors import CommandLineError
from coatl_tools.pieces import Colour
from coatl_tools.resources import CODES, LANGUAGES

Text = str | dict[str, str]
_TWO_STOPS = re.compile(r"(?<=\w)\.\.(?![\w./])")  # “A.D.A.M..”, but no path, no ellipsis
COLOUR_PLACES = ("colour", "first", "second", "before", "after")  # of a template; they have forms


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


PLURALS: Mapping[str, tuple[tuple[str, ...], Callable[[int], str]]] = {
    "one-other": (("one", "other"), lambda n: "one" if n == 1 else "other"),
    "zero-and-one-other": (("one", "other"), lambda n: "one" if n < 2 else "other"),
    "one-few-many": (("one", "few", "many"), _polish),
}


class ColourWord:
    """A colour inside a template: `{colour}` is its name, `{colour:few}` another form."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = forms

    def __format__(self, form: str) -> str:
        return self._forms[form or "name"]


class Language:
    """One language, ready to speak."""

    def __init__(self, file: Mapping[str, Any]) -> None:
        self.code: str = file["language"]
        self.words: Mapping[str, list[str]] = file["words"]
        self.commands: Mapping[str, list[str]] = file["commands"]
        self.colours: Mapping[Colour, Mapping[str, str]] = {
            Colour[letter]: forms for letter, forms in file["colours"].items()
        }
        self._plural = PLURALS[file["plural"]][1]
        self._cards: Mapping[str, Text] = file["cards"]
        self._labels: Mapping[str, Text] = file["labels"]
        self._sentences: Mapping[str, Text] = file["sentences"]
        self._forms: Mapping[str, str] = file["forms"]
        self._options: Mapping[str, str] = file["options"]
        self._rulings: Mapping[str, str] = file["rulings"]

    def card(self, key: str, n: int | None = None, **values: object) -> str:
        """A phrase of a card's text."""
        return self._render(self._cards[key], n, values)

    def label(self, key: str, n: int | None = None, **values: object) -> str:
        """A label or short sentence of the screens."""
        return self._render(self._labels[key], n, values)

    def form(self, key: str, **values: object) -> str:
        """A command, as it is typed."""
        return self._forms[key].format(**values)

    def option(self, name: str) -> str:
        """What an option of a table decides."""
        return self._options[name]

    def ruling(self, number: str) -> str:
        """A ruling that is the same at every table."""
        return self._rulings[number]

    def sentence(self, key: str, details: Mapping[str, object]) -> str:
        """A message or a part of one; a detail may be a phrase itself, a list of them, or lines."""
        spoken = {name: self._detail(value) for name, value in details.items()}
        n = spoken.pop("n", None)
        return self._render(self._sentences[key], n if isinstance(n, int) else None, spoken)

    def _detail(self, value: object) -> object:
        match value:
            case (str(key), dict(details)):
                return self.sentence(key, details)
            case list(phrases):
                return ", ".join(str(self._detail(phrase)) for phrase in phrases)
            case tuple(lines):
                return "\n".join(map(str, lines))
            case _:
                return value

    def _render(self, text: Text, n: int | None, values: Mapping[str, object]) -> str:
        template = text if isinstance(text, str) else text[self._plural(n or 0)]
        words = {
            name: ColourWord(self.colours[value]) if isinstance(value, Colour) else value
            for name, value in values.items()
        }
        said = template.format(n=n, **words)
        return _TWO_STOPS.sub(".", said) if ".." in said else said


@lru_cache(maxsize=8)
def load_language(code: str) -> Language:
    """A language by its code; raises CommandLineError if there is none such."""
    if code not in CODES:
        raise CommandLineError("language.unknown", code=code, codes=", ".join(CODES))
    # part of the program, checked by `coatl cards validate` and the tests: nobody waits for it here
    return Language(json.loads((LANGUAGES / f"{code}.json").read_bytes()))


def own_names() -> list[tuple[str, str]]:
    """The languages, each with the name that it has for itself.

    >>> own_names()
    [('en', 'English'), ('fr', 'Français'), ('pl', 'Polski')]
    """
    return [(code, load_language(code).label("print_language").capitalize()) for code in CODES]


def places(template: str) -> Iterator[tuple[str, str]]:
    """The places of a template as (name, form); raises ValueError if it is malformed."""
    for _, name, form, _ in string.Formatter().parse(template):
        if name is not None:
            yield name, form or ""


def means_yes(text: str, language: Language) -> bool | None:
    """Whether an answer is yes or no, as a word or its first letter; None if it is neither.

    English ones are understood too, where they do not mean something else.
    """
    answer = plain(text.strip())
    for words in (language, load_language("en")):
        for key, meaning in (("yes", True), ("no", False)):
            if answer and plain(words.label(key)).startswith(answer):
                return meaning
    return None


def plain(word: str) -> str:
    """A word as people type it in a hurry: lower case, without accents.

    >>> plain("Żółta"), plain("tête")
    ('zolta', 'tete')
    """
    lowered = unicodedata.normalize("NFKD", word.casefold().replace("ł", "l"))
    return "".join(char for char in lowered if not unicodedata.combining(char))


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may stand in a Cóatl: a colour, or "head", "tail", "body" or "skip"."""

    spelling: str
    meaning: Colour | str


@lru_cache(maxsize=1)
def vocabulary() -> Mapping[str, Word]:
    """Every such word of all languages, by its plain form."""
    known: dict[str, Word] = {}
    for code in CODES:
        language = load_language(code)
        for colour, forms in language.colours.items():
            known |= {plain(word): Word(word, colour) for word in forms.values()}
        for role in ("head", "tail", "body", "skip"):
            known |= {plain(word): Word(word, role) for word in language.words[role]}
    return known
