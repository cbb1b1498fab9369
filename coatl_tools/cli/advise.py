"""`coatl advise`: the best assembly of a turn, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coatl_tools.cli.photo.options import EXIT_UNSURE, Wishes, correction_options, photo_option
from coatl_tools.cli.settings import Settings, json_option, shared_options
from coatl_tools.cli.table.shared import (
    as_option,
    ascii_option,
    complete_table,
    folder_option,
    open_table,
    plain_option,
    seat_of,
)
from coatl_tools.errors import CommandError
from coatl_tools.resources import CODES

if TYPE_CHECKING:
    from coatl_tools.referee.advice import Advice
    from coatl_tools.referee.table import Table
    from coatl_tools.rules.options import TableOptions
    from coatl_tools.rules.state import Built

_USE = 'Say what there is: --table NAME, or for example --board "R B <K" --coatl "<RBBB P05".'


@click.command()
@click.option(
    "--table", "name", metavar="NAME", shell_complete=complete_table, help="A table in progress."
)
@as_option
@click.option("--board", metavar="PIECES", default="", help='Pieces on the board: "R B <K G>".')
@click.option(
    "--coatl",
    "coatls",
    metavar="COATL",
    multiple=True,
    help='A Cóatl with the cards beside it: "<RBBB P05" (repeatable). With --photo, a number: '
    "only this Cóatl, counted from the top.",
)
@click.option("--hand", metavar="CARDS", default="", help="Prophecy cards in hand: P10,P16.")
@click.option(
    "--temple", metavar="CARDS", multiple=True, help="Temple cards in hand: T03 (repeatable)."
)
@click.option(
    "--piles", metavar="CARDS", default="", help="Top cards of the Temple piles: T01,T02; - none."
)
@click.option("--supply", metavar="CARDS", default="", help="Face-up Prophecy cards: P01,P07.")
@click.option("--last", is_flag=True, help="No turn of yours follows this one.")
@click.option(
    "--edition",
    type=click.Choice(CODES, case_sensitive=False),
    help="Whose rulebook; otherwise that of your language.",
)
@click.option(
    "--level",
    "levels",
    type=click.IntRange(1, 5),
    multiple=True,
    help="A difficulty level of a solo game (repeatable).",
)
@click.option("--promo", is_flag=True, help="Play with the promo cards too.")
@click.option(
    "--closed-ends",
    is_flag=True,
    help="An open end does not count as “no piece there” for a crossed-out piece.",
)
@click.option("--missing", is_flag=True, help="Every card on every Cóatl, not the nearest only.")
@photo_option
@correction_options
@plain_option
@ascii_option
@json_option
@folder_option
@shared_options
@click.pass_obj
def advise(
    settings: Settings,
    name: str | None,
    player: str | None,
    board: str,
    coatls: tuple[str, ...],
    hand: str,
    temple: tuple[str, ...],
    piles: str,
    supply: str,
    last: bool,
    edition: str | None,
    levels: tuple[int, ...],
    promo: bool,
    closed_ends: bool,
    missing: bool,
    photo: Path | None,
    sets: tuple[str, ...],
    fix: bool,
    colours: str | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Tell the best assembly of this turn, step by step, and what is still missing.

    For a player of a table in progress (--table NAME), with what that player knows; or for pieces
    and cards that you name, or that a photo shows. The steps are written as they are typed at
    “coatl table play”.
    """
    wishes = Wishes(sets, fix, colours)
    typed = (board, *coatls, hand, *temple, piles, supply)
    rules = (last, edition, levels, promo, closed_ends)
    if name is not None:
        if any(typed) or any(rules) or wishes or photo is not None:
            raise click.UsageError("--table tells all but --as: no pieces, cards or photo.")
        table = open_table(settings, name)
        _tell(settings, _at_table(table, player), plain, as_json, missing, table)
        return 0
    if player is not None:
        raise click.UsageError("--as is for --table NAME.")
    if photo is None and wishes:
        raise click.UsageError("--set, --fix and --colours are for --photo IMAGE.")
    if photo is None and not any(typed):
        raise click.UsageError(_USE)
    from coatl_tools.referee.advice import advice_from
    from coatl_tools.referee.typed_table import TypedSeat, typed_view

    options = _options(settings, edition, levels, promo, closed_ends)
    catalog = settings.catalog()
    seen: tuple[Built, ...] = ()
    if photo is not None:
        from coatl_tools.cli.photo.advise import coatls_of_photo

        numbers = [int(text) for text in coatls if text.strip().isdecimal()]
        coatls = tuple(text for text in coatls if not text.strip().isdecimal())
        found = coatls_of_photo(settings, photo, catalog, wishes, numbers, closed_ends)
        if found is None:
            return EXIT_UNSURE
        seen = found
    seat = TypedSeat(board, coatls, hand, " ".join(temple), piles, supply, seen)
    advice = advice_from(typed_view(seat, options, catalog), 0, last)
    _tell(settings, advice, plain, as_json, missing)
    return 0


def _options(
    settings: Settings,
    edition: str | None,
    levels: tuple[int, ...],
    promo: bool,
    closed_ends: bool,
) -> TableOptions:
    """A table of one's own: solo if there are levels, else with somebody else at it."""
    from coatl_tools.rules.options import TableOptions

    you = settings.language.label("you")
    return TableOptions.from_data(
        {
            "players": (you,) if levels else (you, "–"),
            "edition": (edition or settings.lang).lower(),
            "promo": promo,
            "levels": tuple(dict.fromkeys(levels)),
            "solo_temple_in_hand": bool(levels),
            "closed_ends": closed_ends,
        }
    )


def _at_table(table: Table, player: str | None) -> Advice:
    """Advice for the player named, or for whoever it can only be; CommandError if nobody is."""
    from coatl_tools.referee.advice import advice_from

    seat = seat_of(player, table.journal.header.options)
    if seat is None and not table.virtual:
        seat = table.asking
    elif seat is None:
        if len(table.people) != 1:
            names = ", ".join(table.journal.header.options.players)
            raise CommandError("advice.who", names=names)
        (seat,) = table.people
    return advice_from(table.view(seat), seat)


def _tell(
    settings: Settings,
    advice: Advice,
    plain: bool,
    as_json: bool,
    whole: bool,
    table: Table | None = None,
) -> None:
    from coatl_tools.cli.screen import Screen, print_json
    from coatl_tools.referee.advice_text import advice_data, typed_steps

    if as_json:
        print_json(advice_data(advice, settings.lang))
        return
    from coatl_tools.cli.advice_sheet import print_advice

    play = []
    if table is not None:
        lines = typed_steps(advice, settings.lang, real=not table.virtual)
        play = [f'coatl table do "{table.name}" "{line}"' for line in lines]
    print_advice(advice, Screen(settings.language), plain, "" if whole else "--missing", play)
