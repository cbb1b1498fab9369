"""Lines of large characters in a picture, cut out so that Tesseract sees nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from coatl_tools.vision.trace import Pixels

TALL = 34  # pixels of a line's characters as they are handed on
ROOM = (52, 260)  # pixels of a picture of a line: height, width
MOST = 8  # lines in one picture
FEWEST = 3  # characters that make a line


def text_lines(grey: Pixels, least: float, most: float) -> list[Pixels]:
    """The lines whose characters are between two heights in pixels, dark on white, from the top."""
    found: list[tuple[int, Pixels]] = []
    block = int(2.5 * most) | 1
    for ink in (grey, np.asarray(255 - grey, np.uint8)):
        dark = cv2.adaptiveThreshold(
            ink, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, 14
        )
        count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
        boxes = [
            (int(x), int(y), int(w), int(h))
            for x, y, w, h, _ in stats[1:count]
            if least <= h <= most and 0.12 * h <= w <= 1.4 * h
        ]
        for line in _grouped(boxes):
            found.append((min(y for _, y, _, _ in line), _cut(ink, line)))
    return [picture for _, picture in sorted(found, key=lambda pair: pair[0])[:MOST]]


def _grouped(
    boxes: Sequence[tuple[int, int, int, int]],
) -> list[list[tuple[int, int, int, int]]]:
    """Boxes of one height side by side."""
    lines: list[list[tuple[int, int, int, int]]] = []
    for box in sorted(boxes):
        x, y, _, h = box
        for line in lines:
            last_x, last_y, last_w, last_h = line[-1]
            level = abs(y + h / 2 - last_y - last_h / 2) < 0.3 * max(h, last_h)
            alike = 0.7 < h / last_h < 1.4
            if level and alike and x - last_x - last_w < 2.2 * h:
                line.append(box)
                break
        else:
            lines.append([box])
    return [line for line in lines if len(line) >= FEWEST]


def _cut(ink: Pixels, line: Sequence[tuple[int, int, int, int]]) -> Pixels:
    """A line on white, of the height that Tesseract reads best."""
    height = float(np.median([h for _, _, _, h in line]))
    rim = max(2, int(0.2 * height))
    left, right = min(x for x, _, _, _ in line), max(x + w for x, _, w, _ in line)
    top, low = min(y for _, y, _, _ in line), max(y + h for _, y, _, h in line)
    part = ink[max(0, top - rim) : low + rim, max(0, left - rim) : right + rim]
    dark, light = (float(value) for value in np.percentile(part, (4, 75)))
    part = np.clip((part - dark) / max(light - dark, 1.0) * 255, 0, 255).astype(np.uint8)
    scale = min(TALL / height, (ROOM[0] - 2) / part.shape[0], (ROOM[1] - 2) / part.shape[1])
    sized = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    out = np.full(ROOM, 255, np.uint8)
    y = (ROOM[0] - sized.shape[0]) // 2
    out[y : y + sized.shape[0], : sized.shape[1]] = sized
    return out
