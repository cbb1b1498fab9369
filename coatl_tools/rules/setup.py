"""The setup: an empty table, and all the draws that fill it (rules 2.1 to 2.4, 7.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import PROMO
from coatl_tools.errors import OptionError
from coatl_tools.rules.box import (
    COLOURS,
    DEALT,
    HEADS_PER_COLOUR,
    SOLO_DEALT,
    SUPPLY_CARDS,
    TAILS_PER_COLOUR,
    TOKENS,
)
from coatl_tools.rules.flow import ADAM_DRAW, SUPPLY_DRAW
from coatl_tools.rules.game import Game
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import (
    CARD_DRAWS,
    KEEPING,
    Adam,
    DealDraw,
    Draw,
    FillDraw,
    Pile,
    PileDraw,
    Player,
    State,
    TempleDraw,
)


def new_game(options: TableOptions, cards: Iterable[Card]) -> State:
    """The first moment of a game with these cards; everything is yet to be drawn.

    Promo cards among them are in play if the table says so (rule 10.1). Raises OptionError if
    there are too few cards to begin with, one is there twice, or promo cards are missing.
    """
    cards = tuple(cards)
    repeated = [card for card, number in Counter(c.id for c in cards).items() if number > 1]
    if repeated:
        raise OptionError("options.same_card", card=repeated[0])
    if options.promo and not any(card.set == PROMO for card in cards):
        raise OptionError("options.no_promo")
    return opening(Game(options, tuple(c for c in cards if options.promo or c.set != PROMO)))


def opening(game: Game) -> State:
    """The first moment of a game; many games may share what never changes in them."""
    size, options = game.size, game.options
    dealt = (SOLO_DEALT,) if game.solo else DEALT[:size]
    with_temple = range(size) if not game.solo or options.solo_temple_in_hand else ()  # ruling 9.9
    draws = _setup_draws(game, dealt, with_temple)
    prophecies = sum(isinstance(draw, CARD_DRAWS) for draw in draws)
    if len(game.prophecies) < prophecies or len(game.temples) < len(with_temple):
        raise OptionError("options.few_cards", prophecies=prophecies, temples=len(with_temple))
    rest = len(game.temples) - len(with_temple)
    player = Player((), (), (), (), (), (), TOKENS if options.tokens else (), (), 0)
    return State(
        game=game,
        stage=KEEPING,
        turn=0,
        turns=0,
        actions=0,
        closing=0,
        passes=0,
        ending=None,
        last=(),
        draws=draws,
        drawn=0,
        spaces=((),) * len(options.space_kinds),
        bodies=game.body_bag(),
        heads=(HEADS_PER_COLOUR,) * len(COLOURS),
        tails=(TAILS_PER_COLOUR,) * len(COLOURS),
        supply=(),
        deck=len(game.prophecies),
        free=(game.prophecies,),
        discards=(),
        temples_free=game.temples,
        piles=(Pile("", rest - rest // 2), Pile("", rest // 2)),  # rule 2.3
        players=(player,) * size,
        adam=Adam() if game.solo else None,
    )


def _setup_draws(game: Game, dealt: Sequence[int], with_temple: Sequence[int]) -> tuple[Draw, ...]:
    fills = [FillDraw(space) for space in range(1, 11)]  # rule 2.1
    temples = [TempleDraw(player) for player in with_temple]  # rule 2.3
    piles = [PileDraw(pile) for pile in (1, 2) if len(game.temples) - len(temples) >= pile]
    supply = [SUPPLY_DRAW] * SUPPLY_CARDS  # rule 2.4
    adam = [ADAM_DRAW] * game.adam_cards if game.solo else []  # rule 7.1
    hands = [DealDraw(player) for player, number in enumerate(dealt) for _ in range(number)]
    return (*fills, *temples, *piles, *supply, *adam, *hands)
