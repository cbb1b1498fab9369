"""What holds for every reading, whatever the picture was."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.pieces import PieceKind
from coatl_tools.vision.reading import PhotoReading, Point, SeenCoatl, SeenPiece


def check_sound(reading: PhotoReading) -> None:
    """Finite numbers, shares that are shares, outlines in the photo, indices that point at
    something, Cóatls that the rules know, and words for every problem.
    """
    json.dumps(_plain(reading), allow_nan=False)
    for coatl in reading.coatls:
        _check_coatl(coatl, reading)
    for stray in reading.loose_pieces:
        _check_piece(stray, reading)
    _check_cards(reading)
    for problem in reading.problems:
        for index, things in (
            (problem.coatl, reading.coatls),
            (problem.card, reading.cards),
        ):
            assert index is None or 0 <= index < len(things)
        if problem.piece is not None and problem.coatl is not None:
            assert 0 <= problem.piece < len(reading.coatls[problem.coatl].pieces)
        for code in LANGUAGE_CODES:
            assert load_language(code).sentence(*problem.phrase).strip()
            assert problem.advice is None or load_language(code).sentence(problem.advice, {})
    colourless = any(problem.code == "no_colours" for problem in reading.problems)
    for index, seen in enumerate(reading.coatls):
        told = any(problem.serious and problem.coatl == index for problem in reading.problems)
        assert seen.sure or told or colourless, "what is not sure is said"
    for index, card in enumerate(reading.cards):
        told = any(problem.serious and problem.card == index for problem in reading.problems)
        assert card.sure or told, "what is not sure is said"


def _check_coatl(coatl: SeenCoatl, reading: PhotoReading) -> None:
    assert coatl.pieces
    for share in (coatl.joint_confidence, coatl.facing_confidence, coatl.confidence):
        assert 0 <= share <= 1
    for piece in coatl.pieces:
        _check_piece(piece, reading)
    if coatl.sure:  # rule 3.2, 3.10: a head and a tail at the ends only, never next to each other
        assert coatl.coatl is not None
        assert all(piece.kind is not PieceKind.HEAD for piece in coatl.pieces[1:])
        assert all(piece.kind is not PieceKind.TAIL for piece in coatl.pieces[:-1])


def _check_piece(piece: SeenPiece, reading: PhotoReading) -> None:
    for shares in (piece.colours, piece.kinds):
        assert all(0 <= share <= 1 for share in shares.values())
        assert sum(shares.values()) == pytest.approx(1, abs=1e-3)
    margin = 3 + 0.05 * max(reading.size)
    _check_inside([*piece.outline, piece.centre], reading, margin)


def _check_cards(reading: PhotoReading) -> None:
    known = {card.id: card.copies for card in load_cards()}
    sure = Counter(card.id for card in reading.cards if card.sure and card.id is not None)
    for card_id, times in sure.items():
        assert times <= known.get(card_id, 0), f"{card_id} is there more often than in the game"
    for card in reading.cards:
        assert 0 <= card.confidence <= 1
        assert {*card.candidates, *([card.id] if card.id is not None else [])} <= set(known)
        assert card.id is not None or not card.sure
        assert card.coatl is None or 0 <= card.coatl < len(reading.coatls)
        _check_inside(card.outline, reading, 3)


def _check_inside(points: Iterable[Point], reading: PhotoReading, margin: float) -> None:
    width, height = reading.size
    for x, y in points:
        assert -margin <= x <= width + margin
        assert -margin <= y <= height + margin


def _plain(reading: PhotoReading) -> dict[str, Any]:
    """Every number of a reading."""
    pieces = [piece for coatl in reading.coatls for piece in coatl.pieces]
    return {
        "size": reading.size,
        "coatls": [(c.joint_confidence, c.facing_confidence, c.confidence) for c in reading.coatls],
        "pieces": [
            (p.outline, p.centre, [*p.colours.values()], [*p.kinds.values()])
            for p in (*pieces, *reading.loose_pieces)
        ],
        "cards": [(c.confidence, c.outline, c.coatl) for c in reading.cards],
    }
