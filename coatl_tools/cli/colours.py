"""`coatl colours`: the colour profiles that `coatl read --learn` has made."""

from __future__ import annotations

import click

from coatl_tools.cli.photo.options import complete_colours
from coatl_tools.cli.settings import Settings, json_option, language_option
from coatl_tools.errors import CommandLineError, visible


@click.command()
@click.argument("name", required=False, shell_complete=complete_colours)
@click.option("--delete", is_flag=True, help="Forget this profile.")
@json_option
@language_option
@click.pass_obj
def colours(settings: Settings, name: str | None, delete: bool, as_json: bool) -> None:
    """List, show or forget the colours of your own sets.

    “coatl read --learn IMAGE --name NAME” makes them. Without NAME all are listed.
    """
    from coatl_tools.cli.photo.learn import tell_profile
    from coatl_tools.cli.screen import print_json
    from coatl_tools.vision.colour_profiles import (
        colours_file,
        find_colours,
        load_colours,
        profile_data,
        save_colours,
    )

    if delete and name is None:
        raise CommandLineError("colours.name_missing")
    path = colours_file()
    profiles = dict(load_colours(path))
    shown = profiles if name is None else {name: find_colours(path, name)}
    if delete and name is not None:
        del profiles[name]
        save_colours(path, profiles)
        settings.done = True
        shown = profiles
    if as_json:
        print_json({known: profile_data(one) for known, one in sorted(shown.items())})
        return
    if delete and name is not None:
        print(settings.language.label("colours_forgotten", name=name))
    if not shown:
        print(settings.language.label("colours_none"))
    for known, profile in sorted(shown.items()):
        print(visible(known))
        tell_profile(profile, settings.language)
