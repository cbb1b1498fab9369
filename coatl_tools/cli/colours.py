"""`coatl colours`: list, show and delete colour profiles."""

from __future__ import annotations

import click

from coatl_tools.cli.photo.photo_options import complete_profile_names
from coatl_tools.cli.shared_options import Settings, json_option, language_option
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError, escape_unprintable
from coatl_tools.language import Language
from coatl_tools.vision.colour_profiles import (
    ColourProfile,
    find_colour_profile,
    get_profiles_path,
    load_colour_profiles,
    profile_to_json,
    save_colour_profiles,
)


def print_profile(profile: ColourProfile, language: Language) -> None:
    """Print each colour in numbers, and which ones this light hardly tells apart."""
    for colour, tint in sorted(profile.tints.items()):
        lightness, red, yellow = (f"{value:.0f}" for value in tint.middle)
        word = language.colours[colour]["name"]
        print(f"  {colour.symbol}{colour.name} {word}: L {lightness}  a {red}  b {yellow}")
    for first, second in profile.confusable_pairs:
        print(language.label("colours_confusable", first=first, second=second))


@click.command()
@click.argument("name", required=False, shell_complete=complete_profile_names)
@click.option("--delete", is_flag=True, help="Delete this profile.")
@json_option
@language_option
@click.pass_obj
def colours(settings: Settings, name: str | None, delete: bool, as_json: bool) -> None:
    """List, show or delete colour profiles of your own sets.

    “coatl read --learn IMAGE --name NAME” makes one. Without NAME, all are listed.
    """
    if delete and name is None:
        raise CommandLineError("colours.name_missing")
    path = get_profiles_path()
    profiles = dict(load_colour_profiles(path))
    shown = profiles if name is None else {name: find_colour_profile(path, name)}
    if delete and name is not None:
        del profiles[name]
        save_colour_profiles(path, profiles)
        settings.done = True
        shown = profiles
    if as_json:
        print_json({known: profile_to_json(one) for known, one in sorted(shown.items())})
        return
    if delete and name is not None:
        print(settings.language.label("colours_forgotten", name=name))
    if not shown:
        print(settings.language.label("colours_none"))
    for known, profile in sorted(shown.items()):
        print(escape_unprintable(known))
        print_profile(profile, settings.language)
