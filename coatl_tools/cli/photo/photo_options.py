"""Options of every command that reads a photo: --set, --fix and --colours.

`coatl score` imports this module, so it stays light.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from coatl_tools.cli.shared_options import FILE_TYPE, CommandFunction, make_completer

EXIT_UNSURE = 3  # a photo that cannot be read for sure; as for a file that cannot be read
DEFAULT_PROFILE_NAME = "own"  # of a colour profile, without --name
OVERLAY_FOLDER = Path("output")  # where the overlay of --fix goes, without --overlay


def _list_profile_names(_: click.Context) -> Iterable[str]:
    # only to complete a name, not to declare the option
    from coatl_tools.vision.colour_profiles import (  # noqa: PLC0415
        get_profiles_path,
        load_colour_profiles,
    )

    return load_colour_profiles(get_profiles_path())


complete_profile_names = make_completer(_list_profile_names)
_set_option = click.option(
    "--set",
    "sets",
    metavar="CORRECTION",
    multiple=True,
    help="Correct what was read (repeatable): 1.4=B says that piece 4 of Cóatl 1 is blue, "
    "1=<RBBG> what Cóatl 1 is, c2=P29 what card 2 is, +P29@1 adds a card. docs/photos.md lists "
    "them all.",
)
_fix_option = click.option("--fix", is_flag=True, help="Show what was read, and correct it.")
_colours_option = click.option(
    "--colours",
    "--colors",
    metavar="NAME",
    shell_complete=complete_profile_names,
    help="Use a colour profile made by “coatl read --learn”.",
)
photo_option = click.option(
    "--photo", metavar="IMAGE", type=FILE_TYPE, help="Read the Cóatl from a photo."
)


@dataclass(frozen=True, slots=True)
class PhotoOptions:
    """How a photo is to be read: the options --set, --fix, --colours and --overlay."""

    corrections: tuple[str, ...] = ()
    interactive: bool = False
    profile_name: str | None = None
    overlay_folder: Path = OVERLAY_FOLDER

    def __bool__(self) -> bool:
        return bool(self.corrections or self.interactive or self.profile_name)


def add_correction_options(command: CommandFunction) -> CommandFunction:
    """Add --set, --fix and --colours, which the command gets as one value: `photo_options`."""

    @wraps(command)
    def with_photo_options(
        *args: Any, sets: tuple[str, ...], fix: bool, colours: str | None, **values: Any
    ) -> Any:
        return command(*args, photo_options=PhotoOptions(sets, fix, colours), **values)

    return _set_option(_fix_option(_colours_option(cast(CommandFunction, with_photo_options))))
