"""Which Cóatl a card belongs to: the nearest one, or the one on the same mat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from coatl_tools.errors import Phrase
from coatl_tools.vision.mat import MARGIN, Mat
from coatl_tools.vision.plane import Points, distance
from coatl_tools.vision.reading import Outline, Problem, SeenCard, SeenCoatl

TIE = 0.2  # of a card's width: if the second Cóatl is hardly farther away, nobody can tell


def assign_cards(
    cards: Sequence[SeenCard], coatls: Sequence[SeenCoatl], mats: Sequence[Mat] = ()
) -> tuple[tuple[SeenCard, ...], tuple[Problem, ...]]:
    """The cards, each with the index of its Cóatl, and a problem where two are as near.

    On a mat, a card belongs to the Cóatl in the lane of that mat, if there is one.
    """
    bodies = [[piece.outline for piece in coatl.pieces] for coatl in coatls]
    lanes = [_mat_of(_middle(body), mats) for body in bodies]
    assigned: list[SeenCard] = []
    problems: list[Problem] = []
    for index, card in enumerate(cards):
        mat = _mat_of(np.array(card.outline, float).mean(axis=0), mats)
        here = [i for i in range(len(coatls)) if mat is not None and lanes[i] == mat]
        far = {
            i: min(distance(card.outline, outline) for outline in bodies[i])
            for i in here or range(len(coatls))
        }
        ordered = sorted(far, key=lambda i: (far[i], i))
        if not ordered:
            assigned.append(card)
            continue
        assigned.append(replace(card, coatl=ordered[0]))
        if len(ordered) > 1 and far[ordered[1]] - far[ordered[0]] < TIE * _width(card.outline):
            one, other = sorted((ordered[0] + 1, ordered[1] + 1))
            phrase: Phrase = ("photo.card_between", {"first": one, "second": other})
            problems.append(Problem("card_between", phrase, ("photo.move_card", {}), card=index))
    return tuple(assigned), tuple(problems)


def _mat_of(point: Points, mats: Sequence[Mat]) -> int | None:
    """The mat that a point lies on, or beside it as far as cards reach."""
    for index, mat in enumerate(mats):
        (x, y), box = mat.on_mat(point.reshape(1, 2))[0], mat.panel.inset(-MARGIN)
        if box.x <= x <= box.right and box.y <= y <= box.bottom:
            return index
    return None


def _middle(body: Sequence[Outline]) -> Points:
    points = np.concatenate([np.array(outline, float) for outline in body])
    return np.asarray(points.mean(axis=0), np.float64)


def _width(outline: Outline) -> float:
    """The shorter side of a card, about."""
    _, sides, _ = cv2.minAreaRect(np.array(outline, np.float32))
    return float(min(sides))
