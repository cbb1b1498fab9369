"""Advice in words, for a screen reader, and as JSON, for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from coatl_tools.errors import Phrase
from coatl_tools.language import Language, load_language
from coatl_tools.players.planning.lacking import NEW, Lack, Needed, Way
from coatl_tools.referee.advice import Advice, Hint, needed_in_words
from coatl_tools.referee.plain_text import coatl_in_words, counted_pieces
from coatl_tools.referee.spelling import spelled
from coatl_tools.referee.view_data import coatl_data
from coatl_tools.rules.ending import CoatlResult, coatl_result
from coatl_tools.rules.events import HAND, PlaceTemple

WHERE = {
    "beside": "advice.beside",
    "hand": "advice.hand",
    "supply": "advice.supply",
    "pile": "advice.pile",
}


def advice_sentences(advice: Advice, language: str, whole: bool = False) -> list[str]:
    """The advice, one thought a line; `whole` for all that is missing, not the nearest only."""
    words = load_language(language)
    said = [words.sentence(*phrase) for phrase in advice.notes]
    plan = advice.plan
    if plan.steps:
        said.append(words.sentence("advice.best", {"n": plan.points}))
        for number, step in enumerate(plan.steps, start=1):
            text = spelled(step.event, language)
            key = "advice.step" if step.points else "advice.step_free"
            said.append(words.sentence(key, {"number": number, "text": text, "n": step.points}))
        said += [words.sentence(*phrase) for phrase in _afterwards(advice)]
    else:
        said.append(words.sentence("advice.nothing", {}))
        said += hint_lines(advice, language)
    rows = advice.lacks if whole else advice.short
    if rows:
        said.append(words.sentence("advice.missing", {}))
        said += [words.sentence(*row_phrase(lack)) for lack in rows]
    return said


def hint_lines(advice: Advice, language: str) -> list[str]:
    """What to do instead, a line each."""
    words = load_language(language)
    return [_hint(hint, words) for hint in advice.hints]


def _hint(hint: Hint, words: Language) -> str:
    why = words.sentence(*hint.why)
    if hint.event is None:
        return why
    return words.sentence("advice.typed", {"why": why, "text": spelled(hint.event, words.code)})


def _afterwards(advice: Advice) -> Iterator[Phrase]:
    """Every Cóatl with its cards as it is then, and what is left on the board."""
    for number, built in enumerate(advice.plan.coatls, start=1):
        found = coatl_result(advice.situation.game, built)
        yield _coatl(number, found)
        if found.cards:
            cards = [("shown.worth", {"card": s.card.id, "n": s.points}) for s in found.cards]
            yield "advice.cards", {"cards": cards}
    if advice.plan.board:
        yield "advice.left", {"pieces": counted_pieces(advice.plan.board)}
    else:
        yield "advice.left_none", {}


def _coatl(number: int, found: CoatlResult) -> Phrase:
    said: dict[str, object] = {"number": number, "pieces": coatl_in_words(found.coatl)}
    if found.complete:
        return "advice.coatl_complete", {**said, "n": found.points}
    return "advice.coatl_open", said


def row_phrase(lack: Lack) -> Phrase:
    """A card on a Cóatl: what it is worth there, and what it lacks."""
    coatl: Phrase = ("advice.coatl", {"coatl": lack.coatl})
    said: dict[str, object] = {
        "card": lack.card,
        "where": (WHERE[lack.where.value], {}),
        "coatl": coatl if lack.coatl != NEW else ("advice.new", {}),
    }
    facts: list[Phrase] = []
    if lack.points:
        facts.append(("advice.worth", {"n": lack.points}))
    if not lack.next_points:
        facts.append(("advice.top", {}))
    elif lack.way is None:
        facts.append(("advice.out_of_reach" if lack.known else "advice.intricate", {}))
    else:
        facts.append(_way(lack.way, lack))
    return "advice.row", {**said, "facts": facts}


def _way(way: Way, lack: Lack) -> Phrase:
    """The next level: how many points, how many pieces, which, and which of them to get."""
    said: dict[str, object] = {
        "points": ("advice.points", {"n": lack.next_points}),
        "pieces": ("advice.pieces", {"n": len(way)}),
        "how": _how(way, lack.coatl == NEW),
    }
    if not way.lacking:
        return "advice.on_board", said
    return "advice.to_get", {
        **said,
        "lacking": needed_in_words(Needed(piece, on_board=False) for piece in way.lacking),
    }


def _how(way: Way, new: bool) -> Phrase:
    before, behind = needed_in_words(way.head_end), needed_in_words(way.tail_end)
    if new:
        return "advice.in_order", {"pieces": behind}
    if before and behind:
        return "advice.both_ends", {"before": before, "behind": behind}
    if before:
        return "advice.head_end", {"pieces": before}
    return "advice.tail_end", {"pieces": behind}


def typed_steps(advice: Advice, language: str, real: bool) -> list[str]:
    """The steps as they are typed at a table, in as few lines as can be; none if it is not time.

    With `real` pieces, what a Temple pile then shows is reported before anything else is typed.
    """
    lines: list[list[str]] = [[]]
    for step in advice.plan.steps if advice.now else ():
        lines[-1].append(spelled(step.event, language))
        if real and isinstance(step.event, PlaceTemple) and step.event.source != HAND:
            lines.append([])
    return ["; ".join(line) for line in lines if line]


def advice_data(advice: Advice, language: str) -> dict[str, Any]:
    """The advice as JSON holds it; Cóatls and piles have numbers from 1, null is a new Cóatl.

    `steps` are in the notation and as they are typed in the language; `instead` is there when
    there are none. `missing` is about the table after the steps: `points` is what a card is worth
    there, `next` its next level and a shortest way to it, null where there is none.
    """
    words, game = load_language(language), advice.situation.game
    return {
        "now": advice.now,
        "notes": [words.sentence(*phrase) for phrase in advice.notes],
        "steps": [
            {
                "event": str(step.event),
                "typed": spelled(step.event, language),
                "points": step.points,
            }
            for step in advice.plan.steps
        ],
        "points": advice.plan.points,
        "instead": [
            {"why": words.sentence(*hint.why), "event": str(hint.event) if hint.event else None}
            for hint in advice.hints
        ],
        "coatls": [
            coatl_data(number, built, game)
            for number, built in enumerate(advice.plan.coatls, start=1)
        ],
        "board": [*advice.plan.board],
        "hand": [*advice.plan.hand],
        "missing": [_lack_data(lack) for lack in advice.lacks],
    }


def _lack_data(lack: Lack) -> dict[str, Any]:
    data: dict[str, Any] = {
        "card": lack.card,
        "where": lack.where.value,
        "coatl": lack.coatl or None,
        "points": lack.points,
        "next": None,
    }
    if lack.next_points:
        data["next"] = {"points": lack.next_points, "pieces": None}
        if not lack.known:
            data["next"]["known"] = False
    if lack.way is not None:
        data["next"] |= {
            "pieces": len(lack.way),
            "head_end": _ends_data(lack.way.head_end),
            "tail_end": _ends_data(lack.way.tail_end),
            "to_get": [*lack.way.lacking],
        }
    return data


def _ends_data(needed: Iterable[Needed]) -> list[dict[str, Any]]:
    return [{"piece": one.piece, "on_board": one.on_board} for one in needed]
