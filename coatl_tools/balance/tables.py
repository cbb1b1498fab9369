"""The tables of a simulation, read game by game: four files side by side, never whole in memory."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Generic, TypeVar

from coatl_tools.balance.source import Source
from coatl_tools.errors import BalanceError, FileError
from coatl_tools.simulation.playing import Played
from coatl_tools.simulation.rows import ADAM_BOT, CardRow, CoatlRow, GameRow, PlayerRow

MOST = 100_000  # points, turns or pieces: far beyond any game, and small enough to count with
MOST_DIGITS = 40  # of a seed, or of the number of a game
MOST_TEXT = 400
NOTICE_EVERY = 256  # games
ENDINGS = ("third", "bodies", "passed")
KINDS = ("prophecy", "temple")
SHOWN = ("supply", "pile", "dealt", "deck")
TAKEN = ("discarded", "held", "placed")  # by a player
OUTCOMES = ("open", "left", *TAKEN, "fulfilled")

Row = TypeVar("Row", GameRow, PlayerRow, CoatlRow, CardRow)
Reader = Callable[[str], Any]


def played_games(source: Source, notice: Callable[[int], None]) -> Iterator[Played]:
    """Every game of a folder, in order; `notice` is told now and then how much has been read.

    BalanceError says where a table is damaged, FileError which one cannot be read.
    """
    paths = source.tables
    games = _Table(paths["games"], GameRow)
    players = _Table(paths["players"], PlayerRow)
    coatls = _Table(paths["coatls"], CoatlRow)
    cards = _Table(paths["cards"], CardRow)
    check = _Check(source)
    last = -1
    for row in games:
        if row.game <= last:
            raise games.out_of_order(row.game)
        last = row.game
        played = Played((row,), players.of(last), coatls.of(last), cards.of(last))
        check(played)
        yield played
        if last % NOTICE_EVERY == 0:
            notice(games.read + players.read + coatls.read + cards.read)
    for table in (players, coatls, cards):
        table.of(last + 1)  # every row belonged to a game


class _Check:
    """Whether a game is one of its simulation: who sat there, at which level, with which cards."""

    def __init__(self, source: Source) -> None:
        plan = source.plan
        self._files = source.tables
        self._size = len(plan.players)
        self._bots = {*plan.players, ADAM_BOT}
        self._levels = {"+".join(map(str, levels)) for levels in plan.levels}
        self._tops = {card.id: len(card.levels) for card in plan.cards}
        # one alone has A.D.A.M. beside it
        self._seats = [*range(1, max(2, self._size) + 1)]

    def __call__(self, played: Played) -> None:
        """Raise BalanceError for a game that is none."""
        (game,) = played.games
        if game.size != self._size:
            raise self._wrong("games", game, "size")
        if game.levels not in self._levels:
            raise self._wrong("games", game, "levels")
        if [player.seat for player in played.players] != self._seats:
            raise BalanceError("balance.seats", file=self._files["players"], game=game.game)
        for player in played.players:
            if player.bot not in self._bots:
                raise self._wrong("players", player, "bot")
        for card in played.cards:
            if card.card not in self._tops:
                raise self._wrong("cards", card, "card")
            if not 0 <= card.level <= self._tops[card.card]:
                raise self._wrong("cards", card, "level")
            if card.seat not in self._seats and (card.seat is not None or card.outcome in TAKEN):
                raise self._wrong("cards", card, "seat")

    def _wrong(self, table: str, row: GameRow | PlayerRow | CardRow, column: str) -> BalanceError:
        value = getattr(row, column)
        return BalanceError(
            "balance.game",
            file=self._files[table],
            game=row.game,
            column=column,
            value="" if value is None else str(value)[:40],
        )


class _Table(Generic[Row]):
    """One file, read row by row; its rows lie in the order of their games."""

    def __init__(self, path: Path, row: type[Row]) -> None:
        self.path = path
        self.read = 0  # characters
        self._line = 0
        self._columns = [field.name for field in fields(row)]
        self._readers = [_reader(field.name, str(field.type)) for field in fields(row)]
        self._rows: Iterator[Row] = self._parsed(row)
        self._ahead: Row | None = None

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def of(self, game: int) -> tuple[Row, ...]:
        """The rows of a game, which are the next ones; BalanceError if others lie in the way."""
        found: list[Row] = []
        row = self._ahead or next(self._rows, None)
        while row is not None and row.game == game:
            found.append(row)
            row = next(self._rows, None)
        if row is not None and row.game < game:
            raise self.out_of_order(row.game)
        self._ahead = row
        return tuple(found)

    def out_of_order(self, game: int) -> BalanceError:
        """The error for a row that does not follow the one before it."""
        return BalanceError("balance.order", file=self.path, line=self._line, game=game)

    def _parsed(self, row: type[Row]) -> Iterator[Row]:
        lines = self._cells()
        if next(lines, None) != self._columns:
            raise BalanceError("balance.columns", file=self.path)
        for cells in lines:
            try:
                values = [read(cell) for read, cell in zip(self._readers, cells, strict=True)]
            except (ValueError, KeyError):
                raise self._damaged(cells) from None
            yield row(*values)

    def _cells(self) -> Iterator[list[str]]:
        try:
            with self.path.open(encoding="utf-8", newline="") as file:
                lines = csv.reader(self._counted(file), strict=True)
                for cells in lines:
                    self._line = lines.line_num
                    yield cells
        except OSError as error:
            raise FileError("file.unreadable", path=self.path, reason=error.strerror) from None
        except (csv.Error, UnicodeDecodeError):
            raise BalanceError("balance.no_table", file=self.path, line=self._line + 1) from None

    def _counted(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            self.read += len(line)
            yield line

    def _damaged(self, cells: list[str]) -> BalanceError:
        where = {"file": self.path, "line": self._line}
        if len(cells) != len(self._columns):
            return BalanceError(
                "balance.row", cells=len(cells), columns=len(self._columns), **where
            )
        columns = zip(self._columns, self._readers, cells, strict=True)
        column, value = next((name, cell) for name, read, cell in columns if not _reads(read, cell))
        return BalanceError("balance.cell", column=column, value=value[:40], **where)


def _reads(read: Reader, cell: str) -> bool:
    try:
        read(cell)
    except (ValueError, KeyError):
        return False
    return True


def _reader(column: str, kind: str) -> Reader:
    """What reads a cell of this column; it raises KeyError or ValueError."""
    choices = {"ending": ENDINGS, "kind": KINDS, "shown": SHOWN, "outcome": OUTCOMES}
    if column in choices:
        return {text: text for text in choices[column]}.__getitem__
    if column in ("game", "seed"):
        return _large
    if column == "size":
        return {str(size): size for size in range(1, 5)}.__getitem__
    readers: dict[str, Reader] = {
        "int": _integer,
        "int | None": lambda cell: _integer(cell) if cell else None,
        "float": _share,
        "bool": {"true": True, "false": False, "True": True, "False": False}.__getitem__,
        "str": _text,
    }
    return readers[kind]


_SMALL = {str(number): number for number in range(-100, 1000)}  # nearly all there are


def _integer(cell: str) -> int:
    number = _SMALL.get(cell)
    if number is None:
        number = int(cell) if len(cell) < MOST_DIGITS else MOST + 1
        if abs(number) > MOST or str(number) != cell:
            raise ValueError
    return number


def _large(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS):
        raise ValueError
    return int(cell)


def _share(cell: str) -> float:
    number = float(cell)
    if not 0 <= number <= 1:  # nor is it a NaN
        raise ValueError
    return number


def _text(cell: str) -> str:
    if len(cell) > MOST_TEXT:
        raise ValueError
    return cell
