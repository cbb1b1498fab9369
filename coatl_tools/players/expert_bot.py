"""The expert bot: it lists promising moves, and compares them a turn ahead in possible games.

Moves are valued by the position that they lead to (`evaluation`). Assemblies come from the planner,
with several goals, and from the build targets of the evaluation. In a possible game, the hidden
cards are dealt at random (`determinize_state`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from coatl_tools.errors import Phrase
from coatl_tools.players.bot import Move
from coatl_tools.players.evaluation import (
    NEW_COATL,
    BuildTarget,
    EvaluationWeights,
    Evaluator,
    SeatPosition,
)
from coatl_tools.players.greedy_bot import BUILDING_GOAL, GreedyBot, explain_take
from coatl_tools.players.planning.plan import (
    LAST_TURN_GOAL,
    POINT_WEIGHT,
    POINTS_NOW_GOAL,
    AssemblyGoal,
    AssemblyPlan,
    Situation,
    make_situation,
)
from coatl_tools.players.planning.planner import find_best_assemblies, find_best_assembly
from coatl_tools.players.random_bot import RandomBot
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import COATLS_TO_END, FEATHER, Pieces
from coatl_tools.rules.engine import Decision, apply_event
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    Action,
    AdamTurn,
    AttachPiece,
    BeginCoatl,
    ChooseCard,
    Discard,
    DrawCard,
    EndTurn,
    Event,
    Keep,
    PerfectPick,
    PriestCommitment,
    TakePieces,
)
from coatl_tools.rules.game import Game
from coatl_tools.rules.hidden_cards import select_known
from coatl_tools.rules.result import compute_standing
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    MUST_CHOOSE,
    OVER,
    READY,
    Adam,
    Built,
    GameState,
    Player,
    remove_item,
)
from coatl_tools.rules.views import OPEN_FIELDS, Seat, View, make_view

CLOSE_GOAL = AssemblyGoal(
    closed=(0, 4 * POINT_WEIGHT, 6 * POINT_WEIGHT, 8 * POINT_WEIGHT, 10 * POINT_WEIGHT)
)
STAY_OPEN_GOAL = AssemblyGoal(closed=(-20 * POINT_WEIGHT,) * 5)
ASSEMBLY_GOALS = (POINTS_NOW_GOAL, BUILDING_GOAL, CLOSE_GOAL, STAY_OPEN_GOAL)
DEFAULT_WEIGHTS = EvaluationWeights()


@dataclass(frozen=True, slots=True)
class CandidateMove:
    """A move, the points that it promises in the end, and why it is thought of."""

    events: tuple[Event, ...]
    value: float
    why: Phrase


class MoveFinder:
    """Everything that one seat may do at one moment."""

    def __init__(self, view: View, weights: EvaluationWeights) -> None:
        self.seen, self.weights = view, weights
        self.situation = make_situation(view)
        mine = self.situation
        self.position = SeatPosition(
            mine.coatls,
            mine.board,
            mine.hand,
            mine.temples,
            tuple(filter(None, mine.tops)),
            view.spaces,
            estimate_turns_left(view, weights),
        )
        self.outlook = Evaluator(mine.game, self.position, view.supply, weights)

    def list_actions(self) -> list[CandidateMove]:
        """List moves of all kinds; in a last turn, only what counts at once."""
        if self.situation.last:
            return self._list_last_turn()
        found = [
            *self.list_takes(),
            *self.list_card_choices(),
            *self.list_token_uses(),
            *self.list_assemblies(),
        ]
        return [*found, *self.list_endings()]

    def value_now(self) -> float:
        """Evaluate the position as it is."""
        return self.outlook.value(self.position)

    def value_after(self, player: Player, spaces: tuple[Pieces, ...]) -> float:
        """Evaluate the position of this seat a turn later, as far as its cards are known."""
        hand = tuple(card for card in player.hand if self.outlook.has_in_reach(card))
        board = tuple(piece for piece in player.board if piece != FEATHER)
        return self.outlook.value(
            replace(self.position, coatls=player.coatls, board=board, hand=hand, spaces=spaces)
        )

    def list_endings(self, more: float = 0.0) -> Iterator[CandidateMove]:
        """Yield the end of the turn, if that is allowed, valued `more` than the position now."""
        if EndTurn() in self.seen.legal:
            value = self.value_now() + more
            yield CandidateMove((EndTurn(),), value, ("bot.nothing_more", {}))

    def list_takes(self) -> Iterator[CandidateMove]:
        """Yield a move for each space that may be emptied."""
        for event in self.seen.legal:
            if isinstance(event, TakePieces):
                pieces = [p for p in self.seen.spaces[event.space - 1] if p != FEATHER]
                value = self.outlook.value(self.position.add_pieces(pieces, event.space))
                yield CandidateMove((event,), value, explain_take(event.space, tuple(pieces)))

    def list_card_choices(self) -> Iterator[CandidateMove]:
        """Yield one move: cards from the supply while each still helps, or else a blind draw."""
        legal = [event for event in self.seen.legal if isinstance(event, ChooseCard)]
        hand, chosen, value = self.position.hand, list[Event](), 0.0
        while legal and len(hand) < self.situation.game.hand_limit:
            rated = [
                (self._value_with_hand((*hand, event.card)), str(event), event) for event in legal
            ]
            best, _, event = max(rated, key=lambda found: found[:2])
            if chosen and best < value + self.weights.extra_card_cost:
                break
            chosen.append(event)
            hand, value = (*hand, event.card), best
            legal = [other for other in legal if other.card != event.card]
        if chosen:
            names = [event.card for event in chosen if isinstance(event, ChooseCard)]
            yield CandidateMove(tuple(chosen), value, ("bot.wants", {"cards": ", ".join(names)}))
        elif DrawCard() in self.seen.legal:
            value = self.value_now() - self.weights.extra_card_cost
            yield CandidateMove((DrawCard(),), value, ("bot.draws", {}))

    def _value_with_hand(self, hand: tuple[str, ...]) -> float:
        return self.outlook.value(replace(self.position, hand=hand))

    def list_token_uses(self) -> Iterator[CandidateMove]:
        """Yield uses of Perfect Pick and Priest Commitment, less what a token is worth later."""
        wanted = self._find_missing_pieces()
        for event in self.seen.legal:
            if isinstance(event, PerfectPick):
                if not wanted.issuperset(event.pieces):
                    continue
                after = self.position.add_pieces(event.pieces)
            elif isinstance(event, PriestCommitment):
                top = self.seen.piles[event.pile - 1].top
                tops = tuple(card for card in self.position.tops if card != top)
                own = (*self.position.temples, top)
                after = replace(self.position, temples=own, tops=tops)
            else:
                continue
            value = self.outlook.value(after) - self.weights.token_cost
            yield CandidateMove((event,), value, ("bot.token", {}))

    def _find_missing_pieces(self) -> set[str]:
        """Find the pieces that the most promising aim still lacks."""
        found: set[str] = set()
        for aim in self.outlook.find_targets(self.position)[:1]:
            before, behind = aim.added_colours
            found.update(before + behind, {f"<{(before or behind)[:1]}", f"{behind[-1:]}>"})
        return found.difference(self.position.board)

    def list_assemblies(self) -> Iterator[CandidateMove]:
        """Yield several assemblies, valued by where they lead."""
        known: set[tuple[Built, ...]] = set()
        for plan in find_best_assemblies(
            self.situation, [LAST_TURN_GOAL] if self.situation.last else ASSEMBLY_GOALS
        ):
            if plan.steps and plan.coatls not in known:
                known.add(plan.coatls)
                events = tuple(step.event for step in plan.steps)
                value = float(plan.points) if self.situation.last else self._value_plan(plan)
                yield CandidateMove(events, value, ("bot.assembles", {"n": plan.points}))
        waits = self.situation.closing or self.situation.last
        if not waits and len(self.situation.board) >= self.weights.full_board_pieces:
            for aim in self.outlook.find_targets(self.position):
                yield from self._list_towards(aim)

    def _value_plan(self, plan: AssemblyPlan) -> float:
        after = replace(self.position, coatls=plan.coatls, board=plan.board, hand=plan.hand)
        done = sum(coatl.complete for coatl in plan.coatls)
        value = self.outlook.value(after)
        if done >= COATLS_TO_END:
            return value + self._value_ending(plan.coatls)
        finishes = done > sum(coatl.complete for coatl in self.position.coatls)
        spent = self.seen.actions_left == 0  # the action was begun: to go on costs nothing
        return value - (0.0 if finishes or spent else self.weights.unfinished_assembly_cost)

    def _value_ending(self, coatls: tuple[Built, ...]) -> float:
        """Value that the third Cóatl ends the game: it is good for whoever is ahead."""
        seen = self.seen
        mine = [
            replace(seat, coatls=coatls) if n == seen.player else seat
            for n, seat in enumerate(seen.seats)
        ]
        found = compute_standing(seen.game, mine, seen.adam)
        if found.adam:  # nobody has a turn after that (ruling 9.8)
            return self.weights.win_points if 0 in found.winners else -self.weights.win_points
        points = [player.points for player in found.players]
        ahead = points.pop(seen.player or 0) - max(points)
        limit = self.weights.ending_points_limit
        return max(-limit, min(limit, (ahead - self.weights.final_turn_points) / 2))

    def _list_towards(self, aim: BuildTarget) -> Iterator[CandidateMove]:
        """Yield a move that builds what the board has of an aim, and places fitting cards."""
        coatls = list(self.situation.coatls)
        if aim.coatl == NEW_COATL:
            if len(coatls) >= self.situation.game.coatl_limit:
                return
            coatls.append(NEW_COATL)
        number = coatls.index(aim.coatl) + 1
        events, text, board = _list_steps_towards(aim, number, self.situation.board)
        if not events:
            return
        coatls[number - 1] = aim.coatl._replace(text=text)
        plan = find_best_assembly(
            replace(self.situation, board=(), coatls=tuple(coatls)), POINTS_NOW_GOAL
        )
        steps = tuple(step.event for step in plan.steps)
        value = self._value_plan(replace(plan, board=board))
        yield CandidateMove((*events, *steps), value, ("bot.builds", {"coatl": text}))

    def _list_last_turn(self) -> list[CandidateMove]:
        """List moves of a last turn: assemblies, after another action if there are two (6.1)."""
        found = [*self.list_assemblies()]
        if self.seen.actions_left > 1:
            for event in self.seen.legal:
                then = self.situation
                match event:
                    case TakePieces(space):
                        then = _add_to_board(then, self.seen.spaces[space - 1])
                    case PerfectPick(pieces):
                        then = _add_to_board(then, pieces)
                    case ChooseCard(card):
                        then = replace(then, hand=(*then.hand, card))
                    case _:
                        continue
                points = find_best_assembly(then, LAST_TURN_GOAL).points
                why: Phrase = ("bot.prepares", {"n": points})
                found.append(CandidateMove((event,), points - 0.01, why))
        if EndTurn() in self.seen.legal:
            found.append(CandidateMove((EndTurn(),), 0.0, ("bot.nothing_more", {})))
        return found or [*self.list_takes(), *self.list_card_choices()]

    def list_keeps_and_discards(self) -> Iterator[CandidateMove]:
        """Yield every choice of cards to keep at the start, or to discard (rules 2.4, 3.15)."""
        for event in self.seen.legal:
            if isinstance(event, Keep) and UNKNOWN_CARD not in event.cards:
                yield CandidateMove((event,), self._value_with_hand(event.cards), ("bot.keeps", {}))
            elif isinstance(event, Discard) and UNKNOWN_CARD not in event.cards:
                hand = self.position.hand
                for card in event.cards:
                    hand = remove_item(hand, card)
                saved = self.weights.extra_card_cost * len(event.cards)
                value = self._value_with_hand(hand) + saved
                yield CandidateMove((event,), value, ("bot.keeps", {}))


def _add_to_board(situation: Situation, more: Pieces) -> Situation:
    """Return the situation with more pieces on the board, but for golden ones (rule 10.3)."""
    useful = [piece for piece in more if piece != FEATHER]
    return replace(situation, board=tuple(sorted((*situation.board, *useful))))


def _list_steps_towards(
    aim: BuildTarget, number: int, board: tuple[str, ...]
) -> tuple[list[Action], str, tuple[str, ...]]:
    """List the steps that build an aim from the Cóatl outwards until a piece is lacking.

    Also return the Cóatl and the board after these steps; heads and tails are left out, but for
    the head that begins a new Cóatl.
    """
    before, behind = aim.added_colours
    events: list[Action] = []
    text = aim.coatl.text
    if not text:
        first = next((p for p in (f"<{behind[0]}", behind[0]) if p in board), "")
        if not first:
            return [], text, board
        events, text, behind = [BeginCoatl(first)], first, behind[1:]
        board = remove_item(board, first)
    if not text.endswith(">"):
        behind = behind[:-1]
    for letters, end in ((before[:0:-1], "head"), (behind, "tail")):
        for letter in letters:
            if letter not in board:
                break
            board = remove_item(board, letter)
            text = letter + text if end == "head" else text + letter
            events.append(AttachPiece(letter, number, end))
    return events, text, board


def estimate_turns_left(view: View, weights: EvaluationWeights) -> float:
    """Estimate how many turns this player still has, this one included; exact in the end phase."""
    if view.ending is not None:
        return 1.0 + sum(turn.player == view.player for turn in view.final_turns)
    bodies = sum(view.bodies) + sum(map(len, view.spaces))
    guesses = [1 + bodies / (2 * max(2, len(view.seats)))]
    for index, seat in enumerate(view.seats):
        if index == view.player:
            continue
        todo = COATLS_TO_END - sum(coatl.complete for coatl in seat.coatls)
        pieces = len(seat.board) + sum(len(c.text) for c in seat.coatls if not c.complete)
        guesses.append(1 + weights.turns_per_coatl * todo - weights.turns_saved_per_piece * pieces)
    return max(2.0, min(guesses))


def determinize_state(view: View, chance: Random) -> GameState:
    """Deal the hidden cards at random: return a state in which the seat would have this view.

    ValueError if no decision is awaited.
    """
    if not isinstance(view.awaited, Decision):
        raise ValueError("no decision is awaited")
    prophecies, temples = list(view.unseen), list(view.unseen_temples)
    chance.shuffle(prophecies)
    chance.shuffle(temples)
    players = tuple(_determinize_player(seat, prophecies, temples) for seat in view.seats)
    known = {name: getattr(view, name) for name in OPEN_FIELDS}
    return GameState(
        **known | {"draws": ()},
        stage=view.awaited.stage,
        draws_answered=0,
        unlocated_prophecies=(tuple(sorted(prophecies)),),
        unlocated_temples=tuple(sorted(temples)),
        players=players,
    )


def _determinize_player(seat: Seat, prophecies: list[str], temples: list[str]) -> Player:
    """Return a player whose hidden cards come from those that nobody sees."""
    return Player(
        board=seat.board,
        coatls=seat.coatls,
        hand=_fill_hidden_cards(seat.hand, prophecies),
        shown=select_known(seat.hand),
        temples=_fill_hidden_cards(seat.temples, temples),
        temples_shown=select_known(seat.temples),
        tokens=seat.tokens,
        discarded=_fill_hidden_cards(seat.discarded, prophecies),
        feathers=seat.feathers,
    )


def _fill_hidden_cards(cards: Sequence[str], pool: list[str]) -> tuple[str, ...]:
    return tuple(sorted(card if card != UNKNOWN_CARD else pool.pop() for card in cards))


DEFAULT_NODES = 6  # positions judged in possible games, for each move
MAX_COMPARED = 6  # candidates that are compared
MAX_VALUE_GAP = 1.5  # points: what promises so much less than the best is not compared


class ExpertBot:
    """Compares the most promising moves in determinised games, up to its own next turn.

    Hidden cards are dealt at random, the others play like the greedy bot, and where that leads is
    judged by its outlook. The budget is the number of positions judged so: the same seed and budget
    give the same move, however fast the machine.
    """

    def __init__(self, nodes: int = DEFAULT_NODES) -> None:
        self._nodes = nodes

    def choose(self, view: View, number: int) -> Move:
        """Choose the move that promises most."""
        if view.player is None or view.current_player != view.player:  # A.D.A.M.'s turn
            return Move(view.legal[:1], (("bot.only", {}),))
        thinking = MoveFinder(view, DEFAULT_WEIGHTS)
        found = sorted(_find_candidates(thinking), key=_get_sort_key)
        if not found:
            return RandomBot().choose(view, number)
        best, rivals = found[0], found[: min(MAX_COMPARED, self._nodes)]
        rivals = [one for one in rivals if one.value > best.value - MAX_VALUE_GAP]
        if len(rivals) > 1 and view.ending is None and _is_action_start(view):
            best = self._compare(thinking, rivals, number)
        return Move(best.events, (best.why,))

    def _compare(
        self, thinking: MoveFinder, rivals: list[CandidateMove], number: int
    ) -> CandidateMove:
        """Return the candidate that leads to the best positions on average, in the same games."""
        totals = [0.0] * len(rivals)
        for world in range(max(1, self._nodes // len(rivals))):
            chance = Random(number + world)
            state, seed = determinize_state(thinking.seen, chance), chance.getrandbits(32)
            for place, rival in enumerate(rivals):
                totals[place] += _simulate_move(thinking, state, rival.events, seed)
        return max(zip(totals, rivals, strict=True), key=lambda found: found[0])[1]


def _find_candidates(thinking: MoveFinder) -> list[CandidateMove]:
    seen = thinking.seen
    stage = seen.awaited.stage if isinstance(seen.awaited, Decision) else READY
    if stage in (READY, BETWEEN):
        return thinking.list_actions()
    if stage in (ASSEMBLING, CLOSING):
        return [*thinking.list_assemblies(), *thinking.list_endings()]
    if stage in (CHOOSING, MUST_CHOOSE):
        return [
            *thinking.list_card_choices(),
            *thinking.list_endings(DEFAULT_WEIGHTS.extra_card_cost),
        ]
    return [*thinking.list_keeps_and_discards()]


def _get_sort_key(candidate: CandidateMove) -> tuple[float, list[str]]:
    return -candidate.value, [str(event) for event in candidate.events]


def _is_action_start(view: View) -> bool:
    return isinstance(view.awaited, Decision) and view.awaited.stage in (READY, BETWEEN)


def _simulate_move(
    thinking: MoveFinder, state: GameState, events: tuple[Event, ...], seed: int
) -> float:
    """Play these events and greedy moves of all others; value the position at one's next turn."""
    me, turn, planned = state.current_player, state.turns_ended, [*events]
    while state.stage is not OVER:
        if state.draws:
            state = apply_event(state, deal_draw(state, seed))
        elif state.current_player == me and state.turns_ended > turn:
            break
        elif planned:
            state = apply_event(state, planned.pop(0))
        elif state.current_player == me:
            legal = list_legal_actions(state)
            state = apply_event(state, EndTurn() if EndTurn() in legal else legal[-1])
        elif state.stage is ADAMS_TURN:
            state = apply_event(state, AdamTurn())
        else:
            planned = [*GreedyBot().choose(make_view(state, state.current_player), seed).events]
    value = thinking.value_after(state.players[me], state.spaces)
    return (
        value - DEFAULT_WEIGHTS.adam_point_cost * _estimate_adam_points(state.adam, state.game)
        if state.adam
        else value
    )


def _estimate_adam_points(adam: Adam, game: Game) -> float:
    """Estimate A.D.A.M.'s points: those it has, and some of those that its row promises."""
    begun = [
        game.top_points(wanted.card) * len(wanted.pieces) / sum(game.needs[wanted.card])
        for wanted in adam.row
    ]
    return sum(map(game.top_points, adam.fulfilled)) + 0.8 * sum(begun)
