"""`coatl cards list` and `show`: look at the cards."""

from __future__ import annotations

import re
from typing import Any

import click
from rich.text import Text

from coatl_tools.cards.card import Card, serialize_card
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cli.shared_options import (
    Settings,
    complete_card,
    json_option,
    shared_options,
    split_card_ids,
)
from coatl_tools.cli.terminal.screen import GridColumn, Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError
from coatl_tools.language import Language, fold_letters, piece_words
from coatl_tools.pieces import Colour


@click.command("list")
@click.option("--kind", type=click.Choice(["prophecy", "temple"]), help="Only this kind.")
@click.option("--colour", "--color", metavar="COLOUR", help="Only Prophecy cards of this colour.")
@click.option(
    "--points",
    metavar="POINTS",
    help="Only cards with a level that scores this much: 5, 3-6, 4+ or -4.",
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
    """List all cards, or those that match the filters."""
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
        print_json([_make_card_data(card, settings.language) for card in chosen])
    else:
        _print_card_list(chosen, settings)


def _print_card_list(chosen: list[Card], settings: Settings) -> None:
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
            screen.render_card_colour(card),
            Text(str(card.copies)),
            screen.render_requirement(card.requirement),
            Text(screen.format_levels(card)),
        ]
        for card in chosen
    ]
    screen.print_grid(columns, rows)
    total = screen.label("card_total", len(chosen))
    screen.print(f"{total}, {screen.label('copies', sum(card.copies for card in chosen))}")


@click.command()
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

    if as_json:
        found = [_make_card_data(card, settings.language) for card in chosen]
        print_json(found[0] if len(found) == 1 else found)
    else:
        screen = Screen(settings.language)
        screen.print(*(screen.render_card(card) for card in chosen))


def _parse_card_colour(text: str) -> Colour:
    if text.upper() in Colour.__members__:
        return Colour[text.upper()]
    known = piece_words().get(fold_letters(text))
    if known is None or not isinstance(known.meaning, Colour):
        raise CommandLineError("colour.unknown", text=text[:40])
    return known.meaning


def _parse_points_range(text: str) -> tuple[int, int]:
    """Parse a range of points: `5`, `3-6`, `4+` or `-4`; raises CommandLineError."""
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
    return {
        **serialize_card(card),
        "copies": card.copies,
        "set": card.set,
        "text": describe_card(card, language.code),
    }
