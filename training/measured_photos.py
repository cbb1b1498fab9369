"""Photos that measure the reader, with labels for `python -m benchmarks photos`.

They show cards of the deck, and their conditions are told. They are drawn as the photos to learn
from are, so they must have another seed; real photos differ from both.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.catalog import load_cards
from coatl_tools.pieces import PieceKind
from coatl_tools.vision.cards.card_signs import list_row_signs
from training.crops import MIN_UNCOVERED
from training.photo_pool import LabelledShot, random_readable_shot
from training.published_cards import DrawnCard, draw_deck_card
from training.scene import ScenePiece
from training.table_cards import CardDrawer

PHOTO_SIDE = 1600  # pixels of the longer side
JPEG_QUALITY = 93
MIN_SHOWN = 0.2  # of a card: less of it is not asked for
MIN_CARD_WIDTH = 45  # pixels: nobody can read a smaller one
MIN_PITCH = 12  # pixels from a piece to the next, likewise


def make_measured_photos(folder: Path, count: int, seed: int, side: int = PHOTO_SIDE) -> None:
    """Draw photos of the deck and write `labels.json` and `geometry.json` beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        name = folder / f"photo-{number:03}"
        if name.with_suffix(".json").exists():
            continue
        rng = np.random.default_rng([seed, number])
        shot = random_readable_shot(rng, side, draw_card=_shuffle_deck(rng))
        quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
        cv2.imwrite(str(name.with_suffix(".jpg")), shot.pixels, quality)
        label = {"file": f"{name.name}.jpg"} | label_shot(shot)
        name.with_suffix(".json").write_text(json.dumps(label), "utf-8")
    labels = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("photo-*.json"))]
    geometry = [
        {"file": label["file"], "coatls": [coatl.pop("centres") for coatl in label["coatls"]]}
        for label in labels
    ]
    write = partial(json.dumps, indent=1)
    (folder / "labels.json").write_text(write(labels), "utf-8")
    (folder / "geometry.json").write_text(write(geometry), "utf-8")


def _shuffle_deck(rng: np.random.Generator) -> CardDrawer:
    """Shuffle the deck; each card that is asked for is the next one, so none is there too often."""
    known = [card for card in load_cards() if list_row_signs(card) for _ in range(card.copies)]
    order = itertools.cycle(rng.permutation(len(known)))

    def draw_card(rng: np.random.Generator) -> DrawnCard:
        return draw_deck_card(rng, known[next(order)])

    return draw_card


def label_shot(shot: LabelledShot) -> dict[str, Any]:
    """Tell what is on a photo: Cóatls from top to bottom, cards, and the conditions."""
    height, width = shot.owners.shape
    middles = shot.points[:, 0]
    inside = np.asarray(((middles >= 0) & (middles < (width, height))).all(axis=1))
    shown = _measure_shown(shot)
    coatls: list[dict[str, Any]] = []
    for chain in _list_chains(shot.pieces):
        if len(chain) < 2 or not inside[chain].any():
            continue
        pitch = float(np.median(np.hypot(*(shot.points[chain, 2] - shot.points[chain, 1]).T) / 2))
        seen = [i for i in chain if inside[i] and shown[i] >= MIN_UNCOVERED]
        if len(seen) < 2 or pitch < MIN_PITCH:
            continue
        kinds = {shot.pieces[i].kind for i in chain}
        coatls.append(
            {
                "pieces": [_name_piece(shot.pieces[i]) for i in chain],
                "orientation_known": bool(kinds & {PieceKind.HEAD, PieceKind.TAIL}),
                "cut": not inside[chain].all(),
                "covered": [k for k, i in enumerate(chain) if shown[i] < MIN_UNCOVERED],
                "centres": np.round(middles[chain], 1).tolist(),
            }
        )
    coatls.sort(key=lambda coatl: float(np.mean(coatl["centres"], axis=0)[1]))
    cards = [
        {
            "id": card.id,
            "corners": np.round(card.corners, 1).tolist(),
            "covered": round(1 - part, 3),
        }
        for number, card in enumerate(shot.cards, 1)
        if (part := _measure_face(shot, number)) >= MIN_SHOWN
        and np.hypot(*(card.corners[1] - card.corners[0])) >= MIN_CARD_WIDTH
    ]
    conditions: Mapping[str, object] = dict.fromkeys(shot.conditions.names, True)
    return {
        "coatls": coatls,
        "cards": cards,
        "other_cards": shot.printed_cards,
        "conditions": conditions,
    }


def _list_chains(pieces: list[ScenePiece]) -> list[list[int]]:
    """List the numbers of joined pieces, from the head end."""
    chains: list[list[int]] = []
    for number, piece in enumerate(pieces):
        if not piece.joined[0]:
            chains.append([])
        chains[-1].append(number)
    return chains


def _name_piece(piece: ScenePiece) -> str:
    return f"{piece.kind.value}:{piece.colour.word}"


def _measure_shown(shot: LabelledShot) -> NDArray[np.float64]:
    """Measure how much of each piece is seen, beside the usual piece of its size."""
    pixels = np.bincount(shot.owners.ravel(), minlength=256)[1 : len(shot.pieces) + 1]
    pitches = np.hypot(*(shot.points[:, 2] - shot.points[:, 1]).T) / 2
    shares = pixels / np.maximum(pitches**2, 1)
    usual = float(np.median(shares[shares > 0])) if (shares > 0).any() else 1.0
    return np.asarray(np.minimum(shot.uncovered, shares / usual))


def _measure_face(shot: LabelledShot, number: int) -> float:
    """Measure how much of the face of a card is seen."""
    seen = int((shot.faces == number).sum())
    corners = shot.cards[number - 1].corners.astype(np.float32)
    return min(1.0, seen / max(float(cv2.contourArea(corners)), 1.0))
