"""Ways to read a photo, and what they say in the few values that are judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from benchmarks.photos.labels import LabelsError, Pieces
from coatl_tools.cards.catalog import load_cards
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.reader import read_photo_file
from coatl_tools.vision.reading import Outline, PhotoReading, Point
from coatl_tools.vision.stage_trace import Trace


class ReadCoatl(NamedTuple):
    """A Cóatl as it was read."""

    pieces: Pieces
    sure: bool
    confidence: float = 1.0
    orientation_known: bool = True
    centres: tuple[Point, ...] = ()
    outlines: tuple[Outline, ...] = ()
    player: int | None = None


class ReadCard(NamedTuple):
    """A card as it was read; no id if it could not be."""

    id: str | None
    sure: bool
    coatl: int | None = None
    outline: Outline = ()


class ReadProblem(NamedTuple):
    """A problem as it was reported, and what it is about; nothing: the photo as a whole."""

    code: str
    serious: bool = True
    coatl: int | None = None
    card: int | None = None


class ReadPhoto(NamedTuple):
    """What a reader says of a photo."""

    coatls: tuple[ReadCoatl, ...] = ()
    cards: tuple[ReadCard, ...] = ()
    problems: tuple[ReadProblem, ...] = ()


Reader: TypeAlias = Callable[[Path, Trace], ReadPhoto]


def find_reader(name: str) -> Reader:
    """Find a reader: `network`, or a folder of JSON files that `coatl read --json` has written."""
    if name == "network":
        return partial(_read_with_networks, load_cards())
    if Path(name).is_dir():
        return partial(_read_stored, Path(name))
    raise LabelsError(f"--reader is network or a folder of JSON files, not {name!r}")


def _read_with_networks(catalog: Any, path: Path, trace: Trace) -> ReadPhoto:
    """Read the reader of `coatl read`."""
    return from_reading(read_photo_file(path, catalog, trace=trace)[1])


def _read_stored(folder: Path, path: Path, trace: Trace) -> ReadPhoto:
    """Read a reading that was stored as `photo.json` for `photo.jpg`."""
    with trace.stage("stored"):
        stored = folder / f"{path.stem}.json"
        try:
            return from_json(json.loads(stored.read_text("utf-8")))
        except FileNotFoundError:
            raise LabelsError(f"{stored} is not there: every photo needs a reading") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise LabelsError(f"{stored} is no reading: {error!r}") from error


def from_reading(reading: PhotoReading) -> ReadPhoto:
    """Return what is judged of a reading."""
    return ReadPhoto(
        tuple(
            ReadCoatl(
                tuple((piece.kind, piece.colour) for piece in coatl.pieces),
                coatl.sure,
                coatl.confidence,
                coatl.is_orientation_known,
                tuple(piece.centre for piece in coatl.pieces),
                tuple(piece.outline for piece in coatl.pieces),
                coatl.player,
            )
            for coatl in reading.coatls
        ),
        tuple(ReadCard(card.id, card.sure, card.coatl, card.outline) for card in reading.cards),
        tuple(ReadProblem(p.code, p.serious, p.coatl, p.card) for p in reading.problems),
    )


def from_json(found: Mapping[str, Any]) -> ReadPhoto:
    """Return what is judged of a reading that was written as JSON."""
    return ReadPhoto(
        tuple(map(_coatl_from_json, found["coatls"])),
        tuple(
            ReadCard(
                card.get("id"),
                bool(card.get("sure")),
                card.get("coatl"),
                _parse_outline(card.get("outline", ())),
            )
            for card in found.get("cards", ())
        ),
        tuple(
            ReadProblem(
                str(problem["code"]),
                bool(problem.get("grave", True)),
                problem.get("coatl"),
                problem.get("card"),
            )
            for problem in found.get("problems", ())
        ),
    )


def _coatl_from_json(coatl: Mapping[str, Any]) -> ReadCoatl:
    pieces = coatl["pieces"]
    outlines = tuple(_parse_outline(piece.get("outline", ())) for piece in pieces)
    return ReadCoatl(
        tuple(
            (PieceKind(piece["kind"]), Colour.from_english_name(piece["colour"]))
            for piece in pieces
        ),
        bool(coatl["sure"]),
        float(coatl.get("confidence", 1)),
        bool(coatl.get("orientation_known", True)),
        tuple(map(_find_middle, outlines)) if all(outlines) else (),
        outlines,
        coatl.get("player"),
    )


def _parse_outline(points: Iterable[Sequence[float]]) -> Outline:
    return tuple((float(x), float(y)) for x, y in points)


def _find_middle(outline: Outline) -> Point:
    xs, ys = zip(*outline, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
