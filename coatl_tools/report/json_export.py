"""All figures of a report as plain data, for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from coatl_tools.cards.card import serialize_card
from coatl_tools.report.dataset_reader import SimulationSource
from coatl_tools.report.report_figures import (
    CardFigures,
    Distribution,
    GroupFigures,
    PlayerFigures,
    ReportFigures,
)
from coatl_tools.report.verdicts import CardVerdict, PeerComparison, is_own_card, judge_own_cards
from coatl_tools.simulation.statistics import Estimate


def serialize_figures(
    figures: ReportFigures, sources: Sequence[SimulationSource]
) -> dict[str, Any]:
    """Serialize everything that the page shows; intervals are of 95 %."""
    return {
        "games": figures.games,
        "sources": [_serialize_source(source) for source in sources],
        "groups": [_serialize_group(group) for group in figures.groups],
        "cards": [_serialize_card_figures(card) for card in figures.cards],
        "own_cards": [_serialize_verdict(verdict) for verdict in judge_own_cards(figures.cards)],
    }


def _serialize_source(source: SimulationSource) -> dict[str, Any]:
    plan = source.plan
    return {
        "folder": str(source.folder),
        "games": plan.games,
        "bots": list(plan.players),
        "seed": plan.seed,
        "levels": [list(levels) for levels in plan.levels],
        "options": {name: value for name, value in plan.options.data().items() if name != "levels"},
    }


def _serialize_group(found: GroupFigures) -> dict[str, Any]:
    return {
        "players": found.group.size,
        "levels": found.group.levels,
        "games": found.games,
        "turns": _serialize_distribution(found.turns),
        "endings": dict(found.endings),
        "shared_victories": found.shared,
        "seats": [_serialize_players(seat, "seat") for seat in found.seats],
        "bots": [_serialize_players(bot, "bot") for bot in found.bots],
        "adam": None if found.adam is None else _serialize_players(found.adam, "bot"),
        "coatls": _serialize_distribution(found.coatls),
        "unfinished_coatls": _serialize_distribution(found.unfinished),
        "pieces": _serialize_distribution(found.pieces),
        "coatl_points": _serialize_distribution(found.coatl_points),
    }


def _serialize_players(players: PlayerFigures, name: str) -> dict[str, Any]:
    return {
        name: players.name,
        "points": _serialize_distribution(players.points),
        "wins": _serialize_rate(players.wins),
        "uses": players.uses._asdict(),
    }


def _serialize_card_figures(figures: CardFigures) -> dict[str, Any]:
    return {
        **serialize_card(figures.card),
        "set": figures.card.set,
        "own": is_own_card(figures.card),
        "appeared": figures.appearances,
        "taken": figures.taken,
        "placed": figures.placed,
        "broken": figures.worthless_placings,
        "unfinished": figures.unfinished,
        "levels": list(figures.levels),
        "points_per_appearance": _serialize_mean(figures.per_appearance),
        "points_per_placing": _serialize_mean(figures.per_placing),
        "wins_when_placed": _serialize_rate(figures.wins),
        "expected_wins": figures.expected / figures.placed if figures.placed else None,
    }


def _serialize_verdict(verdict: CardVerdict) -> dict[str, Any]:
    return {
        "card": verdict.card.id,
        "judgement": verdict.judgement.value,
        "points_per_appearance": _serialize_comparison(verdict.points),
        "wins_beyond_expectation": _serialize_comparison(verdict.wins),
    }


def _serialize_comparison(measure: PeerComparison) -> dict[str, Any]:
    own = measure.estimate
    return {
        "judgement": measure.judgement.value,
        "value": own.value if own else None,
        "low": _drop_infinity(own.low) if own else None,
        "high": _drop_infinity(own.high) if own else None,
        "more_than": measure.more_than,
        "surely_more_than": measure.surely_more_than,
        "of": measure.peers,
        "middle_half": measure.middle_half,
        "middle_half_of_its_colour": measure.colour_middle_half,
    }


def _serialize_distribution(spread: Distribution) -> dict[str, Any]:
    quartiles = [spread.quantile(part / 4) for part in range(5)] if spread.n else None
    return {"mean": _serialize_mean(spread.mean), "quartiles": quartiles, "counts": spread.counts}


def _serialize_mean(mean: Estimate | None) -> dict[str, Any] | None:
    if mean is None:
        return None
    return {
        "mean": mean.value,
        "low": _drop_infinity(mean.low),
        "high": _drop_infinity(mean.high),
        "n": mean.n,
    }


def _serialize_rate(rate: Estimate | None) -> dict[str, Any] | None:
    if rate is None:
        return None
    return {"share": rate.value, "low": rate.low, "high": rate.high, "n": rate.n}


def _drop_infinity(number: float) -> float | None:
    return number if isfinite(number) else None
