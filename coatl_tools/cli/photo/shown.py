"""A reading in the terminal: pieces with number, symbol, letter and word, doubtful ones marked."""

from __future__ import annotations

from rich.text import Text

from coatl_tools.cli.arrange import Cell, flow, indented, wrapped
from coatl_tools.cli.photo.session import Choice, Session, choices
from coatl_tools.cli.screen import Screen
from coatl_tools.cli.seats import card_cell
from coatl_tools.errors import visible
from coatl_tools.pieces import Kind
from coatl_tools.vision.corrections import Correction
from coatl_tools.vision.reading import Problem, Reading, SeenCard, SeenPiece
from coatl_tools.vision.shown.words import problem_text

DOUBTFUL, SAID, AS_READ, CHOSEN = "?", "✓", " ", "▶"
_PIECES = {Kind.HEAD: "pieces.head", Kind.BODY: "pieces.body", Kind.TAIL: "pieces.tail"}
Where = tuple[str, int, int]  # "piece", Cóatl and piece; "card" and card


def reading_lines(
    reading: Reading, session: Session, screen: Screen, chosen: Where | None = None
) -> list[Text]:
    """All Cóatls and cards; only the Cóatl that is looked at in full, where one is chosen."""
    lines: list[Text] = []
    doubtful = {(p.coatl, p.piece) for p in reading.problems if p.grave and p.coatl is not None}
    for index, seen in enumerate(reading.coatls):
        unsure = any(coatl == index for coatl, _ in doubtful)
        lines.append(_title(index, seen.notation, unsure, screen))
        if chosen is not None and chosen[:2] != ("piece", index) and len(reading.coatls) > 1:
            continue
        cells = [
            _piece_cell(
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
        rows = flow(cells, screen.console, screen.width - 2)
        for row in rows:
            row.rstrip()
        lines += indented(rows, Text("  "))
    unsure_cards = {p.card for p in reading.problems if p.grave}
    wide = len(f"c{len(reading.cards)}")
    for index, card in enumerate(reading.cards):
        picked, number = chosen == ("card", index, 0), f"c{index + 1}".rjust(wide)
        lines += _card_lines(card, number, index in unsure_cards, picked, session, screen)
    return lines


def _title(index: int, text: str, unsure: bool, screen: Screen) -> Text:
    state = screen.label("fix_not_sure" if unsure else "fix_sure")
    name = screen.label("result_coatl", index + 1)
    return Text.assemble((name, "bold"), f"  {text}  " if text else "  ", (state, "italic"))


def _piece_cell(piece: SeenPiece, place: int, doubtful: bool, chosen: bool, screen: Screen) -> Text:
    mark = _mark(doubtful, piece.corrected)
    lead = f"{CHOSEN if chosen else ' '}{place + 1:>2}{mark}"
    return Text.assemble((lead, "bold reverse" if chosen else "bold"), " ", named(piece, screen))


def _mark(doubtful: bool, said: bool) -> str:
    return DOUBTFUL if doubtful else SAID if said else AS_READ


def named(piece: SeenPiece | Choice, screen: Screen) -> Text:
    """A piece: symbol and letter, and in words."""
    text = f"{'<' * (piece.kind is Kind.HEAD)}{piece.colour.name}{'>' * (piece.kind is Kind.TAIL)}"
    if piece.kind is Kind.BODY:
        word = screen.language.colours[piece.colour]["name"]
    else:
        word = screen.language.sentence(_PIECES[piece.kind], {"colour": piece.colour})
    return Text.assemble(screen.piece(text), " ", word)


def _card_lines(
    card: SeenCard, number: str, doubtful: bool, chosen: bool, session: Session, screen: Screen
) -> list[Text]:
    mark = _mark(doubtful, card.corrected)
    lead = Text(f"{CHOSEN if chosen else ' '}{number}{mark}", "bold reverse" if chosen else "bold")
    place = "–" if card.coatl is None else screen.label("result_coatl", card.coatl + 1)
    if card.id is None:
        what = [screen.label("fix_unread"), ", ".join(card.candidates[:5])]
        return [Text.assemble(lead, " ", " ".join(filter(None, what)), f"  → {place}")]
    cell = card_cell(session.catalog[card.id], screen)
    shown = Cell(
        Text.assemble(lead, " ", cell.lead), cell.middle, Text.assemble(cell.end, f"  → {place}")
    )
    return shown.lines(screen.console, screen.width)


def question(doubt: Problem, session: Session, screen: Screen) -> Text:
    """What is asked about a doubt, and what Enter means."""
    reading = session.reading
    if doubt.coatl is not None and doubt.piece is not None:
        piece = reading.coatls[doubt.coatl].pieces[doubt.piece]
        likely = choices(piece)
        where = screen.label("fix_piece", coatl=doubt.coatl + 1, piece=doubt.piece + 1)
        options = Text(screen.label("fix_or")).join(named(one, screen) for one in likely)
        keys = "/".join(dict.fromkeys(one.colour.name for one in likely))
        enter = screen.label("fix_enter", keys=keys, what=named(likely[0], screen).plain)
        return Text.assemble((f"{where} ", "bold"), options, "? ", enter)
    said = Text(problem_text(doubt, screen.language))
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


def problem_lines(problems: list[Problem], screen: Screen) -> list[Text]:
    """What is not sure, and what would help."""
    lines: list[Text] = []
    for problem in problems:
        said = problem_text(problem, screen.language)
        wrap = wrapped(Text(visible(said)), screen.console, screen.width - 2)
        lines += indented(wrap, Text(f"{DOUBTFUL} "))
    return lines


def as_arguments(corrections: tuple[Correction, ...]) -> str:
    """Corrections as a shell takes them."""
    import shlex

    return " ".join(f"--set {shlex.quote(str(correction))}" for correction in corrections)
