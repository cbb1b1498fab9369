"""One typed command: its words, and the moment that it is typed at."""

from __future__ import annotations

from coatl_tools.errors import CommandError
from coatl_tools.referee.spelling import spelled
from coatl_tools.referee.tokens import NUMBER, Token, pieces_of, tokens_of
from coatl_tools.referee.vocabulary import REPAIRS, shown
from coatl_tools.rules import events
from coatl_tools.rules.box import Piece
from coatl_tools.rules.events import Event
from coatl_tools.rules.state import CLOSING, Player, State

_ANSWER_EXAMPLE = "RG BB YK"
_REPAIR_EXAMPLES = {"undo": "2", "correct": "41 RG"}
_EXAMPLES: dict[str, Event] = {
    "keep": events.Keep(("P01", "P16")),
    "take": events.TakePieces(3),
    "cards": events.ChooseCard("P05"),
    "draw": events.DrawCard(),
    "begin": events.Begin("<R"),
    "add": events.Attach("B", 1, "tail"),
    "play": events.PlaceProphecy("P29", 1),
    "temple": events.PlaceTemple("T03", 1),
    "complete": events.Complete(),
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


class Said:
    """A command's words behind its first one, which `key` stands for, and the state it meets.

    `spoken_of` is the Cóatl that was named last, 0 for none.
    """

    def __init__(
        self, key: str, text: str, words: str, state: State, language: str, spoken_of: int = 0
    ) -> None:
        self.key, self.text, self.state, self.language = key, text, state, language
        self.words = words.split()
        self.tokens: list[Token] = tokens_of(words, state.game, language)
        self.spoken_of = spoken_of

    def behind(self, number: int) -> list[Token]:
        """The words behind the first ones, of which so many were typed."""
        return tokens_of(" ".join(self.words[number:]), self.state.game, self.language)

    def of(self, *kinds: str) -> list[Token]:
        """The words of these kinds."""
        return [token for token in self.tokens if token.kind in kinds]

    def only(self, *kinds: str) -> None:
        """Raise CommandError for a word of any other kind."""
        for token in self.tokens:
            if token.kind not in kinds:
                raise self.wrong("commands.word", word=token.text[:40])

    def one_number(self) -> int:
        """The only number that is said."""
        numbers = self.of(NUMBER)
        if len(numbers) != 1:
            raise self.wrong("commands.shape")
        return numbers[0].number

    def pieces(self, tokens: list[Token]) -> tuple[Piece, ...]:
        """The pieces that these words name."""
        if not tokens:
            raise CommandError("commands.no_pieces", example=self.example())
        return pieces_of(tokens)

    def player(self) -> Player:
        """The player who decides."""
        players = self.state.players
        return players[self.state.turn if self.state.turn < len(players) else 0]

    def open_coatls(self) -> list[int]:
        """The numbers of the incomplete Cóatls."""
        coatls = self.player().coatls
        return [number for number, coatl in enumerate(coatls, start=1) if not coatl.complete]

    def which_coatl(self, among: list[int], event: Event | None = None) -> int:
        """The Cóatl that is meant though no number is said; CommandError if that is not clear."""
        if self.state.stage is CLOSING:
            return self.state.closing
        if len(among) == 1:
            return among[0]
        if self.spoken_of in among:
            return self.spoken_of
        if not among:
            return len(self.player().coatls) + 1  # there is none: the rules say so
        example = spelled(event, self.language) if event else self.example()
        raise CommandError("commands.which_coatl", example=example)

    def example(self) -> str:
        """How the command is written."""
        return spelled(_EXAMPLES[self.key], self.language) if self.key in _EXAMPLES else ""

    def wrong(self, key: str, **details: object) -> CommandError:
        """The error for words that make no sense."""
        example = self.example() or _ANSWER_EXAMPLE
        if self.key in REPAIRS:
            example = f"{shown(self.key, self.language)} {_REPAIR_EXAMPLES[self.key]}"
        return CommandError(key, text=self.text[:60], example=example, **details)
