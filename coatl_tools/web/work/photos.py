"""Photos from phones: checked before anything decodes them, then read in another process.

The server itself never loads OpenCV. A photo is bytes all the way, never a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import FileError, escape_unprintable
from coatl_tools.vision.prerequisites import FORMAT_BYTES, detect_photo_format
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.web.work.child import Tell

LONGEST = 1600  # pixels of the long side of a photo that is shown
_NAME = 60  # characters of a photo's name
_NAMELESS = "photo"


@dataclass(frozen=True, slots=True)
class Photo:
    """What a phone sent, and what it is called; nothing of it has been decoded."""

    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read, and the photo to show with it: a JPEG, upright, with nothing but pixels.

    The reading's points times `scale` are points of what is shown.
    """

    reading: PhotoReading
    jpeg: bytes
    size: tuple[int, int]
    scale: float


def photo(data: bytes, name: str = "") -> Photo:
    """A photo that may be read, by its first bytes; FileError for what is none.

    Of the name that a browser tells, only what stands behind the last slash is kept, to be shown.
    """
    name = escape_unprintable(re.split(r"[/\\]", name)[-1].strip(". ")[-_NAME:]) or _NAMELESS
    if not data:
        raise FileError("photo.empty", path=name)
    if detect_photo_format(data[:FORMAT_BYTES]) is None:
        raise FileError("photo.no_image", path=name)
    return Photo(data, name)


def read(tell: Tell, sent: Photo, catalog: Catalog) -> Seen:
    """The job: read a photo as `coatl read` does. FileError for what cannot be read."""
    from coatl_tools.vision.prerequisites import require_opencv  # noqa: PLC0415 (see above)

    require_opencv()
    from coatl_tools.web.work.looking import looked_at  # noqa: PLC0415 (see above)

    return looked_at(tell, sent, catalog)


def warm(_: Tell, catalog: Catalog) -> None:
    """The job before: load what reading needs, while somebody still takes the photo."""
    from coatl_tools.vision.prerequisites import require_opencv  # noqa: PLC0415 (see above)

    require_opencv()
    from coatl_tools.web.work.looking import look_at_nothing  # noqa: PLC0415 (see above)

    look_at_nothing(catalog)
