"""Readings in words."""

from __future__ import annotations

from coatl_tools.language import Language
from coatl_tools.pieces import Colour, Kind
from coatl_tools.vision.reading import Problem


def percent(part: float, language: Language) -> str:
    """A confidence as people read it; nothing that was seen is wholly certain."""
    return language.label("percent", min(99, int(part * 100)))


def piece_words(colour: Colour, kind: Kind, language: Language) -> str:
    """A piece, such as “black body segment”."""
    keys = {Kind.HEAD: "pieces.head", Kind.BODY: "pieces.body", Kind.TAIL: "pieces.tail"}
    return language.sentence(keys[kind], {"colour": colour})


def problem_text(problem: Problem, language: Language) -> str:
    """What is wrong, and what would help."""
    said = language.sentence(*problem.spoken)
    return f"{said} {language.sentence(*problem.advice)}" if problem.advice else said
