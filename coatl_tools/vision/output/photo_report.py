"""The HTML report of one photo: overlay, problems, reading, score, and the stages of the reader;
and overlays and reports as files, each named after its photo.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

import cv2
import numpy as np

from coatl_tools.errors import FileError, escape_unprintable
from coatl_tools.files.atomic_writes import OutputFile, write_files_together
from coatl_tools.html_templates import load_templates
from coatl_tools.language import Language, describe_piece
from coatl_tools.notation import format_piece
from coatl_tools.vision.output.overlay import render_overlay
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import (
    PhotoReading,
    SeenPiece,
    describe_problem,
    format_confidence,
)
from coatl_tools.vision.stage_trace import Pixels, Trace

_STAGE_LABELS = {  # what people call the stages; any other is called what it calls itself
    "open": "report_open",
    "marks": "report_marks",
    "mat": "report_mat",
    "cards": "report_cards",
    "card text": "report_card_text",
    "unmarked cards": "report_unmarked_cards",
    "pieces": "report_pieces",
    "nearby": "report_nearby",
    "together": "report_together",
}
_WITNESS_LABELS = {  # likewise
    "mark": "report_by_mark",
    "text": "report_by_text",
    "words": "report_by_words",
    "frame": "report_by_frame",
    "points": "report_by_points",
    "row": "report_by_row",
}
_MAX_PICTURE_SIDE = 1600  # pixels of the long side of a picture
_TEMPLATES = Path(__file__).parent / "templates"


class _Grid(NamedTuple):
    """A table of the page: its columns, and the cells of each row and whether it is doubtful."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[tuple[str, ...], bool]]


def render_report(reading: PhotoReading, overlay: Pixels, trace: Trace, language: Language) -> str:
    """Render the page: the overlay, what is not sure, the reading as tables, and the stages.

    The page shows no times, so the same reading gives the same page.
    """
    name = escape_unprintable(PurePath(reading.file).name)
    width, height = reading.size
    notations = ", ".join(seen.notation for seen in reading.coatls)
    strays = ", ".join(describe_piece(p.colour, p.kind, language) for p in reading.loose_pieces)
    template = load_templates(_TEMPLATES).get_template("photo_report.html")
    page = template.render(
        language=language,
        name=name,
        title=language.label("report_title"),
        size=language.label("report_size", width=width, height=height),
        overlay=_make_figure(overlay, notations or name),
        problems=[
            {"text": describe_problem(problem, language), "code": problem.code}
            for problem in reading.problems
        ],
        coatls=[_make_coatl_section(reading, i, language) for i in range(len(reading.coatls))],
        cards=_make_card_grid(reading, language) if reading.cards else None,
        loose_pieces=language.label("read_strays", pieces=strays) if strays else "",
        stages=[_label_stage(name, language) for name in trace.seconds],
        stage_pictures=[
            (
                _label_stage(stage, language),
                [
                    _make_figure(picture, language.label(label), language.label(label))
                    for _, label, picture in pictures
                ],
            )
            for stage, pictures in groupby(trace.stage_pictures, key=itemgetter(0))
        ],
    )
    return f"{page}\n"  # Jinja drops the last line feed of a template


def _make_coatl_section(reading: PhotoReading, index: int, language: Language) -> dict[str, object]:
    seen = reading.coatls[index]
    key = "read_sure" if seen.sure else "read_unsure"
    columns = ("report_piece", "report_confidence", "report_instead")
    doubts = [reading.has_problem(index, place) for place in range(len(seen.pieces))]
    rows = [
        (_make_piece_cells(piece, place, doubtful, language), doubtful)
        for place, (piece, doubtful) in enumerate(zip(seen.pieces, doubts, strict=True))
    ]
    return {
        "name": language.label("result_coatl", index + 1),
        "seen": seen,
        "confidence": language.label(key, percent=format_confidence(seen.confidence, language)),
        "pieces": _Grid(("", "", *map(language.label, columns)), rows),
    }


def _make_piece_cells(
    piece: SeenPiece, place: int, doubtful: bool, language: Language
) -> tuple[str, ...]:
    """Make the cells of a piece; a doubtful one also shows its second guess."""
    written = format_piece(piece.colour, piece.kind)
    confidence = (
        language.label("read_corrected")
        if piece.corrected
        else format_confidence(piece.confidence, language)
    )
    return (
        f"{place + 1}{' ?' if doubtful else ''}",
        written.replace(piece.colour.name, f"{piece.colour.symbol}{piece.colour.name}"),
        describe_piece(piece.colour, piece.kind, language),
        confidence,
        describe_piece(*piece.guesses(2)[-1], language) if doubtful else "",
    )


def _make_card_grid(reading: PhotoReading, language: Language) -> _Grid:
    rows = []
    for number, card in enumerate(reading.cards, start=1):
        cells = (
            f"c{number}{'' if card.sure else ' ?'}",
            card.id or "",
            format_confidence(card.confidence, language),
            ", ".join(candidate for candidate in card.candidates if candidate != card.id),
            "" if card.coatl is None else language.label("result_coatl", card.coatl + 1),
            ", ".join(_describe_witness(way, saw, language) for way, saw in card.witnesses.items()),
        )
        rows.append((cells, not card.sure))
    columns = ("card", "report_confidence", "report_instead", "report_belongs", "report_witnesses")
    return _Grid(("", *map(language.label, columns)), rows)


def _describe_witness(way: str, saw: str, language: Language) -> str:
    """Describe what a witness saw; a frame has a colour or is that of a Temple card."""
    if way == "frame":
        frames = {colour.word: forms["name"] for colour, forms in language.colours.items()}
        saw = (frames | {"temple": language.label("temple")}).get(saw, saw)
    witness = language.label(_WITNESS_LABELS[way]) if way in _WITNESS_LABELS else way
    return language.label("report_saw", way=witness, saw=saw)


def _label_stage(name: str, language: Language) -> str:
    return language.label(_STAGE_LABELS[name]) if name in _STAGE_LABELS else name


def _make_figure(picture: Pixels, alternative: str, caption: str = "") -> dict[str, str]:
    """Make a picture inside the page: its data, its alternative text, and a caption or nothing."""
    height, width = picture.shape[:2]
    scale = min(1.0, _MAX_PICTURE_SIDE / max(1, width, height))
    if scale < 1:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
    source = f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
    return {"source": source, "alternative": alternative, "caption": caption}


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
