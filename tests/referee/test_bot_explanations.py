"""Why bots and A.D.A.M. did something: asked for, told in words, and nothing hidden with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl_tools import load_cards
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.referee import Journal, Table, TableHeader
from coatl_tools.referee.presentation.bot_explanations import explain_last_moves
from coatl_tools.rules.table_options import TableOptions


def table(folder: Path, *bots: str, **options: object) -> Table:
    names = ("Ana", "Bo", "Cy")[: len(bots)]
    chosen = TableOptions(players=names, **options)  # type: ignore[arg-type] # by name
    header = TableHeader(chosen, load_cards().deck(), seed=5, bots=bots)
    return Table(Journal.create(folder / "evening.jsonl", header))


def test_every_move_since_a_person_decided_is_explained(tmp_path: Path) -> None:
    evening = table(tmp_path, "", "greedy", "expert:1")
    evening.do("keep 1 2")
    steps = evening.do("take 3")
    found = explain_last_moves(evening, 0, "en")
    moves = [step for step in steps[1:] if not step.before.draws]
    assert [reason.event for reason in found] == [str(step.event) for step in moves]
    assert {reason.player for reason in found} == {"Bo", "Cy"}
    assert all(reason.reasons for reason in found)


def test_before_any_bot_has_moved_there_is_nothing_to_explain(tmp_path: Path) -> None:
    assert explain_last_moves(table(tmp_path, "", "greedy"), 0, "en") == []


def test_what_a_bot_keeps_stays_hidden(tmp_path: Path) -> None:
    evening = table(tmp_path, "", "greedy")
    evening.do("keep 1 2")
    (found,) = explain_last_moves(evening, 0, "en")
    assert found.event == "keep ? ? ?"
    hand = evening.state.players[1].hand
    assert not any(card in found.text + " ".join(found.reasons) for card in hand)


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_reasons_name_no_card_that_is_hidden(tmp_path: Path, language: str) -> None:
    evening = table(tmp_path, "", "expert:1")
    evening.do("keep 1 2")
    for _ in range(4):
        evening.do("take " + str(next(n for n, s in enumerate(evening.state.spaces, 1) if s)))
        shown = {*evening.state.players[1].shown, *evening.state.supply}
        for reason in explain_last_moves(evening, 0, language):
            hidden = set(evening.state.players[1].hand) - shown
            assert not any(card in " ".join(reason.reasons) for card in hidden)


def test_adam_explains_its_turn(tmp_path: Path) -> None:
    evening = table(tmp_path, "")
    evening.do("keep 1 2 3", "adam")
    (found,) = explain_last_moves(evening, 0, "en")
    assert (found.player, found.event) == ("A.D.A.M.", "adam")
    assert len(found.reasons) >= 1


def test_where_only_bots_play_the_last_turn_is_explained(tmp_path: Path) -> None:
    evening = table(tmp_path, "greedy", "greedy")
    for _ in range(3):
        evening.advance_automatically()
    assert explain_last_moves(evening, None, "en")


def test_a_bot_plays_its_whole_move_and_gives_its_reason_once(tmp_path: Path) -> None:
    evening = table(tmp_path, "greedy", "expert:1")
    for _ in range(30):
        evening.advance_automatically()
        found = explain_last_moves(evening, None, "en")
        several = [
            n for n, reason in enumerate(found) if "assembly brings" in "".join(reason.reasons)
        ]
        if several:
            points = [reason for reason in found[several[0] :] if not reason.reasons]
            assert points  # the steps behind the first one
            return
    raise AssertionError("nobody assembled anything")
