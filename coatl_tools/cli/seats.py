"""A player on the screen, and A.D.A.M.: board, hand, Cóatls, and what they are worth now."""

from __future__ import annotations

from rich.text import Text

from coatl_tools.cards.card import Card
from coatl_tools.cli.arrange import Cell, columns, flow, indented
from coatl_tools.cli.screen import Screen
from coatl_tools.pieces import Colour
from coatl_tools.rules.box import ADAM, ADAM_NAME, BOARD_SPACES, COLOURS
from coatl_tools.rules.ending import CoatlResult, coatl_result, standing
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.game import Game
from coatl_tools.rules.needs import Needs, lacking
from coatl_tools.rules.state import Adam
from coatl_tools.rules.views import Seat, View

INDENT = "  "
FREE = "·"


def card_cell(card: Card, screen: Screen, before: str = "", worth: int | None = None) -> Cell:
    """A card: its tag, what it asks, what its levels pay, and what it is worth now."""
    end = Text(screen.levels(card))
    if worth is not None:
        end = Text.assemble(end, " = ", (str(worth), "bold"))
    lead = Text.assemble((before, "bold"), screen.tag(card), "  " if card.colour is None else "")
    return Cell(lead, screen.asks(card.requirement, brief=True), end)


def seat_lines(index: int, shown: View, game: Game, screen: Screen) -> list[Text]:
    """A player; in full the viewer or, where there is none, the one whose turn it is."""
    seat = shown.seats[index]
    whole = game.solo or index == (shown.turn if shown.player is None else shown.player)
    room = screen.width - len(INDENT)
    lines = [
        *flow(_board(seat, screen), screen.console, room, "   "),
        *columns(_hand(seat, game, screen), screen.console, room),
    ]
    for number, built in enumerate(seat.coatls, start=1):
        found = coatl_result(game, built)
        lines += coatl_lines(number, found, screen, whole, room)
    title = flow(_title(index, shown, game, screen), screen.console, room, " · ")
    return [*indented(title, _mark(index, shown)), *indented(lines, Text(INDENT))]


def _title(index: int, shown: View, game: Game, screen: Screen) -> list[Text]:
    seat = shown.seats[index]
    you = screen.label("you")
    parts = [Text(f"{seat.name} ({you})" if shown.player == index else seat.name, "bold")]
    if index == game.order[0] and not game.solo:
        parts.append(Text(screen.label("first_player")))
    points = standing(game, shown.seats, shown.adam).players[index].points
    parts.append(Text(screen.language.card("points", points)))
    if seat.feathers:
        parts.append(Text(screen.label("golden_beside", seat.feathers)))
    if shown.options.tokens:
        names = [screen.label(token) for token in seat.tokens] or [screen.label("none")]
        parts.append(Text(screen.label("tokens_left", tokens=", ".join(names))))
    return parts


def _mark(index: int, shown: View) -> Text:
    """What marks whoever's turn it is."""
    turn = shown.turn == index and shown.awaited is not None
    return Text("▶ " if turn else INDENT, "bold")


def _board(seat: Seat, screen: Screen) -> list[Text]:
    """The pieces and the free spaces of a board, and how large the hand is."""
    pieces = [screen.piece(piece) for piece in seat.board]
    free = [Text(FREE)] * (BOARD_SPACES - len(pieces))
    hidden = (*seat.hand, *seat.temples).count(UNKNOWN)
    hand = [screen.label("hand_of", len(seat.hand))]
    hand += [screen.label("temples_of", len(seat.temples))] if seat.temples else []
    hand += [screen.label("hidden", hidden)] if hidden else []
    return [
        Text.assemble((screen.label("board"), "bold"), " ", screen.row([*pieces, *free])),
        Text.assemble((screen.label("hand"), "bold"), " ", ", ".join(hand)),
    ]


def _hand(seat: Seat, game: Game, screen: Screen) -> list[Cell]:
    known = [card for card in (*seat.hand, *seat.temples) if card != UNKNOWN]
    return [card_cell(game.by_id[card], screen) for card in known]


def coatl_lines(
    number: int, found: CoatlResult, screen: Screen, whole: bool, room: int
) -> list[Text]:
    """A Cóatl with its number, what it is worth, and its cards: in full, or their points only."""
    label = Text(f"{number} ", "bold")
    parts = [_drawn(found.coatl, screen)]
    if not whole:
        for score in found.cards:
            worth = (str(score.points), "bold")
            parts.append(Text.assemble(screen.tag(score.card), " ", worth))
    parts.append(_worth(found, screen))
    lines = indented(flow(parts, screen.console, room - len(label), "  "), label)
    if whole and found.cards:
        cells = [card_cell(score.card, screen, worth=score.points) for score in found.cards]
        inner = columns(cells, screen.console, room - len(label))
        lines += indented(inner, Text(" " * len(label)))
    return lines


def _drawn(coatl: str, screen: Screen) -> Text:
    pieces = screen.row(screen.colour(Colour[letter]) for letter in coatl.strip("<>"))
    return Text.assemble("<" * (coatl[0] == "<"), pieces, ">" * (coatl[-1] == ">"))


def _worth(found: CoatlResult, screen: Screen) -> Text:
    points = screen.language.card("points", found.points)
    if found.complete:
        return Text.assemble("✓ ", screen.label("coatl_complete", points=points), style="bold")
    later = sum(score.points for score in found.cards)
    if not found.cards:
        return Text(screen.label("coatl_bare"))
    return Text(screen.label("coatl_open", points=points, later=later))


def adam_lines(adam: Adam, shown: View, game: Game, screen: Screen) -> list[Text]:
    """A.D.A.M.'s row: the pieces on each card and what it still lacks; what it has fulfilled."""
    title = [Text(ADAM_NAME, "bold")]
    points = sum(map(game.top_points, adam.fulfilled))
    title.append(Text(screen.language.card("points", points)))
    title.append(Text(screen.label("fulfilled", len(adam.fulfilled))))
    title.append(Text(screen.label("out_of_the_game", len(adam.discarded))))
    lines: list[Text] = []
    room = screen.width - len(INDENT)
    for number, (card, pieces) in enumerate(adam.row, start=1):
        label = Text.assemble((f"{number} ", "bold"), screen.tag(game.by_id[card]), " ")
        lacks = _needs(lacking(game.needs[card], pieces), screen)
        parts = [screen.row(map(screen.piece, pieces))] if pieces else []
        parts.append(Text.assemble(screen.label("lacks"), " ", lacks))
        parts.append(Text(screen.language.card("points", game.top_points(card))))
        lines += indented(flow(parts, screen.console, room - label.cell_len, " · "), label)
    if adam.fulfilled:
        done = [
            Text.assemble(screen.tag(game.by_id[card]), " ", (str(game.top_points(card)), "bold"))
            for card in adam.fulfilled
        ]
        lines += indented(flow(done, screen.console, room - 2), Text("✓ "))
    return [
        *indented(flow(title, screen.console, room, " · "), _mark(ADAM, shown)),
        *indented(lines, Text(INDENT)),
    ]


def _needs(needs: Needs, screen: Screen) -> Text:
    *colours, white = needs
    parts = [
        Text.assemble(f"{number}×", screen.colour(Colour[colour]))
        for colour, number in zip(COLOURS, colours, strict=True)
        if number
    ]
    return screen.row([*parts, f"{white}×*"] if white else parts)
