"""What the Cóatls of a reading are worth: whole sheets, and short lines beside corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.arrange import wrapped
from coatl_tools.cli.screen import Screen
from coatl_tools.scoring.sheet import Sheet, score_set, score_without_cards
from coatl_tools.vision.reading import Problem, Reading


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to score: the options of `coatl score`, and the cards, if they are not in the photo."""

    promo: bool = False
    level3: bool = False
    closed_ends: bool = False
    cards: tuple[Card, ...] = ()


def cards_beside(reading: Reading, index: int, catalog: Catalog) -> tuple[Card, ...]:
    """The cards that were read beside a Cóatl."""
    return tuple(
        catalog[card.id] for card in reading.cards if card.coatl == index and card.id is not None
    )


def sheet_of(reading: Reading, index: int, catalog: Catalog, how: Scoring) -> Sheet | None:
    """The score sheet of a Cóatl; None if its pieces make no Cóatl."""
    shape = reading.coatls[index].coatl
    if shape is None:
        return None
    cards = how.cards or cards_beside(reading, index, catalog)
    if cards:
        return score_set(shape, cards, how.closed_ends)
    return score_without_cards(shape, catalog.deck(how.promo), how.level3, how.closed_ends)


def in_the_way(reading: Reading, indices: Sequence[int], how: Scoring) -> list[Problem]:
    """What keeps these Cóatls from being scored: whatever is not sure about them.

    Problems of cards count only where the cards are those of the photo.
    """
    found = []
    for problem in reading.problems:
        if not problem.grave:
            continue
        if problem.card is not None:
            beside = reading.cards[problem.card].coatl
            if how.cards or (beside is not None and beside not in indices):
                continue
        elif problem.coatl is not None and problem.coatl not in indices:
            continue
        found.append(problem)
    return found


def print_scores(
    reading: Reading,
    catalog: Catalog,
    how: Scoring,
    screen: Screen,
    indices: Sequence[int] | None = None,
) -> None:
    """The score sheet of every Cóatl, or of these; what is none, or not sure yet, is named."""
    from coatl_tools.cli.scoresheet import print_sheet

    several = len(reading.coatls) > 1
    for index in range(len(reading.coatls)) if indices is None else indices:
        sheet = sheet_of(reading, index, catalog, how)
        if several:
            screen.print(Text(screen.label("result_coatl", index + 1), "bold"))
        if in_the_way(reading, [index], how):
            screen.print(Text(_as_read(screen), "italic"))
        if sheet is None:
            screen.print(screen.label("fix_no_coatl"))
        else:
            print_sheet(sheet, screen, how.level3)
        if several:
            screen.print("")


def short_scores(reading: Reading, catalog: Catalog, how: Scoring, screen: Screen) -> list[Text]:
    """For each Cóatl what it is worth, by which cards, and whether that is not sure yet."""
    lines: list[Text] = []
    for index in range(len(reading.coatls)):
        sheet = sheet_of(reading, index, catalog, how)
        coatl = screen.label("result_coatl", index + 1)
        if sheet is None:
            lines.append(Text(f"{coatl}: {screen.label('fix_no_coatl')}"))
            continue
        scored = sheet.best.scores if sheet.best else [line.score for line in sheet.lines]
        cards = ", ".join(f"{found.card.id} {found.points}" for found in scored)
        points = screen.language.card("points", sheet.total)
        key = "fix_score_best" if sheet.best else "fix_score"
        worth = screen.label(key, points=points, cards=cards or "–")
        doubt = f"  {_as_read(screen)}" if in_the_way(reading, [index], how) else ""
        line = Text.assemble(f"{coatl}  ", (worth, "bold"), (doubt, "italic"))
        lines += wrapped(line, screen.console, screen.width)
    return lines


def _as_read(screen: Screen) -> str:
    said = screen.label("fix_as_read")
    return f"({said})"
