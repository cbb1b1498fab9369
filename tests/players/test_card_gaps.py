"""What a player lacks: the fewest pieces, which they are, and which lie on the board."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.notation import parse_coatl
from coatl_tools.players.planning.card_gaps import (
    ANY_COLOUR,
    NEW_COATL_NUMBER,
    CardGap,
    CardLocation,
    PiecesToAttach,
    find_card_gaps,
    select_nearest_gaps,
)
from coatl_tools.players.planning.plan import Situation
from coatl_tools.rules.constants import BODIES, HEADS, TAILS
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Built
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.scoring.missing_pieces import find_missing_pieces, find_shortest_length
from coatl_tools.scoring.score import score_card
from tests.strategies import colour_rows, example_count

CARDS = load_cards().deck(promo=True)
GAMES = {
    closed: Game(TableOptions(promo=True, closed_ends=closed), CARDS) for closed in (False, True)
}
GAME = GAMES[False]
PROPHECIES, TEMPLES = sorted(set(GAME.prophecies)), sorted(GAME.temples)


def whole(lack: CardGap, text: str) -> str:
    """The Cóatl once all pieces of a way are attached."""
    assert lack.way is not None
    before, behind = ("".join(n.piece for n in e) for e in (lack.way.head_end, lack.way.tail_end))
    return f"{before}{text}{behind}"


def only(situation: Situation, card: str, coatl: int, supply: tuple[str, ...] = ()) -> CardGap:
    (found,) = [o for o in find_card_gaps(situation, supply) if (o.card, o.coatl) == (card, coatl)]
    return found


def shown(way: PiecesToAttach | None) -> str:
    """A way in short: `!` behind what lies on the board."""
    assert way is not None
    ends = [
        " ".join(n.piece + "!" * n.on_board for n in end) for end in (way.head_end, way.tail_end)
    ]
    return f"{ends[0]} … {ends[1]}".strip()


def test_one_more_red_one() -> None:
    lack = only(Situation(GAME, coatls=(Built("BRB"),), hand=("P02",)), "P02", 1)
    assert (lack.points, lack.next_points) == (0, 2)
    assert lack.way is not None
    assert lack.way.lacking == ("R", "R")
    lack = only(Situation(GAME, ("R",), (Built("BRB"),), hand=("P02",)), "P02", 1)
    assert lack.way is not None
    assert (len(lack.way), lack.way.lacking) == (2, ("R",))


def test_a_tail_of_the_board_goes_behind_two_body_segments() -> None:
    lack = only(Situation(GAME, ("B>",), (Built("BB"),), hand=("P05",)), "P05", 1)
    assert shown(lack.way) == "… B>!"
    lack = only(Situation(GAME, ("<B",), (Built("BB"),), hand=("P05",)), "P05", 1)
    assert shown(lack.way) == "<B! …"


def test_pieces_of_the_board_are_preferred() -> None:
    at_either_end = Situation(GAME, ("Y",), (Built("YG"),), hand=("P16",))
    assert only(at_either_end, "P16", 1).points == 1
    longer = only(at_either_end, "P16", 1)  # yellow and green once more, at whichever end
    assert longer.way is not None
    assert longer.way.lacking == ("G",)
    with_head = Situation(GAME, ("<Y",), (Built("G"),), hand=("P16",))
    assert shown(only(with_head, "P16", 1).way) == "<Y! …"


def test_a_tail_cannot_stand_at_the_head_end() -> None:
    lack = only(Situation(GAME, ("Y>",), (Built("G"),), hand=("P16",)), "P16", 1)
    assert shown(lack.way) == "Y …"


def test_a_card_that_lies_there_is_raised_and_others_are_placed_first() -> None:
    situation = Situation(GAME, (), (Built("<BBB", ("P05",)),), hand=("P05", "P10"))
    assert [(one.card, one.where, one.coatl) for one in find_card_gaps(situation)] == [
        ("P05", CardLocation.BESIDE, 1),
        ("P05", CardLocation.HAND, NEW_COATL_NUMBER),  # no two identical ones (rule 3.9)
        ("P10", CardLocation.HAND, 1),
        ("P10", CardLocation.HAND, NEW_COATL_NUMBER),
    ]


def test_any_colour_is_said_where_it_does_not_matter() -> None:
    lack = only(Situation(GAME, ("G",), (Built("RYBB"),), temples=("T01",)), "T01", 1)
    assert (lack.points, shown(lack.way)) == (0, "… G! * *")  # 7 pieces: too late for no yellow
    lack = only(Situation(GAME, ("G",), (Built("RRBB"),), temples=("T01",)), "T01", 1)
    assert (lack.points, shown(lack.way)) == (3, "… G! R R")  # both: any colour but yellow


def test_a_full_or_complete_coatl_lacks_nothing_more() -> None:
    four = Built("<BBYY", ("P05", "P10", "P29", "P01"))
    done = Built("<BBYY>", ("P29",), complete=True)
    found = find_card_gaps(Situation(GAME, (), (four, done), hand=("P16",)))
    assert [(one.card, one.coatl) for one in found if one.where is CardLocation.HAND] == [
        ("P16", NEW_COATL_NUMBER)
    ]
    two = find_card_gaps(Situation(GAME, (), (four, Built("R")), hand=("P16",)))
    assert NEW_COATL_NUMBER not in {one.coatl for one in two}  # rule 3.6


def test_a_third_coatl_is_the_last_in_the_french_edition() -> None:
    french = Game(TableOptions(edition="fr"), load_cards().deck())
    done = Built("<BBYY>", ("P29",), complete=True)
    for number in (2, 3):
        found = find_card_gaps(Situation(french, (), (done,) * number, hand=("P16",)))
        assert [one.coatl for one in found] == [NEW_COATL_NUMBER] * (number < 3)  # rule 8.2


def test_card_colours_bite_at_level_3() -> None:
    solo = Game(TableOptions(players=("Ana",), levels=(3,)), load_cards().deck())
    red = [card for card in PROPHECIES if GAME.by_id[card].colour == GAME.by_id["P05"].colour]
    beside = Built("BBB", ("P05",))
    found = find_card_gaps(Situation(solo, (), (beside,), hand=(red[0], "P10")))
    assert [one.card for one in found if one.coatl == 1] == ["P05", "P10"]


def test_the_nearest_come_first_and_the_hopeless_not_at_all() -> None:
    situation = Situation(GAME, ("B",), (Built("<RBB"),), hand=("P05", "P12"))
    found = select_nearest_gaps(find_card_gaps(situation, ("P10", "P10")))
    assert [(one.card, one.where) for one in found] == [
        ("P10", CardLocation.SUPPLY),  # fulfilled already
        ("P05", CardLocation.HAND),
        ("P12", CardLocation.HAND),
    ]
    closed_by_length = only(Situation(GAME, (), (Built("R" * 9),), temples=("T01",)), "T01", 1)
    assert closed_by_length.way is None
    assert closed_by_length.known
    assert select_nearest_gaps((closed_by_length,)) == (
        closed_by_length,
    )  # worth something as it is


pieces = st.sampled_from((*BODIES, *BODIES, *HEADS, *TAILS))
boards = st.lists(pieces, max_size=8).map(tuple)


@settings(max_examples=example_count(120))
@given(
    st.one_of(
        st.just(""),
        colour_rows(7),
        colour_rows(7).map("<{}".format),
        colour_rows(7).map("{}>".format),
    ),
    boards,
    st.sampled_from([*PROPHECIES, *TEMPLES]),
    st.booleans(),
)
def test_a_way_is_shortest_leads_there_and_takes_only_what_lies_there(
    text: str, board: tuple[str, ...], card: str, closed_ends: bool
) -> None:
    game, number = GAMES[closed_ends], 1 if text else NEW_COATL_NUMBER
    coatls = (Built(text),) if text else ()
    hand = "temples" if game.is_temple(card) else "hand"
    situation = Situation(game, board, coatls, **{hand: (card,)})  # type: ignore[arg-type]
    lack, asked = only(situation, card, number), game.by_id[card]
    level = score_card(parse_coatl(text), asked, (), closed_ends).level if text else 0
    if lack.way is None:
        at_top = level == len(asked.levels)
        assert (
            at_top
            or find_missing_pieces(parse_coatl(text), asked, asked.levels[level].count) is None
        )
        return
    target = asked.levels[level].count
    if text:
        least = find_missing_pieces(parse_coatl(text), asked, target, (), closed_ends)
        assert least is not None
        assert len(lack.way) == len(least)
    elif not closed_ends:
        assert len(lack.way) == find_shortest_length(asked, target, 30, 30)
    both = (*lack.way.head_end, *lack.way.tail_end)
    assert not Counter(n.piece for n in both if n.on_board) - Counter(board)
    built, free = whole(lack, text), sum(n.piece == ANY_COLOUR for n in both)
    for colours in list(product("RGBYK", repeat=free))[:125]:
        filled = built
        for colour in colours:
            filled = filled.replace(ANY_COLOUR, colour, 1)
        assert score_card(parse_coatl(filled), asked, (), closed_ends).count >= target


def test_equal_situations_have_equal_answers() -> None:
    situation = Situation(GAME, ("B", "<K"), (Built("<RBB"),), hand=("P05",), tops=("T01", "T02"))
    assert find_card_gaps(situation, ("P10",)) == find_card_gaps(situation, ("P10",))


@pytest.mark.parametrize("name", ["P05", "T06"])
def test_an_empty_table_lacks_a_whole_coatl(name: str) -> None:
    where = "temples" if name[0] == "T" else "hand"
    situation = Situation(GAME, **{where: (name,)})  # type: ignore[arg-type]
    lack = only(situation, name, NEW_COATL_NUMBER)
    assert lack.way is not None
    assert lack.way.head_end == ()
    assert len(lack.way.lacking) == len(lack.way)
