"""What chance brings at a table with real pieces, as people report it; and its corrections."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.errors import CommandError
from coatl_tools.referee.said import Said
from coatl_tools.referee.tokens import CARD, PIECE_KINDS, WORD, drawn_of
from coatl_tools.rules import events
from coatl_tools.rules.box import FEATHER, HEAD, PER_SPACE, TAIL, Piece
from coatl_tools.rules.events import Answer
from coatl_tools.rules.history import Correct, History
from coatl_tools.rules.state import (
    AdamDraw,
    DealDraw,
    DeckDraw,
    Draw,
    FillDraw,
    PileDraw,
    State,
    SupplyDraw,
    TempleDraw,
)

_SECRET = (TempleDraw, DealDraw, DeckDraw)


def is_secret(draw: Draw, state: State) -> bool:
    """Whether a draw is nobody's business at this table: the card goes to a hidden hand."""
    return state.game.hidden_hands and isinstance(draw, _SECRET)


def answers(said: Said, draws: Sequence[Draw]) -> tuple[Answer, ...]:
    """What was drawn, in the order in which it is asked for; nobody asks for what is secret."""
    said.only(*PIECE_KINDS, CARD, WORD)
    pieces = list(drawn_of(said.tokens))
    cards = [token.value for token in said.of(CARD)]
    found: list[Answer] = []
    for draw in draws:
        if is_secret(draw, said.state):
            continue
        if isinstance(draw, FillDraw):
            kind = said.state.game.options.space_kinds[draw.space - 1]
            number = PER_SPACE[kind]
            drawn, pieces = pieces[:number], pieces[number:]
            if not drawn:
                break
            found.append(events.Fill(draw.space, tuple(_of_kind(piece, kind) for piece in drawn)))
        elif cards:
            found.append(answer_with(draw, cards.pop(0)))
        else:
            break
    if pieces or cards:
        raise CommandError("commands.too_many", text=" ".join([*pieces, *cards])[:40])
    return tuple(found)


def corrected(said: Said, history: History) -> Correct:
    """`41 RG`: event 41 was really this; `space 3 RG`: what came to space 3 last."""
    number = said.one_number()
    if any(token.value == "space" for token in said.of(WORD)):
        number = _last_fill(history, number)
    said.tokens = said.of(*PIECE_KINDS, CARD)
    if not said.tokens:
        raise said.wrong("commands.shape")
    if not 1 <= number <= len(history.events):
        return Correct(number, events.EndTurn())  # the history says which numbers there are
    before, event = history.states[number - 1], history.events[number - 1]
    cards = said.of(CARD)
    if isinstance(event, events.Reveal) and len(cards) == len(said.tokens) == 1:
        return Correct(number, events.Reveal(event.player, cards[0].value))
    if not before.draws:
        return Correct(number, event)  # a decision: the history says so
    draw = before.draws[0]
    if is_secret(draw, before) and len(cards) == len(said.tokens) == 1:
        return Correct(number, answer_with(draw, cards[0].value))
    said.state = before
    found = answers(said, [draw])
    if not found:
        raise said.wrong("commands.shape")
    return Correct(number, found[0])


def _last_fill(history: History, space: int) -> int:
    for number in range(len(history.events), 0, -1):
        event = history.events[number - 1]
        if isinstance(event, events.Fill) and event.space == space:
            return number
    raise CommandError("commands.no_fill", space=space)


def _of_kind(piece: Piece, kind: str) -> Piece:
    """A bare colour as a piece of the kind that a space holds; what is more is left as it is."""
    if piece == FEATHER or len(piece) > 1:
        return piece
    return {HEAD: f"<{piece}", TAIL: f"{piece}>"}.get(kind, piece)


def answer_with(draw: Draw, card: str) -> Answer:
    """The event that answers a draw of a card."""
    match draw:
        case TempleDraw(player):
            return events.DealTemple(player, card)
        case PileDraw(pile):
            return events.TurnUpTemple(pile, card)
        case DealDraw(player):
            return events.DealProphecy(player, card)
        case SupplyDraw():
            return events.TurnUpProphecy(card)
        case AdamDraw():
            return events.DealAdam(card)
        case _:
            return events.Drawn(card)
