"""Write overlays and reports, one file for each photo, each named after its photo."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import cv2

from coatl_tools.errors import FileError
from coatl_tools.files import OutputFile, write_files_together
from coatl_tools.language import Language
from coatl_tools.vision.output.html_report import render_report
from coatl_tools.vision.output.overlay import render_overlay
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.vision.trace import Trace


class PhotoOutputFiles:
    """Writes overlays and reports; each has the name of its photo, and none that of another."""

    def __init__(
        self,
        overlays: Path | None,
        reports: Path | None,
        language: Language,
        photos: Iterable[Path] = (),
    ) -> None:
        self._overlays, self._reports, self._language = overlays, reports, language
        self._photos = set(map(os.path.realpath, photos))  # which takes links that run in a circle
        self._names: set[str] = set()
        for folder in (overlays, reports):
            if folder is not None:
                _check_folder(folder)

    def write(
        self, picture: Picture | None, reading: PhotoReading, trace: Trace
    ) -> Iterator[tuple[str, Path]]:
        """Write what is wanted of a photo; yield each file with the key of its label."""
        if picture is None or (self._overlays is None and self._reports is None):
            return
        name = self._make_name(picture.path)
        drawn = render_overlay(picture, reading, self._language)
        if self._overlays is not None:
            data = cv2.imencode(".png", drawn)[1].tobytes()
            made = OutputFile(PurePosixPath(f"{name}-overlay.png"), data)
            yield "read_overlay", write_files_together(self._overlays, [made])[0]
        if self._reports is not None:
            page = render_report(reading, drawn, trace, self._language)
            made = OutputFile(PurePosixPath(f"{name}-report.html"), page.encode())
            yield "read_report", write_files_together(self._reports, [made])[0]

    def _make_name(self, path: Path) -> str:
        """Make a file name from the photo's, with a number if it is taken.

        A name is also taken if the overlay would overwrite a photo.
        """
        stem = re.sub(r"[^\w.-]+", "-", path.stem).strip("-.")[:80] or "photo"
        name, number = stem, 1
        while name.casefold() in self._names or self._is_photo(name):
            # some file systems ignore case
            number += 1
            name = f"{stem}-{number}"
        self._names.add(name.casefold())
        return name

    def _is_photo(self, name: str) -> bool:
        return (
            self._overlays is not None
            and os.path.realpath(self._overlays / f"{name}-overlay.png") in self._photos
        )


def _check_folder(folder: Path) -> None:
    """Raise FileError, before any photo is read, if the path exists and is no folder."""
    if folder.is_dir() or not os.path.lexists(folder):
        return
    raise FileError("photo.out_folder" if folder.exists() else "photo.out_link", path=folder)
