"""Joining a game midway, on the command line: from a file, or asked question by question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coatl_tools.cards.card import Card
    from coatl_tools.rules.options import TableOptions
    from coatl_tools.rules.position import Position


def ask_position(options: TableOptions, cards: tuple[Card, ...], language: str) -> Position:
    """Ask what lies on the table; nothing is asked that can be worked out.

    Each answer is checked beside those before it, so that the whole can be joined. PositionError
    if the game is over already; the end of the input raises click.Abort.
    """
    from coatl_tools.cli.table.join_questions import JoinQuestions

    return JoinQuestions(options, cards, language).position()


def read_position_file(path: Path, options: TableOptions, cards: tuple[Card, ...]) -> Position:
    """The position of a file (- for standard input), and checked: a table can begin with it."""
    from coatl_tools.cli.streams import document
    from coatl_tools.documents import in_file, loads
    from coatl_tools.referee.position import read_position
    from coatl_tools.rules.midway import midway
    from coatl_tools.rules.setup import new_game

    data, game = document(path), new_game(options, cards).game
    with in_file(path):
        position = read_position(loads(data), options, cards)
        midway(game, position)
    return position
