"""Render a reading in the terminal: pieces, cards, problems, questions and scores.

`print_reading` prints every detail; `render_reading` makes the short form that `--fix` shows. Both
are made of the same parts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.score_screen import print_score_sheet
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.table_screen import render_card_cell
from coatl_tools.cli.terminal.text_layout import TextCell, flow_parts, indent_lines, wrap_text
from coatl_tools.errors import escape_unprintable
from coatl_tools.language import describe_piece
from coatl_tools.notation import format_piece
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.corrections.session import list_likely_guesses
from coatl_tools.vision.reading import (
    PhotoReading,
    ReadingProblem,
    SeenCard,
    SeenPiece,
    describe_problem,
    format_confidence,
)
from coatl_tools.vision.scores_and_tally import (
    PhotoScoringOptions,
    find_scoring_obstacles,
    make_score_sheet,
)

DOUBTFUL_SIGN, CORRECTED_SIGN, AS_READ_SIGN, SELECTED_SIGN = "?", "✓", " ", "▶"
Selection: TypeAlias = tuple[str, int, int]  # "piece", Cóatl and piece; "card", card and 0


# Parts.


def render_piece(colour: Colour, kind: PieceKind, screen: Screen) -> Text:
    """Render a piece as it is written, with its symbol, on its colour."""
    return screen.render_piece(format_piece(colour, kind))


def render_named_piece(colour: Colour, kind: PieceKind, screen: Screen) -> Text:
    """Render a piece with its name; of a body segment only the colour is named."""
    language = screen.language
    body = kind is PieceKind.BODY
    name = language.colours[colour]["name"] if body else describe_piece(colour, kind, language)
    return Text.assemble(render_piece(colour, kind, screen), " ", name)


def _render_lead(number: str, doubtful: bool, corrected: bool, selected: bool) -> Text:
    """Render the number of a piece or card between the signs for selected and for doubtful."""
    sign = DOUBTFUL_SIGN if doubtful else CORRECTED_SIGN if corrected else AS_READ_SIGN
    style = "bold reverse" if selected else "bold"
    return Text(f"{SELECTED_SIGN if selected else ' '}{number}{sign}", style)


def render_problems(problems: Iterable[ReadingProblem], screen: Screen) -> list[Text]:
    """Render what is not sure, and what would help; serious problems have a sign of their own."""
    lines: list[Text] = []
    for problem in problems:
        sign, style = (DOUBTFUL_SIGN, "bold") if problem.serious else ("·", "")
        text = Text(escape_unprintable(describe_problem(problem, screen.language)), style)
        wrapped = wrap_text(text, screen.console, screen.width - 2)
        lines += indent_lines(wrapped, Text(f"{sign} ", "bold"))
    return lines


# The short form.


def render_reading(
    reading: PhotoReading, catalog: Catalog, screen: Screen, selection: Selection | None = None
) -> list[Text]:
    """Render all Cóatls and cards; if something is selected, only its Cóatl in full."""
    lines: list[Text] = []
    doubtful = {(p.coatl, p.piece) for p in reading.serious_problems if p.coatl is not None}
    for index, seen in enumerate(reading.coatls):
        unsure = any(coatl == index for coatl, _ in doubtful)
        state = screen.label("fix_not_sure" if unsure else "fix_sure")
        name, text = screen.label("result_coatl", index + 1), seen.notation
        lines.append(
            Text.assemble((name, "bold"), f"  {text}  " if text else "  ", (state, "italic"))
        )
        if selection is not None and selection[:2] != ("piece", index) and len(reading.coatls) > 1:
            continue
        cells = [
            Text.assemble(
                _render_lead(
                    f"{place + 1:>2}",
                    (index, place) in doubtful,
                    piece.corrected,
                    selection == ("piece", index, place),
                ),
                " ",
                render_named_piece(piece.colour, piece.kind, screen),
            )
            for place, piece in enumerate(seen.pieces)
        ]
        width = max(cell.cell_len for cell in cells)
        for cell in cells:
            cell.pad_right(width - cell.cell_len)
        rows = flow_parts(cells, screen.console, screen.width - 2)
        for row in rows:
            row.rstrip()
        lines += indent_lines(rows, Text("  "))
    unsure_cards = {problem.card for problem in reading.serious_problems}
    width = len(f"c{len(reading.cards)}")
    for index, card in enumerate(reading.cards):
        lead = _render_lead(
            f"c{index + 1}".rjust(width),
            index in unsure_cards,
            card.corrected,
            selection == ("card", index, 0),
        )
        lines += _render_card(card, lead, catalog, screen)
    return lines


def _render_card(card: SeenCard, lead: Text, catalog: Catalog, screen: Screen) -> list[Text]:
    """Render a card: what it asks or what it may be, and the Cóatl that it lies beside."""
    place = "–" if card.coatl is None else screen.label("result_coatl", card.coatl + 1)
    if card.id is None:
        what = [screen.label("fix_unread"), ", ".join(card.candidates[:5])]
        return [Text.assemble(lead, " ", " ".join(filter(None, what)), f"  → {place}")]
    cell = render_card_cell(catalog[card.id], screen)
    shown = TextCell(
        Text.assemble(lead, " ", cell.lead), cell.middle, Text.assemble(cell.end, f"  → {place}")
    )
    return shown.render_lines(screen.console, screen.width)


def render_question(problem: ReadingProblem, reading: PhotoReading, screen: Screen) -> Text:
    """Render the question that a problem asks, and what Enter answers."""
    if problem.coatl is not None and problem.piece is not None:
        piece = reading.coatls[problem.coatl].pieces[problem.piece]
        guesses = list_likely_guesses(piece)
        named = [render_named_piece(colour, kind, screen) for colour, kind in guesses]
        where = screen.label("fix_piece", coatl=problem.coatl + 1, piece=problem.piece + 1)
        keys = "/".join(dict.fromkeys(colour.name for colour, _ in guesses))
        enter = screen.label("fix_enter", keys=keys, what=named[0].plain)
        options = Text(screen.label("fix_or")).join(named)
        return Text.assemble((f"{where} ", "bold"), options, "? ", enter)
    if problem.card is not None:
        guess = "".join(reading.cards[problem.card].likely_ids[:1])
        key = "fix_card" if guess else "fix_card_unread"
        question = screen.label(key, card=problem.card + 1, id=guess)
    elif problem.coatl is not None:
        question = screen.label("fix_coatl", coatl=problem.coatl + 1)
    else:
        question = screen.label("fix_all")
    return Text.assemble(describe_problem(problem, screen.language), " ", (question, "bold"))


# Every detail.


def print_reading(reading: PhotoReading, screen: Screen) -> None:
    """Print what was read in a photo, and what is not sure with what would help."""
    screen.print(Text(escape_unprintable(reading.file), "bold"))
    if reading.has_mat:
        screen.print(screen.label("read_mat"))
    for index in range(len(reading.coatls)):
        _print_coatl(reading, index, screen)
    if loose := _list_cards(reading, None, screen):
        screen.print(screen.label("read_loose_cards", cards=loose))
    if reading.loose_pieces:
        pieces = [
            f"{render_piece(piece.colour, piece.kind, screen).plain} "
            f"{describe_piece(piece.colour, piece.kind, screen.language)}"
            for piece in reading.loose_pieces
        ]
        screen.print(screen.label("read_strays", pieces=", ".join(pieces)))
    screen.print(*render_problems(reading.problems, screen))


def _print_coatl(reading: PhotoReading, index: int, screen: Screen) -> None:
    """Print a Cóatl: in a line, then piece by piece, then its cards."""
    seen = reading.coatls[index]
    key = "read_sure" if seen.sure else "read_unsure"
    confidence = screen.label(key, percent=format_confidence(seen.confidence, screen.language))
    name = screen.label("result_coatl", index + 1)
    player = "" if seen.player is None else screen.label("read_player", seen.player + 1)
    owner = f"  {player}" if player and reading.player_count > 1 else ""
    screen.print(Text.assemble((f"{name}  ", "bold"), seen.notation, f"  {confidence}{owner}"))
    if not seen.is_orientation_known:
        screen.print(f"  {screen.label('read_no_direction')}")
    table = Table.grid(padding=(0, 1))
    for place, piece in enumerate(seen.pieces):
        doubtful = reading.has_problem(index, place)  # also by a problem that is not serious
        table.add_row(
            Text(f" {DOUBTFUL_SIGN} ", "bold reverse") if doubtful else Text("   "),
            Text(f"{place + 1:>2}"),
            render_piece(piece.colour, piece.kind, screen),
            Text(_describe_seen_piece(piece, doubtful, screen)),
            Text(_describe_confidence(piece, screen), "dim"),
        )
    screen.print(table)
    if cards := _list_cards(reading, index, screen):
        screen.print("  " + screen.label("read_cards", cards=cards))


def _describe_seen_piece(piece: SeenPiece, doubtful: bool, screen: Screen) -> str:
    """Describe a piece; a doubtful one by its two likeliest guesses."""
    if not doubtful:
        return describe_piece(piece.colour, piece.kind, screen.language)
    first, second = (
        describe_piece(colour, kind, screen.language) for colour, kind in piece.guesses(2)
    )
    return screen.label("read_or", first=first, second=second)


def _describe_confidence(piece: SeenPiece, screen: Screen) -> str:
    if piece.corrected:
        return screen.label("read_corrected")
    return format_confidence(piece.confidence, screen.language)


def _list_cards(reading: PhotoReading, coatl: int | None, screen: Screen) -> str:
    """List the cards of a Cóatl, or of none, each behind its number."""
    return ", ".join(
        f"c{number} {_describe_card(card, screen)}"
        for number, card in enumerate(reading.cards, start=1)
        if card.coatl == coatl
    )


def _describe_card(card: SeenCard, screen: Screen) -> str:
    """Describe a card by its id and how sure it is; a doubtful one by what it may be."""
    ids = card.likely_ids
    if not ids:
        return f"{DOUBTFUL_SIGN} " + screen.label("read_card_unknown")
    if card.sure or len(ids) == 1:
        sign = "" if card.sure else f"{DOUBTFUL_SIGN} "
        return f"{sign}{ids[0]} ({format_confidence(card.confidence, screen.language)})"
    return f"{DOUBTFUL_SIGN} " + screen.label("read_or", first=ids[0], second=ids[1])


# Scores.


def print_scores(
    reading: PhotoReading,
    catalog: Catalog,
    options: PhotoScoringOptions,
    screen: Screen,
    indices: Sequence[int] | None = None,
) -> None:
    """Print the score sheets of these Cóatls, or of all, and which of them are not sure."""
    several = len(reading.coatls) > 1
    for index in range(len(reading.coatls)) if indices is None else indices:
        sheet = make_score_sheet(reading, index, catalog, options)
        if several:
            screen.print(Text(screen.label("result_coatl", index + 1), "bold"))
        if find_scoring_obstacles(reading, [index], options):
            screen.print(Text(f"({screen.label('fix_as_read')})", "italic"))
        if sheet is None:
            screen.print(screen.label("fix_no_coatl"))
        else:
            print_score_sheet(sheet, screen, options.level3)
        if several:
            screen.print("")


def render_short_scores(
    reading: PhotoReading, catalog: Catalog, options: PhotoScoringOptions, screen: Screen
) -> list[Text]:
    """Render each Cóatl's points, the cards they come from, and whether they are sure."""
    lines: list[Text] = []
    for index in range(len(reading.coatls)):
        sheet = make_score_sheet(reading, index, catalog, options)
        coatl = screen.label("result_coatl", index + 1)
        if sheet is None:
            lines.append(Text(f"{coatl}: {screen.label('fix_no_coatl')}"))
            continue
        scores = sheet.best.scores if sheet.best else [line.score for line in sheet.lines]
        cards = ", ".join(f"{score.card.id} {score.points}" for score in scores)
        points = screen.language.card("points", sheet.total)
        key = "fix_score_best" if sheet.best else "fix_score"
        worth = screen.label(key, points=points, cards=cards or "–")
        unsure = find_scoring_obstacles(reading, [index], options)
        note = f"  ({screen.label('fix_as_read')})" if unsure else ""
        line = Text.assemble(f"{coatl}  ", (worth, "bold"), (note, "italic"))
        lines += wrap_text(line, screen.console, screen.width)
    return lines


def print_not_sure(
    file: str, problems: Iterable[ReadingProblem], settings: Settings, interactive: bool = False
) -> None:
    """Print to standard error what is not sure about a photo, and what can be done.

    After --fix (`interactive`), it is not suggested again.
    """
    screen = Screen(settings.language, Console(file=sys.stderr))
    screen.print(screen.label("photo_not_sure", file=file))
    screen.print(*render_problems(problems, screen))
    screen.print(screen.label("photo_then_set" if interactive else "photo_then"))
