"""Check card data as a whole (shapes, ids, reachable levels, totals, languages), and build the
JSON Schemas of the data files.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coatl_tools.cards.card import CardKind
from coatl_tools.cards.card_files import (
    MAX_VALIDATED_PIECES,
    CardEntry,
    CardFile,
    find_repeated_ids,
    parse_card_entries,
)
from coatl_tools.cards.catalog import BASE_SET, PROMO_SET
from coatl_tools.cards.requirement import (
    ColourCount,
    Equal,
    Multiset,
    PieceSequence,
    Requirement,
    SequenceElement,
    Several,
    split_requirement,
)
from coatl_tools.components.components_file import ComponentsFile, NumberByPlayers
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.files.data_paths import CARDDATA, ENGLISH, list_language_codes
from coatl_tools.files.json_files import FileProblem, JsonPath, JsonSource, read_json
from coatl_tools.files.json_models import validate_json
from coatl_tools.pieces import Colour
from coatl_tools.printing.boards.board_items import find_undrawable_numbers
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.pages.page_text import PagesFile
from coatl_tools.rules.constants import MAX_PLAYERS, TOKENS
from coatl_tools.scoring.automata import compile_count_changes
from coatl_tools.scoring.missing_pieces import find_shortest_length
from coatl_tools.validation.language_files import LanguageCheck, LanguageFile


def canonicalize_requirement(requirement: Requirement) -> Hashable:
    """Return a value that is equal for requirements that count the same on every Cóatl (rule 4.5).

    `R R+` means `R+ R`, one red in sequence means a count of red, and "R = Y" means "Y = R".
    """
    match requirement:
        case ColourCount(colour) | Multiset(((colour, 1),)):
            return compile_count_changes(PieceSequence((SequenceElement(colour),)))
        case PieceSequence():
            return compile_count_changes(requirement)
        case Multiset(needs):
            return Multiset(tuple(sorted(needs)))
        case Equal(first, second):
            return Equal(min(first, second), max(first, second))
        case Several(parts):
            return frozenset(canonicalize_requirement(part) for part in parts)
        case _:
            return requirement


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """What a check found."""

    problems: tuple[FileProblem, ...]
    warnings: tuple[FileProblem, ...]  # texts that a language lacks
    files: int
    cards: int


def validate_files(paths: Sequence[Path], own_files: Sequence[Path] = ()) -> ValidationReport:
    """Check files and folders; without any, the game's data and a player's own files.

    Given card files are checked together with the game's and the player's own. Files of the set
    "base" or "promo" take the place of the game's own of that set; a folder with components
    stands alone.
    """
    data = _DataToCheck()
    for path in paths or [CARDDATA, *own_files]:
        data.add(path)
    if not data.stands_alone:
        data.add_company(own_files)
    given = {entry.source.path for entry in data.given}
    compared = [*find_repeated_ids(data.entries), *_find_same_requirements(data.entries)]
    languages = LanguageCheck(data.languages, data.english)
    problems = [
        *data.problems,
        *(problem for problem in compared if problem.path in given),
        *(problem for entry in data.given for problem in _find_unreachable_levels(entry, data)),
        *_check_totals(data),
        *_check_components(data),
        *_miss_english(data),
        *languages.problems,
    ]
    warnings = [*languages.warnings, *data.warnings]
    found = tuple(sorted(set(problems))), tuple(sorted(set(warnings)))
    return ValidationReport(*found, data.files, len(data.given))


@dataclass
class _DataToCheck:
    """All that is checked together."""

    company: list[CardEntry] = field(default_factory=list)  # cards only there to compare with
    given: list[CardEntry] = field(default_factory=list)
    components: tuple[JsonSource, ComponentsFile] | None = None
    languages: list[tuple[JsonSource, LanguageFile]] = field(default_factory=list)
    english: LanguageFile | None = None  # which other languages are compared with
    problems: list[FileProblem] = field(default_factory=list)
    warnings: list[FileProblem] = field(default_factory=list)
    folder: Path = CARDDATA  # the last one that was read
    stands_alone: bool = False  # a whole game, not an addition to this one
    unread: bool = False  # a file whose cards could not be counted
    files: int = 0

    @property
    def entries(self) -> list[CardEntry]:
        return [*self.company, *self.given]

    def add(self, path: Path) -> None:
        """Read a file, or all .json files of a folder."""
        if not path.is_dir():
            self._add_file(path)
            return
        self.folder = path
        found = [p for p in sorted(path.rglob("*.json")) if not p.name.endswith(".schema.json")]
        if not found:
            self.problems.append(FileProblem(str(path), 0, 0, "", "there is no .json file in it"))
        for file in found:
            self._add_file(file)
        if (path / "pages").is_dir():
            self._add_pages(path / "pages", path / "lang")

    def _add_pages(self, folder: Path, languages: Path) -> None:
        """Check the printed pages of every language that the folder has."""
        english = PagesFile(folder / f"{ENGLISH}.md", ENGLISH)
        self.problems += [*english.problems, *english.missing]
        for code in list_language_codes(languages)[1:]:
            path = folder / f"{code}.md"
            if not path.exists():
                message = "is missing: the English pages are printed"
                self.warnings.append(FileProblem(str(path), 0, 0, "", message))
                continue
            pages = PagesFile(path, code)
            self.problems += pages.problems
            self.warnings += pages.missing
            if not english.problems and not english.missing:
                wrong = pages.compare_figures(english)
                self.problems += [FileProblem(str(path), 0, 0, "", message) for message in wrong]

    def _add_file(self, path: Path) -> None:
        self.files += 1
        source, problems = read_json(path)
        self.problems.extend(problems)
        fields = source.data if source and isinstance(source.data, dict) else {}
        if path.name == "components.json" or "totals" in fields:
            self.stands_alone = True
            if source:
                components, problems = validate_json(ComponentsFile, source.data, source)
                self.components = (source, components) if components else None
                self.problems.extend(problems)
        elif path.parent.name == "lang" or "language" in fields:
            if source:
                language, problems = validate_json(LanguageFile, source.data, source)
                if language:
                    self.languages.append((source, language))
                    if path.name == f"{ENGLISH}.json":
                        self.english = language
                self.problems.extend(problems)
        elif source:
            entries, problems = parse_card_entries(source)
            self.given.extend(entries)
            self.problems.extend(problems)
            self.unread |= not entries and bool(problems)
        else:
            self.unread = True

    def add_company(self, own_files: Sequence[Path]) -> None:
        """Add the game's and the player's other data, with which the given files are compared."""
        game, own = _load_game_data(), _DataToCheck()
        for path in own_files:
            own.add(path)
        self.components = game.components
        replaced = {(e.card.set, e.card.kind) for e in self.given if e.card}
        sources = {str(Path(entry.source.path).resolve()) for entry in self.given}
        self.company = [
            *(e for e in game.given if e.card and (e.card.set, e.card.kind) not in replaced),
            *(e for e in own.given if str(Path(e.source.path).resolve()) not in sources),
        ]
        self.english = self.english or game.english


@cache
def _load_game_data() -> _DataToCheck:
    """Load the game's own data: a part of the program, read once."""
    game = _DataToCheck()
    game.add(CARDDATA)
    return game


def _find_same_requirements(entries: Iterable[CardEntry]) -> Iterator[FileProblem]:
    """Yield a problem for each card that asks for what another asks for, or for one thing twice."""
    first: dict[object, CardEntry] = {}
    for entry in entries:
        if entry.requirement is None:
            continue
        try:
            asked = canonicalize_requirement(entry.requirement)
            parts = [
                canonicalize_requirement(part) for part in split_requirement(entry.requirement)
            ]
        except RequirementTooComplexError as error:
            yield entry.problem(str(error), "requires")
            continue
        for index, part in enumerate(parts):
            if part in parts[:index]:
                yield entry.problem("asks for the same thing twice", "requires", "several", index)
        known = first.setdefault(asked, entry)
        if known is not entry and known.id != entry.id:
            where = known.problem("")
            yield entry.problem(
                f"asks for the same as {known.id} ({where.path}:{where.line})", "requires"
            )


def _find_unreachable_levels(entry: CardEntry, data: _DataToCheck) -> Iterator[FileProblem]:
    """Yield a problem for each level of a card that no Cóatl can reach."""
    most = data.components[1].max_pieces_of_colour() if data.components else MAX_VALIDATED_PIECES
    card = entry.card
    if card is None:
        return
    for level in card.levels:
        try:
            length = find_shortest_length(card, level.count, MAX_VALIDATED_PIECES, most)
        except RequirementTooComplexError as error:
            if error.key == "cards.intricate_search":  # the other kind has been reported already
                yield entry.problem(str(error), "requires")
            return
        if length is None:
            yield entry.problem(
                f"level {level.count} is out of reach: "
                f"no Cóatl of at most {MAX_VALIDATED_PIECES} pieces meets it",
                "points",
                str(level.count),
            )


def _check_totals(data: _DataToCheck) -> Iterator[FileProblem]:
    """Yield a problem for each total of components.json that is wrong (rules 1.2, 1.3, 1.5)."""
    if data.components is None:
        return
    source, components = data.components
    pieces, tokens = components.pieces, components.sacrifice_tokens
    counted = {
        "pieces": len(Colour) * (pieces.head + pieces.body + pieces.tail),
        "sacrifice_tokens": tokens.sets * len(tokens.tokens),
    }
    broken = data.unread or any(entry.card is None for entry in data.entries)
    cards = [] if broken else [entry.card for entry in data.entries if entry.card]
    if cards:
        for kind in CardKind:
            copies = (card.copies for card in cards if card.set == BASE_SET and card.kind is kind)
            counted[kind.value] = sum(copies)
        counted["promo"] = sum(card.set == PROMO_SET for card in cards)
    for name, number in counted.items():
        promised = getattr(components.totals, name)
        if number != promised:
            message = f"{name}: {promised} are promised, but there are {number}"
            yield source.problem(message, ("totals", name))


def _check_components(data: _DataToCheck) -> Iterator[FileProblem]:
    """Yield a problem for each unplayable or contradictory number of components.json."""
    if data.components is None:
        return
    source, box = data.components
    if box.player_boards.count != MAX_PLAYERS:
        message = f"there must be {MAX_PLAYERS}: one for each player (rule 2.4)"
        yield source.problem(f"player_boards.count: {message}", ("player_boards", "count"))
    if box.first_player_markers != 1:
        message = "there must be 1: the rules know one First Player marker (rule 1.5)"
        yield source.problem(f"first_player_markers: {message}", ("first_player_markers",))
    bodies_taken = box.supply_board.bodies_per_space
    if box.player_boards.spaces < bodies_taken:
        message = f"nobody could take the {bodies_taken} body segments of a space (rule 3.1)"
        yield source.problem(f"player_boards.spaces: {message}", ("player_boards", "spaces"))
    for location, message in find_undrawable_numbers(Layouts(), box):
        yield source.problem(f"{'.'.join(map(str, location))}: {message}", location)
    tokens = box.sacrifice_tokens
    if sorted(tokens.tokens) != sorted(TOKENS):
        message = f"each of {', '.join(TOKENS)} must be there once (rule 1.5)"
        yield source.problem(f"sacrifice_tokens.tokens: {message}", ("sacrifice_tokens", "tokens"))
    for name, number, same, other in (
        ("sets", tokens.sets, "player_boards.count", box.player_boards.count),
        ("back", tokens.back, "scoreboard.last_position", box.scoreboard.last_position),
    ):
        if number != other:
            message = f"{number} must be the same as {same}, which is {other}"
            yield source.problem(f"sacrifice_tokens.{name}: {message}", ("sacrifice_tokens", name))
    yield from _find_unfillable_spaces(source, box)
    bodies = box.bodies_per_colour
    if bodies.solo > box.pieces.body:
        yield source.problem(
            f"bodies_per_colour.solo: {_describe_excess(bodies.solo, box.pieces.body)}",
            ("bodies_per_colour", "solo"),
        )
    by_players: tuple[tuple[JsonPath, NumberByPlayers, int, int], ...] = (
        (("bodies_per_colour", "fewer_bodies"), bodies.fewer_bodies, box.pieces.body, 3),
        (("bodies_per_colour", "golden_feathers"), bodies.golden_feathers, box.pieces.body, 4),
        (("golden_bodies_in_play",), box.golden_bodies_in_play, box.golden_bodies, 4),
    )
    for location, numbers, most, last in by_players:
        name = ".".join(map(str, location))
        if list(numbers) != (expected := [str(players) for players in range(2, last + 1)]):
            message = f"must have a number for each of {', '.join(expected)} players"
            yield source.problem(f"{name}: {message}", location)
        for players, number in numbers.items():
            if number > most:
                message = f"{name}.{players}: {_describe_excess(number, most)}"
                yield source.problem(message, (*location, players))


def _find_unfillable_spaces(source: JsonSource, box: ComponentsFile) -> Iterator[FileProblem]:
    """Yield a problem for each kind of space that the smallest bag cannot fill (rule 2.1)."""
    fewer, board = box.bodies_per_colour, box.supply_board
    bodies = min(
        box.pieces.body, fewer.solo, *fewer.fewer_bodies.values(), *fewer.golden_feathers.values()
    )
    for name, needed, per_colour in (
        ("body_spaces", board.body_spaces * board.bodies_per_space, bodies),
        ("head_spaces", board.head_spaces, box.pieces.head),
        ("tail_spaces", board.tail_spaces, box.pieces.tail),
    ):
        if needed > (pieces := len(Colour) * per_colour):
            message = f"{needed} pieces are needed to fill them, but a game may have only {pieces}"
            yield source.problem(f"supply_board.{name}: {message}", ("supply_board", name))


def _miss_english(data: _DataToCheck) -> Iterator[FileProblem]:
    """Yield a problem if a whole game has no file of English."""
    path = data.folder / "lang" / f"{ENGLISH}.json"
    if data.stands_alone and not path.exists():
        message = "is missing, and all other languages rest on it"
        yield FileProblem(str(path), 0, 0, "", message)


def _describe_excess(number: int, most: int) -> str:
    return f"{number} are more than the {most} in the box"


SCHEMA_MODELS: dict[str, type[BaseModel]] = {
    "cards": CardFile,
    "components": ComponentsFile,
    "language": LanguageFile,
}


def read_schema(part: str) -> str:
    """Read the schema of one kind of file, as `carddata/schema/` has it."""
    return (CARDDATA / "schema" / f"{part}.schema.json").read_text("utf-8")


def build_schema(part: str) -> dict[str, Any]:
    """Build a schema from its model; `make golden` writes it into `carddata/schema/`."""
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **SCHEMA_MODELS[part].model_json_schema(by_alias=True),
    }
    _drop_null_defaults(schema)
    return schema


def format_schema(schema: dict[str, Any]) -> str:
    """Format a schema as the text of its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _drop_null_defaults(node: Any) -> None:
    """Drop `"default": null`, which only says that a field may be left out."""
    if isinstance(node, dict):
        if "default" in node and node["default"] is None:
            del node["default"]
        for inner in node.values():
            _drop_null_defaults(inner)
    elif isinstance(node, list):
        for inner in node:
            _drop_null_defaults(inner)
