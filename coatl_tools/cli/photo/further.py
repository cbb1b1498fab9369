"""What `coatl read` does beyond saying what it sees: `--fix`, `--tally`, `--learn`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from coatl_tools.cli.photo.options import EXIT_UNSURE, USUAL, Wishes
from coatl_tools.cli.settings import Settings


def read_further(
    settings: Settings,
    images: Sequence[Path],
    wishes: Wishes,
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
        return _learn(settings, images, wishes, tally, name, as_json)
    if tally is not None:
        if as_json:
            raise click.UsageError("--tally is JSON already; “--tally -” prints it.")
        return _tally(settings, images, wishes, tally, players)
    return _fix(settings, images, wishes, as_json) if wishes.fix else None


def _learn(
    settings: Settings,
    images: Sequence[Path],
    wishes: Wishes,
    tally: Path | None,
    name: str | None,
    as_json: bool,
) -> int:
    from coatl_tools.cli.photo.learn import learn

    if len(images) != 1 or tally is not None or wishes.fix or wishes.colours:
        raise click.UsageError("--learn takes one IMAGE, and of the other options only --set.")
    return learn(settings, images[0], USUAL if name is None else name, wishes.sets, as_json)


def _tally(
    settings: Settings, images: Sequence[Path], wishes: Wishes, tally: Path, players: str | None
) -> int:
    from coatl_tools.cli.photo.scores import Scoring
    from coatl_tools.cli.photo.tally import read_seats, write_tally
    from coatl_tools.cli.progress import Bar

    seats = [] if players is None else read_seats(players)
    catalog, readings = settings.catalog(), []
    with Bar(len(images), wanted=not wishes.fix) as bar:
        for done, path in enumerate(images, start=1):
            readings.append(wishes.reading(path, settings, catalog, Scoring()))
            bar.show(done)
    return write_tally(settings, tally, readings, seats, wishes.fix)


def _fix(settings: Settings, images: Sequence[Path], wishes: Wishes, as_json: bool) -> int:
    """Correct each photo, then print what its Cóatls are worth, or the reading as JSON."""
    from coatl_tools.cli.photo.scores import Scoring, in_the_way, print_scores
    from coatl_tools.cli.photo.unsure import say_not_sure
    from coatl_tools.cli.screen import Screen, print_json
    from coatl_tools.vision.as_json import reading_json

    catalog, screen, how, sure = settings.catalog(), Screen(settings.language), Scoring(), True
    for path in images:
        picture, reading = wishes.picture_if_any(path, settings, catalog)
        if picture is not None:
            reading = wishes.fixed(picture, reading, settings, catalog, how)
        if as_json:
            print_json(reading_json(reading, settings.language))
        else:
            every = range(len(reading.coatls))
            done = [index for index in every if not in_the_way(reading, [index], how)]
            print_scores(reading, catalog, how, screen, done)
            if reading.sure and not reading.coatls:
                screen.print(screen.label("read_sure_of_none"))
        sure = sure and reading.sure
        if picture is not None and not reading.sure:
            grave = [problem for problem in reading.problems if problem.grave]
            say_not_sure(str(path), grave, settings, fixed=True)
    return 0 if sure else EXIT_UNSURE
