"""A score sheet on the screen, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from coatl_tools.cards.requirement import parts_of
from coatl_tools.cli.screen import Column, Screen
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.reach import Extension
from coatl_tools.scoring.score import CardScore
from coatl_tools.scoring.scoreboard import scoreboard
from coatl_tools.scoring.sheet import Line, NextLevel, Sheet
from coatl_tools.scoring.sheet_words import COUNTABLE, following, note_text, reasons


def print_sheet(sheet: Sheet, screen: Screen, level3: bool) -> None:
    """The Cóatl with numbered pieces, a table of cards, the total and where it stands."""
    screen.print(*screen.coatl(sheet.coatl), "")
    if sheet.best is None:
        _print_cards(sheet, screen)
        if any(line.next_level and line.next_level.extension for line in sheet.lines):
            screen.print(Text(screen.label("ellipsis"), "dim"))
    elif sheet.lines:
        screen.print(screen.label("fulfils", len(sheet.lines)), "")
        _print_cards(sheet, screen)
        screen.print("", Text(screen.label("best_set_level3" if level3 else "best_set"), "bold"))
        for found in sheet.best.scores:
            asked = screen.asks(found.card.requirement)
            screen.print(Text.assemble(f"  {found.card.id:<5} {found.points:>3}   ", asked))
    else:
        screen.print(screen.label("fulfils_none"))
    tokens, position = scoreboard(sheet.total)
    where = screen.label("scoreboard_tokens" if tokens else "scoreboard", tokens, position=position)
    screen.print("", Text(screen.label("total", total=sheet.total), "bold"), where)
    for note in sheet.notes:
        screen.print(note_text(note, screen.language))


def _print_cards(sheet: Sheet, screen: Screen) -> None:
    with_next = sheet.best is None
    columns = [
        Column(screen.label("card")),
        Column(screen.label("asks"), ratio=3),
        Column(screen.label("level")),
        Column(screen.label("points"), justify="right"),
        Column(screen.label("pieces"), ratio=2),
    ]
    if with_next:
        columns.append(Column(screen.label("next"), ratio=2))
    rows = [_cells(line, sheet.coatl, screen)[: len(columns)] for line in sheet.lines]
    screen.table(columns, rows, spaced=with_next)


def _cells(line: Line, coatl: Coatl, screen: Screen) -> list[Text]:
    found = line.score
    level = screen.label("level_of", level=found.level, levels=len(found.card.levels))
    return [
        Text(found.card.id),
        screen.asks(found.card.requirement),
        Text(level),
        Text(str(found.points)),
        _reason(found, coatl, screen),
        _next(line.next_level, coatl, screen),
    ]


def _reason(found: CardScore, coatl: Coatl, screen: Screen) -> Text:
    """Which pieces a card uses; for conditions, whether they hold and what there is."""
    said = reasons(found, coatl, screen.language)
    return Text("\n").join(
        Text.assemble(*(screen.colour(p) if isinstance(p, Colour) else p for p in saying))
        for saying in said
    )


def _next(level: NextLevel | None, coatl: Coatl, screen: Screen) -> Text:
    found = following(level, coatl, screen.language)
    if found.extension is None:
        return Text(found.words)
    return Text.assemble(found.words, _extension(found.extension, screen))


def _extension(extension: Extension, screen: Screen) -> Text:
    """Pieces to attach around "…", which stands for the Cóatl."""
    before = [screen.colour(colour) for colour in extension.head_end]
    behind = [screen.colour(colour) for colour in extension.tail_end]
    row = screen.row([*before, Text("…"), *behind])
    return Text.assemble("<" * extension.head, row, ">" * extension.tail)


def sheet_json(sheet: Sheet, language: Language) -> dict[str, Any]:
    """The sheet for programs."""
    tokens, position = scoreboard(sheet.total)
    data: dict[str, Any] = {
        "coatl": str(sheet.coatl),
        "cards": [_line_json(line, sheet) for line in sheet.lines],
        "total": sheet.total,
        "scoreboard": {"tokens": tokens, "position": position},
        "complete": sheet.coatl.complete,
        "notes": [note_text(note, language) for note in sheet.notes],
    }
    if sheet.best is not None:
        data["best"] = {
            "cards": [_score_json(found) for found in sheet.best.scores],
            "total": sheet.best.total,
        }
    return data


def _line_json(line: Line, sheet: Sheet) -> dict[str, Any]:
    data = _score_json(line.score)
    if sheet.best is None:
        data["next"] = None if line.next_level is None else _next_json(line.next_level)
    return data


def _score_json(found: CardScore) -> dict[str, Any]:
    parts = list(zip(parts_of(found.card.requirement), found.parts, strict=True))
    data: dict[str, Any] = {"id": found.card.id}
    if isinstance(found.card.requirement, COUNTABLE):
        data["count"] = found.count
    else:
        data["met"] = list(found.met)
    data |= {"level": found.level, "points": found.points}
    if any(isinstance(part, COUNTABLE) for part, _ in parts):
        data["occurrences"] = [list(places) for places in found.occurrences]
    return data


def _next_json(following: NextLevel) -> dict[str, Any]:
    extension = following.extension
    data: dict[str, Any] = {"level": following.number, "points": following.level.points}
    if extension is None:
        return {**data, "pieces": None, **({} if following.known else {"known": False})}
    return {
        **data,
        "pieces": len(extension),
        "head_end": "<" * extension.head + _letters(extension.head_end),
        "tail_end": _letters(extension.tail_end) + ">" * extension.tail,
    }


def _letters(colours: Iterable[Colour]) -> str:
    return "".join(colour.name for colour in colours)
