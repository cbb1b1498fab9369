"""The words of commands in every language: their meaning, events as commands, completion.

>>> from coatl_tools.rules.events import AttachPiece
>>> event = AttachPiece("B", 1, "tail")
>>> format_command(event, "en"), format_command(event, "fr")
('add B to 1 tail', 'ajouter B à 1 côté queue')
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from coatl_tools.errors import CommandError, Phrase
from coatl_tools.language import fold_letters, load_language, load_languages
from coatl_tools.rules import events
from coatl_tools.rules.events import FROM_HAND, UNKNOWN_CARD, Event, Reveal

# What happens in the game.
ACTION_COMMANDS = (
    *("keep", "take", "cards", "draw", "begin", "add", "play", "temple", "complete", "pick"),
    *("future", "discard", "priest", "golden", "pass", "end", "reveal", "adam"),
)
# What happens to the table's journal.
REPAIR_COMMANDS = ("undo", "correct")
# What is only looked at.
QUERY_COMMANDS = ("help", "show", "log", "score", "advise", "why", "card", "menu", "quit")
ALL_COMMANDS = (*ACTION_COMMANDS, *REPAIR_COMMANDS, *QUERY_COMMANDS)
KEYWORDS = ("deck", "pile", "all", "none", "space", "copy", "to", "coatl", "skip")
# The commands of command forms that are not named like them.
COMMAND_OF_FORM = {
    "choose": "cards",
    "choose_copy": "cards",
    "keep_none": "keep",
    "discard_none": "discard",
    "temple_pile": "temple",
}
# The kinds of decisions, in the order in which a menu lists them.
COMMAND_OF_EVENT: dict[type, str] = {
    events.AdamTurn: "adam",
    events.Keep: "keep",
    events.Discard: "discard",
    events.PlaceProphecy: "play",
    events.PlaceTemple: "temple",
    events.CompleteCoatl: "complete",
    events.TakePieces: "take",
    events.ChooseCard: "cards",
    events.DrawCard: "draw",
    events.BeginCoatl: "begin",
    events.AttachPiece: "add",
    events.PerfectPick: "pick",
    events.SeeTheFuture: "future",
    events.PriestCommitment: "priest",
    events.LayGolden: "golden",
    events.Pass: "pass",
    events.EndTurn: "end",
    events.Reveal: "reveal",
}
_MIN_PREFIX_LENGTH = 3


@lru_cache(maxsize=8)
def _index_meanings(keys: tuple[str, ...], lang: str) -> Mapping[str, str]:
    """Index what words mean by their plain form: this language's before those of the others."""
    found: dict[str, str] = {}
    for known in dict.fromkeys((load_language(lang), *load_languages())):
        for key in keys:
            for word in known.get_command_words(key):
                found.setdefault(fold_letters(word), key)
    return found


def find_keyword(word: str, lang: str) -> str:
    """Find what a word behind the first one means; empty if it means nothing here."""
    return _index_meanings(KEYWORDS, lang).get(fold_letters(word), "")


def find_command(word: str, lang: str) -> str:
    """Find the command that a word stands for; CommandError, with the nearest one, if none.

    The first three letters of a word of this language are enough, if no other begins with them.
    """
    known, wanted = _index_meanings(ALL_COMMANDS, lang), fold_letters(word)
    if wanted in known:
        return known[wanted]
    if len(wanted) >= _MIN_PREFIX_LENGTH:
        own = {fold_letters(other): key for key, other in _list_command_words(lang)}
        meant = {key for other, key in own.items() if other.startswith(wanted)}
        if len(meant) == 1:
            return meant.pop()
    raise CommandError("commands.unknown", word=word[:30], hint=_suggest_command(wanted, lang))


def get_command_word(key: str, lang: str) -> str:
    """Return the word of this language for a command or keyword."""
    return load_language(lang).get_command_words(key)[0]


def _list_command_words(lang: str) -> Iterable[tuple[str, str]]:
    language = load_language(lang)
    return ((key, word) for key in ALL_COMMANDS for word in language.get_command_words(key))


def _suggest_command(wanted: str, lang: str) -> Phrase:
    words = {fold_letters(word): word for _, word in _list_command_words(lang)}
    close = difflib.get_close_matches(wanted[:30], words, 1, 0.6)
    if close:
        return "commands.did_you_mean", {"word": words[close[0]]}
    return "commands.see_help", {"help": get_command_word("help", lang)}


def format_command(event: Event, lang: str) -> str:
    """Format an event as it is typed; what is drawn is typed bare."""
    language = load_language(lang)
    match event:
        case events.FillSpace(_, pieces):
            return "".join(piece.strip("<>") for piece in pieces)
        case events.Keep(cards):
            if not cards:
                return language.command_form("keep_none")
            return language.command_form("keep", cards=_format_cards(cards))
        case events.Discard(cards):
            if not cards:
                return language.command_form("discard_none")
            return language.command_form("discard", cards=_format_cards(cards))
        case events.ChooseCard(card, 1):
            return language.command_form("choose", card=card)
        case events.ChooseCard(card, copy):
            return language.command_form("choose_copy", card=card, copy=copy)
        case events.AttachPiece(piece, coatl, end):
            return language.command_form(
                "add", piece=piece, coatl=coatl, end=language.command_form(f"{end}_end")
            )
        case events.PlaceTemple(card, coatl, source):
            if source == FROM_HAND:
                return language.command_form("temple", card=card, coatl=coatl)
            return language.command_form("temple_pile", card=card, coatl=coatl, pile=source)
        case events.PerfectPick(pieces):
            return language.command_form("pick", pieces=" ".join(pieces))
        case events.LayGolden(player, pieces):
            return language.command_form("golden", player=player + 1, pieces=" ".join(pieces))
        case events.Reveal(player, card):
            return language.command_form("reveal", player=player + 1, card=card)
        case (
            events.DealTemple(card=card)
            | events.TurnUpTemple(card=card)
            | events.TurnUpProphecy(card=card)
            | events.DealAdam(card=card)
            | events.DealProphecy(card=card)
            | events.DrawnCard(card=card)
        ):
            return card
    values = {name: getattr(event, name) for name in type(event).__slots__}
    return language.command_form(COMMAND_OF_EVENT[type(event)], **values)


def _format_cards(cards: tuple[str, ...]) -> str:
    return str(len(cards)) if set(cards) == {UNKNOWN_CARD} else " ".join(cards)


MAX_COMPLETIONS = 200


def complete_last_word(
    line: str, legal: Iterable[Event], lang: str, repairs: Iterable[str] = REPAIR_COMMANDS
) -> list[str]:
    """List the words that may stand where the line's last word stands, and begin like it."""
    *before, last = line.rsplit(";", 1)[-1].lstrip().split(" ")
    before = [fold_letters(word) for word in before if word]
    if before:
        before[0] = _normalize_first_word(before[0], lang)
    wanted, found = fold_letters(last), dict[str, None]()
    for words in _split_all_commands(legal, lang, (*repairs, *QUERY_COMMANDS)):
        if (
            len(words) > len(before)
            and [fold_letters(word) for word in words[: len(before)]] == before
        ):
            word = words[len(before)]
            if fold_letters(word).startswith(wanted):
                found[word] = None
        if len(found) >= MAX_COMPLETIONS:
            break
    return list(found)


def complete_commands(
    text: str, legal: Iterable[Event], lang: str, repairs: Iterable[str] = REPAIR_COMMANDS
) -> list[str]:
    """List the whole commands that begin like this and change the table."""
    wanted = fold_letters(text)
    found = (" ".join(words) for words in _split_all_commands(legal, lang, repairs))
    return [command for command in found if fold_letters(command).startswith(wanted)][
        :MAX_COMPLETIONS
    ]


def _normalize_first_word(word: str, lang: str) -> str:
    """Return the word that is shown for a command, whichever of its words was typed."""
    try:
        return fold_letters(get_command_word(find_command(word, lang), lang))
    except CommandError:
        return word


def _split_all_commands(
    legal: Iterable[Event], lang: str, always: Iterable[str]
) -> Iterable[list[str]]:
    listed = sorted(legal, key=lambda event: isinstance(event, Reveal))  # last, as they are many
    yield from (format_command(event, lang).split() for event in listed)
    yield from ([get_command_word(key, lang)] for key in always)
