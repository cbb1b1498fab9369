"""The best assembly by trying everything that the rules allow; knows nothing of the planner."""

from __future__ import annotations

import random
from typing import Any

from coatl_tools import load_cards
from coatl_tools.cards.card import Card
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import BODIES, HEADS, TAILS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import (
    AttachPiece,
    BeginCoatl,
    CompleteCoatl,
    Event,
    PlaceProphecy,
    PlaceTemple,
)
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import compute_coatl_result
from coatl_tools.rules.setup import make_opening_state
from coatl_tools.rules.state import ASSEMBLING, READY, Built, Ending, GameState, Pile
from coatl_tools.rules.table_options import TableOptions

STEPS = (BeginCoatl, AttachPiece, PlaceProphecy, PlaceTemple, CompleteCoatl)
KINDS: list[dict[str, Any]] = [
    {},
    {},
    {"edition": "fr"},
    {"edition": "pl"},
    {"promo": True},
    {"closed_ends": True},
    {"temple_required": True},
    {"players": ("North",), "levels": (4,)},
    {"players": ("North",), "levels": (3,)},
    {"players": ("North",), "levels": (2, 3, 4), "promo": True, "closed_ends": True},
]


def worth(game: Game, coatls: tuple[Built, ...], last: bool) -> int:
    """The points of all cards; in a last turn as they count in the end."""
    return sum(
        compute_coatl_result(game, coatl if last else coatl._replace(complete=True)).points
        for coatl in coatls
    )


def after(state: GameState, event: Event) -> GameState:
    """The state after a step; what a Temple pile turns up next is not known, so it is no card."""
    state = apply_event(state, event)
    if not state.draws:
        return state
    piles = tuple(pile if pile.top else Pile("", 0) for pile in state.piles)
    return state._replace(draws=(), piles=(piles[0], piles[1]))


def most_points(state: GameState, last: bool) -> int:
    """The most points that any assembly leads to."""
    player = state.current_player
    best = worth(state.game, state.players[player].coatls, last) if not state.closing else -1
    seen: set[object] = set()
    queue = [state]
    while queue:
        state = queue.pop()
        for event in list_legal_actions(state):
            if not isinstance(event, STEPS):
                continue
            following = after(state, event)
            me = following.players[player]
            key = (following.closing, following.piles, me.board, me.hand, me.temples, me.coatls)
            if key in seen:
                continue
            seen.add(key)
            if following.stage is ASSEMBLING:
                best = max(best, worth(following.game, me.coatls, last))
            queue.append(following)
    return best


def random_steps(state: GameState, rng: random.Random) -> GameState:
    """An assembly by chance, through to the end of the pieces or until chance stops it."""
    while True:
        events = [event for event in list_legal_actions(state) if isinstance(event, STEPS)]
        if not events or (state.stage is ASSEMBLING and rng.random() < 0.05):
            return state
        weights = [5 if isinstance(e, PlaceProphecy | PlaceTemple) else 1 for e in events]
        state = after(state, rng.choices(events, weights)[0])


def position(
    rng: random.Random, pieces: int, letters: str, own: tuple[Card, ...] = ()
) -> GameState:
    """A moment before an assembly, with cards that have to do with what can be built."""
    options = TableOptions(**rng.choice(KINDS))
    if options.solo:
        own = ()  # A.D.A.M. must be able to collect for every card
    game = Game(options, (*load_cards().deck(options.promo), *own))
    prophecies = list(game.prophecies)
    rng.shuffle(prophecies)
    prophecies.sort(key=lambda card: card not in [mine.id for mine in own])
    temples = list(game.temples)
    rng.shuffle(temples)
    board = tuple(sorted(_piece(rng, letters) for _ in range(pieces)))
    coatls = []
    for _ in range(rng.choice([0, 1, 1, 2, 2])):
        text = "".join(rng.choice(letters) for _ in range(rng.choice([1, 2, 3, 4, 5])))
        end = rng.choice(["", "", "<", ">"])
        text = text + end if end == ">" else end + text
        placed = [card for card in dict.fromkeys(prophecies) if rng.random() < 0.6]
        fits = [card for card in placed if game.satisfies(text, card, ())][: rng.choice([0, 1, 2])]
        if game.different_colours:
            fits = list({game.by_id[card].colour: card for card in fits}.values())
        for card in fits:
            prophecies.remove(card)
        coatls.append(Built(text, tuple(fits)))
    liked = [card for card in prophecies if _concerns(game.by_id[card], letters)]
    hand = tuple(sorted(liked[: rng.choice([1, 2, 3, game.hand_limit])]))
    state = make_opening_state(game)
    me = state.players[0]._replace(
        board=board, coatls=tuple(coatls), hand=hand, temples=tuple(sorted(temples[:1]))
    )
    rest = list(game.prophecies)
    for card in (*hand, *(card for coatl in coatls for card in coatl.prophecies)):
        if card in rest:
            rest.remove(card)
    return state._replace(
        stage=READY,
        current_player=0,
        actions_left=1,
        draws=(),
        unlocated_prophecies=(tuple(rest),),
        unlocated_temples=tuple(temples[3:]),
        piles=(Pile(temples[1], 5), Pile(temples[2], 5)),
        players=(me, *state.players[1:]),
        ending=Ending("third", 1) if rng.random() < 0.25 else None,
    )


def _piece(rng: random.Random, letters: str) -> str:
    kind = rng.choice([BODIES, BODIES, BODIES, HEADS, TAILS])
    return rng.choice([piece for piece in kind if piece.strip("<>") in letters])


def _concerns(card: Card, letters: str) -> bool:
    """Whether these colours alone can satisfy a card, more or less."""
    text = repr(card.requirement)
    return not any(f"<Colour.{c}:" in text for c in "RGBYK" if c not in letters)
