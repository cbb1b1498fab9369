"""`coatl simulate`: many games of computer players, on this machine's cores or on a cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from coatl_tools.cli.progress import Bar
from coatl_tools.cli.settings import FOLDER, Settings, json_option, shared_options
from coatl_tools.cli.variants import edition_option, level_numbers, variant_options, variants

if TYPE_CHECKING:
    from coatl_tools.errors import CoatlError
    from coatl_tools.simulation.plan import Plan
    from coatl_tools.simulation.summary import Tally
    from coatl_tools.simulation.workers import Crew

PLAYERS = "greedy,greedy"
REPORT = "report"  # the folder of the page, in that of the tables
NO_LEVELS = "none"
EXIT_INTERRUPTED = 130


@click.command()
@click.option("--games", type=int, default=100, show_default=True, help="How many games.")
@click.option(
    "--players",
    metavar="BOTS",
    default=PLAYERS,
    show_default=True,
    help="Bots, separated by commas: random, greedy, expert, or expert:N, which looks at N "
    "positions a move. They take turns with the seats.",
)
@click.option("--solo", is_flag=True, help="One bot against A.D.A.M.")
@click.option(
    "--levels",
    metavar="N,N",
    multiple=True,
    help=f"Levels of the solo game, 1 to 5, or “{NO_LEVELS}”. Repeatable: games take turns with "
    "the combinations.",
)
@edition_option("en")
@variant_options
@click.option("--seed", type=int, help="The same seed plays the same games.")
@click.option("--jobs", type=int, help="How many processes; otherwise one for each core.")
@click.option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler.")
@click.option(
    "--out",
    metavar="DIR",
    type=FOLDER,
    help="Keep games and tables here. The same command goes on with what is there; a larger "
    "--games adds to it.",
)
@click.option(
    "--report", is_flag=True, help=f"Make the balance report too: --out DIR, then DIR/{REPORT}."
)
@json_option
@shared_options
@click.pass_obj
def simulate(
    settings: Settings,
    games: int,
    players: str,
    solo: bool,
    levels: tuple[str, ...],
    edition: str | None,
    tokens: bool,
    promo: bool,
    golden: bool,
    fewer_bodies: bool,
    rules: tuple[str, ...],
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    report: bool,
    as_json: bool,
) -> None:
    """Let computer players play many games, and count what comes of it."""
    from coatl_tools.cli.simulation_sheet import print_summary
    from coatl_tools.rules.options import TableOptions
    from coatl_tools.simulation.plan import Plan, seat_names

    if report and (out is None or as_json):
        raise click.UsageError("--report makes a page from the tables in --out DIR; no JSON.")
    bots = _bots(players, solo)
    chosen = variants(settings, edition or "en", tokens, promo, golden, fewer_bodies, rules)
    combinations = [chosen.pop("levels")] if "levels" in chosen else list(map(_levels, levels))
    plan = Plan(
        games=games,
        players=bots,
        options=TableOptions.from_data({"players": seat_names(bots)} | chosen),
        cards=settings.catalog().deck(bool(chosen["promo"])),
        seed=_seed(out) if seed is None else seed,
        levels=tuple(tuple(sorted(found)) for found in combinations) or ((),),
    )
    with _crew(jobs, cluster) as crew:
        tally = _counted(plan, crew) if out is None else _kept(settings, plan, crew, out)
    settings.done = True
    if as_json:
        from coatl_tools.cli.screen import print_json

        print_json(tally.data(plan))
    else:
        print_summary(tally.data(plan), settings.language, out)
    if report and out is not None:
        from coatl_tools.cli.report import make_report

        make_report(settings, [out], out / REPORT)


def _bots(players: str, solo: bool) -> tuple[str, ...]:
    bots = tuple(word.strip() for word in players.split(","))
    if solo and players == PLAYERS:
        bots = bots[:1]
    if solo and len(bots) != 1:
        raise click.UsageError("--solo is for one player: --players BOT.")
    return bots


def _levels(text: str) -> list[int]:
    return [] if text.strip().lower() == NO_LEVELS else level_numbers(text)


def _seed(out: Path | None) -> int:
    """The seed of what is kept already, so that the same command goes on; else any."""
    import secrets

    from coatl_tools.simulation.folder import SimulationFolder

    kept = None if out is None else SimulationFolder(out).kept_seed()
    return secrets.randbits(32) if kept is None else kept


def _crew(jobs: int | None, cluster: str | None) -> AbstractContextManager[Crew]:
    from coatl_tools.simulation.workers import cores, on_cores

    if cluster is None:
        return nullcontext(on_cores(cores() if jobs is None else jobs))
    if jobs is not None:
        raise click.UsageError("--jobs is for this machine: a cluster has workers of its own.")
    from coatl_tools.simulation.cluster import on_cluster

    return on_cluster(cluster)


class _Progress:
    """How many games are done, on a bar."""

    def __init__(self, games: int) -> None:
        self.done = 0
        self.bar = Bar(games)

    def __call__(self, games: int) -> None:
        self.done += games
        self.bar.show(self.done, self.done)


def _counted(plan: Plan, crew: Crew) -> Tally:
    """Play all games, and keep nothing but the numbers."""
    from coatl_tools.simulation.parts import parts_of
    from coatl_tools.simulation.summary import Tally, part_tally

    found, progress = Tally(), _Progress(plan.games)
    try:
        with progress.bar, closing(crew(part_tally, plan, parts_of(plan.games))) as played:
            for part, counted in played:
                found += counted
                progress(part.games)
    except KeyboardInterrupt:
        _stop(click.get_current_context().obj.language.label("sim_stopped_unkept"))
    return found


def _kept(settings: Settings, plan: Plan, crew: Crew, out: Path) -> Tally:
    """Play what is not there yet in a folder, and write the tables."""
    from coatl_tools.simulation.folder import SimulationFolder

    def warn(error: CoatlError) -> None:
        click.echo(error.text(settings.lang), err=True)

    folder = SimulationFolder(out)
    folder.begin(plan)
    playing, writing = _Progress(plan.games), _Progress(plan.games)
    try:
        with playing.bar:
            folder.play(plan, crew, playing, warn)
        with writing.bar:
            return folder.write_tables(plan, writing)
    except KeyboardInterrupt:
        _stop(settings.language.label("sim_stopped", playing.done, folder=out))


def _stop(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    raise click.exceptions.Exit(EXIT_INTERRUPTED)
