"""Joining a game midway on the command line: a real table, typed in, is that table."""

from __future__ import annotations

import io
import json
from pathlib import Path

import click
import pytest
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.cli.table.position_and_tally_questions import ask_position, load_position
from coatl_tools.errors import FileError, PositionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.position.position import Position, build_state
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from tests.positions import extract_position
from tests.rules.random_games import (
    choose_builder,
    choose_collector,
    games,
    many_games,
    play_random_game,
    solo_tables,
    tables,
)

DOCS = Path(__file__).parents[2] / "docs"
OPTIONS = TableOptions(players=("Ana", "Bo"), hidden_hands=True)
CARDS = load_cards().deck()


def asked(
    options: TableOptions, typed: str, language: str = "en"
) -> tuple[Position | None, str, str]:
    """What comes of typing this, what was asked, and what was not read."""
    stdin, stderr = io.StringIO(typed), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", stdin)
        patch.setattr("sys.stderr", stderr)
        try:
            found = ask_position(options, load_cards().deck(options.promo), language)
        except click.Abort:
            found = None
    return found, stderr.getvalue(), stdin.read()


def typed_in(state: GameState) -> str:
    """What somebody types who sees this table."""
    game, position = state.game, extract_position(state)
    options, lines = game.options, list[str]()
    for seat in position.seats:
        lines.append(" ".join(seat.board))
        for coatl in seat.coatls:
            lines.append(" ".join([coatl.text, *coatl.prophecies, coatl.temple]))
        lines += ["", " ".join(seat.hand)]
        if options.tokens:
            lines.append(" ".join(seat.tokens) or "-")
        if not options.solo or options.solo_temple_in_hand:
            lines.append(" ".join(seat.temples))
        if options.golden_feathers:
            lines.append(str(seat.golden))
    if position.adam:
        lines += [f"{card} {' '.join(pieces)}" for card, pieces in position.adam.row]
        lines += ["", " ".join(position.adam.fulfilled), " ".join(position.adam.discarded)]
    discards = sum((seat.discarded for seat in position.seats), position.discards)
    lines.append(" ".join(discards))
    lines.append(" ".join(f"{pile.top or '-'} {pile.below}" for pile in state.piles))
    lines.append(" ".join(position.supply))
    lines.append(" ".join("".join(space) or "-" for space in position.spaces))
    return "\n".join(lines) + "\n"


def end_and_turn(state: GameState) -> list[str]:
    """The last answers that may be asked for, in this order, some of them not."""
    ending = state.ending
    final = (
        "yes" if all(turn.player != state.current_player for turn in state.final_turns) else "no"
    )
    who = f"{ending.cause} {state.game.names[ending.player]}" if ending else ""
    return [who, state.game.names[state.current_player], final]


def same_table(one: GameState, other: GameState) -> None:
    """Equal, but for what is not asked: who discarded what, and what everybody has seen."""

    def bare(state: GameState) -> GameState:
        thrown = sum((player.discarded for player in state.players), state.discards)
        players = tuple(
            player._replace(discarded=(), shown=(), temples_shown=()) for player in state.players
        )
        free = tuple(sorted(sum(state.unlocated_prophecies, ())))
        return state._replace(
            turns_ended=0,
            draws_answered=0,
            passes=0,
            players=players,
            unlocated_prophecies=(free,),
            discards=tuple(sorted(thrown)),
        )

    assert bare(one) == bare(other)


def a_table_typed_in_is_that_table(options: TableOptions, seed: int, choice: object) -> None:
    assert callable(choice)
    moments = [
        state
        for state, _ in play_random_game(options, seed, choice)
        if state.stage in (Stage.READY, Stage.ADAMS_TURN) and not state.draws
    ]
    for state in {*moments[:: max(1, len(moments) // 3)], *moments[-3:]}:
        typed, answers = typed_in(state), end_and_turn(state)
        # which of the last questions come, the table tells
        for chosen in (
            answers,
            answers[1:],
            answers[2:],
            answers[:2],
            answers[1:2],
            answers[:1],
            [],
        ):
            found, said, rest = asked(options, typed + "\n".join([*chosen, ""]))
            if found is not None and not rest.strip():
                break
        assert found is not None, said
        same_table(build_state(state.game, found), state)


ANY = (
    tables() | solo_tables(),
    st.integers(0, 2**32),
    st.sampled_from([choose_builder, choose_collector]),
)
test_a_table_typed_in_is_that_table = games(5, a_table_typed_in_is_that_table, *ANY)
test_many_tables_typed_in_are_those_tables = many_games(a_table_typed_in_is_that_table, *ANY)

EXAMPLE = """R G <B
<BBRBBKRBBYY> P29 P10
GYG P16

3
future priest
1
YY K>
<RKKRR P02

P41 ? ?

T07
P08 P09 ? ?
T03 5 T11
P05 P12 P23 P31 P44 P49
RG BB - YK GG - <R <K B> -
Bo
"""


def test_the_example_can_be_typed() -> None:
    found, said, rest = asked(OPTIONS, EXAMPLE)
    from_file = load_position(DOCS / "example-position.json", OPTIONS, CARDS)
    assert found == from_file
    assert rest == ""
    assert "Ana, Cóatl 3:" in said
    assert max(map(len, said.splitlines()[1:])) <= 80


MISTAKES = [
    ("R G <B\n", "R G <B <B <B <B\n", "not that many: blue head"),
    ("R G <B\n", "RRRRRRRRR\n", "Rule 1.5, Ana"),
    ("GYG P16\n", "GYG P16 P16\n", "Rule 3.9, Ana, Cóatl 2"),
    ("GYG P16\n", "GGQ P16\n", "Piece 3 is unknown"),
    ("3\n", "6\n", "Rule 3.4, Ana"),
    ("future priest\n", "futures\n", "“futures” is not a Sacrifice token"),
    ("T07\n", "T7 T8\n", "Rule 3.16, Bo"),
    ("T03 5 T11\n", "T03\n", "two Temple piles"),
    ("T03 5 T11\n", "T03 5 T11 9\n", "Rule 2.3"),
    ("P05 P12 P23 P31 P44 P49\n", "P05 P12 P23 P31 P44\n", "Rule 3.5"),
    ("P05 P12 P23 P31 P44 P49\n", "P05 P12 P23 P31 P44 P08\n", "among the discards"),
    ("RG BB - YK GG - <R <K B> -\n", "RG BB - YK GG\n", "10 spaces; there are 5 here"),
    ("RG BB - YK GG - <R <K B> -\n", "RG BB - YK GG - - - - -\n", "Rule 3.2"),
    ("\nBo\n", "\nCy\nBo\n", "no player “Cy”"),
]


@pytest.mark.parametrize(("right", "wrong", "said"), MISTAKES)
def test_a_mistake_is_explained_and_asked_again(right: str, wrong: str, said: str) -> None:
    again = wrong if wrong.endswith(right) else wrong + right
    found, told, _ = asked(OPTIONS, EXAMPLE.replace(right, again, 1))
    assert said in told
    assert found == asked(OPTIONS, EXAMPLE)[0]


def test_the_end_of_the_input_is_the_end() -> None:
    for lines in range(len(EXAMPLE.splitlines())):
        found, _, _ = asked(OPTIONS, "\n".join(EXAMPLE.splitlines()[:lines]))
        assert found is None


def test_every_language_asks() -> None:
    said = {asked(OPTIONS, EXAMPLE, language)[1] for language in LANGUAGE_CODES}
    assert len(said) == len(LANGUAGE_CODES)


def test_a_file_that_cannot_be_joined_is_refused(tmp_path: Path) -> None:
    data = json.loads((DOCS / "example-position.json").read_text("utf-8"))
    path = tmp_path / "p.json"
    path.write_text(json.dumps(data | {"supply": "P05"}), "utf-8")
    with pytest.raises(PositionError, match=r"Rule 3\.5"):
        load_position(path, OPTIONS, CARDS)
    with pytest.raises(FileError):
        load_position(tmp_path, OPTIONS, CARDS)


def test_a_solo_game_that_is_over_is_not_joined() -> None:
    solo = TableOptions(players=("Ana",))
    typed = ["", "<RRR> P02", "<GGG> P04", "<BBB> P05", "", ""]
    typed += ["P06", "P07", "P08", "", "", "", "", "T03 T04", "P30 P31 P32 P33 P34 P35"]
    typed += ["RR GG BB YY KK RG <R <G R> G>"]
    with pytest.raises(PositionError, match="The game is over"):
        asked(solo, "\n".join(typed) + "\n")
    assert new_game(solo, CARDS).game.solo
