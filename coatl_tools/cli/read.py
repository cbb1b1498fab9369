"""`coatl read`: what lies on the table, from photos; with --fix, --tally and --learn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from coatl_tools.cli.photo.photo_options import (
    DEFAULT_PROFILE_NAME,
    PhotoOptions,
    add_correction_options,
)
from coatl_tools.cli.shared_options import (
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
@add_correction_options
@click.option(
    "--tally",
    metavar="FILE",
    type=FILE_TYPE,
    help="Write the tally of a finished game (- for standard output), for “coatl table tally”.",
)
@click.option(
    "--players",
    metavar="NAMES",
    help="With --tally: who played, one photo each (“Ana,Bo”), or clockwise from the near side of "
    "one photo; with their sides (“Ana=left,Bo=right”) or the numbers of their Cóatls "
    "(“Ana=1 3,Bo=2”). Otherwise you are asked.",
)
@click.option(
    "--join",
    is_flag=True,
    help="All IMAGEs show one table: read them as one, an overview first, then its parts.",
)
@click.option(
    "--learn",
    is_flag=True,
    help="Learn the colours of your own set from a photo that shows all five.",
)
@click.option(
    "--name",
    metavar="NAME",
    help=f"With --learn: the name of the profile; otherwise “{DEFAULT_PROFILE_NAME}”.",
)
@json_option
@shared_options
@click.pass_obj
def read(
    settings: Settings,
    paths: tuple[Path, ...],
    overlays: Path | None,
    reports: Path | None,
    photo_options: PhotoOptions,
    tally: Path | None,
    players: str | None,
    join: bool,
    learn: bool,
    name: str | None,
    as_json: bool,
) -> int:
    """Read the Cóatls and cards in photos: JPEG, PNG, WebP or HEIC.

    Exit code 0 if everything is certain, 3 if something is not, or a photo cannot be opened. With
    --json, every photo is one object on a line of its own.
    """
    require_opencv()
    # OpenCV and the rules take long to load: not to print help or to complete a word.
    from coatl_tools.cli.photo import photo_tally, read_modes  # noqa: PLC0415

    if overlays is not None:
        photo_options = replace(photo_options, overlay_folder=overlays)
    fix = photo_options.interactive
    if join and (len(paths) < 2 or learn or reports is not None):
        raise click.UsageError("--join takes two IMAGEs or more, without --learn or --report.")
    if photo_options.corrections and len(paths) > 1 and not join:
        raise click.UsageError("--set takes one IMAGE; --fix corrects several, one by one.")
    if name is not None and not learn:
        raise click.UsageError("--name needs --learn.")
    if players is not None and tally is None:
        raise click.UsageError("--players needs --tally FILE.")
    if reports is not None and (learn or tally or fix):
        raise click.UsageError("--report cannot be combined with --fix, --tally or --learn.")
    if learn:
        if len(paths) != 1 or tally is not None or fix or photo_options.profile_name:
            raise click.UsageError("--learn takes one IMAGE, and no other option but --set.")
        profile_name = DEFAULT_PROFILE_NAME if name is None else name
        return read_modes.learn_colours(settings, paths[0], profile_name, photo_options, as_json)
    if tally is not None:
        if as_json:
            raise click.UsageError("--tally is JSON already; “--tally -” prints it.")
        return photo_tally.tally_photos(settings, paths, photo_options, tally, players, join)
    if join:
        return read_modes.print_joined_photos(settings, paths, photo_options, overlays, as_json)
    if fix:
        return read_modes.correct_photos(settings, paths, photo_options, as_json)
    return read_modes.print_photos(settings, paths, photo_options, overlays, reports, as_json)
