"""Correcting a reading line by line: where there is no terminal, or a plain one."""

from __future__ import annotations

import re

import click

from coatl_tools.cards.search import matching
from coatl_tools.cli.ask import read_line
from coatl_tools.cli.photo.keys import MOST_SHOWN
from coatl_tools.cli.photo.scores import Scoring, print_scores, short_scores
from coatl_tools.cli.photo.session import Session
from coatl_tools.cli.photo.shown import question, reading_lines
from coatl_tools.cli.screen import Screen
from coatl_tools.errors import CoatlError, CorrectionError, NotationError
from coatl_tools.vision.corrections import CardIs, PieceIs
from coatl_tools.vision.reading import Problem
from coatl_tools.vision.written_corrections import parse_corrections, piece_said

_ABOUT = re.compile(
    r"\s*(\+|\d+\s*\.|c\s*\d+\s*[=@-]|\d+\s*(=\s*\D|[-+~]|[^\W\d_]))", re.IGNORECASE
)


def fix_by_lines(session: Session, screen: Screen, how: Scoring) -> None:
    """Ask about every doubt, then for corrections, until an empty line or the end of the input."""
    screen.print(*reading_lines(session.reading, session, screen))
    while True:
        doubt = next(iter(session.doubts()), None)
        asked = question(doubt, session, screen).plain if doubt else screen.label("fix_type")
        try:
            line = read_line(asked)
        except click.Abort:
            return
        if line.lower() == "q" or (not line and doubt is None):
            return
        if line == "?":
            screen.print(screen.label("fix_help_lines"))
            continue
        if line.lower() == "s":
            print_scores(session.reading, session.catalog, how, screen)
            continue
        before = reading_lines(session.reading, session, screen)
        try:
            _answer(line.removeprefix(":").lstrip() or line, doubt, session)  # as with keys
        except CoatlError as error:
            screen.print(error.text(screen.language.code))
            if isinstance(error, NotationError):
                screen.print(*(f"  {part}" for part in error.pointer().splitlines()))
            continue
        after = reading_lines(session.reading, session, screen)
        screen.print(*(one for one in after if one not in before))
        screen.print(*short_scores(session.reading, session.catalog, how, screen))


def _answer(line: str, doubt: Problem | None, session: Session) -> None:
    """An answer to the question, or else a correction; CoatlError if it is neither."""
    if line.lower() == "u":
        if not session.undo():
            raise CorrectionError("fix.no_undo")
        return
    if doubt is not None and not line:
        session.confirm(doubt)
    elif doubt is not None and doubt.card is not None and not _is_correction(line):
        _pick(line, doubt.card, session)
    elif doubt is not None and doubt.piece is not None and not _is_correction(line):
        coatl = 1 if doubt.coatl is None else doubt.coatl + 1
        session.apply(PieceIs(coatl, doubt.piece + 1, *piece_said(line)))
    else:
        session.apply(*parse_corrections(line, session.catalog))


def _is_correction(line: str) -> bool:
    """Whether a line says itself what it is about; `3=2` and `29` are what a card shows."""
    return _ABOUT.match(line) is not None


def _pick(line: str, card: int, session: Session) -> None:
    """The card that a few characters name; CorrectionError with the candidates if several do."""
    found = matching(line, session.cards, session.reading.cards[card].candidates)
    if not found:
        raise CorrectionError("fix.no_such_card", text=line)
    if len(found) > 1 and found[0].id.lower() != line.strip().lower():
        ids = ", ".join(one.id for one in found[:MOST_SHOWN])
        raise CorrectionError("fix.several_cards", text=line, n=len(found), ids=ids)
    session.apply(CardIs(card + 1, found[0].id))
