"""Correcting a reading at a terminal: one screen, one key for most corrections."""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from coatl_tools.cli.arrange import columns, wrapped
from coatl_tools.cli.photo import keys as k
from coatl_tools.cli.photo.keys import Keys
from coatl_tools.cli.photo.scores import Scoring, short_scores
from coatl_tools.cli.photo.session import Session
from coatl_tools.cli.photo.shown import question, reading_lines
from coatl_tools.cli.screen import Screen
from coatl_tools.cli.seats import card_cell
from coatl_tools.language import Language

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

_KEYS = {
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


def fix_at_terminal(
    session: Session, language: Language, how: Scoring, show_score: Callable[[], None]
) -> None:
    """Let somebody correct a reading until it is done; KeyboardInterrupt for Ctrl-C."""
    from prompt_toolkit.application import Application, run_in_terminal
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window
    from prompt_toolkit.output import create_output

    keys = Keys(session)
    bindings: KeyBindings = KeyBindings()

    def pressed(event: KeyPressEvent, key: str) -> None:
        keys.press(key, time.monotonic())
        if keys.done:
            event.app.exit()
        elif keys.wants_score:
            keys.wants_score = False
            run_in_terminal(show_score)

    for name, key in _KEYS.items():
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
        return ANSI(screen_text(keys, language, how))

    control = FormattedTextControl(shown, focusable=True, show_cursor=False)
    app: Application[None] = Application(
        Layout(Window(control, wrap_lines=False)),
        key_bindings=bindings,
        erase_when_done=True,
        output=create_output(sys.stderr),  # what is printed in the end may be piped on
    )
    app.ttimeoutlen = 0.05  # Escape is a key of its own here
    app.run()


def screen_text(keys: Keys, language: Language, how: Scoring) -> str:
    """The whole screen, with what steers a terminal."""
    size = shutil.get_terminal_size()
    encoding = sys.stdout.encoding or "utf-8"
    buffer = io.StringIO()
    console = Console(file=buffer, force_terminal=True, width=max(20, size.columns - 1))
    screen = Screen(language, console)
    screen.print(*_lines(keys, screen, how, size.lines))
    text = buffer.getvalue().rstrip("\n")
    return text.encode(encoding, sys.stdout.errors or "replace").decode(encoding)


def _lines(keys: Keys, screen: Screen, how: Scoring, height: int) -> list[Text]:
    session = keys.session
    below = [Text(), *_asked(keys, screen)]
    below += short_scores(session.reading, session.catalog, how, screen)
    if keys.mode in (k.CARD, k.NEW_CARD):
        help_key = "fix_help_card" if keys.help else "fix_hint_card"
    else:
        help_key = "fix_help" if keys.help else "fix_hint"
    below += wrapped(Text(screen.label(help_key), "dim"), screen.console, screen.width)
    above = reading_lines(session.reading, session, screen, keys.chosen)
    room = max(3, height - len(below) - 1)
    if len(above) > room:  # the part around what is chosen
        here = next((n for n, line in enumerate(above) if "▶" in line.plain), 0)
        begin = min(max(0, here - room // 2), len(above) - room)
        above = above[begin : begin + room]
    return above + below


def _asked(keys: Keys, screen: Screen) -> list[Text]:
    """The question, what is being typed, and what is wrong."""
    lines: list[Text] = []
    doubt, session = keys.doubt, keys.session
    if keys.message is not None:
        wrong = Text(f"! {keys.message.text(screen.language.code)}")
        lines += wrapped(wrong, screen.console, screen.width)
    if keys.mode == k.LINE:
        lines.append(Text(f"{screen.label('fix_type')} {keys.typed}_"))
    elif keys.mode == k.INSERT:
        lines.append(Text(screen.label("fix_insert"), "bold"))
    elif keys.mode in (k.CARD, k.NEW_CARD):
        if doubt is not None:
            lines += wrapped(question(doubt, session, screen), screen.console, screen.width)
        which = screen.label("ask_card")
        lines.append(Text(f"{which} {keys.typed}_", "bold"))
        lines += _found(keys, screen)
    elif doubt is not None:
        lines += wrapped(question(doubt, session, screen), screen.console, screen.width)
    else:
        key = "fix_more" if session.doubts() else "fix_done"
        lines += wrapped(Text(screen.label(key), "bold"), screen.console, screen.width)
    return lines


def _found(keys: Keys, screen: Screen) -> list[Text]:
    """The cards to pick from."""
    found = keys.found()
    begin = max(0, min(keys.highlight - k.MOST_SHOWN // 2, len(found) - k.MOST_SHOWN))
    cells = [
        card_cell(card, screen, "▶ " if index == keys.highlight else "  ")
        for index, card in enumerate(found)
    ]
    lines = columns(cells[begin : begin + k.MOST_SHOWN], screen.console, screen.width)
    more = len(found) - k.MOST_SHOWN
    return [*lines, Text(f"  +{more}")] if more > 0 else lines
