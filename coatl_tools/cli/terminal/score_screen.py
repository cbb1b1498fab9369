"""Draw the score sheet of a Cóatl in a terminal."""

from __future__ import annotations

from rich.text import Text

from coatl_tools.cli.terminal.screen import GridColumn, Screen
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.score import CardScore
from coatl_tools.scoring.score_sheet import (
    ScoredCardEntry,
    ScoreSheet,
    TextWithColours,
    describe_next_level,
    describe_scoreboard_place,
    explain_card_score,
    format_sheet_note,
)


def print_score_sheet(sheet: ScoreSheet, screen: Screen, level3: bool) -> None:
    """Print the numbered Cóatl, a table of cards, the total and its place on the scoreboard."""
    screen.print(*screen.render_coatl(sheet.coatl), "")
    if sheet.best is None:
        _print_cards(sheet, screen)
        if any(line.next_level and line.next_level.extension for line in sheet.lines):
            screen.print(Text(screen.label("ellipsis"), "dim"))
    elif sheet.lines:
        screen.print(screen.label("fulfils", len(sheet.lines)), "")
        _print_cards(sheet, screen)
        screen.print("", Text(screen.label("best_set_level3" if level3 else "best_set"), "bold"))
        for found in sheet.best.scores:
            asked = screen.render_requirement(found.card.requirement)
            screen.print(Text.assemble(f"  {found.card.id:<5} {found.points:>3}   ", asked))
    else:
        screen.print(screen.label("fulfils_none"))
    where = describe_scoreboard_place(sheet.total, screen.language)
    screen.print("", Text(screen.label("total", total=sheet.total), "bold"), where)
    for note in sheet.notes:
        screen.print(format_sheet_note(note, screen.language))


def _print_cards(sheet: ScoreSheet, screen: Screen) -> None:
    with_next = sheet.best is None
    columns = [
        GridColumn(screen.label("card")),
        GridColumn(screen.label("asks"), ratio=3),
        GridColumn(screen.label("level")),
        GridColumn(screen.label("points"), justify="right"),
        GridColumn(screen.label("pieces"), ratio=2),
    ]
    if with_next:
        columns.append(GridColumn(screen.label("next"), ratio=2))
    rows = [_make_row(line, sheet.coatl, screen)[: len(columns)] for line in sheet.lines]
    screen.print_grid(columns, rows, spaced=with_next)


def _make_row(line: ScoredCardEntry, coatl: Coatl, screen: Screen) -> list[Text]:
    found = line.score
    level = screen.label("level_of", level=found.level, levels=len(found.card.levels))
    return [
        Text(found.card.id),
        screen.render_requirement(found.card.requirement),
        Text(level),
        Text(str(found.points)),
        _render_reason(found, coatl, screen),
        _render_text(describe_next_level(line.next_level, coatl, screen.language), screen),
    ]


def _render_reason(found: CardScore, coatl: Coatl, screen: Screen) -> Text:
    """Render which pieces a card uses; for conditions, whether they hold and why."""
    said = explain_card_score(found, coatl, screen.language)
    return Text("\n").join(_render_text(saying, screen) for saying in said)


def _render_text(saying: TextWithColours, screen: Screen) -> Text:
    return Text.assemble(*(screen.render_colour(p) if isinstance(p, Colour) else p for p in saying))
