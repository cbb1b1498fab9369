"""Commands for what was drawn at a table with real pieces, and for corrections of it."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.errors import CommandError
from coatl_tools.referee.commands.command_context import (
    CARD,
    KEYWORD,
    PIECE_WORD_KINDS,
    CommandContext,
    parse_drawn_pieces,
)
from coatl_tools.rules import events
from coatl_tools.rules.actions.turns import is_secret_draw, make_draw_answer
from coatl_tools.rules.constants import FEATHER, HEAD, PIECES_PER_SPACE, TAIL, Piece
from coatl_tools.rules.events import Answer
from coatl_tools.rules.history import CorrectEvent, History
from coatl_tools.rules.state import Draw, FillDraw


def parse_draw_answers(command: CommandContext, draws: Sequence[Draw]) -> tuple[Answer, ...]:
    """Parse what was drawn, in the order of the draws; secret draws are left out."""
    command.reject_other_kinds(*PIECE_WORD_KINDS, CARD, KEYWORD)
    pieces = list(parse_drawn_pieces(command.typed_words))
    cards = [token.value for token in command.words_of_kind(CARD)]
    found: list[Answer] = []
    for draw in draws:
        if is_secret_draw(draw, command.state):
            continue
        if isinstance(draw, FillDraw):
            kind = command.state.game.options.space_kinds[draw.space - 1]
            number = PIECES_PER_SPACE[kind]
            drawn, pieces = pieces[:number], pieces[number:]
            if not drawn:
                break
            found.append(
                events.FillSpace(
                    draw.space, tuple(_make_piece_of_kind(piece, kind) for piece in drawn)
                )
            )
        elif cards:
            found.append(make_draw_answer(draw, cards.pop(0)))
        else:
            break
    if pieces or cards:
        raise CommandError("commands.too_many", text=" ".join([*pieces, *cards])[:40])
    return tuple(found)


def parse_event_correction(command: CommandContext, history: History) -> CorrectEvent:
    """Parse a correction: `41 RG` of event 41, `space 3 RG` of what came to space 3 last."""
    number = command.get_single_number()
    if any(token.value == "space" for token in command.words_of_kind(KEYWORD)):
        number = _find_last_fill(history, number)
    command.typed_words = command.words_of_kind(*PIECE_WORD_KINDS, CARD)
    if not command.typed_words:
        raise command.make_error("commands.shape")
    if not 1 <= number <= len(history.events):
        return CorrectEvent(number, events.EndTurn())  # the history will refuse it
    before, event = history.states[number - 1], history.events[number - 1]
    cards = command.words_of_kind(CARD)
    if isinstance(event, events.Reveal) and len(cards) == len(command.typed_words) == 1:
        return CorrectEvent(number, events.Reveal(event.player, cards[0].value))
    if not before.draws:
        return CorrectEvent(number, event)  # a decision: the history will refuse it
    draw = before.draws[0]
    if is_secret_draw(draw, before) and len(cards) == len(command.typed_words) == 1:
        return CorrectEvent(number, make_draw_answer(draw, cards[0].value))
    command.state = before
    found = parse_draw_answers(command, [draw])
    if not found:
        raise command.make_error("commands.shape")
    return CorrectEvent(number, found[0])


def _find_last_fill(history: History, space: int) -> int:
    for number in range(len(history.events), 0, -1):
        event = history.events[number - 1]
        if isinstance(event, events.FillSpace) and event.space == space:
            return number
    raise CommandError("commands.no_fill", space=space)


def _make_piece_of_kind(piece: Piece, kind: str) -> Piece:
    """Turn a bare colour into a piece of the kind that a space holds; leave other pieces alone."""
    if piece == FEATHER or len(piece) > 1:
        return piece
    return {HEAD: f"<{piece}", TAIL: f"{piece}>"}.get(kind, piece)
