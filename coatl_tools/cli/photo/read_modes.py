"""What `coatl read` does with photos: print, correct (--fix), or tally (--tally)."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.common_options import (
    Settings,
)
from coatl_tools.cli.photo.options import (
    EXIT_UNSURE,
    PhotoOptions,
)
from coatl_tools.cli.photo.photo_reader import PhotoReader
from coatl_tools.cli.photo.rendering import print_not_sure, print_reading, print_scores
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.questions import ask_question
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import (
    FileError,
    PositionError,
    escape_unprintable,
)
from coatl_tools.files import write_file_atomically
from coatl_tools.language import Language, load_language
from coatl_tools.referee.position_text import parse_card_ids
from coatl_tools.referee.tally import parse_tally, score_tally
from coatl_tools.vision.output.files import PhotoOutputFiles
from coatl_tools.vision.reading import PhotoReading, reading_to_json
from coatl_tools.vision.scores_and_tally import (
    LaidCoatl,
    PhotoPlayer,
    PhotoScoringOptions,
    assign_stated_owners,
    build_tally_json,
    collect_laid_coatls,
    find_scoring_obstacles,
    parse_owner,
    parse_players,
)
from coatl_tools.vision.trace import Trace


def print_photos(
    settings: Settings,
    paths: Sequence[Path],
    options: PhotoOptions,
    overlays: Path | None,
    reports: Path | None,
    as_json: bool,
) -> int:
    """Print what each photo shows, and write the overlays and reports that are asked for.

    Return the exit code: EXIT_UNSURE if something is not sure, or a photo cannot be opened.
    """
    catalog, language = settings.catalog(), settings.language
    screen, reader = Screen(language), PhotoReader(options, settings, catalog)
    files = PhotoOutputFiles(overlays, reports, language, paths)
    unsure = coatls = 0
    # none where the results themselves run over the same terminal
    with ProgressBar(len(paths), wanted=len(paths) > 1 and not sys.stdout.isatty()) as bar:
        for done, path in enumerate(paths, 1):
            trace = Trace(pictures=reports is not None)
            picture, reading = reader.load_or_report(path, trace)
            unsure += not reading.sure
            coatls += len(reading.coatls)
            if as_json:
                print_json(reading_to_json(reading, language))
            elif picture is not None:
                print_reading(reading, screen)
            for label, target in files.write(picture, reading, trace):
                if not as_json:
                    # not by the screen, which would break a long path
                    print(screen.label(label, path=escape_unprintable(str(target))))
            if not as_json and picture is not None:
                screen.print("")
            sys.stdout.flush()
            bar.show(done)
    if not as_json:
        screen.print(_describe_result(screen, len(paths), unsure, coatls))
    return EXIT_UNSURE if unsure else 0


def _describe_result(screen: Screen, photos: int, unsure: int, coatls: int) -> str:
    if not unsure and not coatls:
        return screen.label("read_sure_of_none")
    if not unsure:
        return screen.label("read_all_sure", photos)
    if photos == 1:
        return screen.label("read_not_sure")
    return screen.label("read_some_unsure", photos=photos, unsure=unsure)


def tally_photos(
    settings: Settings,
    images: Sequence[Path],
    options: PhotoOptions,
    tally: Path,
    players: str | None,
) -> int:
    """Read the photos of a finished table and write their tally; return the exit code."""
    seats = [] if players is None else parse_players(players)
    reader, readings = PhotoReader(options, settings, settings.catalog()), []
    with ProgressBar(len(images), wanted=not options.fix) as bar:
        for done, path in enumerate(images, start=1):
            readings.append(reader.read(path, PhotoScoringOptions()))
            bar.show(done)
    return write_tally(settings, tally, readings, seats, options.fix)


def fix_photos(
    settings: Settings, images: Sequence[Path], options: PhotoOptions, as_json: bool
) -> int:
    """Let somebody correct each photo, then print its scores, or the reading as JSON.

    Return the exit code: EXIT_UNSURE if something is still not sure.
    """
    catalog, screen = settings.catalog(), Screen(settings.language)
    reader, how, sure = PhotoReader(options, settings, catalog), PhotoScoringOptions(), True
    for path in images:
        picture, reading = reader.load_or_report(path)
        if picture is not None:
            reading = reader.correct(picture, reading, how)
        if as_json:
            print_json(reading_to_json(reading, settings.language))
        else:
            every = range(len(reading.coatls))
            done = [index for index in every if not find_scoring_obstacles(reading, [index], how)]
            print_scores(reading, catalog, how, screen, done)
            if reading.sure and not reading.coatls:
                screen.print(screen.label("read_sure_of_none"))
        sure = sure and reading.sure
        if picture is not None and not reading.sure:
            grave = [problem for problem in reading.problems if problem.grave]
            print_not_sure(str(path), grave, settings, fixed=True)
    return 0 if sure else EXIT_UNSURE


def write_tally(
    settings: Settings,
    target: Path,
    readings: Sequence[PhotoReading],
    seats: Sequence[PhotoPlayer],
    fixed: bool,
) -> int:
    """Write the tally of these photos, or to standard output for `-`; the exit code.

    With anything that is not sure, nothing is written; FileError for a photo without a Cóatl. Whose
    a Cóatl is follows from the seats, from the photos if there is one for each, or is asked; so is
    who played, if there are no seats.
    """
    unsure = [reading for reading in readings if not reading.sure]
    for reading in unsure:
        grave = [problem for problem in reading.problems if problem.grave]
        print_not_sure(reading.file, grave, settings, fixed)
    if unsure:
        return EXIT_UNSURE
    for reading in readings:
        if not reading.coatls:
            raise FileError("photo.none_there", path=reading.file)
    catalog, language = settings.catalog(), load_language(settings.lang)
    by_photo = collect_laid_coatls(readings)
    coatls = [one for photo in by_photo for one in photo]
    seats = seats or ask_question(language.label("ask_players"), parse_players, settings.lang)
    owners = _find_owners(seats, by_photo, language)
    names, cards = [seat.name for seat in seats], tuple(catalog)
    alone = len(names) == 1  # against A.D.A.M., whose cards no photo of Cóatls shows (rule 7.1)

    def ended(fulfilled: Sequence[str] | None) -> dict[str, Any]:
        data = build_tally_json(names, owners, coatls, catalog, fulfilled)
        score_tally(parse_tally(data, cards), cards)
        return data

    try:
        data = ended(() if alone else None)
    except PositionError as error:  # no game ends like this: something was read wrongly, or missed
        raise PositionError("tally.impossible", reason=error.spoken) from error
    if alone:
        question = language.label("ask_fulfilled")
        data = ask_question(
            question, lambda text: ended(parse_card_ids(text, catalog)), settings.lang
        )
    _print_unused_cards(readings, catalog, language)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if str(target) == "-":
        print(text, end="")
    else:
        write_file_atomically(target, text)
        settings.done = True
        print(language.label("tally_written", file=shlex.quote(str(target))))
    return 0


def _find_owners(
    seats: Sequence[PhotoPlayer], by_photo: list[list[LaidCoatl]], language: Language
) -> list[int]:
    """For each Cóatl the player whose it is."""
    coatls = [one for photo in by_photo for one in photo]
    if any(seat.coatls for seat in seats):
        return assign_stated_owners(seats, len(coatls))
    if len(seats) == 1:
        return [0] * len(coatls)
    if len(seats) == len(by_photo):
        return [seat for seat, photo in enumerate(by_photo) for _ in photo]

    names = [seat.name for seat in seats]
    found = []
    for number, one in enumerate(coatls, start=1):
        question = language.label(
            "tally_whose", number, coatl=one.coatl, file=one.file, names=", ".join(names)
        )
        found.append(ask_question(question, partial(parse_owner, names=names), language.code))
    return found


def _print_unused_cards(
    readings: Sequence[PhotoReading], catalog: Catalog, language: Language
) -> None:
    """Cards that lie beside no Cóatl are in no tally: that is said."""
    for reading in readings:
        left = [card.id for card in reading.cards if card.coatl is None and card.id]
        if left:
            said = language.label("tally_unused", file=reading.file, cards=", ".join(left))
            click.echo(said, err=True)
