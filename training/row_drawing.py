"""Draw the rows of published cards: pieces between head and tail."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour
from coatl_tools.vision.cards.card_signs import (
    SIGN_WIDTH,
    WIDE_SIGN_WIDTH,
    RowSign,
    SignKind,
    place_signs,
)
from training.lettering import Picture, draw_text

FACE_PIXELS_PER_MM = 8  # pixels a millimetre
FINE = 2  # rows of pieces are drawn larger by this factor, then shrunk
PIECE_TONES = {
    Colour.R: (232, 52, 42),
    Colour.G: (122, 192, 74),
    Colour.B: (18, 112, 168),
    Colour.Y: (247, 208, 34),
    Colour.K: (54, 48, 50),
}
WHITE = (236, 234, 232)
CROSS = (128, 36, 30)


def vary_tone(rng: np.random.Generator, tone: Sequence[float], spread: float) -> tuple[float, ...]:
    """Return a tone like this one."""
    mixed = np.array(tone, float) * rng.uniform(0.88, 1.1) + rng.normal(0, spread, 3)
    return tuple(float(part) for part in np.clip(mixed, 0, 255))


class RowLook:
    """How the rows of one card are drawn."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.scale = FINE * FACE_PIXELS_PER_MM
        self.pitch = SIGN_WIDTH * rng.uniform(0.96, 1.04)
        self.high = rng.uniform(6.2, 7.4)
        self.bar, self.stem = rng.uniform(0.9, 1.9), rng.uniform(1.7, 3.0)
        self.reach, self.curl = rng.uniform(0.58, 0.76), rng.uniform(0.7, 2.2)
        self.boxed, self.broad = rng.random() < 0.2, rng.uniform(1.3, 2.3)
        self.lean = rng.uniform(-0.05, 0.22)
        self.tip, self.thinning = rng.uniform(0, 1.1), rng.uniform(0.7, 1)
        self.rim = rng.uniform(0.25, 0.8)
        self.rim_tone = vary_tone(rng, (238, 232, 222), 12)
        self.bevel = rng.uniform(0, 0.5)
        self.tones = {colour: vary_tone(rng, tone, 16) for colour, tone in PIECE_TONES.items()}
        self.white = vary_tone(rng, WHITE, 6)
        self.sign_tone = vary_tone(rng, (70, 60, 56), 10)
        self.cross = vary_tone(rng, CROSS, 12)
        self.cross_rim = max(self.rim, rng.uniform(0.3, 1.4))  # may hide most of the hook
        self.brown = vary_tone(rng, (166, 128, 90), 12)

    def draw(self, row: Sequence[RowSign]) -> NDArray[np.float32]:
        """Draw a row between head and tail: RGB and cover, 64 by 16 mm, in fine pixels."""
        scale = self.scale
        colours = np.zeros((16 * scale, 64 * scale, 3), np.uint8)
        cover = np.zeros((16 * scale, 64 * scale), np.uint8)
        places = [32 + at * self.pitch / SIGN_WIDTH for at in place_signs(row)]
        widths = [sign.width for sign in row]
        begin = places[0] - widths[0] / 2 - self.rng.uniform(1.2, 2.4)
        end = places[-1] + widths[-1] / 2 + self.rng.uniform(1.2, 2.4)
        self._draw_end(colours, cover, begin, -1)
        self._draw_end(colours, cover, end, 1)
        order = list(zip(row, places, strict=True))
        order.sort(key=lambda pair: pair[0].kind is not SignKind.REPEATED)  # blocks lie under hooks
        for sign, x in order:
            self._draw_sign(colours, cover, sign, x)
        for sign, x in order:
            if sign.kind is SignKind.CROSSED:
                self._draw_cross(colours, cover, x)
            elif sign.kind is SignKind.REPEATED:
                light = sign.colour is None or sum(self.tones[sign.colour]) >= 420
                self._draw_infinity(colours, cover, x, self.sign_tone if light else WHITE)
        size = 64 * FACE_PIXELS_PER_MM, 16 * FACE_PIXELS_PER_MM
        small = cv2.resize(colours, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        small /= np.maximum(alpha, 1e-3)[..., None]  # uncovered pixels are black
        return np.dstack([np.clip(small, 0, 255), alpha])

    def _stroke(
        self,
        colours: Picture,
        cover: Picture,
        points: NDArray[np.float64],
        thick: float,
        tone: Sequence[float],
    ) -> None:
        at = np.round(points * self.scale).astype(np.int32)
        width = max(1, round(thick * self.scale))
        cv2.polylines(colours, [at], False, tuple(tone), width)
        cv2.polylines(cover, [at], False, 255, width)

    def _fill(
        self, colours: Picture, cover: Picture, points: NDArray[np.float64], tone: Sequence[float]
    ) -> None:
        at = np.round(points * self.scale).astype(np.int32)
        cv2.fillPoly(colours, [at], tuple(tone))
        cv2.fillPoly(cover, [at], 255)

    def _draw_end(self, colours: Picture, cover: Picture, x: float, side: int) -> None:
        """Draw a small head or tail: some brown shape beside the row."""
        rng, long = self.rng, self.rng.uniform(4.5, 10)
        across = rng.uniform(0.6, 2.8, 7) if side < 0 else rng.uniform(0.3, 1.8, 7)
        along = np.linspace(0, long, 7)
        upper = np.stack([x + side * along, 8 - across + rng.normal(0, 0.3)], axis=1)
        lower = np.stack([x + side * along, 8 + across * rng.uniform(0.5, 1)], axis=1)
        dark = tuple(0.6 * part for part in self.brown)
        if rng.random() < 0.7:
            outline = np.concatenate([upper, lower[::-1]])
            if rng.random() < 0.5:
                self._stroke(colours, cover, np.vstack([outline, outline[:1]]), 0.5, dark)
            self._fill(colours, cover, outline, self.brown)
        else:  # strands side by side
            for y in np.linspace(-1.2, 1.2, int(rng.integers(2, 4))):
                wave = 8 + y + rng.uniform(0.2, 0.8) * np.sin(along * rng.uniform(0.6, 2))
                strand = np.stack([x + side * along, wave], axis=1)
                self._stroke(colours, cover, strand, rng.uniform(0.4, 1), self.brown)
        for _ in range(int(rng.integers(2, 7))):
            start = np.array([x + side * rng.uniform(0, long), 8 + rng.normal(0, 0.8)])
            line = np.cumsum(np.vstack([start, rng.normal(0, 0.8, (3, 2))]), axis=0)
            self._stroke(colours, cover, line, rng.uniform(0.15, 0.4), dark)

    def _draw_sign(self, colours: Picture, cover: Picture, sign: RowSign, x: float) -> None:
        tone = self.white if sign.colour is None else self.tones[sign.colour]
        if sign.kind in (SignKind.EQUAL, SignKind.COUNT):
            self._draw_letters(
                colours, cover, "=" if sign.kind is SignKind.EQUAL else str(sign.count), x
            )
        elif sign.kind is SignKind.REPEATED and self.boxed:
            half, up = WIDE_SIGN_WIDTH / 2 - self.rng.uniform(-0.2, 0.4), self.high / 2
            box = np.array([[-half, -up], [half, -up], [half, up], [-half, up]]) + np.array([x, 8])
            self._stroke(colours, cover, np.vstack([box, box[:1]]), 2 * self.rim, self.rim_tone)
            self._fill(
                colours, cover, box + np.array([0, 0.35]), tuple(0.6 * part for part in tone)
            )
            self._fill(colours, cover, box - np.array([0, 0.25]), tone)
        else:
            hook = self._list_hook(x, self.broad if sign.kind is SignKind.REPEATED else 0)
            for line, thick in hook:
                self._stroke(colours, cover, line, thick + 2 * self.rim, self.rim_tone)
            dark = tuple((0.75 - self.bevel / 2) * part for part in tone)
            for line, thick in hook:
                self._stroke(colours, cover, line + np.array([0.12, 0.3]), thick, dark)
            for line, thick in hook:
                self._stroke(colours, cover, line - np.array([0, 0.1]), thick, tone)

    def _list_hook(self, x: float, broad: float) -> list[tuple[NDArray[np.float64], float]]:
        """List the strokes of an S-shaped hook: a stem, bars at its ends, curls at theirs.

        The stem of a broad one is wider by twice that.
        """
        up, bar, stem = self.high / 2, self.bar, self.stem
        left, low = -self.pitch * self.reach + bar / 2, up - bar / 2
        half = np.array(
            [
                [stem / 2 - bar / 2, low],
                [left + 0.6, low],
                [left, low - 0.6],
                [left, low - bar / 2 - self.curl],
                [left + self.tip, low - bar / 2 - self.curl - 0.2],
                [left + self.tip + 0.3, low - bar / 2 - self.curl + 0.5],
            ]
        ) - np.array([broad, 0])
        upright = np.array([[0, -up + stem / 2], [0, up - stem / 2]])
        steps = np.linspace(-broad, broad, int(np.ceil(4 * broad / stem)) + 1)
        parts = [(upright + np.array([step, 0]), stem) for step in steps]
        curl = slice(3 if self.tip > 0.5 else 2, None)
        for one in (half, -half):
            parts += [(one[:4], bar), (one[curl], bar * self.thinning)]
        lean = np.array([(1, 0), (-self.lean, 1)])
        return [(line @ lean + np.array([x, 8]), thick) for line, thick in parts]

    def _draw_infinity(
        self, colours: Picture, cover: Picture, x: float, tone: Sequence[float]
    ) -> None:
        radius, thick = self.rng.uniform(0.7, 1.2), self.rng.uniform(0.25, 0.6)
        around = np.linspace(0, 2 * np.pi, 25)
        y = 8 + self.rng.normal(-0.2, 0.3)
        rings = [
            np.stack([x + side * radius + radius * np.cos(around), y + radius * np.sin(around)], 1)
            for side in (-1, 1)
        ]
        if self.rng.random() < 0.4:
            for ring in rings:
                self._stroke(colours, cover, ring, thick + 0.4, self.sign_tone)
        for ring in rings:
            self._stroke(colours, cover, ring, thick, tone)

    def _draw_letters(self, colours: Picture, cover: Picture, text: str, x: float) -> None:
        ink = (60.0, 38.0, 28.0)
        drawn = draw_text(
            self.rng, text, self.rng.uniform(3, 6) * self.scale / (2 if text == "=" else 1), ink
        )
        high, wide = drawn.shape[:2]
        left, top = round(x * self.scale - wide / 2), round(8 * self.scale - high / 2)
        if top < 0 or left < 0:
            return
        at = np.s_[top : top + high, left : left + wide]
        shown = drawn[..., 3] > 0.5
        colours[at][shown] = ink
        cover[at][shown] = 255

    def _draw_cross(self, colours: Picture, cover: Picture, x: float) -> None:
        wide, high = self.rng.uniform(2, 2.9), self.rng.uniform(3.2, 4.4)
        thick, lean = self.rng.uniform(0.5, 1.2), self.rng.normal(0, 0.3, 4)
        lines = [
            np.array([[x - wide, 8 - high + lean[0]], [x + wide, 8 + high + lean[1]]]),
            np.array([[x + wide, 8 - high + lean[2]], [x - wide, 8 + high + lean[3]]]),
        ]
        for line in lines:
            self._stroke(colours, cover, line, thick + 2 * self.cross_rim, self.rim_tone)
        for line in lines:
            self._stroke(colours, cover, line, thick, self.cross)
