"""What people write about a table: pieces, spaces, cards, Cóatls with the cards beside them.

>>> read_pieces("rg <b y>"), read_spaces("RG - BB")
(('R', 'G', '<B', 'Y>'), (('R', 'G'), (), ('B', 'B')))
"""

from __future__ import annotations

import contextlib
import re
import unicodedata

from coatl_tools.cards.card import CardKind
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CommandError, PositionError
from coatl_tools.language import Language, means_yes
from coatl_tools.notation import parse
from coatl_tools.referee.vocabulary import verb
from coatl_tools.rules.box import TOKENS, Pieces
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.possible import pieces_of
from coatl_tools.rules.state import Built, Wanted

MAX_HIDDEN = 200  # cards that are only counted
MAX_WRITTEN = 10_000  # characters
NOTHING = ("", "-", "–", "—")
_LETTERS = re.compile(r"(?:<?[RGBYKF]>?)+")
_PIECE = re.compile(r"<?[RGBYKF]>?")
_SIGNS = str.maketrans("‹«›»", "<<>>")
_COLOURS = frozenset("RGBYK")
_WORD = re.compile(r"[^\s,;]+")

_TOKENS = dict(zip(("pick", "future", "priest"), TOKENS, strict=True))


def read_pieces(text: str) -> Pieces:
    """Pieces in any order: `RG`, `R G`, `<R B>`, or in words, `red, blue head`; `-` is none.

    Raises NotationError for what is no piece.
    """
    text = _checked(text)
    if text in NOTHING:
        return ()
    letters = re.sub(r"[\s,;]", "", text.translate(_SIGNS).upper())
    if _LETTERS.fullmatch(letters):
        found = tuple(_PIECE.findall(letters))
        for piece in found:
            if piece[0] + piece[-1] == "<>":
                parse(piece)  # it says what is wrong with it
        return found
    clauses = [clause for clause in re.split("[,;]", text) if clause.strip()]
    return tuple(piece for clause in clauses for piece in pieces_of(str(parse(clause))))


def read_spaces(text: str) -> tuple[Pieces, ...]:
    """Spaces of the Supply board from space 1 on, a word each: `RG BB - YK`; `-` is empty."""
    text = _checked(text)
    words = re.split("[,;]", text) if re.search("[,;]", text) else text.split()
    return tuple(map(read_pieces, words))


def read_cards(text: str, catalog: Catalog) -> tuple[str, ...]:
    """The ids of cards, `?` for a hidden one; a number alone is so many hidden ones."""
    text = _checked(text)
    if text in NOTHING:
        return ()
    if text.isascii() and text.isdigit():
        number = int(text[:6])
        if number > MAX_HIDDEN:
            raise PositionError("written.cards", text=text, most=MAX_HIDDEN)
        return (UNKNOWN,) * number
    return tuple(_card(word, catalog) for word in _WORD.findall(text))


def _card(word: str, catalog: Catalog) -> str:
    return UNKNOWN if word == UNKNOWN else catalog[word].id


def read_coatl(text: str, catalog: Catalog) -> Built:
    """A Cóatl and the cards beside it, in a line: `<RBBYG> P29 T03`."""
    text = _checked(text)
    for word in _WORD.finditer(text):
        if is_card(word[0], catalog):
            return coatl_with(text[: word.start()].rstrip(" ,;"), text[word.start() :], catalog)
    return coatl_with(text, "", catalog)


def is_card(word: str, catalog: Catalog) -> bool:
    """Whether a word of a Cóatl's line is rather a card than colours."""
    if any(char.isdigit() for char in word):
        return True
    known = {card.id for card in catalog}
    return word.upper() in known and not set(word.upper()) <= _COLOURS


def coatl_with(text: str, cards: str, catalog: Catalog) -> Built:
    """A Cóatl with these cards beside it."""
    shape = parse(text)
    beside = [catalog[word] for word in _WORD.findall(_checked(cards))]
    temples = [card.id for card in beside if card.kind is CardKind.TEMPLE]
    if len(temples) > 1:
        raise PositionError("written.temples", "3.11", n=len(temples), cards=", ".join(temples))
    prophecies = tuple(card.id for card in beside if card.kind is CardKind.PROPHECY)
    return Built(str(shape), prophecies, "".join(temples), shape.complete)


def read_number(text: str) -> int:
    """A small number; nothing is 0."""
    text = _checked(text)
    if text in NOTHING:
        return 0
    if not (text.isascii() and text.isdigit()) or int(text[:6]) > MAX_HIDDEN:
        raise PositionError("written.number", text=text, most=MAX_HIDDEN)
    return int(text)


def read_yes(text: str, language: Language) -> bool:
    """Yes or no, in this language or by the first letter."""
    answer = means_yes(_checked(text), language)
    if answer is None:
        yes, no = language.label("yes"), language.label("no")
        raise PositionError("written.yes_no", text=text, yes=yes, no=no)
    return answer


def read_names(text: str) -> tuple[str, ...]:
    """Names of players, with commas between them."""
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def read_token(word: str) -> str:
    """A Sacrifice token by its name, a part of it, or a word that is typed to use it."""
    plain = re.sub(r"[\s_-]+", "_", _checked(word).lower())
    found = [token for token in TOKENS if len(plain) > 2 and plain in token]
    if len(found) == 1:
        return found[0]
    with contextlib.suppress(CommandError):
        return _TOKENS.get(verb(word, "en"), plain)
    return plain


def read_wanted(text: str, catalog: Catalog) -> Wanted:
    """A card of A.D.A.M.'s row and the pieces on it, in a line: `P11 Y<Y`."""
    card, _, pieces = _checked(text).partition(" ")
    return Wanted(catalog[card.rstrip(":")].id, read_pieces(pieces))


def _checked(text: str) -> str:
    """A text of reasonable length, plain and stripped."""
    if len(text) > MAX_WRITTEN:
        raise PositionError("events.long", most=MAX_WRITTEN)
    return unicodedata.normalize("NFKC", text).replace("\ufeff", "").strip()
