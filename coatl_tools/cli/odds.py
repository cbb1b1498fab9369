"""`coatl cards odds`: how hard cards are."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.settings import (
    FOLDER,
    Settings,
    complete_card,
    json_option,
    separate,
    shared_options,
)
from coatl_tools.errors import CommandLineError

if TYPE_CHECKING:
    from coatl_tools.cards.card import Card
    from coatl_tools.language import Language
    from coatl_tools.scoring.odds import CardOdds

PLOTS = (".png", ".svg")


@click.command()
@click.argument(
    "card_ids", metavar="CARD...", nargs=-1, required=True, shell_complete=complete_card
)
@click.option(
    "--pieces",
    metavar="NUMBER",
    default="3-15",
    show_default=True,
    help="How many pieces the Cóatls have: 7, or 4-12.",
)
@click.option(
    "--draw",
    "draw_name",
    type=click.Choice(["box", "even"]),
    default="box",
    show_default=True,
    help="What is random: pieces are drawn from a full box, or every colour is as likely as "
    "any other, whatever was drawn before.",
)
@click.option("--plot", metavar="FILE", type=FOLDER, help="Draw it too: a .png or .svg file.")
@json_option
@shared_options
@click.pass_obj
def odds(
    settings: Settings,
    card_ids: tuple[str, ...],
    pieces: str,
    draw_name: str,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Tell how hard cards are: how many random Cóatls reach each level.

    All complete Cóatls of a length are counted, none is drawn: the numbers are exact. With
    several cards, they are compared.
    """
    lengths = _lengths(pieces)
    catalog = settings.catalog()
    named = (catalog[card_id] for card_id in separate(card_ids))
    chosen = list({card.id: card for card in named}.values())  # each once
    if plot is not None:
        _check_plot(plot, len(chosen))
    found = _counted(chosen, lengths, draw_name)
    if plot is not None:
        from coatl_tools.cli.odds_plot import draw_plot

        draw_plot(plot, found, settings.language)
    if as_json:
        from coatl_tools.cli.screen import print_json

        data = [_odds_json(card_odds, settings.language) for card_odds in found]
        print_json(data[0] if len(data) == 1 else data)
        return
    from coatl_tools.cli.odds_screen import OddsScreen

    screen = OddsScreen(settings.language)
    screen.show(found)
    if plot is not None:
        screen.said("odds_written", path=plot)


def _lengths(text: str) -> range:
    """What `7` and `4-12` mean; CommandLineError for a length that no complete Cóatl has."""
    from coatl_tools.scoring.odds import LEAST_PIECES, MOST_PIECES
    from coatl_tools.scoring.ways import BODIES

    found = re.fullmatch(r"\s*([0-9]{1,999})\s*(?:[-–]\s*([0-9]{1,999})\s*)?", text)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    if low > high:
        raise CommandLineError("odds.pieces", text=text[:40])
    if low < LEAST_PIECES or high > MOST_PIECES:
        raise CommandLineError(
            "odds.lengths", text=text[:40], least=LEAST_PIECES, most=MOST_PIECES, bodies=BODIES
        )
    return range(low, high + 1)


def _check_plot(path: Path, cards: int) -> None:
    """Say before the work what is in the way of a plot."""
    from importlib.util import find_spec

    if path.suffix.lower() not in PLOTS:
        raise CommandLineError("odds.suffix", path=path)
    if find_spec("matplotlib") is None:
        raise CommandLineError("odds.no_matplotlib")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its fonts: its affair
    from coatl_tools.cli.odds_plot import MOST_CARDS

    if cards > MOST_CARDS:
        raise CommandLineError("odds.many", n=cards, most=MOST_CARDS)


def _counted(cards: list[Card], lengths: range, draw_name: str) -> list[CardOdds]:
    from coatl_tools.cli.progress import Bar
    from coatl_tools.scoring.odds import Draw
    from coatl_tools.scoring.odds import odds as count

    found = []
    with Bar(len(cards)) as bar:
        for card in cards:
            found.append(count(card, lengths, Draw(draw_name)))
            bar.show(len(found))
    return found


def _odds_json(card_odds: CardOdds, language: Language) -> dict[str, Any]:
    from coatl_tools.cards.wording import describe

    card = card_odds.card
    return {
        "id": card.id,
        "text": describe(card, language.code),
        "draw": card_odds.draw.value,
        "as_if_alone": card_odds.as_if_alone,
        "levels": [
            {"count": level.count, "points": level.points, "shortest": pieces}
            for level, pieces in zip(card.levels, card_odds.shortest, strict=True)
        ],
        "lengths": [
            {
                "pieces": length.pieces,
                "none": float(length.exactly[0]),
                "exactly": [float(share) for share in length.exactly[1:]],
                "at_least": [float(length.at_least(n + 1)) for n in range(len(card.levels))],
                "points": float(length.points),
            }
            for length in card_odds.lengths
        ],
    }
