"""Saying what is not sure about a photo, and what can be done."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from coatl_tools.cli.settings import Settings

if TYPE_CHECKING:
    from coatl_tools.vision.reading import Problem


def say_not_sure(
    file: str, problems: Sequence[Problem], settings: Settings, fixed: bool = False
) -> None:
    """On standard error: what is not sure about a photo, and what can be done.

    Nobody who has just left --fix is sent there again.
    """
    from rich.console import Console

    from coatl_tools.cli.photo.shown import problem_lines
    from coatl_tools.cli.screen import Screen

    screen = Screen(settings.language, Console(file=sys.stderr))
    screen.print(screen.label("photo_not_sure", file=file))
    screen.print(*problem_lines(list(problems), screen))
    screen.print(screen.label("photo_then_set") if fixed else screen.label("photo_then"))
