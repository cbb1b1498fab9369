"""`coatl table tally`: the result of a game that was played without the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from coatl_tools.cards.card import Card
from coatl_tools.cli.shared_options import (
    FILE_TYPE,
    Settings,
    closed_ends_option,
    json_option,
    shared_options,
)
from coatl_tools.cli.table.position_and_tally_questions import ask_tally
from coatl_tools.cli.table.table_command_options import ascii_option
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json, read_input
from coatl_tools.cli.terminal.table_screen import print_result
from coatl_tools.cli.variant_options import edition_option, level_option
from coatl_tools.files.json_files import parse_json_object, wrap_content_errors
from coatl_tools.referee.presentation.result_text import describe_result, serialize_result
from coatl_tools.referee.tally import Tally, parse_tally, score_tally
from coatl_tools.rules.editions import choose_edition


@click.command()
@click.argument("file", required=False, type=FILE_TYPE)
@edition_option("that of your language")
@click.option("--promo", is_flag=True, help="Played with the promo cards too.")
@click.option("--golden-feathers", is_flag=True, help="Played with golden segments.")
@click.option("--fewer-bodies", is_flag=True, help="Played with fewer body segments.")
@level_option
@closed_ends_option
@click.option("--plain", is_flag=True, help="Print sentences, for screen readers.")
@json_option
@ascii_option
@shared_options
@click.pass_obj
def tally(
    settings: Settings,
    file: Path | None,
    edition: str | None,
    promo: bool,
    golden_feathers: bool,
    fewer_bodies: bool,
    levels: tuple[int, ...],
    closed_ends: bool,
    plain: bool,
    as_json: bool,
) -> int:
    """Score a finished game, and show who has won.

    FILE is JSON (- for standard input); docs/tables.md shows one. Without FILE you are asked:
    who played, then each player's Cóatls, one a line with the cards beside it, such as
    "<RBBYG> P29 T03".
    """
    asked: dict[str, Any] = {
        "promo": promo,
        "golden_feathers": golden_feathers,
        "fewer_bodies": fewer_bodies,
        "levels": levels,
        "closed_ends": closed_ends,
    }
    given = [name for name, value in {"edition": edition, **asked}.items() if value]
    if file is not None and given:
        option = "--level" if given[0] == "levels" else f"--{given[0].replace('_', '-')}"
        raise click.UsageError(f"{option} cannot be given with FILE: the file says it.")
    if plain and as_json:
        raise click.UsageError("Choose one of --plain and --json.")

    cards = tuple(settings.catalog())
    if file is not None:
        table = _load_tally(file, cards)
    else:
        asked["edition"] = choose_edition(edition, settings.language)
        table = ask_tally(asked, cards, settings.lang)
    result, edition = score_tally(table, cards), table.options.edition
    edition_line = settings.language.label("edition_played", edition=edition)
    if plain:
        click.echo("\n".join([edition_line, *describe_result(result, settings.lang)]))
        return 0

    if as_json:
        print_json({"edition": edition, **serialize_result(result)})
    else:
        click.echo(edition_line)
        print_result(result, Screen(settings.language), over=True)
    return 0


def _load_tally(path: Path, cards: tuple[Card, ...]) -> Tally:
    data = read_input(path)
    with wrap_content_errors(path):
        return parse_tally(parse_json_object(data), cards)
