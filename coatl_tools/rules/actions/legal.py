"""Everything that may happen next: legal actions, and the answers that a draw may get.

`apply_event` checks each event on its own; the two are written apart, and tests compare them.
Values that are listed over and over are made once and cached.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, compress

from coatl_tools.errors import IllegalActionError
from coatl_tools.pieces import joins_head_to_tail
from coatl_tools.rules.actions.assembly import can_skip_temple, list_placeable_temples
from coatl_tools.rules.actions.golden_feathers import list_golden_actions
from coatl_tools.rules.actions.prophecies import (
    can_complete,
    get_card_equivalence,
    list_card_choices,
    list_placeable_prophecies,
    reveal_card,
)
from coatl_tools.rules.actions.supply_board import list_fills
from coatl_tools.rules.actions.tokens import can_use_tokens
from coatl_tools.rules.actions.turns import (
    count_drawable_cards,
    is_secret_draw,
    make_draw_answer,
)
from coatl_tools.rules.constants import (
    BAG_INDEX,
    BOARD_SPACES,
    BODIES,
    FEATHER,
    HEADS,
    MAX_OPEN_COATLS,
    MAX_PIECES_PER_SPACE,
    PERFECT_PICK,
    PRIEST_COMMITMENT,
    PROPHECIES_KEPT,
    SEE_THE_FUTURE,
    SPACE_KINDS,
    TAILS,
    Bag,
    Pieces,
)
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    Action,
    AdamTurn,
    AttachPiece,
    BeginCoatl,
    ChooseCard,
    CompleteCoatl,
    Discard,
    DrawCard,
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
)
from coatl_tools.rules.game import CardIds
from coatl_tools.rules.hidden_cards import (
    can_all_hidden_be,
    list_hidden_card_candidates,
    list_known_or_possible_hand,
    list_possible_in_deck,
    select_hidden,
    select_known,
)
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
    TEMPLE_DRAWS,
    FillDraw,
    GameState,
    Player,
)

_TAKES = tuple(TakePieces(space) for space in range(1, len(SPACE_KINDS) + 1))
_DRAW, _END, _PASS, _COMPLETE, _ADAM = DrawCard(), EndTurn(), Pass(), CompleteCoatl(), AdamTurn()
_SEE_THE_FUTURE = SeeTheFuture()
_CARD_DEPENDENT = (PlaceProphecy, AttachPiece)  # what may depend on a card of the hand
_BODY_PICKS = tuple(PerfectPick(pair) for pair in combinations_with_replacement(BODIES, 2))
_END_PICKS = tuple(PerfectPick((piece,)) for piece in HEADS + TAILS)
_make_place_prophecy = lru_cache(maxsize=4096)(PlaceProphecy)


@lru_cache(maxsize=256)
def _list_chooses(supply: CardIds) -> tuple[ChooseCard, ...]:
    return tuple(ChooseCard(card) for card in dict.fromkeys(supply))


@lru_cache(maxsize=256)
def _list_chooses_in_row(supply: CardIds) -> tuple[ChooseCard, ...]:
    """List the choices of a solo game, where identical cards are different choices (rule 7.2)."""
    return tuple(
        ChooseCard(card, supply[: place + 1].count(card)) for place, card in enumerate(supply)
    )


@lru_cache(maxsize=4096)
def _list_begins(pieces: Pieces) -> tuple[BeginCoatl, ...]:
    return tuple(BeginCoatl(piece) for piece in pieces)


@lru_cache(maxsize=4096)
def _list_attach_at_head(pieces: Pieces, coatl: int) -> tuple[AttachPiece, ...]:
    return tuple(AttachPiece(piece, coatl, "head") for piece in pieces)


@lru_cache(maxsize=4096)
def _list_attach_at_tail(pieces: Pieces, coatl: int) -> tuple[AttachPiece, ...]:
    return tuple(AttachPiece(piece, coatl, "tail") for piece in pieces)


def list_legal_actions(state: GameState) -> list[Event]:
    """List every event that may come next, in a fixed order; empty when the game is over."""
    if state.draws:
        return _list_draw_answers(state)
    stage = state.stage
    if stage is OVER:
        return []
    found: list[Event]
    found = (
        [_ADAM]
        if stage is ADAMS_TURN
        else _list_decisions(state, state.players[state.current_player])
    )
    if state.game.hidden_hands:
        found += list_reveals(state)
    return found


def _list_decisions(state: GameState, player: Player) -> list[Event]:
    """List what the player whose turn it is may decide."""
    stage = state.stage
    found: list[Event]
    if stage is READY or stage is BETWEEN:
        found = [*_list_takes(state, player)]
        found += _list_card_actions(state, player)
        found += _list_assembly_steps(state, player)
        found += _list_special_actions(state, player)
        if stage is BETWEEN:
            found.append(_END)
        elif not found or (state.game.hidden_hands and _can_pass(state, player, found)):
            found.append(_PASS)
    elif stage is ASSEMBLING:
        found = [*_list_assembly_steps(state, player), _END]
        if state.actions_left:
            found += (
                _list_takes(state, player)
                + _list_card_actions(state, player)
                + _list_special_actions(state, player)
            )
    elif stage is CHOOSING:
        found = [*_list_card_actions(state, player), _END]
        if state.actions_left:
            found += (
                _list_takes(state, player)
                + _list_assembly_steps(state, player)
                + _list_special_actions(state, player)
            )
    elif stage is CLOSING:
        found = [*_list_closing_steps(state, player)]
    elif stage is MUST_CHOOSE:
        found = [*_list_card_actions(state, player)]
    elif stage is DISCARDING:
        found = [Discard(cards) for cards in list_card_choices(state, len(player.hand))]
    else:  # KEEPING
        least = PROPHECIES_KEPT if state.game.solo else 0  # rule 7.1
        found = [
            Keep(cards)
            for cards in list_card_choices(state, PROPHECIES_KEPT)
            if len(cards) >= least
        ]
    return found


def _list_takes(state: GameState, player: Player) -> list[Action]:
    room = BOARD_SPACES - len(player.board)
    if not room:
        return []
    takes = zip(_TAKES, state.spaces, strict=True)
    if room >= MAX_PIECES_PER_SPACE:
        return [take for take, pieces in takes if pieces]
    return [take for take, pieces in takes if 0 < len(pieces) <= room]


def _list_card_actions(state: GameState, player: Player) -> list[Action]:
    if len(player.hand) >= state.game.hand_limit:
        return []
    chooses = (_list_chooses_in_row if state.game.solo else _list_chooses)(state.supply)
    if state.deck or count_drawable_cards(state):
        return [*chooses, _DRAW]
    return [*chooses]


def _list_assembly_steps(state: GameState, player: Player) -> list[Action]:
    """List the steps of an assembly."""
    found: list[Action] = []
    coatls, game = player.coatls, state.game
    heads, bodies, tails = _split_by_kind(player.board)
    open_coatls = [(n, coatl) for n, coatl in enumerate(coatls, start=1) if not coatl.complete]
    if len(open_coatls) < MAX_OPEN_COATLS and len(coatls) < game.coatl_limit:
        found += _list_begins(heads + bodies + tails)
    cards, fitting = list_known_or_possible_hand(state, player), game.fitting
    for number, coatl in open_coatls:
        text, placed = coatl.text, coatl.prophecies
        head, tail = text[0] == "<", text[-1] == ">"
        # rule 3.10: a Cóatl may be closed only if it has a body segment, and enough Prophecy cards
        # beside it or in the hand
        length, bare = len(text) - head - tail + 1, len(placed) < game.least_prophecies
        if not head:
            found += _list_attach_at_head(bodies, number)
            if heads and not joins_head_to_tail(length, True, tail):
                if tail and bare:
                    closed = [piece + text for piece in heads]
                    fit = _check_completable(state, player, cards, closed, placed)
                    found += _list_attach_at_head(tuple(compress(heads, fit)), number)
                else:
                    found += _list_attach_at_head(heads, number)
        if not tail:
            found += _list_attach_at_tail(bodies, number)
            if tails and not joins_head_to_tail(length, head, True):
                if head and bare:
                    closed = [text + piece for piece in tails]
                    fit = _check_completable(state, player, cards, closed, placed)
                    found += _list_attach_at_tail(tuple(compress(tails, fit)), number)
                else:
                    found += _list_attach_at_tail(tails, number)
        if cards:
            found += [_make_place_prophecy(card, number) for card in fitting(text, cards, placed)]
    return found


def _check_completable(
    state: GameState, player: Player, cards: CardIds, closed: list[str], placed: CardIds
) -> list[bool]:
    """Tell which of these closed Cóatls can be completed with cards that the player may have."""
    if state.game.least_prophecies > 1:
        return [can_complete(state, player, text, placed) for text in closed]
    fitting = state.game.fitting
    return [bool(fitting(text, cards, placed)) for text in closed]


def _split_by_kind(board: Pieces) -> tuple[Pieces, Pieces, Pieces]:
    """Split the different pieces of a board into heads, bodies and tails."""
    heads, bodies, tails = [], [], []
    for piece in dict.fromkeys(board):
        if piece[0] == "<":
            heads.append(piece)
        elif piece[-1] == ">":
            tails.append(piece)
        elif piece != FEATHER:
            bodies.append(piece)
    return tuple(heads), tuple(bodies), tuple(tails)


def _list_special_actions(state: GameState, player: Player) -> list[Action]:
    """List the uses of tokens, and the action of a golden segment."""
    found: list[Action] = []
    tokens = player.tokens
    if tokens and can_use_tokens(state):
        if PERFECT_PICK in tokens:
            found += _list_picks(state, BOARD_SPACES - len(player.board))
        if SEE_THE_FUTURE in tokens:
            found.append(_SEE_THE_FUTURE)
        if PRIEST_COMMITMENT in tokens:
            found += [PriestCommitment(n) for n, pile in enumerate(state.piles, 1) if pile.top]
    if state.game.options.golden_feathers:
        found += list_golden_actions(state)
    return found


def _list_picks(state: GameState, room: int) -> list[PerfectPick]:
    found: list[PerfectPick] = []
    if room >= 2:
        bodies = state.bodies[: len(BODIES)]
        found += (
            _BODY_PICKS
            if min(bodies) > 1
            else [pick for pick in _BODY_PICKS if _has_both_segments(bodies, pick)]
        )
    if room >= 1:
        found += [
            pick for pick, left in zip(_END_PICKS, state.heads + state.tails, strict=True) if left
        ]
    return found


def _has_both_segments(bodies: Bag, pick: PerfectPick) -> bool:
    """Tell whether the bag has both segments of a pick."""
    first, second = (BAG_INDEX[piece] for piece in pick.pieces)
    return bodies[first] > (first == second) and bodies[second] > 0


def _can_pass(state: GameState, player: Player, found: list[Event]) -> bool:
    """Tell whether, given the hidden cards, perhaps nothing can be done (rulings 9.2, 9.17)."""
    if not select_hidden(player.hand[:1]) or not all(isinstance(e, _CARD_DEPENDENT) for e in found):
        return False
    sure = player._replace(hand=select_known(player.hand))
    if _list_assembly_steps(state, sure):
        return False
    useless = {
        card
        for card in list_hidden_card_candidates(state, player)
        if not _list_assembly_steps(state, sure._replace(hand=(card,)))
    }
    return can_all_hidden_be(state, state.current_player, useless)


def _list_closing_steps(state: GameState, player: Player) -> list[Action]:
    """List the steps of which one must follow the closing piece (rules 3.10, 3.11)."""
    number = state.closing
    coatl = player.coatls[number - 1]
    text, placed = coatl.text, coatl.prophecies
    cards = list_placeable_prophecies(state, player, text, placed)
    found: list[Action] = [_make_place_prophecy(card, number) for card in cards]
    if len(placed) >= state.game.least_prophecies:
        found += list_placeable_temples(state, coatl)
        if can_skip_temple(state, coatl):
            found.append(_COMPLETE)
    return found


def list_reveals(state: GameState) -> list[Reveal]:
    """List every hidden card that may become known now, whoever has it."""
    found = []
    for index, player in enumerate(state.players):
        found += [Reveal(index, card) for card in list_hidden_card_candidates(state, player)]
        if UNKNOWN_CARD in player.temples:
            found += [Reveal(index, card) for card in dict.fromkeys(state.unlocated_temples)]
    return found if state.stage is not CLOSING else _select_reveals_while_closing(state, found)


def _select_reveals_while_closing(state: GameState, found: list[Reveal]) -> list[Reveal]:
    """Keep the reveals after which the Cóatl just closed can be completed; try one of each sort."""
    builder = state.players[state.current_player]
    coatl = builder.coatls[state.closing - 1]
    prophecies = tuple(event.card for event in found if state.game.is_prophecy(event.card))
    fitting = set(state.game.fitting(coatl.text, prophecies, coatl.prophecies))
    verdicts: dict[object, bool] = {}
    accepted = []
    for event in found:
        player, card = event.player, event.card
        sort: object = player
        if state.game.is_prophecy(card):
            owner = get_card_equivalence(state, state.players[player], card)
            sort = player, owner, get_card_equivalence(state, builder, card), card in fitting
        if sort not in verdicts:
            verdicts[sort] = _is_accepted(state, event)
        if verdicts[sort]:
            accepted.append(event)
    return accepted


def _is_accepted(state: GameState, event: Reveal) -> bool:
    try:
        reveal_card(state, event)
    except IllegalActionError:
        return False
    return True


def _list_draw_answers(state: GameState) -> list[Event]:
    """List everything that the awaited draw may bring."""
    draw = state.draws[0]
    if isinstance(draw, FillDraw):
        return [*list_fills(state, draw.space)]
    if isinstance(draw, TEMPLE_DRAWS):
        cards = [*dict.fromkeys(state.unlocated_temples)]
    else:
        cards = list_possible_in_deck(state)
    if is_secret_draw(draw, state):
        cards.append(UNKNOWN_CARD)
    return [make_draw_answer(draw, card) for card in cards]
