"""`--fix`: let somebody correct a reading, by single keys at a full screen or line by line."""

from __future__ import annotations

import io
import re
import shutil
import sys
import time
from collections.abc import Callable

import click
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import create_output
from rich.console import Console
from rich.text import Text

from coatl_tools.cards.search import find_cards
from coatl_tools.cli.photo import key_editor as k
from coatl_tools.cli.photo.key_editor import KeyEditor
from coatl_tools.cli.photo.reading_screen import (
    SELECTED_SIGN,
    print_scores,
    render_question,
    render_reading,
    render_short_scores,
)
from coatl_tools.cli.terminal.questions import read_answer
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.table_screen import render_card_cell
from coatl_tools.cli.terminal.text_layout import arrange_in_columns, wrap_text
from coatl_tools.errors import CoatlError, CorrectionError
from coatl_tools.language import Language
from coatl_tools.vision.corrections.correction import (
    SetCard,
    SetPiece,
    parse_corrections,
    parse_piece_text,
)
from coatl_tools.vision.corrections.session import CorrectionSession
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.scores_and_tally import PhotoScoringOptions

# At a full screen, by single keys.

# The editor's names of keys are those of prompt_toolkit.
_KEYS = (k.ENTER, k.ESCAPE, k.BACKSPACE, k.DELETE, k.TAB, k.LEFT, k.RIGHT, k.UP, k.DOWN)
_KEY_NAMES = {
    **{key: key for key in _KEYS},
    "c-j": k.ENTER,  # typed before the screen was there
}


def run_key_editor(
    editor: KeyEditor,
    language: Language,
    scoring: PhotoScoringOptions,
    show_score: Callable[[], None],
) -> None:
    """Let the user correct a reading until done; Ctrl-C raises KeyboardInterrupt."""
    bindings = KeyBindings()

    def handle(event: KeyPressEvent, key: str) -> None:
        editor.handle_key(key, time.monotonic())
        if editor.done:
            event.app.exit()
        elif editor.wants_score:
            editor.wants_score = False
            run_in_terminal(show_score)

    for name, key in _KEY_NAMES.items():
        bindings.add(name, eager=name == "escape")(lambda event, key=key: handle(event, key))

    @bindings.add("<any>")
    def _handle_characters(event: KeyPressEvent) -> None:
        for key in event.data if event.data.isprintable() else "":
            handle(event, key)

    @bindings.add("c-c")
    def _interrupt(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    @bindings.add("c-d")
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit()

    def render() -> ANSI:
        return ANSI(render_screen(editor, language, scoring))

    control = FormattedTextControl(render, focusable=True, show_cursor=False)
    app: Application[None] = Application(
        Layout(Window(control, wrap_lines=False)),
        key_bindings=bindings,
        erase_when_done=True,
        output=create_output(sys.stderr),  # what is printed in the end may be piped on
    )
    app.ttimeoutlen = 0.05  # Escape is a key of its own here
    app.run()


def render_screen(editor: KeyEditor, language: Language, scoring: PhotoScoringOptions) -> str:
    """Render the whole screen, with the control codes of a terminal."""
    size = shutil.get_terminal_size()
    encoding = sys.stdout.encoding or "utf-8"
    buffer = io.StringIO()
    console = Console(file=buffer, force_terminal=True, width=max(20, size.columns - 1))
    screen = Screen(language, console)
    screen.print(*_compose_screen(editor, screen, scoring, size.lines))
    text = buffer.getvalue().rstrip("\n")
    return text.encode(encoding, sys.stdout.errors or "replace").decode(encoding)


def _compose_screen(
    editor: KeyEditor, screen: Screen, scoring: PhotoScoringOptions, height: int
) -> list[Text]:
    session = editor.session
    below = [Text(), *_render_prompt(editor, screen)]
    below += render_short_scores(session.reading, session.catalog, scoring, screen)
    if editor.mode in (k.CARD_MODE, k.NEW_CARD_MODE):
        help_key = "fix_help_card" if editor.help else "fix_hint_card"
    else:
        help_key = "fix_help" if editor.help else "fix_hint"
    below += wrap_text(Text(screen.label(help_key), "dim"), screen.console, screen.width)
    above = render_reading(session.reading, session.catalog, screen, editor.selection)
    room = max(3, height - len(below) - 1)
    if len(above) > room:  # the part around what is selected
        here = next((n for n, line in enumerate(above) if SELECTED_SIGN in line.plain), 0)
        begin = min(max(0, here - room // 2), len(above) - room)
        above = above[begin : begin + room]
    return above + below


def _render_prompt(editor: KeyEditor, screen: Screen) -> list[Text]:
    """Render the error of the last key, the question, and what is being typed."""
    parts: list[Text] = []
    problem, session = editor.current_problem, editor.session
    if editor.message is not None:
        parts.append(Text(f"! {editor.message.text(screen.language.code)}"))
    if editor.mode == k.LINE_MODE:
        return [*_wrap(parts, screen), Text(f"{screen.label('fix_type')} {editor.typed}_")]
    if editor.mode == k.INSERT_MODE:
        return [*_wrap(parts, screen), Text(screen.label("fix_insert"), "bold")]
    picking = editor.mode in (k.CARD_MODE, k.NEW_CARD_MODE)
    if problem is not None:
        parts.append(render_question(problem, session.reading, screen))
    elif not picking:
        key = "fix_more" if session.list_open_problems() else "fix_done"
        parts.append(Text(screen.label(key), "bold"))
    lines = _wrap(parts, screen)
    if picking:
        lines.append(Text(f"{screen.label('ask_card')} {editor.typed}_", "bold"))
        lines += _render_found_cards(editor, screen)
    return lines


def _wrap(parts: list[Text], screen: Screen) -> list[Text]:
    return [line for part in parts for line in wrap_text(part, screen.console, screen.width)]


def _render_found_cards(editor: KeyEditor, screen: Screen) -> list[Text]:
    """Render the cards to pick from."""
    found = editor.find_cards()
    begin = max(0, min(editor.highlight - k.MAX_CARDS_SHOWN // 2, len(found) - k.MAX_CARDS_SHOWN))
    cells = [
        render_card_cell(card, screen, "▶ " if index == editor.highlight else "  ")
        for index, card in enumerate(found)
    ]
    lines = arrange_in_columns(
        cells[begin : begin + k.MAX_CARDS_SHOWN], screen.console, screen.width
    )
    more = len(found) - k.MAX_CARDS_SHOWN
    return [*lines, Text(f"  +{more}")] if more > 0 else lines


# Line by line.

_CORRECTION_START = re.compile(
    r"\s*(\+|\d+\s*\.|c\s*\d+\s*[=@-]|\d+\s*(=\s*\D|[-+~]|[^\W\d_]))", re.IGNORECASE
)


class LineEditor:
    """Asks about every problem, then for corrections, until an empty line or end of input."""

    def __init__(
        self, session: CorrectionSession, screen: Screen, scoring: PhotoScoringOptions
    ) -> None:
        self.session, self._screen, self._scoring = session, screen, scoring

    def run(self) -> None:
        """Let somebody correct the reading of the session until it is done."""
        screen = self._screen
        screen.print(*self._render())
        while True:
            problem = next(iter(self.session.list_open_problems()), None)
            question = (
                render_question(problem, self.session.reading, screen).plain
                if problem
                else screen.label("fix_type")
            )
            try:
                line = read_answer(question)
            except click.Abort:
                return
            if line.lower() == "q" or (not line and problem is None):
                return
            if line == "?":
                screen.print(screen.label("fix_help_lines"))
            elif line.lower() == "s":
                session = self.session
                print_scores(session.reading, session.catalog, self._scoring, screen)
            else:
                self._answer(line, problem)

    def _render(self) -> list[Text]:
        return render_reading(self.session.reading, self.session.catalog, self._screen)

    def _answer(self, line: str, problem: ReadingProblem | None) -> None:
        """Apply a line, and print what it has changed, or what is wrong with it."""
        before = self._render()
        try:
            # `:` begins a correction where single keys are read, so it is understood here too
            self._apply(line.removeprefix(":").lstrip() or line, problem)
        except CoatlError as error:
            self._screen.print(error.text(self._screen.language.code), *error.pointer_lines())
            return
        session = self.session
        self._screen.print(*(text for text in self._render() if text not in before))
        self._screen.print(
            *render_short_scores(session.reading, session.catalog, self._scoring, self._screen)
        )

    def _apply(self, line: str, problem: ReadingProblem | None) -> None:
        """Apply an answer to the question, or else a correction; CoatlError if it is neither."""
        session = self.session
        if line.lower() == "u":
            before = session.undo()
            if before is None:
                raise CorrectionError("fix.no_undo")
            self.session = before
        elif problem is not None and not line:
            self.session = session.apply(session.make_confirmation(problem))
        elif problem is not None and problem.card is not None and not _is_correction(line):
            self.session = session.apply(_parse_card_answer(line, problem.card, session))
        elif problem is not None and problem.piece is not None and not _is_correction(line):
            coatl = 1 if problem.coatl is None else problem.coatl + 1
            answer = SetPiece(coatl, problem.piece + 1, *parse_piece_text(line))
            self.session = session.apply(answer)
        else:
            self.session = session.apply(*parse_corrections(line, session.catalog))


def _is_correction(line: str) -> bool:
    """Tell whether a line is a correction; `3=2` and `29` only describe a card."""
    return _CORRECTION_START.match(line) is not None


def _parse_card_answer(line: str, card: int, session: CorrectionSession) -> SetCard:
    """Find the card that a few characters name; CorrectionError if there is none, or several."""
    found = find_cards(line, tuple(session.catalog), session.reading.cards[card].candidates)
    if not found:
        raise CorrectionError("fix.no_such_card", text=line)
    if len(found) > 1 and found[0].id.lower() != line.strip().lower():
        ids = ", ".join(one.id for one in found[: k.MAX_CARDS_SHOWN])
        raise CorrectionError("fix.several_cards", text=line, n=len(found), ids=ids)
    return SetCard(card + 1, found[0].id)
