"""Closing a Cóatl at levels 3 and 4, against all hands that there may be."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import COLOURS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import UNKNOWN_CARD, AttachPiece, CompleteCoatl, PlaceProphecy, Reveal
from coatl_tools.rules.state import Built, GameState, Stage
from tests.rules.positions import is_legal, scene, seat
from tests.strategies import example_count

SPACES = "- - - - - - - - - -"
FREE = 5  # so many cards may be in a hidden hand, so that all hands can be tried


def moment(seed: int) -> GameState:
    """A player with a long Cóatl and a tail that would close it; some cards may be hidden."""
    rng = random.Random(seed)
    levels = rng.choice([(), (3,), (4,), (3, 4), (2, 4), (2, 3, 4)])
    letters = [letter for letter in COLOURS for _ in range(rng.choice([0, 3, 6]))] or ["R", "G"]
    if rng.random() < 0.4:
        rng.shuffle(letters)
    text = f"<{''.join(letters[:20])}"
    everything = scene(adam="", spaces=SPACES, supply="", levels=levels, piles=("", ""))
    deck = rng.sample(everything.game.prophecies, len(everything.game.prophecies))
    fits = list(everything.game.fitting(text + "R", tuple(deck), ()))
    placed: list[str] = []
    for _ in range(rng.choice([0, 1, 2, 3])):
        more = everything.game.fitting(text, tuple(fits), tuple(placed))
        placed += [rng.choice(more)] if more else []
    for card in placed:
        deck.remove(card)
    wanted = [card for card in deck if card in fits]
    others = [card for card in deck if card not in fits]
    hidden = rng.choice([0, 0, 1, 2, 3])
    size = rng.randint(max(hidden, 1), everything.game.hand_limit)
    known = [*wanted[: rng.randint(0, size - hidden)], *others][: size - hidden]
    likely = [card for card in wanted if card not in known][: rng.choice([0, 3, 5])]
    free = [*likely, *others[-FREE:]][:FREE]
    fulfilled = list(deck)
    for card in (*known, *free):
        fulfilled.remove(card)
    return scene(
        seat("R>", [Built(text, tuple(placed))], " ".join([*known, *[UNKNOWN_CARD] * hidden])),
        adam="",
        spaces=SPACES,
        supply="",
        fulfilled=" ".join(fulfilled),
        piles=("", ""),
        levels=levels,
        hidden_hands=hidden > 0,
    )


def some_hand_completes(state: GameState) -> bool:
    """Whether a hand that fits what is known would do, by trying all of them."""
    player = state.players[0]
    coatl = player.coatls[0]
    known = [card for card in player.hand if card != UNKNOWN_CARD]
    unknown = len(player.hand) - len(known)
    return any(
        completes(state, coatl, {*known, *more})
        for more in combinations(state.unlocated_prophecies[0], unknown)
    )


def completes(state: GameState, coatl: Built, hand: set[str]) -> bool:
    levels, by_id = state.game.options.levels, state.game.by_id
    least = 4 if 4 in levels else 1
    fits = [card for card in hand if state.game.satisfies(f"{coatl.text}R>", card, ())]
    for number in range(5 - len(coatl.prophecies)):
        for more in combinations(fits, number):
            cards = [*coatl.prophecies, *more]
            colours = [by_id[card].colour for card in cards]
            differ = 3 not in levels or len(set(colours)) == len(colours)
            if len(cards) >= least and len(set(cards)) == len(cards) and differ:
                return True
    return False


def closing_is_as_it_should_be(seed: int) -> bool:
    state = moment(seed)
    closing = AttachPiece("R>", 1, "tail")
    legal = closing in list_legal_actions(state)
    assert legal == some_hand_completes(state), f"moment({seed})"
    if legal:
        completed_in_the_end(random.Random(seed), apply_event(state, closing))
    return legal


def completed_in_the_end(rng: random.Random, state: GameState) -> None:
    while state.stage is Stage.CLOSING:
        found = list_legal_actions(state)
        assert found, "nothing can be done any more"
        enough = len(state.players[0].coatls[0].prophecies) >= state.game.least_prophecies
        assert (CompleteCoatl() in found) == enough
        for card in {*sum(state.unlocated_prophecies, ()), *state.players[0].hand} - {UNKNOWN_CARD}:
            assert is_legal(state, f"play {card} on 1") == (PlaceProphecy(card, 1) in found)
        likely = [e for e in found if isinstance(e, PlaceProphecy | Reveal)] or found
        state = apply_event(state, rng.choice(likely if rng.random() < 0.8 else found))
    coatl = state.players[0].coatls[0]
    levels, by_id = state.game.options.levels, state.game.by_id
    assert coatl.complete
    assert len(coatl.prophecies) == 4 or 4 not in levels  # ruling 9.16
    colours = {by_id[card].colour for card in coatl.prophecies}
    assert len(colours) == len(coatl.prophecies) or 3 not in levels


@pytest.mark.parametrize("part", range(4))
def test_a_closing_piece_is_legal_if_some_hand_completes_the_coatl(part: int) -> None:
    found = [closing_is_as_it_should_be(seed) for seed in range(part * 60, (part + 1) * 60)]
    assert any(found)
    assert not all(found)


@pytest.mark.soak
def test_many_closing_pieces() -> None:
    for seed in range(10_000, 10_000 + example_count(20_000)):
        closing_is_as_it_should_be(seed)
