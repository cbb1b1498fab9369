"""`--fix`: let somebody correct a reading, by single keys at a full screen or line by line."""

from __future__ import annotations

import io
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import create_output
from rich.console import Console
from rich.text import Text

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cards.search import find_cards
from coatl_tools.cli.common_options import Settings
from coatl_tools.cli.photo import key_editor as k
from coatl_tools.cli.photo.key_editor import MAX_CARDS_SHOWN, KeyEditor
from coatl_tools.cli.photo.rendering import (
    format_as_arguments,
    print_scores,
    render_question,
    render_reading,
    render_short_scores,
)
from coatl_tools.cli.terminal.questions import read_answer
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import is_dumb_terminal, is_interactive
from coatl_tools.cli.terminal.table_screen import render_card_cell
from coatl_tools.cli.terminal.text_layout import arrange_in_columns, wrap_text
from coatl_tools.errors import (
    CoatlError,
    CorrectionError,
    FileError,
    NotationError,
    escape_unprintable,
)
from coatl_tools.language import Language
from coatl_tools.vision.corrections.correction import SetCard, SetPiece
from coatl_tools.vision.corrections.session import CorrectionSession
from coatl_tools.vision.corrections.syntax import parse_corrections, parse_piece_text
from coatl_tools.vision.output.files import PhotoOutputFiles
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import PhotoReading, ReadingProblem
from coatl_tools.vision.scores_and_tally import PhotoScoringOptions
from coatl_tools.vision.trace import Trace

_KEY_NAMES = {
    "enter": k.ENTER,
    "c-j": k.ENTER,  # typed before the screen was there
    "escape": k.ESCAPE,
    "backspace": k.BACKSPACE,
    "delete": k.DELETE,
    "tab": k.TAB,
    "left": k.LEFT,
    "right": k.RIGHT,
    "up": k.UP,
    "down": k.DOWN,
}


def correct_at_terminal(
    session: CorrectionSession,
    language: Language,
    how: PhotoScoringOptions,
    show_score: Callable[[], None],
) -> None:
    """Let somebody correct a reading until it is done; KeyboardInterrupt for Ctrl-C."""
    keys = KeyEditor(session)
    bindings: KeyBindings = KeyBindings()

    def pressed(event: KeyPressEvent, key: str) -> None:
        keys.press(key, time.monotonic())
        if keys.done:
            event.app.exit()
        elif keys.wants_score:
            keys.wants_score = False
            run_in_terminal(show_score)

    for name, key in _KEY_NAMES.items():
        bindings.add(name, eager=name == "escape")(lambda event, key=key: pressed(event, key))

    @bindings.add("<any>")
    def _any(event: KeyPressEvent) -> None:
        for key in event.data if event.data.isprintable() else "":
            pressed(event, key)

    @bindings.add("c-c")
    def _interrupted(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    @bindings.add("c-d")
    def _left(event: KeyPressEvent) -> None:
        event.app.exit()

    def shown() -> ANSI:
        return ANSI(render_screen(keys, language, how))

    control = FormattedTextControl(shown, focusable=True, show_cursor=False)
    app: Application[None] = Application(
        Layout(Window(control, wrap_lines=False)),
        key_bindings=bindings,
        erase_when_done=True,
        output=create_output(sys.stderr),  # what is printed in the end may be piped on
    )
    app.ttimeoutlen = 0.05  # Escape is a key of its own here
    app.run()


def render_screen(keys: KeyEditor, language: Language, how: PhotoScoringOptions) -> str:
    """The whole screen, with what steers a terminal."""
    size = shutil.get_terminal_size()
    encoding = sys.stdout.encoding or "utf-8"
    buffer = io.StringIO()
    console = Console(file=buffer, force_terminal=True, width=max(20, size.columns - 1))
    screen = Screen(language, console)
    screen.print(*_compose_screen(keys, screen, how, size.lines))
    text = buffer.getvalue().rstrip("\n")
    return text.encode(encoding, sys.stdout.errors or "replace").decode(encoding)


def _compose_screen(
    keys: KeyEditor, screen: Screen, how: PhotoScoringOptions, height: int
) -> list[Text]:
    session = keys.session
    below = [Text(), *_render_prompt(keys, screen)]
    below += render_short_scores(session.reading, session.catalog, how, screen)
    if keys.mode in (k.CARD_MODE, k.NEW_CARD_MODE):
        help_key = "fix_help_card" if keys.help else "fix_hint_card"
    else:
        help_key = "fix_help" if keys.help else "fix_hint"
    below += wrap_text(Text(screen.label(help_key), "dim"), screen.console, screen.width)
    above = render_reading(session.reading, session, screen, keys.chosen)
    room = max(3, height - len(below) - 1)
    if len(above) > room:  # the part around what is chosen
        here = next((n for n, line in enumerate(above) if "▶" in line.plain), 0)
        begin = min(max(0, here - room // 2), len(above) - room)
        above = above[begin : begin + room]
    return above + below


def _render_prompt(keys: KeyEditor, screen: Screen) -> list[Text]:
    """The question, what is being typed, and what is wrong."""
    lines: list[Text] = []
    doubt, session = keys.doubt, keys.session
    if keys.message is not None:
        wrong = Text(f"! {keys.message.text(screen.language.code)}")
        lines += wrap_text(wrong, screen.console, screen.width)
    if keys.mode == k.LINE_MODE:
        lines.append(Text(f"{screen.label('fix_type')} {keys.typed}_"))
    elif keys.mode == k.INSERT_MODE:
        lines.append(Text(screen.label("fix_insert"), "bold"))
    elif keys.mode in (k.CARD_MODE, k.NEW_CARD_MODE):
        if doubt is not None:
            lines += wrap_text(
                render_question(doubt, session, screen), screen.console, screen.width
            )
        which = screen.label("ask_card")
        lines.append(Text(f"{which} {keys.typed}_", "bold"))
        lines += _render_found_cards(keys, screen)
    elif doubt is not None:
        lines += wrap_text(render_question(doubt, session, screen), screen.console, screen.width)
    else:
        key = "fix_more" if session.doubts() else "fix_done"
        lines += wrap_text(Text(screen.label(key), "bold"), screen.console, screen.width)
    return lines


def _render_found_cards(keys: KeyEditor, screen: Screen) -> list[Text]:
    """The cards to pick from."""
    found = keys.found()
    begin = max(0, min(keys.highlight - k.MAX_CARDS_SHOWN // 2, len(found) - k.MAX_CARDS_SHOWN))
    cells = [
        render_card_cell(card, screen, "▶ " if index == keys.highlight else "  ")
        for index, card in enumerate(found)
    ]
    lines = arrange_in_columns(
        cells[begin : begin + k.MAX_CARDS_SHOWN], screen.console, screen.width
    )
    more = len(found) - k.MAX_CARDS_SHOWN
    return [*lines, Text(f"  +{more}")] if more > 0 else lines


_CORRECTION_START = re.compile(
    r"\s*(\+|\d+\s*\.|c\s*\d+\s*[=@-]|\d+\s*(=\s*\D|[-+~]|[^\W\d_]))", re.IGNORECASE
)


def correct_by_lines(session: CorrectionSession, screen: Screen, how: PhotoScoringOptions) -> None:
    """Ask about every doubt, then for corrections, until an empty line or the end of the input."""
    screen.print(*render_reading(session.reading, session, screen))
    while True:
        doubt = next(iter(session.doubts()), None)
        asked = render_question(doubt, session, screen).plain if doubt else screen.label("fix_type")
        try:
            line = read_answer(asked)
        except click.Abort:
            return
        if line.lower() == "q" or (not line and doubt is None):
            return
        if line == "?":
            screen.print(screen.label("fix_help_lines"))
            continue
        if line.lower() == "s":
            print_scores(session.reading, session.catalog, how, screen)
            continue
        before = render_reading(session.reading, session, screen)
        try:
            _apply_answer(line.removeprefix(":").lstrip() or line, doubt, session)  # as with keys
        except CoatlError as error:
            screen.print(error.text(screen.language.code))
            if isinstance(error, NotationError):
                screen.print(*(f"  {part}" for part in error.pointer().splitlines()))
            continue
        after = render_reading(session.reading, session, screen)
        screen.print(*(one for one in after if one not in before))
        screen.print(*render_short_scores(session.reading, session.catalog, how, screen))


def _apply_answer(line: str, doubt: ReadingProblem | None, session: CorrectionSession) -> None:
    """An answer to the question, or else a correction; CoatlError if it is neither."""
    if line.lower() == "u":
        if not session.undo():
            raise CorrectionError("fix.no_undo")
        return
    if doubt is not None and not line:
        session.confirm(doubt)
    elif doubt is not None and doubt.card is not None and not _is_correction(line):
        _pick_card(line, doubt.card, session)
    elif doubt is not None and doubt.piece is not None and not _is_correction(line):
        coatl = 1 if doubt.coatl is None else doubt.coatl + 1
        session.apply(SetPiece(coatl, doubt.piece + 1, *parse_piece_text(line)))
    else:
        session.apply(*parse_corrections(line, session.catalog))


def _is_correction(line: str) -> bool:
    """Whether a line says itself what it is about; `3=2` and `29` are what a card shows."""
    return _CORRECTION_START.match(line) is not None


def _pick_card(line: str, card: int, session: CorrectionSession) -> None:
    """The card that a few characters name; CorrectionError with the candidates if several do."""
    found = find_cards(line, session.cards, session.reading.cards[card].candidates)
    if not found:
        raise CorrectionError("fix.no_such_card", text=line)
    if len(found) > 1 and found[0].id.lower() != line.strip().lower():
        ids = ", ".join(one.id for one in found[:MAX_CARDS_SHOWN])
        raise CorrectionError("fix.several_cards", text=line, n=len(found), ids=ids)
    session.apply(SetCard(card + 1, found[0].id))


def correct_interactively(
    picture: Picture,
    reading: PhotoReading,
    catalog: Catalog,
    settings: Settings,
    how: PhotoScoringOptions,
    folder: Path,
) -> PhotoReading:
    """Let somebody correct a reading, key by key or line by line; the overlay goes into a folder.

    Says where the overlay is, and at the end, also after Ctrl-C, the same corrections as arguments.
    """
    screen = Screen(settings.language, Console(stderr=True))
    _write_overlay(picture, reading, folder, screen)
    session = CorrectionSession(reading, catalog)
    try:
        if is_interactive() and screen.console.is_terminal and not is_dumb_terminal():

            def show_score() -> None:
                print_scores(session.reading, catalog, how, screen)

            correct_at_terminal(session, settings.language, how, show_score)
        else:
            correct_by_lines(session, screen, how)
    finally:  # whatever happens, nobody has to find out again what was said
        if session.corrections:
            said = format_as_arguments(session.corrections)
            click.echo(screen.label("fix_arguments", corrections=said), err=True)
    if session.corrections:
        _write_overlay(picture, session.reading, folder, screen)
    return session.reading


def _write_overlay(picture: Picture, reading: PhotoReading, folder: Path, screen: Screen) -> None:
    """Write the photo with its reading drawn on it, and say where; FileError."""
    try:
        files = PhotoOutputFiles(folder, None, screen.language, [picture.path])
        for label, path in files.write(picture, reading, Trace()):
            click.echo(
                screen.label(label, path=escape_unprintable(str(path))), err=True
            )  # in one line, whole
    except FileError as error:
        raise FileError("fix.no_overlay", reason=error.spoken) from error
