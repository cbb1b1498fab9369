"""`coatl read --tally`: the tally of a finished game, from photos of it. This loads OpenCV."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from coatl_tools.cli.photo.photo_options import EXIT_UNSURE, PhotoOptions
from coatl_tools.cli.photo.photo_reader import PhotoReader
from coatl_tools.cli.photo.reading_screen import print_not_sure
from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.questions import ask_question
from coatl_tools.errors import CommandLineError, FileError, PositionError
from coatl_tools.files.atomic_writes import write_file_atomically
from coatl_tools.language import Language
from coatl_tools.referee.position_text import parse_card_ids
from coatl_tools.rules.editions import choose_edition
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.vision.scores_and_tally import (
    SIDE_LABELS,
    LaidCoatl,
    PhotoScoringOptions,
    StatedPlayer,
    assign_stated_owners,
    collect_laid_coatls,
    make_tally,
    parse_owner,
    parse_players,
)
from coatl_tools.vision.table_players import Seating, find_seating


def tally_photos(
    settings: Settings,
    paths: Sequence[Path],
    options: PhotoOptions,
    target: Path,
    players: str | None,
    join: bool = False,
) -> int:
    """Read photos of a finished game, and write its tally if everything is sure.

    With `join`, all of them show one table. Returns the exit code; raises FileError for a photo
    without a Cóatl.
    """
    seats = [] if players is None else parse_players(players)
    reader, scoring = PhotoReader(options, settings, settings.catalog()), PhotoScoringOptions()
    readings: list[PhotoReading] = []
    if join:
        picture, joined = reader.read_joined(paths)
        if options.interactive:
            joined = reader.correct_interactively(picture, joined, scoring)
        readings.append(joined)
        paths = ()
    with ProgressBar(len(paths), wanted=not (options.interactive or join)) as bar:
        for done, path in enumerate(paths, start=1):
            readings.append(reader.read_and_correct(path, scoring))
            bar.update(done)
    unsure = [reading for reading in readings if not reading.sure]
    for reading in unsure:
        print_not_sure(reading.file, reading.serious_problems, settings, options.interactive)
    if unsure:
        return EXIT_UNSURE
    for reading in readings:
        if not reading.coatls:
            raise FileError("photo.none_there", path=reading.file)
    _write_tally(settings, target, readings, seats)
    return 0


def _write_tally(
    settings: Settings,
    target: Path,
    readings: Sequence[PhotoReading],
    seats: Sequence[StatedPlayer],
) -> None:
    """Write the tally of these photos to a file, or to standard output for `-`.

    Asks who played if there are no seats, who owns each Cóatl if neither seats nor photos tell, and
    which cards A.D.A.M. has fulfilled.
    """
    catalog, language = settings.catalog(), settings.language
    edition = choose_edition(None, language)
    coatls = [one for photo in collect_laid_coatls(readings) for one in photo]
    seats = seats or ask_question(language.label("ask_players"), parse_players, settings.lang)
    owners = _find_owners(seats, readings, coatls, language)
    names = [seat.name for seat in seats]
    solo = len(names) == 1  # against A.D.A.M., whose cards no photo of Cóatls shows (rule 7.1)

    def parse_fulfilled(text: str) -> dict[str, Any]:
        return make_tally(names, owners, coatls, catalog, edition, parse_card_ids(text, catalog))

    try:
        data = make_tally(names, owners, coatls, catalog, edition, () if solo else None)
    except PositionError as error:  # no game ends like this: something was read wrongly, or missed
        raise PositionError("tally.impossible", reason=error.spoken) from error
    if solo:
        data = ask_question(language.label("ask_fulfilled"), parse_fulfilled, settings.lang)
    _print_unused_cards(readings, language)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if str(target) == "-":
        print(text, end="")
    else:
        write_file_atomically(target, text)
        settings.done = True
        print(language.label("tally_written", file=shlex.quote(str(target))))


def _find_owners(
    seats: Sequence[StatedPlayer],
    readings: Sequence[PhotoReading],
    coatls: Sequence[LaidCoatl],
    language: Language,
) -> list[int]:
    """Find for each Cóatl its player (an index).

    As stated, or by the photos if each player has one; in one photo of a whole table, by how
    things lie. What is not clear is asked.
    """
    if any(seat.coatls for seat in seats):
        return assign_stated_owners(seats, len(coatls))
    if len(seats) == 1:
        return [0] * len(coatls)
    if len(seats) == len(readings):
        return [seat for seat, reading in enumerate(readings) for _ in reading.coatls]
    if len(readings) > 1:
        nobody: list[int | None] = [None] * len(coatls)
        return _ask_owners(seats, coatls, nobody, Seating((), ()), language)
    sides = [seat.side for seat in seats if seat.side is not None]
    seating = find_seating(readings[0], len(seats), sides)
    known: list[int | None] = [None] * len(coatls)
    if seating.order_known:
        known = list(seating.sure_owners)
    for index, seen in enumerate(readings[0].coatls):
        if seen.player_corrected and seen.player is not None and seen.player < len(seats):
            known[index] = seen.player
    owners = _ask_owners(seats, coatls, known, seating, language)
    for index, seat in enumerate(seats):
        own = [str(number) for number, owner in enumerate(owners, start=1) if owner == index]
        found = ", ".join(own) or "–"
        if seating.order_known and index < len(seating.turns):
            side = language.label(SIDE_LABELS[seating.side(index)])
            text = language.label("tally_found_at", name=seat.name, side=side, coatls=found)
        else:
            text = language.label("tally_found", name=seat.name, coatls=found)
        click.echo(text, err=True)
    return owners


def _ask_owners(
    seats: Sequence[StatedPlayer],
    coatls: Sequence[LaidCoatl],
    known: Sequence[int | None],
    seating: Seating,
    language: Language,
) -> list[int]:
    """Ask whose the Cóatls are that are not known to be somebody's.

    If it is known which Cóatls belong together, only one of them is asked about. At the end of the
    input that is no terminal, raises CommandLineError.
    """
    owners = list(known)
    names = [seat.name for seat in seats]
    groups = seating.sure_owners or (None,) * len(coatls)
    for index, one in enumerate(coatls):
        if owners[index] is not None:
            continue
        question = language.label(
            "tally_whose", index + 1, coatl=one.coatl, file=one.file, names=", ".join(names)
        )
        try:
            owner = ask_question(question, partial(parse_owner, names=names), language.code)
        except click.Abort:
            if sys.stdin is not None and sys.stdin.isatty():
                raise
            unclear = [str(i) for i, owner in enumerate(owners, start=1) if owner is None]
            raise CommandLineError("tally.unclear", numbers=", ".join(unclear)) from None
        owners[index] = owner
        if groups[index] is not None:
            for other, group in enumerate(groups):
                if group == groups[index]:
                    owners[other] = owner
    return [owner for owner in owners if owner is not None]


def _print_unused_cards(readings: Sequence[PhotoReading], language: Language) -> None:
    """Print the cards that lie beside no Cóatl, which no tally contains."""
    for reading in readings:
        unused = [card.id for card in reading.cards if card.coatl is None and card.id]
        if unused:
            text = language.label("tally_unused", file=reading.file, cards=", ".join(unused))
            click.echo(text, err=True)
