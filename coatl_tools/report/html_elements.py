"""HTML elements of the report: tables, plots, pieces. Every text that goes in is escaped here."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

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
from coatl_tools.errors import escape_unprintable
from coatl_tools.pieces import Colour
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.plots import Plot


@dataclass(frozen=True, slots=True)
class SafeHtml:
    """Text that is HTML already."""

    text: str


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell of a table: what it shows, and the number that it is sorted by, if it is one."""

    shown: str | SafeHtml
    number: float | None = None
    strong: bool = False


def escape_text(text: str | SafeHtml) -> str:
    """Any text as HTML; what would steer a screen stands there as an escape."""
    return text.text if isinstance(text, SafeHtml) else escape(escape_unprintable(text))


def render_tag(name: str, *inner: str | SafeHtml, **attributes: str) -> str:
    """An element; `class_` is written class, and `aria_label` aria-label."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(escape_unprintable(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(map(escape_text, inner))}</{name}>"


def render_paragraph(text: str | SafeHtml, class_: str = "") -> str:
    """A paragraph."""
    return render_tag("p", text, class_=class_) if class_ else render_tag("p", text)


def render_html_table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[tuple[bool, Sequence[HtmlCell]]],
    sortable: bool = False,
) -> str:
    """A table that scrolls by itself where it is too wide; its first cells name the rows.

    Rows to be seen first are marked.
    """
    head = "".join(render_tag("th", column, scope="col") for column in columns)
    body = "".join(_render_row(marked, cells) for marked, cells in rows)
    class_ = "sortable" if sortable else "plain"
    inner = f"{render_tag('caption', caption)}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    whole = render_tag("table", SafeHtml(inner), class_=class_)
    return render_tag(
        "div", SafeHtml(whole), class_="scroll", role="region", aria_label=caption, tabindex="0"
    )


def _render_row(marked: bool, cells: Sequence[HtmlCell]) -> str:
    shown = []
    for index, cell in enumerate(cells):
        given = {} if cell.number is None else {"data_sort": repr(float(cell.number))}
        if index == 0:
            shown.append(render_tag("th", cell.shown, scope="row", **given))
        else:
            class_ = {"class_": "number"} if cell.number is not None else {}
            shown.append(render_tag("td", cell.shown, **class_, **given))
    return render_tag("tr", SafeHtml("".join(shown)), **({"class_": "own"} if marked else {}))


def render_interval_below(text: str) -> SafeHtml:
    """A number, and its interval below it, so that a column is narrow."""
    value, bracket, bounds = text.partition(" (")
    small = f"<br>{render_tag('small', f'({bounds}')}" if bracket else ""
    return SafeHtml(escape_text(value) + small)


def render_plot_figure(plot: Plot | None, caption: str, words: ReportFormatter) -> str:
    """A plot with what it shows below it; without one, that there is nothing to show."""
    if plot is None:
        return render_paragraph(f"{caption}: {words.no_data}", "no-data")
    source = f"data:image/png;base64,{base64.b64encode(plot.png).decode()}"
    size = f'width="{plot.width}" height="{plot.height}"'
    picture = f'<img src="{source}" alt="{escape(escape_unprintable(plot.alt))}" {size}>'
    return render_tag("figure", SafeHtml(picture), SafeHtml(render_tag("figcaption", caption)))


def render_requirement(requirement: Requirement, words: ReportFormatter) -> str:
    """What a card asks, in pieces; a screen reader hears it in words beside them."""
    return render_tag(
        "span",
        SafeHtml(_render_requirement_pieces(requirement, words)),
        class_="asks",
        aria_hidden="true",
    )


def _render_requirement_pieces(requirement: Requirement, words: ReportFormatter) -> str:
    match requirement:
        case ColourCount(colour):
            return f"n × {_render_piece(colour)}"
        case PieceSequence(tokens, before, after):
            parts = [_render_element(token) for token in tokens]
            if before is not None:
                parts.insert(0, _render_piece(before, "out"))
            if after is not None:
                parts.append(_render_piece(after, "out"))
            return " ".join(parts)
        case Multiset(needs):
            return " + ".join(f"{number}×{_render_piece(colour)}" for colour, number in needs)
        case Several(several):
            return "; ".join(_render_requirement_pieces(part, words) for part in several)
        case Absent(colour):
            return f"0 × {_render_piece(colour)}"
        case Equal(first, second):
            return f"{_render_piece(first)} = {_render_piece(second)}"
        case Length(pieces):
            return escape_text(words.label("exactly_brief", pieces))
        case NoProphecy(colour):
            return f"0 × {escape_text(words.label('prophecy'))} {_render_piece(colour)}"


def _render_element(token: SequenceElement) -> str:
    shown = "*" if token.colour is None else _render_piece(token.colour)
    return f"{shown}+" if token.run else shown


def _render_piece(colour: Colour, more: str = "") -> str:
    """A piece: symbol and letter on its colour; `out` is crossed out."""
    return render_tag(
        "span", f"{colour.symbol}{colour.name}", class_=f"piece {colour.name} {more}".strip()
    )
