"""Draws the README's pictures: `python -m docs.pictures` writes docs/*.svg, copy.png, photo.jpg."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from coatl_tools import load_cards, parse_coatl
from coatl_tools.cli.terminal.score_screen import print_score_sheet
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.table_output import TableOutput
from coatl_tools.language import load_language
from coatl_tools.players import choose_event, get_bot
from coatl_tools.referee import Journal, Table, TableHeader
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.rules import GameState, Stage, TableOptions
from coatl_tools.scoring.score_sheet import score_card_set
from coatl_tools.vision.output.overlay import render_overlay
from coatl_tools.vision.picture import load_picture
from coatl_tools.vision.reader import read_photo
from docs.table_picture import copy

# No title bar, no fonts from elsewhere: whatever monospaced font the reader has.
FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="#ffffff" stroke="#d0d0d0" width="{width}" height="{height}" rx="8"/>
<g transform="translate(14, 18)" class="{unique_id}-matrix">
{backgrounds}{matrix}
</g>
</svg>
"""
ENGLISH = load_language("en")
HERE = Path(__file__).parent


def recorder() -> Console:
    """Return a terminal that remembers what it showed."""
    return Console(
        record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )


def save(console: Console, name: str) -> None:
    """Write what a terminal showed as a picture."""
    svg = console.export_svg(theme=DEFAULT_TERMINAL_THEME, code_format=FORMAT, unique_id="coatl")
    (HERE / name).write_text(svg, "utf-8")


def photo() -> None:
    """Draw a photo with what was read in it, and its score."""
    picture = load_picture(HERE / "example-photo.jpg")
    reading = read_photo(picture, load_cards())
    drawn = render_overlay(picture, reading, ENGLISH)
    small = cv2.resize(drawn, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(HERE / "photo.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 80])
    (seen,) = reading.coatls
    assert seen.sure
    assert seen.coatl is not None
    cards = load_cards()
    console = recorder()
    console.print(Text("$ coatl score --photo docs/example-photo.jpg P01 P16 P29 P11 T02", "bold"))
    sheet = score_card_set(
        seen.coatl, [cards[name] for name in ("P01", "P16", "P29", "P11", "T02")]
    )
    print_score_sheet(sheet, Screen(ENGLISH, console), False)
    save(console, "photo.svg")


def score() -> None:
    """Draw a card and a score sheet."""
    console = recorder()
    screen, cards = Screen(ENGLISH, console), load_cards()
    screen.print(Text("$ coatl cards show P41", "bold"), screen.render_card(cards["P41"]), "")
    screen.print(Text('$ coatl score "<BBRBBKRBBYY" P29 P10 P41 T03', "bold"))
    chosen = [cards[card_id] for card_id in ("P29", "P10", "P41", "T03")]
    print_score_sheet(score_card_set(parse_coatl("<BBRBBKRBBYY"), chosen), screen, level3=False)
    save(console, "score.svg")


def table_until(
    folder: str, options: TableOptions, seed: int, enough: Callable[[GameState], bool]
) -> Table:
    """Return a table that the bot has played up to some moment."""
    header = TableHeader(options, load_cards().deck(), seed)
    table = Table(Journal.create(f"{folder}/evening.jsonl", header))
    table.advance_automatically()
    while not enough(table.state):
        event = choose_event(
            table.state, min(table.state.current_player, table.state.game.size - 1), BOT, seed
        )
        table.do(format_command(event, "en"))
    return table


BOT = get_bot("random")


def midgame() -> None:
    """Draw a table in the middle of a game, and a turn typed at it."""
    with tempfile.TemporaryDirectory() as folder:
        options = TableOptions(players=("North", "South"))
        table = table_until(
            folder,
            options,
            274,
            lambda s: s.turns_ended >= 38 and s.current_player == 0 and s.stage is Stage.READY,
        )
        console = recorder()
        output = TableOutput(table, ENGLISH, plain=False)
        output.screen = Screen(ENGLISH, console)
        console.print(Text("$ coatl table play evening", "bold"))
        output.print_table(0)
        output.print_lines("")
        output.print_awaited()
        for line in ("take 12", "take 3"):
            console.print(Text(f"North> {line}", "bold"), highlight=False)
            try:
                output.print_steps(table.do(line), 0)
            except Exception as error:  # what the rules say to it is part of the picture
                console.print(f"Error: {error}", highlight=False, markup=False)
        save(console, "table.svg")


def solo() -> None:
    """Draw A.D.A.M.’s turn, explained."""
    with tempfile.TemporaryDirectory() as folder:
        options = TableOptions(players=("Ana",), levels=(2,))
        table = table_until(
            folder, options, 11, lambda s: s.turns_ended >= 20 and s.stage is Stage.ADAMS_TURN
        )
        console = recorder()
        output = TableOutput(table, ENGLISH, plain=False)
        output.screen = Screen(ENGLISH, console)
        console.print(Text("$ coatl table play evening", "bold"))
        output.print_table(0)
        output.print_lines("")
        output.print_adam_turn()
        output.print_awaited()
        console.print(output.label("press_enter"))
        save(console, "solo.svg")


if __name__ == "__main__":
    score()
    photo()
    midgame()
    solo()
    copy(HERE / "copy.png")
