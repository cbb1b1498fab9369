"""Small parts of a page: tables, figures, pieces. Whatever text goes in is escaped here."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from coatl_tools.balance.plots import Plot
from coatl_tools.balance.words import Words
from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Requirement,
    Several,
    Token,
)
from coatl_tools.cards.requirement import (
    Sequence as PieceSequence,
)
from coatl_tools.errors import visible
from coatl_tools.pieces import Colour


@dataclass(frozen=True, slots=True)
class Html:
    """Text that is HTML already."""

    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: what it shows, and the number that it is sorted by, if it is one."""

    shown: str | Html
    number: float | None = None
    strong: bool = False


def said(text: str | Html) -> str:
    """Any text as HTML; what would steer a screen stands there as an escape."""
    return text.text if isinstance(text, Html) else escape(visible(text))


def tag(name: str, *inner: str | Html, **attributes: str) -> str:
    """An element; `class_` is written class, and `aria_label` aria-label."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(map(said, inner))}</{name}>"


def paragraph(text: str | Html, class_: str = "") -> str:
    """A paragraph."""
    return tag("p", text, class_=class_) if class_ else tag("p", text)


def table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[tuple[bool, Sequence[Cell]]],
    sortable: bool = False,
) -> str:
    """A table that scrolls by itself where it is too wide; its first cells name the rows.

    Rows to be seen first are marked.
    """
    head = "".join(tag("th", column, scope="col") for column in columns)
    body = "".join(_row(marked, cells) for marked, cells in rows)
    class_ = "sortable" if sortable else "plain"
    inner = f"{tag('caption', caption)}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    whole = tag("table", Html(inner), class_=class_)
    return tag("div", Html(whole), class_="scroll", role="region", aria_label=caption, tabindex="0")


def _row(marked: bool, cells: Sequence[Cell]) -> str:
    shown = []
    for index, cell in enumerate(cells):
        given = {} if cell.number is None else {"data_sort": repr(float(cell.number))}
        if index == 0:
            shown.append(tag("th", cell.shown, scope="row", **given))
        else:
            class_ = {"class_": "number"} if cell.number is not None else {}
            shown.append(tag("td", cell.shown, **class_, **given))
    return tag("tr", Html("".join(shown)), **({"class_": "own"} if marked else {}))


def below(text: str) -> Html:
    """A number, and its interval below it, so that a column is narrow."""
    value, bracket, bounds = text.partition(" (")
    small = f"<br>{tag('small', f'({bounds}')}" if bracket else ""
    return Html(said(value) + small)


def figure(plot: Plot | None, caption: str, words: Words) -> str:
    """A plot with what it shows below it; without one, that there is nothing to show."""
    if plot is None:
        return paragraph(f"{caption}: {words.no_data}", "no-data")
    source = f"data:image/png;base64,{base64.b64encode(plot.png).decode()}"
    size = f'width="{plot.width}" height="{plot.height}"'
    picture = f'<img src="{source}" alt="{escape(visible(plot.alt))}" {size}>'
    return tag("figure", Html(picture), Html(tag("figcaption", caption)))


def asked(requirement: Requirement, words: Words) -> str:
    """What a card asks, in pieces; a screen reader hears it in words beside them."""
    return tag("span", Html(_asked(requirement, words)), class_="asks", aria_hidden="true")


def _asked(requirement: Requirement, words: Words) -> str:
    match requirement:
        case Count(colour):
            return f"n × {_piece(colour)}"
        case PieceSequence(tokens, before, after):
            parts = [_token(token) for token in tokens]
            if before is not None:
                parts.insert(0, _piece(before, "out"))
            if after is not None:
                parts.append(_piece(after, "out"))
            return " ".join(parts)
        case Multiset(needs):
            return " + ".join(f"{number}×{_piece(colour)}" for colour, number in needs)
        case Several(several):
            return "; ".join(_asked(part, words) for part in several)
        case Absent(colour):
            return f"0 × {_piece(colour)}"
        case Equal(first, second):
            return f"{_piece(first)} = {_piece(second)}"
        case Length(pieces):
            return said(words.label("exactly_brief", pieces))
        case NoProphecy(colour):
            return f"0 × {said(words.label('prophecy'))} {_piece(colour)}"


def _token(token: Token) -> str:
    shown = "*" if token.colour is None else _piece(token.colour)
    return f"{shown}+" if token.run else shown


def _piece(colour: Colour, more: str = "") -> str:
    """A piece: symbol and letter on its colour; `out` is crossed out."""
    return tag(
        "span", f"{colour.symbol}{colour.name}", class_=f"piece {colour.name} {more}".strip()
    )
