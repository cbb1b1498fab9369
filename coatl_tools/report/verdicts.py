"""How strong a player's own card is, compared with the published cards of its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from statistics import quantiles

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import BASE_SET, PROMO_SET
from coatl_tools.report.report_figures import CardFigures
from coatl_tools.simulation.statistics import Estimate

MIN_PEERS = 4  # fewer have no middle half
MIN_CASES = 30  # appearances or placings; fewer say hardly anything


class CardStrength(Enum):
    """What can be said of a card, if its interval lies as a whole on one side of a bound."""

    TOO_WEAK = "too_weak"  # below nineteen of twenty cards
    WEAK = "weak"  # below the middle half
    FITS = "fits"  # within the middle half
    STRONG = "strong"  # above the middle half
    TOO_STRONG = "too_strong"  # above nineteen of twenty cards
    UNCLEAR = "unclear"  # a bound lies within the interval
    DISAGREE = "disagree"  # strong by one measure and weak by another
    NO_DATA = "no_data"


@dataclass(frozen=True, slots=True)
class PeerComparison:
    """A card beside its peers, by one measure."""

    estimate: Estimate | None
    more_than: int  # so many of its peers have less
    surely_more_than: int  # so many have less beyond the intervals of both
    peers: int
    middle_half: tuple[float, float] | None  # of the cards of its kind
    colour_middle_half: tuple[float, float] | None  # of those of its kind and card colour
    judgement: CardStrength


@dataclass(frozen=True, slots=True)
class CardVerdict:
    """The verdict on a player's own card."""

    card: Card
    points: PeerComparison  # per appearance
    wins: PeerComparison  # beyond the expected share, when placed
    judgement: CardStrength


def is_own_card(card: Card) -> bool:
    """Tell whether a card is a player's own, not a published one."""
    return card.set not in (BASE_SET, PROMO_SET)


def judge_own_cards(cards: Iterable[CardFigures]) -> tuple[CardVerdict, ...]:
    """Judge each of a player's own cards beside the published cards of its kind."""
    all_cards = tuple(cards)
    published = [figures for figures in all_cards if not is_own_card(figures.card)]
    found = []
    for figures in all_cards:
        if is_own_card(figures.card):
            kind = [peer for peer in published if peer.card.kind is figures.card.kind]
            points = _compare_with_peers(figures, kind, lambda card: card.per_appearance)
            wins = _compare_with_peers(figures, kind, lambda card: card.win_surplus)
            judgement = _combine_judgements(points.judgement, wins.judgement)
            found.append(CardVerdict(figures.card, points, wins, judgement))
    return tuple(found)


def _compare_with_peers(
    figures: CardFigures,
    kind: Iterable[CardFigures],
    estimate: Callable[[CardFigures], Estimate | None],
) -> PeerComparison:
    own = estimate(figures)
    known = [(peer.card, found) for peer in kind if (found := estimate(peer)) is not None]
    peers = select_well_known(found for _, found in known)
    coloured = select_well_known(
        found for card, found in known if card.colour is figures.card.colour
    )
    has_colour = figures.card.colour is not None
    return PeerComparison(
        own,
        more_than=sum(own is not None and peer.value < own.value for peer in peers),
        surely_more_than=sum(own is not None and peer.high < own.low for peer in peers),
        peers=len(peers),
        middle_half=find_middle_half(peers),
        colour_middle_half=find_middle_half(coloured) if has_colour else None,
        judgement=_judge_estimate(own, peers),
    )


def select_well_known(peers: Iterable[Estimate]) -> list[Estimate]:
    """Select those with enough cases to compare a card with."""
    return [peer for peer in peers if peer.n >= MIN_CASES]


def find_middle_half(peers: list[Estimate]) -> tuple[float, float] | None:
    """Find the values between which the middle half lies; None for too few peers."""
    if len(peers) < MIN_PEERS:
        return None
    low, _, high = quantiles((peer.value for peer in peers), n=4, method="inclusive")
    return low, high


def _judge_estimate(own: Estimate | None, peers: list[Estimate]) -> CardStrength:
    middle = find_middle_half(peers)
    if own is None:
        return CardStrength.NO_DATA
    if middle is None or own.n < MIN_CASES:
        return CardStrength.UNCLEAR
    bounds = quantiles((peer.value for peer in peers), n=20, method="inclusive")
    if own.low > bounds[-1]:
        return CardStrength.TOO_STRONG
    if own.high < bounds[0]:
        return CardStrength.TOO_WEAK
    if own.low > middle[1]:
        return CardStrength.STRONG
    if own.high < middle[0]:
        return CardStrength.WEAK
    fits = middle[0] <= own.low and own.high <= middle[1]
    return CardStrength.FITS if fits else CardStrength.UNCLEAR


_STRENGTH_ORDER = {
    CardStrength.TOO_WEAK: -2,
    CardStrength.WEAK: -1,
    CardStrength.FITS: 0,
    CardStrength.STRONG: 1,
    CardStrength.TOO_STRONG: 2,
}


def _combine_judgements(points: CardStrength, wins: CardStrength) -> CardStrength:
    """Combine two measures: the one further from the middle counts, unless they disagree."""
    known = [judgement for judgement in (points, wins) if judgement in _STRENGTH_ORDER]
    if not known:
        both = (points, wins)
        return CardStrength.UNCLEAR if CardStrength.UNCLEAR in both else CardStrength.NO_DATA
    sides = [_STRENGTH_ORDER[judgement] for judgement in known]
    if min(sides) < 0 < max(sides):
        return CardStrength.DISAGREE
    return max(known, key=lambda judgement: abs(_STRENGTH_ORDER[judgement]))
