"""`coatl table play`, in a terminal as people use it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from coatl_tools.language import load_language
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.editions import choose_edition
from coatl_tools.rules.events import Event
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Stage
from coatl_tools.rules.table_options import TableOptions
from tests.cli.terminal import (
    CTRL_U,
    CTRL_Y,
    HAND_OVER,
    NORTH,
    SOUTH,
    TAB,
    UP,
    Terminal,
    TerminalHome,
    hand_over,
    seat_north,
)
from tests.cli.typed_games import TypedLine, in_every_language, play_reported_game, play_typed_game
from tests.programs import needs_posix

pytestmark = needs_posix

MENU_LINE = re.compile(r"^ +(\d+) +\S", re.MULTILINE)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[TerminalHome]:
    with TerminalHome(tmp_path) as room:
        yield room


# Whole games.


def finished(room: TerminalHome, terminal: Terminal, game: list[TypedLine], language: str) -> None:
    """The game is over: all of it is in the file, and the winner is told."""
    assert terminal.ended() == 0
    reading = room.reading()
    events: list[Event] = [event for typed in game for event in typed.events]
    assert reading.history.events == tuple(events)
    assert reading.history.state.stage is Stage.OVER
    winners = compute_result(reading.history.state).winners
    names = reading.history.state.game.names
    assert all(names[winner] in terminal.left[-800:] for winner in winners)
    assert load_language(language).label("error", message="") not in terminal.raw


@pytest.mark.soak  # the suite types such games into a pipe
@in_every_language("en")
def test_a_whole_game_for_two_is_typed_at_one_screen(room: TerminalHome, language: str) -> None:
    options = TableOptions(
        players=("Zoé", "Noël"),
        edition=choose_edition(None, load_language(language)),
        fewer_bodies=True,
    )
    game = list(play_typed_game(options, 4, language))
    room.begin(options, seed=4)
    terminal = room.sit("--lang", language)
    for typed in game:
        assert typed.turn is not None
        terminal.asked(load_language(language).label("press_enter"))
        terminal.enters()
        terminal.asked(f"{options.players[typed.turn]}> ")
        terminal.enters(typed.line)
    finished(room, terminal, game, language)


@pytest.mark.soak
@in_every_language("fr")
def test_a_whole_game_with_real_pieces_and_hidden_hands_is_typed(
    room: TerminalHome, language: str
) -> None:
    players = ("Ana", "Łucja")
    options = TableOptions(
        players=players,
        edition=choose_edition(None, load_language(language)),
        fewer_bodies=True,
        tokens=False,
        hidden_hands=True,
    )
    game = list(play_reported_game(options, 15, language))
    room.begin(options, seed=None)
    terminal = room.sit("--lang", language)
    for typed in game:
        terminal.asked("> " if typed.turn is None else f"{options.players[typed.turn]}> ")
        terminal.enters(typed.line)
    finished(room, terminal, game, language)


@in_every_language("pl")
def test_a_whole_solo_game_is_typed_and_enter_lets_adam_play(
    room: TerminalHome, language: str
) -> None:
    options = TableOptions(
        players=("North",), edition=choose_edition(None, load_language(language))
    )
    game = list(play_typed_game(options, 25, language))
    room.begin(options, seed=25)
    terminal = room.sit("--lang", language)
    for typed in game:
        if typed.turn == ADAM_INDEX:  # its turn, step by step
            assert " 1. " in terminal.asked(load_language(language).label("press_enter"))
        else:
            terminal.asked(NORTH)
        terminal.enters(typed.line)
    finished(room, terminal, game, language)


def test_a_guided_game_needs_nothing_but_numbers(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("North",)), seed=3)
    terminal, chance = room.sit("--guided"), random.Random(1)
    shown = terminal.asked("Which cards to keep? Numbers")
    assert MENU_LINE.findall(shown)[-5:] == ["1", "2", "3", "4", "5"]
    terminal.enters("1 2 5")
    for _ in range(30):
        shown = terminal.asked("")
        if "1. " in shown:  # A.D.A.M.'s turn, step by step
            terminal.enters()
        else:
            last_menu = shown[shown.rindex("\n  1 ") :]
            terminal.enters(str(chance.randint(1, int(MENU_LINE.findall(last_menu)[-1]))))
    terminal.asked("")
    assert "Error" not in terminal.raw
    assert room.reading().history.state.turns_ended >= 8


def test_a_number_that_is_no_choice_is_refused_and_0_goes_back(room: TerminalHome) -> None:
    terminal = seat_north(room, "--guided")
    terminal.enters("1")
    assert "Space 10" in terminal.asked(NORTH)
    for wrong in ("11", "00011111", "9" * 50):
        terminal.enters(wrong)
        assert "There is no choice" in terminal.asked(NORTH)
    terminal.enters("1")
    terminal.asked(NORTH)
    terminal.enters("0")
    assert "Take the pieces" in terminal.asked(NORTH)
    terminal.enters("undo")
    terminal.asked("agree")  # a command is understood all the same


# What helps at the prompt.


def test_tab_completes_what_is_legal_now(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("take 2")
    hand_over(terminal, SOUTH)
    terminal.types(f"ta{TAB}")
    terminal.sees("ke")
    terminal.types(TAB)
    terminal.sees(" 8 ")
    offered = terminal.left.rpartition("ke")[2].split()
    assert offered == ["1", "3", "4", "5", "6", "7", "8"]  # space 2 is empty


def test_the_lines_of_another_player_are_in_nobodys_history(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.types(f"play P29{CTRL_U}")
    terminal.enters("take 2")
    hand_over(terminal, SOUTH)
    terminal.enters(f"{CTRL_Y}take 3")  # what North cut out does not come back
    terminal.sees("South> take 3")
    hand_over(terminal, NORTH)
    terminal.enters(f"{UP}")
    terminal.sees("North> take 2")
    terminal.asked(NORTH)  # an empty space
    terminal.enters("take 4")
    hand_over(terminal, SOUTH)
    kept = str(room.reading().history.events[28])
    terminal.enters(UP * 20)  # the oldest line is from before this evening
    terminal.sees(f"South> {kept}")
    terminal.asked(SOUTH)


def test_help_is_about_the_moment(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("help")
    helped = terminal.asked(NORTH)
    assert "take 1 " in helped
    assert "end " not in helped
    assert "correct" not in helped
    terminal.enters("cards 1; help")
    assert "changes nothing" in terminal.asked(NORTH)
    terminal.enters("cards 1")
    terminal.asked(NORTH)
    terminal.enters("help")
    helped = terminal.asked(NORTH)
    assert "end " in helped
    assert "take 1 " not in helped


def test_the_help_for_cards_to_keep_shows_cards(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("North",)), seed=3)
    terminal = room.sit()
    terminal.asked(NORTH)
    terminal.enters("help")
    assert re.search(r"keep P\d\d P\d\d P\d\d ", terminal.asked(NORTH))


def test_a_whole_assembly_is_one_line(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("take 2")
    hand_over(terminal, SOUTH)
    terminal.enters("take 3")
    hand_over(terminal, NORTH)
    terminal.enters("begin B; add R to 1 tail; begin R; end")  # all of it, or nothing
    assert "Error: Rule 3.6" in terminal.asked(NORTH)
    assert not room.reading().history.state.players[0].coatls
    terminal.enters("begin BR; end")
    hand_over(terminal, SOUTH)
    assert room.reading().history.state.players[0].coatls[0].text == "BR"


# Secrets.


def secrets(room: TerminalHome, seat: int) -> list[str]:
    """The cards that only this player may see."""
    state = room.reading().history.state
    player, other = state.players[seat], state.players[1 - seat]
    open_cards = {*state.supply, *player.shown, *other.hand}
    return [card for card in (*player.hand, *player.temples) if card not in open_cards]


def test_after_the_hand_over_nothing_of_another_hand_is_left(room: TerminalHome) -> None:
    terminal = seat_north(room)
    lines = [("cards 1 deck; end", SOUTH), ("draw; end", NORTH), ("draw; end", SOUTH)]
    for turn, (line, to) in enumerate(lines):
        secret = secrets(room, turn % 2)
        assert len(secret) >= 3
        assert all(card in terminal.left for card in secret)
        terminal.enters(line)
        hand_over(terminal, to)
        assert not [card for card in secrets(room, turn % 2) if card in terminal.left]


def test_the_hand_over_screen_shows_no_hand_at_all(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("take 1")
    terminal.asked(HAND_OVER)
    assert "North takes from space 1" in terminal.left
    assert not re.search(r"\b[PT]\d\d\b", terminal.left)


def test_nobody_plays_for_the_next_player_on_the_same_line(room: TerminalHome) -> None:
    terminal = seat_north(room)
    before = room.path.read_bytes()
    terminal.enters("take 1; play P05 on 1")
    told = terminal.asked(NORTH)
    assert "not North’s turn" in told
    assert "Possible" not in told  # it would be something out of South's hand
    assert room.path.read_bytes() == before


# Going back.


def test_undo_is_free_within_a_turn_and_else_asks_for_consent(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("cards 1")
    terminal.asked(NORTH)
    terminal.enters("undo")
    assert "Taken back." in terminal.asked(NORTH)
    terminal.enters("take 1")
    hand_over(terminal, SOUTH)
    events = room.reading().history.events
    terminal.enters("undo")
    assert "A turn has ended" in terminal.asked("Does everybody agree?")
    terminal.enters("n")
    terminal.asked(SOUTH)
    assert room.reading().history.events == events
    terminal.enters("undo")
    terminal.asked("Does everybody agree?")
    terminal.enters("y")
    hand_over(terminal, NORTH)
    assert room.reading().history.events == events[:-1]


def test_what_was_seen_is_not_unseen_without_consent(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("draw")
    terminal.asked(NORTH)
    terminal.enters("undo")
    assert "hidden has been seen" in terminal.asked("Does everybody agree?")


def test_a_draw_is_corrected_and_told_as_that(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("Ana", "Bo"), hidden_hands=True), seed=None)
    terminal = room.sit()
    assert "Spaces to fill" in terminal.asked("> ")
    terminal.enters("RG BB YK RR GG BB R G Y K")
    assert "8 draws are still to be reported" in terminal.asked("> ")  # hands are not asked for
    terminal.enters("correct space 3 RK")
    assert "Event 3, corrected: Space 3 gets" in terminal.asked("> ")
    assert str(room.reading().history.events[2]) == "fill 3 R K"
