"""Parts of a position as people write them: pieces, spaces, cards, Cóatls with their cards.

>>> parse_pieces("rg <b y>"), parse_spaces("RG - BB")
(('R', 'G', '<B', 'Y>'), (('R', 'G'), (), ('B', 'B')))
"""

from __future__ import annotations

import contextlib
import re
import unicodedata

from coatl_tools.cards.card import CardKind
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CommandError, PositionError
from coatl_tools.language import Language, parse_yes_or_no
from coatl_tools.notation import parse_coatl
from coatl_tools.referee.commands.vocabulary import find_command
from coatl_tools.rules.constants import TOKENS, Pieces
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.position.position_checks import split_pieces
from coatl_tools.rules.state import Built, Wanted

MAX_HIDDEN_CARDS = 200  # cards that are only counted
MAX_POSITION_TEXT = 10_000  # characters
NOTHING_SIGNS = ("", "-", "–", "—")
_PIECE_LETTERS = re.compile(r"(?:<?[RGBYKF]>?)+")
_PIECE_PATTERN = re.compile(r"<?[RGBYKF]>?")
_QUOTES_TO_ANGLES = str.maketrans("‹«›»", "<<>>")
_COLOUR_LETTERS = frozenset("RGBYK")
_ITEM_PATTERN = re.compile(r"[^\s,;]+")

_TOKEN_OF_COMMAND = dict(zip(("pick", "future", "priest"), TOKENS, strict=True))


def parse_pieces(text: str) -> Pieces:
    """Parse pieces in any order: `RG`, `R G`, `<R B>`, or in words, `red, blue head`; `-` is none.

    Raises NotationError for what is no piece.
    """
    text = _normalize_text(text)
    if text in NOTHING_SIGNS:
        return ()
    letters = re.sub(r"[\s,;]", "", text.translate(_QUOTES_TO_ANGLES).upper())
    if _PIECE_LETTERS.fullmatch(letters):
        found = tuple(_PIECE_PATTERN.findall(letters))
        for piece in found:
            if piece[0] + piece[-1] == "<>":
                parse_coatl(piece)  # it raises an error that says what is wrong
        return found
    clauses = [clause for clause in re.split("[,;]", text) if clause.strip()]
    return tuple(piece for clause in clauses for piece in split_pieces(str(parse_coatl(clause))))


def parse_spaces(text: str) -> tuple[Pieces, ...]:
    """Parse the spaces of the Supply board, a word each: `RG BB - YK`; `-` is empty."""
    text = _normalize_text(text)
    words = re.split("[,;]", text) if re.search("[,;]", text) else text.split()
    return tuple(map(parse_pieces, words))


def parse_card_ids(text: str, catalog: Catalog) -> tuple[str, ...]:
    """Parse the ids of cards, `?` for a hidden one; a number alone is so many hidden ones."""
    text = _normalize_text(text)
    if text in NOTHING_SIGNS:
        return ()
    if text.isascii() and text.isdigit():
        number = int(text[:6])
        if number > MAX_HIDDEN_CARDS:
            raise PositionError("written.cards", text=text, most=MAX_HIDDEN_CARDS)
        return (UNKNOWN_CARD,) * number
    return tuple(_parse_card_id(word, catalog) for word in _ITEM_PATTERN.findall(text))


def _parse_card_id(word: str, catalog: Catalog) -> str:
    return UNKNOWN_CARD if word == UNKNOWN_CARD else catalog[word].id


def parse_coatl_line(text: str, catalog: Catalog) -> Built:
    """Parse a Cóatl and the cards beside it, in a line: `<RBBYG> P29 T03`."""
    text = _normalize_text(text)
    for word in _ITEM_PATTERN.finditer(text):
        if is_card_word(word[0], catalog):
            return build_coatl(text[: word.start()].rstrip(" ,;"), text[word.start() :], catalog)
    return build_coatl(text, "", catalog)


def is_card_word(word: str, catalog: Catalog) -> bool:
    """Tell whether a word of a Cóatl's line is a card rather than colours."""
    if any(char.isdigit() for char in word):
        return True
    known = {card.id for card in catalog}
    return word.upper() in known and not set(word.upper()) <= _COLOUR_LETTERS


def build_coatl(text: str, cards: str, catalog: Catalog) -> Built:
    """Build a Cóatl with these cards beside it."""
    shape = parse_coatl(text)
    beside = [catalog[word] for word in _ITEM_PATTERN.findall(_normalize_text(cards))]
    temples = [card.id for card in beside if card.kind is CardKind.TEMPLE]
    if len(temples) > 1:
        raise PositionError("written.temples", "3.11", n=len(temples), cards=", ".join(temples))
    prophecies = tuple(card.id for card in beside if card.kind is CardKind.PROPHECY)
    return Built(str(shape), prophecies, "".join(temples), shape.complete)


def parse_number(text: str) -> int:
    """Parse a small number; `-` or nothing is 0. PositionError if it is none."""
    text = _normalize_text(text)
    if text in NOTHING_SIGNS:
        return 0
    if not (text.isascii() and text.isdigit()) or int(text[:6]) > MAX_HIDDEN_CARDS:
        raise PositionError("written.number", text=text, most=MAX_HIDDEN_CARDS)
    return int(text)


def parse_yes_no(text: str, language: Language) -> bool:
    """Parse yes or no, as a word or its first letter; PositionError if it is neither."""
    answer = parse_yes_or_no(_normalize_text(text), language)
    if answer is None:
        yes, no = language.label("yes"), language.label("no")
        raise PositionError("written.yes_no", text=text, yes=yes, no=no)
    return answer


def parse_player_names(text: str) -> tuple[str, ...]:
    """Parse names of players, with commas between them."""
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def parse_token(word: str) -> str:
    """Parse a Sacrifice token by its name, a part of it, or a word that is typed to use it."""
    plain = re.sub(r"[\s_-]+", "_", _normalize_text(word).lower())
    found = [token for token in TOKENS if len(plain) > 2 and plain in token]
    if len(found) == 1:
        return found[0]
    with contextlib.suppress(CommandError):
        return _TOKEN_OF_COMMAND.get(find_command(word, "en"), plain)
    return plain


def parse_tokens(text: str) -> tuple[str, ...]:
    """Parse the tokens that are left: `pick future`, all of them if nothing is typed, `-` none."""
    if not text:
        return TOKENS
    words = () if text in NOTHING_SIGNS else text.replace(",", " ").split()
    return tuple(map(parse_token, words))


def parse_piles(text: str, catalog: Catalog) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """Parse the top cards of both piles, each maybe with the number below it: `T03 5 T11 4`."""
    tops: list[str] = []
    below: list[int | None] = []
    for word in text.replace(",", " ").split():
        if word.isascii() and word.isdigit() and tops:
            below[-1] = parse_number(word)
        else:
            tops.append("" if word in NOTHING_SIGNS else catalog[word].id)
            below.append(None)
    if len(tops) != 2:
        raise PositionError("written.piles", n=len(tops))
    return tuple(tops), tuple(below)


def parse_adam_card(text: str, catalog: Catalog) -> Wanted:
    """Parse a card of A.D.A.M.'s row and the pieces on it, in a line: `P11 Y<Y`."""
    card, _, pieces = _normalize_text(text).partition(" ")
    return Wanted(catalog[card.rstrip(":")].id, parse_pieces(pieces))


def _normalize_text(text: str) -> str:
    """Normalize and strip a text; PositionError if it is too long."""
    if len(text) > MAX_POSITION_TEXT:
        raise PositionError("events.long", most=MAX_POSITION_TEXT)
    return unicodedata.normalize("NFKC", text).replace("\ufeff", "").strip()
