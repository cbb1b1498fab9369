"""Ask for a game that is played without the program: a position to join, or a final tally.

Each answer is checked beside those before it. A Cóatl is typed or read from a photo.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cli.table.photo_answers import PiecePhotoReader, parse_photo_answer
from coatl_tools.cli.terminal.questions import ask_question, ask_repeatedly, print_instruction
from coatl_tools.cli.terminal.stdio import read_input
from coatl_tools.errors import CorrectionError, NotationError, PositionError
from coatl_tools.files.json_files import parse_json_object, wrap_content_errors
from coatl_tools.language import Language, load_language
from coatl_tools.referee.position_file import ENDING_CAUSES, find_player, parse_position
from coatl_tools.referee.position_text import (
    parse_adam_card,
    parse_card_ids,
    parse_coatl_line,
    parse_number,
    parse_pieces,
    parse_piles,
    parse_player_names,
    parse_spaces,
    parse_tokens,
    parse_yes_no,
)
from coatl_tools.referee.tally import Tally, TallySeat, score_tally
from coatl_tools.rules.constants import COATLS_TO_END, Pieces
from coatl_tools.rules.position.position import (
    Position,
    PositionSeat,
    build_partial_state,
    build_state,
)
from coatl_tools.rules.position.position_checks import (
    are_bodies_gone,
    check_prophecy_supply,
    check_supply_board,
    check_temple_piles,
    compute_final_turns,
)
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built, Ending, GameState, Wanted
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.vision.corrections.corrected_reading import apply_corrections
from coatl_tools.vision.corrections.correction import parse_corrections
from coatl_tools.vision.photo_format import require_opencv
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.vision.scores_and_tally import build_coatls


def ask_position(options: TableOptions, cards: tuple[Card, ...], lang: str) -> Position:
    """Ask what lies on the table, but nothing that can be worked out.

    Each answer is checked together with those before it. Raises PositionError if the game is over
    already; the end of the input raises click.Abort.
    """
    return _PositionQuestions(options, cards, lang).ask_all()


def load_position(path: Path, options: TableOptions, cards: tuple[Card, ...]) -> Position:
    """Load and check a position to start a table with, from a file (- for standard input)."""
    data, game = read_input(path), new_game(options, cards).game
    with wrap_content_errors(path):
        position = parse_position(parse_json_object(data), options, cards)
        build_state(game, position)
    return position


_FILE_NAME = re.compile(r"[/\\~]|\.\w{1,5}$")  # what a Cóatl has not


def _read_photo(path: Path, catalog: Catalog) -> PhotoReading:
    require_opencv()
    # OpenCV is heavy, and few people answer with a photo.
    from coatl_tools.vision.reader import read_photo_file  # noqa: PLC0415

    return read_photo_file(path, catalog)[1]


class CoatlAnswerParser:
    """Parses the answer to a question for a Cóatl: typed, or a photo.

    A photo is read only once, even if corrections follow. `file_command` is the command that takes
    a file with the whole game, for somebody who answers with such a file.
    """

    def __init__(self, catalog: Catalog, language: Language, file_command: str) -> None:
        self.catalog, self.language, self.file_command = catalog, language, file_command
        self._read: dict[Path, PhotoReading] = {}

    def __call__(self, line: str) -> tuple[Built, ...]:
        """Return the Cóatls of a line with their cards; CoatlError if they are not sure."""
        named = parse_photo_answer(line)
        if named is not None:
            return self._photo(*named)
        try:
            return (parse_coatl_line(line, self.catalog),)
        except NotationError:
            if not _FILE_NAME.search(line.strip()):
                raise
            raise CorrectionError(
                "photo.answer_file", path=line.strip(), command=self.file_command
            ) from None

    def _photo(self, path: Path, corrections: str) -> tuple[Built, ...]:
        said = parse_corrections(corrections, self.catalog) if corrections else ()
        if path not in self._read:
            self._read[path] = _read_photo(path, self.catalog)
        reading = apply_corrections(self._read[path], self.catalog, *said)
        if not reading.sure:
            raise self._not_sure(path, reading)
        if not reading.coatls:
            raise CorrectionError("photo.nothing_found")
        built = build_coatls(reading, range(len(reading.coatls)), self.catalog)
        for one in built:
            cards = " ".join(filter(None, (*one.prophecies, one.temple)))
            click.echo(f"  {one.text} {cards}".rstrip(), err=True)
        return built

    def _not_sure(self, path: Path, reading: PhotoReading) -> CorrectionError:
        doubts = [self.language.sentence(*one.message) for one in reading.problems if one.serious]
        seen = [f"{number}: {one.notation}" for number, one in enumerate(reading.coatls, start=1)]
        cards = [f"c{number}: {one.id or '?'}" for number, one in enumerate(reading.cards, start=1)]
        return CorrectionError(
            "photo.answer_not_sure",
            path=path,
            doubts=tuple(doubts),
            seen="  ".join([*seen, *cards]) or "–",
        )


PositionCheck = Callable[[GameState], None]


class _PositionQuestions:
    """Asks for one position; what is counted comes before what can be computed from it."""

    def __init__(self, options: TableOptions, cards: tuple[Card, ...], lang: str) -> None:
        self.game = new_game(options, cards).game
        self.catalog = Catalog(cards)
        self.lang = lang
        self.language = load_language(lang)
        self._label = self.language.label
        self.answers = CoatlAnswerParser(
            self.catalog, self.language, "coatl table new NAME --join FILE"
        )
        self.photos = PiecePhotoReader(self.language)
        self.position_so_far = Position(
            turn=self.game.order[0],
            spaces=((),) * len(options.space_kinds),
            supply=(),
            tops=("", ""),
            seats=(PositionSeat(),) * self.game.size,
            adam=Adam() if self.game.solo else None,
        )

    def ask_all(self) -> Position:
        """Ask everything."""
        hidden = self.game.hidden_hands
        print_instruction(self._label("ask_join_hidden" if hidden else "ask_join"))
        print_instruction(self._label("ask_coatl_how"))
        print_instruction(self._label("ask_coatl_photo"))
        for index, name in enumerate(self.game.options.players):
            self._seat(index, name)
        if self.game.solo:
            self._adam()
        self._ask("ask_discards", lambda line: {"discards": self._cards(line)})
        self._ask("ask_piles", self._piles, check_temple_piles)
        self._ask("ask_supply", lambda line: {"supply": self._cards(line)}, check_prophecy_supply)
        self._ask("ask_spaces", self._spaces, check_supply_board)
        self._end()
        self._turn()
        return self.position_so_far

    def _ask(self, key: str, read: Callable[[str], dict[str, Any]], *checks: PositionCheck) -> None:
        """Ask for a part of the position; it must be consistent with the answers before."""

        def told(line: str) -> Position:
            return self._check_with(read(line), *checks)

        self.position_so_far = ask_question(self._label(key), told, self.lang)

    def _check_with(self, changes: dict[str, Any], *checks: PositionCheck) -> Position:
        """Return the position with changes, checked; PositionError if it is impossible."""
        position = replace(self.position_so_far, **changes)
        state = build_partial_state(self.game, position)
        for check in checks:
            check(state)
        return position

    def _cards(self, line: str) -> tuple[str, ...]:
        return parse_card_ids(line, self.catalog)

    def _board(self, line: str) -> Pieces:
        photo = parse_photo_answer(line)
        return parse_pieces(line if photo is None else self.photos.answer_player_board(*photo))

    def _spaces(self, line: str) -> dict[str, Any]:
        photo, kinds = parse_photo_answer(line), self.game.options.space_kinds
        text = line if photo is None else self.photos.answer_spaces(*photo, kinds)
        return {"spaces": parse_spaces(text)}

    def _seat(self, index: int, name: str) -> None:
        def asked(key: str, field: str, read: Callable[[str], object]) -> None:
            def told(line: str) -> Position:
                return self._check_with(self._seats(index, **{field: read(line)}))

            self.position_so_far = ask_question(self._label(key, player=name), told, self.lang)

        asked("ask_board", "board", self._board)
        coatls = ask_repeatedly(
            partial(self._label, "ask_coatl", player=name), partial(self._coatls, index), self.lang
        )
        self.position_so_far = self._check_with(self._seats(index, coatls=coatls))
        asked("ask_hand", "hand", self._cards)
        if self.game.options.tokens:
            asked("ask_tokens", "tokens", parse_tokens)
        if not self.game.solo or self.game.options.solo_temple_in_hand:
            asked("ask_temples", "temples", self._cards)
        if self.game.options.golden_feathers:
            asked("ask_golden", "golden", parse_number)

    def _seats(self, index: int, **changes: Any) -> dict[str, Any]:
        seats = list(self.position_so_far.seats)
        seats[index] = replace(seats[index], **changes)
        return {"seats": tuple(seats)}

    def _coatls(self, index: int, line: str, before: tuple[Built, ...]) -> tuple[Built, ...]:
        found = self.answers(line)
        self._check_with(self._seats(index, coatls=(*before, *found)))
        return found

    def _adam(self) -> None:
        row = ask_repeatedly(partial(self._label, "ask_adam_row"), self._wanted, self.lang)
        self.position_so_far = self._check_with({"adam": Adam(row)})
        self._ask("ask_fulfilled", lambda line: self._adams(fulfilled=self._cards(line)))
        self._ask(
            "ask_adam_discarded", lambda line: self._adams(discarded=_parse_sorted_pieces(line))
        )

    def _wanted(self, line: str, before: tuple[Wanted, ...]) -> tuple[Wanted]:
        found = parse_adam_card(line, self.catalog)
        self._check_with({"adam": Adam((*before, found))})
        return (found,)

    def _adams(self, **changes: Any) -> dict[str, Any]:
        return {"adam": (self.position_so_far.adam or Adam())._replace(**changes)}

    def _piles(self, line: str) -> dict[str, Any]:
        tops, below = parse_piles(line, self.catalog)
        return {"tops": tops, "below": below}

    def _end(self) -> None:
        """Ask what has triggered the end, if the table does not show it."""
        state = build_partial_state(self.game, self.position_so_far)
        done = [n for n, player in enumerate(state.players) if player.completed >= COATLS_TO_END]
        ends = [Ending("third", player) for player in done]
        if are_bodies_gone(state):
            ends += [Ending("bodies", player) for player in self.game.order]
        if not ends or (self.game.solo and not self.game.options.solo_final_turns):
            compute_final_turns(state, None, None)  # it says if the game is over
        elif len(ends) == 1:
            self.position_so_far = replace(self.position_so_far, ending=ends[0])
        else:
            self._ask("ask_end", partial(self._ending, ends))

    def _ending(self, ends: list[Ending], line: str) -> dict[str, Any]:
        cause, _, name = line.partition(" ")
        if cause.lower() not in ENDING_CAUSES:
            raise PositionError("written.cause", text=cause, causes=", ".join(ENDING_CAUSES))
        ending = Ending(cause.lower(), find_player(name, self.game.names))
        if ending not in ends:
            compute_final_turns(
                build_partial_state(self.game, self.position_so_far), ending, None
            )  # it says why not
        return {"ending": ending}

    def _turn(self) -> None:
        """Ask whose turn begins and, after rule 6.2, whether it is a final one."""
        able = [player for player in self.game.order if self._may_play(player)]
        if len(able) == 1:
            self.position_so_far = replace(self.position_so_far, turn=able[0])
        else:
            names = ", ".join(self.game.names[player] for player in able)
            question = self._label("ask_turn", names=names)
            self.position_so_far = ask_question(question, self._parse_turn, self.lang)
        if not self._is_clear(self.position_so_far):
            question = self._label("ask_final", player=self.game.names[self.position_so_far.turn])
            final = ask_question(question, partial(parse_yes_no, language=self.language), self.lang)
            self.position_so_far = replace(self.position_so_far, final=final)
        build_state(self.game, self.position_so_far)

    def _may_play(self, player: int) -> bool:
        try:
            self._is_clear(replace(self.position_so_far, turn=player))
        except PositionError:
            return False
        return True

    def _parse_turn(self, line: str) -> Position:
        position = replace(self.position_so_far, turn=find_player(line, self.game.names))
        self._is_clear(position)
        return position

    def _is_clear(self, position: Position) -> bool:
        """Tell whether it is clear which turn this is; PositionError if none is possible."""
        try:
            build_state(self.game, position)
        except PositionError as error:
            if error.key == "position.which_turn":
                return False
            raise
        return True


def _parse_sorted_pieces(line: str) -> Pieces:
    return tuple(sorted(parse_pieces(line)))


def ask_tally(options: dict[str, Any], cards: tuple[Card, ...], lang: str) -> Tally:
    """Ask for a finished game; each answer is checked together with those before it."""
    return _TallyQuestions(options, cards, lang).ask_all()


class _TallyQuestions:
    """Asks for one tally."""

    def __init__(self, options: dict[str, Any], cards: tuple[Card, ...], lang: str) -> None:
        self.options = options
        self.cards = cards
        self.catalog = Catalog(cards)
        self.lang = lang
        self.language = load_language(lang)
        self.answers = CoatlAnswerParser(self.catalog, self.language, "coatl table tally FILE")

    def ask_all(self) -> Tally:
        print_instruction(self.language.label("ask_players_how"))
        table = ask_question(self.language.label("ask_players"), self._start_tally, self.lang)
        print_instruction(self.language.label("ask_coatl_how"))
        print_instruction(self.language.label("ask_coatl_photo"))
        for index, name in enumerate(table.options.players):
            which = partial(self.language.label, "ask_coatl", player=name)
            coatls = ask_repeatedly(which, partial(self._coatls, table, index), self.lang)
            table = self._check_tally(_replace_seat(table, index, TallySeat(coatls)))
            if table.options.golden_feathers:
                question = self.language.label("ask_golden", player=name)
                table = ask_question(question, partial(self._golden, table, index), self.lang)
        if table.options.solo:
            question = self.language.label("ask_fulfilled")
            table = ask_question(question, partial(self._fulfilled, table), self.lang)
        return table

    def _check_tally(self, table: Tally) -> Tally:
        score_tally(table, self.cards)
        return table

    def _start_tally(self, line: str) -> Tally:
        options = TableOptions(players=parse_player_names(line), **self.options)
        return self._check_tally(Tally(options, (TallySeat(),) * len(options.players)))

    def _coatls(
        self, table: Tally, index: int, line: str, before: tuple[Built, ...]
    ) -> tuple[Built, ...]:
        found = self.answers(line)
        self._check_tally(_replace_seat(table, index, TallySeat((*before, *found))))
        return found

    def _golden(self, table: Tally, index: int, line: str) -> Tally:
        seat = replace(table.seats[index], golden=parse_number(line))
        return self._check_tally(_replace_seat(table, index, seat))

    def _fulfilled(self, table: Tally, line: str) -> Tally:
        return self._check_tally(replace(table, fulfilled=parse_card_ids(line, self.catalog)))


def _replace_seat(table: Tally, index: int, seat: TallySeat) -> Tally:
    return replace(table, seats=(*table.seats[:index], seat, *table.seats[index + 1 :]))
