"""`coatl cards`: list, show and check the cards."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.common_options import (
    FILE_TYPE,
    Settings,
    complete_card,
    json_option,
    language_option,
    shared_options,
    split_card_ids,
)
from coatl_tools.cli.odds import odds
from coatl_tools.errors import CommandLineError

if TYPE_CHECKING:
    from coatl_tools.cards.card import Card
    from coatl_tools.files import FileProblem
    from coatl_tools.language import Language
    from coatl_tools.pieces import Colour


@click.group()
@language_option
def cards() -> None:
    """List, show and check cards, the game's and your own."""


cards.add_command(odds)


@cards.command(name="list")
@click.option("--kind", type=click.Choice(["prophecy", "temple"]), help="Only this kind.")
@click.option("--colour", "--color", metavar="COLOUR", help="Only Prophecy cards of this colour.")
@click.option(
    "--points",
    metavar="POINTS",
    help="Only cards with a level that pays so much: 5, 3-6, 4+ or -4.",
)
@click.option("--set", "set_name", metavar="NAME", help="Only this set: base, promo or your own.")
@json_option
@shared_options
@click.pass_obj
def list_cards(
    settings: Settings,
    kind: str | None,
    colour: str | None,
    points: str | None,
    set_name: str | None,
    as_json: bool,
) -> None:
    """List all cards, or those that filters choose."""
    wanted_colour = None if colour is None else _parse_card_colour(colour)
    low, high = (0, 999) if points is None else _parse_points_range(points)
    catalog = settings.catalog()
    sets = sorted({card.set for card in catalog})
    if set_name is not None and set_name not in sets:
        raise CommandLineError("set.unknown", text=set_name[:40], sets=", ".join(sets))
    chosen = [
        card
        for card in catalog
        if (kind is None or card.kind.value == kind)
        and (wanted_colour is None or card.colour == wanted_colour)
        and (set_name is None or card.set == set_name)
        and any(low <= level.points <= high for level in card.levels)
    ]
    if as_json:
        from coatl_tools.cli.terminal.stdio import print_json

        print_json([_make_card_data(card, settings.language) for card in chosen])
    else:
        _print_card_list(chosen, settings)


def _print_card_list(chosen: list[Card], settings: Settings) -> None:
    from rich.text import Text

    from coatl_tools.cli.terminal.screen import GridColumn, Screen

    screen = Screen(settings.language)
    columns = [
        GridColumn(screen.label("card")),
        GridColumn(screen.label("colour")),
        GridColumn("×"),
        GridColumn(screen.label("asks"), ratio=1),
        GridColumn(screen.label("points")),
    ]
    rows = [
        [
            Text(card.id),
            screen.card_colour(card),
            Text(str(card.copies)),
            screen.asks(card.requirement),
            Text(screen.levels(card)),
        ]
        for card in chosen
    ]
    screen.table(columns, rows)
    total = screen.label("card_total", len(chosen))
    screen.print(f"{total}, {screen.label('copies', sum(card.copies for card in chosen))}")


@cards.command()
@click.argument(
    "card_ids", metavar="CARD...", nargs=-1, required=True, shell_complete=complete_card
)
@json_option
@shared_options
@click.pass_obj
def show(settings: Settings, card_ids: tuple[str, ...], as_json: bool) -> None:
    """Show cards: drawn, in words, with their levels."""
    catalog = settings.catalog()
    chosen = [catalog[card_id] for card_id in split_card_ids(card_ids)]
    from coatl_tools.cli.terminal.screen import Screen
    from coatl_tools.cli.terminal.stdio import print_json

    if as_json:
        found = [_make_card_data(card, settings.language) for card in chosen]
        print_json(found[0] if len(found) == 1 else found)
    else:
        screen = Screen(settings.language)
        screen.print(*(screen.card(card) for card in chosen))


@cards.command()
@click.argument("paths", metavar="[FILE|FOLDER]...", nargs=-1, type=FILE_TYPE)
@json_option
@shared_options
@click.pass_obj
def validate(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> int:
    """Check card data: every problem at once, exit code 1 if there is any.

    Texts that a language lacks are warnings: English takes their place, and the exit code is 0.

    Without FILE or FOLDER, the game's own data and your cards are checked. A file of yours is
    checked together with the game's cards; a folder with a components.json stands alone.
    """
    from coatl_tools.cli.terminal.stdio import print_json
    from coatl_tools.validation import validate_files as check

    report = check([*paths, *settings.card_files] if paths else [], settings.own_files())
    language = settings.language
    if as_json:
        errors = [_serialize_problem(problem, "error") for problem in report.problems]
        print_json(errors + [_serialize_problem(problem, "warning") for problem in report.warnings])
        return 1 if report.problems else 0
    for problem in report.problems:
        print(problem)
    for problem in report.warnings:
        print(language.label("warning", message=problem))
    if report.problems:
        print(language.label("problems", len(report.problems)), file=sys.stderr)
    else:
        files = language.label("files", report.files)
        total = language.label("card_total", report.cards)
        print(language.label("valid", files=files, cards=total))
    return 1 if report.problems else 0


@cards.command()
@click.argument("part", type=click.Choice(["cards", "components", "language"]), default="cards")
@language_option
def schema(part: str) -> None:
    """Print the JSON Schema of card files, so that editors help whoever writes cards."""
    from coatl_tools.validation import read_schema

    sys.stdout.write(read_schema(part))


def _parse_card_colour(text: str) -> Colour:
    from coatl_tools.language import fold_letters, piece_words
    from coatl_tools.pieces import Colour

    if text.upper() in Colour.__members__:
        return Colour[text.upper()]
    known = piece_words().get(fold_letters(text))
    if known is None or not isinstance(known.meaning, Colour):
        raise CommandLineError("colour.unknown", text=text[:40])
    return known.meaning


def _parse_points_range(text: str) -> tuple[int, int]:
    """What `5`, `3-6`, `4+` and `-4` mean."""
    found = re.fullmatch(r"\s*(\d{1,3})?\s*([-+]?)\s*(\d{1,3})?\s*", text)
    match found.groups() if found else ():
        case (low, "", None) if low:
            return int(low), int(low)
        case (low, "+", None) if low:
            return int(low), 999
        case (low, "-", high) if high and int(low or 0) <= int(high):
            return int(low or 0), int(high)
    raise CommandLineError("points.unknown", text=text[:40])


def _make_card_data(card: Card, language: Language) -> dict[str, Any]:
    from coatl_tools.cards.card_text import describe_card
    from coatl_tools.cards.serialization import serialize_card

    return {
        **serialize_card(card),
        "copies": card.copies,
        "set": card.set,
        "text": describe_card(card, language.code),
    }


def _serialize_problem(problem: FileProblem, severity: str) -> dict[str, Any]:
    return {
        "severity": severity,
        "file": problem.path,
        "line": problem.line,
        "column": problem.column,
        "card": problem.card_id,
        "message": problem.message,
    }
