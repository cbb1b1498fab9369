"""`coatl table new`: begin a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from coatl_tools.cards.card import Card
from coatl_tools.cli.shared_options import Settings, json_option, own_cards_option
from coatl_tools.cli.table.position_and_tally_questions import ask_position, load_position
from coatl_tools.cli.table.table_command_options import plain_option, table_options
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.cli.variant_options import (
    collect_variants,
    edition_option,
    parse_solo_levels,
    variant_options,
)
from coatl_tools.players import get_bot
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_creation import (
    create_table,
    make_physical_header,
    make_table_options,
    make_virtual_header,
    name_seats,
)
from coatl_tools.referee.table_folder import get_table_path
from coatl_tools.rules.editions import choose_edition
from coatl_tools.rules.position.position import Position
from coatl_tools.rules.table_options import TableOptions

ASK_POSITION = "?"
_BOT_PREFIX = "bot:"


@click.command()
@click.argument("name")
@click.option(
    "--players",
    metavar="NAMES",
    default="North,South",
    show_default=True,
    help="Names in turn order, separated by commas; bot:greedy is a seat that a bot plays (random, "
    "greedy or expert).",
)
@click.option(
    "--virtual/--physical",
    default=None,
    help="The program deals and keeps the hands, or people report what happens at a real table. "
    "Virtual is the default.",
)
@click.option("--solo", is_flag=True, help="One player against A.D.A.M.")
@click.option("--levels", metavar="N,N", default="", help="Levels of the solo game: 1 to 5.")
@edition_option("that of your language")
@variant_options
@click.option(
    "--seed", type=int, help="The same seed deals the same cards and pieces; for virtual tables."
)
@click.option(
    "--join",
    metavar="[FILE]",
    type=click.Path(path_type=Path, allow_dash=True),
    is_flag=False,
    flag_value=ASK_POSITION,
    help="Join a game midway, at a real table: its state is in FILE, or is asked for.",
)
@plain_option
@json_option
@own_cards_option
@table_options
@click.pass_obj
def new(
    settings: Settings,
    name: str,
    players: str,
    virtual: bool | None,
    solo: bool,
    levels: str,
    edition: str | None,
    variants: dict[str, Any],
    seed: int | None,
    join: Path | None,
    plain: bool,
    as_json: bool,
) -> None:
    """Create a table, and show all its options and rulings."""
    get_table_path(settings.folder, name)  # a bad name is told before anything is asked
    names, bots = _parse_seats(players, solo)
    for bot in filter(None, bots):
        get_bot(bot)
    if virtual is None:
        virtual = join is None
    if not virtual and seed is not None:
        raise click.UsageError("--seed needs a virtual table: nothing is dealt at a real one.")
    if virtual and join is not None:
        raise click.UsageError("--join needs a real table: use --physical.")
    played = choose_edition(edition, settings.language)
    chosen = collect_variants(variants, played, settings.language)
    options = make_table_options(names, virtual, {"levels": parse_solo_levels(levels), **chosen})
    catalog = settings.catalog()
    if virtual:
        header = make_virtual_header(options, catalog, bots, seed)
    else:
        start = None
        if join is not None:
            start = _get_position(settings, join, options, catalog.deck(options.promo))
        header = make_physical_header(options, catalog, bots, start)
    table = create_table(settings.folder, name, header)
    settings.done = True
    if as_json:
        _print_table_json(table, options)
    elif plain:
        _print_table_plain(settings, table, options)
    else:
        _print_table_options(settings, table, options)


def _parse_seats(players: str, solo: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parse `North,bot:random,Robo=bot:random` into names and bots."""
    words = [word.strip() for word in players.split(",")]
    if solo and len(words) != 1 and players == "North,South":
        words = words[:1]
    if solo and len(words) != 1:
        raise click.UsageError("--solo takes one player: --players NAME.")

    return name_seats(map(_parse_seat, words))


def _parse_seat(text: str) -> tuple[str, str]:
    """Parse `North`, `bot:random` or `Robo=bot:random` into a name and a bot, each maybe empty."""
    name, _, bot = text.rpartition("=")
    if not bot.lower().startswith(_BOT_PREFIX):
        return text, ""
    if len(bot) == len(_BOT_PREFIX):
        get_bot("")  # which tells what bots there are
    return name.strip(), bot[len(_BOT_PREFIX) :].lower()


def _get_position(
    settings: Settings, join: Path, options: TableOptions, cards: tuple[Card, ...]
) -> Position:
    """Return the position of a game that is joined midway, from a file or by asking."""
    if str(join) == ASK_POSITION:
        return ask_position(options, cards, settings.lang)
    return load_position(join, options, cards)


def _print_table_json(table: Table, options: TableOptions) -> None:
    print_json(
        {
            "table": table.name,
            "file": str(table.journal.path),
            "virtual": table.is_virtual,
            "seed": table.journal.header.seed,
            "bots": list(table.journal.header.bots),
            "options": options.data(),
        }
    )


def _print_table_plain(settings: Settings, table: Table, options: TableOptions) -> None:
    language = settings.language
    kind = language.label("kind_virtual" if table.is_virtual else "kind_physical")
    click.echo(language.label("table_begun", name=table.name, kind=kind))
    for line in options.list_rules(settings.lang):
        chosen = f"{line.name}: {line.value}. " if line.name else ""
        rule = language.label("by_rule", rule=line.rule) if line.rule else ""
        click.echo(f"{chosen}{line.text} {rule}".strip())
    click.echo(language.label("table_play", name=table.name))


def _print_table_options(settings: Settings, table: Table, options: TableOptions) -> None:
    screen = Screen(settings.language)
    kind = screen.label("kind_virtual" if table.is_virtual else "kind_physical")
    screen.print(Text(screen.label("table_begun", name=table.name, kind=kind), "bold"), "")
    lines = options.list_rules(settings.lang)
    chosen = [line for line in lines if line.name]
    width = max(len(line.name) for line in chosen) + 2
    for line in chosen:
        rule = screen.label("by_rule", rule=line.rule)
        text = Text.assemble((line.value, "bold"), f"  {line.text} {rule}")
        screen.print_hanging(f"{line.name:<{width}}", text)
    screen.print("", Text(screen.label("rulings"), "bold"))
    for line in lines:
        if not line.name:
            screen.print_hanging(f"{line.rule:<6}", Text(line.text))
    screen.print("", Text(screen.label("table_play", name=table.name), "bold"))
