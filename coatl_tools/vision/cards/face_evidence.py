"""Weigh the cards of a catalog by what the networks see of a published one.

What each witness says of every card is summed up; what is hidden says nothing. A row that no card
has speaks for none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.vision.cards.card_signs import (
    FAMILIES,
    MAX_LEVELS,
    ROW_SIGNS,
    LevelSign,
    RowSign,
    get_family,
    list_level_signs,
    list_row_signs,
    place_signs,
)
from coatl_tools.vision.cards.face_networks import (
    HIDDEN_COLUMN,
    MAX_COUNT,
    MAX_POINTS,
    NO_SIGN,
    PlateJudgement,
    PlateState,
    number_sign,
)
from coatl_tools.vision.cards.face_views import COLUMN_WIDTH, ROW_BOX, ROW_COLUMNS
from coatl_tools.vision.cards.frame_colours import name_frame

Logs = NDArray[np.float64]
ROW_WEIGHT, FRAME_WEIGHT, LEVELS_WEIGHT = 0.45, 0.6, 0.6  # neighbouring columns err alike
FLOOR = 0.02  # no judgement is surer than that
SHIFTS = np.linspace(-3, 3, 11)  # millimetres by which a row may lie beside its place
SIZES = (0.94, 1.0, 1.06)  # and its size beside the usual one
NONE_PENALTY = 8.0  # what it costs to believe in a card that nobody knows
ROW_DOUBT, LEVELS_DOUBT = 6.0, 3.0  # so much less likely contradicts
SHOWN_LEVELS_DOUBT = 7.0  # and so much, if both rows show the card
UNSEEN = "?"


class FaceEvidence:
    """What each witness says of each card, as logarithms."""

    def __init__(
        self, cards: Sequence[Card], families: Logs, rows: Logs, plates: PlateJudgement
    ) -> None:
        self.cards, self.families = cards, _soften(families)
        self.signs = tuple(list_row_signs(card) for card in cards)
        self.kinds = [[int(kind) for kind in logs.argmax(axis=1)] for logs in rows]
        columns = [_soften_columns(logs) for logs in rows]
        self.plates = [_PlateFit(plates, number) for number in range(MAX_LEVELS)]
        self.rows = np.array([_score_rows(logs, self.signs) for logs in columns])
        self.best_rows = np.array([logs.max(axis=1).sum() for logs in columns])
        foreign = self._find_foreign_row()
        if foreign is not None:
            self.kinds[foreign] = [HIDDEN_COLUMN] * ROW_COLUMNS
            self.rows[foreign] = self.best_rows[foreign] = 0.0
        numbers = [FAMILIES.index(get_family(card)) for card in cards]
        self.frames = self.families[numbers]
        self.levels = np.array([self._score_levels(list_level_signs(card)) for card in cards])
        self.best_levels = sum(plate.best for plate in self.plates)

    def _find_foreign_row(self) -> int | None:
        """Find the row in whose place something else lies, such as a part of another card.

        The other row is clear, and tells of a card that does not have this one.
        """
        clear = [row for row in range(len(self.rows)) if self._is_clear(row)]
        if len(clear) != 1:
            return None
        best, other = int(self.rows[clear[0]].argmax()), 1 - clear[0]
        return other if self.best_rows[other] - self.rows[other, best] > ROW_DOUBT else None

    def _is_clear(self, row: int) -> bool:
        """Tell whether all of a row is seen, and some card has it."""
        fits = self.best_rows[row] - self.rows[row].max() <= ROW_DOUBT
        shown = _decode_row(self.kinds[row])
        return bool(fits) and bool(shown) and UNSEEN not in shown

    def weigh_cards(self) -> Logs:
        """Return the probability of each card; what is missing to 1 is none of them."""
        copies = np.log([card.copies for card in self.cards])
        known = self.frames * FRAME_WEIGHT + self.levels * LEVELS_WEIGHT
        scores = copies + self.rows.sum(axis=0) * ROW_WEIGHT + known
        best = self.families.max() * FRAME_WEIGHT + self.best_levels * LEVELS_WEIGHT
        none = self.best_rows.sum() * ROW_WEIGHT + best - NONE_PENALTY
        most = max(none, scores.max())
        chances: Logs = np.exp(scores - most) / (np.exp(scores - most).sum() + np.exp(none - most))
        return chances

    def contradicts(self, number: int) -> bool:
        """Tell whether something that is seen speaks against a card.

        Another frame does, unless both rows show the card, or a row and its levels.
        """
        off = self.families.max() - self.frames[number]
        seen = all(HIDDEN_COLUMN not in kinds for kinds in self.kinds)
        shown = seen and (self.best_rows - self.rows[:, number] <= ROW_DOUBT).all()
        levels_off = self.best_levels - self.levels[number]
        confirmed = shown or (levels_off <= LEVELS_DOUBT and any(self._list_levels()))
        return bool(
            (self.rows.max(axis=1) - self.rows[:, number] > ROW_DOUBT).any()
            or (off > 0 and not confirmed)
            or levels_off > (SHOWN_LEVELS_DOUBT if shown else LEVELS_DOUBT)
        )

    def _list_levels(self) -> list[str]:
        """List the levels of which something is seen."""
        said = [plate.decode() for plate in self.plates]
        return [level for level in said if level.strip(UNSEEN)]

    def name_witnesses(self, number: int) -> dict[str, str]:
        """Say what each witness shows that sees something; a card that fits explains what it is."""
        found = {}
        for name, kinds, best, scores in zip(
            ("row", "turned"), self.kinds, self.best_rows, self.rows, strict=True
        ):
            shown = _decode_row(kinds)
            if not shown.strip(UNSEEN):
                continue
            fits = best - scores[number] <= ROW_DOUBT and UNSEEN not in shown
            found[name] = "".join(map(str, self.signs[number])) if fits else shown
        levels = " ".join(filter(None, (plate.decode() for plate in self.plates)))
        if levels.replace(UNSEEN, "").strip():
            found["levels"] = levels
        found["frame"] = name_frame(FAMILIES[int(self.families.argmax())])
        return found

    def _score_levels(self, levels: Sequence[LevelSign]) -> float:
        padded = [*levels[:MAX_LEVELS], *[None] * (MAX_LEVELS - len(levels))]
        return sum(plate.score(level) for plate, level in zip(self.plates, padded, strict=True))


def _soften(logs: Logs) -> Logs:
    softened: Logs = np.log((1 - FLOOR) * np.minimum(np.exp(logs), 1) + FLOOR)
    return softened


def _soften_columns(logs: Logs) -> Logs:
    """Return how well each kind fits a column; one that is hidden fits all of them."""
    chances = np.exp(logs)
    return _soften(np.log(chances + chances[:, HIDDEN_COLUMN:]))


@lru_cache(maxsize=4)
def _list_columns(rows: tuple[tuple[RowSign, ...], ...]) -> NDArray[np.int64]:
    """List the kinds of columns that rows show: rows, shifts and sizes, columns."""
    along = ROW_BOX.x + (np.arange(ROW_COLUMNS) + 0.5) * COLUMN_WIDTH
    own = np.stack([(along - shift) / size for size in SIZES for shift in SHIFTS])
    found = np.full((len(rows), *own.shape), NO_SIGN)
    for kinds, row in zip(found, rows, strict=True):
        for sign, middle in zip(row, place_signs(row), strict=True):
            kinds[np.abs(own - middle) < sign.width / 2] = number_sign(sign)
    return found


def _score_rows(logs: Logs, rows: tuple[tuple[RowSign, ...], ...]) -> Logs:
    """Score rows by the columns that are seen, each where it fits best."""
    scores: Logs = logs[np.arange(ROW_COLUMNS), _list_columns(rows)].sum(axis=2).max(axis=1)
    return scores


def _decode_row(columns: Iterable[int]) -> str:
    """Say which signs columns show, as far as they are seen."""
    runs = [(kind, len(list(run))) for kind, run in groupby(columns)]
    for end, beside in ((0, 1), (-1, -2)):  # beyond the stone, what is hidden is no part of a row
        if len(runs) > 1 and (runs[end][0], runs[beside][0]) == (HIDDEN_COLUMN, NO_SIGN):
            del runs[end]
    found = []
    for kind, count in runs:
        if kind == HIDDEN_COLUMN:
            found.append(UNSEEN)
        elif kind != NO_SIGN:
            sign = ROW_SIGNS[kind - NO_SIGN - 1]
            found.append(str(sign) * round(count * COLUMN_WIDTH / sign.width))
    return "".join(found)


class _PlateFit:
    """How well a place fits a level, or none."""

    def __init__(self, plates: PlateJudgement, number: int) -> None:
        states = np.exp(plates.states[number])
        self.hidden = float(states[PlateState.HIDDEN])
        self.absent = float(states[PlateState.ABSENT])
        self.plain, self.halves = (
            float(states[state]) for state in (PlateState.PLAIN, PlateState.HALVES)
        )
        self.counts, self.points = np.exp(plates.counts[number]), np.exp(plates.points[number])
        likely = max(self.plain, self.halves) * self.counts.max() * self.points.max()
        self.best = self._soften(max(self.absent, float(likely)))

    def score(self, level: LevelSign | None) -> float:
        """Score a level that a card has here, or none."""
        if level is None:
            return self._soften(self.absent)
        if not (1 <= level.count <= MAX_COUNT and 1 <= level.points <= MAX_POINTS):
            return self._soften(self.halves if level.halves else self.plain)
        said = float(self.counts[level.count - 1] * self.points[level.points - 1])
        return self._soften((self.halves if level.halves else self.plain) * said)

    def decode(self) -> str:
        """Say which level is seen here; empty if none is."""
        if max(self.absent, self.hidden) >= max(self.plain, self.halves):
            return UNSEEN if self.hidden > self.absent else ""
        count, points = int(self.counts.argmax()) + 1, int(self.points.argmax()) + 1
        return f"{count}/2={points}" if self.halves > self.plain else f"{count}X={points}"

    def _soften(self, fits: float) -> float:
        return float(np.log((1 - FLOOR) * (fits + self.hidden) + FLOOR))
