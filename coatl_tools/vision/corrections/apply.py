"""Apply corrections to a reading: what a person said is sure, the rest stays as it was.

A problem vanishes with what it is about: one of a piece when the piece is corrected, one of a
Cóatl when its pieces are counted anew or all of it is confirmed, one of the direction when an end
is corrected. What is about nothing in particular stays until everything is corrected, or `ok`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import MAX_PIECES, Coatl, PieceKind
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
    SplitCoatl,
)
from coatl_tools.vision.corrections.targets import (
    Pieces,
    align_pieces,
    confirm_piece,
    find_mean_centre,
    find_shape_fault,
    get_card,
    get_coatl,
    get_coatl_with_piece,
    make_corrected_piece,
    replace_at,
)
from coatl_tools.vision.reading import (
    DIRECTION_PROBLEM,
    PhotoReading,
    ReadingProblem,
    SeenCard,
    SeenCoatl,
)


def set_card(reading: PhotoReading, said: SetCard, catalog: Catalog) -> PhotoReading:
    """Which card it is, and where it lies; a person who says one has looked at both.

    CorrectionError if other cards are that one, as often as it is in the game. Of cards that
    were read as the same one, each may be right until a person has said so of another.
    """
    seen, index = get_card(reading, said.card), said.card - 1
    coatl = seen.coatl
    if said.coatl is not None:
        get_coatl(reading, said.coatl)
        coatl = said.coatl - 1
    card_id = said.id or seen.id
    if card_id is None:
        return replace(reading, cards=replace_at(reading.cards, index, replace(seen, coatl=coatl)))
    there = [
        number
        for number, one in enumerate(reading.cards, start=1)
        if number != said.card and one.id == card_id and (one.corrected or card_id != seen.id)
    ]
    _check_copies(card_id, there, catalog)
    card = replace(
        seen,
        id=card_id,
        confidence=1.0,
        candidates=(),
        coatl=coatl,
        sure=True,
        corrected=True,
    )
    problems = tuple(problem for problem in reading.problems if problem.card != index)
    return replace(reading, cards=replace_at(reading.cards, index, card), problems=problems)


def remove_card(reading: PhotoReading, number: int) -> PhotoReading:
    """There is no such card."""
    get_card(reading, number)
    problems = []
    for problem in reading.problems:
        if problem.card is None or problem.card < number - 1:
            problems.append(problem)
        elif problem.card >= number:
            problems.append(replace(problem, card=problem.card - 1))
    cards = (*reading.cards[: number - 1], *reading.cards[number:])
    return replace(reading, cards=cards, problems=tuple(problems))


def add_card(
    reading: PhotoReading, card_id: str, coatl: int | None, catalog: Catalog
) -> PhotoReading:
    """A card that was not seen; CorrectionError if it was, as often as it is in the game."""
    there = [number for number, one in enumerate(reading.cards, start=1) if one.id == card_id]
    _check_copies(card_id, there, catalog)
    if coatl is not None:
        get_coatl(reading, coatl)
    elif len(reading.coatls) > 1:
        raise CorrectionError("fix.which_coatl", id=card_id, n=len(reading.coatls))
    else:
        coatl = 1 if reading.coatls else None
    index = None if coatl is None else coatl - 1
    card = SeenCard(card_id, 1.0, (), coatl=index, sure=True, corrected=True)
    return replace(reading, cards=(*reading.cards, card))


def _check_copies(card_id: str, there: Sequence[int], catalog: Catalog) -> None:
    """Raise CorrectionError if these cards are all that the game has of this one."""
    copies = catalog[card_id].copies
    if len(there) >= copies:
        known = [f"c{number}" for number in there]
        raise CorrectionError(
            "fix.card_there", id=card_id, there=", ".join(known), first=known[0], n=copies
        )


ProblemPlace: TypeAlias = tuple[int, int | None]  # a Cóatl, and a piece of it or all of it
_REVERSED_KINDS = {
    PieceKind.HEAD: PieceKind.TAIL,
    PieceKind.BODY: PieceKind.BODY,
    PieceKind.TAIL: PieceKind.HEAD,
}


def apply_corrections(
    reading: PhotoReading, catalog: Catalog, *corrections: Correction
) -> PhotoReading:
    """The reading with these corrections, one after the other; raises CorrectionError.

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
            seen = get_coatl(reading, coatl)
            known = SeenCoatl(align_pieces(seen.pieces, shape), 1.0, 1.0)
            return _replace_coatl(reading, coatl, known, lambda _: None)
        case ReverseCoatl(coatl):
            return _reverse_coatl(reading, coatl)
        case SplitCoatl(coatl, behind):
            return _split_coatl(reading, coatl, behind)
        case JoinCoatls(first, second):
            return _join_coatls(reading, first, second)
        case RemoveCoatl(coatl):
            get_coatl(reading, coatl)
            return _remove_coatl(reading, coatl - 1)
        case AddCoatl(shape):
            return _add_coatl(reading, shape)
        case SetCard():
            return set_card(reading, correction, catalog)
        case RemoveCard(card):
            return remove_card(reading, card)
        case AddCard(card_id, coatl):
            return add_card(reading, card_id, coatl, catalog)
        case Confirm():
            return _confirm_reading(reading, correction, catalog)


# Pieces.


def _set_piece(reading: PhotoReading, said: SetPiece) -> PhotoReading:
    seen = get_coatl_with_piece(reading, said.coatl, said.piece)
    last = len(seen.pieces)
    wrong_end = {PieceKind.HEAD: last, PieceKind.TAIL: 1}.get(said.kind) if said.kind else None
    if said.piece == wrong_end and last > 1:  # a head at the tail end: it lies the other way
        reading = _reverse_coatl(reading, said.coatl)
        said = replace(said, piece=last + 1 - said.piece)
        seen = reading.coatls[said.coatl - 1]
    place, before = said.piece - 1, seen.pieces[said.piece - 1]
    colour = before.colour if said.colour is None else said.colour
    kind = said.kind or before.kind
    pieces = replace_at(seen.pieces, place, make_corrected_piece(colour, kind, before))
    known = replace(seen, pieces=pieces)
    ended = said.kind in (PieceKind.HEAD, PieceKind.TAIL)
    if ended:
        known = replace(known, facing_confidence=1.0)

    def kept(problem: ReadingProblem) -> ProblemPlace | None:
        gone = problem.piece == place or (ended and problem.code == DIRECTION_PROBLEM)
        return None if gone else (said.coatl - 1, problem.piece)

    return _replace_coatl(reading, said.coatl, known, kept)


def _remove_piece(reading: PhotoReading, coatl: int, piece: int) -> PhotoReading:
    seen = get_coatl_with_piece(reading, coatl, piece)
    if len(seen.pieces) == 1:
        raise CorrectionError("fix.only_piece", coatl=coatl)
    pieces = (*seen.pieces[: piece - 1], *seen.pieces[piece:])
    moved = {old: old - (old >= piece) for old in range(len(seen.pieces)) if old != piece - 1}
    return _replace_pieces(reading, coatl, pieces, moved)


def _add_piece(reading: PhotoReading, said: AddPiece) -> PhotoReading:
    seen = get_coatl(reading, said.coatl)
    behind = len(seen.pieces) if said.behind is None else said.behind
    get_coatl_with_piece(reading, said.coatl, behind, least=0)
    near = seen.pieces[max(0, behind - 1) : behind + 1]
    piece = make_corrected_piece(said.colour, said.kind, centre=find_mean_centre(near))
    pieces = (*seen.pieces[:behind], piece, *seen.pieces[behind:])
    moved = {old: old + (old >= behind) for old in range(len(seen.pieces))}
    return _replace_pieces(reading, said.coatl, pieces, moved)


# Cóatls.


def _reverse_coatl(reading: PhotoReading, coatl: int) -> PhotoReading:
    """The other way round: what was taken for the head is the tail."""
    seen = get_coatl(reading, coatl)
    last = len(seen.pieces) - 1
    pieces = tuple(
        replace(
            piece, kinds={_REVERSED_KINDS[kind]: chance for kind, chance in piece.kinds.items()}
        )
        for piece in reversed(seen.pieces)
    )

    def kept(problem: ReadingProblem) -> ProblemPlace | None:
        if problem.code == DIRECTION_PROBLEM:
            return None
        return coatl - 1, None if problem.piece is None else last - problem.piece

    return _replace_coatl(reading, coatl, replace(seen, pieces=pieces, facing_confidence=1.0), kept)


def _split_coatl(reading: PhotoReading, coatl: int, behind: int) -> PhotoReading:
    seen = get_coatl_with_piece(reading, coatl, behind)
    if behind == len(seen.pieces):
        raise CorrectionError("fix.split_end", coatl=coatl, number=behind)
    parts = [replace(seen, joint_confidence=1.0, pieces=seen.pieces[:behind])]
    parts.append(replace(seen, joint_confidence=1.0, pieces=seen.pieces[behind:]))
    index = coatl - 1
    cards = tuple(_move_card(card, lambda old: old + (old > index)) for card in reading.cards)
    coatls = (*reading.coatls[:index], *parts, *reading.coatls[index + 1 :])

    def kept(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        if problem.coatl != index:
            return problem.coatl + (problem.coatl > index), problem.piece
        if problem.piece is None:  # it was about where the Cóatl ends, but for the direction
            return (index, None) if problem.code == DIRECTION_PROBLEM else None
        later = problem.piece >= behind
        return index + later, problem.piece - later * behind

    return _relocate_problems(
        replace(reading, coatls=coatls, cards=cards), kept, {index, index + 1}
    )


def _join_coatls(reading: PhotoReading, first: int, second: int) -> PhotoReading:
    one, other = get_coatl(reading, first), get_coatl(reading, second)
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

    def kept(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        if problem.coatl not in (first - 1, gone):
            return problem.coatl, problem.piece
        if problem.piece is None:
            known = (
                problem.code != DIRECTION_PROBLEM
                or facing > one.facing_confidence
                or problem.coatl == gone
            )
            return None if known else (first - 1, None)
        return first - 1, problem.piece + (len(one.pieces) if problem.coatl == gone else 0)

    coatls = replace_at(reading.coatls, first - 1, shape)
    joined = _relocate_problems(replace(reading, coatls=coatls, cards=cards), kept, {first - 1})
    return _remove_coatl(joined, gone)


def _remove_coatl(reading: PhotoReading, index: int) -> PhotoReading:
    def moved(old: int) -> int | None:
        return None if old == index else old - (old > index)

    def kept(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        found = moved(problem.coatl)
        return None if found is None else (found, problem.piece)

    coatls = (*reading.coatls[:index], *reading.coatls[index + 1 :])
    cards = tuple(_move_card(card, moved) for card in reading.cards)
    return _relocate_problems(replace(reading, coatls=coatls, cards=cards), kept, set())


def _add_coatl(reading: PhotoReading, shape: Coatl) -> PhotoReading:
    seen = SeenCoatl(align_pieces((), shape), 1.0, 1.0, sure=True)
    problems = reading.problems
    if not reading.coatls:  # that none was found has been dealt with
        problems = tuple(problem for problem in problems if problem.card is not None)
    return replace(reading, coatls=(*reading.coatls, seen), problems=problems)


# Right as it was read.


def _confirm_reading(reading: PhotoReading, said: Confirm, catalog: Catalog) -> PhotoReading:
    if said.card is not None:
        if get_card(reading, said.card).id is None:
            raise CorrectionError("fix.unread_card", number=said.card)
        return set_card(reading, SetCard(said.card), catalog)
    if said.coatl is None:
        for number in range(1, len(reading.coatls) + 1):
            reading = _confirm_reading(reading, Confirm(number), catalog)
        for number in range(1, len(reading.cards) + 1):
            reading = _confirm_reading(reading, Confirm(card=number), catalog)
        return replace(reading, problems=tuple(p for p in reading.problems if not p.serious))
    if said.piece is not None:
        seen = get_coatl_with_piece(reading, said.coatl, said.piece)
        piece = seen.pieces[said.piece - 1]
        return _set_piece(reading, SetPiece(said.coatl, said.piece, piece.colour))
    seen = get_coatl(reading, said.coatl)
    if wrong := find_shape_fault(seen.pieces):
        raise CorrectionError(wrong, coatl=said.coatl, most=MAX_PIECES)
    pieces = tuple(map(confirm_piece, seen.pieces))
    return _replace_coatl(reading, said.coatl, SeenCoatl(pieces, 1.0, 1.0), lambda _: None)


# Putting together.


def _move_card(card: SeenCard, moved: Callable[[int], int | None]) -> SeenCard:
    return card if card.coatl is None else replace(card, coatl=moved(card.coatl))


def _replace_pieces(
    reading: PhotoReading, coatl: int, pieces: Pieces, moved: Mapping[int, int]
) -> PhotoReading:
    """A Cóatl whose pieces were counted anew, with where its old pieces are now."""

    def kept(problem: ReadingProblem) -> ProblemPlace | None:
        if problem.piece is None:
            return (coatl - 1, None) if problem.code == DIRECTION_PROBLEM else None
        return (coatl - 1, moved[problem.piece]) if problem.piece in moved else None

    seen = replace(get_coatl(reading, coatl), pieces=pieces, joint_confidence=1.0)
    return _replace_coatl(reading, coatl, seen, kept)


def _replace_coatl(
    reading: PhotoReading,
    coatl: int,
    seen: SeenCoatl,
    kept: Callable[[ReadingProblem], ProblemPlace | None],
) -> PhotoReading:
    """One Cóatl is another one; `kept` says where its problems are now, or that they are gone.

    Raises CorrectionError if that is no Cóatl any more.
    """
    index = coatl - 1
    wrong = find_shape_fault(seen.pieces)
    if wrong and not find_shape_fault(reading.coatls[index].pieces):
        raise CorrectionError(wrong, coatl=coatl, most=MAX_PIECES)

    def others(problem: ReadingProblem) -> ProblemPlace | None:
        assert problem.coatl is not None
        return kept(problem) if problem.coatl == index else (problem.coatl, problem.piece)

    coatls = replace_at(reading.coatls, index, seen)
    return _relocate_problems(replace(reading, coatls=coatls), others, {index})


def _relocate_problems(
    reading: PhotoReading, place: Callable[[ReadingProblem], ProblemPlace | None], touched: set[int]
) -> PhotoReading:
    """Problems of Cóatls where they are now; a Cóatl that was touched is sure without them."""
    problems: list[ReadingProblem] = []
    for problem in reading.problems:
        spot = (None, None) if problem.coatl is None else place(problem)
        if spot is not None:
            problems.append(replace(problem, coatl=spot[0], piece=spot[1]))
    doubtful = {problem.coatl for problem in problems if problem.serious}
    coatls = tuple(
        replace(seen, sure=index not in doubtful and not find_shape_fault(seen.pieces))
        if index in touched
        else seen
        for index, seen in enumerate(reading.coatls)
    )
    return replace(reading, coatls=coatls, problems=tuple(problems))


def _drop_settled_problems(reading: PhotoReading) -> PhotoReading:
    """Where a person has said everything, nothing is left that is not sure."""
    everything = all(card.corrected for card in reading.cards) and all(
        piece.corrected for seen in reading.coatls for piece in seen.pieces
    )
    if not (reading.coatls and everything):
        return reading
    left = tuple(p for p in reading.problems if p.coatl is not None or not p.serious)
    return replace(reading, problems=left)
