"""Advice on the screen: the steps with their points, the Cóatls then, what is still missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.text import Text

from coatl_tools.cli.arrange import flow, indented, wrapped
from coatl_tools.cli.screen import Column, Screen
from coatl_tools.cli.seats import FREE, INDENT, coatl_lines
from coatl_tools.players.planning.lacking import ANY, NEW, Lack, Needed
from coatl_tools.referee.advice import Advice
from coatl_tools.referee.advice_text import WHERE, advice_sentences, hint_lines
from coatl_tools.referee.spelling import spelled
from coatl_tools.rules.box import BOARD_SPACES
from coatl_tools.rules.ending import coatl_result

HERE = "✓"  # lies on the board
MINUS = "−"


def print_advice(
    advice: Advice, screen: Screen, plain: bool, more: str = "", play: Sequence[str] = ()
) -> None:
    """The advice, drawn or as plain sentences, with the nearest of what is missing.

    `more` is how one asks for the rest of it; where that was done, it is empty, and all is shown.
    `play` is what may be typed to let the steps happen, in lines that are not broken.
    """
    if plain:
        for line in advice_sentences(advice, screen.language.code, whole=not more):
            print(line)
    else:
        _Sheet(advice, screen).print(more)
    if play:
        print(*([] if plain else [""]), screen.label("advice_play"), *play, sep="\n")


class _Sheet:
    """The drawing of one piece of advice."""

    def __init__(self, advice: Advice, screen: Screen) -> None:
        self.advice, self.screen = advice, screen

    def print(self, more: str) -> None:
        """All of it, the plan first."""
        say, screen = self.screen.language.sentence, self.screen
        for phrase in self.advice.notes:
            screen.print(Text(say(*phrase), "italic"))
        if self.advice.notes:
            screen.print("")
        if self.advice.plan.steps:
            self._steps()
            self._afterwards()
        else:
            screen.print(Text(say("advice.nothing", {}), "bold"))
            for line in hint_lines(self.advice, screen.language.code):
                screen.print(*indented(self._wrapped(line), Text(INDENT)))
        rows = self.advice.short if more else self.advice.lacks
        if rows:
            self._missing(rows)
        left_out = len(self.advice.lacks) - len(rows)
        if left_out:
            screen.print(Text(screen.label("advice_more", left_out, how=more), "dim"))

    def _wrapped(self, line: str) -> list[Text]:
        room = self.screen.width - len(INDENT)
        return wrapped(Text(line), self.screen.console, room)

    def _steps(self) -> None:
        screen, plan = self.screen, self.advice.plan
        points = screen.language.card("points", plan.points)
        screen.print(Text(screen.label("advice_best", points=points), "bold"))
        steps = [spelled(step.event, screen.language.code) for step in plan.steps]
        wide = max(map(len, steps)) + 3
        for number, (text, step) in enumerate(zip(steps, plan.steps, strict=True), start=1):
            sign = MINUS if step.points < 0 else "+"
            gain = f"{sign}{abs(step.points)}" if step.points else ""
            line = Text.assemble(f"{text:<{wide}}", (f"{gain:>4}", "bold"))
            line.rstrip()
            screen.print(Text.assemble((f"{number:>3}  ", "dim"), line))

    def _afterwards(self) -> None:
        screen, plan = self.screen, self.advice.plan
        screen.print("", Text(screen.label("advice_then"), "bold"))
        lines: list[Text] = []
        room = screen.width - len(INDENT)
        for number, built in enumerate(plan.coatls, start=1):
            found = coatl_result(self.advice.situation.game, built)
            lines += coatl_lines(number, found, screen, True, room)
        pieces = [*map(screen.piece, plan.board), *[Text(FREE)] * (BOARD_SPACES - len(plan.board))]
        cards = [screen.tag(self.advice.situation.game.by_id[card]) for card in plan.hand]
        parts = [Text.assemble((screen.label("board"), "bold"), " ", screen.row(pieces))]
        if cards:
            parts.append(Text.assemble((screen.label("hand"), "bold"), " ", screen.row(cards)))
        lines += flow(parts, screen.console, room, "   ")
        for line in indented(lines, Text(INDENT)):
            line.rstrip()
            screen.print(line)

    def _missing(self, rows: Sequence[Lack]) -> None:
        screen = self.screen
        screen.print("", Text(screen.label("advice_missing"), "bold"))
        columns = [
            Column(screen.label("card")),
            Column(screen.label("advice_where")),
            Column(screen.label("advice_coatl")),
            Column(screen.label("points"), justify="right"),
            Column(screen.label("advice_attach"), ratio=3),
            Column(screen.label("advice_to_get"), ratio=2),
        ]
        screen.table(columns, [self._cells(lack) for lack in rows])
        if any(lack.way for lack in rows):
            screen.print(Text(screen.label("advice_legend"), "dim"))

    def _cells(self, lack: Lack) -> list[Text]:
        screen = self.screen
        card = screen.tag(self.advice.situation.game.by_id[lack.card])
        where = Text(screen.language.sentence(WHERE[lack.where.value], {}))
        coatl = Text(screen.label("advice_new") if lack.coatl == NEW else str(lack.coatl))
        points = f"{lack.points} → {lack.next_points}" if lack.next_points else f"{lack.points}"
        if lack.way is None:
            key = "top_level" if not lack.next_points else "out_of_reach"
            attach = screen.label(key if lack.known else "intricate")
            return [card, where, coatl, Text(points), Text(attach), Text("")]
        around = [] if lack.coatl == NEW else [Text("…")]
        row = [*self._counted(lack.way.head_end), *around, *self._counted(lack.way.tail_end)]
        lacking = [Needed(piece, on_board=False) for piece in lack.way.lacking]
        to_get = [*self._counted(lacking)] or [Text(screen.label("advice_on_board"))]
        return [card, where, coatl, Text(points), screen.row(row), screen.row(to_get)]

    def _counted(self, needed: Iterable[Needed]) -> Iterator[Text]:
        """Pieces in their order, equal ones side by side as one with a number."""
        for one, same in groupby(needed):
            number = len(list(same))
            piece = Text(ANY) if one.piece == ANY else self.screen.piece(one.piece)
            times = f"{number}×" if number > 1 else ""
            yield Text.assemble(times, piece, HERE if one.on_board else "")
