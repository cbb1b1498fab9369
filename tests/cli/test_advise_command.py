"""`run_coatl advise`: steps that can be played, for what they promise, and nothing that is
hidden.
"""

from __future__ import annotations

import json
import random
import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.referee.advice import (
    Advice,
    describe_advice,
    format_plan_commands,
    make_advice,
    serialize_advice,
)
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.position_file import TypedPosition, build_typed_view
from coatl_tools.referee.table import Table
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.result import compute_coatl_result
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import OVER, READY, GameState, replace_item
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_view
from tests.cli.command_runner import TableCommands, run_coatl
from tests.cli.fake_photo_reader import fake_reader, make_problem, write_blank_photo
from tests.cli.test_table_secrets import ids, lying_open
from tests.referee.typed_tables import (
    LANGUAGES,
    SEEDS,
    random_command,
    real_tables,
    temporary_table,
    virtual_tables,
)
from tests.rules.random_games import games
from tests.vision.sample_readings import make_reading, make_seen_card

advise = partial(run_coatl, "advise")
EXAMPLE = (
    *("--board", "R B B <K G>", "--coatl", "<RBB P05", "--coatl", "YG", "--hand", "P10,P16"),
    *("--temple", "T03", "--piles", "T01,T02", "--supply", "P01 P22"),
)


def ok(*arguments: str | Path, **environment: str) -> str:
    done = advise(*arguments, **environment)
    assert (done.code, done.err) == (0, "")
    return done.out


def told(*arguments: str | Path) -> Any:
    return json.loads(ok(*arguments, "--json"))


# From arguments.


def test_the_steps_and_their_points_add_up() -> None:
    data = told(*EXAMPLE)
    assert [step["event"] for step in data["steps"]] == [
        *("add R to 1 tail", "add B to 1 tail", "add B to 1 tail", "add G> to 1 tail"),
        *("play P10 on 1", "temple T01 on 1 from pile 1", "play P16 on 2"),
    ]
    assert sum(step["points"] for step in data["steps"]) == data["points"] == 16
    assert data["coatls"][0] == {
        "number": 1,
        "coatl": "<RBBRBBG>",
        "complete": True,
        "points": 15,
        "cards": [
            {"card": "P05", "points": 3},
            {"card": "P10", "points": 5},
            {"card": "T01", "points": 7},
        ],
        "temple": "T01",
    }
    assert (data["board"], data["hand"], data["instead"]) == (["<K"], [], [])


def test_what_is_missing_is_about_the_table_after_the_steps() -> None:
    rows = {(row["card"], row["coatl"]): row for row in told(*EXAMPLE)["missing"]}
    assert {coatl for _, coatl in rows} == {2, None}  # Cóatl 1 is complete then
    assert "T01" not in {card for card, _ in rows}
    raised = rows["P16", 2]
    assert (raised["where"], raised["points"], raised["next"]["points"]) == ("beside", 1, 3)
    assert raised["next"]["to_get"] == ["Y", "G"]
    assert rows["P22", 2]["where"] == "supply"
    assert rows["T02", 2]["where"] == "pile"


@pytest.mark.parametrize("language", LANGUAGES)
def test_golden_advice_on_the_screen(language: str, golden: Any) -> None:
    said = [ok(*EXAMPLE, *more, "--lang", language) for more in ((), ("--missing", "--plain"))]
    said.append(ok("--board", "R", "--hand", "P16", "--supply", "P01", "--lang", language))
    assert max(len(line) for line in (said[0] + said[2]).splitlines()) <= 80
    golden(f"advice.{language}.txt", "\n".join(said))


def test_nothing_gained_says_what_to_do_instead() -> None:
    said = ok("--board", "R", "--hand", "P16")
    assert "No assembly gains points now." in said
    assert "Take pieces for P16, which brings 1 point. It lacks: yellow, green." in said
    assert "Choose P22: the pieces for it are there" in ok("--board", "R B", "--supply", "P22")
    assert "Take pieces, or choose Prophecy cards." in ok("--board", "R")
    assert "Take pieces.\n" in ok("--board", "R", "--hand", "5")  # nobody says which cards
    assert "Choose Prophecy cards." in ok("--board", "RRRRRRRR")


def test_what_was_typed_is_read_leniently() -> None:
    plain = ok(*EXAMPLE)
    assert plain == ok(
        *("--board", "red, b b; black head; green tail", "--coatl", "head red, blue, blue p5"),
        *("--coatl", "y g", "--hand", "p10 P-16", "--temple", "t3", "--piles", "T1 t02"),
        *("--supply", "p1;p22"),
    )


def test_a_last_turn_counts_as_the_end_does() -> None:
    cards = ("--coatl", "BB", "--board", "B", "--hand", "P05", "--edition")
    assert told(*cards, "en")["points"] == 2
    assert told(*cards, "en", "--last")["points"] == 0  # rule 5.1
    assert told(*cards, "pl", "--last")["points"] == 1  # rule 8.1
    assert "Still missing" not in ok(*cards, "pl", "--last")
    assert "Still missing" in ok(*cards, "pl", "--last", "--missing")


def test_the_rules_of_the_table_are_heeded() -> None:
    colours = ("--coatl", "BBB P05", "--hand", "P02", "--board", "RRR")
    assert told(*colours)["points"] == 2
    assert told(*colours, "--level", "3")["points"] == 2  # on a Cóatl of its own
    assert {step["event"] for step in told(*colours, "--level", "3")["steps"]} >= {"begin R"}
    crossed = ("--coatl", "BB", "--hand", "P10")
    assert told(*crossed)["points"] == 2  # rule 4.5
    assert told(*crossed, "--closed-ends")["points"] == 0  # ruling 9.11


def test_hidden_cards_are_left_out_and_said_to_be() -> None:
    data = told("--board", "Y", "--coatl", "G", "--hand", "P16 ? ?")
    assert data["notes"] == ["2 cards in the hand are not known to the program and are left out."]
    assert data["points"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--board", "RRRRRRRRR"], "at most 8 pieces; there are 9 here"),
        (["--board", "R Q"], "--board: Piece 2 is unknown: “Q”"),
        (["--board", "F"], "no golden segments"),
        (["--coatl", "R<B"], "--coatl: "),
        (["--coatl", "<RBB>"], "Cóatl 1: A Cóatl with a head and a tail is complete"),
        (["--coatl", "R", "--coatl", "G", "--coatl", "B"], "incomplete Cóatls"),
        (["--coatl", "R P05 P05"], "P05"),
        (["--coatl", "R P01 P02 P03 P04 P06"], "at most 4"),
        (["--coatl", "R T03"], "Temple card"),
        (["--hand", "P99"], "--hand: There is no card “P99”"),
        (["--hand", "P01,P02,P03,P04,P05,P06"], "at most 5"),
        (["--hand", "P06", "--supply", "P06"], "Card P06 lies in too many places"),
        (["--hand", "T03"], "T03"),
        (["--temple", "P03"], "P03"),
        (["--piles", "T01,T02,T03"], "two Temple piles"),
        (["--piles", "T01,T01"], "T01"),
        (["--board", "<R<R", "--coatl", "<RG", "--coatl", "<RB"], "not that many: red head"),
        (["--board", "R" * 10_001], "at most 10000"),
        (["--level", "3", "--hand", "P01,P02,P03,P04,P05", "--level", "2"], "at most 4"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(arguments: list[str], said: str) -> None:
    done = advise(*arguments)
    assert (done.code, done.out) == (1, ""), done
    assert said in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--missing"],
        ["--as", "North", "--board", "R"],
        ["--table", "evening", "--board", "R"],
        ["--table", "evening", "--last"],
        ["--board", "R", "--set", "1=RR"],
        ["--board", "R", "--level", "6"],
    ],
)
def test_what_makes_no_sense_together_is_refused(arguments: list[str]) -> None:
    assert advise(*arguments).code == 2


def test_a_card_that_a_pile_then_shows_is_reported_before_the_rest_is_typed() -> None:
    typed = TypedPosition("RBB<KG>", ("<RBB P05", "YG"), "P10 P16", "", "T01 T02")
    advice = make_advice(build_typed_view(typed, TableOptions(), load_cards()), 0)
    assert format_plan_commands(advice, "en", real=True) == [
        "add R to 1 tail; add B to 1 tail; add B to 1 tail; add G> to 1 tail; play P10 on 1; "
        "temple T01 on 1 from pile 1",
        "play P16 on 2",
    ]
    assert len(format_plan_commands(advice, "en", real=False)) == 1
    assert format_plan_commands(replace(advice, is_playable_now=False), "en", real=False) == []


# At a table.


def at(table: TableCommands, *arguments: str) -> str:
    return ok("--table", "evening", *arguments, COATL_TABLES=str(table.folder))


def test_who_asks_is_asked_at_a_virtual_table(evening: TableCommands) -> None:
    done = advise("--table", "evening", "--dir", evening.folder)
    assert (done.code, "--as NAME. Players are: North, South" in done.err) == (1, True)
    assert "’s turn: this is advice" not in at(evening, "--as", "North")
    assert "It is not South’s turn" in at(evening, "--as", "2")
    done = advise("--table", "evening", "--as", "West", "--dir", evening.folder)
    assert (done.code, "There is no player “West”" in done.err) == (1, True)


def test_the_only_person_need_not_say_who_asks(table: TableCommands) -> None:
    table.ok("new", "evening", "--players", "bot:random,Ana", "--seed", "7")
    assert "The game has not begun yet" in at(table)


def test_a_real_table_is_about_whoever_is_to_play(real: TableCommands) -> None:
    said = at(real)
    assert "3 cards in the hand are not known" in said  # two Prophecy cards and a Temple card
    assert "’s turn: this is advice" not in said
    assert "It is not South’s turn" in at(real, "--as", "South")


def test_a_game_that_is_over_has_no_advice(finished: TableCommands) -> None:
    done = advise("--table", "evening", "--as", "1", "--dir", finished.folder)
    assert (done.code, "The game is over" in done.err) == (1, True)
    assert advise("--table", "nothing", "--dir", finished.folder).code == 1


def test_another_action_is_under_way(evening: TableCommands) -> None:
    evening.ok("do", "evening", "cards 1")
    assert "for the next turn" in at(evening, "--as", "North")
    assert "table do" not in at(evening, "--as", "North")


def test_the_command_that_is_printed_plays_the_steps(evening: TableCommands) -> None:
    """North collects yellow and green for a card, and is told how to use them."""
    for language in LANGUAGES:
        evening.ok("new", language, "--seed", "7")
        evening.ok("do", language, "keep 1 2", "keep 1 2")
        assert "coatl table do" not in ok(
            "--table", language, "--as", "1", "--dir", evening.folder, "--lang", language
        )
        line = None
        for _ in range(40):
            said = ok("--table", language, "--as", "1", "--dir", evening.folder, "--lang", language)
            line = re.search(rf'^coatl table do "{language}" "(.*)"$', said, re.MULTILINE)
            if line:
                break
            data = told("--table", language, "--as", "1", "--dir", evening.folder)
            evening.ok("do", language, data["instead"][-1]["event"].replace("choose", "cards"))
            shown = evening.told("show", language)
            if shown["turn"]["player"] == 1:
                evening.ok("do", language, "end")
            legal = evening.told("show", language, "--as", "2")["legal"]
            taken = next(event for event in legal if event.startswith(("take", "choose", "begin")))
            evening.ok("do", language, taken.replace("choose", "cards"))
            if evening.told("show", language)["turn"]["player"] == 2:
                evening.ok("do", language, "end")
        assert line, said
        points = told("--table", language, "--as", "1", "--dir", evening.folder)["points"]
        evening.ok("do", language, line[1], "--lang", language)
        (north, _) = evening.told("show", language)["players"]
        worth = sum(card["points"] for coatl in north["coatls"] for card in coatl["cards"])
        assert worth == points > 0


@pytest.mark.parametrize(
    ("language", "typed"), [("en", "advise"), ("fr", "conseil"), ("pl", "doradź"), ("en", "adv")]
)
def test_advice_in_a_session(evening: TableCommands, language: str, typed: str) -> None:
    everything = {"en": "all", "fr": "tout", "pl": "wszystko"}[language]
    words = (f"{typed}\n", f"{typed} {everything}\n")
    few, whole = (evening.ok("play", "evening", typed=w, COATL_LANG=language) for w in words)
    direct = at(evening, "--as", "North", "--lang", language).splitlines()
    assert set(direct[:5]) <= set(few.splitlines())
    assert len(whole) > len(few)
    assert f"{typed} {everything}" in few or typed == "adv"
    assert "P04" not in few  # what South holds
    both = evening("do", "evening", "advise; take 1")
    assert (both.code, "changes nothing" in both.err) == (1, True)


# With photos.


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_blank_photo(Path("table.png"))


def test_coatls_of_a_photo_are_as_good_as_typed(
    photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = make_reading("<RBB", "YG", cards=[make_seen_card("P05", 0), make_seen_card("P29", None)])
    fake_reader(monkeypatch, {"table.png": seen})
    rest = (*EXAMPLE[:2], *EXAMPLE[6:])
    assert ok("--photo", photo, *rest) == ok(*EXAMPLE)
    second = told("--photo", photo, "--coatl", "2", "--coatl", "<RBB P05", *rest)
    assert [coatl["coatl"][:2] for coatl in second["coatls"]] == ["YG", "<R"]
    assert advise("--photo", photo, "--coatl", "3").code == 2
    fixed = told("--photo", photo, "--set", "1=<GG; c1-", *rest)
    assert fixed["coatls"][0]["coatl"].startswith("<GG")


def test_a_photo_that_is_not_sure_is_not_used(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_reader(monkeypatch, {"table.png": make_reading("<RBB", problems=[make_problem(0, 1)])})
    done = advise("--photo", photo, "--board", "R")
    assert (done.code, done.out, "could not be read with certainty" in done.err) == (3, "", True)
    fake_reader(monkeypatch, {"table.png": make_reading()})
    assert advise("--photo", photo, "--board", "R").code == 3


# Whole games.


def worth(state: GameState, seat: int, last: bool) -> int:
    """What a player's cards are worth: as they lie there, or as in the end."""
    found = [compute_coatl_result(state.game, coatl) for coatl in state.players[seat].coatls]
    if last:
        return sum(coatl.points for coatl in found)
    return sum(card.points for coatl in found for card in coatl.cards)


def followed(table: Table, advice: Advice, seat: int, language: str, seed: int) -> None:
    """Play what is advised; it brings what was promised."""
    last, before = advice.situation.last, worth(table.state, seat, advice.situation.last)
    for line in format_plan_commands(advice, language, real=not table.is_virtual):
        while table.state.draws:
            table.do(format_command(deal_draw(table.state, seed), language), lang=language)
        table.do(line, lang=language)
    assert worth(table.state, seat, last) - before == advice.plan.points
    assert sum(step.points for step in advice.plan.steps) == advice.plan.points
    mine = table.state.players[seat]
    assert mine.coatls == advice.plan.coatls
    assert sorted(p for p in mine.board if p != "F") == sorted(advice.plan.board)


def advice_can_be_followed(options: TableOptions, seed: int, language: str) -> None:
    """Whenever somebody may act, and it gains something, the advice is played."""
    chance = random.Random(seed)
    with temporary_table(options) as table:
        for _ in range(60):
            if table.state.stage is OVER:
                break
            seat = table.default_seat
            if (
                table.state.stage is READY
                and table.state.current_player == seat
                and not table.state.draws
            ):
                advice = make_advice(table.make_view(seat), seat)
                assert advice.is_playable_now
                if advice.plan.steps:
                    followed(table, advice, seat, language, seed)
                    continue
            table.do(random_command(table, chance, language), lang=language)


test_advice_can_be_followed = games(
    4, advice_can_be_followed, virtual_tables | real_tables, SEEDS, st.sampled_from(LANGUAGES)
)


def nothing_hidden_is_told(options: TableOptions, seed: int, language: str) -> None:
    """Advice names only cards that its reader sees, and is the same whatever others hold."""
    chance = random.Random(seed)
    with temporary_table(options) as table:
        for number in range(48):
            if table.state.stage is OVER:
                return
            if number % 12 == 0:
                for seat in range(len(options.players)):
                    seen = make_view(table.state, seat)
                    advice = make_advice(seen, seat)
                    texts = [*describe_advice(advice, language, whole=True)]
                    texts.append(json.dumps(serialize_advice(advice, language)))
                    assert ids(table, *texts) <= lying_open(seen)
                    other = make_advice(
                        make_view(reshuffled(table.state, seat, chance), seat), seat
                    )
                    assert serialize_advice(other, language) == serialize_advice(advice, language)
            table.do(random_command(table, chance, language), lang=language)


def reshuffled(state: GameState, seat: int, chance: random.Random) -> GameState:
    """The same table as this player sees it, where everybody else holds other cards."""
    for index, player in enumerate(state.players):
        if index == seat:
            continue
        hidden = [
            card for card in player.hand if card not in player.shown and card[0] != UNKNOWN_CARD
        ]
        pool = [*state.unlocated_prophecies[0], *hidden]
        chance.shuffle(pool)
        drawn, left = pool[: len(hidden)], pool[len(hidden) :]
        hand = [card for card in player.hand if card not in hidden]
        other = player._replace(hand=tuple(sorted([*hand, *drawn])))
        state = state._replace(
            players=replace_item(state.players, index, other),
            unlocated_prophecies=(tuple(sorted(left)), *state.unlocated_prophecies[1:]),
        )
    return state


test_nothing_hidden_is_told = games(
    2, nothing_hidden_is_told, virtual_tables, SEEDS, st.sampled_from(LANGUAGES)
)


def test_a_second_look_is_the_same(evening: TableCommands) -> None:
    assert at(evening, "--as", "North") == at(evening, "--as", "North")
    table = Table.open(evening.file("evening"))
    advice = make_advice(table.make_view(0), 0)
    assert replace(advice, is_playable_now=False).nearest_gaps == advice.nearest_gaps


def test_the_example_of_the_docs_is_real() -> None:
    page = (Path(__file__).parents[2] / "docs" / "advise.md").read_text("utf-8")
    command, shown = re.findall(r"```(?:sh)?\n(.*?)```", page, re.DOTALL)
    said = ok(*shlex.split(command)[2:])
    assert [line.rstrip() for line in said.splitlines()] == shown.splitlines()
