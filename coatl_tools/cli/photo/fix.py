"""`--fix`: look at what was read, and correct it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coatl_tools.cli.settings import Settings
from coatl_tools.errors import FileError, visible

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog
    from coatl_tools.cli.photo.scores import Scoring
    from coatl_tools.cli.screen import Screen
    from coatl_tools.vision.picture import Picture
    from coatl_tools.vision.reading import Reading


def fix(
    picture: Picture,
    reading: Reading,
    catalog: Catalog,
    settings: Settings,
    how: Scoring,
    folder: Path,
) -> Reading:
    """Let somebody correct a reading, key by key or line by line; the overlay goes into a folder.

    Says where the overlay is, and at the end, also after Ctrl-C, the same corrections as arguments.
    """
    from rich.console import Console

    from coatl_tools.cli.photo.lines import fix_by_lines
    from coatl_tools.cli.photo.scores import print_scores
    from coatl_tools.cli.photo.session import Session
    from coatl_tools.cli.photo.shown import as_arguments
    from coatl_tools.cli.screen import Screen
    from coatl_tools.cli.streams import somebody_types
    from coatl_tools.cli.table.prompt import is_dumb

    screen = Screen(settings.language, Console(stderr=True))
    _write_overlay(picture, reading, folder, screen)
    session = Session(reading, catalog)
    try:
        if somebody_types() and screen.console.is_terminal and not is_dumb():
            from coatl_tools.cli.photo.terminal import fix_at_terminal

            def show_score() -> None:
                print_scores(session.reading, catalog, how, screen)

            fix_at_terminal(session, settings.language, how, show_score)
        else:
            fix_by_lines(session, screen, how)
    finally:  # whatever happens, nobody has to find out again what was said
        if session.corrections:
            said = as_arguments(session.corrections)
            click.echo(screen.label("fix_arguments", corrections=said), err=True)
    if session.corrections:
        _write_overlay(picture, session.reading, folder, screen)
    return session.reading


def _write_overlay(picture: Picture, reading: Reading, folder: Path, screen: Screen) -> None:
    """Write the photo with its reading drawn on it, and say where; FileError."""
    from coatl_tools.cli.photo_files import PhotoFiles
    from coatl_tools.vision.trace import Trace

    try:
        files = PhotoFiles(folder, None, screen.language, [picture.path])
        for label, path in files.write(picture, reading, Trace()):
            click.echo(screen.label(label, path=visible(str(path))), err=True)  # in one line, whole
    except FileError as error:
        raise FileError("fix.no_overlay", reason=error.spoken) from error
