"""`coatl read`: what lies on the table, from photos; with --fix, --tally and --learn."""

from __future__ import annotations

from pathlib import Path

import click

from coatl_tools.cli.photo.photo_options import (
    DEFAULT_PROFILE_NAME,
    OVERLAY_FOLDER,
    PhotoOptions,
    add_read_options,
)
from coatl_tools.cli.settings import (
    FILE_TYPE,
    FOLDER_TYPE,
    Settings,
    json_option,
    shared_options,
)
from coatl_tools.vision.photo_format import require_opencv


@click.command()
@click.argument("paths", metavar="IMAGE...", nargs=-1, required=True, type=FILE_TYPE)
@click.option(
    "--overlay",
    "overlays",
    metavar="FOLDER",
    type=FOLDER_TYPE,
    help="Write every photo to this folder, with what was read drawn on it.",
)
@click.option(
    "--report",
    "reports",
    metavar="FOLDER",
    type=FOLDER_TYPE,
    help="Write an HTML page for every photo to this folder: how it was read, stage by stage.",
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

    Exit code 0 if everything is certain, 3 if something is not, or a photo cannot be opened. With
    --json, every photo is one object on a line of its own.
    """
    # OpenCV and the rules take long to load: not to print help or to complete a word.
    from coatl_tools.cli.photo import read_modes  # noqa: PLC0415

    require_opencv()
    options = PhotoOptions(sets, fix, colours, overlays or OVERLAY_FOLDER)
    if sets and len(paths) > 1:
        raise click.UsageError("--set takes one IMAGE; --fix corrects several, one by one.")
    if name is not None and not learn:
        raise click.UsageError("--name needs --learn.")
    if players is not None and tally is None:
        raise click.UsageError("--players needs --tally FILE.")
    if reports is not None and (learn or tally or fix):
        raise click.UsageError("--report cannot be combined with --fix, --tally or --learn.")
    if learn:
        if len(paths) != 1 or tally is not None or fix or colours:
            raise click.UsageError("--learn takes one IMAGE, and no other option but --set.")
        profile_name = DEFAULT_PROFILE_NAME if name is None else name
        return read_modes.learn_colours(settings, paths[0], profile_name, options, as_json)
    if tally is not None:
        if as_json:
            raise click.UsageError("--tally is JSON already; “--tally -” prints it.")
        return read_modes.tally_photos(settings, paths, options, tally, players)
    if fix:
        return read_modes.correct_photos(settings, paths, options, as_json)
    return read_modes.print_photos(settings, paths, options, overlays, reports, as_json)
