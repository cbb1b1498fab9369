"""Positions for the tests of the rules, in which nothing is lost: what lies nowhere is in a bag."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from coatl_tools import CardScore, load_cards
from coatl_tools.errors import IllegalActionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import ADAM_INDEX, BODY, HEAD, PIECES_OF_KIND, TAIL, TOKENS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    DealProphecy,
    DealTemple,
    DrawnCard,
    Keep,
    parse_event,
)
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.setup import deal_draw, new_game
from coatl_tools.rules.solo.adam import AdamPlan, explain_adam_turn, plan_adam_turn
from coatl_tools.rules.state import (
    Adam,
    Built,
    DealDraw,
    DeckDraw,
    Ending,
    GameState,
    Pile,
    Player,
    Stage,
    SupplyDraw,
    TempleDraw,
    Wanted,
)
from coatl_tools.rules.table_options import TableOptions

NAMES = ("North", "East", "South", "West")
NORTH, EAST, SOUTH, WEST = range(4)
SPACES = "RR GG BB YY KK RG <R <G R> G>"
SUPPLY = "P30 P31 P32 P33 P34 P35"
SEED = 5
ANSWERS = ("fill", "deal-temple", "pile", "supply", "deal-adam", "deal", "drawn")


def table(players: int = 2, **options: Any) -> TableOptions:
    return TableOptions(players=NAMES[:players], **options)


def start_game(players: int = 2, **options: Any) -> GameState:
    """A new game, before its first draw."""
    return new_game(table(players, **options), load_cards().deck(options.get("promo", False)))


def answer_draws(state: GameState, seed: int = SEED, hidden: bool = False) -> GameState:
    """All awaited draws answered by the dealer; as `?` where that is possible, if asked."""
    while state.draws:
        match state.draws[0]:
            case TempleDraw(player) if hidden:
                state = apply_event(state, DealTemple(player, UNKNOWN_CARD))
            case DealDraw(player) if hidden:
                state = apply_event(state, DealProphecy(player, UNKNOWN_CARD))
            case DeckDraw() if hidden:
                state = apply_event(state, DrawnCard(UNKNOWN_CARD))
            case SupplyDraw() if hidden:
                state = apply_event(state, list_legal_actions(state)[0])
            case _:
                state = apply_event(state, deal_draw(state, seed))
    return state


def first_turn(players: int = 2, hidden: bool = False, **options: Any) -> GameState:
    """A real game at its first turn: everybody has kept the first three cards.

    With one player, that is A.D.A.M.'s first turn.
    """
    if hidden:
        options["hidden_hands"] = True
    state = answer_draws(start_game(players, **options), hidden=hidden)
    while state.stage is Stage.KEEPING:
        state = apply_event(state, Keep(state.players[state.current_player].hand[:3]))
    return state


def play(state: GameState, *lines: str) -> GameState:
    """The state after these events; the dealer answers the draws that no line answers."""
    for line in lines:
        if not line.startswith(ANSWERS):
            state = answer_draws(state)
        state = apply_event(state, parse_event(line))
    return answer_draws(state)


def is_legal(state: GameState, line: str) -> bool:
    """Whether an event is legal; `apply_event` and `list_legal_actions` must be of one mind."""
    listed = parse_event(line) in list_legal_actions(state)
    try:
        apply_event(state, parse_event(line))
    except IllegalActionError:
        assert not listed, line
        return False
    assert listed, line
    return True


def expect_refusal(state: GameState, line: str) -> IllegalActionError:
    """The error that an illegal event raises: well said, and what it advises is legal."""
    event = parse_event(line)
    assert event not in list_legal_actions(state)
    with pytest.raises(IllegalActionError) as caught:
        apply_event(state, event)
    error = caught.value
    assert len({error.text(language) for language in LANGUAGE_CODES}) == len(LANGUAGE_CODES)
    assert error.rule in str(error)
    if error.alternative:
        assert error.alternative in str(error)
        assert is_legal(state, error.alternative)
    return error


def seat(
    board: str = "",
    coatls: Iterable[Built | str] = (),
    hand: str = "",
    temples: str = "",
    tokens: tuple[str, ...] = TOKENS,
) -> Player:
    """A player with these things."""
    return Player(
        board=tuple(sorted(board.split())),
        coatls=tuple(Built(coatl) if isinstance(coatl, str) else coatl for coatl in coatls),
        hand=tuple(sorted(hand.split())),
        shown=(),
        temples=tuple(sorted(temples.split())),
        temples_shown=(),
        tokens=tokens,
        discarded=(),
        feathers=0,
    )


def row(text: str) -> tuple[Wanted, ...]:
    """A.D.A.M.'s row, for instance `P11:Y<Y P36`: cards from the left, with the pieces on them."""
    words = [word.partition(":") for word in text.split()]
    return tuple(Wanted(card, _pieces(pieces)) for card, _, pieces in words)


def plan(state: GameState) -> AdamPlan:
    """A.D.A.M.'s turn; what it explains can be said in every language."""
    found = plan_adam_turn(state)
    said = [explain_adam_turn(found, language) for language in LANGUAGE_CODES]
    assert len({len(lines) for lines in said}) == 1
    return found


def after_adam(state: GameState, *answers: str) -> GameState:
    """The state once A.D.A.M. has played and all draws are answered."""
    return play(state, "adam", *answers)


def complete(text: str, prophecies: str, temple: str = "") -> Built:
    return Built(text, tuple(prophecies.split()), temple, complete=True)


def scene(
    *players: Player,
    turn: int = 0,
    actions: int = 1,
    spaces: str = SPACES,
    supply: str = SUPPLY,
    discards: str = "",
    deck: int | None = None,
    piles: tuple[str, str] = ("T14", "T15"),
    cards: str = "",
    adam: str | None = None,
    fulfilled: str = "",
    discarded: str = "",
    **options: Any,
) -> GameState:
    """A player's turn, with these things on the table.

    With `adam`, its row of cards and pieces, the table is a solo one: `turn=ADAM` is A.D.A.M.'s
    turn, `fulfilled` and `discarded` are its fulfilled cards and the pieces that left the game.

    All other pieces are in the bags, all other cards in the deck and under the piles. With `deck`,
    so many cards, the last ones, are in the deck and the rest is discarded; `cards` are all that
    the game has.
    """
    least = 2 if adam is None else 1
    players = (*players, *(seat() for _ in range(least - len(players))))
    used = load_cards().deck(options.get("promo", False))
    if cards:
        used = tuple(card for card in used if card.id in cards.split())
    state = new_game(table(len(players), **options), used)
    if not state.game.options.tokens:
        players = tuple(player._replace(tokens=()) for player in players)
    board = tuple(_space(word) for word in spaces.split())
    placed = [_pieces(built.text) for player in players for built in player.coatls]
    rival = None if adam is None else Adam(row(adam), tuple(fulfilled.split()), _pieces(discarded))
    if rival:
        placed += [rival.discarded, *(wanted.pieces for wanted in rival.row)]
    on_table = Counter(sum((*board, *placed, *(player.board for player in players)), ()))

    hands = sum((player.hand for player in players), ())
    beside = [card for player in players for built in player.coatls for card in built.prophecies]
    seen = [*supply.split(), *discards.split(), *beside, *hands]
    if rival:
        seen += [*rival.fulfilled, *(wanted.card for wanted in rival.row)]
    free = _left(state.game.prophecies, seen)
    hidden = hands.count(UNKNOWN_CARD)
    gone = () if deck is None else free[: len(free) - hidden - deck]
    free = free[len(gone) :]

    temples = [card for player in players for built in player.coatls for card in (built.temple,)]
    temples += sum((player.temples for player in players), ())
    temples_free = _left(state.game.temples, [*temples, *piles])
    below = len(temples_free) - temples.count(UNKNOWN_CARD)
    return state._replace(
        stage=Stage.ADAMS_TURN if rival and turn == ADAM_INDEX else Stage.READY,
        current_player=turn,
        actions_left=actions,
        draws=(),
        spaces=board,
        bodies=_bag(state.bodies, BODY, on_table),
        heads=_bag(state.heads, HEAD, on_table),
        tails=_bag(state.tails, TAIL, on_table),
        supply=tuple(supply.split()),
        deck=len(free) - hidden,
        unlocated_prophecies=(free,),
        discards=tuple(sorted((*discards.split(), *gone))),
        unlocated_temples=temples_free,
        piles=(Pile(piles[0], below - below // 2), Pile(piles[1], below // 2)),
        players=players,
        adam=rival,
    )


def final_turn(state: GameState, actions: int = 2) -> GameState:
    """The same moment as the very last turn of a game that the first player's third Cóatl ended."""
    return state._replace(actions_left=actions, ending=Ending("third", 0), final_turns=())


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(re.findall("<?[A-Z]>?", text))


def _space(word: str) -> tuple[str, ...]:
    return () if word == "-" else _pieces(word)


def _bag(full: tuple[int, ...], kind: str, on_table: Counter[str]) -> tuple[int, ...]:
    left = tuple(
        number - on_table[piece] for piece, number in zip(PIECES_OF_KIND[kind], full, strict=True)
    )
    assert min(left) >= 0, f"too many pieces on the table: {on_table}"
    return left


def _left(cards: tuple[str, ...], seen: Iterable[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in seen:
        if card not in ("", UNKNOWN_CARD):
            left.remove(card)
    return tuple(left)


def scores(state: GameState, player: int = 0) -> dict[str, int]:
    """What each card beside a player's Cóatls is worth, whether they are complete or not."""
    found: list[CardScore] = []
    for coatl in compute_result(state).players[player].coatls:
        found += coatl.cards
    return {score.card.id: score.points for score in found}
