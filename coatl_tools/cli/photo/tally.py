"""`coatl read --tally`: photos of a finished table become a tally."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coatl_tools.cli.photo.options import EXIT_UNSURE
from coatl_tools.cli.settings import Settings
from coatl_tools.errors import CommandLineError, FileError, OptionError, PositionError

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog
    from coatl_tools.language import Language
    from coatl_tools.vision.reading import Reading
    from coatl_tools.vision.tally import Laid


class Seat(NamedTuple):
    """A player, and the numbers of their Cóatls where they are said."""

    name: str
    coatls: tuple[int, ...] = ()


def write_tally(
    settings: Settings,
    target: Path,
    readings: Sequence[Reading],
    seats: Sequence[Seat],
    fixed: bool,
) -> int:
    """Write the tally of these photos, or to standard output for `-`; the exit code.

    With anything that is not sure, nothing is written; FileError for a photo without a Cóatl. Whose
    a Cóatl is follows from the seats, from the photos if there is one for each, or is asked; so is
    who played, if there are no seats.
    """
    from coatl_tools.cli.ask import ask
    from coatl_tools.cli.photo.unsure import say_not_sure
    from coatl_tools.documents import write_document
    from coatl_tools.language import load_language
    from coatl_tools.referee.tally import read_tally, tally
    from coatl_tools.referee.written import read_cards
    from coatl_tools.vision.tally import laid, tally_data

    unsure = [reading for reading in readings if not reading.sure]
    for reading in unsure:
        grave = [problem for problem in reading.problems if problem.grave]
        say_not_sure(reading.file, grave, settings, fixed)
    if unsure:
        return EXIT_UNSURE
    for reading in readings:
        if not reading.coatls:
            raise FileError("photo.none_there", path=reading.file)
    catalog, language = settings.catalog(), load_language(settings.lang)
    by_photo = laid(readings)
    coatls = [one for photo in by_photo for one in photo]
    seats = seats or ask(language.label("ask_players"), read_seats, settings.lang)
    owners = _owners(seats, by_photo, language)
    names, cards = [seat.name for seat in seats], tuple(catalog)
    alone = len(names) == 1  # against A.D.A.M., whose cards no photo of Cóatls shows (rule 7.1)

    def ended(fulfilled: Sequence[str] | None) -> dict[str, Any]:
        data = tally_data(names, owners, coatls, catalog, fulfilled)
        tally(read_tally(data, cards), cards)
        return data

    try:
        data = ended(() if alone else None)
    except PositionError as error:  # no game ends like this: something was read wrongly, or missed
        raise PositionError("tally.impossible", reason=error.spoken) from error
    if alone:
        question = language.label("ask_fulfilled")
        data = ask(question, lambda text: ended(read_cards(text, catalog)), settings.lang)
    _say_unused(readings, catalog, language)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if str(target) == "-":
        print(text, end="")
    else:
        write_document(target, text)
        settings.done = True
        print(language.label("tally_written", file=shlex.quote(str(target))))
    return 0


def read_seats(text: str) -> list[Seat]:
    """Players as `Ana, Bo` or, with their Cóatls, `Ana=1 3, Bo=2`; CommandLineError."""
    from coatl_tools.rules.options import TableOptions

    seats = []
    for part in text.split(","):
        name, equals, numbers = (word.strip() for word in part.partition("="))
        if not name or (equals and not re.fullmatch(r"\d{1,3}(\s+\d{1,3})*", numbers)):
            raise CommandLineError("tally.players", text=part.strip()[:40])
        seats.append(Seat(name, tuple(map(int, numbers.split()))))
    try:
        TableOptions(players=tuple(seat.name for seat in seats))
    except OptionError as error:  # here it is the command line that is wrong
        raise CommandLineError(error.key, **error.details) from error
    return seats


def _owners(seats: Sequence[Seat], by_photo: list[list[Laid]], language: Language) -> list[int]:
    """For each Cóatl the player whose it is."""
    coatls = [one for photo in by_photo for one in photo]
    if any(seat.coatls for seat in seats):
        return _said(seats, len(coatls))
    if len(seats) == 1:
        return [0] * len(coatls)
    if len(seats) == len(by_photo):
        return [seat for seat, photo in enumerate(by_photo) for _ in photo]
    from coatl_tools.cli.ask import ask

    names = [seat.name for seat in seats]
    found = []
    for number, one in enumerate(coatls, start=1):
        question = language.label(
            "tally_whose", number, coatl=one.coatl, file=one.file, names=", ".join(names)
        )
        found.append(ask(question, partial(_player, names=names), language.code))
    return found


def _said(seats: Sequence[Seat], there: int) -> list[int]:
    owners: dict[int, int] = {}
    for index, seat in enumerate(seats):
        for number in seat.coatls:
            if not 1 <= number <= there:
                raise CommandLineError("photo.no_coatl", number=number, n=there)
            if number in owners:
                raise CommandLineError("tally.twice", number=number)
            owners[number] = index
    nobodys = [number for number in range(1, there + 1) if number not in owners]
    if nobodys:
        raise CommandLineError("tally.nobody", numbers=", ".join(map(str, nobodys)))
    return [owners[number] for number in range(1, there + 1)]


def _player(text: str, names: list[str]) -> int:
    """A player by number, name, or how only that name begins."""
    from coatl_tools.language import plain

    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(names):
        return int(text) - 1
    exact = [index for index, name in enumerate(names) if plain(name) == plain(text)]
    begun = [index for index, name in enumerate(names) if plain(name).startswith(plain(text))]
    for found in (exact, begun):
        if text and len(found) == 1:
            return found[0]
    raise CommandLineError("commands.no_player", name=text[:40], names=", ".join(names))


def _say_unused(readings: Sequence[Reading], catalog: Catalog, language: Language) -> None:
    """Cards that lie beside no Cóatl are in no tally: that is said."""
    import click

    for reading in readings:
        left = [card.id for card in reading.cards if card.coatl is None and card.id]
        if left:
            said = language.label("tally_unused", file=reading.file, cards=", ".join(left))
            click.echo(said, err=True)
