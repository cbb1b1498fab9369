"""The game as PDF files, made in another process when a page asks for it.

All of it is less than a megabyte, so files stay in memory until they are fetched.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import RequestError
from coatl_tools.printing.paper.papers import BACKS, Backs
from coatl_tools.printing.theme import THEMES, ThemeName
from coatl_tools.resources import CODES
from coatl_tools.web.work.child import Tell

PAPERS = ("a4", "letter")
WHAT = ("all", "cards", "boards", "pieces", "tokens", "rules", "mat")
_THEN = 1980, 1, 1, 0, 0, 0  # when the files of a ZIP were made: the same order, the same bytes
T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be printed, and how. `wish` makes one of what a form says."""

    what: str = "all"
    paper: str = "a4"
    language: str = "en"
    theme: ThemeName = "full"
    backs: Backs = "duplex-long"
    promo: bool = False
    golden: bool = False
    only: str = ""  # cards, as people list them; all of the deck if it is empty


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A finished PDF: its name, its bytes, and how many sheets of paper it takes."""

    name: str
    data: bytes
    sheets: int
    title: str  # the key of a label
    duplex: bool = False


def wish(
    what: str = "all",
    paper: str = "a4",
    language: str = "en",
    theme: str = "full",
    backs: str = "duplex-long",
    promo: bool = False,
    golden: bool = False,
    only: str = "",
) -> Wish:
    """A wish as a form says it; RequestError for what cannot be chosen.

    Who wants only some cards and says nothing else wants no other parts of the game.
    """
    only = only.strip()
    if only and what == "all":
        what = "cards"
    return Wish(
        _one_of(WHAT, what),
        _one_of(PAPERS, paper),
        _one_of(CODES, language),
        _one_of(THEMES, theme),
        _one_of(BACKS, backs),
        promo,
        golden,
        only,
    )


def make(tell: Tell, wished: Wish, catalog: Catalog) -> tuple[PrintedFile, ...]:
    """The job: make what is wished for, a file for each part of the game."""
    from coatl_tools.web.work.printing import printed_files  # noqa: PLC0415 (not in the server)

    return printed_files(tell, wished, catalog)


def as_zip(files: Sequence[PrintedFile]) -> bytes:
    """Several files as one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:  # stored as they are: PDFs are packed already
        for file in files:
            target.writestr(zipfile.ZipInfo(file.name, _THEN), file.data)
    return packed.getvalue()


def _one_of(choices: Sequence[T], value: str) -> T:
    for choice in choices:
        if choice == value:
            return choice
    raise RequestError("web.work_no_choice", 400, value=value[:40])
