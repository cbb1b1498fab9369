"""The questions for joining a game midway, in an order that lets each answer be checked at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.ask import ask, ask_several, tell
from coatl_tools.cli.table.photo_answer import CoatlAnswers
from coatl_tools.errors import PositionError
from coatl_tools.language import load_language
from coatl_tools.referee.position import CAUSES, player_named
from coatl_tools.referee.written import (
    NOTHING,
    read_cards,
    read_number,
    read_pieces,
    read_spaces,
    read_token,
    read_wanted,
    read_yes,
)
from coatl_tools.rules.box import COATLS_TO_END, TOKENS, Pieces
from coatl_tools.rules.final_turns import bodies_gone, final_turns
from coatl_tools.rules.midway import Position, PositionSeat, laid_out, midway
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built, Ending, State, Wanted
from coatl_tools.rules.turn_start import check_board, check_piles, check_supply

Check = Callable[[State], None]


class JoinQuestions:
    """One table being told. Whatever is counted comes before what is left of it."""

    def __init__(self, options: TableOptions, cards: tuple[Card, ...], language: str) -> None:
        self.game = new_game(options, cards).game
        self.catalog = Catalog(cards)
        self.language = language
        self.words = load_language(language)
        self.answers = CoatlAnswers(self.catalog, self.words)
        self.told = Position(
            turn=self.game.order[0],
            spaces=((),) * len(options.space_kinds),
            supply=(),
            tops=("", ""),
            seats=(PositionSeat(),) * self.game.size,
            adam=Adam() if self.game.solo else None,
        )

    def position(self) -> Position:
        """Ask everything."""
        hidden = self.game.hidden_hands
        tell(self._label("ask_join_hidden" if hidden else "ask_join"))
        tell(self._label("ask_coatl_how"))
        tell(self._label("ask_coatl_photo"))
        for index, name in enumerate(self.game.options.players):
            self._seat(index, name)
        if self.game.solo:
            self._adam()
        self._ask("ask_discards", lambda line: {"discards": self._cards(line)})
        self._ask("ask_piles", self._piles, check_piles)
        self._ask("ask_supply", lambda line: {"supply": self._cards(line)}, check_supply)
        self._ask("ask_spaces", lambda line: {"spaces": read_spaces(line)}, check_board)
        self._end()
        self._turn()
        return self.told

    def _label(self, key: str, n: int | None = None, **values: object) -> str:
        return self.words.label(key, n, **values)

    def _ask(self, key: str, read: Callable[[str], dict[str, Any]], *checks: Check) -> None:
        """Ask for a part of the position; it must fit to what was told before."""

        def told(line: str) -> Position:
            return self._with(read(line), *checks)

        self.told = ask(self._label(key), told, self.language)

    def _with(self, changes: dict[str, Any], *checks: Check) -> Position:
        """The position with more told of it; PositionError if that cannot be."""
        position = replace(self.told, **changes)
        state = laid_out(self.game, position)
        for check in checks:
            check(state)
        return position

    def _cards(self, line: str) -> tuple[str, ...]:
        return read_cards(line, self.catalog)

    def _seat(self, index: int, name: str) -> None:
        def asked(key: str, field: str, read: Callable[[str], object]) -> None:
            def told(line: str) -> Position:
                return self._with(self._seats(index, **{field: read(line)}))

            self.told = ask(self._label(key, player=name), told, self.language)

        asked("ask_board", "board", read_pieces)
        coatls = ask_several(
            partial(self._which, name), partial(self._coatls, index), self.language
        )
        self.told = self._with(self._seats(index, coatls=coatls))
        asked("ask_hand", "hand", self._cards)
        if self.game.options.tokens:
            asked("ask_tokens", "tokens", self._tokens)
        if not self.game.solo or self.game.options.solo_temple_in_hand:
            asked("ask_temples", "temples", self._cards)
        if self.game.options.golden_feathers:
            asked("ask_golden", "golden", read_number)

    def _which(self, name: str, number: int) -> str:
        return self._label("ask_coatl", number, player=name)

    def _seats(self, index: int, **changes: Any) -> dict[str, Any]:
        seats = list(self.told.seats)
        seats[index] = replace(seats[index], **changes)
        return {"seats": tuple(seats)}

    def _coatls(self, index: int, line: str, before: tuple[Built, ...]) -> tuple[Built, ...]:
        found = self.answers(line)
        self._with(self._seats(index, coatls=(*before, *found)))
        return found

    def _tokens(self, line: str) -> tuple[str, ...]:
        """Tokens by name; all of them if nothing is typed."""
        if not line:
            return TOKENS
        return () if line in NOTHING else tuple(map(read_token, line.replace(",", " ").split()))

    def _adam(self) -> None:
        row = ask_several(partial(self._label, "ask_adam_row"), self._wanted, self.language)
        self.told = self._with({"adam": Adam(row)})
        self._ask("ask_fulfilled", lambda line: self._adams(fulfilled=self._cards(line)))
        self._ask("ask_adam_discarded", lambda line: self._adams(discarded=_sorted(line)))

    def _wanted(self, line: str, before: tuple[Wanted, ...]) -> tuple[Wanted]:
        found = read_wanted(line, self.catalog)
        self._with({"adam": Adam((*before, found))})
        return (found,)

    def _adams(self, **changes: Any) -> dict[str, Any]:
        return {"adam": (self.told.adam or Adam())._replace(**changes)}

    def _piles(self, line: str) -> dict[str, Any]:
        """The top cards, each perhaps with the number of cards below: `T03 5 T11 4`, `T03 -`."""
        tops: list[str] = []
        below: list[int | None] = []
        for word in line.replace(",", " ").split():
            if word.isascii() and word.isdigit() and tops:
                below[-1] = read_number(word)
            else:
                tops.append("" if word in NOTHING else self.catalog[word].id)
                below.append(None)
        if len(tops) != len(self.told.tops):
            raise PositionError("written.piles", n=len(tops))
        return {"tops": tuple(tops), "below": tuple(below)}

    def _end(self) -> None:
        """What has triggered the end, if it has: as far as the table does not tell."""
        state = laid_out(self.game, self.told)
        done = [n for n, player in enumerate(state.players) if player.completed >= COATLS_TO_END]
        ends = [Ending("third", player) for player in done]
        if bodies_gone(state):
            ends += [Ending("bodies", player) for player in self.game.order]
        if not ends or (self.game.solo and not self.game.options.solo_final_turns):
            final_turns(state, None, None)  # it says if the game is over
        elif len(ends) == 1:
            self.told = replace(self.told, ending=ends[0])
        else:
            self._ask("ask_end", partial(self._ending, ends))

    def _ending(self, ends: list[Ending], line: str) -> dict[str, Any]:
        cause, _, name = line.partition(" ")
        if cause.lower() not in CAUSES:
            raise PositionError("written.cause", text=cause, causes=", ".join(CAUSES))
        ending = Ending(cause.lower(), player_named(name, self.game.names))
        if ending not in ends:
            final_turns(laid_out(self.game, self.told), ending, None)  # it says why not
        return {"ending": ending}

    def _turn(self) -> None:
        """Whose turn begins; after rule 6.2, whether it is a final one."""
        able = [player for player in self.game.order if self._may_play(player)]
        if len(able) == 1:
            self.told = replace(self.told, turn=able[0])
        else:
            names = ", ".join(self.game.names[player] for player in able)
            question = self._label("ask_turn", names=names)
            self.told = ask(question, self._whose, self.language)
        if not self._is_clear(self.told):
            question = self._label("ask_final", player=self.game.names[self.told.turn])
            final = ask(question, partial(read_yes, language=self.words), self.language)
            self.told = replace(self.told, final=final)
        midway(self.game, self.told)

    def _may_play(self, player: int) -> bool:
        try:
            self._is_clear(replace(self.told, turn=player))
        except PositionError:
            return False
        return True

    def _whose(self, line: str) -> Position:
        position = replace(self.told, turn=player_named(line, self.game.names))
        self._is_clear(position)
        return position

    def _is_clear(self, position: Position) -> bool:
        """Whether it is clear which turn this is; PositionError if it cannot be any."""
        try:
            midway(self.game, position)
        except PositionError as error:
            if error.key == "position.which_turn":
                return False
            raise
        return True


def _sorted(line: str) -> Pieces:
    return tuple(sorted(read_pieces(line)))
