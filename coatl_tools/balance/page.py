"""The report as one page that needs nothing else: HTML with its plots, style and script inside."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

from coatl_tools.balance.card_section import card_section, own_section
from coatl_tools.balance.figures import Figures
from coatl_tools.balance.game_section import (
    adam_section,
    bot_section,
    coatl_section,
    length_section,
    score_section,
    summary_section,
    turn_section,
)
from coatl_tools.balance.html import Html, paragraph, tag
from coatl_tools.balance.plots import Plot
from coatl_tools.balance.source import Source
from coatl_tools.balance.words import Words
from coatl_tools.pieces import Colour
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.theme import load_theme

_HERE = Path(__file__).parent


def page(
    figures: Figures, sources: Sequence[Source], plots: Mapping[str, Plot], words: Words
) -> str:
    """The whole page. Nothing of it comes from anywhere else, and nothing may."""
    sections = [
        ("summary", "balance_summary", summary_section(figures, sources, words)),
        ("own", "balance_own", own_section(figures, words)),
        ("cards", "balance_cards", card_section(figures, plots, words)),
        ("scores", "balance_scores", score_section(figures, plots, words)),
        ("length", "balance_length", length_section(figures, plots, words)),
        ("coatls", "balance_coatls", coatl_section(figures, plots, words)),
        ("turns", "balance_uses", turn_section(figures, plots, words)),
        ("adam", "balance_adam", adam_section(figures, plots, words)),
        ("bots", "balance_bots", bot_section(figures, plots, words)),
    ]
    shown = [(name, words.label(title), text) for name, title, text in sections if text]
    title = words.label("balance_title")
    links = "".join(tag("li", Html(tag("a", text, href=f"#{name}"))) for name, text, _ in shown)
    body = [
        "<header>",
        tag("h1", title),
        paragraph(words.label("balance_games_of", figures.games, games=words.count(figures.games))),
        paragraph(words.label("balance_intervals"), "faint"),
        tag("nav", Html(tag("ul", Html(links))), aria_label=words.label("balance_contents")),
        "</header>",
        "<main>",
        *(
            tag("section", Html(tag("h2", heading, id=name)), Html(text))
            for name, heading, text in shown
        ),
        "</main>",
        tag("footer", Html(paragraph(words.label("balance_footer")))),
    ]
    return _document(title, "\n".join(body), words)


def _document(title: str, body: str, words: Words) -> str:
    style, script = _style(), (_HERE / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; "
        f"script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{words.language.code}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<link rel="icon" href="data:,">\n'
        f"{tag('title', title)}\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _style() -> str:
    theme = load_theme("full", Layouts())
    pieces = ""
    for colour in Colour:
        inks = theme.piece(colour)
        ground = inks.shade if colour is Colour.R else inks.fill  # white is faint on bright red
        look = f"background: {ground}; color: {inks.symbol}; box-shadow: 0 0 0 1px {inks.line}"
        pieces += f".piece.{colour.name} {{ {look} }}\n"
    return (_HERE / "page.css").read_text("utf-8") + pieces


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
