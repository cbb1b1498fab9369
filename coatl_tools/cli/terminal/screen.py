"""Draw pieces, Cóatls, cards and grids in a terminal: colour, symbol and letter together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_level, format_count
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Requirement,
    SequenceElement,
    Several,
)
from coatl_tools.cli.terminal.stdio import can_encode
from coatl_tools.cli.terminal.text_layout import wrap_text
from coatl_tools.files.data_paths import LAYOUTS
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour

DEFAULT_WIDTH = 80
NARROW_WIDTH = 64  # columns; a table of cards wants more
MIN_SCREEN_WIDTH = 20  # no screen for a table, but not a mistake either


@lru_cache(maxsize=1)
def _load_terminal_layout() -> dict[str, Any]:
    layout: dict[str, Any] = json.loads((LAYOUTS / "terminal.json").read_text("utf-8"))
    return layout


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column of a table; only those with a ratio may be broken into lines."""

    label: str
    ratio: int | None = None
    justify: JustifyMethod = "left"


class Screen:
    """Draws on standard output, within what it can show: colours, letters, columns."""

    def __init__(self, language: Language, console: Console | None = None) -> None:
        self.language, self.label = language, language.label
        self.console = console or Console()
        if self.console.width < 1:  # a terminal that does not know its width
            self.console.width = DEFAULT_WIDTH
        self._symbols = can_encode("".join(colour.symbol for colour in Colour))

    @property
    def width(self) -> int:
        """The number of columns to lay out in, at least `MIN_SCREEN_WIDTH`."""
        return max(MIN_SCREEN_WIDTH, self.console.width)

    def print(self, *things: RenderableType) -> None:
        """Print things below each other."""
        for thing in things:
            lines: Sequence[RenderableType] = [thing]
            if isinstance(thing, Text):
                lines = wrap_text(thing, self.console, self.console.width)
            for line in lines:
                self.console.print(line, highlight=False, emoji=False, markup=False)

    def print_hanging(self, lead: str, text: Text) -> None:
        """Print a text after its lead, with a hanging indent."""
        grid = Table.grid()
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(Text(lead, "bold"), text)
        self.print(grid)

    def print_grid(
        self, columns: list[GridColumn], rows: list[list[Text]], spaced: bool = False
    ) -> None:
        """Print a table or, if the screen is too narrow, its rows as paragraphs."""
        if self.console.width < NARROW_WIDTH:
            for name, *cells in rows:
                self.print(Text(name.plain, "bold"))
                for column, cell in zip(columns[1:], cells, strict=True):
                    inline = Text(" / ").join(cell.split("\n"))
                    labelled = Text.assemble((f"{column.label}  ", "dim"), inline)
                    self.print(Padding(labelled, (0, 0, 0, 2), expand=False))
            return
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False, leading=int(spaced))
        for column in columns:
            table.add_column(
                column.label,
                ratio=column.ratio,
                no_wrap=column.ratio is None,
                overflow="fold",
                justify=column.justify,
            )
        for row in rows:
            table.add_row(*row)
        self.print(table)

    def render_colour(self, colour: Colour, suffix: str = "") -> Text:
        """Render a colour as symbol and letter on its background."""
        symbol = colour.symbol if self._symbols else ""
        return Text(
            f"{symbol}{colour.name}{suffix}", style=_load_terminal_layout()["styles"][colour.name]
        )

    def render_piece(self, piece: str) -> Text:
        """Render a piece's notation: `<` marks a head, `>` a tail, `F` is a golden segment."""
        letter = piece.strip("<>")
        if letter not in Colour.__members__:
            return Text(letter, _load_terminal_layout()["styles"]["golden"])
        shown = self.render_colour(Colour[letter])
        return Text.assemble("<" * (piece[0] == "<"), shown, ">" * (piece[-1] == ">"))

    def render_card_id(self, card: Card) -> Text:
        """Render a card's id; for a Prophecy card, with symbol and background of its colour."""
        if card.colour is None:
            return Text(card.id, "bold")
        # never symbol and letter, which are a piece
        mark = f" {card.colour.symbol}" if self._symbols else f"/{card.colour.name}"
        return Text(f"{card.id}{mark}", _load_terminal_layout()["styles"][card.colour.name])

    def format_levels(self, card: Card) -> str:
        """Format what each level needs and pays, as `1:2 2:6`."""
        return " ".join(f"{level.count}:{level.points}" for level in card.levels)

    def join_parts(self, parts: Iterable[Text | str], joint: str = " ") -> Text:
        """Join parts into one text."""
        return Text(joint).join(part if isinstance(part, Text) else Text(part) for part in parts)

    def render_coatl(self, coatl: Coatl) -> list[Text]:
        """Render a Cóatl with its pieces numbered, wrapped to the width."""
        width = 3 if self._symbols else 2
        per_row = max(5, (self.console.width - 2) // (width + 1))
        lines: list[Text] = []
        for begin in range(0, len(coatl), per_row):
            end = min(begin + per_row, len(coatl))
            shown = self.join_parts(
                Text.assemble(self.render_colour(colour), " " * (width - 1 - self._symbols))
                for colour in coatl.colours[begin:end]
            )
            numbers = " ".join(f"{number:<{width}}" for number in range(begin + 1, end + 1))
            first = "<" if coatl.head and begin == 0 else " "
            last = ">" if coatl.tail and end == len(coatl) else ""
            shown.rstrip()
            lines += [Text.assemble(first, shown, last), Text(f" {numbers}".rstrip(), style="dim")]
        return lines

    def render_requirement(self, requirement: Requirement, brief: bool = False) -> Text:
        """Render a requirement in pieces and numbers; `brief` where a card is one of many."""
        match requirement:
            case ColourCount(colour):
                return Text.assemble("n × ", self.render_colour(colour))
            case PieceSequence(elements, before, after):
                parts = [self._render_sequence_element(element) for element in elements]
                if before is not None:
                    parts.insert(0, self._render_crossed_out(before))
                if after is not None:
                    parts.append(self._render_crossed_out(after))
                return self.join_parts(parts)
            case Multiset(needs):
                return self.join_parts(
                    (
                        Text.assemble(f"{number}×", self.render_colour(colour))
                        for colour, number in needs
                    ),
                    " + ",
                )
            case Several(parts):
                asked = (self.render_requirement(part, brief) for part in parts)
                return self.join_parts(asked, self.language.card("semicolon"))
            case Absent(colour):
                return Text.assemble("0 × ", self.render_colour(colour))
            case Equal(first, second):
                return self.join_parts(
                    (self.render_colour(first), self.render_colour(second)), " = "
                )
            case Length(pieces):
                return Text(self.label("exactly_brief" if brief else "exactly", pieces))
            case NoProphecy(colour):
                return Text.assemble(
                    "0 × ", self.label("prophecy"), " ", self.render_colour(colour)
                )

    def _render_sequence_element(self, element: SequenceElement) -> Text:
        suffix = "+" if element.run else ""
        return (
            Text(f"*{suffix}")
            if element.colour is None
            else self.render_colour(element.colour, suffix)
        )

    def _render_crossed_out(self, colour: Colour) -> Text:
        return Text.assemble("!", self.render_colour(colour))

    def render_card(self, card: Card) -> RenderableType:
        """Render a card as it would lie on the table: points, pieces, text, levels."""
        levels = Table.grid(padding=(0, 1))
        for level in card.levels:
            levels.add_row(
                Text(format_count(card, level)), "=", Text(str(level.points), style="bold")
            )
        pieces = Align.center(self._render_plaque(card.requirement))
        words = Text(describe_card(card, self.language.code))
        steps = [Text(describe_level(card, level, self.language)) for level in card.levels]
        return Panel(
            Group(levels, "", pieces, "", words, "", *steps),
            box=box.ROUNDED,
            width=min(_load_terminal_layout()["card"]["width"], self.console.width),
            border_style=_load_terminal_layout()["borders"][
                card.colour.word if card.colour else "temple"
            ],
            title=Text.assemble((card.id, "bold"), " · ", self.render_kind(card)),
            title_align="left",
            subtitle=Text(f"{card.set} · {self.label('copies', card.copies)}"),
            subtitle_align="right",
            padding=(0, 1),
        )

    def render_kind(self, card: Card) -> Text:
        """Render the kind of a card: Prophecy with its card colour, or Temple."""
        name = self.label(card.kind.value)
        return (
            Text(name)
            if card.colour is None
            else Text(f"{name} ").append(self._render_colour_form(card.colour, "card"))
        )

    def render_card_colour(self, card: Card) -> Text:
        """Render the card colour with its symbol; for a Temple card, its kind."""
        if card.colour is None:
            return Text(self.label("temple"))
        return self._render_colour_form(card.colour, "name")

    def _render_colour_form(self, colour: Colour, form: str) -> Text:
        """Render a colour's symbol, and a form of its word."""
        return Text.assemble(self.render_colour(colour), " ", self.language.colours[colour][form])

    def _render_plaque(self, requirement: Requirement) -> Text:
        """Render the requirement between head and tail, as on the card's plaque."""
        if isinstance(requirement, PieceSequence):
            return Text.assemble("< ", self.render_requirement(requirement), " >")
        if isinstance(requirement, Several):
            lines = Text("\n", justify="center").join(
                map(self.render_requirement, requirement.parts)
            )
            lines.justify = "center"
            return lines
        return self.render_requirement(requirement)
