"""What people type, and what it means."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.errors import CoatlError, CommandError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee.commands.command_parser import (
    EventCommand,
    QueryCommand,
    UndoCommand,
    parse_command,
    split_commands,
)
from coatl_tools.referee.commands.vocabulary import (
    ACTION_COMMANDS,
    QUERY_COMMANDS,
    REPAIR_COMMANDS,
    find_command,
    format_command,
    get_command_word,
)
from coatl_tools.rules import GameState, History, TableOptions, list_legal_actions
from coatl_tools.rules.actions.turns import is_secret_draw
from coatl_tools.rules.history import CorrectEvent, DoEvent
from tests.rules.positions import scene, seat, start_game
from tests.rules.random_games import choose_anything, play_random_game, solo_tables, tables

LANGUAGES = LANGUAGE_CODES


def typed(text: str, state: GameState, language: str = "en", spoken_of: int = 0) -> list[str]:
    """The events that a command means, in the notation."""
    command = parse_command(text, History((state,)), language, spoken_of)
    assert isinstance(command, EventCommand), command
    return [str(event) for event in command.events]


TABLE = scene(
    seat(board="R B B Y <G K>", coatls=["<RB", "YY"], hand="P05 P10 P29", temples="T01"),
    seat(board="R K"),
    supply="P01 P16 P40 P07 P08 P09",
    piles=("T03", "T07"),
    spaces="RB GG - - - - <R - B> -",
)
DRAWING = start_game()
MEANT = {
    "take 1": ["take 1"],
    "t 1": ["take 1"],
    "take the pieces from space 1": ["take 1"],
    "take red and blue": ["take 1"],
    "take <R": ["take 7"],
    "take the blue tail": ["take 9"],
    "cards 2 5 deck": ["choose P16", "choose P08", "draw"],
    "choose p07": ["choose P07"],
    "cards 1, 2": ["choose P01", "choose P16"],
    "draw": ["draw"],
    "draw 2": ["draw", "draw"],
    "begin <G": ["begin <G"],
    "begin with green head": ["begin <G"],
    "begin a new Cóatl with <GBB": ["begin <G", "add B to 3 tail", "add B to 3 tail"],
    "add B to 1 tail-end": ["add B to 1 tail"],
    "add B to 1": ["add B to 1 tail"],
    "place blue on 1 tail": ["add B to 1 tail"],
    "add blue to Cóatl 1 at the tail end": ["add B to 1 tail"],
    "add RB to 2 head": ["add B to 2 head", "add R to 2 head"],
    "add RB to 2 tail": ["add R to 2 tail", "add B to 2 tail"],
    "add <G to 2": ["add <G to 2 head"],
    "add black tail to 2": ["add K> to 2 tail"],
    "add <GB to 2": ["add B to 2 head", "add <G to 2 head"],
    "play P05 P10 on 1": ["play P05 on 1", "play P10 on 1"],
    "temple T01 on 1": ["temple T01 on 1"],
    "temple T03 on 1": ["temple T03 on 1 from pile 1"],
    "temple pile 2 on 1": ["temple T07 on 1 from pile 2"],
    "pick body R B": ["pick B R"],
    "pick head R": ["pick <R"],
    "pick R>": ["pick R>"],
    "priest 2": ["priest 2"],
    "priest T07": ["priest 2"],
    "discard P05": ["discard P05"],
    "discard 1 3": ["discard P05 P29"],
    "discard none": ["discard"],
    "discard all": ["discard P05 P10 P29"],
    "reveal East P05": ["reveal 2 P05"],
    "golden East red": ["golden 2 R"],
    "golden R": ["golden 2 R"],
    "end": ["end"],
    "e": ["end"],
    "rev 2 P05": ["reveal 2 P05"],
}


@pytest.mark.parametrize("text", MEANT)
def test_what_is_typed_is_understood(text: str) -> None:
    assert typed(text, TABLE) == MEANT[text]


@pytest.mark.parametrize(
    ("text", "language", "meant"),
    [
        ("prendre la case 1", "fr", "take 1"),
        ("ajouter bleu au Cóatl 1 côté queue", "fr", "add B to 1 tail"),
        ("commencer avec tête verte", "fr", "begin <G"),
        ("weź pole 1", "pl", "take 1"),
        ("wez 1", "pl", "take 1"),
        ("dołóż niebieski do 1 od strony ogona", "pl", "add B to 1 tail"),
        ("zacznij zielona głowa", "pl", "begin <G"),
        ("take 1", "pl", "take 1"),
    ],
)
def test_words_of_every_language_are_understood(text: str, language: str, meant: str) -> None:
    assert typed(text, TABLE, language) == [meant]


def test_what_can_be_meant_in_several_ways_is_asked_for() -> None:
    with pytest.raises(CommandError, match="Which Cóatl"):
        typed("add B", TABLE)
    with pytest.raises(CommandError, match="At which end"):
        typed("add B to 2", TABLE)
    assert typed("add B", TABLE, spoken_of=1) == ["add B to 1 tail"]


def test_a_card_goes_to_the_only_coatl_that_it_fits() -> None:
    state = scene(seat(coatls=["<RBB", "YY"], hand="P10"), seat())  # P10: two blue in a row
    assert typed("play P10", state) == ["play P10 on 1"]


def test_a_mistyped_command_gets_the_nearest_one() -> None:
    with pytest.raises(CommandError, match="Did you mean “take”"):
        typed("tkae 3", TABLE)
    with pytest.raises(CommandError, match="“help” shows"):
        typed("xyzzy", TABLE)


def test_a_wrong_word_is_named_with_an_example() -> None:
    with pytest.raises(CommandError, match=r"“purple”.*add B to 1 tail"):
        typed("add purple to 1", TABLE)
    with pytest.raises(CommandError, match="take 3"):
        typed("take", TABLE)
    with pytest.raises(CommandError, match="no Prophecy card in place 7"):
        typed("cards 7", TABLE)
    with pytest.raises(CommandError, match="Players are: North, East"):
        typed("reveal Nobody P05", TABLE)


def test_draws_are_typed_bare() -> None:
    state = DRAWING
    assert typed("RG BB YK", state) == ["fill 1 R G", "fill 2 B B", "fill 3 Y K"]
    assert typed("rgbbyk", state) == ["fill 1 R G", "fill 2 B B", "fill 3 Y K"]
    assert typed("red green, blue blue", state) == ["fill 1 R G", "fill 2 B B"]
    assert typed("RGBBYKRRGGBB R G B Y", state)[6:] == [
        "fill 7 <R", "fill 8 <G", "fill 9 B>", "fill 10 Y>",
    ]  # fmt: skip
    assert typed("fill 1 R G", state) == ["fill 1 R G"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("<RG>", ["fill 1 <R G>"]),  # refused by the rules: these are body segments
        ("▲R ●G ■B ■B", ["fill 1 R G", "fill 2 B B"]),
        ("red head, blue", ["fill 1 <R B"]),
        ("head red, blue", ["fill 1 <R B"]),
        ("RG", ["fill 1 R G"]),
    ],
)
def test_a_head_or_tail_that_is_said_stays_one(text: str, meant: list[str]) -> None:
    assert typed(text, DRAWING) == meant


def test_heads_and_tails_may_be_said_or_not() -> None:
    fills = ["fill 7 <R", "fill 8 <G", "fill 9 B>", "fill 10 Y>"]
    assert typed("RGBBYKRRGGBB <R G B> Y", DRAWING)[6:] == fills
    assert typed("RGBBYKRRGGBB red head, green head, blue tail, yellow", DRAWING)[6:] == fills


def test_a_range_is_all_its_numbers_and_a_minus_is_no_sign() -> None:
    assert typed("cards 2-4", TABLE) == ["choose P16", "choose P40", "choose P07"]
    for text in ("take -3", "cards 3-1", "undo 0", "undo -1"):
        with pytest.raises(CommandError):
            typed(text, TABLE)


def test_a_number_is_a_seat_whatever_people_are_called() -> None:
    options = TableOptions(players=("3", "1", "2"), golden_feathers=True)
    state = next(state for state, _ in play_random_game(options, 1))
    assert typed("golden 2 B", state) == ["golden 2 B"]
    assert typed("reveal 3 P05", state) == ["reveal 3 P05"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("Ana z Gór", "reveal Ana z Gór P05"), ("La Reine", "reveal la reine P05")],
)
def test_a_name_may_hold_any_words(name: str, text: str) -> None:
    state = next(state for state, _ in play_random_game(TableOptions(players=("Bo", name)), 1))
    assert typed(text, state, "pl") == ["reveal 2 P05"]


@pytest.mark.parametrize(
    ("text", "language", "meant"),
    [
        ("end the turn", "en", "end"),
        ("terminez le tour", "fr", "end"),
        ("zakończ turę", "pl", "end"),
        ("complete the Cóatl", "en", "complete"),
        ("take card P07", "en", "choose P07"),
        ("draw a Prophecy card from the deck", "en", "draw"),
    ],
)
def test_what_prompts_say_can_be_typed(text: str, language: str, meant: str) -> None:
    assert typed(text, TABLE, language) == [meant]


def test_a_draw_too_many_is_refused() -> None:
    with pytest.raises(CommandError, match="“Y” is more than was asked"):
        typed("RGBBYKRRGGBB RG BY Y", DRAWING)


def test_questions_and_repairs() -> None:
    history = History((TABLE,))
    assert parse_command("help", history, "en") == QueryCommand("help")
    assert parse_command("card P05", history, "en") == QueryCommand("card", "P05")
    assert parse_command("undo", history, "en") == UndoCommand()
    assert parse_command("annuler 3", history, "fr") == UndoCommand(3)


def test_a_line_holds_several_commands() -> None:
    assert split_commands("begin <G; add B to 3;; end ") == ["begin <G", "add B to 3", "end"]
    with pytest.raises(CommandError):
        split_commands(" ; ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", [*ACTION_COMMANDS, *REPAIR_COMMANDS, *QUERY_COMMANDS])
def test_every_command_has_a_word_that_means_it(key: str, language: str) -> None:
    assert find_command(get_command_word(key, language), language) == key


@settings(max_examples=15, deadline=None)
@given(
    st.one_of(tables(), tables(hidden=True), solo_tables()),
    st.integers(0, 10**6),
    st.sampled_from(LANGUAGES),
)
def test_what_is_suggested_is_understood(options: TableOptions, seed: int, language: str) -> None:
    chance = random.Random(seed)
    for state, _ in play_random_game(options, seed, choose_anything):
        legal = list_legal_actions(state)
        if not legal or chance.random() < 0.9:
            continue
        event = chance.choice(legal)
        if not state.draws or not is_secret_draw(state.draws[0], state):
            assert typed(format_command(event, language), state, language) == [str(event)]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_any_text_is_understood_or_refused_with_a_sentence(text: str, language: str) -> None:
    try:
        for command in split_commands(text):
            parse_command(command, History((TABLE,)), language)
    except CoatlError as error:
        error.text(language)  # can be said


WORDS = st.sampled_from(
    ["take", "add", "3", "1", "B", "<R", "K>", "P05", "to", "tail", "head", "red", "deck", "pile",
     "correct", "space", "undo", "none", "?", "-", "F", "T03", "East", "copy", "temple", "cards",
     "play", "on", "begin", "<", ">", "pick", "golden", "reveal", "999", "keep", "ogon", "fill"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=7), st.sampled_from(LANGUAGES), st.booleans())
def test_almost_right_text_never_breaks_anything(
    words: list[str], language: str, drawing: bool
) -> None:
    state = DRAWING if drawing else TABLE
    history = History((state,))
    try:
        command = parse_command(" ".join(words), history, language)
        if isinstance(command, EventCommand):
            for event in command.events:
                history = history.after(DoEvent(event))
        elif isinstance(command, CorrectEvent):
            history.after(command)
    except CoatlError as error:
        error.text(language)  # can be said
