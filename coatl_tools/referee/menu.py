"""What may be decided now, for people who do not know the commands: numbered menus and examples.

A choice of a menu leads to another menu, to a command, or to a question whose answer completes a
command.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from coatl_tools.cards.card_text import describe_card
from coatl_tools.errors import Phrase
from coatl_tools.language import Language, load_language
from coatl_tools.referee.commands.vocabulary import (
    ALL_COMMANDS,
    COMMAND_OF_EVENT,
    QUERY_COMMANDS,
    REPAIR_COMMANDS,
    complete_commands,
    format_command,
    get_command_word,
)
from coatl_tools.referee.journal import Journal, replay_journal
from coatl_tools.referee.table import Table
from coatl_tools.rules import events
from coatl_tools.rules.constants import phrase_piece
from coatl_tools.rules.events import FROM_HAND, Discard, Event, Keep
from coatl_tools.rules.game import Game
from coatl_tools.rules.hidden_cards import select_hidden
from coatl_tools.rules.views import View

# What each command does, for menus and help.
COMMAND_LABELS = {command: f"act_{command}" for command in ALL_COMMANDS}


@dataclass(frozen=True, slots=True)
class MenuQuestion:
    """A question; the answer is appended to the command."""

    question: str
    command: str
    options: tuple[str, ...] = ()  # what may be answered by its number


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """A line of a menu, and where it leads: a command is a text.

    `number` is what people type: that of the space or place on the table, where there is one.
    """

    number: int
    label: str
    next_step: Menu | MenuQuestion | str


@dataclass(frozen=True, slots=True)
class Menu:
    """Numbered choices."""

    choices: tuple[MenuChoice, ...]


MenuStep: TypeAlias = Menu | MenuQuestion | str


def build_menu(shown_table: View, game: Game, lang: str) -> Menu | MenuQuestion:
    """Build the menu of what the viewer may decide now; empty if there is nothing."""
    return _MenuBuilder(shown_table, game, lang).build()


def describe_choice(event: Event, shown_table: View, game: Game, lang: str) -> list[str]:
    """Describe an event that the viewer may decide, step by step: the thing, then where it goes."""
    return _MenuBuilder(shown_table, game, lang).describe_path(event)


class _MenuBuilder:
    """Builds one menu."""

    def __init__(self, shown_table: View, game: Game, lang: str) -> None:
        self.view, self.game, self.lang = shown_table, game, lang
        self.language: Language = load_language(lang)

    def build(self) -> Menu | MenuQuestion:
        by_kind: dict[str, list[Event]] = {key: [] for key in COMMAND_OF_EVENT.values()}
        for event in self.view.legal:
            if not isinstance(event, events.Reveal):
                by_kind[COMMAND_OF_EVENT[type(event)]].append(event)
        kinds = [(key, found) for key, found in by_kind.items() if found]
        choices = [
            self._make_choice(n, key, found) for n, (key, found) in enumerate(kinds, start=1)
        ]
        only = choices[0].next_step if len(choices) == 1 else None
        return only if isinstance(only, Menu | MenuQuestion) else Menu(tuple(choices))

    def _make_choice(self, number: int, key: str, found: list[Event]) -> MenuChoice:
        """Make the choice of a kind of decision; if there is only one, the label says which."""
        then, steps = self._build_step(key, found), [self.language.label(COMMAND_LABELS[key])]
        if isinstance(then, str):
            steps += [step for step in self.describe_path(found[0]) if step != then]
        return MenuChoice(number, " – ".join(steps), then)

    def _build_step(self, key: str, found: list[Event]) -> MenuStep:
        if key in ("keep", "discard"):
            return self._ask_hand_cards(key)
        if key == "play" and self._has_hidden_cards(found):
            return MenuQuestion(
                self.language.label("ask_card"), get_command_word("play", self.lang)
            )
        paths = [(self.describe_path(event), format_command(event, self.lang)) for event in found]
        return self._build_tree(paths, [self._get_place(event) for event in found])

    def _ask_hand_cards(self, key: str) -> MenuQuestion:
        hand = self.view.seats[self.view.current_player].hand
        command = get_command_word(key, self.lang)
        if select_hidden(hand):
            label = "ask_number_keep" if key == "keep" else "ask_number_discard"
            return MenuQuestion(self.language.label(label), command)
        none = get_command_word("none", self.lang)
        label = "ask_keep" if key == "keep" else "ask_discard"
        listed = tuple(self._card(card) for card in hand)
        return MenuQuestion(self.language.label(label, none=none), command, listed)

    def _has_hidden_cards(self, found: Iterable[Event]) -> bool:
        """Tell whether cards may be played that the program does not know: too many to list."""
        hand = self.view.seats[self.view.current_player].hand
        return any(isinstance(e, events.PlaceProphecy) and e.card not in hand for e in found)

    def _get_place(self, event: Event) -> int:
        """Return the number that something has on the table; 0 for none."""
        match event:
            case events.TakePieces(space):
                return space
            case events.ChooseCard(card, copy):
                return [n for n, c in enumerate(self.view.supply, start=1) if c == card][copy - 1]
            case _:
                return 0

    def _build_tree(
        self, paths: list[tuple[list[str], str]], places: list[int] | None = None
    ) -> MenuStep:
        """Build a menu by the first steps of these paths; a single path is just its command."""
        if len(paths) == 1:
            return paths[0][1]
        groups: dict[str, list[tuple[list[str], str]]] = {}
        for (step, *rest), command in paths:
            groups.setdefault(step, []).append((rest, command))
        numbers = places if places and all(places) else range(1, len(groups) + 1)
        choices = []
        for number, (step, behind) in zip(numbers, groups.items(), strict=True):
            label = step
            if len(behind) == 1:
                label = " – ".join([step, *behind[0][0]])
            choices.append(MenuChoice(number, label, self._build_tree(behind)))
        return Menu(tuple(choices))

    def describe_path(self, event: Event) -> list[str]:
        """Describe an event, step by step, in words."""
        match event:
            case events.TakePieces(space):
                pieces = [phrase_piece(piece) for piece in self.view.spaces[space - 1]]
                return [self._format_sentence("menu.space", space=space, pieces=pieces)]
            case events.ChooseCard(card, copy):
                return [
                    f"{self._card(card)} ({copy})"
                    if self._is_twice_in_supply(card)
                    else self._card(card)
                ]
            case events.BeginCoatl(piece):
                return [self._pieces([piece])]
            case events.AttachPiece(piece, coatl, end):
                key = "menu.head_end" if end == "head" else "menu.tail_end"
                return [
                    self._pieces([piece]),
                    self._format_sentence(key, coatl=coatl, text=self._text(coatl)),
                ]
            case events.PlaceProphecy(card, coatl):
                beside = self._format_sentence("menu.coatl", coatl=coatl, text=self._text(coatl))
                return [self._card(card), beside]
            case events.PlaceTemple(card, _, source):
                if source == FROM_HAND:
                    return [self._card(card)]
                return [self._format_sentence("menu.from_pile", card=self._card(card), pile=source)]
            case events.PerfectPick(pieces):
                return [self._pieces(pieces)]
            case events.PriestCommitment(pile):
                card = self._card(self.view.piles[pile - 1].top)
                return [self._format_sentence("menu.from_pile", card=card, pile=pile)]
            case events.LayGolden(player, pieces):
                return [self.view.seats[player].name, self._pieces(pieces)]
            case _:
                return [format_command(event, self.lang)]

    def _card(self, card: str) -> str:
        text = describe_card(self.game.by_id[card], self.lang)
        return self._format_sentence("menu.card", card=card, text=text)

    def _pieces(self, pieces: Iterable[str]) -> str:
        return self._format_sentence(
            "menu.pieces", pieces=[phrase_piece(piece) for piece in pieces]
        )

    def _is_twice_in_supply(self, card: str) -> bool:
        return self.game.solo and self.view.supply.count(card) > 1

    def _text(self, coatl: int) -> str:
        return self.view.seats[self.view.current_player].coatls[coatl - 1].text

    def _format_sentence(self, key: str, **details: object) -> str:
        phrase: Phrase = key, details
        return self.language.sentence(*phrase)


_EXAMPLE_CARD, _EXAMPLE_CORRECTION = "P05", "41 RG"


def make_command_examples(table: Table, viewer: int | None, lang: str) -> dict[str, str]:
    """Make an example of each command that is possible now, by its key."""
    found: dict[str, str] = {}
    for event in table.make_view(viewer).legal:
        key = COMMAND_OF_EVENT[type(event)]
        if key not in found or isinstance(event, Keep | Discard):  # the last one says most
            found[key] = format_command(event, lang)
    for key in (*list_repair_commands(table), *QUERY_COMMANDS):
        found[key] = get_command_word(key, lang)
    found["card"] += f" {_EXAMPLE_CARD}"
    if "correct" in found:
        found["correct"] += f" {_EXAMPLE_CORRECTION}"
    return found


def list_repair_commands(table: Table) -> tuple[str, ...]:
    """List the commands that repair a table; draws are corrected only where people report them."""
    return tuple(key for key in REPAIR_COMMANDS if key != "correct" or not table.is_virtual)


def complete_at_table(path: Path, text: str, player: str | None, lang: str) -> list[str]:
    """Complete a command for the table of a file, which is only read.

    Hands stay hidden unless `player` is whose turn it is. CoatlError if there is no such table.
    """
    table = Table(Journal(path, replay_journal(path)))
    actions = table.list_known_actions(table.find_seat(player))
    return [*complete_commands(text, actions, lang, list_repair_commands(table))]
