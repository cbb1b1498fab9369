"""What is known of a card: what each level needs, how likely it is, by which rules it is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_level
from coatl_tools.cards.requirement import (
    ColourCount,
    Equal,
    Multiset,
    PieceSequence,
    Several,
    depends_on_cards,
    split_requirement,
)
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl
from coatl_tools.scoring.odds import (
    CardOdds,
    compute_odds,
    format_level,
    format_mean_points,
    format_percent,
)
from coatl_tools.scoring.score import score_card


@dataclass(frozen=True, slots=True)
class LevelFacts:
    """A level: what it needs and pays, and the shortest Cóatl for it with the pieces that count."""

    text: str
    name: str
    example: str = ""
    lit: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """How many Cóatls reach a level: in words, and in percent for a bar."""

    text: str
    percent: float


@dataclass(frozen=True, slots=True)
class LengthFacts:
    """Random Cóatls of a length: the share that reaches each level, and the points on average."""

    pieces: int
    levels: tuple[Share, ...]
    points: str


@dataclass(frozen=True, slots=True)
class CardFacts:
    """All of it; `counted` is False for a card too intricate to tell examples and odds."""

    levels: tuple[LevelFacts, ...]
    lengths: tuple[LengthFacts, ...] = ()
    as_if_alone: bool = False
    counted: bool = True

    @property
    def shining(self) -> bool:
        """Whether single pieces of the examples count, and not only all together."""
        return any(level.lit for level in self.levels)


def card_facts(card: Card, words: Language) -> CardFacts:
    """What is known of a card, in a language. It may take some tenths of a second."""
    said = [LevelFacts(describe_level(card, lv, words), format_level(lv)) for lv in card.levels]
    found = _odds(card)
    if found is None:
        return CardFacts(tuple(said), counted=False)
    levels = [
        level if example is None else _shown(level, example, card)
        for level, example in zip(said, found.examples, strict=True)
    ]
    return CardFacts(tuple(levels), _lengths(found, words), found.as_if_alone)


@lru_cache(maxsize=500)
def _odds(card: Card) -> CardOdds | None:
    try:
        return compute_odds(card)
    except RequirementTooComplexError:
        return None


def _shown(level: LevelFacts, example: Coatl, card: Card) -> LevelFacts:
    lit = {piece for pieces in score_card(example, card).occurrences for piece in pieces}
    return LevelFacts(level.text, level.name, str(example), tuple(sorted(lit)))


def _lengths(found: CardOdds, words: Language) -> tuple[LengthFacts, ...]:
    return tuple(
        LengthFacts(
            length.pieces,
            tuple(
                Share(format_percent(share, words), round(float(100 * share), 1))
                for number in range(1, len(length.exactly))
                for share in [length.at_least(number)]
            ),
            format_mean_points(length.points, words),
        )
        for length in found.lengths
    )


def rules_of(card: Card) -> list[tuple[str, str]]:
    """The rules that a card is read by: the key of a label, and the number."""
    parts = split_requirement(card.requirement)
    rows = [part for part in parts if isinstance(part, PieceSequence)]
    counts = isinstance(card.requirement, ColourCount | PieceSequence | Multiset)
    applies = [
        ("web_cards_rule_parts", "4.7", isinstance(card.requirement, Several)),
        ("web_cards_rule_kinds", "4.1", counts or any(isinstance(part, Equal) for part in parts)),
        ("web_cards_rule_row", "4.3", any(len(row.tokens) > 1 for row in rows)),
        ("web_cards_rule_anywhere", "10.1", any(isinstance(part, Multiset) for part in parts)),
        ("web_cards_rule_run", "4.4", any(token.run for row in rows for token in row.tokens)),
        ("web_cards_rule_crossed", "4.5", any(map(_is_flanked, rows))),
        ("web_cards_rule_once", "4.2", counts and not isinstance(card.requirement, ColourCount)),
        ("web_cards_rule_beside", "10.1", depends_on_cards(card.requirement)),
        ("web_cards_rule_highest", "4.7", len(card.levels) > 1),
    ]
    return [(key, number) for key, number, does in applies if does]


def _is_flanked(row: PieceSequence) -> bool:
    return row.before is not None or row.after is not None
