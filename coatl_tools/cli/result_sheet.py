"""The result of a game on the screen, and as JSON."""

from __future__ import annotations

from typing import Any

from rich.padding import Padding
from rich.text import Text

from coatl_tools.cli.screen import NARROW, Column, Screen
from coatl_tools.notation import parse
from coatl_tools.referee.result_text import ranking, scoreboard_label, verdict
from coatl_tools.rules.box import ADAM
from coatl_tools.rules.ending import AdamResult, CoatlResult, PlayerResult, Result
from coatl_tools.scoring.score import CardScore
from coatl_tools.scoring.scoreboard import scoreboard


def print_result(result: Result, screen: Screen, over: bool) -> None:
    """Every player's Cóatls and cards, the ranking, and who has won or is ahead."""
    for player in result.players:
        _print_player(player, screen)
    if result.adam:
        _print_adam(result.adam, screen)
    screen.print(Text(screen.label("result_ranking" if over else "result_standing"), "bold"), "")
    if not result.adam:
        _print_ranking(result, screen)
    *reasons, last = verdict(result, over)
    for reason in reasons:
        screen.print(screen.language.sentence(*reason))
    screen.print(Text(screen.language.sentence(*last), "bold"))


def _print_player(player: PlayerResult, screen: Screen) -> None:
    rows = []
    for number, coatl in enumerate(player.coatls, start=1):
        rows.append(_coatl_row(number, coatl, screen))
        rows += [_card_row(score, coatl.complete, screen) for score in coatl.cards]
    if player.feathers:
        golden = Text(screen.label("result_golden"))
        rows.append([Text("F"), golden, Text(), Text(str(player.feathers))])
    screen.print(Text(player.name, "bold"), "")
    _print_points(rows, player.points, screen)
    if any(not coatl.complete and coatl.cards for coatl in player.coatls):
        screen.print(Text(screen.label("result_open_note"), "dim"))
    screen.print("")


def _print_adam(adam: AdamResult, screen: Screen) -> None:
    top = screen.label("top_level")
    rows = [[Text(card), Text(), Text(top), Text(str(points))] for card, points in adam.cards]
    screen.print(Text(adam.name, "bold"), "")
    _print_points(rows, adam.points, screen)
    screen.print("")


def _print_points(rows: list[list[Text]], points: int, screen: Screen) -> None:
    """Rows of cards, pieces, levels and points, with their sum and where it stands."""
    total = [Text(screen.label("result_total"), "bold"), Text(), Text(), Text(str(points), "bold")]
    rows = [*rows, total]
    if screen.console.width < NARROW:
        for name, pieces, level, worth in rows:
            screen.print(Text("  ").join(filter(None, (name, level, worth))))
            if pieces:
                screen.print(Padding(pieces, (0, 0, 0, 4), expand=False))
    else:
        columns = [
            Column(screen.label("card")),
            Column(screen.label("pieces"), ratio=1),
            Column(screen.label("level")),
            Column(screen.label("points"), justify="right"),
        ]
        screen.table(columns, rows)
    screen.print(scoreboard_label(points, screen.language))


def _coatl_row(number: int, coatl: CoatlResult, screen: Screen) -> list[Text]:
    state = screen.label("result_complete" if coatl.complete else "result_incomplete")
    shape = parse(coatl.coatl)
    pieces = screen.row(map(screen.colour, shape.colours))
    return [
        Text(screen.label("result_coatl", number), "bold"),
        Text.assemble("<" * shape.head, pieces, ">" * shape.tail),
        Text(state),
        Text(str(coatl.points), "bold"),
    ]


def _card_row(score: CardScore, counts: bool, screen: Screen) -> list[Text]:
    level = screen.label("level_of", level=score.level, levels=len(score.card.levels))
    points = str(score.points) if counts else f"({score.points})"
    asks = screen.asks(score.card.requirement)
    return [Text(f"  {score.card.id}"), asks, Text(level), Text(points)]


def _print_ranking(result: Result, screen: Screen) -> None:
    columns = [
        Column(screen.label("result_player"), ratio=1),
        Column("#"),
        Column(screen.label("points"), justify="right"),
        Column(screen.label("result_cards"), justify="right"),
        Column(screen.label("result_best"), justify="right"),
    ]
    rows = [
        [Text(player.name), *map(Text, map(str, (place, *player.rank)))]
        for place, player in ranking(result)
    ]
    screen.table(columns, rows)
    screen.print("")


def result_json(result: Result, over: bool = True) -> dict[str, Any]:
    """The result for programs; while a game goes on, nobody has won, but somebody is ahead."""
    data: dict[str, Any] = {
        "over": over,
        "players": [_player_json(player) for player in result.players],
        "ranking": [{"place": place, "name": player.name} for place, player in ranking(result)],
        "winners" if over else "ahead": [
            result.adam.name if result.adam and index == ADAM else result.players[index].name
            for index in result.winners
        ],
    }
    if result.adam:
        data["adam"] = {
            "cards": [{"id": card, "points": points} for card, points in result.adam.cards],
            "points": result.adam.points,
            "scoreboard": _scoreboard_json(result.adam.points),
            "temple_missing": result.adam.temple_missing,
        }
        del data["ranking"]
    return data


def _player_json(player: PlayerResult) -> dict[str, Any]:
    return {
        "name": player.name,
        "coatls": [
            {
                "coatl": coatl.coatl,
                "complete": coatl.complete,
                "cards": [
                    {"id": score.card.id, "level": score.level, "points": score.points}
                    for score in coatl.cards
                ],
                "points": coatl.points,
            }
            for coatl in player.coatls
        ],
        "golden": player.feathers,
        "points": player.points,
        "scoreboard": _scoreboard_json(player.points),
        "cards": player.cards,
        "temples": player.temples,
        "best": player.best,
    }


def _scoreboard_json(points: int) -> dict[str, int]:
    tokens, position = scoreboard(points)
    return {"tokens": tokens, "position": position}
