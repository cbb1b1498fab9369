"""What a card asks, as data: a small language of frozen values.

Everything that is known of a card (its score, its text, its drawing) is derived from these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.pieces import Colour


@dataclass(frozen=True, slots=True)
class ColourCount:
    """The number of pieces of a colour; every such piece is an occurrence."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class SequenceElement:
    """One place of a sequence: a colour (None: any), once or as a run of one or more."""

    colour: Colour | None
    run: bool = False

    def __str__(self) -> str:
        return ("*" if self.colour is None else self.colour.name) + ("+" if self.run else "")


@dataclass(frozen=True, slots=True)
class PieceSequence:
    """Neighbouring pieces from head to tail (rules 4.3, 4.4).

    `before` and `after` are the crossed-out neighbours of rule 4.5: only looked at.
    """

    elements: tuple[SequenceElement, ...]
    before: Colour | None = None
    after: Colour | None = None

    def __str__(self) -> str:
        parts = [str(element) for element in self.elements]
        if self.before is not None:
            parts.insert(0, f"!{self.before.name}")
        if self.after is not None:
            parts.append(f"!{self.after.name}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Multiset:
    """So many pieces of each colour, anywhere and in any order (rule 10.1)."""

    needs: tuple[tuple[Colour, int], ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """No piece of this colour (rule 4.6)."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Equal:
    """As many pieces of one colour as of the other, at least one each (rule 4.6)."""

    first: Colour
    second: Colour


@dataclass(frozen=True, slots=True)
class Length:
    """Exactly so many pieces, head and tail included (rule 4.6)."""

    pieces: int


@dataclass(frozen=True, slots=True)
class NoProphecy:
    """No Prophecy card of this card colour lies beside the Cóatl (rule 10.1)."""

    colour: Colour


CountableRequirement: TypeAlias = ColourCount | PieceSequence | Multiset
Condition: TypeAlias = Absent | Equal | Length | NoProphecy
SingleRequirement: TypeAlias = CountableRequirement | Condition


@dataclass(frozen=True, slots=True)
class Several:
    """Several requirements at once; what counts is how many of them are met."""

    parts: tuple[SingleRequirement, ...]


Requirement: TypeAlias = SingleRequirement | Several


def split_requirement(requirement: Requirement) -> tuple[SingleRequirement, ...]:
    """Split a requirement into those that are judged one by one: its parts, or just itself."""
    return requirement.parts if isinstance(requirement, Several) else (requirement,)


def depends_on_cards(requirement: Requirement) -> bool:
    """Tell whether the other cards beside the Cóatl matter, not the pieces alone."""
    return any(isinstance(part, NoProphecy) for part in split_requirement(requirement))


MAX_SEQUENCE_ELEMENTS = 30
SEQUENCE_PATTERN = r"^\s*(![RGBYK]\s+)?[RGBYK*]\+?(\s+[RGBYK*]\+?){0,29}(\s+![RGBYK])?\s*$"


def parse_sequence(text: str) -> PieceSequence:
    """Read `!Y Y Y !Y` or `K Y *+ Y K`, head to tail; raises ValueError saying all that is off.

    >>> str(parse_sequence("R  *+ !R"))
    'R *+ !R'
    """
    words = text.split()
    wrong = [message for index in range(len(words)) if (message := _find_mistake(words, index))]
    shown = [word for word in words if not word.startswith("!")]
    if not shown:
        wrong.append("needs at least one piece that is not crossed out")
    if len(shown) > MAX_SEQUENCE_ELEMENTS:
        wrong.append(f"has {len(shown)} pieces, but at most {MAX_SEQUENCE_ELEMENTS} are allowed")
    if wrong:
        raise ValueError("; ".join(wrong))
    before = Colour[words.pop(0)[1:]] if words[0].startswith("!") else None
    after = Colour[words.pop()[1:]] if words[-1].startswith("!") else None
    return PieceSequence(tuple(map(_parse_element, words)), before, after)


def _find_mistake(words: list[str], index: int) -> str:
    """Find what is wrong with one word of a sequence; empty if nothing is."""
    word = words[index]
    if not word.startswith("!"):
        if word.removesuffix("+") in (*Colour.__members__, "*"):
            return ""
        return f'"{word[:20]}" is not a piece: write R, G, B, Y, K or * (any), + for one or more'
    if word[1:] not in Colour.__members__:
        return f'"{word[:20]}" is not a crossed-out piece: write !R, !G, !B, !Y or !K'
    if 0 < index < len(words) - 1:
        return f'"{word}" stands in the middle: a crossed-out piece is the first or the last'
    return ""


def _parse_element(word: str) -> SequenceElement:
    letter = word.removesuffix("+")
    return SequenceElement(None if letter == "*" else Colour[letter], run=word.endswith("+"))
