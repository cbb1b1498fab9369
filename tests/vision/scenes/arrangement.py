"""What lies where on a table, in millimetres: Cóatls piece by piece, cards, the mat."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from coatl_tools.cards.card import CardKind
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.mat.mat_geometry import MatSheetName
from tests.vision.scenes import cutouts
from tests.vision.scenes.cutouts import Cutout, Press

Points = NDArray[np.float64]
SceneKind = Literal["mat", "loose", "cards", "table"]
MATS: Mapping[str, tuple[MatSheetName, ...]] = {
    "a4": ("a4",), "letter": ("letter",), "double": ("left", "right"),
}  # fmt: skip
APART = 16.0  # millimetres between what does not belong together
NEARER = 1.6  # a card is so much nearer to its own Cóatl than to any other


@dataclass(frozen=True, eq=False)
class Laid:
    """A cut-out on the table: its map from its own millimetres to the table's, and what it is."""

    cutout: Cutout
    place: Points
    name: str = ""  # head:red, P29
    thick: float = 0.3

    @property
    def outline(self) -> Points:
        """Where it ends on the table."""
        return _mapped(self.place, self.cutout.outline)

    @property
    def corners(self) -> Points:
        """The corners of the box around it, as it lies."""
        low, high = self.cutout.outline.min(axis=0), self.cutout.outline.max(axis=0)
        box = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
        return _mapped(self.place, np.array(box))

    @property
    def middle(self) -> Points:
        """Where its own origin lies."""
        return np.asarray(self.place[:2, 2])

    def moved(self, by: Points) -> Laid:
        """The same after a map of the table."""
        return replace(self, place=by @ self.place)


@dataclass(frozen=True, eq=False)
class LaidCoatl:
    """A Cóatl on the table, from the head end to the tail end."""

    pieces: tuple[Laid, ...]
    bend: str
    gap: float

    @property
    def points(self) -> Points:
        """All its outlines."""
        return np.concatenate([piece.outline for piece in self.pieces])

    @property
    def middles(self) -> Points:
        """The middles of its pieces."""
        return np.array([piece.middle for piece in self.pieces])

    def moved(self, by: Points) -> LaidCoatl:
        """The same after a map of the table."""
        return replace(self, pieces=tuple(piece.moved(by) for piece in self.pieces))


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Everything that a photo must show; cards with the number of their Cóatl."""

    coatls: tuple[LaidCoatl, ...] = ()
    cards: tuple[tuple[Laid, int | None], ...] = ()
    sheets: tuple[Laid, ...] = ()
    mat: str | None = None
    frame: Points | None = None  # must be in the photo as well

    def moved(self, by: Points) -> Arrangement:
        """The same after a map of the table."""
        return replace(
            self,
            coatls=tuple(coatl.moved(by) for coatl in self.coatls),
            cards=tuple((card.moved(by), own) for card, own in self.cards),
            sheets=tuple(sheet.moved(by) for sheet in self.sheets),
            frame=None if self.frame is None else _mapped(by, self.frame),
        )

    @property
    def points(self) -> Points:
        """All that must be in the photo."""
        found = [coatl.points for coatl in self.coatls]
        found += [card.outline for card, _ in self.cards]
        if self.frame is not None:
            found.append(self.frame)
        return np.concatenate(found)


def turned(degrees: float, x: float = 0.0, y: float = 0.0) -> Points:
    """A map that turns about the origin, then moves."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([(cos, -sin, x), (sin, cos, y), (0.0, 0.0, 1.0)])


def _mapped(matrix: Points, points: Points) -> Points:
    return np.asarray(points @ matrix[:2, :2].T + matrix[:2, 2])


def random_coatl(rng: Generator, press: Press, least: int, most: int) -> LaidCoatl:
    """Some Cóatl about the origin, its head to the left, laid as people lay it."""
    length = int(rng.integers(least, most + 1))
    head, tail = rng.random() < 0.8, rng.random() < 0.7
    colours = _colours(rng, length)
    kinds = [PieceKind.BODY] * length
    if head:
        kinds[0] = PieceKind.HEAD
    if tail:
        kinds[-1] = PieceKind.TAIL
    bend = str(rng.choice(["straight", "straight", "arc", "wiggle"]))
    gap = float(rng.uniform(0, 1)) if rng.random() < 0.7 else float(rng.uniform(-0.2, 0.2))
    steps = _turns(rng, bend, length)
    pitch, heading, at = cutouts.piece_shape().pitch, -float(np.sum(steps)) / 2, np.zeros(2)
    thick = float(rng.choice([0.25, 0.3, 1.0, 2.0]))
    pieces: list[Laid] = []
    for i in range(length):
        way = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))])
        if i:
            between = max(-0.3, gap + float(rng.normal(0, 0.2)))
            at = at + way * (pitch + between) / 2
        flip = (
            180.0 if (head or tail) and kinds[i] is PieceKind.BODY and rng.random() < 0.15 else 0.0
        )
        beside = np.array([-way[1], way[0]]) * float(rng.normal(0, 0.25))
        turn = heading + float(rng.normal(0, 0.6)) + flip
        pieces.append(
            Laid(
                cutouts.piece(press, kinds[i], colours[i]),
                turned(turn, *(at + beside)),
                f"{kinds[i].value}:{colours[i].word}",
                thick,
            )
        )
        at = at + way * (pitch + gap) / 2
        heading += float(steps[i])
    made = LaidCoatl(tuple(pieces), bend, round(gap, 2))
    low, high = made.points.min(axis=0), made.points.max(axis=0)
    return made.moved(turned(0, *(-(low + high) / 2)))


def _colours(rng: Generator, length: int) -> list[Colour]:
    """Colours, now and then the same several times."""
    found: list[Colour] = []
    same = float(rng.uniform(0.1, 0.5))
    for _ in range(length):
        again = bool(found) and rng.random() < same
        found.append(found[-1] if again else Colour(int(rng.integers(5))))
    return found


def _turns(rng: Generator, bend: str, length: int) -> Points:
    """Degrees from each piece to the next."""
    loose = rng.normal(0, 0.7, length)
    if bend == "arc":
        return np.asarray(loose + rng.uniform(1, 4) * rng.choice([-1, 1]))
    if bend == "wiggle":
        wave = np.sin(np.arange(length) * rng.uniform(0.5, 1.1) + rng.uniform(0, 6))
        return np.asarray(loose + rng.uniform(1.5, 4) * wave)
    return np.asarray(loose)


def random_cards(
    rng: Generator, press: Press, count: int, temples: int | None = None
) -> list[Laid]:
    """Some cards, each about the origin; so many of them Temple cards."""
    temples = min(count, int(rng.integers(0, 3))) if temples is None else temples
    ids = cutouts.card_ids()
    chosen = [*rng.choice(ids[CardKind.PROPHECY], count - temples, replace=False)]
    chosen += [*rng.choice(ids[CardKind.TEMPLE], temples, replace=False)]
    corner = float(rng.choice([0.0, 2.0, 3.0]))
    thick = float(rng.choice([0.2, 0.3, 0.6]))
    order = rng.permutation(count)
    found = [str(chosen[i]) for i in order]
    return [Laid(cutouts.card(press, one, corner), turned(0), one, thick) for one in found]


def _on_mat(rng: Generator, press: Press) -> Arrangement:
    name = str(rng.choice(["a4", "a4", "letter", "double"]))
    press = replace(press, paper="letter" if name == "letter" else "a4")
    sheets, places, marks, lanes = [], [], [], []
    for sheet in MATS[name]:
        cutout, geometry = cutouts.mat(press, sheet)
        sheets.append(Laid(cutout, turned(0, geometry.offset), f"mat {sheet}", 0.15))
        places += [(place.kind, place.box, geometry.offset) for place in geometry.places]
        lanes += [(geometry.offset + geometry.lane.x, geometry.lane)]
        for corners in geometry.marks.values():
            marks += [(x + geometry.offset, y) for x, y in corners]
    left, lane = lanes[0][0], lanes[0][1]
    right = lanes[-1][0] + lanes[-1][1].width
    shape = cutouts.piece_shape()
    most = int((right - left - shape.head - shape.tail - 12) / (shape.pitch + 1.3)) + 1
    coatl = random_coatl(rng, press, 3, most)
    while np.ptp(coatl.points[:, 0]) > right - left - 4 or np.ptp(coatl.points[:, 1]) > 42:
        coatl = random_coatl(rng, press, 3, most)
    spare = (right - left - float(np.ptp(coatl.points[:, 0]))) / 2
    turn = float(rng.normal(0, 0.7)) + (180 if rng.random() < 0.15 else 0)
    x = (left + right) / 2 + float(rng.uniform(-0.8, 0.8)) * spare
    coatl = coatl.moved(turned(turn, x, lane.y + lane.height / 2 + float(rng.normal(0, 1.2))))
    cards: list[tuple[Laid, int | None]] = []
    low, high = coatl.points[:, 1].min(), coatl.points[:, 1].max()
    free = [p for p in places if p[1].bottom < low + 3 or p[1].y > high - 3]
    count = int(rng.integers(0, len(free) + 1))
    for index in sorted(rng.choice(len(free), count, replace=False)):
        kind, box, offset = free[index]
        taken = {card.name for card, _ in cards}
        card = random_cards(rng, press, 1, int(kind == "temple"))[0]
        while card.name in taken:
            card = random_cards(rng, press, 1, int(kind == "temple"))[0]
        about = np.array([box.centre[0] + offset, box.centre[1]]) + rng.normal(0, 1.0, 2)
        about[1] += -2 if box.centre[1] < lane.y else 2
        over = 180 if rng.random() < 0.1 else 0
        cards.append((card.moved(turned(float(rng.normal(0, 1.2)) + over, *about)), 0))
    frame = np.array(marks) if rng.random() < 0.92 else None
    return Arrangement((coatl,), tuple(cards), tuple(sheets), name, frame)


def _loose(rng: Generator, press: Press) -> Arrangement:
    count = int(rng.choice([1, 1, 1, 2, 2, 3]))
    coatls: list[LaidCoatl] = []
    around = 60.0
    while len(coatls) < count:
        coatl = random_coatl(rng, press, 3, 14 if count == 1 else 9)
        turn = float(rng.normal(0, 12)) if rng.random() < 0.6 else float(rng.uniform(0, 360))
        coatl = coatl.moved(turned(turn, *(rng.uniform(-around, around, 2) * (0.6, 1))))
        if all(_apart(coatl.points, other.points) > APART for other in coatls):
            coatls.append(coatl)
        around += 6
    return Arrangement(tuple(coatls))


def _cards(rng: Generator, press: Press) -> Arrangement:
    count = int(rng.integers(1, 13))
    columns = int(rng.integers(1, min(count, 5) + 1)) if count < 7 else int(rng.integers(3, 6))
    across, down = rng.uniform(67, 80), rng.uniform(93, 106)
    loose = float(rng.choice([1.0, 4.0]))
    cards = []
    for i, card in enumerate(random_cards(rng, press, count)):
        at = np.array([i % columns * across, i // columns * down])
        at += rng.uniform(-1, 1, 2) * (min(across - 66, 6), min(down - 91, 6)) / 2
        turn = float(np.clip(rng.normal(0, loose), -loose, loose)) * 0.6
        turn += 180 if rng.random() < 0.1 else 0
        cards.append(card.moved(turned(turn, *at)))
    if rng.random() < 0.6:
        return Arrangement(cards=tuple((card, None) for card in cards))
    coatl = random_coatl(rng, press, 3, 10)
    low = max(float(card.outline[:, 1].max()) for card in cards)
    tall = float(np.ptp(coatl.points[:, 1])) / 2
    middle = (columns - 1) * across / 2 + float(rng.uniform(-30, 30))
    coatl = coatl.moved(turned(float(rng.normal(0, 2)), middle, low + tall + rng.uniform(14, 30)))
    return Arrangement((coatl,), tuple((card, 0) for card in cards))


def _table(rng: Generator, press: Press) -> Arrangement:
    players = int(rng.integers(2, 5))
    for apart in range(30, 300, 15):
        found = _players(rng, press, players, float(apart))
        if _clear(found):
            return found
    raise AssertionError("players who sit far apart are told apart")


def _players(rng: Generator, press: Press, players: int, apart: float) -> Arrangement:
    """Cóatls with a row of cards at each, in rows of two at most."""
    counts = [int(rng.integers(0, 5)) for _ in range(players)]
    deck = random_cards(rng, press, sum(counts), min(sum(counts), int(rng.integers(0, 4))))
    coatls: list[LaidCoatl] = []
    cards: list[tuple[Laid, int | None]] = []
    columns = 1 if players == 2 and rng.random() < 0.6 else 2
    y = 0.0
    for row in range(0, players, columns):
        x, bottom = 0.0, y
        for own in range(row, min(players, row + columns)):
            coatl = random_coatl(rng, press, 3, 9)
            hand, deck = deck[: counts[own]], deck[counts[own] :]
            turn = float(rng.normal(0, 4)) + (180 if row == 0 and rng.random() < 0.4 else 0)
            coatl, hand = _zone(rng, coatl, hand, turn)
            points = np.concatenate([coatl.points, *(card.outline for card in hand)])
            by = turned(0, *(np.array([x, y]) - points.min(axis=0)))
            coatls.append(coatl.moved(by))
            cards += [(card.moved(by), own) for card in hand]
            size = np.ptp(points, axis=0)
            x, bottom = x + float(size[0]) + apart, max(bottom, y + float(size[1]))
        y = bottom + apart
    return Arrangement(tuple(coatls), tuple(cards))


def _zone(
    rng: Generator, coatl: LaidCoatl, hand: Sequence[Laid], turn: float
) -> tuple[LaidCoatl, list[Laid]]:
    """A Cóatl and a row of cards below it, turned as its player sits."""
    low = float(coatl.points[:, 1].max()) + float(rng.uniform(8, 20)) + 46
    step, laid = float(rng.uniform(67, 74)), []
    for i, card in enumerate(hand):
        x = (i - (len(hand) - 1) / 2) * step + float(rng.normal(0, 1))
        laid.append(card.moved(turned(turn + float(rng.normal(0, 1.2)), *_at(turn, x, low))))
    return coatl.moved(turned(turn)), laid


def _at(turn: float, x: float, y: float) -> Points:
    return _mapped(turned(turn), np.array([(x, y)])).reshape(2)


def _clear(arrangement: Arrangement) -> bool:
    """Whether everything lies apart, and each card nearest to its own Cóatl."""
    coatls = arrangement.coatls
    if any(_apart(a.points, b.points) < APART for a in coatls for b in coatls if a is not b):
        return False
    for card, own in arrangement.cards:
        reach = [_apart(coatl.middles, card.middle[None]) for coatl in coatls]
        others = [r for i, r in enumerate(reach) if i != own]
        if own is None or min(others) < NEARER * reach[own]:
            return False
    return True


def _apart(one: Points, other: Points) -> float:
    """How near two sets of points come to each other; outlines have more than are needed."""
    some, more = (p[:: 1 + len(p) // 100].astype(np.float32) for p in (one, other))
    return float(np.min(np.linalg.norm(some[:, None] - more[None], axis=2)))


ARRANGED: Mapping[SceneKind, Callable[[Generator, Press], Arrangement]] = {
    "mat": _on_mat,
    "loose": _loose,
    "cards": _cards,
    "table": _table,
}


def arranged(rng: Generator, kind: SceneKind, press: Press) -> Arrangement:
    """Some arrangement of a kind, turned on the table in some way."""
    quarter = float(rng.choice([0, 0, 0, 0, 90, 180, 270]))
    turn = quarter + float(rng.normal(0, 8)) if rng.random() < 0.75 else float(rng.uniform(0, 360))
    return ARRANGED[kind](rng, press).moved(turned(turn))
