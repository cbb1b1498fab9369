"""Jobs that read photos: checked here, read by `photo_task` in a worker process.

The server itself never loads OpenCV. A photo is bytes all the way, never a file.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import FileError, escape_unprintable
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading
from coatl_tools.vision.boards.learned_boards import LearnedBoard
from coatl_tools.vision.photo_format import FORMAT_BYTES, detect_photo_format, require_opencv
from coatl_tools.vision.reading import PhotoReading, Point
from coatl_tools.web.work.worker_process import ProgressCallback

MAX_JOINED_PHOTOS = 5  # of one table: the whole, and the part of each player
MAX_SHOWN_PIXELS = 1600  # pixels of the long side of a photo that is shown
_MAX_NAME_LENGTH = 60  # characters of a photo's name
_DEFAULT_NAME = "photo"


@dataclass(frozen=True, slots=True)
class UploadedPhoto:
    """The bytes and the name of a photo; nothing has been decoded."""

    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """A photo as it is shown: an upright JPEG without metadata, and its width and height.

    Points of the photo times `scale` are points of what is shown.
    """

    jpeg: bytes
    size: tuple[int, int]
    scale: float

    @property
    def mark(self) -> str:
        """A mark for its address: another photo has another one."""
        return f"{zlib.crc32(self.jpeg):08x}"


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """What was read in a photo, or found so far, and the photo to show with it.

    `joined` are the jobs of the photos that this one was joined to; the first of them is shown.
    """

    reading: PhotoReading
    shown: ShownPhoto
    joined: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PiecePhotoResult:
    """The loose pieces of a photo, and the photo to show with them."""

    reading: LooseReading
    shown: ShownPhoto


@dataclass(frozen=True, slots=True)
class BoardPhotoResult:
    """A photo of a board that is to be learned, as it is shown to mark its places."""

    shown: ShownPhoto


@dataclass(frozen=True, slots=True)
class LearnedBoardResult:
    """A board that was learned and saved, and its picture."""

    name: str
    board: LearnedBoard
    shown: ShownPhoto


def check_photo(data: bytes, name: str = "") -> UploadedPhoto:
    """Check by its first bytes that data are a photo; FileError if not.

    Of the name, which is only shown, the part behind the last slash is kept.
    """
    name = (
        escape_unprintable(re.split(r"[/\\]", name)[-1].strip(". ")[-_MAX_NAME_LENGTH:])
        or _DEFAULT_NAME
    )
    if not data:
        raise FileError("photo.empty", path=name)
    if detect_photo_format(data[:FORMAT_BYTES]) is None:
        raise FileError("photo.no_image", path=name)
    return UploadedPhoto(data, name)


def run_photo_job(tell: ProgressCallback, sent: UploadedPhoto, catalog: Catalog) -> PhotoResult:
    """Run the job: read a photo as `coatl read` does; FileError if it cannot be read."""
    require_opencv()
    from coatl_tools.web.work.photo_task import read_uploaded_photo  # noqa: PLC0415 (see above)

    return read_uploaded_photo(tell, sent, catalog)


def run_joined_photo_job(
    tell: ProgressCallback, sent: UploadedPhoto, first: PhotoResult, catalog: Catalog
) -> PhotoResult:
    """Run the job: read another photo of a table and join it; FileError if it cannot be read."""
    require_opencv()
    from coatl_tools.web.work.photo_task import join_uploaded_photo  # noqa: PLC0415 (see above)

    return join_uploaded_photo(tell, sent, first, catalog)


def run_piece_photo_job(
    tell: ProgressCallback, sent: UploadedPhoto, kind: BoardKind, lang: str, learned: Path
) -> PiecePhotoResult:
    """Run the job: read the loose pieces of a photo; FileError if it cannot be read."""
    require_opencv()
    from coatl_tools.web.work.photo_task import read_uploaded_pieces  # noqa: PLC0415 (see above)

    return read_uploaded_pieces(tell, sent, kind, lang, learned)


def run_board_photo_job(tell: ProgressCallback, sent: UploadedPhoto) -> BoardPhotoResult:
    """Run the job: open a photo whose board is to be learned; FileError if it cannot be read."""
    require_opencv()
    from coatl_tools.web.work.photo_task import open_board_photo  # noqa: PLC0415 (see above)

    return open_board_photo(tell, sent)


def run_learn_board_job(
    tell: ProgressCallback,
    shown: ShownPhoto,
    places: tuple[Point, ...],
    name: str,
    file: Path,
) -> LearnedBoardResult:
    """Run the job: learn a board and save it; CoatlError if it cannot be learned."""
    require_opencv()
    from coatl_tools.web.work.photo_task import learn_shown_board  # noqa: PLC0415 (see above)

    return learn_shown_board(tell, shown, places, name, file)


def run_warm_up_job(_: ProgressCallback, catalog: Catalog) -> None:
    """Run the job that loads what reading needs, before a photo comes."""
    require_opencv()
    from coatl_tools.web.work.photo_task import warm_up_reader  # noqa: PLC0415 (see above)

    warm_up_reader(catalog)
