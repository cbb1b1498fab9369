"""`coatl read --learn`: the colours of one's own set, from one photo."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from coatl_tools.cli.photo.options import Wishes
from coatl_tools.cli.settings import Settings

if TYPE_CHECKING:
    from coatl_tools.language import Language
    from coatl_tools.vision.colours import ColourProfile


def learn(settings: Settings, path: Path, name: str, sets: tuple[str, ...], as_json: bool) -> int:
    """Keep the colours of a photo under a name; an older profile of that name is replaced."""
    from coatl_tools.cli.screen import print_json
    from coatl_tools.vision.colour_profiles import (
        check_name,
        colours_file,
        load_colours,
        profile_data,
        save_colours,
    )
    from coatl_tools.vision.colours import learned

    name = name.strip()
    check_name(name)
    file = colours_file()
    profiles = dict(load_colours(file))
    picture, reading = Wishes(sets).picture(path, settings.catalog())
    profile = learned(reading, picture.pixels, picture.factor)
    save_colours(file, profiles | {name: profile})
    settings.done = True
    if as_json:
        print_json({name: profile_data(profile)})
    else:
        key = "colours_replaced" if name in profiles else "colours_learned"
        argument = shlex.quote(name)
        print(settings.language.label(key, name=name, file=file, argument=argument))
        tell_profile(profile, settings.language)
    return 0


def tell_profile(profile: ColourProfile, language: Language) -> None:
    """Each colour in numbers; and which ones this light hardly tells apart."""
    for colour, tint in sorted(profile.tints.items()):
        lightness, red, yellow = (f"{value:.0f}" for value in tint.middle)
        word = language.colours[colour]["name"]
        print(f"  {colour.symbol}{colour.name} {word}: L {lightness}  a {red}  b {yellow}")
    for first, second in profile.confusable:
        print(language.label("colours_confusable", first=first, second=second))
