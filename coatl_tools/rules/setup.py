"""The setup of a game (rules 2.1 to 2.4, 7.1), and the dealer that answers its draws from a seed.

The dealer stores nothing: the n-th draw of a seed always falls the same way for the same bags and
decks, so undoing a draw and repeating it brings the same cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import PROMO_SET
from coatl_tools.errors import OptionError
from coatl_tools.rules.actions.supply_board import get_bag
from coatl_tools.rules.actions.turns import ADAM_DRAW, SUPPLY_DRAW, make_draw_answer
from coatl_tools.rules.constants import (
    COLOURS,
    HEADS_PER_COLOUR,
    PIECES_OF_KIND,
    PIECES_PER_SPACE,
    PROPHECIES_DEALT,
    PROPHECY_SUPPLY_SIZE,
    SOLO_PROPHECIES_DEALT,
    TAILS_PER_COLOUR,
    TOKENS,
)
from coatl_tools.rules.events import Answer, FillSpace
from coatl_tools.rules.game import Game
from coatl_tools.rules.hidden_cards import list_free_cards, list_possible_in_deck
from coatl_tools.rules.state import (
    KEEPING,
    PROPHECY_DRAWS,
    TEMPLE_DRAWS,
    Adam,
    DealDraw,
    Draw,
    FillDraw,
    GameState,
    Pile,
    PileDraw,
    Player,
    TempleDraw,
)
from coatl_tools.rules.table_options import TableOptions


def new_game(options: TableOptions, cards: Iterable[Card]) -> GameState:
    """Return the first state of a game with these cards; everything is yet to be drawn.

    Promo cards among them are in play if the table says so (rule 10.1). Raises OptionError if
    there are too few cards to begin with, one is there twice, or promo cards are missing.
    """
    cards = tuple(cards)
    repeated = [card for card, number in Counter(c.id for c in cards).items() if number > 1]
    if repeated:
        raise OptionError("options.same_card", card=repeated[0])
    if options.promo and not any(card.set == PROMO_SET for card in cards):
        raise OptionError("options.no_promo")
    return make_opening_state(
        Game(options, tuple(c for c in cards if options.promo or c.set != PROMO_SET))
    )


def make_opening_state(game: Game) -> GameState:
    """Make the first state of a game; many games may share one `Game`. Raises OptionError."""
    size, options = game.size, game.options
    dealt = (SOLO_PROPHECIES_DEALT,) if game.solo else PROPHECIES_DEALT[:size]
    with_temple = range(size) if not game.solo or options.solo_temple_in_hand else ()  # ruling 9.9
    draws = _list_setup_draws(game, dealt, with_temple)
    prophecies = sum(isinstance(draw, PROPHECY_DRAWS) for draw in draws)
    if len(game.prophecies) < prophecies or len(game.temples) < len(with_temple):
        raise OptionError("options.few_cards", prophecies=prophecies, temples=len(with_temple))
    rest = len(game.temples) - len(with_temple)
    player = Player((), (), (), (), (), (), TOKENS if options.tokens else (), (), 0)
    return GameState(
        game=game,
        stage=KEEPING,
        current_player=0,
        turns_ended=0,
        actions_left=0,
        closing=0,
        passes=0,
        ending=None,
        final_turns=(),
        draws=draws,
        draws_answered=0,
        spaces=((),) * len(options.space_kinds),
        bodies=game.body_bag(),
        heads=(HEADS_PER_COLOUR,) * len(COLOURS),
        tails=(TAILS_PER_COLOUR,) * len(COLOURS),
        supply=(),
        deck=len(game.prophecies),
        unlocated_prophecies=(game.prophecies,),
        discards=(),
        unlocated_temples=game.temples,
        piles=(Pile("", rest - rest // 2), Pile("", rest // 2)),  # rule 2.3
        players=(player,) * size,
        adam=Adam() if game.solo else None,
    )


def _list_setup_draws(
    game: Game, dealt: Sequence[int], with_temple: Sequence[int]
) -> tuple[Draw, ...]:
    fills = [FillDraw(space) for space in range(1, len(game.options.space_kinds) + 1)]  # 2.1
    temples = [TempleDraw(player) for player in with_temple]  # rule 2.3
    piles = [PileDraw(pile) for pile in (1, 2) if len(game.temples) - len(temples) >= pile]
    supply = [SUPPLY_DRAW] * PROPHECY_SUPPLY_SIZE  # rule 2.4
    adam = [ADAM_DRAW] * game.adam_cards if game.solo else []  # rule 7.1
    hands = [DealDraw(player) for player, number in enumerate(dealt) for _ in range(number)]
    return (*fills, *temples, *piles, *supply, *adam, *hands)


_MASK = (1 << 64) - 1
SECRET_SEED_BITS = 128  # of the longest seed


def deal_draw(state: GameState, seed: int) -> Answer:
    """Answer the awaited draw, each piece or card in the bag or deck being equally likely.

    Meant for tables where all cards are known: hidden ones could be any of those it draws from.
    """
    if not state.draws:
        raise ValueError("no draw is awaited")
    number = mix_seed(seed, state.draws_answered)
    draw = state.draws[0]
    if isinstance(draw, FillDraw):
        return FillSpace(
            draw.space, _draw_pieces(state, state.game.options.space_kinds[draw.space - 1], number)
        )
    cards = state.unlocated_temples if isinstance(draw, TEMPLE_DRAWS) else _list_deck_cards(state)
    return make_draw_answer(draw, cards[number % len(cards)])


def _list_deck_cards(state: GameState) -> tuple[str, ...]:
    """List the cards that the deck may hold."""
    cards = list_free_cards(state)
    if not state.game.hidden_hands:
        return cards
    possible = set(list_possible_in_deck(state))
    return tuple(card for card in cards if card in possible)


def mix_seed(seed: int, step: int) -> int:
    """Mix 64 bits that look random, the same for the same seed and step (splitmix64 finaliser).

    A seed of more than 64 bits is a secret: it keys a hash, so that nobody can work out the rest of
    the deck from what was dealt.
    """
    if seed > _MASK:
        key = seed.to_bytes(SECRET_SEED_BITS // 8, "big")
        return int.from_bytes(blake2b(str(step).encode(), key=key, digest_size=8).digest(), "big")
    z = (seed * 0x9E3779B97F4A7C15 + (step + 1) * 0xD1342543DE82EF95) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _draw_pieces(state: GameState, kind: str, number: int) -> tuple[str, ...]:
    left = list(get_bag(state, kind))
    drawn = []
    for _ in range(PIECES_PER_SPACE[kind]):
        number, place = divmod(number, sum(left))
        piece = 0
        while place >= left[piece]:
            place -= left[piece]
            piece += 1
        left[piece] -= 1
        drawn.append(PIECES_OF_KIND[kind][piece])
    return tuple(drawn)
