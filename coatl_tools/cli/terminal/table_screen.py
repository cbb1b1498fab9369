"""Draw a table in a terminal: Supply board, cards, players, A.D.A.M., and the result of a game."""

from __future__ import annotations

from collections.abc import Iterable

from rich.padding import Padding
from rich.text import Text

from coatl_tools.cards.card import Card
from coatl_tools.cli.terminal.screen import NARROW_WIDTH, GridColumn, Screen
from coatl_tools.cli.terminal.text_layout import (
    CELL_GAP,
    TextCell,
    arrange_in_columns,
    flow_parts,
    indent_lines,
    wrap_text,
)
from coatl_tools.errors import Phrase, escape_unprintable
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour
from coatl_tools.referee.presentation.result_text import (
    phrase_verdict,
    rank_players,
)
from coatl_tools.referee.presentation.table_text import phrase_headline, phrase_status
from coatl_tools.rules.constants import (
    ADAM_INDEX,
    ADAM_NAME,
    BOARD_SPACES,
    BODIES,
    BODY,
    COLOURS,
    HEAD,
    HEADS,
    PIECES_OF_KIND,
    PIECES_PER_SPACE,
    TAIL,
    TAILS,
)
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import (
    AdamResult,
    CoatlResult,
    GameResult,
    PlayerResult,
    compute_coatl_result,
    compute_standing,
)
from coatl_tools.rules.solo.needs import Needs, find_open_needs
from coatl_tools.rules.state import Adam
from coatl_tools.rules.views import Seat, View
from coatl_tools.scoring.score import CardScore
from coatl_tools.scoring.score_sheet import describe_scoreboard_place

LINE_INDENT = "  "
FREE_SPACE_SIGN = "·"


def render_card_cell(
    card: Card, screen: Screen, before: str = "", worth: int | None = None
) -> TextCell:
    """Render a card: its tag, what it asks, what its levels pay, and what it is worth now."""
    end = Text(screen.format_levels(card))
    if worth is not None:
        end = Text.assemble(end, " = ", (str(worth), "bold"))
    lead = Text.assemble(
        (before, "bold"), screen.render_card_id(card), "  " if card.colour is None else ""
    )
    return TextCell(lead, screen.render_requirement(card.requirement, brief=True), end)


def render_player(index: int, view: View, game: Game, screen: Screen) -> list[Text]:
    """Render a player; in full if it is the viewer or, without a viewer, whose turn it is."""
    seat = view.seats[index]
    whole = game.solo or index == (view.current_player if view.player is None else view.player)
    room = screen.width - len(LINE_INDENT)
    lines = [
        *flow_parts(_render_board(seat, screen), screen.console, room, "   "),
        *arrange_in_columns(_render_hand(seat, game, screen), screen.console, room),
    ]
    for number, built in enumerate(seat.coatls, start=1):
        found = compute_coatl_result(game, built)
        lines += render_coatl_lines(number, found, screen, whole, room)
    title = flow_parts(_render_player_title(index, view, game, screen), screen.console, room, " · ")
    return [
        *indent_lines(title, _render_turn_sign(index, view)),
        *indent_lines(lines, Text(LINE_INDENT)),
    ]


def _render_player_title(index: int, view: View, game: Game, screen: Screen) -> list[Text]:
    seat = view.seats[index]
    you = screen.label("you")
    parts = [Text(f"{seat.name} ({you})" if view.player == index else seat.name, "bold")]
    if index == game.order[0] and not game.solo:
        parts.append(Text(screen.label("first_player")))
    points = compute_standing(game, view.seats, view.adam).players[index].points
    parts.append(Text(screen.language.card("points", points)))
    if seat.feathers:
        parts.append(Text(screen.label("golden_beside", seat.feathers)))
    if view.options.tokens:
        names = [screen.label(token) for token in seat.tokens] or [screen.label("none")]
        parts.append(Text(screen.label("tokens_left", tokens=", ".join(names))))
    return parts


def _render_turn_sign(index: int, view: View) -> Text:
    """Render the sign before the player whose turn it is."""
    turn = view.current_player == index and view.awaited is not None
    return Text("▶ " if turn else LINE_INDENT, "bold")


def _render_board(seat: Seat, screen: Screen) -> list[Text]:
    """Render the pieces and the free spaces of a board, and how large the hand is."""
    pieces = [screen.render_piece(piece) for piece in seat.board]
    free = [Text(FREE_SPACE_SIGN)] * (BOARD_SPACES - len(pieces))
    hidden = (*seat.hand, *seat.temples).count(UNKNOWN_CARD)
    hand = [screen.label("hand_of", len(seat.hand))]
    hand += [screen.label("temples_of", len(seat.temples))] if seat.temples else []
    hand += [screen.label("hidden", hidden)] if hidden else []
    return [
        Text.assemble((screen.label("board"), "bold"), " ", screen.join_parts([*pieces, *free])),
        Text.assemble((screen.label("hand"), "bold"), " ", ", ".join(hand)),
    ]


def _render_hand(seat: Seat, game: Game, screen: Screen) -> list[TextCell]:
    known = [card for card in (*seat.hand, *seat.temples) if card != UNKNOWN_CARD]
    return [render_card_cell(game.by_id[card], screen) for card in known]


def render_coatl_lines(
    number: int, found: CoatlResult, screen: Screen, whole: bool, room: int
) -> list[Text]:
    """Render a Cóatl with its number and value, and its cards in full or only their points."""
    label = Text(f"{number} ", "bold")
    parts = [_render_coatl_pieces(found.coatl, screen)]
    if not whole:
        for score in found.cards:
            worth = (str(score.points), "bold")
            parts.append(Text.assemble(screen.render_card_id(score.card), " ", worth))
    parts.append(_render_coatl_value(found, screen))
    lines = indent_lines(flow_parts(parts, screen.console, room - len(label), "  "), label)
    if whole and found.cards:
        cells = [render_card_cell(score.card, screen, worth=score.points) for score in found.cards]
        inner = arrange_in_columns(cells, screen.console, room - len(label))
        lines += indent_lines(inner, Text(" " * len(label)))
    return lines


def _render_coatl_pieces(coatl: str, screen: Screen) -> Text:
    pieces = screen.join_parts(screen.render_colour(Colour[letter]) for letter in coatl.strip("<>"))
    return Text.assemble("<" * (coatl[0] == "<"), pieces, ">" * (coatl[-1] == ">"))


def _render_coatl_value(found: CoatlResult, screen: Screen) -> Text:
    points = screen.language.card("points", found.points)
    if found.complete:
        return Text.assemble("✓ ", screen.label("coatl_complete", points=points), style="bold")
    later = sum(score.points for score in found.cards)
    if not found.cards:
        return Text(screen.label("coatl_bare"))
    return Text(screen.label("coatl_open", points=points, later=later))


def render_adam(adam: Adam, view: View, game: Game, screen: Screen) -> list[Text]:
    """Render A.D.A.M.'s row: each card's pieces and what it lacks; then the fulfilled cards."""
    title = [Text(ADAM_NAME, "bold")]
    points = sum(map(game.top_points, adam.fulfilled))
    title.append(Text(screen.language.card("points", points)))
    title.append(Text(screen.label("fulfilled", len(adam.fulfilled))))
    title.append(Text(screen.label("out_of_the_game", len(adam.discarded))))
    lines: list[Text] = []
    room = screen.width - len(LINE_INDENT)
    for number, (card, pieces) in enumerate(adam.row, start=1):
        label = Text.assemble((f"{number} ", "bold"), screen.render_card_id(game.by_id[card]), " ")
        lacks = _render_needs(find_open_needs(game.needs[card], pieces), screen)
        parts = [screen.join_parts(map(screen.render_piece, pieces))] if pieces else []
        parts.append(Text.assemble(screen.label("lacks"), " ", lacks))
        parts.append(Text(screen.language.card("points", game.top_points(card))))
        lines += indent_lines(
            flow_parts(parts, screen.console, room - label.cell_len, " · "), label
        )
    if adam.fulfilled:
        done = [
            Text.assemble(
                screen.render_card_id(game.by_id[card]), " ", (str(game.top_points(card)), "bold")
            )
            for card in adam.fulfilled
        ]
        lines += indent_lines(flow_parts(done, screen.console, room - 2), Text("✓ "))
    return [
        *indent_lines(
            flow_parts(title, screen.console, room, " · "), _render_turn_sign(ADAM_INDEX, view)
        ),
        *indent_lines(lines, Text(LINE_INDENT)),
    ]


def _render_needs(needs: Needs, screen: Screen) -> Text:
    *colours, white = needs
    parts = [
        Text.assemble(f"{number}×", screen.render_colour(Colour[colour]))
        for colour, number in zip(COLOURS, colours, strict=True)
        if number
    ]
    return screen.join_parts([*parts, f"{white}×*"] if white else parts)


EMPTY_SPACE_SIGNS = {BODY: "–", HEAD: "<–", TAIL: "–>"}


def print_table(name: str, view: View, game: Game, screen: Screen) -> None:
    """Print everything that the view shows, the viewer's own things first."""
    parts = [
        _render_title(name, view, game, screen),
        _render_supply_board(view, screen),
        [*_render_prophecies(view, game, screen), *_render_temple_piles(view, game, screen)],
    ]
    first = view.player or 0
    order = [*range(first, len(view.seats)), *range(first)]
    parts += [render_player(index, view, game, screen) for index in order]
    if view.adam:
        parts.append(render_adam(view.adam, view, game, screen))
    lines = [line for part in parts for line in (Text(), *part)][1:]
    for line in lines:
        line.rstrip()
    screen.print(*lines)


def _render_title(name: str, view: View, game: Game, screen: Screen) -> list[Text]:
    """Render the table's name and the turn; below it the news."""

    def said(phrases: Iterable[Phrase]) -> list[Text]:
        return [Text(screen.language.sentence(*phrase)) for phrase in phrases]

    title = [Text(escape_unprintable(name), "bold"), *said(phrase_headline(view, game))]
    lines = flow_parts(title, screen.console, screen.width, " · ")
    for line in said(phrase_status(view, game)):
        lines += wrap_text(line, screen.console, screen.width)
    return lines


def _render_supply_board(view: View, screen: Screen) -> list[Text]:
    """Render the ten spaces below their numbers, then what is left in the bags."""
    labels = [screen.label(key) for key in ("supply_board", "bags")]
    margin = max(map(len, labels)) + CELL_GAP
    lines = indent_lines(
        _render_spaces(view, screen, margin), Text(f"{labels[0]:<{margin}}", "bold")
    )
    return lines + indent_lines(
        _render_bags(view, screen, margin), Text(f"{labels[1]:<{margin}}", "bold")
    )


def _render_spaces(view: View, screen: Screen, margin: int) -> list[Text]:
    """Render lines of numbers and of pieces in turn; spaces of one kind are grouped."""
    room, gap = screen.width - margin, " " * CELL_GAP
    above: list[list[Text]] = []
    below: list[list[Text]] = []
    kinds = view.options.space_kinds
    for number, (kind, pieces) in enumerate(zip(kinds, view.spaces, strict=True), start=1):
        held = (
            screen.join_parts(map(screen.render_piece, pieces))
            if pieces
            else Text(EMPTY_SPACE_SIGNS[kind])
        )
        wide = screen.join_parts(
            [screen.render_piece(PIECES_OF_KIND[kind][0])] * PIECES_PER_SPACE[kind]
        ).cell_len
        held.pad_right(wide - held.cell_len)
        if number == 1 or kind != kinds[number - 2]:
            above.append([])
            below.append([])
        above[-1].append(Text(f"{number:<{wide}}", "bold"))
        below[-1].append(held)
    together = all(screen.join_parts(group, gap).cell_len <= room for group in below)
    found = []
    for groups in (above, below):  # of the same widths, so that both break at the same places
        if together:
            parts = [screen.join_parts(group, gap) for group in groups]
        else:
            parts = [space for group in groups for space in group]
        found.append(flow_parts(parts, screen.console, room, gap * 2 if together else gap))
    return [line for pair in zip(*found, strict=True) for line in pair]


def _render_bags(view: View, screen: Screen, margin: int) -> list[Text]:
    """Render how many of each piece are left, golden segments only if they are in play."""
    bodies = PIECES_OF_KIND[BODY] if view.options.golden_feathers else BODIES
    lines: list[Text] = []
    for kinds in (((bodies, view.bodies),), ((HEADS, view.heads), (TAILS, view.tails))):
        counted = [
            Text.assemble(screen.render_piece(piece), f" {number}")
            for pieces, bag in kinds
            for piece, number in zip(pieces, bag, strict=False)
        ]
        lines += flow_parts(counted, screen.console, screen.width - margin)
    return lines


def _render_prophecies(view: View, game: Game, screen: Screen) -> list[Text]:
    title = [
        Text(screen.label("prophecy_row"), "bold"),
        Text(screen.label("deck", view.deck)),
        Text(screen.label("discards", view.discards_in_all)),
    ]
    cells = [
        render_card_cell(game.by_id[card], screen, f"{number} ")
        for number, card in enumerate(view.supply, start=1)
    ]
    lines = flow_parts(title, screen.console, screen.width, " · ")
    return lines + arrange_in_columns(cells, screen.console, screen.width)


def _render_temple_piles(view: View, game: Game, screen: Screen) -> list[Text]:
    """Render the two Temple piles: their top cards, and how many lie below."""
    title = [Text(screen.label("temple_piles"), "bold")]
    cells = []
    for number, pile in enumerate(view.piles, start=1):
        title.append(Text(screen.label("below", pile.below, pile=number)))
        if pile.top:
            cells.append(render_card_cell(game.by_id[pile.top], screen, f"{number} "))
        else:
            cells.append(TextCell(Text(f"{number} –")))
    lines = flow_parts(title, screen.console, screen.width, " · ")
    return lines + arrange_in_columns(cells, screen.console, screen.width)


def print_result(result: GameResult, screen: Screen, over: bool) -> None:
    """Print every player's Cóatls and cards, the ranking, and who has won or is ahead."""
    for player in result.players:
        _print_player_result(player, screen)
    if result.adam:
        _print_adam_result(result.adam, screen)
    screen.print(Text(screen.label("result_ranking" if over else "result_standing"), "bold"), "")
    if not result.adam:
        _print_ranking(result, screen)
    *reasons, last = phrase_verdict(result, over)
    for reason in reasons:
        screen.print(screen.language.sentence(*reason))
    screen.print(Text(screen.language.sentence(*last), "bold"))


def _print_player_result(player: PlayerResult, screen: Screen) -> None:
    rows = []
    for number, coatl in enumerate(player.coatls, start=1):
        rows.append(_make_coatl_row(number, coatl, screen))
        rows += [_make_card_row(score, coatl.complete, screen) for score in coatl.cards]
    if player.feathers:
        golden = Text(screen.label("result_golden"))
        rows.append([Text("F"), golden, Text(), Text(str(player.feathers))])
    screen.print(Text(player.name, "bold"), "")
    _print_points(rows, player.points, screen)
    if any(not coatl.complete and coatl.cards for coatl in player.coatls):
        screen.print(Text(screen.label("result_open_note"), "dim"))
    screen.print("")


def _print_adam_result(adam: AdamResult, screen: Screen) -> None:
    top = screen.label("top_level")
    rows = [[Text(card), Text(), Text(top), Text(str(points))] for card, points in adam.cards]
    screen.print(Text(adam.name, "bold"), "")
    _print_points(rows, adam.points, screen)
    screen.print("")


def _print_points(rows: list[list[Text]], points: int, screen: Screen) -> None:
    """Print rows of cards, pieces, levels and points, with their sum and its place."""
    total = [Text(screen.label("result_total"), "bold"), Text(), Text(), Text(str(points), "bold")]
    rows = [*rows, total]
    if screen.console.width < NARROW_WIDTH:
        for name, pieces, level, worth in rows:
            screen.print(Text("  ").join(filter(None, (name, level, worth))))
            if pieces:
                screen.print(Padding(pieces, (0, 0, 0, 4), expand=False))
    else:
        columns = [
            GridColumn(screen.label("card")),
            GridColumn(screen.label("pieces"), ratio=1),
            GridColumn(screen.label("level")),
            GridColumn(screen.label("points"), justify="right"),
        ]
        screen.print_grid(columns, rows)
    screen.print(describe_scoreboard_place(points, screen.language))


def _make_coatl_row(number: int, coatl: CoatlResult, screen: Screen) -> list[Text]:
    state = screen.label("result_complete" if coatl.complete else "result_incomplete")
    shape = parse_coatl(coatl.coatl)
    pieces = screen.join_parts(map(screen.render_colour, shape.colours))
    return [
        Text(screen.label("result_coatl", number), "bold"),
        Text.assemble("<" * shape.head, pieces, ">" * shape.tail),
        Text(state),
        Text(str(coatl.points), "bold"),
    ]


def _make_card_row(score: CardScore, counts: bool, screen: Screen) -> list[Text]:
    level = screen.label("level_of", level=score.level, levels=len(score.card.levels))
    points = str(score.points) if counts else f"({score.points})"
    asks = screen.render_requirement(score.card.requirement)
    return [Text(f"  {score.card.id}"), asks, Text(level), Text(points)]


def _print_ranking(result: GameResult, screen: Screen) -> None:
    columns = [
        GridColumn(screen.label("result_player"), ratio=1),
        GridColumn("#"),
        GridColumn(screen.label("points"), justify="right"),
        GridColumn(screen.label("result_cards"), justify="right"),
        GridColumn(screen.label("result_best"), justify="right"),
    ]
    rows = [
        [Text(player.name), *map(Text, map(str, (place, *player.rank)))]
        for place, player in rank_players(result)
    ]
    screen.print_grid(columns, rows)
    screen.print("")
