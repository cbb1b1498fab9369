"""Tables that are played and looked at, as people and programs do; whole games from a pipe;
`why`.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from coatl_tools.language import load_language
from coatl_tools.referee import journal, replay_journal
from coatl_tools.rules import event_messages, history
from coatl_tools.rules.editions import choose_edition
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.table_options import TableOptions
from tests.cli.command_runner import TableCommands
from tests.cli.typed_games import TypedLine, in_every_language, play_reported_game, play_typed_game
from tests.conftest import Run
from tests.parameters import sample
from tests.referee.typed_tables import LANGUAGES


def test_bots_say_why_in_words_and_for_programs(run: Run) -> None:
    assert run("table", "new", "e", "--players", "Ana,bot:greedy", "--seed", "3").code == 0
    assert run("table", "do", "e", "keep 1 2", "take 3").code == 0
    told = run("table", "why", "e")
    assert told.code == 0
    assert "bot greedy takes from space" in told.out
    assert "a head or tail that a Cóatl needs" in told.out
    (move,) = json.loads(run("table", "why", "e", "--json").out)
    assert move["event"].startswith("take")
    space = move["event"].split()[1]
    assert move["why"] == [f"Space {space} has a head or tail that a Cóatl needs."]
    assert "głowa lub ogon" in run("table", "why", "e", "--lang", "pl").out


def test_why_can_be_typed_while_playing(run: Run) -> None:
    assert run("table", "new", "e", "--players", "Ana,bot:greedy", "--seed", "3").code == 0
    said = run("table", "play", "e", "--plain", typed="why\nkeep 1 2\ntake 3\npourquoi\nquit\n")
    assert said.code == 0
    assert "No bot has moved" in said.out
    assert "a head or tail that a Cóatl needs" in said.out


# do


def test_commands_happen_and_are_told(evening: TableCommands) -> None:
    out = evening.ok("do", "evening", "take 3", "take 7; cards 1").splitlines()
    assert out[:3] == [
        "North takes from space 3: blue body segment, red body segment.",
        "South takes from space 7: yellow head.",
        "North takes from the Prophecy supply: P07.",
    ]
    assert out[3].startswith("North: ")  # what is awaited now
    assert len(out) == 4


def test_for_programs_with_everything_that_happened_and_the_table(evening: TableCommands) -> None:
    data = evening.told("do", "evening", "cards 1 deck; end")
    assert [step["by"] for step in data["happened"]] == [
        "person", "person", "dealer", "person", "dealer",
    ]  # fmt: skip
    assert data["happened"][0] == {"event": "choose P07", "by": "person", "corrects": None}
    assert data["happened"][2]["event"].startswith("drawn P")  # North's own
    assert data["table"]["turn"]["name"] == "South"
    back = evening.told("undo", "evening", "--force")
    assert back["happened"] == [{"event": None, "by": "person", "corrects": None}]


def test_all_or_none_on_the_disk(evening: TableCommands) -> None:
    before = evening.file("evening").read_bytes()
    done = evening("do", "evening", "take 3", "take 33")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: Rule 1.4: ")
    assert evening.file("evening").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tkae 3"], "Did you mean “take”?"),
        (["show"], "“show” changes nothing at a table"),
        (["--as", "South", "take 3"], "not South’s turn: North is to play"),
        (["--as", "Nobody", "take 3"], "Players are: North, South"),
        (["--as", "3", "take 3"], "Players are: North, South"),
        (["--as", "0011", "take 3"], "Players are: North, South"),
        (["--as", "", "take 3"], "Players are: North, South"),
        ([""], "Nothing was typed"),
        (["x" * 5000], "too long"),
        (["end;" * 200], "too many commands"),
        (["take \x1b[31m3"], "\\x1b[31m"),
    ],
)
def test_a_wrong_command_is_explained(
    evening: TableCommands, arguments: list[str], said: str
) -> None:
    done = evening("do", "evening", *arguments)
    assert done.code == 1
    assert said in done.err
    assert "\x1b" not in done.err


def test_a_command_is_needed(evening: TableCommands) -> None:
    assert evening("do", "evening").code == 2


def test_a_seat_hears_what_is_its_own(table: TableCommands) -> None:
    table.ok("new", "evening", "--seed", "7", "--players", "North,South")
    shown = table.ok("do", "evening", "keep 1 2", "keep 1 2", "--plain")
    assert "North keeps these of the Prophecy cards dealt: P21, P25." in shown
    assert "South keeps 2 of the Prophecy cards dealt." in shown


def test_a_player_alone_sees_their_hand_after_adams_turn_too(table: TableCommands) -> None:
    table.ok("new", "evening", "--solo", "--seed", "7")
    for command in ("keep 1 2 3", "adam", "take 3"):
        data = table.told("do", "evening", command)["table"]
        assert data["viewer"] == 1
        assert "?" not in data["players"][0]["hand"]


def test_draws_are_reported_as_short_as_can_be(table: TableCommands) -> None:
    table.ok("new", "evening", "--physical")
    out = table.ok("do", "evening", "RG BB YK").splitlines()
    assert out[:3] == [
        "Space 1 gets: red body segment, green body segment.",
        "Space 2 gets: blue body segment ×2.",
        "Space 3 gets: yellow body segment, black body segment.",
    ]
    assert "4, 5, 6, 7, 8, 9, 10" in out[-1]
    out = table.ok("do", "evening", "rgbbyk R G B Y").splitlines()
    assert out[-2:] == [
        "Which card is on Temple pile 1?",
        "8 draws are still to be reported; one line can hold them all.",  # none that is secret
    ]


def test_a_correction_is_told_and_kept(real: TableCommands) -> None:
    out = real.ok("do", "evening", "correct space 3 GG").splitlines()
    assert out[0] == "Event 3, corrected: Space 3 gets: green body segment ×2."
    data = real.told("do", "evening", "correct 4 KK")
    assert data["happened"] == [{"event": "fill 4 K K", "by": "person", "corrects": 4}]
    log = real.ok("log", "evening", "--plain").splitlines()
    assert log[-2:] == [
        "Event 3, corrected: Space 3 gets: green body segment ×2.",
        "Event 4, corrected: Space 4 gets: black body segment ×2.",
    ]


# undo


def test_undo_within_a_turn_is_free(evening: TableCommands) -> None:
    evening.ok("do", "evening", "cards 1 2")
    assert evening.ok("undo", "evening", "2").splitlines()[0] == "Taken back."
    assert "Taken back: 2 events." in evening.ok("log", "evening")


def test_undo_with_consent_says_how_to_give_it(evening: TableCommands) -> None:
    evening.ok("do", "evening", "take 3")
    for arguments in (["undo", "evening"], ["do", "evening", "undo"]):
        done = evening(*arguments)
        assert done.code == 1
        assert "A turn has ended since" in done.err
        assert "--force" in done.err
    evening.ok("undo", "evening", "--force")
    assert "by consent, though a turn had ended: 1 event" in evening.ok("log", "evening")


@pytest.mark.parametrize("number", ["0", "-1", "1000", "x", "1.5"])
def test_undo_takes_a_number(evening: TableCommands, number: str) -> None:
    assert evening("undo", "evening", number).code == 2


def test_nobody_wins_before_the_end(evening: TableCommands) -> None:
    said = evening.ok("score", "evening", "--plain")
    assert "victory" not in said
    assert "wins" not in said
    data = evening.told("score", "evening")
    assert data["over"] is False
    assert "winners" not in data
    assert data["ahead"] == ["North", "South"]


def test_of_the_next_players_cards_no_example_is_given(table: TableCommands) -> None:
    table.ok("new", "evening", "--seed", "1")
    done = table("do", "evening", "keep none", "keep P01")
    assert done.code == 1
    assert "You could" not in done.err


def test_only_bots_play_where_only_bots_sit(table: TableCommands) -> None:
    table.ok("new", "evening", "--players", "bot:random,bot:random", "--seed", "1")
    assert "drawn from the bag" not in table.ok("show", "evening")
    done = table("do", "evening", "end")
    assert (done.code, "Only bots sit" in done.err) == (1, True)
    assert "over" in table.ok("play", "evening")


def test_a_player_alone_sees_the_own_hand(table: TableCommands) -> None:
    table.ok("new", "evening", "--players", "Ana", "--solo", "--seed", "1")
    assert "?" not in table.told("show", "evening")["players"][0]["hand"]


def test_nothing_to_undo(evening: TableCommands) -> None:
    done = evening("undo", "evening", "999", "--force")
    assert (done.code, done.err) == (1, "Error: Only 2 steps can be taken back.\n")


# show, score, log


def test_show_hides_other_hands(evening: TableCommands) -> None:
    hands = {}
    for name in ("North", "South"):
        data = evening.told("show", "evening", "--as", name)
        hands[name] = next(seat["hand"] for seat in data["players"] if seat["name"] == name)
        assert "?" not in hands[name]
    everybody = evening.told("show", "evening")
    assert [seat["hand"] for seat in everybody["players"]] == [["?", "?"], ["?", "?"]]
    for style in ([], ["--plain"], ["--ascii"]):
        north = evening.ok("show", "evening", "--as", "north", *style)
        assert all(card in north for card in hands["North"])
        assert not any(card in north for card in hands["South"])
        assert not any(card in evening.ok("show", "evening", *style) for card in hands["North"])


def test_the_edition_is_shown(table: TableCommands) -> None:
    table.ok("new", "evening", "--edition", "fr")
    for style in ([], ["--plain"]):
        assert table.ok("show", "evening", *style).startswith("Edition: fr\n")


def test_a_seat_is_a_name_or_a_number(evening: TableCommands) -> None:
    by_name = evening.ok("show", "evening", "--as", "SOUTH")
    assert by_name == evening.ok("show", "evening", "--as", "2")
    for wrong in ("0", "3", "02", "0011", "٢", "East", "99999999999999999999", "-1"):
        assert evening("show", "evening", f"--as={wrong}").code == 1


@pytest.mark.parametrize(
    ("command", "language"),
    sample(
        product(("show", "log", "score"), LANGUAGES), ("show", "pl"), ("log", "fr"), ("score", "en")
    ),
)
def test_looking_in_every_language_and_style(
    evening: TableCommands, command: str, language: str
) -> None:
    evening.ok("do", "evening", "take 3", "take 7", "cards 1 deck; end")
    drawn = evening.ok(command, "evening", "--lang", language)
    assert max(map(len, drawn.splitlines())) <= 80
    plain = evening.ok(command, "evening", "--lang", language, "--plain")
    assert not set(plain) & set("▲●■★◆─│▶")
    ascii_only = evening.ok(command, "evening", "--lang", language, "--ascii")
    assert ascii_only.isascii()
    assert "\x1b" not in drawn + plain + ascii_only
    data = evening.ok(command, "evening", "--lang", language, "--json")
    assert json.loads(data)
    assert data.count("\n") == 1
    for width in ("20", "40", "200"):
        evening.ok(command, "evening", "--lang", language, COLUMNS=width)


def test_the_log_for_programs(evening: TableCommands) -> None:
    evening.ok("do", "evening", "cards 1", "undo")
    lines = evening.told("log", "evening", "--as", "South")
    assert lines[0]["number"] == 1
    assert lines[0]["do"].startswith("fill 1 ")
    assert lines[27] == {
        "number": 28,
        "do": "keep ? ?",
        "text": "North keeps 2 of the Prophecy cards dealt.",
    }
    assert lines[-1] == {"number": 0, "back": "29", "text": "Taken back: 1 event."}


def test_the_score_for_programs(finished: TableCommands) -> None:
    data = finished.told("score", "evening")
    assert data["winners"]
    assert [player["name"] for player in data["players"]] == ["bot random", "bot random 2"]


# bots


def test_bots_alone_need_no_terminal(finished: TableCommands) -> None:
    data = finished.told("show", "evening")
    assert data["over"] is True
    again = finished.ok("play", "evening")
    assert "wins." in again
    assert finished("do", "evening", "take 3").code == 1


def test_a_bot_answers_at_once(table: TableCommands) -> None:
    table.ok("new", "evening", "--players", "Ana,bot:random,Robo=bot:random", "--seed", "5")
    data = table.told("do", "evening", "keep 1 2")
    assert {step["by"] for step in data["happened"]} >= {"person", "bot"}
    assert data["table"]["turn"]["name"] == "Ana"
    names = [seat["name"] for seat in data["table"]["players"]]
    assert names == ["Ana", "bot random", "Robo"]


# play from a pipe


def test_a_game_is_played_from_a_pipe(table: TableCommands) -> None:
    table.ok("new", "evening", "--seed", "7")
    typed = "help\nkeep 1 2\nkeep 1 2\n\n1\n1\nscore\nlog\ncard P07\nshow\nnonsense\nquit\n"
    for style in ([], ["--plain"], ["--guided"]):
        done = table("play", "evening", *style, typed=typed)
        assert (done.code, done.err) == (0, "")
        assert "evening" in done.out.splitlines()[-1]  # it is kept
    assert len(replay_journal(table.file("evening")).history.events) > 29


def test_the_end_of_the_input_leaves_the_table(evening: TableCommands) -> None:
    for typed in ("", "take 3", "take 3\n", "undo\n", b"\xff\xfe\n\x00\n", "\n" * 50, "0\n00001\n"):
        done = evening("play", "evening", typed=typed)
        assert (done.code, done.err) == (0, "")
    assert replay_journal(evening.file("evening")).warning is None


def test_a_number_that_is_no_choice_is_refused(evening: TableCommands) -> None:
    for number in ("99", "000099", "00010000", "9" * 500):
        done = evening("play", "evening", "--plain", typed=f"\n{number}\nquit\n")
        assert done.code == 0
        assert "Error: " in done.out


def test_one_player_alone_on_the_screen_sees_nobody_elses_hand(table: TableCommands) -> None:
    table.ok("new", "evening", "--seed", "7")
    table.ok("do", "evening", "keep 1 2", "keep 3 4")
    hand = table.told("show", "evening", "--as", "South")["players"][1]["hand"]
    typed = "show\nlog\nhelp\nmenu\ntake 3\ntake 7\nquit\n"
    done = table("play", "evening", "--as", "North", typed=typed)
    assert done.code == 0
    assert not any(card in done.out for card in hand)


def played(table: TableCommands, new: list[str], game: list[TypedLine], language: str) -> None:
    """The lines of a game, typed at a new table, lead to its winner."""
    table.ok("new", "evening", "--lang", language, *new)
    lines = "".join(f"{typed.line}\n" for typed in game)
    said = table("play", "evening", "--lang", language, typed=lines)
    assert (said.code, said.err) == (0, "")
    shown = table.told("score", "evening")
    final = compute_result(game[-1].after)
    assert shown["over"]
    assert [player["points"] for player in shown["players"]] == [p.points for p in final.players]
    names = game[-1].after.game.names
    assert shown["winners"] == [names[index] for index in final.winners]
    assert table("verify", str(table.file("evening"))).code == 0


@in_every_language("fr")
def test_a_virtual_game_for_two(table: TableCommands, language: str) -> None:
    options = TableOptions(
        players=("Ana", "Bo"),
        edition=choose_edition(None, load_language(language)),
        fewer_bodies=True,
    )
    new = ["--players", "Ana,Bo", "--fewer-bodies", "--seed", "4"]
    played(table, new, list(play_typed_game(options, 4, language)), language)


@in_every_language("pl")
def test_a_real_game_with_hidden_hands(table: TableCommands, language: str) -> None:
    players = ("Ana", "Bo")
    options = TableOptions(
        players=players,
        edition=choose_edition(None, load_language(language)),
        fewer_bodies=True,
        tokens=False,
        hidden_hands=True,
    )
    new = ["--players", "Ana,Bo", "--fewer-bodies", "--no-tokens", "--physical"]
    played(table, new, list(play_reported_game(options, 15, language)), language)


@in_every_language("en")
def test_a_solo_game(table: TableCommands, language: str) -> None:
    options = TableOptions(players=("Ana",), edition=choose_edition(None, load_language(language)))
    new = ["--players", "Ana", "--solo", "--seed", "25"]
    played(table, new, list(play_typed_game(options, 25, language)), language)


@pytest.mark.parametrize("command", ["take 3", "take 3; take 7"])
def test_an_event_is_applied_once_and_serialized_once(
    evening: TableCommands, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    path = evening.folder / "evening.jsonl"
    before = len(replay_journal(path).history.events)
    calls: Counter[str] = Counter()

    def count(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counted(*arguments: Any) -> Any:
            calls[name] += 1
            return function(*arguments)

        monkeypatch.setattr(module, name, counted)

    for module in (history, event_messages):
        count(module, "apply_event")
    count(journal, "serialize_line")
    evening.ok("do", "evening", command)
    monkeypatch.undo()
    new = len(replay_journal(path).history.events) - before
    assert new > 0
    # to open a table, all its events are applied; then each new one is, and that is all
    assert calls == {"apply_event": before + new, "serialize_line": new}
