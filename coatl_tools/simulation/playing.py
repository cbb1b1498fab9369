"""One game of a simulation, from its plan and its number to the rows that are kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coatl_tools.players import bot_named, move
from coatl_tools.rules.box import ADAM
from coatl_tools.rules.dealer import deal, mixed
from coatl_tools.rules.ending import Result, result
from coatl_tools.rules.engine import apply
from coatl_tools.rules.events import AdamTurn, Event
from coatl_tools.rules.setup import opening
from coatl_tools.rules.state import ADAMS_TURN, OVER, State
from coatl_tools.simulation.plan import Plan
from coatl_tools.simulation.rows import ADAM_BOT, CardRow, CoatlRow, GameRow, PlayerRow
from coatl_tools.simulation.watching import Appearance, Watch

_SEATS = 1 << 32  # numbers for the seeds of seats, far from those of the dealer's draws


@dataclass(frozen=True, slots=True)
class Played:
    """The rows of one game, table by table."""

    games: tuple[GameRow, ...]
    players: tuple[PlayerRow, ...]
    coatls: tuple[CoatlRow, ...]
    cards: tuple[CardRow, ...]


def play_game(plan: Plan, index: int) -> Played:
    """Play a game to its end: the same plan and number, the same rows."""
    return rows_of(plan, index, *watched_game(plan, index))


def watched_game(plan: Plan, index: int) -> tuple[State, Watch]:
    """The last moment of a game, and what was seen on the way there."""
    seed = plan.game_seed(index)
    bots = [bot_named(plan.players[player]) for player in plan.seated(index)]
    seeds = [mixed(seed, _SEATS + seat) for seat, _ in enumerate(bots)]
    state = opening(plan.game(index))
    watch = Watch(len(state.game.names))
    while state.stage is not OVER:
        events: tuple[Event, ...]
        if state.draws:
            events = (deal(state, seed),)
        elif state.stage is ADAMS_TURN:
            events = (AdamTurn(),)
        else:
            events = move(state, state.turn, bots[state.turn], seeds[state.turn]).events
        for event in events:
            after = apply(state, event)
            watch.see(state, event, after)
            state = after
            if state.draws:  # chance has its say before the rest of a move
                break
    return state, watch


def rows_of(plan: Plan, index: int, state: State, watch: Watch) -> Played:
    """What is kept of a game that is over."""
    return _Writer(plan, index, state, watch).rows()


class _Writer:
    """Writes the rows of a game that is over."""

    def __init__(self, plan: Plan, index: int, state: State, watch: Watch) -> None:
        self.plan, self.index, self.state, self.watch = plan, index, state, watch
        self.result: Result = result(state)
        self.points = [player.points for player in self.result.players]
        if self.result.adam:
            self.points.append(self.result.adam.points)

    def rows(self) -> Played:
        """All rows."""
        players = [self.player(seat) for seat in range(self.state.game.size)]
        adam = [self.adam()] if self.state.adam else []
        coatls = (row for seat in range(self.state.game.size) for row in self.coatls(seat))
        cards = map(self.card, self.watch.appeared)
        return Played((self.game(),), (*players, *adam), tuple(coatls), tuple(cards))

    def game(self) -> GameRow:
        """The game."""
        state, options = self.state, self.state.game.options
        return GameRow(
            game=self.index,
            seed=self.plan.game_seed(self.index),
            size=state.game.size,
            edition=options.edition,
            levels="+".join(map(str, options.levels)),
            turns=state.turns,
            ending=state.ending.cause if state.ending else "passed",
            ended_by=state.ending.player + 1 if state.ending else None,
            winners=len(self.result.winners),
        )

    def player(self, seat: int) -> PlayerRow:
        """Somebody who has a bot's name."""
        number = self.plan.seated(self.index)[seat]
        found, player = self.result.players[seat], self.state.players[seat]
        complete = sum(coatl.complete for coatl in found.coatls)
        return PlayerRow(
            game=self.index,
            seat=seat + 1,
            player=number + 1,
            bot=self.plan.players[number],
            points=found.points,
            won=self.won(seat),
            margin=self.margin(seat),
            cards=found.cards,
            temples=found.temples,
            best=found.best,
            coatls=complete,
            unfinished=len(found.coatls) - complete,
            turns=self.watch.turns[seat],
            takes=self.watch.actions[seat, "takes"],
            choices=self.watch.actions[seat, "choices"],
            assemblies=self.watch.actions[seat, "assemblies"],
            tokens=self.watch.actions[seat, "tokens"],
            hand=len(player.hand),
        )

    def adam(self) -> PlayerRow:
        """A.D.A.M., whose hand is its row, and whose cards are those it has fulfilled."""
        row, cards = (self.state.adam or ((), ()))[:2]
        return PlayerRow(
            game=self.index,
            seat=ADAM + 1,
            player=ADAM + 1,
            bot=ADAM_BOT,
            points=self.points[ADAM],
            won=self.won(ADAM),
            margin=self.margin(ADAM),
            cards=len(cards),
            temples=0,
            best=0,
            coatls=0,
            unfinished=0,
            turns=self.watch.turns[ADAM],
            takes=self.watch.actions[ADAM, "takes"],
            choices=0,
            assemblies=0,
            tokens=0,
            hand=len(row),
        )

    def coatls(self, seat: int) -> Iterator[CoatlRow]:
        """The Cóatls of a player."""
        built = self.state.players[seat].coatls
        scored, tenures = self.result.players[seat].coatls, self.watch.coatls[seat]
        for number, (coatl, worth, tenure) in enumerate(
            zip(built, scored, tenures, strict=True), start=1
        ):
            yield CoatlRow(
                game=self.index,
                seat=seat + 1,
                coatl=number,
                text=coatl.text,
                complete=coatl.complete,
                pieces=len(coatl.text.strip("<>")),
                prophecies=len(coatl.prophecies),
                temple=coatl.temple,
                points=worth.points,
                begun=tenure.begun,
                completed=tenure.completed,
            )

    def card(self, seen: Appearance) -> CardRow:
        """One appearance of a card, with what it brought."""
        card = self.state.game.by_id[seen.card]
        level = points = 0
        complete = False
        if seen.outcome == "fulfilled":  # at its highest level (rule 7.8)
            level, points = len(card.levels), self.state.game.top_points(card.id)
        elif seen.seat is not None and seen.coatl is not None:
            coatl = self.result.players[seen.seat - 1].coatls[seen.coatl - 1]
            score = next(score for score in coatl.cards if score.card.id == card.id)
            level, complete = score.level, coatl.complete
            points = score.points if complete else 0  # half points (8.1) are the Cóatl's
        return CardRow(
            game=self.index,
            card=card.id,
            kind=card.kind.value,
            shown=seen.shown,
            seat=seen.seat,
            outcome=seen.outcome,
            coatl=seen.coatl,
            complete=complete,
            level=level,
            points=points,
        )

    def won(self, seat: int) -> float:
        """The victory, or a share of it (ruling 9.14)."""
        winners = self.result.winners
        return 1 / len(winners) if seat in winners else 0.0

    def margin(self, seat: int) -> int:
        """Points ahead of the best other player."""
        others = [points for other, points in enumerate(self.points) if other != seat]
        return self.points[seat] - max(others)
