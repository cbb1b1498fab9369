"""What readings are worth: score sheets, what prevents scoring, and the tally of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import PROMO_SET, Catalog
from coatl_tools.errors import CommandLineError, OptionError
from coatl_tools.files.data_paths import Edition
from coatl_tools.language import fold_letters, load_languages
from coatl_tools.referee.position_text import build_coatl
from coatl_tools.referee.tally import parse_tally, score_tally
from coatl_tools.rules.state import Built
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.scoring.score_sheet import ScoreSheet, score_card_set, score_whole_deck
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, TableSide


@dataclass(frozen=True, slots=True)
class PhotoScoringOptions:
    """How to score: the options of `coatl score`, and the cards, if they are not in the photo."""

    promo: bool = False
    level3: bool = False
    closed_ends: bool = False
    cards: tuple[Card, ...] = ()


def make_score_sheet(
    reading: PhotoReading, index: int, catalog: Catalog, options: PhotoScoringOptions
) -> ScoreSheet | None:
    """Score a Cóatl with its cards; None if its pieces make no Cóatl."""
    shape = reading.coatls[index].coatl
    if shape is None:
        return None
    cards = options.cards or tuple(catalog[card] for card in reading.cards_beside(index))
    if cards:
        return score_card_set(shape, cards, options.closed_ends)
    return score_whole_deck(shape, catalog.deck(options.promo), options.level3, options.closed_ends)


def find_scoring_obstacles(
    reading: PhotoReading, indices: Sequence[int], options: PhotoScoringOptions
) -> list[ReadingProblem]:
    """List the problems because of which these Cóatls cannot be scored yet.

    Problems of cards count only if the cards of the photo are scored; then also those of cards
    beside no Cóatl, since they may belong to one of these.
    """
    found = []
    for problem in reading.serious_problems:
        if problem.card is not None:
            beside = reading.cards[problem.card].coatl
            if options.cards or (beside is not None and beside not in indices):
                continue
        elif problem.coatl is not None and problem.coatl not in indices:
            continue
        found.append(problem)
    return found


def is_score_settled(reading: PhotoReading, index: int) -> bool:
    """Tell whether a Cóatl and the cards beside it are sure, and the photo has no general problem.

    A doubtful card beside no Cóatl does not count: on a page, people see that it lies apart.
    (`find_scoring_obstacles`, for the terminal, counts it.)
    """
    cards = all(card.sure for card in reading.cards if card.coatl == index)
    general = any(p.coatl is None and p.card is None for p in reading.serious_problems)
    return reading.coatls[index].sure and cards and not general


def build_coatls(
    reading: PhotoReading, indices: Iterable[int], catalog: Catalog
) -> tuple[Built, ...]:
    """Build these Cóatls with the cards beside them; CoatlError if one is not possible."""
    return tuple(
        build_coatl(reading.coatls[index].notation, " ".join(reading.cards_beside(index)), catalog)
        for index in indices
    )


@dataclass(frozen=True, slots=True)
class LaidCoatl:
    """A Cóatl as it lies on the table, the cards beside it, and the photo that shows it."""

    coatl: str
    cards: tuple[str, ...]
    file: str


def collect_laid_coatls(readings: Iterable[PhotoReading]) -> list[list[LaidCoatl]]:
    """Collect the Cóatls of each photo, from top to bottom, as they were read or corrected."""
    return [
        [
            LaidCoatl(str(seen.coatl), reading.cards_beside(index), reading.file)
            for index, seen in enumerate(reading.coatls)
        ]
        for reading in readings
    ]


def make_tally(
    names: Sequence[str],
    owners: Sequence[int],
    coatls: Sequence[LaidCoatl],
    catalog: Catalog,
    edition: Edition,
    fulfilled: Iterable[str] | None = None,
) -> dict[str, Any]:
    """Make the tally of a finished game, as JSON that `coatl table tally` reads.

    `owners` has the player's index for each Cóatl, `fulfilled` the ids of the cards that A.D.A.M.
    has fulfilled. Raises PositionError if no game can end like this.
    """
    data: dict[str, Any] = {
        "players": [
            {
                "name": name,
                "coatls": [
                    {"coatl": one.coatl, "cards": list(one.cards)}
                    for one, owner in zip(coatls, owners, strict=True)
                    if owner == seat
                ],
            }
            for seat, name in enumerate(names)
        ],
        "edition": edition,
    }
    if any(catalog[card].set == PROMO_SET for one in coatls for card in one.cards):
        data["promo"] = True
    if fulfilled is not None:
        data["adam"] = {"fulfilled": list(fulfilled)}
    cards = tuple(catalog)
    score_tally(parse_tally(data, cards), cards)
    return data


SIDE_LABELS = {
    TableSide.NEAR: "side_near",
    TableSide.LEFT: "side_left",
    TableSide.FAR: "side_far",
    TableSide.RIGHT: "side_right",
}


class StatedPlayer(NamedTuple):
    """A player, and the numbers of their Cóatls or where they sit, where it is said."""

    name: str
    coatls: tuple[int, ...] = ()
    side: TableSide | None = None


def parse_players(text: str) -> list[StatedPlayer]:
    """Parse players: `Ana, Bo`; with their Cóatls, `Ana=1 3, Bo=2`; or sides, `Ana=near, Bo=left`.

    Raises CommandLineError.
    """
    seats = []
    for part in text.split(","):
        name, equals, said = (word.strip() for word in part.partition("="))
        side = _parse_side(said)
        numbers = re.fullmatch(r"\d{1,3}(\s+\d{1,3})*", said)
        if not name or (equals and side is None and not numbers):
            raise CommandLineError("tally.players", text=part.strip()[:40])
        seats.append(StatedPlayer(name, tuple(map(int, said.split())) if numbers else (), side))
    sides = [seat.side for seat in seats if seat.side is not None]
    if sides and (len(sides) < len(seats) or len(set(sides)) < len(sides)):
        raise CommandLineError("tally.sides")
    try:
        TableOptions(players=tuple(seat.name for seat in seats))
    except OptionError as error:  # here it is the command line that is wrong
        raise CommandLineError(error.key, **error.details) from error
    return seats


def _parse_side(word: str) -> TableSide | None:
    """Parse the name of a side of the table, in any language."""
    for language in load_languages() if word and not word[0].isdigit() else ():
        for side, label in SIDE_LABELS.items():
            if fold_letters(word) == fold_letters(language.label(label)):
                return side
    return None


def assign_stated_owners(seats: Sequence[StatedPlayer], there: int) -> list[int]:
    """Return the owner (index) of each Cóatl as stated; CommandLineError if one has none."""
    owners: dict[int, int] = {}
    for index, seat in enumerate(seats):
        for number in seat.coatls:
            if not 1 <= number <= there:
                raise CommandLineError("photo.no_coatl", number=number, n=there)
            if number in owners:
                raise CommandLineError("tally.twice", number=number)
            owners[number] = index
    nobodys = [number for number in range(1, there + 1) if number not in owners]
    if nobodys:
        raise CommandLineError("tally.nobody", numbers=", ".join(map(str, nobodys)))
    return [owners[number] for number in range(1, there + 1)]


def parse_owner(text: str, names: list[str]) -> int:
    """Parse a player's number, name or unambiguous beginning of a name; return the index."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(names):
        return int(text) - 1
    exact = [index for index, name in enumerate(names) if fold_letters(name) == fold_letters(text)]
    begun = [
        index
        for index, name in enumerate(names)
        if fold_letters(name).startswith(fold_letters(text))
    ]
    for found in (exact, begun):
        if text and len(found) == 1:
            return found[0]
    raise CommandLineError("commands.no_player", name=text[:40], names=", ".join(names))
