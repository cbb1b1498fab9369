"""Advice to a player: the best assembly of a turn, what is missing after it, what else to do.

It is made from a `View`, so it knows nothing that the player does not. It can be described in
sentences and serialized as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from coatl_tools.errors import CommandError, Phrase
from coatl_tools.language import Language, load_language
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.card_gaps import (
    ANY_COLOUR,
    NEW_COATL_NUMBER,
    CardGap,
    CardLocation,
    PiecesToAttach,
    PieceToAttach,
    find_card_gaps,
    select_nearest_gaps,
)
from coatl_tools.players.planning.plan import AssemblyPlan, Situation, make_situation
from coatl_tools.players.planning.planner import find_best_assembly
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.presentation.table_data import serialize_coatl
from coatl_tools.referee.presentation.table_text import phrase_coatl, phrase_piece_counts
from coatl_tools.referee.table import Table
from coatl_tools.rules.constants import BOARD_SPACES, Piece, Pieces, phrase_piece
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.events import (
    FROM_HAND,
    UNKNOWN_CARD,
    ChooseCard,
    Event,
    PlaceTemple,
    TakePieces,
)
from coatl_tools.rules.result import CoatlResult, compute_coatl_result
from coatl_tools.rules.state import ASSEMBLING, BETWEEN, CLOSING, READY
from coatl_tools.rules.views import View, is_in_setup

MAX_SHOWN_GAPS = 8  # lines of the short list of what is missing, if the own cards leave room
MAX_NEAR_PIECES = 2  # pieces to get at most, for any other card to be listed
OWN_CARD_PLACES = (CardLocation.BESIDE, CardLocation.HAND)


@dataclass(frozen=True, slots=True)
class AdviceHint:
    """Something to do instead of assembling: why, and the event, if it can be named."""

    why: Phrase
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """All that is advised; `gaps` is about the table after the plan."""

    situation: Situation
    plan: AssemblyPlan
    gaps: tuple[CardGap, ...]
    hints: tuple[AdviceHint, ...] = ()
    notes: tuple[Phrase, ...] = ()
    is_playable_now: bool = True

    @property
    def nearest_gaps(self) -> tuple[CardGap, ...]:
        """What is worth a thought: the own Prophecy cards, then what else is near.

        Nothing if no turn comes after this one.
        """
        if self.situation.last:
            return ()
        game, found = self.situation.game, select_nearest_gaps(self.gaps)
        own = [
            lack for lack in found if lack.where in OWN_CARD_PLACES and game.is_prophecy(lack.card)
        ]
        others = [lack for lack in found if lack not in own and self._is_near(lack)]
        return (*own, *others[: max(0, MAX_SHOWN_GAPS - len(own))])

    def _is_near(self, lack: CardGap) -> bool:
        """Tell whether few pieces are to be got; a Temple card needs a Cóatl that is begun."""
        if lack.coatl == NEW_COATL_NUMBER and self.situation.game.is_temple(lack.card):
            return False
        few = lack.way is not None and len(lack.way.lacking) <= MAX_NEAR_PIECES
        return few or (lack.ready and lack.where is CardLocation.SUPPLY)


def make_advice(view: View, seat: int, last: bool = False) -> Advice:
    """Make advice for a seat from what the view shows; CommandError if the game is over.

    If it is not that player's turn, the advice is given as if it were, and a note says so.
    `last` says that no turn follows, whatever the view tells.
    """
    if view.awaited is None:
        raise CommandError("advice.over")
    situation = make_situation(view, seat)
    if last:
        situation = replace(situation, last=True)
    plan = find_best_assembly(situation)
    after = replace(situation, board=plan.board, coatls=plan.coatls, hand=plan.hand, closing=0)
    missing = find_card_gaps(_drop_placed_temples(after), view.supply)
    notes, now = _make_notes(view, seat)
    idle = plan.steps or situation.last or is_in_setup(view)
    hints = () if idle else tuple(_make_hints(view, seat, missing))
    return Advice(situation, plan, missing, hints, tuple(notes), now)


def make_table_advice(table: Table, seat: int | None) -> Advice:
    """Make advice for a seat at a table; if it is None, for whoever is to play."""
    seat = table.default_seat if seat is None else seat
    return make_advice(table.make_view(seat), seat)


def _drop_placed_temples(after: Situation) -> Situation:
    """Return the situation without the Temple cards that now lie beside Cóatls."""
    placed = {coatl.temple for coatl in after.coatls}
    one, other = ("" if top in placed else top for top in after.tops)
    temples = tuple(card for card in after.temples if card not in placed)
    return replace(after, temples=temples, tops=(one, other))


def _make_notes(view: View, seat: int) -> tuple[list[Phrase], bool]:
    """Make notes on what limits this advice; also return whether it can be followed now."""
    notes: list[Phrase] = []
    player = view.seats[seat]
    stages = (READY, ASSEMBLING, CLOSING, BETWEEN)
    now = (
        view.current_player == seat
        and isinstance(view.awaited, Decision)
        and view.awaited.stage in stages
    )
    if is_in_setup(view):
        notes.append(("advice.setup", {}))
    elif view.current_player != seat:
        notes.append(("advice.not_turn", {"player": player.name}))
    elif not now:
        notes.append(("advice.busy", {}))
    hidden = (*player.hand, *player.temples).count(UNKNOWN_CARD)
    if hidden:
        notes.append(("advice.hidden", {"n": hidden}))
    return notes, now


def _make_hints(view: View, seat: int, missing: tuple[CardGap, ...]) -> Iterable[AdviceHint]:
    """Suggest what to do instead: choose a card that pays soon, take pieces that are missing."""
    mine = view.seats[seat]
    found = [lack for lack in select_nearest_gaps(missing) if view.game.is_prophecy(lack.card)]
    hand_room = len(mine.hand) < view.game.hand_limit
    room = BOARD_SPACES - len(mine.board)
    ready: list[CardGap] = []
    if hand_room:
        ready = [
            lack
            for lack in found
            if lack.where is CardLocation.SUPPLY and not _count_pieces_to_get(lack)
        ]
        if ready:
            best = max(ready, key=lambda lack: lack.points or lack.next_points)
            yield AdviceHint(_phrase_choose(best), ChooseCard(best.card))
    wanted = sorted(
        (lack for lack in found if _count_pieces_to_get(lack)),
        key=lambda one: one.where not in OWN_CARD_PLACES,
    )
    for lack in wanted:
        space = _find_best_space(view.spaces, lack, room)
        if space:
            yield AdviceHint(_phrase_take(lack), TakePieces(space))
            return
    if wanted and room:
        yield AdviceHint(_phrase_take(wanted[0]))
    elif room:
        yield AdviceHint(("advice.else" if hand_room else "advice.else_pieces", {}))
    elif hand_room and not ready:
        yield AdviceHint(("advice.else_cards", {}))


def _count_pieces_to_get(lack: CardGap) -> int:
    return len(lack.way.lacking) if lack.way and not lack.ready else 0


def _find_best_space(spaces: tuple[Pieces, ...], lack: CardGap, room: int) -> int:
    """Find the space whose pieces fit on the board and help most on the way; 0 for none."""
    helps = [
        (-_count_helpful_pieces(pieces, lack), space)
        for space, pieces in enumerate(spaces, start=1)
        if len(pieces) <= room
    ]
    most, space = min(helps, default=(0, 0))
    return space if most else 0


def _count_helpful_pieces(pieces: Pieces, lack: CardGap) -> int:
    """Count how many of these pieces the way lacks; heads and tails help only at its very ends."""
    if lack.way is None:
        return 0
    before, behind = lack.way.head_end, lack.way.tail_end
    left = [needed for needed in (*before, *behind) if not needed.on_board]
    ends = {
        "<": behind[:1] if lack.coatl == NEW_COATL_NUMBER else before[:1],
        ">": behind[-1:],
        "": left,
    }
    found = 0
    for piece in pieces:
        colour = piece.strip("<>")
        for needed in tuple(ends[piece.replace(colour, "")]):
            if needed in left and needed.piece.strip("<>") in (colour, ANY_COLOUR):
                left.remove(needed)
                found += 1
                break
    return found


def _phrase_choose(lack: CardGap) -> Phrase:
    return "advice.choose", {"card": lack.card, "n": lack.points or lack.next_points}


def _phrase_take(lack: CardGap) -> Phrase:
    pieces = lack.way.lacking if lack.way else ()
    needed = (PieceToAttach(piece, on_board=False) for piece in pieces)
    said = {"card": lack.card, "n": lack.next_points, "lacking": phrase_needed_pieces(needed)}
    return "advice.take", said


def phrase_needed_pieces(needed: Iterable[PieceToAttach]) -> list[Phrase]:
    """Phrase pieces in their order, equal ones side by side as one with a number."""
    found: list[Phrase] = []
    for one, same in groupby(needed):
        number = len(list(same))
        name = phrase_piece(one.piece) if one.on_board else _phrase_piece_to_get(one.piece)
        found.append(name if number == 1 else ("adam.times", {"piece": name, "n": number}))
    return found


def _phrase_piece_to_get(piece: Piece) -> Phrase:
    """Phrase a piece by its colour, as a head or tail only if it has to be one."""
    if piece == ANY_COLOUR:
        return "advice.any", {}
    if len(piece) > 1:
        return phrase_piece(piece)
    return "shown.colour", {"colour": Colour[piece]}


CARD_PLACE_PHRASES = {
    "beside": "advice.beside",
    "hand": "advice.hand",
    "supply": "advice.supply",
    "pile": "advice.pile",
}


def describe_advice(advice: Advice, lang: str, whole: bool = False) -> list[str]:
    """Describe the advice, one thought a line; with `whole`, all gaps, not only the nearest."""
    language = load_language(lang)
    said = [language.sentence(*phrase) for phrase in advice.notes]
    plan = advice.plan
    if plan.steps:
        said.append(language.sentence("advice.best", {"n": plan.points}))
        for number, step in enumerate(plan.steps, start=1):
            text = format_command(step.event, lang)
            key = "advice.step" if step.points else "advice.step_free"
            said.append(language.sentence(key, {"number": number, "text": text, "n": step.points}))
        said += [language.sentence(*phrase) for phrase in _phrase_after_plan(advice)]
    else:
        said.append(language.sentence("advice.nothing", {}))
        said += describe_hints(advice, lang)
    rows = advice.gaps if whole else advice.nearest_gaps
    if rows:
        said.append(language.sentence("advice.missing", {}))
        said += [language.sentence(*phrase_card_gap(lack)) for lack in rows]
    return said


def describe_hints(advice: Advice, lang: str) -> list[str]:
    """Describe what to do instead, a line each."""
    language = load_language(lang)
    return [_describe_hint(hint, language) for hint in advice.hints]


def _describe_hint(hint: AdviceHint, language: Language) -> str:
    why = language.sentence(*hint.why)
    if hint.event is None:
        return why
    return language.sentence(
        "advice.typed", {"why": why, "text": format_command(hint.event, language.code)}
    )


def _phrase_after_plan(advice: Advice) -> Iterator[Phrase]:
    """Phrase every Cóatl with its cards after the plan, and what is left on the board."""
    for number, built in enumerate(advice.plan.coatls, start=1):
        found = compute_coatl_result(advice.situation.game, built)
        yield _phrase_planned_coatl(number, found)
        if found.cards:
            cards = [("shown.worth", {"card": s.card.id, "n": s.points}) for s in found.cards]
            yield "advice.cards", {"cards": cards}
    if advice.plan.board:
        yield "advice.left", {"pieces": phrase_piece_counts(advice.plan.board)}
    else:
        yield "advice.left_none", {}


def _phrase_planned_coatl(number: int, found: CoatlResult) -> Phrase:
    said: dict[str, object] = {"number": number, "pieces": phrase_coatl(found.coatl)}
    if found.complete:
        return "advice.coatl_complete", {**said, "n": found.points}
    return "advice.coatl_open", said


def phrase_card_gap(lack: CardGap) -> Phrase:
    """Phrase a card on a Cóatl: what it is worth there, and what it lacks."""
    coatl: Phrase = ("advice.coatl", {"coatl": lack.coatl})
    said: dict[str, object] = {
        "card": lack.card,
        "where": (CARD_PLACE_PHRASES[lack.where.value], {}),
        "coatl": coatl if lack.coatl != NEW_COATL_NUMBER else ("advice.new", {}),
    }
    facts: list[Phrase] = []
    if lack.points:
        facts.append(("advice.worth", {"n": lack.points}))
    if not lack.next_points:
        facts.append(("advice.top", {}))
    elif lack.way is None:
        facts.append(("advice.out_of_reach" if lack.known else "advice.intricate", {}))
    else:
        facts.append(_phrase_way(lack.way, lack))
    return "advice.row", {**said, "facts": facts}


def _phrase_way(way: PiecesToAttach, lack: CardGap) -> Phrase:
    """Phrase the next level: how many points, how many pieces, which, and which of them to get."""
    said: dict[str, object] = {
        "points": ("advice.points", {"n": lack.next_points}),
        "pieces": ("advice.pieces", {"n": len(way)}),
        "how": _phrase_attachments(way, lack.coatl == NEW_COATL_NUMBER),
    }
    if not way.lacking:
        return "advice.on_board", said
    return "advice.to_get", {
        **said,
        "lacking": phrase_needed_pieces(
            PieceToAttach(piece, on_board=False) for piece in way.lacking
        ),
    }


def _phrase_attachments(way: PiecesToAttach, new: bool) -> Phrase:
    before, behind = phrase_needed_pieces(way.head_end), phrase_needed_pieces(way.tail_end)
    if new:
        return "advice.in_order", {"pieces": behind}
    if before and behind:
        return "advice.both_ends", {"before": before, "behind": behind}
    if before:
        return "advice.head_end", {"pieces": before}
    return "advice.tail_end", {"pieces": behind}


def format_plan_commands(advice: Advice, lang: str, real: bool) -> list[str]:
    """Format the steps as they are typed, in as few lines as possible; none if not playable now.

    With `real` pieces, what a Temple pile then shows is reported before anything else is typed.
    """
    lines: list[list[str]] = [[]]
    for step in advice.plan.steps if advice.is_playable_now else ():
        lines[-1].append(format_command(step.event, lang))
        if real and isinstance(step.event, PlaceTemple) and step.event.source != FROM_HAND:
            lines.append([])
    return ["; ".join(line) for line in lines if line]


def serialize_advice(advice: Advice, lang: str) -> dict[str, Any]:
    """Serialize the advice as JSON data; Cóatls and piles are numbered from 1, null is a new Cóatl.

    `steps` are in the notation and as they are typed in the language; `instead` is there when
    there are none. `missing` is about the table after the steps: `points` is what a card is worth
    there, `next` its next level and a shortest way to it, null where there is none.
    """
    language, game = load_language(lang), advice.situation.game
    return {
        "edition": game.options.edition,
        "now": advice.is_playable_now,
        "notes": [language.sentence(*phrase) for phrase in advice.notes],
        "steps": [
            {
                "event": str(step.event),
                "typed": format_command(step.event, lang),
                "points": step.points,
            }
            for step in advice.plan.steps
        ],
        "points": advice.plan.points,
        "instead": [
            {"why": language.sentence(*hint.why), "event": str(hint.event) if hint.event else None}
            for hint in advice.hints
        ],
        "coatls": [
            serialize_coatl(number, built, game)
            for number, built in enumerate(advice.plan.coatls, start=1)
        ],
        "board": [*advice.plan.board],
        "hand": [*advice.plan.hand],
        "missing": [_serialize_card_gap(lack) for lack in advice.gaps],
    }


def _serialize_card_gap(lack: CardGap) -> dict[str, Any]:
    data: dict[str, Any] = {
        "card": lack.card,
        "where": lack.where.value,
        "coatl": lack.coatl or None,
        "points": lack.points,
        "next": None,
    }
    if lack.next_points:
        data["next"] = {"points": lack.next_points, "pieces": None}
        if not lack.known:
            data["next"]["known"] = False
    if lack.way is not None:
        data["next"] |= {
            "pieces": len(lack.way),
            "head_end": _serialize_needed_pieces(lack.way.head_end),
            "tail_end": _serialize_needed_pieces(lack.way.tail_end),
            "to_get": [*lack.way.lacking],
        }
    return data


def _serialize_needed_pieces(needed: Iterable[PieceToAttach]) -> list[dict[str, Any]]:
    return [{"piece": one.piece, "on_board": one.on_board} for one in needed]
