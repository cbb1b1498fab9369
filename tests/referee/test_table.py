"""A table in progress: commands happen completely or not at all, automatic steps follow, and a
secret seed stays secret.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from coatl_tools import load_cards
from coatl_tools.errors import (
    CoatlError,
    CommandError,
    FileError,
    IllegalActionError,
    JournalError,
    OptionError,
)
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee.commands.vocabulary import get_command_word
from coatl_tools.referee.journal import (
    Journal,
    TableHeader,
    parse_header,
    replay_journal,
    serialize_header,
)
from coatl_tools.referee.table import Actor, Table, TableStep
from coatl_tools.referee.table_creation import make_virtual_header
from coatl_tools.rules.setup import SECRET_SEED_BITS, mix_seed
from coatl_tools.rules.state import KEEPING, OVER, READY, digest_state
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import (
    REAL,
    SEEDS,
    SETUP,
    VIRTUAL,
    begin_table,
    list_events,
    make_real_table,
    make_virtual_table,
    random_command,
    temporary_table,
    virtual_tables,
)

KEPT = "keep 1 2; keep 1 2"
SOLO = TableOptions(players=("North",))


def by(steps: list[TableStep]) -> list[tuple[str, Actor]]:
    return [(str(step.event), step.actor) for step in steps]


# All or none.


@pytest.mark.parametrize(
    "commands",
    [
        ["keep 1 2", "take 3"],  # it is South who has to keep cards now
        ["keep 1 2; keep 1 2; take 3; take 77"],
        ["keep 1 2", "tkae 3"],
        ["keep 1 2", "show"],  # a question is no command of its own here
        ["keep 1 2", "undo 5"],
        ["keep 1 2", ""],
        ["keep 1 2", "x" * 3000],
        ["keep 1 2;" * 101],
        ["keep 1 2", "correct 1 RG"],
        ["keep 1 2", "add <" + "R" * 500],
    ],
)
def test_one_command_that_fails_undoes_all_of_them(tmp_path: Path, commands: list[str]) -> None:
    table = make_virtual_table(tmp_path)
    before, events = table.journal.path.read_bytes(), table.history.events
    with pytest.raises(CoatlError):
        table.do(*commands)
    assert table.journal.path.read_bytes() == before
    assert table.history.events == events
    table.do(KEPT)  # and the table goes on
    assert list_events(Table.open(table.journal.path)) == list_events(table)


def test_more_commands_than_a_line_holds_are_refused_and_none_is_lost_unseen() -> None:
    from coatl_tools.referee.commands.command_parser import MAX_COMMANDS, split_commands

    assert len(split_commands("end;" * MAX_COMMANDS)) == MAX_COMMANDS
    with pytest.raises(CommandError, match="too many commands"):
        split_commands("end;" * (MAX_COMMANDS + 1))


def test_what_a_command_leads_to_is_written_with_it(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT)
    before = table.journal.path.read_bytes()
    steps = table.do("cards 1 deck; end")  # the supply is refilled when the turn ends
    assert [step.actor for step in steps] == [
        Actor.PERSON,
        Actor.PERSON,
        Actor.DEALER,
        Actor.PERSON,
        Actor.DEALER,
    ]
    assert str(steps[2].event).startswith("drawn P")
    assert str(steps[4].event).startswith("supply P")
    added = table.journal.path.read_bytes()[len(before) :]
    assert added.count(b"\n") == len(steps)
    for cut in range(1, len(added)):  # the lines count together: no turn without its draws
        if added[:cut].endswith(b"\n"):
            table.journal.path.write_bytes(before + added[:cut])
            assert (
                len(replay_journal(table.journal.path).history.events)
                == len(list_events(table)) - 5
            )


def test_the_next_player_goes_on_where_the_last_command_left(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT, "take 3", "take 7")
    assert (table.state.turns_ended, table.state.current_player) == (2, 0)
    assert list_events(table)[-2:] == ["take 3", "take 7"]


def test_the_coatl_named_last_is_meant_next(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", REAL, None)
    table.do("RG BB YK RG BB YK R G B Y", "T01 T02 P01 P02 P03 P04 P05 P06", "keep 3; keep 3")
    table.do("take 1", "take 7", "take 2", "take 8")
    table.do("begin R; add G tail; begin B; add B tail; end")
    assert [coatl.text for coatl in table.state.players[0].coatls] == ["RG", "BB"]


def test_an_error_suggests_in_the_players_words_with_the_rule(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT)
    with pytest.raises(IllegalActionError) as caught:
        table.do("take 77")
    assert str(caught.value).startswith("Rule 1.4: ")
    assert "take 1" in str(caught.value)
    with pytest.raises(IllegalActionError) as caught:
        table.do("prendre 77", lang="fr")
    assert "Règle 1.4" in caught.value.text("fr")
    assert "prendre 1" in caught.value.text("fr")
    with pytest.raises(IllegalActionError) as caught:
        table.do("weź 77", lang="pl")
    assert "weź 1" in caught.value.text("pl")


@pytest.mark.parametrize("question", ["help", "show", "log", "score", "card P05", "menu", "quit"])
def test_questions_are_no_part_of_what_happens(tmp_path: Path, question: str) -> None:
    with pytest.raises(CommandError, match="changes nothing at a table"):
        make_virtual_table(tmp_path).do(question)


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_a_look_at_a_card_keeps_and_reports_nothing(tmp_path: Path, language: str) -> None:
    look = f"{get_command_word('card', language)} P01"
    awaited = begin_table(tmp_path / "t.jsonl", REAL, None)
    awaited.do("RG BB YK RG BB YK R G B Y T01 T02")
    for table in (make_real_table(tmp_path), awaited):
        with pytest.raises(CommandError):
            table.do(look, lang=language)


# What chance brings.


def test_the_dealer_answers_everything_at_a_virtual_table(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path)
    assert not table.state.draws
    assert "?" not in " ".join(list_events(table))
    assert list_events(begin_table(tmp_path / "other.jsonl")) == list_events(table)  # the same seed
    with pytest.raises(CommandError, match="not a command"):
        table.do("RG")
    with pytest.raises(CommandError, match="nothing to correct"):
        table.do("correct 1 RG")


def test_a_real_table_asks_for_what_lies_open_and_for_nothing_else(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", REAL, None)
    assert list_events(table) == []
    steps = table.do(SETUP)
    asked = [str(step.event) for step in steps if step.actor is Actor.PERSON]
    assert len(asked) == 10 + 2 + 6  # spaces, Temple piles, the supply
    secret = [str(step.event) for step in steps if step.actor is Actor.DEALER]
    assert secret == ["deal-temple 1 ?", "deal-temple 2 ?", *["deal 1 ?"] * 3, *["deal 2 ?"] * 4]
    assert table.state.stage is KEEPING
    assert table.do("keep 2")[0].event == table.history.events[-1]
    assert list_events(table)[-1] == "keep ? ?"


def test_a_blind_draw_stays_the_secret_of_whoever_draws(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2")
    steps = table.do("draw")
    assert by(steps) == [("draw", Actor.PERSON), ("drawn ?", Actor.DEALER)]
    table.do("cards P01; end")
    with pytest.raises(IllegalActionError, match=r"Rule 3\.5"):
        table.do("take 3")  # first the card that came into the supply
    table.do("P07")
    assert "P07" in table.state.supply


def test_a_table_may_tell_the_referee_everything(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", VIRTUAL, None)
    table.do("RG BB YK RG BB YK R G B Y T03 T04 T01 T02 P01 P02 P03 P04 P05 P06 P07 P08 P09")
    table.do("P10 P11 P12 P13", "keep P07 P08", "keep 1 2 3")
    assert table.state.players[0].hand == ("P07", "P08")
    assert table.state.players[1].hand == ("P10", "P11", "P12")
    assert table.make_view(None).seats[0].hand == ("P07", "P08")  # what is told lies open


def test_a_hidden_card_is_checked_when_it_is_revealed(tmp_path: Path) -> None:
    table = make_real_table(tmp_path, "keep 2; keep 2")
    table.do("reveal North P29")
    assert "P29" in table.state.players[0].hand
    with pytest.raises(IllegalActionError, match="seen: in the hand of North"):
        table.do("reveal South P29")  # there is no other one


# Bots.


def test_bots_play_when_it_is_their_turn_and_the_file_keeps_it(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", VIRTUAL, 7, ("", "random"))
    assert table.human_seats == (0,)
    steps = table.do("keep 1 2")
    assert steps[0].actor is Actor.PERSON
    assert Actor.BOT in {step.actor for step in steps}
    table.do("take 3")
    assert (table.state.current_player, table.state.stage) == (0, READY)
    assert table.state.turns_ended == 2
    again = Table.open(table.journal.path)
    assert again.human_seats == (0,)
    assert digest_state(again.state) == digest_state(table.state)


def test_a_bot_that_is_first_needs_no_push(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", VIRTUAL, 7, ("random", ""))
    assert table.state.current_player == 1
    assert table.state.stage is KEEPING
    with pytest.raises(CommandError, match="nothing to undo"):
        table.do("undo")


@pytest.mark.parametrize("options", [VIRTUAL, SOLO, TableOptions(players=tuple("ABCD"))])
def test_bots_alone_play_to_the_end(tmp_path: Path, options: TableOptions) -> None:
    table = begin_table(tmp_path / "t.jsonl", options, 7, ("random",) * len(options.players))
    while table.advance_automatically():
        pass
    assert table.state.stage is OVER
    assert table.advance_automatically() == []
    assert replay_journal(table.journal.path).history.state.stage is OVER
    assert table.human_seats == ()


def test_what_bots_do_is_kept_in_small_portions(tmp_path: Path) -> None:
    cards = load_cards().deck()
    header = TableHeader(VIRTUAL, cards, 7, ("random", "random"))
    table = Table(Journal.create(tmp_path / "t.jsonl", header))
    assert 0 < len(table.advance_automatically()) <= 50


def test_an_unknown_bot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="random"):
        begin_table(tmp_path / "t.jsonl", VIRTUAL, 7, ("", "deep thought"))


def test_adam_waits_for_the_player_to_let_it_play(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", SOLO)
    table.do("keep 1 2 3")
    assert table.state.current_player == 1
    with pytest.raises(IllegalActionError, match=r"Rule 7\.4.*adam"):
        table.do("take 4")
    table.do("adam", seat=0)
    assert table.state.current_player == 0


# Seats.


def test_a_seat_plays_only_its_own_turns(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path)
    with pytest.raises(CommandError, match="not South’s turn: North is to play"):
        table.do("keep 1 2", seat=1)
    table.do("keep 1 2", seat=0)
    with pytest.raises(CommandError, match="not North’s turn"):
        table.do("keep 1 2", seat=0)
    before = table.journal.path.read_bytes()
    with pytest.raises(CommandError, match="not South’s turn"):
        table.do("keep 1 2; take 3", seat=1)  # the second is North's
    assert table.journal.path.read_bytes() == before


def test_everybody_may_report_what_was_drawn(tmp_path: Path) -> None:
    table = begin_table(tmp_path / "t.jsonl", REAL, None)
    table.do("RG BB", seat=1)
    table.do("undo", seat=0)
    table.do("correct 1 GG", seat=1)
    assert list_events(table) == ["fill 1 G G"]


def test_nobody_takes_back_steps_of_another_players_turn_alone(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT, "cards 1")
    with pytest.raises(CommandError, match="not South’s turn"):
        table.do("undo", seat=1)
    table.do("undo", seat=0)


# Two programs at one table.


def test_an_action_counts_only_against_the_newest_state(tmp_path: Path) -> None:
    one = make_virtual_table(tmp_path, KEPT)
    other = Table.open(one.journal.path)
    assert one.reload_if_changed() is None
    other.do("take 3")
    with pytest.raises(JournalError):
        one.do("take 4")
    steps = one.reload_if_changed()
    assert steps is not None
    assert [str(step.event) for step in steps] == ["take 3"]
    assert digest_state(one.state) == digest_state(other.state)
    one.do("take 4")
    assert [str(step.event) for step in other.reload_if_changed() or []] == ["take 4"]


def test_an_undo_elsewhere_is_followed(tmp_path: Path) -> None:
    one = make_virtual_table(tmp_path, KEPT, "cards 1")
    other = Table.open(one.journal.path)
    other.do("undo; cards 2")
    steps = one.reload_if_changed()
    assert steps is not None
    assert steps[0].event is None
    assert [str(step.event) for step in steps[1:]] == [list_events(other)[-1]]
    assert one.reload_if_changed() is None


def test_a_correction_elsewhere_is_followed(tmp_path: Path) -> None:
    one = make_real_table(tmp_path, "keep 2; keep 2", "take 3")
    other = Table.open(one.journal.path)
    other.do("correct 3 GG")
    assert one.reload_if_changed()
    assert one.state.players[0].board == ("G", "G")
    assert one.history.events == other.history.events


def test_a_table_that_was_deleted_meanwhile(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, KEPT)
    table.journal.path.unlink()
    with pytest.raises(FileError):
        table.do("take 3")
    with pytest.raises(FileError):
        table.reload_if_changed()


def whatever_is_done_at_two_screens_is_one_game(options: TableOptions, seed: int) -> None:
    chance = random.Random(seed)
    with temporary_table(options, seed) as one:
        other = Table.open(one.journal.path)
        for _ in range(40):
            here = chance.choice([one, other])
            if here.state.stage is OVER:
                break
            here.reload_if_changed()
            here.do(random_command(here, chance))
            stale = other if here is one else one
            events = stale.history.events
            with pytest.raises(CoatlError):
                stale.do(random_command(stale, chance))
            assert stale.history.events == events
        one.reload_if_changed()
        assert digest_state(one.state) == digest_state(
            replay_journal(one.journal.path).history.state
        )


test_whatever_is_done_at_two_screens_is_one_game = settings(max_examples=5)(
    given(virtual_tables, SEEDS)(whatever_is_done_at_two_screens_is_one_game)
)


def test_a_secret_seed_deals_from_a_keyed_hash() -> None:
    secret = 1 << 127 | 12345
    dealt = [mix_seed(secret, step) for step in range(500)]
    assert dealt == [mix_seed(secret, step) for step in range(500)]
    assert len(set(dealt)) == 500
    assert all(0 <= number < 2**64 for number in dealt)
    assert mix_seed(secret + 1, 0) != dealt[0]
    assert mix_seed(12345, 0) != dealt[0]  # not only its last bits count


def test_a_table_without_a_seed_gets_one_that_nobody_tries_out() -> None:
    header = make_virtual_header(TableOptions(players=("Ana", "Bo")), load_cards())
    assert header.seed is not None
    assert header.seed.bit_length() == SECRET_SEED_BITS
    assert parse_header(serialize_header(header)[:-1], Path("x")).seed == header.seed
