"""A whole table on the screen: the boards, the cards, every player and A.D.A.M."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from coatl_tools.cli.arrange import GAP, Cell, columns, flow, indented, wrapped
from coatl_tools.cli.screen import Screen
from coatl_tools.cli.seats import adam_lines, card_cell, seat_lines
from coatl_tools.errors import Phrase, visible
from coatl_tools.referee.status import headline, news
from coatl_tools.rules.box import BODIES, BODY, HEAD, HEADS, PER_SPACE, PIECES, TAIL, TAILS
from coatl_tools.rules.game import Game
from coatl_tools.rules.views import View

EMPTY = {BODY: "–", HEAD: "<–", TAIL: "–>"}


def print_table(name: str, shown: View, game: Game, screen: Screen) -> None:
    """The table with all that the view shows, the viewer's own things first."""
    parts = [
        _title(name, shown, game, screen),
        _supply_board(shown, screen),
        [*_prophecies(shown, game, screen), *_temples(shown, game, screen)],
    ]
    first = shown.player or 0
    order = [*range(first, len(shown.seats)), *range(first)]
    parts += [seat_lines(index, shown, game, screen) for index in order]
    if shown.adam:
        parts.append(adam_lines(shown.adam, shown, game, screen))
    lines = [line for part in parts for line in (Text(), *part)][1:]
    for line in lines:
        line.rstrip()
    screen.print(*lines)


def _title(name: str, shown: View, game: Game, screen: Screen) -> list[Text]:
    """The table's name and the turn; below it the news."""

    def said(phrases: Iterable[Phrase]) -> list[Text]:
        return [Text(screen.language.sentence(*phrase)) for phrase in phrases]

    title = [Text(visible(name), "bold"), *said(headline(shown, game))]
    lines = flow(title, screen.console, screen.width, " · ")
    for line in said(news(shown, game)):
        lines += wrapped(line, screen.console, screen.width)
    return lines


def _supply_board(shown: View, screen: Screen) -> list[Text]:
    """The ten spaces below their numbers, then what is left in the bags."""
    labels = [screen.label(key) for key in ("supply_board", "bags")]
    margin = max(map(len, labels)) + GAP
    lines = indented(_spaces(shown, screen, margin), Text(f"{labels[0]:<{margin}}", "bold"))
    return lines + indented(_bags(shown, screen, margin), Text(f"{labels[1]:<{margin}}", "bold"))


def _spaces(shown: View, screen: Screen, margin: int) -> list[Text]:
    """Lines of numbers and lines of pieces in turn; spaces of one kind stand together."""
    room, gap = screen.width - margin, " " * GAP
    above: list[list[Text]] = []
    below: list[list[Text]] = []
    kinds = shown.options.space_kinds
    for number, (kind, pieces) in enumerate(zip(kinds, shown.spaces, strict=True), start=1):
        held = screen.row(map(screen.piece, pieces)) if pieces else Text(EMPTY[kind])
        wide = screen.row([screen.piece(PIECES[kind][0])] * PER_SPACE[kind]).cell_len
        held.pad_right(wide - held.cell_len)
        if number == 1 or kind != kinds[number - 2]:
            above.append([])
            below.append([])
        above[-1].append(Text(f"{number:<{wide}}", "bold"))
        below[-1].append(held)
    together = all(screen.row(group, gap).cell_len <= room for group in below)
    found = []
    for groups in (above, below):  # of the same widths, so that both break at the same places
        if together:
            parts = [screen.row(group, gap) for group in groups]
        else:
            parts = [space for group in groups for space in group]
        found.append(flow(parts, screen.console, room, gap * 2 if together else gap))
    return [line for pair in zip(*found, strict=True) for line in pair]


def _bags(shown: View, screen: Screen, margin: int) -> list[Text]:
    """How many of each piece are left; golden segments only where they play."""
    bodies = PIECES[BODY] if shown.options.golden_feathers else BODIES
    lines: list[Text] = []
    for kinds in (((bodies, shown.bodies),), ((HEADS, shown.heads), (TAILS, shown.tails))):
        counted = [
            Text.assemble(screen.piece(piece), f" {number}")
            for pieces, bag in kinds
            for piece, number in zip(pieces, bag, strict=False)
        ]
        lines += flow(counted, screen.console, screen.width - margin)
    return lines


def _prophecies(shown: View, game: Game, screen: Screen) -> list[Text]:
    title = [
        Text(screen.label("prophecy_row"), "bold"),
        Text(screen.label("deck", shown.deck)),
        Text(screen.label("discards", shown.discards_in_all)),
    ]
    cells = [
        card_cell(game.by_id[card], screen, f"{number} ")
        for number, card in enumerate(shown.supply, start=1)
    ]
    lines = flow(title, screen.console, screen.width, " · ")
    return lines + columns(cells, screen.console, screen.width)


def _temples(shown: View, game: Game, screen: Screen) -> list[Text]:
    """The two Temple piles: their top cards, and how many lie below."""
    title = [Text(screen.label("temple_piles"), "bold")]
    cells = []
    for number, pile in enumerate(shown.piles, start=1):
        title.append(Text(screen.label("below", pile.below, pile=number)))
        if pile.top:
            cells.append(card_cell(game.by_id[pile.top], screen, f"{number} "))
        else:
            cells.append(Cell(Text(f"{number} –")))
    lines = flow(title, screen.console, screen.width, " · ")
    return lines + columns(cells, screen.console, screen.width)
