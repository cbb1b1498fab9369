"""A reading for programs: one JSON object a photo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coatl_tools.language import Language
from coatl_tools.vision.reading import (
    Outline,
    Point,
    Problem,
    Reading,
    SeenCard,
    SeenCoatl,
    SeenPiece,
)

_LEAST = 0.005  # a colour or kind less likely than this is not worth a word


def reading_json(reading: Reading, language: Language) -> dict[str, Any]:
    """Everything that was seen, in English words for programs and sentences for people."""
    width, height = reading.size
    return {
        "file": reading.file,
        "sure": reading.sure,
        "size": [width, height],
        "mat": reading.mat,
        "coatls": [_coatl(reading, number) for number in range(len(reading.coatls))],
        "strays": [_piece(piece) for piece in reading.strays],
        "cards": [_card(card) for card in reading.cards],
        "problems": [_problem(problem, language) for problem in reading.problems],
    }


def _coatl(reading: Reading, number: int) -> dict[str, Any]:
    seen: SeenCoatl = reading.coatls[number]
    return {
        "coatl": seen.notation,
        "sure": seen.sure,
        "confidence": _part(seen.confidence),
        "orientation_known": seen.orientation_known,
        "complete": seen.coatl is not None and seen.coatl.complete,
        "pieces": [
            _piece(piece) | {"sure": not reading.doubts(number, index)}
            for index, piece in enumerate(seen.pieces)
        ],
    }


def _piece(piece: SeenPiece) -> dict[str, Any]:
    return {
        "kind": piece.kind.value,
        "colour": piece.colour.word,
        "confidence": _part(piece.confidence),
        "colours": _likely({colour.word: p for colour, p in piece.colours.items()}),
        "kinds": _likely({kind.value: p for kind, p in piece.kinds.items()}),
        "corrected": piece.corrected,
        "centre": _point(piece.centre),
        "outline": _outline(piece.outline),
    }


def _likely(parts: Mapping[str, float]) -> dict[str, float]:
    """Likeliest first."""
    ordered = sorted(parts.items(), key=lambda one: -one[1])
    return {name: _part(part) for name, part in ordered if part >= _LEAST}


def _card(card: SeenCard) -> dict[str, Any]:
    return {
        "id": card.id,
        "sure": card.sure,
        "confidence": _part(card.confidence),
        "coatl": card.coatl,
        "candidates": list(card.candidates),
        "witnesses": dict(card.witnesses),
        "corrected": card.corrected,
        "outline": _outline(card.outline),
    }


def _problem(problem: Problem, language: Language) -> dict[str, Any]:
    return {
        "code": problem.code,
        "text": language.sentence(*problem.spoken),
        "advice": language.sentence(*problem.advice) if problem.advice else None,
        "grave": problem.grave,
        "coatl": problem.coatl,
        "piece": problem.piece,
        "card": problem.card,
    }


def _part(value: float) -> float:
    return round(float(value), 4)


def _point(point: Point) -> list[float]:
    return [round(float(number), 1) for number in point]


def _outline(outline: Outline) -> list[list[float]]:
    return [_point(point) for point in outline]
