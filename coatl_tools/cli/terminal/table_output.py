"""Print what happens at a table, drawn or as plain sentences, and only what a player may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from rich.text import Text

from coatl_tools.cards.card_text import describe_card, describe_level
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.cli.terminal.table_screen import print_result, print_table
from coatl_tools.errors import CoatlError, CommandError
from coatl_tools.language import Language
from coatl_tools.referee.commands.vocabulary import find_keyword, get_command_word
from coatl_tools.referee.presentation.bot_explanations import explain_last_moves
from coatl_tools.referee.presentation.game_log import build_game_log
from coatl_tools.referee.presentation.result_text import describe_result, serialize_result
from coatl_tools.referee.presentation.table_data import serialize_steps, serialize_view
from coatl_tools.referee.presentation.table_text import describe_table
from coatl_tools.referee.table import Table, TableStep
from coatl_tools.referee.table_folder import find_table_path
from coatl_tools.rules.actions.turns import is_secret_draw
from coatl_tools.rules.constants import PIECES_PER_SPACE
from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.event_messages import (
    describe_decision,
    describe_draw,
    describe_event,
)
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.solo.adam import explain_adam_turn, plan_adam_turn
from coatl_tools.rules.state import ADAMS_TURN, OVER, FillDraw, GameState

_EXAMPLE_DRAWS = ("RG", "BB", "YK")  # what is shown as an example of a draw
_SHORT_LEAD_WIDTH, _LEAD_WIDTH = 2, 20  # columns that a number, a command take in a list


class TableOutput:
    """Prints one table in one language: drawn, or as plain sentences.

    With `as_json`, what a command answers is printed as JSON instead.
    """

    def __init__(
        self, table: Table, language: Language, plain: bool, as_json: bool = False
    ) -> None:
        self.table, self.language, self.plain, self.as_json = table, language, plain, as_json
        self.screen, self.label = Screen(language), language.label

    def report_table(self, seat: int | None) -> None:
        """Report the whole table, as this player sees it."""
        if self.as_json:
            print_json(serialize_view(self.table.make_view(seat), self.table.state.game))
            return
        edition = self.table.state.game.options.edition
        self.print_lines(self.label("edition_played", edition=edition))
        self.print_table(seat)
        self.print_adam_turn()

    def report_steps(self, steps: Sequence[TableStep], seat: int | None) -> None:
        """Report what has happened just now, and what is awaited."""
        if self.as_json:
            print_json(serialize_steps(self.table, steps, seat))
            return
        self.print_steps(steps, seat)
        if self.table.state.stage is OVER:
            self.print_score()
        self.print_awaited()
        self.print_adam_turn()

    def print_lines(self, *lines: str, style: str = "") -> None:
        """Print lines; wrapped where they are drawn."""
        for line in lines:
            if self.plain:
                print(line)
            else:
                self.screen.print(Text(line, style))

    def print_table(self, seat: int | None) -> None:
        """Print the whole table, as this player sees it."""
        seen, game = self.table.make_view(seat), self.table.state.game
        if self.plain:
            self.print_lines(*describe_table(self.table.name, seen, game, self.language.code))
        else:
            print_table(self.table.name, seen, game, self.screen)

    def print_steps(self, steps: Iterable[TableStep], seat: int | None) -> None:
        """Print what happened, with only what this player may know."""
        for step in steps:
            if step.event is None:
                self.print_lines(self.label("gone_back"))
                continue
            viewer, code = self.table.get_viewer(seat), self.language.code
            text = describe_event(step.before, step.event, viewer, code, step.after)
            if step.corrects:
                details = {"number": step.corrects, "text": text}
                text = self.language.sentence("log.corrected", details)
            self.print_lines(text)

    def print_awaited(self) -> None:
        """Print what the table waits for."""
        state, code = self.table.state, self.language.code
        waiting = get_awaited(state)
        if waiting is None:
            return
        if isinstance(waiting, Decision):
            self.print_lines(describe_decision(waiting, state, code), style="bold")
            return
        self.print_lines(describe_draw(waiting, state, code), style="bold")
        draws = [draw for draw in state.draws if not is_secret_draw(draw, state)]
        spaces = [str(draw.space) for draw in draws if isinstance(draw, FillDraw)]
        if len(spaces) > 1:
            example = _format_example_draw(
                [draw for draw in draws if isinstance(draw, FillDraw)], state
            )
            self.print_lines(
                self.label("spaces_awaited", spaces=", ".join(spaces), example=example)
            )
        elif len(draws) > 1:
            self.print_lines(self.label("draws_awaited", len(draws)))

    def print_adam_turn(self) -> None:
        """Print A.D.A.M.'s turn, step by step, before it happens."""
        state = self.table.state
        if state.stage is not ADAMS_TURN or state.draws:
            return
        for number, line in enumerate(
            explain_adam_turn(plan_adam_turn(state), self.language.code), start=1
        ):
            if self.plain:
                print(f"{number}. {line}")
            else:
                self.screen.print_hanging(f"{number:>3}. ", Text(line))

    def print_score(self) -> None:
        """Print the points so far, or the result."""
        found = compute_result(self.table.state)
        over = self.table.state.stage is OVER
        if self.as_json:
            print_json(serialize_result(found, over))
        elif self.plain:
            self.print_lines(*describe_result(found, self.language.code, over))
        else:
            print_result(found, self.screen, over)

    def print_log(self, seat: int | None) -> None:
        """Print the log with its numbers, and only what this player may know."""
        lines = build_game_log(self.table, seat, self.language.code)
        if self.as_json:
            print_json([line.to_data() for line in lines])
            return
        for line in lines:
            number = f"{line.number}." if line.number else ""
            if self.plain:
                print(f"{number} {line.text}".strip())
            else:
                self.screen.print_hanging(f"{number:>5} ", Text(line.text))

    def print_list_item(self, lead: str, text: str) -> None:
        """Print a line of a list: a number or a command, and what it means."""
        if self.plain:
            print(f"{lead}: {text}")
        else:
            self.screen.print_hanging(
                f"  {lead:<{_LEAD_WIDTH if len(lead) > _SHORT_LEAD_WIDTH else _SHORT_LEAD_WIDTH}} ",
                Text(text),
            )

    def print_advice(self, seat: int | None, rest: str) -> None:
        """Print the best assembly for this player or, if everything is open, whose turn it is.

        With “all” as `rest`, also everything that is missing.
        """
        # The planner needs numpy, which is heavy, and few commands ask for advice.
        from coatl_tools.cli.terminal.advice_screen import print_seat_advice  # noqa: PLC0415

        code = self.language.code
        more = f"{get_command_word('advise', code)} {get_command_word('all', code)}"
        everything = find_keyword(rest.strip(), code) == "all"
        print_seat_advice(self.table, seat, self.screen, self.plain, "" if everything else more)

    def print_explanations(self, seat: int | None) -> None:
        """Print why bots and A.D.A.M. did what they did last."""
        found = explain_last_moves(self.table, seat, self.language.code)
        if self.as_json:
            print_json([reason.to_data() for reason in found])
            return
        if not found:
            self.print_lines(self.language.sentence("bot.none", {}))
        for reason in found:
            self.print_lines(reason.text)
            for line in reason.reasons:
                if self.plain:
                    self.print_lines(line)
                else:
                    self.screen.print_hanging("    ", Text(line, "dim"))

    def print_cards(self, text: str) -> None:
        """Print cards in full; raises CoatlError for an unknown one."""
        cards = self.table.state.game.by_id
        found = [cards[card] for word in text.upper().split() for card in cards if card == word]
        if not found:
            raise CommandError("commands.no_card", text=text[:40], example="P05")
        for card in found:
            if self.plain:
                self.print_lines(describe_card(card, self.language.code))
                steps = [describe_level(card, level, self.language) for level in card.levels]
                self.print_lines(*steps)
            else:
                self.screen.print(self.screen.render_card(card))

    def print_error(self, error: CoatlError) -> None:
        """Print what went wrong, and where in what was typed."""
        self.print_lines(self.label("error", message=error.text(self.language.code)))
        self.print_lines(*error.pointer_lines())


def open_table(settings: Settings, name: str) -> Table:
    """Open a table by its name; a torn last line is reported."""
    table = Table.open(find_table_path(settings.folder, name))
    if table.journal.warning:
        click.echo(table.journal.warning.text(settings.lang), err=True)
    return table


def _format_example_draw(draws: list[FillDraw], state: GameState) -> str:
    """Format what may be typed for the first of these draws."""
    kinds = [state.game.options.space_kinds[draw.space - 1] for draw in draws]
    drawn = zip(_EXAMPLE_DRAWS, kinds, strict=False)
    return " ".join(pieces[: PIECES_PER_SPACE[kind]] for pieces, kind in drawn)
