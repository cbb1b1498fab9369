"""Seen pieces as answers to the referee: in its notation, doubted, refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import CommandError, CorrectionError
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.referee.commands.command_parser import EventCommand, parse_command
from coatl_tools.rules.constants import KIND_OF_PIECE, Pieces
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.history import build_history
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import GameState
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading, SeenPlace
from coatl_tools.vision.boards.piece_answers import (
    PIECE_KINDS,
    PieceAnswer,
    answer_fill_draws,
    answer_player_board,
    answer_spaces,
    parse_piece_corrections,
)
from coatl_tools.vision.reading import SeenPiece
from tests.vision.sample_readings import make_seen_piece

ALL = ("RG", "BB", "YK", "GY", "RR", "KB", "<R", "<G", "B>", "Y>")


def seen(piece: str, other: Colour | None = None) -> SeenPiece:
    found = make_seen_piece(
        Colour[piece.strip("<>")], PIECE_KINDS[KIND_OF_PIECE[piece]], other=other
    )
    return replace(found, colours=dict.fromkeys(Colour, 0.0) | dict(found.colours))


def split(text: str) -> Pieces:
    return (text,) if "<" in text or ">" in text else tuple(text)


def on_board(*spaces: str | SeenPlace, kind: BoardKind = BoardKind.SUPPLY) -> LooseReading:
    """A board with these pieces on its places; `-` for an empty one, `?` for an unread one."""
    places = [
        space
        if isinstance(space, SeenPlace)
        else SeenPlace((0.0, 0.0), (), empty=space == "-")
        if space in "-?"
        else SeenPlace((0.0, 0.0), tuple(map(seen, split(space))), empty=False)
        for space in spaces
    ]
    return LooseReading("a.jpg", (800, 600), kind, tuple(places), ())


def loose(*pieces: str) -> LooseReading:
    return LooseReading("a.jpg", (800, 600), None, (), tuple(map(seen, pieces)))


def new_state(**options: object) -> GameState:
    players = ("Ana", "Bo")
    return new_game(TableOptions(players=players, **options), load_cards().deck())  # type: ignore[arg-type]


def filled_state() -> GameState:
    """A game whose Supply board was filled with ALL."""
    state = new_state()
    found = parse_command(" ".join(ALL), build_history(state, ()), "en")
    assert isinstance(found, EventCommand)
    for event in found.events:
        state = apply_event(state, event)
    return state


def said(answer: PieceAnswer) -> list[str]:
    return [load_language("en").sentence(*doubt.phrase) for doubt in answer.doubts]


def test_a_full_board_answers_all_draws_and_the_referee_understands_it() -> None:
    state = new_state()
    answer = answer_fill_draws(on_board(*ALL), state)
    assert (answer.text, answer.doubts) == (" ".join(ALL), ())
    found = parse_command(answer.text, build_history(state, ()), "en")
    assert isinstance(found, EventCommand)
    assert len(found.events) == len(state.spaces)


def test_a_table_may_number_its_spaces_otherwise() -> None:
    state = new_state(space_kinds="htbbbbbbth")
    answer = answer_fill_draws(on_board(*ALL), state)
    assert answer.text == "<R B> RG BB YK GY RR KB Y> <G"


def test_pieces_out_of_the_bag_fill_the_first_spaces_in_the_order_they_lie() -> None:
    state = new_state()
    assert answer_fill_draws(loose("R", "G", "B", "B"), state).text == "RG BB"
    everything = [piece for space in ALL for piece in split(space)]
    mixed = [*everything[-3:], *everything[:-3]]
    assert sorted(answer_fill_draws(loose(*mixed), state).text) == sorted(" ".join(ALL))


@pytest.mark.parametrize("pieces", [("R",), ("R", "G", "<R"), ()])
def test_too_few_or_too_many_pieces_are_refused_with_their_numbers(pieces: Sequence[str]) -> None:
    answer = answer_fill_draws(loose(*pieces), new_state(), parse_piece_corrections("ok"))
    (sentence,) = said(answer)
    assert f"Body segments: {sum(len(piece) == 1 for piece in pieces)}" in sentence
    assert "12, 2, 2" in sentence


def test_what_is_doubtful_is_asked_with_what_it_may_be() -> None:
    place = SeenPlace((0.0, 0.0), (seen("B", Colour.K), seen("R")), empty=False)
    reading = on_board(ALL[0], place, *ALL[2:])
    answer = answer_fill_draws(reading, new_state())
    assert said(answer) == ["Space 2: piece 1 may be blue or black."]
    assert answer.doubts[0].choices == (("B", "R"), ("K", "R"))
    for correction, text in (("2=KR", "KR"), ("ok", "BR")):
        settled = answer_fill_draws(reading, new_state(), parse_piece_corrections(correction))
        assert (settled.doubts, settled.text.split()[1]) == ((), text)


def test_what_was_not_read_is_never_accepted_unsaid() -> None:
    reading = on_board("?", "-", "R", *ALL[3:])
    answer = answer_fill_draws(reading, new_state(), parse_piece_corrections("ok"))
    assert [doubt.space for doubt in answer.doubts] == [1, 2, 3]
    assert answer.text.startswith("? ? ? GY")
    corrected = parse_piece_corrections("1=RG; 2=BB; 3=YK")
    assert answer_fill_draws(reading, new_state(), corrected).doubts == ()


def test_what_the_bag_has_not_is_refused_and_helps_to_decide() -> None:
    state = new_state()._replace(heads=(0, 3, 3, 3, 3))
    (doubt,) = answer_fill_draws(on_board(*ALL), state).doubts
    assert doubt.impossible
    assert "the bag has none" in load_language("en").sentence(*doubt.phrase)
    place = SeenPlace((0.0, 0.0), (seen("<R", Colour.B),), empty=False)
    answer = answer_fill_draws(on_board(*ALL[:6], place, *ALL[7:]), state)
    assert (answer.text.split()[6], answer.doubts) == ("<B", ())


def test_a_piece_of_another_kind_is_refused() -> None:
    answer = answer_fill_draws(on_board(*ALL[:6], "R>", *ALL[7:]), new_state())
    assert said(answer) == ["Space 7: R> was seen, a piece of a kind that does not belong there."]


def test_the_other_spaces_must_be_as_the_referee_knows_them() -> None:
    full = filled_state()
    state = full._replace(spaces=((), *full.spaces[1:]), draws=new_state().draws[:1])
    assert answer_fill_draws(on_board(*ALL), state).text == "RG"
    assert not answer_fill_draws(on_board(*ALL), state).doubts
    moved = on_board("RG", "-", *ALL[2:])
    (sentence,) = said(answer_fill_draws(moved, state))
    assert "Space 2: the program knows B B there, but the photo shows -" in sentence


def test_where_no_pieces_are_asked_for_a_photo_is_no_answer() -> None:
    state = new_state()._replace(draws=())
    with pytest.raises(CommandError, match="when pieces come to the Supply board"):
        answer_fill_draws(on_board(*ALL), state)


def test_yellow_may_be_golden_where_there_are_golden_segments() -> None:
    state = new_state(golden_feathers=True)
    spaces = [doubt.space for doubt in answer_fill_draws(on_board(*ALL), state).doubts]
    assert spaces == [3, 4]


def test_a_board_is_told_with_its_empty_spaces() -> None:
    reading = on_board("RG", "-", *ALL[2:9], "-")
    assert answer_spaces(reading, "bbbbbbhhtt").text == "RG - YK GY RR KB <R <G B> -"
    with pytest.raises(CorrectionError, match="No Supply board was found"):
        answer_spaces(loose("R"), "bbbbbbhhtt")


def test_a_players_board_is_its_pieces_wherever_they_lie() -> None:
    reading = on_board("R", "-", "<B", "Y>", "-", "-", "-", "-", kind=BoardKind.PLAYER)
    assert answer_player_board(reading).text == "R <B Y>"
    assert answer_player_board(loose("R", "<B")).text == "R <B"
    doubtful = on_board("?", *["-"] * 7, kind=BoardKind.PLAYER)
    assert said(answer_player_board(doubtful)) == [
        "Space 1: something may lie there that could not be read."
    ]
    assert answer_player_board(doubtful, parse_piece_corrections("1=G")).text == "G"
    head = replace(seen("R"), kinds={PieceKind.HEAD: 0.5, PieceKind.BODY: 0.45, PieceKind.TAIL: 0})
    which = replace(loose("R"), elsewhere=(head,))
    assert said(answer_player_board(which)) == ["Place 1: this may be <R or R."]


@pytest.mark.parametrize("text", ["red", "3", "x=R", "=", "3=", "ok ok"])
def test_a_correction_that_says_nothing_is_explained(text: str) -> None:
    with pytest.raises(CorrectionError, match="says nothing about a space"):
        parse_piece_corrections(text)
