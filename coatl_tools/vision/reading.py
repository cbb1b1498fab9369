"""What was seen in a photo: values only. Points are pixels of the upright photo, (x, y)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import dist, prod
from pathlib import Path
from statistics import median
from typing import TypeAlias

from coatl_tools.errors import CoatlError, Phrase
from coatl_tools.pieces import Coatl, Colour, Kind

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]
FACING_KNOWN = 0.9  # a direction less likely than this is said to be unknown

DIRECTION = "direction"  # the code of a problem that turning the Cóatl round, or not, settles


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece: what it is taken for, and how likely each colour and kind is (they add to 1)."""

    colours: Mapping[Colour, float]
    kinds: Mapping[Kind, float]
    outline: Outline
    centre: Point
    corrected: bool = False  # a person said what it is

    @property
    def colour(self) -> Colour:
        """The likeliest colour."""
        return max(self.colours, key=lambda colour: self.colours[colour])

    @property
    def kind(self) -> Kind:
        """The likeliest kind."""
        return max(self.kinds, key=lambda kind: self.kinds[kind])

    @property
    def confidence(self) -> float:
        """How likely both are right."""
        return self.colours[self.colour] * self.kinds[self.kind]

    def guesses(self, most: int = 2) -> tuple[tuple[Colour, Kind], ...]:
        """What it may be, likeliest first."""
        together = product(self.colours, self.kinds)
        ordered = sorted(together, key=lambda one: -self.colours[one[0]] * self.kinds[one[1]])
        return tuple(ordered[:most])


@dataclass(frozen=True, slots=True)
class SeenCoatl:
    """A Cóatl, from the head end to the tail end, if the direction is known.

    `joined` is how likely its pieces are all there and in this order, apart from their colours;
    `facing` how likely the direction is right; `beyond` how likely more pieces are joined to the
    first and to the last one that could not be seen.
    """

    pieces: tuple[SeenPiece, ...]
    joined: float
    facing: float
    sure: bool = False  # said by the reader, once it has weighed everything
    beyond: tuple[float, float] = (0.0, 0.0)

    @property
    def coatl(self) -> Coatl | None:
        """The Cóatl, or nothing if the pieces make none, such as a head joined to a tail."""
        try:
            return Coatl(
                tuple(piece.colour for piece in self.pieces),
                self.pieces[0].kind is Kind.HEAD,
                self.pieces[-1].kind is Kind.TAIL,
            )
        except ValueError:
            return None

    @property
    def notation(self) -> str:
        """Its pieces as they are written, also where they make no Cóatl."""
        if self.coatl is not None:
            return str(self.coatl)
        return "".join(
            f"{'<' * (piece.kind is Kind.HEAD)}{piece.colour.name}{'>' * (piece.kind is Kind.TAIL)}"
            for piece in self.pieces
        )

    @property
    def pitch(self) -> float:
        """Pixels from a piece to the next; 0 if there is only one."""
        steps = [dist(a.centre, b.centre) for a, b in pairwise(self.pieces)]
        return median(steps) if steps else 0.0

    @property
    def orientation_known(self) -> bool:
        """Whether it is known which end is the head end."""
        return self.facing >= FACING_KNOWN

    @property
    def confidence(self) -> float:
        """How likely all of it is right."""
        return self.joined * self.facing * prod(piece.confidence for piece in self.pieces)


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


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, or not for sure: a code for programs, words for people.

    `phrase` is a key of the language files' sentences with what stands in it; `advice`, another
    one, says what would help. `coatl`, `piece` and `card` are indices, where it concerns one.
    """

    code: str
    phrase: Phrase
    advice: Phrase | None = None
    coatl: int | None = None
    piece: int | None = None
    card: int | None = None
    grave: bool = True  # the answer as a whole is not sure

    @property
    def spoken(self) -> Phrase:
        """What is wrong; of a card, behind the number that corrections call it by."""
        if self.card is None:
            return self.phrase
        return "photo.about_card", {"card": self.card + 1, "said": self.phrase}


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that was seen in one photo. Cóatls run from top to bottom."""

    file: str
    size: tuple[int, int]  # width and height of the upright photo
    coatls: tuple[SeenCoatl, ...] = ()
    strays: tuple[SeenPiece, ...] = ()
    cards: tuple[SeenCard, ...] = ()
    problems: tuple[Problem, ...] = ()
    mat: bool = False

    @property
    def sure(self) -> bool:
        """Whether all of it can be relied upon: no grave problem, and nothing that is not sure."""
        return (
            not any(problem.grave for problem in self.problems)
            and all(coatl.sure for coatl in self.coatls)
            and all(card.sure for card in self.cards)
        )

    def doubts(self, coatl: int, piece: int | None) -> bool:
        """Whether a problem names this piece, or this Cóatl and no piece; both are indices."""
        return any((one.coatl, one.piece) == (coatl, piece) for one in self.problems)


def unreadable(path: Path, error: CoatlError) -> Reading:
    """The reading of a photo that cannot be opened: nothing, and why."""
    return Reading(str(path), (0, 0), problems=(Problem(error.key.split(".")[-1], error.spoken),))
