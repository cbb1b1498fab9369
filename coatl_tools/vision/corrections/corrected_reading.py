"""Apply corrections to a reading: what a person said is sure, the rest stays as it was.

A problem vanishes with what it is about: one of a piece when the piece is corrected, one of a
Cóatl when its pieces are counted anew or all of it is confirmed, one of the direction when an end
is corrected. What is about nothing in particular stays until everything is corrected, or `ok`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TypeAlias, TypeVar

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, PieceKind, joins_head_to_tail
from coatl_tools.rules.constants import MAX_PLAYERS
from coatl_tools.vision.corrections.correction import (
    AddCard,
    AddCoatl,
    AddPiece,
    Confirm,
    Correction,
    JoinCoatls,
    RemoveCard,
    RemoveCoatl,
    RemovePiece,
    ReverseCoatl,
    SetCard,
    SetCoatl,
    SetPiece,
    SetPlayer,
    SplitCoatl,
)
from coatl_tools.vision.reading import (
    DIRECTION_PROBLEM,
    PhotoReading,
    Point,
    ReadingProblem,
    SeenCard,
    SeenCoatl,
    SeenPiece,
)

Pieces: TypeAlias = tuple[SeenPiece, ...]
ProblemPlace: TypeAlias = tuple[int, int | None]  # a Cóatl, and a piece of it or all of it
T = TypeVar("T")
_REVERSED_KINDS = {
    PieceKind.HEAD: PieceKind.TAIL,
    PieceKind.BODY: PieceKind.BODY,
    PieceKind.TAIL: PieceKind.HEAD,
}


def apply_corrections(
    reading: PhotoReading, catalog: Catalog, *corrections: Correction
) -> PhotoReading:
    """Apply corrections to a reading, one after the other; raises CorrectionError.

    The catalog says how often each card is in the game.
    """
    for correction in corrections:
        reading = _drop_settled_problems(_apply_correction(reading, catalog, correction))
    return reading


def _apply_correction(
    reading: PhotoReading, catalog: Catalog, correction: Correction
) -> PhotoReading:
    match correction:
        case SetPiece():
            return _set_piece(reading, correction)
        case RemovePiece(coatl, piece):
            return _remove_piece(reading, coatl, piece)
        case AddPiece():
            return _add_piece(reading, correction)
        case SetCoatl(coatl, shape):
            seen = _get_coatl(reading, coatl)
            known = _make_known_coatl(_align_pieces(seen.pieces, shape), seen)
            return _replace_coatl(reading, coatl, known, lambda _: None)
        case ReverseCoatl(coatl):
            return _reverse_coatl(reading, coatl)
        case SplitCoatl(coatl, behind):
            return _split_coatl(reading, coatl, behind)
        case JoinCoatls(first, second):
            return _join_coatls(reading, first, second)
        case RemoveCoatl(coatl):
            _get_coatl(reading, coatl)
            return _remove_coatl(reading, coatl - 1)
        case AddCoatl(shape):
            return _add_coatl(reading, shape)
        case SetPlayer(coatl, player):
            return _set_player(reading, coatl, player)
        case SetCard():
            return _set_card(reading, correction, catalog)
        case RemoveCard(card):
            return _remove_card(reading, card)
        case AddCard(card_id, coatl):
            return _add_card(reading, card_id, coatl, catalog)
        case Confirm():
            return _confirm_reading(reading, correction, catalog)


# Pieces.


def _set_piece(reading: PhotoReading, correction: SetPiece) -> PhotoReading:
    seen = _get_coatl_with_piece(reading, correction.coatl, correction.piece)
    last = len(seen.pieces)
    wrong_ends = (PieceKind.HEAD, last), (PieceKind.TAIL, 1)
    if last > 1 and (correction.kind, correction.piece) in wrong_ends:  # it lies the other way
        reading = _reverse_coatl(reading, correction.coatl)
        correction = replace(correction, piece=last + 1 - correction.piece)
        seen = reading.coatls[correction.coatl - 1]
    place, before = correction.piece - 1, seen.pieces[correction.piece - 1]
    colour = before.colour if correction.colour is None else correction.colour
    kind = correction.kind or before.kind
    pieces = _replace_at(seen.pieces, place, _make_corrected_piece(colour, kind, before))
    known = replace(seen, pieces=pieces)
    ended = correction.kind in (PieceKind.HEAD, PieceKind.TAIL)
    if ended:
        known = replace(known, facing_confidence=1.0)

    def relocate(problem: ReadingProblem) -> ProblemPlace | None:
        gone = problem.piece == place or (ended and problem.code == DIRECTION_PROBLEM)
        return None if gone else (correction.coatl - 1, problem.piece)

    return _replace_coatl(reading, correction.coatl, known, relocate)


def _remove_piece(reading: PhotoReading, coatl: int, piece: int) -> PhotoReading:
    seen = _get_coatl_with_piece(reading, coatl, piece)
    if len(seen.pieces) == 1:
        raise CorrectionError("fix.only_piece", coatl=coatl)
    pieces = (*seen.pieces[: piece - 1], *seen.pieces[piece:])
    moved = {old: old - (old >= piece) for old in range(len(seen.pieces)) if old != piece - 1}
    return _replace_pieces(reading, coatl, pieces, moved)


def _add_piece(reading: PhotoReading, correction: AddPiece) -> PhotoReading:
    seen = _get_coatl(reading, correction.coatl)
    behind = len(seen.pieces) if correction.behind is None else correction.behind
    _get_coatl_with_piece(reading, correction.coatl, behind, least=0)
    near = seen.pieces[max(0, behind - 1) : behind + 1]
    piece = _make_corrected_piece(
        correction.colour, correction.kind, centre=_find_mean_centre(near)
    )
    pieces = (*seen.pieces[:behind], piece, *seen.pieces[behind:])
    moved = {old: old + (old >= behind) for old in range(len(seen.pieces))}
    return _replace_pieces(reading, correction.coatl, pieces, moved)


# Cóatls.


def _reverse_coatl(reading: PhotoReading, coatl: int) -> PhotoReading:
    """Reverse a Cóatl: what was taken for the head is the tail."""
    seen = _get_coatl(reading, coatl)
    last = len(seen.pieces) - 1
    pieces = tuple(
        replace(piece, kinds={_REVERSED_KINDS[kind]: share for kind, share in piece.kinds.items()})
        for piece in reversed(seen.pieces)
    )

    def relocate(problem: ReadingProblem) -> ProblemPlace | None:
        if problem.code == DIRECTION_PROBLEM:
            return None
        return coatl - 1, None if problem.piece is None else last - problem.piece

    reversed_coatl = replace(seen, pieces=pieces, facing_confidence=1.0)
    return _replace_coatl(reading, coatl, reversed_coatl, relocate)


def _split_coatl(reading: PhotoReading, coatl: int, behind: int) -> PhotoReading:
    seen = _get_coatl_with_piece(reading, coatl, behind)
    if behind == len(seen.pieces):
        raise CorrectionError("fix.split_end", coatl=coatl, number=behind)
    parts = [
        replace(seen, joint_confidence=1.0, pieces=pieces)
        for pieces in (seen.pieces[:behind], seen.pieces[behind:])
    ]
    index = coatl - 1
    cards = tuple(_move_card(card, lambda old: old + (old > index)) for card in reading.cards)
    coatls = (*reading.coatls[:index], *parts, *reading.coatls[index + 1 :])

    def relocate(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        if problem.coatl != index:
            return problem.coatl + (problem.coatl > index), problem.piece
        if problem.piece is None:  # it was about where the Cóatl ends, but for the direction
            return (index, None) if problem.code == DIRECTION_PROBLEM else None
        later = problem.piece >= behind
        return index + later, problem.piece - later * behind

    split = replace(reading, coatls=coatls, cards=cards)
    return _relocate_problems(split, relocate, {index, index + 1})


def _join_coatls(reading: PhotoReading, first: int, second: int) -> PhotoReading:
    one, other = _get_coatl(reading, first), _get_coatl(reading, second)
    if first == second:
        raise CorrectionError("fix.join_itself", coatl=first)
    pieces = one.pieces + other.pieces
    if (
        one.pieces[-1].kind is PieceKind.TAIL
        or other.pieces[0].kind is PieceKind.HEAD
        or find_shape_fault(pieces)
    ):
        raise CorrectionError("fix.join_ends", first=first, second=second)
    facing = max(one.facing_confidence, other.facing_confidence)
    gone = second - 1
    cards = tuple(
        replace(card, coatl=first - 1) if card.coatl == gone else card for card in reading.cards
    )
    shape = replace(one, pieces=pieces, joint_confidence=1.0, facing_confidence=facing)

    def relocate(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        if problem.coatl not in (first - 1, gone):
            return problem.coatl, problem.piece
        if problem.piece is None:
            known = problem.code != DIRECTION_PROBLEM or facing > one.facing_confidence
            return None if known or problem.coatl == gone else (first - 1, None)
        return first - 1, problem.piece + (len(one.pieces) if problem.coatl == gone else 0)

    coatls = _replace_at(reading.coatls, first - 1, shape)
    joined = _relocate_problems(replace(reading, coatls=coatls, cards=cards), relocate, {first - 1})
    return _remove_coatl(joined, gone)


def _remove_coatl(reading: PhotoReading, index: int) -> PhotoReading:
    def moved(old: int) -> int | None:
        return None if old == index else old - (old > index)

    def relocate(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        found = moved(problem.coatl)
        return None if found is None else (found, problem.piece)

    coatls = (*reading.coatls[:index], *reading.coatls[index + 1 :])
    cards = tuple(_move_card(card, moved) for card in reading.cards)
    return _relocate_problems(replace(reading, coatls=coatls, cards=cards), relocate, set())


def _add_coatl(reading: PhotoReading, shape: Coatl) -> PhotoReading:
    seen = SeenCoatl(_align_pieces((), shape), 1.0, 1.0, sure=True)
    problems = reading.problems
    if not reading.coatls:  # that none was found has been dealt with
        problems = tuple(problem for problem in problems if problem.card is not None)
    return replace(reading, coatls=(*reading.coatls, seen), problems=problems)


def _make_known_coatl(pieces: Pieces, seen: SeenCoatl) -> SeenCoatl:
    """Make a Cóatl whose pieces are certain, in the place of one that was seen."""
    return SeenCoatl(
        pieces, 1.0, 1.0, seen.sure, player=seen.player, player_corrected=seen.player_corrected
    )


def _set_player(reading: PhotoReading, coatl: int, player: int) -> PhotoReading:
    seen = _get_coatl(reading, coatl)
    if not 1 <= player <= MAX_PLAYERS:
        raise CorrectionError("fix.no_player", number=player, most=MAX_PLAYERS)
    known = replace(seen, player=player - 1, player_corrected=True)
    return replace(reading, coatls=_replace_at(reading.coatls, coatl - 1, known))


# Cards.


def _set_card(reading: PhotoReading, correction: SetCard, catalog: Catalog) -> PhotoReading:
    """Set which card it is, and beside which Cóatl it lies; it is then sure.

    Raises CorrectionError if all copies of that card are among the others. To confirm the id that
    was read, only those count that a person has corrected.
    """
    seen, index = _get_card(reading, correction.card), correction.card - 1
    coatl = seen.coatl
    if correction.coatl is not None:
        _get_coatl(reading, correction.coatl)
        coatl = correction.coatl - 1
    card_id = correction.id or seen.id
    if card_id is None:
        return replace(reading, cards=_replace_at(reading.cards, index, replace(seen, coatl=coatl)))
    there = [
        number
        for number, one in enumerate(reading.cards, start=1)
        if number != correction.card and one.id == card_id and (one.corrected or card_id != seen.id)
    ]
    _check_copies(card_id, there, catalog)
    sure = replace(seen, confidence=1.0, candidates=(), sure=True, corrected=True)
    card = replace(sure, id=card_id, coatl=coatl)
    problems = tuple(problem for problem in reading.problems if problem.card != index)
    return replace(reading, cards=_replace_at(reading.cards, index, card), problems=problems)


def _remove_card(reading: PhotoReading, number: int) -> PhotoReading:
    """Remove what is not a card; problems of later cards move with them."""
    _get_card(reading, number)
    problems = []
    for problem in reading.problems:
        if problem.card is None or problem.card < number - 1:
            problems.append(problem)
        elif problem.card >= number:
            problems.append(replace(problem, card=problem.card - 1))
    cards = (*reading.cards[: number - 1], *reading.cards[number:])
    return replace(reading, cards=cards, problems=tuple(problems))


def _add_card(
    reading: PhotoReading, card_id: str, coatl: int | None, catalog: Catalog
) -> PhotoReading:
    """Add a card that was not seen; CorrectionError if all its copies were seen."""
    there = [number for number, one in enumerate(reading.cards, start=1) if one.id == card_id]
    _check_copies(card_id, there, catalog)
    if coatl is not None:
        _get_coatl(reading, coatl)
    elif len(reading.coatls) > 1:
        raise CorrectionError("fix.which_coatl", id=card_id, n=len(reading.coatls))
    else:
        coatl = 1 if reading.coatls else None
    index = None if coatl is None else coatl - 1
    card = SeenCard(card_id, 1.0, (), coatl=index, sure=True, corrected=True)
    return replace(reading, cards=(*reading.cards, card))


def _check_copies(card_id: str, there: Sequence[int], catalog: Catalog) -> None:
    """Raise CorrectionError if `there` already has all copies of a card."""
    copies = catalog[card_id].copies
    if len(there) >= copies:
        known = [f"c{number}" for number in there]
        raise CorrectionError(
            "fix.card_there", id=card_id, there=", ".join(known), first=known[0], n=copies
        )


def _move_card(card: SeenCard, moved: Callable[[int], int | None]) -> SeenCard:
    return card if card.coatl is None else replace(card, coatl=moved(card.coatl))


# Right as it was read.


def _confirm_reading(reading: PhotoReading, correction: Confirm, catalog: Catalog) -> PhotoReading:
    if correction.card is not None:
        if _get_card(reading, correction.card).id is None:
            raise CorrectionError("fix.unread_card", number=correction.card)
        return _set_card(reading, SetCard(correction.card), catalog)
    if correction.coatl is None:
        for number in range(1, len(reading.coatls) + 1):
            reading = _confirm_reading(reading, Confirm(number), catalog)
        for number in range(1, len(reading.cards) + 1):
            reading = _confirm_reading(reading, Confirm(card=number), catalog)
        return replace(reading, problems=tuple(p for p in reading.problems if not p.serious))
    if correction.piece is not None:
        seen = _get_coatl_with_piece(reading, correction.coatl, correction.piece)
        piece = seen.pieces[correction.piece - 1]
        return _set_piece(reading, SetPiece(correction.coatl, correction.piece, piece.colour))
    seen = _get_coatl(reading, correction.coatl)
    if wrong := find_shape_fault(seen.pieces):
        raise CorrectionError(wrong, coatl=correction.coatl, most=MAX_PIECES)
    pieces = tuple(map(_confirm_piece, seen.pieces))
    known = _make_known_coatl(pieces, seen)
    return _replace_coatl(reading, correction.coatl, known, lambda _: None)


# Find what a correction names by its number, counted from 1.


def _get_coatl(reading: PhotoReading, number: int) -> SeenCoatl:
    """Get a Cóatl by its number; raises CorrectionError if there is none."""
    if not 1 <= number <= len(reading.coatls):
        raise CorrectionError("fix.no_coatl", number=number, n=len(reading.coatls))
    return reading.coatls[number - 1]


def _get_coatl_with_piece(
    reading: PhotoReading, coatl: int, number: int, least: int = 1
) -> SeenCoatl:
    """Get the Cóatl of a piece by both numbers; raises CorrectionError if there is none."""
    seen = _get_coatl(reading, coatl)
    if not least <= number <= len(seen.pieces):
        raise CorrectionError("fix.no_piece", coatl=coatl, number=number, n=len(seen.pieces))
    return seen


def _get_card(reading: PhotoReading, number: int) -> SeenCard:
    """Get a card by its number; raises CorrectionError if there is none."""
    if not 1 <= number <= len(reading.cards):
        raise CorrectionError("fix.no_card", number=number, n=len(reading.cards))
    return reading.cards[number - 1]


# Pieces that a person has named.


def _make_corrected_piece(
    colour: Colour, kind: PieceKind, like: SeenPiece | None = None, centre: Point = (0, 0)
) -> SeenPiece:
    """Make a piece that a person has named; it lies where another one was seen, or at a point."""
    outline, centre = (like.outline, like.centre) if like else ((), centre)
    return SeenPiece({colour: 1.0}, {kind: 1.0}, outline, centre, corrected=True)


def _confirm_piece(piece: SeenPiece) -> SeenPiece:
    """Make a piece that a person says is right as it was seen."""
    return _make_corrected_piece(piece.colour, piece.kind, piece)


def _align_pieces(seen: Pieces, shape: Coatl) -> Pieces:
    """Make the pieces of a Cóatl, each at the place of the seen piece that it most likely is."""
    places = dict(enumerate(seen)) if len(seen) == len(shape) else _match_places(seen, shape)
    found: list[SeenPiece] = []
    for index, (colour, kind) in enumerate(zip(shape.colours, shape.kinds, strict=True)):
        near = [found[-1]] if found else list(seen[:1])
        near += [places[later] for later in range(index, len(shape)) if later in places][:1]
        found.append(
            _make_corrected_piece(colour, kind, places.get(index), _find_mean_centre(near))
        )
    return tuple(found)


def _match_places(seen: Pieces, shape: Coatl) -> dict[int, SeenPiece]:
    """Match the pieces of a Cóatl, by index, with seen ones; either side may have more."""
    found: dict[int, SeenPiece] = {}
    before = [piece.colour for piece in seen]
    matcher = SequenceMatcher(None, before, shape.colours, autojunk=False)
    for _, old, old_end, new, new_end in matcher.get_opcodes():
        found.update(zip(range(new, new_end), seen[old:old_end], strict=False))
    return found


def _find_mean_centre(pieces: Sequence[SeenPiece]) -> Point:
    """Find the middle of some pieces; the corner of the photo if there are none."""
    n = max(1, len(pieces))
    return sum(piece.centre[0] for piece in pieces) / n, sum(p.centre[1] for p in pieces) / n


def find_shape_fault(pieces: Pieces) -> str:
    """Return the key of the sentence why pieces make no Cóatl (rules 3.7, 3.10), or ""."""
    kinds = [piece.kind for piece in pieces]
    if len(kinds) > MAX_PIECES:
        return "fix.too_many"
    if PieceKind.HEAD in kinds[1:]:
        return "fix.head_inside"
    if PieceKind.TAIL in kinds[:-1]:
        return "fix.tail_inside"
    touching = joins_head_to_tail(len(kinds), PieceKind.HEAD in kinds, PieceKind.TAIL in kinds)
    return "fix.head_on_tail" if touching else ""


# Put a reading together again.


def _replace_pieces(
    reading: PhotoReading, coatl: int, pieces: Pieces, moved: Mapping[int, int]
) -> PhotoReading:
    """Give a Cóatl other pieces; `moved` has the new index of each old piece that is left."""

    def relocate(problem: ReadingProblem) -> ProblemPlace | None:
        if problem.piece is None:
            return (coatl - 1, None) if problem.code == DIRECTION_PROBLEM else None
        return (coatl - 1, moved[problem.piece]) if problem.piece in moved else None

    seen = replace(_get_coatl(reading, coatl), pieces=pieces, joint_confidence=1.0)
    return _replace_coatl(reading, coatl, seen, relocate)


def _replace_coatl(
    reading: PhotoReading,
    coatl: int,
    seen: SeenCoatl,
    relocate: Callable[[ReadingProblem], ProblemPlace | None],
) -> PhotoReading:
    """Replace a Cóatl; `relocate` gives the new place of its problems, None if they are gone.

    Raises CorrectionError if the new pieces make no Cóatl.
    """
    index = coatl - 1
    wrong = find_shape_fault(seen.pieces)
    if wrong and not find_shape_fault(reading.coatls[index].pieces):
        raise CorrectionError(wrong, coatl=coatl, most=MAX_PIECES)

    def others(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        return relocate(problem) if problem.coatl == index else (problem.coatl, problem.piece)

    coatls = _replace_at(reading.coatls, index, seen)
    return _relocate_problems(replace(reading, coatls=coatls), others, {index})


def _relocate_problems(
    reading: PhotoReading, place: Callable[[ReadingProblem], ProblemPlace | None], touched: set[int]
) -> PhotoReading:
    """Move the problems of Cóatls; a touched Cóatl without problems becomes sure."""
    problems: list[ReadingProblem] = []
    for problem in reading.problems:
        spot = (None, None) if problem.coatl is None else place(problem)
        if spot is not None:
            problems.append(replace(problem, coatl=spot[0], piece=spot[1]))
    doubtful = {problem.coatl for problem in problems if problem.serious}
    coatls = list(reading.coatls)
    for index in touched:
        sure = index not in doubtful and not find_shape_fault(coatls[index].pieces)
        coatls[index] = replace(coatls[index], sure=sure)
    return replace(reading, coatls=tuple(coatls), problems=tuple(problems))


def _drop_settled_problems(reading: PhotoReading) -> PhotoReading:
    """Drop the general problems once a person has corrected everything."""
    everything = all(card.corrected for card in reading.cards) and all(
        piece.corrected for seen in reading.coatls for piece in seen.pieces
    )
    if not (reading.coatls and everything):
        return reading
    left = tuple(p for p in reading.problems if p.coatl is not None or not p.serious)
    return replace(reading, problems=left)


def _replace_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Make a tuple with another value at one index."""
    return (*values[:index], value, *values[index + 1 :])
