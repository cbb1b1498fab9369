"""A session of `coatl table play`: a prompt, with commands or numbered menus."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from shutil import get_terminal_size

from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.table.photo_answers import PiecePhotoReader, parse_photo_answer
from coatl_tools.cli.table.prompt import (
    NO_SEAT,
    PlayHistory,
    Prompt,
    PromptRequest,
    TableChanged,
    TerminalPrompt,
    make_prompt,
)
from coatl_tools.cli.terminal.stdio import is_dumb_terminal, is_interactive
from coatl_tools.cli.terminal.table_output import TableOutput, open_table
from coatl_tools.errors import CoatlError, CommandError, ConsentError, FileError, JournalError
from coatl_tools.language import parse_yes_or_no
from coatl_tools.referee.commands.command_parser import (
    QueryCommand,
    UndoCommand,
    parse_command,
    split_commands,
)
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
from coatl_tools.rules.actions.turns import is_secret_draw
from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.state import ADAMS_TURN, KEEPING, OVER

BACK_KEY = "0"


class MenuPrompt:
    """The menu or question on the screen, if any."""

    def __init__(self, table: Table, output: TableOutput) -> None:
        self._table, self._output = table, output
        self._shown: Menu | MenuQuestion | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to choose from on the screen."""
        return self._shown is None

    @property
    def question(self) -> str:
        """What is asked, if a question stands on the screen."""
        return self._shown.question if isinstance(self._shown, MenuQuestion) else ""

    def clear(self) -> None:
        """Forget what was shown."""
        self._shown = None

    def print_menu(self, viewer: int | None) -> None:
        """Show all that this player may decide now."""
        self._show(self._build_root_menu(viewer))

    def resolve_line(self, line: str, viewer: int | None) -> str | None:
        """Return the command that a line means here; None if it only opened another menu.

        Raises CommandError for a number that is no choice.
        """
        if line.isascii() and line.isdigit() and self._shown is not None:
            first = self._build_root_menu(viewer)
            is_answer = (
                isinstance(self._shown, MenuQuestion) and self._shown == first
            )  # 0 may be one
            if line == BACK_KEY and not is_answer:
                self._show(first)
                return None
            if isinstance(self._shown, Menu):
                return self._follow_choice(self._shown, line)
        if isinstance(self._shown, MenuQuestion):
            return self._complete_answer(self._shown, line)
        return line

    def _follow_choice(self, shown: Menu, line: str) -> str | None:
        choices = {str(choice.number): choice.next_step for choice in shown.choices}
        then = choices.get(line.lstrip("0"))
        if then is None:
            raise CommandError("menu.no_choice", number=line[:10], choices=", ".join(choices))
        if isinstance(then, str):
            return then
        self._show(then)
        return None

    def _complete_answer(self, asked: MenuQuestion, line: str) -> str:
        """Append an answer to its command, or return a command that was typed instead."""
        self.clear()
        try:
            find_command(line.split(maxsplit=1)[0], self._output.language.code)
        except CommandError:
            return f"{asked.command} {line}"
        return line

    def _build_root_menu(self, viewer: int | None) -> Menu | MenuQuestion:
        return build_menu(
            self._table.make_view(viewer), self._table.state.game, self._output.language.code
        )

    def _show(self, found: Menu | MenuQuestion) -> None:
        self._shown = found
        if isinstance(found, MenuQuestion):
            lines = list(enumerate(found.options, start=1))
        else:
            lines = [(choice.number, choice.label) for choice in found.choices]
        for number, label in lines:
            self._output.print_list_item(f"{number}", label)


def play_table(
    settings: Settings, name: str, player: str | None, guided: bool, plain: bool
) -> None:
    """Open a table and play at it: everybody at this screen, or the named player alone."""
    table = open_table(settings, name)
    PlaySession(table, settings, table.find_seat(player), guided, plain).play()


_CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"


class PlaySession:
    """One session of `coatl table play`."""

    def __init__(
        self, table: Table, settings: Settings, seat: int | None, guided: bool, plain: bool
    ) -> None:
        self.table, self.settings, self.seat = table, settings, seat
        self.output = TableOutput(table, settings.language, plain)
        self.guided, self.plain = guided, plain
        self.prompt: Prompt = make_prompt(plain, self._hint(), self._has_table_changed)
        self.seat_at_screen = NO_SEAT  # whose eyes are on the screen
        self.choices = MenuPrompt(table, self.output)
        self.history = PlayHistory(table, settings.lang)
        self.photos = PiecePhotoReader(settings.language)
        self.unfinished_line = ""  # what somebody was typing when the table moved on
        self.shown_turn: tuple[object, ...] = ()
        self.unseen_steps: list[TableStep] = []  # what others did elsewhere, not told yet

    def _has_table_changed(self) -> bool:
        try:
            return self.table.journal.has_changed_on_disk()
        except CoatlError:  # it is gone: reading it again will say so
            return True

    def _hint(self) -> str:
        words = {key: get_command_word(key, self.settings.lang) for key in ("help", "undo", "quit")}
        return self.settings.language.label("hint_guided" if self.guided else "hint", None, **words)

    def play(self) -> None:
        """Play until the game is over or everybody leaves."""
        try:
            while self._play_step():
                pass
        except EOFError:
            self.output.print_lines(self.output.label("table_kept", name=self.table.name))
        except KeyboardInterrupt:
            self.output.print_lines("", self.output.label("table_kept", name=self.table.name))
            raise

    def _play_step(self) -> bool:
        """Ask one thing and handle the answer; return False when there is nothing more."""
        try:
            while steps := self.table.advance_automatically():
                self.output.print_steps(steps, self.seat)
        except JournalError:
            if not self._reload_table():
                raise
            return True
        if self.table.state.stage is OVER:
            self._finish()
            return False
        viewer = self._viewer()
        if not self._hand_over_screen(viewer):
            return True
        self._show_turn(viewer)
        return self._prompt_player(viewer)

    def _viewer(self) -> int | None:
        """Return whose view is shown; None if everything is open."""
        if self.seat is not None or not self.table.is_virtual:
            return self.seat
        people, turn = self.table.human_seats, self.table.state.current_player
        return turn if turn in people else people[0]

    def _hand_over_screen(self, viewer: int | None) -> bool:
        """Hand the screen over to the right player; return False if the table has moved on."""
        several = self.table.is_virtual and self.seat is None and len(self.table.human_seats) > 1
        if not several or viewer is None or viewer == self.seat_at_screen:
            return True
        if self._on_terminal():
            self._clear()
            name = self.table.state.game.names[viewer]
            self.output.print_steps(self.history.list_new_steps(viewer), None)
            self.output.print_lines("", self.output.label("hand_over", player=name), style="bold")
            sys.stdout.flush()
            try:
                line = self.prompt.read_line(PromptRequest(self.output.label("press_enter")))
            except TableChanged:
                self._reload_table()
                return False
            if line:  # whoever has just played may think better of it
                self._handle_late_line(line)
                return False
            self._clear()
        self.seat_at_screen = viewer
        self.shown_turn, self.unfinished_line = (), ""  # another player's half line
        return True

    def _handle_late_line(self, line: str) -> None:
        """Handle a line typed after one's turn: only an undo works, with consent."""
        with contextlib.suppress(CommandError):  # anything else waits for its turn
            command = parse_command(line, self.table.history, self.settings.lang)
            if isinstance(command, UndoCommand):
                self._run_command(line, None)
                self.seat_at_screen = NO_SEAT

    def _print_news(self, viewer: int | None) -> None:
        news = self.history.list_new_steps(viewer)
        if news and len(self.table.human_seats) > 1:
            self.output.print_lines(self.output.label("since_then"))
            self.output.print_steps(news, viewer)
            self.output.print_lines("")
        self.history.mark_seen(viewer)

    def _on_terminal(self) -> bool:
        return is_interactive() and sys.stdout.isatty()

    def _clear(self) -> None:
        """Clear the screen, or scroll everything out of sight if that is impossible."""
        unsteered = self.plain or is_dumb_terminal()
        sys.stdout.write("\n" * get_terminal_size().lines if unsteered else _CLEAR_SCREEN)

    def _show_turn(self, viewer: int | None) -> None:
        """Show the table at the beginning of a turn, and each time what is awaited."""
        state = self.table.state
        setting_up = state.stage is KEEPING and bool(state.draws)
        turn = (state.turns_ended, state.current_player, setting_up, self.seat_at_screen)
        if turn != self.shown_turn:
            self.shown_turn = turn
            self.output.print_lines("")
            self.output.print_table(viewer)
            self.output.print_lines("")
            self._print_news(viewer)
        if self.unseen_steps:
            self.output.print_lines(self.output.label("meanwhile"), style="bold")
            self.output.print_steps(self.unseen_steps, self.seat)
            self.unseen_steps = []
        if state.stage is ADAMS_TURN:
            self.output.print_adam_turn()
        self.output.print_awaited()
        if self.guided and self.choices.is_empty and not self._adam_is_next():
            self.choices.print_menu(viewer)

    def _prompt_player(self, viewer: int | None) -> bool:
        if self._others_turn():
            return self._wait()
        seat = NO_SEAT if viewer is None else viewer
        past = self.history.list_past_lines(seat)
        line = self._read_line(
            PromptRequest(self._message(), self._completions, past, self.unfinished_line, seat)
        )
        if line is None:
            return True
        if line:
            self.history.add_line(seat, line)
        return self._run_line(line, viewer)

    def _others_turn(self) -> bool:
        awaited = get_awaited(self.table.state)
        return (
            self.seat is not None
            and isinstance(awaited, Decision)
            and awaited.player != self.seat
            and awaited.player in self.table.human_seats
        )

    def _wait(self) -> bool:
        """Wait while another player plays elsewhere; return False to leave."""
        names, turn = self.table.state.game.names, self.table.state.current_player
        message = self.output.label("waiting_for", player=names[turn])
        line = self._read_line(
            PromptRequest(f"{message} ", self._completions, initial_text=self.unfinished_line)
        )
        if line is None or self._reload_table() or not line:
            return True
        return self._run_line(line, self.seat)

    def _read_line(self, request: PromptRequest) -> str | None:
        """Read a line; None if the table has changed meanwhile, which is read again then."""
        try:
            line = self.prompt.read_line(request)
        except TableChanged as moved:
            self.unfinished_line = moved.typed
            self._reload_table()
            return None
        self.unfinished_line = ""
        return line

    def _message(self) -> str:
        if self.choices.question:
            return f"{self.choices.question} "
        if self._adam_is_next():
            return self.output.label("press_enter")
        awaited = get_awaited(self.table.state)
        if isinstance(awaited, Decision):
            return f"{self.table.state.game.names[awaited.player]}> "
        return "> "

    def _adam_is_next(self) -> bool:
        return self.table.state.stage is ADAMS_TURN and not self.table.state.draws

    def _completions(self, line: str) -> list[str]:
        viewer = self._viewer()
        legal = self.table.make_view(viewer).legal
        return complete_last_word(line, legal, self.settings.lang, list_repair_commands(self.table))

    # What was typed.

    def _run_line(self, line: str, viewer: int | None) -> bool:
        """Execute a line; return False to leave."""
        try:
            if not line:
                return self._handle_empty_line(viewer)
            photo = parse_photo_answer(line)
            if photo is not None:
                self._answer_with_photo(*photo, viewer)
                return True
            command = self.choices.resolve_line(line, viewer)
            if command is None:
                return True
            question = self._parse_query(command)
            if question:
                return self._answer_query(question, viewer)
            self._run_command(command, viewer)
        except FileError:
            raise
        except CoatlError as error:
            self.choices.clear()
            self.output.print_error(error)
        return True

    def _answer_with_photo(self, path: Path, corrections: str, viewer: int | None) -> None:
        """Answer a draw with a photo: what was read stands in the next prompt, to be confirmed."""
        try:
            answer = self.photos.answer_draws(path, corrections, self.table.state)
        except FileError as error:  # a name that was mistyped
            self.output.print_error(error)
            return
        if isinstance(self.prompt, TerminalPrompt):
            self.output.print_lines(self.output.label("photo_confirm"))
            self.unfinished_line = answer
        else:
            self._run_command(answer, viewer)

    def _handle_empty_line(self, viewer: int | None) -> bool:
        """Handle an empty line: let A.D.A.M. play, or show the choices."""
        if self._adam_is_next():
            self._run_command(get_command_word("adam", self.settings.lang), viewer)
        elif self.table.state.draws:
            self.output.print_awaited()
        else:
            self.choices.print_menu(viewer)
        return True

    def _parse_query(self, line: str) -> QueryCommand | None:
        """Return the query that a line asks; None if it is no query."""
        found = split_commands(line)
        if len(found) > 1:
            return None
        command = parse_command(found[0], self.table.history, self.settings.lang)
        return command if isinstance(command, QueryCommand) else None

    def _run_command(self, line: str, viewer: int | None, force: bool = False) -> None:
        """Run a command for the viewer's seat, asking for consent if it is needed."""
        try:
            steps = self.table.do(line, lang=self.settings.lang, seat=viewer, force=force)
        except ConsentError as error:
            self.output.print_lines(error.text(self.settings.lang))
            if self._ask_consent():
                self._run_command(line, viewer, force=True)
            return
        except JournalError:
            if not self._reload_table():
                raise
            self.output.print_error(CommandError("table.moved_on"))
            return
        self.choices.clear()
        self.output.print_steps(steps, viewer)
        self.history.mark_seen(viewer)

    def _ask_consent(self) -> bool:
        try:
            answer = self.prompt.read_line(PromptRequest(f"{self.output.label('agreed')} "))
        except TableChanged:  # what there was to agree to is no longer the last thing
            self._reload_table()
            raise CommandError("table.moved_on") from None
        return parse_yes_or_no(answer, self.settings.language) is True

    def _reload_table(self) -> bool:
        """Read what others wrote meanwhile; return whether there was anything."""
        steps = self.table.reload_if_changed()
        if steps is None:
            return False
        self.choices.clear()
        self.unseen_steps += steps
        self.history.mark_seen(self.seat)
        return True

    # Questions.

    def _answer_query(self, question: QueryCommand, viewer: int | None) -> bool:
        match question.command:
            case "quit":
                self.output.print_lines(self.output.label("table_kept", name=self.table.name))
                return False
            case "help":
                self._help(viewer)
            case "show":
                self.output.print_table(viewer)
            case "log":
                self.output.print_log(viewer)
            case "score":
                self.output.print_score()
            case "advise":
                self.output.print_advice(viewer, question.argument)
            case "why":
                self.output.print_explanations(viewer)
            case "card":
                self.output.print_cards(question.argument)
            case "menu":
                self.choices.print_menu(viewer)
        return True

    def _help(self, viewer: int | None) -> None:
        """Show what can be typed at this moment, with an example that is possible now."""
        state = self.table.state
        if state.draws and not is_secret_draw(state.draws[0], state):
            self.output.print_lines(self.output.label("help_draws"))
        for key, example in make_command_examples(self.table, viewer, self.settings.lang).items():
            self.output.print_list_item(example, self.output.label(COMMAND_LABELS[key]))
        if not state.draws:
            self.output.print_lines(self.output.label("help_several"))

    def _finish(self) -> None:
        self.output.print_lines("")
        self.output.print_table(self.seat)
        self.output.print_lines("")
        self.output.print_score()
