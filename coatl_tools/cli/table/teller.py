"""What a table says: drawn, or as plain sentences; to whom, and nothing that they may not know."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from coatl_tools.cards.wording import describe, describe_level
from coatl_tools.cli.board import print_table
from coatl_tools.cli.result_sheet import print_result
from coatl_tools.cli.screen import Screen
from coatl_tools.errors import CoatlError, CommandError, NotationError
from coatl_tools.language import Language
from coatl_tools.referee.answers import is_secret
from coatl_tools.referee.chronicle import Told, chronicle
from coatl_tools.referee.plain_text import table_sentences
from coatl_tools.referee.result_text import result_sentences
from coatl_tools.referee.table import Step, Table
from coatl_tools.referee.vocabulary import keyword, shown
from coatl_tools.rules.adam import adam_turn
from coatl_tools.rules.adam_text import explained
from coatl_tools.rules.box import PER_SPACE
from coatl_tools.rules.ending import result
from coatl_tools.rules.engine import Decision, awaiting
from coatl_tools.rules.event_words import Viewer, asked, asked_to_decide, told
from coatl_tools.rules.state import ADAMS_TURN, OVER, FillDraw, State

_DRAWN = ("RG", "BB", "YK")  # what is shown as an example of a draw
_SHORT, _LEAD = 2, 20  # columns that a number, a command take in a list


class Teller:
    """Tells of one table in one language."""

    def __init__(self, table: Table, language: Language, plain: bool) -> None:
        self.table, self.language, self.plain = table, language, plain
        self.screen = Screen(language)

    def say(self, *lines: str, style: str = "") -> None:
        """Print lines; wrapped where they are drawn."""
        for line in lines:
            if self.plain:
                print(line)
            else:
                self.screen.print(Text(line, style))

    def label(self, key: str, n: int | None = None, **values: object) -> str:
        """A label in the user's language."""
        return self.language.label(key, n, **values)

    def show(self, seat: int | None) -> None:
        """The whole table, as this player sees it."""
        seen, game = self.table.view(seat), self.table.state.game
        if self.plain:
            self.say(*table_sentences(self.table.name, seen, game, self.language.code))
        else:
            print_table(self.table.name, seen, game, self.screen)

    def viewer(self, seat: int | None) -> Viewer:
        """Whose knowledge is told: at a real table, and after the game, everybody's."""
        if not self.table.virtual or self.table.state.stage is OVER:
            return "all"
        return seat

    def steps(self, steps: Iterable[Step], seat: int | None) -> None:
        """What happened, as this player may hear it."""
        for step in steps:
            if step.event is None:
                self.say(self.label("gone_back"))
                continue
            text = told(step.before, step.event, self.viewer(seat), self.language.code)
            if step.corrects:
                details = {"number": step.corrects, "text": text}
                text = self.language.sentence("log.corrected", details)
            self.say(text)

    def awaited(self) -> None:
        """What the table waits for."""
        state, code = self.table.state, self.language.code
        waiting = awaiting(state)
        if waiting is None:
            return
        if isinstance(waiting, Decision):
            self.say(asked_to_decide(waiting, state, code), style="bold")
            return
        self.say(asked(waiting, state, code), style="bold")
        draws = [draw for draw in state.draws if not is_secret(draw, state)]
        spaces = [str(draw.space) for draw in draws if isinstance(draw, FillDraw)]
        if len(spaces) > 1:
            example = _example([draw for draw in draws if isinstance(draw, FillDraw)], state)
            self.say(self.label("spaces_awaited", spaces=", ".join(spaces), example=example))
        elif len(draws) > 1:
            self.say(self.label("draws_awaited", len(draws)))

    def adam(self) -> None:
        """A.D.A.M.'s turn, step by step, before it happens."""
        state = self.table.state
        if state.stage is not ADAMS_TURN or state.draws:
            return
        for number, line in enumerate(explained(adam_turn(state), self.language.code), start=1):
            if self.plain:
                print(f"{number}. {line}")
            else:
                self.screen.hanging(f"{number:>3}. ", Text(line))

    def score(self) -> None:
        """The points so far, or the result."""
        state = self.table.state
        found = result(state)
        if self.plain:
            over = state.stage is OVER
            self.say(*result_sentences(found, self.language.code, over))
        else:
            print_result(found, self.screen, over=state.stage is OVER)

    def log(self, lines: Iterable[Told]) -> None:
        """What happened, with numbers."""
        for line in lines:
            number = f"{line.number}." if line.number else ""
            if self.plain:
                print(f"{number} {line.text}".strip())
            else:
                self.screen.hanging(f"{number:>5} ", Text(line.text))

    def chronicle(self, seat: int | None) -> None:
        """The log, as this player may know it."""
        self.log(chronicle(self.table, seat, self.language.code))

    def item(self, lead: str, text: str) -> None:
        """A line of a list: a number or a command, and what it means."""
        if self.plain:
            print(f"{lead}: {text}")
        else:
            self.screen.hanging(f"  {lead:<{_LEAD if len(lead) > _SHORT else _SHORT}} ", Text(text))

    def advise(self, seat: int | None, rest: str) -> None:
        """The best assembly for this player or, where everything lies open, whoever is to play.

        With “all” behind it, all that is missing.
        """
        from coatl_tools.cli.advice_sheet import print_advice
        from coatl_tools.referee.advice import advice_from
        from coatl_tools.referee.advice_text import typed_steps

        seat = self.table.asking if seat is None else seat
        advice = advice_from(self.table.view(seat), seat)
        play = typed_steps(advice, self.language.code, real=not self.table.virtual)
        code = self.language.code
        everything = keyword(rest.strip(), code) == "all"
        more = "" if everything else f"{shown('advise', code)} {shown('all', code)}"
        print_advice(advice, self.screen, self.plain, more, play)

    def why(self, seat: int | None) -> None:
        """Why bots and A.D.A.M. did what they did last."""
        from coatl_tools.referee.reasons import reasons

        found = reasons(self.table, seat, self.language.code)
        if not found:
            self.say(self.language.sentence("bot.none", {}))
        for reason in found:
            self.say(reason.text)
            for line in reason.why:
                if self.plain:
                    self.say(line)
                else:
                    self.screen.hanging("    ", Text(line, "dim"))

    def card(self, text: str) -> None:
        """A card in full; CoatlError if there is none such."""
        cards = self.table.state.game.by_id
        found = [cards[card] for word in text.upper().split() for card in cards if card == word]
        if not found:
            raise CommandError("commands.no_card", text=text[:40], example="P05")
        for card in found:
            if self.plain:
                self.say(describe(card, self.language.code))
                steps = [describe_level(card, level, self.language) for level in card.levels]
                self.say(*steps)
            else:
                self.screen.print(self.screen.card(card))

    def error(self, error: CoatlError) -> None:
        """What went wrong, and where in what was typed."""
        self.say(self.label("error", message=error.text(self.language.code)))
        if isinstance(error, NotationError):
            self.say(*(f"  {line}" for line in error.pointer().splitlines()))


def _example(draws: list[FillDraw], state: State) -> str:
    """What may be typed for the first of these draws."""
    kinds = [state.game.options.space_kinds[draw.space - 1] for draw in draws]
    drawn = zip(_DRAWN, kinds, strict=False)
    return " ".join(pieces[: PER_SPACE[kind]] for pieces, kind in drawn)
