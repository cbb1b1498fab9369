"""`coatl simulate`: play many games of bots, on this machine or a cluster, and print a summary."""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.text import Text

from coatl_tools.cli.shared_options import FOLDER_TYPE, Settings, json_option, shared_options
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.screen import GridColumn, Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.cli.variant_options import (
    collect_variants,
    edition_option,
    parse_solo_levels,
    variant_options,
)
from coatl_tools.errors import CoatlError
from coatl_tools.language import Language
from coatl_tools.rules.constants import ADAM_NAME
from coatl_tools.rules.editions import choose_edition
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.chunks import split_into_chunks
from coatl_tools.simulation.dask_cluster import connect_to_cluster
from coatl_tools.simulation.datasets import ADAM_BOT, can_write_parquet
from coatl_tools.simulation.executors import ChunkExecutor, count_cores, make_local_executor
from coatl_tools.simulation.folder import SimulationFolder
from coatl_tools.simulation.plan import SimulationPlan, make_seat_names
from coatl_tools.simulation.statistics import SimulationSummary, summarize_chunk

DEFAULT_BOTS = "greedy,greedy"
REPORT_FOLDER = "report"  # the folder of the page, in that of the tables
NO_LEVELS = "none"
EXIT_INTERRUPTED = 130


@click.command()
@click.option("--games", type=int, default=100, show_default=True, help="How many games.")
@click.option(
    "--players",
    metavar="BOTS",
    default=DEFAULT_BOTS,
    show_default=True,
    help="Bots, separated by commas: random, greedy, expert, or expert:N, which looks at N "
    "positions a move. They rotate through the seats.",
)
@click.option("--solo", is_flag=True, help="One bot against A.D.A.M.")
@click.option(
    "--levels",
    metavar="N,N",
    multiple=True,
    help=f"Levels of the solo game, 1 to 5, or “{NO_LEVELS}”. Repeatable: games alternate "
    "between the combinations.",
)
@edition_option("en")
@variant_options
@click.option("--seed", type=int, help="The same seed plays the same games.")
@click.option("--jobs", type=int, help="How many processes; otherwise one for each core.")
@click.option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler.")
@click.option(
    "--out",
    metavar="DIR",
    type=FOLDER_TYPE,
    help="Keep games and tables here. The same command continues what is there; a larger "
    "--games adds to it.",
)
@click.option(
    "--report",
    is_flag=True,
    help=f"Also make the balance report of --out DIR, in DIR/{REPORT_FOLDER}.",
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
    variants: dict[str, Any],
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    report: bool,
    as_json: bool,
) -> None:
    """Let bots play many games, and count the results."""
    if report and (out is None or as_json):
        raise click.UsageError("--report needs --out DIR, and cannot be combined with --json.")
    bots = _parse_bots(players, solo)
    chosen = collect_variants(variants, choose_edition(edition), settings.language)
    combinations = (
        [chosen.pop("levels")] if "levels" in chosen else list(map(_parse_level_option, levels))
    )
    plan = SimulationPlan(
        games=games,
        players=bots,
        options=TableOptions.from_data({"players": make_seat_names(bots)} | chosen),
        cards=settings.catalog().deck(bool(chosen["promo"])),
        seed=_choose_seed(out) if seed is None else seed,
        levels=tuple(tuple(sorted(found)) for found in combinations) or ((),),
    )
    with _open_executor(jobs, cluster) as crew:
        tally = (
            _play_and_count(plan, crew)
            if out is None
            else _play_into_folder(settings, plan, crew, out)
        )
    settings.done = True
    if as_json:
        print_json(tally.data(plan))
    else:
        print_simulation_summary(tally.data(plan), settings.language, out)
    if report and out is not None:
        # the report's pages and plots are heavy, and need optional packages
        from coatl_tools.cli.report import write_simulation_report  # noqa: PLC0415

        write_simulation_report(settings, out, out / REPORT_FOLDER)


def _parse_bots(players: str, solo: bool) -> tuple[str, ...]:
    bots = tuple(word.strip() for word in players.split(","))
    if solo and players == DEFAULT_BOTS:
        bots = bots[:1]
    if solo and len(bots) != 1:
        raise click.UsageError("--solo takes one player: --players BOT.")
    return bots


def _parse_level_option(text: str) -> list[int]:
    return [] if text.strip().lower() == NO_LEVELS else parse_solo_levels(text)


def _choose_seed(out: Path | None) -> int:
    """Return the seed of the games already in the folder, to continue them; else a new one."""
    kept = None if out is None else SimulationFolder(out).stored_seed()
    return secrets.randbits(32) if kept is None else kept


def _open_executor(jobs: int | None, cluster: str | None) -> AbstractContextManager[ChunkExecutor]:
    if cluster is None:
        return nullcontext(make_local_executor(count_cores() if jobs is None else jobs))
    if jobs is not None:
        raise click.UsageError(
            "--jobs cannot be combined with --cluster, which has its own workers."
        )

    return connect_to_cluster(cluster)


class _GamesProgress:
    """Shows on a bar how many games are done."""

    def __init__(self, games: int) -> None:
        self.done = 0
        self.bar = ProgressBar(games)

    def __call__(self, games: int) -> None:
        self.done += games
        self.bar.update(self.done, self.done)


def _play_and_count(plan: SimulationPlan, crew: ChunkExecutor) -> SimulationSummary:
    """Play all games, and return only the summary."""
    found, progress = SimulationSummary(), _GamesProgress(plan.games)
    try:
        with (
            progress.bar,
            closing(crew(summarize_chunk, plan, split_into_chunks(plan.games))) as played,
        ):
            for chunk, counted in played:
                found += counted
                progress(chunk.games)
    except KeyboardInterrupt:
        _exit_interrupted(click.get_current_context().obj.language.label("sim_stopped_unkept"))
    return found


def _play_into_folder(
    settings: Settings, plan: SimulationPlan, crew: ChunkExecutor, out: Path
) -> SimulationSummary:
    """Play the games that are missing in a folder, and write the datasets."""

    def warn(error: CoatlError) -> None:
        click.echo(error.text(settings.lang), err=True)

    folder = SimulationFolder(out)
    folder.begin(plan)
    playing, writing = _GamesProgress(plan.games), _GamesProgress(plan.games)
    try:
        with playing.bar:
            folder.play(plan, crew, playing, warn)
        with writing.bar:
            return folder.write_datasets(plan, writing)
    except KeyboardInterrupt:
        _exit_interrupted(settings.language.label("sim_stopped", playing.done, folder=out))


def _exit_interrupted(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    raise click.exceptions.Exit(EXIT_INTERRUPTED)


def print_simulation_summary(found: dict[str, Any], language: Language, out: Path | None) -> None:
    """Print players, seats or levels, endings, and the path of the datasets, if any."""
    _SimulationPrinter(found, Screen(language)).print()
    if out is None:
        return
    screen = Screen(language)
    screen.print("", Text(screen.label("sim_written", folder=out)))
    if not can_write_parquet():
        screen.print(screen.label("sim_parquet"))


class _SimulationPrinter:
    """Prints one summary."""

    def __init__(self, found: dict[str, Any], screen: Screen) -> None:
        self.found, self.screen, self.label = found, screen, screen.label
        self.solo = "adam" in found

    def print(self) -> None:
        """Print the whole summary."""
        found = self.found
        title = self.label(
            "sim_title", found["games"], seed=found["seed"], edition=found["edition"]
        )
        self.screen.print(Text(title, "bold"), "")
        self.print_grid(
            [self.label("sim_player")],
            [
                ([f"{one['player']} {_format_bot_name(one['bot'])}"], one)
                for one in found["players"]
            ],
        )
        if self.solo:
            none = self.label("none")
            levels = [([one["levels"] or none, str(one["games"])], one) for one in found["adam"]]
            self.print_grid([self.label("sim_levels"), self.label("sim_games")], levels)
        else:
            seats = [([str(one["seat"])], one) for one in found["seats"]]
            self.print_grid([self.label("sim_seat")], seats)
        self.screen.print(Text(self.label("sim_note"), "dim"))
        third, bodies, passed = (
            self.format_percent(n / found["games"]) for n in found["endings"].values()
        )
        ends = self.label("sim_endings", third=third, bodies=bodies, passed=passed)
        turns = self.label("sim_turns", turns=self.format_number(found["mean_turns"]))
        self.screen.print(ends, turns)

    def print_grid(self, names: list[str], lines: list[tuple[list[str], dict[str, Any]]]) -> None:
        """Print the results of players, seats or levels; A.D.A.M. never shares a victory."""
        counts = {"wins": self.label("sim_wins"), "shared": self.label("sim_shared")}
        if self.solo:
            del counts["shared"]
        labels = [*counts.values(), self.label("sim_rate"), self.label("points")]
        columns = [
            *map(GridColumn, names),
            *(GridColumn(label, justify="right") for label in labels),
        ]
        rows = []
        for lead, one in lines:
            cells = [
                *lead,
                *(str(one[count]) for count in counts),
                self.format_rate(one),
                self.format_score(one),
            ]
            rows.append([*map(Text, cells)])
        self.screen.print_grid(columns, rows)
        self.screen.print("")

    def format_rate(self, one: dict[str, Any]) -> str:
        """Format the share of games won, with its confidence interval."""
        low, high = (self.format_number(100 * bound) for bound in one["win_interval"])
        return f"{self.format_percent(one['win_rate'])} ({low}–{high})"

    def format_score(self, one: dict[str, Any]) -> str:
        """Format the mean points, with their margin of error if it is known."""
        mean, (_, high) = one["mean_score"], one["score_interval"]
        more = "" if high is None else f" ± {self.format_number(high - mean)}"
        return self.format_number(mean) + more

    def format_percent(self, value: float) -> str:
        """Format a share of 1 in percent."""
        return self.label("percent_share", share=self.format_number(100 * value))

    def format_number(self, value: float) -> str:
        """Format a number as people of this language write it."""
        return self.screen.language.typography.format_decimal(value, 1)


def _format_bot_name(bot: str) -> str:
    return ADAM_NAME if bot == ADAM_BOT else bot
