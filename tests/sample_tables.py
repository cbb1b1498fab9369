"""Tables as people look at them, for the tests of everything that shows a table."""

from __future__ import annotations

import random
from collections.abc import Iterator

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, CardKind, Level
from coatl_tools.cards.requirement import ColourCount, NoProphecy, Several, parse_sequence
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import TOKENS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.game import Game
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Built, GameState
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_open_view, make_view
from tests.rules.positions import answer_draws, complete, final_turn, first_turn, play, scene, seat
from tests.rules.random_games import choose_builder, play_random_game

ViewAndGame = tuple[View, Game]


def make_midgame() -> GameState:
    """Two players who have built much, with golden segments."""
    one = seat(
        "R R B <G Y>",
        [complete("<BBRBBKRBBYY>", "P29 P10 P41", "T03"), Built("<RGGRR", ("P32",)), "K"],
        "P05 P16 P33 P06",
        "T05",
        tokens=TOKENS[:2],
    )
    other = seat(
        "K K G F",
        [complete("<RKBYGKKYYR>", "P34 P17"), Built("YYBBB", ("P28",))],
        "P01 P40 P11",
        "T01",
    )._replace(shown=("P40",), feathers=1)
    state = scene(
        one,
        other,
        spaces="RR GG BB YF KK RG <R - R> -",
        supply="P30 P31 P02 P45 P07 P35",
        golden_feathers=True,
    )
    return state._replace(turns_ended=22)


def make_physical_table() -> GameState:
    """A table of three with real cards: hands are told in part."""
    state = first_turn(3, hidden=True)
    state = play(state, "choose P01", "choose P02", "end", "take 3", "reveal 3 P40", "take 1")
    return play(state, "take 2", "begin Y", "add K to 1 tail")


def make_solo_table() -> GameState:
    """A.D.A.M.'s turn, its row half filled."""
    state = scene(
        seat("R R B", [complete("<BBRBBKRBBYY>", "P29 P10", "T03"), "GGG"], "P05 P16 P38"),
        supply="P30 P31 P02 P46 P07 P35",
        adam="P11:Y<Y P36 P45:K",
        fulfilled="P17 P22",
        discarded="B>R",
        turn=1,
    )
    return state._replace(turns_ended=8)


def make_finished_game() -> GameState:
    """A real game from the first to the last turn."""
    *_, (state, event) = play_random_game(TableOptions(players=("Zoë", "Łucja")), 4, choose_builder)
    return apply_event(state, event)


def make_last_turn() -> GameState:
    """The last turn, of two actions."""
    done = [complete("<BBRBBY>", "P10"), complete("<RKBYG>", "P34"), complete("<GGRRK>", "P32")]
    return final_turn(scene(seat(coatls=done), seat("R B>"), turn=1, supply="P30 P31"))


def make_own_cards_table() -> GameState:
    """A table whose cards ask for more than a line holds."""
    long = parse_sequence("!R " + "R G B Y K " * 5 + "!K")
    several = Several((long, NoProphecy(Colour.R), ColourCount(Colour.G)))
    cards = [
        Card("LONG-01", CardKind.PROPHECY, long, (Level(1, 9), Level(2, 30)), Colour.K, copies=30),
        Card("LONG-T1", CardKind.TEMPLE, several, (Level(1, 3), Level(2, 7)), copies=9),
    ]
    few = [card for card in load_cards().deck() if card.id in ("P01", "P11", "T01")]
    return answer_draws(new_game(TableOptions(), (*few, *cards)))


def list_sample_tables() -> dict[str, ViewAndGame]:
    """The tables of the golden files."""
    return {
        "Evening": (make_view(make_midgame(), 0), make_midgame().game),
        "Real cards": (make_open_view(make_physical_table()), make_physical_table().game),
        "Alone": (make_view(make_solo_table(), 0), make_solo_table().game),
        "Done": (make_view(make_finished_game(), 1), make_finished_game().game),
    }


def list_random_moments(number: int = 4) -> Iterator[ViewAndGame]:
    """Moments of random games, seen by anybody."""
    rng = random.Random(2)
    for size in (1, 2, 3, 4):
        names = ("Ana", "Łucja", "Żaneta", "名前の長い人")[:size]
        for promo in (False, True):
            options = TableOptions(players=names, promo=promo, golden_feathers=size > 1)
            moments = [state for state, _ in play_random_game(options, size, choose_builder)]
            for state in rng.sample(moments, number):
                viewer = rng.choice([None, *range(size)])
                yield make_view(state, viewer), state.game
                yield make_open_view(state), state.game
    for state in (make_last_turn(), make_own_cards_table(), make_finished_game()):
        yield make_open_view(state), state.game
