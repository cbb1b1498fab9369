"""`coatl score --batch`: score a file of Cóatls, one JSON object a line, in bounded memory."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import numpy as np

from coatl_tools.cards.card import Card
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.stdio import format_json
from coatl_tools.errors import CoatlError, FileError
from coatl_tools.scoring.batch import BLOCK_ROWS, BatchScorer, CoatlBlock, PointsArray, parse_block

MAX_LINE_BYTES = 65_536  # bytes; no Cóatl comes near, and no line may fill the memory
_CHUNK_BYTES = 1 << 18
_TOO_LONG = "(too long)"  # stands for a line that was longer; told by identity


def score_file(path: Path, cards: Sequence[Card], closed_ends: bool, lang: str) -> bool:
    """Score every line of a file to standard output; return False if any was no Cóatl."""
    scorer = BatchScorer(cards, closed_ends)
    writer = _BatchWriter(cards, lang)
    number, good = 0, True
    with ExitStack() as stack:
        file = _get_standard_input() if str(path) == "-" else stack.enter_context(_open_file(path))
        size = os.fstat(file.fileno()).st_size
        # none where the results themselves run over the same terminal
        bar = stack.enter_context(ProgressBar(size, wanted=not sys.stdout.isatty()))
        for lines, read in _read_blocks(file):
            block = parse_block(lines)
            sys.stdout.write(writer.format_block(lines, block, scorer.points(block), number + 1))
            sys.stdout.flush()
            good &= not block.errors
            number += len(lines)
            bar.update(read, number)
    return good


def _open_file(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise FileError("file.missing", path=path) from None
    except IsADirectoryError:
        raise FileError("file.folder", path=path) from None
    except OSError as error:
        raise FileError("file.unreadable", path=path, reason=error.strerror) from None


def _get_standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise FileError("file.no_input")
    return sys.stdin.buffer


def _read_blocks(file: BinaryIO) -> Iterator[tuple[list[str], int]]:
    """Yield the lines of a file in blocks, each with the number of bytes read so far."""
    read = 0
    begun, overlong = b"", False
    while chunk := _read_chunk(file):
        read += len(chunk)
        *whole, begun_next = chunk.removeprefix(b"\xef\xbb\xbf" * (read == len(chunk))).split(b"\n")
        if whole:
            whole[0] = begun + whole[0]
            lines = [_decode_line(line) for line in whole]
            if overlong:
                lines[0] = _TOO_LONG
            begun, overlong = begun_next, False
            for at in range(0, len(lines), BLOCK_ROWS):
                yield lines[at : at + BLOCK_ROWS], read
        else:
            begun += begun_next
        if len(begun) > MAX_LINE_BYTES:
            begun, overlong = b"", True
    if begun or overlong:
        yield [_TOO_LONG if overlong else _decode_line(begun)], read


def _read_chunk(file: BinaryIO) -> bytes:
    """Read whatever is available now, so that a slow pipe is answered line by line."""
    read1 = getattr(file, "read1", file.read)
    try:
        chunk: bytes = read1(_CHUNK_BYTES)
    except OSError as error:
        raise FileError("file.unreadable", path=file.name, reason=error.strerror) from None
    return chunk


def _decode_line(line: bytes) -> str:
    if len(line) > MAX_LINE_BYTES:
        return _TOO_LONG
    return line.removesuffix(b"\r").decode("utf-8", "replace")


class _BatchWriter:
    """Writes rows as JSON, from pieces of text that are prepared once."""

    def __init__(self, cards: Sequence[Card], lang: str) -> None:
        self._language = lang
        most = max((card.levels[-1].points for card in cards), default=0)
        self._texts = np.empty((len(cards), most + 1), object)
        for row, card in enumerate(cards):
            for points in {level.points for level in card.levels}:
                self._texts[row, points] = f"{json.dumps(card.id)}: {points}"

    def format_block(
        self, lines: Sequence[str], block: CoatlBlock, points: PointsArray, first: int
    ) -> str:
        """Format the lines of a block; `first` is the number of the first of them."""
        rows, columns = np.nonzero(points)
        texts = self._texts[columns, points[rows, columns]].tolist()
        bounds = np.searchsorted(rows, np.arange(len(lines) + 1)).tolist()
        written = [
            f'{{"coatl": "{coatl}", "points": {{{", ".join(texts[begin:end])}}}}}\n'
            for coatl, begin, end in zip(block.texts, bounds, bounds[1:], strict=False)
        ]
        for row, error in block.errors.items():
            written[row] = self._error(lines[row], error, first + row)
        return "".join(written)

    def _error(self, line: str, error: CoatlError, number: int) -> str:
        if line is _TOO_LONG:
            error = CoatlError("batch.long_line", most=MAX_LINE_BYTES)
        message = error.text(self._language)
        return format_json({"line": number, "error": message}) + "\n"
