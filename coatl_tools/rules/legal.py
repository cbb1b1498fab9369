"""Everything that may happen next.

`apply` checks each event on its own; the two are written apart, and tests hold them together.
Values that are listed over and over are made once and kept.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, compress

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.assembly import may_skip_temple, temples_for
from coatl_tools.rules.box import (
    BOARD_SPACES,
    BODIES,
    FEATHER,
    HEADS,
    KEPT,
    MOST_PER_SPACE,
    OPEN_COATLS,
    PERFECT_PICK,
    PLACE,
    PRIEST_COMMITMENT,
    SEE_THE_FUTURE,
    SPACE_KINDS,
    TAILS,
    Bag,
    Pieces,
)
from coatl_tools.rules.completing import can_complete, placeable, sort_of
from coatl_tools.rules.events import (
    UNKNOWN,
    Action,
    AdamTurn,
    Answer,
    Attach,
    Begin,
    ChooseCard,
    Complete,
    DealAdam,
    DealProphecy,
    DealTemple,
    Discard,
    DrawCard,
    Drawn,
    EndTurn,
    Event,
    Keep,
    Pass,
    PerfectPick,
    PlaceProphecy,
    PriestCommitment,
    Reveal,
    SeeTheFuture,
    TakePieces,
    TurnUpProphecy,
    TurnUpTemple,
)
from coatl_tools.rules.flow import cards_to_draw
from coatl_tools.rules.game import Ids
from coatl_tools.rules.golden import goldens
from coatl_tools.rules.hidden import (
    hidden_in,
    known_in,
    may_all_be,
    may_hold,
    possible_in_deck,
    possible_in_hand,
)
from coatl_tools.rules.prophecies import choices, reveal
from coatl_tools.rules.state import (
    ADAMS_TURN,
    ASSEMBLING,
    BETWEEN,
    CHOOSING,
    CLOSING,
    DISCARDING,
    MUST_CHOOSE,
    OVER,
    READY,
    AdamDraw,
    DealDraw,
    DeckDraw,
    FillDraw,
    PileDraw,
    Player,
    State,
    SupplyDraw,
    TempleDraw,
)
from coatl_tools.rules.supply_board import fills
from coatl_tools.rules.tokens import may_use_tokens

_TAKES = tuple(TakePieces(space) for space in range(1, len(SPACE_KINDS) + 1))
_DRAW, _END, _PASS, _COMPLETE, _ADAM = DrawCard(), EndTurn(), Pass(), Complete(), AdamTurn()
_SEE_THE_FUTURE = SeeTheFuture()
_NEED_CARDS = (PlaceProphecy, Attach)  # what may hang on a card of the hand
_PAIRS = tuple(PerfectPick(pair) for pair in combinations_with_replacement(BODIES, 2))
_SINGLES = tuple(PerfectPick((piece,)) for piece in HEADS + TAILS)
_place = lru_cache(maxsize=4096)(PlaceProphecy)


@lru_cache(maxsize=256)
def _chooses(supply: Ids) -> tuple[ChooseCard, ...]:
    return tuple(ChooseCard(card) for card in dict.fromkeys(supply))


@lru_cache(maxsize=256)
def _chooses_in_row(supply: Ids) -> tuple[ChooseCard, ...]:
    """In a solo game it matters which of two identical cards is taken (rule 7.2)."""
    return tuple(
        ChooseCard(card, supply[: place + 1].count(card)) for place, card in enumerate(supply)
    )


@lru_cache(maxsize=4096)
def _begins(pieces: Pieces) -> tuple[Begin, ...]:
    return tuple(Begin(piece) for piece in pieces)


@lru_cache(maxsize=4096)
def _at_head(pieces: Pieces, coatl: int) -> tuple[Attach, ...]:
    return tuple(Attach(piece, coatl, "head") for piece in pieces)


@lru_cache(maxsize=4096)
def _at_tail(pieces: Pieces, coatl: int) -> tuple[Attach, ...]:
    return tuple(Attach(piece, coatl, "tail") for piece in pieces)


def legal_actions(state: State) -> list[Event]:
    """Every event that may come next, in a fixed order; empty when the game is over."""
    if state.draws:
        return [*answers(state)]
    stage = state.stage
    if stage is OVER:
        return []
    found: list[Event]
    found = [_ADAM] if stage is ADAMS_TURN else _decisions(state, state.players[state.turn])
    if state.game.hidden_hands:
        found += reveals(state)
    return found


def _decisions(state: State, player: Player) -> list[Event]:
    """What the player whose turn it is may decide."""
    stage = state.stage
    found: list[Event]
    if stage is READY or stage is BETWEEN:
        found = [*_takes(state, player)]
        found += _choices(state, player)
        found += _steps(state, player)
        found += _others(state, player)
        if stage is BETWEEN:
            found.append(_END)
        elif not found or (state.game.hidden_hands and _may_pass(state, player, found)):
            found.append(_PASS)
    elif stage is ASSEMBLING:
        found = [*_steps(state, player), _END]
        if state.actions:
            found += _takes(state, player) + _choices(state, player) + _others(state, player)
    elif stage is CHOOSING:
        found = [*_choices(state, player), _END]
        if state.actions:
            found += _takes(state, player) + _steps(state, player) + _others(state, player)
    elif stage is CLOSING:
        found = [*_closing(state, player)]
    elif stage is MUST_CHOOSE:
        found = [*_choices(state, player)]
    elif stage is DISCARDING:
        found = [Discard(cards) for cards in choices(state, len(player.hand))]
    else:  # KEEPING
        least = KEPT if state.game.solo else 0  # rule 7.1
        found = [Keep(cards) for cards in choices(state, KEPT) if len(cards) >= least]
    return found


def _takes(state: State, player: Player) -> list[Action]:
    room = BOARD_SPACES - len(player.board)
    if not room:
        return []
    takes = zip(_TAKES, state.spaces, strict=True)
    if room >= MOST_PER_SPACE:
        return [take for take, pieces in takes if pieces]
    return [take for take, pieces in takes if 0 < len(pieces) <= room]


def _choices(state: State, player: Player) -> list[Action]:
    if len(player.hand) >= state.game.hand_limit:
        return []
    chooses = (_chooses_in_row if state.game.solo else _chooses)(state.supply)
    if state.deck or cards_to_draw(state):
        return [*chooses, _DRAW]
    return [*chooses]


def _steps(state: State, player: Player) -> list[Action]:
    """The steps of an assembly."""
    found: list[Action] = []
    coatls, game = player.coatls, state.game
    heads, bodies, tails = _sorted_out(player.board)
    open_coatls = [(n, coatl) for n, coatl in enumerate(coatls, start=1) if not coatl.complete]
    if len(open_coatls) < OPEN_COATLS and len(coatls) < game.coatl_limit:
        found += _begins(heads + bodies + tails)
    cards, fitting = may_hold(state, player), game.fitting
    for number, coatl in open_coatls:
        text, placed = coatl.text, coatl.prophecies
        head, tail = text[0] == "<", text[-1] == ">"
        # rule 3.10: what closes a Cóatl finds a body segment there, and enough Prophecy cards or
        # such that may be placed
        lone, bare = len(text) == len("<R"), len(placed) < game.least_prophecies
        if not head:
            found += _at_head(bodies, number)
            if heads and not (tail and lone):
                if tail and bare:
                    closed = [piece + text for piece in heads]
                    fit = _completable(state, player, cards, closed, placed)
                    found += _at_head(tuple(compress(heads, fit)), number)
                else:
                    found += _at_head(heads, number)
        if not tail:
            found += _at_tail(bodies, number)
            if tails and not (head and lone):
                if head and bare:
                    closed = [text + piece for piece in tails]
                    fit = _completable(state, player, cards, closed, placed)
                    found += _at_tail(tuple(compress(tails, fit)), number)
                else:
                    found += _at_tail(tails, number)
        if cards:
            found += [_place(card, number) for card in fitting(text, cards, placed)]
    return found


def _completable(
    state: State, player: Player, cards: Ids, closed: list[str], placed: Ids
) -> list[bool]:
    """Which of these closed Cóatls can be completed with cards that the player may have."""
    if state.game.least_prophecies > 1:
        return [can_complete(state, player, text, placed) for text in closed]
    fitting = state.game.fitting
    return [bool(fitting(text, cards, placed)) for text in closed]


def _sorted_out(board: Pieces) -> tuple[Pieces, Pieces, Pieces]:
    """The different heads, bodies and tails of a board."""
    heads, bodies, tails = [], [], []
    for piece in dict.fromkeys(board):
        if piece[0] == "<":
            heads.append(piece)
        elif piece[-1] == ">":
            tails.append(piece)
        elif piece != FEATHER:
            bodies.append(piece)
    return tuple(heads), tuple(bodies), tuple(tails)


def _others(state: State, player: Player) -> list[Action]:
    """Tokens and the action of a golden segment."""
    found: list[Action] = []
    tokens = player.tokens
    if tokens and may_use_tokens(state):
        if PERFECT_PICK in tokens:
            found += _picks(state, BOARD_SPACES - len(player.board))
        if SEE_THE_FUTURE in tokens:
            found.append(_SEE_THE_FUTURE)
        if PRIEST_COMMITMENT in tokens:
            found += [PriestCommitment(n) for n, pile in enumerate(state.piles, 1) if pile.top]
    if state.game.options.golden_feathers:
        found += goldens(state)
    return found


def _picks(state: State, room: int) -> list[PerfectPick]:
    found: list[PerfectPick] = []
    if room >= 2:
        bodies = state.bodies[: len(BODIES)]
        found += _PAIRS if min(bodies) > 1 else [pick for pick in _PAIRS if _in(bodies, pick)]
    if room >= 1:
        found += [
            pick for pick, left in zip(_SINGLES, state.heads + state.tails, strict=True) if left
        ]
    return found


def _in(bodies: Bag, pick: PerfectPick) -> bool:
    """Whether the bag has both segments of a pick."""
    first, second = (PLACE[piece] for piece in pick.pieces)
    return bodies[first] > (first == second) and bodies[second] > 0


def _may_pass(state: State, player: Player, found: list[Event]) -> bool:
    """With hidden cards, whether it may be that nothing can be done (rulings 9.2, 9.17)."""
    if not hidden_in(player.hand[:1]) or not all(isinstance(e, _NEED_CARDS) for e in found):
        return False
    sure = player._replace(hand=known_in(player.hand))
    if _steps(state, sure):
        return False
    useless = {
        card
        for card in possible_in_hand(state, player)
        if not _steps(state, sure._replace(hand=(card,)))
    }
    return may_all_be(state, state.turn, useless)


def _closing(state: State, player: Player) -> list[Action]:
    """The forced step after the closing piece (rules 3.10, 3.11)."""
    number = state.closing
    coatl = player.coatls[number - 1]
    text, placed = coatl.text, coatl.prophecies
    cards = placeable(state, player, text, placed)
    found: list[Action] = [_place(card, number) for card in cards]
    if len(placed) >= state.game.least_prophecies:
        found += temples_for(state, coatl)
        if may_skip_temple(state, coatl):
            found.append(_COMPLETE)
    return found


def reveals(state: State) -> list[Reveal]:
    """Every hidden card that may become known now, whoever has it."""
    found = []
    for index, player in enumerate(state.players):
        found += [Reveal(index, card) for card in possible_in_hand(state, player)]
        if UNKNOWN in player.temples:
            found += [Reveal(index, card) for card in dict.fromkeys(state.temples_free)]
    return found if state.stage is not CLOSING else _while_closing(state, found)


def _while_closing(state: State, found: list[Reveal]) -> list[Reveal]:
    """Those after which the Cóatl just closed can be completed; of each sort, one is tried."""
    builder = state.players[state.turn]
    coatl = builder.coatls[state.closing - 1]
    prophecies = tuple(event.card for event in found if state.game.is_prophecy(event.card))
    fitting = set(state.game.fitting(coatl.text, prophecies, coatl.prophecies))
    verdicts: dict[object, bool] = {}
    accepted = []
    for event in found:
        player, card = event.player, event.card
        sort: object = player
        if state.game.is_prophecy(card):
            owner = sort_of(state, state.players[player], card)
            sort = player, owner, sort_of(state, builder, card), card in fitting
        if sort not in verdicts:
            verdicts[sort] = _accepted(state, event)
        if verdicts[sort]:
            accepted.append(event)
    return accepted


def _accepted(state: State, event: Reveal) -> bool:
    try:
        reveal(state, event)
    except IllegalActionError:
        return False
    return True


def answers(state: State) -> list[Answer]:
    """Everything that the awaited draw may bring."""
    hidden = [UNKNOWN] if state.game.hidden_hands else []
    match state.draws[0]:
        case FillDraw(space):
            return [*fills(state, space)]
        case PileDraw(pile):
            return [TurnUpTemple(pile, card) for card in dict.fromkeys(state.temples_free)]
        case TempleDraw(player):
            cards = [*dict.fromkeys(state.temples_free), *hidden]
            return [DealTemple(player, card) for card in cards]
        case SupplyDraw():
            return [TurnUpProphecy(card) for card in possible_in_deck(state)]
        case AdamDraw():
            return [DealAdam(card) for card in possible_in_deck(state)]
        case DealDraw(player):
            return [DealProphecy(player, card) for card in possible_in_deck(state) + hidden]
        case DeckDraw():
            return [Drawn(card) for card in possible_in_deck(state) + hidden]
