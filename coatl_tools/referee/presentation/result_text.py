"""The result of a game: the ranking with its reasons, as sentences and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from coatl_tools.errors import Phrase
from coatl_tools.language import Language, load_language
from coatl_tools.notation import parse_coatl
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.result import AdamResult, CoatlResult, GameResult, PlayerResult
from coatl_tools.scoring.score import CardScore, locate_on_scoreboard
from coatl_tools.scoring.score_sheet import describe_scoreboard_place


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """Somebody's place in the ranking; `index` is the player's, or `ADAM_INDEX`."""

    rank: int
    index: int
    result: PlayerResult | AdamResult
    wins: bool


def describe_result(result: GameResult, lang: str = "en", over: bool = True) -> list[str]:
    """Describe the whole result as sentences; unless the game is `over`, as it stands."""
    language = load_language(lang)
    said: list[str] = []
    for player in result.players:
        said += _describe_player(player, language)
    if result.adam:
        said += _describe_adam(result.adam, language)
    else:
        for place, player in rank_players(result):
            points = _format_points(player.points, language)
            details = {"place": place, "player": player.name, "points": points}
            said.append(language.sentence("result.place", details))
    return said + [language.sentence(*phrase) for phrase in phrase_verdict(result, over)]


def rank_players(result: GameResult) -> list[tuple[int, PlayerResult]]:
    """Rank the players with their places, the best first; equal ones share a place (rule 5.2)."""
    ranks = sorted((player.rank for player in result.players), reverse=True)
    ordered = sorted(result.players, key=lambda player: player.rank, reverse=True)
    return [(ranks.index(player.rank) + 1, player) for player in ordered]


def rank_all_seats(result: GameResult) -> list[RankedSeat]:
    """Rank everybody, A.D.A.M. included, the best first; of a solo game, the winner."""
    index_of = {player.name: index for index, player in enumerate(result.players)}
    found = [
        RankedSeat(place, index_of[player.name], player, index_of[player.name] in result.winners)
        for place, player in rank_players(result)
    ]
    if result.adam is None:
        return found
    adam_wins = ADAM_INDEX in result.winners
    adam = RankedSeat(1 if adam_wins else 2, ADAM_INDEX, result.adam, adam_wins)
    return [adam, replace(found[0], rank=2)] if adam_wins else [*found, adam]


def phrase_verdict(result: GameResult, over: bool = True) -> list[Phrase]:
    """Phrase why the players rank as they do, where points alone do not tell, and who has won."""
    if result.adam:
        return _phrase_solo_verdict(result.players[0], result.adam, result.winners[0], over)
    names = [result.players[index].name for index in result.winners]
    ahead: dict[str, object] = {"players": ", ".join(names)}
    if len(names) > 1:
        return [*_phrase_ties(result), ("result.shared" if over else "result.shared_lead", ahead)]
    ahead = {"player": names[0]}
    return [*_phrase_ties(result), ("result.wins" if over else "result.leads", ahead)]


def _phrase_ties(result: GameResult) -> list[Phrase]:
    """Phrase what decides between neighbours of the ranking with as many points (rule 5.2)."""
    found: list[Phrase] = []
    ordered = [player for _, player in rank_players(result)]
    for first, second in pairwise(ordered):
        details: dict[str, object] = {"first": first.name, "second": second.name}
        if first.points != second.points:
            continue
        if first.cards != second.cards:
            found.append(
                ("result.tie_cards", details | {"more": first.cards, "fewer": second.cards})
            )
        elif first.best != second.best:
            found.append(("result.tie_best", details | {"more": first.best, "fewer": second.best}))
        else:
            found.append(("result.tie", details))
    return found


def _phrase_solo_verdict(
    player: PlayerResult, adam: AdamResult, winner: int, over: bool
) -> list[Phrase]:
    details: dict[str, object] = {"player": player.name, "own": player.points, "adam": adam.points}
    if player.points > adam.points:
        found: list[Phrase] = [("result.solo_more", details)]
    elif player.points < adam.points:
        found = [("result.solo_fewer", details)]
    else:
        found = [("result.solo_tie", details)]
    if adam.temple_missing:
        found.append(("result.solo_temple", {"player": player.name}))
    name = adam.name if winner == ADAM_INDEX else player.name
    return [*found, ("result.wins" if over else "result.leads", {"player": name})]


def _describe_total(result: PlayerResult | AdamResult, language: Language) -> str:
    points, place = result.points, describe_scoreboard_place(result.points, language)
    details = {"player": result.name, "points": _format_points(points, language)}
    return language.sentence("result.player", {**details, "scoreboard": place})


def _describe_player(player: PlayerResult, language: Language) -> list[str]:
    said = [_describe_total(player, language)]
    for number, coatl in enumerate(player.coatls, start=1):
        said.append(_describe_coatl_result(number, coatl, player.name, language))
        said += [_describe_card_score(score, language) for score in coatl.cards]
    if player.feathers:
        points = _format_points(player.feathers, language)
        said.append(language.sentence("result.golden", {"points": points}))
    return said


def _describe_coatl_result(number: int, coatl: CoatlResult, player: str, language: Language) -> str:
    full = sum(score.points for score in coatl.cards)
    details: dict[str, object] = {
        "player": player,
        "number": number,
        "coatl": describe_coatl(coatl.coatl, language),
        "points": _format_points(coatl.points, language),
    }
    if coatl.complete:
        return language.sentence("result.coatl", details)
    return language.sentence(
        "result.coatl_open", details | {"full": _format_points(full, language)}
    )


def describe_coatl(text: str, language: Language) -> str:
    """Describe a Cóatl in words, from head to tail, as it may be typed again.

    >>> describe_coatl("<RBG", load_language("en"))
    'red head, blue, green'
    """
    coatl = parse_coatl(text)
    said = [language.colours[colour]["name"] for colour in coatl.colours]
    if coatl.head:
        said[0] = language.sentence("pieces.head", {"colour": coatl.colours[0]})
    if coatl.tail:
        said[-1] = language.sentence("pieces.tail", {"colour": coatl.colours[-1]})
    return ", ".join(said)


def _describe_card_score(score: CardScore, language: Language) -> str:
    details: dict[str, object] = {
        "card": score.card.id,
        "level": score.level,
        "levels": len(score.card.levels),
        "points": _format_points(score.points, language),
    }
    return language.sentence("result.card" if score.level else "result.card_nothing", details)


def _describe_adam(adam: AdamResult, language: Language) -> list[str]:
    said = [_describe_total(adam, language)]
    for card, points in adam.cards:
        details = {"card": card, "points": _format_points(points, language)}
        said.append(language.sentence("result.adams_card", details))
    return said


def _format_points(number: int, language: Language) -> str:
    return language.card("points", number)


def serialize_result(result: GameResult, over: bool = True) -> dict[str, Any]:
    """Serialize the result as JSON data; unless the game is `over`, `ahead` replaces `winners`."""
    data: dict[str, Any] = {
        "over": over,
        "players": [_serialize_player_result(player) for player in result.players],
        "ranking": [
            {"place": place, "name": player.name} for place, player in rank_players(result)
        ],
        "winners" if over else "ahead": [
            result.adam.name if result.adam and index == ADAM_INDEX else result.players[index].name
            for index in result.winners
        ],
    }
    if result.adam:
        data["adam"] = {
            "cards": [{"id": card, "points": points} for card, points in result.adam.cards],
            "points": result.adam.points,
            "scoreboard": _serialize_scoreboard(result.adam.points),
            "temple_missing": result.adam.temple_missing,
        }
        del data["ranking"]
    return data


def _serialize_player_result(player: PlayerResult) -> dict[str, Any]:
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
        "scoreboard": _serialize_scoreboard(player.points),
        "cards": player.cards,
        "temples": player.temples,
        "best": player.best,
    }


def _serialize_scoreboard(points: int) -> dict[str, int]:
    tokens, position = locate_on_scoreboard(points)
    return {"tokens": tokens, "position": position}
