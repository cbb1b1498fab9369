"""`coatl score`: what a Cóatl is worth, and why."""

from __future__ import annotations

from pathlib import Path

import click

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import depends_on_cards
from coatl_tools.cli.photo.photo_options import (
    PhotoOptions,
    add_correction_options,
    photo_option,
)
from coatl_tools.cli.shared_options import (
    FILE_TYPE,
    Settings,
    closed_ends_option,
    complete_card,
    json_option,
    shared_options,
    split_card_ids,
)
from coatl_tools.cli.terminal.score_screen import print_score_sheet
from coatl_tools.cli.terminal.screen import Screen
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.notation import parse_coatl
from coatl_tools.scoring.score_sheet import score_card_set, score_whole_deck, serialize_score_sheet


@click.command()
@click.argument("coatl", required=False)
@click.argument("card_ids", metavar="[CARD]...", nargs=-1, shell_complete=complete_card)
@click.option(
    "--batch",
    metavar="FILE",
    type=FILE_TYPE,
    help="Score every line of a file (- for standard input); print one JSON object per line.",
)
@click.option(
    "--promo",
    is_flag=True,
    help="Play with the promo cards too (with --batch: the Prophecy cards; the points of promo "
    "Temple cards depend on the cards beside the Cóatl).",
)
@click.option(
    "--level3",
    is_flag=True,
    help="Best set: only Prophecy cards of different card colours (solo level 3).",
)
@closed_ends_option
@photo_option
@click.option(
    "--coatl",
    "number",
    metavar="N",
    type=click.IntRange(min=1),
    help="With --photo: only this Cóatl, counted from the top.",
)
@add_correction_options
@json_option
@shared_options
@click.pass_obj
def score(
    settings: Settings,
    coatl: str | None,
    card_ids: tuple[str, ...],
    batch: Path | None,
    promo: bool,
    level3: bool,
    closed_ends: bool,
    photo: Path | None,
    number: int | None,
    photo_options: PhotoOptions,
    as_json: bool,
) -> int:
    """Score a Cóatl, explaining every point.

    COATL is its colours from head to tail: R G B Y K, < before a head, > after a tail, for
    example "<RBBYG>". With CARDs, such as P29 T03, these are scored together; without, all
    cards that it fulfils are listed, and the best set of them. With --photo there is no COATL:
    it is read from the picture, with the cards beside it if there are no CARDs.
    """
    _check_combinations(coatl, card_ids, batch, level3, photo, number, photo_options)
    if photo is not None:
        ids = card_ids if coatl is None else (coatl, *card_ids)
        return _score_photo(
            settings, photo, photo_options, ids, number, promo, level3, closed_ends, as_json
        )
    if batch is not None:
        return _score_batch(settings, batch, promo, closed_ends)
    if coatl is None:
        raise click.UsageError('Missing argument COATL, for example "<RBBYG>" (or --batch FILE).')
    return _score_typed(settings, coatl, card_ids, promo, level3, closed_ends, as_json)


def _check_combinations(
    coatl: str | None,
    card_ids: tuple[str, ...],
    batch: Path | None,
    level3: bool,
    photo: Path | None,
    number: int | None,
    photo_options: PhotoOptions,
) -> None:
    """Raise UsageError for arguments and options that exclude each other."""
    if photo is not None:
        if batch is not None:
            raise click.UsageError("Choose one of --batch and --photo.")
        return
    if photo_options or number is not None:
        raise click.UsageError("--coatl, --set, --fix and --colours need --photo IMAGE.")
    if batch is not None and coatl is not None:
        raise click.UsageError("--batch takes its Cóatls from FILE, and no other argument.")
    if batch is not None and level3:
        raise click.UsageError(
            "--level3 only applies to the best set, which --batch does not search for."
        )
    if card_ids and level3:
        raise click.UsageError("--level3 only applies to the best set, without CARDs.")


def _score_typed(
    settings: Settings,
    text: str,
    card_ids: tuple[str, ...],
    promo: bool,
    level3: bool,
    closed_ends: bool,
    as_json: bool,
) -> int:
    coatl, catalog = parse_coatl(text), settings.catalog()
    chosen = [catalog[card_id] for card_id in split_card_ids(card_ids)]
    if chosen:
        sheet = score_card_set(coatl, chosen, closed_ends)
    else:
        sheet = score_whole_deck(coatl, catalog.deck(promo), level3, closed_ends)
    if as_json:
        print_json(serialize_score_sheet(sheet, settings.language))
    else:
        print_score_sheet(sheet, Screen(settings.language), level3)
    return 0


def _score_photo(
    settings: Settings,
    photo: Path,
    photo_options: PhotoOptions,
    card_ids: tuple[str, ...],
    number: int | None,
    promo: bool,
    level3: bool,
    closed_ends: bool,
    as_json: bool,
) -> int:
    # Photos need much more: a typed Cóatl is scored without it.
    from coatl_tools.cli.photo.score_and_advise import score_photo  # noqa: PLC0415
    from coatl_tools.vision.scores_and_tally import PhotoScoringOptions  # noqa: PLC0415

    cards = tuple(settings.catalog()[card_id] for card_id in split_card_ids(card_ids))
    scoring = PhotoScoringOptions(promo, level3, closed_ends, cards)
    return score_photo(settings, photo, photo_options, scoring, number, as_json)


def _score_batch(settings: Settings, path: Path, promo: bool, closed_ends: bool) -> int:
    # numpy is heavy: one Cóatl is scored without it.
    from coatl_tools.cli.score_batch import score_file  # noqa: PLC0415

    deck: list[Card] = [
        card
        for card in settings.catalog().deck(promo)
        if not depends_on_cards(card.requirement)  # their points need a set of cards
    ]
    return 0 if score_file(path, deck, closed_ends, settings.lang) else 1
