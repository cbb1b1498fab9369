"""A session in which a reading is corrected: apply, undo, and the problems still open."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.corrections.apply import apply_corrections
from coatl_tools.vision.corrections.correction import Confirm, Correction, SetCard
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenPiece

MIN_GUESS_CONFIDENCE = 0.05  # what a piece may also be, below this, is not asked for
MAX_GUESSES = 3


@dataclass(frozen=True, slots=True)
class PieceGuess:
    """What a piece may be."""

    colour: Colour
    kind: PieceKind


class CorrectionSession:
    """The reading now, and every step that led to it."""

    def __init__(self, reading: PhotoReading, catalog: Catalog) -> None:
        self.reading = reading
        self.catalog = catalog
        self._past: list[tuple[PhotoReading, tuple[Correction, ...]]] = []

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that there are."""
        return tuple(self.catalog)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """All that was said, in its order."""
        return tuple(correction for _, said in self._past for correction in said)

    def apply(self, *corrections: Correction) -> None:
        """Correct the reading; CorrectionError leaves it as it is."""
        after = apply_corrections(self.reading, self.catalog, *corrections)
        self._past.append((self.reading, corrections))
        self.reading = after

    def undo(self) -> bool:
        """Take the last step back; whether there was one."""
        if not self._past:
            return False
        self.reading, _ = self._past.pop()
        return True

    def doubts(self) -> list[ReadingProblem]:
        """What is not sure: pieces first, then Cóatls, cards, and what is about none of them."""
        grave = [problem for problem in self.reading.problems if problem.grave]
        return sorted(grave, key=_problem_order)

    def confirm(self, doubt: ReadingProblem) -> None:
        """What a doubt is about is what it is likeliest to be; CorrectionError if nobody knows."""
        if doubt.card is not None:
            card = self.reading.cards[doubt.card]
            likely = SetCard(doubt.card + 1, card.candidates[0]) if card.candidates else None
            self.apply(likely if likely and card.id is None else Confirm(card=doubt.card + 1))
        elif doubt.coatl is not None:
            piece = None if doubt.piece is None else doubt.piece + 1
            self.apply(Confirm(doubt.coatl + 1, piece))
        else:
            self.apply(Confirm())


def _problem_order(problem: ReadingProblem) -> tuple[int, int, int, int]:
    if problem.coatl is not None:
        whole = problem.piece is None
        return int(whole), problem.coatl, 0 if problem.piece is None else problem.piece, 0
    return (2, 0, 0, problem.card) if problem.card is not None else (3, 0, 0, 0)


def list_likely_guesses(piece: SeenPiece) -> list[PieceGuess]:
    """What a piece may be, the likeliest first: at least one, and only what is likely."""
    first, *others = piece.guesses(MAX_GUESSES)
    likely = [
        one for one in others if piece.colours[one[0]] * piece.kinds[one[1]] >= MIN_GUESS_CONFIDENCE
    ]
    return [PieceGuess(*one) for one in (first, *likely)]
