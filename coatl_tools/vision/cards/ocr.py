"""Read text with Tesseract: cut out lines of large characters, read ids, points and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import pytesseract

from coatl_tools.vision.stage_trace import Pixels

TIMEOUT_SECONDS = 20  # seconds; then a text counts as unread
MIN_WORD_CONFIDENCE = 25.0  # percent; words that are less sure are noise
OCR_LANGUAGE = "eng"  # ids and figures are alike in all languages, and every Tesseract has it


class NoTesseractError(Exception):
    """Tesseract is not installed, or lacks its language data."""


@dataclass(frozen=True, slots=True)
class OcrLine:
    """What was read on one line, and how sure Tesseract is, from 0 to 1."""

    text: str
    confidence: float


UNREAD_LINE = OcrLine("", 0.0)


def read_text_strip(pictures: Sequence[Pixels], alphabet: str) -> tuple[OcrLine, ...]:
    """Read one line of text on each of some grey pictures of equal size, all at once.

    Starting Tesseract takes most of the time, so they are stacked into one picture.
    """
    if not pictures:
        return ()
    height, width = pictures[0].shape
    gap = height // 2
    step = height + gap
    strip = np.full((len(pictures) * step + gap, width + 2 * gap), 255, np.uint8)
    for index, picture in enumerate(pictures):
        top = gap + index * step
        strip[top : top + height, gap : gap + width] = picture
    found: list[list[_Word]] = [[] for _ in pictures]
    for word in _run_tesseract(strip, 6, alphabet):
        index = int((word.middle - gap / 2) // step)
        if 0 <= index < len(found):
            found[index].append(word)
    return tuple(map(_join_words, found))


def read_text_block(picture: Pixels) -> str:
    """Read the text on a grey picture, as far as possible."""
    height, width = picture.shape
    with_rim = np.vstack([np.full((height // 4, width), 255, np.uint8), picture])
    words = _run_tesseract(with_rim, 6)
    return " ".join(word.text for word in words if word.confidence > MIN_WORD_CONFIDENCE)


def read_single_line(picture: Pixels, alphabet: str) -> OcrLine:
    """Read a grey picture of a single line."""
    return _join_words(_run_tesseract(picture, 7, alphabet))


class _Word(NamedTuple):
    left: int
    text: str
    confidence: float  # percent
    middle: float  # pixels from the top


def _join_words(words: list[_Word]) -> OcrLine:
    """Join words into a line, which is as sure as the least sure of them."""
    if not words:
        return UNREAD_LINE
    text = "".join(word.text for word in sorted(words))
    return OcrLine(text, max(0.0, min(word.confidence for word in words)) / 100)


def _run_tesseract(picture: Pixels, mode: int, alphabet: str = "") -> list[_Word]:
    options = f"--psm {mode}"
    if alphabet:
        options += f" -c tessedit_char_whitelist={alphabet}"
    try:
        found = pytesseract.image_to_data(
            picture,
            lang=OCR_LANGUAGE,
            config=options,
            output_type=pytesseract.Output.DICT,
            timeout=TIMEOUT_SECONDS,
        )
    except (OSError, pytesseract.TesseractError) as error:  # not there, or without its data
        raise NoTesseractError from error
    except RuntimeError:  # it took too long
        return []
    columns = (found[name] for name in ("left", "text", "conf", "top", "height"))
    return [
        _Word(left, text.strip(), float(confidence), top + height / 2)
        for left, text, confidence, top, height in zip(*columns, strict=True)
        if text.strip()
    ]


CHARACTER_HEIGHT = 34  # pixels of a line's characters as they are handed on
LINE_PICTURE_SIZE = (52, 260)  # pixels of a picture of a line: height, width
MAX_LINES = 8  # lines in one picture
MIN_CHARACTERS = 3  # characters that make a line


def cut_text_lines(grey: Pixels, least: float, most: float) -> list[Pixels]:
    """Cut out lines of dark characters, `least` to `most` pixels high, from the top."""
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
        for line in _group_boxes(boxes):
            found.append((min(y for _, y, _, _ in line), _cut_line(ink, line)))
    return [picture for _, picture in sorted(found, key=lambda pair: pair[0])[:MAX_LINES]]


def _group_boxes(
    boxes: Sequence[tuple[int, int, int, int]],
) -> list[list[tuple[int, int, int, int]]]:
    """Group boxes of about equal height that stand side by side into lines."""
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
    return [line for line in lines if len(line) >= MIN_CHARACTERS]


def _cut_line(ink: Pixels, line: Sequence[tuple[int, int, int, int]]) -> Pixels:
    """Cut out a line on white, at the height that Tesseract reads best."""
    height = float(np.median([h for _, _, _, h in line]))
    rim = max(2, int(0.2 * height))
    left, right = min(x for x, _, _, _ in line), max(x + w for x, _, w, _ in line)
    top, low = min(y for _, y, _, _ in line), max(y + h for _, y, _, h in line)
    part = ink[max(0, top - rim) : low + rim, max(0, left - rim) : right + rim]
    dark, light = (float(value) for value in np.percentile(part, (4, 75)))
    part = np.clip((part - dark) / max(light - dark, 1.0) * 255, 0, 255).astype(np.uint8)
    scale = min(
        CHARACTER_HEIGHT / height,
        (LINE_PICTURE_SIZE[0] - 2) / part.shape[0],
        (LINE_PICTURE_SIZE[1] - 2) / part.shape[1],
    )
    sized = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    out = np.full(LINE_PICTURE_SIZE, 255, np.uint8)
    y = (LINE_PICTURE_SIZE[0] - sized.shape[0]) // 2
    out[y : y + sized.shape[0], : sized.shape[1]] = sized
    return out
