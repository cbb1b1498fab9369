"""`coatl read`: what lies on the table, from photos; with --fix, --tally and --learn."""

from __future__ import annotations

from pathlib import Path

import click

from coatl_tools.cli.common_options import (
    FILE_TYPE,
    FOLDER_TYPE,
    Settings,
    json_option,
    shared_options,
)
from coatl_tools.cli.photo.options import (
    DEFAULT_PROFILE_NAME,
    OVERLAY_FOLDER,
    PhotoOptions,
    add_read_options,
)
from coatl_tools.vision.prerequisites import require_opencv


@click.command()
@click.argument("paths", metavar="IMAGE...", nargs=-1, required=True, type=FILE_TYPE)
@click.option(
    "--overlay",
    "overlays",
    metavar="FOLDER",
    type=FOLDER_TYPE,
    help="Write every photo there with what was read drawn on it.",
)
@click.option(
    "--report",
    "reports",
    metavar="FOLDER",
    type=FOLDER_TYPE,
    help="Write a page (HTML) for every photo there: how it was read, stage by stage.",
)
@add_read_options
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
    options = PhotoOptions(sets, fix, colours, overlays or OVERLAY_FOLDER)
    _check_options(options, paths, reports, tally, players, learn, name, as_json)
    require_opencv()
    # OpenCV and numpy are heavy: they are loaded here, not to print help or to complete a word.
    from coatl_tools.cli.colours import learn_colours
    from coatl_tools.cli.photo import read_modes

    if learn:
        return learn_colours(
            settings, paths[0], DEFAULT_PROFILE_NAME if name is None else name, sets, as_json
        )
    if tally is not None:
        return read_modes.tally_photos(settings, paths, options, tally, players)
    if fix:
        return read_modes.fix_photos(settings, paths, options, as_json)
    return read_modes.print_photos(settings, paths, options, overlays, reports, as_json)


def _check_options(
    options: PhotoOptions,
    paths: tuple[Path, ...],
    reports: Path | None,
    tally: Path | None,
    players: str | None,
    learn: bool,
    name: str | None,
    as_json: bool,
) -> None:
    """Raise click.UsageError for options that do not go together."""
    if options.sets and len(paths) > 1:
        raise click.UsageError("--set is for one IMAGE; --fix corrects several one by one.")
    if name is not None and not learn:
        raise click.UsageError("--name is for --learn.")
    if players is not None and tally is None:
        raise click.UsageError("--players is for --tally FILE.")
    if reports is not None and (learn or tally or options.fix):
        raise click.UsageError("--report is for reading alone: not with --fix, --tally, --learn.")
    if learn and (len(paths) != 1 or tally is not None or options.fix or options.colours):
        raise click.UsageError("--learn takes one IMAGE, and of the other options only --set.")
    if tally is not None and as_json:
        raise click.UsageError("--tally is JSON already; “--tally -” prints it.")
