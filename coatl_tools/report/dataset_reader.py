"""Folders of simulated games: opened, checked, and read game by game.

The four datasets are read side by side, and are never whole in memory.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import Any, Generic, TypeVar

from coatl_tools.errors import FileError, ReportError, escape_unprintable
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.datasets import (
    ADAM_BOT,
    DATASETS,
    CardDataRow,
    CoatlDataRow,
    GameDataRow,
    GameRows,
    PlayerDataRow,
)
from coatl_tools.simulation.folder import PLAN_FILE, SimulationFolder
from coatl_tools.simulation.plan import SimulationPlan
from coatl_tools.simulation.statistics import ENDINGS


@dataclass(frozen=True, slots=True)
class SimulationSource:
    """A folder of simulated games."""

    folder: Path
    plan: SimulationPlan

    @property
    def name(self) -> str:
        """The folder's own name."""
        return escape_unprintable(self.folder.resolve().name)

    @property
    def dataset_paths(self) -> dict[str, Path]:
        """The CSV files, by name of the dataset."""
        return {name: self.folder / f"{name}.csv" for name in DATASETS}

    def notable_options(self, lang: str) -> list[tuple[str, str]]:
        """List the edition and the options that differ from the defaults, with their values."""
        own = self.plan.options
        defaults = TableOptions(players=own.players).data()
        found = [
            (line.name, line.value)
            for line in own.list_rules(lang)
            if line.name == "edition"
            or (line.name and own.data()[line.name] != defaults[line.name])
        ]
        levels = ["+".join(map(str, chosen)) or "0" for chosen in self.plan.levels]
        return found if levels == ["0"] else [*found, ("levels", ", ".join(levels))]


def open_source(folder: Path) -> SimulationSource:
    """Open a folder of simulated games.

    CoatlError says that it is no such folder, or that its simulation is not finished.
    """
    if not folder.is_dir():
        raise FileError("export.no_folder" if folder.exists() else "file.no_folder", path=folder)
    if not (folder / PLAN_FILE).exists():
        raise ReportError("balance.no_games", path=folder)
    source = SimulationSource(folder, SimulationFolder(folder).plan())
    if not all(path.exists() for path in source.dataset_paths.values()):
        raise make_unfinished_error(source, 0)
    return source


def make_unfinished_error(source: SimulationSource, games: int) -> ReportError:
    """Make the error for datasets that do not hold all games of their plan."""
    return ReportError(
        "balance.unfinished", path=source.folder, done=games, games=source.plan.games
    )


def check_together(sources: Sequence[SimulationSource]) -> None:
    """Raise ReportError for sources that cannot be counted together: other cards, same games."""
    first, *others = sources
    for other in others:
        differing = set(first.plan.cards) ^ set(other.plan.cards)
        if differing:
            ids = ", ".join(sorted({card.id for card in differing}))
            raise ReportError(
                "balance.cards_differ", first=first.folder, second=other.folder, cards=ids
            )
    for one, another in combinations(sources, 2):
        if one.plan.digest == another.plan.digest:
            raise ReportError("balance.same_games", first=one.folder, second=another.folder)


MAX_NUMBER = 100_000  # points, turns or pieces: far beyond any game, and small enough to count with
MAX_DIGITS = 40  # of a seed, or of the number of a game
MAX_TEXT_LENGTH = 400
GAMES_PER_NOTICE = 256
CARD_KINDS = ("prophecy", "temple")
APPEARANCE_PLACES = ("supply", "pile", "dealt", "deck")
TAKEN_OUTCOMES = ("discarded", "held", "placed")  # by a player
OUTCOMES = ("open", "left", *TAKEN_OUTCOMES, "fulfilled")

DataRow = TypeVar("DataRow", GameDataRow, PlayerDataRow, CoatlDataRow, CardDataRow)
CellParser = Callable[[str], Any]


def read_games(source: SimulationSource, notice: Callable[[int], None]) -> Iterator[GameRows]:
    """Read every game of a folder, in order; `notice` is told how many characters were read.

    ReportError says where a file is damaged, FileError which one cannot be read.
    """
    paths = source.dataset_paths
    games = _DatasetReader(paths["games"], GameDataRow)
    players = _DatasetReader(paths["players"], PlayerDataRow)
    coatls = _DatasetReader(paths["coatls"], CoatlDataRow)
    cards = _DatasetReader(paths["cards"], CardDataRow)
    checker = _GameChecker(source)
    last = -1
    for row in games:
        if row.game <= last:
            raise games.make_order_error(row.game)
        last = row.game
        played = GameRows((row,), players.take(last), coatls.take(last), cards.take(last))
        checker.check(played)
        yield played
        if last % GAMES_PER_NOTICE == 0:
            notice(sum(file.characters_read for file in (games, players, coatls, cards)))
    for dataset in (players, coatls, cards):
        dataset.take(last + 1)  # an error if rows are left that belong to no game


class _GameChecker:
    """Checks that a game fits the plan of its simulation: players, levels and cards."""

    def __init__(self, source: SimulationSource) -> None:
        plan = source.plan
        self._files = source.dataset_paths
        self._size = len(plan.players)
        self._bots = {*plan.players, ADAM_BOT}
        self._levels = {"+".join(map(str, levels)) for levels in plan.levels}
        self._tops = {card.id: len(card.levels) for card in plan.cards}
        self._seats = [*range(1, max(2, self._size) + 1)]  # A.D.A.M. is the second of a solo game

    def check(self, played: GameRows) -> None:
        """Raise ReportError for a game that does not fit."""
        (game,) = played.games
        if game.size != self._size:
            raise self._make_error("games", game, "size")
        if game.levels not in self._levels:
            raise self._make_error("games", game, "levels")
        if [player.seat for player in played.players] != self._seats:
            raise ReportError("balance.seats", file=self._files["players"], game=game.game)
        for player in played.players:
            if player.bot not in self._bots:
                raise self._make_error("players", player, "bot")
        for card in played.cards:
            if card.card not in self._tops:
                raise self._make_error("cards", card, "card")
            if not 0 <= card.level <= self._tops[card.card]:
                raise self._make_error("cards", card, "level")
            if card.seat not in self._seats and (
                card.seat is not None or card.outcome in TAKEN_OUTCOMES
            ):
                raise self._make_error("cards", card, "seat")

    def _make_error(
        self, dataset: str, row: GameDataRow | PlayerDataRow | CardDataRow, column: str
    ) -> ReportError:
        value = getattr(row, column)
        return ReportError(
            "balance.game",
            file=self._files[dataset],
            game=row.game,
            column=column,
            value="" if value is None else str(value)[:40],
        )


class _DatasetReader(Generic[DataRow]):
    """Reads one file row by row; the rows are sorted by game."""

    def __init__(self, path: Path, row: type[DataRow]) -> None:
        self.path = path
        self.characters_read = 0
        self._line = 0
        self._columns = [field.name for field in fields(row)]
        self._parsers = [_make_cell_parser(field.name, str(field.type)) for field in fields(row)]
        self._rows: Iterator[DataRow] = self._parse_rows(row)
        self._ahead: DataRow | None = None

    def __iter__(self) -> Iterator[DataRow]:
        return self._rows

    def take(self, game: int) -> tuple[DataRow, ...]:
        """Take the rows of a game, which come next; ReportError if rows of another game do."""
        found: list[DataRow] = []
        row = self._ahead or next(self._rows, None)
        while row is not None and row.game == game:
            found.append(row)
            row = next(self._rows, None)
        if row is not None and row.game < game:
            raise self.make_order_error(row.game)
        self._ahead = row
        return tuple(found)

    def make_order_error(self, game: int) -> ReportError:
        """Make the error for a row that does not follow the one before it."""
        return ReportError("balance.order", file=self.path, line=self._line, game=game)

    def _parse_rows(self, row: type[DataRow]) -> Iterator[DataRow]:
        lines = self._read_cells()
        if next(lines, None) != self._columns:
            raise ReportError("balance.columns", file=self.path)
        for cells in lines:
            try:
                values = [parse(cell) for parse, cell in zip(self._parsers, cells, strict=True)]
            except (ValueError, KeyError):
                raise self._make_cell_error(cells) from None
            yield row(*values)

    def _read_cells(self) -> Iterator[list[str]]:
        try:
            with self.path.open(encoding="utf-8", newline="") as file:
                lines = csv.reader(self._count_characters(file), strict=True)
                for cells in lines:
                    self._line = lines.line_num
                    yield cells
        except OSError as error:
            raise FileError("file.unreadable", path=self.path, reason=error.strerror) from None
        except (csv.Error, UnicodeDecodeError):
            raise ReportError("balance.no_table", file=self.path, line=self._line + 1) from None

    def _count_characters(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            self.characters_read += len(line)
            yield line

    def _make_cell_error(self, cells: list[str]) -> ReportError:
        where = {"file": self.path, "line": self._line}
        if len(cells) != len(self._columns):
            return ReportError("balance.row", cells=len(cells), columns=len(self._columns), **where)
        columns = zip(self._columns, self._parsers, cells, strict=True)
        column, value = next(
            (name, cell) for name, parse, cell in columns if not _can_parse_cell(parse, cell)
        )
        return ReportError("balance.cell", column=column, value=value[:40], **where)


def _can_parse_cell(parse: CellParser, cell: str) -> bool:
    try:
        parse(cell)
    except (ValueError, KeyError):
        return False
    return True


def _make_cell_parser(column: str, kind: str) -> CellParser:
    """Make the parser for the cells of a column; it raises KeyError or ValueError."""
    choices = {
        "ending": ENDINGS,
        "kind": CARD_KINDS,
        "shown": APPEARANCE_PLACES,
        "outcome": OUTCOMES,
    }
    if column in choices:
        return {text: text for text in choices[column]}.__getitem__
    if column in ("game", "seed"):
        return _parse_large_number
    if column == "size":
        return {str(size): size for size in range(1, 5)}.__getitem__
    parsers: dict[str, CellParser] = {
        "int": _parse_integer,
        "int | None": lambda cell: _parse_integer(cell) if cell else None,
        "float": _parse_share,
        "bool": {"true": True, "false": False, "True": True, "False": False}.__getitem__,
        "str": _parse_text,
    }
    return parsers[kind]


_SMALL_INTEGERS = {str(number): number for number in range(-100, 1000)}  # nearly all that occur


def _parse_integer(cell: str) -> int:
    number = _SMALL_INTEGERS.get(cell)
    if number is None:
        number = int(cell) if len(cell) < MAX_DIGITS else MAX_NUMBER + 1
        if abs(number) > MAX_NUMBER or str(number) != cell:
            raise ValueError
    return number


def _parse_large_number(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= MAX_DIGITS):
        raise ValueError
    return int(cell)


def _parse_share(cell: str) -> float:
    number = float(cell)
    if not 0 <= number <= 1:  # also refuses NaN
        raise ValueError
    return number


def _parse_text(cell: str) -> str:
    if len(cell) > MAX_TEXT_LENGTH:
        raise ValueError
    return cell
