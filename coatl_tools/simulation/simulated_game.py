"""Play one game of a simulation, record what happens in it, and build its dataset rows.

What can be read off the last state is not recorded. The recorder notes only what the state
forgets: where each card came from and went to, when Cóatls were begun and completed, and what
turns were used for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from coatl_tools.players import choose_move, get_bot
from coatl_tools.rules import events
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import FROM_HAND, AdamTurn, Event
from coatl_tools.rules.result import GameResult, compute_result
from coatl_tools.rules.setup import deal_draw, make_opening_state, mix_seed
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    CHOOSING,
    CLOSING,
    MUST_CHOOSE,
    OVER,
    GameState,
)
from coatl_tools.simulation.datasets import (
    ADAM_BOT,
    CardDataRow,
    CoatlDataRow,
    GameDataRow,
    GameRows,
    PlayerDataRow,
)
from coatl_tools.simulation.plan import SimulationPlan

# The kind of action that an event may begin; below, the stages in which it only continues one.
_ACTION_KINDS: dict[type, str] = {
    events.TakePieces: "takes",
    events.ChooseCard: "choices",
    events.DrawCard: "choices",
    events.BeginCoatl: "assemblies",
    events.AttachPiece: "assemblies",
    events.PlaceProphecy: "assemblies",
    events.PerfectPick: "tokens",
    events.SeeTheFuture: "tokens",
    events.PriestCommitment: "tokens",
}
_CONTINUING_STAGES = {"choices": (CHOOSING, MUST_CHOOSE), "assemblies": (ASSEMBLING, CLOSING)}


@dataclass(slots=True, eq=False)
class CardAppearance:
    """A copy of a card from when somebody could have it; seats and Cóatls are numbered from 1."""

    card: str
    shown: str
    seat: int | None = None
    outcome: str = "open"
    coatl: int | None = None


@dataclass(slots=True)
class CoatlLifetime:
    """When a Cóatl was begun and completed, in its player's own turns."""

    begun: int
    completed: int | None = None


@dataclass(slots=True)
class GameRecorder:
    """All that was seen so far; `seats` counts A.D.A.M. too."""

    seats: int
    appeared: list[CardAppearance] = field(default_factory=list)
    turns: Counter[int] = field(default_factory=Counter)
    actions: Counter[tuple[int, str]] = field(default_factory=Counter)
    _supply: list[CardAppearance] = field(default_factory=list)
    _tops: dict[int, CardAppearance] = field(default_factory=dict)
    _hands: list[list[CardAppearance]] = field(init=False)  # Temple cards too
    coatls: list[list[CoatlLifetime]] = field(init=False)

    def __post_init__(self) -> None:
        self._hands = [[] for _ in range(self.seats)]
        self.coatls = [[] for _ in range(self.seats)]

    def record_event(self, before: GameState, event: Event, after: GameState) -> None:
        """Record one event."""
        player = before.current_player
        self._follow_cards(before, event, after)
        kind = _ACTION_KINDS.get(type(event))
        if kind and before.stage not in _CONTINUING_STAGES.get(kind, ()):
            self.actions[player, kind] += 1
        now = self.turns[player] + 1
        match event:
            case events.BeginCoatl():
                self.coatls[player].append(CoatlLifetime(now))
            case events.PlaceTemple() | events.CompleteCoatl():
                self.coatls[player][before.closing - 1].completed = now
            case events.AdamTurn() if after.spaces != before.spaces:
                self.actions[player, "takes"] += 1
        if after.turns_ended > before.turns_ended:
            self.turns[player] += 1

    def _follow_cards(self, before: GameState, event: Event, after: GameState) -> None:
        """Follow the cards from place to place; of identical ones in a place, any will do."""
        player = before.current_player
        hand = self._hands[player]
        match event:
            case events.TurnUpProphecy(card):
                self._supply.append(self._add_appearance(card, "supply"))
            case events.TurnUpTemple(pile, card):
                self._tops[pile] = self._add_appearance(card, "pile")
            case events.DealProphecy(dealt, card) | events.DealTemple(dealt, card):
                self._move_to_hand(dealt, self._add_appearance(card, "dealt"))
            case events.DealAdam(card):
                self._move_to_hand(ADAM_INDEX, self._add_appearance(card, "dealt"))
            case events.DrawnCard(card):
                self._move_to_hand(player, self._add_appearance(card, "deck"))
            case events.ChooseCard(card):
                self._move_to_hand(player, _take_card(self._supply, card))
            case events.PriestCommitment(pile):
                self._move_to_hand(player, self._tops.pop(pile))
            case events.Keep(kept):
                prophecies = before.players[player].hand
                for card in (Counter(prophecies) - Counter(kept)).elements():
                    _take_card(hand, card).outcome = "left"
            case events.Discard(cards):
                for card in cards:
                    _take_card(hand, card).outcome = "discarded"
            case events.SeeTheFuture():
                self._supply.clear()
            case events.PlaceProphecy(card, coatl):
                _place_beside(_take_card(hand, card), player, coatl)
            case events.PlaceTemple(card, coatl, source):
                found = _take_card(hand, card) if source == FROM_HAND else self._tops.pop(source)
                _place_beside(found, player, coatl)
            case events.AdamTurn():
                self._adam(before, after)

    def _adam(self, before: GameState, after: GameState) -> None:
        """Move fulfilled cards out of A.D.A.M.'s row, and new cards into it (rules 7.6, 7.7)."""
        if before.adam is None or after.adam is None:
            return
        for card in after.adam.fulfilled[len(before.adam.fulfilled) :]:
            _take_card(self._hands[ADAM_INDEX], card).outcome = "fulfilled"
        for wanted in after.adam.row[len(self._hands[ADAM_INDEX]) :]:
            self._move_to_hand(ADAM_INDEX, _take_card(self._supply, wanted.card))

    def _add_appearance(self, card: str, where: str) -> CardAppearance:
        appearance = CardAppearance(card, where)
        self.appeared.append(appearance)
        return appearance

    def _move_to_hand(self, player: int, appearance: CardAppearance) -> None:
        """Note that it is in somebody's hand, or in A.D.A.M.'s row."""
        appearance.seat, appearance.outcome = player + 1, "held"
        self._hands[player].append(appearance)


def _take_card(place: list[CardAppearance], card: str) -> CardAppearance:
    """Take the first copy of a card in a place, which it leaves."""
    found = next(appearance for appearance in place if appearance.card == card)
    place.remove(found)
    return found


def _place_beside(appearance: CardAppearance, player: int, coatl: int) -> None:
    appearance.seat, appearance.outcome, appearance.coatl = player + 1, "placed", coatl


_SEAT_SEED_OFFSET = 1 << 32  # numbers for the seeds of seats, far from those of the dealer's draws


def play_game(plan: SimulationPlan, index: int) -> GameRows:
    """Play a game to its end: the same plan and number, the same rows."""
    return build_rows(plan, index, *play_recorded_game(plan, index))


def play_recorded_game(plan: SimulationPlan, index: int) -> tuple[GameState, GameRecorder]:
    """Play a game to its end; return its last state, and what was recorded on the way."""
    seed = plan.game_seed(index)
    bots = [get_bot(plan.players[player]) for player in plan.seat_players(index)]
    seeds = [mix_seed(seed, _SEAT_SEED_OFFSET + seat) for seat, _ in enumerate(bots)]
    state = make_opening_state(plan.game(index))
    watch = GameRecorder(len(state.game.names))
    while state.stage is not OVER:
        events: tuple[Event, ...]
        if state.draws:
            events = (deal_draw(state, seed),)
        elif state.stage is ADAMS_TURN:
            events = (AdamTurn(),)
        else:
            events = choose_move(
                state, state.current_player, bots[state.current_player], seeds[state.current_player]
            ).events
        for event in events:
            after = apply_event(state, event)
            watch.record_event(state, event, after)
            state = after
            if state.draws:  # chance has its say before the rest of a move
                break
    return state, watch


def build_rows(plan: SimulationPlan, index: int, state: GameState, watch: GameRecorder) -> GameRows:
    """Build the dataset rows of a game that is over."""
    return _RowBuilder(plan, index, state, watch).rows()


class _RowBuilder:
    """Builds the rows of a game that is over."""

    def __init__(
        self, plan: SimulationPlan, index: int, state: GameState, watch: GameRecorder
    ) -> None:
        self.plan, self.index, self.state, self.watch = plan, index, state, watch
        self.result: GameResult = compute_result(state)
        self.points = [player.points for player in self.result.players]
        if self.result.adam:
            self.points.append(self.result.adam.points)

    def rows(self) -> GameRows:
        """Build all rows."""
        players = [self.player(seat) for seat in range(self.state.game.size)]
        adam = [self.adam()] if self.state.adam else []
        coatls = (row for seat in range(self.state.game.size) for row in self.coatls(seat))
        cards = map(self.card, self.watch.appeared)
        return GameRows((self.game(),), (*players, *adam), tuple(coatls), tuple(cards))

    def game(self) -> GameDataRow:
        """Build the row of the game."""
        state, options = self.state, self.state.game.options
        return GameDataRow(
            game=self.index,
            seed=self.plan.game_seed(self.index),
            size=state.game.size,
            edition=options.edition,
            levels="+".join(map(str, options.levels)),
            turns=state.turns_ended,
            ending=state.ending.cause if state.ending else "passed",
            ended_by=state.ending.player + 1 if state.ending else None,
            winners=len(self.result.winners),
        )

    def player(self, seat: int) -> PlayerDataRow:
        """Build the row of a bot."""
        number = self.plan.seat_players(self.index)[seat]
        found, player = self.result.players[seat], self.state.players[seat]
        complete = sum(coatl.complete for coatl in found.coatls)
        return PlayerDataRow(
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

    def adam(self) -> PlayerDataRow:
        """Build A.D.A.M.'s row: its hand is its row of cards, its cards are those fulfilled."""
        row, cards = (self.state.adam or ((), ()))[:2]
        return PlayerDataRow(
            game=self.index,
            seat=ADAM_INDEX + 1,
            player=ADAM_INDEX + 1,
            bot=ADAM_BOT,
            points=self.points[ADAM_INDEX],
            won=self.won(ADAM_INDEX),
            margin=self.margin(ADAM_INDEX),
            cards=len(cards),
            temples=0,
            best=0,
            coatls=0,
            unfinished=0,
            turns=self.watch.turns[ADAM_INDEX],
            takes=self.watch.actions[ADAM_INDEX, "takes"],
            choices=0,
            assemblies=0,
            tokens=0,
            hand=len(row),
        )

    def coatls(self, seat: int) -> Iterator[CoatlDataRow]:
        """Yield the rows of a player's Cóatls."""
        built = self.state.players[seat].coatls
        scored, tenures = self.result.players[seat].coatls, self.watch.coatls[seat]
        for number, (coatl, worth, tenure) in enumerate(
            zip(built, scored, tenures, strict=True), start=1
        ):
            yield CoatlDataRow(
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

    def card(self, seen: CardAppearance) -> CardDataRow:
        """Build the row of one appearance of a card, with what it brought."""
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
        return CardDataRow(
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
        """Return 1 for a victory, a share of 1 for a shared one (ruling 9.14), 0 otherwise."""
        winners = self.result.winners
        return 1 / len(winners) if seat in winners else 0.0

    def margin(self, seat: int) -> int:
        """Return the points ahead of the best other player, below 0 if behind."""
        others = [points for other, points in enumerate(self.points) if other != seat]
        return self.points[seat] - max(others)
