"""Reading text with Tesseract; without it, nothing is read, and that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, cast

import numpy as np
import pytesseract

from coatl_tools.vision.trace import Pixels

LIMIT = 20  # seconds; then a text counts as unread
LEAST = 25.0  # percent; words that are less sure are noise
LANGUAGE = "eng"  # ids and figures are alike in all languages, and every Tesseract has it


class NoTesseractError(Exception):
    """Tesseract is not installed, or lacks its data: only what others see can be said."""


class _Words(TypedDict):
    text: list[str]
    conf: list[float]
    left: list[int]
    top: list[int]
    width: list[int]
    height: list[int]


@dataclass(frozen=True, slots=True)
class Line:
    """What was read on one line, and how sure Tesseract is, from 0 to 1."""

    text: str
    confidence: float


UNREAD = Line("", 0.0)


def read_strip(pictures: Sequence[Pixels], alphabet: str) -> tuple[Line, ...]:
    """One line of text on each of some grey pictures of one size, read all at once.

    Starting Tesseract takes most of the time, so all of them go below each other.
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
    found: list[list[tuple[int, str, float]]] = [[] for _ in pictures]
    words = _words(strip, 6, alphabet)
    for text, conf, left, top, tall in zip(
        words["text"], words["conf"], words["left"], words["top"], words["height"], strict=True
    ):
        index = int((top + tall / 2 - gap / 2) // step)
        if text.strip() and 0 <= index < len(found):
            found[index].append((left, text.strip(), float(conf)))
    return tuple(_line(parts) for parts in found)


def read_blocks(pictures: Sequence[Pixels], alphabet: str = "") -> tuple[str, ...]:
    """The text on each of some grey pictures of one size, as far as it can be read."""
    if not pictures:
        return ()
    height = pictures[0].shape[0]
    gap = height // 4
    white = np.full((gap, pictures[0].shape[1]), 255, np.uint8)
    column = np.vstack([part for picture in pictures for part in (white, picture)])
    words = _words(column, 6, alphabet)
    found: list[list[str]] = [[] for _ in pictures]
    for text, conf, top, tall in zip(
        words["text"], words["conf"], words["top"], words["height"], strict=True
    ):
        index = int((top + tall / 2) // (height + gap))
        if text.strip() and float(conf) > LEAST and 0 <= index < len(found):
            found[index].append(text.strip())
    return tuple(" ".join(parts) for parts in found)


def read_line(picture: Pixels, alphabet: str) -> Line:
    """A grey picture of a single line."""
    words = _words(picture, 7, alphabet)
    parts = zip(words["left"], words["text"], words["conf"], strict=True)
    return _line([(left, text.strip(), float(conf)) for left, text, conf in parts if text.strip()])


def _line(parts: list[tuple[int, str, float]]) -> Line:
    """Words as one line: it is as sure as the least sure of them."""
    if not parts:
        return UNREAD
    text = "".join(text for _, text, _ in sorted(parts))
    return Line(text, max(0.0, min(conf for _, _, conf in parts)) / 100)


def _words(picture: Pixels, mode: int, alphabet: str) -> _Words:
    options = f"--psm {mode}"
    if alphabet:
        options += f" -c tessedit_char_whitelist={alphabet}"
    try:
        words = pytesseract.image_to_data(
            picture,
            lang=LANGUAGE,
            config=options,
            output_type=pytesseract.Output.DICT,
            timeout=LIMIT,
        )
    except (OSError, pytesseract.TesseractError) as error:  # not there, or without its data
        raise NoTesseractError from error
    except RuntimeError:  # it took too long
        return _Words(text=[], conf=[], left=[], top=[], width=[], height=[])
    return cast(_Words, words)
