"""Read a photo as the options of a command say: with a colour profile, --set and --fix."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.photo.interactive_corrections import LineEditor, run_key_editor
from coatl_tools.cli.photo.key_editor import KeyEditor
from coatl_tools.cli.photo.photo_options import PhotoOptions
from coatl_tools.cli.photo.reading_screen import print_scores
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import is_dumb_terminal, is_interactive
from coatl_tools.errors import FileError, escape_unprintable
from coatl_tools.vision.colour_profiles import find_colour_profile, get_profiles_path
from coatl_tools.vision.corrections.corrected_reading import apply_corrections
from coatl_tools.vision.corrections.correction import parse_corrections
from coatl_tools.vision.corrections.session import Corrections, CorrectionSession
from coatl_tools.vision.photo_format import require_opencv
from coatl_tools.vision.reading import PhotoReading, make_unreadable_reading
from coatl_tools.vision.scores_and_tally import PhotoScoringOptions
from coatl_tools.vision.stage_trace import Trace

if TYPE_CHECKING:
    from coatl_tools.vision.picture import Picture


class PhotoReader:
    """Reads photos with the same options.

    Raises FileError if OpenCV is missing, CommandLineError if there is no such colour profile.
    """

    def __init__(self, options: PhotoOptions, settings: Settings, catalog: Catalog) -> None:
        require_opencv()
        self._options, self._settings, self._catalog = options, settings, catalog
        name = options.profile_name
        self._profile = None if name is None else find_colour_profile(get_profiles_path(), name)

    def read(self, path: Path, trace: Trace | None = None) -> tuple[Picture, PhotoReading]:
        """Read a photo and apply --set; raises FileError if it is no photo."""
        from coatl_tools.vision.reader import read_photo_file  # noqa: PLC0415 (imports OpenCV)

        picture, reading = read_photo_file(path, self._catalog, trace=trace, colours=self._profile)
        return picture, self._correct(reading)

    def read_joined(self, paths: Sequence[Path]) -> tuple[Picture, PhotoReading]:
        """Read photos of one table as one, and apply --set; also return the first photo.

        Raises FileError if one of them is no photo.
        """
        from coatl_tools.vision.joining.joined_reading import join_readings  # noqa: PLC0415 (imports OpenCV)
        from coatl_tools.vision.reader import read_photo_file  # noqa: PLC0415 (likewise)

        pictures: list[Picture] = []
        readings: list[PhotoReading] = []
        with ProgressBar(len(paths), wanted=True) as bar:
            for done, path in enumerate(paths, start=1):
                picture, reading = read_photo_file(path, self._catalog, colours=self._profile)
                pictures = pictures or [picture]
                readings.append(reading)
                bar.update(done)
        return pictures[0], self._correct(join_readings(readings, self._catalog))

    def _correct(self, reading: PhotoReading) -> PhotoReading:
        """Apply the corrections of --set."""
        corrections = [
            correction
            for text in self._options.corrections
            for correction in parse_corrections(text, self._catalog)
        ]
        return apply_corrections(reading, self._catalog, *corrections)

    def read_or_report(
        self, path: Path, trace: Trace | None = None
    ) -> tuple[Picture | None, PhotoReading]:
        """Read a photo; if it cannot be opened, report it and return a reading with that problem.

        So the other photos are still read.
        """
        try:
            return self.read(path, trace)
        except FileError as error:
            message = error.text(self._settings.lang)
            click.echo(self._settings.language.label("error", message=message), err=True)
            return None, make_unreadable_reading(path, error)

    def read_and_correct(self, path: Path, scoring: PhotoScoringOptions) -> PhotoReading:
        """Read a photo and, with --fix, let somebody correct it."""
        picture, reading = self.read(path)
        if self._options.interactive:
            return self.correct_interactively(picture, reading, scoring)
        return reading

    def correct_interactively(
        self, picture: Picture, reading: PhotoReading, scoring: PhotoScoringOptions
    ) -> PhotoReading:
        """Let the user correct a reading: by keys at a terminal, otherwise line by line.

        Writes the overlay before and after. At the end, also after Ctrl-C, prints the corrections
        as arguments, so that nobody has to make them again.
        """
        screen = Screen(self._settings.language, Console(stderr=True))
        self._write_overlay(picture, reading, screen)
        session = CorrectionSession.start(reading, self._catalog)
        at_terminal = is_interactive() and screen.console.is_terminal and not is_dumb_terminal()
        editor = KeyEditor(session) if at_terminal else LineEditor(session, screen, scoring)
        try:
            if isinstance(editor, LineEditor):
                editor.run()
            else:
                run_key_editor(
                    editor,
                    screen.language,
                    scoring,
                    lambda: print_scores(editor.session.reading, self._catalog, scoring, screen),
                )
        finally:
            corrections = editor.session.corrections
            if corrections:
                arguments = _format_as_arguments(corrections)
                click.echo(screen.label("fix_arguments", corrections=arguments), err=True)
        if corrections:
            self._write_overlay(picture, editor.session.reading, screen)
        return editor.session.reading

    def _write_overlay(self, picture: Picture, reading: PhotoReading, screen: Screen) -> None:
        """Write the photo with its reading drawn on it, and print its path; raises FileError."""
        from coatl_tools.vision.output.photo_report import PhotoOutputFiles  # noqa: PLC0415 (imports OpenCV)

        try:
            folder = self._options.overlay_folder
            files = PhotoOutputFiles(folder, None, screen.language, [picture.path])
            for label, path in files.write(picture, reading, Trace()):
                text = screen.label(label, path=escape_unprintable(str(path)))
                click.echo(text, err=True)  # never wrapped, so that the path can be copied
        except FileError as error:
            raise FileError("fix.no_overlay", reason=error.spoken) from error


def _format_as_arguments(corrections: Corrections) -> str:
    """Format corrections as shell arguments."""
    return " ".join(f"--set {shlex.quote(str(correction))}" for correction in corrections)
