"""What a Prophecy card needs for A.D.A.M. (rule 7.3)."""

from __future__ import annotations

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, CardKind, Level
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Requirement,
    Several,
    parse_sequence,
)
from coatl_tools.errors import OptionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.game import Game
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.solo.adam import SearchSpaces
from coatl_tools.rules.state import Adam, GameState
from tests.rules.positions import plan, row, scene, table

# The pieces of each card at its highest level; * is a piece of any colour.
NEEDED = {
    "P01": "YYYYYY", "P02": "RRRRRR", "P03": "KKKKKK", "P04": "GGGGGG", "P05": "BBBBBB",
    "P06": "YYYY", "P07": "RRRR", "P08": "KKKK", "P09": "GGGG", "P10": "BBBB",
    "P11": "YYYYYY", "P12": "RRRRRR", "P13": "KKKKKK", "P14": "GGGGGG", "P15": "BBBBBB",
    "P16": "YYYGGG", "P17": "RRRKKK", "P18": "YYYBBB", "P19": "GGGBBB",
    "P20": "KKKGGG", "P21": "YYYKKK", "P22": "RRRBBB",
    "P23": "KKBB", "P24": "YYRR", "P25": "RRGG",
    "P26": "RRRGG", "P27": "KKGGG", "P28": "YYBBB",
    "P29": "BBYY", "P30": "RRBB", "P31": "KKYY", "P32": "GGRR",
    "P33": "YKRGB", "P34": "RKBYG", "P35": "KGRBY",
    "P36": "YYKKRR", "P37": "GGYYKK", "P38": "YYBBGG", "P39": "BBGGKK", "P40": "RRKKBB",
    "P41": "RRBBYY", "P42": "GGRRKK", "P43": "GGGGYY", "P44": "BBBBGG",
    "P45": "KKYY*", "P46": "GGKK*", "P47": "KKBB*", "P48": "YYRR*", "P49": "RRBB*",
    "P50": "YYGGR", "P51": "KKBBR", "P52": "RRKKG",
    "P53": "YYKKRB", "P54": "GGBBYK", "P55": "YYRRGB",
}  # fmt: skip
COLOURS = "RGBYK"
ONE_HEAD = "- - - - - - <{} - - -"


def counted(pieces: str) -> tuple[int, ...]:
    """How many pieces of each colour, then of any."""
    return tuple(pieces.count(colour) for colour in f"{COLOURS}*")


def lacks(state: GameState) -> tuple[int, ...]:
    """What A.D.A.M. looks for first."""
    step = plan(state).steps[0]
    assert isinstance(step, SearchSpaces)
    return step.lacks


def alone(card: str, pieces: str = "", spaces: str = ONE_HEAD.format("R")) -> GameState:
    """A.D.A.M. with one card, and one head on the Supply board."""
    return scene(adam=f"{card}:{pieces}", turn=ADAM_INDEX, supply="", spaces=spaces, promo=True)


@pytest.mark.rule("7.3")
def test_every_prophecy_card_has_its_needs() -> None:
    cards = [card.id for card in load_cards() if card.kind is CardKind.PROPHECY]
    assert sorted(NEEDED) == sorted(cards)


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(("card", "pieces"), NEEDED.items())
def test_a_card_needs_the_pieces_of_its_highest_level(card: str, pieces: str) -> None:
    assert lacks(alone(card)) == counted(pieces)


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(("card", "pieces"), NEEDED.items())
def test_with_exactly_these_pieces_a_card_is_fulfilled(card: str, pieces: str) -> None:
    there, missing = pieces[:-1], pieces[-1]
    for colour in COLOURS if missing == "*" else missing:
        spaces = ONE_HEAD.format(colour)
        assert plan(alone(card, there, spaces)).fulfilled == (card,)
        assert plan(alone(card, there[1:], spaces)).fulfilled == ()


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(
    ("pieces", "last"), [("GBRK", "Y"), ("KYGR", "B"), ("<GBRK>", "Y"), ("R>K>B><Y", "G")]
)
def test_order_and_kind_of_the_pieces_do_not_matter(pieces: str, last: str) -> None:
    found = plan(alone("P33", pieces, ONE_HEAD.format(last)))
    assert found.fulfilled == ("P33",)


def own(requirement: Requirement, *counts: int) -> Card:
    """A Prophecy card of a user's own, with levels of so many occurrences."""
    levels = tuple(Level(count, 2 * place) for place, count in enumerate(counts, start=1))
    return Card("X01", CardKind.PROPHECY, requirement, levels, Colour.G, set="own")


def needs_of_own(card: Card) -> tuple[int, ...]:
    state = scene(adam="P11", turn=ADAM_INDEX)
    game = Game(state.game.options, (*state.game.cards, card))
    return lacks(state._replace(game=game, adam=Adam(row(card.id))))


def several(*parts: str) -> Several:
    return Several(tuple(parse_sequence(part) for part in parts))


MIXED = Multiset(((Colour.R, 2), (Colour.K, 1)))


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(
    ("card", "pieces"),
    [
        (own(parse_sequence("R+ G+"), 1), "RG"),
        (own(parse_sequence("R+ G+"), 1, 2, 4), "RRRRGGGG"),
        (own(parse_sequence("*+"), 3), "***"),
        (own(parse_sequence("B *+ B *+ B"), 1), "BBB**"),
        (own(parse_sequence("B *+ B"), 1, 2), "BBBB**"),
        (own(parse_sequence("* Y *"), 1), "Y**"),
        (own(parse_sequence("!K Y Y !G"), 1, 3), "YYYYYY"),
        (own(parse_sequence("!K Y *+ Y !G"), 1), "YY*"),
        (own(ColourCount(Colour.K), 2, 7), "KKKKKKK"),
        (own(MIXED, 1), "RRK"),
        (own(MIXED, 1, 2), "RRRRKK"),
        (own(Equal(Colour.G, Colour.B), 1), "GB"),
        (own(several("R R", "G+ Y"), 1, 2), "RRGY"),
        (own(several("R *+ R", "!B R"), 2), "RRR*"),
        (own(Several((ColourCount(Colour.B), MIXED, Equal(Colour.B, Colour.Y))), 1, 3), "BRRKBY"),
        (own(Several((ColourCount(Colour.B), Absent(Colour.R), Length(7))), 1, 2, 3), "B"),
    ],
)
def test_a_card_of_ones_own_needs_what_it_shows(card: Card, pieces: str) -> None:
    assert needs_of_own(card) == counted(pieces)


UNCLEAR = [
    own(Length(7), 1),
    own(Absent(Colour.R), 1),
    own(NoProphecy(Colour.R), 1),
    own(Several((Absent(Colour.R), Length(7))), 1, 2),
    own(several("R R", "G Y"), 1),
    own(several("R R", "G Y", "B"), 1, 2),
    own(Several((ColourCount(Colour.R), Absent(Colour.K))), 1),
]


@pytest.mark.rule("7.3")
@pytest.mark.parametrize("card", UNCLEAR, ids=str)
def test_a_card_that_shows_no_pieces_of_its_own_is_refused_by_name(card: Card) -> None:
    deck = load_cards().deck()
    with pytest.raises(OptionError) as caught:
        new_game(table(1), [*deck, card])
    said = {caught.value.text(language) for language in LANGUAGE_CODES}
    assert len(said) == len(LANGUAGE_CODES)
    assert all("X01" in text and "7.3" in text for text in said)
    assert new_game(table(2), [*deck, card]).draws


@pytest.mark.rule("7.3")
def test_all_cards_that_are_refused_are_named_at_once() -> None:
    other = Card("X02", CardKind.PROPHECY, Length(9), (Level(1, 3),), Colour.R, set="own")
    with pytest.raises(OptionError) as caught:
        new_game(table(1), [*load_cards().deck(), UNCLEAR[0], other])
    assert "X01, X02" in str(caught.value)


@pytest.mark.rule("7.3")
def test_temple_cards_may_ask_for_anything() -> None:
    temple = Card("X03", CardKind.TEMPLE, Length(9), (Level(1, 3),), set="own")
    assert new_game(table(1), [*load_cards().deck(), temple]).draws
