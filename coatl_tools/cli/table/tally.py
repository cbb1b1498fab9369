"""`coatl table tally`: the result of a game that was played without the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.settings import FILE, Settings, json_option, shared_options
from coatl_tools.cli.table.shared import ascii_option

if TYPE_CHECKING:
    from coatl_tools.cards.card import Card
    from coatl_tools.referee.tally import Tally


@click.command()
@click.argument("file", required=False, type=FILE)
@click.option(
    "--edition",
    type=click.Choice(["en", "fr", "pl"], case_sensitive=False),
    help="The edition played by; in pl an incomplete Cóatl counts half.",
)
@click.option("--promo", is_flag=True, help="Played with the promo cards too.")
@click.option("--golden-feathers", is_flag=True, help="Played with golden segments.")
@click.option("--fewer-bodies", is_flag=True, help="Played with fewer body segments.")
@click.option(
    "--level",
    "levels",
    type=click.IntRange(1, 5),
    multiple=True,
    help="A difficulty level of a solo game (repeatable).",
)
@click.option(
    "--closed-ends",
    is_flag=True,
    help="An open end does not count as “no piece there” for a crossed-out piece.",
)
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
    """Score a finished game, and tell who has won.

    FILE is JSON (- for standard input); docs/tables.md shows one. Without FILE you are asked:
    who played, then each player's Cóatls, one a line with the cards beside it, such as
    "<RBBYG> P29 T03".
    """
    asked = {
        "edition": edition or "en",
        "promo": promo,
        "golden_feathers": golden_feathers,
        "fewer_bodies": fewer_bodies,
        "levels": levels,
        "closed_ends": closed_ends,
    }
    if file is not None and any([edition, *list(asked.values())[1:]]):
        raise click.UsageError("These options stand in FILE; give them only without one.")
    if plain and as_json:
        raise click.UsageError("Choose one of --plain and --json.")
    from coatl_tools.referee.tally import tally as tallied

    cards = tuple(settings.catalog())
    result = tallied(_read(file, cards) if file else _ask(asked, cards, settings.lang), cards)
    if plain:
        from coatl_tools.referee.result_text import result_sentences

        click.echo("\n".join(result_sentences(result, settings.lang)))
        return 0
    from coatl_tools.cli.result_sheet import print_result, result_json
    from coatl_tools.cli.screen import Screen, print_json

    if as_json:
        print_json(result_json(result))
    else:
        print_result(result, Screen(settings.language), over=True)
    return 0


def _ask(options: dict[str, Any], cards: tuple[Card, ...], language: str) -> Tally:
    from coatl_tools.cli.table.tally_questions import ask_tally

    return ask_tally(options, cards, language)


def _read(path: Path, cards: tuple[Card, ...]) -> Tally:
    from coatl_tools.cli.streams import document
    from coatl_tools.documents import in_file, loads
    from coatl_tools.referee.tally import read_tally

    data = document(path)
    with in_file(path):
        return read_tally(loads(data), cards)
