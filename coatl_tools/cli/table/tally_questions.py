"""The questions of a tally: who played, and what lies before each player."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.ask import ask, ask_several, tell
from coatl_tools.cli.table.photo_answer import CoatlAnswers
from coatl_tools.language import load_language
from coatl_tools.referee.tally import Tally, TallySeat, tally
from coatl_tools.referee.written import read_cards, read_names, read_number
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import Built


def ask_tally(options: dict[str, Any], cards: tuple[Card, ...], language: str) -> Tally:
    """Ask for a finished table; each answer is checked beside those before it."""
    return _Questions(options, cards, language).table()


class _Questions:
    """One table being told."""

    def __init__(self, options: dict[str, Any], cards: tuple[Card, ...], language: str) -> None:
        self.options = options
        self.cards = cards
        self.catalog = Catalog(cards)
        self.language = language
        self.words = load_language(language)
        self.answers = CoatlAnswers(self.catalog, self.words)

    def table(self) -> Tally:
        tell(self.words.label("ask_players_how"))
        table = ask(self.words.label("ask_players"), self._begun, self.language)
        tell(self.words.label("ask_coatl_how"))
        tell(self.words.label("ask_coatl_photo"))
        for index, name in enumerate(table.options.players):
            which, read = partial(self._which, name), partial(self._coatls, table, index)
            coatls = ask_several(which, read, self.language)
            table = self._checked(_with_seat(table, index, TallySeat(coatls)))
            if table.options.golden_feathers:
                question = self.words.label("ask_golden", player=name)
                table = ask(question, partial(self._golden, table, index), self.language)
        if table.options.solo:
            question = self.words.label("ask_fulfilled")
            table = ask(question, partial(self._fulfilled, table), self.language)
        return table

    def _checked(self, table: Tally) -> Tally:
        tally(table, self.cards)
        return table

    def _begun(self, line: str) -> Tally:
        options = TableOptions(players=read_names(line), **self.options)
        return self._checked(Tally(options, (TallySeat(),) * len(options.players)))

    def _which(self, name: str, number: int) -> str:
        return self.words.label("ask_coatl", number, player=name)

    def _coatls(
        self, table: Tally, index: int, line: str, before: tuple[Built, ...]
    ) -> tuple[Built, ...]:
        found = self.answers(line)
        self._checked(_with_seat(table, index, TallySeat((*before, *found))))
        return found

    def _golden(self, table: Tally, index: int, line: str) -> Tally:
        seat = replace(table.seats[index], golden=read_number(line))
        return self._checked(_with_seat(table, index, seat))

    def _fulfilled(self, table: Tally, line: str) -> Tally:
        return self._checked(replace(table, fulfilled=read_cards(line, self.catalog)))


def _with_seat(table: Tally, index: int, seat: TallySeat) -> Tally:
    return replace(table, seats=(*table.seats[:index], seat, *table.seats[index + 1 :]))
