"""A reading after a person has corrected it: what they said is sure, the rest as it was.

A problem vanishes with what it is about: one of a piece when the piece is said, one of a Cóatl
when its pieces are counted anew or all of it is said, one of the direction when an end is said.
What is about nothing in particular stays until everything has been said, or `ok`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import MAX_PIECES, Coatl, Kind
from coatl_tools.vision.corrected_cards import card_is, card_missed, without_card
from coatl_tools.vision.corrections import (
    CardIs,
    CardMissed,
    CoatlIs,
    CoatlMissed,
    Correction,
    Joined,
    NoCard,
    NoCoatl,
    NoPiece,
    PieceIs,
    PieceMissed,
    Reversed,
    Right,
    Split,
)
from coatl_tools.vision.reading import DIRECTION, Problem, Reading, SeenCard, SeenCoatl
from coatl_tools.vision.said import (
    Pieces,
    aligned,
    between,
    card_of,
    coatl_of,
    confirmed,
    fault,
    put,
    said_piece,
    with_piece,
)

Spot: TypeAlias = tuple[int, int | None]  # a Cóatl, and a piece of it or all of it
_TURNED = {Kind.HEAD: Kind.TAIL, Kind.BODY: Kind.BODY, Kind.TAIL: Kind.HEAD}


def corrected(reading: Reading, catalog: Catalog, *corrections: Correction) -> Reading:
    """The reading with these corrections, one after the other; raises CorrectionError.

    The catalog says how often each card is in the game.
    """
    for correction in corrections:
        reading = _settled(_once(reading, catalog, correction))
    return reading


def _once(reading: Reading, catalog: Catalog, correction: Correction) -> Reading:
    match correction:
        case PieceIs():
            return _piece_is(reading, correction)
        case NoPiece(coatl, piece):
            return _no_piece(reading, coatl, piece)
        case PieceMissed():
            return _piece_missed(reading, correction)
        case CoatlIs(coatl, shape):
            seen = coatl_of(reading, coatl)
            known = SeenCoatl(aligned(seen.pieces, shape), 1.0, 1.0)
            return _changed(reading, coatl, known, lambda _: None)
        case Reversed(coatl):
            return _turned(reading, coatl)
        case Split(coatl, behind):
            return _split(reading, coatl, behind)
        case Joined(first, second):
            return _joined(reading, first, second)
        case NoCoatl(coatl):
            coatl_of(reading, coatl)
            return _without_coatl(reading, coatl - 1)
        case CoatlMissed(shape):
            return _coatl_missed(reading, shape)
        case CardIs():
            return card_is(reading, correction, catalog)
        case NoCard(card):
            return without_card(reading, card)
        case CardMissed(card_id, coatl):
            return card_missed(reading, card_id, coatl, catalog)
        case Right():
            return _right(reading, correction, catalog)


# Pieces.


def _piece_is(reading: Reading, said: PieceIs) -> Reading:
    seen = with_piece(reading, said.coatl, said.piece)
    last = len(seen.pieces)
    wrong_end = {Kind.HEAD: last, Kind.TAIL: 1}.get(said.kind) if said.kind else None
    if said.piece == wrong_end and last > 1:  # a head at the tail end: it lies the other way
        reading = _turned(reading, said.coatl)
        said = replace(said, piece=last + 1 - said.piece)
        seen = reading.coatls[said.coatl - 1]
    place, before = said.piece - 1, seen.pieces[said.piece - 1]
    colour = before.colour if said.colour is None else said.colour
    kind = said.kind or before.kind
    pieces = put(seen.pieces, place, said_piece(colour, kind, before))
    known = replace(seen, pieces=pieces)
    ended = said.kind in (Kind.HEAD, Kind.TAIL)
    if ended:
        known = replace(known, facing=1.0)

    def kept(problem: Problem) -> Spot | None:
        gone = problem.piece == place or (ended and problem.code == DIRECTION)
        return None if gone else (said.coatl - 1, problem.piece)

    return _changed(reading, said.coatl, known, kept)


def _no_piece(reading: Reading, coatl: int, piece: int) -> Reading:
    seen = with_piece(reading, coatl, piece)
    if len(seen.pieces) == 1:
        raise CorrectionError("fix.only_piece", coatl=coatl)
    pieces = (*seen.pieces[: piece - 1], *seen.pieces[piece:])
    moved = {old: old - (old >= piece) for old in range(len(seen.pieces)) if old != piece - 1}
    return _counted(reading, coatl, pieces, moved)


def _piece_missed(reading: Reading, said: PieceMissed) -> Reading:
    seen = coatl_of(reading, said.coatl)
    behind = len(seen.pieces) if said.behind is None else said.behind
    with_piece(reading, said.coatl, behind, least=0)
    near = seen.pieces[max(0, behind - 1) : behind + 1]
    piece = said_piece(said.colour, said.kind, centre=between(near))
    pieces = (*seen.pieces[:behind], piece, *seen.pieces[behind:])
    moved = {old: old + (old >= behind) for old in range(len(seen.pieces))}
    return _counted(reading, said.coatl, pieces, moved)


# Cóatls.


def _turned(reading: Reading, coatl: int) -> Reading:
    """The other way round: what was taken for the head is the tail."""
    seen = coatl_of(reading, coatl)
    last = len(seen.pieces) - 1
    pieces = tuple(
        replace(piece, kinds={_TURNED[kind]: chance for kind, chance in piece.kinds.items()})
        for piece in reversed(seen.pieces)
    )

    def kept(problem: Problem) -> Spot | None:
        if problem.code == DIRECTION:
            return None
        return coatl - 1, None if problem.piece is None else last - problem.piece

    return _changed(reading, coatl, replace(seen, pieces=pieces, facing=1.0), kept)


def _split(reading: Reading, coatl: int, behind: int) -> Reading:
    seen = with_piece(reading, coatl, behind)
    if behind == len(seen.pieces):
        raise CorrectionError("fix.split_end", coatl=coatl, number=behind)
    parts = [replace(seen, joined=1.0, pieces=seen.pieces[:behind])]
    parts.append(replace(seen, joined=1.0, pieces=seen.pieces[behind:]))
    index = coatl - 1
    cards = tuple(_moved_card(card, lambda old: old + (old > index)) for card in reading.cards)
    coatls = (*reading.coatls[:index], *parts, *reading.coatls[index + 1 :])

    def kept(problem: Problem) -> Spot | None:
        assert problem.coatl is not None
        if problem.coatl != index:
            return problem.coatl + (problem.coatl > index), problem.piece
        if problem.piece is None:  # it was about where the Cóatl ends, but for the direction
            return (index, None) if problem.code == DIRECTION else None
        later = problem.piece >= behind
        return index + later, problem.piece - later * behind

    return _with(replace(reading, coatls=coatls, cards=cards), kept, {index, index + 1})


def _joined(reading: Reading, first: int, second: int) -> Reading:
    one, other = coatl_of(reading, first), coatl_of(reading, second)
    if first == second:
        raise CorrectionError("fix.join_itself", coatl=first)
    pieces = one.pieces + other.pieces
    if one.pieces[-1].kind is Kind.TAIL or other.pieces[0].kind is Kind.HEAD or fault(pieces):
        raise CorrectionError("fix.join_ends", first=first, second=second)
    facing = max(one.facing, other.facing)
    gone = second - 1
    cards = tuple(
        replace(card, coatl=first - 1) if card.coatl == gone else card for card in reading.cards
    )
    shape = replace(one, pieces=pieces, joined=1.0, facing=facing)

    def kept(problem: Problem) -> Spot | None:
        assert problem.coatl is not None
        if problem.coatl not in (first - 1, gone):
            return problem.coatl, problem.piece
        if problem.piece is None:
            known = problem.code != DIRECTION or facing > one.facing or problem.coatl == gone
            return None if known else (first - 1, None)
        return first - 1, problem.piece + (len(one.pieces) if problem.coatl == gone else 0)

    coatls = put(reading.coatls, first - 1, shape)
    joined = _with(replace(reading, coatls=coatls, cards=cards), kept, {first - 1})
    return _without_coatl(joined, gone)


def _without_coatl(reading: Reading, index: int) -> Reading:
    def moved(old: int) -> int | None:
        return None if old == index else old - (old > index)

    def kept(problem: Problem) -> Spot | None:
        assert problem.coatl is not None
        found = moved(problem.coatl)
        return None if found is None else (found, problem.piece)

    coatls = (*reading.coatls[:index], *reading.coatls[index + 1 :])
    cards = tuple(_moved_card(card, moved) for card in reading.cards)
    return _with(replace(reading, coatls=coatls, cards=cards), kept, set())


def _coatl_missed(reading: Reading, shape: Coatl) -> Reading:
    seen = SeenCoatl(aligned((), shape), 1.0, 1.0, sure=True)
    problems = reading.problems
    if not reading.coatls:  # that none was found has been dealt with
        problems = tuple(problem for problem in problems if problem.card is not None)
    return replace(reading, coatls=(*reading.coatls, seen), problems=problems)


# Right as it was read.


def _right(reading: Reading, said: Right, catalog: Catalog) -> Reading:
    if said.card is not None:
        if card_of(reading, said.card).id is None:
            raise CorrectionError("fix.unread_card", number=said.card)
        return card_is(reading, CardIs(said.card), catalog)
    if said.coatl is None:
        for number in range(1, len(reading.coatls) + 1):
            reading = _right(reading, Right(number), catalog)
        for number in range(1, len(reading.cards) + 1):
            reading = _right(reading, Right(card=number), catalog)
        return replace(reading, problems=tuple(p for p in reading.problems if not p.grave))
    if said.piece is not None:
        seen = with_piece(reading, said.coatl, said.piece)
        piece = seen.pieces[said.piece - 1]
        return _piece_is(reading, PieceIs(said.coatl, said.piece, piece.colour))
    seen = coatl_of(reading, said.coatl)
    if wrong := fault(seen.pieces):
        raise CorrectionError(wrong, coatl=said.coatl, most=MAX_PIECES)
    pieces = tuple(map(confirmed, seen.pieces))
    return _changed(reading, said.coatl, SeenCoatl(pieces, 1.0, 1.0), lambda _: None)


# Putting together.


def _moved_card(card: SeenCard, moved: Callable[[int], int | None]) -> SeenCard:
    return card if card.coatl is None else replace(card, coatl=moved(card.coatl))


def _counted(reading: Reading, coatl: int, pieces: Pieces, moved: Mapping[int, int]) -> Reading:
    """A Cóatl whose pieces were counted anew, with where its old pieces are now."""

    def kept(problem: Problem) -> Spot | None:
        if problem.piece is None:
            return (coatl - 1, None) if problem.code == DIRECTION else None
        return (coatl - 1, moved[problem.piece]) if problem.piece in moved else None

    seen = replace(coatl_of(reading, coatl), pieces=pieces, joined=1.0)
    return _changed(reading, coatl, seen, kept)


def _changed(
    reading: Reading, coatl: int, seen: SeenCoatl, kept: Callable[[Problem], Spot | None]
) -> Reading:
    """One Cóatl is another one; `kept` says where its problems are now, or that they are gone.

    Raises CorrectionError if that is no Cóatl any more.
    """
    index = coatl - 1
    wrong = fault(seen.pieces)
    if wrong and not fault(reading.coatls[index].pieces):
        raise CorrectionError(wrong, coatl=coatl, most=MAX_PIECES)

    def others(problem: Problem) -> Spot | None:
        assert problem.coatl is not None
        return kept(problem) if problem.coatl == index else (problem.coatl, problem.piece)

    coatls = put(reading.coatls, index, seen)
    return _with(replace(reading, coatls=coatls), others, {index})


def _with(reading: Reading, place: Callable[[Problem], Spot | None], touched: set[int]) -> Reading:
    """Problems of Cóatls where they are now; a Cóatl that was touched is sure without them."""
    problems: list[Problem] = []
    for problem in reading.problems:
        spot = (None, None) if problem.coatl is None else place(problem)
        if spot is not None:
            problems.append(replace(problem, coatl=spot[0], piece=spot[1]))
    doubtful = {problem.coatl for problem in problems if problem.grave}
    coatls = tuple(
        replace(seen, sure=index not in doubtful and not fault(seen.pieces))
        if index in touched
        else seen
        for index, seen in enumerate(reading.coatls)
    )
    return replace(reading, coatls=coatls, problems=tuple(problems))


def _settled(reading: Reading) -> Reading:
    """Where a person has said everything, nothing is left that is not sure."""
    everything = all(card.corrected for card in reading.cards) and all(
        piece.corrected for seen in reading.coatls for piece in seen.pieces
    )
    if not (reading.coatls and everything):
        return reading
    left = tuple(p for p in reading.problems if p.coatl is not None or not p.grave)
    return replace(reading, problems=left)
