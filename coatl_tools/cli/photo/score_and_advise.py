"""`coatl score --photo` and `coatl advise --photo`: Cóatls from a photo, if they are sure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.photo.photo_options import EXIT_UNSURE, PhotoOptions
from coatl_tools.cli.photo.photo_reader import PhotoReader
from coatl_tools.cli.photo.reading_screen import print_not_sure, print_scores
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError, FileError
from coatl_tools.rules.state import Built
from coatl_tools.scoring.score_sheet import serialize_score_sheet
from coatl_tools.vision.reading import PhotoReading, make_unreadable_reading, reading_to_json
from coatl_tools.vision.scores_and_tally import (
    PhotoScoringOptions,
    build_coatls,
    find_scoring_obstacles,
    make_score_sheet,
)


def score_photo(
    settings: Settings,
    photo: Path,
    photo_options: PhotoOptions,
    scoring: PhotoScoringOptions,
    number: int | None,
    as_json: bool,
) -> int:
    """Score one Cóatl of a photo by its number, or all, and print the result.

    Returns the exit code: 3 if the photo is not sure, in which case nothing is scored. Raises
    FileError if it is no photo, or shows no Cóatl.
    """
    if scoring.cards and scoring.level3:
        raise click.UsageError("--level3 only applies to the best set, without CARDs.")
    catalog = settings.catalog()
    try:
        reader = PhotoReader(photo_options, settings, catalog)
        reading = reader.read_and_correct(photo, scoring)
    except FileError as error:
        if as_json:
            unreadable = make_unreadable_reading(photo, error)
            _print_scores_json(unreadable, [], catalog, scoring, settings)
        raise
    indices = _choose_coatls(reading, number, bool(scoring.cards))
    problems = find_scoring_obstacles(reading, indices, scoring)
    if as_json:
        _print_scores_json(reading, [] if problems else indices, catalog, scoring, settings)
    if problems:
        print_not_sure(str(photo), problems, settings, photo_options.interactive)
        return EXIT_UNSURE
    if not indices:
        raise FileError("photo.none_there", path=photo)
    if not as_json:
        print_scores(reading, catalog, scoring, Screen(settings.language), indices)
    return 0


def read_coatls_from_photo(
    settings: Settings,
    photo: Path,
    catalog: Catalog,
    photo_options: PhotoOptions,
    numbers: Sequence[int],
    closed_ends: bool,
) -> tuple[Built, ...] | None:
    """Read the Cóatls of these numbers, or all; if they are not sure, print it and return None.

    Raises FileError if it is no photo, or shows no Cóatl.
    """
    scoring = PhotoScoringOptions(closed_ends=closed_ends)
    reading = PhotoReader(photo_options, settings, catalog).read_and_correct(photo, scoring)
    indices = [_get_index(reading, number) for number in numbers] or [*range(len(reading.coatls))]
    problems = find_scoring_obstacles(reading, indices, scoring)
    if problems:
        print_not_sure(str(photo), problems, settings, photo_options.interactive)
        return None
    if not indices:
        raise FileError("photo.none_there", path=photo)
    return build_coatls(reading, indices, catalog)


def _choose_coatls(reading: PhotoReading, number: int | None, with_cards: bool) -> list[int]:
    """Choose the Cóatls to score; CommandLineError if it is not clear which."""
    if number is not None:
        return [_get_index(reading, number)]
    if with_cards and len(reading.coatls) > 1:
        raise CommandLineError("photo.which_coatl", n=len(reading.coatls))
    return [*range(len(reading.coatls))]


def _get_index(reading: PhotoReading, number: int) -> int:
    if not 1 <= number <= len(reading.coatls):
        raise CommandLineError("photo.no_coatl", number=number, n=len(reading.coatls))
    return number - 1


def _print_scores_json(
    reading: PhotoReading,
    indices: Sequence[int],
    catalog: Catalog,
    scoring: PhotoScoringOptions,
    settings: Settings,
) -> None:
    scores = []
    for index in indices:
        sheet = make_score_sheet(reading, index, catalog, scoring)
        if sheet is not None:
            scores.append({"number": index + 1, **serialize_score_sheet(sheet, settings.language)})
    print_json({"scores": scores, "reading": reading_to_json(reading, settings.language)})
