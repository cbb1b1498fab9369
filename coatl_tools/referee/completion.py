"""What a half-typed line may go on with: the words of commands that are legal now."""

from __future__ import annotations

from collections.abc import Iterable

from coatl_tools.errors import CommandError
from coatl_tools.language import plain
from coatl_tools.referee.spelling import spelled
from coatl_tools.referee.vocabulary import QUESTIONS, REPAIRS, shown, verb
from coatl_tools.rules.events import Event, Reveal

MOST = 200


def completions(
    line: str, legal: Iterable[Event], language: str, repairs: Iterable[str] = REPAIRS
) -> list[str]:
    """The words that may stand where the line's last word stands."""
    *before, last = line.rsplit(";", 1)[-1].lstrip().split(" ")
    before = [plain(word) for word in before if word]
    if before:
        before[0] = _first(before[0], language)
    wanted, found = plain(last), dict[str, None]()
    for words in _commands(legal, language, (*repairs, *QUESTIONS)):
        if len(words) > len(before) and [plain(word) for word in words[: len(before)]] == before:
            word = words[len(before)]
            if plain(word).startswith(wanted):
                found[word] = None
        if len(found) >= MOST:
            break
    return list(found)


def commands(
    text: str, legal: Iterable[Event], language: str, repairs: Iterable[str] = REPAIRS
) -> list[str]:
    """The whole commands that begin like this and change the table."""
    wanted = plain(text)
    found = (" ".join(words) for words in _commands(legal, language, repairs))
    return [command for command in found if plain(command).startswith(wanted)][:MOST]


def _first(word: str, language: str) -> str:
    """The word that is shown for a command, whichever was typed."""
    try:
        return plain(shown(verb(word, language), language))
    except CommandError:
        return word


def _commands(legal: Iterable[Event], language: str, always: Iterable[str]) -> Iterable[list[str]]:
    listed = sorted(legal, key=lambda event: isinstance(event, Reveal))  # these are many
    yield from (spelled(event, language).split() for event in listed)
    yield from ([shown(key, language)] for key in always)
