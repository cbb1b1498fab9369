"""A photo as the answer to a question for Cóatls: `photo.jpg`, `@photo.jpg 1.4=B`."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError
from coatl_tools.referee.written import coatl_with, read_coatl
from coatl_tools.rules.state import Built

if TYPE_CHECKING:
    from coatl_tools.language import Language
    from coatl_tools.vision.reading import Reading

SUFFIXES = ("jpg", "jpeg", "png", "webp", "heic", "heif", "tif", "tiff", "bmp")
_NAMED = rf"[^\"']*?\.(?:{'|'.join(SUFFIXES)})"
_PHOTO = re.compile(
    rf"(?:@\s*)?(?:\"([^\"]+)\"|'([^']+)'|({_NAMED})|(?<=@)(\S+))(?:\s+(.+))?",
    re.IGNORECASE | re.DOTALL,
)


class CoatlAnswers:
    """Reads what is answered to a question for a Cóatl: typed, or as a photo.

    A photo is read once, whatever is corrected of it afterwards.
    """

    def __init__(self, catalog: Catalog, words: Language) -> None:
        self.catalog, self.words = catalog, words
        self._read: dict[Path, Reading] = {}

    def __call__(self, line: str) -> tuple[Built, ...]:
        """The Cóatls of a line, with the cards beside them; CoatlError if they are not sure."""
        named = photo_named(line)
        if named is None:
            return (read_coatl(line, self.catalog),)
        return self._photo(*named)

    def _photo(self, path: Path, corrections: str) -> tuple[Built, ...]:
        from coatl_tools.vision.corrected import corrected
        from coatl_tools.vision.written_corrections import parse_corrections

        said = parse_corrections(corrections, self.catalog) if corrections else ()
        if path not in self._read:
            from coatl_tools.cli.photo.options import Wishes

            _, self._read[path] = Wishes().picture(path, self.catalog)
        reading = corrected(self._read[path], self.catalog, *said)
        if not reading.sure:
            raise self._not_sure(path, reading)
        if not reading.coatls:
            raise CorrectionError("photo.nothing_found")
        built = tuple(
            coatl_with(
                seen.notation,
                " ".join(card.id for card in reading.cards if card.coatl == index and card.id),
                self.catalog,
            )
            for index, seen in enumerate(reading.coatls)
        )
        for one in built:
            cards = " ".join(filter(None, (*one.prophecies, one.temple)))
            click.echo(f"  {one.text} {cards}".rstrip(), err=True)
        return built

    def _not_sure(self, path: Path, reading: Reading) -> CorrectionError:
        doubts = [self.words.sentence(*one.spoken) for one in reading.problems if one.grave]
        seen = [f"{number}: {one.notation}" for number, one in enumerate(reading.coatls, start=1)]
        cards = [f"c{number}: {one.id or '?'}" for number, one in enumerate(reading.cards, start=1)]
        return CorrectionError(
            "photo.answer_not_sure",
            path=path,
            doubts=tuple(doubts),
            seen="  ".join([*seen, *cards]) or "–",
        )


def photo_named(line: str) -> tuple[Path, str] | None:
    """The photo that a line names and the corrections behind it; None if it names none."""
    stripped = line.strip()
    found = _PHOTO.fullmatch(stripped)
    if found is None or (stripped[0] in "\"'" and "." not in stripped):
        return None
    path = Path(next(filter(None, found.groups()[:4])).strip())
    with contextlib.suppress(RuntimeError):  # ~ of somebody who has no home
        path = path.expanduser()
    return path, found[5] or ""
