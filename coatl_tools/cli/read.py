"""`coatl read`: what lies on the table, from photos; with --fix, --tally and --learn."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    EXIT_UNSURE,
    OVERLAY_FOLDER,
    PhotoOptions,
    add_read_options,
)
from coatl_tools.errors import (
    FileError,
    PositionError,
    escape_unprintable,
)
from coatl_tools.vision.scores_and_tally import (
    PhotoPlayer,
    assign_stated_owners,
    parse_owner,
    parse_players,
)

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog
    from coatl_tools.cli.terminal.screen import Screen
    from coatl_tools.language import Language
    from coatl_tools.vision.reading import PhotoReading
    from coatl_tools.vision.scores_and_tally import LaidCoatl


def write_tally(
    settings: Settings,
    target: Path,
    readings: Sequence[PhotoReading],
    seats: Sequence[PhotoPlayer],
    fixed: bool,
) -> int:
    """Write the tally of these photos, or to standard output for `-`; the exit code.

    With anything that is not sure, nothing is written; FileError for a photo without a Cóatl. Whose
    a Cóatl is follows from the seats, from the photos if there is one for each, or is asked; so is
    who played, if there are no seats.
    """
    from coatl_tools.cli.photo.rendering import print_not_sure
    from coatl_tools.cli.terminal.questions import ask_question
    from coatl_tools.files import write_file_atomically
    from coatl_tools.language import load_language
    from coatl_tools.referee.position_text import parse_card_ids
    from coatl_tools.referee.tally import parse_tally, score_tally
    from coatl_tools.vision.scores_and_tally import build_tally_json, collect_laid_coatls

    unsure = [reading for reading in readings if not reading.sure]
    for reading in unsure:
        grave = [problem for problem in reading.problems if problem.grave]
        print_not_sure(reading.file, grave, settings, fixed)
    if unsure:
        return EXIT_UNSURE
    for reading in readings:
        if not reading.coatls:
            raise FileError("photo.none_there", path=reading.file)
    catalog, language = settings.catalog(), load_language(settings.lang)
    by_photo = collect_laid_coatls(readings)
    coatls = [one for photo in by_photo for one in photo]
    seats = seats or ask_question(language.label("ask_players"), parse_players, settings.lang)
    owners = _find_owners(seats, by_photo, language)
    names, cards = [seat.name for seat in seats], tuple(catalog)
    alone = len(names) == 1  # against A.D.A.M., whose cards no photo of Cóatls shows (rule 7.1)

    def ended(fulfilled: Sequence[str] | None) -> dict[str, Any]:
        data = build_tally_json(names, owners, coatls, catalog, fulfilled)
        score_tally(parse_tally(data, cards), cards)
        return data

    try:
        data = ended(() if alone else None)
    except PositionError as error:  # no game ends like this: something was read wrongly, or missed
        raise PositionError("tally.impossible", reason=error.spoken) from error
    if alone:
        question = language.label("ask_fulfilled")
        data = ask_question(
            question, lambda text: ended(parse_card_ids(text, catalog)), settings.lang
        )
    _print_unused_cards(readings, catalog, language)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if str(target) == "-":
        print(text, end="")
    else:
        write_file_atomically(target, text)
        settings.done = True
        print(language.label("tally_written", file=shlex.quote(str(target))))
    return 0


def _find_owners(
    seats: Sequence[PhotoPlayer], by_photo: list[list[LaidCoatl]], language: Language
) -> list[int]:
    """For each Cóatl the player whose it is."""
    coatls = [one for photo in by_photo for one in photo]
    if any(seat.coatls for seat in seats):
        return assign_stated_owners(seats, len(coatls))
    if len(seats) == 1:
        return [0] * len(coatls)
    if len(seats) == len(by_photo):
        return [seat for seat, photo in enumerate(by_photo) for _ in photo]
    from coatl_tools.cli.terminal.questions import ask_question

    names = [seat.name for seat in seats]
    found = []
    for number, one in enumerate(coatls, start=1):
        question = language.label(
            "tally_whose", number, coatl=one.coatl, file=one.file, names=", ".join(names)
        )
        found.append(ask_question(question, partial(parse_owner, names=names), language.code))
    return found


def _print_unused_cards(
    readings: Sequence[PhotoReading], catalog: Catalog, language: Language
) -> None:
    """Cards that lie beside no Cóatl are in no tally: that is said."""
    import click

    for reading in readings:
        left = [card.id for card in reading.cards if card.coatl is None and card.id]
        if left:
            said = language.label("tally_unused", file=reading.file, cards=", ".join(left))
            click.echo(said, err=True)


def run_read_mode(
    settings: Settings,
    images: Sequence[Path],
    wishes: PhotoOptions,
    tally: Path | None,
    players: str | None,
    learn: bool,
    name: str | None,
    as_json: bool,
    with_report: bool = False,
) -> int | None:
    """The exit code; None if none of it was asked for, and what is seen is to be said."""
    if wishes.sets and len(images) > 1:
        raise click.UsageError("--set is for one IMAGE; --fix corrects several one by one.")
    if name is not None and not learn:
        raise click.UsageError("--name is for --learn.")
    if players is not None and tally is None:
        raise click.UsageError("--players is for --tally FILE.")
    if with_report and (learn or tally or wishes.fix):
        raise click.UsageError("--report is for reading alone: not with --fix, --tally, --learn.")
    if learn:
        return _run_learn(settings, images, wishes, tally, name, as_json)
    if tally is not None:
        if as_json:
            raise click.UsageError("--tally is JSON already; “--tally -” prints it.")
        return _run_tally(settings, images, wishes, tally, players)
    return _run_fix(settings, images, wishes, as_json) if wishes.fix else None


def _run_learn(
    settings: Settings,
    images: Sequence[Path],
    wishes: PhotoOptions,
    tally: Path | None,
    name: str | None,
    as_json: bool,
) -> int:
    from coatl_tools.cli.colours import learn_colours

    if len(images) != 1 or tally is not None or wishes.fix or wishes.colours:
        raise click.UsageError("--learn takes one IMAGE, and of the other options only --set.")
    return learn_colours(
        settings, images[0], DEFAULT_PROFILE_NAME if name is None else name, wishes.sets, as_json
    )


def _run_tally(
    settings: Settings,
    images: Sequence[Path],
    wishes: PhotoOptions,
    tally: Path,
    players: str | None,
) -> int:
    from coatl_tools.cli.terminal.progress import ProgressBar
    from coatl_tools.vision.scores_and_tally import PhotoScoringOptions, parse_players

    seats = [] if players is None else parse_players(players)
    catalog, readings = settings.catalog(), []
    with ProgressBar(len(images), wanted=not wishes.fix) as bar:
        for done, path in enumerate(images, start=1):
            readings.append(wishes.reading(path, settings, catalog, PhotoScoringOptions()))
            bar.show(done)
    return write_tally(settings, tally, readings, seats, wishes.fix)


def _run_fix(
    settings: Settings, images: Sequence[Path], wishes: PhotoOptions, as_json: bool
) -> int:
    """Correct each photo, then print what its Cóatls are worth, or the reading as JSON."""
    from coatl_tools.cli.photo.rendering import print_not_sure, print_scores
    from coatl_tools.cli.terminal.screen import Screen
    from coatl_tools.cli.terminal.stdio import print_json
    from coatl_tools.vision.reading import reading_to_json
    from coatl_tools.vision.scores_and_tally import PhotoScoringOptions, find_scoring_obstacles

    catalog, screen, how, sure = (
        settings.catalog(),
        Screen(settings.language),
        PhotoScoringOptions(),
        True,
    )
    for path in images:
        picture, reading = wishes.picture_if_any(path, settings, catalog)
        if picture is not None:
            reading = wishes.fixed(picture, reading, settings, catalog, how)
        if as_json:
            print_json(reading_to_json(reading, settings.language))
        else:
            every = range(len(reading.coatls))
            done = [index for index in every if not find_scoring_obstacles(reading, [index], how)]
            print_scores(reading, catalog, how, screen, done)
            if reading.sure and not reading.coatls:
                screen.print(screen.label("read_sure_of_none"))
        sure = sure and reading.sure
        if picture is not None and not reading.sure:
            grave = [problem for problem in reading.problems if problem.grave]
            print_not_sure(str(path), grave, settings, fixed=True)
    return 0 if sure else EXIT_UNSURE


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
    from coatl_tools.vision.prerequisites import require_opencv

    require_opencv()
    pass

    wishes = PhotoOptions(sets, fix, colours, overlays or OVERLAY_FOLDER)
    code = run_read_mode(
        settings, paths, wishes, tally, players, learn, name, as_json, reports is not None
    )
    if code is not None:
        return code
    from coatl_tools.cli.photo.rendering import print_reading
    from coatl_tools.cli.terminal.progress import ProgressBar
    from coatl_tools.cli.terminal.screen import Screen
    from coatl_tools.cli.terminal.stdio import print_json
    from coatl_tools.vision.output.files import PhotoOutputFiles
    from coatl_tools.vision.reading import reading_to_json
    from coatl_tools.vision.trace import Trace

    catalog, language = settings.catalog(), settings.language
    screen = Screen(language)
    files = PhotoOutputFiles(overlays, reports, language, paths)
    unsure = coatls = 0
    # none where the results themselves run over the same terminal
    with ProgressBar(len(paths), wanted=len(paths) > 1 and not sys.stdout.isatty()) as bar:
        for done, path in enumerate(paths, 1):
            trace = Trace(pictures=reports is not None)
            picture, reading = wishes.picture_if_any(path, settings, catalog, trace)
            unsure += not reading.sure
            coatls += len(reading.coatls)
            if as_json:
                print_json(reading_to_json(reading, language))
            elif picture is not None:
                print_reading(reading, screen)
            for label, target in files.write(picture, reading, trace):
                if not as_json:
                    print(
                        screen.label(label, path=escape_unprintable(str(target)))
                    )  # in one line, whole
            if not as_json and picture is not None:
                screen.print("")
            sys.stdout.flush()
            bar.show(done)
    if not as_json:
        screen.print(_describe_result(screen, len(paths), unsure, coatls))
    return EXIT_UNSURE if unsure else 0


def _describe_result(screen: Screen, photos: int, unsure: int, coatls: int) -> str:
    if not unsure and not coatls:
        return screen.label("read_sure_of_none")
    if not unsure:
        return screen.label("read_all_sure", photos)
    if photos == 1:
        return screen.label("read_not_sure")
    return screen.label("read_some_unsure", photos=photos, unsure=unsure)
