"""Join the readings of several photos of one table into one, in the place of the first photo.

The same Cóatl or card seen twice is one. What one photo is sure of settles the doubt of the other;
if both are sure of different things, that is a problem. What a person said of the first photo
counts more than what another one shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import dist
from typing import TypeAlias, TypeVar

import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.components.components_file import load_components
from coatl_tools.errors import Phrase
from coatl_tools.vision.homography import Points, map_points
from coatl_tools.vision.joining.photo_alignment import PhotoAlignment, align_photos
from coatl_tools.vision.problems import find_covered_pieces, find_too_many_pieces
from coatl_tools.vision.reading import (
    Outline,
    PhotoReading,
    Point,
    ReadingProblem,
    SeenCard,
    SeenCoatl,
    SeenPiece,
)
from coatl_tools.vision.table_players import assign_players

FILE_SEPARATOR = " + "
MAX_SAME_PITCHES = 0.6  # between two views of one loose piece
# Problems of the whole table: found again when it is joined.
_COUNTED = ("too_many", "covered_piece", "card_twice")
_OF_PLACE = ("card_apart", "card_between")  # problems of where a card lies, not of what it is

Problems: TypeAlias = tuple[ReadingProblem, ...]
T = TypeVar("T", SeenCoatl, SeenCard)


def join_readings(readings: Sequence[PhotoReading], catalog: Catalog) -> PhotoReading:
    """Join the readings of photos of one table; places are those in the first photo.

    A photo that cannot be matched with those before it is a problem of the joined reading.
    """
    joined = reduce(_join_two, readings)
    problems = (
        *(problem for problem in joined.problems if problem.code not in _COUNTED),
        *find_too_many_pieces(joined.coatls, load_components().pieces),
        *find_covered_pieces(joined.loose_pieces),
        *_find_cards_twice(joined.cards, catalog),
    )
    return assign_players(_sort_coatls(replace(joined, problems=problems)))


def _join_two(first: PhotoReading, second: PhotoReading) -> PhotoReading:
    """Join two readings; things of the second one that the first one lacks come last."""
    alignment = align_photos(second, first)
    unmatched: Problems = ()
    if alignment is None:
        alignment = PhotoAlignment(np.eye(3), {}, {})
        moved = _move_places(second, None)
        phrase: Phrase = ("photo.unmatched", {"file": second.file})
        unmatched = (ReadingProblem("unmatched", phrase, "photo.advice_overlap"),)
    else:
        moved = _move_places(second, alignment.to_other)
    coatl_places = _number_things(len(first.coatls), len(second.coatls), alignment.coatls)
    card_places = _number_things(len(first.cards), len(second.cards), alignment.cards)
    moved = _renumber(moved, coatl_places, card_places)
    coatls, about_coatls = _merge_things(
        first.coatls, moved.coatls, coatl_places,
        _sort_problems(first, "coatl"), _sort_problems(moved, "coatl"), _merge_coatls,
    )  # fmt: skip
    cards, about_cards = _merge_things(
        first.cards, moved.cards, card_places,
        _sort_problems(first, "card"), _sort_problems(moved, "card"), _merge_cards,
    )  # fmt: skip
    general = [p for p in (*first.problems, *moved.problems) if p.coatl is None and p.card is None]
    if coatls:
        general = [problem for problem in general if problem.code != "no_coatl"]
    problems = {repr(problem): problem for problem in general}  # told once
    return PhotoReading(
        first.file + FILE_SEPARATOR + second.file,
        first.size,
        coatls,
        _join_loose_pieces(first, moved, coatls),
        cards,
        (*problems.values(), *unmatched, *about_coatls, *about_cards),
        first.has_mat or second.has_mat,
    )


def _number_things(before: int, count: int, same: Mapping[int, int]) -> dict[int, int]:
    """Give the things of the second photo the numbers of the first one, or further ones."""
    places = dict(same)
    for index in range(count):
        if index not in places:
            places[index] = before + len(places) - len(same)
    return places


def _sort_problems(reading: PhotoReading, what: str) -> dict[int, Problems]:
    """Sort the problems of Cóatls, or of cards, by the index of what they are about."""
    found: dict[int, Problems] = {}
    for problem in reading.problems:
        index = getattr(problem, what)
        if index is not None and (what == "card" or problem.card is None):
            found[index] = (*found.get(index, ()), problem)
    return found


def _merge_things(
    first: Sequence[T],
    second: Sequence[T],
    places: Mapping[int, int],
    own: Mapping[int, Problems],
    theirs: Mapping[int, Problems],
    merge: Callable[[int, T, T, Problems, Problems], tuple[T, Problems]],
) -> tuple[tuple[T, ...], list[ReadingProblem]]:
    """Merge the things that are the same, and put the others behind; also their problems."""
    things, problems = list(first), {index: own.get(index, ()) for index in range(len(first))}
    for index in sorted(places, key=places.__getitem__):
        place, seen = places[index], second[index]
        if place < len(first):
            about = problems[place], theirs.get(place, ())
            things[place], problems[place] = merge(place, things[place], seen, *about)
        else:
            things.append(seen)
            problems[place] = theirs.get(place, ())
    return tuple(things), [problem for found in problems.values() for problem in found]


# The same thing in two photos.


def _merge_coatls(
    index: int, one: SeenCoatl, other: SeenCoatl, own: Problems, theirs: Problems
) -> tuple[SeenCoatl, Problems]:
    """Merge two views of a Cóatl; whose it is stays as a person said it."""
    merged, problems = _merge_shapes(index, one, other, own, theirs)
    if one.player_corrected:
        merged = replace(merged, player=one.player, player_corrected=True)
    return merged, problems


def _merge_shapes(
    index: int, one: SeenCoatl, other: SeenCoatl, own: Problems, theirs: Problems
) -> tuple[SeenCoatl, Problems]:
    if one.sure and any(piece.corrected for piece in one.pieces):
        return one, own
    if one.sure and other.sure and not _is_same(one, other):
        details: dict[str, object] = {"coatl": index + 1}
        details |= {"one": one.notation, "other": other.notation}
        phrase: Phrase = ("photo.contradiction", details)
        problem = ReadingProblem("contradiction", phrase, "photo.advice_above", index)
        return replace(one, sure=False), (*own, problem)
    if one.sure or other.sure:
        if one.sure and (not other.sure or one.confidence >= other.confidence):
            return one, own
        return other, theirs
    if len(one.pieces) != len(other.pieces):
        return (one, own) if one.confidence >= other.confidence else (other, theirs)
    return _merge_pieces(one, other, own, theirs)


def _is_same(one: SeenCoatl, other: SeenCoatl) -> bool:
    if one.notation == other.notation:
        return True
    if one.is_orientation_known and other.is_orientation_known:
        return False
    turned = [(piece.colour, piece.kind) for piece in reversed(other.pieces)]
    return [(piece.colour, piece.kind) for piece in one.pieces] == turned


def _merge_pieces(
    one: SeenCoatl, other: SeenCoatl, own: Problems, theirs: Problems
) -> tuple[SeenCoatl, Problems]:
    """Merge two doubtful views of as many pieces: of each piece, the one that is surer.

    A doubt about the whole is settled if the other view has none of that kind.
    """
    if dist(one.pieces[0].centre, other.pieces[0].centre) > dist(
        one.pieces[0].centre, other.pieces[-1].centre
    ):  # they were read from different ends
        return (one, own) if one.confidence >= other.confidence else (other, theirs)
    pieces, problems = [], list[ReadingProblem]()
    for place, (mine, yours) in enumerate(zip(one.pieces, other.pieces, strict=True)):
        better = mine.confidence >= yours.confidence
        pieces.append(mine if better else yours)
        problems += [problem for problem in (own if better else theirs) if problem.piece == place]
    codes = {problem.code for problem in theirs if problem.piece is None}
    problems += [p for p in own if p.piece is None and (p.code in codes or not p.serious)]
    merged = replace(
        one,
        pieces=tuple(pieces),
        joint_confidence=max(one.joint_confidence, other.joint_confidence),
        facing_confidence=max(one.facing_confidence, other.facing_confidence),
        sure=not any(problem.serious for problem in problems),
    )
    return merged, tuple(problems)


def _merge_cards(
    index: int, one: SeenCard, other: SeenCard, own: Problems, theirs: Problems
) -> tuple[SeenCard, Problems]:
    """Merge two views of a card: which one it is, and at which Cóatl it lies."""
    mine = [problem for problem in own if problem.code not in _OF_PLACE]
    yours = [problem for problem in theirs if problem.code not in _OF_PLACE]
    if one.corrected:
        card, about = one, mine
    elif one.sure and other.sure and one.id != other.id:
        phrase: Phrase = ("photo.card_contradiction", {"one": one.id, "other": other.id})
        problem = ReadingProblem("contradiction", phrase, "photo.advice_above", card=index)
        card, about = replace(one, sure=False), [*mine, problem]
    elif (one.sure, one.confidence) >= (other.sure, other.confidence):
        card, about = one, mine
    else:
        card, about = other, yours
    places = [_find_sure_place(one, own), _find_sure_place(other, theirs)]
    known = {place for place in places if place is not None}
    if len(known) == 1:
        return replace(card, coatl=known.pop()), tuple(about)
    if len(known) > 1:
        first, second = sorted(known)
        phrase = ("photo.card_between", {"first": first + 1, "second": second + 1})
        about.append(ReadingProblem("card_between", phrase, "photo.move_card", card=index))
        return replace(card, coatl=places[0]), tuple(about)
    of_place = [problem for problem in own if problem.code in _OF_PLACE]
    return replace(card, coatl=one.coatl), (*about, *of_place)


def _find_sure_place(card: SeenCard, problems: Problems) -> int | None:
    """Find the Cóatl of a card if no other one comes into question."""
    return None if any(problem.code in _OF_PLACE for problem in problems) else card.coatl


def _join_loose_pieces(
    first: PhotoReading, second: PhotoReading, coatls: Sequence[SeenCoatl]
) -> tuple[SeenPiece, ...]:
    """Join loose pieces; those that are pieces of a Cóatl in another photo are left out.

    Of two views of a piece, the one that nothing covers stays.
    """
    taken = [(piece.centre, seen.pitch) for seen in coatls for piece in seen.pieces]
    found: list[SeenPiece] = []
    both = (*first.loose_pieces, *second.loose_pieces)
    for piece in sorted(both, key=lambda piece: piece.covered):
        near = taken + [(other.centre, _measure_width(other)) for other in found]
        if not any(dist(piece.centre, spot) < MAX_SAME_PITCHES * reach for spot, reach in near):
            found.append(piece)
    return tuple(found)


def _measure_width(piece: SeenPiece) -> float:
    xs = [x for x, _ in piece.outline] or [0.0]
    return max(xs) - min(xs)


def _find_cards_twice(cards: Sequence[SeenCard], catalog: Catalog) -> Iterator[ReadingProblem]:
    """Find cards that are there more often than the game has copies of them."""
    times = Counter(card.id for card in cards if card.id is not None)
    for index, card in enumerate(cards):
        if card.id is not None and times[card.id] > catalog[card.id].copies:
            copies = catalog[card.id].copies
            phrase: Phrase = (
                "photo.card_twice", {"id": card.id, "n": times[card.id], "copies": copies}
            )  # fmt: skip
            yield ReadingProblem("card_twice", phrase, "photo.check_by_hand", card=index)


# Places and numbers.


def _move_places(reading: PhotoReading, to_other: Points | None) -> PhotoReading:
    """Move everything to where another photo shows it; to nowhere if that is not known."""

    def move_outline(outline: Outline) -> Outline:
        if to_other is None or not outline:
            return ()
        moved = map_points(np.array(outline), to_other)
        return tuple((float(x), float(y)) for x, y in moved)

    def move_piece(piece: SeenPiece) -> SeenPiece:
        centre: Point = (move_outline((piece.centre,)) or (piece.centre,))[0]
        return replace(piece, outline=move_outline(piece.outline), centre=centre)

    return replace(
        reading,
        coatls=tuple(
            replace(seen, pieces=tuple(map(move_piece, seen.pieces))) for seen in reading.coatls
        ),
        loose_pieces=tuple(map(move_piece, reading.loose_pieces)),
        cards=tuple(replace(card, outline=move_outline(card.outline)) for card in reading.cards),
        problems=tuple(
            replace(problem, area=move_outline(problem.area)) for problem in reading.problems
        ),
    )


def _renumber(
    reading: PhotoReading, coatls: Mapping[int, int], cards: Mapping[int, int]
) -> PhotoReading:
    """Give what cards and problems are about other numbers; the things stay in their order."""

    def renumber_problem(problem: ReadingProblem) -> ReadingProblem:
        key, details = problem.phrase
        numbers = ("first", "second") if problem.code == "card_between" else ("coatl",)
        told = {
            name: coatls[value - 1] + 1 if name in numbers and isinstance(value, int) else value
            for name, value in details.items()
        }
        coatl = None if problem.coatl is None else coatls[problem.coatl]
        card = None if problem.card is None else cards[problem.card]
        return replace(problem, phrase=(key, told), coatl=coatl, card=card)

    return replace(
        reading,
        cards=tuple(
            replace(card, coatl=None if card.coatl is None else coatls[card.coatl])
            for card in reading.cards
        ),
        problems=tuple(map(renumber_problem, reading.problems)),
    )


def _sort_coatls(reading: PhotoReading) -> PhotoReading:
    """Sort Cóatls from top to bottom; those whose place is not known come last."""

    def measure_height(index: int) -> tuple[bool, float]:
        pieces = reading.coatls[index].pieces
        lost = not any(piece.outline for piece in pieces)
        return lost, sum(piece.centre[1] for piece in pieces) / len(pieces)

    order = sorted(range(len(reading.coatls)), key=measure_height)
    places = {index: place for place, index in enumerate(order)}
    same = {index: index for index in range(len(reading.cards))}
    numbered = _renumber(reading, places, same)
    return replace(numbered, coatls=tuple(reading.coatls[index] for index in order))
