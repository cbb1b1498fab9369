"""Render a reading in the terminal: pieces, cards, problems, questions and scores."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.common_options import Settings
from coatl_tools.cli.terminal.score_screen import print_score_sheet
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.table_screen import render_card_cell
from coatl_tools.cli.terminal.text_layout import TextCell, flow_parts, indent_lines, wrap_text
from coatl_tools.errors import escape_unprintable
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.corrections.correction import Correction
from coatl_tools.vision.corrections.session import (
    CorrectionSession,
    PieceGuess,
    list_likely_guesses,
)
from coatl_tools.vision.reading import (
    PhotoReading,
    ReadingProblem,
    SeenCard,
    SeenPiece,
    describe_piece,
    describe_problem,
    format_percent,
)
from coatl_tools.vision.scores_and_tally import (
    PhotoScoringOptions,
    find_scoring_obstacles,
    make_score_sheet,
)

DOUBTFUL_SIGN, CORRECTED_SIGN, AS_READ_SIGN, CHOSEN_SIGN = "?", "✓", " ", "▶"
_PIECE_TEXTS = {
    PieceKind.HEAD: "pieces.head",
    PieceKind.BODY: "pieces.body",
    PieceKind.TAIL: "pieces.tail",
}
Selection = tuple[str, int, int]  # "piece", Cóatl and piece; "card" and card


def render_reading(
    reading: PhotoReading,
    session: CorrectionSession,
    screen: Screen,
    chosen: Selection | None = None,
) -> list[Text]:
    """All Cóatls and cards; only the Cóatl that is looked at in full, where one is chosen."""
    lines: list[Text] = []
    doubtful = {(p.coatl, p.piece) for p in reading.problems if p.grave and p.coatl is not None}
    for index, seen in enumerate(reading.coatls):
        unsure = any(coatl == index for coatl, _ in doubtful)
        lines.append(_render_title(index, seen.notation, unsure, screen))
        if chosen is not None and chosen[:2] != ("piece", index) and len(reading.coatls) > 1:
            continue
        cells = [
            _render_piece_cell(
                piece,
                place,
                (index, place) in doubtful,
                chosen == ("piece", index, place),
                screen,
            )
            for place, piece in enumerate(seen.pieces)
        ]
        wide = max(cell.cell_len for cell in cells)
        for cell in cells:
            cell.pad_right(wide - cell.cell_len)
        rows = flow_parts(cells, screen.console, screen.width - 2)
        for row in rows:
            row.rstrip()
        lines += indent_lines(rows, Text("  "))
    unsure_cards = {p.card for p in reading.problems if p.grave}
    wide = len(f"c{len(reading.cards)}")
    for index, card in enumerate(reading.cards):
        picked, number = chosen == ("card", index, 0), f"c{index + 1}".rjust(wide)
        lines += _render_card(card, number, index in unsure_cards, picked, session, screen)
    return lines


def _render_title(index: int, text: str, unsure: bool, screen: Screen) -> Text:
    state = screen.label("fix_not_sure" if unsure else "fix_sure")
    name = screen.label("result_coatl", index + 1)
    return Text.assemble((name, "bold"), f"  {text}  " if text else "  ", (state, "italic"))


def _render_piece_cell(
    piece: SeenPiece, place: int, doubtful: bool, chosen: bool, screen: Screen
) -> Text:
    mark = _choose_sign(doubtful, piece.corrected)
    lead = f"{CHOSEN_SIGN if chosen else ' '}{place + 1:>2}{mark}"
    return Text.assemble(
        (lead, "bold reverse" if chosen else "bold"), " ", render_named_piece(piece, screen)
    )


def _choose_sign(doubtful: bool, said: bool) -> str:
    return DOUBTFUL_SIGN if doubtful else CORRECTED_SIGN if said else AS_READ_SIGN


def render_named_piece(piece: SeenPiece | PieceGuess, screen: Screen) -> Text:
    """A piece: symbol and letter, and in words."""
    head, tail = piece.kind is PieceKind.HEAD, piece.kind is PieceKind.TAIL
    text = f"{'<' * head}{piece.colour.name}{'>' * tail}"
    if piece.kind is PieceKind.BODY:
        word = screen.language.colours[piece.colour]["name"]
    else:
        word = screen.language.sentence(_PIECE_TEXTS[piece.kind], {"colour": piece.colour})
    return Text.assemble(screen.piece(text), " ", word)


def _render_card(
    card: SeenCard,
    number: str,
    doubtful: bool,
    chosen: bool,
    session: CorrectionSession,
    screen: Screen,
) -> list[Text]:
    mark = _choose_sign(doubtful, card.corrected)
    lead = Text(
        f"{CHOSEN_SIGN if chosen else ' '}{number}{mark}", "bold reverse" if chosen else "bold"
    )
    place = "–" if card.coatl is None else screen.label("result_coatl", card.coatl + 1)
    if card.id is None:
        what = [screen.label("fix_unread"), ", ".join(card.candidates[:5])]
        return [Text.assemble(lead, " ", " ".join(filter(None, what)), f"  → {place}")]
    cell = render_card_cell(session.catalog[card.id], screen)
    shown = TextCell(
        Text.assemble(lead, " ", cell.lead), cell.middle, Text.assemble(cell.end, f"  → {place}")
    )
    return shown.lines(screen.console, screen.width)


def render_question(doubt: ReadingProblem, session: CorrectionSession, screen: Screen) -> Text:
    """What is asked about a doubt, and what Enter means."""
    reading = session.reading
    if doubt.coatl is not None and doubt.piece is not None:
        piece = reading.coatls[doubt.coatl].pieces[doubt.piece]
        likely = list_likely_guesses(piece)
        where = screen.label("fix_piece", coatl=doubt.coatl + 1, piece=doubt.piece + 1)
        options = Text(screen.label("fix_or")).join(
            render_named_piece(one, screen) for one in likely
        )
        keys = "/".join(dict.fromkeys(one.colour.name for one in likely))
        enter = screen.label(
            "fix_enter", keys=keys, what=render_named_piece(likely[0], screen).plain
        )
        return Text.assemble((f"{where} ", "bold"), options, "? ", enter)
    said = Text(describe_problem(doubt, screen.language))
    if doubt.card is not None:
        card = reading.cards[doubt.card]
        guess = card.id or "".join(card.candidates[:1])
        key = "fix_card" if guess else "fix_card_unread"
        asked = screen.label(key, card=doubt.card + 1, id=guess)
    elif doubt.coatl is not None:
        asked = screen.label("fix_coatl", coatl=doubt.coatl + 1)
    else:
        asked = screen.label("fix_all")
    return Text.assemble(said, " ", (asked, "bold"))


def render_problems(problems: list[ReadingProblem], screen: Screen) -> list[Text]:
    """What is not sure, and what would help."""
    lines: list[Text] = []
    for problem in problems:
        said = describe_problem(problem, screen.language)
        wrap = wrap_text(Text(escape_unprintable(said)), screen.console, screen.width - 2)
        lines += indent_lines(wrap, Text(f"{DOUBTFUL_SIGN} "))
    return lines


def format_as_arguments(corrections: tuple[Correction, ...]) -> str:
    """Corrections as a shell takes them."""
    return " ".join(f"--set {shlex.quote(str(correction))}" for correction in corrections)


_DOUBT_STYLE = "bold reverse"


def print_reading(reading: PhotoReading, screen: Screen) -> None:
    """Print what was read in a photo, and what is not sure with what would help."""
    screen.print(Text(escape_unprintable(reading.file), "bold"))
    if reading.mat:
        screen.print(screen.label("read_mat"))
    for number in range(len(reading.coatls)):
        print_coatl(reading, number, screen)
    if loose := _list_cards(reading, None, screen):
        screen.print(screen.label("read_loose_cards", cards=loose))
    if reading.strays:
        shown = [
            f"{_render_seen_piece(piece, screen).plain} {_describe_seen_piece(piece, screen)}"
            for piece in reading.strays
        ]
        screen.print(screen.label("read_strays", pieces=", ".join(shown)))
    for problem in reading.problems:
        mark, style = ("? ", "bold") if problem.grave else ("· ", "")
        screen.hanging(mark, Text(describe_problem(problem, screen.language), style))


def print_coatl(reading: PhotoReading, number: int, screen: Screen) -> None:
    """One Cóatl: in a line, then piece by piece, then its cards."""
    seen = reading.coatls[number]
    key = "read_sure" if seen.sure else "read_unsure"
    said = screen.label(key, percent=format_percent(seen.confidence, screen.language))
    name = screen.label("result_coatl", number + 1)
    screen.print(Text.assemble((f"{name}  ", "bold"), seen.notation, f"  {said}"))
    if not seen.orientation_known:
        screen.print(f"  {screen.label('read_no_direction')}")
    table = Table.grid(padding=(0, 1))
    for index, piece in enumerate(seen.pieces):
        table.add_row(*_render_piece_row(reading, number, index, piece, screen))
    screen.print(table)
    if beside := _list_cards(reading, number, screen):
        screen.print("  " + screen.label("read_cards", cards=beside))


def _render_piece_row(
    reading: PhotoReading, number: int, index: int, piece: SeenPiece, screen: Screen
) -> Iterable[Text]:
    """A piece's number, itself, its words, and how sure it is; in doubt, both that it may be."""
    words, sure = (
        _describe_seen_piece(piece, screen),
        format_percent(piece.confidence, screen.language),
    )
    if piece.corrected:
        sure = screen.label("read_corrected")
    doubtful = reading.doubts(number, index)
    if doubtful:
        first, second = (
            describe_piece(colour, kind, screen.language) for colour, kind in piece.guesses(2)
        )
        words = screen.label("read_or", first=first, second=second)
    mark = Text(" ? ", _DOUBT_STYLE) if doubtful else Text("   ")
    return (
        mark,
        Text(f"{index + 1:>2}"),
        _render_seen_piece(piece, screen),
        Text(words),
        Text(sure, "dim"),
    )


def _render_seen_piece(piece: SeenPiece, screen: Screen) -> Text:
    return render_piece(piece.colour, piece.kind, screen)


def render_piece(colour: Colour, kind: PieceKind, screen: Screen) -> Text:
    """A piece as it is written, with its symbol, on its colour."""
    head, tail = "<" * (kind is PieceKind.HEAD), ">" * (kind is PieceKind.TAIL)
    return screen.piece(f"{head}{colour.name}{tail}")


def _describe_seen_piece(piece: SeenPiece, screen: Screen) -> str:
    return describe_piece(piece.colour, piece.kind, screen.language)


def _list_cards(reading: PhotoReading, coatl: int | None, screen: Screen) -> str:
    """The cards of a Cóatl, or of none, each behind its number."""
    return ", ".join(
        f"c{number} {_describe_card(card, screen)}"
        for number, card in enumerate(reading.cards, start=1)
        if card.coatl == coatl
    )


def _describe_card(card: SeenCard, screen: Screen) -> str:
    """A card's id and how sure it is; in doubt, what it may be."""
    ids = [one for one in dict.fromkeys([card.id, *card.candidates]) if one]
    if not ids:
        return "? " + screen.label("read_card_unknown")
    if card.sure or len(ids) == 1:
        said = format_percent(card.confidence, screen.language)
        return f"{'' if card.sure else '? '}{ids[0]} ({said})"
    return "? " + screen.label("read_or", first=ids[0], second=ids[1])


def print_scores(
    reading: PhotoReading,
    catalog: Catalog,
    how: PhotoScoringOptions,
    screen: Screen,
    indices: Sequence[int] | None = None,
) -> None:
    """The score sheet of every Cóatl, or of these; what is none, or not sure yet, is named."""
    several = len(reading.coatls) > 1
    for index in range(len(reading.coatls)) if indices is None else indices:
        sheet = make_score_sheet(reading, index, catalog, how)
        if several:
            screen.print(Text(screen.label("result_coatl", index + 1), "bold"))
        if find_scoring_obstacles(reading, [index], how):
            screen.print(Text(_format_as_read(screen), "italic"))
        if sheet is None:
            screen.print(screen.label("fix_no_coatl"))
        else:
            print_score_sheet(sheet, screen, how.level3)
        if several:
            screen.print("")


def render_short_scores(
    reading: PhotoReading, catalog: Catalog, how: PhotoScoringOptions, screen: Screen
) -> list[Text]:
    """For each Cóatl what it is worth, by which cards, and whether that is not sure yet."""
    lines: list[Text] = []
    for index in range(len(reading.coatls)):
        sheet = make_score_sheet(reading, index, catalog, how)
        coatl = screen.label("result_coatl", index + 1)
        if sheet is None:
            lines.append(Text(f"{coatl}: {screen.label('fix_no_coatl')}"))
            continue
        scored = sheet.best.scores if sheet.best else [line.score for line in sheet.lines]
        cards = ", ".join(f"{found.card.id} {found.points}" for found in scored)
        points = screen.language.card("points", sheet.total)
        key = "fix_score_best" if sheet.best else "fix_score"
        worth = screen.label(key, points=points, cards=cards or "–")
        doubt = (
            f"  {_format_as_read(screen)}" if find_scoring_obstacles(reading, [index], how) else ""
        )
        line = Text.assemble(f"{coatl}  ", (worth, "bold"), (doubt, "italic"))
        lines += wrap_text(line, screen.console, screen.width)
    return lines


def _format_as_read(screen: Screen) -> str:
    said = screen.label("fix_as_read")
    return f"({said})"


def print_not_sure(
    file: str, problems: Sequence[ReadingProblem], settings: Settings, fixed: bool = False
) -> None:
    """On standard error: what is not sure about a photo, and what can be done.

    Nobody who has just left --fix is sent there again.
    """
    screen = Screen(settings.language, Console(file=sys.stderr))
    screen.print(screen.label("photo_not_sure", file=file))
    screen.print(*render_problems(list(problems), screen))
    screen.print(screen.label("photo_then_set") if fixed else screen.label("photo_then"))
