"""A reading on the screen: every piece in symbol, letter and words, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from coatl_tools.cli.screen import Screen
from coatl_tools.errors import visible
from coatl_tools.pieces import Colour, Kind
from coatl_tools.vision.reading import Reading, SeenCard, SeenPiece
from coatl_tools.vision.shown.words import percent, piece_words, problem_text

_DOUBT = "bold reverse"


def show_reading(reading: Reading, screen: Screen) -> None:
    """Print what was read in a photo, and what is not sure with what would help."""
    screen.print(Text(visible(reading.file), "bold"))
    if reading.mat:
        screen.print(screen.label("read_mat"))
    for number in range(len(reading.coatls)):
        show_coatl(reading, number, screen)
    if loose := _cards(reading, None, screen):
        screen.print(screen.label("read_loose_cards", cards=loose))
    if reading.strays:
        shown = [
            f"{_piece(piece, screen).plain} {_words(piece, screen)}" for piece in reading.strays
        ]
        screen.print(screen.label("read_strays", pieces=", ".join(shown)))
    for problem in reading.problems:
        mark, style = ("? ", "bold") if problem.grave else ("· ", "")
        screen.hanging(mark, Text(problem_text(problem, screen.language), style))


def show_coatl(reading: Reading, number: int, screen: Screen) -> None:
    """One Cóatl: in a line, then piece by piece, then its cards."""
    seen = reading.coatls[number]
    key = "read_sure" if seen.sure else "read_unsure"
    said = screen.label(key, percent=percent(seen.confidence, screen.language))
    name = screen.label("result_coatl", number + 1)
    screen.print(Text.assemble((f"{name}  ", "bold"), seen.notation, f"  {said}"))
    if not seen.orientation_known:
        screen.print(f"  {screen.label('read_no_direction')}")
    table = Table.grid(padding=(0, 1))
    for index, piece in enumerate(seen.pieces):
        table.add_row(*_row(reading, number, index, piece, screen))
    screen.print(table)
    if beside := _cards(reading, number, screen):
        screen.print("  " + screen.label("read_cards", cards=beside))


def _row(
    reading: Reading, number: int, index: int, piece: SeenPiece, screen: Screen
) -> Iterable[Text]:
    """A piece's number, itself, its words, and how sure it is; in doubt, both that it may be."""
    words, sure = _words(piece, screen), percent(piece.confidence, screen.language)
    if piece.corrected:
        sure = screen.label("read_corrected")
    doubtful = reading.doubts(number, index)
    if doubtful:
        first, second = (
            piece_words(colour, kind, screen.language) for colour, kind in piece.guesses(2)
        )
        words = screen.label("read_or", first=first, second=second)
    mark = Text(" ? ", _DOUBT) if doubtful else Text("   ")
    return mark, Text(f"{index + 1:>2}"), _piece(piece, screen), Text(words), Text(sure, "dim")


def _piece(piece: SeenPiece, screen: Screen) -> Text:
    return written(piece.colour, piece.kind, screen)


def written(colour: Colour, kind: Kind, screen: Screen) -> Text:
    """A piece as it is written, with its symbol, on its colour."""
    head, tail = "<" * (kind is Kind.HEAD), ">" * (kind is Kind.TAIL)
    return screen.piece(f"{head}{colour.name}{tail}")


def _words(piece: SeenPiece, screen: Screen) -> str:
    return piece_words(piece.colour, piece.kind, screen.language)


def _cards(reading: Reading, coatl: int | None, screen: Screen) -> str:
    """The cards of a Cóatl, or of none, each behind its number."""
    return ", ".join(
        f"c{number} {_card(card, screen)}"
        for number, card in enumerate(reading.cards, start=1)
        if card.coatl == coatl
    )


def _card(card: SeenCard, screen: Screen) -> str:
    """A card's id and how sure it is; in doubt, what it may be."""
    ids = [one for one in dict.fromkeys([card.id, *card.candidates]) if one]
    if not ids:
        return "? " + screen.label("read_card_unknown")
    if card.sure or len(ids) == 1:
        said = percent(card.confidence, screen.language)
        return f"{'' if card.sure else '? '}{ids[0]} ({said})"
    return "? " + screen.label("read_or", first=ids[0], second=ids[1])
