"""A tally in an address: told and read again it is the same, and scored as by the command."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.errors import CoatlError
from coatl_tools.language import load_language
from coatl_tools.referee.tally import parse_tally, score_tally
from coatl_tools.rules.constants import ADAM_NAME
from coatl_tools.web.pages.tally.result_view import (
    CELL_SIZE,
    build_scoreboard_drawing,
    build_tally_view,
    choose_marker_colour,
    find_used_up_cards,
)
from coatl_tools.web.pages.tally.tally_url import DraftSeat, TallyDraft, WrittenCoatl
from tests.strategies import colour_rows, example_count, make_coatl

CATALOG = load_cards()
CARDS = tuple(CATALOG)
ENGLISH = load_language("en")
EXAMPLE = json.loads((Path(__file__).parents[2] / "docs/example-tally.json").read_text("utf-8"))
IDS = [card.id for card in CATALOG.deck()]

NAMES = st.lists(
    st.text("AnaBożéd &=<>%+.#\"'", min_size=1, max_size=12).map(str.strip).filter(bool),
    min_size=1,
    max_size=4,
    unique_by=str.casefold,
)
COATLS = st.builds(
    lambda word, head, tail, cards: WrittenCoatl(str(make_coatl(word, head, tail)), tuple(cards)),
    colour_rows(12),
    st.booleans(),
    st.booleans(),
    st.lists(st.sampled_from(IDS), max_size=5),
)


def drafts(most_coatls: int = 3) -> st.SearchStrategy[TallyDraft]:
    def with_seats(names: list[str]) -> st.SearchStrategy[TallyDraft]:
        coatls = st.lists(COATLS, max_size=most_coatls).map(tuple)
        seats = st.tuples(
            *(st.builds(DraftSeat, st.just(n), coatls, st.integers(0, 6)) for n in names)
        )
        return st.builds(
            TallyDraft,
            seats,
            st.lists(st.sampled_from(IDS), max_size=4).map(tuple),
            st.sampled_from(["en", "fr", "pl"]),
            st.lists(st.integers(1, 5), unique=True).map(lambda found: tuple(sorted(found))),
            st.booleans(),
            st.booleans(),
            st.booleans(),
            st.booleans(),
        )

    return NAMES.flatmap(with_seats)


def again(url: str) -> TallyDraft:
    """What an address says."""
    return TallyDraft.parse(parse_qsl(urlsplit(url).query, keep_blank_values=True), CATALOG)


def data_of(draft: TallyDraft) -> dict[str, Any]:
    """The file that `coatl table tally` reads for the same table."""
    solo = len(draft.seats) == 1
    data: dict[str, Any] = {
        "edition": draft.edition,
        "promo": draft.promo,
        "closed_ends": draft.closed_ends,
        "fewer_bodies": draft.fewer_bodies and len(draft.seats) in (2, 3),
        "players": [
            {
                "name": seat.name,
                "coatls": [{"coatl": c.text, "cards": [*c.cards]} for c in seat.coatls],
                "golden": seat.golden if draft.golden_feathers and not solo else 0,
            }
            for seat in draft.seats
        ],
    }
    if solo:
        data |= {"levels": [*draft.levels], "adam": {"fulfilled": [*draft.adam]}}
    return data


@given(drafts(), st.sampled_from(["", "1.1", "1.2", "adam"]))
@settings(max_examples=example_count(40), deadline=None)
def test_an_address_says_the_same_when_it_is_read_again(draft: TallyDraft, at: str) -> None:
    told = replace(draft, editing=at).normalize()
    assert again(told.url()) == told


@given(drafts(2))
@settings(max_examples=example_count(40), deadline=None)
def test_a_tally_is_scored_as_by_the_command(draft: TallyDraft) -> None:
    """With golden segments in the bag but none laid, the file has no word for the variant."""
    if draft.golden_feathers and not any(seat.golden for seat in draft.seats):
        draft = replace(draft, golden_feathers=False)
    found = build_tally_view(draft, CATALOG, ENGLISH)
    try:
        expected = score_tally(parse_tally(data_of(draft), CARDS), CARDS)
    except CoatlError:
        assert found.result is None
        assert found.errors or any(seat.errors for seat in found.seats)
        return
    assert found.result == (expected if any(seat.coatls for seat in draft.seats) else None)


LEGAL = ["<RRRR>.P02", "<YYYYB>.P01.P11", "<BBRBBKRBBYY>.P29.P10.P05.T03", "<GGYG>.P16", "YBGYBBG"]


@given(
    st.permutations(LEGAL),
    st.lists(st.integers(0, 2), min_size=2, max_size=4).filter(any),
    st.sampled_from(["en", "fr", "pl"]),
)
@settings(max_examples=example_count(40), deadline=None)
def test_legal_tables_have_a_result_that_is_the_commands(
    coatls: list[str], numbers: list[int], edition: str
) -> None:
    left = iter(coatls)  # each lies there once, so that no card is there too often
    lying = [list(islice(left, number)) for number in numbers]
    seats = tuple(
        DraftSeat(name, tuple(WrittenCoatl.parse(text, CATALOG) for text in own))
        for name, own in zip("ABCD", lying, strict=False)
    )
    draft = TallyDraft(seats, edition=edition)
    found = build_tally_view(again(draft.url()), CATALOG, ENGLISH)
    assert found.result == score_tally(parse_tally(data_of(draft), CARDS), CARDS)
    assert found.is_complete is all(lying)
    assert [placed.result.points for placed in found.ranking] == sorted(
        (seat.points for seat in found.seats), reverse=True
    )


def example() -> TallyDraft:
    pairs = [("edition", EXAMPLE["edition"])]
    for player in EXAMPLE["players"]:
        pairs.append(("player", player["name"]))
        for coatl in player["coatls"]:
            text = coatl if isinstance(coatl, str) else ".".join([coatl["coatl"], *coatl["cards"]])
            pairs.append(("coatl", text))  # the lines of the file may be typed as they stand
    return TallyDraft.parse(pairs, CATALOG)


def test_the_example_of_the_docs() -> None:
    found = build_tally_view(example(), CATALOG, ENGLISH)
    assert found.result == score_tally(parse_tally(EXAMPLE, CARDS), CARDS)
    assert [seat.points for seat in found.seats] == [21, 9]
    assert [coatl.points for coatl in found.seats[0].coatls] == [17, 1, 3]  # rules 5.4, 8.1
    assert found.winner_text == "Ana wins."
    assert found.is_complete


def test_rule_10_3_golden_segments_count_where_they_are_in_the_game() -> None:
    pairs = [("player", "Ana"), ("coatl", "<RRRR>.P02"), ("player", "Bo"), ("golden", "3")]
    without = build_tally_view(TallyDraft.parse(pairs, CATALOG), CATALOG, ENGLISH)
    assert [seat.points for seat in without.seats] == [3, 0]
    draft = TallyDraft.parse([*pairs, ("feathers", "1")], CATALOG)
    found = build_tally_view(draft, CATALOG, ENGLISH)
    assert [seat.points for seat in found.seats] == [3, 6]
    assert found.result == score_tally(parse_tally(data_of(draft), CARDS), CARDS)
    assert not found.is_complete  # Bo has no Cóatl yet


def test_one_player_alone_is_compared_with_adam() -> None:
    pairs = [("player", "Ana"), ("coatl", "<YYYYB>.P11.P01"), ("adam", "P10"), ("level", "1")]
    draft = TallyDraft.parse(pairs, CATALOG)
    found = build_tally_view(draft, CATALOG, ENGLISH)
    assert found.result == score_tally(parse_tally(data_of(draft), CARDS), CARDS)
    assert found.ranking[0].result.name == ADAM_NAME  # rule 7.10: without a Temple card
    assert (
        build_tally_view(replace(draft, levels=()), CATALOG, ENGLISH).ranking[0].result.name
        != ADAM_NAME
    )
    together = TallyDraft.parse(
        [*pairs, ("player", "Bo")], CATALOG
    )  # what was said of A.D.A.M. waits
    assert build_tally_view(together, CATALOG, ENGLISH).result is not None
    assert together.without_seat(1) == draft


def test_a_typed_coatl_may_be_words() -> None:
    assert WrittenCoatl.parse("red head, blue, green tail p5 T3", CATALOG) == WrittenCoatl(
        "<RBG>", ("P05", "T03")
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["player", "coatl", "golden", "adam", "at", "level", "edition", "promo", "x"]
            ),
            st.text(max_size=30),
        ),
        max_size=12,
    )
)
@settings(max_examples=example_count(60), deadline=None)
def test_whatever_can_be_read_reads_the_same_again(pairs: list[tuple[str, str]]) -> None:
    """Otherwise the page would lead from one address to another for ever."""
    try:
        draft = TallyDraft.parse(pairs, CATALOG)
    except CoatlError:
        return
    assert TallyDraft.parse(draft.query_pairs, CATALOG) == draft
    build_tally_view(draft, CATALOG, ENGLISH)


def test_a_coatl_that_was_emptied_keeps_its_place_while_it_is_changed() -> None:
    seat = DraftSeat("Ana", (WrittenCoatl("<RRR"), WrittenCoatl("<BBB", ("P05",))))
    emptied = replace(TallyDraft((seat,)), editing="1.1").with_coatl(0, 0, WrittenCoatl())
    assert again(emptied.url()).seats[0].coatls == (WrittenCoatl(), WrittenCoatl("<BBB", ("P05",)))
    assert again(emptied.url(editing="")).seats[0].coatls == (WrittenCoatl("<BBB", ("P05",)),)


@pytest.mark.parametrize(
    ("coatls", "concerned", "said"),
    [
        ((["<RRRR>.P02.P01.P03.P04.P05"], []), [0], "Rule 3.9, Ana, Cóatl 1"),
        ((["RR"], ["<RRRR>"]), [1], "Rule 3.10, Bo, Cóatl 1"),
        ((["<RRRR>.P06"], ["<RRRR>.P06"]), [0, 1], "Rule 1.3: Card P06 lies in too many"),
        ((["<R"], ["<RB", "<RG"], ["<RK"]), [0, 1, 2], "Rule 1.2: There are not that many"),
        ((["RR"], ["XX"]), [1], "Bo, Cóatl 1: Piece 1 is unknown"),
        ((["RR"], ["RR.Q99"]), [1], "Bo, Cóatl 1: "),
        ((["RR"], ["<RRRR>.P55"]), [1], "Rule 1.3, Bo, Cóatl 1: This game has no card “P55”"),
    ],
)
def test_what_cannot_be_is_said_beside_those_whom_it_concerns(
    coatls: tuple[list[str], ...], concerned: list[int], said: str
) -> None:
    seats = tuple(
        DraftSeat(name, tuple(WrittenCoatl.parse(text, CATALOG) for text in own))
        for name, own in zip(("Ana", "Bo", "Cy"), coatls, strict=False)
    )
    found = build_tally_view(TallyDraft(seats), CATALOG, ENGLISH)
    assert found.result is None
    assert [seat.seat for seat in found.seats if seat.errors] == concerned
    assert found.seats[concerned[0]].errors[0].startswith(said)


def test_two_players_with_one_name_are_told_so() -> None:
    found = build_tally_view(TallyDraft((DraftSeat("Ana"), DraftSeat("ana"))), CATALOG, ENGLISH)
    assert found.errors == ("Two players have the same name: Ana, ana.",)


def test_a_card_is_used_up_when_all_its_copies_lie_somewhere() -> None:
    beside = WrittenCoatl("<RRRR>", ("P02", "P06"))  # rule 1.3: two P02, one P06
    draft = TallyDraft((DraftSeat("Ana", (beside,)), DraftSeat("Bo")))
    assert find_used_up_cards(draft, CATALOG) == {"P06"}
    twice = draft.with_coatl(1, 0, WrittenCoatl("<RRRR>", ("P02",)))
    assert find_used_up_cards(twice, CATALOG) == {"P02", "P06"}
    assert find_used_up_cards(twice, CATALOG, beside.cards) == frozenset()


def test_rule_5_3_markers_stand_where_the_points_are() -> None:
    found = build_scoreboard_drawing(
        [
            ("ana", choose_marker_colour(0), 63),
            ("Bo", choose_marker_colour(1), 50),
            ("Cy", choose_marker_colour(2), 0),
            ("Di", choose_marker_colour(3), 13),
        ]
    )
    at = {cell.number: cell for cell in found.cells}
    assert [(one.tokens, one.position) for one in found.markers] == [
        (1, 13),
        (0, 50),
        (0, 0),
        (0, 13),
    ]
    assert [one.initial for one in found.markers] == ["A", "B", "C", "D"]
    for one in found.markers:
        assert 0 < one.x < found.width
        assert 0 < one.y < found.height
        if one.position:
            cell = at[one.position]
            assert (
                abs(one.x - cell.x - CELL_SIZE / 2)
                < CELL_SIZE / 2
                > abs(one.y - cell.y - CELL_SIZE / 2)
            )
    assert len({(one.x, one.y) for one in found.markers}) == len(found.markers)
    assert len({one.colour for one in found.markers}) == len(found.markers)  # and so its shape


def test_names_that_need_quoting() -> None:
    draft = TallyDraft((DraftSeat("A&B=C"), DraftSeat("<script>"), DraftSeat("ż +%2B#")))
    assert again(draft.url()) == draft
    assert urlencode(draft.query_pairs) in draft.url()
