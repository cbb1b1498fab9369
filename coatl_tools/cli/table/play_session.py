"""A session of `coatl table play`: a prompt, with commands or numbered menus."""

from __future__ import annotations

import contextlib
import sys
from shutil import get_terminal_size

from coatl_tools.cli.common_options import Settings
from coatl_tools.cli.table.prompt import (
    NO_SEAT,
    PlayHistory,
    Prompt,
    PromptRequest,
    TableChanged,
    make_prompt,
)
from coatl_tools.cli.terminal.stdio import is_dumb_terminal, is_interactive
from coatl_tools.cli.terminal.table_output import TableOutput
from coatl_tools.errors import CoatlError, CommandError, ConsentError, FileError, JournalError
from coatl_tools.language import parse_yes_or_no
from coatl_tools.referee.commands.command_parser import (
    QueryCommand,
    UndoCommand,
    parse_command,
    split_commands,
)
from coatl_tools.referee.commands.draw_answers import is_secret_draw
from coatl_tools.referee.commands.vocabulary import (
    complete_last_word,
    find_command,
    get_command_word,
)
from coatl_tools.referee.menu import (
    COMMAND_LABELS,
    Menu,
    MenuQuestion,
    build_menu,
    list_repair_commands,
    make_command_examples,
)
from coatl_tools.referee.table import Table, TableStep
from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.state import ADAMS_TURN, KEEPING, OVER

BACK_KEY = "0"


class MenuPrompt:
    """The menu or question that stands on the screen, if one does."""

    def __init__(self, table: Table, teller: TableOutput) -> None:
        self._table, self._teller = table, teller
        self._shown: Menu | MenuQuestion | None = None

    @property
    def none_shown(self) -> bool:
        """Whether there is nothing to choose from on the screen."""
        return self._shown is None

    @property
    def question(self) -> str:
        """What is asked, if a question stands on the screen."""
        return self._shown.question if isinstance(self._shown, MenuQuestion) else ""

    def forget(self) -> None:
        """What was shown no longer counts."""
        self._shown = None

    def offer(self, viewer: int | None) -> None:
        """Show all that this player may decide now."""
        self._show(self._first(viewer))

    def command(self, line: str, viewer: int | None) -> str | None:
        """The command that a line means here; None if it only led to other choices.

        CommandError for a number that is no choice.
        """
        if line.isascii() and line.isdigit() and self._shown is not None:
            first = self._first(viewer)
            is_answer = (
                isinstance(self._shown, MenuQuestion) and self._shown == first
            )  # 0 may be one
            if line == BACK_KEY and not is_answer:
                self._show(first)
                return None
            if isinstance(self._shown, Menu):
                return self._chosen(self._shown, line)
        if isinstance(self._shown, MenuQuestion):
            return self._completed(self._shown, line)
        return line

    def _chosen(self, shown: Menu, line: str) -> str | None:
        choices = {str(choice.number): choice.then for choice in shown.choices}
        then = choices.get(line.lstrip("0"))
        if then is None:
            raise CommandError("menu.no_choice", number=line[:10], choices=", ".join(choices))
        if isinstance(then, str):
            return then
        self._show(then)
        return None

    def _completed(self, asked: MenuQuestion, line: str) -> str:
        """The command that an answer makes; a command typed instead stays what it is."""
        self.forget()
        try:
            find_command(line.split(maxsplit=1)[0], self._teller.language.code)
        except CommandError:
            return f"{asked.command} {line}"
        return line

    def _first(self, viewer: int | None) -> Menu | MenuQuestion:
        return build_menu(
            self._table.view(viewer), self._table.state.game, self._teller.language.code
        )

    def _show(self, found: Menu | MenuQuestion) -> None:
        self._shown = found
        if isinstance(found, MenuQuestion):
            lines = list(enumerate(found.listed, start=1))
        else:
            lines = [(choice.number, choice.label) for choice in found.choices]
        for number, label in lines:
            self._teller.item(f"{number}", label)


_CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"


class PlaySession:
    """One session of `coatl table play`."""

    def __init__(
        self, table: Table, settings: Settings, seat: int | None, guided: bool, plain: bool
    ) -> None:
        self.table, self.settings, self.seat = table, settings, seat
        self.teller = TableOutput(table, settings.language, plain)
        self.guided, self.plain = guided, plain
        self.prompt: Prompt = make_prompt(plain, self._hint(), self._has_moved_on)
        self.before_screen = NO_SEAT  # whose eyes are on the screen
        self.choices = MenuPrompt(table, self.teller)
        self.memory = PlayHistory(table, settings.lang)
        self.left_over = ""  # what somebody was typing when the table moved on
        self.told_turn: tuple[object, ...] = ()
        self.meanwhile: list[TableStep] = []  # what others did elsewhere, not told yet

    def _has_moved_on(self) -> bool:
        try:
            return self.table.journal.moved_on()
        except CoatlError:  # it is gone: reading it again will say so
            return True

    def _hint(self) -> str:
        words = {key: get_command_word(key, self.settings.lang) for key in ("help", "undo", "quit")}
        return self.settings.language.label("hint_guided" if self.guided else "hint", None, **words)

    def play(self) -> None:
        """Play until the game is over or everybody leaves."""
        try:
            while self._moment():
                pass
        except EOFError:
            self.teller.say(self.teller.label("table_kept", name=self.table.name))
        except KeyboardInterrupt:
            self.teller.say("", self.teller.label("table_kept", name=self.table.name))
            raise

    def _moment(self) -> bool:
        """One thing that is asked and answered; False when there is nothing more."""
        try:
            while steps := self.table.go_on():
                self.teller.steps(steps, self.seat)
        except JournalError:
            if not self._follow():
                raise
            return True
        if self.table.state.stage is OVER:
            self._finish()
            return False
        viewer = self._viewer()
        if not self._hand_over(viewer):
            return True
        self._show_turn(viewer)
        return self._ask(viewer)

    def _viewer(self) -> int | None:
        """Whose moment it is; None where everything lies open."""
        if self.seat is not None or not self.table.virtual:
            return self.seat
        people, turn = self.table.people, self.table.state.turn
        return turn if turn in people else people[0]

    def _hand_over(self, viewer: int | None) -> bool:
        """Let the right player sit down before the screen; False if the table has moved on."""
        several = self.table.virtual and self.seat is None and len(self.table.people) > 1
        if not several or viewer is None or viewer == self.before_screen:
            return True
        if self._on_terminal():
            self._clear()
            name = self.table.state.game.names[viewer]
            self.teller.steps(self.memory.news(viewer), None)
            self.teller.say("", self.teller.label("hand_over", player=name), style="bold")
            sys.stdout.flush()
            try:
                line = self.prompt.ask(PromptRequest(self.teller.label("press_enter")))
            except TableChanged:
                self._follow()
                return False
            if line:  # whoever has just played may think better of it
                self._late(line)
                return False
            self._clear()
        self.before_screen = viewer
        self.told_turn, self.left_over = (), ""  # another player's half line
        return True

    def _late(self, line: str) -> None:
        """Something typed after one's turn: to take it back is possible, with consent."""
        with contextlib.suppress(CommandError):  # anything else waits for its turn
            command = parse_command(line, self.table.history, self.settings.lang)
            if isinstance(command, UndoCommand):
                self._do(line, None)
                self.before_screen = NO_SEAT

    def _tell_news(self, viewer: int | None) -> None:
        news = self.memory.news(viewer)
        if news and len(self.table.people) > 1:
            self.teller.say(self.teller.label("since_then"))
            self.teller.steps(news, viewer)
            self.teller.say("")
        self.memory.heard(viewer)

    def _on_terminal(self) -> bool:
        return is_interactive() and sys.stdout.isatty()

    def _clear(self) -> None:
        """Leave nothing on the screen; where it cannot be cleared, push it out of sight."""
        unsteered = self.plain or is_dumb_terminal()
        sys.stdout.write("\n" * get_terminal_size().lines if unsteered else _CLEAR_SCREEN)

    def _show_turn(self, viewer: int | None) -> None:
        """The table when a turn begins, and what is awaited each time."""
        state = self.table.state
        setting_up = state.stage is KEEPING and bool(state.draws)
        turn = (state.turns, state.turn, setting_up, self.before_screen)
        if turn != self.told_turn:
            self.told_turn = turn
            self.teller.say("")
            self.teller.show(viewer)
            self.teller.say("")
            self._tell_news(viewer)
        if self.meanwhile:
            self.teller.say(self.teller.label("meanwhile"), style="bold")
            self.teller.steps(self.meanwhile, self.seat)
            self.meanwhile = []
        if state.stage is ADAMS_TURN:
            self.teller.adam()
        self.teller.awaited()
        if self.guided and self.choices.none_shown and not self._adam_is_next():
            self.choices.offer(viewer)

    def _ask(self, viewer: int | None) -> bool:
        if self._others_turn():
            return self._wait()
        seat = NO_SEAT if viewer is None else viewer
        try:
            past = self.memory.past(seat)
            line = self.prompt.ask(
                PromptRequest(self._message(), self._completions, past, self.left_over, seat)
            )
        except TableChanged as moved:
            self.left_over = moved.typed
            self._follow()
            return True
        self.left_over = ""
        if line:
            self.memory.typed(seat, line)
        return self._answer(line, viewer)

    def _others_turn(self) -> bool:
        awaited = get_awaited(self.table.state)
        return (
            self.seat is not None
            and isinstance(awaited, Decision)
            and awaited.player != self.seat
            and awaited.player in self.table.people
        )

    def _wait(self) -> bool:
        """Another player's turn, who plays elsewhere: look on, and leave at any time."""
        names, turn = self.table.state.game.names, self.table.state.turn
        message = self.teller.label("waiting_for", player=names[turn])
        try:
            line = self.prompt.ask(
                PromptRequest(f"{message} ", self._completions, typed=self.left_over)
            )
        except TableChanged as moved:
            self.left_over = moved.typed
            self._follow()
            return True
        self.left_over = ""
        if self._follow():
            return True
        return self._answer(line, self.seat) if line else True

    def _message(self) -> str:
        if self.choices.question:
            return f"{self.choices.question} "
        if self._adam_is_next():
            return self.teller.label("press_enter")
        awaited = get_awaited(self.table.state)
        if isinstance(awaited, Decision):
            return f"{self.table.state.game.names[awaited.player]}> "
        return "> "

    def _adam_is_next(self) -> bool:
        return self.table.state.stage is ADAMS_TURN and not self.table.state.draws

    def _completions(self, line: str) -> list[str]:
        viewer = self._viewer()
        legal = self.table.view(viewer).legal
        return complete_last_word(line, legal, self.settings.lang, list_repair_commands(self.table))

    # What was typed.

    def _answer(self, line: str, viewer: int | None) -> bool:
        """Do what a line says; False to leave."""
        try:
            if not line:
                return self._empty(viewer)
            command = self.choices.command(line, viewer)
            if command is None:
                return True
            question = self._question(command)
            if question:
                return self._show(question, viewer)
            self._do(command, viewer)
        except FileError:
            raise
        except CoatlError as error:
            self.choices.forget()
            self.teller.error(error)
        return True

    def _empty(self, viewer: int | None) -> bool:
        """Enter alone: A.D.A.M. plays, or the choices are shown."""
        if self._adam_is_next():
            self._do(get_command_word("adam", self.settings.lang), viewer)
        elif self.table.state.draws:
            self.teller.awaited()
        else:
            self.choices.offer(viewer)
        return True

    def _question(self, line: str) -> QueryCommand | None:
        """The question that a line asks, if it asks one."""
        found = split_commands(line)
        if len(found) > 1:
            return None
        command = parse_command(found[0], self.table.history, self.settings.lang)
        return command if isinstance(command, QueryCommand) else None

    def _do(self, line: str, viewer: int | None, force: bool = False) -> None:
        """Let it happen; nobody does it for another, but for draws and A.D.A.M."""
        try:
            steps = self.table.do(line, language=self.settings.lang, seat=viewer, force=force)
        except ConsentError as error:
            self.teller.say(error.text(self.settings.lang))
            if self._agreed():
                self._do(line, viewer, force=True)
            return
        except JournalError:
            if not self._follow():
                raise
            self.teller.error(CommandError("table.moved_on"))
            return
        self.choices.forget()
        self.teller.steps(steps, viewer)
        self.memory.heard(viewer)

    def _agreed(self) -> bool:
        try:
            answer = self.prompt.ask(PromptRequest(f"{self.teller.label('agreed')} "))
        except TableChanged:  # what there was to agree to is no longer the last thing
            self._follow()
            raise CommandError("table.moved_on") from None
        return parse_yes_or_no(answer, self.settings.language) is True

    def _follow(self) -> bool:
        """Read what others wrote meanwhile, and tell it; whether there was something."""
        steps = self.table.moved_on()
        if steps is None:
            return False
        self.choices.forget()
        self.meanwhile += steps
        self.memory.heard(self.seat)
        return True

    # Questions.

    def _show(self, question: QueryCommand, viewer: int | None) -> bool:
        match question.about:
            case "quit":
                self.teller.say(self.teller.label("table_kept", name=self.table.name))
                return False
            case "help":
                self._help(viewer)
            case "show":
                self.teller.show(viewer)
            case "log":
                self.teller.chronicle(viewer)
            case "score":
                self.teller.score()
            case "advise":
                self.teller.advise(viewer, question.rest)
            case "why":
                self.teller.why(viewer)
            case "card":
                self.teller.card(question.rest)
            case "menu":
                self.choices.offer(viewer)
        return True

    def _help(self, viewer: int | None) -> None:
        """What can be typed at this moment, with an example that is possible now."""
        state = self.table.state
        if state.draws and not is_secret_draw(state.draws[0], state):
            self.teller.say(self.teller.label("help_draws"))
        for key, example in make_command_examples(self.table, viewer, self.settings.lang).items():
            self.teller.item(example, self.teller.label(COMMAND_LABELS[key]))
        if not state.draws:
            self.teller.say(self.teller.label("help_several"))

    def _finish(self) -> None:
        self.teller.say("")
        self.teller.show(self.seat)
        self.teller.say("")
        self.teller.score()
