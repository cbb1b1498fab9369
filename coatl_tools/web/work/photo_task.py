"""Read a photo in the worker process. Loads OpenCV."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.vision.boards.board_learning import learn_board
from coatl_tools.vision.boards.board_pictures import make_learned_picture
from coatl_tools.vision.boards.board_reader import read_board_file
from coatl_tools.vision.boards.board_reading import BoardKind
from coatl_tools.vision.boards.learned_boards import add_learned_board
from coatl_tools.vision.joining.joined_reading import join_readings
from coatl_tools.vision.picture import Picture, decode_picture
from coatl_tools.vision.reader import read_photo, read_photo_file
from coatl_tools.vision.reading import PhotoReading, Point
from coatl_tools.vision.stage_trace import Pixels, Trace
from coatl_tools.web.work.photo_jobs import (
    MAX_SHOWN_PIXELS,
    BoardPhotoResult,
    LearnedBoardResult,
    PhotoResult,
    PiecePhotoResult,
    ShownPhoto,
    UploadedPhoto,
)
from coatl_tools.web.work.worker_process import ProgressCallback

_JPEG_QUALITY = 85  # of the JPEG that is shown
_WARM_UP_SIZE = 480, 640  # rows and columns of a picture to warm up with
# How much is done when a stage begins, and what is said of it; from the times of many photos.
_STAGE_PROGRESS = {
    "open": (0.05, "web_work_open"),
    "marks": (0.15, "web_work_cards"),
    "unmarked cards": (0.2, "web_work_cards"),
    "pieces": (0.4, "web_work_pieces"),
    "nearby": (0.6, "web_work_pieces"),
    "learn": (0.3, "web_work_board"),
}


class _ProgressTrace(Trace):
    """Reports progress when a stage begins, the shrunk photo once it is open, and findings.

    A stage that begins again does not lower the progress.
    """

    shows_findings = True

    def __init__(self, tell: ProgressCallback) -> None:
        super().__init__()
        self._tell = tell
        self._share, self._label = 0.0, ""
        self._shown: ShownPhoto | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Report that a stage begins, and measure its time."""
        share, label = _STAGE_PROGRESS.get(name, (0.0, ""))
        if share > self._share:
            self._share, self._label = share, label
            self._tell(share, label)
        with super().stage(name):
            yield

    def show_picture(self, picture: Picture) -> None:
        """Shrink the photo and report it."""
        self._shown = _make_shown_photo(picture)
        self.show_findings(PhotoReading(str(picture.path), picture.size))

    def show_findings(self, reading: PhotoReading) -> None:
        """Report what was found so far."""
        self._tell(self._share, self._label, PhotoResult(reading, self.shown))

    @property
    def shown(self) -> ShownPhoto:
        """The shrunk photo."""
        assert self._shown is not None, "the photo is not open yet"
        return self._shown


def read_uploaded_photo(
    tell: ProgressCallback, sent: UploadedPhoto, catalog: Catalog
) -> PhotoResult:
    """Read a photo, and shrink it for the page that shows the reading."""
    trace = _ProgressTrace(tell)
    _, reading = read_photo_file(sent.data, catalog, name=sent.name, trace=trace)
    return PhotoResult(reading, trace.shown)


def join_uploaded_photo(
    tell: ProgressCallback, sent: UploadedPhoto, first: PhotoResult, catalog: Catalog
) -> PhotoResult:
    """Read another photo of a table, and join it to what was read before."""
    more = read_uploaded_photo(tell, sent, catalog)
    return replace(first, reading=join_readings([first.reading, more.reading], catalog))


def read_uploaded_pieces(
    tell: ProgressCallback, sent: UploadedPhoto, kind: BoardKind, lang: str, learned: Path
) -> PiecePhotoResult:
    """Read the loose pieces of a photo, and shrink it for the page that shows them."""
    trace = _ProgressTrace(tell)
    _, reading = read_board_file(sent.data, kind, lang, learned, name=sent.name, trace=trace)
    return PiecePhotoResult(reading, trace.shown)


def open_board_photo(tell: ProgressCallback, sent: UploadedPhoto) -> BoardPhotoResult:
    """Open a photo of a board, and shrink it for the page on which its places are marked."""
    tell(*_STAGE_PROGRESS["open"])
    return BoardPhotoResult(_make_shown_photo(decode_picture(sent.data, sent.name)))


def learn_shown_board(
    tell: ProgressCallback,
    shown: ShownPhoto,
    places: tuple[Point, ...],
    name: str,
    file: Path,
) -> LearnedBoardResult:
    """Learn a board from the photo as it was shown, and save it."""
    tell(*_STAGE_PROGRESS["learn"])
    board = learn_board(decode_picture(shown.jpeg, name), places)
    add_learned_board(file, name, board)
    height, width = make_learned_picture(board).picture.shape
    return LearnedBoardResult(name, board, ShownPhoto(board.jpeg, (width, height), 1.0))


def _make_shown_photo(picture: Picture) -> ShownPhoto:
    """Shrink a photo and pack it as a JPEG."""
    shown = _shrink_pixels(picture.pixels)
    height, width = shown.shape[:2]
    jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()
    return ShownPhoto(jpeg, (width, height), width / picture.size[0])


def warm_up_reader(catalog: Catalog) -> None:
    """Read an empty picture, so that the networks are loaded when a photo comes."""
    read_photo(Picture(Path(), np.full((*_WARM_UP_SIZE, 3), 127, np.uint8)), catalog)


def _shrink_pixels(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    scale = MAX_SHOWN_PIXELS / max(height, width)
    if scale >= 1:
        return pixels
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
