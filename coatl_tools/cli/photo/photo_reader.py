"""Read photos as the options of a command ask: with corrections, by hand, with own colours."""

from __future__ import annotations

from pathlib import Path

import click

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.common_options import Settings
from coatl_tools.cli.photo.interactive_corrections import correct_interactively
from coatl_tools.cli.photo.options import PhotoOptions
from coatl_tools.errors import FileError
from coatl_tools.vision.colour_profiles import ColourProfile, find_profile, get_profiles_path
from coatl_tools.vision.corrections.apply import apply_corrections
from coatl_tools.vision.corrections.syntax import parse_corrections
from coatl_tools.vision.picture import Picture, load_picture
from coatl_tools.vision.reader import read_photo
from coatl_tools.vision.reading import PhotoReading, make_unreadable_reading
from coatl_tools.vision.scores_and_tally import PhotoScoringOptions
from coatl_tools.vision.trace import Trace


class PhotoReader:
    """Reads the photos of one command."""

    def __init__(self, options: PhotoOptions, settings: Settings, catalog: Catalog) -> None:
        self.options, self.settings, self.catalog = options, settings, catalog

    def load(self, path: Path, trace: Trace | None = None) -> tuple[Picture, PhotoReading]:
        """Read a photo, and apply the corrections of `--set`.

        FileError for what is no photo, CoatlError for a bad correction, CommandLineError if there
        is no colour profile of that name.
        """
        profile, trace = self._find_profile(), trace or Trace()
        with trace.stage("open"):
            picture = load_picture(path)
        reading = read_photo(picture, self.catalog, trace, profile)
        corrections = [
            one for text in self.options.sets for one in parse_corrections(text, self.catalog)
        ]
        return picture, apply_corrections(reading, self.catalog, *corrections)

    def load_or_report(
        self, path: Path, trace: Trace | None = None
    ) -> tuple[Picture | None, PhotoReading]:
        """Read a photo as `load`; print why it cannot be opened, and return only the problem."""
        self._find_profile()  # what is wrong with the colours is no problem of a photo
        try:
            return self.load(path, trace)
        except FileError as error:  # the other photos are read all the same
            message = error.text(self.settings.lang)
            click.echo(self.settings.language.label("error", message=message), err=True)
            return None, make_unreadable_reading(path, error)

    def read(self, path: Path, how: PhotoScoringOptions) -> PhotoReading:
        """Read a photo as `load`, then let somebody correct it if `--fix` asks for it."""
        picture, reading = self.load(path)
        return self.correct(picture, reading, how) if self.options.fix else reading

    def correct(
        self, picture: Picture, reading: PhotoReading, how: PhotoScoringOptions
    ) -> PhotoReading:
        """Let somebody correct a reading."""
        return correct_interactively(
            picture, reading, self.catalog, self.settings, how, self.options.overlays
        )

    def _find_profile(self) -> ColourProfile | None:
        if self.options.colours is None:
            return None
        return find_profile(get_profiles_path(), self.options.colours)
