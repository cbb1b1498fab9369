"""What must hold before a photo is decoded: OpenCV is there, and the format is known.

This module imports no OpenCV, so the web server can use it.
"""

from __future__ import annotations

from coatl_tools.errors import FileError


def require_opencv() -> None:
    """Raise FileError, saying what to install, if `import cv2` fails.

    Call this before importing any module that imports cv2.
    """
    try:
        import cv2  # noqa: F401, PLC0415 (to import it is the question)
    except ModuleNotFoundError as error:
        raise FileError("opencv.missing") from error
    except ImportError as error:
        raise FileError("opencv.broken", reason=str(error)) from error


FORMAT_BYTES = 16  # bytes that are enough to tell
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def detect_photo_format(begin: bytes) -> str | None:
    """Return Pillow's name for the format of a file that begins so; None if it is no photo."""
    if begin[4:8] == b"ftyp" and begin[8:12] in _HEIF_BRANDS:
        return "HEIF"
    if begin[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if begin[:8] == b"\x89PNG\r\n\x1a\n":
        return "PNG"
    if begin[:4] == b"RIFF" and begin[8:12] == b"WEBP":
        return "WEBP"
    return None
