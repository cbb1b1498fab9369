"""What `coatl read` does with photos: print, correct (--fix), tally (--tally), learn (--learn).

This loads OpenCV.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from coatl_tools.cli.colours import print_profile
from coatl_tools.cli.photo.photo_options import EXIT_UNSURE, PhotoOptions
from coatl_tools.cli.photo.photo_reader import PhotoReader
from coatl_tools.cli.photo.reading_screen import print_not_sure, print_reading, print_scores
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.questions import ask_question
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import FileError, PositionError, escape_unprintable
from coatl_tools.files.atomic_writes import write_file_atomically
from coatl_tools.language import Language
from coatl_tools.referee.position_text import parse_card_ids
from coatl_tools.rules.editions import choose_edition
from coatl_tools.vision.colour_profiles import (
    check_profile_name,
    get_profiles_path,
    load_colour_profiles,
    profile_to_json,
    save_colour_profiles,
)
from coatl_tools.vision.output.photo_report import PhotoOutputFiles
from coatl_tools.vision.piece_colours import learn_profile
from coatl_tools.vision.reading import PhotoReading, reading_to_json
from coatl_tools.vision.scores_and_tally import (
    LaidCoatl,
    PhotoPlayer,
    PhotoScoringOptions,
    assign_stated_owners,
    collect_laid_coatls,
    find_scoring_obstacles,
    make_tally,
    parse_owner,
    parse_players,
)
from coatl_tools.vision.stage_trace import Trace

# Reading alone.


def print_photos(
    settings: Settings,
    paths: Sequence[Path],
    options: PhotoOptions,
    overlays: Path | None,
    reports: Path | None,
    as_json: bool,
) -> int:
    """Print the reading of every photo, and write overlays and reports; return the exit code."""
    screen = Screen(settings.language)
    files = PhotoOutputFiles(overlays, reports, settings.language, paths)
    reader = PhotoReader(options, settings, settings.catalog())
    opened = unsure = coatls = 0
    # no bar where the results themselves run over the same terminal
    with ProgressBar(len(paths), wanted=len(paths) > 1 and not sys.stdout.isatty()) as bar:
        for done, path in enumerate(paths, 1):
            trace = Trace(keep_pictures=reports is not None)
            picture, reading = reader.read_or_report(path, trace)
            opened += picture is not None
            unsure += not reading.sure
            coatls += len(reading.coatls)
            if as_json:
                print_json(reading_to_json(reading, settings.language))
            elif picture is not None:
                print_reading(reading, screen)
            for label, target in files.write(picture, reading, trace):
                if not as_json:  # never wrapped, so that the path can be copied
                    print(screen.label(label, path=escape_unprintable(str(target))))
            if not as_json and picture is not None:
                screen.print("")
            sys.stdout.flush()
            bar.update(done)
    if opened and not as_json:  # otherwise the errors have said all there is to say
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


# With --fix.


def correct_photos(
    settings: Settings, paths: Sequence[Path], options: PhotoOptions, as_json: bool
) -> int:
    """Let the user correct each photo, and print its scores or its reading as JSON.

    Returns the exit code.
    """
    catalog, screen, scoring = settings.catalog(), Screen(settings.language), PhotoScoringOptions()
    reader, sure = PhotoReader(options, settings, catalog), True
    for path in paths:
        picture, reading = reader.read_or_report(path)
        if picture is not None:
            reading = reader.correct_interactively(picture, reading, scoring)
        if as_json:
            print_json(reading_to_json(reading, settings.language))
        else:
            every = range(len(reading.coatls))
            settled = [i for i in every if not find_scoring_obstacles(reading, [i], scoring)]
            print_scores(reading, catalog, scoring, screen, settled)
            if reading.sure and not reading.coatls:
                screen.print(screen.label("read_sure_of_none"))
        sure = sure and reading.sure
        if picture is not None and not reading.sure:
            print_not_sure(str(path), reading.serious_problems, settings, interactive=True)
    return 0 if sure else EXIT_UNSURE


# With --tally.


def tally_photos(
    settings: Settings,
    paths: Sequence[Path],
    options: PhotoOptions,
    target: Path,
    players: str | None,
) -> int:
    """Read photos of a finished game, and write its tally if everything is sure.

    Returns the exit code. Raises FileError for a photo without a Cóatl.
    """
    seats = [] if players is None else parse_players(players)
    reader, readings = PhotoReader(options, settings, settings.catalog()), []
    with ProgressBar(len(paths), wanted=not options.interactive) as bar:
        for done, path in enumerate(paths, start=1):
            readings.append(reader.read_and_correct(path, PhotoScoringOptions()))
            bar.update(done)
    unsure = [reading for reading in readings if not reading.sure]
    for reading in unsure:
        print_not_sure(reading.file, reading.serious_problems, settings, options.interactive)
    if unsure:
        return EXIT_UNSURE
    for reading in readings:
        if not reading.coatls:
            raise FileError("photo.none_there", path=reading.file)
    _write_tally(settings, target, readings, seats)
    return 0


def _write_tally(
    settings: Settings,
    target: Path,
    readings: Sequence[PhotoReading],
    seats: Sequence[PhotoPlayer],
) -> None:
    """Write the tally of these photos to a file, or to standard output for `-`.

    Asks who played if there are no seats, who owns each Cóatl if neither seats nor photos tell, and
    which cards A.D.A.M. has fulfilled.
    """
    catalog, language = settings.catalog(), settings.language
    edition = choose_edition(None, language)
    by_photo = collect_laid_coatls(readings)
    coatls = [one for photo in by_photo for one in photo]
    seats = seats or ask_question(language.label("ask_players"), parse_players, settings.lang)
    owners = _find_owners(seats, by_photo, language)
    names = [seat.name for seat in seats]
    solo = len(names) == 1  # against A.D.A.M., whose cards no photo of Cóatls shows (rule 7.1)

    def parse_fulfilled(text: str) -> dict[str, Any]:
        return make_tally(names, owners, coatls, catalog, edition, parse_card_ids(text, catalog))

    try:
        data = make_tally(names, owners, coatls, catalog, edition, () if solo else None)
    except PositionError as error:  # no game ends like this: something was read wrongly, or missed
        raise PositionError("tally.impossible", reason=error.spoken) from error
    if solo:
        data = ask_question(language.label("ask_fulfilled"), parse_fulfilled, settings.lang)
    _print_unused_cards(readings, language)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if str(target) == "-":
        print(text, end="")
    else:
        write_file_atomically(target, text)
        settings.done = True
        print(language.label("tally_written", file=shlex.quote(str(target))))


def _find_owners(
    seats: Sequence[PhotoPlayer], by_photo: list[list[LaidCoatl]], language: Language
) -> list[int]:
    """Find for each Cóatl its player: as stated, by the photos if each has one, or by asking."""
    coatls = [one for photo in by_photo for one in photo]
    if any(seat.coatls for seat in seats):
        return assign_stated_owners(seats, len(coatls))
    if len(seats) == 1:
        return [0] * len(coatls)
    if len(seats) == len(by_photo):
        return [seat for seat, photo in enumerate(by_photo) for _ in photo]
    names = [seat.name for seat in seats]
    owners = []
    for number, one in enumerate(coatls, start=1):
        question = language.label(
            "tally_whose", number, coatl=one.coatl, file=one.file, names=", ".join(names)
        )
        owners.append(ask_question(question, partial(parse_owner, names=names), language.code))
    return owners


def _print_unused_cards(readings: Sequence[PhotoReading], language: Language) -> None:
    """Print the cards that lie beside no Cóatl, which no tally contains."""
    for reading in readings:
        unused = [card.id for card in reading.cards if card.coatl is None and card.id]
        if unused:
            text = language.label("tally_unused", file=reading.file, cards=", ".join(unused))
            click.echo(text, err=True)


# With --learn.


def learn_colours(
    settings: Settings, path: Path, name: str, options: PhotoOptions, as_json: bool
) -> int:
    """Learn the colours of a photo and save them under a name, replacing an older profile."""
    name = name.strip()
    check_profile_name(name)
    file = get_profiles_path()
    profiles = dict(load_colour_profiles(file))
    picture, reading = PhotoReader(options, settings, settings.catalog()).read(path)
    profile = learn_profile(reading, picture.pixels, picture.file_pixels_per_pixel)
    save_colour_profiles(file, profiles | {name: profile})
    settings.done = True
    if as_json:
        print_json({name: profile_to_json(profile)})
    else:
        key = "colours_replaced" if name in profiles else "colours_learned"
        argument = shlex.quote(name)
        print(settings.language.label(key, name=name, file=file, argument=argument))
        print_profile(profile, settings.language)
    return 0
