"""The moves that are worth a thought, each with what it promises.

Moves are judged by the outlook of the position that they lead to; assemblies come from the planner,
with several goals, and from the aims of the outlook.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from coatl_tools.errors import Phrase
from coatl_tools.players.greedy_bot import BUILDING, why_take
from coatl_tools.players.outlook import NEW, Aim, Outlook, Position, Weights
from coatl_tools.players.planning.goal import LAST, NOW, POINT, Goal
from coatl_tools.players.planning.plan import Plan
from coatl_tools.players.planning.planner import best_assemblies, best_assembly
from coatl_tools.players.planning.situation import Situation, situation_of
from coatl_tools.rules.box import COATLS_TO_END, FEATHER, Pieces
from coatl_tools.rules.ending import standing
from coatl_tools.rules.events import (
    UNKNOWN,
    Action,
    Attach,
    Begin,
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
from coatl_tools.rules.state import Built, Player, without
from coatl_tools.rules.views import View

CLOSE = Goal(closed=(0, 4 * POINT, 6 * POINT, 8 * POINT, 10 * POINT))
STAY_OPEN = Goal(closed=(-20 * POINT,) * 5)
GOALS = (NOW, BUILDING, CLOSE, STAY_OPEN)
WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move, the points that it promises in the end, and why it is thought of."""

    events: tuple[Event, ...]
    value: float
    why: Phrase


class Thinking:
    """Everything that one seat may do at one moment."""

    def __init__(self, seen: View, weights: Weights) -> None:
        self.seen, self.weights = seen, weights
        self.situation = situation_of(seen)
        mine = self.situation
        self.position = Position(
            mine.coatls,
            mine.board,
            mine.hand,
            mine.temples,
            tuple(filter(None, mine.tops)),
            seen.spaces,
            turns_left(seen, weights),
        )
        self.outlook = Outlook(mine.game, self.position, seen.supply, weights)

    def actions(self) -> list[Candidate]:
        """All kinds of action; in a last turn, what counts at once."""
        if self.situation.last:
            return self._last()
        found = [*self.takes(), *self.cards(), *self.tokens(), *self.assemblies()]
        return [*found, *self.ending()]

    def now(self) -> float:
        """What the position promises as it is."""
        return self.outlook.value(self.position)

    def then(self, player: Player, spaces: tuple[Pieces, ...]) -> float:
        """What the position of this seat promises a turn later, as far as its cards are known."""
        hand = tuple(card for card in player.hand if self.outlook.knows(card))
        board = tuple(piece for piece in player.board if piece != FEATHER)
        return self.outlook.value(
            replace(self.position, coatls=player.coatls, board=board, hand=hand, spaces=spaces)
        )

    def ending(self, more: float = 0.0) -> Iterator[Candidate]:
        """Be done, if that is allowed."""
        if EndTurn() in self.seen.legal:
            value = self.now() + more
            yield Candidate((EndTurn(),), value, ("bot.nothing_more", {}))

    def takes(self) -> Iterator[Candidate]:
        """Each space that may be emptied."""
        for event in self.seen.legal:
            if isinstance(event, TakePieces):
                pieces = [p for p in self.seen.spaces[event.space - 1] if p != FEATHER]
                value = self.outlook.value(self.position.with_pieces(pieces, event.space))
                yield Candidate((event,), value, why_take(event.space, tuple(pieces)))

    def cards(self) -> Iterator[Candidate]:
        """Prophecy cards from the supply, one after the other while each still helps."""
        legal = [event for event in self.seen.legal if isinstance(event, ChooseCard)]
        hand, chosen, value = self.position.hand, list[Event](), 0.0
        while legal and len(hand) < self.situation.game.hand_limit:
            rated = [(self._with_hand((*hand, event.card)), str(event), event) for event in legal]
            best, _, event = max(rated, key=lambda found: found[:2])
            if chosen and best < value + self.weights.choice:
                break
            chosen.append(event)
            hand, value = (*hand, event.card), best
            legal = [other for other in legal if other.card != event.card]
        if chosen:
            names = [event.card for event in chosen if isinstance(event, ChooseCard)]
            yield Candidate(tuple(chosen), value, ("bot.wants", {"cards": ", ".join(names)}))
        elif DrawCard() in self.seen.legal:
            value = self.now() - self.weights.choice
            yield Candidate((DrawCard(),), value, ("bot.draws", {}))

    def _with_hand(self, hand: tuple[str, ...]) -> float:
        return self.outlook.value(replace(self.position, hand=hand))

    def tokens(self) -> Iterator[Candidate]:
        """Perfect Pick and Priest Commitment; a token is kept for when it is worth more."""
        wanted = self._lacking()
        for event in self.seen.legal:
            if isinstance(event, PerfectPick):
                if not wanted.issuperset(event.pieces):
                    continue
                after = self.position.with_pieces(event.pieces)
            elif isinstance(event, PriestCommitment):
                top = self.seen.piles[event.pile - 1].top
                tops = tuple(card for card in self.position.tops if card != top)
                own = (*self.position.temples, top)
                after = replace(self.position, temples=own, tops=tops)
            else:
                continue
            value = self.outlook.value(after) - self.weights.token
            yield Candidate((event,), value, ("bot.token", {}))

    def _lacking(self) -> set[str]:
        """The pieces that the most promising aim still lacks."""
        found: set[str] = set()
        for aim in self.outlook.aims(self.position)[:1]:
            before, behind = aim.word
            found.update(before + behind, {f"<{(before or behind)[:1]}", f"{behind[-1:]}>"})
        return found.difference(self.position.board)

    def assemblies(self) -> Iterator[Candidate]:
        """Several plans, judged by where they lead."""
        known: set[tuple[Built, ...]] = set()
        for plan in best_assemblies(self.situation, [LAST] if self.situation.last else GOALS):
            if plan.steps and plan.coatls not in known:
                known.add(plan.coatls)
                events = tuple(step.event for step in plan.steps)
                value = float(plan.points) if self.situation.last else self._after(plan)
                yield Candidate(events, value, ("bot.assembles", {"n": plan.points}))
        waits = self.situation.closing or self.situation.last
        if not waits and len(self.situation.board) >= self.weights.full:
            for aim in self.outlook.aims(self.position):
                yield from self._towards(aim)

    def _after(self, plan: Plan) -> float:
        after = replace(self.position, coatls=plan.coatls, board=plan.board, hand=plan.hand)
        done = sum(coatl.complete for coatl in plan.coatls)
        value = self.outlook.value(after)
        if done >= COATLS_TO_END:
            return value + self._at_the_end(plan.coatls)
        finishes = done > sum(coatl.complete for coatl in self.position.coatls)
        spent = self.seen.actions == 0  # the action was begun: to go on costs nothing
        return value - (0.0 if finishes or spent else self.weights.unfinished)

    def _at_the_end(self, coatls: tuple[Built, ...]) -> float:
        """Whether it is good that the third Cóatl brings the end: for who is ahead, it is."""
        seen = self.seen
        mine = [
            replace(seat, coatls=coatls) if n == seen.player else seat
            for n, seat in enumerate(seen.seats)
        ]
        found = standing(seen.game, mine, seen.adam)
        if found.adam:  # nobody has a turn after that (ruling 9.8)
            return self.weights.win if 0 in found.winners else -self.weights.win
        points = [player.points for player in found.players]
        ahead = points.pop(seen.player or 0) - max(points)
        return max(-self.weights.end, min(self.weights.end, (ahead - self.weights.answer) / 2))

    def _towards(self, aim: Aim) -> Iterator[Candidate]:
        """Build as much of an aim as lies on the board, and place what cards it then satisfies."""
        coatls = list(self.situation.coatls)
        if aim.coatl == NEW:
            if len(coatls) >= self.situation.game.coatl_limit:
                return
            coatls.append(NEW)
        number = coatls.index(aim.coatl) + 1
        events, text, board = _pieces_for(aim, number, self.situation.board)
        if not events:
            return
        coatls[number - 1] = aim.coatl._replace(text=text)
        plan = best_assembly(replace(self.situation, board=(), coatls=tuple(coatls)), NOW)
        steps = tuple(step.event for step in plan.steps)
        value = self._after(replace(plan, board=board))
        yield Candidate((*events, *steps), value, ("bot.builds", {"coatl": text}))

    def _last(self) -> list[Candidate]:
        """The last turn: an assembly, after another action where there are two (rule 6.1)."""
        found = [*self.assemblies()]
        if self.seen.actions > 1:
            for event in self.seen.legal:
                then = self.situation
                match event:
                    case TakePieces(space):
                        then = _with_board(then, self.seen.spaces[space - 1])
                    case PerfectPick(pieces):
                        then = _with_board(then, pieces)
                    case ChooseCard(card):
                        then = replace(then, hand=(*then.hand, card))
                    case _:
                        continue
                points = best_assembly(then, LAST).points
                why: Phrase = ("bot.prepares", {"n": points})
                found.append(Candidate((event,), points - 0.01, why))
        if EndTurn() in self.seen.legal:
            found.append(Candidate((EndTurn(),), 0.0, ("bot.nothing_more", {})))
        return found or [*self.takes(), *self.cards()]

    def picks(self) -> Iterator[Candidate]:
        """Cards to keep at the start, or to discard (rules 2.4, 3.15)."""
        for event in self.seen.legal:
            if isinstance(event, Keep) and UNKNOWN not in event.cards:
                yield Candidate((event,), self._with_hand(event.cards), ("bot.keeps", {}))
            elif isinstance(event, Discard) and UNKNOWN not in event.cards:
                hand = self.position.hand
                for card in event.cards:
                    hand = without(hand, card)
                value = self._with_hand(hand) + self.weights.choice * len(event.cards)
                yield Candidate((event,), value, ("bot.keeps", {}))


def _with_board(situation: Situation, more: Pieces) -> Situation:
    """The same with more pieces on the board; golden ones are of no use there (rule 10.3)."""
    useful = [piece for piece in more if piece != FEATHER]
    return replace(situation, board=tuple(sorted((*situation.board, *useful))))


def _pieces_for(
    aim: Aim, number: int, board: tuple[str, ...]
) -> tuple[list[Action], str, tuple[str, ...]]:
    """Body segments of an aim, from the Cóatl outwards until one is lacking."""
    before, behind = aim.word
    events: list[Action] = []
    text = aim.coatl.text
    if not text:
        first = next((p for p in (f"<{behind[0]}", behind[0]) if p in board), "")
        if not first:
            return [], text, board
        events, text, behind = [Begin(first)], first, behind[1:]
        board = without(board, first)
    if not text.endswith(">"):
        behind = behind[:-1]
    for letters, end in ((before[:0:-1], "head"), (behind, "tail")):
        for letter in letters:
            if letter not in board:
                break
            board = without(board, letter)
            text = letter + text if end == "head" else text + letter
            events.append(Attach(letter, number, end))
    return events, text, board


def turns_left(seen: View, weights: Weights) -> float:
    """How many turns this player still has, this one too; a guess, unless the end has come."""
    if seen.ending is not None:
        return 1.0 + sum(turn.player == seen.player for turn in seen.last)
    bodies = sum(seen.bodies) + sum(map(len, seen.spaces))
    guesses = [1 + bodies / (2 * max(2, len(seen.seats)))]
    for index, seat in enumerate(seen.seats):
        if index == seen.player:
            continue
        todo = COATLS_TO_END - sum(coatl.complete for coatl in seat.coatls)
        pieces = len(seat.board) + sum(len(c.text) for c in seat.coatls if not c.complete)
        guesses.append(1 + weights.coatl * todo - weights.piece * pieces)
    return max(2.0, min(guesses))
