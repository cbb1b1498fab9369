"""A result in words: plain sentences for those who listen, and the reasons for every rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from coatl_tools.errors import Phrase
from coatl_tools.language import Language, load_language
from coatl_tools.notation import parse
from coatl_tools.rules.box import ADAM
from coatl_tools.rules.ending import AdamResult, CoatlResult, PlayerResult, Result
from coatl_tools.scoring.score import CardScore
from coatl_tools.scoring.scoreboard import scoreboard


@dataclass(frozen=True, slots=True)
class Placed:
    """Somebody's place in the ranking; `index` is the player's, or `ADAM`."""

    place: int
    index: int
    of: PlayerResult | AdamResult
    wins: bool


def result_sentences(result: Result, language: str = "en", over: bool = True) -> list[str]:
    """The whole result as sentences; unless the game is `over`, as it stands."""
    words = load_language(language)
    said: list[str] = []
    for player in result.players:
        said += _player(player, words)
    if result.adam:
        said += _adam(result.adam, words)
    else:
        for place, player in ranking(result):
            points = _points(player.points, words)
            details = {"place": place, "player": player.name, "points": points}
            said.append(words.sentence("result.place", details))
    return said + [words.sentence(*phrase) for phrase in verdict(result, over)]


def ranking(result: Result) -> list[tuple[int, PlayerResult]]:
    """The players with their places, the best first; equal ones share a place (rule 5.2)."""
    ranks = sorted((player.rank for player in result.players), reverse=True)
    ordered = sorted(result.players, key=lambda player: player.rank, reverse=True)
    return [(ranks.index(player.rank) + 1, player) for player in ordered]


def placed(result: Result) -> list[Placed]:
    """Everybody with their places, the best first; A.D.A.M. too: who has won is before it."""
    index_of = {player.name: index for index, player in enumerate(result.players)}
    found = [
        Placed(place, index_of[player.name], player, index_of[player.name] in result.winners)
        for place, player in ranking(result)
    ]
    if result.adam is None:
        return found
    adam_wins = ADAM in result.winners
    adam = Placed(1 if adam_wins else 2, ADAM, result.adam, adam_wins)
    return [adam, replace(found[0], place=2)] if adam_wins else [*found, adam]


def verdict(result: Result, over: bool = True) -> list[Phrase]:
    """Why the players rank as they do, where points alone do not tell, and who has won."""
    if result.adam:
        return _solo_verdict(result.players[0], result.adam, result.winners[0], over)
    names = [result.players[index].name for index in result.winners]
    ahead: dict[str, object] = {"players": ", ".join(names)}
    if len(names) > 1:
        return [*_ties(result), ("result.shared" if over else "result.shared_lead", ahead)]
    ahead = {"player": names[0]}
    return [*_ties(result), ("result.wins" if over else "result.leads", ahead)]


def _ties(result: Result) -> list[Phrase]:
    """What decides between neighbours of the ranking with as many points (rule 5.2)."""
    found: list[Phrase] = []
    ordered = [player for _, player in ranking(result)]
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


def _solo_verdict(player: PlayerResult, adam: AdamResult, winner: int, over: bool) -> list[Phrase]:
    details: dict[str, object] = {"player": player.name, "own": player.points, "adam": adam.points}
    if player.points > adam.points:
        found: list[Phrase] = [("result.solo_more", details)]
    elif player.points < adam.points:
        found = [("result.solo_fewer", details)]
    else:
        found = [("result.solo_tie", details)]
    if adam.temple_missing:
        found.append(("result.solo_temple", {"player": player.name}))
    name = adam.name if winner == ADAM else player.name
    return [*found, ("result.wins" if over else "result.leads", {"player": name})]


def _player(player: PlayerResult, words: Language) -> list[str]:
    said = [
        words.sentence(
            "result.player",
            {
                "player": player.name,
                "points": _points(player.points, words),
                "scoreboard": scoreboard_label(player.points, words),
            },
        )
    ]
    for number, coatl in enumerate(player.coatls, start=1):
        said.append(_coatl(number, coatl, player.name, words))
        said += [_card(score, words) for score in coatl.cards]
    if player.feathers:
        said.append(words.sentence("result.golden", {"points": _points(player.feathers, words)}))
    return said


def scoreboard_label(points: int, words: Language) -> str:
    """Where a score stands on the scoreboard (rule 5.3)."""
    tokens, position = scoreboard(points)
    key = "scoreboard_tokens" if tokens else "scoreboard"
    return words.label(key, tokens, position=position)


def _coatl(number: int, coatl: CoatlResult, player: str, words: Language) -> str:
    full = sum(score.points for score in coatl.cards)
    details: dict[str, object] = {
        "player": player,
        "number": number,
        "coatl": spoken_coatl(coatl.coatl, words),
        "points": _points(coatl.points, words),
    }
    if coatl.complete:
        return words.sentence("result.coatl", details)
    return words.sentence("result.coatl_open", details | {"full": _points(full, words)})


def spoken_coatl(text: str, words: Language) -> str:
    """A Cóatl in words, from head to tail, as it may be typed again.

    >>> spoken_coatl("<RBG", load_language("en"))
    'red head, blue, green'
    """
    coatl = parse(text)
    said = [words.colours[colour]["name"] for colour in coatl.colours]
    if coatl.head:
        said[0] = words.sentence("pieces.head", {"colour": coatl.colours[0]})
    if coatl.tail:
        said[-1] = words.sentence("pieces.tail", {"colour": coatl.colours[-1]})
    return ", ".join(said)


def _card(score: CardScore, words: Language) -> str:
    details: dict[str, object] = {
        "card": score.card.id,
        "level": score.level,
        "levels": len(score.card.levels),
        "points": _points(score.points, words),
    }
    return words.sentence("result.card" if score.level else "result.card_nothing", details)


def _adam(adam: AdamResult, words: Language) -> list[str]:
    said = [
        words.sentence(
            "result.player",
            {
                "player": adam.name,
                "points": _points(adam.points, words),
                "scoreboard": scoreboard_label(adam.points, words),
            },
        )
    ]
    for card, points in adam.cards:
        details = {"card": card, "points": _points(points, words)}
        said.append(words.sentence("result.adams_card", details))
    return said


def _points(number: int, words: Language) -> str:
    return words.card("points", number)
