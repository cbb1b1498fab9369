"""`coatl advise`: the best assembly of a turn, for a table or for pieces that are typed."""

from __future__ import annotations

from pathlib import Path

import click

from coatl_tools.cli.photo.photo_options import (
    EXIT_UNSURE,
    PhotoOptions,
    add_correction_options,
    photo_option,
)
from coatl_tools.cli.shared_options import Settings, closed_ends_option, json_option, shared_options
from coatl_tools.cli.table.table_command_options import (
    as_option,
    ascii_option,
    complete_table,
    folder_option,
    plain_option,
)
from coatl_tools.cli.terminal.advice_screen import print_advice
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.cli.terminal.table_output import open_table
from coatl_tools.cli.variant_options import edition_option, level_option
from coatl_tools.errors import CommandError
from coatl_tools.referee.advice import (
    Advice,
    format_plan_commands,
    make_advice,
    make_table_advice,
    serialize_advice,
)
from coatl_tools.referee.position_file import TypedPosition, build_typed_view
from coatl_tools.referee.table import Table
from coatl_tools.rules.editions import choose_edition
from coatl_tools.rules.state import Built
from coatl_tools.rules.table_options import TableOptions

_USAGE_HINT = (
    'Say what there is: --table NAME, or for example --board "R B <K" --coatl "<RBBB P05".'
)


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
@click.option("--last", is_flag=True, help="This is your last turn.")
@edition_option("that of your language")
@level_option
@click.option("--promo", is_flag=True, help="Play with the promo cards too.")
@closed_ends_option
@click.option(
    "--missing", is_flag=True, help="Show every card on every Cóatl, not only the nearest."
)
@photo_option
@add_correction_options
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
    photo_options: PhotoOptions,
    plain: bool,
    as_json: bool,
) -> int:
    """Show the best assembly of this turn, step by step, and what is still missing.

    For a player at a table in progress (--table NAME), using what that player knows; or for
    pieces and cards that you name, or that a photo shows. The steps are commands of “coatl table
    play”.
    """
    typed = (board, *coatls, hand, *temple, piles, supply)
    rules = (last, edition, levels, promo, closed_ends)
    if name is not None:
        if any(typed) or any(rules) or photo_options or photo is not None:
            raise click.UsageError(
                "With --table, give no pieces, cards or photo: the table has them."
            )
        table = open_table(settings, name)
        _output_advice(settings, _advise_at_table(table, player), plain, as_json, missing, table)
        return 0
    if player is not None:
        raise click.UsageError("--as needs --table NAME.")
    if photo is None and photo_options:
        raise click.UsageError("--set, --fix and --colours need --photo IMAGE.")
    if photo is None and not any(typed):
        raise click.UsageError(_USAGE_HINT)

    options = _make_options(settings, edition, levels, promo, closed_ends)
    catalog = settings.catalog()
    seen: tuple[Built, ...] = ()
    if photo is not None:
        # What reads and corrects photos is heavy: typed pieces are judged without it.
        from coatl_tools.cli.photo.score_and_advise import (  # noqa: PLC0415
            read_coatls_from_photo,
        )

        numbers = [int(text) for text in coatls if text.strip().isdecimal()]
        coatls = tuple(text for text in coatls if not text.strip().isdecimal())
        found = read_coatls_from_photo(
            settings, photo, catalog, photo_options, numbers, closed_ends
        )
        if found is None:
            return EXIT_UNSURE
        seen = found
    seat = TypedPosition(board, coatls, hand, " ".join(temple), piles, supply, seen)
    advice = make_advice(build_typed_view(seat, options, catalog), 0, last)
    _output_advice(settings, advice, plain, as_json, missing)
    return 0


def _make_options(
    settings: Settings,
    edition: str | None,
    levels: tuple[int, ...],
    promo: bool,
    closed_ends: bool,
) -> TableOptions:
    """Make the options of a table for typed pieces: solo with levels, else with an opponent."""
    you = settings.language.label("you")
    return TableOptions.from_data(
        {
            "players": (you,) if levels else (you, "–"),
            "edition": choose_edition(edition, settings.language),
            "promo": promo,
            "levels": tuple(dict.fromkeys(levels)),
            "solo_temple_in_hand": bool(levels),
            "closed_ends": closed_ends,
        }
    )


def _advise_at_table(table: Table, player: str | None) -> Advice:
    """Advise the named player, or the only possible one; CommandError if it is not clear who."""
    seat = table.find_seat(player)
    if seat is None and table.is_virtual:
        if len(table.human_seats) != 1:
            names = ", ".join(table.journal.header.options.players)
            raise CommandError("advice.who", names=names)
        (seat,) = table.human_seats
    return make_table_advice(table, seat)


def _output_advice(
    settings: Settings,
    advice: Advice,
    plain: bool,
    as_json: bool,
    whole: bool,
    table: Table | None = None,
) -> None:
    if as_json:
        print_json(serialize_advice(advice, settings.lang))
        return

    play = []
    if table is None:  # at a table it is one of the options that were chosen when it began
        edition = advice.situation.game.options.edition
        click.echo(settings.language.label("edition_played", edition=edition))
    else:
        lines = format_plan_commands(advice, settings.lang, real=not table.is_virtual)
        play = [f'coatl table do "{table.name}" "{line}"' for line in lines]
    print_advice(advice, Screen(settings.language), plain, "" if whole else "--missing", play)
