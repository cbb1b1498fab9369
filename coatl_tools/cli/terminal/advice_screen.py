"""Draw advice in a terminal: the steps with their points, the Cóatls then, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.text import Text

from coatl_tools.cli.terminal.screen import GridColumn, Screen
from coatl_tools.cli.terminal.table_screen import FREE_SPACE_SIGN, LINE_INDENT, render_coatl_lines
from coatl_tools.cli.terminal.text_layout import flow_parts, indent_lines, wrap_text
from coatl_tools.players.planning.card_gaps import (
    ANY_COLOUR,
    NEW_COATL_NUMBER,
    CardGap,
    PieceToAttach,
)
from coatl_tools.referee.advice import (
    CARD_PLACE_PHRASES,
    Advice,
    describe_advice,
    describe_hints,
    format_plan_commands,
    make_table_advice,
)
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.table import Table
from coatl_tools.rules.constants import BOARD_SPACES
from coatl_tools.rules.result import compute_coatl_result

ON_BOARD_SIGN = "✓"  # lies on the board
MINUS_SIGN = "−"


def print_advice(
    advice: Advice, screen: Screen, plain: bool, more: str = "", play: Sequence[str] = ()
) -> None:
    """Print the advice, drawn or as plain sentences, with the nearest missing pieces.

    `more` is the command that shows all of them; if it is empty, all are shown. `play` are the
    commands that carry out the steps, one line each, never wrapped.
    """
    if plain:
        for line in describe_advice(advice, screen.language.code, whole=not more):
            print(line)
    else:
        _AdvicePrinter(advice, screen).print(more)
    if play:
        print(*([] if plain else [""]), screen.label("advice_play"), *play, sep="\n")


def print_seat_advice(
    table: Table, seat: int | None, screen: Screen, plain: bool, more: str
) -> None:
    """Print the advice for a player at a table or, for None, whoever is to play."""
    advice = make_table_advice(table, seat)
    play = format_plan_commands(advice, screen.language.code, real=not table.is_virtual)
    print_advice(advice, screen, plain, more, play)


class _AdvicePrinter:
    """Draws one piece of advice."""

    def __init__(self, advice: Advice, screen: Screen) -> None:
        self.advice, self.screen = advice, screen

    def print(self, more: str) -> None:
        """Print the whole advice, the plan first."""
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
            for line in describe_hints(self.advice, screen.language.code):
                screen.print(*indent_lines(self._wrapped(line), Text(LINE_INDENT)))
        rows = self.advice.nearest_gaps if more else self.advice.gaps
        if rows:
            self._missing(rows)
        left_out = len(self.advice.gaps) - len(rows)
        if left_out:
            screen.print(Text(screen.label("advice_more", left_out, how=more), "dim"))

    def _wrapped(self, line: str) -> list[Text]:
        room = self.screen.width - len(LINE_INDENT)
        return wrap_text(Text(line), self.screen.console, room)

    def _steps(self) -> None:
        screen, plan = self.screen, self.advice.plan
        points = screen.language.card("points", plan.points)
        screen.print(Text(screen.label("advice_best", points=points), "bold"))
        steps = [format_command(step.event, screen.language.code) for step in plan.steps]
        wide = max(map(len, steps)) + 3
        for number, (text, step) in enumerate(zip(steps, plan.steps, strict=True), start=1):
            sign = MINUS_SIGN if step.points < 0 else "+"
            gain = f"{sign}{abs(step.points)}" if step.points else ""
            line = Text.assemble(f"{text:<{wide}}", (f"{gain:>4}", "bold"))
            line.rstrip()
            screen.print(Text.assemble((f"{number:>3}  ", "dim"), line))

    def _afterwards(self) -> None:
        screen, plan = self.screen, self.advice.plan
        screen.print("", Text(screen.label("advice_then"), "bold"))
        lines: list[Text] = []
        room = screen.width - len(LINE_INDENT)
        for number, built in enumerate(plan.coatls, start=1):
            found = compute_coatl_result(self.advice.situation.game, built)
            lines += render_coatl_lines(number, found, screen, True, room)
        pieces = [
            *map(screen.render_piece, plan.board),
            *[Text(FREE_SPACE_SIGN)] * (BOARD_SPACES - len(plan.board)),
        ]
        cards = [
            screen.render_card_id(self.advice.situation.game.by_id[card]) for card in plan.hand
        ]
        parts = [Text.assemble((screen.label("board"), "bold"), " ", screen.join_parts(pieces))]
        if cards:
            parts.append(
                Text.assemble((screen.label("hand"), "bold"), " ", screen.join_parts(cards))
            )
        lines += flow_parts(parts, screen.console, room, "   ")
        for line in indent_lines(lines, Text(LINE_INDENT)):
            line.rstrip()
            screen.print(line)

    def _missing(self, rows: Sequence[CardGap]) -> None:
        screen = self.screen
        screen.print("", Text(screen.label("advice_missing"), "bold"))
        columns = [
            GridColumn(screen.label("card")),
            GridColumn(screen.label("advice_where")),
            GridColumn(screen.label("advice_coatl")),
            GridColumn(screen.label("points"), justify="right"),
            GridColumn(screen.label("advice_attach"), ratio=3),
            GridColumn(screen.label("advice_to_get"), ratio=2),
        ]
        screen.print_grid(columns, [self._cells(lack) for lack in rows])
        if any(lack.way for lack in rows):
            screen.print(Text(screen.label("advice_legend"), "dim"))

    def _cells(self, lack: CardGap) -> list[Text]:
        screen = self.screen
        card = screen.render_card_id(self.advice.situation.game.by_id[lack.card])
        where = Text(screen.language.sentence(CARD_PLACE_PHRASES[lack.where.value], {}))
        coatl = Text(
            screen.label("advice_new") if lack.coatl == NEW_COATL_NUMBER else str(lack.coatl)
        )
        points = f"{lack.points} → {lack.next_points}" if lack.next_points else f"{lack.points}"
        if lack.way is None:
            key = "top_level" if not lack.next_points else "out_of_reach"
            attach = screen.label(key if lack.known else "intricate")
            return [card, where, coatl, Text(points), Text(attach), Text("")]
        around = [] if lack.coatl == NEW_COATL_NUMBER else [Text("…")]
        row = [
            *self._group_equal_pieces(lack.way.head_end),
            *around,
            *self._group_equal_pieces(lack.way.tail_end),
        ]
        lacking = [PieceToAttach(piece, on_board=False) for piece in lack.way.lacking]
        to_get = [*self._group_equal_pieces(lacking)] or [Text(screen.label("advice_on_board"))]
        return [card, where, coatl, Text(points), screen.join_parts(row), screen.join_parts(to_get)]

    def _group_equal_pieces(self, needed: Iterable[PieceToAttach]) -> Iterator[Text]:
        """Yield pieces in their order, adjacent equal ones as one with a count."""
        for one, same in groupby(needed):
            number = len(list(same))
            piece = (
                Text(ANY_COLOUR) if one.piece == ANY_COLOUR else self.screen.render_piece(one.piece)
            )
            times = f"{number}×" if number > 1 else ""
            yield Text.assemble(times, piece, ON_BOARD_SIGN if one.on_board else "")
