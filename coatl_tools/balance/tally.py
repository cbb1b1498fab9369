"""Counting games as they are read: memory grows with the kinds of things, not with the games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from coatl_tools.balance.figures import (
    CardFigures,
    Figures,
    Group,
    GroupFigures,
    Players,
    Spread,
    Uses,
)
from coatl_tools.balance.tables import TAKEN
from coatl_tools.cards.card import Card
from coatl_tools.simulation.playing import Played
from coatl_tools.simulation.rows import ADAM_BOT, CardRow, GameRow, PlayerRow


class Tally:
    """What has been counted so far."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._games = 0
        self._groups: dict[Group, _GroupTally] = {}
        self._cards = {card.id: _CardTally(card) for card in cards}

    def add(self, played: Played) -> None:
        """Count a game."""
        (game,) = played.games
        group = Group(game.size, game.levels)
        if group not in self._groups:
            self._groups[group] = _GroupTally()
        self._games += 1
        self._groups[group].add(game, played)
        won = {player.seat: player.won for player in played.players}
        for row in played.cards:
            if row.seat is None or row.seat <= game.size:  # A.D.A.M. takes what comes
                self._cards[row.card].add(row, group, won.get(row.seat or 0, 0.0))

    def figures(self) -> Figures:
        """All that the games say."""
        order = sorted(self._groups, key=lambda group: group.order)
        groups = tuple(self._groups[group].figures(group) for group in order)
        usual = {found.group: _usual_share(found) for found in groups}
        cards = tuple(counted.figures(usual) for counted in self._cards.values())
        return Figures(self._games, groups, cards)


def _usual_share(figures: GroupFigures) -> float:
    """How often a player wins, all players alike; against A.D.A.M., as often as it was."""
    if not figures.group.solo:
        return 1 / figures.group.size
    wins = figures.seats[0].wins
    return wins.share if wins else 0.0


class _PlayersTally:
    """Players of one seat, or of one kind."""

    def __init__(self) -> None:
        self._points: Counter[int] = Counter()
        self._won: Counter[float] = Counter()
        self._uses = [0] * len(Uses._fields)

    def add(self, row: PlayerRow) -> None:
        """Count a player."""
        self._points[row.points] += 1
        self._won[row.won] += 1
        used = (row.turns, row.takes, row.choices, row.assemblies, row.tokens)
        self._uses = [all_ + one for all_, one in zip(self._uses, used, strict=True)]

    def figures(self, name: str) -> Players:
        """What they have reached."""
        # few different shares, so that the order of games changes no digit
        won = sum(share * n for share, n in sorted(self._won.items()))
        return Players(name, Spread.of(self._points), won, Uses(*self._uses))


class _GroupTally:
    """Games of one kind."""

    def __init__(self) -> None:
        self._turns: Counter[int] = Counter()
        self._endings: Counter[str] = Counter()
        self._shared = 0
        self._seats: defaultdict[int, _PlayersTally] = defaultdict(_PlayersTally)
        self._bots: defaultdict[str, _PlayersTally] = defaultdict(_PlayersTally)
        self._adam = _PlayersTally()
        self._coatls: Counter[int] = Counter()
        self._unfinished: Counter[int] = Counter()
        self._pieces: Counter[int] = Counter()
        self._points: Counter[int] = Counter()

    def add(self, game: GameRow, played: Played) -> None:
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

    def figures(self, group: Group) -> GroupFigures:
        """All about them."""
        return GroupFigures(
            group=group,
            games=self._turns.total(),
            turns=Spread.of(self._turns),
            endings=dict(sorted(self._endings.items())),
            shared=self._shared,
            seats=tuple(self._seats[seat].figures(str(seat)) for seat in sorted(self._seats)),
            bots=tuple(self._bots[name].figures(name) for name in sorted(self._bots)),
            adam=self._adam.figures(ADAM_BOT) if group.solo else None,
            coatls=Spread.of(self._coatls),
            unfinished=Spread.of(self._unfinished),
            pieces=Spread.of(self._pieces),
            coatl_points=Spread.of(self._points),
        )


class _CardTally:
    """One card."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self._points: Counter[int] = Counter()
        self._taken = 0
        self._placed_points: Counter[int] = Counter()
        self._unfinished = 0
        self._levels = [0] * (len(card.levels) + 1)
        self._placed: Counter[Group] = Counter()
        self._won: Counter[float] = Counter()

    def add(self, row: CardRow, group: Group, won: float) -> None:
        """Count an appearance."""
        self._points[row.points] += 1
        self._taken += row.outcome in TAKEN
        if row.outcome == "placed":
            self._placed_points[row.points] += 1
            self._unfinished += not row.complete
            self._levels[row.level] += 1
            self._placed[group] += 1
            self._won[won] += 1

    def figures(self, usual: dict[Group, float]) -> CardFigures:
        """What became of it, where players of a group usually win such a share."""
        return CardFigures(
            card=self.card,
            points=Spread.of(self._points),
            taken=self._taken,
            placed_points=Spread.of(self._placed_points),
            unfinished=self._unfinished,
            levels=tuple(self._levels),
            won=sum(share * n for share, n in sorted(self._won.items())),
            expected=sum(usual[group] * n for group, n in sorted(self._placed.items())),
        )
