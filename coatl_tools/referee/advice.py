"""Advice to a player: the best assembly of a turn, what is missing after it, what else to do.

It is made from a `View`, so it knows nothing that the player does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from coatl_tools.errors import CommandError, Phrase
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.lacking import ANY, NEW, Lack, Needed, Where, lacks, nearest
from coatl_tools.players.planning.plan import Plan
from coatl_tools.players.planning.planner import best_assembly
from coatl_tools.players.planning.situation import Situation, situation_of
from coatl_tools.referee.status import in_setup
from coatl_tools.rules.box import BOARD_SPACES, Piece, Pieces, piece_in_words
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import UNKNOWN, ChooseCard, Event, TakePieces
from coatl_tools.rules.state import ASSEMBLING, BETWEEN, CLOSING, READY
from coatl_tools.rules.views import View

MOST_SHOWN = 8  # lines of the short list of what is missing, if the own cards leave room
FEW_PIECES = 2  # so many to get at most, for any other card to be in it
OWN = (Where.BESIDE, Where.HAND)


@dataclass(frozen=True, slots=True)
class Hint:
    """Something better than to assemble: why, and how it is written, if that can be told."""

    why: Phrase
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """All that is advised. `lacks` is about the table after the plan, as `after` has it.

    `now` tells whether the plan can be played at this moment.
    """

    situation: Situation
    plan: Plan
    lacks: tuple[Lack, ...]
    hints: tuple[Hint, ...] = ()
    notes: tuple[Phrase, ...] = ()
    now: bool = True

    @property
    def short(self) -> tuple[Lack, ...]:
        """What is worth a thought: the own Prophecy cards, then what else is near.

        Nothing if no turn comes after this one.
        """
        if self.situation.last:
            return ()
        game, found = self.situation.game, nearest(self.lacks)
        own = [lack for lack in found if lack.where in OWN and game.is_prophecy(lack.card)]
        others = [lack for lack in found if lack not in own and self._is_near(lack)]
        return (*own, *others[: max(0, MOST_SHOWN - len(own))])

    def _is_near(self, lack: Lack) -> bool:
        """Few pieces are to be got; a Temple card waits until there is a Cóatl to complete."""
        if lack.coatl == NEW and self.situation.game.is_temple(lack.card):
            return False
        few = lack.way is not None and len(lack.way.lacking) <= FEW_PIECES
        return few or (lack.ready and lack.where is Where.SUPPLY)


def advice_from(seen: View, seat: int, last: bool = False) -> Advice:
    """Advice for a seat, by what the view shows; CommandError if the game is over.

    Where it is not that player's moment, the advice is given as if it were, and a note says so.
    `last` says that no turn follows, whatever the view tells.
    """
    if seen.awaited is None:
        raise CommandError("advice.over")
    situation = situation_of(seen, seat)
    if last:
        situation = replace(situation, last=True)
    plan = best_assembly(situation)
    after = replace(situation, board=plan.board, coatls=plan.coatls, hand=plan.hand, closing=0)
    missing = lacks(_without_placed(after), seen.supply)
    notes, now = _notes(seen, seat)
    idle = plan.steps or situation.last or in_setup(seen)
    hints = () if idle else tuple(_hints(seen, seat, missing))
    return Advice(situation, plan, missing, hints, tuple(notes), now)


def _without_placed(after: Situation) -> Situation:
    """The Temple cards that are still to be had: those beside Cóatls are not."""
    placed = {coatl.temple for coatl in after.coatls}
    one, other = ("" if top in placed else top for top in after.tops)
    temples = tuple(card for card in after.temples if card not in placed)
    return replace(after, temples=temples, tops=(one, other))


def _notes(seen: View, seat: int) -> tuple[list[Phrase], bool]:
    """What has to be known about this advice, and whether it can be followed now."""
    notes: list[Phrase] = []
    player = seen.seats[seat]
    stages = (READY, ASSEMBLING, CLOSING, BETWEEN)
    now = seen.turn == seat and isinstance(seen.awaited, Decision) and seen.awaited.stage in stages
    if in_setup(seen):
        notes.append(("advice.setup", {}))
    elif seen.turn != seat:
        notes.append(("advice.not_turn", {"player": player.name}))
    elif not now:
        notes.append(("advice.busy", {}))
    hidden = (*player.hand, *player.temples).count(UNKNOWN)
    if hidden:
        notes.append(("advice.hidden", {"n": hidden}))
    return notes, now


def _hints(seen: View, seat: int, missing: tuple[Lack, ...]) -> Iterable[Hint]:
    """What to do instead: choose a card that pays soon, take pieces that are missing."""
    mine = seen.seats[seat]
    found = [lack for lack in nearest(missing) if seen.game.is_prophecy(lack.card)]
    hand_room = len(mine.hand) < seen.game.hand_limit
    room = BOARD_SPACES - len(mine.board)
    ready: list[Lack] = []
    if hand_room:
        ready = [lack for lack in found if lack.where is Where.SUPPLY and not _to_get(lack)]
        if ready:
            best = max(ready, key=lambda lack: lack.points or lack.next_points)
            yield Hint(_why_choose(best), ChooseCard(best.card))
    wanted = sorted((lack for lack in found if _to_get(lack)), key=lambda one: one.where not in OWN)
    for lack in wanted:
        space = _space_with(seen.spaces, lack, room)
        if space:
            yield Hint(_why_take(lack), TakePieces(space))
            return
    if wanted and room:
        yield Hint(_why_take(wanted[0]))
    elif room:
        yield Hint(("advice.else" if hand_room else "advice.else_pieces", {}))
    elif hand_room and not ready:
        yield Hint(("advice.else_cards", {}))


def _to_get(lack: Lack) -> int:
    return len(lack.way.lacking) if lack.way and not lack.ready else 0


def _space_with(spaces: tuple[Pieces, ...], lack: Lack, room: int) -> int:
    """The space whose pieces find room on the board, and help most on the way; 0 for none."""
    helps = [
        (-_helpful(pieces, lack), space)
        for space, pieces in enumerate(spaces, start=1)
        if len(pieces) <= room
    ]
    most, space = min(helps, default=(0, 0))
    return space if most else 0


def _helpful(pieces: Pieces, lack: Lack) -> int:
    """How many of these pieces are missing on the way; heads and tails only at its very ends."""
    if lack.way is None:
        return 0
    before, behind = lack.way.head_end, lack.way.tail_end
    left = [needed for needed in (*before, *behind) if not needed.on_board]
    ends = {"<": behind[:1] if lack.coatl == NEW else before[:1], ">": behind[-1:], "": left}
    found = 0
    for piece in pieces:
        colour = piece.strip("<>")
        for needed in tuple(ends[piece.replace(colour, "")]):
            if needed in left and needed.piece.strip("<>") in (colour, ANY):
                left.remove(needed)
                found += 1
                break
    return found


def _why_choose(lack: Lack) -> Phrase:
    return "advice.choose", {"card": lack.card, "n": lack.points or lack.next_points}


def _why_take(lack: Lack) -> Phrase:
    pieces = lack.way.lacking if lack.way else ()
    needed = (Needed(piece, on_board=False) for piece in pieces)
    said = {"card": lack.card, "n": lack.next_points, "lacking": needed_in_words(needed)}
    return "advice.take", said


def needed_in_words(needed: Iterable[Needed]) -> list[Phrase]:
    """Pieces in their order, equal ones side by side as one with a number."""
    found: list[Phrase] = []
    for one, same in groupby(needed):
        number = len(list(same))
        name = piece_in_words(one.piece) if one.on_board else _to_get_in_words(one.piece)
        found.append(name if number == 1 else ("adam.times", {"piece": name, "n": number}))
    return found


def _to_get_in_words(piece: Piece) -> Phrase:
    """The colour, of whichever kind; head or tail only if it has to be one."""
    if piece == ANY:
        return "advice.any", {}
    if len(piece) > 1:
        return piece_in_words(piece)
    return "shown.colour", {"colour": Colour[piece]}
