"""How well a photo was read: counted from a reading and a label, by code of the tests alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from coatl_tools.vision.reading import PhotoReading, SeenCoatl

BETTER = ("exact", "pieces_right", "cards_right")  # more is better; of all others, less is
OTHERWISE = ("silently_wrong", "not_sure", "cards_wrong", "cards_strange")
FIGURES = ("coatls", "pieces", "cards", *BETTER, *OTHERWISE)


def compute_figures(
    reading: PhotoReading, label: dict[str, Any], geometry: dict[str, Any]
) -> Counter[str]:
    """The figures of one photo, to be added up.

    A Cóatl is silently wrong if it is wrong and said to be sure, missed without any problem being
    told, or seen for sure where there is none. A strange card is one that is not there.
    """
    found: Counter[str] = Counter(dict.fromkeys(FIGURES, 0))
    places = [np.array(middles, float) for middles in geometry["coatls"]]
    seen = _matched(reading.coatls, places)
    for told, own in zip(label["coatls"], seen, strict=True):
        found.update(_of_coatl(told, None if own is None else reading.coatls[own], reading))
    found["silently_wrong"] += sum(
        coatl.sure for i, coatl in enumerate(reading.coatls) if i not in seen
    )
    found.update(_of_cards(reading, label, seen))
    return found


def list_piece_names(coatl: SeenCoatl) -> list[str]:
    """The pieces of a Cóatl as labels have them."""
    return [f"{piece.kind.value}:{piece.colour.word}" for piece in coatl.pieces]


def _of_coatl(told: dict[str, Any], coatl: SeenCoatl | None, reading: PhotoReading) -> Counter[str]:
    found = Counter(coatls=1, pieces=len(told["pieces"]))
    if coatl is None:
        found["not_sure" if reading.problems else "silently_wrong"] += 1
        return found
    ways = [list_piece_names(coatl)]
    if not told["orientation_known"]:  # neither head nor tail: nobody can tell for sure
        ways.append(ways[0][::-1])
    right = max(_common(way, told["pieces"]) for way in ways)
    exact = told["pieces"] in ways
    found["pieces_right"] += right
    found["exact"] += exact
    found["silently_wrong"] += coatl.sure and not exact
    found["not_sure"] += not coatl.sure
    return found


def _of_cards(
    reading: PhotoReading, label: dict[str, Any], seen: Sequence[int | None]
) -> Counter[str]:
    """A card is right if it is sure and belongs where it is told to; wrong, if sure and not."""
    found = Counter(cards=len(label.get("cards", [])))
    told = {card["id"]: card["coatl"] for card in label.get("cards", [])}
    for card in reading.cards:
        if not card.sure or card.id is None:
            continue
        if card.id not in told:
            found["cards_strange"] += 1
            continue
        own = told.pop(card.id)
        belongs = None if own is None else seen[own]
        found["cards_right" if card.coatl == belongs else "cards_wrong"] += 1
    return found


def _matched(coatls: Sequence[SeenCoatl], places: Sequence[Any]) -> list[int | None]:
    """For each labelled Cóatl the one that was seen there, each at most once, nearest first."""
    pairs = []
    for i, middles in enumerate(places):
        step = float(np.linalg.norm(np.diff(middles, axis=0), axis=1).mean())
        for j, coatl in enumerate(coatls):
            centres = np.array([piece.centre for piece in coatl.pieces], float)
            away = np.linalg.norm(middles[:, None] - centres[None], axis=2).min(axis=1)
            if (away < step / 2).mean() >= 0.5:
                pairs.append((float(away.mean()), i, j))
    found: list[int | None] = [None] * len(places)
    for _, i, j in sorted(pairs):
        if found[i] is None and j not in found:
            found[i] = j
    return found


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pieces two Cóatls have in common, in order."""
    row = [0] * (len(other) + 1)
    for piece in one:
        before = row
        row = [0]
        for j, told in enumerate(other):
            row.append(before[j] + 1 if piece == told else max(row[j], before[j + 1]))
    return row[-1]


def describe_regressions(now: dict[str, int], then: dict[str, int], slack: int = 0) -> list[str]:
    """What got worse by more than a slack, in words."""
    return [
        f"{name}: {then[name]} before, {now[name]} now"
        for name in (*BETTER, *OTHERWISE)
        if (now[name] < then[name] - slack if name in BETTER else now[name] > then[name] + slack)
    ]
