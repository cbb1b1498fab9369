"""Photos as answers: of pieces that were drawn, of the Supply board, of a player's board."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

import click

from coatl_tools.errors import CorrectionError
from coatl_tools.language import Language
from coatl_tools.rules.state import GameState
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading
from coatl_tools.vision.boards.learned_boards import get_boards_path
from coatl_tools.vision.boards.piece_answers import (
    PieceAnswer,
    PieceCorrections,
    answer_fill_draws,
    answer_player_board,
    answer_spaces,
    parse_piece_corrections,
)
from coatl_tools.vision.photo_format import require_opencv

PHOTO_SUFFIXES = ("jpg", "jpeg", "png", "webp", "heic", "heif", "tif", "tiff", "bmp")
_PHOTO_NAME = rf"[^\"']*?\.(?:{'|'.join(PHOTO_SUFFIXES)})"
_PHOTO_ANSWER = re.compile(
    rf"(?:@\s*)?(?:\"([^\"]+)\"|'([^']+)'|({_PHOTO_NAME})|(?<=@)(\S+))(?:\s+(.+))?",
    re.IGNORECASE | re.DOTALL,
)


def parse_photo_answer(line: str) -> tuple[Path, str] | None:
    """Split a line into a photo's path and corrections after it; None if it names no photo."""
    stripped = line.strip()
    found = _PHOTO_ANSWER.fullmatch(stripped)
    if found is None or (stripped[0] in "\"'" and "." not in stripped):
        return None
    path = Path(next(filter(None, found.groups()[:4])).strip())
    with contextlib.suppress(RuntimeError):  # ~ of somebody who has no home
        path = path.expanduser()
    return path, found[5] or ""


AnswerMaker = Callable[[LooseReading, PieceCorrections], PieceAnswer]


class PiecePhotoReader:
    """Reads photos of loose pieces as answers; each photo only once, even if corrections follow."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._read: dict[tuple[Path, BoardKind], LooseReading] = {}

    def answer_draws(self, path: Path, corrections: str, state: GameState) -> str:
        """Return which pieces came to the Supply board, as typed; CoatlError if it is not sure."""
        return self._answer(
            path,
            BoardKind.SUPPLY,
            corrections,
            lambda reading, said: answer_fill_draws(reading, state, said),
        )

    def answer_spaces(self, path: Path, corrections: str, space_kinds: str) -> str:
        """Return and print what lies on all spaces of the Supply board; CoatlError if unsure."""
        return self._print_answer(
            path,
            BoardKind.SUPPLY,
            corrections,
            lambda reading, said: answer_spaces(reading, space_kinds, said),
        )

    def answer_player_board(self, path: Path, corrections: str) -> str:
        """Return and print the pieces on a player's board; CoatlError if unsure."""
        return self._print_answer(path, BoardKind.PLAYER, corrections, answer_player_board)

    def _print_answer(
        self, path: Path, kind: BoardKind, corrections: str, make: AnswerMaker
    ) -> str:
        """Answer a question to which the answer is not shown again."""
        found = self._answer(path, kind, corrections, make)
        click.echo(f"  {found}", err=True)
        return found

    def _answer(self, path: Path, kind: BoardKind, corrections: str, make: AnswerMaker) -> str:
        said = parse_piece_corrections(corrections)
        if (path, kind) not in self._read:
            self._read[path, kind] = _read_photo(path, kind, self.language.code)
        answer = make(self._read[path, kind], said)
        if answer.doubts:
            doubts = (self.language.sentence(*doubt.phrase) for doubt in answer.doubts)
            raise CorrectionError(
                "loose.not_sure", path=path, doubts=tuple(doubts), seen=answer.text or "–"
            )
        return answer.text


def _read_photo(path: Path, kind: BoardKind, lang: str) -> LooseReading:
    require_opencv()
    # OpenCV is heavy, and few people answer with a photo.
    from coatl_tools.vision.boards.board_reader import read_board_file  # noqa: PLC0415

    return read_board_file(path, kind, lang, get_boards_path())[1]
