"""One typed command: its words, each with its kind, and the state that it is typed at."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from coatl_tools.errors import CommandError
from coatl_tools.language import fold_letters, piece_words
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour
from coatl_tools.referee.commands.vocabulary import (
    REPAIR_COMMANDS,
    find_keyword,
    format_command,
    get_command_word,
)
from coatl_tools.rules import events
from coatl_tools.rules.constants import COLOURS, FEATHER, Piece
from coatl_tools.rules.events import UNKNOWN_CARD, Event
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import CLOSING, GameState, Player

NUMBER, CARD, LETTERS, COLOUR, END, KEYWORD, UNKNOWN_WORD = (
    *("number", "card", "letters", "colour", "end", "word", "strange"),
)
PIECE_WORD_KINDS = (LETTERS, COLOUR, END)
_LETTERS_PATTERN = re.compile(rf"[<‹«]?[{COLOURS}{FEATHER}]*[>›»]?", re.IGNORECASE)
_SYMBOLS = "".join(colour.symbol for colour in Colour)
_SYMBOL_AND_LETTER = re.compile(rf"([{_SYMBOLS}])[{COLOURS}]?")
_PIECE_PATTERN = re.compile(rf"<?[{COLOURS}{FEATHER}]>?")
_QUOTES_TO_ANGLES = str.maketrans("‹«›»", "<<>>")
_NUMBER_RANGE = re.compile(r"(\d{1,2})[-–](\d{1,2})")
_SEPARATORS_TO_SPACES = str.maketrans(",:=+", "    ")
_MAX_DIGITS = 3


@dataclass(frozen=True, slots=True)
class TypedWord:
    """A word as it was typed, its kind, and what it means: a card's id, a keyword, an end."""

    text: str
    kind: str
    value: str = ""

    @property
    def number(self) -> int:
        """The number that it is."""
        return int(self.text)


def classify_words(text: str, game: Game, lang: str) -> list[TypedWord]:
    """Classify the words of a command, without those that mean nothing."""
    found = []
    for word in unicodedata.normalize("NFKC", text).translate(_SEPARATORS_TO_SPACES).split():
        found += [_classify_word(part, game, lang) for part in _split_word(word, game)]
    return [token for token in found if token.value != "skip"]


def _split_word(word: str, game: Game) -> list[str]:
    """Split `tail-end` into its words and `2-4` into its numbers; other words stay whole."""
    numbers = _NUMBER_RANGE.fullmatch(word)
    if numbers:
        first, last = map(int, numbers.groups())
        return [str(number) for number in range(first, last + 1)] or [word]
    parts = word.split("-")
    if all(map(str.isalpha, parts)) and fold_letters(word) not in _index_plain_ids(
        tuple(game.by_id)
    ):
        return parts
    return [word]


@lru_cache(maxsize=8)
def _index_plain_ids(cards: tuple[str, ...]) -> dict[str, str]:
    return {fold_letters(card): card for card in cards}


def _classify_word(word: str, game: Game, lang: str) -> TypedWord:
    if word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS:
        return TypedWord(word, NUMBER)
    if word == UNKNOWN_CARD:
        return TypedWord(word, CARD, UNKNOWN_CARD)
    card = _index_plain_ids(tuple(game.by_id)).get(fold_letters(word))
    if card:
        return TypedWord(word, CARD, card)
    if _LETTERS_PATTERN.fullmatch(word) or word[0] in _SYMBOLS:
        return TypedWord(word, LETTERS)
    known = piece_words().get(fold_letters(word))
    if known and isinstance(known.meaning, Colour):
        return TypedWord(word, COLOUR, known.meaning.name)
    if known and known.meaning in ("head", "tail"):
        return TypedWord(word, END, str(known.meaning))
    meaning = find_keyword(word, lang)
    if meaning:
        return TypedWord(word, KEYWORD, meaning)
    if known:  # “body”, “segment”: what a piece is if nothing else is said
        return TypedWord(word, KEYWORD, "skip")
    return TypedWord(word, UNKNOWN_WORD)


def parse_typed_pieces(tokens: Iterable[TypedWord]) -> tuple[Piece, ...]:
    """Parse the pieces that these words name, from head to tail; NotationError if they do not."""
    tokens = list(tokens)
    if any(token.kind == LETTERS and FEATHER in token.text.upper() for token in tokens):
        return parse_drawn_pieces(tokens)
    coatl = parse_coatl(" ".join(token.text for token in tokens))
    pieces = [colour.name for colour in coatl.colours]
    if coatl.head:
        pieces[0] = f"<{pieces[0]}"
    if coatl.tail:
        pieces[-1] += ">"
    return tuple(pieces)


def parse_drawn_pieces(tokens: Iterable[TypedWord]) -> tuple[Piece, ...]:
    """Parse drawn pieces one by one: a bare colour, or a head or tail where that is said."""
    found: list[Piece] = []
    # the end named for the next piece (“head red”); was the last word a colour (“red head”)?
    ahead, after_word = "", False
    for token in tokens:
        if token.kind == END and after_word and len(found[-1]) == 1:
            found[-1] = _make_end_piece(found[-1], token.value)
        elif token.kind == END:
            ahead = token.value
        elif token.kind in (COLOUR, LETTERS):
            pieces = [token.value] if token.kind == COLOUR else _parse_letters(token.text)
            if pieces and ahead:
                pieces[0], ahead = _make_end_piece(pieces[0], ahead), ""
            found += pieces
        after_word = token.kind == COLOUR
    return tuple(found)


def _make_end_piece(colour: str, end: str) -> Piece:
    return f"<{colour.strip('<>')}" if end == "head" else f"{colour.strip('<>')}>"


def _parse_letters(text: str) -> list[Piece]:
    """Parse the pieces of `<RG`, or of `▲R ●G` as the screens show it."""
    letters = _SYMBOL_AND_LETTER.sub(_get_symbol_letter, text.upper().translate(_QUOTES_TO_ANGLES))
    return _PIECE_PATTERN.findall(letters)


def _get_symbol_letter(shown: re.Match[str]) -> str:
    return COLOURS[_SYMBOLS.index(shown[1])]


_DRAW_ANSWER_EXAMPLE = "RG BB YK"
_REPAIR_EXAMPLES = {"undo": "2", "correct": "41 RG"}
_EXAMPLE_EVENTS: dict[str, Event] = {
    "keep": events.Keep(("P01", "P16")),
    "take": events.TakePieces(3),
    "cards": events.ChooseCard("P05"),
    "draw": events.DrawCard(),
    "begin": events.BeginCoatl("<R"),
    "add": events.AttachPiece("B", 1, "tail"),
    "play": events.PlaceProphecy("P29", 1),
    "temple": events.PlaceTemple("T03", 1),
    "complete": events.CompleteCoatl(),
    "pick": events.PerfectPick(("B", "R")),
    "future": events.SeeTheFuture(),
    "discard": events.Discard(("P01",)),
    "priest": events.PriestCommitment(1),
    "golden": events.LayGolden(1, ("B", "R")),
    "pass": events.Pass(),
    "end": events.EndTurn(),
    "reveal": events.Reveal(1, "P05"),
    "adam": events.AdamTurn(),
}


class CommandContext:
    """A command's words behind its first one, which `key` stands for, and the state it meets.

    `spoken_of` is the Cóatl that was named last, 0 for none.
    """

    def __init__(
        self, key: str, text: str, words: str, state: GameState, lang: str, spoken_of: int = 0
    ) -> None:
        self.key, self.text, self.state, self.lang = key, text, state, lang
        self.raw_words = words.split()
        self.typed_words: list[TypedWord] = classify_words(words, state.game, lang)
        self.last_coatl = spoken_of

    def classify_rest(self, number: int) -> list[TypedWord]:
        """Classify the words behind the first `number` typed words."""
        return classify_words(" ".join(self.raw_words[number:]), self.state.game, self.lang)

    def words_of_kind(self, *kinds: str) -> list[TypedWord]:
        """Return the words of these kinds."""
        return [token for token in self.typed_words if token.kind in kinds]

    def reject_other_kinds(self, *kinds: str) -> None:
        """Raise CommandError for a word of any other kind."""
        for token in self.typed_words:
            if token.kind not in kinds:
                raise self.make_error("commands.word", word=token.text[:40])

    def get_single_number(self) -> int:
        """Return the only number of the command; CommandError if there is not exactly one."""
        numbers = self.words_of_kind(NUMBER)
        if len(numbers) != 1:
            raise self.make_error("commands.shape")
        return numbers[0].number

    def parse_pieces(self, tokens: list[TypedWord]) -> tuple[Piece, ...]:
        """Parse the pieces that these words name."""
        if not tokens:
            raise CommandError("commands.no_pieces", example=self.format_example())
        return parse_typed_pieces(tokens)

    def get_player(self) -> Player:
        """Return the player who decides."""
        players = self.state.players
        return players[self.state.current_player if self.state.current_player < len(players) else 0]

    def list_open_coatls(self) -> list[int]:
        """List the numbers of the incomplete Cóatls."""
        coatls = self.get_player().coatls
        return [number for number, coatl in enumerate(coatls, start=1) if not coatl.complete]

    def infer_coatl(self, among: list[int], event: Event | None = None) -> int:
        """Infer which Cóatl is meant where no number is given; CommandError if it is unclear."""
        if self.state.stage is CLOSING:
            return self.state.closing
        if len(among) == 1:
            return among[0]
        if self.last_coatl in among:
            return self.last_coatl
        if not among:
            return len(self.get_player().coatls) + 1  # there is none: the rules will refuse it
        example = format_command(event, self.lang) if event else self.format_example()
        raise CommandError("commands.which_coatl", example=example)

    def format_example(self) -> str:
        """Format an example of the command; empty if there is none."""
        return (
            format_command(_EXAMPLE_EVENTS[self.key], self.lang)
            if self.key in _EXAMPLE_EVENTS
            else ""
        )

    def make_error(self, key: str, **details: object) -> CommandError:
        """Make the error for words that make no sense."""
        example = self.format_example() or _DRAW_ANSWER_EXAMPLE
        if self.key in REPAIR_COMMANDS:
            example = f"{get_command_word(self.key, self.lang)} {_REPAIR_EXAMPLES[self.key]}"
        return CommandError(key, text=self.text[:60], example=example, **details)
