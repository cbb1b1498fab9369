"""Draws the README's picture: `python docs/pictures.py` writes docs/score.svg."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from coatl_tools import load_cards, parse
from coatl_tools.cli.scoresheet import print_sheet
from coatl_tools.cli.screen import Screen
from coatl_tools.language import load_language
from coatl_tools.scoring.sheet import score_set

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


def main() -> None:
    """Draw a card and a score sheet as the terminal shows them."""
    console = Console(
        record=True, width=84, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    screen = Screen(load_language("en"), console)
    cards = load_cards()
    screen.print(Text("$ coatl cards show P41", "bold"), screen.card(cards["P41"]), "")
    screen.print(Text('$ coatl score "<BBRBBKRBBYY" P29 P10 P41 T03', "bold"))
    chosen = [cards[card_id] for card_id in ("P29", "P10", "P41", "T03")]
    print_sheet(score_set(parse("<BBRBBKRBBYY"), chosen), screen, level3=False)
    svg = console.export_svg(theme=DEFAULT_TERMINAL_THEME, code_format=FORMAT, unique_id="coatl")
    Path(__file__).with_name("score.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
