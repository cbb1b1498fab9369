"""What was read from a photo: pieces, Cóatls, cards and problems as values, as JSON and in words.

Points are pixels of the upright photo, (x, y). This module imports no OpenCV.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise, product
from math import dist, prod
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from coatl_tools.errors import CoatlError, Phrase
from coatl_tools.language import Language
from coatl_tools.notation import format_piece
from coatl_tools.pieces import Coatl, Colour, PieceKind

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]
MIN_KNOWN_FACING = 0.9  # a direction less likely than this is said to be unknown

# The code of a problem that turning the Cóatl round, or not, settles.
DIRECTION_PROBLEM = "direction"


class TableSide(Enum):
    """Where a player sits, as the photo shows it; clockwise, by quarters from the near side."""

    NEAR = 0
    LEFT = 1
    FAR = 2
    RIGHT = 3


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece: what it is taken for, and how likely each colour and kind is (they add to 1)."""

    colours: Mapping[Colour, float]
    kinds: Mapping[PieceKind, float]
    outline: Outline
    centre: Point
    corrected: bool = False  # a person said what it is
    covered: float = 0.0  # of a single piece: that something lies over an end of it

    @property
    def colour(self) -> Colour:
        """The likeliest colour."""
        return max(self.colours, key=lambda colour: self.colours[colour])

    @property
    def kind(self) -> PieceKind:
        """The likeliest kind."""
        return max(self.kinds, key=lambda kind: self.kinds[kind])

    @property
    def confidence(self) -> float:
        """How likely both are right."""
        return self.colours[self.colour] * self.kinds[self.kind]

    def guesses(self, most: int = 2) -> tuple[tuple[Colour, PieceKind], ...]:
        """List what it may be, likeliest first."""
        together = product(self.colours, self.kinds)
        ordered = sorted(together, key=lambda one: -self.colours[one[0]] * self.kinds[one[1]])
        return tuple(ordered[:most])


@dataclass(frozen=True, slots=True)
class SeenCoatl:
    """A Cóatl, from the head end to the tail end, if the direction is known."""

    pieces: tuple[SeenPiece, ...]
    joint_confidence: float  # that the pieces are all there, in this order, whatever their colours
    facing_confidence: float  # that the direction is right
    sure: bool = False  # as the reader decides in the end, when it has weighed everything
    beyond_ends: tuple[float, float] = (0.0, 0.0)  # that an unseen piece is joined at each end
    covered_ends: tuple[float, float] = (0.0, 0.0)  # that something lies over each end
    player: int | None = None  # whose it is: players are counted clockwise from the near side
    player_corrected: bool = False  # a person said whose it is

    @property
    def coatl(self) -> Coatl | None:
        """The Cóatl, or nothing if the pieces make none, such as a head joined to a tail."""
        try:
            return Coatl(
                tuple(piece.colour for piece in self.pieces),
                self.pieces[0].kind is PieceKind.HEAD,
                self.pieces[-1].kind is PieceKind.TAIL,
            )
        except ValueError:
            return None

    @property
    def notation(self) -> str:
        """Its pieces as they are written, also where they make no Cóatl."""
        if self.coatl is not None:
            return str(self.coatl)
        return "".join(format_piece(piece.colour, piece.kind) for piece in self.pieces)

    @property
    def pitch(self) -> float:
        """Pixels from a piece to the next; 0 if there is only one."""
        steps = [dist(a.centre, b.centre) for a, b in pairwise(self.pieces)]
        return median(steps) if steps else 0.0

    @property
    def is_orientation_known(self) -> bool:
        """Whether it is known which end is the head end."""
        return self.facing_confidence >= MIN_KNOWN_FACING

    @property
    def confidence(self) -> float:
        """How likely all of it is right."""
        return (
            self.joint_confidence
            * self.facing_confidence
            * prod(piece.confidence for piece in self.pieces)
        )


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card: its id, or nothing if it could not be read, and what else it may be.

    `witnesses` tells what each way of reading saw: {"mark": "P29", "text": "P29"}.
    """

    id: str | None
    confidence: float
    outline: Outline
    candidates: tuple[str, ...] = ()  # likeliest first, where `id` is not sure
    witnesses: Mapping[str, str] = field(default_factory=dict)
    coatl: int | None = None  # index of the Cóatl that it belongs to
    sure: bool = False
    corrected: bool = False

    @property
    def likely_ids(self) -> tuple[str, ...]:
        """What it may be, likeliest first: the id that was read, then the other candidates."""
        return tuple(dict.fromkeys((*((self.id,) if self.id else ()), *self.candidates)))


@dataclass(frozen=True, slots=True)
class ReadingProblem:
    """Something that could not be read, or not for sure: a code for programs, words for people.

    `phrase` is a key of the language files' sentences with what stands in it; `advice`, the key of
    another one, says what would help. `coatl`, `piece` and `card` are indices of what it is about.
    """

    code: str
    phrase: Phrase
    advice: str | None = None
    coatl: int | None = None
    piece: int | None = None
    card: int | None = None
    serious: bool = True  # the answer as a whole is not sure
    area: Outline = ()  # the part of the photo that should be taken again

    @property
    def message(self) -> Phrase:
        """What is wrong, for a card with its number as in corrections."""
        if self.card is None:
            return self.phrase
        return "photo.about_card", {"card": self.card + 1, "said": self.phrase}


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """Everything that was seen in one photo. Cóatls run from top to bottom."""

    file: str
    size: tuple[int, int]  # width and height of the upright photo
    coatls: tuple[SeenCoatl, ...] = ()
    loose_pieces: tuple[SeenPiece, ...] = ()
    cards: tuple[SeenCard, ...] = ()
    problems: tuple[ReadingProblem, ...] = ()
    has_mat: bool = False

    @property
    def sure(self) -> bool:
        """Whether all of it is sure, without a serious problem."""
        return (
            not self.serious_problems
            and all(coatl.sure for coatl in self.coatls)
            and all(card.sure for card in self.cards)
        )

    @property
    def serious_problems(self) -> tuple[ReadingProblem, ...]:
        """The problems because of which the reading as a whole is not sure."""
        return tuple(problem for problem in self.problems if problem.serious)

    @property
    def player_count(self) -> int:
        """How many players' Cóatls are known to be in the photo."""
        return len({seen.player for seen in self.coatls} - {None})

    def cards_beside(self, coatl: int) -> tuple[str, ...]:
        """List the ids of the cards that were read beside a Cóatl (an index)."""
        return tuple(card.id for card in self.cards if card.coatl == coatl and card.id)

    def has_problem(self, coatl: int, piece: int | None) -> bool:
        """Tell whether a problem names this piece, or this Cóatl and no piece; both are indices."""
        return any((one.coatl, one.piece) == (coatl, piece) for one in self.problems)

    def scale(self, factor: float) -> PhotoReading:
        """Multiply all points, as for a smaller or larger picture; the size stays."""

        def scale_point(point: Point) -> Point:
            return point[0] * factor, point[1] * factor

        def scale_outline(outline: Outline) -> Outline:
            return tuple(map(scale_point, outline))

        def scale_piece(piece: SeenPiece) -> SeenPiece:
            centre = scale_point(piece.centre)
            return replace(piece, outline=scale_outline(piece.outline), centre=centre)

        return replace(
            self,
            coatls=tuple(
                replace(seen, pieces=tuple(map(scale_piece, seen.pieces))) for seen in self.coatls
            ),
            loose_pieces=tuple(map(scale_piece, self.loose_pieces)),
            cards=tuple(replace(card, outline=scale_outline(card.outline)) for card in self.cards),
            problems=tuple(
                replace(problem, area=scale_outline(problem.area)) for problem in self.problems
            ),
        )


def make_unreadable_reading(path: Path, error: CoatlError) -> PhotoReading:
    """Make an empty reading for a photo that cannot be opened, with the error as its problem."""
    return PhotoReading(
        str(path), (0, 0), problems=(ReadingProblem(error.key.split(".")[-1], error.spoken),)
    )


_MIN_SHARE = 0.005  # a colour or kind less likely than this is not worth a word


def reading_to_json(reading: PhotoReading, language: Language) -> dict[str, Any]:
    """Convert a reading to JSON: English words for programs, sentences for people."""
    width, height = reading.size
    return {
        "file": reading.file,
        "sure": reading.sure,
        "size": [width, height],
        "mat": reading.has_mat,
        "coatls": [_coatl_to_json(reading, number) for number in range(len(reading.coatls))],
        "strays": [_piece_to_json(piece) for piece in reading.loose_pieces],
        "cards": [_card_to_json(card) for card in reading.cards],
        "problems": [_problem_to_json(problem, language) for problem in reading.problems],
    }


def _coatl_to_json(reading: PhotoReading, number: int) -> dict[str, Any]:
    seen: SeenCoatl = reading.coatls[number]
    return {
        "coatl": seen.notation,
        "sure": seen.sure,
        "confidence": _round_share(seen.confidence),
        "orientation_known": seen.is_orientation_known,
        "complete": seen.coatl is not None and seen.coatl.complete,
        "player": seen.player,
        "pieces": [
            _piece_to_json(piece) | {"sure": not reading.has_problem(number, index)}
            for index, piece in enumerate(seen.pieces)
        ],
    }


def _piece_to_json(piece: SeenPiece) -> dict[str, Any]:
    return {
        "kind": piece.kind.value,
        "colour": piece.colour.word,
        "confidence": _round_share(piece.confidence),
        "colours": _list_likely({colour.word: p for colour, p in piece.colours.items()}),
        "kinds": _list_likely({kind.value: p for kind, p in piece.kinds.items()}),
        "corrected": piece.corrected,
        "centre": _round_point(piece.centre),
        "outline": _round_outline(piece.outline),
    }


def _list_likely(parts: Mapping[str, float]) -> dict[str, float]:
    """Sort probabilities, likeliest first, without negligible ones."""
    ordered = sorted(parts.items(), key=lambda one: -one[1])
    return {name: _round_share(part) for name, part in ordered if part >= _MIN_SHARE}


def _card_to_json(card: SeenCard) -> dict[str, Any]:
    return {
        "id": card.id,
        "sure": card.sure,
        "confidence": _round_share(card.confidence),
        "coatl": card.coatl,
        "candidates": list(card.candidates),
        "witnesses": dict(card.witnesses),
        "corrected": card.corrected,
        "outline": _round_outline(card.outline),
    }


def _problem_to_json(problem: ReadingProblem, language: Language) -> dict[str, Any]:
    return {
        "code": problem.code,
        "text": language.sentence(*problem.message),
        "advice": language.sentence(problem.advice, {}) if problem.advice else None,
        "grave": problem.serious,
        "coatl": problem.coatl,
        "piece": problem.piece,
        "card": problem.card,
        "area": _round_outline(problem.area) or None,
    }


def _round_share(value: float) -> float:
    return round(float(value), 4)


def _round_point(point: Point) -> list[float]:
    return [round(float(number), 1) for number in point]


def _round_outline(outline: Outline) -> list[list[float]]:
    return [_round_point(point) for point in outline]


def format_confidence(part: float, language: Language) -> str:
    """Format a confidence in percent, at most 99 %: nothing that was seen is certain."""
    return language.label("percent", min(99, int(part * 100)))


def describe_problem(problem: ReadingProblem, language: Language) -> str:
    """Describe what is wrong, and what would help."""
    said = language.sentence(*problem.message)
    return f"{said} {language.sentence(problem.advice, {})}" if problem.advice else said
