"""OpenCV, or a sentence that says what it lacks: it needs libraries that servers do not have."""

from __future__ import annotations

from coatl_tools.errors import FileError


def need_opencv() -> None:
    """Raise FileError, saying what to install, if `import cv2` fails.

    To be called before any module is imported that imports cv2 itself.
    """
    try:
        import cv2  # noqa: F401, PLC0415 (to import it is the question)
    except ModuleNotFoundError as error:
        raise FileError("opencv.missing") from error
    except ImportError as error:
        raise FileError("opencv.broken", reason=str(error)) from error
