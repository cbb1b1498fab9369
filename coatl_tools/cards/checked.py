"""Card files that people write: every card checked, every problem told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import likeness
from coatl_tools.cards.files import Entry, read_cards
from coatl_tools.cards.source import Problem, read_json
from coatl_tools.errors import CardDataError, FileError


def checked_cards(paths: Iterable[Path]) -> list[Card]:
    """All cards of these files; raises CardDataError listing every problem, or FileError."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    for path in paths:
        if not path.exists():
            raise FileError("file.missing", path=path)
        if path.is_dir():
            raise FileError("file.folder", path=path)
        source, found = read_json(path)
        problems.extend(found)
        if source is not None:
            read, found = read_cards(source)
            entries.extend(read)
            problems.extend(found)
    problems.extend(repeated_ids(entries))
    if problems:
        raise CardDataError("cards.problems", problems=tuple(map(str, problems)))
    return [entry.card for entry in entries if entry.card is not None]


def repeated_ids(entries: Iterable[Entry]) -> Iterator[Problem]:
    """Cards whose id another card has. The very same card in another file is no problem."""
    first: dict[str, Entry] = {}
    for entry in entries:
        known = first.setdefault(likeness(entry.id), entry)
        if known is entry or not entry.id:
            continue
        if known.source is entry.source or known.card is None or known.card != entry.card:
            where = known.problem("")
            taken = "this id is taken" if known.id == entry.id else "this id is too like another"
            yield entry.problem(f"{taken}: {where.path}:{where.line} has a card {known.id}", "id")
