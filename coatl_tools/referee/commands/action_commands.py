"""Commands for what players decide: one parser for each kind of action."""

from __future__ import annotations

from collections.abc import Callable

from coatl_tools.errors import CommandError
from coatl_tools.language import fold_letters
from coatl_tools.referee.commands.command_context import (
    CARD,
    COLOUR,
    END,
    KEYWORD,
    LETTERS,
    NUMBER,
    PIECE_WORD_KINDS,
    UNKNOWN_WORD,
    CommandContext,
    TypedWord,
)
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.rules import events
from coatl_tools.rules.constants import Pieces
from coatl_tools.rules.events import FROM_HAND, UNKNOWN_CARD, Event


def parse_action(command: CommandContext) -> tuple[Event, ...]:
    """Parse the events that a command stands for; CommandError says how it is written."""
    strange = command.words_of_kind(UNKNOWN_WORD)
    if strange and command.key not in ("reveal", "golden"):
        raise command.make_error("commands.word", word=strange[0].text[:40])
    if command.key in _ACTION_PARSERS:
        return _ACTION_PARSERS[command.key](command)
    if any(token.value != "coatl" for token in command.typed_words):
        raise command.make_error("commands.shape")
    return (_ACTIONS_WITHOUT_ARGUMENTS[command.key](),)


def parse_take(command: CommandContext) -> tuple[Event, ...]:
    """Parse a space by its number, or by what lies there."""
    named = command.words_of_kind(*PIECE_WORD_KINDS)
    if command.words_of_kind(CARD):
        return parse_choose_cards(command)
    if named and not command.words_of_kind(NUMBER):
        wanted = sorted(command.parse_pieces(named))
        for number, lying in enumerate(command.state.spaces, start=1):
            if sorted(lying) == wanted:
                return (events.TakePieces(number),)
    return (events.TakePieces(command.get_single_number()),)


def parse_keep(command: CommandContext) -> tuple[Event, ...]:
    """Parse the dealt cards to keep, by id or place; only their number where hands are hidden."""
    return (events.Keep(_parse_hand_cards(command)),)


def parse_discard(command: CommandContext) -> tuple[Event, ...]:
    """Parse cards of the hand, by id or place; only their number where hands are hidden."""
    return (events.Discard(_parse_hand_cards(command)),)


def _parse_hand_cards(command: CommandContext) -> tuple[str, ...]:
    hand = command.get_player().hand
    command.reject_other_kinds(NUMBER, CARD, KEYWORD)
    words = [token.value for token in command.words_of_kind(KEYWORD)]
    if words == ["none"]:
        return ()
    if words == ["all"]:
        return tuple(UNKNOWN_CARD if card[0] == UNKNOWN_CARD else card for card in hand)
    numbers = [token.number for token in command.words_of_kind(NUMBER)]
    cards = tuple(token.value for token in command.words_of_kind(CARD))
    if numbers == [0] and not cards and not words:
        return ()
    if words or not (numbers or cards):
        raise command.make_error("commands.shape")
    if any(card[0] == UNKNOWN_CARD for card in hand):
        if len(numbers) > 1 or (numbers and cards):
            raise command.make_error("commands.shape")
        return cards + (UNKNOWN_CARD,) * min(sum(numbers), len(hand) + 1)
    if any(not 1 <= number <= len(hand) for number in numbers):
        raise command.make_error("commands.shape")
    return cards + tuple(hand[number - 1] for number in numbers)


def parse_choose_cards(command: CommandContext) -> tuple[Event, ...]:
    """Parse cards of the supply, by place or id, and `deck` for each drawn blind."""
    command.reject_other_kinds(NUMBER, CARD, KEYWORD)
    found: list[Event] = []
    left = dict(enumerate(command.state.supply, start=1))  # what still lies at which place
    tokens = list(command.typed_words)
    while tokens:
        token = tokens.pop(0)
        if token.value == "deck":
            found.append(events.DrawCard())
        elif token.kind == CARD:
            copy = 1
            if [other.value or other.kind for other in tokens[:2]] == ["copy", NUMBER]:
                copy, tokens = tokens[1].number, tokens[2:]
            found.append(events.ChooseCard(token.value, copy))
            left.pop(next((p for p, card in left.items() if card == token.value), 0), None)
        elif token.kind == NUMBER and token.number in left:
            card = left[token.number]
            copy = sum(c == card and p <= token.number for p, c in left.items())
            found.append(events.ChooseCard(card, copy if command.state.game.solo else 1))
            del left[token.number]
        elif token.kind == NUMBER:
            places = len(command.state.supply)
            raise CommandError("commands.no_supply", place=token.number, n=places)
        else:
            raise command.make_error("commands.word", word=token.text)
    if not found:
        raise command.make_error("commands.shape")
    return tuple(found)


def parse_draw_card(command: CommandContext) -> tuple[Event, ...]:
    """Parse how many cards are drawn from the deck: one, or the number given."""
    command.reject_other_kinds(NUMBER, KEYWORD)
    number = command.get_single_number() if command.words_of_kind(NUMBER) else 1
    if not 1 <= number <= command.state.game.hand_limit:
        raise command.make_error("commands.shape")
    return (events.DrawCard(),) * number


def parse_begin(command: CommandContext) -> tuple[Event, ...]:
    """Parse a new Cóatl: its first piece, and those that follow towards the tail."""
    command.reject_other_kinds(*PIECE_WORD_KINDS, KEYWORD)
    first, *others = command.parse_pieces(command.words_of_kind(*PIECE_WORD_KINDS))
    coatl = len(command.get_player().coatls) + 1
    return (
        events.BeginCoatl(first),
        *(events.AttachPiece(piece, coatl, "tail") for piece in others),
    )


def parse_attach(command: CommandContext) -> tuple[Event, ...]:
    """Parse pieces for one end of a Cóatl, written from head to tail."""
    command.reject_other_kinds(*PIECE_WORD_KINDS, NUMBER, KEYWORD)
    named, end = _split_pieces_and_end(command)
    pieces = command.parse_pieces(named)
    numbers = [token.number for token in command.words_of_kind(NUMBER)]
    if len(numbers) > 1:
        raise command.make_error("commands.shape")
    coatl = numbers[0] if numbers else command.infer_coatl(command.list_open_coatls())
    end = end or _infer_end(command, pieces, coatl)
    outwards = pieces if end == "tail" else pieces[::-1]
    return tuple(events.AttachPiece(piece, coatl, end) for piece in outwards)


def _split_pieces_and_end(command: CommandContext) -> tuple[list[TypedWord], str]:
    """Split a command into the words for pieces, and the end that is named behind them.

    “head” and “tail” name an end behind a number, behind “to”, or behind letters.
    """
    named: list[TypedWord] = []
    end, behind = "", False
    for token in command.typed_words:
        if token.kind == END and (behind or (named and named[-1].kind == LETTERS)):
            end = token.value
        elif token.kind in PIECE_WORD_KINDS:
            named.append(token)
        elif token.kind == NUMBER or token.value == "to":
            behind = bool(named)
    return named, end


def _infer_end(command: CommandContext, pieces: Pieces, coatl: int) -> str:
    """Return the only end that these pieces can go to; CommandError if both are possible."""
    if pieces[0][0] == "<":
        return "head"
    if pieces[-1][-1] == ">":
        return "tail"
    coatls = command.get_player().coatls
    text = coatls[coatl - 1].text if 1 <= coatl <= len(coatls) else ""
    if text[:1] == "<":
        return "tail"
    if text[-1:] == ">":
        return "head"
    example = format_command(events.AttachPiece(pieces[0], coatl, "tail"), command.lang)
    raise CommandError("commands.which_end", example=example)


def parse_place_prophecy(command: CommandContext) -> tuple[Event, ...]:
    """Parse Prophecy cards to place beside a Cóatl; pieces that people place are attached."""
    if command.words_of_kind(LETTERS, COLOUR) and not command.words_of_kind(CARD):
        return parse_attach(command)
    command.reject_other_kinds(CARD, NUMBER, KEYWORD)
    cards = [token.value for token in command.words_of_kind(CARD)]
    numbers = [token.number for token in command.words_of_kind(NUMBER)]
    if not cards or len(numbers) > 1:
        raise command.make_error("commands.shape")
    coatl = numbers[0] if numbers else _infer_coatl_for_card(command, cards[0])
    return tuple(events.PlaceProphecy(card, coatl) for card in cards)


def _infer_coatl_for_card(command: CommandContext, card: str) -> int:
    """Infer which Cóatl is meant; where several are open, the only one that the card fits."""
    state = command.state
    coatls = command.get_player().coatls
    among = command.list_open_coatls()
    if len(among) > 1 and card in state.game.by_id and not command.last_coatl:
        fitting = [
            number
            for number in among
            if state.game.fitting(coatls[number - 1].text, (card,), coatls[number - 1].prophecies)
        ]
        among = fitting or among
    return command.infer_coatl(among, events.PlaceProphecy(card, 1))


def parse_place_temple(command: CommandContext) -> tuple[Event, ...]:
    """Parse a Temple card beside the Cóatl just closed: from the hand, else from its pile."""
    command.reject_other_kinds(CARD, NUMBER, KEYWORD)
    state, player = command.state, command.get_player()
    cards = [token.value for token in command.words_of_kind(CARD)]
    coatl, pile = 0, 0
    after_pile = False
    for token in command.typed_words:
        if token.kind == NUMBER:
            pile, coatl = (token.number, coatl) if after_pile else (pile, token.number)
        after_pile = token.value == "pile"
    if not cards and 1 <= pile <= len(state.piles) and state.piles[pile - 1].top:
        cards = [state.piles[pile - 1].top]
    if len(cards) != 1:
        raise command.make_error("commands.shape")
    if not pile and cards[0] not in player.temples:
        tops = [number for number, p in enumerate(state.piles, start=1) if p.top == cards[0]]
        pile = tops[0] if tops else FROM_HAND
    coatl = coatl or state.closing or command.infer_coatl(command.list_open_coatls())
    return (events.PlaceTemple(cards[0], coatl, pile),)


def parse_perfect_pick(command: CommandContext) -> tuple[Event, ...]:
    """Parse pieces of one's choice from a bag."""
    command.reject_other_kinds(*PIECE_WORD_KINDS, KEYWORD)
    return (events.PerfectPick(command.parse_pieces(command.words_of_kind(*PIECE_WORD_KINDS))),)


def parse_priest_commitment(command: CommandContext) -> tuple[Event, ...]:
    """Parse the top card of a Temple pile, by the pile or by the card."""
    command.reject_other_kinds(CARD, NUMBER, KEYWORD)
    cards = [token.value for token in command.words_of_kind(CARD)]
    tops = [pile.top for pile in command.state.piles]
    if len(cards) == 1 and cards[0] in tops:
        return (events.PriestCommitment(tops.index(cards[0]) + 1),)
    return (events.PriestCommitment(command.get_single_number()),)


def parse_lay_golden(command: CommandContext) -> tuple[Event, ...]:
    """Parse an opponent, by number or name, and body segments of theirs."""
    player, rest = _split_player(command)
    if player is None:
        others = [n for n in range(command.state.game.size) if n != command.state.current_player]
        if len(others) != 1:
            raise command.make_error("commands.shape")
        player = others[0]
    return (
        events.LayGolden(
            player, command.parse_pieces([t for t in rest if t.kind in PIECE_WORD_KINDS])
        ),
    )


def parse_reveal(command: CommandContext) -> tuple[Event, ...]:
    """Parse revealed cards of a player, given by number or name, or of whoever's turn it is."""
    player, rest = _split_player(command)
    cards = [token.value for token in rest if token.kind == CARD]
    if not cards or len(cards) != len(rest):
        raise command.make_error("commands.shape")
    if player is None:
        player = (
            command.state.current_player
            if command.state.current_player < command.state.game.size
            else 0
        )
    return tuple(events.Reveal(player, card) for card in cards)


def _split_player(command: CommandContext) -> tuple[int | None, list[TypedWord]]:
    """Split a command into the player that it begins with, None if there is none, and the rest."""
    names = [fold_letters(name).split() for name in command.state.game.options.players]
    words = [fold_letters(word) for word in command.raw_words]
    for index in sorted(range(len(names)), key=lambda index: -len(names[index])):
        if names[index] == words[: len(names[index])] and not names[index][0].isdigit():
            return index, command.classify_rest(len(names[index]))
    if command.typed_words and command.typed_words[0].kind == NUMBER:
        return command.typed_words[0].number - 1, command.typed_words[1:]
    if command.typed_words and command.typed_words[0].kind == UNKNOWN_WORD:
        raise CommandError(
            "commands.no_player",
            name=command.typed_words[0].text[:40],
            names=", ".join(command.state.game.options.players),
        )
    return None, command.typed_words


_ACTION_PARSERS: dict[str, Callable[[CommandContext], tuple[Event, ...]]] = {
    "keep": parse_keep,
    "take": parse_take,
    "cards": parse_choose_cards,
    "draw": parse_draw_card,
    "begin": parse_begin,
    "add": parse_attach,
    "play": parse_place_prophecy,
    "temple": parse_place_temple,
    "pick": parse_perfect_pick,
    "discard": parse_discard,
    "priest": parse_priest_commitment,
    "golden": parse_lay_golden,
    "reveal": parse_reveal,
}
_ACTIONS_WITHOUT_ARGUMENTS: dict[str, Callable[[], Event]] = {
    "complete": events.CompleteCoatl,
    "future": events.SeeTheFuture,
    "pass": events.Pass,
    "end": events.EndTurn,
    "adam": events.AdamTurn,
}
