"""`coatl score --photo` and `coatl advise --photo`: Cóatls from a photo, if they are sure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.common_options import Settings, split_card_ids
from coatl_tools.cli.photo.options import EXIT_UNSURE, PhotoOptions
from coatl_tools.cli.photo.photo_reader import PhotoReader
from coatl_tools.cli.photo.rendering import print_not_sure, print_scores
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError, FileError
from coatl_tools.referee.position_text import build_coatl
from coatl_tools.rules.state import Built
from coatl_tools.scoring.score_sheet import serialize_score_sheet
from coatl_tools.vision.reading import PhotoReading, make_unreadable_reading, reading_to_json
from coatl_tools.vision.scores_and_tally import (
    PhotoScoringOptions,
    find_cards_beside,
    find_scoring_obstacles,
    make_score_sheet,
)


def score_photo(
    settings: Settings,
    photo: Path,
    card_ids: Sequence[str],
    options: PhotoOptions,
    number: int | None,
    promo: bool,
    level3: bool,
    closed_ends: bool,
    as_json: bool,
) -> int:
    """The exit code: 3 if the photo could not be read for sure, and nothing was scored.

    FileError for what is no photo, or shows no Cóatl.
    """
    catalog = settings.catalog()
    cards = tuple(catalog[card_id] for card_id in split_card_ids(card_ids))
    if cards and level3:
        raise click.UsageError("--level3 is for the best set, without CARDs.")
    how = PhotoScoringOptions(promo, level3, closed_ends, cards)
    try:
        reading = PhotoReader(options, settings, catalog).read(photo, how)
    except FileError as error:
        if as_json:
            _print_scores_json(make_unreadable_reading(photo, error), [], catalog, how, settings)
        raise
    indices = _choose_coatls(reading, number, bool(cards))
    problems = find_scoring_obstacles(reading, indices, how)
    if as_json:
        _print_scores_json(reading, [] if problems else indices, catalog, how, settings)
    if problems:
        print_not_sure(str(photo), problems, settings, options.fix)
        return EXIT_UNSURE
    if not indices:
        raise FileError("photo.none_there", path=photo)
    if not as_json:
        print_scores(reading, catalog, how, Screen(settings.language), indices)
    return 0


def _choose_coatls(reading: PhotoReading, number: int | None, with_cards: bool) -> list[int]:
    """The Cóatls to score; CommandLineError if it is not clear which."""
    there = len(reading.coatls)
    if number is not None:
        if not 1 <= number <= there:
            raise CommandLineError("photo.no_coatl", number=number, n=there)
        return [number - 1]
    if with_cards and there > 1:
        raise CommandLineError("photo.which_coatl", n=there)
    return list(range(there))


def _print_scores_json(
    reading: PhotoReading,
    indices: Sequence[int],
    catalog: Catalog,
    how: PhotoScoringOptions,
    settings: Settings,
) -> None:
    scores = []
    for index in indices:
        sheet = make_score_sheet(reading, index, catalog, how)
        if sheet is not None:
            scores.append({"number": index + 1, **serialize_score_sheet(sheet, settings.language)})
    print_json({"scores": scores, "reading": reading_to_json(reading, settings.language)})


def read_coatls_from_photo(
    settings: Settings,
    photo: Path,
    catalog: Catalog,
    options: PhotoOptions,
    numbers: Sequence[int],
    closed_ends: bool,
) -> tuple[Built, ...] | None:
    """The Cóatls of these numbers, or all; None if they could not be read for sure, which is said.

    FileError for what is no photo, or shows no Cóatl.
    """
    how = PhotoScoringOptions(closed_ends=closed_ends)
    reading = PhotoReader(options, settings, catalog).read(photo, how)
    there = len(reading.coatls)
    for number in numbers:
        if not 1 <= number <= there:
            raise CommandLineError("photo.no_coatl", number=number, n=there)
    indices = [number - 1 for number in numbers] or list(range(there))
    problems = find_scoring_obstacles(reading, indices, how)
    if problems:
        print_not_sure(str(photo), problems, settings, options.fix)
        return None
    if not indices:
        raise FileError("photo.none_there", path=photo)
    found = []
    for index in indices:
        cards = " ".join(card.id for card in find_cards_beside(reading, index, catalog))
        found.append(build_coatl(reading.coatls[index].notation, cards, catalog))
    return tuple(found)
