"""Tables that are played and looked at, as people and programs do."""

from __future__ import annotations

import json

import pytest

from coatl_tools.referee import replay_journal
from tests.cli.runner import Tables
from tests.referee.evenings import LANGUAGES

# do


def test_commands_happen_and_are_told(evening: Tables) -> None:
    out = evening.ok("do", "evening", "take 3", "take 7; cards 1").splitlines()
    assert out[:3] == [
        "North takes from space 3: blue body segment, red body segment.",
        "South takes from space 7: yellow head.",
        "North takes from the Prophecy supply: P07.",
    ]
    assert out[3].startswith("North: ")  # what is awaited now
    assert len(out) == 4


def test_for_programs_with_everything_that_happened_and_the_table(evening: Tables) -> None:
    data = evening.told("do", "evening", "cards 1 deck; end")
    assert [step["by"] for step in data["happened"]] == [
        "person", "person", "dealer", "person", "dealer",
    ]  # fmt: skip
    assert data["happened"][0] == {"event": "choose P07", "by": "person", "corrects": None}
    assert data["happened"][2]["event"].startswith("drawn P")  # North's own
    assert data["table"]["turn"]["name"] == "South"
    back = evening.told("undo", "evening", "--force")
    assert back["happened"] == [{"event": None, "by": "person", "corrects": None}]


def test_all_or_none_on_the_disk(evening: Tables) -> None:
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
        (["--as", "South", "take 3"], "not the turn of South: North is to play"),
        (["--as", "Nobody", "take 3"], "Players are: North, South"),
        (["--as", "3", "take 3"], "Players are: North, South"),
        (["--as", "0011", "take 3"], "Players are: North, South"),
        (["--as", "", "take 3"], "Players are: North, South"),
        ([""], "Nothing is written there"),
        (["x" * 5000], "too long"),
        (["end;" * 200], "too many commands"),
        (["take \x1b[31m3"], "\\x1b[31m"),
    ],
)
def test_a_wrong_command_is_explained(evening: Tables, arguments: list[str], said: str) -> None:
    done = evening("do", "evening", *arguments)
    assert done.code == 1
    assert said in done.err
    assert "\x1b" not in done.err


def test_a_command_is_needed(evening: Tables) -> None:
    assert evening("do", "evening").code == 2


def test_a_seat_hears_what_is_its_own(table: Tables) -> None:
    table.ok("new", "evening", "--seed", "7", "--players", "North,South")
    shown = table.ok("do", "evening", "keep 1 2", "keep 1 2", "--plain")
    assert "North keeps these of the Prophecy cards dealt: P21, P25." in shown
    assert "South keeps 2 of the Prophecy cards dealt." in shown


def test_a_player_alone_sees_their_hand_after_adams_turn_too(table: Tables) -> None:
    table.ok("new", "evening", "--solo", "--seed", "7")
    for command in ("keep 1 2 3", "adam", "take 3"):
        data = table.told("do", "evening", command)["table"]
        assert data["viewer"] == 1
        assert "?" not in data["players"][0]["hand"]


def test_draws_are_reported_as_short_as_can_be(table: Tables) -> None:
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


def test_a_correction_is_told_and_kept(real: Tables) -> None:
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


def test_undo_within_a_turn_is_free(evening: Tables) -> None:
    evening.ok("do", "evening", "cards 1 2")
    assert evening.ok("undo", "evening", "2").splitlines()[0] == "Taken back."
    assert "Taken back: 2 events." in evening.ok("log", "evening")


def test_undo_with_consent_says_how_to_give_it(evening: Tables) -> None:
    evening.ok("do", "evening", "take 3")
    for arguments in (["undo", "evening"], ["do", "evening", "undo"]):
        done = evening(*arguments)
        assert done.code == 1
        assert "A turn has ended since" in done.err
        assert "--force" in done.err
    evening.ok("undo", "evening", "--force")
    assert "by consent, though a turn had ended: 1 event" in evening.ok("log", "evening")


@pytest.mark.parametrize("number", ["0", "-1", "1000", "x", "1.5"])
def test_undo_takes_a_number(evening: Tables, number: str) -> None:
    assert evening("undo", "evening", number).code == 2


def test_nobody_wins_before_the_end(evening: Tables) -> None:
    said = evening.ok("score", "evening", "--plain")
    assert "victory" not in said
    assert "wins" not in said
    data = evening.told("score", "evening")
    assert data["over"] is False
    assert "winners" not in data
    assert data["ahead"] == ["North", "South"]


def test_of_the_next_players_cards_no_example_is_given(table: Tables) -> None:
    table.ok("new", "evening", "--seed", "1")
    done = table("do", "evening", "keep none", "keep P01")
    assert done.code == 1
    assert "Possible is" not in done.err


def test_only_bots_play_where_only_bots_sit(table: Tables) -> None:
    table.ok("new", "evening", "--players", "bot:random,bot:random", "--seed", "1")
    assert "drawn from the bag" not in table.ok("show", "evening")
    done = table("do", "evening", "end")
    assert (done.code, "Only bots sit" in done.err) == (1, True)
    assert "over" in table.ok("play", "evening")


def test_a_player_alone_sees_the_own_hand(table: Tables) -> None:
    table.ok("new", "evening", "--players", "Ana", "--solo", "--seed", "1")
    assert "?" not in table.told("show", "evening")["players"][0]["hand"]


def test_nothing_to_undo(evening: Tables) -> None:
    done = evening("undo", "evening", "999", "--force")
    assert (done.code, done.err) == (1, "Error: Only 2 things can be taken back.\n")


# show, score, log


def test_show_hides_other_hands(evening: Tables) -> None:
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


def test_a_seat_is_a_name_or_a_number(evening: Tables) -> None:
    by_name = evening.ok("show", "evening", "--as", "SOUTH")
    assert by_name == evening.ok("show", "evening", "--as", "2")
    for wrong in ("0", "3", "02", "0011", "٢", "East", "99999999999999999999", "-1"):
        assert evening("show", "evening", f"--as={wrong}").code == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["show", "log", "score"])
def test_looking_in_every_language_and_style(evening: Tables, command: str, language: str) -> None:
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


def test_the_log_for_programs(evening: Tables) -> None:
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


def test_the_score_for_programs(finished: Tables) -> None:
    data = finished.told("score", "evening")
    assert data["winners"]
    assert [player["name"] for player in data["players"]] == ["bot random", "bot random 2"]


# bots


def test_bots_alone_need_no_terminal(finished: Tables) -> None:
    data = finished.told("show", "evening")
    assert data["over"] is True
    again = finished.ok("play", "evening")
    assert "wins." in again
    assert finished("do", "evening", "take 3").code == 1


def test_a_bot_answers_at_once(table: Tables) -> None:
    table.ok("new", "evening", "--players", "Ana,bot:random,Robo=bot:random", "--seed", "5")
    data = table.told("do", "evening", "keep 1 2")
    assert {step["by"] for step in data["happened"]} >= {"person", "bot"}
    assert data["table"]["turn"]["name"] == "Ana"
    names = [seat["name"] for seat in data["table"]["players"]]
    assert names == ["Ana", "bot random", "Robo"]


# play from a pipe


def test_a_game_is_played_from_a_pipe(table: Tables) -> None:
    table.ok("new", "evening", "--seed", "7")
    typed = "help\nkeep 1 2\nkeep 1 2\n\n1\n1\nscore\nlog\ncard P07\nshow\nnonsense\nquit\n"
    for style in ([], ["--plain"], ["--guided"]):
        done = table("play", "evening", *style, typed=typed)
        assert (done.code, done.err) == (0, "")
        assert "evening" in done.out.splitlines()[-1]  # it is kept
    assert len(replay_journal(table.file("evening")).history.events) > 29


def test_the_end_of_the_input_leaves_the_table(evening: Tables) -> None:
    for typed in ("", "take 3", "take 3\n", "undo\n", b"\xff\xfe\n\x00\n", "\n" * 50, "0\n00001\n"):
        done = evening("play", "evening", typed=typed)
        assert (done.code, done.err) == (0, "")
    assert replay_journal(evening.file("evening")).warning is None


def test_a_number_that_is_no_choice_is_refused(evening: Tables) -> None:
    for number in ("99", "000099", "00010000", "9" * 500):
        done = evening("play", "evening", "--plain", typed=f"\n{number}\nquit\n")
        assert done.code == 0
        assert "Error: " in done.out


def test_one_player_alone_on_the_screen_sees_nobody_elses_hand(table: Tables) -> None:
    table.ok("new", "evening", "--seed", "7")
    table.ok("do", "evening", "keep 1 2", "keep 3 4")
    hand = table.told("show", "evening", "--as", "South")["players"][1]["hand"]
    typed = "show\nlog\nhelp\nmenu\ntake 3\ntake 7\nquit\n"
    done = table("play", "evening", "--as", "North", typed=typed)
    assert done.code == 0
    assert not any(card in done.out for card in hand)
