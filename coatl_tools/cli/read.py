"""`coatl read`: what lies on the table, from photos."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coatl_tools.cli.photo.options import EXIT_UNSURE, OVERLAYS, Wishes, further_options
from coatl_tools.cli.settings import FILE, FOLDER, Settings, json_option, shared_options
from coatl_tools.errors import visible

if TYPE_CHECKING:
    from coatl_tools.cli.screen import Screen


@click.command()
@click.argument("paths", metavar="IMAGE...", nargs=-1, required=True, type=FILE)
@click.option(
    "--overlay",
    "overlays",
    metavar="FOLDER",
    type=FOLDER,
    help="Write every photo there with what was read drawn on it.",
)
@click.option(
    "--report",
    "reports",
    metavar="FOLDER",
    type=FOLDER,
    help="Write a page (HTML) for every photo there: how it was read, stage by stage.",
)
@further_options
@json_option
@shared_options
@click.pass_obj
def read(
    settings: Settings,
    paths: tuple[Path, ...],
    overlays: Path | None,
    reports: Path | None,
    sets: tuple[str, ...],
    fix: bool,
    colours: str | None,
    tally: Path | None,
    players: str | None,
    learn: bool,
    name: str | None,
    as_json: bool,
) -> int:
    """Read the Cóatls and cards in photos: JPEG, PNG, WebP or HEIC.

    Exit code 0 if all of it is sure, 3 if something is not, or a photo cannot be opened. With
    --json, every photo is one object on a line of its own.
    """
    from coatl_tools.vision.opencv import need_opencv

    need_opencv()
    from coatl_tools.cli.photo.further import read_further

    wishes = Wishes(sets, fix, colours, overlays or OVERLAYS)
    code = read_further(
        settings, paths, wishes, tally, players, learn, name, as_json, reports is not None
    )
    if code is not None:
        return code
    from coatl_tools.cli.photo_files import PhotoFiles
    from coatl_tools.cli.progress import Bar
    from coatl_tools.cli.reading_screen import show_reading
    from coatl_tools.cli.screen import Screen, print_json
    from coatl_tools.vision.as_json import reading_json
    from coatl_tools.vision.trace import Trace

    catalog, language = settings.catalog(), settings.language
    screen = Screen(language)
    files = PhotoFiles(overlays, reports, language, paths)
    unsure = coatls = 0
    # none where the results themselves run over the same terminal
    with Bar(len(paths), wanted=len(paths) > 1 and not sys.stdout.isatty()) as bar:
        for done, path in enumerate(paths, 1):
            trace = Trace(pictures=reports is not None)
            picture, reading = wishes.picture_if_any(path, settings, catalog, trace)
            unsure += not reading.sure
            coatls += len(reading.coatls)
            if as_json:
                print_json(reading_json(reading, language))
            elif picture is not None:
                show_reading(reading, screen)
            for label, target in files.write(picture, reading, trace):
                if not as_json:
                    print(screen.label(label, path=visible(str(target))))  # in one line, whole
            if not as_json and picture is not None:
                screen.print("")
            sys.stdout.flush()
            bar.show(done)
    if not as_json:
        screen.print(_last_line(screen, len(paths), unsure, coatls))
    return EXIT_UNSURE if unsure else 0


def _last_line(screen: Screen, photos: int, unsure: int, coatls: int) -> str:
    if not unsure and not coatls:
        return screen.label("read_sure_of_none")
    if not unsure:
        return screen.label("read_all_sure", photos)
    if photos == 1:
        return screen.label("read_not_sure")
    return screen.label("read_some_unsure", photos=photos, unsure=unsure)
