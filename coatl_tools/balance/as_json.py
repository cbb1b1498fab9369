"""All figures of a report as plain data, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from coatl_tools.balance.figures import CardFigures, Figures, GroupFigures, Players, Rate, Spread
from coatl_tools.balance.source import Source
from coatl_tools.balance.verdict import Measure, Verdict, is_own, verdicts
from coatl_tools.cards.data import card_data
from coatl_tools.simulation.statistics import Mean


def figures_data(figures: Figures, sources: Sequence[Source]) -> dict[str, Any]:
    """Everything that the page shows; intervals are of 95 %."""
    return {
        "games": figures.games,
        "sources": [_source(source) for source in sources],
        "groups": [_group(group) for group in figures.groups],
        "cards": [_card(card) for card in figures.cards],
        "own_cards": [_verdict(verdict) for verdict in verdicts(figures.cards)],
    }


def _source(source: Source) -> dict[str, Any]:
    plan = source.plan
    return {
        "folder": str(source.folder),
        "games": plan.games,
        "bots": list(plan.players),
        "seed": plan.seed,
        "levels": [list(levels) for levels in plan.levels],
        "options": {name: value for name, value in plan.options.data().items() if name != "levels"},
    }


def _group(found: GroupFigures) -> dict[str, Any]:
    return {
        "players": found.group.size,
        "levels": found.group.levels,
        "games": found.games,
        "turns": _spread(found.turns),
        "endings": dict(found.endings),
        "shared_victories": found.shared,
        "seats": [_players(seat, "seat") for seat in found.seats],
        "bots": [_players(bot, "bot") for bot in found.bots],
        "adam": None if found.adam is None else _players(found.adam, "bot"),
        "coatls": _spread(found.coatls),
        "unfinished_coatls": _spread(found.unfinished),
        "pieces": _spread(found.pieces),
        "coatl_points": _spread(found.coatl_points),
    }


def _players(players: Players, name: str) -> dict[str, Any]:
    return {
        name: players.name,
        "points": _spread(players.points),
        "wins": _rate(players.wins),
        "uses": players.uses._asdict(),
    }


def _card(figures: CardFigures) -> dict[str, Any]:
    return {
        **card_data(figures.card),
        "set": figures.card.set,
        "own": is_own(figures.card),
        "appeared": figures.appeared,
        "taken": figures.taken,
        "placed": figures.placed,
        "broken": figures.broken,
        "unfinished": figures.unfinished,
        "levels": list(figures.levels),
        "points_per_appearance": _mean(figures.per_appearance),
        "points_per_placing": _mean(figures.per_placing),
        "wins_when_placed": _rate(figures.wins),
        "expected_wins": figures.expected / figures.placed if figures.placed else None,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "card": verdict.card.id,
        "judgement": verdict.judgement.value,
        "points_per_appearance": _measure(verdict.points),
        "wins_beyond_expectation": _measure(verdict.wins),
    }


def _measure(measure: Measure) -> dict[str, Any]:
    own = measure.estimate
    return {
        "judgement": measure.judgement.value,
        "value": own.value if own else None,
        "low": _finite(own.low) if own else None,
        "high": _finite(own.high) if own else None,
        "more_than": measure.more_than,
        "surely_more_than": measure.surely,
        "of": measure.peers,
        "middle_half": measure.middle,
        "middle_half_of_its_colour": measure.colour_middle,
    }


def _spread(spread: Spread) -> dict[str, Any]:
    quartiles = [spread.quantile(part / 4) for part in range(5)] if spread.n else None
    return {"mean": _mean(spread.mean), "quartiles": quartiles, "counts": spread.counts}


def _mean(mean: Mean | None) -> dict[str, Any] | None:
    if mean is None:
        return None
    return {"mean": mean.mean, "low": _finite(mean.low), "high": _finite(mean.high), "n": mean.n}


def _rate(rate: Rate | None) -> dict[str, Any] | None:
    return None if rate is None else rate._asdict()


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None
