"""Where a game stands, in words, at every moment of every kind of game."""

from __future__ import annotations

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.referee.presentation.table_text import (
    phrase_awaited,
    phrase_headline,
    phrase_status,
)
from coatl_tools.rules.engine import Decision
from coatl_tools.rules.state import Ending, GameState, Stage, Turn
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_open_view
from tests.rules.positions import complete, scene, seat
from tests.rules.random_games import choose_builder, choose_collector, play_random_game


def told(state: GameState, language: str = "en") -> list[str]:
    shown = make_open_view(state)
    phrases = [*phrase_headline(shown, state.game), *phrase_status(shown, state.game)]
    return [load_language(language).sentence(*phrase) for phrase in phrases]


def over(state: GameState) -> GameState:
    return state._replace(stage=Stage.OVER, turns_ended=9)


def test_every_moment_can_be_told_in_every_language() -> None:
    seen = set()
    tables = [
        (TableOptions(players=("Ana", "Bo")), 4, choose_builder),
        (TableOptions(players=("Ana", "Bo", "Cy"), golden_feathers=True), 2, choose_collector),
        (TableOptions(players=("Solo",), solo_final_turns=True), 2, choose_builder),
    ]
    for options, seed, choice in tables:
        for state, _ in play_random_game(options, seed, choice):
            assert len({len(told(state, language)) for language in LANGUAGE_CODES}) == 1
            shown = make_open_view(state)
            seen.add(phrase_awaited(shown, state.game)[0])
            assert phrase_headline(shown, state.game)[0][0] == (
                "shown.setup" if state.stage is Stage.KEEPING else "shown.turn"
            )
            if isinstance(shown.awaited, Decision):
                assert state.game.names[state.current_player] in told(state)[-1]
    assert len(seen) > 10


def test_final_turns_are_announced_in_their_order() -> None:
    done = [complete("<BBRBBY>", "P10"), complete("<RKBYG>", "P34"), complete("<GGRRK>", "P32")]
    state = scene(seat("R"), seat(coatls=done), seat("B"), supply="P30", turn=1)
    state = state._replace(ending=Ending("third", 1), final_turns=(Turn(2, 2), Turn(0, 1)))
    assert told(state)[1:3] == [
        "The end is near: East has 3 complete Cóatls (rule 6.1).",
        "Turns still to come: South (up to two actions), North.",
    ]


def test_want_of_body_segments_is_told_with_its_rule() -> None:
    ending = Ending("bodies", 0)
    why = "there are no body segments left to fill the Supply board"
    assert f"The end is near: {why} (rule 6.2)." in told(scene()._replace(ending=ending))
    alone = scene(adam="P11")._replace(ending=ending)
    assert f"The end is near: {why} (rule 7.9)." in told(alone)


def test_a_shared_victory_and_one_lost_for_want_of_a_temple_card() -> None:
    assert told(over(scene()))[1] == "North, East share the victory."
    won = seat(coatls=[complete("<BBRBBY>", "P10")])
    alone = over(scene(won, adam="P11", levels=(1,)))
    assert told(alone)[1].startswith("A.D.A.M. wins: at difficulty level 1, a Temple card")
    assert told(over(scene(won, adam="P11")))[1] == "North wins."
