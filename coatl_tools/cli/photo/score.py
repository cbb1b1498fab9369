"""`coatl score --photo`: read, then score as typed input does; what is not sure is not scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coatl_tools.cli.photo.options import EXIT_UNSURE, Wishes
from coatl_tools.cli.settings import Settings, separate
from coatl_tools.errors import CommandLineError, FileError

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog
    from coatl_tools.cli.photo.scores import Scoring
    from coatl_tools.vision.reading import Reading


def score_photo(
    settings: Settings,
    photo: Path,
    card_ids: Sequence[str],
    wishes: Wishes,
    number: int | None,
    promo: bool,
    level3: bool,
    closed_ends: bool,
    as_json: bool,
) -> int:
    """The exit code: 3 if the photo could not be read for sure, and nothing was scored.

    FileError for what is no photo, or shows no Cóatl.
    """
    from coatl_tools.cli.photo.scores import Scoring, in_the_way, print_scores
    from coatl_tools.cli.screen import Screen

    catalog = settings.catalog()
    cards = tuple(catalog[card_id] for card_id in separate(card_ids))
    if cards and level3:
        raise click.UsageError("--level3 is for the best set, without CARDs.")
    how = Scoring(promo, level3, closed_ends, cards)
    try:
        reading = wishes.reading(photo, settings, catalog, how)
    except FileError as error:
        if as_json:
            from coatl_tools.vision.reading import unreadable

            _print_json(unreadable(photo, error), [], catalog, how, settings)
        raise
    indices = _chosen(reading, number, bool(cards))
    problems = in_the_way(reading, indices, how)
    if as_json:
        _print_json(reading, [] if problems else indices, catalog, how, settings)
    if problems:
        from coatl_tools.cli.photo.unsure import say_not_sure

        say_not_sure(str(photo), problems, settings, wishes.fix)
        return EXIT_UNSURE
    if not indices:
        raise FileError("photo.none_there", path=photo)
    if not as_json:
        print_scores(reading, catalog, how, Screen(settings.language), indices)
    return 0


def _chosen(reading: Reading, number: int | None, with_cards: bool) -> list[int]:
    """The Cóatls to score; CommandLineError if it is not clear which."""
    there = len(reading.coatls)
    if number is not None:
        if not 1 <= number <= there:
            raise CommandLineError("photo.no_coatl", number=number, n=there)
        return [number - 1]
    if with_cards and there > 1:
        raise CommandLineError("photo.which_coatl", n=there)
    return list(range(there))


def _print_json(
    reading: Reading, indices: Sequence[int], catalog: Catalog, how: Scoring, settings: Settings
) -> None:
    from coatl_tools.cli.photo.scores import sheet_of
    from coatl_tools.cli.scoresheet import sheet_json
    from coatl_tools.cli.screen import print_json
    from coatl_tools.vision.as_json import reading_json

    scores = []
    for index in indices:
        sheet = sheet_of(reading, index, catalog, how)
        if sheet is not None:
            scores.append({"number": index + 1, **sheet_json(sheet, settings.language)})
    print_json({"scores": scores, "reading": reading_json(reading, settings.language)})
