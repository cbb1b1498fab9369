"""What `coatl read` does with photos: print, correct (--fix), learn (--learn).

This loads OpenCV.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from coatl_tools.cli.colours import print_profile
from coatl_tools.cli.photo.photo_options import EXIT_UNSURE, PhotoOptions
from coatl_tools.cli.photo.photo_reader import PhotoReader
from coatl_tools.cli.photo.reading_screen import print_not_sure, print_reading, print_scores
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import escape_unprintable
from coatl_tools.vision.colour_profiles import (
    check_profile_name,
    get_profiles_path,
    load_colour_profiles,
    profile_to_json,
    save_colour_profiles,
)
from coatl_tools.vision.output.photo_report import PhotoOutputFiles
from coatl_tools.vision.piece_colours import learn_profile
from coatl_tools.vision.reading import reading_to_json
from coatl_tools.vision.scores_and_tally import PhotoScoringOptions, find_scoring_obstacles
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


def print_joined_photos(
    settings: Settings,
    paths: Sequence[Path],
    options: PhotoOptions,
    overlays: Path | None,
    as_json: bool,
) -> int:
    """Print what photos of one table show together, and write the overlay of the first one.

    Lets the user correct it, if the options say so. Returns the exit code; raises FileError.
    """
    catalog, screen = settings.catalog(), Screen(settings.language)
    reader, scoring = PhotoReader(options, settings, catalog), PhotoScoringOptions()
    picture, reading = reader.read_joined(paths)
    if options.interactive:
        reading = reader.correct_interactively(picture, reading, scoring)
    if as_json:
        print_json(reading_to_json(reading, settings.language))
    elif options.interactive:
        print_scores(reading, catalog, scoring, screen)
    else:
        print_reading(reading, screen)
        files = PhotoOutputFiles(overlays, None, settings.language, paths[:1])
        for label, target in files.write(picture, reading, Trace()):
            print(screen.label(label, path=escape_unprintable(str(target))))
        screen.print("", _describe_result(screen, 1, not reading.sure, len(reading.coatls)))
    return 0 if reading.sure else EXIT_UNSURE


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
