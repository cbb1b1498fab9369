"""The words that people type at a table, in three languages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from coatl_tools.errors import CommandError, Phrase
from coatl_tools.language import load_language, plain
from coatl_tools.resources import CODES

# What happens in the game.
ACTS = (
    *("keep", "take", "cards", "draw", "begin", "add", "play", "temple", "complete", "pick"),
    *("future", "discard", "priest", "golden", "pass", "end", "reveal", "adam"),
)
# What happens to the table's journal.
REPAIRS = ("undo", "correct")
# What is only looked at.
QUESTIONS = ("help", "show", "log", "score", "advise", "why", "card", "menu", "quit")
VERBS = (*ACTS, *REPAIRS, *QUESTIONS)
KEYWORDS = ("deck", "pile", "all", "none", "space", "copy", "to", "coatl", "skip")
_MIN_PREFIX = 3


@lru_cache(maxsize=8)
def _known(keys: tuple[str, ...], language: str) -> Mapping[str, str]:
    """What words mean, by their plain form: this language's before those of the others."""
    found: dict[str, str] = {}
    for code in dict.fromkeys((language, *CODES)):
        for key in keys:
            for word in load_language(code).commands[key]:
                found.setdefault(plain(word), key)
    return found


def keyword(word: str, language: str) -> str:
    """What a word behind the first one means; empty if it means nothing here."""
    return _known(KEYWORDS, language).get(plain(word), "")


def verb(word: str, language: str) -> str:
    """Which command a word begins; CommandError, with the nearest one, if it begins none.

    The first three letters of a word of this language are enough, if no other begins like it.
    """
    known, wanted = _known(VERBS, language), plain(word)
    if wanted in known:
        return known[wanted]
    if len(wanted) >= _MIN_PREFIX:
        own = {plain(other): key for key, other in _own_words(language)}
        meant = {key for other, key in own.items() if other.startswith(wanted)}
        if len(meant) == 1:
            return meant.pop()
    raise CommandError("commands.unknown", word=word[:30], hint=_hint(wanted, language))


def shown(key: str, language: str) -> str:
    """The word of this language for a command or keyword."""
    return load_language(language).commands[key][0]


def _own_words(language: str) -> Iterable[tuple[str, str]]:
    commands = load_language(language).commands
    return ((key, word) for key in VERBS for word in commands[key])


def _hint(wanted: str, language: str) -> Phrase:
    words = {plain(word): word for _, word in _own_words(language)}
    close = difflib.get_close_matches(wanted[:30], words, 1, 0.6)
    if close:
        return "commands.did_you_mean", {"word": words[close[0]]}
    return "commands.see_help", {"help": shown("help", language)}
