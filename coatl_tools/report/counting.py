"""Count the games of all folders into the figures of a report.

Memory grows with the kinds of things that are counted, not with the games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from coatl_tools.cards.card import Card
from coatl_tools.report.dataset_reader import (
    TAKEN_OUTCOMES,
    SimulationSource,
    check_together,
    make_unfinished_error,
    open_source,
    read_games,
)
from coatl_tools.report.report_figures import (
    CardFigures,
    Distribution,
    GameGroup,
    GroupFigures,
    PlayerFigures,
    ReportFigures,
    TurnUses,
)
from coatl_tools.simulation.datasets import (
    ADAM_BOT,
    CardDataRow,
    GameDataRow,
    GameRows,
    PlayerDataRow,
)


class GameCounter:
    """Counts games one by one, and makes the figures of them."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._games = 0
        self._groups: dict[GameGroup, _GroupCounter] = {}
        self._cards = {card.id: _CardCounter(card) for card in cards}

    def add(self, played: GameRows) -> None:
        """Count a game."""
        (game,) = played.games
        group = GameGroup(game.size, game.levels)
        if group not in self._groups:
            self._groups[group] = _GroupCounter()
        self._games += 1
        self._groups[group].add(game, played)
        won = {player.seat: player.won for player in played.players}
        for row in played.cards:
            if row.seat is None or row.seat <= game.size:  # A.D.A.M. does not choose its cards
                self._cards[row.card].add(row, group, won.get(row.seat or 0, 0.0))

    def figures(self) -> ReportFigures:
        """Make the figures of all games counted so far."""
        order = sorted(self._groups, key=lambda group: group.order)
        groups = tuple(self._groups[group].figures(group) for group in order)
        expected_wins = {found.group: _find_expected_share(found) for found in groups}
        cards = tuple(counted.figures(expected_wins) for counted in self._cards.values())
        return ReportFigures(self._games, groups, cards)


def _find_expected_share(figures: GroupFigures) -> float:
    """Find the share of games that a player wins if cards make no difference.

    Against A.D.A.M. it is the share that was won.
    """
    if not figures.group.solo:
        return 1 / figures.group.size
    wins = figures.seats[0].wins
    return wins.value if wins else 0.0


class _PlayersCounter:
    """Counts the players of one seat, or of one kind of bot."""

    def __init__(self) -> None:
        self._points: Counter[int] = Counter()
        self._won: Counter[float] = Counter()
        self._uses = [0] * len(TurnUses._fields)

    def add(self, row: PlayerDataRow) -> None:
        """Count a player."""
        self._points[row.points] += 1
        self._won[row.won] += 1
        used = (row.turns, row.takes, row.choices, row.assemblies, row.tokens)
        self._uses = [all_ + one for all_, one in zip(self._uses, used, strict=True)]

    def figures(self, name: str) -> PlayerFigures:
        """Make the figures of these players."""
        # added by share, so that the order of the games changes no digit
        won = sum(share * n for share, n in sorted(self._won.items()))
        return PlayerFigures(
            name, Distribution.from_counts(self._points), won, TurnUses(*self._uses)
        )


class _GroupCounter:
    """Counts the games of one kind."""

    def __init__(self) -> None:
        self._turns: Counter[int] = Counter()
        self._endings: Counter[str] = Counter()
        self._shared = 0
        self._seats: defaultdict[int, _PlayersCounter] = defaultdict(_PlayersCounter)
        self._bots: defaultdict[str, _PlayersCounter] = defaultdict(_PlayersCounter)
        self._adam = _PlayersCounter()
        self._coatls: Counter[int] = Counter()
        self._unfinished: Counter[int] = Counter()
        self._pieces: Counter[int] = Counter()
        self._points: Counter[int] = Counter()

    def add(self, game: GameDataRow, played: GameRows) -> None:
        """Count a game."""
        self._turns[game.turns] += 1
        self._endings[game.ending] += 1
        self._shared += game.winners > 1
        for player in played.players:
            if player.seat > game.size:
                self._adam.add(player)
                continue
            self._seats[player.seat].add(player)
            self._bots[player.bot].add(player)
            self._coatls[player.coatls] += 1
            self._unfinished[player.unfinished] += 1
        for coatl in played.coatls:
            if coatl.complete:
                self._pieces[coatl.pieces] += 1
                self._points[coatl.points] += 1

    def figures(self, group: GameGroup) -> GroupFigures:
        """Make the figures of these games."""
        return GroupFigures(
            group=group,
            games=self._turns.total(),
            turns=Distribution.from_counts(self._turns),
            endings=dict(sorted(self._endings.items())),
            shared=self._shared,
            seats=tuple(self._seats[seat].figures(str(seat)) for seat in sorted(self._seats)),
            bots=tuple(self._bots[name].figures(name) for name in sorted(self._bots)),
            adam=self._adam.figures(ADAM_BOT) if group.solo else None,
            coatls=Distribution.from_counts(self._coatls),
            unfinished=Distribution.from_counts(self._unfinished),
            pieces=Distribution.from_counts(self._pieces),
            coatl_points=Distribution.from_counts(self._points),
        )


class _CardCounter:
    """Counts the appearances of one card."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self._points: Counter[int] = Counter()
        self._taken = 0
        self._placed_points: Counter[int] = Counter()
        self._unfinished = 0
        self._levels = [0] * (len(card.levels) + 1)
        self._placed: Counter[GameGroup] = Counter()
        self._won: Counter[float] = Counter()

    def add(self, row: CardDataRow, group: GameGroup, won: float) -> None:
        """Count an appearance."""
        self._points[row.points] += 1
        self._taken += row.outcome in TAKEN_OUTCOMES
        if row.outcome == "placed":
            self._placed_points[row.points] += 1
            self._unfinished += not row.complete
            self._levels[row.level] += 1
            self._placed[group] += 1
            self._won[won] += 1

    def figures(self, expected_wins: dict[GameGroup, float]) -> CardFigures:
        """Make its figures; `expected_wins` is the share that players of a group win."""
        return CardFigures(
            card=self.card,
            points=Distribution.from_counts(self._points),
            taken=self._taken,
            placed_points=Distribution.from_counts(self._placed_points),
            unfinished=self._unfinished,
            levels=tuple(self._levels),
            won=sum(share * n for share, n in sorted(self._won.items())),
            expected=sum(expected_wins[group] * n for group, n in sorted(self._placed.items())),
        )


ReadingProgress = Callable[[int], None]  # told how many characters have been read


def open_sources(folders: Iterable[Path]) -> tuple[SimulationSource, ...]:
    """Open folders whose games can be counted together; CoatlError says why they cannot."""
    sources = tuple(open_source(folder) for folder in folders)
    check_together(sources)
    return sources


def count_bytes(sources: Sequence[SimulationSource]) -> int:
    """Count the bytes to read."""
    return sum(path.stat().st_size for source in sources for path in source.dataset_paths.values())


def count_games(sources: Sequence[SimulationSource], notice: ReadingProgress) -> ReportFigures:
    """Count all games of these folders; ReportError or FileError if a file is damaged."""
    counter, before = GameCounter(sources[0].plan.cards), 0
    for source in sources:
        games = 0
        for played in read_games(source, partial(_report_progress, notice, before)):
            counter.add(played)
            games += 1
        if games != source.plan.games:
            raise make_unfinished_error(source, games)
        before += count_bytes([source])
    return counter.figures()


def _report_progress(notice: ReadingProgress, before: int, read: int) -> None:
    notice(before + read)
